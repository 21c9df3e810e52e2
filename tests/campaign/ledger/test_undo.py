"""Taking back and bringing back, in any order: after every command the law of the ledger holds."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from cardbattle.campaign import check
from cardbattle.campaign.ledger import edits, operations, umpire_changes
from cardbattle.campaign.ledger import undo as undoing
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation
from cardbattle.campaign.state import battle_result
from cardbattle.campaign.state.changes import Change, apply_changes, caught_up, pending, value_at
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.file_editing import edit_text
from cardbattle.campaign.storage import store
from cardbattle.core.errors import InvalidInput, UsageError
from tests.support import marches
from tests.support.marches import decided, result
from tests.support.tally import tried

BRIDGE = decided("bridge", "percy", percy="1/7", stafford="1/2")
WOOD = decided("wood", "stafford", percy="1", stafford="1/2")
DECREE = result("stafford", percy="1", stafford="0")


class Umpire:
    """What an umpire does, one command after the other; the law is looked at after each."""

    def __init__(self, path: Path) -> None:
        self.file = path / "campaign.toml"
        self.folder = marches.folder_with(path)

    @property
    def books(self) -> CampaignFile:
        return store.load(self.folder)

    @property
    def ledger(self) -> Ledger:
        return store.load_ledger(self.folder, whole=True)

    def do(self, *done: Operation) -> None:
        self.record(*done)
        self.law()

    def record(self, *done: Operation) -> None:
        with store.open_for_writing(self.folder) as desk:
            desk.commit(done)

    def law(self) -> None:
        """Walk the ledger from its first entry; the file is what the last one left."""
        assert check.check(self.folder) == []
        assert edits.hand_edits(self.books.source.data, self.ledger) == []
        assert self.books.campaign.revision == len(self.ledger.heads)

    def fight(self, *names: str) -> None:
        known = {"bridge": BRIDGE, "wood": WOOD}
        self.do(*operations.plan_import(self.books, self.seen, [known[name] for name in names]).operations)

    @property
    def seen(self) -> Ledger:
        """The ledger as commands see it, with what was changed by hand."""
        return store.with_edits(self.books, self.ledger)

    def undo(self, what: str = "", **how: bool) -> Operation:
        operation = undoing.undo(self.books, self.seen, what, "a slip", **how)
        self.do(operation)
        return operation

    def redo(self) -> None:
        self.do(undoing.redo(self.books, self.seen))

    def override(self, battle: str, *, force: bool = False) -> None:
        self.do(*undoing.override(self.books, self.seen, battle, DECREE, "decreed", force=force))

    def adjust(self, key: str, value: str) -> None:
        sign, _, number = value.rpartition("=")  # as the command line has it: KEY+=2
        self.do(operations.adjust(self.books, key + sign, number))

    def turn(self) -> None:
        self.do(umpire_changes.next_turn(self.books))

    def type(self, old: str, new: str, after: str = "") -> None:
        """Change the file by hand, the first such words after some others."""
        above, others, below = (
            self.file.read_text().partition(after) if after else ("", "", self.file.read_text())
        )
        assert old in below
        self.file.write_text(above + others + below.replace(old, new, 1))

    def value(self, key: str) -> object:
        value: object = tomllib.loads(self.file.read_text())
        for word in key.split("."):
            assert isinstance(value, dict)
            value = value.get(word)
        return value

    def standing(self) -> list[str]:
        """Return the battles that stand, as history and luck have them."""
        return sorted(self.ledger.revision_by_battle)


@pytest.fixture
def umpire(tmp_path: Path) -> Umpire:
    return Umpire(tmp_path)


STRENGTH = "forces.stafford.strength"
OWNER = "locations.shrewsbury.owner"


def test_redo_after_the_battle_was_fought_again_names_what_stands_in_the_way(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.undo()
    umpire.fight("bridge")
    with pytest.raises(
        NeedsUmpire, match=r"bridge was undone \(revision 2\); battle bridge \(revision 3\) has"
    ):
        umpire.redo()
    assert umpire.standing() == ["bridge"]
    umpire.undo()
    umpire.redo()
    assert umpire.standing() == ["bridge"]


def test_undo_says_that_it_passes_over_what_was_changed_by_hand(umpire: Umpire) -> None:
    umpire.adjust("forces.percy.strength", "16")
    umpire.turn()
    umpire.type("strength = 16", "strength = 17")
    note = "not undone: revision 3, your own changes to the file; change them back there"
    assert umpire.undo().notes == [note]
    assert umpire.value("forces.percy.strength") == 17
    umpire.redo()
    assert umpire.undo("2").notes == []


def test_redo_after_the_turn_was_begun_again_is_refused(umpire: Umpire) -> None:
    umpire.turn()
    umpire.undo()
    umpire.turn()
    with pytest.raises(
        NeedsUmpire, match=r"revision 1 was undone .*; turn \(revision 3\) has since decided turn"
    ):
        umpire.redo()
    assert umpire.value("turn") == 5


def test_redo_never_puts_a_battle_on_top_of_its_override(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.override("bridge")
    umpire.turn()
    before = umpire.file.read_bytes()
    with pytest.raises(NeedsUmpire, match=r"override bridge \(revision 3\) has since decided"):
        umpire.redo()
    assert umpire.file.read_bytes() == before


@pytest.mark.slow
def test_an_override_taken_back_leaves_the_fight_standing(umpire: Umpire) -> None:
    umpire.fight("bridge")
    fought = umpire.file.read_text()
    umpire.override("bridge")
    umpire.undo()
    assert umpire.file.read_text() == fought.replace("revision = 1 ", "revision = 4 ")
    found = umpire.ledger.find("bridge")
    assert found is not None
    assert (found.revision, umpire.ledger.undone_revisions) == (1, {2, 3})
    umpire.redo()
    assert umpire.ledger.undone_revisions == {1}
    umpire.undo()
    umpire.undo("bridge")
    assert umpire.file.read_text() == marches.MARCHES.replace("revision = 0 ", "revision = 7 ")
    umpire.override("bridge")


@pytest.mark.slow
def test_an_override_of_an_override_taken_back_leaves_the_first(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.override("bridge")
    umpire.override("bridge")
    umpire.undo()
    assert umpire.ledger.revision_by_battle == {"bridge": 3}
    umpire.undo()
    assert umpire.ledger.revision_by_battle == {"bridge": 1}


@pytest.mark.slow
def test_of_what_was_recorded_together_only_what_stands_is_taken_back(umpire: Umpire) -> None:
    umpire.fight("bridge", "wood")
    umpire.override("bridge")
    points = umpire.value("factions.lancaster.points")
    umpire.undo("2")
    assert umpire.standing() == ["bridge"]
    assert umpire.value("factions.lancaster.points") == 9 + 2
    umpire.redo()
    assert umpire.value("factions.lancaster.points") == points
    assert umpire.standing() == ["bridge", "wood"]


def test_what_goes_with_a_battle_that_is_taken_back_is_told(umpire: Umpire) -> None:
    umpire.fight("bridge", "wood")
    words = (
        "undone with battle wood (revision 2), because the same command recorded it: "
        "battle bridge (revision 1)"
    )
    found = undoing.undo(umpire.books, umpire.seen, "wood")
    assert (found.notes[0], found.entry.undoes) == (words, [1, 2])
    assert (
        words not in undoing.undo(umpire.books, umpire.seen).notes
    )  # the last command, whole, was asked for
    umpire.override("bridge")
    assert not any("goes what" in note for note in undoing.undo(umpire.books, umpire.seen, "2").notes)


@pytest.mark.slow
def test_several_undos_are_brought_back_in_reverse(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.fight("wood")
    both = umpire.file.read_text()
    umpire.undo("bridge")
    umpire.undo("wood")
    umpire.redo()
    assert umpire.standing() == ["wood"]
    umpire.redo()
    assert umpire.file.read_text() == both.replace("revision = 2 ", "revision = 6 ")
    with pytest.raises(InvalidInput, match="there is nothing to redo"):
        umpire.redo()


@pytest.mark.parametrize(
    "key", ["forces.stafford.commander", "forces.stafford.strength", "factions.york.points"]
)
def test_whatever_was_decided_since_about_a_force_or_value_stands_in_the_way(
    key: str, umpire: Umpire
) -> None:
    umpire.fight("bridge")
    umpire.undo()
    umpire.adjust(key, "regular" if key.endswith("commander") else "+=1")
    with pytest.raises(NeedsUmpire, match=r"adjust \(revision 3\) has since decided"):
        umpire.redo()
    umpire.undo()
    umpire.redo()  # what was taken back last: the adjustment
    with pytest.raises(NeedsUmpire, match="has since decided"):
        umpire.redo()


def test_what_concerns_others_does_not_stand_in_the_way(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.undo()
    umpire.adjust("forces.mortimer.strength", "9")
    umpire.turn()
    umpire.redo()
    assert umpire.standing() == ["bridge"]


def test_numbers_are_taken_back_as_the_difference_they_made(umpire: Umpire) -> None:
    umpire.fight("bridge")  # stafford 8 -> 6, percy 14 -> 13
    umpire.adjust(STRENGTH, "+=5")
    operation = umpire.undo("bridge")
    assert umpire.value(STRENGTH) == 13
    assert operation.notes == ["forces.stafford.strength: 11 + 2 = 13"]
    assert umpire.value("factions.york.points") == 12
    umpire.redo()
    assert umpire.value(STRENGTH) == 11


def test_strength_is_never_below_nothing(umpire: Umpire) -> None:
    umpire.adjust(STRENGTH, "+=5")
    umpire.fight("bridge")
    umpire.adjust(STRENGTH, "2")
    operation = umpire.undo("1")
    assert umpire.value(STRENGTH) == 0
    assert operation.notes == ["forces.stafford.strength: 2 - 5 = 0 (never below 0)"]
    umpire.redo()
    assert umpire.value(STRENGTH) == 2


def test_an_owner_goes_back_only_if_nothing_later_decided_it(umpire: Umpire) -> None:
    umpire.adjust(OWNER, "lancaster")
    umpire.fight("bridge")  # york takes it
    with pytest.raises(
        NeedsUmpire, match=r'owner is now "york", by battle bridge \(revision 2\); undo that first'
    ):
        umpire.undo("1")
    with pytest.raises(UsageError, match="--force needs --reason TEXT"):
        undoing.undo(umpire.books, umpire.ledger, "1", "", force=True)
    operation = umpire.undo("1", force=True)
    assert umpire.value(OWNER) == "york"
    assert operation.entry.forced == [
        'locations.shrewsbury.owner is now "york", by battle bridge (revision 2)'
        "; undo that first (campaign undo 2)"
    ]
    umpire.adjust(OWNER, "lancaster")
    umpire.undo()
    assert umpire.value(OWNER) == "york"


@pytest.mark.slow
def test_an_owner_that_came_back_by_a_later_decision_was_decided_later(umpire: Umpire) -> None:
    umpire.adjust(OWNER, "lancaster")
    umpire.adjust(OWNER, "york")
    umpire.adjust(OWNER, "lancaster")
    with pytest.raises(NeedsUmpire, match=r"by adjust \(revision 3\)"):
        umpire.undo("1")
    umpire.undo("3")
    umpire.undo("2")
    umpire.undo("1")
    assert umpire.value(OWNER) == "york"


def test_a_value_typed_over_by_hand_needs_the_umpire(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.type("strength = 6", "strength = 9")
    with pytest.raises(NeedsUmpire, match=r"strength is now 9, changed by hand since \(revision 2\)"):
        umpire.undo()
    assert len(umpire.ledger.heads) == 1  # what refuses notes nothing
    umpire.undo(force=True)
    assert umpire.value(STRENGTH) == 11
    assert [head.kind for head in umpire.ledger.heads] == ["battle", "edit", "undo"]


def values(text: str) -> dict[str, object]:
    """Return the values of a campaign file, whatever the order of its pending battles."""
    table = tomllib.loads(text)
    return {**table, "revision": 0, "pending": {battle["id"]: battle for battle in table["pending"]}}


def test_one_battle_of_an_import_is_undone_alone(umpire: Umpire) -> None:
    before = umpire.file.read_text()
    umpire.fight("bridge", "wood")
    with pytest.raises(UsageError, match="--only: name a battle that has a result"):
        umpire.undo(only=True)
    umpire.undo("wood", only=True)
    assert umpire.standing() == ["bridge"]
    umpire.redo()
    assert umpire.standing() == ["bridge", "wood"]
    umpire.undo("bridge", only=True)
    assert umpire.standing() == ["wood"]
    umpire.undo("wood")
    assert umpire.standing() == []
    assert values(umpire.file.read_text()) == values(before)
    umpire.turn()
    with pytest.raises(UsageError, match='--only: "7" is an entry of kind turn; name a battle'):
        umpire.undo("7", only=True)


def test_a_refused_undo_of_an_import_says_how_to_undo_one_battle_alone(umpire: Umpire) -> None:
    lost = decided("bridge", "stafford", percy="1/7", stafford="1/2")
    umpire.do(*operations.plan_import(umpire.books, umpire.seen, [lost, WOOD]).operations)
    umpire.adjust(OWNER, "york")
    with pytest.raises(
        NeedsUmpire, match=r"to undo battle wood alone, use: cardbattle campaign undo wood --only"
    ):
        umpire.undo("wood")
    with pytest.raises(NeedsUmpire) as refused:
        umpire.undo("bridge")  # the place was at stake here
    assert "--only" not in str(refused.value)
    umpire.type(f"strength = {umpire.value(STRENGTH)}", "strength = 30", after="[forces.stafford]")
    with pytest.raises(NeedsUmpire, match="--only"):  # one conflict less, but not none
        umpire.undo("wood")
    umpire.undo("wood", only=True, force=True)
    assert umpire.standing() == ["bridge"]


def test_a_force_deleted_by_hand_is_gone(umpire: Umpire) -> None:
    umpire.adjust("forces.mortimer.strength", "9")
    umpire.type('\n[forces.mortimer]\nfaction = "york"\nstrength = 9\n', "")
    umpire.type('[["percy", "mortimer"], ["stafford"]]', '["percy", "stafford"]')
    with pytest.raises(NeedsUmpire, match=r"forces\.mortimer is gone"):
        umpire.undo("1")
    umpire.undo("1", force=True)
    assert umpire.value("forces.mortimer") is None


def test_a_battle_that_is_pending_again_is_not_put_back_twice(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.file.write_text(
        umpire.file.read_text() + '\n[[pending]]\nid = "bridge"\nsides = ["percy", "stafford"]\n'
    )
    with pytest.raises(NeedsUmpire, match="battle bridge is pending again with different content"):
        umpire.undo("bridge")


def test_hand_edits_are_noted_first_and_never_taken_back(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.type("strength = 6", "strength = 7")
    umpire.turn()
    entry = umpire.ledger.entry(2)
    assert [str(change) for change in entry.changes] == ["forces.stafford.strength: 6 -> 7"]
    with pytest.raises(InvalidInput, match="revision 2 records a manual edit"):
        umpire.undo("2")
    umpire.undo()
    assert umpire.value("turn") == 4
    with pytest.raises(NeedsUmpire, match="changed by hand since"):
        umpire.undo()


def test_pending_battles_leave_a_trace_when_they_come_change_or_vanish(umpire: Umpire) -> None:
    umpire.turn()
    assert umpire.ledger.knows_pending
    umpire.type('id = "wood"', 'id = "forest"')  # another id, other cards
    umpire.turn()
    assert [str(change) for change in umpire.ledger.entry(2).changes] == [
        "wood is no longer pending", "forest is pending",
    ]  # fmt: skip
    umpire.type('note = "a hollow way"', 'note = "a sunken way"')
    umpire.turn()
    assert [str(change) for change in umpire.ledger.entry(4).changes] == ["forest is rewritten"]
    umpire.type("x_map", "x_chart")  # the umpire's own keys are private
    umpire.turn()
    assert [head.kind for head in umpire.ledger.heads] == ["turn", "edit", "turn", "edit", "turn", "turn"]


def test_a_ledger_of_an_earlier_release_learns_what_is_pending(
    umpire: Umpire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows a battle that was taken back, which was then changed by hand."""
    with monkeypatch.context() as patch:
        patch.setattr(edits, "baseline", lambda data, ledger: None)
        umpire.fight("bridge")
        umpire.undo()
    assert not umpire.ledger.knows_pending
    umpire.type('stakes = "shrewsbury"\n', "")
    umpire.turn()
    assert [str(change) for change in umpire.ledger.entry(3).changes] == ["bridge is rewritten"]
    assert [table["id"] for table in umpire.ledger.entry(3).pending or []] == ["wood"]
    umpire.type('id = "wood"', 'id = "forest"')
    umpire.turn()
    assert len(umpire.ledger.entry(5).changes) == 2


