"""What an unfinished duel of Strategy WAR is worth about, learned from the solution of the whole of it.

A small network of whole numbers, one for each number of cards left, says the chance to win of two hands of
different ranks at leads some points apart; between them it lies on a line. The numbers stand in `worths.bin`.
Up to the last step they are sums and products of whole numbers, so that it is the same everywhere.

Those of a row lie side by side in one great whole number, in lanes of so many bits, as packed integers do
that a processor adds all at once: rows are added, and multiplied by one number, in a single step. A lane
that is below zero borrows from the next, until half of its range is added to each.
"""

from __future__ import annotations

import struct
import zlib
from math import sqrt
from pkgutil import get_data
from typing import Final

RANKS: Final = 13
LOWEST: Final = 2  # rank
FIRST: Final = 192  # numbers made of the hands
SECOND: Final = 96  # numbers made of those
KNOTS: Final = 49  # leads at which a worth is known
STEP: Final = 4  # points of lead between two of them
SHIFT: Final = 10  # a one is 1 << SHIFT
LANE: Final = 32  # bits, of which half of the range is more than any sum comes to
HALF: Final = 1 << LANE - 1
SUM: Final = 208  # points of a duel with all ranks
MOST_KEPT: Final = 64  # hands remembered, enough for an answer: each is met by all of the other side

Hand = tuple[int, ...]  # ascending
Row = int  # packed


class Network:
    """What was learned of duels with so many cards left.

    A row for each rank of one's own hand, of the other hand, and of both together; for half of what waits in
    the pot, and whether anything does.
    """

    def __init__(self, numbers: bytes) -> None:
        self.numbers = numbers
        self.own = self.rows(RANKS, FIRST)
        self.other = self.rows(RANKS, FIRST)
        self.pairs = [self.rows(RANKS, FIRST) for _ in range(RANKS)]
        self.pot, self.waits, self.bias = self.rows(3, FIRST)
        self.second = self.rows(FIRST, SECOND)
        self.second_bias = self.rows(1, SECOND)[0] << SHIFT
        self.knots = [self.take(SECOND) for _ in range(KNOTS)]
        self.knot_bias = self.take(KNOTS)
        self.against: dict[Hand, list[Row]] = {}

    def __repr__(self) -> str:
        return f"<Network: {len(self.against)} hands remembered>"

    def take(self, count: int) -> list[int]:
        """Take so many of the numbers."""
        taken, self.numbers = self.numbers[: 2 * count], self.numbers[2 * count :]
        return list(struct.unpack(f"<{count}h", taken))

    def rows(self, count: int, width: int) -> list[Row]:
        """Take so many rows from the numbers."""
        return [packed(self.take(width)) for _ in range(count)]

    def chance(self, ours: Hand, theirs: Hand, lead: int, carry: int) -> float:
        """Return the chance to win of the higher hand."""
        numbers = self.of_both(ours, theirs, carry // 2)
        far = max(0, lead + KNOTS // 2 * STEP)
        knot = min(far // STEP, KNOTS - 2)
        low, high = self.at_knot(knot, numbers), self.at_knot(knot + 1, numbers)
        slope = (low * STEP + (high - low) * (lead + (KNOTS // 2 - knot) * STEP)) / (STEP << 2 * SHIFT)
        return 0.5 + 0.5 * slope / sqrt(1 + slope * slope)

    def at_knot(self, knot: int, numbers: list[int]) -> int:
        """Return what the numbers of two hands come to at one lead."""
        total = self.knot_bias[knot] << SHIFT
        weights = self.knots[knot]
        for at in range(SECOND):
            total += numbers[at] * weights[at]
        return total

    def of_both(self, ours: Hand, theirs: Hand, pot: int) -> list[int]:
        """Return the numbers of two hands, and of half of what waits in the pot."""
        against = self.rows_against(theirs)
        first = against[RANKS] + FIRST_HALVES
        for card in ours:
            first += against[card - LOWEST]
        if pot:
            first += self.waits + pot * self.pot
        second = self.second_bias + SECOND_HALVES
        numbers = FIRST_LANES.unpack(spread(first, FIRST))
        for at in range(FIRST):
            if numbers[at] > HALF:
                second += (numbers[at] - HALF) * self.second[at]
        return [
            each - HALF >> SHIFT if each > HALF else 0 for each in SECOND_LANES.unpack(spread(second, SECOND))
        ]

    def rows_against(self, theirs: Hand) -> list[Row]:
        """Return a row for each rank that may be held against a hand, and one for the hand itself."""
        found = self.against.get(theirs)
        if found is None:
            if len(self.against) == MOST_KEPT:
                self.against.clear()
            others = [card - LOWEST for card in theirs]
            found = [
                self.own[rank] + sum([self.pairs[rank][other] for other in others]) for rank in range(RANKS)
            ]
            found.append(self.bias + sum([self.other[other] for other in others]))
            self.against[theirs] = found
        return found


def packed(numbers: list[int]) -> Row:
    """Return a row of these numbers, the first in the lowest bits."""
    row = 0
    for number in reversed(numbers):
        row = (row << LANE) + number
    return row


def spread(row: Row, count: int) -> bytes:
    """Return the bytes of a row that has half of its range added in each lane."""
    return row.to_bytes(count * LANE // 8, "little")


FIRST_LANES: Final = struct.Struct(f"<{FIRST}I")
SECOND_LANES: Final = struct.Struct(f"<{SECOND}I")
FIRST_HALVES: Final = packed([HALF] * FIRST)
SECOND_HALVES: Final = packed([HALF] * SECOND)
NETWORKS: Final[dict[int, Network]] = {}  # by how many cards are left; read once they are needed


def networks() -> dict[int, Network]:
    """Return what was learned."""
    if not NETWORKS:
        content = zlib.decompress(get_data("cardbattle.rules.strategy_war", "worths.bin") or b"")
        size = 1 + 2 * (FIRST * (RANKS * (RANKS + 2) + 3 + SECOND) + SECOND + KNOTS * (SECOND + 1))
        for at in range(0, len(content), size):
            NETWORKS[content[at]] = Network(content[at + 1 : at + size])
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
