"""Pairings of round-robin, knock-out, Swiss and random rounds, as pure functions of keys.

The home side comes first in a pair. The functions do not depend on campaigns, results or files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.league.matching import NO_ONE, largest_matching

Pair = tuple[str, str]


class Pairings(NamedTuple):
    """The pairs of a round, with the home side first, and the sides that have a bye."""

    pairs: Sequence[Pair]
    byes: Sequence[str] = ()


# Round robin


def round_robin_length(entrants: int, *, twice: bool = False) -> int:
    """Return the number of rounds of a round robin, in which all entrants meet once, or twice if `twice`.

    >>> [round_robin_length(entrants) for entrants in (2, 3, 6)]
    [1, 3, 5]
    """
    once = entrants - 1 + entrants % 2
    return once * 2 if twice else once


def round_robin(entrants: Sequence[str], number: int) -> Pairings:
    """Return the round with this number of a round robin. The first round has the number 0.

    In a double round robin, the second half repeats the first half with home and away sides reversed. Each
    pair meets once in each half. The numbers of home and away matches of a side differ by at most one.

    Source: the circle method with the home sides of R. Schurig's tables (Berger tables), 1886.

    >>> round_robin(["a", "b", "c", "d"], 0).pairs
    [('a', 'd'), ('b', 'c')]
    """
    # The last number of an even count; with an odd count it means a bye.
    fixed = len(entrants) - 1 + len(entrants) % 2
    half, place = divmod(number, fixed)
    pairs, byes = [], []
    for distance in range((fixed + 1) // 2):
        first, second = (place + distance) % fixed, (place - distance) % fixed
        if distance == 0:
            first, second = (place, fixed) if place % 2 == 0 else (fixed, place)
        elif distance % 2 == 0:
            first, second = second, first
        if half % 2:
            first, second = second, first
        if max(first, second) < len(entrants):
            pairs.append((entrants[first], entrants[second]))
        else:
            byes.append(entrants[min(first, second)])
    return Pairings(pairs, byes)


# Swiss and random rounds


class Past(NamedTuple):
    """The meetings and byes of earlier rounds.

    Attributes:
        meetings: the number of times that two sides have met.
        byes: the number of byes of each side.
        homes: the number of home matches minus the number of away matches of each side.

    """

    meetings: Mapping[frozenset[str], int]
    byes: Mapping[str, int]
    homes: Mapping[str, int]

    def have_met(self, first: str, second: str) -> bool:
        return self.meetings.get(frozenset((first, second)), 0) > 0


def pair_by_order(order: Sequence[str], past: Past) -> Pairings:
    """Return pairs with as few repeated meetings as possible. Neighbours in `order` are preferred.

    If `order` is the order of the standings, the result is a Swiss round. If it is a random order, the result
    is a random round. If the number of sides is odd, `bye_of` selects the side with the bye.
    """
    left, byes = [*order], []
    if len(left) % 2:
        byes = [bye_of(left, past)]
        left.remove(byes[0])
    pairs = []
    repeats = fewest_repeats(left, past)
    while left:
        first = left.pop(0)
        for second in left:
            unpaired = [key for key in left if key != second]
            cost = int(past.have_met(first, second))
            if cost <= repeats and cost + fewest_repeats(unpaired, past) == repeats:
                left, repeats = unpaired, repeats - cost
                pairs.append(home_first(first, second, past))
                break
    return Pairings(pairs, byes)


def bye_of(order: Sequence[str], past: Past) -> str:
    """Return the side with the bye, which is one of the sides with the fewest byes.

    Among these sides, the one whose bye leads to the fewest repeated meetings is selected. If several are
    equal, the last one in `order` is selected.
    """
    fewest = min(past.byes.get(key, 0) for key in order)
    candidates = [key for key in reversed(order) if past.byes.get(key, 0) == fewest]
    repeats = {key: fewest_repeats([other for other in order if other != key], past) for key in candidates}
    return min(candidates, key=lambda key: repeats[key])


def fewest_repeats(keys: Sequence[str], past: Past) -> int:
    """Return the minimum number of pairs that have met before. The number of keys must be even."""
    partners = largest_matching(len(keys), lambda first, second: not past.have_met(keys[first], keys[second]))
    return partners.count(NO_ONE) // 2


def home_first(first: str, second: str, past: Past) -> Pair:
    """Return a pair with the home side first.

    The side with the smaller excess of home matches is at home. If both are equal, the side that is lower in
    the order is at home.
    """
    return (first, second) if past.homes.get(first, 0) < past.homes.get(second, 0) else (second, first)


# Knock-out


def bracket(seeds: Sequence[str]) -> list[str | None]:
    """Return the entrants in the order of a bracket, with None for a bye.

    Neighbours meet in the first round. The first two seeds can meet only in the final, the first four only in
    the semi-finals, and so on. Byes go to the first seeds.

    >>> bracket(["a", "b", "c"])
    ['a', None, 'b', 'c']
    """
    places = [0]
    while len(places) < len(seeds):
        last = 2 * len(places) - 1
        places = [place for seed in places for place in (seed, last - seed)]
    return [seeds[place] if place < len(seeds) else None for place in places]


def neighbours(places: Sequence[str | None]) -> list[tuple[str | None, str | None]]:
    """Return the possible pairs in a round of a bracket."""
    return list(zip(places[::2], places[1::2], strict=True))


ROUND_NAMES = {2: "Final", 4: "Semi-final", 8: "Quarter-final"}


def knock_out_name(places: int) -> str:
    """Return the name of a round with this number of places left in the bracket.

    >>> knock_out_name(2), knock_out_name(16)
    ('Final', 'Round of 16')
    """
    return ROUND_NAMES.get(places, f"Round of {places}")


def is_round_note(note: str) -> bool:
    """Return True if a note of a battle only names the round of a league, as `campaign fixtures` writes it.

    >>> is_round_note("Round 3"), is_round_note("Semi-final, replay"), is_round_note("Finally rain")
    (True, True, False)
    """
    return ROUND_NOTE.fullmatch(note) is not None


ROUND_NOTE = re.compile(rf"(Round (of )?\d+|{'|'.join(ROUND_NAMES.values())})(, replay)?")
