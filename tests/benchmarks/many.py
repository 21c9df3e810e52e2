"""Measure `resolve_many` in one process and in two: `python -m tests.benchmarks.many [SECONDS]`.

Each rule set fights as many battles as take about SECONDS (default: 10) in one process. The pool is started
before the clock, as in a program that uses it for long. On a busy machine only the last column means
something: the ratio of processor times, which two free processors would reach. It needs Linux.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

import cardbattle
from cardbattle.rules import RULE_SETS
from cardbattle.simulation.workers import Pool, Serial

FIRST = 40  # battles to estimate how long one takes
PROCESSES = 2
COLUMNS = ("rule set", "battles", "one process", "two processes", "ratio", "by processor time")


class Times(NamedTuple):
    """Seconds: by the clock, of this process, and of the workers."""

    clock: float
    parent: float
    workers: float


def battles(key: str, count: int) -> Iterator[dict[str, object]]:
    """Yield a battle of the default sides with this many seeds."""
    sides: dict[str, object] = {side: {} for side in cardbattle.find(key).default_sides}
    return ({"rules": key, "seed": seed, "sides": sides} for seed in range(count))


def worker_seconds(pool: Pool) -> float:
    """Return the processor time of the workers so far."""
    ticks = os.sysconf("SC_CLK_TCK")
    stats = [
        Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in pool._processes
    ]
    return sum((int(stat[11]) + int(stat[12])) / ticks for stat in stats)


def times(key: str, count: int, pool: Pool | None) -> Times:
    """Return how long it takes to fight a number of battles in this process, or in those of a pool."""
    clock, parent, workers = perf_counter(), process_time(), worker_seconds(pool) if pool else 0.0
    executor, jobs = (pool, PROCESSES) if pool else (Serial(), 1)
    fought = sum(1 for _ in cardbattle.resolve_many(battles(key, count), executor=executor, jobs=jobs))
    assert fought == count
    later = worker_seconds(pool) if pool else 0.0
    return Times(perf_counter() - clock, process_time() - parent, later - workers)


def main(aim: float) -> None:
    """Print a table."""
    print(f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}")
    pool = Pool(PROCESSES)
    try:
        for key in RULE_SETS:
            times(key, FIRST, pool)
            count = max(FIRST, int(aim * FIRST / times(key, FIRST, None).parent))
            one, two = times(key, count, None), times(key, count, pool)
            by_processor = PROCESSES * one.parent / (two.parent + two.workers)
            ratios = f"{one.clock / two.clock:.2f} | {by_processor:.2f}"
            print(f"| {key} | {count} | {one.clock:.1f} s | {two.clock:.1f} s | {ratios} |", flush=True)
    finally:
        pool.stop()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
