"""Mutation testing of the campaign: change a module in one place, and run the tests that reach this place.

Usage:
    python -m research.campaign_mutants --record FOLDER tests/campaign tests/show/pages [-m "not heavy"]
    python -m research.campaign_mutants FOLDER NUMBER FILE ... [--seed TEXT]

The first command runs tests and writes to FOLDER which test reaches which line, and how long it takes. Run
it again when the program or the tests have changed. The second command changes each file in NUMBER random
places, always the same ones, and runs the tests that reach the statement until one fails, the fastest first.
It prints a line for each mutant. Tests that together take longer than a minute are left out, and the line
says so. Constants of a module are tried with all tests that reach the module.
"""

from __future__ import annotations

import argparse
import ast
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import coverage
import pytest

from research.mutants import ROOT, Mutant, MutatedFinder, mutants_of

CPU_LIMIT = 240  # seconds; an endless mutant counts as killed
PATIENCE = 60.0  # seconds of tests for each mutant
MARKS = "not heavy and not browser"


class Recorder:
    """A pytest plug-in that names the running test to coverage, and measures how long the test takes."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured = measured
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Attribute a fixture to all tests of the module, because the fixture may be run only once."""
        self.measured.switch_context(item.nodeid.split("::")[0])
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.measured.switch_context(item.nodeid)
        began = perf_counter()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = perf_counter() - began


def record(folder: Path, tests: list[str]) -> int:
    """Run the tests, and write which lines each of them reaches. Return the exit code of pytest."""
    folder.mkdir(parents=True, exist_ok=True)
    measured = coverage.Coverage(
        data_file=str(folder / "coverage"), config_file=False, source=["cardbattle.campaign"]
    )
    recorder = Recorder(measured)
    measured.start()
    code = pytest.main(["-n0", "-q", *tests], plugins=[recorder])
    measured.stop()
    measured.save()
    (folder / "seconds.json").write_text(json.dumps(recorder.seconds), encoding="utf-8")
    return int(code)


class Reach:
    """Which tests reach a line, as `record` has written it."""

    def __init__(self, folder: Path) -> None:
        self.data = coverage.CoverageData(str(folder / "coverage"))
        self.data.read()
        self.seconds: dict[str, float] = json.loads((folder / "seconds.json").read_text(encoding="utf-8"))

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach the statement of a mutant. The fastest test comes first."""
        contexts = self.data.contexts_by_lineno(str(mutant.file))
        lines = lines_before(mutant)
        reached = {name for line in lines or contexts for name in contexts.get(line, ())}
        tests = [test for test in self.seconds if test in reached or test.split("::")[0] in reached]
        return sorted(tests, key=lambda test: self.seconds[test])

    def within_limit(self, tests: list[str]) -> list[str]:
        """Return the first tests, which together take no longer than `PATIENCE`."""
        total = 0.0
        for number, test in enumerate(tests):
            total += self.seconds[test]
            if total > PATIENCE:
                return tests[:number]
        return tests


def lines_before(mutant: Mutant) -> range:
    """Return the lines of the innermost statement up to the mutant; none if it runs on import."""
    tree = ast.parse(mutant.file.read_text(encoding="utf-8"))
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= mutant.line <= (node.end_lineno or 0)
    ]
    statement = max(around, key=lambda node: node.lineno)
    is_in_function = any(isinstance(node, ast.FunctionDef) and node is not statement for node in around)
    return range(statement.lineno, mutant.line + 1) if is_in_function else range(0)


def is_killed(mutant: Mutant, tests: list[str]) -> bool:
    """Run tests against a mutant in another process."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as names:
        names.write("\n".join(tests))
        names.flush()
        command = [sys.executable, "-m", "research.campaign_mutants", "--against"]
        command += [mutant.file.relative_to(ROOT).as_posix(), names.name]
        ran = subprocess.run(
            command, input=mutant.source, text=True, capture_output=True, cwd=ROOT, check=False
        )
    return ran.returncode != 0


def run_against(file: str, names: str) -> int:
    """Run the named tests against the mutant on standard input, in this process."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT))
    sys.meta_path.insert(0, MutatedFinder(file.removesuffix(".py").replace("/", "."), sys.stdin.read()))
    return int(pytest.main(["-n0", "-x", "-q", "-m", MARKS, f"@{names}"]))


def main(arguments: list[str]) -> None:
    """Try the mutants of each file."""
    parser = argparse.ArgumentParser(description="Mutation testing of the campaign.")
    parser.add_argument("folder", type=Path, help="what --record has written")
    parser.add_argument("number", type=int, help="mutants of each file")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--seed", default="", help="choose other places")
    chosen = parser.parse_args(arguments)
    reach = Reach(chosen.folder)
    first = ROOT / chosen.files[0]
    unchanged = Mutant(first, 1, "", first.read_text(encoding="utf-8"))
    fastest = sorted(reach.seconds, key=lambda test: reach.seconds[test])
    assert not is_killed(unchanged, reach.within_limit(fastest)), "tests fail already; record again"
    for name in chosen.files:
        mutants = mutants_of(ROOT / name, chosen.number, chosen.seed)
        killed = 0
        for mutant in mutants:
            every = reach.tests_of(mutant)
            tests = reach.within_limit(every)
            is_dead = bool(tests) and is_killed(mutant, tests)
            killed += is_dead
            verdict = "killed  " if is_dead else "survives"
            reached = f"{len(tests)} of {len(every)} tests"
            print(f"{verdict} {name}:{mutant.line} {mutant.change} ({reached})", flush=True)
        print(f"{name}: {killed} of {len(mutants)} killed", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--record":
        sys.exit(record(Path(sys.argv[2]), sys.argv[3:]))
    if sys.argv[1] == "--against":
        sys.exit(run_against(*sys.argv[2:]))
    main(sys.argv[1:])
