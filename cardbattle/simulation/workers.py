"""Run jobs in this process, in other processes, or on any `concurrent.futures.Executor`.

Jobs contain only tables, seeds and numbers, but never the state of a battle. A worker process ignores Ctrl-C,
which its parent process handles, and ends when the parent process ends.
"""

from __future__ import annotations

import gc
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
from pickle import HIGHEST_PROTOCOL, dumps, loads
from time import monotonic, perf_counter, process_time, sleep
from typing import Any, Generic, NamedTuple, TypeVar

from cardbattle.core.errors import CardbattleError, UsageError
from cardbattle.core.names import clean, quoted
from cardbattle.files.errors import SystemFailure
from cardbattle.files.signals import signals_deferred

Job = TypeVar("Job")
Argument = TypeVar("Argument")
Result = TypeVar("Result")
ORPHAN_POLL = 0.5  # seconds between two checks that the parent process still runs
DEATH_SIGNAL = 1  # the constant PR_SET_PDEATHSIG of Linux
COLLECTOR_THRESHOLDS = (50_000, 50, 100)  # of worker processes, as `cardbattle/__main__.py` has them
WORTH_A_POOL = 0.2  # seconds of work before processes are started, if the total amount of work is unknown
WORTH_THE_START = 0.3  # seconds of remaining work that justify starting processes
TASTE = 0.01  # seconds of work after which the remaining time can be estimated
FIRST_JOBS = 2  # number of jobs that are sent in advance to each new process
AHEAD = 4  # number of running or queued jobs per worker
ANSWER = "10s"  # time to wait for the scheduler's answer
JOB_SECONDS = 0.1  # target duration of a job that combines many calls, in seconds
WAITING = 10  # a job that mostly waits can take this many times the target duration
GROWTH = 4  # maximum ratio between the sizes of successive jobs
MOST_IN_JOB = 1000  # maximum number of results in one job, which are held in memory together