@pytest.mark.slow
def test_a_campaign_file_that_lags_behind_is_brought_up_from_any_distance(umpire: Umpire) -> None:
    """An editor saves what it had open before several commands."""
    stale = [umpire.file.read_text()]
    for step in (
        lambda: umpire.fight("bridge"),
        lambda: umpire.type("strength = 6", "strength = 9"),
        umpire.turn,
        lambda: umpire.adjust(STRENGTH, "+=1"),
        lambda: umpire.undo("1", force=True),
        umpire.turn,
    ):
        step()
        stale.append(umpire.file.read_text())
    now = umpire.file.read_text()
    for text in stale:
        umpire.file.write_text(text.replace("own words.", "own words!"))
        assert check.repair(umpire.folder) if text != now else True
        umpire.law()
        assert umpire.value(STRENGTH) == 12
        assert "own words!" in umpire.file.read_text()


@pytest.mark.parametrize("seed", range(20))
def test_battles_brought_back_together_stand_where_one_after_the_other_would(seed: int) -> None:
    chance = random.Random(seed)
    before: dict[str, object] = {"pending": [{"id": "mill"}, {"id": "moor"}]}
    now, steps = before, []
    for _ in range(30):
        ids = [table["id"] for table in pending(now)]
        name = chance.choice("abcde")
        table: dict[str, object] = {"id": name}
        taken_out = Change(("pending", name), table, None)
        put_in = Change(("pending", name), None, table, place=chance.randrange(len(ids) + 1))
        steps.append(taken_out if name in ids else put_in)
        now = apply_changes(now, steps[-1:])
    assert apply_changes(before, caught_up(before, steps)) == now


