"""Laws about values that the umpire edits by hand, also values that no command has changed before."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cardbattle.campaign import check
from cardbattle.campaign.ledger import umpire_changes, undo, value_edits
from cardbattle.campaign.ledger.edits import KIND, hand_edits
from cardbattle.campaign.ledger.ledger import Ledger, entry_text
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, plan_import
from cardbattle.campaign.ledger.timeline import PastTurn, timeline
from cardbattle.campaign.ledger.value_edits import Assignment
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.storage import store
from cardbattle.core.errors import CardbattleError
from tests.support import marches

ROOT = Path(__file__).parents[3]
EDITS = [
    ('name = "Harry Percy"', 'name = "Hotspur"', "forces.percy.name"),
    ('location = "shrewsbury"\n', "", "forces.percy.location"),
    ("strength = 3\n", "strength = 4\n", "forces.mortimer.strength"),
    ('commander = "green"', 'commander = "elite"', "forces.stafford.commander"),
    ('name = "Shrewsbury"', 'name = "The Town"', "locations.shrewsbury.name"),
    ('owner = "york"', 'owner = "lancaster"', "locations.shrewsbury.owner"),
    ('name = "House York"', 'name = "York"', "factions.york.name"),
    ("points = 9", "points = 10", "factions.lancaster.points"),
    ("win = 2", "win = 3", "scoring.win"),
    ("most = 3", "most = 4", "advantage.strategy-war.most"),
    ("seed = 1403", "seed = 1404", "seed"),
    ("[locations.shrewsbury]\n", "[locations.shrewsbury]\nvalue = 2\n", "locations.shrewsbury.value"),
]
COMMANDS = ("turn", "set", "rename", "move", "undo", "redo", "bridge", "wood", "add")


def run(folder: str, command: str, number: int) -> None:
    """Run a command. If it is not possible now, it changes nothing."""
    try:
        with store.open_for_writing(folder) as desk:
            desk.commit(planned(desk.books, desk.ledger, command, number))
    except CardbattleError:
        pass


def planned(books: CampaignFile, ledger: Ledger, command: str, number: int) -> list[Operation]:
    force = sorted(books.campaign.forces)[number % 3]
    match command:
        case "turn":
            return [umpire_changes.next_turn(books)]
        case "set":
            return [value_edits.set_values(books, [Assignment("forces.stafford.strength", str(number + 5))])]
        case "rename":
            return [umpire_changes.rename_key(books, f"forces.{force}", f"force-{number}")]
        case "move":
            return [umpire_changes.move_forces(books, [force], "shrewsbury")]
        case "undo":
            return [undo.undo(books, ledger)]
        case "redo":
            return [undo.redo(books, ledger)]
        case "add":
            values = {"faction": "york", "strength": number + 1}
            return [umpire_changes.add_thing(books, "forces", f"new-{number}", values)]
        case _:
            battle = marches.decided(command, "percy", percy="1/5", stafford="1/2")
            return plan_import(books, ledger, [battle]).operations


def past(folder: str) -> list[PastTurn]:
    """Return the turns before the present one, as a report reads them."""
    books, ledger = store.load(folder), store.load_ledger(folder)
    turns = timeline(books.campaign, store.with_edits(books, ledger))[:-1]
    return [turn._replace(revisions=[]) for turn in turns]


def contents(turns: list[PastTurn]) -> list[object]:
    """Return the factions, forces and places of past turns, and the changes that explain them."""
    return [
        (
            turn.number,
            *((state.factions, state.forces, state.locations) for state in (turn.campaign, turn.seen)),
            turn.explained,
            turn.unexplained,
        )
        for turn in turns
    ]


PHASES = (Phase.explicit, Phase.generate)  # a failure is short already
STEPS = st.lists(st.tuples(st.sampled_from(COMMANDS), st.integers(0, 3)), max_size=7)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, phases=PHASES)
@given(STEPS)
def test_commands_alone_never_look_like_edits_by_hand(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as at:
        folder = marches.folder_with(Path(at))
        for command, number in steps:
            run(folder, command, number)
            assert hand_edits(store.load(folder).source.data, store.load_ledger(folder)) == []
        assert KIND not in store.load_ledger(folder, whole=True).heads.kinds


@pytest.mark.slow
@settings(max_examples=25, deadline=None, phases=PHASES)
@given(STEPS, st.sampled_from(EDITS), STEPS)
def test_an_edit_by_hand_is_noticed_and_leaves_past_turns_alone(
    before: list[tuple[str, int]], edit: tuple[str, str, str], after: list[tuple[str, int]]
) -> None:
    old, new, _ = edit
    with TemporaryDirectory() as at:
        folder = marches.folder_with(Path(at))
        for command, number in [("turn", 0), *before]:
            run(folder, command, number)
        file = Path(folder, "campaign.toml")
        text, then = file.read_text(), contents(past(folder))
        ledger = store.load_ledger(folder).raw[:]
        file.write_text(text.replace(old, new, 1))
        changed = text.replace(old, new, 1) != text
        assert contents(past(folder)) == then
        with store.open_for_writing(folder) as desk:
            desk.commit([note(desk.books)])
        found = store.load_ledger(folder, whole=True)
        assert found.raw[: len(ledger)] == ledger
        assert (KIND in found.heads.kinds) == changed
        assert contents(past(folder)) == then
        assert check.check(folder) == []
        edited = file.read_text()
        run(folder, "set", 90)
        run(folder, "undo", 0)
        assert without_revision(file.read_text()) == without_revision(edited)
        for command, number in after:
            run(folder, command, number)
        assert check.check(folder) == []


def without_revision(text: str) -> str:
    return re.sub("revision = [0-9]+", "", text)


def note(books: CampaignFile) -> Operation:
    return umpire_changes.write_note(books, "A note.")


@pytest.mark.parametrize(("old", "new", "key"), EDITS)
def test_each_kind_of_value_is_noticed_with_its_old_value(
    old: str, new: str, key: str, tmp_path: Path
) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        desk.commit([note(desk.books)])
    file = tmp_path / "campaign.toml"
    file.write_text(file.read_text().replace(old, new, 1))
    [change] = hand_edits(store.load(folder).source.data, store.load_ledger(folder))
    assert ".".join(change.key) == key
    with store.open_for_writing(folder) as desk:
        desk.commit([note(desk.books)])
    assert store.load_ledger(folder).entry(2).changes == [change]


def test_a_force_written_by_hand_is_noticed_and_was_not_there_before(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    run(folder, "turn", 0)
    run(folder, "turn", 0)
    file = tmp_path / "campaign.toml"
    file.write_text(file.read_text() + '\n[forces.hal]\nfaction = "york"\nstrength = 2\n')
    run(folder, "turn", 0)
    entry = store.load_ledger(folder).entry(3)
    assert entry.changes == [
        Change(("forces", "hal"), None, {}),
        Change(("forces", "hal", "faction"), None, "york"),
        Change(("forces", "hal", "strength"), None, 2),
    ]
    assert ["hal" in turn.campaign.forces for turn in past(folder)] == [False, False, True]


def test_edits_of_the_umpires_own_keys_are_not_recorded(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    run(folder, "turn", 0)
    file = tmp_path / "campaign.toml"
    file.write_text(file.read_text().replace("x_banner = 0.5", "x_banner = 0.7") + "\n[x]\nnew = 1\n")
    assert hand_edits(store.load(folder).source.data, store.load_ledger(folder)) == []


def test_units_are_noticed_together_with_their_sum(tmp_path: Path) -> None:
    text = marches.MARCHES.replace("strength = 3\n", 'units = { "Flint spears" = 2, "St. Albans men" = 1 }\n')
    folder = marches.folder_with(tmp_path, text)
    run(folder, "turn", 0)
    file = tmp_path / "campaign.toml"
    file.write_text(file.read_text().replace('"St. Albans men" = 1', '"St. Albans men" = 3'))
    assert hand_edits(store.load(folder).source.data, store.load_ledger(folder)) == [
        Change(("forces", "mortimer", "units", "St. Albans men"), 1, 3),
        Change(("forces", "mortimer", "strength"), 3, 5),
    ]


def test_a_ledger_without_first_values_gets_them_with_its_next_entry(tmp_path: Path) -> None:
    folder = tmp_path / "marches"
    shutil.copytree(ROOT / "campaigns" / "the-marches-1403", folder)
    old = store.load_ledger(str(folder), whole=True)
    assert not old.knows_values
    file = folder / "campaign.toml"
    renamed = re.sub('name = "Harry Hotspur"', 'name = "Hotspur"', file.read_text())
    file.write_text(renamed)
    assert hand_edits(store.load(str(folder)).source.data, old) == []
    run(str(folder), "turn", 0)
    new = store.load_ledger(str(folder), whole=True)
    assert new.knows_values
    assert new.raw[: len(old.raw)] == old.raw[:]
    assert check.check(str(folder)) == []
    file.write_text(file.read_text().replace('name = "Hotspur"', 'name = "Harry"'))
    [change] = hand_edits(store.load(str(folder)).source.data, new)
    assert change == Change(("forces", "hotspur", "name"), "Hotspur", "Harry")


def test_no_reader_sees_first_values(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    run(folder, "turn", 0)
    entry = store.load_ledger(folder).entry(1)
    assert entry.first_values
    assert "percy" in entry_text(entry)
    assert entry.changes == [Change(("turn",), 4, 5)]
    assert "percy" not in str(entry._replace(pending=None).table())
