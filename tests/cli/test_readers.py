"""--for: what the commands of a campaign print for a faction, for everybody, and for the umpire."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.frontier import edit, extents, frontier

CLOSED = extents("own", "own", "own", "own")


@pytest.fixture
def folder(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a campaign in which everything is hidden, and go there."""
    at = Path(frontier(sh.folder / "war", CLOSED))
    monkeypatch.chdir(at)
    return at


def test_a_faction_is_named_by_its_key_or_name(sh: Shell, folder: Path) -> None:
    told = sh("campaign", "standings", "--for", "south").out
    assert "20" in told
    assert told.count("unknown") == 2
    assert sh("campaign", "standings", "--for", "THE SOUTH").out == told
    assert sh("campaign", "standings", "--for", "public").out.count("unknown") == 3
    assert sh("campaign", "standings", "--for", "umpire") == sh("campaign", "standings")
    said = sh("campaign", "standings", "--for", "nroth")
    assert (said.code, said.out) == (2, "")
    assert said.err == 'cardbattle: --for: unknown value "nroth"; did you mean "north"?\n'


def test_json_has_what_the_faction_knows_and_nothing_else(sh: Shell, folder: Path) -> None:
    told = json.loads(sh("campaign", "show", "--no-odds", "--for", "east", "--json").out)
    assert told["viewer"] == "east"
    assert told["forces"]["ash"] == {"faction": "north", "name": "Lord Ash"}
    assert told["forces"]["elder"] == {
        "faction": "east", "strength": 61, "commander": "regular", "location": "keep"
    }  # fmt: skip
    assert told["pending"] == [{"id": "tower", "sides": [["dogwood"], ["elder"]], "stakes": "tower"}]
    assert not {"seed", "revision", "seed_is_guessable", "x"} & told.keys()


@pytest.mark.parametrize("command", [("fight",), ("history",), ("export", "--sheet")])
def test_a_battle_that_one_may_not_see_is_as_good_as_none(
    sh: Shell, folder: Path, command: tuple[str, ...]
) -> None:
    before = (folder / "campaign.toml").read_bytes()
    hidden = sh("campaign", *command, "tower", "--for", "north")
    nowhere = sh("campaign", *command, "nowhere", "--for", "north")
    assert (hidden.code, hidden.out) == (nowhere.code, nowhere.out) == (3, "")
    assert hidden.err == nowhere.err.replace("nowhere", "tower")
    assert "tower" not in nowhere.err
    assert (folder / "campaign.toml").read_bytes() == before


def test_a_mistake_of_the_umpires_is_not_shown_to_players(sh: Shell, folder: Path) -> None:
    edit(str(folder), ("strength = 61", 'strength = "61, they think"'))
    said = sh("campaign", "show", "--for", "north")
    assert said == (
        3, "", "cardbattle: the umpire is needed; run this command without --for to see why\n"
    )  # fmt: skip
    assert "they think" in sh("campaign", "show").err
    assert "they think" in sh("campaign", "show", "--for", "umpire").err


def test_a_reason_is_told_if_it_was_made_public(sh: Shell, folder: Path) -> None:
    change = ("campaign", "adjust", "forces.ash.strength+=1", "--reason")
    assert sh(*change, "a bribe").code == 0
    assert sh(*change, "Volunteers come to Ash", "--public").code == 0
    for form in ("text", "json"):
        told = sh("campaign", "history", "--for", "south", "--format", form)
        assert "Volunteers come to Ash" in told.out
        assert "bribe" not in told.out
        assert "15" not in told.out
    assert sh("campaign", "history", "--for", "south").out == "1. Volunteers come to Ash\n"
    assert sh("campaign", "history", "--for", "north").out == (
        "1. Adjusted: Lord Ash: strength 14 -> 15\n"
        "2. Adjusted: Lord Ash: strength 15 -> 16 (Volunteers come to Ash)\n"
    )
    said = sh("campaign", "turn", "--public")
    assert (said.code, said.err) == (
        2, "cardbattle: --public publishes the reason; give one with --reason TEXT\n"
    )  # fmt: skip


