"""The checkpoint only saves reading. If it is damaged, the ledger still counts."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cardbattle.campaign import check
from cardbattle.campaign.ledger import checkpoint, umpire_changes
from cardbattle.campaign.ledger import ledger as ledgers
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.storage import store
from cardbattle.files import disk
from tests.campaign.storage.test_store import Begun, run_with_each, survive_power_cuts
from tests.campaign.storage.test_store import begun as begun  # the same fixtures
from tests.campaign.storage.test_store import copies as copies
from tests.campaign.storage.test_store import no_waiting_for_the_disk as no_waiting_for_the_disk
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support import marches
from tests.support.faults import KINDS

TURNS = 5


@pytest.fixture(autouse=True)
def each_command_in_its_own_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what earlier commands of this process have verified."""
    monkeypatch.setattr(store, "verified", [])
    monkeypatch.setattr(store, "remember", lambda ledger: ledger)


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the checkpoint after every command."""
    monkeypatch.setattr(checkpoint, "EVERY", 1)


@pytest.fixture
def folder(tmp_path: Path, often: None) -> Path:
    """Make a campaign with a few entries, all of them vouched for."""
    folder = tmp_path / "c"
    marches.folder_with(folder)
    battles = [marches.fought(store.load(str(folder)), name) for name in ("bridge", "wood")]
    marches.record(str(folder), *battles)
    next_turns(folder, TURNS)
    return folder


def next_turns(folder: Path, count: int) -> None:
    for _ in range(count):
        with store.open_for_writing(str(folder)) as desk:
            desk.commit([umpire_changes.next_turn(desk.books)])


def entries_read(folder: Path, monkeypatch: pytest.MonkeyPatch, *, whole: bool = False) -> int:
    """Load the ledger, compare it with one read from the beginning, and return how much was read."""
    count = 0
    right = ledgers.add_entry

    def counted(lines: bytes, end: int, walk: ledgers.Walk) -> str:
        nonlocal count
        count += 1
        return right(lines, end, walk)

    with monkeypatch.context() as patch:
        patch.setattr(ledgers, "add_entry", counted)
        found = store.load_ledger(str(folder), whole=whole)
    assert found == ledgers.scan_ledger((folder / "history.toml").read_bytes())
    return count


def test_only_what_came_after_the_checkpoint_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert entries_read(folder, monkeypatch) == 0
    assert entries_read(folder, monkeypatch, whole=True) == 2 + TURNS
    monkeypatch.setattr(checkpoint, "EVERY", 100)
    next_turns(folder, 3)
    assert entries_read(folder, monkeypatch) == 3


def test_it_is_written_when_enough_has_come_together(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "EVERY", 3)
    path = folder / checkpoint.NAME
    before = path.read_bytes()
    next_turns(folder, 2)
    assert path.read_bytes() == before
    next_turns(folder, 1)
    assert path.read_bytes() != before
    assert entries_read(folder, monkeypatch) == 0


def test_check_writes_none(folder: Path) -> None:
    (folder / checkpoint.NAME).unlink()
    store.load_ledger(str(folder))
    assert check.check(str(folder)) == []
    assert not (folder / checkpoint.NAME).exists()


def test_a_command_that_reads_writes_one_for_the_next(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / checkpoint.NAME).unlink()
    first = store.read_ledger(str(folder))
    assert entries_read(folder, monkeypatch) == 0
    written = (folder / checkpoint.NAME).stat()
    assert store.read_ledger(str(folder)) == first
    assert (folder / checkpoint.NAME).stat() == written  # which had nothing new to say


@pytest.mark.parametrize("command", ["show", "standings", "history", "report"])
def test_a_command_that_reads_verifies_each_entry_once(
    command: str, folder: Path, sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / checkpoint.NAME).unlink()
    first = sh("campaign", "-C", str(folder), command)
    assert entries_read(folder, monkeypatch) == 0
    assert sh("campaign", "-C", str(folder), command) == first
    assert first.code == 0


def test_a_reader_writes_none_while_another_process_writes(folder: Path) -> None:
    (folder / checkpoint.NAME).unlink()
    with store.hold_lock(str(folder)):
        store.read_ledger(str(folder))
    assert not (folder / checkpoint.NAME).exists()


def test_a_reader_writes_none_over_that_of_a_longer_ledger(folder: Path) -> None:
    before = store.load_ledger(str(folder))
    next_turns(folder, 1)
    newer = (folder / checkpoint.NAME).read_bytes()
    store.refresh_checkpoint(str(folder), before)
    assert (folder / checkpoint.NAME).read_bytes() == newer


@pytest.mark.parametrize("fault", ["lock", "replace", "permission"])
def test_a_reader_needs_no_folder_that_can_be_written(
    fault: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / checkpoint.NAME).unlink()
    (folder / store.LOCK).unlink()
    if fault == "lock":
        (folder / store.LOCK).mkdir()  # so that it cannot be opened, as in a folder that is read-only
    elif fault == "replace":

        def refuse(path: str, content: bytes, temporary: str = "") -> None:
            raise OSError(30, "Read-only file system")

        monkeypatch.setattr(disk, "replace", refuse)
    else:
        folder.chmod(0o555)
    try:
        assert store.read_ledger(str(folder)).whole_entries == 2 + TURNS
    finally:
        folder.chmod(0o755)
    assert fault == "permission" or not (folder / checkpoint.NAME).exists()


@pytest.mark.parametrize("kind", ["damaged", "torn", "breached"])
def test_a_reader_vouches_for_no_ledger_that_does_not_hold_good(kind: str, folder: Path) -> None:
    (folder / checkpoint.NAME).unlink()
    path = folder / "history.toml"
    good = path.read_bytes()
    if kind == "damaged":
        path.write_bytes(good.replace(b'kind = "turn"', b'kind = "burn"', 1))
    elif kind == "torn":
        path.write_bytes(good[:-9])
    else:
        ledger = ledgers.scan_ledger(good)
        entry = ledgers.Entry(ledger.whole_entries + 1, "adjust", [Change(("turn",), 999, 1000)])
        sealed = ledgers.with_hash(entry, ledger.last_check)
        path.write_bytes(good + ledgers.entry_text(sealed).encode())
        assert ledgers.scan_ledger(path.read_bytes()).breaches
    store.read_ledger(str(folder))
    assert not (folder / checkpoint.NAME).exists()


@pytest.mark.slow
def test_an_edited_ledger_is_found_after_any_reader(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever byte changes, the ledger reads as one without a checkpoint does."""
    path = folder / "history.toml"
    good = path.read_bytes()
    store.read_ledger(str(folder))
    found = 0
    for place in range(0, len(good), 11):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        entries_read(folder, monkeypatch)  # which compares them
        ledger = store.read_ledger(str(folder))
        found += ledger.damage is not None
        if ledger.damage is None:  # a comment, or the space between two entries
            path.write_bytes(good)
            store.read_ledger(str(folder))
    assert found > len(good) / 11 * 0.9


