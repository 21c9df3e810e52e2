"""The league in reports and on the site: the table at the end of a turn, its rounds, and the winner."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.campaign.exchange.test_league_results import league as league  # the same league
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

FIRST, SECOND = "r1-birch-lunsford", "r2-lunsford-birch"
REASON = ("--reason", "played on Friday")


def decide(sh: Shell, battle: str, *scores: int, winner: str = "birch") -> None:
    """Record a result with the scores of Birch and Lunsford."""
    values = [f"--score={key}={score}" for key, score in zip(("birch", "lunsford"), scores, strict=True)]
    assert sh("campaign", "override", battle, "--winner", winner, *values, *REASON).code == 0


def report(sh: Shell, *options: str) -> str:
    """Return a report without the numbers of simulations."""
    said = sh("campaign", "report", "--no-chances", "--format", "plain", *options)
    assert said.code == 0
    return said.out


@pytest.fixture
def season(sh: Shell, league: Path) -> Path:
    """Play a league of two rounds in two turns."""
    sh("campaign", "set", "fixtures.twice=true")
    decide(sh, FIRST, 7, 4)
    sh("campaign", "turn")
    assert sh("campaign", "fixtures").code == 0
    decide(sh, SECOND, 3, 9, winner="lunsford")
    sh("campaign", "turn")
    sh("campaign", "note", "The cup stands on the bar")
    return league


def test_the_report_of_a_past_turn_has_its_league_table_and_its_round(sh: Shell, season: Path) -> None:
    text = report(sh, "--turn", "1")
    assert "League at the end of turn 1" in text
    assert "league 1. Birch: points 3, played 1, won 1, drawn 0, lost 0, score 7:4\nleague 2. Lu" in text
    assert "Birch against Lunsford, 7:4: Birch won" in text
    assert "Round 2" not in text and "The winner" not in text


def test_the_report_of_the_last_turn_names_the_winner(sh: Shell, season: Path) -> None:
    text = report(sh, "--turn", "2")
    assert "Lunsford against Birch, 9:3: Lunsford won" in text and "Round 1" not in text
    assert "The winner\n" in text and "The league is over" in " ".join(text.split())
    chronicle = report(sh)
    assert "Round 2" in chronicle and "The league is over" in " ".join(chronicle.split())


def test_a_past_report_does_not_name_a_match_that_its_reader_did_not_know(sh: Shell, league: Path) -> None:
    sh("campaign", "set", "visibility.pending=own")
    sh("campaign", "set", "fixtures.twice=true")
    sh("campaign", "fixtures", "--all")
    decide(sh, FIRST, 7, 4)
    assert "Round 2" in report(sh, "--turn", "1", "--for", "umpire")
    sh("campaign", "turn")
    decide(sh, SECOND, 3, 9, winner="lunsford")
    sh("campaign", "turn")
    sh("campaign", "note", "The cup stands on the bar")
    assert "Round 2" in report(sh, "--turn", "1", "--for", "umpire")
    assert "Round 2" not in report(sh, "--turn", "1")
    assert "Birch against Lunsford, 7:4" in report(sh, "--turn", "1")


def test_a_cup_is_in_reports_and_on_the_site(sh: Shell, league: Path) -> None:
    sh("campaign", "undo")  # the draw
    sh("campaign", "set", "fixtures.kind=knock-out")
    assert sh("campaign", "fixtures").code == 0
    decide(sh, FIRST, 7, 4)
    winner = "The league is over: Birch has won it."
    for text in (report(sh), report(sh, "--turn", "1")):
        assert "Final\n" in text and "Birch against Lunsford, 7:4: Birch won" in text
        assert winner in " ".join(text.split())
    assert sh("campaign", "site", "site").code == 0
    page = (league / "site" / "index.html").read_text(encoding="utf-8")
    assert winner in page and "<h3>Final</h3>" in page
    link = f'<li>Birch against Lunsford, 7:4: Birch won <a class="plain" href="battles/{FIRST}.html">'
    assert link in page


FORCES = ("ash", "birch", "cedar", "dogwood")
MATCH = "r1-ash-dogwood"
KINDS = ("kind=knock-out", "kind=round-robin")


@pytest.fixture
def found(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Give a function that starts a league of this kind with four forces, and draws its first round."""

    def start(kind: str) -> None:
        sh("campaign", "new", "cup", "--empty", "--rules", "wargame", "--seed", "four taverns")
        monkeypatch.chdir(sh.folder / "cup")
        for key in FORCES:
            sh("campaign", "add", "faction", f"The {key.title()}s", "--key", f"the-{key}s")
            sh("campaign", "add", "force", key.title(), "--faction", f"the-{key}s", "--strength", "10")
        sh("campaign", "add", "fixtures", kind, f"forces={','.join(FORCES)}", "seeding=order")
        assert sh("campaign", "fixtures").code == 0

    return start


def win(sh: Shell, battle: str) -> None:
    """Record a result in which the first side of the battle wins."""
    assert sh("campaign", "override", battle, "--winner", battle.split("-")[1], *REASON).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reader", ["the-ashs", "public", "umpire"])
def test_a_result_undone_later_is_pending_in_the_past(
    sh: Shell, found: Callable[[str], None], kind: str, reader: str
) -> None:
    found(kind)
    sh("campaign", "fight", "--all")
    sh("campaign", "turn")
    assert sh("campaign", "fixtures").code == 0
    assert sh("campaign", "undo", MATCH, "--only").code == 0
    text = report(sh, "--turn", "1", "--for", reader)
    assert "Ash against Dogwood, pending" in text and "other sides" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_an_undone_result_that_was_recorded_again_later_is_not_in_the_past(
    sh: Shell, found: Callable[[str], None], kind: str
) -> None:
    found(kind)
    win(sh, MATCH)
    sh("campaign", "undo")
    sh("campaign", "cancel", MATCH)
    sh("campaign", "turn")
    sh("campaign", "add", "battle", MATCH, "--side", "ash", "--side", "dogwood")
    win(sh, MATCH)
    text = report(sh, "--turn", "1")
    assert "Ash against Dogwood, cancelled" in text and "Ash won" not in text


def test_the_name_of_a_round_is_no_text_of_the_umpire(sh: Shell, found: Callable[[str], None]) -> None:
    found("kind=knock-out")
    win(sh, MATCH)
    assert "Semi-final." not in report(sh, "--turn", "1").splitlines()
