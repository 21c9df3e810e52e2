"""What an umpire can do, as pure functions: plan, override, adjust, undo, redo, the next turn."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cardbattle.campaign import check
from cardbattle.campaign.ledger import operations, umpire_changes
from cardbattle.campaign.ledger import undo as undoing
from cardbattle.campaign.ledger.operations import ImportPlan, Operation
from cardbattle.campaign.state.battle_result import BattleResult
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.storage import store
from cardbattle.core.errors import InvalidInput, UsageError
from tests.support import marches
from tests.support.marches import decided, result

BRIDGE = decided("bridge", "percy", percy="1/7", stafford="1/2")
WOOD = decided("wood", "stafford", percy="1", stafford="1/2")


class Umpire:
    """A campaign's folder and what an umpire does in it."""

    def __init__(self, path: Path, text: str = marches.MARCHES) -> None:
        self.path = path
        self.folder = marches.folder_with(path, text)

    @property
    def text(self) -> str:
        return (self.path / "campaign.toml").read_text()

    def plan(self, *battles: BattleResult, force: bool = False, reason: str = "") -> ImportPlan:
        ledger = store.load_ledger(self.folder)
        return operations.plan_import(store.load(self.folder), ledger, battles, force=force, reason=reason)

    def record(self, *battles: BattleResult) -> None:
        marches.record(self.folder, *battles)

    def do(self, *done: Operation) -> None:
        with store.open_for_writing(self.folder) as desk:
            desk.commit(done)

    def undo(self, what: str = "") -> Operation:
        return undoing.undo(store.load(self.folder), store.load_ledger(self.folder), what, "a slip")

    def redo(self) -> Operation:
        return undoing.redo(store.load(self.folder), store.load_ledger(self.folder))

    def strengths(self) -> list[int]:
        return [force.strength for force in store.load(self.folder).campaign.forces.values()]


@pytest.fixture
def umpire(tmp_path: Path) -> Umpire:
    return Umpire(tmp_path)


def test_a_battle_recorded_before_is_passed_over(umpire: Umpire) -> None:
    umpire.record(BRIDGE)
    assert umpire.plan(BRIDGE) == ImportPlan([], ["bridge"], [])
    assert umpire.plan(BRIDGE, WOOD).known == ["bridge"]
    assert [operation.entry.id for operation in umpire.plan(BRIDGE, WOOD).operations] == ["wood"]
    assert umpire.plan(WOOD, WOOD).known == ["wood"]


def test_the_same_id_with_another_result_shows_both(umpire: Umpire) -> None:
    umpire.record(BRIDGE)
    with pytest.raises(NeedsUmpire) as caught:
        umpire.plan(decided("bridge", percy="0", stafford="0"))
    (conflict,) = caught.value.conflicts
    assert conflict.text == (
        "battle bridge is recorded as revision 1, with another result; "
        "to change it: cardbattle campaign override bridge, "
        "or first: cardbattle campaign undo bridge --only"
    )
    assert conflict.beside == [
        ["", "recorded", "this one"],
        ["won by", "Harry Percy", "nobody"],
        ["Harry Percy", "lost 1/7, score 3", "lost nothing, score 3"],
        ["Stafford", "lost 1/2, score 3", "lost nothing, score 3"],
    ]


def test_every_conflict_is_told_at_once(umpire: Umpire) -> None:
    fought = marches.fought(store.load(umpire.folder), "wood")
    umpire.record(BRIDGE)
    other = decided("bridge", "stafford", percy="1", stafford="0")
    with pytest.raises(NeedsUmpire) as caught:
        umpire.plan(other, fought, WOOD._replace(result=other.result, digest="sha256:other"))
    assert [conflict.text.split(",")[0].split(":")[0] for conflict in caught.value.conflicts] == [
        "battle bridge is recorded as revision 1",
        "battle wood does not fit",
        "battle wood is given twice",
    ]


