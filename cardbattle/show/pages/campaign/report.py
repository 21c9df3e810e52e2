"""A campaign's report for its players: the current state and the chronicle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.show.document import Document, Item, Items, Section, Table, Title, as_text, with_columns
from cardbattle.show.pages.campaign.between import between_blocks, between_lines
from cardbattle.show.pages.campaign.dashboard import battle_line, battle_notes, has_terrain, pending_items
from cardbattle.show.pages.campaign.forces import has_leaders, leader_text, position_text, unit_items
from cardbattle.show.pages.campaign.league import league_json, league_of_reader, league_parts
from cardbattle.show.pages.campaign.reports.chronicle import chronicle_turns
from cardbattle.show.pages.campaign.standings import (
    campaign_title,
    notice_blocks,
    standings_rows,
    standings_table,
    strength_words,
    subjects,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Content
    from cardbattle.simulation.turning_points import TurningPoint


def report_page(
    visible: VisibleCampaign,
    turning_points: Mapping[int, Sequence[TurningPoint]],
    stories: Mapping[int, str] | None = None,
) -> Document:
    """Show the report with the chronicle of all turns.

    Sections without content are left out. `turning_points` and `stories` map the revision that recorded a
    battle to the turning points and the story of the battle.
    """
    campaign = visible.campaign
    league = league_of_reader(visible)
    turns = list(chronicle_turns(visible, turning_points, stories))
    parts: list[tuple[str, Table | Items]] = [
        *(league_parts(visible, league) if league else ()),
        ("Standings", without_unknown_columns(standings_table(visible, {}))),
        ("Forces", without_unknown_columns(forces_table(visible))),
        ("Units", unit_items(campaign)),
        ("Places", owners_table(campaign)),
        ("Pending battles", pending_items(visible, {}, has_ids=visible.is_whole)),
        *((part.title, Items([Item("", sentence) for sentence in part.sentences])) for part in turns),
    ]
    title = campaign_title(campaign, visible.is_whole)
    blocks: list[Content] = [Title(title), *notice_blocks(campaign)]
    blocks += between_blocks(visible)
    for name, part in parts:
        if part.rows if isinstance(part, Table) else part.items:
            blocks += [Section(name), part]
    table = {
        "schema": 1,
        "campaign": campaign.name,
        "turn": campaign.turn,
        **({"notice": campaign.notice_lines} if campaign.notice else {}),
        "standings": standings_rows(visible),
        **(league_json(visible, league) if league else {}),
        **({"this_turn": lines} if (lines := list(between_lines(visible))) else {}),
        "pending": pending_words(visible),
        "happened": [dict(zip(("number", "title", "told"), part, strict=True)) for part in turns],
    }
    return Document(title, blocks, table, subjects=subjects(campaign))


def forces_table(visible: VisibleCampaign) -> Table:
    """Return a table of the forces with their factions.

    Strength, commander, leader and place are included if the reader knows them.
    """
    campaign = visible.campaign
    rows = [
        [
            campaign.display_name(key),
            campaign.faction_name(force.faction),
            "destroyed" if force.destroyed else strength_words(visible.strengths[key]),
            visible.commanders[key],
            *([leader_text(campaign, force)] if has_leaders(campaign) else []),
            position_text(campaign, force),
        ]
        for key, force in campaign.forces.items()
    ]
    leader = ["leader"] if has_leaders(campaign) else []
    return Table(["force", "faction", "strength", "commander", *leader, "at"], rows, (2,))


def without_unknown_columns(table: Table) -> Table:
    """Return a table without columns that are unknown in every row, except in JSON."""
    unknown = ("", strength_words(None))
    columns = [n for n in range(len(table.head)) if any(as_text(row[n]) not in unknown for row in table.rows)]
    return with_columns(table, columns)


def owners_table(campaign: Campaign) -> Table:
    """Return a table of the places, without values if all are 0, and without terrain if none has any."""
    has_values = any(place.value for place in campaign.locations.values())
    rows = [
        [
            campaign.location_name(key),
            campaign.faction_name(place.owner) if place.owner else "nobody",
            *([str(place.value)] if has_values else []),
            *([place.terrain or ""] if has_terrain(campaign) else []),
        ]
        for key, place in campaign.locations.items()
    ]
    head = ["place", "owner", *(["value"] if has_values else [])]
    head += ["terrain"] if has_terrain(campaign) else []
    return Table(head, rows, (2,) if has_values else ())


def pending_words(visible: VisibleCampaign) -> list[str]:
    return [
        " ".join(
            f"{battle_line(visible, battle)}. {'. '.join(battle_notes(visible, battle, {}, {}))}".split()
        )
        for battle in visible.campaign.pending
    ]
