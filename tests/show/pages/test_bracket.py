"""The bracket of a knock-out: in the terminal, in HTML and on the site."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from cardbattle.campaign.league.bracket_view import bracket_rounds
from cardbattle.campaign.league.pairing import neighbours
from cardbattle.show.svg.bracket_shape import Bracket, BracketColumn, BracketEntry
from cardbattle.show.svg.brackets import bracket_svg
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.league import Season, league_file

REASON = ("--reason", "seen")


@pytest.fixture
def cup(sh: Shell) -> Shell:
    """Play the quarter-finals of a cup of seven, with a walk-over and a stand-in."""
    text = league_file(7, 'kind = "knock-out"\nseeding = "order"')
    sh.write("campaign.toml", f'{text}\n[factions.zoe]\n[forces.zoe]\nfaction = "zoe"\nstrength = 5\n')
    sh("campaign", "fixtures")
    assert sh("campaign", "edit", "r1-e2-e5", "--side", "zoe", "--side", "e5").code == 0
    scores = ("--score", "zoe=7", "--score", "e5=4")
    assert sh("campaign", "override", "r1-e2-e5", "--winner", "zoe", *scores, *REASON).code == 0
    assert sh("campaign", "decline", "r1-e1-e6", "e6", *REASON).code == 0
    assert sh("campaign", "override", "r1-e3-e4", "--winner", "e4", *REASON).code == 0
    assert sh("campaign", "fixtures").code == 0
    return sh


def test_the_terminal_draws_byes_walk_overs_stand_ins_and_rounds_to_come(cup: Shell) -> None:
    lines = cup("campaign", "league", "--format", "text").out.splitlines()
    drawn = lines[2 : lines.index("", 3)]
    assert drawn[0].split() == ["Quarter-final", "Semi-final", "Final", "Winner"]
    assert max(map(len, lines)) <= 80
    text = "\n".join(drawn)
    for part in (
        "E0            bye",
        "E1            w/o ┐",
        "Zoe for E2      7 ┐",
        "E5              4 ┘",
        "├ E4 ",
    ):
        assert re.sub(" +", " ", part) in re.sub(" +", " ", text), part
    assert text.count("?") == 3


def test_the_league_and_the_headings_of_the_bracket_are_translated(cup: Shell) -> None:
    league = cup("campaign", "league", "--format", "text", "--lang", "de").out
    lines = league.splitlines()
    assert lines[2].split() == ["Viertelfinale", "Halbfinale", "Finale", "Sieger"]
    assert "Freilos" in lines[3] and "kampflos ┐" in league
    for word in ("Semi-final", "Quarter-final", "Winner", "against", "bye", "w/o"):
        assert word not in league


def test_the_site_draws_the_bracket_with_a_text_alternative(cup: Shell) -> None:
    assert cup("campaign", "site", "site", "--no-chances").code == 0
    page = (cup.folder / "site" / "index.html").read_text(encoding="utf-8")
    assert page.count('<svg class="bracket"') == 1 and " style=" not in page.split("<svg", 1)[0]
    drawing = page.partition('<svg class="bracket"')[2].partition("</svg>")[0]
    assert 'role="img" aria-label="League: bracket' in drawing and "style=" not in drawing
    assert "Zoe for E2" in drawing and ">w/o<" in drawing and ">bye<" in drawing
    assert "E1 against E6: walk-over for E1" in page


@pytest.mark.parametrize("faction", ["e0", "zoe", "public"])
def test_no_bracket_is_drawn_for_a_reader_who_may_not_know_the_draw(cup: Shell, faction: str) -> None:
    league = ("campaign", "league", "--format", "text", "--for", faction)
    assert "Winner" in cup(*league).out
    cup("campaign", "set", "visibility.pending=own")
    text = cup(*league).out
    assert "┐" not in text and "Winner" not in text
    assert "E1 against Zoe" not in text and "E1 against E2, pending" not in text


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("count", [2, 3, 5, 8, 11])
def test_each_force_of_a_round_won_or_had_a_bye_in_the_round_before(seed: int, count: int) -> None:
    season = Season(league_file(count, 'kind = "knock-out"'), seed)
    for _ in season.rounds():
        rounds = bracket_rounds(season.league)
        assert [len(part.places) for part in rounds][-2:] == [2, 1]
        for part, following in pairwise(rounds):
            for pair, winner in zip(neighbours(part.places), following.places, strict=True):
                assert winner is None or winner in pair
    assert bracket_rounds(season.league)[-1].places[0] is not None
    assert len({*filter(None, bracket_rounds(season.league)[0].places)}) == count


def test_a_drawing_with_short_names_fits_on_a_phone() -> None:
    """At 390 pixels, a page has room for 356. Long names are cut, so a column never takes more than 168."""
    for name, width in (("Dogwoods", 3 * 88 + 2 * 26), ("The Company of the Long Names", 3 * 168 + 2 * 26)):
        entries = [BracketEntry(name, "4", "", 0), BracketEntry("Elms", "0", "", 1)]
        columns = [
            BracketColumn("Semi-final", entries * 2),
            BracketColumn("Final", entries),
            BracketColumn("Winner", entries[:1]),
        ]
        assert f'width="{width}"' in bracket_svg(Bracket(columns, "the cup"))
