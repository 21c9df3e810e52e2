"""A new campaign explains itself; the standings count what a faction holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.campaign import checking, store
from cardbattle.campaign.founding import found
from cardbattle.campaign.schema import campaign_schema
from cardbattle.campaign.standings import Standing, standings
from cardbattle.core.errors import Refused
from tests import marches


def test_a_new_campaign_holds_good_and_can_be_fought(tmp_path: Path) -> None:
    folder = found(str(tmp_path / "the-marches"), seed=1403)
    books = store.load(folder)
    assert (books.campaign.name, books.campaign.seed) == ("The Marches", 1403)
    assert checking.check(folder) == []
    marches.record(folder, marches.fought(books, "the-bridge"))
    assert store.load(folder).campaign.revision == 1


def test_a_new_campaign_is_named_as_the_umpire_says(tmp_path: Path) -> None:
    folder = found(str(tmp_path / "x"), 'The "Marches"', "sealed", "brainwar")
    campaign = store.load(folder).campaign
    assert (campaign.name, campaign.seed, campaign.rules) == ('The "Marches"', "sealed", "strategy-war")
    assert isinstance(store.load(found(str(tmp_path / "y"))).campaign.seed, int)


def test_a_campaign_that_is_there_is_never_touched(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with pytest.raises(Refused, match=r"campaign\.toml exists already; name a new folder"):
        found(folder)
    assert (tmp_path / "campaign.toml").read_text() == marches.MARCHES
    with pytest.raises(Refused, match="without control or format characters"):
        found(str(tmp_path / "new"), "\x1b[31m")
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
        (1, "york", 14), (1, "lancaster", 8)
    ]  # fmt: skip


def test_the_schema_knows_every_key_and_no_null() -> None:
    import json

    text = json.dumps(campaign_schema())
    assert "null" not in text
    for word in (
        "scoring",
        "winner_rate",
        "destroyed_below",
        "advantage",
        "stakes",
        "assert",
        "brainwar",
        "regular",
    ):
        assert f'"{word}"' in text
