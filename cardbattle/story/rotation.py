"""Rotate phrases and outlines over the battles of a campaign, so that stories in a row differ.

The phrases of each kind are divided into three groups, which take turns. The group depends only on the number
of the battle, so that the story of a battle does not depend on which other stories are printed with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from cardbattle.core.telling import pieces_of_template

GROUPS = 3  # number of groups of phrases; a phrase is preferred in one of this many battles
OTHER_GROUP, OTHER_HALF = 7, 1  # penalties for phrases that are not preferred in a battle
T = TypeVar("T")


class Ordinals(NamedTuple):
    """The number of a battle in its campaign, and among the battles of its rule set, from 0."""

    battle: int
    of_rules: int


def penalties(lines: Sequence[str], ordinals: Ordinals, *, is_common: bool) -> list[int]:
    """Return the penalty for each phrase in a battle, which is 0 if it is this phrase's turn.

    `is_common` is True for phrases that all rule sets share. Fewer than three phrases take no turns.

    >>> penalties(["a", "b", "c", "d", "e", "f"], Ordinals(1, 0), is_common=True)
    [8, 0, 8, 8, 1, 8]
    """
    if len(lines) < GROUPS:
        return [0] * len(lines)
    first, second = ordinals if is_common else (ordinals.of_rules, ordinals.of_rules // GROUPS)
    return [
        OTHER_GROUP + OTHER_HALF
        if place % GROUPS != first % GROUPS
        else OTHER_HALF * ((place // GROUPS) % 2 != second % 2)
        for place in places_of(tuple(lines))
    ]


@cache
def places_of(lines: tuple[str, ...]) -> list[int]:
    """Return a place for each phrase. Phrases that need the same fields have successive places.

    >>> places_of(("{a}", "{b}", "{a}!"))
    [0, 2, 1]
    """
    needs = [tuple(sorted({field for _, field, _ in pieces_of_template(line) if field})) for line in lines]
    firsts = {need: at for at, need in reversed([*enumerate(needs)])}
    order = sorted(range(len(lines)), key=lambda at: (firsts[needs[at]], at))
    places = [0] * len(lines)
    for place, at in enumerate(order):
        places[at] = place
    return places


def in_turn(choices: Sequence[T], ordinals: Ordinals) -> T:
    """Return one of several equally good outlines, another one in each battle of a rule set.

    >>> [in_turn("ab", Ordinals(0, number)) for number in range(3)]
    ['a', 'b', 'a']
    """
    return choices[ordinals.of_rules % len(choices)]
