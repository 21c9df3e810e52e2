from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cardbattle.campaign import check
from cardbattle.campaign.ledger import ledger, operations, umpire_changes, undo
from cardbattle.campaign.state import paths
from cardbattle.campaign.state.battle_result import BattleResult
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.errors import InUse, NeedsUmpire
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.store import Transaction
from cardbattle.core.errors import InvalidInput
from cardbattle.files import disk
from cardbattle.files.errors import SystemFailure
from tests.support import marches
from tests.support.faults import DEATHS, FAULTS, KINDS, Died, Disk, FaultySystem, WatchedSystem
from tests.support.tally import tried

BEFORE = 14  # percy's strength
BRIDGE = marches.decided("bridge", "percy", percy="1/7", stafford="1/2")


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let fsync be a word only: the faults and the power cuts know when it was said."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


class Begun(NamedTuple):
    """A campaign's folder in which battles are about to be recorded together."""

    folder: Path
    battles: list[BattleResult]
    revision: int


@pytest.fixture(scope="module", params=["first", "later", "together"])
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Begun:
    folder = tmp_path_factory.mktemp(request.param)
    marches.folder_with(folder)
    if request.param == "later":
        for _ in range(2):
            with store.open_for_writing(str(folder)) as desk:
                desk.commit([umpire_changes.next_turn(desk.books)])
    books = store.load(str(folder))
    names = ["bridge", "wood"] if request.param == "together" else ["bridge"]
    battles = [marches.fought(books, name) for name in names]
    return Begun(folder, battles, books.campaign.revision)


@pytest.fixture
def copies(begun: Begun, tmp_path: Path) -> Callable[[], Path]:
    numbers = itertools.count()

    def copy() -> Path:
        return Path(shutil.copytree(begun.folder, tmp_path / str(next(numbers))))

    return copy


def survey(folder: Path, begun: Begun) -> bool:
    """Run the next command; say whether the battles are recorded. They all are, wholly, or none is."""
    with store.open_for_writing(str(folder)) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
    campaign = store.load(str(folder)).campaign
    entries = store.load_ledger(str(folder))
    recorded = entries.find("bridge") is not None
    count = len(begun.battles) if recorded else 0
    assert entries.whole_entries == len(entries.entries) == campaign.revision == begun.revision + 1 + count
    assert (campaign.forces["percy"].strength == BEFORE) != recorded
    for battle in begun.battles:
        assert (entries.find(battle.id) is not None) == recorded
        assert (campaign.battle(battle.id) is None) == recorded
    assert check.check(str(folder)) == []
    return recorded


def attempt(folder: Path, begun: Begun, system: object, monkeypatch: pytest.MonkeyPatch) -> str:
    """Record the battle on this system; return what was said of it."""
    with monkeypatch.context() as patch:
        patch.setattr(disk, "os", system)
        patch.setattr(disk, "exchange", getattr(system, "exchange", disk.exchange))
        try:
            marches.record(str(folder), *begun.battles)
        except Died:
            return "nothing said"
        except SystemFailure as error:
            text = str(error)
            if "nothing was recorded" in text:
                return "refused"
            return "recorded" if "is recorded" in text else "unclear"
        return "recorded"


def judge(said: str, recorded: bool) -> None:
    """See that what was said to be recorded is, and that what was refused is not."""
    assert (said, recorded) not in [("recorded", False), ("refused", True)]


def run_with(faults: dict[int, str], folder: Path, begun: Begun, monkeypatch: pytest.MonkeyPatch) -> int:
    """Record the battle with faults and judge what is left; return how many calls were made."""
    system = FaultySystem(faults)
    said = attempt(folder, begun, system, monkeypatch)
    system.bury()
    judge(said, survey(folder, begun))
    tried(["commits without a fault", "single faults", "pairs of faults"][len(faults)])
    shutil.rmtree(folder)
    return system.count


