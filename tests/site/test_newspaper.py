"""The front page of a site, and the pages of its factions and forces."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.advice import Advice, Share
from cardbattle.campaign.visibility.reader import PUBLIC, UMPIRE, visible_to
from cardbattle.cli.campaign.shared import read_only
from cardbattle.core.errors import InvalidInput
from cardbattle.show.document import Table, as_text
from cardbattle.show.pages.campaign.reports.lead import ReportSpan
from cardbattle.show.pages.campaign.reports.turn_report import league_of_turns
from cardbattle.show.svg.badges import badge_svg
from cardbattle.site.blocks import SiteFigures
from cardbattle.site.book import SiteBook, badges_of
from cardbattle.site.careers import Tally, faction_career, force_career
from cardbattle.site.faction_pages import faction_page, force_page
from cardbattle.site.front_page import front_page
from cardbattle.site.pages import turn_page
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.site.test_site import MARCHES
from tests.support.frontier import FRONTIER, extents
from tests.support.league import league_file
from tests.support.marches import folder_with

NO_FIGURES = SiteFigures({}, {}, {})


def book_of(folder: Path | str, reader: str | None) -> SiteBook:
    """Return the book of a campaign for a reader."""
    books, ledger = read_only(str(folder))
    return SiteBook(
        visible_to(books.campaign, ledger, reader), books.campaign, None, badges_of(books.campaign)
    )


@pytest.fixture(scope="module")
def marches() -> SiteBook:
    """Give the book of a sample campaign as everybody may read it."""
    return book_of(MARCHES, PUBLIC)


def plain(html: str) -> str:
    """Return the text of a page, with one space between words."""
    return " ".join(re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL).split())


def test_the_page_of_a_turn_has_the_league_table_of_its_report(sh: Shell, tmp_path: Path) -> None:
    sh.write("campaign.toml", league_file(2, 'kind = "random"\nrounds = 2'))
    for winner in ("e1", "e0"):
        assert sh("campaign", "fixtures").code == 0
        (battle,) = store.load(str(tmp_path)).campaign.pending
        assert sh("campaign", "override", battle.id, "--winner", winner, "--reason", "x").code == 0
        assert sh("campaign", "turn").code == 0
    book = book_of(tmp_path, PUBLIC)
    leaders = []
    for n, turn in enumerate(book.turns):
        league = turn_page(book, n).partition("<h2><span>League</span></h2>")[2].partition("</section>")[0]
        rows = [plain(row) for row in re.findall("<tr>.*?</tr>", league, re.DOTALL)][1:]
        span = ReportSpan(book.visible, [turn], book.turns[n + 1 :])
        tables = [part for _, part in league_of_turns(span, "") if isinstance(part, Table)]
        assert rows == [" ".join(map(as_text, row)) for row in tables[0].rows]
        leaders.append(rows[0][:5])
    assert leaders[0] == "1. E1" and len(leaders) == 3
    assert "<h2><span>League</span></h2>" not in turn_page(book_of(MARCHES, PUBLIC), 0)


def test_the_front_page_begins_with_the_news_of_the_last_eventful_turn(marches: SiteBook) -> None:
    page = front_page(marches, NO_FIGURES)
    news = page[page.index('<article class="news">') : page.index("</article>")]
    assert '<h2><a class="plain" href="battles/t3-chester.html">The Cheshire archers take Chester' in news
    assert "Turn 3 The House of Percy gained two points and took Chester; " in plain(news)
    assert plain(news).endswith(
        "The Crown leads with eleven points, two ahead of the House of Percy. Next, "
        "Harry Hotspur and Archibald Douglas meet Prince Henry and Sir Walter Blount for Shrewsbury; two "
        "more battles are pending."
    )


def test_a_new_turn_and_a_new_battle_leave_the_old_news_on_the_front_page(sh: Shell, tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "war", FRONTIER)

    def news() -> str:
        page = front_page(book_of(folder, PUBLIC), NO_FIGURES)
        return plain(page[page.index('<article class="news">') : page.index("</article>")])

    decided = ("--winner", "cedar", "--losses", "ash=1/2", "--reason", "a flood", "--public")
    assert sh("campaign", "-C", folder, "override", "ford", *decided).code == 0
    title = news()[: news().index("Turn 2")]
    assert "take Ford from the North" in title or "takes Ford from the North" in title
    assert sh("campaign", "-C", folder, "turn").code == 0
    said = sh("campaign", "-C", folder, "add", "battle", "again", "--side", "ash", "--side", "cedar")
    assert said.code == 0, said.err
    assert news().startswith(f"{title}Turn 2 ")


def test_odds_are_a_bar_in_the_colours_of_the_sides_and_words(marches: SiteBook) -> None:
    battle = marches.campaign.pending[0]
    shares = [
        Share(key, key, "regular", share, 0, 1) for key, share in zip(battle.keys, (0.63, 0.37), strict=True)
    ]
    counted = front_page(marches, SiteFigures({battle.id: Advice(200, shares)}, {}, {}))
    bar = re.findall(r'<div class="odds" aria-hidden="true">.*?</div>', counted)
    assert bar == [
        '<div class="odds" aria-hidden="true"><span class="side1" style="flex-grow: 63"></span>'
        '<span class="side0" style="flex-grow: 37"></span></div>'
    ]
    assert "Chances in 200 simulated battles: hotspur (regular) 63%, hal (regular) 37%." in plain(
        counted
    ).replace(" ,", ",")
    refused = front_page(marches, SiteFigures({battle.id: Advice(0, [], "too long")}, {}, {}))
    assert 'class="odds"' not in refused and "no odds: too long" in refused


def test_the_record_of_a_force_is_counted_from_its_battles(marches: SiteBook) -> None:
    career = force_career(marches, "cheshire")
    assert career.tally == Tally(won=1, lost=1)
    assert career.best is not None and career.best.entry.id == "t3-chester"
    assert career.rivals == [("hal", Tally(lost=1)), ("garrison", Tally(won=1))]
    assert [(honour.turn, honour.words) for honour in career.honours] == [
        (3, "destroyed the garrison of Chester"),
        (3, "took Chester"),
    ]
    stafford = force_career(marches, "stafford")
    assert (stafford.tally, stafford.best, stafford.honours) == (Tally(drawn=2), None, [])


def test_the_rivals_of_a_faction_are_factions(marches: SiteBook) -> None:
    assert faction_career(marches, "percy").rivals == [("crown", Tally(won=1, lost=1))]


def test_a_force_that_never_fought_has_no_record(marches: SiteBook) -> None:
    page = plain(force_page(marches, "hotspur", NO_FIGURES))
    assert "No battle yet." in page
    assert not re.search("Best day|Rivals|Honours|Commander", page)


def test_a_badge_is_the_same_for_the_same_name_and_differs_between_names() -> None:
    names = [f"Company {n}" for n in range(40)]
    drawn = [str(badge_svg(name, 1, "badge")) for name in names]
    assert drawn == [str(badge_svg(name, 1, "badge")) for name in names]
    assert len(set(drawn)) > 30
    assert all(ET.fromstring(badge).attrib["class"] == "badge side1" for badge in drawn)


MARK = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path id="lion" d="M0 0h9"/>'
    '<use href="#lion"/></svg>'
)


@pytest.mark.slow
def test_an_umpires_badge_and_a_motto_stand_on_the_page(sh: Shell, tmp_path: Path) -> None:
    """The drawing is cleared of all that acts, and its ids differ wherever it is shown."""
    folder = folder_with(tmp_path / "war", FRONTIER)
    (tmp_path / "war" / "lion.svg").write_text(
        MARK.replace("<path", "<script>alert(1)</script><path"), "utf-8"
    )
    said = sh(
        "campaign", "-C", folder, "set", "factions.north.badge=lion.svg", 'factions.north.motto="Hold <fast>"'
    )
    assert said.code == 0, said.err
    book = book_of(folder, PUBLIC)
    page = faction_page(book, "north")
    assert '<p class="motto"><bdi>Hold &lt;fast&gt;</bdi></p>' in page
    assert 'id="map-factions-north-lion"' in page and 'href="#map-factions-north-lion"' in page
    assert "alert" not in page
    front = front_page(book, NO_FIGURES)
    assert front.count('id="map-factions-north-small-lion"') == 1
    assert "motto" not in plain(front)
    assert "Changed" not in front  # a badge is not news
    (tmp_path / "war" / "lion.svg").write_text("<svg", "utf-8")
    assert "hint: lion.svg: not an SVG drawing" in sh("campaign", "-C", folder, "check").err
    (tmp_path / "war" / "lion.svg").write_text(MARK + " " * 20_000, "utf-8")
    with pytest.raises(InvalidInput, match="lion"):
        badges_of(store.load(folder).campaign)


@pytest.mark.parametrize(
    ("motto", "words"),
    [("x" * 81, "expected at most 80 characters, got 81"), ("a\\tb", "without control or format characters")],
    ids=["long", "tab"],
)
def test_a_motto_is_one_short_line(sh: Shell, tmp_path: Path, motto: str, words: str) -> None:
    text = FRONTIER.replace("[factions.north]", f'[factions.north]\nmotto = "{motto}"')
    said = sh("campaign", "-C", folder_with(tmp_path / "war", text), "check")
    assert (said.code, words in said.err) == (1, True)


@pytest.mark.slow
def test_odds_and_commanders_that_a_reader_may_not_know_are_on_none_of_their_pages(
    sh: Shell, tmp_path: Path
) -> None:
    folder = folder_with(tmp_path / "war", f"{FRONTIER}\n[visibility]\n{extents('own', 'own', 'own', 'own')}")
    for reader, has_odds in (("public", False), ("north", False), ("umpire", True)):
        to = str(tmp_path / reader)
        assert sh("campaign", "-C", folder, "site", to, "-q", "-j", "1", "--for", reader).code == 0
        front = (tmp_path / reader / "index.html").read_text("utf-8")
        assert ('class="odds"' in front) is has_odds
        force = plain((tmp_path / reader / "forces" / "cedar.html").read_text("utf-8"))
        assert ("Commander: rank green." in force) is (reader == "umpire")
    assert (
        visible_to(store.load(folder).campaign, store.load_ledger(folder), UMPIRE).commanders["cedar"]
        == "green"
    )
