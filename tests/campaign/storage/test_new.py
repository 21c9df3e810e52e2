"""A new campaign explains itself; the standings count what a faction holds."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign import check
from cardbattle.campaign.state import model
from cardbattle.campaign.state import tables as tables_package
from cardbattle.campaign.state.battle_setup import default_advantage, explain, no_effect
from cardbattle.campaign.state.fields import Model
from cardbattle.campaign.state.schema import campaign_schema
from cardbattle.campaign.state.standings import Standing, standings
from cardbattle.campaign.state.template import NewForce, Outline
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.new import create_campaign
from cardbattle.core.errors import InvalidInput
from cardbattle.rules import RULE_SETS, find, is_not_installed
from tests.campaign.state.test_model import SHIPPED, complaints, one_thing_changed
from tests.support import marches
from tests.support.schemas import fits


def test_a_new_campaign_holds_good_and_can_be_fought(tmp_path: Path) -> None:
    folder = create_campaign(str(tmp_path / "the-marches"), seed=1403)
    books = store.load(folder)
    assert (books.campaign.name, books.campaign.seed) == ("The Marches", 1403)
    assert check.check(folder) == []
    marches.record(folder, marches.fought(books, "the-bridge"))
    assert store.load(folder).campaign.revision == 1


@pytest.mark.slow
@pytest.mark.parametrize("by", ["field-of-honour", "warfare-tactics"])
def test_in_a_new_campaign_strength_has_an_effect_by_every_rule_set(tmp_path: Path, by: str) -> None:
    """Each has its own advantage there, the campaign's own rule set first."""
    campaign = store.load(create_campaign(str(tmp_path / "x"), by=by)).campaign
    assert list(campaign.advantage) == [by, *(key for key in RULE_SETS if key != by)]
    for key, terms in campaign.advantage.items():
        assert (terms.per, terms.give, terms.most) == default_advantage(find(key))
        battle = campaign.pending[0].model_copy(update={"rules": key})
        assert no_effect(campaign, battle) == ""
        assert len(explain(campaign, battle)) == 1
    found = check.look_through(str(tmp_path / "x"))
    hints = [hint for hint in found.hints() if ": worth, in percentage points" not in hint]
    assert (found.errors, found.edits, hints) == ([], [], [])


def test_a_new_campaign_is_named_as_the_umpire_says(tmp_path: Path) -> None:
    folder = create_campaign(str(tmp_path / "x"), 'The "Marches"', "sealed", "brainwar")
    campaign = store.load(folder).campaign
    assert (campaign.name, campaign.seed, campaign.rules) == ('The "Marches"', "sealed", "strategy-war")
    assert isinstance(store.load(create_campaign(str(tmp_path / "y"))).campaign.seed, str)


