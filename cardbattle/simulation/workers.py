"""Distribute work to this process, to other processes, or to any `concurrent.futures.Executor`.

Jobs are plain tables, seeds and counts, never states of battles. A worker process ignores Ctrl-C, which the
parent handles, and ends with its parent.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import islice
from multiprocessing import get_context
from time import monotonic, perf_counter, sleep
from typing import Any, Generic, NamedTuple, TypeVar

from cardbattle.core.errors import CardbattleError, UsageError
from cardbattle.core.names import clean, quoted
from cardbattle.files.errors import SystemFailure
from cardbattle.files.signals import signals_deferred

Job = TypeVar("Job")
Argument = TypeVar("Argument")
Result = TypeVar("Result")
ORPHAN_POLL = 0.5  # seconds between checks that the parent still runs
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux
WORTH_A_POOL = 0.2  # seconds of work after which processes are started if the total is unknown
WORTH_THE_START = 0.3  # seconds of remaining work that justify more processes
TASTE = 0.01  # seconds of work after which the remaining time can be estimated
FIRST_JOBS = 2  # jobs sent to each new process in advance
AHEAD = 4  # running or waiting jobs for each worker
ANSWER = "10s"  # seconds to wait for a scheduler's answer
JOB_SECONDS = 0.1  # target duration of a job of many calls
GROWTH = 4  # maximum ratio of the sizes of successive jobs
MOST_IN_JOB = 1000  # results of a job, which are held in memory together


class Serial(Executor):
    """An executor that runs each job at once in this process."""

    def submit(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Run the job now; the future is done."""
        future: Future[Result] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Pool(ProcessPoolExecutor):
    """A pool of processes that are spawned, not forked."""

    def __init__(self, jobs: int) -> None:
        context = get_context("spawn")
        super().__init__(jobs, mp_context=context, initializer=settle_in, initargs=(os.getpid(),))
        if os.name == "posix":
            from multiprocessing import resource_tracker  # slow to import

            resource_tracker.ensure_running()  # started later, it would unblock Ctrl-C

    def submit(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Send the job to a process, and start one if necessary."""
        with signals_deferred():
            return super().submit(fn, *args, **kwargs)

    def stop(self) -> None:
        """Terminate the processes at once."""
        for item in list((getattr(self, "_pending_work_items", None) or {}).values()):
            if item.future.cancelled():
                item.future = Future()  # a cancelled one cannot take the error that the pool will set
        for process in list((getattr(self, "_processes", None) or {}).values()):
            process.kill()
        self.shutdown()  # waiting callers get an error


class LazyPool(Executor):
    """Runs jobs in this process until enough work remains to justify starting others.

    While the other processes start, short jobs continue to run here.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.spent = 0.0
        self.last = 0.0  # duration of the last job in this process
        self.to_come: float | None = None
        self.pool: Executor | None = None
        self.opened = ExitStack()
        self.first: list[Future[Any]] = []  # the first jobs sent to the new processes

    def hear(self, seconds: float) -> None:
        """Set the estimated seconds of the remaining work in one process."""
        self.to_come = seconds

    def submit(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Run the job now, or send it to a process."""
        if self.pool is None and self.pays():
            self.pool = self.opened.enter_context(processes(self.jobs))
        if self.pool is None or (self.is_opening() and self.last < WORTH_A_POOL):
            return self.run_here(fn, *args, **kwargs)
        future = self.pool.submit(fn, *args, **kwargs)
        if len(self.first) < FIRST_JOBS * self.jobs:
            self.first.append(future)
        return future

    def pays(self) -> bool:
        """Return True if enough work remains to justify more processes."""
        if self.to_come is None:
            return self.spent >= WORTH_A_POOL
        return self.spent >= TASTE and self.to_come >= WORTH_THE_START

    def is_opening(self) -> bool:
        """Return True while the processes start: each has jobs, and none has finished any."""
        return len(self.first) == FIRST_JOBS * self.jobs and not any(future.done() for future in self.first)

    def run_here(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Run the job in this process."""
        began = monotonic()
        future = Serial().submit(fn, *args, **kwargs)
        self.last = monotonic() - began
        self.spent += self.last
        return future


def processors() -> int:
    """Return the number of CPUs that this process can use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def workforce(jobs: int | None = None, scheduler: str = "") -> Iterator[tuple[Executor, int]]:
    """Open an executor and return it with its number of workers.

    With a scheduler, the executor is a Dask cluster; `cluster` lists the errors. Otherwise it is a pool of
    `jobs` processes (default: one per CPU), which starts only if enough work remains. Raises UsageError for
    a negative number of jobs.
    """
    if jobs is not None and jobs < 0:
        raise UsageError(f"jobs: expected a whole number of at least 1, got {jobs}")
    count = jobs or processors()
    if scheduler:
        with cluster(scheduler) as hands:
            yield hands
    elif count == 1:
        yield Serial(), 1
    else:
        hands_when_needed = LazyPool(count)
        with hands_when_needed.opened:
            yield hands_when_needed, count


@contextmanager
def workforce_or(executor: Executor | None, jobs: int | None) -> Iterator[tuple[Executor, int]]:
    """Open the executor that a caller gave, or otherwise one with `jobs` processes, as `workforce`.

    The caller's executor stays open. Its number of workers is `jobs` if that is above 1, or otherwise read
    from the executor. Raises UsageError if it is not an executor.
    """
    if executor is None:
        with workforce(jobs) as hands:
            yield hands
    elif not isinstance(executor, Executor):
        raise UsageError(f"executor: expected a concurrent.futures.Executor, got {quoted(executor)}")
    elif jobs is not None and jobs > 1:
        yield executor, jobs
    else:
        yield executor, getattr(executor, "_max_workers", 0) or processors()


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """Open a pool of processes; leaving the block stops them."""
    pool = Pool(jobs)
    try:
        yield pool
    finally:
        pool.stop()


def settle_in(parent: int) -> None:
    """Prepare a worker process: leave Ctrl-C to the parent, and end when the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    if sys.platform == "linux":
        import ctypes  # only in a worker

        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=watch, args=(parent,), daemon=True).start()


def watch(parent: int) -> None:
    """End this process when its parent has ended."""
    while os.getppid() == parent:
        sleep(ORPHAN_POLL)
    os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Connect to a dask scheduler, such as tcp://host:8786; return it with its number of threads.

    Raises UsageError without the extra, SystemFailure if it does not answer or has no workers.
    """
    try:
        from distributed import Client  # optional
    except ImportError:
        from cardbattle.installation import install_command  # only for the error

        raise UsageError(f"--scheduler needs dask; install it with: {install_command('dask')}") from None
    try:
        client = Client(address, timeout=ANSWER)
    except (OSError, ValueError, TimeoutError) as error:
        said = clean(str(error)).partition("\n")[0]
        raise SystemFailure(f"the scheduler {clean(address)} does not answer: {said}") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise SystemFailure(f"the scheduler {clean(address)} has no workers; start one: dask worker")
        yield client.get_executor(pure=False), threads


def in_order(
    executor: Executor, work: Callable[[Job], Result], jobs: Iterable[Job], workers: int
) -> Generator[Result, None, None]:
    """Yield the results of the jobs in order, with a few jobs per worker in progress.

    Closing the generator cancels jobs that have not begun. Exceptions of a job are raised here. Raises
    SystemFailure if a worker died.
    """
    waiting = iter(jobs)
    under_way: deque[Future[Result]] = deque()

    def send() -> None:
        for job in waiting:
            under_way.append(executor.submit(work, job))
            if len(under_way) >= AHEAD * workers or under_way[0].done():
                return

    try:
        send()
        while under_way:
            yield wait_for(under_way.popleft())
            send()
    except GeneratorExit:
        for future in under_way:
            future.cancel()


class ManyJob(NamedTuple, Generic[Argument, Result]):
    """A function and some of its arguments, as sent to a worker."""

    function: Callable[[Argument], Result]
    arguments: list[Argument]


class ManyDone(NamedTuple, Generic[Result]):
    """The results of a job up to its first error, and its duration in seconds."""

    results: list[Result]
    error: CardbattleError | None
    seconds: float


def run_many_job(job: ManyJob[Argument, Result]) -> ManyDone[Result]:
    """Call the function of a job for its arguments, up to the first error."""
    began = perf_counter()
    results: list[Result] = []
    error = None
    try:
        results.extend(map(job.function, job.arguments))
    except CardbattleError as refused:
        error = refused
    return ManyDone(results, error, perf_counter() - began)


def results_in_order(
    function: Callable[[Argument], Result], arguments: Iterable[Argument], executor: Executor, workers: int
) -> Generator[Result, None, None]:
    """Yield the result for each argument, in order; the function and all values must be picklable.

    The arguments are read as they are needed. Closing the generator cancels jobs that have not begun. An
    error of the function is raised after all earlier results. Raises SystemFailure if a worker died.
    """
    size = 1
    waiting = iter(arguments)

    def jobs() -> Iterator[ManyJob[Argument, Result]]:
        while chunk := list(islice(waiting, size)):
            yield ManyJob(function, chunk)

    done_jobs = in_order(executor, run_many_job, jobs(), workers)
    try:
        for done in done_jobs:
            fitting = int(JOB_SECONDS * len(done.results) / max(done.seconds, 1e-6))
            size = max(1, min(MOST_IN_JOB, GROWTH * size, fitting))
            yield from done.results
            if done.error is not None:
                raise done.error
    finally:
        done_jobs.close()


def announce_work(executor: Executor, seconds: float) -> None:
    """Pass the estimated duration of the remaining work, in one process, to a `LazyPool`."""
    if isinstance(executor, LazyPool):
        executor.hear(seconds)


def wait_for(future: Future[Result]) -> Result:
    """Wait for a result; raise SystemFailure if the worker died."""
    try:
        return future.result()
    except Exception as error:
        if isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ == "KilledWorker":
            text = "a worker process was killed or ran out of memory; try fewer --jobs"
            raise SystemFailure(text) from None
        raise
