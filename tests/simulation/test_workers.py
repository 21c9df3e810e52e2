"""The workers do not change the results, and no worker stays behind, however the program ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from itertools import count as endless
from pathlib import Path

import pytest

from cardbattle.files.errors import SystemFailure
from cardbattle.show.pages.odds import odds_json
from cardbattle.simulation import workers
from cardbattle.simulation.odds import OddsStop, count_odds
from cardbattle.simulation.workers import (
    AHEAD,
    LazyPool,
    Pool,
    Serial,
    announce_work,
    in_order,
    processes,
    wait_for,
    workforce,
)

ROOT = Path(__file__).parents[2]
TABLE: dict[str, object] = {
    "rules": "strategy-war",
    "seed": 3,
    "house": {"rounds": 3},
    "sides": {"york": {"commander": "green"}, "lancaster": {"commander": "green"}},
}
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def double(number: int) -> int:
    """Return twice the number."""
    return 2 * number


def die(number: int) -> int:
    """End the process that does the work."""
    os._exit(number)


def refuse(number: int) -> int:
    """Do no work."""
    raise ValueError("no")


def test_results_come_in_order() -> None:
    with ThreadPoolExecutor(3) as pool:
        assert list(in_order(pool, double, range(50), 3)) == [2 * number for number in range(50)]


def test_no_more_jobs_are_sent_than_are_needed_to_keep_workers_busy() -> None:
    """The jobs may be endless."""
    sent: list[int] = []

    def jobs() -> Iterator[int]:
        for number in endless():
            sent.append(number)
            yield number

    never_done: list[Future[int]] = []

    class Slow(Serial):
        def submit(self, fn: object, /, *args: object, **kwargs: object) -> Future[int]:  # type: ignore[override]
            never_done.append(Future())
            return never_done[-1]

    results = in_order(Slow(), double, jobs(), 2)
    never_done_first = iter(results)
    from threading import Timer

    Timer(0.05, lambda: never_done[0].set_result(7)).start()
    assert next(never_done_first) == 7
    assert len(sent) == AHEAD * 2
    results.close()
    assert all(future.cancelled() for future in never_done[1:])


def test_alone_one_job_is_done_at_a_time() -> None:
    """An interruption therefore loses at most one job."""
    done: list[int] = []

    def work(number: int) -> int:
        done.append(number)
        return number

    results = in_order(Serial(), work, range(10), 5)
    assert next(results) == 0
    assert done == [0]
    assert next(results) == 1
    assert done == [0, 1]


def test_a_serial_executor_keeps_errors_for_whoever_asks() -> None:
    future = Serial().submit(refuse, 1)
    with pytest.raises(ValueError, match="no"):
        future.result()


@pytest.mark.slow
def test_processes_are_started_when_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before the work has taken as long as starting them."""
    with workforce(2) as (hands, count):
        assert isinstance(hands, LazyPool)
        assert count == 2
        hands.submit(double, 1)
        assert hands.pool is None
        hands.spent = workers.WORTH_A_POOL
        assert hands.submit(double, 1).result() == 2
        assert isinstance(hands.pool, Pool)
    with workforce(1) as (hands, count):
        assert isinstance(hands, Serial)


class Opening(Serial):
    """Processes that have not answered yet."""

    def __init__(self) -> None:
        self.sent: list[Future[int]] = []

    def submit(self, fn: object, /, *args: object, **kwargs: object) -> Future[int]:  # type: ignore[override]
        self.sent.append(Future())
        return self.sent[-1]


@pytest.fixture
def opening(monkeypatch: pytest.MonkeyPatch) -> Opening:
    """Let processes that are started be slow to answer."""
    pool = Opening()
    monkeypatch.setattr(workers, "processes", lambda jobs: nullcontext(pool))
    return pool


def test_work_goes_on_here_while_processes_start(opening: Opening) -> None:
    """Each of them has two jobs waiting; once one has answered all jobs are theirs."""
    hands = LazyPool(2)
    hands.spent = workers.WORTH_A_POOL
    found = [hands.submit(double, number) for number in range(7)]
    assert [future.done() for future in found] == 4 * [False] + 3 * [True]
    assert found[6].result() == 12
    opening.sent[1].set_result(2)
    assert not hands.submit(double, 7).done()


def test_long_jobs_wait_for_the_processes(opening: Opening) -> None:
    """Who works for seconds here would not hear them answer."""
    hands = LazyPool(2)
    hands.spent = hands.last = workers.WORTH_A_POOL
    assert not any(hands.submit(double, number).done() for number in range(5))


