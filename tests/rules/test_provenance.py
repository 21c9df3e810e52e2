"""Where each numbered rule comes from."""

from __future__ import annotations

import tomllib

import pytest

from cardbattle import rules
from cardbattle.rules import RULE_SETS
from cardbattle.rules.provenance import ADDITION, AUTHOR, PARTLY, RULING, by_kind, numbered_rules, read_rule

RULES_ADDED = {
    "field-of-honour": ["FH-40", "FH-41"],
    "strategy-war": ["SW-21", "SW-22"],
    "warfare-tactics": ["WT-48", "WT-49"],
    "wargame": ["WG-37", "WG-38", "WG-39"],
    "warmonger": ["WM-50", "WM-51", "WM-52"],
}


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_rule_is_published_a_ruling_or_an_addition(key: str) -> None:
    chosen = rules.find(key)
    kinds = by_kind(chosen)
    assert kinds[ADDITION] == RULES_ADDED[key]
    numbers = [number for found in kinds.values() for number in found]
    assert sorted(numbers) == sorted(rule.number for rule in numbered_rules(chosen))
    assert all(kinds[kind] for kind in (AUTHOR, PARTLY, RULING))


def test_a_rule_with_so_that_is_a_ruling_as_a_whole() -> None:
    rule = read_rule("WT-46", "The side must act. *Settled here*, so that hands run out.")
    assert (rule.source, rule.ruling) == (RULING, rule.text)
    assert read_rule("FH-4", "*Settled here:* at random.").source == RULING


def test_readings_are_in_rules_with_a_ruling() -> None:
    """A house rule for another reading is named, with its value, at the ruling that it replaces."""
    for chosen in rules.every():
        marked = [reading for rule in numbered_rules(chosen) for reading in rule.readings]
        values = tomllib.loads("\n".join(marked))
        assert not any(chosen.house[word].is_default(value) for word, value in values.items())
        assert all(chosen.house[word].read(value, []) == value for word, value in values.items())
        rulings = " ".join(rule.ruling for rule in numbered_rules(chosen))
        for word, option in chosen.house.items():
            if option.is_reading:
                assert word in values and f"`{word} = " in rulings
