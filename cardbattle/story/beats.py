"""Choose the episodes that a story describes in full: those that moved the chances, otherwise the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from cardbattle.core.telling import Episode

FULL_MOST = 4  # maximum number of episodes described in full
PLENTY = 8  # up to this number of sentences, every episode has its own
LEAST = 3  # minimum number of sentences, if there are as many episodes
ALIKE = 15  # penalty for each full episode of the same kind
DECIDER, LEAD_CHANGE, LAST = 30, 20, 12  # bonuses to the weight of an episode


class Beat(NamedTuple):
    """One episode, in full or in a sentence, or several that share a sentence."""

    episodes: Sequence[Episode]
    is_full: bool
    first: int  # index of the first episode


def choose_beats(
    episodes: Sequence[Episode], winners: Sequence[int], swings: Mapping[int, int], room: int
) -> list[Beat]:
    """Return the beats of a story in order, in at most `room` sentences if possible.

    `swings` is the change of a chance of winning in each episode, by its index, in permille; it can be empty.
    """
    weights = [
        episode.weight + turn_of_score(episodes, winners, at) + swings.get(at, 0) // 8
        for at, episode in enumerate(episodes)
    ]
    full: set[int] = set()
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
    """Return the penalty of an episode for full episodes of the same kind."""
    kind = episodes[at].short.kind
    return ALIKE * sum(episodes[other].short.kind == kind for other in full)


def turn_of_score(episodes: Sequence[Episode], winners: Sequence[int], at: int) -> int:
    """Return the bonus of an episode that decided the battle, changed the lead, or came last."""
    extra = LAST if at == len(episodes) - 1 else 0
    leads = [leaders(episode.scores) for episode in episodes]
    if at and leads[at] != leads[at - 1]:
        extra += LEAD_CHANGE
    if len(winners) == 1 and at == decider(episodes, winners[0]):
        extra += DECIDER
    return extra


def leaders(scores: Sequence[int]) -> tuple[int, ...]:
    """Return the seats with the highest score."""
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))


def decider(episodes: Sequence[Episode], winner: int) -> int:
    """Return the index of the episode with which the winner took the lead for good, or -1."""
    place = -1
    for at, episode in enumerate(episodes):
        if leaders(episode.scores) != (winner,):
            place = -1
        elif place < 0:
            place = at
    return place


def cost_of(episodes: Sequence[Episode], full: set[int]) -> int:
    """Return the number of sentences if these episodes are described in full."""
    sentences = sum(len(episodes[at].facts) for at in full)
    borders = sorted([-1, *full, len(episodes)])
    return sentences + sum(after - before > 1 for before, after in pairwise(borders))


def grouped(episodes: Sequence[Episode], full: set[int], room: int) -> list[Beat]:
    """Return the beats; if room is short, neighbouring short episodes share a sentence."""
    loose = len(episodes) - len(full)
    spoken = sum(len(episodes[at].facts) for at in full)
    is_roomy = spoken + loose <= min(room, PLENTY)
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
    """Return True if both episodes are plain, and won by the same sides."""
    return before.is_plain and episode.is_plain and [*before.winners] == [*episode.winners]
