"""Measure ranks against each other: `python -m research.tournament [RULES|all] [SECONDS] [RANK...]`.

For each two ranks, the script prints the share of the points that the higher one takes in duels, its 95 %
interval, the difference in Elo, and the seconds per battle. A draw is half a point, and every deal is fought
from both seats. A pairing ends when its interval is narrow enough and excludes the reference share (AIMS; one
half for ranks that are not neighbours), or after SECONDS of processor time.
"""

from __future__ import annotations

import sys
from itertools import combinations
from math import inf, log10, sqrt
from time import process_time

from cardbattle.battles.records.battle_file import BattlePlan, bare_battle, read_battle
from cardbattle.commanders import RANKS
from cardbattle.rules import RULE_SETS
from tests.support.matches import points, winners_of

SECONDS = 60.0
FIRST = 1_000_000  # the seed of the first deal; nothing was tuned on these deals
AIMS = {("regular", "green"): 0.75, ("veteran", "regular"): 0.58, ("elite", "veteran"): 0.53}
OTHER_AIMS = {("strategy-war", "regular", "green"): 0.57}
NARROW = 0.06  # half the width of an interval that is narrow enough
LOOK = 20  # deals between two checks of the interval
PEEKING = 2.6  # standard errors of the interval; more than 1.96, because it is checked often


class Pairing:
    """The points that one rank took from another so far, by deals, each fought from both seats."""

    def __init__(self) -> None:
        self.deals = 0
        self.total = 0.0
        self.squares = 0.0
        self.seconds = 0.0

    def add(self, share: float) -> None:
        """Add the share of one deal."""
        self.deals += 1
        self.total += share
        self.squares += share * share

    @property
    def share(self) -> float:
        """The share of points."""
        return self.total / self.deals

    @property
    def half(self) -> float:
        """Half the width of the interval; more than 0 even if one side won every battle."""
        spread = max(self.squares / self.deals - self.share**2, 0.25 / self.deals)
        return PEEKING * sqrt(spread / self.deals)

    def is_settled(self, aim: float) -> bool:
        """Return whether the interval is narrow and excludes the reference share."""
        return self.half < NARROW and abs(self.share - aim) > self.half

    def row(self, rules: str, rank: str, against: str) -> str:
        """Return a line of the table."""
        low, high = max(0.0, self.share - self.half), min(1.0, self.share + self.half)
        cost = self.seconds / (2 * self.deals)
        who = f"{rules:16} {rank:8} {against:8}"
        return (
            f"{who} {self.share:6.1%} {low:6.1%} to {high:6.1%} {elo(self.share):>+6.0f} "
            f"{2 * self.deals:7} {cost:8.3f}"
        )


def elo(share: float) -> float:
    """Return the difference in Elo for this share of the points.

    >>> round(elo(0.64))
    100
    """
    if share in (0.0, 1.0):
        return inf if share else -inf
    return 400 * log10(share / (1 - share))


def pairing(plan: BattlePlan, rank: str, against: str, seconds: float) -> Pairing:
    """Return the points that a rank takes from another."""
    found = Pairing()
    aim = aim_of(plan.rules.key, rank, against)
    began = process_time()
    while not (found.deals and found.deals % LOOK == 0 and found.is_settled(aim)):
        found.add(taken_of(plan, FIRST + found.deals, rank, against))
        found.seconds = process_time() - began
        if found.seconds > seconds:
            break
    return found


def taken_of(plan: BattlePlan, seed: int, rank: str, against: str) -> float:
    """Return the share of a deal's points, 0 to 1, that a rank takes from another, fought from both seats."""
    taken = 0.0
    for seat in (0, 1):
        ranks = [rank, against] if seat == 0 else [against, rank]
        taken += float(points(winners_of(plan, seed, ranks), seat, 2)) / 2
    return taken


def aim_of(rules: str, rank: str, against: str) -> float:
    """Return the reference share of a pairing."""
    return OTHER_AIMS.get((rules, rank, against), AIMS.get((rank, against), 0.5))


def main(rules: list[str], seconds: float, ranks: list[str]) -> None:
    """Print the cross table of each rule set."""
    print("rules            rank     against   share  interval           Elo battles seconds each")
    for key in rules:
        plan = read_battle(bare_battle(key, ["s0", "s1"]))
        for against, rank in combinations(ranks, 2):
            print(pairing(plan, rank, against, seconds).row(key, rank, against), flush=True)


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    main(
        list(RULE_SETS) if wanted == "all" else [wanted],
        float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS,
        sys.argv[3:] or list(RANKS),
    )