def test_no_processes_are_started_for_little_work_to_come(opening: Opening) -> None:
    hands = LazyPool(2)
    hands.spent = 10 * workers.WORTH_A_POOL
    announce_work(hands, workers.WORTH_THE_START - 0.01)
    assert hands.submit(double, 1).done()
    announce_work(hands, workers.WORTH_THE_START)
    assert not hands.submit(double, 1).done()
    announce_work(Serial(), 10.0)


def test_processes_are_started_early_for_much_work_to_come(opening: Opening) -> None:
    """As soon as one knows how long a job takes."""
    hands = LazyPool(2)
    announce_work(hands, 10.0)
    assert hands.submit(double, 1).done()
    hands.spent = workers.TASTE
    assert not hands.submit(double, 1).done()


@pytest.mark.slow
def test_processes_count_the_same() -> None:
    """Test started processes (spawn), and any pool of the standard library."""
    alone = odds_json(count_odds(TABLE, "", OddsStop(1000), Serial()))
    with processes(2) as pool:
        assert odds_json(count_odds(TABLE, "", OddsStop(1000), pool, 2)) == alone
    with ProcessPoolExecutor(2) as pool:
        assert odds_json(count_odds(TABLE, "", OddsStop(1000), pool, 2)) == alone


@pytest.mark.slow
def test_a_worker_that_dies_is_told_in_a_line() -> None:
    with pytest.raises(SystemFailure, match="a worker process was killed"), processes(1) as pool:
        list(in_order(pool, die, [1], 1))


def test_other_errors_of_the_work_are_not_covered_up() -> None:
    with pytest.raises(ValueError, match="no"):
        list(in_order(Serial(), refuse, [1], 1))
    broken: Future[int] = Future()
    broken.set_exception(BrokenExecutor("gone"))
    with pytest.raises(SystemFailure):
        wait_for(broken)


# Processes of their own, ended from outside


def started(*arguments: str) -> subprocess.Popen[str]:
    """Start the program with a long count on two processes."""
    command = [sys.executable, "-m", "cardbattle", "odds", *arguments, "--jobs", "2"]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def members(group: int) -> list[int]:
    """Return the processes of a process group that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(words[2]) == group and words[0] != "Z":
                found.append(int(entry.name))
    return found


def wait_until(condition: object, seconds: float) -> bool:
    """Wait for a condition to hold; say whether it did in time."""
    assert callable(condition)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())


ENDINGS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -9}


@pytest.mark.slow
@linux_only
@pytest.mark.parametrize("workers_before", [2, 4])
@pytest.mark.parametrize("number", list(ENDINGS), ids=lambda number: signal.Signals(number).name)
def test_nobody_is_left_behind(number: signal.Signals, workers_before: int) -> None:
    """While the workers start and while they count; and nothing is complained of."""
    program = started("field-of-honour", "--seed", "1", "-n", "100000000", "--json")
    assert wait_until(lambda: len(members(program.pid)) >= workers_before, 120)
    os.kill(program.pid, number)
    out, err = program.communicate(timeout=120)
    assert program.returncode == ENDINGS[number]
    assert wait_until(lambda: not members(program.pid), 60)
    assert err == "" or number == signal.SIGKILL  # then a worker may find that its orders end
    assert ('"stopped": "interrupted"' in out) == (number == signal.SIGINT)


@pytest.mark.slow
@linux_only
def test_ctrl_c_reaches_the_whole_group_and_what_was_counted_is_told() -> None:
    """As a terminal sends it: to the workers too, which leave it to their parent."""
    program = started("field-of-honour", "--seed", "1", "-n", "100000000")
    assert wait_until(lambda: len(members(program.pid)) >= 4, 120)
    os.killpg(program.pid, signal.SIGINT)
    out, err = program.communicate(timeout=120)
    assert program.returncode == 130
    assert err == ""
    assert "battles, interrupted" in out
    assert wait_until(lambda: not members(program.pid), 60)


@pytest.mark.slow
@linux_only
@pytest.mark.parametrize("arguments", [["--quiet"], []])
def test_a_terminal_sees_how_far_it_is_and_how_long_it_takes(arguments: list[str]) -> None:
    """On standard error only, wiped away at the end; who wants quiet sees nothing."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cardbattle", *COUNT, "-n", "3000", "--jobs", "1", *arguments]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment
    ) as program:
        out, _ = program.communicate(timeout=120)
    os.close(theirs)
    seen = read_all(ours)
    assert json.loads(out)["battles"] == 3000
    if arguments:
        assert seen == ""
    else:
        assert " battles " in seen
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
        assert re.search(r"\d:\d\d:\d\d left", plain)