def run_with_each(
    fault: str, begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, third: int = -1
) -> int:
    """Record the battle once for each call that can go wrong, or for a third of them; return how many calls.

    A third of the calls is another one for each fault, so that each call goes wrong in some way.
    """
    calls = run_with({}, copies(), begun, monkeypatch)
    first = (KINDS.index(fault) + third) % 3
    for call in range(1, calls + 1) if third < 0 else range(1 + first, calls + 1, 3):
        run_with({call: fault}, copies(), begun, monkeypatch)
    return calls


def test_a_commit_makes_these_calls(
    begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = WatchedSystem()
    folder = copies()
    assert attempt(folder, begun, watched, monkeypatch) == "recorded"
    names = [
        (step[0], os.path.basename(step[-1] if step[0] in ("move", "exchange") else step[1]))
        for step in watched.log
    ]
    steps = [step for step in names if step[0] in ("move", "exchange", "sync")]
    expected = []
    for battle in begun.battles:
        expected.append(("sync", folder.name))  # records/ was made
        expected += [("sync", ".cardbattle.tmp"), ("move", f"{battle.id}.toml"), ("sync", "records")]
    expected.append(("sync", "history.toml"))
    if not begun.revision:
        expected.append(("sync", folder.name))  # history.toml was made
    expected += [("sync", ".cardbattle.tmp"), ("exchange", "campaign.toml"), ("sync", folder.name)]
    assert steps == expected


@pytest.mark.parametrize(
    "third",
    [pytest.param(0, marks=pytest.mark.slow), *(pytest.param(n, marks=pytest.mark.heavy) for n in (1, 2))],
)
@pytest.mark.parametrize("fault", KINDS)
def test_one_fault_at_any_call_leaves_the_old_or_the_new(
    fault: str, third: int, begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_with_each(fault, begun, copies, monkeypatch, third) > 15


@pytest.mark.heavy
@pytest.mark.parametrize("first", [fault for fault in FAULTS if fault not in DEATHS])
def test_two_faults_leave_the_old_or_the_new(
    first: str, begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = run_with({}, copies(), begun, monkeypatch)
    for one, two in itertools.combinations(range(1, calls + 4), 2):
        for second in ("die before", "EIO"):
            run_with({one: first, two: second}, copies(), begun, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("begun", ["together"], indirect=True)
def test_a_fault_while_the_next_command_repairs_changes_nothing_either(
    begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = run_with({}, copies(), begun, monkeypatch)
    for death in range(calls - 5, calls + 1):
        for fault in ("die after", "write half and die"):
            for call in range(1, 8):
                folder = copies()
                first = FaultySystem({death: fault})
                attempt(folder, begun, first, monkeypatch)
                first.bury()
                run_with({call: fault}, folder, begun, monkeypatch)


def power_cuts(begun: Begun, folder: Path, watched: WatchedSystem) -> Iterator[tuple[bool, dict[str, bytes]]]:
    """Yield what the disk may hold after a power cut at any moment, and whether success was told."""
    disk_state = Disk(begun.folder)
    here, there = str(begun.folder.resolve()), str(folder.resolve())
    seen: set[tuple[bool, tuple[tuple[str, bytes], ...]]] = set()
    log = [tuple(part.replace(there, here) if isinstance(part, str) else part for part in step)
           for step in watched.log]  # fmt: skip
    for done in range(len(log) + 1):
        told = done == len(log)
        for state in disk_state.survivors():
            frozen = (told, tuple(sorted(state.items())))
            if frozen not in seen:
                seen.add(frozen)
                yield told, {path.replace(here, there): content for path, content in state.items()}
        if done < len(log):
            disk_state.do(log[done])


def survive_power_cuts(
    begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, deaf: str = ""
) -> int:
    """Record the battle, cut the power at every moment, judge every state; return how many."""
    original = copies()
    watched = WatchedSystem(deaf)
    assert attempt(original, begun, watched, monkeypatch) == "recorded"
    states = list(power_cuts(begun, original, watched))
    for told, state in states:
        shutil.rmtree(original)
        for path, content in state.items():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            Path(path).write_bytes(content)
        judge("recorded" if told else "nothing said", survey(original, begun))
        tried("states of the disk after a power cut" if not deaf else "such states of broken stores")
    return len(states)


@pytest.mark.slow
def test_a_power_cut_at_any_moment_leaves_the_old_or_the_new(
    begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert survive_power_cuts(begun, copies, monkeypatch) > 15


@pytest.mark.slow
@pytest.mark.parametrize("deaf", [".cardbattle.tmp", "history.toml"])
def test_the_power_cuts_find_a_store_that_forgets_an_fsync(
    deaf: str, begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises((AssertionError, NeedsUmpire, InvalidInput)):
        survive_power_cuts(begun, copies, monkeypatch, deaf)


@pytest.mark.slow
def test_the_faults_find_a_store_that_writes_the_state_first(
    begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Transaction.append

    def state_first(desk: Transaction, longer: ledger.Ledger) -> None:
        entries = longer.span(desk.ledger.whole_entries + 1, longer.whole_entries)
        desk.replace(desk.content_of(store.text_after(desk.books.source, entries)), entries)
        right(desk, longer)

    monkeypatch.setattr(Transaction, "append", state_first)
    monkeypatch.setattr(Transaction, "replace", Transaction.replace)
    with pytest.raises((AssertionError, NeedsUmpire)):
        run_with_each("die after", begun, copies, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("begun", ["together"], indirect=True)
def test_a_command_given_again_after_a_crash_is_done_once(
    begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = run_with({}, copies(), begun, monkeypatch)
    for call in range(1, calls + 1):
        folder = copies()
        system = FaultySystem({call: "die before"})
        attempt(folder, begun, system, monkeypatch)
        system.bury()
        marches.record(str(folder), *begun.battles)
        campaign = store.load(str(folder)).campaign
        assert campaign.revision == begun.revision + len(begun.battles)
        assert check.check(str(folder)) == []


def test_an_old_file_saved_while_another_is_repaired_is_repaired_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = marches.folder_with(tmp_path)
    file = tmp_path / "campaign.toml"
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
    file.write_text(marches.MARCHES)
    right, saves = Transaction.read, [1, 1]

    def saved_and_read(desk: Transaction) -> None:
        if desk.raw and saves:
            saves.pop()
            file.write_text(marches.MARCHES)
        right(desk)

    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "read", saved_and_read)
        with store.open_for_writing(folder) as desk:
            assert len(desk.notes) == 3
            desk.commit([umpire_changes.next_turn(desk.books)])
    assert store.load(folder).campaign.turn == 6
    assert check.check(folder) == []


def test_entries_left_by_a_crash_are_made_durable_before_the_file_follows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise, a power cut could remove them although the file already has their values."""
    folder = marches.folder_with(tmp_path)
    marches.record(folder, BRIDGE)
    (tmp_path / "campaign.toml").write_text(marches.MARCHES)
    watched = WatchedSystem()
    with monkeypatch.context() as patch:
        patch.setattr(disk, "os", watched)
        patch.setattr(disk, "exchange", watched.exchange)
        check.repair(folder)
    steps = [(step[0], os.path.basename(step[-1])) for step in watched.log]
    assert steps.index(("sync", "history.toml")) < steps.index(("exchange", "campaign.toml"))


def test_a_record_left_by_a_crash_is_made_durable_before_it_counts(
    begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copies()
    (folder / "records").mkdir()
    for battle in begun.battles:
        (folder / "records" / f"{battle.id}.toml").write_text(battle.record)
    watched = WatchedSystem()
    attempt(folder, begun, watched, monkeypatch)
    synced = [os.path.basename(step[1]) for step in watched.log if step[0] == "sync"]
    for battle in begun.battles:
        assert synced[:3] == [folder.name, f"{battle.id}.toml", "records"]
        del synced[:3]
    assert synced[0] == "history.toml"


def test_a_change_computed_before_is_recorded_if_it_still_fits(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    change = Change(("forces", "percy", "strength"), 14, 20)
    entries = marches.commit(folder, "adjust", [change], reason="reinforced")
    assert [(entry.revision, entry.kind, entry.reason) for entry in entries] == [(1, "adjust", "reinforced")]
    assert store.load(folder).campaign.forces["percy"].strength == 20
    with pytest.raises(NeedsUmpire, match="should be 14 before it becomes 21, but is 20"):
        marches.commit(folder, "adjust", [change._replace(after=21)])
    with store.open_for_writing(folder) as desk:
        assert desk.commit([]) == []


def test_a_record_never_leaves_its_folder(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path / "campaign")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "campaign" / "records").symlink_to(tmp_path / "elsewhere")
    entry = ledger.Entry(0, "battle", [], id="x", record="records/../../x.toml")
    with (
        pytest.raises(NeedsUmpire, match="the ledger rejects entry 1"),
        store.open_for_writing(folder) as desk,
    ):
        desk.commit([operations.Operation(entry, "a = 1\n")])
    assert not (tmp_path / "x.toml").exists()
    marches.record(folder, marches.fought(store.load(folder), "bridge"))
    assert (tmp_path / "elsewhere" / "bridge.toml").exists()


def test_a_group_that_stops_in_the_middle_is_put_aside_only_if_the_state_has_none_of_it(
    tmp_path: Path,
) -> None:
    folder = marches.folder_with(tmp_path)
    battles = [BRIDGE, marches.decided("wood", "percy", percy="0", stafford="1/2")]
    marches.record(folder, *battles)
    file = tmp_path / "history.toml"
    whole = store.load_ledger(folder)
    file.write_bytes(whole.raw[: whole.ends[0]])
    with pytest.raises(NeedsUmpire, match=r"history\.toml ends in the middle of a group; restore it"):
        check.repair(folder)
    (tmp_path / "campaign.toml").write_text(marches.MARCHES)
    assert len(check.repair(folder)) == 1
    assert store.load_ledger(folder).whole_entries == 0


def test_bytes_put_aside_before_are_never_overwritten(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    (tmp_path / "history.toml.torn-0").write_text("kept")
    (tmp_path / "history.toml").write_bytes(b"[[entry]]\nrev")
    assert "history.toml.torn-0-2" in check.repair(folder)[0]
    assert (tmp_path / "history.toml.torn-0").read_text() == "kept"
    (tmp_path / "history.toml").write_bytes(b"[[entry]]\nrev")
    assert "history.toml.torn-0-2" in check.repair(folder)[0]


def test_an_editor_that_saves_meanwhile_keeps_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = marches.folder_with(tmp_path)
    file = tmp_path / "campaign.toml"
    words = r"battle bridge is recorded; campaign\.toml was saved by another program"
    append = Transaction.append

    def append_while_edited(desk: Transaction, longer: ledger.Ledger) -> None:
        append(desk, longer)
        file.write_text(file.read_text().replace("turn = 4", "turn = 5  # Tuesday"))

    monkeypatch.setattr(Transaction, "append", append_while_edited)
    with pytest.raises(NeedsUmpire, match=words):
        marches.record(folder, BRIDGE)
    monkeypatch.undo()
    assert "revision = 0" in file.read_text()
    assert [error.text.split(";")[0] for error in check.check(folder)] == [
        "battle bridge is recorded, but not yet in campaign.toml"
    ]
    assert check.repair(folder) == ["campaign.toml was brought up to revision 1: battle bridge"]
    assert "turn = 5  # Tuesday" in file.read_text()
    assert store.load(folder).campaign.forces["stafford"].strength == 6
    assert check.check(folder) == []


def test_a_revision_that_was_set_too_low_by_hand_is_named_with_the_right_number(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    file = tmp_path / "campaign.toml"
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.rename_key(desk.books, "stafford", "egrets")])
    with store.open_for_writing(folder) as desk:
        desk.commit([operations.adjust(desk.books, "forces.egrets.strength", "2")])
    with store.open_for_writing(folder) as desk:
        desk.commit([undo.undo(desk.books, desk.ledger, "1")])
    file.write_text(file.read_text().replace("revision = 3", "revision = 1"))
    error = "revision is 1, but campaign.toml has all changes up to 3; write revision = 3"
    assert [str(found) for found in check.check(folder)] == [f"campaign.toml:5: {error}"]
    with pytest.raises(NeedsUmpire, match=error), store.open_for_writing(folder):
        pass


def test_an_editor_that_changed_the_same_value_meets_its_umpire(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    file = tmp_path / "campaign.toml"
    old = file.read_bytes()
    marches.record(folder, BRIDGE)
    file.write_bytes(old.replace(b"strength = 8", b"strength = 7"))
    with pytest.raises(
        NeedsUmpire, match=r"forces\.stafford\.strength should be 8 before it becomes 6, but is 7"
    ):
        check.repair(folder)
    file.write_bytes(old.replace(b"strength = 8", b"strength = 6"))
    check.repair(folder)
    assert store.load(folder).campaign.forces["stafford"].strength == 6
    assert check.check(folder) == []


def saved_in_place(file: Path, text: str) -> None:
    """Save as editors do that write into the file."""
    file.write_text(text)


def saved_by_moving(file: Path, text: str) -> None:
    """Save as editors do that write another file and move it onto this one."""
    other = file.with_suffix(".swp")
    other.write_text(text)
    other.replace(file)


@pytest.mark.parametrize("save", [saved_in_place, saved_by_moving])
def test_what_an_editor_saves_in_the_very_moment_is_kept_beside(
    save: Callable[[Path, str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the last look and the replacement; no such moment is long, but each is one."""
    folder = marches.folder_with(tmp_path)
    file = tmp_path / "campaign.toml"
    mine = marches.MARCHES.replace("turn = 4", "turn = 4  # Tuesday")
    exchange = disk.exchange

    def exchange_after_a_save(one: str, other: str) -> bool:
        save(file, mine)
        return exchange(one, other)

    monkeypatch.setattr(disk, "exchange", exchange_after_a_save)
    words = (
        r"battle bridge is recorded; another program saved .* is kept as campaign\.toml\.overtaken-1; copy"
    )
    with pytest.raises(NeedsUmpire, match=words):
        marches.record(folder, BRIDGE)
    assert (tmp_path / "campaign.toml.overtaken-1").read_text() == mine
    assert store.load(folder).campaign.revision == 1
    assert not (tmp_path / ".cardbattle.tmp").exists()
    assert check.check(folder) == []


def test_where_files_cannot_change_places_a_save_into_the_file_is_kept_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = marches.folder_with(tmp_path)
    mine = marches.MARCHES.replace("turn = 4", "turn = 4  # Tuesday")
    move = disk.move

    def move_after_a_save(source: str, target: str) -> None:
        if target.endswith("campaign.toml"):
            saved_in_place(Path(target), mine)
        move(source, target)

    monkeypatch.setattr(disk, "exchange", lambda one, other: False)
    monkeypatch.setattr(disk, "move", move_after_a_save)
    with pytest.raises(NeedsUmpire, match="is kept as"):
        marches.record(folder, BRIDGE)
    assert (tmp_path / "campaign.toml.overtaken-1").read_text() == mine
    monkeypatch.undo()
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".cardbattle.lock", "campaign.toml", "campaign.toml.overtaken-1", "history.toml",
    ]  # fmt: skip


def test_a_file_saved_while_it_is_brought_up_to_date_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = marches.folder_with(tmp_path)
    marches.record(folder, BRIDGE)
    (tmp_path / "campaign.toml").write_text(marches.MARCHES)
    mine = marches.MARCHES.replace("turn = 4", "turn = 4  # Tuesday")
    beside = disk.write_beside

    def beside_and_saved(*how: object) -> str:
        saved_by_moving(tmp_path / "campaign.toml", mine)
        return beside(*how)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(disk, "write_beside", beside_and_saved)
        with pytest.raises(
            NeedsUmpire, match="was saved by another program at the same time and is left alone"
        ):
            check.repair(folder)
    assert (tmp_path / "campaign.toml").read_text() == mine
    assert check.repair(folder) == ["campaign.toml was brought up to revision 1: battle bridge"]
    assert "# Tuesday" in (tmp_path / "campaign.toml").read_text()


def test_a_ledger_cut_short_is_put_aside_and_said_so(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
    with (tmp_path / "history.toml").open("ab") as file:
        file.write(b"\n[[entry]]\nrevision = 2\nki")
    assert [str(error) for error in check.check(folder)] == [
        "history.toml:50: the last entry is incomplete and was never recorded; the next command that "
        "writes finishes it, or: cardbattle campaign check --repair"
    ]
    assert check.repair(folder) == [
        "history.toml: 26 bytes of an unfinished entry were moved to history.toml.torn-1"
    ]
    assert (tmp_path / "history.toml.torn-1").read_bytes() == b"\n[[entry]]\nrevision = 2\nki"
    assert check.check(folder) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("history.toml", b"after = 6", b"after = 7", "is damaged at line 3: this entry was changed"),
        ("history.toml", b"revision = 2", b"revision = 3", "is damaged at line 56"),
        ("history.toml", b"\nprev = ", b"\nprevious = ", "is damaged at line 3: this entry is not valid"),
        ("campaign.toml", b"revision = 3", b"revision = 9", "at revision 9, but history.toml has only 3"),
    ],
)  # fmt: skip
def test_what_no_crash_explains_needs_the_umpire(
    name: str, old: bytes, new: bytes, words: str, tmp_path: Path
) -> None:
    folder = marches.folder_with(tmp_path)
    marches.record(folder, BRIDGE)
    for _ in range(2):
        with store.open_for_writing(folder) as desk:
            desk.commit([umpire_changes.next_turn(desk.books)])
    file = tmp_path / name
    assert old in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(old, new))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(NeedsUmpire, match=words):
        check.repair(folder)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert any(words in error.text for error in check.check(folder))


def test_git_may_change_the_line_ends_of_a_ledger(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    marches.record(folder, BRIDGE)
    file = tmp_path / "history.toml"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
        assert desk.notes == []
    assert check.check(folder) == []


def test_the_mode_of_the_file_and_a_link_to_it_stay(tmp_path: Path) -> None:
    real = tmp_path / "real.toml"
    folder = tmp_path / "campaign"
    folder.mkdir()
    real.write_text(marches.MARCHES)
    real.chmod(0o640)
    (folder / "campaign.toml").symlink_to(real)
    with store.open_for_writing(str(folder)) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
    assert (folder / "campaign.toml").is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert "turn = 5" in real.read_text()


def test_readers_write_nothing_and_take_no_lock(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    store.load(folder)
    store.load_ledger(folder)
    check.check(folder)
    assert sorted(os.listdir(folder)) == ["campaign.toml"]


def test_a_refused_deed_changes_nothing(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with pytest.raises(InvalidInput), store.open_for_writing(folder) as desk:
        desk.commit([operations.adjust(desk.books, "forces.percy.strength", "-15")])
    assert (tmp_path / "campaign.toml").read_text() == marches.MARCHES
    assert not (tmp_path / "history.toml").exists()


@pytest.mark.slow
def test_a_campaign_in_use_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = marches.folder_with(tmp_path)
    monkeypatch.setattr(store, "WAIT", 0.01)
    with store.hold_lock(folder):
        script = (
            "import sys; from cardbattle.campaign.storage import store\n"
            "from cardbattle.campaign.state.errors import InUse\n"
            "store.WAIT = 0.01\n"
            "try:\n    with store.open_for_writing(sys.argv[1]):\n        print('open')\n"
            "except InUse as error:\n    print(error)"
        )
        told = subprocess.run(
            [sys.executable, "-c", script, folder], capture_output=True, text=True, check=True
        )
    assert told.stdout == "the campaign is in use by another process; try again when that is done\n"
    assert InUse.exit_code == 5


@pytest.mark.slow
def test_two_processes_record_one_after_the_other(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    script = (
        "import sys; from cardbattle.campaign.ledger import umpire_changes; "
        "from cardbattle.campaign.storage import store\n"
        "for _ in range(10):\n"
        "    with store.open_for_writing(sys.argv[1]) as to:\n"
        "        to.commit([umpire_changes.next_turn(to.books)])"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script, folder]) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    campaign = store.load(folder).campaign
    assert (campaign.turn, campaign.revision) == (24, 20)
    assert check.check(folder) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_waits_until_the_message_is_out(number: signal.Signals, tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    came = []
    old = signal.signal(number, lambda *_: came.append(len(said)))
    said = []
    try:
        with store.open_for_writing(folder) as desk:
            signal.raise_signal(number)
            desk.commit([umpire_changes.next_turn(desk.books)])
            said.append("turn 5 begins")
    finally:
        signal.signal(number, old)
    assert came == [1]
    assert store.load(folder).campaign.turn == 5


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may")
def test_a_read_only_folder_is_told_in_clear_words(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(SystemFailure, match="cannot be locked for writing: permission is denied"):
            store.open_for_writing(folder).__enter__()
    finally:
        tmp_path.chmod(0o700)


def test_the_folder_is_found_from_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marches.folder_with(tmp_path)
    below = tmp_path / "maps" / "north"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert paths.find_folder() == str(tmp_path)
    with pytest.raises(InvalidInput, match=r"is not a campaign: it has no campaign.toml"):
        paths.open_folder(str(below))


class KilledSystem(FaultySystem):
    """A system that really kills the process."""

    def die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("begun", ["later"], indirect=True)
@pytest.mark.parametrize("fault", DEATHS)
def test_a_killed_process_leaves_the_old_or_the_new(
    fault: str, begun: Begun, copies: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same deaths once more, in a child that is really killed, its locks and files with it."""
    calls = run_with({}, copies(), begun, monkeypatch)
    killed = 0
    for call in range(1, calls + 1):
        folder = copies()
        child = os.fork()
        if child == 0:
            attempt(folder, begun, KilledSystem({call: fault}), monkeypatch)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        recorded = survey(folder, begun)
        assert recorded or os.WIFSIGNALED(status)
        killed += os.WIFSIGNALED(status)
        tried("processes that killed themselves at a call")
        shutil.rmtree(folder)
    assert killed > calls - 5  # a call that fails by itself, as removing what is not there, kills nobody


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no such limit")
@pytest.mark.parametrize("limit", [10, 500, 1200])
def test_a_disk_that_is_full_changes_nothing(limit: int, tmp_path: Path) -> None:
    """Limit the size of files: the record, the ledger or campaign.toml does not fit any more."""
    folder = marches.folder_with(tmp_path)
    script = (
        "import resource, sys\n"
        "from tests.support import marches\n"
        "from cardbattle.campaign.storage import store\n"
        "from cardbattle.files.errors import SystemFailure\n"
        "battle = marches.fought(store.load(sys.argv[1]), 'bridge')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)\n"
        "try:\n    marches.record(sys.argv[1], battle)\n"
        "except SystemFailure as error:\n    print(error)"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, folder, str(limit)], capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert told.stdout.endswith("cannot be written: the file would be too large; nothing was recorded\n")
    assert (tmp_path / "campaign.toml").read_text() == marches.MARCHES
    assert check.check(folder) == []
    assert not list(tmp_path.glob("**/*.tmp"))
