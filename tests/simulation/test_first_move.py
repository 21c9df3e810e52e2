"""What the first move is worth: named where it is worth much, with the house rule that levels it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardbattle.campaign import check
from cardbattle.campaign.state.battle_setup import battle_table, unfit_advantage
from cardbattle.campaign.state.tables.battle_effects import house_of
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.new import create_campaign
from cardbattle.core.ruleset import RuleSet
from cardbattle.rules import RULE_SETS, find
from cardbattle.simulation.odds import OddsStop, count_odds
from cardbattle.simulation.workers import workforce
from cardbattle.simulation.worth import first_move_words
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh

KEYS = list(RULE_SETS)
WORDS = (
    "Warfare Tactics: between equal sides, the first to move takes 28% of the points; "
    "house rule quiet_turns = 5 makes it 52%"
)


def usual(rules: RuleSet) -> dict[str, object]:
    """Return the default house rules."""
    return {word: option.default for word, option in rules.house.items()}


@pytest.mark.parametrize("key", KEYS)
def test_a_rule_set_with_an_edge_names_a_house_rule_that_removes_it(key: str) -> None:
    rules = find(key)
    edge = rules.first_move_edge(usual(rules))
    if edge is None:
        assert first_move_words(rules, usual(rules)) == ""
        return
    option = rules.house[edge.level_rule]
    level = {**usual(rules), edge.level_rule: option.read(edge.level_value, [])}
    found = rules.first_move_edge(level)
    assert found is not None
    assert found.share == edge.level_share
    assert first_move_words(rules, level) == ""
    assert abs(edge.share - 0.5) > 0.05 > abs(edge.level_share - 0.5)


def test_only_warfare_tactics_has_an_edge_worth_a_word() -> None:
    words = {key: first_move_words(find(key), usual(find(key))) for key in KEYS}
    assert {key: text for key, text in words.items() if text} == {"warfare-tactics": WORDS}


def test_nothing_is_said_of_house_rules_that_were_not_measured() -> None:
    rules = find("warfare-tactics")
    for other in ({"decks": 2}, {"seven_is_free": True}, {"turn_limit": 50}, {"quiet_turns": 20}):
        assert rules.first_move_edge({**usual(rules), **other}) is None
    settled = {"dealer": "mike", "turn_limit": 120}
    assert rules.first_move_edge({**usual(rules), **settled}) == rules.first_move_edge(usual(rules))


@pytest.mark.slow
@pytest.mark.parametrize("quiet", [0, 5])
def test_the_share_of_the_first_side_is_what_battles_give(quiet: int) -> None:
    house = {"dealer": "mike", **({"quiet_turns": quiet} if quiet else {})}
    table = {"rules": "warfare-tactics", "seed": 3, "house": house, "sides": {"mike": {}, "mary": {}}}
    with workforce(1) as hands:
        odds = count_odds(table, "", OddsStop(300, 0.01), *hands)
    edge = find("warfare-tactics").first_move_edge({**usual(find("warfare-tactics")), "quiet_turns": quiet})
    assert edge is not None
    assert odds.points(0) == pytest.approx(edge.share, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("command", [["resolve"], ["resolve", "--series", "2"], ["odds", "-n", "10"]])
def test_resolve_and_odds_say_it_once_on_standard_error(sh: Shell, command: list[str]) -> None:
    words = [command[0], "warfare-tactics", *command[1:], "--seed", "1"]
    assert sh(*words).err.splitlines().count(f"hint: {WORDS}") == 1
    assert sh(*words, "--quiet").err == ""
    assert "hint" not in sh(*words, "--set", "house.quiet_turns=5").err
    assert "hint" not in sh(command[0], "strategy-war", *command[1:], "--seed", "1").err


@pytest.mark.slow
def test_a_new_campaign_levels_the_first_move(tmp_path: Path) -> None:
    folder = create_campaign(str(tmp_path / "war"), by="warfare-tactics")
    campaign = store.load(folder).campaign
    assert [house_of(campaign, battle) for battle in campaign.pending] == [{"quiet_turns": 5}]
    assert [hint for hint in check.hints(campaign) if "moves first" in hint] == []
    for key in KEYS:
        campaign = store.load(create_campaign(str(tmp_path / key), by=key)).campaign
        assert campaign.house == ({key: {"quiet_turns": 5}} if key == "warfare-tactics" else {})


def test_a_battle_has_the_house_rules_of_the_campaign_unless_it_sets_them(tmp_path: Path) -> None:
    campaign = store.load(create_campaign(str(tmp_path / "war"), by="warfare-tactics")).campaign
    battle = campaign.pending[0]
    for house, quiet in (({}, 5), ({"quiet_turns": 2}, 2), ({"preset": "literal", "quiet_turns": 0}, 0)):
        changed = battle.model_copy(update={"house": house})
        assert house_of(campaign, changed)["quiet_turns"] == quiet
        assert battle_table(campaign, changed)["house"] == house_of(campaign, changed)
    other = battle.model_copy(update={"rules": "wargame"})
    assert house_of(campaign, other) == {}


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ("warfare-tactics.quiet_turns=many", 'expected a whole number from 0 to 20, got "many"'),
        ("warfare-tactics.dealer=red-vanguard", "only a battle can name a side"),
        ("warfare-tactics.silent_turns=2", 'unknown key "silent_turns"'),
    ],
)
def test_the_house_rules_of_a_campaign_are_checked(
    sh: Shell, tmp_path: Path, setting: str, error: str
) -> None:
    folder = create_campaign(str(tmp_path / "war"))
    said = sh("campaign", "-C", folder, "set", f"house.{setting}")
    assert said.code == 3 and f"house.{setting.partition('=')[0]}: " in said.err and error in said.err


@pytest.mark.slow
def test_check_names_all_pending_battles_whose_first_move_is_worth_much(sh: Shell, tmp_path: Path) -> None:
    folder = create_campaign(str(tmp_path / "war"), by="warfare-tactics")
    path = Path(folder, "campaign.toml")
    text = re.sub(r"^\[house.*\n.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    other = '[[pending]]\nid = "the-mill"\nsides = ["red-militia", "blue-garrison"]\n'
    path.write_text(f"{text}\n{other}", encoding="utf-8")
    said = sh("campaign", "-C", folder, "check")
    assert said.code == 0
    command = "cardbattle campaign set house.warfare-tactics.quiet_turns=5"
    remedy = f"; for all battles, also those of later turns: {command}"
    assert f"hint: battles the-bridge and the-mill: {WORDS}{remedy}" in said.err.splitlines()
    assert sh("campaign", "-C", folder, *command.split()[2:]).code == 0
    assert "first to move" not in sh("campaign", "-C", folder, "check").err


@pytest.mark.slow
def test_strength_helps_where_a_new_campaign_levels_the_first_move(tmp_path: Path) -> None:
    """The line for strength that a new campaign has fits the house rule of its battles."""
    path = Path(create_campaign(str(tmp_path / "war"), by="warfare-tactics"), "campaign.toml")
    text = path.read_text(encoding="utf-8")
    for force, strength in (("red-vanguard", 15), ("blue-guard", 10)):
        text = re.sub(rf"(\[forces\.{force}\]\n(?:.+\n)*?strength = )\d+", rf"\g<1>{strength}", text)
    path.write_text(text, encoding="utf-8")
    campaign = store.load(str(path.parent)).campaign
    assert [campaign.forces[key].strength for key in ("red-vanguard", "blue-guard")] == [15, 10]
    [battle] = campaign.pending
    table = {**battle_table(campaign, battle), "seed": 1}
    with workforce(1) as hands:
        odds = count_odds(table, "", OddsStop(300, 0.01), *hands)
    stronger = [*table["sides"]].index("red-vanguard")  # type: ignore[misc]
    assert odds.points(stronger) > 0.6


OLD_LINE = 'advantage.warfare-tactics={ per = "1/2", give = { battlefield = ["K"] }, most = 4 }'
NEW_LINE = """'advantage.warfare-tactics={ per = "1/2", give = { extra = ["K"] }, most = 3 }'"""
COMMAND = f"cardbattle campaign set {NEW_LINE}"


@pytest.mark.slow
def test_hints_name_the_line_for_strength_that_works_with_quiet_turns(sh: Shell, tmp_path: Path) -> None:
    """With quiet turns, a King on the battlefield makes the stronger side lose."""
    folder = create_campaign(str(tmp_path / "war"), seed=1)
    at = ("campaign", "-C", folder)
    assert sh(*at, "set", OLD_LINE).code == 0
    assert sh(*at, "edit", "the-bridge", "--set", "rules=warfare-tactics").code == 0
    assert f"quiet_turns=5; with it, strength needs another line: {COMMAND}" in sh(*at, "check").err
    problem = "battle the-bridge: Warfare Tactics: with quiet_turns, the advantage of strength hardly helps"
    edited = sh(*at, "edit", "the-bridge", "--set", "house.preset=balanced").err
    assert f"cardbattle: warning: {problem}" in edited
    assert f"hint: {problem}" in sh(*at, "check").err
    assert COMMAND in sh(*at, "fight", "--dry-run").err
    assert sh(*at, "set", NEW_LINE[1:-1]).code == 0
    assert problem not in sh(*at, "check").err
    assert problem not in sh(*at, "fight", "--dry-run").err


def test_strength_of_a_new_campaign_works_with_quiet_turns(tmp_path: Path) -> None:
    campaign = store.load(create_campaign(str(tmp_path / "war"))).campaign
    for house in ({}, {"quiet_turns": 5}):
        battle = campaign.pending[0].model_copy(update={"rules": "warfare-tactics", "house": house})
        assert unfit_advantage(campaign, battle) == ""
        assert "another line" not in check.first_move_hint(campaign, battle)


def test_a_battle_by_message_goes_on_after_a_change_of_house_rules_is_undone(
    sh: Shell, tmp_path: Path
) -> None:
    folder = create_campaign(str(tmp_path / "war"), by="warfare-tactics")
    at = ("campaign", "-C", folder)
    assert sh(*at, "fight", "--by-message").code == 0
    assert sh(*at, "set", "house.warfare-tactics.quiet_turns=3").code == 0
    said = sh(*at, "fight", "--by-message")
    assert said.code == 3 and "undo the change, or move the file away" in " ".join(said.err.split())
    assert sh(*at, "undo").code == 0
    assert sh(*at, "fight", "--by-message").code == 0
