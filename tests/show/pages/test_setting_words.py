"""The sentences about changed settings in the players' reports."""

from __future__ import annotations

import pytest

from cardbattle.campaign.state.changes import Change, Key
from cardbattle.show.pages.campaign.reports.setting_words import (
    AMOUNTS,
    MODELS,
    REMOVED,
    RULES,
    SHARES,
    UNSET,
    rule_clause,
)
from cardbattle.show.translation import catalogue_of

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