def test_a_result_nobody_bound_is_taken_and_said_so(umpire: Umpire) -> None:
    assert umpire.plan(BRIDGE).notes == ["battle bridge is matched by its id only: its forces are unknown"]
    fought = marches.fought(store.load(umpire.folder), "bridge")
    assert umpire.plan(fought).notes == []


def test_forces_that_have_changed_since_need_the_umpire(umpire: Umpire) -> None:
    fought = marches.fought(store.load(umpire.folder), "wood")
    umpire.record(BRIDGE)
    with pytest.raises(
        NeedsUmpire, match="Harry Percy had strength 14 then, and has 13 now; Stafford had"
    ) as e:
        umpire.plan(fought)
    assert str(e.value).endswith("to apply it anyway, use --force --reason TEXT")
    with pytest.raises(UsageError, match="--force needs --reason TEXT"):
        umpire.plan(fought, force=True)
    plan = umpire.plan(fought, force=True, reason="agreed by post")
    assert plan.operations[0].entry.forced == [
        "Harry Percy had strength 14 then, and has 13 now",
        "Stafford had strength 8 then, and has 6 now",
    ]
    assert plan.operations[0].entry.reason == "agreed by post"


def test_battles_fought_with_the_forces_as_they_stand_are_applied_together(umpire: Umpire) -> None:
    """Stafford fights in both; the second battle was fought before the first was recorded."""
    books = store.load(umpire.folder)
    bound = [marches.fought(books, battle).bound for battle in ("bridge", "wood")]
    umpire.record(BRIDGE._replace(bound=bound[0]), WOOD._replace(bound=bound[1]))
    ledger = store.load_ledger(umpire.folder)
    assert [(entry.id, entry.part) for entry in ledger.entries] == [("bridge", (1, 2)), ("wood", (2, 2))]
    assert umpire.strengths() == [6, 1, 5]  # 8 - 2 in the first, 6 - 1.5 x 1/2 in the second
    assert "[[pending]]" not in umpire.text
    assert check.check(umpire.folder) == []


def test_a_diff_shows_what_would_change(umpire: Umpire) -> None:
    plan = umpire.plan(BRIDGE)
    told = operations.diff(store.load(umpire.folder), plan.operations).splitlines()
    assert told[:2] == ["--- a/campaign.toml", "+++ b/campaign.toml"]
    assert [line for line in told[2:] if line[0] in "+-" and "=" in line][:8] == [
        "-revision = 0   # the tool counts",
        "+revision = 1   # the tool counts",
        "-points = 12  # so far",
        "+points = 14  # so far",
        "-strength = 14   # men-at-arms",
        "+strength = 13   # men-at-arms",
        "-strength = 8",
        "+strength = 6",
    ]
    assert umpire.text == marches.MARCHES
    assert operations.diff(store.load(umpire.folder), []) == ""


def test_undo_takes_everything_back_and_redo_brings_it_back(umpire: Umpire) -> None:
    umpire.record(BRIDGE)
    after = umpire.text
    umpire.do(umpire.undo())
    assert umpire.text == marches.MARCHES.replace("revision = 0 ", "revision = 2 ")
    assert store.load_ledger(umpire.folder).entries[1].reason == "a slip"
    umpire.do(umpire.redo())
    assert umpire.text == after.replace("revision = 1 ", "revision = 3 ")
    umpire.do(umpire.undo())
    assert umpire.text == marches.MARCHES.replace("revision = 0 ", "revision = 4 ")
    with pytest.raises(InvalidInput, match="there is nothing to undo"):
        umpire.undo()
    umpire.do(umpire.redo())
    with pytest.raises(InvalidInput, match="there is nothing to redo"):
        umpire.redo()
    assert check.check(umpire.folder) == []


