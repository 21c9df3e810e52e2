"""What all tests share: how Hypothesis runs, and that heavy tests wait until they are asked for."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests.support.guides import CLOCK
from tests.support.tally import TRIED, tried

ROOT = Path(__file__).parents[1]
LEFT_OUT = ("slow", "heavy", "browser")
pytest.register_assert_rewrite("cardbattle.testing")

os.environ |= CLOCK
os.environ["CARDBATTLE_CONFIG"] = str(Path(__file__).parent / "no-config.toml")  # not the developer's own
os.environ["CARDBATTLE_CACHE"] = os.devnull  # a file, in which no folder can be made: nothing is cached

# A disk takes milliseconds for each of thousands of calls; the tests of power cuts have a disk of their own.
os.fsync = lambda fd: None

settings.register_profile(
    "steady",
    max_examples=30,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", parent=settings.get_profile("steady"), max_examples=1000)
settings.load_profile("steady")

# Hypothesis also draws constants from the sources of all imported modules. Without them the examples of a
# test stay the same when another module changes or is imported, and a process starts some seconds earlier.
providers._get_local_constants = lambda: providers._local_constants


def pytest_configure(config: pytest.Config) -> None:
    """Handle Ctrl-C even in a background job, here and in the programs that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect no doctests from the tests: they have none, and each file would be read twice."""
    return [collector for collector in (yield) if type(collector) is not DoctestModule]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import only the files that contain the mark if `-m` is one of the marks alone."""
    mark = config.option.markexpr
    if mark in LEFT_OUT and collection_path.suffix == ".py" and not has_mark(collection_path, mark):
        return True
    return None


@cache
def has_mark(path: Path, mark: str) -> bool:
    """Return whether a file contains a mark."""
    return f"mark.{mark}" in path.read_text(encoding="utf-8")


def pytest_collection(session: pytest.Session) -> None:
    """Let every other worker import the tests from the last to the first, before all workers collect them.

    In a fresh clone pytest rewrites the assertions of each file, which takes many seconds. Two workers that
    begin at both ends share this work, because each loads what the other has compiled.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS or worker[-1] in "02468":
        return
    for path in sorted(Path(__file__).parent.rglob("test_*.py"), reverse=True):
        with contextlib.suppress(Exception, pytest.skip.Exception):  # the collection imports it again
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking through thousands of collected tests again and again."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the counts of this process to the process that prints them."""
    told = getattr(session.config, "workeroutput", None)
    if told is not None:
        told["tried"] = TRIED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add up what another process has tried."""
    for what, number in getattr(node, "workeroutput", {}).get("tried", {}).items():
        tried(what, number)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many examples were tried."""
    for what, number in TRIED.items():
        terminalreporter.write_line(f"tried: {number} {what}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests that take long out unless `-m` says which tests are wanted."""
    if config.option.markexpr:
        return
    left_out = set()
    for item in items:
        for mark in filter(item.get_closest_marker, LEFT_OUT):
            assert has_mark(item.path, mark), f"{item.path}: write pytest.mark.{mark} in this file"
            left_out.add(item)
    config.hook.pytest_deselected(items=[*left_out])
    items[:] = [item for item in items if item not in left_out]
