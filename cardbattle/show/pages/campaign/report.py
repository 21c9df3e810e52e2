"""A campaign's report for its players: the current state and the chronicle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.show.document import Document, Item, Items, Section, Table, Title, as_text, with_columns
from cardbattle.show.pages.campaign.between import between_blocks, between_lines
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
from cardbattle.show.pages.campaign.league import league_of_reader, league_table
from cardbattle.show.pages.campaign.position import position_text

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
    turn: int | None = None,
) -> Document:
    """Return the report, with the chronicle of one turn or of all; sections without content are left out.

    `turning_points` are those of battles by the revision that recorded them, where they are known.
    `stories` are those of battles by revision.
    """
    campaign = visible.campaign
    turns = [
        part
        for part in chronicle_turns(visible, turning_points, stories)
        if turn is None or part.number == turn
    ]
    parts: list[tuple[str, Table | Items]] = [
        ("Standings", without_unknown_columns(standings_table(visible, {}))),
        *league_parts(visible),
        ("Forces", without_unknown_columns(forces_table(visible))),
        ("Places", owners_table(campaign)),
        ("Pending battles", pending_items(visible, {})),
        *((part.title, Items([Item("", sentence) for sentence in part.sentences])) for part in turns),
    ]
    title = campaign_title(campaign, visible.is_whole)
    blocks: list[Content] = [Title(title)]
    blocks += between_blocks(visible)
    for name, part in parts:
        if part.rows if isinstance(part, Table) else part.items:
            blocks += [Section(name), part]
    table = {
        "schema": 1,
        "campaign": campaign.name,
        "turn": campaign.turn,
        "standings": standings_rows(visible),
        **({"this_turn": lines} if (lines := list(between_lines(visible))) else {}),
        "pending": pending_words(visible),
        "happened": [dict(zip(("number", "title", "told"), part, strict=True)) for part in turns],
    }
    return Document(title, blocks, table, subjects=subjects(campaign))


def league_parts(visible: VisibleCampaign) -> list[tuple[str, Table | Items]]:
    """Return the league table under its name; nothing without a league, and for a knock-out."""
    league = league_of_reader(visible)
    return [("League", league_table(league))] if league and league.has_table else []


def forces_table(visible: VisibleCampaign) -> Table:
    """Return the forces: name, faction, and those of strength, commander and place that the reader knows."""
    campaign = visible.campaign
    rows = [
        [
            campaign.display_name(key),
            campaign.faction_name(force.faction),
            "destroyed" if force.destroyed else strength_words(visible.strengths[key]),
            visible.commanders[key],
            position_text(campaign, force),
        ]
        for key, force in campaign.forces.items()
    ]
    return Table(["force", "faction", "strength", "commander", "at"], rows, (2,))


def without_unknown_columns(table: Table) -> Table:
    """Return a table without columns that are empty or unknown in every row; its JSON does not change."""
    unknown = ("", strength_words(None))
    columns = [n for n in range(len(table.head)) if any(as_text(row[n]) not in unknown for row in table.rows)]
    return with_columns(table, columns)


def owners_table(campaign: Campaign) -> Table:
    rows = [
        [
            campaign.location_name(key),
            campaign.faction_name(place.owner) if place.owner else "nobody",
            str(place.value),
        ]
        for key, place in campaign.locations.items()
    ]
    return Table(["place", "owner", "value"], rows, (2,))


def pending_words(visible: VisibleCampaign) -> list[str]:
    return [
        " ".join(
            f"{battle_line(visible, battle)}. {'. '.join(battle_notes(visible, battle, {}, {}))}".split()
        )
        for battle in visible.campaign.pending
    ]
