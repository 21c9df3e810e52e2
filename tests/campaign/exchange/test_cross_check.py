"""What a player might do to the record of an exported battle: none of it gets in unnoticed.

The tries are those of an attacker who knows the program: each forged record is signed anew, and its
checks, score and losses are those that its moves come to.
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import tomli_w

from cardbattle.battles.records import battle_file, results_file
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import (
    Record,
    dumps_record,
    house_table,
    record_digest,
    record_of,
    side_options_table,
)
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import ReplayMismatch, refight, verify_record
from cardbattle.battles.rederive import CommanderMismatch, derive
from cardbattle.battles.resolve import deal, fight_battle, make_commanders, streams_of
from cardbattle.campaign.exchange import import_results
from cardbattle.campaign.exchange.cross_check import CrossCheck
from cardbattle.campaign.ledger import operations
from cardbattle.campaign.ledger.battle_match import export_of, is_same, record_twins
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, ImportPlan
from cardbattle.campaign.state.battle_setup import battle_table
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.storage.store import load_ledger
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Drawn
from cardbattle.core.errors import InvalidInput
from cardbattle.core.options import SideKey
from cardbattle.core.referee import Referee, comparable
from cardbattle.files.toml import read_toml
from cardbattle.rules import RULE_SETS, find
from cardbattle.testing import setups
from tests.support import marches
from tests.support.tally import tried

Table = dict[str, object]
WAR = """\
format = 1
name = "Five Wars"
seed = 1645
[factions.york]
[forces.percy]
faction = "york"
strength = 12
commander = "{first}"
[forces.mortimer]
faction = "york"
strength = 9
commander = "{second}"
"""
BATTLE = '[[pending]]\nid = "{id}"\nrules = "{rules}"\nsides = ["percy", "mortimer"]\n'
OTHER = "the-other"  # a second battle of the same forces by the same rules
OTHER_OPTIONS = {
    "wargame": ["percy.chips=3", "house.multi_switch=true"],
    "field-of-honour": ["percy.hand=12", "mortimer.hand=9"],
    "warmonger": ["percy.warmongers=3", "house.armistice=20"],
    "strategy-war": ["percy.cards=2 3 4", "house.rounds=9"],
    "warfare-tactics": ["percy.hand=8", "house.seven_is_free=true"],
}


def war(rules: str) -> CampaignFile:
    """Return a campaign with two battles by these rules; one commander thinks where that is quick."""
    first = "veteran:iterations=4" if rules == "strategy-war" else "regular"
    text = WAR.format(first=first, second="green" if rules == "wargame" else "regular")
    return marches.books(text + "".join(BATTLE.format(id=name, rules=rules) for name in (rules, OTHER)))


def plan_of(books: CampaignFile, battle: str) -> battle_file.BattlePlan:
    """Return the plan of an exported pending battle."""
    pending = books.campaign.battle(battle)
    assert pending is not None
    return export_of(books.campaign, pending)


def signed(table: Table) -> Table:
    """Return a record's table with its digest made right."""
    return table | {"digest": record_digest(table)}


def made_right(table: Table) -> Table:
    """Return a record's table with checks, outcome and digest as its moves give them, if they do."""
    try:
        record = read_record(signed(table))
        referee = refight(record)
    except (InvalidInput, ReplayMismatch):
        return signed(table)
    plan = battle_file.BattlePlan(record.id, record.rules, record.seed, record.setup, record.sides, {})
    again = record_of(plan, referee, record.fought).table
    sides = again["sides"]
    assert isinstance(sides, dict)
    ends = {key: again[key] for key in ("checks", "winners", "reason")}
    return signed({**table, **ends, "sides": {key: sides[key] for key in record.setup.seats}})