def test_what_was_recorded_together_is_taken_back_together(umpire: Umpire) -> None:
    umpire.record(BRIDGE, WOOD)
    assert umpire.strengths() == [6, 1, 5]
    undo = umpire.undo("bridge")
    assert undo.entry.undoes == [1, 2]
    umpire.do(undo)
    assert umpire.strengths() == [14, 3, 8]
    assert [battle.id for battle in store.load(umpire.folder).campaign.pending] == ["bridge", "wood"]
    umpire.do(umpire.redo())
    assert umpire.strengths() == [6, 1, 5]


def test_an_earlier_deed_is_taken_back_by_its_name_or_revision(umpire: Umpire) -> None:
    umpire.record(BRIDGE)
    umpire.do(umpire_changes.next_turn(store.load(umpire.folder)))
    umpire.do(umpire.undo("bridge"))
    assert umpire.strengths() == [14, 3, 8]
    umpire.do(umpire.redo())
    with pytest.raises(InvalidInput, match='there is no "brdge" to undo'):
        umpire.undo("brdge")
    umpire.do(umpire.undo("2"))
    assert store.load(umpire.folder).campaign.turn == 4


def test_a_battle_fought_again_after_undo_has_a_record_of_its_own(umpire: Umpire) -> None:
    books = store.load(umpire.folder)
    umpire.record(marches.fought(books, "bridge"))
    umpire.do(umpire.undo())
    file = umpire.path / store.NAME
    file.write_text(umpire.text.replace("seed = 1403", "seed = 1404"), encoding="utf-8")
    umpire.record(marches.fought(store.load(umpire.folder), "bridge"))
    assert sorted(path.name for path in (umpire.path / "records").iterdir()) == [
        "bridge.2.toml",
        "bridge.toml",
    ]
    assert check.check(umpire.folder) == []


def test_a_record_that_no_entry_names_is_moved_aside(umpire: Umpire) -> None:
    (umpire.path / "records").mkdir()
    (umpire.path / "records" / "bridge.toml").write_text("# mine")
    books = store.load(umpire.folder)
    umpire.record(marches.fought(books, "bridge"))
    assert (umpire.path / "records" / "bridge.toml.orphan").read_text() == "# mine"
    assert check.check(umpire.folder) == []
    umpire.do(umpire.undo())
    (umpire.path / "records" / "bridge.2.toml").write_text("# mine too")
    (umpire.path / "records" / "bridge.2.toml.orphan").write_text("# and this")
    umpire.record(marches.fought(store.load(umpire.folder), "bridge"))
    assert (umpire.path / "records" / "bridge.2.toml.orphan-2").read_text() == "# mine too"
    assert (umpire.path / "records" / "bridge.2.toml.orphan").read_text() == "# and this"


def test_an_override_decides_a_battle_by_decree(umpire: Umpire) -> None:
    books, ledger = store.load(umpire.folder), store.load_ledger(umpire.folder)
    decree = result("stafford", percy="1", stafford="0")
    with pytest.raises(UsageError, match="override needs --reason TEXT"):
        undoing.override(books, ledger, "bridge", decree, "")
    umpire.do(*undoing.override(books, ledger, "bridge", decree, "no bridge was there"))
    entry = store.load_ledger(umpire.folder).entries[0]
    assert (entry.kind, entry.id, entry.reason) == ("override", "bridge", "no bridge was there")
    assert umpire.strengths() == [7, 3, 8]