def test_the_next_command_writes_one_that_was_lost(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "EVERY", 3)
    (folder / checkpoint.NAME).unlink()
    next_turns(folder, 1)
    assert entries_read(folder, monkeypatch) == 1


@pytest.mark.slow
def test_one_that_was_changed_by_a_letter_counts_for_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / checkpoint.NAME
    raw = path.read_bytes()
    for place in range(0, len(raw), 7):
        path.write_bytes(raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :])
        assert entries_read(folder, monkeypatch) == 2 + TURNS


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"no line end", b"\n[]", b"\n{}", b"\n[[]]", b"\n" + b"[" * 100_000, b"\n\xff"]
)
def test_one_that_is_none_counts_for_nothing(
    content: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / checkpoint.NAME).write_bytes(content)
    assert entries_read(folder, monkeypatch) == 2 + TURNS


def test_a_folder_in_its_place_is_no_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / checkpoint.NAME).unlink()
    (folder / checkpoint.NAME).mkdir()
    assert entries_read(folder, monkeypatch) == 2 + TURNS
    next_turns(folder, 1)
    assert check.check(str(folder)) == []


def test_of_another_ledger_it_counts_for_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Line ends of another system, an older copy, a changed entry."""
    path = folder / "history.toml"
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"\n", b"\r\n"))
    assert entries_read(folder, monkeypatch) == 2 + TURNS
    path.write_bytes(raw[: ledgers.scan_ledger(raw).ends[3]])
    assert entries_read(folder, monkeypatch) == 4
    path.write_bytes(raw.replace(b'kind = "turn"', b'kind = "burn"', 1))
    assert entries_read(folder, monkeypatch) == 3  # and there it stops


def test_check_reads_the_whole_ledger(folder: Path) -> None:
    """A checkpoint that vouches for damage is not believed."""
    path = folder / "history.toml"
    good = path.read_bytes()
    bad = good.replace(b'kind = "turn"', b'kind = "burn"', 1)
    path.write_bytes(bad)
    checkpoint.write_checkpoint(str(folder), dataclasses.replace(ledgers.scan_ledger(good), raw=bad))
    assert store.load_ledger(str(folder)).damage is None
    assert [error.text for error in check.check(str(folder))] == [
        f"history.toml is damaged at line {bad[: bad.index(b'revision = 3')].count(10)}: "
        "this entry was changed after it was written; restore it from a copy"
    ]


def test_single_entries_are_read_where_they_stand() -> None:
    """Comments between the entries, in any script, do not belong to the entries."""
    texts = [ledgers.Entry(place, "turn", [], reason=f"no. {place}") for place in (1, 2, 3)]
    sealed, last = [], ""
    for entry in texts:
        sealed.append(ledgers.with_hash(entry, last))
        last = sealed[-1].check
    raw = b"\xef\xbb\xbf# \xff\n" + b"# caf\xe9\n".join(ledgers.entry_text(one).encode() for one in sealed)
    ledger = ledgers.scan_ledger(raw)
    assert [ledger.entry(revision) for revision in (3, 1, 2)] == [sealed[2], sealed[0], sealed[1]]
    assert ledger.span(2, 3) == sealed[1:]
    assert ledger.entries == sealed


def test_a_disk_that_refuses_the_checkpoint_refuses_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = disk.replace

    def full(path: str, content: bytes, temporary: str = "") -> None:
        if os.path.basename(path) == checkpoint.NAME:
            raise OSError(28, "No space left on device")
        right(path, content, temporary)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "replace", full)
        next_turns(folder, 2)
    assert store.load(str(folder)).campaign.turn == 4 + TURNS + 2
    assert entries_read(folder, monkeypatch) == 2


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize(
    "third",
    [pytest.param(0, marks=pytest.mark.slow), *(pytest.param(n, marks=pytest.mark.heavy) for n in (1, 2))],
)
@pytest.mark.parametrize("fault", KINDS)
@pytest.mark.parametrize("begun", ["later"], indirect=True)
def test_one_fault_at_any_call_leaves_the_old_or_the_new(
    fault: str, third: int, begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_with_each(fault, begun, copies, monkeypatch, third) > 20


@pytest.mark.slow
@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("begun", ["together"], indirect=True)
def test_a_power_cut_at_any_moment_leaves_the_old_or_the_new(
    begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert survive_power_cuts(begun, copies, monkeypatch) > 20
