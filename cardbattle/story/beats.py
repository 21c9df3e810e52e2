"""Divide a story into beats, and choose the episodes that it describes in full.

A beat is one episode, or several successive episodes that share a sentence or are left out. The story
describes in full the episodes that most changed the score or the sides' chances of winning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from cardbattle.core.telling import Episode

FULL_MOST = 4  # maximum number of episodes that are described in full
PLENTY = 8  # up to this number of sentences, every episode has a sentence of its own
LEAST = 3  # minimum number of sentences if there are at least as many episodes
ALIKE = 15  # penalty for each episode of the same kind that is described in full
DECIDER, LEAD_CHANGE, LAST = 30, 20, 12  # bonuses to the weight of an episode
DULL = 8  # smallest weight of an episode that has a sentence of its own
FEW = 4  # up to this number of episodes, a story leaves out no episode


class Beat(NamedTuple):
    """One episode that a story describes, or a group of successive episodes.

    A single episode is described in full or in one sentence. The episodes of a group share a sentence, or are
    left out.
    """

    episodes: Sequence[Episode]
    is_full: bool
    first: int  # index of the first episode
    is_passed: bool = False


class Shape(NamedTuple):
    """The outline of a story that leaves out some episodes.

    Attributes:
        name: the name of the outline. The next story of a report has another outline.
        full: the maximum number of episodes that are described in full.
        glimpses: the maximum number of episodes that are described in one sentence.
        has_opening: True if the story mentions the state of the battle before the first move.
        has_hook: True if the story begins with a remarkable fact about the whole battle, if any.
        is_late: True if the story leaves out the first half, except for its effect on the score.

    """

    name: str
    full: int
    glimpses: int
    has_opening: bool = False
    has_hook: bool = False
    is_late: bool = False


SHAPES = (
    Shape("one great day", full=1, glimpses=4, has_opening=True),
    Shape("three acts", full=3, glimpses=2, has_opening=True),
    Shape("vignettes", full=0, glimpses=6, has_hook=True),
    Shape("the last hour", full=2, glimpses=4, has_hook=True, is_late=True),
)


def choose_highlights(
    episodes: Sequence[Episode], weights: Sequence[int], shape: Shape, room: int, must: Sequence[int] = ()
) -> list[Beat]:
    """Return the last episode and the most remarkable ones, as far as `shape` and `room` allow.

    The episodes are in the order of the battle. Those in `must` are always described in full.
    """
    last = len(episodes) - 1
    # True for an episode that is described in full
    chosen: dict[int, bool] = {last: False, **dict.fromkeys(must, True)}
    first = len(episodes) // 2 if shape.is_late else 0
    candidates = range(first, len(episodes))
    for most, is_full in ((shape.full, True), (shape.glimpses, False)):
        tried: set[int] = set()
        while sum(full is is_full for full in chosen.values()) < most + (is_full is False):
            rest = [
                at for at in candidates if at not in tried and (at not in chosen or (is_full and at == last))
            ]
            if not rest:
                break
            best = max(rest, key=lambda at: (weights[at] - alike(episodes, {*chosen} - {at}, at), -at))
            tried.add(best)
            if not is_full and weights[best] < DULL and len(chosen) > LEAST:
                break
            if cost_of_highlights(episodes, {**chosen, best: is_full}) <= room:
                chosen[best] = is_full
    return highlights(episodes, chosen)


def cost_of_highlights(episodes: Sequence[Episode], chosen: Mapping[int, bool]) -> int:
    """Return the number of sentences that a story needs for the chosen episodes.

    `chosen` maps the index of each chosen episode to True if the episode is described in full.
    """
    beats = highlights(episodes, chosen)
    return sum(len(beat.episodes[0].facts) if beat.is_full else not beat.is_passed for beat in beats) + sum(
        len(episode.gone) for beat in beats if not beat.is_full for episode in beat.episodes
    )


def highlights(episodes: Sequence[Episode], chosen: Mapping[int, bool]) -> list[Beat]:
    """Return a beat for each chosen episode, and one beat for each group of episodes between them.

    The story leaves out the groups.
    """
    beats: list[Beat] = []
    for at, episode in enumerate(episodes):
        if at not in chosen and beats and beats[-1].is_passed:
            beats[-1] = beats[-1]._replace(episodes=[*beats[-1].episodes, episode])
        else:
            beats.append(Beat([episode], chosen.get(at, False), at, is_passed=at not in chosen))
    return beats


def weights_of(episodes: Sequence[Episode], winners: Sequence[int], swings: Mapping[int, int]) -> list[int]:
    """Return a weight for each episode. The more remarkable the episode is, the higher its weight.

    The weight includes the effect of the episode on the lead and on the chances.
    """
    return [
        episode.weight + turn_of_score(episodes, winners, at) + swings.get(at, 0) // 8
        for at, episode in enumerate(episodes)
    ]


def choose_beats(
    episodes: Sequence[Episode],
    winners: Sequence[int],
    swings: Mapping[int, int],
    room: int,
    must: Sequence[int] = (),
) -> list[Beat]:
    """Return the beats of a story in the order of the battle, in at most `room` sentences if possible.

    `swings` maps the index of an episode to the change, in permille, of a side's chance of winning in this
    episode. It can be empty. The episodes in `must` are always described in full.
    """
    weights = weights_of(episodes, winners, swings)
    full: set[int] = {*must}
    tried = {
        at for at, episode in enumerate(episodes)
        if episode.is_plain and not turn_of_score(episodes, winners, at)
    }  # fmt: skip
    while len(full) < FULL_MOST and len(tried) < len(episodes):
        at = max(
            set(range(len(episodes))) - tried, key=lambda at: (weights[at] - alike(episodes, full, at), -at)
        )
        tried.add(at)
        if cost_of(episodes, full | {at}) <= room:
            full.add(at)
    return grouped(episodes, full, room)


def alike(episodes: Sequence[Episode], full: set[int], at: int) -> int:
    """Return a penalty for episode `at` if episodes of the same kind are described in full."""
    kind = episodes[at].short.kind
    return ALIKE * sum(episodes[other].short.kind == kind for other in full)


def turn_of_score(episodes: Sequence[Episode], winners: Sequence[int], at: int) -> int:
    """Return a bonus for episode `at` if it decided the battle, changed the lead, or came last."""
    extra = LAST if at == len(episodes) - 1 else 0
    leads = [leaders(episode.scores) for episode in episodes]
    if at and leads[at] != leads[at - 1]:
        extra += LEAD_CHANGE
    if len(winners) == 1 and at == decider(episodes, winners[0]):
        extra += DECIDER
    return extra


def leaders(scores: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of the sides with the highest score."""
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))