def test_an_override_of_a_recorded_battle_takes_it_back_first(umpire: Umpire) -> None:
    umpire.record(BRIDGE)
    books, ledger = store.load(umpire.folder), store.load_ledger(umpire.folder)
    both = undoing.override(books, ledger, "bridge", result("stafford", percy="1", stafford="0"), "appeal")
    umpire.do(*both)
    assert [(entry.kind, entry.part) for entry in store.load_ledger(umpire.folder).entries] == [
        ("battle", (1, 1)), ("undo", (1, 2)), ("override", (2, 2)),
    ]  # fmt: skip
    assert umpire.strengths() == [7, 3, 8]
    assert store.load(umpire.folder).campaign.factions["york"].points == 12
    found = store.load_ledger(umpire.folder).find("bridge")
    assert found is not None
    assert found.revision == 3
    assert check.check(umpire.folder) == []


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("forces.percy.strength", "20", "strength = 20   # men-at-arms"),
        ("forces.percy.name", "Hotspur", 'name = "Hotspur"'),
        ("forces.mortimer.name", '"Edmund"', 'name = "Edmund"'),
        ("forces.mortimer.destroyed", "true", "destroyed = true"),
        ("locations.shrewsbury.owner", "lancaster", 'owner = "lancaster"'),
        ("scoring.loss", "-1", "loss = -1"),
        ("turn", "7", "turn = 7"),
    ],
)
def test_a_value_is_adjusted_in_place(umpire: Umpire, key: str, value: str, line: str) -> None:
    umpire.do(operations.adjust(store.load(umpire.folder), key, value, "the umpire's word"))
    assert line in umpire.text.splitlines()
    umpire.do(umpire.undo())
    assert umpire.text == marches.MARCHES.replace("revision = 0 ", "revision = 2 ")


