"""The pages of factions and forces.

A page has the badge, the motto, the record, the best day, the rivals, the honours and the battles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import TYPE_CHECKING

from markupsafe import Markup

from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import clean
from cardbattle.show.battle_text import share_words
from cardbattle.show.bidi import words_html
from cardbattle.show.pages.campaign.forces import leader_text, unit_words
from cardbattle.show.svg.charts import Axes, Figures, Trace, line_chart
from cardbattle.site.blocks import (
    SiteFigures,
    battle_item,
    comma_list,
    forces_table_html,
    page_html,
    past_points,
    past_strength,
    position_html,
)
from cardbattle.site.careers import Career, Honour, Tally
from cardbattle.site.parts import Links, PageHead, Series, paragraph, section, story_list, table, turns_chart
from cardbattle.site.summaries import (
    careers_of,
    faction_facts,
    force_strength,
    service,
    summaries_of,
    tally_words,
)

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign, Faction, Force
    from cardbattle.site.book import SiteBook

MOST_HONOURS = 12  # on a page; the last ones


def faction_page(book: SiteBook, key: str) -> str:
    visible, links = book.visible, Links(book, "../")
    campaign = visible.campaign
    forces = [force for force, item in campaign.forces.items() if item.faction == key]
    owned = [place for place, item in campaign.locations.items() if item.owner == key]
    name = campaign.faction_name(key)
    plotted = [Series(key, name, book.tints[key])]
    return page_html(
        book,
        head_of(book, "factions", key),
        paragraph(f"{faction_facts(book, key)}.", "facts"),
        career_html(careers_of(book)["factions", key], links, links.faction),
        section(
            "Points", turns_chart(book, f"Points of {mid_sentence(name)}, turn by turn", plotted, past_points)
        ),
        section("Forces", forces_table_html(visible, forces, links)),
        section("Units", story_list(units_of(campaign, forces, links))),
        section("Places", paragraph(comma_list(map(links.place, owned)))),
        section("Battles", story_list([battle_item(book, item, links) for item in book.battles_of(forces)])),
    )


def units_of(campaign: Campaign, forces: Sequence[str], links: Links) -> list[Markup]:
    """Return the units of these forces, without forces that are destroyed or have no units."""
    parts = {key: campaign.forces[key] for key in forces}
    return [
        Markup("{}: {}").format(links.force(key), unit_words(force))
        for key, force in parts.items()
        if force.units and not force.destroyed
    ]


def head_of(book: SiteBook, table: str, key: str) -> PageHead:
    """Return the title of a page about a faction or force, with its badge and its motto."""
    path = f"{table}/{key}.html"
    part: Faction | Force = book.campaign.factions[key] if table == "factions" else book.campaign.forces[key]
    name = book.campaign.name_of(table, key)
    return PageHead(path, name, summaries_of(book)[path][1], book.badge(table, key), part.motto or "")


def force_page(book: SiteBook, key: str, figures: SiteFigures) -> str:
    """Return a force's page: record, strengths, battles, and luck if it was computed."""
    visible, links = book.visible, Links(book, "../")
    force, name = visible.campaign.forces[key], visible.campaign.name_of("forces", key)
    location = Markup(" at {}").format(position_html(force, links)) if force.location else ""
    plotted = [Series(key, name, book.tints.get(force.faction, 0))]
    strength = force_strength(book, key)
    facts = Markup("{}, {}{}{}.").format(links.faction(force.faction), strength, location, service(force))
    return page_html(
        book,
        head_of(book, "forces", key),
        paragraph(facts, "facts"),
        paragraph(f"Units: {unit_words(force)}." if force.units and not force.destroyed else ""),
        paragraph(commander_words(book, key)),
        career_html(careers_of(book)["forces", key], links, links.force),
        section(
            "Strength",
            turns_chart(book, f"Strength of {mid_sentence(name)}, turn by turn", plotted, past_strength),
        ),
        section("Battles", force_battles(book, key, figures, links)),
    )


def commander_words(book: SiteBook, key: str) -> str:
    """Name a force's commander and a lost leader. Return "" if the reader does not know who they are."""
    force, rank = book.campaign.forces[key], book.visible.commanders[key]
    leader, ranked = leader_text(book.campaign, force), f"rank {clean(rank)}" if rank else ""
    if force.leader and (force.fallen or force.prisoner_of is not None):
        return f"Leader: {leader}. Commander: a deputy{f', {ranked}' if ranked else ''}."
    facts = ", ".join(fact for fact in (leader, ranked) if fact)
    return f"Commander: {facts}." if facts else ""


