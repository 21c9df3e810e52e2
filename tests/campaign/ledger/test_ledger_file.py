"""A long ledger is read a part at a time, and comes to the same; memory does not grow with its bytes."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from cardbattle.campaign.ledger import checkpoint, ledger_file
from cardbattle.campaign.ledger import ledger as ledgers
from cardbattle.campaign.ledger.ledger import Entry, Ledger, scan_ledger
from cardbattle.campaign.ledger.ledger_file import LedgerFile, open_ledger
from cardbattle.campaign.ledger.ledger_heads import Head, Heads
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.editing.hunks import Hunk
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.storage import store
from tests.benchmarks.campaign import found

REMARKS = ["", "\n\n", "# a remark of the umpire\n", "# é" + "x" * 300 + "\n\n"]


def written(path: Path, entries: int, chance: Random) -> bytes:
    """Write a ledger with remarks between its entries."""
    last, texts = "", [ledgers.LEDGER_HEADING]
    for revision in range(1, entries + 1):
        change = Change(("turn",), revision, revision + 1)
        entry = Entry(revision, "turn", [change], reason="é" * chance.randrange(90))
        sealed = ledgers.with_hash(entry, last)
        texts += [ledgers.entry_text(sealed), chance.choice(REMARKS)]
        last = sealed.check
    path.write_text("".join(texts), encoding="utf-8", newline="\n")
    return path.read_bytes()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read every ledger from the disk, 300 bytes at a time."""
    monkeypatch.setattr(ledger_file, "IN_MEMORY", 0)
    monkeypatch.setattr(ledger_file, "WINDOW", 300)
    monkeypatch.setattr(ledgers, "BLOCK", 300)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_a_ledger_read_in_parts_is_the_ledger_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history.toml"
    chance = Random(1)
    good = written(path, 20, chance)
    for _ in range(200):
        place = chance.randrange(len(good))
        cut = chance.randrange(place, len(good) + 1) if chance.randrange(2) else len(good)
        raw = good[:place] + bytes([chance.choice(good)]) + good[place + 1 : cut]
        path.write_bytes(raw)
        in_parts = scan_ledger(open_ledger(str(path), ledgers.MOST_LEDGER_BYTES))
        with monkeypatch.context() as patch:
            patch.setattr(ledgers, "BLOCK", 10**9)
            at_once = scan_ledger(raw)
        assert isinstance(in_parts.raw, LedgerFile)
        assert in_parts.heads == at_once.heads
        assert in_parts.damage == at_once.damage
        assert (in_parts.end, in_parts.tail) == (at_once.end, at_once.tail)
        assert in_parts.entries == at_once.entries
        assert all(in_parts.line(end) == 1 + raw.count(b"\n", 0, end) for end in at_once.ends)


@pytest.mark.usefixtures("small")
def test_bytes_of_a_ledger_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "history.toml"
    good = written(path, 5, Random(2))
    raw = open_ledger(str(path), ledgers.MOST_LEDGER_BYTES) + b"more of it"
    whole = good + b"more of it"
    assert len(raw) == len(whole)
    chance = Random(3)
    for _ in range(500):
        first, last = (chance.randrange(-len(whole), len(whole) + 9) for _ in "ab")
        assert raw[first:last] == whole[first:last]
    assert (raw[:], raw[-1:]) == (whole, b"t")


@pytest.mark.usefixtures("small")
def test_a_ledger_that_is_cut_while_it_is_read_is_an_error_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "history.toml"
    good = written(path, 20, Random(4))
    ledger = scan_ledger(open_ledger(str(path), ledgers.MOST_LEDGER_BYTES))
    path.write_bytes(good[:2000])
    with pytest.raises(NeedsUmpire, match=r"history\.toml was changed while it was read"):
        ledger.entries  # noqa: B018
    path.write_bytes(good.replace(b"revision", b"rxvision"))
    with pytest.raises(NeedsUmpire, match=r"history\.toml was changed while it was read"):
        ledger.entry(20)


