"""The shortest story that still goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.stress.story import Step, Story

MOST_TRIES = 3000


def shrunk(story: Story, fails: Callable[[Story], bool]) -> Story:
    """Return the story with every step and mishap left out that it can do without."""
    tries = 0
    size = max(1, len(story.steps) // 2)
    while True:
        for shorter in simpler(story, size):
            tries += 1
            if tries > MOST_TRIES:
                return story
            if fails(shorter):
                story = shorter
                break
        else:
            if size == 1:
                return story
            size = max(1, size // 2)


def simpler(story: Story, size: int) -> Iterator[Story]:
    """Yield the story without `size` steps at each place, the last place first, and with simpler steps."""
    count = len(story.steps)
    for start in range(count - size, -1, -1):
        yield story._replace(steps=(*story.steps[:start], *story.steps[start + size :]))
    if size > 1:
        return
    for place, step in enumerate(story.steps):
        for simple in simpler_steps(step):
            yield story._replace(steps=(*story.steps[:place], simple, *story.steps[place + 1 :]))
    plain = story._replace(line_end="\n", bom=False, every=12, exchanges=True)
    if plain != story:
        yield plain


def simpler_steps(step: Step) -> Iterator[Step]:
    """Yield a step with less befalling it."""
    for place, mishap in enumerate(step.mishaps):
        rest = step.mishaps[:place], step.mishaps[place + 1 :]
        yield step._replace(mishaps=(*rest[0], *rest[1]))
        if mishap.step is not None and mishap.step.mishaps:
            for inner in simpler_steps(mishap.step):
                yield step._replace(mishaps=(*rest[0], mishap._replace(step=inner), *rest[1]))
    if step.numbers and step.do == "edit" and step.numbers[0] > 1:
        yield step._replace(numbers=(1, *step.numbers[1:]))
