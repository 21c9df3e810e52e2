"""A new season has the shape of another campaign and nothing of its history."""

from __future__ import annotations

import re
import shutil
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from cardbattle.campaign import check
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.new_season import as_it_began, create_season
from cardbattle.core.errors import InvalidInput
from tests.campaign.state.test_model import SHIPPED
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.support import marches

KNOWN = "Strengths, places, owners, purses and experience are those at the start of the war."


def data_in(folder: Path) -> dict[str, Any]:
    """Return what a campaign's file says."""
    return tomllib.loads((folder / "campaign.toml").read_text(encoding="utf-8"))


@pytest.fixture
def season(sh: Shell, war: Path) -> Path:
    """Give the season after a campaign in which a battle was fought and the umpire spoke."""
    (war / "campaign.toml").write_text(
        (war / "campaign.toml").read_text(encoding="utf-8") + '\n[x]\nmood = "grim"\n', encoding="utf-8"
    )
    for command in (
        ["fight", "teme-ford", "--no-odds", "-q"],
        ["turn"],
        ["adjust", "forces.hale.strength+=4", "--reason", "geese"],
        ["adjust", "forces.hale.location=mill", "locations.mill.owner=king", "--reason", "geese"],
        ["adjust", "forces.hale.strength+=2", "forces.massie.destroyed=true", "--reason", "more geese"],
    ):
        assert sh("campaign", *command).code == 0
    return war


@pytest.mark.slow
def test_a_season_begins_as_the_campaign_began(sh: Shell, season: Path) -> None:
    before = {path: path.read_bytes() for path in season.rglob("*") if path.is_file()}
    said = sh("campaign", "new", "../next", "--from", ".")
    assert (said.code, said.err) == (0, "")
    assert KNOWN in " ".join(said.out.split())
    assert max(map(len, said.out.splitlines()[1:])) < 80
    old, new = data_in(season), data_in(season.parent / "next")
    demo = tomllib.loads(shipped_text())
    assert new["forces"] == demo["forces"]
    assert new["locations"] == demo["locations"]
    assert {key: one["points"] for key, one in new["factions"].items() if "points" in one} == {
        "king": 0, "parliament": 0, "clubmen": 0,
    }  # fmt: skip
    assert (new["name"], new["turn"], new["revision"]) == ("Next", 1, 0)
    assert "pending" not in new
    assert isinstance(new["seed"], str)
    assert new["seed"] != old["seed"]
    assert all(new[key] == old[key] for key in ("rules", "scoring", "attrition", "advantage", "x"))
    assert sorted(path.name for path in (season.parent / "next").iterdir()) == [
        "campaign.schema.json", "campaign.toml",
    ]  # fmt: skip
    assert check.check(str(season.parent / "next")) == []
    assert {path: path.read_bytes() for path in before} == before


def shipped_text() -> str:
    """Return the demo's original campaign.toml."""
    return resources.files("cardbattle").joinpath("data", "demo", "campaign.toml").read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_comment_stays_but_those_of_the_battles(season: Path) -> None:
    create_season(str(season.parent / "next"), str(season))
    text = (season.parent / "next" / "campaign.toml").read_text(encoding="utf-8")
    for line in shipped_text().partition("# Lunsford has been told")[0].splitlines():
        if "#" in line:
            assert line.partition("#")[2] in text
    assert "Lunsford has been told" not in text


@pytest.mark.slow
def test_without_a_ledger_all_stays_as_it_stands_and_that_is_said(season: Path) -> None:
    strengths = {key: one["strength"] for key, one in data_in(season)["forces"].items()}
    (season / "history.toml").unlink()
    made = create_season(str(season.parent / "next"), str(season))
    assert made.done[1] == "Strengths, places and owners are the current ones: the campaign has no ledger."
    new = data_in(Path(made.folder))
    assert {key: one["strength"] for key, one in new["forces"].items()} == strengths
    assert new["locations"]["mill"]["owner"] == "king"


@pytest.mark.slow
def test_a_damaged_ledger_is_not_relied_on(season: Path) -> None:
    path = season / "history.toml"
    path.write_bytes(path.read_bytes().replace(b"geese", b"ducks"))
    made = create_season(str(season.parent / "next"), str(season))
    assert made.done[1] == "Strengths, places and owners are the current ones: the ledger is damaged."
    assert data_in(Path(made.folder))["forces"]["hale"]["strength"] == 9


@pytest.mark.slow
def test_a_force_that_came_later_has_what_it_came_with(sh: Shell, season: Path) -> None:
    books = season / "campaign.toml"
    books.write_text(
        books.read_text(encoding="utf-8") + '\n[forces.late]\nfaction = "king"\nstrength = 7\n',
        encoding="utf-8",
    )
    marches.commit(str(season), "adjust", [Change(("forces", "late", "strength"), 7, 11)], reason="recruits")
    made = create_season(str(season.parent / "next"), str(season))
    assert data_in(Path(made.folder))["forces"]["late"] == {"faction": "king", "strength": 7}


@pytest.mark.slow
def test_what_is_named_is_taken(sh: Shell, season: Path) -> None:
    said = sh(
        "campaign",
        "new",
        "../n",
        "--from",
        "campaign.toml",
        "--name",
        "Peace",
        "--seed",
        "5",
        "--rules",
        "Wargame",
    )
    assert said.code == 0
    new = data_in(season.parent / "n")
    assert (new["name"], new["seed"], new["rules"]) == ("Peace", 5, "wargame")


