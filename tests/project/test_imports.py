"""Imports: no module imports itself through others, and no folder holds more modules than one can read."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter

import grimp

from tests.support.guides import ROOT

PACKAGE = ROOT / "cardbattle"
MOST_MODULES = 16  # in a folder, `__init__.py` included
MOST_INNER_IMPORTS = 75  # inside functions, in the whole package
INNER_IMPORT = re.compile(r"^ +(?:import|from \S+ import) ", re.MULTILINE)  # most modules have none
PUBLIC = {"cardbattle"}  # loads its public names when they are first used


@cache
def imports() -> dict[str, set[str]]:
    """Return the imports of each module, those inside functions and for type checkers included."""
    graph = grimp.build_graph("cardbattle")
    return {module: graph.find_modules_directly_imported_by(module) - PUBLIC for module in graph.modules}


def test_no_module_imports_itself_through_others() -> None:
    try:
        TopologicalSorter(
            {module: found for module, found in imports().items() if module not in PUBLIC}
        ).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_a_folder_fits_on_a_screen() -> None:
    sizes = Counter(path.parent.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
    assert not {folder: size for folder, size in sizes.items() if size > MOST_MODULES}


def inner_imports() -> Iterator[tuple[str, bool]]:
    """Yield the place of each import inside a function, and whether a comment gives its reason.

    The comment stands on the line of the import or above it; a block of imports needs one.
    """
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not INNER_IMPORT.search(text):
            continue
        lines = ["", *text.splitlines()]
        nodes = ast.walk(ast.parse(text))
        functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        inner = {node for function in functions for node in ast.walk(function)}
        reasons = {0: False}
        for node in sorted(
            (node for node in inner if isinstance(node, ast.Import | ast.ImportFrom)),
            key=lambda at: at.lineno,
        ):
            first, last = node.lineno, node.end_lineno or node.lineno
            above = reasons.get(first - 1, lines[first - 1].lstrip().startswith("#"))
            reasons[last] = above or any("#" in line for line in lines[first : last + 1])
            yield f"{path.relative_to(ROOT)}:{first}", reasons[last]


def test_few_imports_stand_inside_functions_and_each_has_a_reason() -> None:
    places = dict(inner_imports())
    assert len(places) <= MOST_INNER_IMPORTS
    assert not [place for place, has_reason in places.items() if not has_reason]
