"""Readings and presets in battle files and records."""

from __future__ import annotations

import pytest

from cardbattle import rules
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.errors import InvalidInput
from cardbattle.core.options import presets_of

READINGS = [
    (chosen.key, word, option)
    for chosen in rules.every()
    for word, option in chosen.house.items()
    if option.is_reading
]


def battle(key: str, **house: object) -> dict[str, object]:
    sides: dict[str, object] = {side: {"commander": "green"} for side in rules.find(key).default_sides}
    return {"rules": key, "id": "b", "seed": 7, "sides": sides, "house": house}


def record_table(table: dict[str, object]) -> dict[str, object]:
    return dict(fight_battle(read_battle(table))[0].table)


def test_the_default_of_a_reading_is_not_in_the_record() -> None:
    assert len(READINGS) == 14
    for key in {key for key, _, _ in READINGS}:
        defaults = {word: option.default for owner, word, option in READINGS if owner == key}
        assert record_table(battle(key)) == record_table(battle(key, **defaults))


@pytest.mark.parametrize("key", [chosen.key for chosen in rules.every()])
def test_a_preset_sets_the_house_rules_that_a_file_leaves_out(key: str) -> None:
    presets = presets_of(rules.find(key).house)
    assert [*presets] == ["literal", "balanced", "sample"]
    for name, preset in presets.items():
        table = record_table(battle(key, preset=name))
        assert table == record_table(battle(key, **preset.house))
        assert read_record(table).table == table
        house = table["house"]
        assert isinstance(house, dict) and house.items() >= preset.house.items()


def test_a_house_rule_has_priority_over_the_preset() -> None:
    plan = read_battle(battle("field-of-honour", preset="literal", redeploy="next"))
    assert (plan.setup.house["redeploy"], plan.setup.house["drawn_specials"]) == ("next", "both")
    assert plan.setup.house["preset"] is None


def test_an_unknown_preset_is_an_error_with_the_nearest_one() -> None:
    with pytest.raises(InvalidInput, match=r'house\.preset: .* got "literate"; did you mean "literal"'):
        read_battle(battle("wargame", preset="literate"))


def test_a_record_with_a_default_reading_was_not_written_by_this_program() -> None:
    table = record_table(battle("warmonger"))
    table["house"] = {**table["house"], "spoils": "shuffled"}  # type: ignore[dict-item]
    with pytest.raises(InvalidInput, match="a record omits the default reading"):
        read_record(table)