class Serial(Executor):
    """An executor that runs each job immediately in the current process."""

    def submit(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Run the job now, and return a future that is already done."""
        future: Future[Result] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Pool(ProcessPoolExecutor):
    """A pool of worker processes. The processes are started with the method "spawn"."""

    def __init__(self, jobs: int) -> None:
        context = get_context("spawn")
        super().__init__(jobs, mp_context=context, initializer=settle_in, initargs=(os.getpid(),))
        if os.name == "posix":
            from multiprocessing import resource_tracker  # slow to import

            resource_tracker.ensure_running()  # if it started later, it would unblock Ctrl-C

    def submit(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Send the job to a worker process, and start a process if necessary."""
        with signals_deferred():
            return super().submit(fn, *args, **kwargs)

    def stop(self) -> None:
        """Kill the worker processes at once."""
        for item in list((getattr(self, "_pending_work_items", None) or {}).values()):
            if item.future.cancelled():
                item.future = Future()  # the pool will set an error, which a cancelled future does not accept
        for process in list((getattr(self, "_processes", None) or {}).values()):
            process.kill()
        self.shutdown()  # callers that wait for a result get an error


class LazyPool(Executor):
    """An executor that starts worker processes only if there is enough work for them.

    Until then, it runs jobs in the current process.

    While the worker processes are starting, it still runs short jobs in the current process.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.spent = 0.0
        self.last = 0.0  # duration of the last job in this process, in seconds
        self.to_come: float | None = None
        self.pool: Executor | None = None
        self.opened = ExitStack()
        self.first: list[Future[Any]] = []  # the first jobs sent to the new processes

    def hear(self, seconds: float) -> None:
        """Set the expected time, in seconds, that one process needs for the remaining work."""
        self.to_come = seconds

    def submit(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Run the job in this process, or send it to a worker process."""
        if self.pool is None and self.pays():
            self.pool = self.opened.enter_context(processes(self.jobs))
        if self.pool is None or (self.is_opening() and self.last < WORTH_A_POOL):
            return self.run_here(fn, *args, **kwargs)
        future = self.pool.submit(fn, *args, **kwargs)
        if len(self.first) < FIRST_JOBS * self.jobs:
            self.first.append(future)
        return future

    def pays(self) -> bool:
        """Return True if there is enough work left to make starting worker processes worthwhile."""
        if self.to_come is None:
            return self.spent >= WORTH_A_POOL
        return self.spent >= TASTE and self.to_come >= WORTH_THE_START

    def is_opening(self) -> bool:
        """Return True while the worker processes are starting.

        During this time, each process has its first jobs, and no job is finished.
        """
        return len(self.first) == FIRST_JOBS * self.jobs and not any(future.done() for future in self.first)

    def run_here(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Run the job in the current process, and measure its duration."""
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
    """Open an executor for a `with` block.

    The block gets a pair of the executor and its number of workers.

    If `scheduler` is the address of a Dask scheduler, the executor is a Dask cluster, and the errors are
    those of `cluster`. If `scheduler` is empty, the executor is a pool of `jobs` processes, which start only
    if there is enough work. If `jobs` is None, there is one process per CPU. Raises UsageError if `jobs` is
    negative.
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
    """Use `executor` in a `with` block. If it is None, open an executor as `workforce` does.

    An executor that the caller passes is not closed at the end of the block. The number of workers is `jobs`
    if `jobs` is larger than 1. Otherwise the executor is asked for its number of workers. Raises UsageError
    if `executor` is not an executor.
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
    """Open a pool of worker processes for a `with` block. They are stopped at the end of the block."""
    pool = Pool(jobs)
    try:
        yield pool
    finally:
        pool.stop()


def settle_in(parent: int) -> None:
    """Prepare a worker process to ignore Ctrl-C, and to end when the parent process ends.

    Its garbage collector runs less often, because jobs create many objects without cycles.
    """
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    if sys.platform == "linux":
        import ctypes  # needed only in a worker process

        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=watch, args=(parent,), daemon=True).start()


def watch(parent: int) -> None:
    """Wait until the parent process ends, and then end this process."""
    while os.getppid() == parent:
        sleep(ORPHAN_POLL)
    os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Connect to a Dask scheduler, such as tcp://host:8786, for a `with` block.

    The block gets a pair of the executor of the cluster and the number of its threads.

    Raises UsageError if Dask is not installed, and SystemFailure if the scheduler does not answer or has no
    workers.
    """
    try:
        from distributed import Client  # an optional dependency
    except ImportError:
        from cardbattle.installation import install_command  # needed only for the error

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
    """Run jobs on an executor, and yield the results in the order of the jobs.

    Each worker has only a few jobs in its queue at any time.

    If the generator is closed, jobs that have not begun are cancelled. If a job raises an exception, the
    generator raises the same exception. Raises SystemFailure if a worker died.
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
    """A task for a worker, which is to call a function several times with different arguments."""

    function: Callable[[Argument], Result]
    arguments: list[Argument]


class ManyDone(NamedTuple, Generic[Result]):
    """The results of a job up to the first error, and the duration of the job in seconds.

    A worker process sends each result as bytes, and the main process unpickles one result after the other.
    Unpickling all results at once takes twice as long, because together they do not fit into the processor's
    cache.
    """

    results: Iterable[Result]
    length: int
    error: CardbattleError | None
    seconds: float

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle each result separately."""
        results = [dumps(result, HIGHEST_PROTOCOL) for result in self.results]
        return rebuild_results, (results, self.error, self.seconds)


def rebuild_results(results: list[bytes], error: CardbattleError | None, seconds: float) -> ManyDone[Any]:
    """Return the results of a job. Each result is unpickled when it is needed."""
    return ManyDone(map(loads, results), len(results), error, seconds)


def run_many_job(job: ManyJob[Argument, Result]) -> ManyDone[Result]:
    """Call the function of a job with each of its arguments, until one of the calls raises an error."""
    began, processor_began = perf_counter(), process_time()
    results: list[Result] = []
    error = None
    try:
        results.extend(map(job.function, job.arguments))
    except CardbattleError as refused:
        error = refused
    seconds = duration(perf_counter() - began, process_time() - processor_began)
    return ManyDone(results, len(results), error, seconds)


def duration(clock: float, processor: float) -> float:
    """Estimate how long a job would take on an idle computer.

    `clock` is the elapsed time, and `processor` is the processor time. Both are in seconds.

    On a busy computer, a job also waits for a processor. This wait should not make jobs smaller, so the
    result is the processor time. But a job can also wait for other programs, such as a user's own commander.
    Therefore the result is at least a tenth of the elapsed time.

    >>> duration(0.5, 0.1), duration(0.5, 0.0)
    (0.1, 0.05)
    """
    return max(processor, clock / WAITING)


def results_in_order(
    function: Callable[[Argument], Result], arguments: Iterable[Argument], executor: Executor, workers: int
) -> Generator[Result, None, None]:
    """Call a function with each argument on an executor, and yield the results in the order of the arguments.

    It must be possible to pickle the function, the arguments and the results. An argument is taken from the
    iterable only when a job needs it. If the generator is closed, jobs that have not begun are cancelled. If
    the function raises an error, the generator yields the results before it, and then raises the same error.
    Raises SystemFailure if a worker died.
    """
    size = 1
    waiting = iter(arguments)

    def jobs() -> Iterator[ManyJob[Argument, Result]]:
        while chunk := list(islice(waiting, size)):
            yield ManyJob(function, chunk)

    done_jobs = in_order(executor, run_many_job, jobs(), workers)
    try:
        for done in done_jobs:
            fitting = int(JOB_SECONDS * done.length / max(done.seconds, 1e-6))
            size = max(1, min(MOST_IN_JOB, GROWTH * size, fitting))
            yield from done.results
            if done.error is not None:
                raise done.error
    finally:
        done_jobs.close()


def announce_work(executor: Executor, seconds: float) -> None:
    """Report to an executor how many seconds of work, for one process, are expected to remain."""
    if isinstance(executor, LazyPool):
        executor.hear(seconds)


def wait_for(future: Future[Result]) -> Result:
    """Return the result of a future. Raises SystemFailure if the worker died."""
    try:
        return future.result()
    except Exception as error:
        if isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ == "KilledWorker":
            text = "a worker process was killed or ran out of memory; try fewer --jobs"
            raise SystemFailure(text) from None
        raise
