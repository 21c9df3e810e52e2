"""Roads are added by command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardbattle.campaign.ledger import value_edits
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.storage import store
from cardbattle.core.errors import InvalidInput, UsageError
from tests.support import marches

PLACES = ["shrewsbury", "Chester", "wem"]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Return the folder of a campaign with three places."""
    text = marches.MARCHES + '\n[locations.chester]\nname = "Chester"\n\n[locations.wem]\n'
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    return str(tmp_path)


def add(folder: str, places: list[str], length: int = 1) -> Campaign:
    """Record roads between places, and return the campaign."""
    with store.open_for_writing(folder) as transaction:
        transaction.commit([value_edits.add_roads(transaction.books, places, length)])
        return transaction.campaign


def test_several_places_in_a_row_make_a_road_from_each_to_the_next(folder: str) -> None:
    campaign = add(folder, PLACES, 2)
    assert campaign.road_ends == [("shrewsbury", "chester"), ("chester", "wem")]
    assert campaign.roads.distance("shrewsbury", "wem") == 4


def test_a_road_that_is_there_is_refused(folder: str) -> None:
    add(folder, PLACES)
    with pytest.raises(InvalidInput, match="road 1 joins chester and shrewsbury already") as refused:
        add(folder, ["chester", "shrewsbury"])
    assert "change the length: road.chester-shrewsbury.length" in str(refused.value)


def test_a_road_is_named_by_its_two_places(folder: str) -> None:
    add(folder, PLACES)
    with store.open_for_writing(folder) as transaction:
        for name in ("shrewsbury-chester", "chester-shrewsbury"):
            [change] = value_edits.set_values(
                transaction.books, [value_edits.read_assignment(f"road.{name}.length=3")]
            ).entry.changes
            assert change.key[0] == "road"
        meant = '"wem" is not in this campaign; did you mean "chester-wem"'
        with pytest.raises(InvalidInput, match=re.escape(meant)):
            value_edits.set_values(transaction.books, [value_edits.read_assignment("road.wem.length=3")])
        meant = 'did you mean "shrewsbury-chester" or "chester-wem"?'
        with pytest.raises(InvalidInput, match=re.escape(meant)):
            value_edits.set_values(transaction.books, [value_edits.read_assignment("road.chester.length=3")])


def test_a_road_needs_two_known_places(folder: str) -> None:
    with pytest.raises(UsageError, match="name both"):
        add(folder, ["wem"])
    with pytest.raises(InvalidInput, match='place "ludlow" is not in this campaign'):
        add(folder, ["wem", "ludlow"])


def test_a_new_table_goes_above_the_comment_of_the_section_below(folder: str) -> None:
    path = Path(folder) / "campaign.toml"
    text = path.read_text(encoding="utf-8")
    section = "# The battles to fight.\n\n"
    path.write_text(text.replace("# The bridge.\n", section), encoding="utf-8")
    add(folder, ["shrewsbury", "wem"])
    added = path.read_text(encoding="utf-8")
    assert added.index("[[road]]") < added.index(section)
    assert f"{section}[[pending]]" in added
