"""What an unfinished duel of Strategy WAR is worth about, learned from the solution of the whole of it.

A small network of whole numbers, one for each number of cards left, says the chance to win of two hands of
different ranks at leads some points apart; between them it lies on a line. The numbers stand in `worths.bin`.
Up to the last step they are sums and products of whole numbers, so that it is the same everywhere. They are
packed into rows, of which the last have wider lanes.
"""

from __future__ import annotations

import struct
from math import sqrt
from pkgutil import get_data
from typing import Final

from cardbattle.core.numeric.lanes import HALF, Row, pack, spread, unshrunk

RANKS: Final = 13
LOWEST: Final = 2  # rank
FIRST: Final = 192  # numbers made of the hands
SECOND: Final = 96  # numbers made of those
KNOTS: Final = 49  # leads at which a worth is known
STEP: Final = 4  # points of lead between two of them
SHIFT: Final = 10  # a one is 1 << SHIFT
WIDE: Final = 64  # bits of a lane of the last sums
WIDE_HALF: Final = 1 << WIDE - 1
SUM: Final = 208  # points of a duel with all ranks
MOST_KEPT: Final = 128  # hands remembered: each is met by all of the other side
MOST_MET: Final = 8192  # pairs of hands remembered, enough for an answer: each is met with many leads

Hand = tuple[int, ...]  # ascending


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
        at_knots = [self.take(SECOND) for _ in range(KNOTS)]
        self.knots = [pack([weights[at] for weights in at_knots], WIDE) for at in range(SECOND)]
        self.knot_bias = pack(self.take(KNOTS), WIDE) << SHIFT
        self.against: dict[Hand, list[Row]] = {}
        self.met: dict[tuple[Hand, Hand, int], bytes] = {}

    def __repr__(self) -> str:
        return f"<Network: {len(self.met)} pairs of hands remembered>"

    def take(self, count: int) -> list[int]:
        """Take so many of the numbers."""
        numbers, self.numbers = self.numbers[: 2 * count], self.numbers[2 * count :]
        return list(struct.unpack(f"<{count}h", numbers))

    def rows(self, count: int, width: int) -> list[Row]:
        """Take so many rows from the numbers."""
        return [pack(self.take(width)) for _ in range(count)]

    def chance(self, ours: Hand, theirs: Hand, lead: int, carry: int) -> float:
        """Return the chance to win of the higher hand."""
        far = max(0, lead + KNOTS // 2 * STEP)
        knot = min(far // STEP, KNOTS - 2)
        low: int
        high: int
        low, high = KNOT_LANES.unpack_from(self.at_knots(ours, theirs, carry // 2), knot * WIDE // 8)
        distance = lead + (KNOTS // 2 - knot) * STEP
        slope = ((low - WIDE_HALF) * STEP + (high - low) * distance) / (STEP << 2 * SHIFT)
        return 0.5 + 0.5 * slope / sqrt(1 + slope * slope)

    def at_knots(self, ours: Hand, theirs: Hand, pot: int) -> bytes:
        """Return what two hands, and half of what waits in the pot, come to at all leads, in wide lanes."""
        values = self.met.get((ours, theirs, pot))
        if values is None:
            if len(self.met) == MOST_MET:
                self.met.clear()
            values = self.met[ours, theirs, pot] = self.sums(ours, theirs, pot)
        return values

    def sums(self, ours: Hand, theirs: Hand, pot: int) -> bytes:
        """Return the same, added up."""
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
        last = self.knot_bias + KNOT_HALVES
        numbers = SECOND_LANES.unpack(spread(second, SECOND))
        for at in range(SECOND):
            if numbers[at] > HALF:
                last += (numbers[at] - HALF >> SHIFT) * self.knots[at]
        return spread(last, KNOTS, WIDE)

    def rows_against(self, theirs: Hand) -> list[Row]:
        """Return a row for each rank that may be held against a hand, and one for the hand itself."""
        rows = self.against.get(theirs)
        if rows is None:
            if len(self.against) == MOST_KEPT:
                self.against.clear()
            their_ranks = [card - LOWEST for card in theirs]
            rows = [
                self.own[rank] + sum([self.pairs[rank][their_rank] for their_rank in their_ranks])
                for rank in range(RANKS)
            ]
            rows.append(self.bias + sum([self.other[their_rank] for their_rank in their_ranks]))
            self.against[theirs] = rows
        return rows


FIRST_LANES: Final = struct.Struct(f"<{FIRST}I")
SECOND_LANES: Final = struct.Struct(f"<{SECOND}I")
KNOT_LANES: Final = struct.Struct("<2Q")  # those beside a lead
FIRST_HALVES: Final = pack([HALF] * FIRST)
SECOND_HALVES: Final = pack([HALF] * SECOND)
KNOT_HALVES: Final = pack([WIDE_HALF] * KNOTS, WIDE)
NETWORKS: Final[dict[int, Network]] = {}  # by how many cards are left; read once they are needed


def networks() -> dict[int, Network]:
    """Return what was learned."""
    if not NETWORKS:
        content = unshrunk(get_data("cardbattle.rules.strategy_war", "worths.bin") or b"")
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
    """Return about what a position is worth of which something `is_known`, from 0 to 1.

    With equal hands a lead is worth what the same lead of the other side is not.
    """
    network = networks()[len(ours)]
    if ours == theirs:
        return 0.5 + (network.chance(ours, ours, lead, carry) - network.chance(ours, ours, -lead, carry)) / 2
    if ours[::-1] < theirs[::-1]:
        return 1 - network.chance(theirs, ours, -lead, carry)
    return network.chance(ours, theirs, lead, carry)
