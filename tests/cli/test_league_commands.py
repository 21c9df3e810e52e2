"""The commands of a league: what an umpire who corrects a draw or a result reads."""

from __future__ import annotations

import csv
import json

import pytest

from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.league import league_file


def league(sh: Shell, count: int, fixtures: str) -> None:
    """Write a league and draw its first round."""
    sh.write("campaign.toml", league_file(count, f'{fixtures}\nseeding = "order"'))
    assert sh("campaign", "fixtures")[0] == 0


def override(sh: Shell, battle: str, winner: str) -> str:
    """Decide a battle, and return what the umpire reads on standard error."""
    said = sh("campaign", "override", battle, "--winner", winner, "--reason", "seen")
    assert said.code == 0, said.err
    return said.err


def test_one_undo_takes_back_a_draw_and_what_rests_on_it(sh: Shell) -> None:
    league(sh, 4, 'kind = "round-robin"')
    sh("campaign", "fixtures", "--early")
    override(sh, "r2-e3-e1", "e1")
    said = sh("campaign", "undo", "1", "--force", "--reason", "late")
    assert said.code == 4
    assert "Round 2 was drawn later" in said.err and "cardbattle campaign undo 3 2 1" in said.err
    assert sh("campaign", "undo", "3", "2", "1").code == 0
    assert "round" not in (sh.folder / "campaign.toml").read_text().replace("round-robin", "")
    assert sh("campaign", "redo").code == 0
    assert "E1 won" in sh("campaign", "league").out
    assert sh("campaign", "check").code == 0


def test_a_league_in_an_unknown_language_is_refused(sh: Shell) -> None:
    league(sh, 4, 'kind = "round-robin"')
    for line in (["campaign", "league"], ["campaign", "report"]):
        said = sh(*line, "--lang", "fr")
        assert (said.code, said.out) == (2, ""), line
        assert '--lang: "fr" is not available; choose from de, en' in said.err


def semi_finals(sh: Shell) -> None:
    """Play the quarter-final of a cup of five, which e4 wins, and draw the semi-finals."""
    league(sh, 5, 'kind = "knock-out"')
    assert "warning" not in override(sh, "r1-e3-e4", "e4")
    assert sh("campaign", "fixtures").code == 0


REPAIR = "Semi-final has E4, but E3 won r1-e3-e4; to draw again: cardbattle campaign undo 3, then"


def test_a_corrected_result_names_the_draw_that_rests_on_it(sh: Shell) -> None:
    semi_finals(sh)
    said = sh("campaign", "override", "r1-e3-e4", "--winner", "e3", "--reason", "late", "--dry-run")
    assert f"warning: {REPAIR}" in said.err
    assert f"warning: {REPAIR}" in override(sh, "r1-e3-e4", "e3")
    assert f"round.2: {REPAIR}" in sh("campaign", "check").err
    assert REPAIR in " ".join(sh("campaign", "waiting").out.split())
    refused = sh("campaign", "fixtures")
    assert refused.code == 3 and REPAIR in refused.err
    override(sh, "r2-e0-e4", "e4")
    override(sh, "r2-e1-e2", "e1")
    page = " ".join(sh("campaign", "league").out.split())
    assert "Semi-final has E4, but E3 won r1-e3-e4" in page and "has won it" not in page
    command = "cardbattle campaign undo 7 6 3"
    assert command in page and command in sh("campaign", "fixtures").err
    assert sh(*command.split()[1:]).code == 0
    assert sh("campaign", "fixtures").code == 0
    assert "E0 against E3, pending" in sh("campaign", "league").out


def test_an_undone_result_names_the_draw_and_the_next_correction_clears_it(sh: Shell) -> None:
    semi_finals(sh)
    assert "Semi-final has E4, but r1-e3-e4 has no result; to draw" in sh("campaign", "undo", "r1-e3-e4").err
    assert "warning" not in override(sh, "r1-e3-e4", "e4")
    assert "Semi-final" not in sh("campaign", "check").err
    assert "the umpire must draw again" not in sh("campaign", "league", "--for", "e0").out
    override(sh, "r1-e3-e4", "e3")
    page = " ".join(sh("campaign", "league", "--for", "e0").out.split())
    assert "the umpire must draw again" in page and "campaign undo" not in page