def test_a_file_that_is_right_but_for_its_revision_is_only_numbered_anew(umpire: Umpire) -> None:
    umpire.fight("bridge")
    for change in ("+=1", "+=2", "-=5"):
        umpire.adjust(STRENGTH, change)
    right = umpire.file.read_text()
    umpire.type("revision = 4 ", "revision = 0 ")
    assert check.repair(umpire.folder)
    assert umpire.file.read_text() == right
    umpire.law()


def test_a_stale_file_with_another_value_names_the_key(umpire: Umpire) -> None:
    stale = umpire.file.read_text()
    umpire.fight("bridge")
    umpire.turn()
    umpire.file.write_text(stale.replace("strength = 8", "strength = 20"))
    with pytest.raises(
        NeedsUmpire, match=r"stafford\.strength should be 8 before it becomes 6, but is 20; set it to 6"
    ):
        check.repair(umpire.folder)
    umpire.type("strength = 20", "strength = 6")
    check.repair(umpire.folder)
    umpire.law()


def test_a_stale_file_with_a_battle_written_anew_says_so(umpire: Umpire) -> None:
    stale = umpire.file.read_text()
    umpire.fight("bridge")
    umpire.file.write_text(stale.replace('stakes = "shrewsbury"\n', ""))
    with pytest.raises(NeedsUmpire, match="battle bridge was rewritten after it was decided; remove it"):
        check.repair(umpire.folder)
    umpire.file.write_text(stale)
    check.repair(umpire.folder)
    umpire.fight("wood")
    umpire.undo("bridge", force=True)
    umpire.file.write_text(
        stale.replace('stakes = "shrewsbury"\n', "").replace("revision = 0", "revision = 2")
    )
    with pytest.raises(NeedsUmpire, match="battle bridge is pending, but differs from the ledger; remove it"):
        check.repair(umpire.folder)


