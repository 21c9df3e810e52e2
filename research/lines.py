"""Measure lines of Field of Honour: `python -m research.lines DEALS TRIES ITERATIONS...`.

For each number of iterations, the script prints the value of a line that a search with this number finds:
the share of the points against seasoned commanders, if both sides play specials as seasoned commanders do.
All lines of a deal are tried in the same TRIES battles, which differ from those of the search. The
difference between two numbers therefore shows much sooner than in battles between commanders. The first
row has the lines of seasoned commanders.
"""

from __future__ import annotations

import sys
from math import sqrt
from time import process_time

from cardbattle.battles.records.battle_file import BattlePlan, bare_battle, read_battle
from cardbattle.battles.resolve import deal, streams_of
from cardbattle.commanders.search import Candidate, Search
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.referee import Referee, Seat
from research.tournament import PEEKING

FIRST = 11_000_000  # the seed of the first deal; nothing was tuned on these deals
USUAL = 6  # number of seasoned commander's lines whose mean is the first row


class Found:
    """The values of the lines that one kind of search found, one for each deal."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.worths: list[float] = []
        self.seconds = 0.0

    def row(self, usual: Found) -> str:
        """Return a line of the table."""
        deals = len(self.worths)
        gains = [worth - other for worth, other in zip(self.worths, usual.worths, strict=True)]
        gain = sum(gains) / deals
        half = PEEKING * sqrt(sum((each - gain) ** 2 for each in gains)) / deals
        share = sum(self.worths) / deals
        return (
            f"{self.name:10} {share:6.2%} {gain:+7.2%} +- {half:5.2%} {deals:6} {self.seconds / deals:8.3f}"
        )


def seat_at_first(plan: BattlePlan) -> Seat:
    """Return the seat of the side that decides first in a new battle."""
    streams = streams_of(plan)
    return Referee(plan.rules, deal(plan, streams), Drawn(streams.battle), listen=False).seat


def worths_of(seat: Seat, search: Search, lines: list[list[int]], tries: int) -> list[float]:
    """Return the share of points, 0 to 1, that each line takes in the same battles."""
    racing = [Candidate(line) for line in lines]
    search.run_round(seat, racing, tries * len(racing))
    return [sum(candidate.payoffs) / len(candidate.payoffs) / 1000 for candidate in racing]


def main(deals: int, tries: int, numbers: list[int]) -> None:
    """Print the values of the lines."""
    plan = read_battle(bare_battle("field-of-honour", ["s0", "s1"]))
    usual, found = Found("seasoned"), [Found(str(number)) for number in numbers]
    for seed in range(FIRST, FIRST + deals):
        seat = seat_at_first(plan._replace(seed=seed))
        judge = Search(plan.rules, plan.rules.seasoned, stream(seed, "judge"))
        lines = [judge.line(seat.redeal(judge.chance), False) for _ in range(USUAL)]
        for way, number in zip(found, numbers, strict=True):
            began = process_time()
            search = Search(plan.rules, plan.rules.seasoned, stream(seed, "side"))
            lines.append(search.secret_choices(seat, number))
            way.seconds += process_time() - began
        worths = worths_of(seat, judge, lines, tries)
        usual.worths.append(sum(worths[:USUAL]) / USUAL)
        for way, worth in zip(found, worths[USUAL:], strict=True):
            way.worths.append(worth)
    print("iterations  share    gain  +-            deals  seconds each")
    for way in [usual, *found]:
        print(way.row(usual))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), [int(number) for number in sys.argv[3:]])
