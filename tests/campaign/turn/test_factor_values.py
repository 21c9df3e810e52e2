"""What terrain, weather, experience, strength and rank are worth in battle, each by itself."""

from __future__ import annotations

import re
from math import inf

import pytest

from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.turn import factor_values
from cardbattle.campaign.turn.factor_values import (
    CLOSE,
    Worth,
    command_for_everyone,
    harmful_strength_hint,
    lowest_worth,
    measure_worth,
    some_worth_by_battle,
    strength_hint,
    worth_by_battle,
    worth_sentence,
)
from cardbattle.simulation.worth import OPTION, RANK, STRENGTH, worths_of
from tests.support.marches import books

FIELD = """\
format = 1
name = "Ford"
seed = 3
rules = "field-of-honour"
TABLES

[factions.red]
[factions.blue]

[forces.rufus]
faction = "red"
strength = 8

[forces.boyd]
faction = "blue"
strength = 8

[locations.ford]
owner = "blue"
terrain = "town"

[terrain.town]
field-of-honour = { defender = { hand = 3 } }

[[pending]]
id = "ford"
sides = ["rufus", "boyd"]
stakes = "ford"
"""


def campaign(*changes: tuple[str, str], tables: str = "") -> Campaign:
    text = FIELD.replace("TABLES", tables)
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    return books(text).campaign


def worth(of: Campaign) -> dict[tuple[str, str], int]:
    return {(one.side, one.name): one.points for one in measure_worth(of, of.pending[0], 200)}


@pytest.mark.slow
def test_only_what_counts_is_measured_and_it_helps_its_side() -> None:
    measured = worth(campaign())
    assert list(measured) == [("boyd", "town")]
    assert 10 < measured["boyd", "town"] < 60


@pytest.mark.slow
def test_other_battles_give_a_value_within_the_margins(monkeypatch: pytest.MonkeyPatch) -> None:
    of = campaign()
    [few], [many] = (measure_worth(of, of.pending[0], number) for number in (100, 600))
    assert few.margin > CLOSE and many.margin < few.margin
    monkeypatch.setattr(factor_values, "PATH", "others")
    [others] = measure_worth(of, of.pending[0], 600)
    for one in (few, many):
        assert abs(one.points - others.points) <= one.margin + others.margin


@pytest.mark.slow
def test_strength_rank_and_experience_stand_on_the_same_scale() -> None:
    tables = '[advantage.field-of-honour]\nper = "1/2"\ngive = { hand = 1 }\n'
    tables += '[experience]\nsteps = [{ at = 2, title = "old guard", give = { hand = 2 } }]\n'
    measured = worth(
        campaign(
            ("strength = 8", 'strength = 16\ncommander = "green"'),
            ("strength = 8\n\n[loc", "strength = 8\nexperience = 5\n\n[loc"),
            tables=tables,
        )
    )
    assert set(measured) == {
        ("rufus", "strength 16 to 8"), ("rufus", "green"), ("boyd", "town"), ("boyd", "old guard"),
    }  # fmt: skip
    assert measured["rufus", "green"] < 0 < measured["rufus", "strength 16 to 8"]
    assert measured["boyd", "old guard"] > 0


@pytest.mark.slow
def test_the_sentence_names_the_sides_and_is_empty_without_circumstances() -> None:
    sentence = worth_sentence(campaign(), campaign().pending[0], 100)
    form = r"worth, in percentage points of the chance to win: Boyd: town \+\d+ \(\+\d+ to \+\d+\)"
    assert re.fullmatch(form, sentence)
    bare = campaign(('terrain = "town"\n', ""))
    assert worth_sentence(bare, bare.pending[0]) == ""


def test_battles_of_commanders_who_think_ahead_are_looked_up() -> None:
    """Their ranks, their strength, and what terrain gives."""
    thinker = ("strength = 8", 'strength = 12\ncommander = "veteran"')
    terms = '[advantage.field-of-honour]\nper = "1/2"\ngive = { extra = ["10"] }\nmost = 4\n'
    table = {(worth.kind, worth.name): worth.points for worth in worths_of("field-of-honour")}
    assert worth(campaign(thinker, tables=terms)) == {
        ("boyd", "town"): round(3 * table[OPTION, "hand +1"]),
        ("rufus", "strength 12 to 8"): round(table[STRENGTH, "3:2"]),
        ("rufus", "veteran"): round(table[RANK, "veteran"]),
    }


@pytest.mark.slow
def test_house_rules_count_for_the_first_side() -> None:
    house = ("stakes", 'house = { dealer = "boyd", redeploy = "either" }\nstakes')
    assert [*worth(campaign(house))] == [("rufus", "house rules"), ("boyd", "town")]
    dealer = ("stakes", 'house = { dealer = "boyd" }\nstakes')
    assert [*worth(campaign(dealer))] == [("boyd", "town")]


@pytest.mark.slow
def test_strength_and_rank_alone_have_a_sentence_too() -> None:
    terms = '[advantage.field-of-honour]\nper = "1/2"\ngive = { hand = 1 }\n'
    open_field = ('terrain = "town"\n', "")
    strong = campaign(("strength = 8", "strength = 16"), open_field, tables=terms)
    sentence = worth_sentence(strong, strong.pending[0])
    assert sentence.startswith("worth, in percentage points of the chance to win: Rufus: strength 16 to 8 +")
    green = campaign(("strength = 8", 'strength = 8\ncommander = "green"'), open_field)
    assert ": Rufus: green -" in worth_sentence(green, green.pending[0])
    veteran = campaign(("strength = 8", 'strength = 8\ncommander = "veteran"'), open_field)
    assert ": Rufus: veteran +" in worth_sentence(veteran, veteran.pending[0])