def test_check_finds_an_entry_that_does_not_follow_from_those_before(umpire: Umpire) -> None:
    """In a forged ledger with new hashes, every entry is valid alone, but they contradict each other."""
    from cardbattle.campaign.ledger import ledger as ledgers
    from cardbattle.campaign.state.changes import Change

    umpire.fight("bridge")
    first = umpire.ledger.entries[0]
    key = ("forces", "stafford", "strength")
    forged = ledgers.Entry(2, "adjust", [Change(key, 8, 6)])
    (second,) = ledgers.group_entries([forged], first.check)
    path = umpire.file.parent / "history.toml"
    path.write_text(path.read_text() + ledgers.entry_text(second))
    umpire.type("revision = 1 ", "revision = 2 ")
    line = path.read_text()[: path.read_text().index("revision = 2")].count("\n")
    assert [str(error) for error in check.check(umpire.folder)] == [
        f"history.toml:{line}: revision 2 changes forces.stafford.strength from 8, but the "
        "earlier entries left 6; restore the ledger from a copy"
    ]


def random_command(umpire: Umpire, chance: random.Random) -> None:
    """Do one thing that an umpire may do, sensible or not."""
    pending = [battle.id for battle in umpire.books.campaign.pending]
    known = [*umpire.ledger.revision_by_battle, *pending, "1", "2", "5"]
    what = chance.choice(known)
    force = chance.random() < 0.3
    number = chance.randrange(1, 20)
    match chance.randrange(10):
        case 0 | 1 if pending:
            umpire.fight(chance.choice(pending))
        case 2:
            umpire.override(what if what in ("bridge", "wood") else "bridge", force=force)
        case 3 | 4:
            umpire.undo(chance.choice(["", "", what]), force=force)
        case 5 | 6:
            umpire.redo()
        case 7:
            umpire.adjust(
                *chance.choice(
                    [
                        (STRENGTH, f"+={number}"),
                        (STRENGTH, str(number)),
                        (OWNER, "york"),
                        (OWNER, "lancaster"),
                        ("forces.percy.commander", "green"),
                    ]
                )
            )
        case 8:
            umpire.turn()
        case _:
            umpire.type(f"strength = {umpire.value(STRENGTH)}\n", f"strength = {number}\n")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_any_order_of_commands_keeps_the_law(seed: int, umpire: Umpire) -> None:
    chance, refused = random.Random(seed), 0
    for _ in range(25):
        before = umpire.file.read_bytes()
        try:
            random_command(umpire, chance)
        except (NeedsUmpire, InvalidInput):
            refused += 1
            assert umpire.file.read_bytes() == before
    assert umpire.ledger.breaches == []
    assert 25 - refused > 5
    tried("commands in random orders, the law of the ledger looked at after each", 25)


