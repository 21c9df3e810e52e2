"""A campaign's report for its players: how it stands and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.show.document import Document, Item, Items, Section, Table, Title, as_text, with_columns
from cardbattle.show.pages.campaign.chronicle import chronicle_turns
from cardbattle.show.pages.campaign.dashboard import (
    battle_line,
    battle_notes,
    campaign_title,
    pending_items,
    standings_rows,
    standings_table,
    strength_words,
    subjects,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardbattle.battles.records.record import Record
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Content


def report_page(known: VisibleCampaign, logs: Mapping[int, Record]) -> Document:
    """Return the report; its parts are those that have something to say.

    `logs` are the records of battles by the revision that recorded them.
    """
    campaign = known.campaign
    turns = chronicle_turns(known, logs)
    parts: list[tuple[str, Table | Items]] = [
        ("Standings", known_columns(standings_table(known, {}))),
        ("Forces", known_columns(forces_table(known))),
        ("Places", owners_table(campaign)),
        ("Pending battles", pending_items(known, {})),
        *((turn.title, Items([Item("", words) for words in turn.told])) for turn in turns),
    ]
    title = campaign_title(campaign, known.is_whole)
    blocks: list[Content] = [Title(title)]
    for name, part in parts:
        if part.rows if isinstance(part, Table) else part.items:
            blocks += [Section(name), part]
    told = {"schema": 1, "campaign": campaign.name, "turn": campaign.turn}
    lists = {"standings": standings_rows(known), "pending": pending_words(known)}
    return Document(
        title,
        blocks,
        {**told, **lists, "happened": [turn._asdict() for turn in turns]},
        subjects=subjects(campaign),
    )


def forces_table(known: VisibleCampaign) -> Table:
    """Return the forces: name, faction, strength, commander, where, as far as that is known."""
    campaign = known.campaign
    rows = [
        [
            campaign.called(key),
            campaign.faction_name(force.faction),
            "destroyed" if force.destroyed else strength_words(known.strengths[key]),
            known.commanders[key],
            campaign.location_name(force.location) if force.location else "",
        ]
        for key, force in campaign.forces.items()
    ]
    return Table(["force", "faction", "strength", "commander", "at"], rows, (2,))


def known_columns(table: Table) -> Table:
    """Return a table without the columns of which nothing is known; its facts stay as they are."""
    told = [
        n
        for n in range(len(table.head))
        if any(as_text(row[n]) not in ("", strength_words(None)) for row in table.rows)
    ]
    return with_columns(table, told)


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


def pending_words(known: VisibleCampaign) -> list[str]:
    """Return the pending battles, each in a line with what is to be known of it."""
    return [
        " ".join(f"{battle_line(known, battle)}. {'. '.join(battle_notes(known, battle, {}, {}))}".split())
        for battle in known.campaign.pending
    ]