def read_all(terminal: int) -> str:
    """Return what was written to a pseudo-terminal whose other end is closed."""
    seen = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            more = b""
        if not more:
            os.close(terminal)
            return seen.decode()
        seen += more


@linux_only
@pytest.mark.heavy
@pytest.mark.parametrize("number", list(ENDINGS), ids=lambda number: signal.Signals(number).name)
def test_nobody_is_left_behind_whenever_it_ends(number: signal.Signals) -> None:
    """A hundred times, at moments spread over start, first battles and counting on two processes."""
    for trial in range(100):
        program = started("field-of-honour", "--seed", "1", "-n", "100000000", "--json")
        time.sleep(0.2 + 0.02 * trial)
        os.kill(program.pid, number)
        program.communicate(timeout=120)
        assert program.returncode in (ENDINGS[number], -number), trial  # at first, no handler catches it
        assert wait_until(lambda program=program: not members(program.pid), 60), trial


# A cluster

DASK = Path(sys.executable).parent / "dask"
COUNT = ["odds", "strategy-war", "--side", "york=green", "--side", "lancaster=green", "--seed", "3", "--json"]


def told(*arguments: str) -> str:
    """Return what the program prints; it must end well and complain of nothing."""
    command = [sys.executable, "-m", "cardbattle", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr.replace("seed 1403\n", "")) == (0, "")
    return done.stdout


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_in_this_process_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real LocalCluster with two processes."""
    import distributed

    monkeypatch.setattr(sys, "argv", [""])
    two = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(**two) as cluster,
        workforce(1, cluster.scheduler_address) as (hands, count),
    ):
        assert count == 2
        found = odds_json(count_odds(TABLE, "", OddsStop(3000), hands, count))
    assert found == odds_json(count_odds(TABLE, "", OddsStop(3000), Serial()))


@pytest.fixture(scope="module")
def scheduler(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and two workers by dask's own commands; give the address and the workers."""
    folder = tmp_path_factory.mktemp("dask")
    place = folder / "scheduler.json"
    quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    alone = ["--scheduler-file", str(place), "--no-dashboard"]
    one_thread = ["--nthreads", "1", "--no-nanny"]
    running = [subprocess.Popen([DASK, "scheduler", "--port", "0", *alone], **quiet)]  # type: ignore[call-overload]
    try:
        assert wait_until(lambda: place.exists() and place.stat().st_size, 60)
        running += [subprocess.Popen([DASK, "worker", *alone, *one_thread], **quiet) for _ in range(2)]  # type: ignore[call-overload]
        yield json.loads(place.read_text())["address"], running[1:]
    finally:
        for process in running:
            process.kill()
            process.wait()


def has_workers(address: str, number: int) -> bool:
    """Return True if this number of workers has reported to the scheduler."""
    import distributed

    with distributed.Client(address, timeout="60s") as client:
        return len(client.scheduler_info(n_workers=-1)["workers"]) == number


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_elsewhere_counts_the_same_even_if_a_worker_dies(
    scheduler: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    """Odds and a batch; then a worker is killed while it counts, and the other does its work."""
    address, hired = scheduler
    assert wait_until(lambda: has_workers(address, 2), 60)
    alone = told(*COUNT, "-n", "6000", "--jobs", "1")
    assert told(*COUNT, "-n", "6000", "--scheduler", address) == alone
    batch = ["batch", "examples/raids.toml", "-o", "-"]
    assert told(*batch, "--scheduler", address) == told(*batch, "--jobs", "1")
    command = [sys.executable, "-m", "cardbattle", *COUNT, "-n", "6000", "--scheduler", address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert wait_until(lambda: is_busy(address), 60)
        hired[0].kill()
        out, _ = program.communicate(timeout=120)
    assert (program.returncode, out) == (0, alone)


def is_busy(address: str) -> bool:
    """Say whether a worker of the cluster has work."""
    import distributed

    with distributed.Client(address, timeout="60s") as client:
        return any(client.processing().values())


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cardbattle.cli.app import run

    monkeypatch.setattr(workers, "ANSWER", "1s")
    assert run([*COUNT, "--scheduler", "tcp://127.0.0.1:9"]) == 6
    err = capsys.readouterr().err.splitlines()
    assert len(err) == 1
    assert err[0].startswith("cardbattle: the scheduler tcp://127.0.0.1:9 does not answer")


def test_without_dask_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cardbattle.cli.app import run

    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run([*COUNT, "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "--scheduler needs dask; install it with: " in capsys.readouterr().err
