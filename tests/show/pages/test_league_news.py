"""The league in the lead of a report, above the standings, in JSON and in German."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardbattle.campaign.league.league_table import tie_break_between
from tests.campaign.exchange.test_league_results import league as league  # the same league
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.show.pages.test_league import REASON, report
from tests.show.pages.test_league import season as season  # the same season
from tests.support.league import Season, league_file


def words(text: str) -> str:
    """Return a text without its line breaks."""
    return " ".join(text.split())


def test_the_lead_names_the_first_of_the_league_not_of_the_campaign(sh: Shell, season: Path) -> None:
    faction = json.loads(sh("campaign", "standings", "--json").out)["standings"][-1]["key"]
    sh("campaign", "adjust", f"factions.{faction}.points=90", *REASON)
    first = words(report(sh, "--turn", "1"))
    assert "Birch gained three points in the league." in first
    assert "At the end of turn 1, Birch led the league with three points, three ahead of" in first
    second = words(report(sh, "--turn", "2"))
    assert "ahead of Birch by score difference." in second
    assert "tie-break: Lunsford ahead of Birch by score difference" in second.replace("Colonel ", "")
    assert "leads with" not in second and "led with" not in second


@pytest.mark.parametrize("command", ["standings", "show", "report"])
def test_the_league_table_is_above_the_standings(sh: Shell, season: Path, command: str) -> None:
    more = ["--no-chances"] if command == "report" else []
    text = sh("campaign", command, "--format", "text", *more).out
    assert 0 <= text.index("League\n") < text.index("Standings\n")


def test_a_battle_outside_the_league_adds_the_campaign_to_the_lead(sh: Shell, season: Path) -> None:
    sh("campaign", "add", "battle", "brawl", "--side", "birch", "--side", "lunsford")
    assert sh("campaign", "override", "brawl", "--winner", "birch", *REASON).code == 0
    assert "the league with" in words(report(sh, "--turn", "2"))
    assert " In the campaign, " in words(report(sh, "--turn", "2"))


def test_the_json_of_reports_has_the_league(sh: Shell, season: Path) -> None:
    wanted = json.loads(sh("campaign", "league", "--json").out)
    for turn in ([], ["--turn", "2"]):
        table = json.loads(sh("campaign", "report", "--no-chances", "--json", *turn).out)
        assert (table["league"], table["rounds"]) == (wanted["league"], wanted["rounds"])
    past = json.loads(sh("campaign", "report", "--no-chances", "--json", "--turn", "1").out)
    assert [row["points"] for row in past["league"]] == [3, 0] and len(past["rounds"]) == 1


def test_a_cup_says_how_many_are_left(sh: Shell) -> None:
    sh.write("campaign.toml", league_file(4, 'kind = "knock-out"\nseeding = "order"'))
    sh("campaign", "turn")
    sh("campaign", "fixtures")
    sh("campaign", "override", "r1-e0-e3", "--winner", "e3", *REASON)
    text = words(report(sh, "--turn", "1"))
    assert "E3 won a match. The cup has three forces left." in text


def test_a_german_report_has_no_english_league(sh: Shell, season: Path) -> None:
    said = sh("campaign", "report", "--no-chances", "--format", "text", "--turn", "2", "--lang", "de")
    text = words(said.out.partition("\nLiga\n")[2])
    assert " in der Liga gewonnen" in said.out and "die Liga an: 3 Punkte" in words(said.out)
    assert "Feinwertung" in text and "Runde 2" in text and "Sieger" in text
    for english in ("League", "Round 2", "Tie-breaks", "league", "against"):
        assert english not in text


@pytest.mark.parametrize("seed", range(6))
def test_the_named_tie_break_separates_exactly_the_neighbours_of_different_places(seed: int) -> None:
    season = Season(league_file(6, 'kind = "round-robin"\ntie_breaks = ["points", "wins", "score"]'), seed)
    for _ in season.rounds(3):
        pass
    league = season.league
    place = {key: n for n, group in enumerate(league.ranking) for key in group}
    for one in place:
        for other in place:
            word = tie_break_between(league, one, other)
            assert bool(word) is (place[one] != place[other])
