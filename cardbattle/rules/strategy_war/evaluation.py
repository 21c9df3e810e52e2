"""Value unfinished duels of Strategy WAR with small neural networks, trained on exact solutions.

There is one network for each number of cards left. It takes two hands of distinct ranks and returns the
chance to win at some fixed leads; other leads are interpolated. The weights are in `worths.bin`. All steps
but the last use integer arithmetic, so that every machine computes the same. Vectors are packed into
integers, with wider lanes in the last layer.
"""

from __future__ import annotations

import struct
from math import sqrt
from pkgutil import get_data
from typing import Final

from cardbattle.core.numeric.lanes import HALF, Row, pack, spread, unshrunk

RANKS: Final = 13
LOWEST: Final = 2  # rank
FIRST: Final = 192  # units of the first hidden layer
SECOND: Final = 96  # units of the second hidden layer
KNOTS: Final = 49  # leads with an output
STEP: Final = 4  # points of lead between two knots
SHIFT: Final = 10  # fixed point: 1 is stored as 1 << SHIFT
WIDE: Final = 64  # bits per lane in the last layer
WIDE_HALF: Final = 1 << WIDE - 1
SUM: Final = 208  # points of a duel with all ranks
MOST_KEPT: Final = 128  # cached hands: each is combined with many of the other side
MOST_MET: Final = 8192  # cached pairs of hands, enough for one answer: each occurs with many leads

Hand = tuple[int, ...]  # ascending


class Network:
    """The network for one number of cards left.

    Its inputs are the ranks of our hand, the ranks of their hand, each pair of these, half of the waiting
    pot, and whether there is one.
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
        """Remove and return the first `count` numbers."""
        numbers, self.numbers = self.numbers[: 2 * count], self.numbers[2 * count :]
        return list(struct.unpack(f"<{count}h", numbers))

    def rows(self, count: int, width: int) -> list[Row]:
        """Remove the next `count` rows from the numbers and pack them."""
        return [pack(self.take(width)) for _ in range(count)]

    def chance(self, ours: Hand, theirs: Hand, lead: int, carry: int) -> float:
        """Return our chance to win; our hand must be the higher one."""
        far = max(0, lead + KNOTS // 2 * STEP)
        knot = min(far // STEP, KNOTS - 2)
        low: int
        high: int
        low, high = KNOT_LANES.unpack_from(self.at_knots(ours, theirs, carry // 2), knot * WIDE // 8)
        distance = lead + (KNOTS // 2 - knot) * STEP
        slope = ((low - WIDE_HALF) * STEP + (high - low) * distance) / (STEP << 2 * SHIFT)
        return 0.5 + 0.5 * slope / sqrt(1 + slope * slope)

    def at_knots(self, ours: Hand, theirs: Hand, pot: int) -> bytes:
        """Return the outputs for two hands and half of the pot at all knots, in wide lanes."""
        values = self.met.get((ours, theirs, pot))
        if values is None:
            if len(self.met) == MOST_MET:
                self.met.clear()
            values = self.met[ours, theirs, pot] = self.sums(ours, theirs, pot)
        return values

    def sums(self, ours: Hand, theirs: Hand, pot: int) -> bytes:
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
        """Return the sum for each rank that can be held against a hand, and one for the hand itself."""
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
KNOT_LANES: Final = struct.Struct("<2Q")  # the knots on both sides of a lead
FIRST_HALVES: Final = pack([HALF] * FIRST)
SECOND_HALVES: Final = pack([HALF] * SECOND)
KNOT_HALVES: Final = pack([WIDE_HALF] * KNOTS, WIDE)
NETWORKS: Final[dict[int, Network]] = {}  # by number of cards left; read on first use


def networks() -> dict[int, Network]:
    """Return the networks by number of cards left."""
    if not NETWORKS:
        content = unshrunk(get_data("cardbattle.rules.strategy_war", "worths.bin") or b"")
        size = 1 + 2 * (FIRST * (RANKS * (RANKS + 2) + 3 + SECOND) + SECOND + KNOTS * (SECOND + 1))
        for at in range(0, len(content), size):
            NETWORKS[content[at]] = Network(content[at + 1 : at + size])
    return NETWORKS


def are_of_a_suit(ours: Hand, theirs: Hand) -> bool:
    """Return True if both hands have distinct ranks, equally many."""
    for hand in (ours, theirs):
        if hand[0] < LOWEST or hand[-1] >= LOWEST + RANKS or len(set(hand)) < len(hand):
            return False
    return len(ours) == len(theirs)


def is_known(ours: Hand, theirs: Hand, lead: int, carry: int) -> bool:
    """Return True if a network covers this position.

    The hands must have distinct ranks, and the lead must be possible in a duel with all ranks.
    """
    if len(ours) not in networks() or not are_of_a_suit(ours, theirs):
        return False
    return abs(lead) <= SUM - carry - sum(ours) - sum(theirs)


def appraise(ours: Hand, theirs: Hand, lead: int, carry: int) -> float:
    """Return the value of a position that `is_known`, from 0 to 1.

    With equal hands, the values of a lead and of the opposite lead add up to 1.
    """
    network = networks()[len(ours)]
    if ours == theirs:
        return 0.5 + (network.chance(ours, ours, lead, carry) - network.chance(ours, ours, -lead, carry)) / 2
    if ours[::-1] < theirs[::-1]:
        return 1 - network.chance(theirs, ours, -lead, carry)
    return network.chance(ours, theirs, lead, carry)