def test_a_battle_written_anew_by_hand_is_written_anew_in_a_stale_file_too(umpire: Umpire) -> None:
    umpire.turn()
    stale = umpire.file.read_text()
    umpire.type('note = "a hollow way"', 'note = "a sunken way"')
    umpire.turn()
    umpire.file.write_text(stale)
    assert check.repair(umpire.folder)
    umpire.law()
    text = umpire.file.read_text()
    expected = stale.replace("a hollow way", "a sunken way").replace("turn = 5", "turn = 6")
    assert text == expected.replace("revision = 1 ", "revision = 3 ")


def test_a_battle_changed_by_hand_decided_and_put_back_is_so_in_a_stale_file_too(umpire: Umpire) -> None:
    """The ledger has the umpire's lines of it; the stale file has other lines, and they stay."""
    umpire.turn()
    stale = umpire.file.read_text().replace("x_map", "x_chart").replace("[[pending", "# Now.\n[[pending")
    umpire.type('note = "a hollow way"', 'stakes = "shrewsbury"')
    umpire.type('cards = ["A", "A"]', 'cards = ["A"]')
    umpire.fight("wood")
    umpire.undo()
    umpire.file.write_text(stale)
    assert check.repair(umpire.folder)
    umpire.law()
    expected = stale.replace('note = "a hollow way"\n', "").replace("revision = 1 ", "revision = 4 ")
    expected = expected.replace('x_chart = "4b"\n', 'x_chart = "4b"\nstakes = "shrewsbury"\n')
    assert umpire.file.read_text() == expected.replace('cards = ["A", "A"]', 'cards = ["A"]')


