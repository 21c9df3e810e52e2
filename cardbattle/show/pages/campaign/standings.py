"""The standings of the factions, and the words that all pages about the state of a campaign share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardbattle.campaign.state.standings import standings
from cardbattle.core.names import clean
from cardbattle.show.document import (
    FAINT,
    NO_TINT,
    Document,
    Numbers,
    Paragraph,
    Section,
    Span,
    Table,
    as_text,
    with_columns,
)
from cardbattle.show.pages.campaign.league import league_blocks, league_of_reader, row_table

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import Estimate, VisibleCampaign
    from cardbattle.show.document import Cell, Content


def campaign_title(campaign: Campaign, is_whole: bool = True) -> str:
    """Return the campaign's name and turn. If `is_whole` is true, the title also has the revision."""
    when, last = campaign.when(campaign.turn), campaign.last_turn
    turn = f"turn {campaign.turn}{'' if last is None else f' of {last}'}{f' ({clean(when)})' if when else ''}"
    turn = f"over after turn {last}" if campaign.is_over else turn
    return f"{clean(campaign.name)}: {turn}{f', revision {campaign.revision}' if is_whole else ''}"


def notice_blocks(campaign: Campaign) -> list[Content]:
    """Return a paragraph for each line of the umpire's notice."""
    return [Paragraph(clean(line), FAINT, is_verbatim=True) for line in campaign.notice_lines]


def subjects(campaign: Campaign) -> dict[str, list[str]]:
    return {
        "factions": [campaign.faction_name(key) for key in campaign.factions],
        "forces": [campaign.name_of("forces", key) for key in campaign.forces],
        "places": [campaign.location_name(key) for key in campaign.locations],
    }


def tints(campaign: Campaign) -> dict[str, int]:
    return {key: n for n, key in enumerate(campaign.factions)}


def standings_table(visible: VisibleCampaign, colours: Mapping[str, int]) -> Table:
    standing_rows = [
        (standing, strength_words(visible.strength_of_faction(standing.key)))
        for standing in standings(visible.campaign)
    ]
    rows: list[list[Cell]] = [
        [
            f"{standing.place}.",
            Span(standing.name, tint=colours.get(standing.key, NO_TINT)),
            str(standing.points),
            strength,
            str(standing.locations),
            str(standing.value),
        ]
        for standing, strength in standing_rows
    ]
    facts = [
        f"{standing.place}. {standing.name}: points {standing.points}, strength {strength}, "
        f"places {standing.locations}, value {standing.value}"
        for standing, strength in standing_rows
    ]
    table = Table(
        ["", "faction", "points", "strength", "places", "value"], rows, (2, 3, 4, 5), facts, labels=2
    )
    return without_zeros(table)


def without_zeros(table: Table) -> Table:
    """Return a table without the columns that are 0 in every row."""
    columns = [n for n in range(len(table.head)) if any(as_text(row[n]) != "0" for row in table.rows)]
    return with_columns(table, columns) if table.rows else table


def strength_words(strength: Estimate | None) -> str:
    return "unknown" if strength is None else str(strength)


def standings_rows(visible: VisibleCampaign) -> list[dict[str, object]]:
    rows = []
    for standing in standings(visible.campaign):
        strength = visible.strength_of_faction(standing.key)
        rows.append({**standing._asdict(), "strength": None if strength is None else strength.value})
    return rows


def standings_page(visible: VisibleCampaign) -> Document:
    rows = standings_rows(visible)
    json: dict[str, object] = {"schema": 1, "standings": rows}
    table, league_part = standings_table(visible, tints(visible.campaign)), league_blocks(visible)
    blocks: list[Content] = [*league_part, *([Section("Standings", [])] if league_part else []), table]
    league = league_of_reader(visible)
    if league is not None:
        json |= {"league": [row_table(league, row) for row in league.rows()]}
    return Document(
        f"{visible.campaign.name}: standings", blocks, json, Numbers(list(rows[0]) if rows else (), rows)
    )