def test_the_umpire_reads_against_which_of_three_sides_strength_counts() -> None:
    """In Strategy WAR, the cards of the two stronger sides can cancel each other out."""
    third = ('sides = ["rufus", "boyd"]', 'rules = "strategy-war"\nsides = ["rufus", "boyd", "ash"]')
    ash = (
        "[locations.ford]",
        '[factions.green]\n[forces.ash]\nfaction = "green"\nstrength = 5\n\n[locations.ford]',
    )
    of = campaign(ash, third)
    [battle] = of.pending
    strong, weak = Worth("rufus", "strength 21 to 5", 12, 3), Worth("boyd", "strength 13 to 5", -23, 3)
    assert harmful_strength_hint(of, battle, [strong, weak]) == (
        "strength counts against Boyd in Strategy WAR with 3 sides; choose Warmonger with: "
        "cardbattle campaign edit ford --set rules=warmonger"
    )
    uncertain = weak._replace(points=-2)
    green = Worth("ash", "green", -20, 3)
    assert harmful_strength_hint(of, battle, [strong, uncertain, green]) == ""
    two = campaign()
    assert harmful_strength_hint(two, two.pending[0], [weak]) == ""


ASH = '[factions.green]\n[forces.ash]\nfaction = "green"\nstrength = 5\nlocation = "ford"\n'
MOVING = ("[locations.ford]", f"{ASH}[movement]\nallowance = 1\n[locations.ford]")
TWO, THREE = 'sides = ["rufus", "boyd"]', 'rules = "warmonger"\nsides = ["rufus", "boyd", "ash"]'


@pytest.mark.parametrize(
    ("values", "chosen"),
    [
        ({"strategy-war": 1, "warmonger": -7}, "strategy-war"),
        ({"strategy-war": -23, "warmonger": 4}, "warmonger"),
        ({}, "warmonger"),  # strength has no effect, and this rule set has the fewest sides
    ],
)
def test_the_command_for_all_sides_names_the_rules_in_which_strength_counts_best(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, int], chosen: str
) -> None:
    of = campaign(MOVING, (TWO, f'place = "ford"\n{TWO}'))
    monkeypatch.setattr(factor_values, "lowest_worth", lambda _, battle, key: values.get(key, -99))
    command = f"cardbattle campaign edit ford --set rules={chosen} --side rufus --side boyd --side ash"
    assert command_for_everyone(of, of.pending[0]) == command


def test_a_battle_without_a_place_has_no_command_for_forces_that_stand_by() -> None:
    assert command_for_everyone(campaign(MOVING), campaign(MOVING).pending[0]) == ""


@pytest.mark.slow
def test_the_hint_after_an_edit_names_better_rules() -> None:
    """The strength of the second of three sides counts against it in Warmonger."""
    strengths = (
        ("strength = 8", "strength = 23"),
        ("strength = 8", "strength = 16"),
        ("strength = 5", "strength = 10"),
    )
    rules = ("[locations.ford]", f"{ADVANTAGE}[locations.ford]")
    of = campaign(MOVING, *strengths, rules, (TWO, THREE))
    [battle] = of.pending
    assert lowest_worth(of, battle, "strategy-war") > lowest_worth(of, battle, "warmonger") > -inf
    assert lowest_worth(of, battle, "field-of-honour") == -inf
    hint = strength_hint(of, battle)
    assert "strength counts against Boyd in Warmonger with 3 sides; choose Strategy WAR with: " in hint
    assert strength_hint(campaign(), campaign().pending[0]) == ""


ADVANTAGE = """\
[advantage]
warmonger = { per = "1/6", give = { warmongers = 1 }, most = 10 }
strategy-war = { per = "1/2", give = { cards = ["J"] }, most = 6 }

"""

HOUSE_ONLY = (
    "field-of-honour = { defender = { hand = 3 } }",
    'field-of-honour = { house = { redeploy = "either" } }',
)


@pytest.mark.slow
@pytest.mark.parametrize("rank", ["regular", "veteran"])
def test_terrain_with_house_rules_only_counts_for_the_side_that_it_helps(rank: str) -> None:
    """It has no value in the table of measured values, so it is always simulated."""
    measured = worth(campaign(HOUSE_ONLY, ("strength = 8", f'strength = 8\ncommander = "{rank}"')))
    [(side, points)] = [(side, points) for (side, name), points in measured.items() if name == "town"]
    assert side in ("rufus", "boyd")
    assert points >= 0


@pytest.mark.slow
def test_terrain_whose_house_rules_the_battle_replaces_has_no_value() -> None:
    house = ("stakes", 'house = { redeploy = "either" }\nstakes')
    assert [name for _, name in worth(campaign(HOUSE_ONLY, house))] == ["house rules"]


@pytest.mark.slow
def test_check_measures_some_battles_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factor_values, "BATTLES", 10)
    battle = '[[pending]]\nid = "{}"\nsides = ["rufus", "boyd"]\n'
    text = "".join(battle.format(name) for name in ("one", "two"))
    text += "".join(battle.format(name) + 'place = "ford"\n' for name in ("three", "four", "five"))
    green = ("strength = 8", 'strength = 8\ncommander = "green"')
    several = campaign(("[[pending]]", f"{text}[[pending]]"), green)
    assert [name for name, _ in worth_by_battle(several)] == ["one", "two", "three", "four", "five", "ford"]
    assert [name for name, _ in some_worth_by_battle(several)] == ["one", "three", "four", "five"]
