"""A campaign's report for its players: how it stands and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.standings import standings
from cardbattle.show.document import Document, Item, Items, Section, Table, Title
from cardbattle.show.pages.campaign import (
    battle_line,
    battle_notes,
    campaign_title,
    standings_table,
)
from cardbattle.show.pages.history import entry_sentence

if TYPE_CHECKING:
    from cardbattle.campaign.ledger import Ledger
    from cardbattle.campaign.model import Campaign
    from cardbattle.campaign.operations import CampaignFile
    from cardbattle.show.document import Content


def report_page(books: CampaignFile, ledger: Ledger) -> Document:
    """Return the report; its parts are those that have something to say."""
    campaign = books.campaign
    entries = ledger.entries[: ledger.settled]
    happened = [f"{entry.revision}. {entry_sentence(campaign, ledger, entry)}" for entry in entries]
    parts: list[tuple[str, Table | Items]] = [
        ("Standings", plain_standings(campaign)),
        ("Forces", forces_table(campaign)),
        ("Places", owners_table(campaign)),
        ("Pending battles", Items([Item("", words) for words in pending_words(campaign)])),
        ("What happened", Items([Item("", words) for words in happened])),
    ]
    blocks: list[Content] = [Title(campaign_title(campaign))]
    for name, part in parts:
        if part.rows if isinstance(part, Table) else part.items:
            blocks += [Section(name), part]
    told = {"schema": 1, "campaign": campaign.name, "turn": campaign.turn, "revision": campaign.revision}
    lists = {"standings": [one._asdict() for one in standings(campaign)], "pending": pending_words(campaign)}
    return Document(campaign_title(campaign), blocks, {**told, **lists, "happened": happened})


def plain_standings(campaign: Campaign) -> Table:
    """Return the standings without colours."""
    return standings_table(standings(campaign), {})


def forces_table(campaign: Campaign) -> Table:
    """Return the forces: name, faction, strength, commander, where."""
    rows = [
        [
            campaign.called(key),
            campaign.faction_name(force.faction),
            "destroyed" if force.destroyed else str(force.strength),
            force.commander,
            campaign.location_name(force.location) if force.location else "",
        ]
        for key, force in campaign.forces.items()
    ]
    return Table(["force", "faction", "strength", "commander", "at"], rows, (2,))


def owners_table(campaign: Campaign) -> Table:
    """Return the places: name, owner, value."""
    rows = [
        [
            campaign.location_name(key),
            campaign.faction_name(place.owner) if place.owner else "nobody",
            str(place.value),
        ]
        for key, place in campaign.locations.items()
    ]
    return Table(["place", "owner", "value"], rows, (2,))


def pending_words(campaign: Campaign) -> list[str]:
    """Return the pending battles, each in a line with what is to be known of it."""
    return [
        " ".join(f"{battle_line(campaign, battle)}. {'. '.join(battle_notes(campaign, battle, {}))}".split())
        for battle in campaign.pending
    ]
