"""What terrain and weather give in battle, to whom, and what they refuse."""

from __future__ import annotations

import pytest

from cardbattle.campaign.state.battle_setup import battle_table, explain
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.errors import InvalidInput
from cardbattle.files.reader import table_or_empty
from cardbattle.rules import find
from tests.support.marches import MARCHES, books

TABLES = """
[terrain.town]
strategy-war = { defender = { cards = ["Q"] }, attacker = { cards = ["J"] }, house = { mode = "dark" } }
field-of-honour = { defender = { hand = 2 } }

[weather]
now = "rain"
table = [{ p = 1, name = "fair" }, { p = 1, name = "rain", battle.strategy-war.all = { cards = ["2"] } }]
"""
OWNER = 'owner = "york"\n'


def campaign(more: str = "", place: str = "") -> Campaign:
    text = MARCHES.replace(OWNER, f'{OWNER}terrain = "town"\n{place}')
    return books(f"{text.replace('# Fog until noon.', more)}\n{TABLES}").campaign


def cards(of: Campaign, battle: str = "bridge") -> dict[str, list[str]]:
    """Return the cards of each side, those of the rules where it has no others."""
    pending = of.battle(battle)
    assert pending is not None
    option = find("strategy-war").options["cards"]
    usual = option.write(option.default)
    sides = table_or_empty(battle_table(of, pending)["sides"])
    hands = {key: table_or_empty(side).get("cards", usual) for key, side in sides.items()}
    return {key: [str(card) for card in hand] for key, hand in hands.items() if isinstance(hand, list)}


def plain() -> dict[str, list[str]]:
    return cards(books().campaign)


def gained(of: Campaign) -> dict[str, set[str]]:
    """Return the ranks that sides have more often than without terrain and weather."""
    before = plain()
    return {
        key: {card[0] for card in values if values.count(card) > before[key].count(card)}
        for key, values in cards(of).items()
    }


def test_the_owner_of_the_place_defends_and_all_get_the_weather() -> None:
    assert gained(campaign()) == {"percy": {"Q", "2"}, "stafford": {"J", "2"}}


def test_a_battle_can_name_its_defender_its_terrain_and_its_weather() -> None:
    assert gained(campaign('defender = "stafford"')) == {"percy": {"J", "2"}, "stafford": {"Q", "2"}}
    assert gained(campaign('weather = "fair"')) == {"percy": {"Q"}, "stafford": {"J"}}


def test_a_battle_for_a_place_that_no_side_holds_has_no_defender() -> None:
    text = MARCHES.replace(OWNER, 'terrain = "town"\n')
    assert gained(books(f"{text}\n{TABLES}").campaign) == {"percy": {"2"}, "stafford": {"2"}}


def test_house_rules_of_the_terrain_hold_unless_the_battle_has_its_own() -> None:
    modes = []
    for house in ("", 'house.mode = "open"'):
        of = campaign(house)
        bridge = of.battle("bridge")
        assert bridge is not None
        modes.append(table_or_empty(battle_table(of, bridge)["house"]))
    assert modes == [{"mode": "dark"}, {"mode": "open"}]


def test_what_a_battle_gets_is_explained() -> None:
    of = campaign()
    bridge = of.battle("bridge")
    assert bridge is not None
    told = explain(of, bridge)
    assert any(line.startswith("Harry Percy: town, for the defender, so cards + Q") for line in told)
    assert any(line.startswith("Stafford: rain, so cards + 2") for line in told)


def test_terrain_of_another_rule_set_changes_nothing() -> None:
    text = MARCHES.replace(OWNER, f'{OWNER}terrain = "hill"\n')
    hill = "[terrain.hill]\nfield-of-honour = { all = { hand = 1 } }\n"
    assert cards(books(f"{text}\n{hill}").campaign) == plain()


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ('terrain = "town"', 'terrain = "twon"', 'did you mean "town"'),
        ('now = "rain"', 'now = "hail"', 'weather "hail" is not'),
        ("{ hand = 2 }", "{ hand = 0 }", "a whole number to add"),
        ("{ hand = 2 }", "{ heart = 2 }", "heart"),
        ('mode = "dark"', 'mode = "loud"', "terrain.town.strategy-war.house.mode"),
        ("defender = { hand = 2 }", "", "nothing is given"),
        ('cards = ["2"]', "cards = []", "weather.table.2.battle.strategy-war.all.cards"),
        ('# Fog until noon.', 'defender = "mortimer"', 'side "mortimer" is not'),
        ('# Fog until noon.', 'weather = "hail"', 'weather "hail" is not'),
        ('# Fog until noon.', 'place = "ludlow"', 'location "ludlow" is not'),
    ],
)  # fmt: skip
def test_a_mistake_is_refused(before: str, after: str, why: str) -> None:
    text = MARCHES.replace(OWNER, f'{OWNER}terrain = "town"\n') + TABLES
    assert before in text
    with pytest.raises(InvalidInput, match=why):
        books(text.replace(before, after))
