"""Blocks that several pages of a site share: standings, tables of forces and of places, and battles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from cardbattle.campaign.state.standings import standings
from cardbattle.core.names import clean
from cardbattle.show.bidi import words_html
from cardbattle.show.pages.campaign.dashboard import has_terrain
from cardbattle.show.pages.campaign.standings import strength_words
from cardbattle.site.parts import Links, PageHead, site_html, table
from cardbattle.site.summaries import forces_at

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Force
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.campaign.visibility.visible_turns import VisibleTurn
    from cardbattle.site.book import SiteBattle, SiteBook


class SitePage(NamedTuple):
    """A page of the site, with its path from the root of the site and its HTML."""

    path: str
    text: str


class SiteFigures(NamedTuple):
    """Results of simulations that a site shows. All keys are ids of battles.

    Attributes:
        odds: the odds of pending battles.
        expected: the points that each side of a recorded battle could expect.
        progress: sentences about pending battles that players have begun.

    """

    odds: Mapping[str, Advice]
    expected: Mapping[str, Sequence[float]]
    progress: Mapping[str, str]


def page_html(book: SiteBook, head: PageHead, *content: Markup) -> str:
    heading = Markup("<header{}>{}\n<div>\n<h1>{}</h1>\n{}</div>\n</header>\n").format(
        Markup(' class="arms"') if head.badge else "",
        head.badge,
        words_html(clean(head.title)),
        Markup('<p class="motto"><bdi>{}</bdi></p>\n').format(clean(head.motto)) if head.motto else "",
    )
    return site_html(book, head, Markup("\n").join([heading, *(part for part in content if part)]))


def standings_html(visible: VisibleCampaign, links: Links) -> Markup:
    rows = [
        [
            Markup("{}. {} {}").format(
                standing.place,
                links.book.badge("factions", standing.key, small=True),
                links.faction(standing.key),
            ),
            str(standing.points),
            strength_words(visible.strength_of_faction(standing.key)),
            str(standing.locations),
            str(standing.value),
        ]
        for standing in standings(visible.campaign)
    ]
    head = ["faction", "points", "strength", "places", "value"]
    kept = [n for n in range(len(head)) if any(row[n] != "0" for row in rows)]  # no columns of zeros
    return table([head[n] for n in kept], [[row[n] for n in kept] for row in rows], range(1, len(kept)))


def past_points(turn: VisibleTurn, key: str) -> int | None:
    """Return the points of a faction at the end of a turn, or None if it did not exist then."""
    faction = turn.visible.campaign.factions.get(key)
    return faction.points if faction else None


def past_strength(turn: VisibleTurn, key: str) -> int | None:
    """Return the strength of a force at the end of a turn.

    Return None if the force did not exist then, or if its strength is unknown.
    """
    force, strength = turn.visible.campaign.forces.get(key), turn.visible.strengths.get(key)
    if force and force.destroyed:
        return 0
    return strength.number if strength else None


def battle_item(book: SiteBook, battle: SiteBattle, links: Links, more: str = "") -> Markup:
    """Return a list item about a battle, with its turn, stakes and result, and then the text `more`."""
    place = f", for {links.place(battle.stakes)}" if battle.stakes else ""
    when = f"turn {battle.turn}{place}{escape(more)}"
    return Markup(f'{links.battle(battle)} <span class="facts">({when})</span><br>{words_html(battle.ended)}')


def forces_table_html(visible: VisibleCampaign, forces: Sequence[str], links: Links) -> Markup:
    """Return a table of forces. If all of them belong to one faction, its column is left out."""
    rows: list[list[Markup | str]] = []
    has_factions = len({visible.campaign.forces[key].faction for key in forces}) > 1
    for key in forces:
        force = visible.campaign.forces[key]
        strength = "destroyed" if force.destroyed else strength_words(visible.strengths[key])
        faction = links.faction(force.faction) if has_factions else ""
        rows.append([links.force(key), faction, strength, position_html(force, links)])
    return table(["force", "faction", "strength", "place"], rows, (2,))


def places_table_html(visible: VisibleCampaign, links: Links) -> Markup:
    campaign = visible.campaign
    rows: list[list[Markup | str]] = []
    for key, place in campaign.locations.items():
        here = forces_at_html(visible, key, links)
        ground = [place.terrain or ""] if has_terrain(campaign) else []
        rows.append([links.place(key), links.faction(place.owner), str(place.value), *ground, here])
    ground = ["terrain"] if has_terrain(campaign) else []
    return table(["place", "owner", "value", *ground, "forces"], rows, (2,))


def position_html(force: Force, links: Links) -> Markup:
    """Return the position of a force with links: a place, or a road between two places."""
    if force.towards is None:
        return links.place(force.location)
    return Markup("{}, on the road to {}").format(links.place(force.location), links.place(force.towards))


def forces_at_html(visible: VisibleCampaign, place: str, links: Links) -> Markup:
    """Return links to a place's forces, with the direction of those on a road from here."""
    items = []
    for key in forces_at(visible, place):
        towards = visible.campaign.forces[key].towards
        heading = Markup(" (on the road to {})").format(links.place(towards)) if towards else ""
        items.append(links.force(key) + heading)
    return comma_list(items)


def comma_list(links: Iterable[Markup]) -> Markup:
    return Markup(", ").join(links)