def career_html(career: Career, links: Links, rival: Callable[[str], Markup]) -> Markup:
    """Return the career of a force or faction, or a sentence if it has no battles."""
    rows = [
        [rival(key), *map(str, (tally.battles, tally.won, tally.lost, tally.drawn))]
        for key, tally in career.rivals
    ]
    best = Markup("<p><strong>Best day:</strong> {}</p>").format(
        battle_item(links.book, career.best, links)
    ) if career.best else ""  # fmt: skip
    earlier = len(career.honours) - MOST_HONOURS
    honours = [honour_item(honour, links) for honour in career.honours[-MOST_HONOURS:]]
    if earlier > 0:
        honours.insert(0, Markup('<span class="facts">{} earlier</span>').format(earlier))
    return Markup("\n").join(
        [
            tally_html(career.tally),
            *([best] if best else []),
            section("Rivals", table(["rival", "battles", "won", "lost", "drawn"], rows, (1, 2, 3, 4))),
            section("Honours", story_list(honours)),
        ]
    )


def tally_html(tally: Tally) -> Markup:
    """Return a record of battles as large numbers."""
    if not tally.battles:
        return paragraph(tally_words(tally))
    items = zip(("won", "lost", "drawn"), tally, strict=True)
    return Markup('<ul class="tally">{}</ul>').format(
        Markup("").join(Markup("<li><strong>{}</strong> {}</li>").format(n, word) for word, n in items)
    )


def honour_item(honour: Honour, links: Links) -> Markup:
    """Return a list item about an honour, with the turn and a link to the battle."""
    at = Markup(" ({})").format(links.battle(honour.battle)) if honour.battle else ""
    return Markup("Turn {}: {}{}").format(honour.turn, words_html(clean(honour.words)), at)


def force_battles(book: SiteBook, key: str, figures: SiteFigures, links: Links) -> Markup:
    lines: list[Markup] = []
    lucks = [0.0]
    for battle in book.battles_of([key]):
        seat = next(n for n, side in enumerate(battle.sides) if key in side)
        result = battle.entry.result
        assert result is not None
        details = f"; lost {share_words([*result.sides.values()][seat].losses)}"
        expected = figures.expected.get(battle.entry.id, ())
        if seat < len(expected):
            actual = points_of([*result.sides], result.winners, seat)
            lucks.append(lucks[-1] + actual - expected[seat])
            details += f"; luck so far {lucks[-1]:+.2f}"
        lines.append(battle_item(book, battle, links, details))
    return story_list(lines) + luck_chart(book, key, lucks)


def luck_chart(book: SiteBook, key: str, lucks: Sequence[float]) -> Markup:
    """Return a chart of a force's luck over its battles, or "" if no luck was computed."""
    if len(lucks) < 2:
        return Markup("")
    force = book.campaign.forces[key]
    name = book.campaign.name_of("forces", key)
    most = max(1, ceil(max(map(abs, lucks))))
    trace = Trace(
        name,
        book.tints.get(force.faction, 0),
        [(n, (luck + most) / (2 * most)) for n, luck in enumerate(lucks)],
    )
    axes = Axes([(0, f"-{most}"), (0.5, "0"), (1, f"+{most}")], "start", f"after {len(lucks) - 1}")
    rows = [[str(n), f"{luck:+.2f}"] for n, luck in enumerate(lucks)]
    chart = line_chart(
        f"Luck of {mid_sentence(name)}, battle by battle",
        [trace],
        axes,
        Figures(["after battle", "luck"], rows),
    )
    return chart + paragraph(LUCK, "facts")


LUCK = (
    "Luck is the points it won (1 for a win, a share for a draw) minus the points that regular commanders "
    "could expect. The command cardbattle campaign luck uses the actual commanders, so its figures differ."
)


def points_of(keys: Sequence[str], winners: Sequence[str], seat: int) -> float:
    """Return the points of the side `keys[seat]`: 1 for a win, 0 for a defeat.

    If several sides win, they share 1 point equally. In a draw, all sides share 1 point.
    """
    best = winners or keys
    return 1 / len(best) if keys[seat] in best else 0.0
