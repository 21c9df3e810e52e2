"""One decision of a record is changed, and the battle fought on."""

from __future__ import annotations

import json
import tomllib
from functools import cache

import pytest

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.reader_view import Report, report_of
from cardbattle.battles.records.record import Record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import refight
from cardbattle.battles.records.what_if import OtherBattle, decisions_of, fight_on, find_decision
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.errors import IllegalMove, InvalidInput
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.schemas import read_stored_schema
from cardbattle.story.story import tell_story
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.simulation.test_analysis import TABLE
from tests.support.schemas import complaint

BY_COST = [
    pytest.param(rules, marks=pytest.mark.slow) if rules in ("warmonger", "warfare-tactics") else rules
    for rules in RULE_SETS
]
LINE = ["place 4S+6H", "place 7H", "place 8S", "place 8H", "place 9H"]
HAND = ["4S", "6H", "7H", "8S", "8H", "9H", "JD", "QC", "KD", "KC"]


@cache
def fought(rules: str, seed: int = 1403) -> Record:
    keys = list(find(rules).default_sides)
    return fight_battle(read_battle(bare_battle(rules, keys) | {"seed": seed}))[0]


def with_this_hand(seed: int) -> Record:
    """Return a battle in which North always gets and places the same cards; the rest depends on the seed."""
    north = {"commander": "orders", "orders": LINE}
    table = bare_battle("field-of-honour", ["north", "south"])
    sides = {"north": north, "south": {"commander": "regular"}}
    return fight_battle(read_battle({**table, "seed": seed, "sides": sides, "deal": {"north": HAND}}))[0]


def reports(record: Record, seat: int | None) -> Report:
    return report_of(record, refight(record), seat)


def changed(record: Record, seat: int | None, at: str, option: str) -> OtherBattle:
    decision = find_decision(decisions_of(record, seat), at, option)
    return fight_on(record, reports(record, seat), decision, option)


def texts(report: Report, first: int = 0, beyond: int | None = None) -> list[str]:
    return [repr(report.rules.as_json(event, report.setup.seats)) for _, event in report.events[first:beyond]]


@pytest.mark.parametrize("rules", BY_COST)
def test_decisions_are_the_moves_of_the_record_that_had_another_option(rules: str) -> None:
    record = fought(rules)
    decisions = decisions_of(record)
    for decision in decisions:
        assert record.moves[decision.move - 1] == f"{decision.key} {decision.choice}"
        assert decision.choice not in decision.others
    for seat, key in enumerate(record.seats):
        own = [move.partition(" ")[2] for move in record.moves if move.startswith(f"{key} ")]
        mine = decisions_of(record, seat)
        assert [(decision.side, own[decision.move - 1]) for decision in mine] == [
            (seat, decision.choice) for decision in mine
        ]
        assert [each.choice for each in mine] == [each.choice for each in decisions if each.side == seat]