def other_choice(plan: battle_file.BattlePlan, at: int) -> Record:
    """Return the battle with another legal choice at the at-th question; the commanders go on from there."""
    streams = streams_of(plan)
    referee = Referee(plan.rules, deal(plan, streams), Drawn(streams.battle))
    answering, made = make_commanders(plan, streams), 0
    while referee.battle.side != NOBODY:
        answer = answering[referee.battle.side].answer(referee.seat)
        count = len(referee.battle.options)
        made += count > 1
        referee.choose((answer + 1) % count if made == at + 1 and count > 1 else answer)
    return record_of(plan, referee, "engine")


def under_another_commander(plan: battle_file.BattlePlan, seat: int, commander: str) -> Table:
    """Return the record of a battle in which another commander played than the record says."""
    sides = [side._replace(commander=commander) if at == seat else side for at, side in enumerate(plan.sides)]
    table = fight_battle(plan._replace(sides=sides))[0].table
    path = ("sides", plan.setup.seats[seat], "commander")
    return signed(changed(table, path, plan.sides[seat].commander))


def leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield where in a record a value stands; of long lists some places."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for place in range(0, len(value), max(1, len(value) // 4)):
            yield from leaves(value[place], (*path, place))
    else:
        yield path


def other(value: object) -> object:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{value[:-1]}{'b' if value.endswith('a') else 'a'}" if len(value) > 1 else f"{value}1"
    return ["a"]


def changed(table: Table, path: tuple[str | int, ...], value: object = None) -> Table:
    """Return a record's table with one value changed."""
    new = copy.deepcopy(table)
    inside: object = new
    for word in path[:-1]:
        inside = inside[word]  # type: ignore[index]
    inside[path[-1]] = other(inside[path[-1]]) if value is None else value  # type: ignore[index]
    return new


def forgeries(books: CampaignFile, rules: str) -> Iterator[Table]:
    """Yield forged records of the first battle of a war, each in the best shape it can be given."""
    plan, second = plan_of(books, rules), plan_of(books, OTHER)
    honest = fight_battle(plan)[0].table
    for path in leaves(honest):
        yield signed(changed(honest, path))
        yield made_right(changed(honest, path))
    for key in plan.setup.seats:
        for commander in ("green", "regular", "elite:iterations=1000000", "orders", "human", "nobody"):
            yield signed(changed(honest, ("sides", key, "commander"), commander))
    for seat in range(len(plan.sides)):
        yield under_another_commander(plan, seat, "green" if rules != "wargame" or not seat else "regular")
    for at in range(6):
        choice = other_choice(plan, at)
        yield choice.table
        yield made_right({key: value for key, value in choice.table.items() if key != "bound"})
        yield changed(other_choice(second, at).table, ("id",), rules)
    for seed in range(4):
        fresh = fight_battle(plan._replace(seed=seed))[0].table
        yield fresh
        yield signed(fresh | {"seed": plan.seed})
        yield made_right(fresh | {"seed": plan.seed})
    yield from under_another_name(fight_battle(second)[0].table, honest, rules)
    for setting in OTHER_OPTIONS[rules]:
        table = battle_file.with_options(setting_of(books, rules), [setting])
        reset = fight_battle(read_battle(table))[0].table
        yield reset
        yield signed({key: value for key, value in reset.items() if key != "bound"})
    for word, option in plan.rules.house.items():
        if isinstance(option, SideKey):
            lots = [key for key in plan.setup.seats if key != in_table(honest, "house")[word]]
            table = battle_file.with_options(setting_of(books, rules), [f"house.{word}={lots[0]}"])
            yield fight_battle(read_battle(table))[0].table
    for fought in ("table", "mixed"):
        yield signed(honest | {"fought": fought})
        yield signed(other_choice(plan, 1).table | {"fought": fought})


def in_table(table: Table, key: str) -> Table:
    """Return a table inside a record's."""
    inside = table[key]
    assert isinstance(inside, dict)
    return inside


def setting_of(books: CampaignFile, battle: str) -> Table:
    """Return a pending battle as a battle file has it."""
    pending = books.campaign.battle(battle)
    assert pending is not None
    return battle_table(books.campaign, pending)