def test_a_public_reason_stands_beside_what_its_reader_may_know_of_the_change(
    sh: Shell, folder: Path
) -> None:
    """A setting is known to all readers, and values of a force only to its faction if they are hidden."""
    changes = (
        ("set", "scoring.win=4", "scoring.x_note=guess", "--reason", "A bigger prize"),
        ("set", "forces.ash.experience=3", "--reason", "Drill"),
        ("adjust", "factions.north.purse+=4", "forces.ash.strength+=1", "--reason", "Taxes"),
    )
    for command, *values in changes:
        assert sh("campaign", command, *values, "--public").code == 0
    assert sh("campaign", "set", "scoring.win=5", "--reason", "For me alone").code == 0
    report = ("campaign", "report", "--turn", "2", "--style", "plain", "--format", "md", "--for")
    setting = "- New rule: points for a victory: 4 instead of 2 (A bigger prize).\n"
    told = sh(*report, "south").out
    assert f"{setting}- Drill.\n- Taxes.\n\n" in told and "guess" not in told
    assert "Set: scoring.win: 2 -> 4 (A bigger prize)\n" in sh("campaign", "history", "--for", "south").out
    told = sh(*report, "north").out
    assert f"{setting}- Lord Ash: experience 0 -> 3 (Drill).\n" in told
    assert "- Lord Ash is reinforced by 1, to 15.\n- The reason for these changes: Taxes.\n\n" in told
    assert "New rule: points for a victory: 5 instead of 4 (For me alone)" in sh(*report, "umpire").out


def test_a_fight_is_told_as_the_faction_saw_it(sh: Shell, folder: Path) -> None:
    said = sh("campaign", "fight", "ford", "--for", "south", "--format", "plain")
    assert said.code == 0
    assert said.err == ""
    assert "Seen by: Cedar" in said.out
    assert "Side: Lord Ash\n" in said.out
    assert "Side: Cedar, commander green\n" in said.out
    assert "Seed" not in said.out
    changed = [line for line in said.out.splitlines() if line.startswith("changed")]
    assert not [line for line in changed if "Lord Ash" in line]
    assert changed[-1] == "changed ford is no longer pending"
    told = sh("campaign", "history", "ford", "--for", "east", "--json")
    assert json.loads(told.out).keys().isdisjoint({"seed", "deal", "viewer", "bound"})
    assert "no odds" not in sh("campaign", "show", "--for", "north").out


@pytest.mark.parametrize("more", ["--dry-run", "--explain"])
def test_what_shows_the_umpires_file_takes_no_reader(sh: Shell, folder: Path, more: str) -> None:
    said = sh("campaign", "fight", "ford", "--for", "south", more)
    assert (said.code, said.out) == (2, "")


def test_what_was_changed_by_hand_is_not_told_to_players(sh: Shell, folder: Path) -> None:
    assert sh("campaign", "note", "Rain.").code == 0
    assert sh("campaign", "adjust", "forces.elder.strength=60", "--reason", "plague").code == 0
    edit(str(folder), ("strength = 60", "strength = 59"))
    said = sh("campaign", "fight", "ford", "--for", "south", "--detail", "brief")
    assert (said.code, said.err) == (0, "")


def test_a_forecast_is_of_what_is_known_alone(sh: Shell, folder: Path) -> None:
    """Where nothing may be counted nobody is told whether there is anything to count."""
    said = sh("campaign", "forecast", "-n", "2", "--for", "south")
    words = (
        "cardbattle: no forecast: "
        "this reader does not know the strengths and commanders of any pending battle\n"
    )
    assert said == (3, "", words)
    assert sh("campaign", "forecast", "-n", "2", "--for", "public") == said
    edit(str(folder), ('strength = "own"', 'strength = "all"'), ('commander = "own"', 'commander = "all"'))
    told = sh("campaign", "forecast", "-n", "2", "--for", "north", "--json")
    assert json.loads(told.out)["forces"].keys() == {"ash", "cedar"}


def test_a_private_note_stands_on_no_sheet(sh: Shell, folder: Path) -> None:
    """A sheet is for the players; another note is on it."""
    assert "lied to" not in sh("campaign", "export", "tower", "--sheet").out
    assert "at dawn" in sh("campaign", "export", "ford", "--sheet").out
