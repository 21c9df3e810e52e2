"""Battle files become plans, or are refused with all their mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.battles.records.battle_file import bare_battle, read_battle, with_commanders, with_options
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.files.toml import read_toml

BAD = sorted((Path(__file__).parents[2] / "bad" / "battles").glob("*.toml"))
TWO: dict[str, object] = {"york": {}, "lancaster": {}}


def mistakes_of(path: Path) -> list[str]:
    """Return what is said of a battle file, without its name."""
    source = read_toml(str(path))
    with pytest.raises(InvalidInput) as caught:
        read_battle(source.data)
    with pytest.raises(InvalidInput) as placed:
        source.refuse(caught.value.errors)
    return [str(error).removeprefix(f"{path}:") for error in placed.value.errors]


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_file_is_refused_in_these_words(path: Path) -> None:
    """The last lines of each file say what must be said of it: line, key, what is right."""
    expected = [
        line.removeprefix("# refused: ")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("# refused: ")
    ]
    assert expected
    assert mistakes_of(path) == expected


def test_sides_keep_the_order_of_the_file() -> None:
    plan = read_battle({"rules": "strategy-war", "sides": {"z": {}, "a": {}, "m": {}}})
    assert plan.setup.seats == ["z", "a", "m"]


def test_a_side_without_a_name_is_named_after_its_key() -> None:
    plan = read_battle({"rules": "strategy-war", "sides": {"harry-percy": {}, "p2": {"name": "Owain"}}})
    assert [side.name for side in plan.sides] == ["Harry Percy", "Owain"]


def test_the_default_commander_is_regular_and_orders_make_one_of_their_own() -> None:
    plan = read_battle({"rules": "strategy-war", "sides": {"a": {}, "b": {"orders": ["commit K"]}}})
    assert [side.commander for side in plan.sides] == ["regular", "orders"]
    assert plan.sides[1].then == "regular"


def test_an_alias_names_the_same_battle() -> None:
    one = read_battle({"rules": "brainwar", "seed": 1, "sides": TWO})
    two = read_battle({"rules": "strategy-war", "seed": 1, "sides": TWO})
    assert one.id == two.id
    assert one.rules.key == "strategy-war"


def test_a_derived_id_depends_on_the_content_alone() -> None:
    one = read_battle({"rules": "strategy-war", "seed": 1, "sides": TWO})
    again = read_battle({"seed": 1, "sides": TWO, "rules": "strategy-war", "format": 1})
    other = read_battle({"rules": "strategy-war", "seed": 2, "sides": TWO})
    assert one.id == again.id != other.id


def test_a_bare_rule_set_has_its_own_sides_or_those_named() -> None:
    assert list(bare_battle("brainwar", [])["sides"]) == ["p1", "p2", "p3", "p4", "p5"]  # type: ignore[call-overload]
    plan = read_battle(bare_battle("brainwar", ["york=green", "lancaster"]))
    assert [side.commander for side in plan.sides] == ["green", "regular"]


def test_a_side_named_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="named twice"):
        bare_battle("brainwar", ["york", "york"])


def test_a_commander_from_the_command_line_replaces_orders() -> None:
    data: dict[str, object] = {
        "rules": "strategy-war",
        "sides": {"a": {"orders": ["commit K"], "cards": ["K", "2"]}, "b": {}},
    }
    plan = read_battle(with_commanders(data, ["a=green"]))
    assert plan.sides[0].commander == "green"
    assert plan.setup.cards(0, "cards") == [2, 13]


def test_a_commander_for_nobody_is_refused() -> None:
    data: dict[str, object] = {"rules": "strategy-war", "sides": {"a": {}, "b": {}}}
    with pytest.raises(UsageError, match="with side a or b"):
        with_commanders(data, ["c=green"])


def test_settings_reach_sides_and_house() -> None:
    data = with_options(
        bare_battle("brainwar", ["a", "b"]),
        [
            *("a.cards=A,K,2", "house.rounds=3", "house.auto_last=true"),
            *(
                "a.plural=True",
                "b.plural=false",
                "a.orders=commit A; commit K",
                "b.standing=commit: A; any: K",
            ),
        ],
    )
    plan = read_battle(data)
    assert plan.setup.cards(0, "cards") == [2, 13, 14]
    assert plan.setup.house["rounds"] == 3
    assert plan.setup.house["auto_last"] is True
    assert [side.plural for side in plan.sides] == [True, False]
    assert plan.sides[0].orders == ["commit A", "commit K"]
    assert plan.sides[1].standing == ["commit: A", "any: K"]


@pytest.mark.parametrize("setting", ["a.cards", "cards=K", "c.cards=K", "=", ""])
def test_a_setting_that_sets_nothing_is_refused(setting: str) -> None:
    with pytest.raises(UsageError, match="--set"):
        with_options(bare_battle("brainwar", ["a", "b"]), [setting])