@pytest.mark.parametrize(
    ("key", "value", "error", "words"),
    [
        ("forces.percy.strength", "many", InvalidInput, 'expected a whole number from 0, got "many"'),
        ("forces.percy.strength", "1.5", UsageError, "one number, text, true or false"),
        ("forces.percy.strength", "14", InvalidInput, r"forces\.percy\.strength is already 14"),
        ("forces.percy.strenth", "3", InvalidInput, 'unknown key "strenth"; did you mean "strength"'),
        (
            "forces.prcy.strength",
            "3",
            InvalidInput,
            'force "prcy" is not in this campaign; did you mean "percy"',
        ),
        ("forces.percy", "3", UsageError, "one number, text, true or false"),
        ("revision", "3", UsageError, "cannot be adjusted; name a value as"),
        ("pending.wood.note", "x", UsageError, "cannot be adjusted"),
        ("forces..strength", "3", UsageError, "cannot be adjusted"),
        ("", "3", UsageError, "cannot be adjusted"),
        ("forces.percy.faction", "tudor", InvalidInput, 'faction "tudor" is not in this campaign'),
        ("name", "\x1b[31m", InvalidInput, "without control or format characters"),
        ("name.x", "3", UsageError, "cannot be adjusted"),
    ],
)
def test_an_adjustment_that_makes_no_sense_is_refused(
    umpire: Umpire, key: str, value: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        umpire.do(operations.adjust(store.load(umpire.folder), key, value))
    assert umpire.text == marches.MARCHES


def test_the_next_turn_begins(umpire: Umpire) -> None:
    umpire.do(umpire_changes.next_turn(store.load(umpire.folder), "Sunday"))
    assert "turn = 5\n" in umpire.text
    bare = marches.books('format = 1\nname = "Bare"\nseed = 1\n')
    assert umpire_changes.next_turn(bare).entry.changes[0].before is None
    assert operations.after(bare, [umpire_changes.next_turn(bare)]).campaign.turn == 1


def test_check_finds_what_is_wrong_all_at_once(umpire: Umpire) -> None:
    books = store.load(umpire.folder)
    umpire.record(marches.fought(books, "bridge"))
    text = umpire.text.replace("strength = 3", "strength = 3\ndestroyed = true")
    text = text.replace('[[assert]]\nforce = "percy"', '[[assert]]\nforce = "percy"\nstrength = 99')
    text = text.replace('cards = ["A", "A"]', "cards = []")
    text += '[[pending]]\nid = "bridge"\nsides = ["percy", "stafford"]\n'
    (umpire.path / "campaign.toml").write_text(text)
    record = umpire.path / "records" / "bridge.toml"
    record.write_text(record.read_text().replace("Harry Percy", "Harry Hotspur"))
    assert [str(error) for error in check.check(umpire.folder)] == [
        "campaign.toml:59: pending.1.options.stafford.cards: expected a list of 1 to 26 cards, got 0 cards",
    ]
    (umpire.path / "campaign.toml").write_text(text.replace("cards = []", 'cards = ["A"]'))
    assert [str(error) for error in check.check(umpire.folder)] == [
        "campaign.toml:54: pending.1.sides: Mortimer is destroyed; take it out of sides",
        "campaign.toml:63: assert.1.strength: strength of Harry Percy should be 99, but is 13",
        "campaign.toml:66: pending.2.id: battle bridge is already recorded (revision 1); choose another id",
        "records/bridge.toml: the record of battle bridge was changed after it was recorded",
    ]
    record.unlink()
    assert str(check.check(umpire.folder)[-1]) == (
        "records/bridge.toml: the record of battle bridge is missing; restore it from a copy; "
        "its result is in history.toml"
    )
    record.write_text("broken = ")
    assert "cannot be read: records" in check.check(umpire.folder)[-1].text.replace(umpire.folder + "/", "")


def test_a_destroyed_force_fights_no_more(umpire: Umpire) -> None:
    text = marches.MARCHES.replace("strength = 3", "strength = 1\ndestroyed = true")
    with pytest.raises(
        InvalidInput, match="battle wood cannot be fought: Mortimer is destroyed; take it out"
    ):
        marches.fought(marches.books(text), "wood")


def test_check_reads_a_campaign_without_a_ledger_and_says_so(umpire: Umpire) -> None:
    umpire.record(BRIDGE)
    (umpire.path / "history.toml").unlink()
    assert [str(error) for error in check.check(umpire.folder)] == [
        "history.toml: history.toml is missing or empty, but campaign.toml is at revision 1; "
        "restore history.toml from a copy, or begin a new history with revision = 0"
    ]


def test_the_demo_can_be_fought_to_its_end(tmp_path: Path) -> None:
    demo = Path(__file__).parents[3] / "cardbattle" / "data" / "demo"
    shutil.copytree(demo, tmp_path / "demo")
    folder = str(tmp_path / "demo")
    for battle in store.load(folder).campaign.pending:
        marches.record(folder, marches.fought(store.load(folder), battle.id))
    campaign = store.load(folder).campaign
    assert (campaign.pending, campaign.revision) == ([], 3)
    results = [entry.result for entry in store.load_ledger(folder).entries]
    gained = [3 if result and len(result.winners) == 1 else 2 for result in results]  # a draw is 1 to each
    assert sum(faction.points for faction in campaign.factions.values()) == 11 + sum(gained)
    assert check.check(folder) == []
    for _ in range(3):
        with store.open_for_writing(folder) as desk:
            desk.commit([undoing.undo(desk.books, desk.ledger)])
    text = (demo / "campaign.toml").read_text()
    assert (tmp_path / "demo" / "campaign.toml").read_text().replace("revision = 6 ", "revision = 0 ") == text


def test_a_signed_number_after_adjust_still_adds_and_a_note_names_what_to_write(umpire: Umpire) -> None:
    signed = operations.adjust_all(
        store.load(umpire.folder), [("factions.york.points", "-5"), ("forces.percy.strength", "+3")], "late"
    )
    assert [(change.before, change.after) for change in signed.entry.changes] == [(12, 7), (14, 17)]
    assert signed.notes == [
        "factions.york.points=-5 subtracts 5, which is deprecated; write factions.york.points-=5, "
        "or to set -5: cardbattle campaign set factions.york.points=-5",
        "forces.percy.strength=+3 adds 3, which is deprecated; write forces.percy.strength+=3, "
        "or to set 3: cardbattle campaign set forces.percy.strength=3",
    ]
    new = operations.adjust_all(store.load(umpire.folder), [("factions.york.points-", "5")], "late")
    assert new.notes == []
    assert new.entry.changes == signed.entry.changes[:1]
