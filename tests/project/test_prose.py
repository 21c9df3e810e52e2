"""The prose of the package and the docs stays plain English: limits on words that read as archaic."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ARCHAIC = re.compile(  # not the constants None and NOBODY
    r"\b(?:anybody|(?-i:[Nn]obody)|somebody|whoever|whatever|told|lent|anew|likewise|besides|so many"
    r"|as it stands|mends?|mended|heed(?:s|ed)?|deeds?|by now|at hand|ado|wished|for want of"
    r"|goes without saying|hangs? on|of itself|in words|as many as|(?-i:is none|are none)|come to nothing)\b",
    re.IGNORECASE,
)
COMMENT = re.compile(r"(?:^ *|  )#.*", re.MULTILINE)
LIMITS: dict[str, int] = {  # hits per 10,000 words: lower a limit when its area improves, never raise one
    "cardbattle/battles": 3,
    "cardbattle/campaign": 2,
    "cardbattle/cli": 2,
    "cardbattle/commanders": 2,
    "cardbattle/conformance": 2,
    "cardbattle/core": 2,
    "cardbattle/engines": 2,
    "cardbattle/environments": 2,
    "cardbattle/data": 6,
    "cardbattle/files": 2,
    "cardbattle/rules": 5,
    "cardbattle/show": 8,
    "cardbattle/simulation": 2,
    "cardbattle/site": 2,
    "cardbattle/story": 21,
    "cardbattle/testing": 2,
    "browser": 4,
    "docs": 1,
    "examples": 15,
    "research": 8,
    "README.md": 0,
    "CONTRIBUTING.md": 0,
    "CHANGELOG.md": 0,
}


PARTICIPLE = re.compile(  # at the beginning of the name of a function
    r"_*(?:(?!(?:need|feed|seed|speed|indeed|proceed)_)[a-z]+ed"
    r"|made|told|found|kept|left|known|done|bound|sent|met|held|given|taken|drawn|shown|written)(?:_|$)"
)
VAGUE = frozenset((  # names of variables
    "found", "one", "ones", "told", "given", "known", "kept", "now", "what", "there", "where", "done", "made",
    "taken", "rest", "other", "others", "own", "words", "thing", "things",
))  # fmt: skip
MOST_PARTICIPLES = 0.03  # share of the functions in the package
MOST_VAGUE = 0.015  # share of the variables and parameters


def python_prose(path: Path) -> Iterator[str]:
    """Yield the comments of a module, and its strings that have a space.

    The formatter puts two spaces before a comment on a line of code.
    """
    source = path.read_text(encoding="utf-8")
    yield from COMMENT.findall(source)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value


def markdown_prose(path: Path) -> Iterator[str]:
    """Yield the text of a Markdown file without its code."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    yield re.sub(r"`[^`]*`", "", text)


def texts(area: str) -> Iterator[tuple[Path, str]]:
    """Yield each piece of prose in an area, with its file."""
    start = ROOT / area
    files = [start] if start.is_file() else [*start.glob("**/*.py"), *start.glob("**/*.md")]
    for path in sorted(files):
        for text in (python_prose if path.suffix == ".py" else markdown_prose)(path):
            yield path, text


@pytest.mark.parametrize("area", LIMITS)
def test_no_area_has_more_archaic_words_than_its_limit(area: str) -> None:
    prose = list(texts(area))
    hits = [f"{path.relative_to(ROOT)}: {hit[0]}" for path, text in prose for hit in ARCHAIC.finditer(text)]
    words = sum(len(text.split()) for _, text in prose)
    assert len(hits) * 10_000 <= LIMITS[area] * words, "\n".join(hits)


def test_an_archaic_word_is_counted(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Nobody is told `anew`.\n\n```\nsomebody\n```\n", encoding="utf-8")
    assert [ARCHAIC.findall(text) for text in markdown_prose(page)] == [["Nobody", "told"]]
    module = tmp_path / "module.py"
    module.write_text('told = "nobody"  # mend it\nprint(f"by now {told}")\n', encoding="utf-8")
    words = [word for text in python_prose(module) for word in ARCHAIC.findall(text)]
    assert words == ["mend", "by now"]


def names_in(tree: ast.AST) -> Iterator[tuple[bool, str]]:
    """Yield the name of each function, with True, and of each variable and parameter, with False."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield True, node.name
        elif isinstance(node, ast.arg):
            yield False, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield False, node.id


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "cardbattle/__init__.py").exists(), reason="needs the checkout")
def test_functions_are_verbs_or_nouns_and_variables_name_what_they_hold() -> None:
    files = (path.read_text(encoding="utf-8") for path in sorted((ROOT / "cardbattle").rglob("*.py")))
    names = [name for text in files for name in names_in(ast.parse(text))]
    functions = [name for is_function, name in names if is_function and not name.startswith("__")]
    variables = [name for is_function, name in names if not is_function]
    participles = sorted(name for name in functions if PARTICIPLE.match(name))
    assert len(participles) < MOST_PARTICIPLES * len(functions), "\n".join(participles)
    vague = Counter(name for name in variables if name in VAGUE)
    assert vague.total() < MOST_VAGUE * len(variables), vague


def test_a_participle_and_a_vague_name_are_counted() -> None:
    names = ["told_moves", "_lent", "lay_out", "listed", "seed_of", "need_card", "wanted"]
    assert [name for name in names if PARTICIPLE.match(name)] == ["told_moves", "listed", "wanted"]
    tree = ast.parse("def told(own, battle):\n    rest = [one for one in own]")
    assert [name for _, name in names_in(tree)] == ["told", "own", "battle", "rest", "one"]
