"""Measure what the conformance suite finds: change a rule set in one place, and run its cases.

Usage: python -m research.case_mutants [--rules KEY] [--sample 60] [--seed TEXT]

A mutant changes one comparison, number, sum or boolean operation in `battle.py` of a rule set. It is found
if a case fails or crashes, or if the cases take more than 20 seconds. Code that only copies a battle, deals
hidden cards again, or describes a state is left out, because cases do not use it. Many mutants that are not
found change nothing, such as `>` to `>=` between values that are never equal.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import signal
import sys
from collections.abc import Iterator
from importlib.abc import Loader
from types import ModuleType
from typing import NamedTuple

from cardbattle.conformance.case_file import built_in_suite
from cardbattle.conformance.statement import compare, own_results
from cardbattle.core.chance import stream
from cardbattle.rules import RULE_SETS

PATIENCE = 20  # seconds
UNUSED = (
    "copy", "state", "redeal", "fast_view", "detach", "position", "agenda", "recount", "swap_some",
    "share_a_rank", "could_play",
)  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}


class Mutant(NamedTuple):
    """A changed module: where the change is, and the whole text."""

    place: str
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """Yield all mutants of a module."""
    lines = text.splitlines()
    for number in range(len(changeable(ast.parse(text)))):
        tree = ast.parse(text)
        node = changeable(tree)[number]
        change(node)
        line = getattr(node, "lineno", 0)
        yield Mutant(f"{line}: {lines[line - 1].strip()}  ->  {ast.unparse(node)}", ast.unparse(tree))


def changeable(tree: ast.Module) -> list[ast.expr]:
    """Return the expressions inside functions that can be changed, in order."""
    found: list[ast.expr] = []
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or function.name.startswith((*UNUSED, "_", "emit")):
            continue
        for node in ast.walk(function):
            if is_log_check(node):
                continue
            is_number = isinstance(node, ast.Constant) and type(node.value) is int
            is_comparison = isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS
            is_sum = isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS
            if is_number or is_comparison or is_sum or isinstance(node, ast.BoolOp):
                assert isinstance(node, ast.expr)
                found.append(node)
    return found


def is_log_check(node: ast.AST) -> bool:
    """Return True for `self.log is not None`, which every emitted event needs."""
    return isinstance(node, ast.Compare) and ast.unparse(node.left) == "self.log"


def change(node: ast.expr) -> None:
    """Change an expression."""
    if isinstance(node, ast.Constant):
        node.value = int(str(node.value)) + 1
    elif isinstance(node, ast.Compare):
        node.ops[0] = COMPARISONS[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp):
        node.op = OPERATIONS[type(node.op)]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


class Changed(Loader):
    """Loads a module from a text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def exec_module(self, module: ModuleType) -> None:
        """Run the text as the module."""
        exec(compile(self.text, f"<{module.__name__}>", "exec"), module.__dict__)


class ChangedFinder:
    """Finds one module in a text instead of its file."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Return the specification of the changed module."""
        return importlib.util.spec_from_loader(name, Changed(self.text)) if name == self.name else None


def is_found(key: str, name: str, text: str) -> bool:
    """Run the cases of a rule set with a changed module, in a child process."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(PATIENCE)
        sys.meta_path.insert(0, ChangedFinder(name, text))  # type: ignore[arg-type]
        has_passed = False
        try:
            suite = built_in_suite().of_rules(key)
            has_passed = compare(suite, own_results(suite.cases, "mutant")).has_passed
        finally:
            os._exit(0 if has_passed else 1)
    return os.waitpid(child, 0)[1] != 0


def main() -> None:
    """Print the mutants that no case finds, and the share of those found."""
    parser = argparse.ArgumentParser(description="Measure what the conformance suite finds.")
    parser.add_argument("--rules", choices=list(RULE_SETS))
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", default="case-mutants")
    given = parser.parse_args()
    for key in [given.rules] if given.rules else RULE_SETS:
        name = f"cardbattle.rules.{key.replace('-', '_')}.battle"
        package = importlib.util.find_spec("cardbattle.rules")
        assert package and package.submodule_search_locations and name not in sys.modules
        file = os.path.join(package.submodule_search_locations[0], key.replace("-", "_"), "battle.py")
        with open(file, encoding="utf-8") as source:
            text = source.read()
        every = list(mutants(text))
        order = list(range(len(every)))
        stream(given.seed, key).shuffle(order)
        chosen = [every[number] for number in sorted(order[: given.sample])]
        assert not is_found(key, name, ast.unparse(ast.parse(text))), "the unchanged module fails"
        missed = [mutant for mutant in chosen if not is_found(key, name, mutant.text)]
        print(
            f"{key}: {len(chosen) - len(missed)} of {len(chosen)} found, of {len(every)} mutants", flush=True
        )
        for mutant in missed:
            print(f"  {mutant.place}")


if __name__ == "__main__":
    main()
