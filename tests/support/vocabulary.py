"""Count what makes the package hard to read: `python -m tests.support.vocabulary [FOLDER]`.

Names of classes and functions that mean two things, imports that must be renamed at the door, functions
of many arguments, long bodies, and public functions that raise without saying so. Compiled by reading the
sources alone, so any version of them can be measured.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parents[2] / "cardbattle"
FEW = 5  # arguments
WARRANTED = re.compile(r"\brefuse[sd]?\b|\braises?\b|\bexits?\b", re.IGNORECASE)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Vocabulary(NamedTuple):
    """The counts, and the names with the files that have them."""

    classes: Mapping[str, set[str]]
    functions: Mapping[str, set[str]]
    renamed: list[str]
    bodies: list[int]
    wide: list[str]
    raising: list[str]
    silent: list[str]
    total: int


def sources(root: Path) -> Iterator[tuple[str, ast.Module]]:
    """Yield every module of the package by its path."""
    for path in sorted(root.rglob("*.py")):
        yield path.relative_to(root).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def is_shared(path: str) -> bool:
    """Say whether a module's names must be one of a kind: those of rules are hooks."""
    return not path.startswith(("rules/", "testing/"))


def functions_in(module: ast.Module) -> Iterator[Function]:
    """Yield every function and method of a module."""
    return (node for node in ast.walk(module) if isinstance(node, Function))


def public_functions(module: ast.Module) -> Iterator[Function]:
    """Yield those that others call: none inside another, and no command, whose docstring is its help."""
    rooms = [module.body, *(node.body for node in module.body if isinstance(node, ast.ClassDef))]
    for node in (node for room in rooms for node in room):
        if (
            isinstance(node, Function)
            and not node.name.startswith("_")
            and not node.name.endswith("_command")
        ):
            yield node


def arguments_of(function: Function) -> int:
    """Return how many arguments a function takes, the object itself aside."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")])


def lines_of(function: Function) -> int:
    """Return how many lines a function's body has, its docstring aside."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def raises(function: Function) -> list[str]:
    """Return the names of the errors that a function raises itself, those that it only passes on aside."""
    found = []
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and node.exc is not None:
            told = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            found.append(told.attr if isinstance(told, ast.Attribute) else getattr(told, "id", ""))
    return [name for name in found if name not in ("NotImplementedError", "AssertionError")]


def says_so(function: Function) -> bool:
    """Return True if a docstring names an error that its function raises, or says that it refuses."""
    told = ast.get_docstring(function) or ""
    return any(name and name in told for name in raises(function)) or WARRANTED.search(told) is not None


def measured(root: Path = ROOT) -> Vocabulary:
    """Count the words of a package."""
    found = Vocabulary(defaultdict(set), defaultdict(set), [], [], [], [], [], 0)
    total = 0
    for path, module in sources(root):
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef) and is_shared(path):
                found.classes[node.name].add(path)
            if isinstance(node, ast.Import | ast.ImportFrom):
                renamed = [one for one in node.names if one.asname not in (None, one.name)]
                found.renamed.extend(f"{path}: {one.name} as {one.asname}" for one in renamed)
        for node in module.body:
            if isinstance(node, Function) and is_shared(path):
                found.functions[node.name].add(path)
        for function in functions_in(module):
            total += 1
            found.bodies.append(lines_of(function))
            if arguments_of(function) > FEW:
                found.wide.append(f"{path}: {function.name} ({arguments_of(function)})")
        for function in public_functions(module):
            if raises(function):
                found.raising.append(f"{path}: {function.name}")
                if not says_so(function):
                    found.silent.append(f"{path}: {function.name}")
    return found._replace(total=total)


def repeated(names: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the names that several files have."""
    return {name: files for name, files in sorted(names.items()) if len(files) > 1}


def report(found: Vocabulary) -> Iterator[str]:
    """Yield what was counted, a line each."""
    said = len(found.raising) - len(found.silent)
    yield f"class names with two meanings outside rules: {len(repeated(found.classes))}"
    yield f"imports renamed at the door: {len(found.renamed)}"
    yield f"function names in several files outside rules and testing: {len(repeated(found.functions))}"
    wide = f"{100 * len(found.wide) / found.total:.2f} %"
    yield f"functions over {FEW} arguments: {len(found.wide)} of {found.total}, {wide}"
    yield f"bodies in lines: median {median(found.bodies):.0f}, longest {max(found.bodies)}"
    share = f"{100 * said / len(found.raising):.0f} %"
    yield f"raising functions that say so: {said} of {len(found.raising)}, {share}"


def listed(found: Vocabulary) -> Iterator[str]:
    """Yield the names behind the figures."""
    groups: Iterable[tuple[str, Iterable[str]]] = (
        (
            "classes",
            (f"{name}: {', '.join(sorted(files))}" for name, files in repeated(found.classes).items()),
        ),
        (
            "functions",
            (f"{name}: {', '.join(sorted(files))}" for name, files in repeated(found.functions).items()),
        ),
        ("renamed", found.renamed),
        ("over five arguments", found.wide),
        ("silent", found.silent),
    )
    for title, lines in groups:
        yield f"\n{title}"
        yield from (f"  {line}" for line in lines)


if __name__ == "__main__":
    folders = [Path(word) for word in sys.argv[1:] if not word.startswith("-")]
    told = measured(folders[0] if folders else ROOT)
    print("\n".join([*report(told), *(listed(told) if "-v" in sys.argv else [])]))
