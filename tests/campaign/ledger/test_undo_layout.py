"""Undo and redo of several entries restore every byte of campaign.toml, as separate commands do."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cardbattle.campaign.league.rounds import plan_rounds
from cardbattle.campaign.ledger import operations, umpire_changes, undo, value_edits
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.storage import store
from cardbattle.cli.campaign.record import redo_each, undo_each
from cardbattle.core.errors import InvalidInput
from tests.support import marches
from tests.support.league import Season, league_file
from tests.support.tally import tried

COMMENTED = (
    marches.MARCHES.replace("\nstrength = 3\n", "\nstrength = 3   # weak\n")
    .replace('[["percy", "mortimer"], ["stafford"]]', '["percy", "stafford"]')
    .replace('owner = "york"\n', 'owner = "york" # since May\n# A toll.\n')
)
REVISION = re.compile(r"^revision = \d+", re.MULTILINE)


class Files:
    """A campaign in a folder, changed by operations that are recorded like commands."""

    def __init__(self, folder: Path, text: str = COMMENTED) -> None:
        self.path = folder
        self.folder = marches.folder_with(folder, text)

    @property
    def books(self) -> CampaignFile:
        return store.load(self.folder)

    @property
    def ledger(self) -> Ledger:
        return store.load_ledger(self.folder)

    @property
    def text(self) -> str:
        """The text of campaign.toml, without the number of the revision."""
        return REVISION.sub("revision = N", (self.path / store.NAME).read_bytes().decode())

    def record(self, done: Sequence[Operation]) -> None:
        with store.open_for_writing(self.folder) as transaction:
            transaction.commit(done)

    def set(self, *assignments: str) -> None:
        words = [value_edits.read_assignment(word) for word in assignments]
        self.record([value_edits.set_values(self.books, words, [])])

    def remove(self, *keys: str) -> None:
        self.record([value_edits.remove_things(self.books, keys, [])])

    def fight(self, *battles: str) -> None:
        results = [marches.decided(battle, "percy", percy="1/7", stafford="1/2") for battle in battles]
        self.record(operations.plan_import(self.books, self.ledger, results).operations)

    def override(self, battle: str, winner: str) -> None:
        result = marches.result(winner, percy="1/2", stafford="0")
        self.record(undo.override(self.books, self.ledger, battle, result, "a slip"))

    def undo(self, *targets: str) -> None:
        self.record(undo_each(self.books, self.ledger, targets, "a slip", force=True))

    def undo_one_by_one(self, targets: Sequence[str]) -> None:
        """Undo each target by a command of its own, but only if an earlier one has not undone it."""
        for target in targets:
            if int(target) not in self.ledger.undone_revisions:
                self.undo(target)

    def redo(self) -> None:
        self.record(redo_each(self.books, self.ledger, ""))

    def copy(self, name: str) -> Files:
        shutil.copytree(self.folder, self.path.with_name(name))
        twin = Files.__new__(Files)
        twin.path = self.path.with_name(name)
        twin.folder = str(twin.path)
        return twin


def test_a_removed_force_comes_back_with_its_comment_below_an_undone_ruling(tmp_path: Path) -> None:
    files = Files(tmp_path / "marches")
    before = files.text
    files.remove("forces.mortimer")
    files.override("bridge", "percy")
    after = files.text
    files.undo("2", "1")
    assert files.text == before
    files.redo()
    assert files.text == after


def random_command(files: Files, chance: random.Random) -> None:
    """Record a command that the umpire can give."""
    pending = [battle.id for battle in files.books.campaign.pending]
    number = chance.randrange(1, 20)
    match chance.randrange(12):
        case 0 if pending:
            files.fight(chance.choice(pending))
        case 1 if pending:
            files.fight(*pending)
        case 2:
            files.override(chance.choice(["bridge", "wood"]), chance.choice(["percy", "stafford"]))
        case 3:
            files.remove(chance.choice(["mortimer", "scoring", "attrition", "forces.mortimer"]))
        case 4:
            files.set(f"forces.mortimer.strength={number}", f"forces.mortimer.x_{number}=a b")
        case 5:
            files.set(f"scoring.win={number}", "locations.shrewsbury.x_toll=2")
        case 6 if pending:
            files.record([value_edits.cancel_battles(files.books, [chance.choice(pending)])])
        case 7 if pending:
            setting = [f"note=hill {number}"]
            files.record([value_edits.edit_battle(files.books, chance.choice(pending), {}, setting, [])])
        case 8:
            files.record([operations.adjust(files.books, "forces.stafford.strength+", str(number))])
        case 9:
            files.record([umpire_changes.next_turn(files.books)])
        case 10:
            table = {"faction": "york", "strength": number}
            files.record([umpire_changes.add_thing(files.books, "forces", f"band{number}", table)])
        case _:
            files.record([umpire_changes.write_note(files.books, "Rain.")])


def random_history(files: Files, chance: random.Random, length: int) -> None:
    for _ in range(length):
        try:
            random_command(files, chance)
        except (InvalidInput, NeedsUmpire):
            continue


def after_power_cut(files: Files, command: Callable[[], None]) -> None:
    """Give a command, and check that the same text is written after a power cut before campaign.toml."""
    file = files.path / store.NAME
    before = file.read_bytes()
    command()
    after = file.read_bytes()
    file.write_bytes(before)
    with store.open_for_writing(files.folder):
        assert file.read_bytes() == after


@pytest.mark.parametrize("seed", range(20))
def test_several_undos_write_the_text_of_separate_commands(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    files = Files(tmp_path / "marches")
    random_history(files, chance, 7)
    ledger = files.ledger
    standing = [
        revision
        for revision in range(1, ledger.whole_entries + 1)
        if revision not in ledger.undone_revisions and ledger.heads[revision - 1].kind != "undo"
    ]
    revisions = chance.sample(standing, chance.randrange(1, len(standing) + 1))
    targets = list(map(str, revisions if seed % 2 else sorted(revisions, reverse=True)))
    before, alone = files.text, files.copy("alone")
    try:
        alone.undo_one_by_one(targets)
    except (InvalidInput, NeedsUmpire):
        with pytest.raises((InvalidInput, NeedsUmpire)):
            files.undo(*targets)
        assert files.text == before
        return
    after_power_cut(files, lambda: files.undo(*targets))
    assert files.text == alone.text
    after_power_cut(files, files.redo)
    assert files.text == before
    tried("undos of several entries compared with separate commands, and redone")


def test_undone_and_redone_rounds_keep_the_blank_line_at_the_end(tmp_path: Path) -> None:
    text = league_file(4, 'kind = "knock-out"')
    season, files = Season(text, 1, draws=0), Files(tmp_path / "league", text)
    for turn in range(2):
        if turn:
            files.record([umpire_changes.next_turn(files.books)])
        files.record(plan_rounds(files.books, files.ledger))
        results = [season.outcome_of(battle.id, battle.keys) for battle in files.books.campaign.pending]
        files.record(operations.plan_import(files.books, files.ledger, results).operations)
    before = files.text
    files.undo("6", "5", "3", "1")
    files.redo()
    assert files.text == before


@pytest.mark.parametrize(
    "targets", [["wood", "bridge"], ["bridge", "wood"], ["1", "wood"], ["wood", "2", "1"]]
)
def test_a_battle_that_an_earlier_target_took_back_is_skipped(targets: list[str], tmp_path: Path) -> None:
    files = Files(tmp_path / "marches")
    before = files.text
    files.fight("bridge", "wood")
    files.undo(*targets)
    assert files.text == before
    assert files.ledger.whole_entries == 3


def test_a_battle_that_is_named_twice_with_only_is_undone_once(tmp_path: Path) -> None:
    files = Files(tmp_path / "marches")
    files.fight("bridge", "wood")
    files.record(undo_each(files.books, files.ledger, ["wood", "wood"], "", force=False, only=True))
    assert sorted(files.ledger.undone_revisions) == [2]


def test_a_battle_that_was_edited_and_decided_is_undone_twice_if_it_is_named_twice(tmp_path: Path) -> None:
    files = Files(tmp_path / "marches")
    before = files.text
    files.record([value_edits.edit_battle(files.books, "wood", {}, ["note=a hill"], [])])
    files.fight("wood")
    files.undo("wood", "wood")
    assert files.text == before
    with pytest.raises(InvalidInput, match='"wood" is already undone'):
        files.undo("wood")
