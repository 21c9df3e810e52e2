"""What an unfinished duel of Strategy WAR is worth about, learned from the solution of the whole of it.

A small network of whole numbers, one for each number of cards left, says the chance to win of two hands of
different ranks at leads some points apart; between them it lies on a line. The numbers stand in `worths.bin`.
Up to the last step they are sums and products of whole numbers, so that it is the same everywhere.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from math import sqrt
from pkgutil import get_data
from typing import Final

RANKS: Final = 13
LOWEST: Final = 2  # rank
FIRST: Final = 128  # numbers made of the hands
SECOND: Final = 64  # numbers made of those
KNOTS: Final = 33  # leads at which a worth is known
STEP: Final = 6  # points of lead between two of them
SHIFT: Final = 10  # a one is 1 << SHIFT
SUM: Final = 208  # points of a duel with all ranks
MOST_KEPT: Final = 64  # hands remembered, enough for an answer: each is met by all of the other side

Hand = tuple[int, ...]  # ascending
Row = list[int]


class Network:
    """What was learned of duels with so many cards left.

    A row for each rank of one's own hand, of the other hand, and of both together; for half of what waits in
    the pot, and whether anything does.
    """

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers
        self.own = self.rows(RANKS, FIRST)
        self.other = self.rows(RANKS, FIRST)
        self.pairs = [self.rows(RANKS, FIRST) for _ in range(RANKS)]
        self.pot, self.waits, self.bias = self.rows(3, FIRST)
        self.second = self.rows(FIRST, SECOND)
        self.second_bias = self.rows(1, SECOND)[0]
        self.knots = self.rows(KNOTS, SECOND)
        self.knot_bias = self.rows(1, KNOTS)[0]
        self.against: dict[Hand, list[Row]] = {}

    def __repr__(self) -> str:
        return f"<Network: {len(self.against)} hands remembered>"

    def rows(self, count: int, width: int) -> list[Row]:
        """Take so many rows from the numbers."""
        found = [self.numbers[at : at + width] for at in range(0, count * width, width)]
        self.numbers = self.numbers[count * width :]
        return found

    def chance(self, ours: Hand, theirs: Hand, lead: int, carry: int) -> float:
        """Return the chance to win of the higher hand."""
        numbers = self.of_both(ours, theirs, carry // 2)
        far = max(0, lead + KNOTS // 2 * STEP)
        knot = min(far // STEP, KNOTS - 2)
        low, high = self.at_knot(knot, numbers), self.at_knot(knot + 1, numbers)
        slope = (low * STEP + (high - low) * (lead + (KNOTS // 2 - knot) * STEP)) / (STEP << 2 * SHIFT)
        return 0.5 + 0.5 * slope / sqrt(1 + slope * slope)

    def at_knot(self, knot: int, numbers: Row) -> int:
        """Return what the numbers of two hands come to at one lead."""
        total = self.knot_bias[knot] << SHIFT
        for number, weight in zip(numbers, self.knots[knot], strict=True):
            total += number * weight
        return total

    def of_both(self, ours: Hand, theirs: Hand, pot: int) -> Row:
        """Return the numbers of two hands, and of half of what waits in the pot."""
        against = self.rows_against(theirs)
        first = against[RANKS]
        for card in ours:
            first = plus(first, against[card - LOWEST])
        if pot:
            first = [
                each + more + pot * less for each, more, less in zip(first, self.waits, self.pot, strict=True)
            ]
        second = [each << SHIFT for each in self.second_bias]
        for each, weights in zip(first, self.second, strict=True):
            if each > 0:
                second = [total + each * weight for total, weight in zip(second, weights, strict=True)]
        return [each >> SHIFT if each > 0 else 0 for each in second]

    def rows_against(self, theirs: Hand) -> list[Row]:
        """Return a row for each rank that may be held against a hand, and one for the hand itself."""
        found = self.against.get(theirs)
        if found is None:
            if len(self.against) == MOST_KEPT:
                self.against.clear()
            found = [self.own[rank] for rank in range(RANKS)]
            found.append(self.bias)
            for card in theirs:
                other = card - LOWEST
                found = [plus(found[rank], self.pairs[rank][other]) for rank in range(RANKS)] + [
                    plus(found[RANKS], self.other[other])
                ]
            self.against[theirs] = found
        return found


def plus(one: Row, two: Row) -> Row:
    """Return the sums of two rows."""
    return [first + second for first, second in zip(one, two, strict=True)]


NETWORKS: Final[dict[int, Network]] = {}  # by how many cards are left; read once they are needed


def networks() -> dict[int, Network]:
    """Return what was learned."""
    if not NETWORKS:
        content = zlib.decompress(get_data("cardbattle.rules.strategy_war", "worths.bin") or b"")
        size = 1 + 2 * (FIRST * (RANKS * (RANKS + 2) + 3 + SECOND) + SECOND + KNOTS * (SECOND + 1))
        for at in range(0, len(content), size):
            numbers = array("h", content[at + 1 : at + size])
            if sys.byteorder == "big":
                numbers.byteswap()
            NETWORKS[content[at]] = Network(numbers.tolist())
    return NETWORKS


def are_of_a_suit(ours: Hand, theirs: Hand) -> bool:
    """Say whether hands are of so many different ranks each."""
    for hand in (ours, theirs):
        if hand[0] < LOWEST or hand[-1] >= LOWEST + RANKS or len(set(hand)) < len(hand):
            return False
    return len(ours) == len(theirs)


def is_known(ours: Hand, theirs: Hand, lead: int, carry: int) -> bool:
    """Say whether something was learned of positions like this one.

    That is of hands with different ranks, and of a lead that a duel with all ranks may come to.
    """
    if len(ours) not in networks() or not are_of_a_suit(ours, theirs):
        return False
    return abs(lead) <= SUM - carry - sum(ours) - sum(theirs)


def appraise(ours: Hand, theirs: Hand, lead: int, carry: int) -> float:
    """Return about what a position is worth of which something `is_known`, from 0 to 1."""
    network = networks()[len(ours)]
    if ours[::-1] < theirs[::-1]:
        return 1 - network.chance(theirs, ours, -lead, carry)
    return network.chance(ours, theirs, lead, carry)
