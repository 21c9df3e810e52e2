"""Long documents are written a part at a time: to the same text, in memory that does not grow with them."""

from __future__ import annotations

import io
import json
import os
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from rich.text import Text

from cardbattle.campaign.ledger import ledger as ledgers
from cardbattle.campaign.ledger import ledger_file
from cardbattle.cli.app import run
from cardbattle.show.console import console
from cardbattle.show.document import Document, Item, Items, Repeatable, Title
from cardbattle.show.layout import hung, hung_plainly
from cardbattle.show.writers.formats import FORMATS, parts, render
from cardbattle.show.writers.jsontext import json_parts, to_json
from cardbattle.show.writers.terminal import to_terminal
from tests.benchmarks.campaign import found

WORDS = [
    "a",
    "of",
    "Harry",
    "Percy,",
    "t4-shrewsbury",
    "x" * 12,
    "x" * 30,
    " ",
    "caf\u00e9",
    "\u7e54\u7530",
    "tab\tbed",
]


@pytest.mark.parametrize("seed", range(5))
def test_plain_words_are_laid_out_as_all_others(seed: int) -> None:
    chance = Random(seed)
    screen, taken = console(io.StringIO(), False, 80), 0
    for _ in range(400):
        words = " ".join(chance.choice(WORDS[: chance.choice((6, 11))]) for _ in range(chance.randrange(30)))
        width, lead, indent = chance.randrange(6, 90), "1234567"[: chance.randrange(7)], chance.randrange(5)
        ours = hung_plainly(words, width, lead, indent)
        if ours is not None:
            taken += 1
            theirs = hung(Text(words), width, screen, Text(lead), indent)
            assert ours == [line.plain for line in theirs]
    assert taken > 50


def test_json_written_in_parts_is_the_json_of_the_whole() -> None:
    values: list[object] = [{"a": [1, {"b": "x\ny"}], "c": "\u202e"}, [], {}, "text", None]
    for many in (values, [], values[:1]):
        whole = {"schema": 1, "entries": many, "more": {"x": [1, 2]}}
        streamed = {**whole, "entries": Repeatable(many.copy)}
        assert "".join(json_parts(streamed)) == to_json(whole) == to_json(streamed)
        assert json.loads(to_json(streamed)) == whole
    assert "".join(json_parts({})) == to_json({})


@pytest.mark.parametrize("form", FORMATS)
def test_a_repeatable_list_reads_as_any_other_in_every_format(form: str) -> None:
    items = [Item(f"{number}.", f"told {number} " * 20, ["a note"] * (number % 2)) for number in range(1, 9)]
    both = []
    for many in (items, Repeatable(lambda: iter(items))):
        document = Document("many", [Title("Many"), Items(many, "numbered")], {"n": 1})
        if form == "text":
            page = io.StringIO()
            to_terminal(document, console(page, False, 80))
            both.append(page.getvalue())
        elif form not in ("csv", "toml"):
            both.append(render(document, form))
            assert "".join(parts(document, form)) == both[-1]
    assert both[:1] == both[1:]


def test_an_empty_list_leaves_no_empty_line() -> None:
    page = io.StringIO()
    to_terminal(
        Document("none", [Title("None"), Items(Repeatable(lambda: iter(())))], {}), console(page, False, 80)
    )
    assert page.getvalue() == "None\n"


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let nothing that is printed stay in memory, and every ledger be read in parts."""
    monkeypatch.setattr(ledger_file, "IN_MEMORY", 0)
    monkeypatch.setattr(ledger_file, "WINDOW", 20_000)
    monkeypatch.setattr(ledgers, "BLOCK", 20_000)
    with open(os.devnull, "w", encoding="utf-8") as null:
        monkeypatch.setattr(sys, "stdout", null)
        yield


def most_memory(folder: Path, entries: int, form: str) -> int:
    """Return the peak memory, in bytes, to print the history of `entries` entries."""
    found(folder, entries)
    (folder / ".cardbattle.checkpoint").unlink(missing_ok=True)
    arguments = ["campaign", "-C", str(folder), "history", "--format", form]
    assert run(arguments) == 0  # imports, patterns, a checkpoint
    tracemalloc.start()
    try:
        assert run(arguments) == 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.heavy
@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("form", ["text", "plain", "json"])
def test_history_takes_less_memory_for_an_entry_than_half_of_its_bytes(form: str, tmp_path: Path) -> None:
    few, many = (most_memory(tmp_path, entries, form) for entries in (400, 1600))
    assert (many - few) / 1200 < 350
    assert (tmp_path / "history.toml").stat().st_size / 1600 > 700
