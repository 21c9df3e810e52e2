"""Measure how long commanders think: `python -m tests.benchmarks.answers [ANSWERS]`.

Each rank answers about ANSWERS questions (default: 30) of a battle of two sides, and of one of up to five.
Regular commanders answer the others, so that the questions come from the whole battle. The script prints the
mean and the longest answer in milliseconds of processor time. If the rules are compiled and an answer takes
longer than 50 milliseconds, the exit code is 1.
"""

from __future__ import annotations

import sys
from time import process_time

from cardbattle import build_form
from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.resolve import fought, streams_of
from cardbattle.commanders import RANKS, make_commander
from cardbattle.core.chance import stream
from cardbattle.core.referee import Commander, Seat
from cardbattle.rules import RULE_SETS, find

ANSWERS = 30
LONGEST = 50.0  # milliseconds for an answer, compiled
KEYS = ["a", "b", "c", "d", "e"]


class Timed(Commander):
    """Lets a commander answer every n-th question, and keeps the milliseconds of each of its answers."""

    def __init__(self, thinker: Commander, other: Commander, every: int) -> None:
        self.thinker, self.other, self.every = thinker, other, every
        self.questions = 0
        self.times: list[float] = []

    def answer(self, seat: Seat) -> int:
        """Return the answer of the thinker, or the answer of the other commander."""
        self.questions += seat.count > 1
        if seat.count == 1 or self.questions % self.every:
            return self.other.answer(seat)
        began = process_time()
        answer = self.thinker.answer(seat)
        self.times.append(1000 * (process_time() - began))
        return answer


def times(rules: str, rank: str, sides: int, every: int) -> tuple[int, list[float]]:
    """Return the number of real choices in a battle, and the milliseconds of every n-th answer of a rank."""
    plan = read_battle(bare_battle(rules, KEYS[:sides]) | {"seed": rules})
    made = [make_commander(name, plan.rules, stream(rules, rank)) for name in (rank, "regular")]
    timed = Timed(made[0], made[1], every)
    fought(plan, streams_of(plan), listen=False, own=dict.fromkeys(range(sides), timed))
    return timed.questions, timed.times


def main(answers: int) -> int:
    """Print a line for each rule set, number of sides and rank; return the exit code."""
    print(build_form())
    heads = f"{'rules':18}{'sides':>6}  {'rank':10}{'answers':>8}{'mean ms':>9}{'longest':>9}"
    print(heads)
    is_slow = False
    for key in RULE_SETS:
        for sides in sorted({2, min(find(key).most, len(KEYS))}):
            usual, _ = times(key, "regular", sides, 1)
            for rank in RANKS:
                _, found = times(key, rank, sides, max(1, usual // answers))
                mean, longest = sum(found) / len(found), max(found)
                is_slow |= longest > LONGEST
                figures = f"{len(found):8}{mean:9.2f}{longest:9.2f}"
                print(f"{key:18}{sides:6}  {rank:10}{figures}", flush=True)
    return int(is_slow and build_form() == "compiled")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ANSWERS))
