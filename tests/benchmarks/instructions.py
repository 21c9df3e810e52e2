"""Count the instructions of random games: `python -m tests.benchmarks.instructions [PYTHON [FIRST]]`.

PYTHON (default: this one) and FIRST are interpreters of environments that have a compiled wheel of
cardbattle; FIRST has an earlier version. Both play the same games of two sides. A busy machine does not
change the number of instructions, which `valgrind --tool=callgrind` counts in the compiled function
`play_out_randomly`; what sets up a battle does not count. If a game of Warmonger or of Warfare Tactics takes
more than half of the instructions of FIRST, the exit code is 1.
"""

from __future__ import annotations

import re
import sys

from cardbattle.core.battle import play_out_randomly
from cardbattle.core.chance import stream
from cardbattle.rules import RULE_SETS
from tests.benchmarks.games import begun
from tests.benchmarks.speed import head, row, run_module

GAMES = 160
FUNCTION = "CPyDef_core___battle___play_out_randomly"
TARGETS = {"warmonger": 2.0, "warfare-tactics": 2.0}  # least ratio of the instructions of FIRST


def play(rules: str) -> None:
    """Play the games of a rule set."""
    battles = [begun(rules, number) for number in range(GAMES)]
    for number, battle in enumerate(battles):
        play_out_randomly(battle, stream(number, "games"))


def instructions(python: str, rules: str) -> float:
    """Return the mean number of instructions of a game.

    Raises RuntimeError if the environment does not have a compiled wheel.
    """
    tool = ["valgrind", "--tool=callgrind", f"--toggle-collect={FUNCTION}", "--callgrind-out-file=/dev/null"]
    output = run_module(python, "instructions", "--play", rules, tool=tool)
    collected = re.search(r"Collected : (\d+)", output)
    if collected is None or not int(collected[1]):
        raise RuntimeError(f"{python}: expected an environment with a compiled wheel")
    return int(collected[1]) / GAMES


def main(pythons: list[str]) -> int:
    """Print the table; return the exit code."""
    heads = ["instructions", "of FIRST", "ratio"][: 2 * len(pythons) - 1]
    head("rule set", *heads)
    is_missed = False
    for rules in RULE_SETS:
        counts = [instructions(python, rules) for python in pythons]
        ratios = [counts[1] / counts[0]] if len(counts) > 1 else []
        is_missed |= any(ratio < TARGETS.get(rules, 0) for ratio in ratios)
        row(rules, *(f"{count:,.0f}" for count in counts), *(f"{ratio:.2f}" for ratio in ratios))
    return int(is_missed)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--play"]:
        play(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:] or [sys.executable]))