def under_another_name(second: Table, honest: Table, rules: str) -> Iterator[Table]:
    """Yield the record of another battle that says it is this one, in part or wholly."""
    yield signed(changed(second, ("bound", "battle"), rules))
    yield signed(second | {"id": rules})
    yield signed(changed(second, ("bound", "battle"), rules) | {"id": rules})
    yield signed(second | {"id": rules, "bound": honest["bound"]})
    yield made_right(second | {"id": rules, "bound": honest["bound"], "seed": honest["seed"]})
    yield signed(second | {"id": rules, "bound": honest["bound"], "deal": honest["deal"]})


class PageApp:
    """Where what was forged is imported: what is said of it, or None if it is taken without a word."""

    def __init__(self, books: CampaignFile, folder: Path) -> None:
        self.books = books
        self.file = folder / "forged.toml"
        self.ledger: Ledger = load_ledger(marches.folder_with(folder / "war"))

    def plan(self, table: Table, force: bool = False) -> ImportPlan:
        """Return what an import of this file comes to."""
        self.file.write_text(tomli_w.dumps(table), encoding="utf-8")
        fought = import_results.read_results(str(self.file)).battles
        doubts = CrossCheck(fought, lambda made, of: None)
        return operations.plan_import(
            self.books, self.ledger, fought, force=force, reason="x" * force, doubt=doubts
        )

    def says(self, table: Table) -> str | None:
        """Return the reason why this file is refused, or the note for the umpire."""
        try:
            notes = self.plan(table).notes
        except (InvalidInput, NeedsUmpire) as error:
            return str(error) or None
        return next(
            (note for note in notes if "cannot be verified" in note),
            None,
        )


def meaning(table: object, at: str = "") -> object:
    """Return a record without what no rule can check: the names of sides, how moves are spelled."""
    if isinstance(table, dict):
        free = ("name", "digest")
        return {key: meaning(item, key) for key, item in table.items() if key not in free}
    return [comparable(move) for move in table] if at == "moves" and isinstance(table, list) else table