def test_a_battle_taken_out_again_by_redo_comes_back_as_it_stood_then(umpire: Umpire) -> None:
    """Its comments and its place may have been changed by hand since it was fought first."""
    umpire.fight("bridge")
    umpire.undo()
    umpire.type("# The bridge.\n", '[[pending]]\nid = "ford"\nsides = ["percy", "stafford"]\n\n# In rain.\n')
    before = umpire.file.read_text()
    umpire.redo()
    assert "# In rain." not in umpire.file.read_text()
    umpire.undo()
    assert umpire.file.read_text() == before.replace("revision = 2 ", "revision = 5 ")


@pytest.mark.slow
def test_a_battle_comes_back_with_its_own_lines_not_those_of_another_of_its_id(umpire: Umpire) -> None:
    first, other = umpire.value("pending"), '[[pending]]\nid = "bridge"\nsides = ["stafford", "percy"]\n'
    umpire.fight("bridge")
    umpire.file.write_text(umpire.file.read_text() + other)
    umpire.override("bridge", force=True)
    for step in (undoing.undo, undoing.redo, undoing.undo):
        umpire.record(step(umpire.books, umpire.seen))
    umpire.file.write_text(umpire.file.read_text().replace(other, ""))
    umpire.undo("1", force=True)
    assert umpire.value("pending") == first


def test_a_command_that_would_break_the_law_records_nothing(umpire: Umpire) -> None:
    """Its changes were computed from another state of the campaign."""
    from cardbattle.campaign.ledger import ledger as ledgers
    from cardbattle.campaign.state.changes import Change

    umpire.fight("bridge")
    before = umpire.file.read_bytes(), umpire.ledger.raw
    wrong = Operation(ledgers.Entry(0, "adjust", [Change(("forces", "stafford", "strength"), 8, 5)]))
    with pytest.raises(NeedsUmpire, match="the earlier entries left 6; nothing was recorded"):
        umpire.do(wrong)
    assert (umpire.file.read_bytes(), umpire.ledger.raw) == before


