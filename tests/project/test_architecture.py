"""The pages about the sources are held to the sources: their packages, files and names are there."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tests.support.guides import GUIDES, ROOT

PACKAGE = ROOT / "cardbattle"
TESTS = ROOT / "tests"
PAGES = [ROOT / "docs" / "architecture.md", ROOT / "CONTRIBUTING.md"]
PAGE = PAGES[0].read_text(encoding="utf-8")
MAP = re.search(r"^```\ncardbattle/\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (`?)([^|`]+)\1 \| [^|]+ \| `([^|`]+)` \|$", re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
DOTTED = re.compile(r"(?<![.\w])cardbattle(?:\.[A-Za-z_]\w*)+")
DEFINED = re.compile(r"^(?: *(?:def|class) |(?=\w+ *[:=]))(\w+)", re.MULTILINE)  # in a test file
PLACED = re.compile(r"`(\w+)`\s+\(`([\w/]+\.py)`\)")
ENTRY_POINT_GROUPS = {"cardbattle.commanders", "cardbattle.rules", "cardbattle.writers"}
FILE = re.compile(r"[\w./]+(?:\.py|/)")
NO_NAMES = {"york", "slow", "dist/", "ruff", "mypy", "mypyc"}  # but keys, marks and tools


def assigned(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module or class defines."""
    if isinstance(statement, ast.ClassDef | ast.FunctionDef):
        yield statement.name
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    for target in targets:
        yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def members(found: ast.ClassDef) -> set[str]:
    """Return the names of a class: its methods, its fields, and what its methods give `self`."""
    given = {
        node.attr
        for node in ast.walk(found)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
    return given | {name for statement in found.body for name in assigned(statement)}


@cache
def defined() -> dict[str, dict[str, set[str]]]:
    """Return for each file of the package its names, those that are classes with their members."""
    found: dict[str, dict[str, set[str]]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        names: dict[str, set[str]] = {}
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            names |= {name: set() for name in assigned(statement)}
            if isinstance(statement, ast.ClassDef):
                names[statement.name] = members(statement)
        found[path.relative_to(PACKAGE).as_posix()] = names
    return found


@cache
def classes() -> dict[str, set[str]]:
    """Return the members of every class by its name, outside of the rule sets."""
    found: dict[str, set[str]] = {}
    for path, names in defined().items():
        for name, inside in names.items():
            if inside and not path.startswith("rules/"):
                found.setdefault(name, set()).update(inside)
    return found


@cache
def every_name() -> set[str]:
    """Return every name of the package and its tests: of packages, files, and what is defined in them."""
    known = {part for path in defined() for part in path.removesuffix(".py").split("/")}
    for names in defined().values():
        known |= {*names, *(name for inside in names.values() for name in inside)}
    for path in TESTS.rglob("*.py"):
        known |= {*DEFINED.findall(path.read_text(encoding="utf-8"))}
    return known


def is_there(name: str) -> bool:
    """Say whether a name, as `Transaction.commit` or `fight_battle`, is one of the package."""
    owner, dot, member = name.rpartition(".")
    return member in classes().get(owner, set()) if dot else name in every_name()


def is_defined(where: str) -> bool:
    """Return True if a place in the glossary exists, such as `Battle.step` or `core/battle.py:View`."""
    path, colon, name = where.partition(":")
    if path.endswith(".py"):
        return path in defined() and (not colon or name in defined()[path])
    return is_there(where)


def listed_packages() -> list[tuple[str, ...]]:
    """Return the path of each package in the tree, in its order."""
    assert MAP is not None
    found: list[tuple[str, ...]] = []
    for line in MAP[1].splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        above = found[-1][: depth - 1] if depth > 1 else ()
        found.append((*above, line.split()[0].rstrip("/").removesuffix(".py")))
    return found


@pytest.mark.parametrize(("page", "limit"), [(PAGES[0], 150), (PAGES[1], 80)])
def test_the_pages_for_contributors_stay_short(page: Path, limit: int) -> None:
    assert page.read_text(encoding="utf-8").count("\n") <= limit


def test_the_tree_lists_all_packages() -> None:
    there = {path.parent.relative_to(PACKAGE).parts for path in PACKAGE.rglob("__init__.py")}
    of_rules = {package for package in there if package[0:1] == ("rules",) and len(package) > 1}
    assert sorted([*there - of_rules - {()}, ("library",), ("plugin",)]) == sorted(listed_packages())


def test_the_tree_has_the_order_of_imports() -> None:
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = next(one["layers"] for one in tables["contracts"] if one["type"] == "layers")
    ordered = [module.strip() for layer in layers for module in layer.split("|")]
    assert [f"cardbattle.{package[0]}" for package in listed_packages() if len(package) == 1] == ordered


@pytest.mark.parametrize("where", sorted({row[2] for row in ROW.findall(PAGE)}))
def test_a_term_of_the_glossary_is_where_the_page_says(where: str) -> None:
    assert is_defined(where)


def test_every_word_of_the_glossary_has_its_place() -> None:
    glossary = PAGE.partition("## Glossary")[2]
    words = [row[1] for row in ROW.findall(glossary)]
    rows = sum(line.startswith("|") for line in glossary.splitlines())
    assert len(words) == rows - 2 * glossary.count("|---|---|---|")
    assert len(words) == len(set(words)) <= 60


@pytest.mark.parametrize(("name", "file"), sorted({*PLACED.findall(PAGE)}))
def test_a_name_on_the_page_is_in_the_file_that_stands_beside_it(name: str, file: str) -> None:
    assert name in defined()[file]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_name_on_a_page_is_in_the_package_or_its_tests(page: Path) -> None:
    spans = set(SPAN.findall(page.read_text(encoding="utf-8"))) - NO_NAMES
    files = {span for span in spans if FILE.fullmatch(span)}
    of_rules = {path.rpartition("/")[2] for path in defined() if path.startswith("rules/")}
    wrong = {path for path in files - of_rules if not any((top / path).exists() for top in (ROOT, PACKAGE))}
    names = {span for span in spans - files if NAME.fullmatch(span) and not span.endswith((".toml", ".md"))}
    wrong |= {name for name in names if not name.startswith("cardbattle.") and not is_there(name)}
    assert not wrong


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_a_dotted_name_in_a_guide_is_in_the_package(guide: Path) -> None:
    for name in set(DOTTED.findall(guide.read_text(encoding="utf-8"))) - ENTRY_POINT_GROUPS:
        if (
            not ROOT.joinpath(*name.split(".")).with_suffix(".py").is_file()
        ):  # a module can need other packages
            resolve_name(name)