def test_play_offs_drawn_from_an_earlier_table_are_refused(sh: Shell) -> None:
    league(sh, 4, 'kind = "round-robin"\nplay_offs = 2')
    sh("campaign", "fixtures", "--all")
    rounds = json.loads(sh("campaign", "league", "--format", "json").out)["rounds"]
    for match in (match for drawn in rounds for match in drawn["matches"]):
        override(sh, match["battle"], min(match["home"], match["away"]))
    assert sh("campaign", "fixtures").code == 0
    text = override(sh, "r1-e1-e2", "e2")
    assert "Final was drawn when E0 and E1 were first in the table; the first are now E0 and E2" in text
    assert "cardbattle campaign undo" in sh("campaign", "fixtures").err


def test_a_stand_in_plays_for_a_force_and_the_umpire_reads_it(sh: Shell) -> None:
    semi_finals(sh)
    said = sh("campaign", "edit", "r2-e0-e4", "--side", "e3", "--side", "e4")
    text = "E3 plays for E0 in r2-e0-e4, and the result counts for E0"
    assert f"warning: {text}; to restore the sides: cardbattle campaign edit r2-e0-e4" in said.err
    assert text in sh("campaign", "check").err
    assert "E3 for E0 against E4, pending" in sh("campaign", "league").out
    override(sh, "r2-e0-e4", "e3")
    override(sh, "r2-e1-e2", "e1")
    assert "E3 for E0 against E4: E0 won" in sh("campaign", "league").out
    rounds = json.loads(sh("campaign", "league", "--format", "json").out)["rounds"]
    match = rounds[1]["matches"][0]
    assert (match["winners"], match["stand_ins"]) == (["e0"], {"e0": "e3"})
    assert text not in sh("campaign", "check").err
    assert sh("campaign", "fixtures").code == 0
    assert "E0 against E1, pending" in sh("campaign", "league").out


def test_a_battle_with_two_other_sides_is_never_called_cancelled(sh: Shell) -> None:
    semi_finals(sh)
    said = sh("campaign", "edit", "r2-e0-e4", "--side", "e3", "--side", "e2")
    text = "r2-e0-e4 is fought by E3 and E2, so it cannot count for E0 against E4; to restore the sides"
    assert text in said.err
    override(sh, "r2-e0-e4", "e3")
    override(sh, "r2-e1-e2", "e1")
    assert "E0 against E4, no result: the battle had other sides" in sh("campaign", "league").out
    assert text in sh("campaign", "check").err
    refused = sh("campaign", "fixtures")
    assert refused.code == 3 and text in refused.err
    *_, undone, edit = refused.err.strip().split("cardbattle campaign ")
    assert sh("campaign", *undone.removesuffix(", then ").split()).code == 0
    assert sh("campaign", *edit.split()).code == 0
    override(sh, "r2-e0-e4", "e0")
    assert sh("campaign", "fixtures").code == 0


@pytest.mark.parametrize("command", ["cancel", "decline"])
def test_the_opponent_of_a_force_that_left_a_knock_out_advances(sh: Shell, command: str) -> None:
    semi_finals(sh)
    said = sh("campaign", "set", "fixtures.forces-=e0")
    cancel, decline = "cardbattle campaign cancel r2-e0-e4", "cardbattle campaign decline r2-e0-e4 e0"
    assert f"to drop the match: {cancel}; to give E4 the win: {decline}" in said.err
    assert "E0 left the league" in sh("campaign", "check").err
    assert cancel in sh("campaign", "fixtures").err
    assert sh(*{"cancel": cancel, "decline": decline}[command].split()[1:]).code == 0
    override(sh, "r2-e1-e2", "e1")
    assert sh("campaign", "fixtures").code == 0
    assert "E1 against E4, pending" in sh("campaign", "league").out
    assert "E0 left the league" not in sh("campaign", "check").err


