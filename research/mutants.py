"""Mutation testing of the rule sets: `python -m research.mutants NUMBER [FILE ...] [--seed TEXT]`.

Changes each file below `cardbattle/rules` in NUMBER random places, one at a time. The second referee
(`tests/referees`) tries every mutant. The tests of the rule set try those that the referee does not kill, and
every fourth of the others, to compare the two. Prints a line for each survivor. The default files are those
that decide a battle.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.util
import os
import random
import resource
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
RULES = ROOT / "cardbattle" / "rules"
DECIDING = ("battle.py", "state.py", "choices.py", "dealing.py", "options.py", "notation.py")
CPU_LIMIT = 40  # seconds; an endless mutant counts as killed
BATTLES, CHANGED_MOVES = 60, 20
SWAPS: dict[type[ast.AST], type[Any]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}


class Mutant(NamedTuple):
    """A changed file: its place, what changed, and its new source."""

    file: Path
    line: int
    change: str
    source: str


def nodes_in_bodies(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of functions and constants, without annotations, docstrings and assertions."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_comment") or isinstance(tree, ast.Assert | ast.Raise):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom):
                continue
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            yield node
            yield from nodes_in_bodies(node)


def change(node: ast.AST) -> str:
    """Change a node in place, and return what changed; nothing if it has no mutation."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        before = node.value
        node.value = not before if isinstance(before, bool) else before + 1
        return f"{before} -> {node.value}"
    if isinstance(node, ast.If | ast.While | ast.IfExp) and ast.unparse(node.test) != "TYPE_CHECKING":
        node.test = ast.UnaryOp(ast.Not(), node.test)
        return "condition negated"
    if isinstance(node, ast.Compare):
        before_op = type(node.ops[0])
        if before_op in SWAPS:
            node.ops[0] = SWAPS[before_op]()
            return f"{before_op.__name__} -> {type(node.ops[0]).__name__}"
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPS:
        name = type(node.op).__name__
        node.op = SWAPS[type(node.op)]()
        return f"{name} -> {type(node.op).__name__}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node.op = ast.Not()
        node.operand = ast.UnaryOp(ast.Not(), node.operand)
        return "not dropped"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        text = ast.unparse(node.value)
        node.value = ast.Constant(None)
        return f"call dropped: {text}"
    return ""


def mutants_of(file: Path, number: int, seed: str = "") -> list[Mutant]:
    """Return some random mutants of a file, always the same."""
    source = file.read_text(encoding="utf-8")
    tree = ast.parse(source)
    places = [place for place, node in enumerate(nodes_in_bodies(tree)) if change(copy.deepcopy(node))]
    chosen = random.Random(seed + file.relative_to(ROOT).as_posix()).sample(places, min(number, len(places)))
    mutants = []
    for place in sorted(chosen):
        tree = ast.parse(source)
        node = list(nodes_in_bodies(tree))[place]
        what = change(node)
        mutants.append(
            Mutant(file, getattr(node, "lineno", 0), what, ast.unparse(ast.fix_missing_locations(tree)))
        )
    return mutants


class MutatedFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from another source."""

    def __init__(self, module: str, source: str) -> None:
        self.module = module
        self.source = source

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname != self.module:
            return None
        file = ROOT / (fullname.replace(".", "/") + ".py")
        return importlib.util.spec_from_file_location(fullname, file, loader=self)

    def exec_module(self, module: Any) -> None:
        exec(compile(self.source, module.__spec__.origin, "exec"), module.__dict__)


def run_suite(suite: str, file: str) -> int:
    """Run a suite against the mutant on standard input, in this process; return 0 if it survives."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT))
    module = file.removesuffix(".py").replace("/", ".")
    sys.meta_path.insert(0, MutatedFinder(module, sys.stdin.read()))
    folder = Path(file).parent.name
    key = folder.replace("_", "-")
    if suite == "referee":
        from tests.referees import test_referees as referees

        warnings.simplefilter("error")
        referees.test_the_referee_agrees_with_the_golden_records(key)
        referees.check_battles(key, range(BATTLES))
        for number in range(CHANGED_MOVES):
            by_referee, by_engine = referees.refusals_of_changed_move(key, number)
            assert by_referee == by_engine
        return 0
    import pytest

    tests = ["rules/test_seeded_battles.py", "rules/test_golden.py", "conformance/test_cases.py"]
    tests += [f"rules/test_{folder}.py", "rules/test_every_rule_set.py"]
    own = f"test_{folder} or {key}"
    options = ["-n0", "-x", "-q", "-m", "not slow and not heavy and not browser", "-k", own]
    return int(pytest.main([*options, *(f"tests/{name}" for name in tests)]))


def survives(mutant: Mutant, suite: str) -> bool:
    file = mutant.file.relative_to(ROOT).as_posix()
    command = [sys.executable, "-m", "research.mutants", f"--{suite}", file]
    done = subprocess.run(command, input=mutant.source, text=True, capture_output=True, cwd=ROOT, check=False)
    return done.returncode == 0


def try_mutant(numbered: tuple[int, Mutant]) -> tuple[Mutant, bool | None, bool | None]:
    """Return whether the mutant survives the referee, and the tests (None if they did not run)."""
    number, mutant = numbered
    by_referee = survives(mutant, "referee")
    by_tests = survives(mutant, "tests") if by_referee or number % 4 == 0 else None
    return mutant, by_referee, by_tests


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Mutation testing of the rule sets.")
    parser.add_argument("number", type=int, help="mutants of each file")
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="files to change (default: all that decide a battle)"
    )
    parser.add_argument("--seed", default="", help="choose other places")
    chosen = parser.parse_args(arguments)
    files = [ROOT / name for name in chosen.files] or [
        path for path in sorted(RULES.glob("*/*.py")) if path.name in DECIDING
    ]
    for file in files:
        count: Counter[str] = Counter()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for mutant, by_referee, by_tests in pool.map(
                try_mutant, enumerate(mutants_of(file, chosen.number, chosen.seed))
            ):
                count["mutants"] += 1
                count["killed by the referee"] += not by_referee
                count["killed"] += not by_referee or not by_tests
                if by_tests is not None and not by_referee:
                    count["also tried by the tests"] += 1
                    count["of these killed by the tests"] += not by_tests
                if by_referee and by_tests:
                    print(f"  survives: {file.relative_to(RULES)}:{mutant.line} {mutant.change}", flush=True)
        print(file.relative_to(RULES), dict(count), flush=True)


if __name__ == "__main__":
    if sys.argv[1] in ("--referee", "--tests"):
        sys.exit(run_suite(sys.argv[1][2:], sys.argv[2]))
    main(sys.argv[1:])