@pytest.mark.slow
def test_checks_that_no_longer_hold_are_told(season: Path) -> None:
    books = season / "campaign.toml"
    books.write_text(books.read_text(encoding="utf-8") + "\n[[assert]]\nturn = 2\n", encoding="utf-8")
    made = create_season(str(season.parent / "next"), str(season))
    assert made.done[-1] == "1 of your own checks no longer holds: see cardbattle campaign check."


@pytest.mark.slow
def test_a_season_is_refused_where_it_cannot_be_founded(sh: Shell, season: Path) -> None:
    for arguments, code, words in (
        ([".", "--from", "."], 3, "campaign.toml exists already; name a new folder"),
        (["../n", "--from", ".."], 3, ".. is not a campaign"),
        (["../n", "--from", ".", "--ask"], 2, "--from and --ask contradict each other"),
        (["../n", "--from", ".", "--rules", "chess"], 2, 'unknown rule set "chess"'),
    ):
        said = sh("campaign", "new", *arguments)
        assert (said.code, said.out) == (code, "")
        assert words in said.err
    (season / "campaign.toml").write_text("x", encoding="utf-8")
    with pytest.raises(InvalidInput):
        create_season(str(season.parent / "n"), str(season))
    assert not (season.parent / "n").exists()


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_every_shipped_campaign_can_have_a_season(path: Path, tmp_path: Path) -> None:
    shutil.copytree(path, tmp_path / "old")
    made = create_season(str(tmp_path / "new"), str(tmp_path / "old"))
    new, old = store.load(made.folder).campaign, store.load(str(tmp_path / "old")).campaign
    assert list(new.forces) == list(old.forces)
    assert (new.pending, new.turn, new.revision) == ([], 1, 0)
    assert not any(force.destroyed for force in new.forces.values())
    assert {one.points for one in new.factions.values()} == {0}


@pytest.mark.slow
def test_a_season_has_no_orders_substitutes_reports_and_weather_of_the_old_war(season: Path) -> None:
    books = season / "campaign.toml"
    past = '\n[orders]\nhale = "hold" # no\nmassie = "hold"\n\n[movement]\nallowance = 2\n'
    past += '\n[substitutes.king]\ncommander = "veteran"\n'
    past += f'\n[sealed_orders.king]\naddress = "w/king@1"\nseal = "{"a" * 64}"\n'
    past += '\n[weather]\nnow = "snow"\ntable = [{ p = 1, name = "snow" }]\n'
    past += (
        '\n[[reported]]\nbattle = "orchard"\nside = "hale"\nwinners = ["hale"]\nlosses = { hale = "1/2" }\n'
    )
    books.write_text(books.read_text(encoding="utf-8") + past, encoding="utf-8")
    new = data_in(Path(create_season(str(season.parent / "next"), str(season)).folder))
    for table in ("orders", "sealed_orders", "substitutes", "reported"):
        assert not new.get(table), table
    assert "now" not in new["weather"] and new["movement"] == {"allowance": 2}


@pytest.mark.slow
def test_a_season_keeps_what_the_umpire_has_set_up_by_command(sh: Shell) -> None:
    assert sh("campaign", "new", "old", "--empty").code == 0
    for command in (
        "add faction Red", "add faction Blue", "add place Mill --owner red", "add place Ford",
        "add force Guard --faction red --strength 5 --place mill",
        "add force Host --faction blue --strength 4",
        "set forces.host.location=ford", "turn", "add place Wood --owner red",
        "add force Scouts --faction red --strength 3 --place wood",
        "adjust forces.guard.location=ford forces.guard.experience=2 forces.guard.title=Old --reason War",
        "adjust forces.scouts.location=mill locations.wood.owner=blue locations.ford.owner=blue --reason War",
        "adjust factions.red.purse=7 forces.host.commander=veteran forces.host.strength=1 --reason War",
    ):  # fmt: skip
        assert sh("campaign", *command.split(), "-C", "old").code == 0, command
    assert sh("campaign", "new", "new", "--from", "old").code == 0
    data = data_in(sh.folder / "new")
    assert {key: force.get("location") for key, force in data["forces"].items()} == {
        "guard": "mill", "host": "ford", "scouts": "wood"
    }  # fmt: skip
    assert {key: place.get("owner") for key, place in data["locations"].items()} == {
        "mill": "red", "ford": None, "wood": "red"
    }  # fmt: skip
    assert [force["strength"] for force in data["forces"].values()] == [5, 4, 3]
    assert not re.search(
        "purse =|experience =|title =|veteran", tomli_w.dumps(data["forces"] | data["factions"])
    )


def test_a_season_begins_with_the_peace_of_the_beginning() -> None:
    """Green is gone, so that no peace with it can be restored."""
    data = {"factions": {"red": {"peace": ["blue"]}, "blue": {}, "black": {"peace": ["red"]}}}
    key, other = ("factions", "red", "peace"), ("factions", "black", "peace")
    entries = [
        Entry(1, "adjust", [Change(key, ["black", "green"], ["black"])]),
        Entry(2, "adjust", [Change(key, ["black"], ["blue"]), Change(other, None, ["red"])]),
    ]
    assert [*as_it_began(data, entries)] == [Change(key, ["blue"], ["black"]), Change(other, ["red"], None)]
