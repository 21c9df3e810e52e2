"""The sentences about changed settings in the players' reports."""

from __future__ import annotations

import pytest

from cardbattle.campaign.state.changes import Change, Key
from cardbattle.campaign.visibility.reader import rough_range, rough_strength
from cardbattle.show.pages.campaign.reports.setting_words import (
    AMOUNTS,
    MODELS,
    REMOVED,
    RULES,
    SHARES,
    UNSET,
    rule_clause,
    rules_of_war,
)
from cardbattle.show.translation import catalogue_of
from tests.support.marches import books

WITHOUT_WORDS = {("experience", "steps")}  # a list of tables


def test_every_setting_has_words() -> None:
    known = {*RULES, *AMOUNTS, *SHARES, *WITHOUT_WORDS}
    assert known == {(table, word) for table, model in MODELS.items() for word in model.model_fields}


def test_every_choice_of_a_setting_has_words() -> None:
    for (table, word), clauses in RULES.items():
        schema = MODELS[table].model_json_schema()["properties"][word]
        assert {*clauses} == {*schema.get("enum", (True, False))}


@pytest.mark.parametrize(
    ("key", "before", "after", "clause"),
    [
        (("aftermath", "no_retreat"), "surrenders", "stays", "a force that cannot retreat stays"),
        (
            ("aftermath", "leader_captured"),
            "1/3",
            "1",
            "chance that the leader of a beaten force is captured: 100% instead of 33%",
        ),
        (("aftermath", "capture"), True, None, "a faction takes no place without a battle for it"),
        (("movement", "stacking"), None, 3, "friendly forces that a place can hold: 3 instead of any number"),
        (("supply", "range"), None, 2, "greatest distance from supplies in steps: 2"),
        (("supply", ""), True, None, "forces need no supplies"),
        (("supply", ""), None, True, ""),
        (("house", "field-of-honour", "dealer"), None, "x", ""),
    ],
)
def test_a_changed_setting_is_a_clause(key: Key, before: object, after: object, clause: str) -> None:
    assert rule_clause(Change(key, before, after)) == clause


RULES_FOR_ONCE = """\
format = 1
name = "War"
turn = 1
seed = 7
rules = "field-of-honour"
[visibility]
strength = "all"
[factions.red]
"""


@pytest.mark.parametrize(
    ("tables", "clauses"),
    [
        ("", []),
        (
            "[scoring]\nwin = 2\ndraw = 1\ndeclined = -1\nper_score = 3\n",
            [
                "points: 2 for a victory, 1 for a draw, -1 for declining a battle and 3 for each point of a "
                "battle's score"
            ],
        ),
        (
            "[scoring]\nper_value = 1\n",
            ["points: 1 for each point of value of a place at the end of the war"],
        ),
        (
            "[experience]\nbattle = 1\nwin = 2\n",
            ["a battle brings a force 1 experience, and a victory 2 more"],
        ),
        ("[experience]\nbattle = 1\nwin = 0\n", ["a battle brings a force 1 experience"]),
        ("[experience]\nbattle = 0\nwin = 2\n", ["a victory brings a force 2 experience"]),
        ("[experience]\nbattle = 0\nwin = 0\n", []),
        ('[recovery]\nrate = "0"\n', []),
    ],
)
def test_the_rules_of_the_war_leave_out_what_is_zero(tables: str, clauses: list[str]) -> None:
    assert rules_of_war(books(RULES_FOR_ONCE + tables).campaign) == clauses


def test_the_rules_of_the_war_say_what_rough_strengths_mean() -> None:
    rough = RULES_FOR_ONCE.replace('strength = "all"', 'strength = "rough"')
    assert rules_of_war(books(rough).campaign) == [
        'a strength of "about 5" is 4 to 7 and "about 10" is 8 to 12'
    ]
    for number in range(1, 200):
        low, high = rough_range(number)
        assert low <= number <= high
        assert {rough_strength(each) for each in (low, high)} == {rough_strength(number)}
        assert rough_strength(high + 1) != rough_strength(number) != rough_strength(low - 1) or low == 0


def test_messages_name_the_value_of_places_only_once() -> None:
    """With a last turn, another line of the message names it, with this turn."""
    tables = "[scoring]\nper_value = 1\n"
    assert not rules_of_war(books(f"last_turn = 3\n{RULES_FOR_ONCE}{tables}").campaign)


@pytest.mark.slow
def test_every_new_rule_has_a_german_sentence() -> None:
    catalogue = catalogue_of("de")
    texts = [*AMOUNTS.values(), *SHARES.values(), *UNSET.values(), *REMOVED.values()]
    texts += [text for clauses in RULES.values() for text in clauses.values()]
    assert {*texts} <= {*catalogue.texts}
    changed = (
        "New rule: chance that the leader of a beaten force is captured: 100% instead of 33% (Hard times)."
    )
    assert catalogue.text(changed) == (
        "Neue Regel: Wahrscheinlichkeit, dass der Anführer einer geschlagenen Truppe gefangen wird: "
        "100% statt 33% (Hard times)."
    )
    assert catalogue.text("New rule: a force that cannot retreat stays (For all).") == (
        "Neue Regel: eine Truppe, die nicht zurückweichen kann, bleibt (For all)."
    )