@pytest.mark.parametrize("kind", ["swiss", "round-robin"])
def test_a_force_joins_by_its_name(sh: Shell, kind: str) -> None:
    league(sh, 4, f'kind = "{kind}"')
    sh("campaign", "add", "faction", "Anne")
    sh("campaign", "add", "force", "Anne Boleyn's Own", "--faction", "anne", "--strength", "5")
    said = sh("campaign", "set", "fixtures.forces+=Anne Boleyn's Own")
    if kind == "swiss":
        assert said.code == 0 and "fixtures.forces: added anne-boleyns-own" in said.out
    else:
        text = (
            "anne-boleyns-own cannot join a round-robin that has begun; remove anne-boleyns-own from forces"
        )
        assert said.code == 3 and text in said.err
    unknown = sh("campaign", "set", "fixtures.forces+=E1, Bess")
    assert 'force "Bess" is not in this campaign' in unknown.err


def test_points_for_byes_have_a_column_in_a_swiss_league(sh: Shell) -> None:
    league(sh, 3, 'kind = "swiss"\nrounds = 3')
    override(sh, "r1-e1-e0", "e0")
    lines = [line.split() for line in sh("campaign", "league").out.splitlines()]
    assert lines[2:6] == [
        ["force", "played", "won", "drawn", "lost", "score", "byes", "points"],
        ["1.", "E0", "1", "1", "0", "0", "0:0", "0", "3"],
        ["2.", "E2", "0", "0", "0", "0", "0:0", "1", "3"],
        ["3.", "E1", "1", "0", "0", "1", "0:0", "0", "0"],
    ]
    rows = json.loads(sh("campaign", "league", "--json").out)["league"]
    assert [(row["won"], row["byes"], row["points"]) for row in rows] == [(1, 0, 3), (0, 1, 3), (0, 0, 0)]


def test_byes_without_points_have_no_column(sh: Shell) -> None:
    league(sh, 3, 'kind = "round-robin"')
    assert "byes" not in sh("campaign", "league").out


def matches_in_csv(sh: Shell, *options: str) -> list[dict[str, str]]:
    """Return the rows of `campaign league` in CSV."""
    return [*csv.DictReader(sh("campaign", "league", "--format", "csv", *options).out.splitlines())]


def test_csv_of_a_knock_out_has_the_matches_and_byes(sh: Shell) -> None:
    semi_finals(sh)
    rows = matches_in_csv(sh)
    assert rows == matches_in_csv(sh, "--matches")
    assert [(row["round"], row["home"], row["away"], row["state"], row["winner"]) for row in rows] == [
        ("Quarter-final", "e3", "e4", "played", "e4"),
        ("Quarter-final", "e0", "", "bye", ""),
        ("Quarter-final", "e1", "", "bye", ""),
        ("Quarter-final", "e2", "", "bye", ""),
        ("Semi-final", "e0", "e4", "pending", ""),
        ("Semi-final", "e1", "e2", "pending", ""),
    ]


def test_csv_of_a_table_stays_and_has_the_matches_on_request(sh: Shell) -> None:
    league(sh, 4, 'kind = "round-robin"')
    override(sh, "r1-e0-e3", "e3")
    assert matches_in_csv(sh)[0]["key"] == "e3"
    rows = matches_in_csv(sh, "--matches")
    assert [(row["battle"], row["winner"]) for row in rows] == [("r1-e0-e3", "e3"), ("r1-e1-e2", "")]
    assert "points" not in sh("campaign", "league", "--matches").out


def test_a_campaign_without_a_league_shows_an_example_with_its_own_forces(sh: Shell) -> None:
    sh("demo", "war")
    said = sh("campaign", "-C", "war", "league")
    assert said.code == 3 and "forces=lunsford,vaughan,birch,massie" in said.err
    example = said.err.partition("to add them: cardbattle ")[2].split()
    assert sh(*example[:1], "-C", "war", *example[1:]).code == 0
    assert sh("campaign", "-C", "war", "fixtures").code == 0
    assert sh("campaign", "new", "bare", "--empty", "--rules", "wargame").code == 0
    assert "forces=FORCE,FORCE\n" in sh("campaign", "-C", "bare", "league").err