@pytest.fixture(params=RULE_SETS)
def rules(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.slow
def test_no_forged_record_is_taken_without_a_word(rules: str, tmp_path: Path) -> None:
    """What gets in means the same: another spelling of a move, another name of a side."""
    books = war(rules)
    desk = PageApp(books, tmp_path)
    honest = fight_battle(plan_of(books, rules))[0].table
    assert desk.says(honest) is None
    for forged in forgeries(books, rules):
        if meaning(forged) != meaning(honest):
            assert desk.says(forged) is not None, (forged["moves"], forged["sides"], forged["house"])
            tried("forged records imported")


def test_a_difference_is_told_with_both_and_can_be_overridden(rules: str, tmp_path: Path) -> None:
    """Every other setting, honestly fought: exit 4, both values beside each other, kept when forced."""
    books = war(rules)
    desk = PageApp(books, tmp_path)
    for setting in OTHER_OPTIONS[rules]:
        table = battle_file.with_options(setting_of(books, rules), [setting])
        record = fight_battle(read_battle(table))[0].table
        what, _, value = setting.partition("=")
        with pytest.raises(NeedsUmpire) as caught:
            desk.plan(record)
        conflict = caught.value.conflicts[0]
        row = next(row for row in conflict.beside[1:] if row[0] == what)
        assert (row[2], row[1] != row[2]) == (value, True)
        assert f"{what} is {value}, not {row[1]}" in conflict.text
        forced = desk.plan(record, force=True).operations[0].entry.forced
        assert forced == [f"{row[0]} is {row[2]}, not {row[1]}" for row in conflict.beside[1:]]


@pytest.mark.slow
def test_the_first_move_that_is_not_derived_again_is_named(rules: str, tmp_path: Path) -> None:
    books = war(rules)
    desk, plan = PageApp(books, tmp_path), plan_of(books, rules)
    honest = fight_battle(plan)[0]
    for at in range(4):
        forged = other_choice(plan, at)
        first = next(n for n, (a, b) in enumerate(zip(honest.moves, forged.moves, strict=False)) if a != b)
        with pytest.raises(NeedsUmpire) as caught:
            desk.plan(forged.table)
        row = [f"move {first + 1}", honest.moves[first], forged.moves[first]]
        assert caught.value.conflicts[0].beside[1:] == [row]
        assert "cannot be reproduced by this version" in str(caught.value)


def result_forgeries(books: CampaignFile, rules: str) -> Iterator[Table]:
    """Yield forged bare results of the first battle of a war, as the program writes them."""
    plan = plan_of(books, rules)
    honest = results_file.result(fight_battle(plan)[0])
    winners = honest["winners"]
    assert isinstance(winners, list)
    yield honest | {"winners": [key for key in plan.setup.seats if key not in winners] or ["percy"]}
    yield honest | {"rules": next(key for key in RULE_SETS if key != rules)}
    yield {key: value for key, value in honest.items() if key not in ("seed", "digest")}
    for path in leaves(honest):
        if path[0] not in ("digest", "reason"):
            yield changed(honest, path)
    for key in plan.setup.seats:
        yield changed(honest, ("sides", key, "losses"), "1/97")
    for seed in range(3):
        yield results_file.result(fight_battle(plan._replace(seed=seed))[0])
    for setting in OTHER_OPTIONS[rules]:
        table = battle_file.with_options(setting_of(books, rules), [setting])
        yield results_file.result(fight_battle(read_battle(table))[0])


@pytest.mark.slow
def test_no_forged_result_is_taken_without_a_word(rules: str, tmp_path: Path) -> None:
    """A result without its record is derived again, too, if it says that the program fought it."""
    books = war(rules)
    desk = PageApp(books, tmp_path)
    honest = results_file.result(fight_battle(plan_of(books, rules))[0])
    assert desk.says({"result": [honest]}) is None
    for forged in result_forgeries(books, rules):
        if ends(forged) != ends(honest) or forged.keys() != honest.keys():
            assert desk.says({"result": [forged]}) is not None, forged
            tried("forged results imported")


def ends(result: Table) -> Table:
    """Return what an import takes from a result."""
    return {key: result.get(key) for key in ("id", "rules", "seed", "winners", "sides", "bound")}


def test_what_earlier_rules_decided_is_derived_again_or_needs_the_umpire(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    books = war(rules)
    desk, plan = PageApp(books, tmp_path), plan_of(books, rules)
    honest, forged = fight_battle(plan)[0].table, other_choice(plan, 2).table
    monkeypatch.setattr(type(find(rules)), "version", 2)
    found = desk.plan(honest)
    assert [note for note in found.notes if "stands as recorded" in note]
    with pytest.raises(NeedsUmpire, match=r"move \d+, .* cannot be reproduced by this version"):
        desk.plan(forged)
    moves = honest["moves"]
    assert isinstance(moves, list)
    short = signed(honest | {"moves": moves[:-1]})
    with pytest.raises(
        NeedsUmpire,
        match=r"version 1 of .* and cannot be reproduced by this version: (move|the moves end)",
    ):
        desk.plan(short)
    with pytest.raises(NeedsUmpire, match="cannot be reproduced by this version: after the last move"):
        desk.plan(
            signed(honest | {"reason": next(one for one in find(rules).reasons if one != honest["reason"])})
        )


BOX = Path(__file__).parents[3] / "examples" / "warmonger-own-cards" / "cards.toml"


@pytest.mark.slow
def test_another_owners_file_of_the_same_name_is_another_battle(tmp_path: Path) -> None:
    """The campaign's folder has the cards that count, not the folder of the record."""
    texts = {"ours": BOX.read_text(encoding="utf-8"), "theirs": ""}
    texts["theirs"] = texts["ours"].replace("copies = 6", "copies = 7", 1)
    assert texts["ours"] != texts["theirs"]
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "cards.toml").write_text(text, encoding="utf-8")
    text = WAR.format(first="green", second="green") + BATTLE.format(id="raid", rules="warmonger")
    books = marches.books(f'{text}house = {{ cards = "cards.toml" }}\n', str(tmp_path / "ours"))
    for name, words in (("ours", ""), ("theirs", "files.cards is ")):
        desk = PageApp(books, tmp_path / name)
        said = (
            desk.says(fight_battle(read_battle(setting_of(books, "raid"), str(tmp_path / name)))[0].table)
            or ""
        )
        assert words in said
        assert bool(words) == bool(said)


@pytest.mark.slow
def test_what_the_program_fought_is_the_battle_it_was_given_and_derived_again(rules: str) -> None:
    """No honest record is doubted: of every setup, with every option, between either rank."""
    chosen = find(rules)
    for n, setup in enumerate(setups(chosen)):
        ranks = ("regular", "green")[:: -1 if n % 2 else 1]
        house, seats = house_table(chosen, setup), setup.seats
        sides = {
            key: {"commander": ranks[seat % 2]} | side_options_table(chosen, setup, seat)
            for seat, key in enumerate(seats)
        }
        plan = read_battle({"rules": rules, "seed": f"{n}", "house": house, "sides": sides})
        record = read_record(tomllib.loads(dumps_record(fight_battle(plan)[0])))
        assert [twin for twin in record_twins(plan, record, False) if not is_same(twin)] == []
        derive(record, range(len(seats)))
        tried("honest records derived again")


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["field-of-honour", "strategy-war"])
def test_commanders_who_think_are_derived_again(rules: str) -> None:
    """They try choices by a stream of their own, so they come to the same, and with more tries to others."""
    mismatches = 0
    for seed in range(3):
        sides = ["york=veteran:iterations=6", "lancaster=elite:iterations=12"]
        plan = read_battle(battle_file.bare_battle(rules, sides) | {"seed": seed})
        record = fight_battle(plan)[0]
        derive(record, range(2))
        more = [side._replace(commander=f"{side.commander}0") for side in record.sides]
        try:
            derive(record._replace(sides=more), range(2))
        except CommanderMismatch:
            mismatches += 1
    assert mismatches


