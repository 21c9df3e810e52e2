"""The terrain of places on the pages of a campaign, and the weather and places in messages."""

from __future__ import annotations

import pytest

from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
from cardbattle.show.document import Table
from cardbattle.show.pages.campaign.dashboard import campaign_page
from cardbattle.show.pages.campaign.history import describe_change
from cardbattle.show.pages.campaign.messages.battles import battle_line, cost_of_declining
from cardbattle.show.pages.campaign.messages.roads import battle_effects, place_words
from cardbattle.show.pages.campaign.report import report_page
from tests.support.marches import MARCHES, books


def test_places_show_terrain_where_a_place_has_some() -> None:
    """Every reader may know the terrain of places."""
    text = MARCHES.replace('owner = "york"\n', 'owner = "york"\nterrain = "walls"\n') + "[terrain.walls]\n"
    for source, expected in ((text, True), (MARCHES, False)):
        visible = visible_to(books(source).campaign, Ledger(), "lancaster")
        for page in (campaign_page(visible, {}, {}), report_page(visible, {})):
            tables = [block for block in page.blocks if isinstance(block, Table) and block.head[0] == "place"]
            assert [("terrain" in table.head, "walls" in table.rows[0]) for table in tables] == [
                (expected, expected)
            ]


def test_the_line_about_a_battle_names_the_weather_of_the_turn_too() -> None:
    weather = '[weather]\ntable = [{ p = 1, name = "fog" }]\nnow = "fog"\n'
    for source, is_named in ((MARCHES + weather, True), (MARCHES, False)):
        campaign = books(source).campaign
        lines = [battle_line(campaign, battle) for battle in campaign.pending]
        assert lines and all(line.endswith(", weather: fog.") == is_named for line in lines)


@pytest.mark.parametrize(
    ("owner", "peace", "line"),
    [
        ("lancaster", "", ["Declining gives Shrewsbury to the other side."]),
        ("york", "", []),
        ("wales", "", ["Declining gives Shrewsbury to the other side."]),
        ("wales", 'peace = ["york"]\n', []),
    ],
)
def test_declining_gives_a_place_away_if_the_other_side_can_take_it(
    owner: str, peace: str, line: list[str]
) -> None:
    text = MARCHES.replace('"Shrewsbury"\nowner = "york"', f'"Shrewsbury"\nowner = "{owner}"')
    text = text.replace("[factions.york]", f"[factions.wales]\n{peace}[factions.york]")
    campaign = books(text).campaign
    [battle] = [battle for battle in campaign.pending if battle.stakes == "shrewsbury"]
    visible = visible_to(campaign, Ledger(), UMPIRE)
    assert cost_of_declining(visible, battle, "lancaster") == line


@pytest.mark.parametrize(("peace", "end"), [("", ""), ('peace = ["york"]\n', ", not your enemy")])
def test_a_beaten_player_reads_that_the_owner_of_a_place_is_no_enemy(peace: str, end: str) -> None:
    campaign = books(MARCHES.replace("[factions.york]", f"[factions.wales]\n{peace}[factions.york]")).campaign
    assert place_words(campaign, "wales", "shrewsbury") == f"Shrewsbury, held by House York{end}"
    assert place_words(campaign, "york", "shrewsbury") == "Shrewsbury, yours, where Harry Percy is"


def test_a_message_says_what_terrain_gives_in_battle() -> None:
    terrain = '[terrain.walls.strategy-war]\ndefender = { cards = ["K", "Q"] }\nall = { cards = ["A"] }\n'
    text = MARCHES.replace('owner = "york"\n', 'owner = "york"\nterrain = "walls"\n')
    campaign = books(text + terrain).campaign
    assert [*battle_effects(campaign, ["shrewsbury"])] == [
        "In Strategy WAR: with walls, every side has cards + A; with walls, the defender has cards + K Q."
    ]
    line = battle_line(campaign, campaign.pending[0])
    assert "With walls, every side has cards + A; with walls, the defender (" in line
    plain = books(f"{text}[terrain.walls]\n").campaign
    assert "With" not in battle_line(plain, plain.pending[0])


@pytest.mark.parametrize(
    ("now", "storms"), [("", ["fog", "gale"]), ('now = "gale"\n', ["gale"]), ('now = "fair"\n', [])]
)
def test_a_message_says_what_weather_and_terrain_do_in_each_rule_set(now: str, storms: list[str]) -> None:
    """If the weather is not drawn yet, each kind of weather is named."""
    text = MARCHES.replace('owner = "york"\n', 'owner = "york"\nterrain = "walls"\n')
    text += "[terrain.walls.warmonger]\ndefender = { warmongers = 2 }\n"
    text += "[terrain.walls.strategy-war]\nall = { cards = ['A'] }\n"
    text += f"[weather]\n{now}[[weather.table]]\np = 1\nname = 'fair'\n"
    for name in ("fog", "gale"):
        text += f"[[weather.table]]\np = 1\nname = '{name}'\nmovement = -1\n"
        text += "battle.wargame = { attacker = { chips = -1 } }\n"
    weather = "; ".join(f"with {name}, each attacker has chips -1" for name in storms)
    assert [*battle_effects(books(text).campaign, ["shrewsbury"])] == [
        "In Warmonger: with walls, the defender has warmongers +2.",
        "In Strategy WAR: with walls, every side has cards + A.",
        *([f"In Wargame: {weather}."] if weather else []),
    ]


def test_a_message_says_what_weather_does_with_the_name_of_a_terrain() -> None:
    """Both count in a battle."""
    text = MARCHES.replace('owner = "york"\n', 'owner = "york"\nterrain = "snow"\n')
    text += "[terrain.snow.wargame]\nattacker = { chips = -1 }\n"
    text += "[weather]\n[[weather.table]]\np = 1\nname = 'snow'\nbattle.wargame.defender.chips = -2\n"
    assert [*battle_effects(books(text).campaign, ["shrewsbury"])] == [
        "In Wargame: with snow, each attacker has chips -1; with snow, the defender has chips -2."
    ]


def test_the_change_of_a_terrain_effect_shows_that_it_is_added() -> None:
    campaign = books(MARCHES).campaign
    key = ("terrain", "walls", "wargame", "defender", "chips")
    changes = [Change(key, None, 5), Change(key, 5, -2), Change((*key[:3], "house", "chips"), 5, 4)]
    assert [describe_change(campaign, change) for change in changes] == [
        "terrain.walls.wargame.defender.chips: 0 -> +5",
        "terrain.walls.wargame.defender.chips: +5 -> -2",
        "terrain.walls.wargame.house.chips: 5 -> 4",
    ]
