"""What terrain, weather, experience, strength and rank are worth in battle, each by itself."""

from __future__ import annotations

import pytest

from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.turn.factor_values import measure_worth, worth_sentence
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
    return {(one.side, one.name): one.points for one in measure_worth(of, of.pending[0])}


def test_only_what_counts_is_measured_and_it_helps_its_side() -> None:
    measured = worth(campaign())
    assert list(measured) == [("boyd", "town")]
    assert 10 < measured["boyd", "town"] < 60


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


def test_the_sentence_names_the_sides_and_is_empty_without_circumstances() -> None:
    sentence = worth_sentence(campaign(), campaign().pending[0])
    assert sentence.startswith("worth in points of chance: Boyd: town +")
    bare = campaign(('terrain = "town"\n', ""))
    assert worth_sentence(bare, bare.pending[0]) == ""