@pytest.mark.parametrize("rules", BY_COST)
def test_the_other_battle_is_the_record_up_to_the_decision_and_then_another(rules: str) -> None:
    record = fought(rules)
    for seat in (None, 0):
        report, decisions = reports(record, seat), decisions_of(record, seat)
        decision = decisions[-len(decisions) // 2]
        other = fight_on(record, report, decision, f"{decision.key} {decision.others[0]}")
        assert other.option == decision.others[0]
        assert texts(other.report, 0, other.shared) == texts(report, 0, other.shared)
        assert texts(other.report) != texts(report)
        assert [step.number for step in other.steps] == [
            *range(decision.step - 1, decision.step - 1 + len(other.steps))
        ]
        assert other.steps[-1].battle.is_over() or other.steps[-1].events == len(other.report.events)
        assert texts(fight_on(record, report, decision, decision.others[0]).report) == texts(other.report)
        assert tell_story(other.report).sentences


def test_secret_answers_that_a_decision_could_not_change_stand() -> None:
    record = fought("field-of-honour")
    other = changed(record, None, "move 4", "place 8S")
    assert record.moves[3:5] == ["north place 4S+6H", "north place 8S"]
    lined_up = [event.fields["cards"] for _, event in other.report.events if event.kind == "placed"]
    recorded = [event.fields["cards"] for _, event in reports(record, None).events if event.kind == "placed"]
    assert len(lined_up) == len(recorded) == 10
    assert lined_up[5:] == recorded[5:]  # South could not know what North placed
    assert lined_up[:3] == recorded[:3]
    assert lined_up[3] == recorded[4] != lined_up[4]  # 8S is gone: a commander places another card


def test_a_side_learns_nothing_from_the_other_battle_that_the_record_hides_from_it() -> None:
    others = [changed(with_this_hand(seed), 0, "move 5", "place QC") for seed in (1, 2)]
    hands = [other.decision.before.hands[1] for other in others]  # type: ignore[attr-defined]
    assert hands[0] != hands[1]  # South holds other cards
    dealt = [[event for event in texts(other.report) if "received" in event] for other in others]
    assert dealt[0] == dealt[1] and len(dealt[0]) == 1
    tail = [texts(other.report, other.shared) for other in others]
    assert tail[0] == tail[1]
    assert tell_story(others[0].report).sentences == tell_story(others[1].report).sentences


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_every_decision_of_a_battle_with_real_cards_can_be_changed(seat: int | None) -> None:
    """If a side places two known cards, only cards that were never seen are left for its last spaces."""
    record = read_record(tomllib.loads(TABLE))
    options = [(each, option) for each in decisions_of(record, seat) for option in each.others]
    assert any("+" in option for _, option in options) == (seat != 1)
    for decision, option in options:
        other = fight_on(record, reports(record, seat), decision, option)
        assert other.steps[-1].battle.is_over()


def test_errors_name_the_decisions_or_the_options() -> None:
    record = fought("field-of-honour")
    decisions = decisions_of(record)

    def error(at: str, option: str) -> str:
        with pytest.raises((InvalidInput, IllegalMove)) as refused:
            fight_on(record, reports(record, None), find_decision(decisions, at, option), option)
        return str(refused.value)

    assert error("8", "pass") == "step 8 has no decision to change; choose 2, 4, 5, 6, 7, 10, 13 or 15"
    assert error("move 99", "pass").startswith("move 99 has no decision to change; choose 2, ")
    assert find_decision(decisions, "step 5", "pass") == find_decision(decisions, "5", "pass")
    assert error("2", "place QC").startswith("step 2 has several decisions; choose move 1 (north place 8H), ")
    assert error("5", "play JD double") == (
        "north chose play JD double in the record; choose pass, play QC swap, play KD redeploy "
        "or play KC redeploy"
    )
    assert error("5", "place QC") == (
        "north cannot place QC: the lines are complete; choose one of pass, play JD double, play QC swap, "
        "play KD redeploy, play KC redeploy"
    )
    assert find_decision(decisions, " 7 ", "").choice == "play QC swap"
    assert find_decision(decisions, "Move 13", "").choice == "play QS swap"


SHORT = ("strategy-war", "--set", "a.cards=2 5", "--set", "b.cards=3 4", "--side", "a", "--side", "b")


@pytest.mark.slow
def test_the_command_shows_both_battles_in_every_format(sh: Shell) -> None:
    sh("resolve", *SHORT, "--seed", "3", "-o", "duel.toml")
    line = ("analyse", "duel.toml", "--at", "1", "-n", "20", "--instead")
    moves = json.loads(sh("replay", "duel.toml", "--json").out)["moves"]
    instead = "commit 5" if "a commit 2" in moves else "commit 2"
    said = sh(*line, f"a {instead}", "--json")
    schema = read_stored_schema("analysis")
    page = json.loads(said.out)
    assert complaint(page, schema, schema) == ""
    assert page["side"] == "a" and page["instead"]["choice"] == instead
    assert page["recorded"]["chances"][-1]["chances"] == {
        key: float(key in page["recorded"]["winners"]) for key in "ab"
    }
    text = sh(*line, f"a {instead}", "--format", "text").out
    assert f"What if A had chosen {instead} instead of" in text
    assert "as recorded" in text and f"Instead: {instead}" in text
    html = sh(*line, f"a {instead}", "--for", "a", "--format", "html").out
    assert html.count("<polyline") == 2 and 'class="side0"' in html


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--instead", "commit 2"), "--instead needs --at, which names the decision to change"),
        (("--for", "a"), "--for needs --at, which names the decision to change"),
        (
            ("--at", "1", "--for", "a", "--all-seeing"),
            "--all-seeing shows more than a side could know; leave out --for or --all-seeing",
        ),
        (("--at", "1", "--for", "a"), "--instead: missing; at step 1, a chose commit "),
    ],
)
def test_the_command_says_which_option_is_missing(sh: Shell, options: tuple[str, ...], message: str) -> None:
    sh("resolve", *SHORT, "--seed", "3", "-o", "duel.toml")
    said = sh("analyse", "duel.toml", *options)
    assert said.code == 2
    assert message in said.err
