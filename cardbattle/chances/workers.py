"""Who does the counting: this process, other processes, or any `concurrent.futures.Executor`.

Work is sent as plain tables, seeds and counts, never as states of battles. A worker process
ignores Ctrl-C (the parent decides) and ends with its parent, however that ends.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from time import sleep
from typing import TypeVar

from cardbattle.core.errors import SystemRefused, UsageError

Job = TypeVar("Job")
Result = TypeVar("Result")
ORPHAN_POLL = 0.5  # seconds between two looks at whether the parent still lives
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


class Serial(Executor):
    """An executor that does the work at once, in this process."""

    def submit(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Do the work now; the future is done."""
        future: Future[Result] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """Open a pool of this many processes; they end with it, and with this process."""
    context = get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=settle_in, initargs=(os.getpid(),))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()
        raise
    pool.shutdown()


def settle_in(parent: int) -> None:
    """Prepare a worker process: leave Ctrl-C to the parent, end when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=watch, args=(parent,), daemon=True).start()


def watch(parent: int) -> None:
    """End this process once its parent is another."""
    while os.getppid() == parent:
        sleep(ORPHAN_POLL)
    os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Open an executor on a dask cluster's scheduler, as tcp://host:8786."""
    try:
        from distributed import Client
    except ImportError:
        raise UsageError('--scheduler needs the extra: python -m pip install "cardbattle[dask]"') from None
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise SystemRefused(f"the scheduler {address} does not answer: {error}") from None
    with client:
        yield client.get_executor(pure=False)


def in_order(
    executor: Executor, work: Callable[[Job], Result], jobs: Iterable[Job], ahead: int
) -> Iterator[Result]:
    """Yield the results of the jobs in their order, with at most `ahead` of them under way."""
    waiting = iter(jobs)
    under_way = [executor.submit(work, job) for job in islice(waiting, ahead)]
    while under_way:
        done = under_way.pop(0)
        result = done.result()
        under_way += [executor.submit(work, job) for job in islice(waiting, 1)]
        yield result
