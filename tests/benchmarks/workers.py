"""Measure what workers cost: `python -m tests.benchmarks.workers [SCHEDULER]`.

For this process, a pool and, if the extra is there, a dask cluster on this machine (or the one
named): how long it takes to open, what a job costs that does nothing, and how big it is when sent.
"""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import Executor
from contextlib import ExitStack
from json import dumps
from time import perf_counter

from cardbattle.battles.records.battle_file import bare_battle
from cardbattle.simulation.counting import Count
from cardbattle.simulation.sample import Counted, OddsJob
from cardbattle.simulation.workers import Serial, cluster, in_order, processes

JOBS = 400


def nothing(job: OddsJob) -> Counted:
    """Do no work, and send back what a real job would."""
    return Counted(Count(2), 0.0)


def opened(kind: str, scheduler: str, stack: ExitStack) -> tuple[Executor, int]:
    """Open an executor of this kind; say how many workers it has."""
    if kind == "this process":
        return Serial(), 1
    if kind == "processes":
        return stack.enter_context(processes(2)), 2
    if not scheduler:
        from distributed import LocalCluster

        local = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        scheduler = stack.enter_context(local).scheduler_address
    return stack.enter_context(cluster(scheduler))


def main(scheduler: str) -> None:
    """Print a table."""
    battle = bare_battle("field-of-honour", []) | {"seed": 1}
    job = OddsJob(dumps(battle), "", "odds", 0, 1000)
    print(f"a job is {len(pickle.dumps(job))} bytes, its answer {len(pickle.dumps(nothing(job)))} and a few")
    print("| workers | opened in | first answer | a job |\n| --- | --- | --- | --- |")
    for kind in ("this process", "processes", "dask"):
        with ExitStack() as stack:
            began = perf_counter()
            executor, workers = opened(kind, scheduler, stack)
            ready = perf_counter()
            list(in_order(executor, nothing, [job] * workers, workers))
            first = perf_counter()
            list(in_order(executor, nothing, [job] * JOBS, workers))
            each = (perf_counter() - first) / JOBS
        print(
            f"| {kind} | {ready - began:.2f} s | {first - ready:.2f} s | {each * 1e6:,.0f} us |", flush=True
        )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
