"""An entry in the program's own form is read without tomllib, to the same table; no other form is."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from random import Random

import pytest

from cardbattle.campaign.ledger import entry_parser
from cardbattle.campaign.ledger import ledger as ledgers
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.changes import Change
from tests.support.tally import tried

BATTLE: dict[str, object] = {
    "id": "mill",
    "sides": ["birch", ["vaughan", "pole"]],
    "options": {"birch": {"hand": 12}},
}
ENTRIES = {
    "turn": Entry(1, "turn", [Change(("turn",), None, 2)]),
    "battle": Entry(
        7,
        "battle",
        [
            Change(("forces", "birch", "strength"), 14, 9),
            Change(("forces", "birch", "destroyed"), None, True),
            Change(("locations", "mill", "owner"), None, "york"),
            Change(("pending", "mill"), BATTLE, None, '[[pending]]\nid = "mill" # \\ é\n\t"', 3, 25),
        ],
        id="mill",
        part=(1, 3),
        record="records/mill.toml",
        digest="sha256:" + "0" * 64,
        result=Result(
            ["birch"], {"birch": SideResult(3, Fraction(1, 5)), "vaughan": SideResult(0, Fraction(1))}
        ),
        forced=["Birch had strength 14 then, and has 9 now"],
        reason='{ a = 1 }, b = [ "]\u00fc\u2028',
    ),
    "undo": Entry(8, "undo", [], undoes=[6, 7], reason="[[entry]]\nrevision = 9"),
    "edit": Entry(9, "edit", [Change(("turn",), 1, -2)], pending=[BATTLE, {"id": "x"}]),
}  # fmt: skip
TEXTS = {
    name: ledgers.entry_text(ledgers.with_hash(entry, "")).lstrip("\n") for name, entry in ENTRIES.items()
}
PIECES = [
    "\n", " ", ",", '"', "\\", "[", "]", "{", "}", " = ", "=", "0", "-", "1.5", "1979-05-27", "é", "\0", "\1",
    "#", "\r", "\t", "true", "a = 1", "{ a = 1, a = 2 }", "\\ud800", "\\u00e9", "\\/", "\\U0001F600", "'x'",
    "[1, ]", '"""', "_", "+", "0x1", "inf", "9" * 30, "\x7f", "key", "x.y", '"x" = 1', "[[entry]]\n",
    "[entry.x]\n",
]  # fmt: skip


def by_tomllib(text: str) -> object:
    """Return the table of the only entry in a TOML text, or None."""
    try:
        return ledgers.lone_table(tomllib.loads(text))
    except (ValueError, RecursionError):
        return None


@pytest.mark.parametrize("name", TEXTS)
def test_what_the_program_writes_is_read_plainly(name: str) -> None:
    table = entry_parser.read_plain(TEXTS[name])
    assert table is not None
    assert table == by_tomllib(TEXTS[name])
    assert list(table) == list(tomllib.loads(TEXTS[name])["entry"][0])


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_what_is_read_plainly_is_what_toml_says(name: str) -> None:
    chance, text, taken = Random(name), TEXTS[name], 0
    for _ in range(3000):
        start = chance.randrange(len(text))
        end = start + chance.choice((0, 0, 1, 1, 2, 9))
        other = text[:start] + chance.choice([*PIECES, text[end : end + 30], ""]) + text[end:]
        table = entry_parser.read_plain(other)
        if table is not None:
            taken += 1
            assert repr(table) == repr(by_tomllib(other))
    assert taken
    tried("ledger entries changed by a few letters, read with and without tomllib", 3000)


@pytest.mark.parametrize("depth", range(1, 9))
def test_a_value_nested_deeper_than_any_of_ours_is_left_to_tomllib(depth: int) -> None:
    for opened, closed in (("[", "]"), ("{ a = ", " }")):
        text = f"[[entry]]\nx = {opened * depth}1{closed * depth}\n"
        table = entry_parser.read_plain(text)
        assert (table is None) == (depth > entry_parser.LEVELS)
        assert table is None or table == by_tomllib(text)


def test_a_ledger_is_the_same_in_either_form_and_in_parts() -> None:
    last, texts = "", [ledgers.LEDGER_HEADING]
    for revision in range(1, 30):
        entry = ledgers.with_hash(Entry(revision, "turn", [Change(("turn",), revision, revision + 1)]), last)
        texts.append(ledgers.entry_text(entry))
        last = entry.check
    ours = ledgers.scan_ledger("".join(texts).encode())
    saved = ledgers.scan_ledger(
        "".join(texts).replace("revision = ", "revision  =  ").replace("\n", "\r\n").encode()
    )
    assert entry_parser.read_plain(texts[1].lstrip("\n")) is not None
    assert entry_parser.read_plain(texts[1].lstrip("\n").replace(" = ", "  =  ")) is None
    assert ours.damage is saved.damage is None
    assert ours.entries == saved.entries
    later = ledgers.scan_ledger(ours.raw, ledgers.Ledger(ours.raw[: ours.ends[9]], ours.heads[:10]))
    assert later.entries == ours.entries


def test_no_pattern_is_compiled_for_a_long_entry() -> None:
    changes = "".join(
        f'    {{ key = "forces.f{n}.strength", before = {n}, after = 3 }},\n' for n in range(90)
    )
    text = f"[[entry]]\nrevision = 1\nchanges = [\n{changes}]\n"
    before = sum(map(len, entry_parser.SEEN.values()))
    [wanted] = tomllib.loads(text)["entry"]
    assert entry_parser.read_plain(text) == wanted
    assert sum(map(len, entry_parser.SEEN.values())) == before
