"""What may come and what was luck: a campaign's forecast and its luck ledger."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rich.text import Text

from cardbattle.campaign.forecast import Forecast, middle
from cardbattle.campaign.luck import Luck
from cardbattle.core.names import clean
from cardbattle.show import lists
from cardbattle.show.console import fitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

MIDDLE = 0.9  # share of the futures that a range covers


def per_cent(share: Fraction) -> str:
    """Return a share in whole per cent.

    >>> per_cent(Fraction(2, 3))
    '67%'
    """
    return f"{round(100 * share)}%"


def between(values: Sequence[int]) -> str:
    """Return the range in which nine in ten of the values lie."""
    low, high = middle(values, MIDDLE)
    return str(low) if low == high else f"{low} to {high}"


def mean(values: Sequence[int]) -> str:
    """Return the mean with one decimal."""
    return f"{sum(values) / len(values):.1f}"


def battles(forecast: Forecast) -> list[list[str]]:
    """Return the pending battles with each side's chance."""
    campaign = forecast.campaign
    rows = []
    for battle in campaign.pending:
        for at, side in enumerate(battle.sides):
            chance = per_cent(forecast.wins(battle.id, battle.keys[at]))
            rows.append([battle.id if at == 0 else "", campaign.side_name(side), chance])
    return rows


def factions(forecast: Forecast) -> list[list[str]]:
    """Return the factions: points now, points expected, their range, chance to lead."""
    campaign = forecast.campaign
    rows = []
    for key, faction in campaign.factions.items():
        points = forecast.points(key)
        rows.append(
            [
                campaign.faction_name(key),
                str(faction.points),
                mean(points),
                between(points),
                per_cent(forecast.leads(key)),
            ]
        )
    return rows


def forces(forecast: Forecast) -> list[list[str]]:
    """Return the forces that fight: strength now, expected, its range, chance to be destroyed."""
    campaign = forecast.campaign
    fighting = {force for battle in campaign.pending for side in battle.sides for force in side}
    rows = []
    for key, force in campaign.forces.items():
        if key in fighting:
            strengths = forecast.strengths(key)
            gone = per_cent(forecast.destroyed(key))
            rows.append(
                [campaign.called(key), str(force.strength), mean(strengths), between(strengths), gone]
            )
    return rows


BATTLES = ["battle", "side", "chance"]
FACTIONS = ["faction", "points", "expected", "9 in 10", "leads"]
FORCES = ["force", "strength", "expected", "9 in 10", "destroyed"]


def text(forecast: Forecast, console: Console) -> None:
    """Print a forecast as tables."""
    count = len(forecast.futures)
    heading = f"{clean(forecast.campaign.name)}: {count} futures, the pending battles fought in order"
    console.print(Text(fitted(heading, console.encoding), "bold"))
    for head, rows, right in (
        (BATTLES, battles(forecast), (2,)),
        (FACTIONS, factions(forecast), (1, 2, 3, 4)),
        (FORCES, forces(forecast), (1, 2, 3, 4)),
    ):
        console.print()
        lists.columns(head, rows, console, right)


def plain(forecast: Forecast) -> list[str]:
    """Return a forecast with one fact per line."""
    lines = []
    battle = ""
    for name, side, chance in battles(forecast):
        battle = name or battle
        lines.append(f"battle {battle}: {side} {chance}")
    for name, now, expected, spread, lead in factions(forecast):
        lines.append(f"faction {name}: points {now}, expected {expected}, 9 in 10 {spread}, leads {lead}")
    for name, now, expected, spread, gone in forces(forecast):
        lines.append(f"force {name}: strength {now}, expected {expected}, 9 in 10 {spread}, destroyed {gone}")
    return [clean(line) for line in lines]


def json(forecast: Forecast) -> dict[str, object]:
    """Return a forecast as JSON has it; its estimates are floats."""
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
    """Return mean and range of values, with shares beside them."""
    low, high = middle(values, MIDDLE)
    found: dict[str, object] = {"mean": sum(values) / len(values), "low": low, "high": high}
    return found | {name: float(share) for name, share in shares.items()}


LUCK = ["battle", "side", "expected", "got", "score", "mean score", "luck so far"]


def luck_rows(found: Sequence[Luck]) -> list[list[str]]:
    """Return the luck ledger's lines."""
    return [
        [
            one.battle,
            one.side,
            f"{float(one.expected):.2f}",
            f"{float(one.got):.2f}",
            str(one.score),
            f"{float(one.mean):.1f}",
            f"{float(one.total):+.2f}",
        ]
        for one in found
    ]


def luck_tables(found: Sequence[Luck]) -> list[dict[str, object]]:
    """Return the luck ledger's lines with numbers as numbers; its estimates are floats."""
    return [
        {
            "battle": one.battle,
            "side": one.side,
            "expected": round(float(one.expected), 2),
            "got": round(float(one.got), 2),
            "score": one.score,
            "mean score": round(float(one.mean), 1),
            "luck so far": round(float(one.total), 2),
        }
        for one in found
    ]
