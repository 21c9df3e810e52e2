"""How strong the commanders are: `python -m tests.benchmarks.ranks [RULES] [BATTLES]`.

Prints the share of points (draws as halves, every deal from every seat) that each rank takes
from the one below, with the 95 % interval, and how long a battle takes.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from math import sqrt
from time import perf_counter

from cardbattle.commanders import RANKS
from cardbattle.rules import RULE_SETS, find
from tests.matches import share


def row(rules: str, rank: str, against: str, battles: int, sides: int) -> str:
    """Return one line of the table."""
    began = perf_counter()
    part = float(share(rules, rank, against, battles, sides))
    spent = (perf_counter() - began) / battles
    half = 1.96 * sqrt(part * (1 - part) / battles)
    who = f"{rank} against {sides - 1} {against}"
    return f"{rules:16} {who:28} {part:6.1%} +- {half:.1%}   {spent * 1000:7.2f} ms a battle"


def main() -> None:
    """Print the table."""
    wanted = [sys.argv[1]] if len(sys.argv) > 1 else list(RULE_SETS)
    battles = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    ranks = list(RANKS)
    for rules in wanted:
        for below, rank in pairwise(ranks):
            for sides in sorted({max(2, find(rules).fewest), min(5, find(rules).most)}):
                print(row(rules, rank, below, battles, sides), flush=True)


if __name__ == "__main__":
    main()