def test_a_battle_is_fought_again_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was looked at before the campaign was locked is not looked at under the lock."""
    books = war("strategy-war")
    fought = [
        import_results.read_results(
            str(write(tmp_path / f"{name}.toml", fight_battle(plan_of(books, name))[0].table))
        ).battles[0]
        for name in ("strategy-war", OTHER)
    ]
    ticks: list[tuple[int, int]] = []
    doubts = CrossCheck(fought, lambda made, of: ticks.append((made, of)))
    ledger = load_ledger(marches.folder_with(tmp_path / "war"))
    for _ in range(2):
        assert len(operations.plan_import(books, ledger, fought, doubt=doubts).operations) == 2
    whole = sum(len(battle.log.moves) for battle in fought if battle.log)
    assert whole - 4 <= len(ticks) <= whole
    assert ticks[-1] == (len(ticks), whole)


def write(path: Path, table: Table) -> Path:
    """Write a file and return its path."""
    path.write_text(tomli_w.dumps(table), encoding="utf-8")
    return path


def test_a_record_of_an_earlier_elite_commander_stays_valid() -> None:
    """It is still played by the rules; that this version decides otherwise is for the umpire to judge."""
    record = read_record(read_toml(str(Path(__file__).with_name("elite-with-networks.toml"))).data)
    assert verify_record(record) == ""
    check = CrossCheck([], lambda made, of: None)
    [difference] = check.of_record(record, {"york": "elite", "lancaster": "regular"})
    assert difference.words == (
        "move 1, york commit 10, cannot be reproduced by this version, which decides york commit 3"
    )
