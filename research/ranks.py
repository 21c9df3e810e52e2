"""Measure how long each rank thinks: `python -m research.ranks [RULES|all] [SECONDS]`.

For duels between two commanders of a rank, the script prints the battles per second of processor time, and
the seconds of the mean and the slowest answer. Each row takes about SECONDS.
"""

from __future__ import annotations

import sys
from time import process_time

from cardbattle import build_form
from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.resolve import deal, make_commanders, streams_of
from cardbattle.commanders import RANKS
from cardbattle.core.chance import Drawn
from cardbattle.core.referee import Commander, Referee, Seat
from cardbattle.rules import RULE_SETS

SECONDS = 10.0


class Timed(Commander):
    """A commander that measures the time of another one's answers."""

    def __init__(self, commander: Commander, spent: list[float]) -> None:
        self.commander = commander
        self.spent = spent

    def answer(self, seat: Seat) -> int:
        """Return the other commander's answer and record its time."""
        began = process_time()
        answer = self.commander.answer(seat)
        self.spent.append(process_time() - began)
        return answer


def row(rules: str, rank: str, seconds: float) -> str:
    """Return one line of the table."""
    plan = read_battle(bare_battle(rules, [f"s0={rank}", f"s1={rank}"]))
    spent: list[float] = []
    battles = 0
    began = process_time()
    while process_time() - began < seconds:
        seeded = plan._replace(seed=battles)
        streams = streams_of(seeded)
        referee = Referee(plan.rules, deal(seeded, streams), Drawn(streams.battle), listen=False)
        referee.fight([Timed(commander, spent) for commander in make_commanders(seeded, streams)])
        battles += 1
    each = (process_time() - began) / battles
    mean, most = sum(spent) / len(spent), max(spent)
    return f"{rules:16} {rank:8} {battles:6} {1 / each:12.2f} {each:10.4f} {mean:10.5f} {most:10.4f}"


def main(rules: list[str], seconds: float) -> None:
    """Print the table."""
    print(build_form())
    print("rules            rank    battles battles a second   a battle  an answer the slowest")
    for key in rules:
        for rank in RANKS:
            print(row(key, rank, seconds), flush=True)


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    main(
        list(RULE_SETS) if wanted == "all" else [wanted],
        float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS,
    )
