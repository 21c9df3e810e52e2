"""The page of a campaign's forecast, which shows the likely results of the pending battles."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cardbattle.campaign.turn.forecast import Forecast, middle
from cardbattle.show.document import Document, Table, Title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.show.document import Content

MIDDLE = 0.9  # share of the simulated results that a range covers


def share_text(share: Fraction) -> str:
    """Return a share as a whole percentage.

    >>> share_text(Fraction(2, 3))
    '67%'
    """
    return f"{round(100 * share)}%"


def range_text(values: Sequence[int]) -> str:
    """Return the range that contains the middle 90 % of the values."""
    low, high = middle(values, MIDDLE)
    return str(low) if low == high else f"{low} to {high}"


def mean_text(values: Sequence[int]) -> str:
    return f"{sum(values) / len(values):.1f}"


def battle_chances(forecast: Forecast) -> list[list[str]]:
    campaign = forecast.campaign
    rows = []
    for battle in campaign.pending:
        for at, side in enumerate(battle.sides):
            chance = share_text(forecast.wins(battle.id, battle.keys[at]))
            rows.append([battle.id if at == 0 else "", campaign.side_name(side, battle), chance])
    return rows


def faction_rows(forecast: Forecast) -> list[list[str]]:
    """Return a row for each faction: its points, its expected points, their range, and its chance to lead."""
    campaign = forecast.campaign
    rows = []
    for key, faction in campaign.factions.items():
        points = forecast.points(key)
        rows.append(
            [
                campaign.faction_name(key),
                str(faction.points),
                mean_text(points),
                range_text(points),
                share_text(forecast.leads(key)),
            ]
        )
    return rows


def force_rows(forecast: Forecast) -> list[list[str]]:
    """Return a row for each force that fights.

    It has the strength, the expected strength and its range, and the chance that the force is destroyed.
    """
    campaign = forecast.campaign
    fighting = {force for battle in campaign.pending for side in battle.sides for force in side}
    rows = []
    for key, force in campaign.forces.items():
        if key in fighting:
            strengths = forecast.strengths(key)
            gone = share_text(forecast.destroyed(key))
            rows.append(
                [
                    campaign.display_name(key),
                    str(force.strength),
                    mean_text(strengths),
                    range_text(strengths),
                    gone,
                ]
            )
    return rows


def forecast_page(forecast: Forecast) -> Document:
    count = len(forecast.futures)
    heading = f"{forecast.campaign.name}: forecast from {count} simulations of the pending battles, in order"
    blocks: list[Content] = [
        Title(heading),
        futures_table(forecast),
        points_table(forecast),
        strengths_table(forecast),
    ]
    return Document(heading, blocks, forecast_json(forecast))


def futures_table(forecast: Forecast) -> Table:
    rows, facts, last = battle_chances(forecast), [], ""
    for battle, side, chance in rows:
        last = battle or last
        facts.append(f"battle {last}: {side} {chance}")
    return Table(["battle", "side", "chance"], rows, (2,), facts, labels=2)


def points_table(forecast: Forecast) -> Table:
    rows = faction_rows(forecast)
    facts = [
        f"faction {name}: points {current}, expected {expected}, 9 in 10 {spread}, leads {lead}"
        for name, current, expected, spread, lead in rows
    ]
    return Table(["faction", "points", "expected", "9 in 10", "leads"], rows, (1, 2, 3, 4), facts)


def strengths_table(forecast: Forecast) -> Table:
    rows = force_rows(forecast)
    facts = [
        f"force {name}: strength {current}, expected {expected}, 9 in 10 {spread}, destroyed {gone}"
        for name, current, expected, spread, gone in rows
    ]
    return Table(["force", "strength", "expected", "9 in 10", "destroyed"], rows, (1, 2, 3, 4), facts)


def forecast_json(forecast: Forecast) -> dict[str, object]:
    campaign = forecast.campaign
    return {
        "schema": 1,
        "futures": len(forecast.futures),
        "battles": {
            battle.id: {side: float(forecast.wins(battle.id, side)) for side in battle.keys}
            for battle in campaign.pending
        },
        "factions": {
            key: estimate(forecast.points(key), leads=forecast.leads(key)) for key in campaign.factions
        },
        "forces": {
            key: estimate(forecast.strengths(key), destroyed=forecast.destroyed(key))
            for key in campaign.forces
        },
    }


def estimate(values: Sequence[int], **shares: Fraction) -> dict[str, object]:
    low, high = middle(values, MIDDLE)
    mean = sum(values) / len(values)
    return {"mean": mean, "low": low, "high": high, **{name: float(share) for name, share in shares.items()}}