def most_memory(folder: Path, entries: int) -> int:
    """Return the peak memory, in bytes, to read a ledger with `entries` entries one by one."""
    found(folder, entries)
    store.read_ledger(str(folder))  # imports, patterns
    (folder / ".cardbattle.checkpoint").unlink(missing_ok=True)
    tracemalloc.start()
    try:
        for _ in range(2):  # without a checkpoint, then with one
            ledger = store.read_ledger(str(folder))
            assert (
                sum(ledger.entry(revision).revision == revision for revision in range(1, entries + 1))
                == entries
            )
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.heavy
def test_memory_grows_by_less_than_half_of_what_the_entries_take_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_file, "IN_MEMORY", 0)
    monkeypatch.setattr(ledger_file, "WINDOW", 20_000)
    monkeypatch.setattr(ledgers, "BLOCK", 20_000)
    monkeypatch.setattr(
        ledgers, "read_trusted", ledgers.read_trusted.__wrapped__
    )  # no cache, which is limited
    few, many = (most_memory(tmp_path, entries) for entries in (200, 1200))
    assert (tmp_path / "history.toml").stat().st_size / 1200 > 700
    assert (many - few) / 1000 < 350


HEADS = [
    Head(10, "battle", "mill", (1, 1), [], "records/mill.toml", "sha256:" + "0a" * 32, True, "1b" * 32),
    Head(20, "undo", "", (1, 2), [1, 7], "", "", False, "2c" * 32),
    Head(35, "redo", "x", (2, 2), [2], "", "sha256:" + "0A" * 32, False, "not a hash"),
    Head(2**40, "turn", "", (1, 1), [], "", "0a" * 32, False, "3d" * 16 + " " + "3d" * 16),
]


def test_heads_in_columns_are_the_heads_that_were_added() -> None:
    heads = Heads(HEADS)
    assert [*heads] == HEADS
    assert (heads[-1], heads[1:3], len(heads)) == (HEADS[-1], Heads(HEADS[1:3]), 4)
    other = heads.copy()
    other.append(HEADS[0])
    assert ([*heads], [*other]) == (HEADS, [*HEADS, HEADS[0]])
    with pytest.raises(IndexError):
        heads[4]
    assert heads.revisions(("undo", "redo"), 2) == [2]


def test_a_checkpoint_keeps_every_head(tmp_path: Path) -> None:
    left: dict[tuple[str, ...], object] = {("turn",): 4, ("pending", "x"): {"id": "x"}}
    ledger = Ledger(b"x" * 40, Heads(HEADS[:3]), None, left, True, knows_values=True)
    checkpoint.write_checkpoint(str(tmp_path), ledger)
    assert checkpoint.read_checkpoint(str(tmp_path), b"x" * 40) == ledger


def test_a_verified_entry_is_read_without_its_checks_to_the_same() -> None:
    """In this entry every value is another than the default, so that a new key cannot be forgotten."""
    changes = [
        Change(("turn",), 1, 2),
        Change(("pending", "mill"), {"id": "mill"}, None, "[[pending]]\n", 3, 25),
    ]
    result = Result(["york"], {"york": SideResult(3, Fraction(1, 5)), "rose": SideResult(0, Fraction(1))})
    entry = Entry(
        2, "battle", changes, "mill", (1, 2), [1], "records/mill.toml", "sha256:0", result, ["why"], "reason",
        "text", 4, "1403-07-21", {"slot": 1}, [{"id": "x"}], "ab", "cd", True, "2026-11-24T05:48:14Z",
        [Hunk(4, "above\n", "before\n", "after\n", "below\n")], "generated",
        [Change(("format",), 1, 1)],
    )  # fmt: skip
    table = {**entry.ledger_table(), "check": entry.check}
    assert set(table) == set(ledgers.KEYS)
    assert not any(value == entry._field_defaults.get(name) for name, value in entry._asdict().items())
    assert ledgers.trust_entry(table) == ledgers.read_entry(table, []) == entry