@pytest.mark.parametrize(
    ("altered", "why"),
    [
        ({"undoes": [2]}, "it undoes a revision that is not before it"),
        ({"undoes": [1, 1]}, "it undoes a revision that is not before it"),
        ({"pending": [{"sides": []}]}, "expected a list of pending battles"),
        ({"record": "records/../x.toml"}, "expected a record such as records/mill.toml"),
        ({"record": "/etc/passwd"}, "expected a record such as records/mill.toml"),
        ({"record": "records/con.toml"}, "this entry is not valid"),
    ],
)
def test_an_entry_that_makes_no_sense_damages_the_ledger(
    altered: dict[str, object], why: str, umpire: Umpire
) -> None:
    """New hashes for the whole ledger do not hide the entry."""
    from cardbattle.campaign.ledger import ledger as ledgers

    umpire.turn()
    path = umpire.file.parent / "history.toml"
    entry = ledgers.Entry(2, "undo", [])._replace(**altered)  # type: ignore[arg-type]
    (second,) = ledgers.group_entries([entry], umpire.ledger.last_check)
    path.write_text(path.read_text() + ledgers.entry_text(second))
    damage = umpire.ledger.damage
    assert damage is not None
    assert why in damage.why


@pytest.mark.slow
def test_a_place_that_was_won_again_stays_with_who_won_it(umpire: Umpire) -> None:
    """The second victory changed no owner, and decided the place all the same; a draw decides nothing."""
    umpire.type('id = "wood"\n', 'id = "wood"\nstakes = "shrewsbury"\n')
    umpire.override("bridge")
    umpire.override("wood")
    with pytest.raises(NeedsUmpire, match=r"^locations\.shrewsbury\.owner is .* by override wood"):
        umpire.undo("bridge")
    assert umpire.value(OWNER) == "lancaster"
    umpire.undo("wood")
    drawn = result(percy="0", stafford="0")
    umpire.do(*undoing.override(umpire.books, umpire.seen, "wood", drawn, "decreed"))
    umpire.undo("bridge")
    assert umpire.value(OWNER) == "york"


def test_a_place_that_was_won_since_is_not_brought_back_to_another(umpire: Umpire) -> None:
    umpire.type('id = "wood"\n', 'id = "wood"\nstakes = "shrewsbury"\n')
    umpire.override("bridge")
    umpire.undo()
    umpire.override("wood")
    with pytest.raises(NeedsUmpire, match=r"override wood \(revision 3\) has since decided"):
        umpire.redo()