def test_a_campaign_that_is_there_is_never_touched(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with pytest.raises(InvalidInput, match=r"campaign\.toml exists already; name a new folder"):
        create_campaign(folder)
    assert (tmp_path / "campaign.toml").read_text() == marches.MARCHES
    with pytest.raises(InvalidInput, match="without control or format characters"):
        create_campaign(str(tmp_path / "new"), "\x1b[31m")
    assert not (tmp_path / "new").exists()


def test_standings_count_points_forces_and_places() -> None:
    assert standings(marches.books().campaign) == [
        Standing(1, "york", "House York", 12, 2, 17, 1, 0),
        Standing(2, "lancaster", "Lancaster", 9, 1, 8, 0, 0),
    ]
    text = marches.MARCHES.replace("points = 9", "points = 12").replace(
        "strength = 3", "strength = 1\ndestroyed = true"
    )
    assert [(row.place, row.key, row.strength) for row in standings(marches.books(text).campaign)] == [
        (1, "york", 14), (2, "lancaster", 8)  # York owns a place
    ]  # fmt: skip


def test_a_new_campaign_brings_its_schema_and_points_to_it(tmp_path: Path) -> None:
    folder = Path(create_campaign(str(tmp_path / "x")))
    assert (folder / "campaign.toml").read_text().startswith("#:schema ./campaign.schema.json\n")
    assert json.loads((folder / "campaign.schema.json").read_text()) == campaign_schema()
    kept = tmp_path / "y"
    kept.mkdir()
    (kept / "campaign.schema.json").write_text("mine")
    create_campaign(str(kept))
    assert (kept / "campaign.schema.json").read_text() == "mine"


def test_factions_and_forces_get_keys_from_their_names(tmp_path: Path) -> None:
    folder = create_campaign(
        str(tmp_path / "x"),
        outline=Outline(
            ["House York", "織田"], [], [NewForce("Harry", 0, 14), NewForce("Harry", 1, 3, "green")], []
        ),
    )
    campaign = store.load(folder).campaign
    assert [(key, one.name) for key, one in campaign.factions.items()] == [
        ("house-york", "House York"), ("no-2", "織田")
    ]  # fmt: skip
    assert [(key, one.name, one.strength) for key, one in campaign.forces.items()] == [
        ("harry", "Harry", 14), ("no-2", "Harry", 3)
    ]  # fmt: skip
    assert check.check(folder) == []
    text = Path(folder, "campaign.toml").read_text(encoding="utf-8")
    example = text[text.index("# [[pending]]") :].replace("# ", "")
    assert [one["sides"] for one in tomllib.loads(example)["pending"]] == [["harry", "no-2"]]


def test_a_new_campaign_has_something_of_everything(tmp_path: Path) -> None:
    campaign = store.load(create_campaign(str(tmp_path / "x"))).campaign
    assert all(force.location in campaign.locations for force in campaign.forces.values())
    assert {force.commander for force in campaign.forces.values()} == {"regular"}
    assert {force.faction for force in campaign.forces.values()} == set(campaign.factions)
    assert {place.owner for place in campaign.locations.values()} == {"red", "blue", None}
    assert all(place.value for place in campaign.locations.values())
    assert (campaign.scoring.win, campaign.attrition.rate) == (2, Fraction(1, 2))
    assert [(one.id, one.keys, one.stakes) for one in campaign.pending] == [
        ("the-bridge", ["red-vanguard", "blue-guard"], "the-bridge")
    ]


SCHEMA = campaign_schema()


def without_subclasses(kind: type[Model]) -> list[type[Model]]:
    """Return the classes derived from this one that no other class derives from."""
    return [leaf for part in kind.__subclasses__() for leaf in without_subclasses(part)] or [kind]


def test_the_schema_has_the_models_keys_and_no_others() -> None:
    tables: dict[str, Any] = {"Campaign": SCHEMA, **SCHEMA["$defs"]}  # type: ignore[dict-item]
    modules = (model.__name__, f"{tables_package.__name__}.")
    parts = {part.__name__: part for part in without_subclasses(Model) if part.__module__.startswith(modules)}
    assert tables.keys() == parts.keys()
    for name, part in parts.items():
        fields = {field.alias or word: field for word, field in part.model_fields.items()}
        assert list(tables[name]["properties"]) == list(fields)
        ways = tables[name].get("anyOf", [{}])  # the units of a force can replace its strength
        required = [*tables[name].get("required", []), *ways[0].get("required", [])]
        assert required == [word for word, field in fields.items() if field.is_required()]
        assert tables[name]["additionalProperties"] is False
    assert "null" not in json.dumps(SCHEMA)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_schema_takes_every_campaign_that_is_sound(path: Path) -> None:
    data = tomllib.loads((path / "campaign.toml").read_text(encoding="utf-8"))
    assert fits(data, SCHEMA, SCHEMA)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("format = 1", "format = 2"),
        ("turn = 4", "turn = -1"),
        ("turn = 4", "turn = true"),
        ("turn = 4", "tern = 4"),
        ('commander = "green"', 'commander = "gren"'),
        ('rules = "strategy-war"', 'rules = "strategy"'),
        ('per = "1/4"', "per = 0.25"),
        ("strength = 14", 'strength = "14"'),
        ("strength = 14 ", "# "),
        ("[forces.percy]", "[forces.percy]\nx = 1"),
        ("[forces.percy]", "[forces.Percy]"),
    ],
)
def test_the_schema_refuses_what_the_program_refuses(old: str, new: str) -> None:
    assert old in marches.MARCHES
    data = tomllib.loads(marches.MARCHES.replace(old, new, 1))
    assert not fits(data, SCHEMA, SCHEMA)
    assert complaints(data)


@given(st.data())
def test_the_schema_refuses_nothing_that_the_program_takes(data: st.DataObject) -> None:
    """Except the key of a rule set that is not installed: an editor shows it as unknown."""
    changed = one_thing_changed(data)
    assert (
        has_none(changed)
        or has_missing_plug_in(changed)
        or complaints(changed)
        or fits(changed, SCHEMA, SCHEMA)
    )


def has_missing_plug_in(value: object) -> bool:
    """Return True if a campaign's data name a rule set that is not installed, at any depth."""
    if isinstance(value, list):
        return any(map(has_missing_plug_in, value))
    if not isinstance(value, dict):
        return False
    named = value.get("rules")
    return (isinstance(named, str) and is_not_installed(named)) or any(
        map(has_missing_plug_in, value.values())
    )


def has_none(value: object) -> bool:
    """Say whether data hold what no TOML file can say."""
    if isinstance(value, dict | list):
        return any(map(has_none, value.values() if isinstance(value, dict) else value))
    return value is None
