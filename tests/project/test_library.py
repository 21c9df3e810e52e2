"""The front door: battles, odds, records and campaigns from Python, and commanders of one's own."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import cardbattle
from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.record import record_digest
from cardbattle.battles.records.replay import refight
from cardbattle.battles.records.results_file import result
from cardbattle.battles.rederive import derive
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.storage.store import load
from cardbattle.campaign.turn.fighting import fight_battles
from cardbattle.cli.app import run
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.referee import Referee
from cardbattle.rules import RULE_SETS
from cardbattle.show.pages.odds import odds_page
from cardbattle.show.writers.formats import render

resolve_anyhow: Callable[..., object] = cardbattle.resolve  # as from a place without a type checker
ROOT = Path(__file__).parents[2]
SHREWSBURY = ROOT / "examples" / "shrewsbury.toml"
SEALED = ROOT / "examples" / "sealed"
DEMO = ROOT / "cardbattle" / "data" / "demo"


class Last(cardbattle.Commander):
    """Takes the last option, and keeps what it is shown."""

    def __init__(self) -> None:
        self.shown: list[cardbattle.Seat] = []

    def answer(self, seat: cardbattle.Seat) -> int:
        """Return the last option."""
        self.shown.append(seat)
        return seat.count - 1


class Resigner(cardbattle.Commander):
    """Gives up."""

    def answer(self, seat: cardbattle.Seat) -> int:
        """Return a choice that is accepted, although it is not listed."""
        assert seat.unlisted_texts == ["resign"]
        return seat.find("resign")


class Answering(cardbattle.Commander):
    """Answers with the value that it was made with."""

    def __init__(self, answer: object) -> None:
        self.given = answer

    def answer(self, seat: cardbattle.Seat) -> int:
        """Return it."""
        return self.given  # type: ignore[return-value]


@pytest.fixture
def war(tmp_path: Path) -> Path:
    """Copy the shipped campaign."""
    return shutil.copytree(DEMO, tmp_path / "war")


# The door itself


def test_every_name_of_the_door_is_there() -> None:
    assert set(cardbattle.__all__) <= set(dir(cardbattle))
    assert all(getattr(cardbattle, name).__name__ == name for name in cardbattle.__all__)


def test_the_door_leads_to_all_that_it_names_and_to_nothing_else() -> None:
    assert sorted(name for names in cardbattle.DOOR.values() for name in names) == cardbattle.__all__
    with pytest.raises(AttributeError, match="module 'cardbattle' has no attribute 'resolv'"):
        getattr(cardbattle, "resolv")  # noqa: B009 (a type checker knows better)


def test_completion_that_reads_the_source_finds_every_public_name() -> None:
    """Jedi skips a block whose condition it knows to be False; an annotated name it does not know."""
    tree = ast.parse(Path(cardbattle.__file__).read_text(encoding="utf-8"))
    flags = [node for node in tree.body if isinstance(node, ast.AnnAssign)]
    assert [ast.unparse(node) for node in flags] == ["TYPE_CHECKING: bool = False"]
    blocks = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [line for line in blocks[0].body if isinstance(line, ast.ImportFrom)]
    assert sorted(name.name for line in imports for name in line.names) == cardbattle.__all__


def test_to_import_the_door_loads_nothing_behind_it() -> None:
    told = "import cardbattle, sys; print([name for name in sys.modules if name.startswith('cardbattle.')])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, check=True, text=True)
    assert done.stdout == "['cardbattle.version']\n"


def test_all_rule_sets_are_found() -> None:
    assert {*RULE_SETS} <= {rules.key for rules in cardbattle.rule_sets()}
    assert cardbattle.find("brainwar").key == "strategy-war"


# Battles


@pytest.mark.parametrize("key", RULE_SETS)
def test_a_battle_is_fought_as_from_the_command_line(key: str) -> None:
    record = cardbattle.resolve(key, seed=7)
    assert record.table == fight_battle(read_battle(bare_battle(key, []) | {"seed": 7}))[0].table


def test_sides_are_named_by_keyword_or_in_a_table() -> None:
    record = cardbattle.resolve(
        "field-of-honour", seed=1, york={"hand": 12, "commander": "green"}, sides={"earl-hal": "regular"}
    )
    assert record.seats == ["earl-hal", "york"]
    assert [side.commander for side in record.sides] == ["regular", "green"]
    assert record.setup.sides[1]["hand"] == 12


def test_the_usual_sides_fill_up_those_that_are_named() -> None:
    assert cardbattle.resolve("wargame", seed=1, green="green").seats == ["brown", "green"]
    assert cardbattle.resolve("strategy-war", seed=1, ann={}, bob={}).seats == ["ann", "bob"]


def test_a_battle_file_keeps_what_the_call_does_not_say() -> None:
    record = cardbattle.resolve(SHREWSBURY, percy="green", stafford={"hand": 11})
    assert (record.id, record.seed, record.setup.house["dealer"]) == ("shrewsbury", 1403, "stafford")
    assert [side.commander for side in record.sides] == ["green", "regular"]
    assert [side["hand"] for side in record.setup.sides] == [12, 11]
    assert cardbattle.resolve(str(SHREWSBURY), seed=5).seed == 5


def test_a_table_a_rule_set_and_house_rules_will_do() -> None:
    table = {"rules": "wargame", "sides": {"ann": {}, "bob": {"commander": "orders", "orders": []}}}
    assert cardbattle.resolve(table, seed=1, bob="green").seats == ["ann", "bob"]
    assert table == {"rules": "wargame", "sides": {"ann": {}, "bob": {"commander": "orders", "orders": []}}}
    record = cardbattle.resolve(cardbattle.find("wargame"), seed=1, house={"traitors": True})
    assert record.setup.house["traitors"] is True


def test_a_seed_is_drawn_where_none_is_given() -> None:
    one, other = (cardbattle.resolve("strategy-war", ann="green", bob="green") for _ in range(2))
    assert one.seed != other.seed


def test_a_record_says_who_won_why_and_at_what_cost() -> None:
    record = cardbattle.resolve("field-of-honour", seed=1455)
    assert record.winners == [record.seats[seat] for seat in record.winning_seats] == record.outcome.winners
    assert record.reason == record.outcome.reason
    assert [Fraction(*lost) for lost in record.outcome.losses] == record.losses
    assert result(record)["winners"] == record.winners


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: cardbattle.resolve("wargme"), "UsageError", 'did you mean "wargame"'),
        (
            lambda: cardbattle.resolve("wargame", york="vetran"),
            "InvalidInput",
            "sides: Wargame is fought by 2",
        ),
        (lambda: cardbattle.resolve("wargame", green="gren"), "InvalidInput", 'did you mean "green"'),
        (lambda: resolve_anyhow("wargame", green=3), "UsageError", "side green: expected the name of"),
        (lambda: resolve_anyhow("wargame", green=Last), "UsageError", r"write Last\(\)"),
        (lambda: cardbattle.resolve(SHREWSBURY, pery="green"), "UsageError", 'did you mean "percy"'),
        (
            lambda: cardbattle.resolve(SHREWSBURY, percy={"hand": 99}),
            "InvalidInput",
            "toml:13: sides.percy.hand",
        ),
        (lambda: cardbattle.resolve("wargame", seed=-1), "InvalidInput", "seed: expected a seed"),
        (lambda: cardbattle.resolve("nowhere.toml"), "InvalidInput", "nowhere.toml: there is no such file"),
        (
            lambda: cardbattle.resolve("wargame", seed=1).tale("shortest"),
            "UsageError",
            "brief, story, log, tale, audit",
        ),
        (lambda: cardbattle.resolve("wargame", seed=1).tale(side="x"), "UsageError", "brown, green"),
        (lambda: cardbattle.resolve("wargame", seed=1).tale("log", 0), "UsageError", "brown"),  # type: ignore[arg-type]
        (lambda: cardbattle.odds("wargame", battles=0), "UsageError", "battles: expected a whole number"),
        (lambda: cardbattle.odds("wargame", precision=2), "UsageError", "precision: expected a share"),
        (lambda: cardbattle.odds("wargame", green=Last()), "UsageError", "green: odds are counted with"),
        (lambda: cardbattle.load_campaign("nowhere"), "InvalidInput", "nowhere is not a campaign"),
        (
            lambda: cardbattle.battle("wargame", seed=1).choose("x"),
            "IllegalMove",
            "cannot x: the question now needs the answer deploy",
        ),
        (
            lambda: cardbattle.battle("wargame", seed=1).outcome(),
            "InvalidInput",
            "the battle is not over: green must choose",
        ),
    ],
)
def test_what_is_wrong_is_said(call: Callable[[], object], error: str, words: str) -> None:
    with pytest.raises(getattr(cardbattle, error), match=words):
        call()


# Telling, saving, verifying


def test_a_tale_is_what_the_command_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = cardbattle.resolve("field-of-honour", seed=1455)
    record.save(tmp_path / "battle.toml")
    for detail in ("brief", "tale", "audit"):
        for side in ("", "north"):
            seen = ["--for", side] if side else []
            command = ["replay", str(tmp_path / "battle.toml"), "--format", "plain", "--detail", detail]
            assert run([*command, *seen]) == 0
            assert record.tale(detail, side) + "\n" == capsys.readouterr().out


@pytest.mark.slow
def test_a_saved_record_is_read_again_and_verified(tmp_path: Path) -> None:
    record = cardbattle.resolve("warmonger", seed=3)
    record.save(tmp_path / "battle.toml")
    assert cardbattle.replay(tmp_path / "battle.toml").table == record.table
    agrees = f"{len(record.moves)} moves agree"
    assert cardbattle.verify(str(tmp_path / "battle.toml")) == cardbattle.verify(record) == agrees
    assert cardbattle.verify(record.table) == agrees


def test_a_record_that_was_changed_differs() -> None:
    record = cardbattle.resolve("strategy-war", seed=1, ann="green", bob="green")
    moves = [*record.moves[:2][::-1], *record.moves[2:]]
    for check in (cardbattle.verify, cardbattle.replay):
        with pytest.raises(cardbattle.ReplayMismatch, match="move 1: it is ann's turn, not bob's"):
            check(record.table | {"moves": moves})


def test_what_a_record_says_of_its_end_stands_with_a_warning() -> None:
    record = cardbattle.resolve("strategy-war", seed=1, ann="green", bob="green")
    table = record.table | {"winners": ["ann", "bob"]}
    table["digest"] = record_digest(table)
    with pytest.warns(cardbattle.Remark, match="contradicts itself"):
        assert cardbattle.replay(table).winners == ["ann", "bob"]
    with pytest.raises(cardbattle.ReplayMismatch, match="winners"):
        cardbattle.verify(table)


def test_a_record_is_not_saved_over_a_campaigns_books(war: Path) -> None:
    record = cardbattle.resolve("strategy-war", seed=1, ann="green", bob="green")
    for name in ("campaign.toml", "records/x.toml"):
        with pytest.raises(cardbattle.UsageError, match="belongs to the campaign"):
            record.save(war / name)


# Odds


@pytest.mark.slow
def test_odds_are_those_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    odds = cardbattle.odds(SHREWSBURY, battles=60)
    assert run(["odds", str(SHREWSBURY), "-n", "60", "--format", "csv", "-q"]) == 0
    assert render(odds_page(odds), "csv") == capsys.readouterr().out


def test_odds_are_asked_for_by_side() -> None:
    odds = cardbattle.odds(SHREWSBURY, battles=60)
    assert (odds.won("stafford"), odds.losses("stafford")) == (odds.won(1), odds.losses(1))
    assert (odds.battles, odds.seats) == (60, ["percy", "stafford"])
    with pytest.raises(cardbattle.UsageError, match='unknown side "york"; write one of percy, stafford'):
        odds.won("york")


def test_odds_are_a_table_of_what_can_happen() -> None:
    odds = cardbattle.odds("strategy-war", seed=1, battles=40)
    rows = odds.table()
    assert [(row["side"], row["outcome"]) for row in rows][:2] == [("p1", "won"), ("p2", "won")]
    assert rows[-1]["outcome"] == "drawn"
    assert sum(int(str(row["count"])) for row in rows if row["outcome"] != "shared") <= odds.battles


def test_a_notebook_shows_odds_as_a_chart_in_which_names_are_only_names() -> None:
    named = {"percy": {"name": "<b>Percy</b>"}}
    chart = cardbattle.odds(SHREWSBURY, battles=20, sides=named)._repr_html_()
    assert "█" in chart and "&lt;b&gt;Percy&lt;/b&gt; won" in chart and "<b>" not in chart


# Battles stepped by hand


@pytest.mark.parametrize("key", RULE_SETS)
def test_a_stepped_battle_is_the_one_that_is_resolved(key: str) -> None:
    """The same lots, cards and chance; moves of a record are choices."""
    record = cardbattle.resolve(key, seed=11)
    battle = cardbattle.find(key).battle(seed=11)
    for move in record.moves:
        side, _, choice = move.partition(" ")
        if side != "fate":
            assert (battle.side, choice in battle.options) == (side, True)
            battle.choose(choice)
    assert (battle.side, battle.options) == (None, [])
    assert battle.outcome() == record.outcome


def test_a_copy_goes_its_own_way() -> None:
    battle = cardbattle.battle("wargame", seed=7, ann={}, bob={"chips": 3})
    before = battle.options
    other = battle.copy()
    while other.side:
        other.choose(len(other.options) - 1)
    assert (battle.side, battle.options) == ("ann", before)
    with pytest.raises(cardbattle.InvalidInput, match="the battle is over"):
        other.choose(0)
    for place in (-1, len(before)):
        with pytest.raises(IndexError, match=f"from 0 to {len(before) - 1}, got {place}"):
            battle.choose(place)


def test_a_stepped_battle_takes_what_is_accepted_unasked() -> None:
    battle = cardbattle.battle("wargame", seed=7)
    battle.choose("resign")
    assert battle.outcome().winners == ["green"]


# Commanders of one's own


@pytest.mark.parametrize("key", RULE_SETS)
def test_a_commander_of_ones_own_fights_in_every_rule_set(key: str) -> None:
    own = Last()
    side, *_ = cardbattle.find(key).default_sides
    record = cardbattle.resolve(
        key, seed=3, sides=dict.fromkeys(cardbattle.find(key).default_sides, "green") | {side: own}
    )
    assert own.shown
    assert [one.commander for one in record.sides][:2] == ["own:Last", "green"]
    assert cardbattle.verify(record).endswith("agree")


def test_a_commander_of_ones_own_may_have_options_and_take_over_from_orders() -> None:
    table = {"rules": "field-of-honour", "sides": {"ann": {"orders": ["place 2D"]}, "bob": {"orders": []}}}
    record = cardbattle.resolve(table, seed=1, ann={"hand": 12, "commander": Last()}, bob=Last())
    assert [side.commander for side in record.sides] == ["own:Last", "own:Last"]
    assert record.setup.sides[0]["hand"] == 12


def test_a_commander_of_ones_own_may_resign() -> None:
    assert cardbattle.resolve("wargame", seed=3, green=Resigner()).winners == ["brown"]


@pytest.mark.parametrize("answer", [-1, 10**6, "play 7", None, True, 1.0])
def test_an_answer_that_is_none_is_refused(answer: object) -> None:
    with pytest.raises(
        cardbattle.InvalidInput, match=r"own:Answering answers .* for green; expected the index of an"
    ):
        cardbattle.resolve("wargame", seed=3, green=Answering(answer))


def test_a_battle_with_a_commander_of_ones_own_has_an_id_of_its_own() -> None:
    ids = {cardbattle.resolve("wargame", seed=3, green=who).id for who in ("regular", Last(), Resigner())}
    assert len(ids) == 3
    assert cardbattle.resolve(SHREWSBURY, percy=Last()).id == "shrewsbury"


def test_no_class_passes_for_a_rank() -> None:
    veteran = type("veteran", (Last,), {})
    record = cardbattle.resolve("strategy-war", seed=3, ann=veteran(), bob="green")
    assert record.sides[0].commander == "own:veteran"


def test_a_commander_of_ones_own_cannot_be_derived() -> None:
    record = cardbattle.resolve("strategy-war", seed=3, ann=Last(), bob="green")
    with pytest.raises(cardbattle.UsageError, match=r'the moves of ann cannot be derived: .*"own:Last"'):
        derive(record, [0, 1])
    assert derive(record, [1]).battle.is_over()


# Campaigns


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, the lock aside."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != ".cardbattle.lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_campaign_is_read(war: Path) -> None:
    campaign = cardbattle.load_campaign(war)
    assert (campaign.name, campaign.turn, campaign.revision) == ("The Cider War, 1645", 1, 0)
    assert campaign.forces.keys() and campaign.factions.keys() and campaign.locations.keys()
    first = campaign.pending[0]
    assert first.table()["id"] == first.id
    assert first.sides == [*first.table()["sides"]]  # type: ignore[misc]


def test_the_campaign_of_the_working_directory_is_found(war: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (war / "notes").mkdir()
    monkeypatch.chdir(war / "notes")
    assert cardbattle.load_campaign().folder == str(war)


@pytest.mark.slow
def test_a_campaign_is_fought_as_from_the_command_line(war: Path, tmp_path: Path) -> None:
    """To the last byte."""
    other = shutil.copytree(war, tmp_path / "other")
    campaign = cardbattle.load_campaign(war)
    ids = [battle.id for battle in campaign.pending]
    records = campaign.fight(*ids)
    assert run(["campaign", "-C", str(other), "fight", *ids, "-q", "--no-odds"]) == 0
    assert contents(war) == contents(other)
    assert [record.id for record in records] == ids
    assert (campaign.revision, campaign.pending, campaign.ledger.whole_entries) == (
        len(ids),
        [],
        len(ids),
    )


def test_pending_battles_have_odds_that_change_nothing(war: Path) -> None:
    before = contents(war)
    battle = cardbattle.load_campaign(war).pending[0]
    assert battle.odds(battles=10).seats == battle.sides
    assert contents(war) == before


def test_one_pending_battle_is_fought(war: Path) -> None:
    campaign = cardbattle.load_campaign(war)
    first, *rest = campaign.pending
    assert first.fight().id == first.id
    assert [battle.id for battle in campaign.pending] == [battle.id for battle in rest]
    with pytest.raises(cardbattle.InvalidInput, match=f'battle "{first.id}" is not pending'):
        first.fight()


def test_what_was_changed_by_hand_is_warned_of(war: Path) -> None:
    file = war / "campaign.toml"
    campaign = cardbattle.load_campaign(war)
    campaign.fight()
    text = file.read_text(encoding="utf-8").replace("points = 7\n", "points = 8\n")
    file.write_text(text, encoding="utf-8")
    with pytest.warns(cardbattle.Remark, match=r"changed by hand.*factions.king.points: 7 -> 8"):
        campaign.fight()


def test_a_battle_that_was_changed_while_it_was_fought_is_not_recorded(
    war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = cardbattle.load_campaign(war)
    first = campaign.pending[0]
    file = war / "campaign.toml"

    def meanwhile(*args: object) -> object:
        found = fight_battles(*args)  # type: ignore[arg-type]
        text = file.read_text(encoding="utf-8").replace(f'id = "{first.id}"', 'id = "elsewhere"')
        file.write_text(text, encoding="utf-8")
        return found

    monkeypatch.setattr("cardbattle.campaign.folder.fight_battles", meanwhile)
    with pytest.raises(cardbattle.NeedsUmpire, match="it is no longer pending; nothing was recorded"):
        first.fight()
    assert not (war / "records").exists()


# What values say of themselves


def test_values_are_worth_reading(war: Path) -> None:
    record = cardbattle.resolve("field-of-honour", seed=1455, york="green", lancaster={"hand": 12})
    odds = cardbattle.odds(SHREWSBURY, battles=100)
    battle = cardbattle.battle("field-of-honour", seed=7, york={}, lancaster={})
    campaign = cardbattle.load_campaign(war)
    campaign.fight("teme-ford")
    refought = refight(record)
    begun = Referee(record.rules, record.setup, Drawn(stream(1, "battle")))
    told = [
        (
            record,
            "<Record field-of-honour-7534d559 of Field of Honour: lancaster won, more-spaces; 18 moves>",
        ),
        (record.outcome, "Outcome(winners=['lancaster'], reason='more-spaces')"),
        (record.rules, "<RuleSet field-of-honour: Field of Honour>"),
        (record.rules.options["hand"], "<Whole: a whole number from 5 to 49; default 10>"),
        (record.setup, "<Setup: york, lancaster; 54 cards dealt>"),
        (odds, "<Odds of Field of Honour: percy 32.0%, stafford 59.0%, drawn 9.0%; 100 battles>"),
        (odds.won("percy"), "<Interval 32.0%: 23.7% to 41.7%>"),
        (odds.score("percy"), "<Spread 2.61 +- 2.09>"),
        (odds.plan, "<BattlePlan shrewsbury of Field of Honour: percy (regular), stafford (regular)>"),
        (odds.counted, "<Count of 100 battles: won [32, 59], drawn 9>"),
        (battle, "<Battle of Field of Honour: york to choose among 20>"),
        (battle.machine, "<FieldOfHonour: seat 0 to choose among 20>"),
        (battle.machine.view(0), "<FieldView of seat 0: 20 options>"),
        (refought, "<Referee of Field of Honour: over, 18 moves made>"),
        (begun.seat, "<Seat of york: 12 options>"),
        (Last(), "<Last, a commander>"),
        (stream(7, "deal"), "<Chance: 0 numbers drawn>"),
        (Drawn(stream(7, "deal")), "<Drawn>"),
        (campaign, "<CampaignFolder The Cider War, 1645: turn 1, revision 1, 2 battles pending>"),
        (
            campaign.campaign,
            "<Campaign The Cider War, 1645: turn 1, revision 1; 4 factions, 7 forces, 2 battles pending>",
        ),
        (
            campaign.forces["clubmen"],
            "Force(faction='clubmen', name='The Men with Clubs', strength=10, commander='green', "
            "location='orchard')",
        ),
        (campaign.pending[0], "<PendingBattle mill of Field of Honour: vaughan, birch>"),
        (campaign.ledger, "<Ledger: 1 entries>"),
        (campaign.ledger.entries[0], "<Entry 1: battle teme-ford, 3 changes>"),
        (campaign.ledger.entries[0].changes[0], "<Change factions.king.points: 4 -> 7>"),
        (load(str(war)), f"<CampaignFile campaign.toml in {war}: revision 1>"),
        (
            cardbattle.PlacedDiagnostic("no side", file="a.toml", line=3),
            "PlacedDiagnostic('a.toml:3: no side')",
        ),
        (cardbattle.InvalidInput("no side"), "InvalidInput('no side')"),
    ]
    assert [repr(value) for value, _ in told] == [said for _, said in told]


def test_everything_behind_the_door_says_what_it_is() -> None:
    """Nothing is an object somewhere, and nothing a page of fields."""
    behind = [getattr(cardbattle, name) for name in cardbattle.__all__]
    kinds: list[Any] = [kind for kind in behind if isinstance(kind, type)]
    assert len(kinds) > 15
    assert not [kind for kind in kinds if kind.__repr__ is object.__repr__]
    assert not [
        kind for kind in kinds if issubclass(kind, tuple) and kind.__repr__.__module__ == "collections"
    ]


def test_a_battle_that_is_over_says_so() -> None:
    battle = cardbattle.battle("wargame", seed=7)
    battle.choose("resign")
    assert (repr(battle), repr(battle.machine)) == ("<Battle of Wargame: over>", "<Wargame: over>")


@pytest.mark.slow
def test_counted_chances_grow_until_they_are_those_of_odds() -> None:
    seen = list(cardbattle.growing_odds("wargame", seed=7, battles=60, every=0.001, brown="green"))
    assert [one.battles for one in seen] == sorted({one.battles for one in seen})
    assert len(seen) > 1
    assert [one.stopped for one in seen] == ["interrupted"] * (len(seen) - 1) + ["count"]
    whole = cardbattle.odds("wargame", seed=7, battles=60, brown="green")
    assert seen[-1].table() == whole.table()
    assert seen[0].battles == seen[0].counted.battles < 60


def test_what_is_certain_is_counted_once() -> None:
    orders = ["commit 2", "commit 3"]
    sure: Any = {
        side: {"commander": "orders", "orders": orders, "cards": ["2", "3"]} for side in ("york", "lancaster")
    }
    table = {"rules": "strategy-war", "seed": 1, "house": {"rounds": 1}, "sides": sure}
    assert [(one.stopped, one.battles) for one in cardbattle.growing_odds(table)] == [("exact", 1)]


@pytest.mark.parametrize("battles", [0, -1])
def test_counting_needs_a_battle(battles: int) -> None:
    with pytest.raises(cardbattle.UsageError, match=f"expected a whole number of at least 1, got {battles}"):
        next(cardbattle.growing_odds("wargame", battles=battles))


def test_nobody_counts_with_commanders_of_ones_own() -> None:
    with pytest.raises(cardbattle.UsageError, match="brown: odds are counted with the program's commanders"):
        next(cardbattle.growing_odds("wargame", brown=Last()))


def test_without_a_person_the_first_side_is_played() -> None:
    assert cardbattle.play("wargame", seed=5).persons == [0]
    assert cardbattle.play("wargame", seed=5, brown="regular", green="human").persons == [1]


def test_a_played_battle_is_the_one_that_commanders_of_ones_own_fight(tmp_path: Path) -> None:
    session = cardbattle.play("field-of-honour", seed=4, north="human", south=Last())
    while not session.is_over:
        session.answer(0, session.decision(0).texts[-1])
    fought = cardbattle.resolve("field-of-honour", seed=4, north=Last(), south=Last())
    assert session.record().moves == fought.moves
    assert [side.commander for side in session.record().sides] == ["human", "own:Last"]


def test_a_battle_goes_on_from_its_file_and_from_its_table(tmp_path: Path) -> None:
    session = cardbattle.play("strategy-war", seed=9, york="human", lancaster="regular")
    session.answer(0, session.decision(0).texts[0])
    file = session.save(tmp_path / "left.battle.toml")
    for again in (cardbattle.go_on(file), cardbattle.go_on(tomllib.loads(Path(file).read_text("utf-8")))):
        assert (again.seats_to_answer, again.referee.moves) == (
            session.seats_to_answer,
            session.referee.moves,
        )


def test_what_is_no_battle_in_progress_does_not_go_on(tmp_path: Path) -> None:
    with pytest.raises(cardbattle.InvalidInput, match="this is not a battle in progress"):
        cardbattle.go_on(SHREWSBURY)
    file = cardbattle.play("wargame", seed=5).save(tmp_path / "left.battle.toml")
    Path(file).write_text(Path(file).read_text("utf-8").replace("asked = [", 'asked = ["tom", '), "utf-8")
    with pytest.raises(
        cardbattle.InvalidInput, match=r"left\.battle\.toml:[0-9]+: .*these are not the sides"
    ):
        cardbattle.go_on(file)


def test_a_battle_in_progress_is_not_saved_over_a_campaign(tmp_path: Path) -> None:
    campaign = tmp_path / "campaign"
    shutil.copytree(DEMO, campaign)
    with pytest.raises(cardbattle.UsageError, match="belongs to the campaign"):
        cardbattle.play("wargame", seed=5).save(campaign / "campaign.toml")


def test_seals_are_read_with_their_older_copies_and_hold_a_record() -> None:
    files = [SEALED / name for name in ("before.toml", "seals.toml")]
    seals = cardbattle.load_seals(*files)
    assert [slot.battle for slot in seals.spent()] == ["mill"]
    words = cardbattle.verify(SEALED / "mill.toml", seals=seals)
    assert words == f"{cardbattle.verify(SEALED / 'mill.toml')}; drawn by slot 1, as it was sealed"
    not_revealed = cardbattle.load_seals(files[0])
    with pytest.raises(
        cardbattle.ReplayMismatch, match="slot 1 is not revealed yet, so its draw cannot be checked"
    ):
        cardbattle.verify(SEALED / "mill.toml", seals=not_revealed)


def test_copies_of_seals_that_do_not_agree_are_refused(tmp_path: Path) -> None:
    text = (SEALED / "seals.toml").read_text("utf-8")
    (tmp_path / "later.toml").write_text(text.replace("seven geese", "eight geese"), "utf-8")
    with pytest.raises(
        cardbattle.ReplayMismatch, match=r"later\.toml: differs from the earlier copy: the nonce of vaughan"
    ):
        cardbattle.load_seals(SEALED / "seals.toml", tmp_path / "later.toml")
    with pytest.raises(cardbattle.InvalidInput, match="this is the record of a fought battle"):
        cardbattle.load_seals(SEALED / "mill.toml")
    with pytest.raises(cardbattle.UsageError, match="no file of sealed dice is named"):
        cardbattle.load_seals()