def test_what_stands_in_the_way_is_told_with_what_to_do(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.undo()
    umpire.fight("bridge")
    with pytest.raises(NeedsUmpire) as refused:
        umpire.redo()
    assert str(refused.value) == (
        "bridge was undone (revision 2); battle bridge (revision 3) has since decided pending.bridge, "
        "forces.percy and forces.stafford; undo that first (campaign undo 3), or decide it again"
    )


def test_what_was_changed_by_hand_cannot_be_taken_back_first(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.undo()
    umpire.type("strength = 8", "strength = 9")
    with pytest.raises(NeedsUmpire) as refused:
        umpire.redo()
    assert str(refused.value) == (
        "bridge was undone (revision 2); edit (revision 3) has since decided forces.stafford.strength "
        "and forces.stafford by hand; fight, import or override it again"
    )


def test_where_there_is_nothing_it_is_said(umpire: Umpire) -> None:
    with pytest.raises(InvalidInput, match=r"^there is nothing to undo$"):
        umpire.undo()
    with pytest.raises(InvalidInput, match=r"^there is nothing to redo$"):
        umpire.redo()
    with pytest.raises(InvalidInput) as refused:
        umpire.undo("7")
    assert str(refused.value) == "there is no revision 7; the last is 0"


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("bridge", '"bridge" is already undone'),
        ("1", "revision 1 is already undone"),
        ("4", "revision 4 undid other entries; campaign redo redoes what was undone last"),
        ("3", "revision 3 redid other entries; name one of those"),
        ("9", "there is no revision 9; the last is 4"),
        pytest.param("9" * 5000, f"there is no revision {'9' * 20}; the last is 4", id="endless"),
        ("brigde", 'there is no "brigde" to undo; did you mean "bridge"?'),
        ("wood", 'there is no "wood" to undo'),
    ],
)
def test_what_cannot_be_taken_back_says_why(what: str, words: str, umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.undo()
    umpire.redo()
    umpire.undo()
    with pytest.raises(InvalidInput) as refused:
        umpire.undo(what)
    assert str(refused.value) == words


def test_a_value_taken_away_by_hand_was_decided_by_hand(umpire: Umpire) -> None:
    umpire.adjust("forces.mortimer.commander", "green")
    umpire.type('commander = "green"\n', "", after="[forces.mortimer]")
    with pytest.raises(NeedsUmpire) as refused:
        umpire.undo("1")
    assert str(refused.value) == (
        "forces.mortimer.commander is now nothing, changed by hand since (revision 2); undo it anyway "
        "with --force --reason TEXT"
    )


def test_an_override_says_why_and_takes_back_with_force_only_if_told(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.type("strength = 6", "strength = 9")
    with pytest.raises(UsageError) as refused:
        undoing.override(umpire.books, umpire.seen, "bridge", DECREE, "")
    assert str(refused.value) == "override needs --reason TEXT: the ledger keeps why"
    with pytest.raises(NeedsUmpire, match="changed by hand since"):
        undoing.override(umpire.books, umpire.seen, "bridge", DECREE, "decreed")
    umpire.override("bridge", force=True)
    taken, decreed = umpire.ledger.span(3, 4)
    assert (taken.kind, taken.reason, decreed.reason) == ("undo", "decreed", "decreed")
    assert (decreed.kind, decreed.forced) == ("override", [])
    assert decreed.digest == battle_result.result_digest("bridge", DECREE)


BY_HAND = (
    ("strength = 14", "strength = 13"), ("strength = 9", "strength = 8"), ("turn = 4", "turn = 7"),
    ('owner = "lancaster"', 'owner = "york"'), ("points = 12", "points = 30"), ('note = "', 'note = "Or: '),
)  # fmt: skip
ADVICE = re.compile(r"^([a-z.-]+) should be .*; set it to (.*) in campaign\.toml$")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_check_says_what_the_next_command_does_with_an_old_copy_that_was_changed(
    seed: int, umpire: Umpire
) -> None:
    """An editor saves an old copy, changed by hand, over commands that were given meanwhile."""
    chance = random.Random(seed)
    copies = [umpire.file.read_text()]
    steps: list[Callable[[], None]] = [
        lambda: umpire.fight("bridge"), umpire.turn, lambda: umpire.adjust("forces.percy.strength", "+=3"),
        lambda: umpire.adjust(STRENGTH, "5"), lambda: umpire.adjust("factions.york.points", "+=1"),
    ]  # fmt: skip
    chance.shuffle(steps)
    for step in steps[: chance.randint(1, 5)]:
        step()
        copies.append(umpire.file.read_text())
    umpire.file.write_text(chance.choice(copies[:-1]))
    for old, new in chance.sample(BY_HAND, chance.randint(0, 3)):
        if old in umpire.file.read_text():
            umpire.type(old, new)
    before = {path: path.read_bytes() for path in umpire.file.parent.iterdir()}
    texts = [error.text for error in check.check(umpire.folder)]
    if not any(check.REPAIR in text for text in texts):
        assert "until you correct this, every command that writes is refused" in texts[0]
        with pytest.raises(NeedsUmpire) as refused:
            check.repair(umpire.folder)
        assert {path: path.read_bytes() for path in umpire.file.parent.iterdir()} == before
        assert sorted(texts[1:]) == sorted(conflict.text for conflict in refused.value.conflicts)
        follow(umpire, texts[1:])
        assert any(check.REPAIR in error.text for error in check.check(umpire.folder))
    check.repair(umpire.folder)
    umpire.turn()
    tried("old copies saved over new commands", 1)


def follow(umpire: Umpire, advice: list[str]) -> None:
    """Do what `check` advises: set a value, or take a battle out of the file."""
    changes = []
    for text in advice:
        if found := ADVICE.match(text):
            key = tuple(found[1].split("."))
            changes.append(Change(key, value_at(umpire.books.source.data, key), json.loads(found[2])))
        else:
            assert text.endswith("take it out of campaign.toml")
            key = ("pending", text.split()[1])
            changes.append(Change(key, value_at(umpire.books.source.data, key), None))
    umpire.file.write_text(edit_text(umpire.books.source, changes, umpire.books.campaign.revision))
