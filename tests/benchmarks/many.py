"""Measure `resolve_many` in one process and in two: `python -m tests.benchmarks.many [SECONDS]`.

Each rule set fights as many battles as take about SECONDS (default: 10) in one process. The pool is started
before the clock, as in a program that uses it for long.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from time import perf_counter

import cardbattle
from cardbattle.rules import RULE_SETS
from cardbattle.simulation.workers import Serial, processes

FIRST = 40  # battles to estimate how long one takes
PROCESSES = 2


def battles(key: str, count: int) -> Iterator[dict[str, object]]:
    """Yield a battle of the default sides with this many seeds."""
    sides: dict[str, object] = {side: {} for side in cardbattle.find(key).default_sides}
    return ({"rules": key, "seed": seed, "sides": sides} for seed in range(count))


def seconds(key: str, count: int, executor: Executor, workers: int) -> float:
    """Return how long it takes to fight a number of battles."""
    began = perf_counter()
    fought = sum(1 for _ in cardbattle.resolve_many(battles(key, count), executor=executor, jobs=workers))
    assert fought == count
    return perf_counter() - began


def main(aim: float) -> None:
    """Print a table."""
    print("| rule set | battles | one process | two processes | ratio |\n| --- | --- | --- | --- | --- |")
    with processes(PROCESSES) as pool:
        for key in RULE_SETS:
            seconds(key, FIRST, pool, PROCESSES)
            count = max(FIRST, int(aim * FIRST / seconds(key, FIRST, Serial(), 1)))
            alone = seconds(key, count, Serial(), 1)
            together = seconds(key, count, pool, PROCESSES)
            print(
                f"| {key} | {count} | {alone:.1f} s | {together:.1f} s | {alone / together:.2f} |", flush=True
            )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