def decider(episodes: Sequence[Episode], winner: int) -> int:
    """Return the index of the episode in which the winner took the lead for good, or -1 if it never did."""
    place = -1
    for at, episode in enumerate(episodes):
        if leaders(episode.scores) != (winner,):
            place = -1
        elif place < 0:
            place = at
    return place


def cost_of(episodes: Sequence[Episode], full: set[int]) -> int:
    """Return the number of sentences of a story that describes only the episodes in `full` in full."""
    sentences = sum(len(episodes[at].facts) for at in full)
    borders = sorted([-1, *full, len(episodes)])
    for before, after in pairwise(borders):
        between = episodes[before + 1 : after]
        sentences += bool(between) + sum(len(episode.gone) for episode in between)
    return sentences


def grouped(episodes: Sequence[Episode], full: set[int], room: int) -> list[Beat]:
    """Return the beats of a story.

    If `room` is small, successive episodes that are not described in full share a sentence.
    """
    loose = len(episodes) - len(full)
    spoken = sum(len(episodes[at].facts) for at in full)
    gone = sum(len(episode.gone) for at, episode in enumerate(episodes) if at not in full)
    is_roomy = spoken + loose + gone <= min(room, PLENTY)
    spare = spoken + loose - LEAST
    beats: list[Beat] = []
    for at, episode in enumerate(episodes):
        is_loose = bool(beats) and not beats[-1].is_full and at not in full
        is_dull = is_loose and spare > 0 and is_like(beats[-1].episodes[-1], episode)
        if is_dull or (is_loose and not is_roomy):
            beats[-1] = beats[-1]._replace(episodes=[*beats[-1].episodes, episode])
            spare -= 1
        else:
            beats.append(Beat([episode], at in full, at))
    return beats


def is_like(before: Episode, episode: Episode) -> bool:
    """Return True if both episodes are plain and were won by the same sides."""
    return before.is_plain and episode.is_plain and [*before.winners] == [*episode.winners]
