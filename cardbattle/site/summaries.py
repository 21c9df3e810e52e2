"""One-line summaries of factions, forces and places, which appear over links and in link previews."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cardbattle.campaign.state.standings import standings
from cardbattle.core.names import clean, listed
from cardbattle.core.telling import counted
from cardbattle.show.pages.campaign.forces import position_text
from cardbattle.show.pages.campaign.standings import strength_words
from cardbattle.site.careers import Career, Tally, faction_career, force_career

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Force
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.site.book import SiteBook


@lru_cache(maxsize=1)  # every page of a site uses them
def summaries_of(book: SiteBook) -> dict[str, tuple[str, str]]:
    """Return the name and the summary of each faction, force and place, by the path of its page."""
    campaign = book.campaign
    return {
        **{
            f"factions/{key}.html": (clean(campaign.faction_name(key)), faction_summary(book, key))
            for key in campaign.factions
        },
        **{
            f"forces/{key}.html": (clean(campaign.name_of("forces", key)), force_summary(book, key))
            for key in campaign.forces
        },
        **{
            f"places/{key}.html": (clean(campaign.location_name(key)), place_summary(book, key))
            for key in campaign.locations
        },
    }


@lru_cache(maxsize=1)
def careers_of(book: SiteBook) -> dict[tuple[str, str], Career]:
    """Return the careers of all factions and forces. The keys are pairs (table, key)."""
    return {
        **{("factions", key): faction_career(book, key) for key in book.campaign.factions},
        **{("forces", key): force_career(book, key) for key in book.campaign.forces},
    }


def faction_facts(book: SiteBook, key: str) -> str:
    """Return a sentence with a faction's points, its place in the standings, and its strength."""
    campaign = book.campaign
    rank = next(standing.place for standing in standings(campaign) if standing.key == key)
    strength = strength_words(book.visible.strength_of_faction(key))
    has_points = any(faction.points for faction in campaign.factions.values())
    points = f"{counted(campaign.factions[key].points, 'point')}, " if has_points else ""
    return f"{points}place {rank} of {len(campaign.factions)}, strength {strength}"


def faction_summary(book: SiteBook, key: str) -> str:
    return f"{faction_facts(book, key)}. {tally_words(careers_of(book)['factions', key].tally)}"


def force_summary(book: SiteBook, key: str) -> str:
    force = book.campaign.forces[key]
    faction = clean(book.campaign.faction_name(force.faction))
    position = clean(position_text(book.campaign, force))
    at = f", at {position}" if position else ""
    tally = tally_words(careers_of(book)["forces", key].tally)
    return f"{faction}, {force_strength(book, key)}{at}{service(force)}. {tally}"


def force_strength(book: SiteBook, key: str) -> str:
    """Return a force's strength, as far as the reader knows it."""
    if book.campaign.forces[key].destroyed:
        return "destroyed"
    return f"strength {strength_words(book.visible.strengths[key])}"


def service(force: Force) -> str:
    """Return a comma, and then the title and the experience of a force. Return "" if it has neither."""
    parts = [force.title or "", f"experience {force.experience}" if force.experience else ""]
    return "".join(f", {clean(part)}" for part in parts if part)


def tally_words(tally: Tally) -> str:
    """Return a record of battles as a sentence, such as "Won 3 battles, lost 1, drew 2"."""
    if not tally.battles:
        return "No battle yet."
    return f"Won {counted(tally.won, 'battle')}, lost {tally.lost}, drew {tally.drawn}."


def place_summary(book: SiteBook, key: str) -> str:
    campaign = book.campaign
    place = campaign.locations[key]
    owner = clean(campaign.faction_name(place.owner)) if place.owner else "nobody"
    forces = [clean(campaign.display_name(force)) for force in forces_at(book.visible, key)]
    here = f" Forces: {listed(forces)}." if forces else ""
    return f"Owner: {owner}. Value: {place.value}.{here}"


def forces_at(visible: VisibleCampaign, place: str) -> list[str]:
    return [
        key
        for key, force in visible.campaign.forces.items()
        if force.location == place and not force.destroyed
    ]
