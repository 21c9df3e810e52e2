"""Check the budgets of time: `python -m tests.benchmarks.budgets [PYTHON [FIRST]]`.

PYTHON (default: this one) is the interpreter of an environment that has a compiled wheel of this version.
FIRST is one that has the version of commit d6569319, which was measured when the budgets were set. Each
budget is a benchmark with a limit of its own; budgets that need FIRST are left out without it. The exit code
is 1 if a limit is missed.
"""

from __future__ import annotations

import sys
from subprocess import CalledProcessError
from typing import NamedTuple

from tests.benchmarks import goofspiel, instructions
from tests.benchmarks.speed import head, row, run_module


class Budget(NamedTuple):
    """A benchmark, and the limit that it checks."""

    benchmark: str
    limit: str
    needs_first: bool = False


BUDGETS = [
    Budget("answers", "every answer of every rank in at most 50 ms"),
    Budget("elites", "ten battles of elites in at most 20 s on two cores"),
    Budget(
        "instructions", "random games of Warmonger and Warfare Tactics in half of FIRST's instructions", True
    ),
    Budget("goofspiel", "Strategy WAR beside open_spiel at least as fast as FIRST", True),
]


def check(budget: Budget, pythons: list[str]) -> bool:
    """Run a benchmark, print its output, and return True if the limit holds."""
    if budget.needs_first:
        return not {"instructions": instructions, "goofspiel": goofspiel}[budget.benchmark].main(pythons)
    try:
        print(run_module(pythons[0], budget.benchmark))
    except CalledProcessError as missed:
        print(missed.stdout, missed.stderr)
        return False
    return True


def main(pythons: list[str]) -> int:
    """Run each benchmark, then print which limits hold; return the exit code."""
    chosen = [budget for budget in BUDGETS if len(pythons) > 1 or not budget.needs_first]
    results = [(budget, check(budget, pythons)) for budget in chosen]
    head("benchmark", "limit", "holds")
    for budget, holds in results:
        row(f"`tests.benchmarks.{budget.benchmark}`", budget.limit, "yes" if holds else "no")
    return int(not all(holds for _, holds in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or [sys.executable]))
