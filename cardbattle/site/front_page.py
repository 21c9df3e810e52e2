"""The front page of a site, in the style of a newspaper."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from markupsafe import Markup

from cardbattle.core.names import clean
from cardbattle.core.telling import counted
from cardbattle.show.bidi import words_html
from cardbattle.show.document import as_text
from cardbattle.show.pages.campaign.between import order_lines, weather_lines
from cardbattle.show.pages.campaign.dashboard import battle_line, battle_notes
from cardbattle.show.pages.campaign.league import (
    league_bracket,
    league_head,
    league_of_reader,
    over_sentence,
    round_words,
    rounds_with_names,
    row_numbers,
    tie_break_items,
)
from cardbattle.show.pages.campaign.reports.chronicle import event_sentences, title_of_turn
from cardbattle.show.pages.campaign.reports.lead import NO_NEWS, ReportSpan, headline, lead, top_battle
from cardbattle.show.svg.brackets import bracket_svg
from cardbattle.show.svg.charts import TINTS, tenths
from cardbattle.site.blocks import (
    SiteFigures,
    battle_item,
    forces_table_html,
    page_html,
    past_points,
    places_table_html,
    standings_html,
)
from cardbattle.site.campaign_map import battle_place, campaign_map
from cardbattle.site.parts import (
    Links,
    PageHead,
    Series,
    nav_html,
    paragraph,
    section,
    story_list,
    table,
    turns_chart,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardbattle.campaign.league.league_table import League
    from cardbattle.campaign.state.model import Pending
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.site.book import SiteBook

LAST = 6  # battles on the front page


def front_page(book: SiteBook, figures: SiteFigures) -> str:
    """Return the front page.

    The page has the news of the last turn with events, the map, pending battles with their odds, the
    standings over the turns, the last six battles, the league, the present turn, and links to turns, forces
    and places.
    """
    visible, links = book.visible, Links(book, "")
    campaign = visible.campaign
    scope = "Everything the umpire knows." if visible.is_whole else f"What {book.reader} may know."
    plotted = [Series(key, campaign.faction_name(key), tint) for key, tint in book.tints.items()]
    latest = list(book.battles.values())[-LAST:][::-1]
    span = news_span(book)
    title, sentences = headline(span), lead(span, figures.odds)
    text = " ".join("".join(parts) for parts in sentences)
    pending = [pending_item(visible, battle, links, figures) for battle in campaign.pending]
    left = [
        front_map(book, links),
        section("Next battles", story_list(pending)),
        section("This turn", story_list(present_lines(visible))),
    ]
    right = [
        section("League", *league_html(book, links)),
        section(
            "Standings",
            standings_html(visible, links),
            turns_chart(book, "Points of the factions, turn by turn", plotted, past_points),
        ),
        section("Last battles", story_list([battle_item(book, fought, links) for fought in latest])),
    ]
    return page_html(
        book,
        PageHead("index.html", campaign.name, f"{title}. {text}"),
        paragraph(f"{title_of_turn(book.turns[-1])}. {scope}", "facts"),
        news(book, span, title, text, links),
        Markup('<div class="front">\n<div>\n{}\n</div>\n<div>\n{}\n</div>\n</div>').format(
            Markup("\n").join(filter(None, left)), Markup("\n").join(filter(None, right))
        ),
        section("Turn by turn", turn_links(book, links)),
        Markup('<div class="front">\n<div>\n{}\n</div>\n<div>\n{}\n</div>\n</div>').format(
            section("Forces", forces_table_html(visible, list(campaign.forces), links)),
            section("Places", places_table_html(visible, links)),
        ),
    )


def present_lines(visible: VisibleCampaign) -> list[str]:
    """Return sentences about the present turn. The experience of each force is on the page of the force."""
    return [clean(line) for lines in (weather_lines, order_lines) for line in lines(visible)]


def news_span(book: SiteBook) -> ReportSpan:
    """Return the last turn with an event that a report describes, or the present turn."""
    last = len(book.turns) - 1
    for n in range(last, -1, -1):
        span = ReportSpan(book.visible, [book.turns[n]], book.turns[n + 1 :])
        if any(entry.kind not in NO_NEWS and event_sentences(span.today, entry) for entry in span.entries):
            return span
    return ReportSpan(book.visible, [book.turns[last]], [])


def news(book: SiteBook, span: ReportSpan, title: str, text: str, links: Links) -> Markup:
    """Return the headline, which is a link to its battle, and the lead (the first paragraph)."""
    best = top_battle(span)
    battle = book.battles.get(best.id) if best else None
    heading = links.to(f"battles/{battle.entry.id}.html", title) if battle else words_html(title)
    return Markup('<article class="news">\n<h2>{}</h2>\n{}\n{}\n</article>').format(
        heading, paragraph(span.title, "facts"), paragraph(text)
    )


def front_map(book: SiteBook, links: Links) -> Markup:
    """Return the current map with its legend, and a link to earlier maps."""
    current = campaign_map(book, len(book.turns) - 1, links)
    is_past = current.svg and len(book.turns) > 1
    return current.html() + (nav_html([links.to("map.html", "Map, turn by turn")]) if is_past else Markup(""))


def turn_links(book: SiteBook, links: Links) -> Markup:
    """Return links to the turns, the last turn first. Each link has the number of battles in the turn."""
    counts = {turn.number: sum(entry.result is not None for entry in turn.entries) for turn in book.turns}
    battles = {number: f" ({counted(count, 'battle')})" if count else "" for number, count in counts.items()}
    items = [
        Markup("<li>{}{}</li>\n").format(links.turn(turn), battles[turn.number]) for turn in book.turns[::-1]
    ]
    return Markup('<ul class="turns">\n{}</ul>').format(Markup("").join(items))


def league_html(book: SiteBook, links: Links) -> Iterator[Markup]:
    """Yield the league table, the winner, and all rounds with their results, the last round first.

    Nothing is yielded if the campaign has no league. A knock-out has no table.
    """
    league = league_of_reader(book.visible)
    if league is None:
        return
    yield from league_table_html(league, links)
    yield paragraph(over_sentence(league))
    if bracket := league_bracket(book.visible, league):
        yield bracket_svg(bracket)
    for name, drawn in reversed(rounds_with_names(league)):
        texts = list(round_words(book.visible, league, drawn))
        pages = [match.battle if match.battle in book.battles else "" for match in drawn.matches]
        ways = [links.to(f"battles/{battle}.html", "See the battle") if battle else "" for battle in pages]
        lines = [
            Markup("{} {}").format(words_html(text), way) if way else words_html(text)
            for text, way in zip_longest(texts, ways, fillvalue="")
        ]
        if lines:
            yield Markup("<h3>{}</h3>\n{}").format(words_html(name), story_list(lines))


def league_table_html(league: League, links: Links) -> Iterator[Markup]:
    """Yield the league table and the tie-breaks that decide its places."""
    rows = [
        [
            Markup("{}. {}").format(row.place, links.force(row.key)),
            *row_numbers(league, row),
        ]
        for row in league.rows()
    ]
    head = league_head(league)[1:]
    yield table(head, rows, range(1, len(head)))
    yield story_list([as_text(item.words) for item in tie_break_items(league).items])


def pending_item(visible: VisibleCampaign, battle: Pending, links: Links, figures: SiteFigures) -> Markup:
    """Return a list item about a pending battle, with notes, and with its odds as a bar."""
    place = battle_place(visible, battle)
    advice = figures.odds.get(battle.id)
    drawn = advice is not None and not advice.why
    words = {battle.id: advice.words()} if advice and not drawn else {}
    notes = [paragraph(line, "note facts") for line in battle_notes(visible, battle, words, figures.progress)]
    place_link = Markup(" ({})").format(links.place(place)) if place and not battle.stakes else ""
    return Markup("<strong>{}</strong> {}{}{}{}").format(
        battle.id,
        words_html(clean(battle_line(visible, battle))),
        place_link,
        odds_bar(advice, [links.book.tint_of(side) for side in battle.sides]) if advice and drawn else "",
        Markup("").join(notes),
    )


def odds_bar(advice: Advice, tints: list[int]) -> Markup:
    """Return the odds as a bar in the colours of the sides. Below it are their names and chances."""
    parts = Markup("").join(
        Markup('<span class="side{}" style="flex-grow: {}"></span>').format(
            tint % TINTS, tenths(100 * share.share)
        )
        for share, tint in zip(advice.sides, tints, strict=True)
    )
    names = Markup(", ").join(
        Markup('<span class="side{}">{}</span> ({}) {:.0%}').format(
            tint % TINTS, words_html(clean(share.name)), clean(share.commander), share.share
        )
        for share, tint in zip(advice.sides, tints, strict=True)
    )
    warning = "; one-sided, hardly worth playing" if advice.one_sided else ""
    return Markup(
        '<div class="odds" aria-hidden="true">{}</div><p class="note">Chances in {}: {}{}.</p>'
    ).format(parts, counted(advice.battles, "simulated battle"), names, warning)
