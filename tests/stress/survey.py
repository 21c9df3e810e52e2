"""Many stories, one after the other, until one goes wrong or there were commands enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from tests.stress.broken import BROKEN
from tests.stress.shrink import shrunk
from tests.stress.story import Story, told_by
from tests.stress.world import Divergence, World


class Finding(NamedTuple):
    """A story that went wrong, and how."""

    seed: int
    story: Story
    why: str

    def __str__(self) -> str:
        again = f"python -m tests.stress --seed {self.seed} --commands 1"
        return f"{self.story}\n{self.why}\nagain: {again}"


class Survey:
    """Stories that were tried, and what happened in them."""

    def __init__(self, broken: str = "") -> None:
        self.broken = BROKEN[broken]
        self.commands = 0
        self.stories = 0
        self.happened: Counter[str] = Counter()

    def run(self, seed: int, commands: int, tell: Callable[[Survey], None] | None = None) -> Finding | None:
        """Try stories with this number of commands in all, from this seed on. Return the first failure."""
        most = self.commands + commands
        while self.commands < most:
            why = self.wrong(told_by(seed))
            if why:
                return Finding(seed, told_by(seed), why)
            seed += 1
            if tell is not None:
                tell(self)
        return None

    def shortest(self, found: Finding) -> Finding:
        """Return the shortest story found that goes wrong, made of the steps of this one."""
        story = shrunk(found.story, lambda shorter: bool(self.wrong(shorter, count=False)))
        return Finding(found.seed, story, self.wrong(story, count=False))

    def wrong(self, story: Story, *, count: bool = True) -> str:
        """Say what goes wrong in a story, or return the empty string."""
        world = World(story)
        why = ""
        with self.broken():
            try:
                world.run()
            except Divergence as error:
                why = str(error)
        if count:
            self.commands += world.commands
            self.stories += 1
            self.happened.update(world.happened)
        return why
