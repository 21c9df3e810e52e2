"""The pages of a site except those of battles: the front page, turns, factions, forces and places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from markupsafe import Markup

from cardbattle.campaign.visibility.edited_battles import with_later_sides
from cardbattle.core.names import clean
from cardbattle.show.bidi import words_html
from cardbattle.show.pages.campaign.league import over_sentence
from cardbattle.show.pages.campaign.reports.chronicle import OMITTED_KINDS, event_sentences, title_of_turn
from cardbattle.show.pages.campaign.reports.lead import LeadWriter, ReportSpan, headline
from cardbattle.site.blocks import (
    SiteFigures,
    SitePage,
    battle_item,
    forces_at_html,
    page_html,
    standings_html,
)
from cardbattle.site.campaign_map import campaign_map
from cardbattle.site.faction_pages import faction_page, force_page
from cardbattle.site.front_page import front_page, league_table_html
from cardbattle.site.parts import Links, PageHead, nav_html, paragraph, section, story_list
from cardbattle.site.summaries import summaries_of

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.visibility.visible_turns import VisibleTurn
    from cardbattle.site.book import SiteBook


def other_pages(book: SiteBook, figures: SiteFigures) -> Iterator[SitePage]:
    yield SitePage("index.html", front_page(book, figures))
    for n in range(len(book.turns)):
        yield SitePage(f"turns/{book.turns[n].number}.html", turn_page(book, n))
    for key in book.campaign.factions:
        yield SitePage(f"factions/{key}.html", faction_page(book, key))
    for key in book.campaign.forces:
        yield SitePage(f"forces/{key}.html", force_page(book, key, figures))
    for key in book.campaign.locations:
        yield SitePage(f"places/{key}.html", place_page(book, key))


def turn_page(book: SiteBook, n: int) -> str:
    turn, links = book.turns[n], Links(book, "../")
    neighbours = [*([book.turns[n - 1]] if n else []), *book.turns[n + 1 : n + 2]]
    span = ReportSpan(book.visible, [turn], book.turns[n + 1 :])
    description = f"{headline(span)}. {''.join(LeadWriter(span, {}, '').gains())}"
    return page_html(
        book,
        PageHead(f"turns/{turn.number}.html", title_of_turn(turn), description),
        campaign_map(book, n, links).html(),
        section(
            "What happened",
            story_list(story(book, turn, links)) or paragraph("No known events.", "facts"),
        ),
        section("League", *league_at_end(span, links)),
        section("Standings", standings_html(turn.visible, links)),
        nav_html([links.turn(turn_beside) for turn_beside in neighbours]),
    )


def league_at_end(span: ReportSpan, links: Links) -> Iterator[Markup]:
    """Yield the league table after the turns, and the winner, if there is a league."""
    league = span.league
    if league is not None:
        yield from league_table_html(league, links)
        yield paragraph(over_sentence(league))


def story(book: SiteBook, turn: VisibleTurn, links: Links) -> list[Markup]:
    return [
        item
        for entry in turn.entries
        if entry.kind not in OMITTED_KINDS
        for item in entry_items(book, entry, links)
    ]


def entry_items(book: SiteBook, entry: Entry, links: Links) -> list[Markup]:
    """Return list items for the events of an entry. If the entry records a battle, there is a link to it."""
    entry = with_later_sides(book.visible, entry)
    sentences = map(clean, event_sentences(book.visible, entry))
    items = [
        Markup("<bdi>{}</bdi>").format(sentence) if entry.kind == "note" else words_html(sentence)
        for sentence in sentences
    ]
    battle = book.battles.get(entry.id)
    if battle is None or battle.entry.revision != entry.revision:
        return items
    return [
        Markup("{} {}").format(sentence, links.to(f"battles/{entry.id}.html", "See the battle"))
        for sentence in items
    ]


def place_page(book: SiteBook, key: str) -> str:
    visible, links = book.visible, Links(book, "../")
    place = visible.campaign.locations[key]
    facts = Markup("Owner: {}. Value: {}.").format(links.faction(place.owner), place.value)
    facts += Markup(" Terrain: {}.").format(place.terrain) if place.terrain else ""
    facts += " It supplies the forces of its owner." if place.supply else ""
    path = f"places/{key}.html"
    return page_html(
        book,
        PageHead(path, visible.campaign.location_name(key), summaries_of(book)[path][1]),
        paragraph(facts, "facts"),
        section("Forces", paragraph(forces_at_html(visible, key, links))),
        section("Owners", story_list([
            Markup("{}: {}").format(when, links.faction(owner)) for when, owner in owner_periods(book, key)
        ])),
        section("Battles for it", story_list([
            battle_item(book, battle, links) for battle in book.staked.get(key, [])
        ])),
    )  # fmt: skip


def owner_periods(book: SiteBook, key: str) -> list[tuple[str, str | None]]:
    """Return the owners of a place over time as pairs (period, owner), such as ("turns 2 to 4", "york")."""
    periods: list[tuple[int, int, str | None]] = []
    for turn in book.turns_of_war:
        place = turn.visible.campaign.locations.get(key)
        if place is None:
            continue
        if periods and periods[-1][2] == place.owner:
            periods[-1] = (periods[-1][0], turn.number, place.owner)
        else:
            periods.append((turn.number, turn.number, place.owner))
    return [
        (f"turn {first}" if first == last else f"turns {first} to {last}", owner)
        for first, last, owner in periods
    ]
