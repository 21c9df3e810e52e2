"""Measure the value of strength: `python -m research.strength [RULES|all] [BATTLES] [SEED]`.

For each rule set and ratio of strengths, the script prints the share of the points that the stronger side
takes with the rule set's own advantage, between regular commanders; a draw is half a point. The stronger
side has the first seat in half of the battles and the last in the others. Each row has the mean share, its
95 % interval, and the share from each seat. Rule sets for more than two sides also have rows with one
strong side against two weak ones, and rows for each side of battles of three unequal sides. Nothing was tuned
on the battles of the default seed.
"""

from __future__ import annotations

import sys
from concurrent.futures import Executor

from cardbattle.rules import RULE_SETS, find
from cardbattle.simulation.strength_shares import measure_ratio
from cardbattle.simulation.workers import workforce

BATTLES = 10_000  # for each ratio
SEED = 2_000_000
RATIOS = [(1, 1), (5, 4), (3, 2), (2, 1), (3, 1), (4, 1)]
UNEQUAL = [(10, 10, 5), (15, 10, 5), (21, 5, 5), (21, 13, 5)]


def row(rules: str, strengths: tuple[int, ...], battles: int, seed: int, hands: tuple[Executor, int]) -> str:
    """Return a line of the table: the share of the first of these strengths, from either seat."""
    one = measure_ratio(find(rules), strengths, battles, seed, hands)
    interval = f"{one.low:6.1%} to {one.high:6.1%}"
    return f"{rules:16} {one.ratio:6} {one.share:6.1%} {interval} {one.seats[0]:6.1%} {one.seats[1]:6.1%}"


def main(rules: list[str], battles: int, seed: int) -> None:
    """Print the table."""
    print("rules            ratio   share  interval          first   last seat")
    with workforce() as hands:
        for key in rules:
            for strong, weak in RATIOS:
                print(row(key, (strong, weak), battles, seed, hands), flush=True)
            for strong, weak in RATIOS if find(key).most > 2 else []:
                print(row(key, (strong, weak, weak), battles, seed, hands), flush=True)
            for strengths in UNEQUAL if find(key).most > 2 else []:
                for first in range(len(strengths)):
                    rotated = (*strengths[first:], *strengths[:first])
                    print(row(key, rotated, battles, seed, hands), flush=True)


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    main(
        list(RULE_SETS) if wanted == "all" else [wanted],
        int(sys.argv[2]) if len(sys.argv) > 2 else BATTLES,
        int(sys.argv[3]) if len(sys.argv) > 3 else SEED,
    )
