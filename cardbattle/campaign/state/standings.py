"""The standings of a campaign, which list the factions with their points, strength and places."""

from __future__ import annotations

from typing import NamedTuple

from cardbattle.campaign.state.model import Campaign


class Standing(NamedTuple):
    """The row of a faction in the standings. Tied factions share a position, for example 1, 2, 2, 4.

    `strength` is the total strength of the faction's forces that are not destroyed. `value` is the total
    value of its places.
    """

    place: int
    key: str
    name: str
    points: int
    forces: int
    strength: int
    locations: int
    value: int


def standings(campaign: Campaign) -> list[Standing]:
    """Return the factions in order of points. The number of places, then their value, decides between equals.

    Strength does not count, because most readers know it only roughly. Factions that are equal in everything
    share a position, and are in the order of the file.
    """
    rows = []
    for key, faction in campaign.factions.items():
        forces = [force for force in campaign.forces.values() if force.faction == key and not force.destroyed]
        places = [location for location in campaign.locations.values() if location.owner == key]
        rows.append(
            Standing(
                1,
                key,
                campaign.faction_name(key),
                faction.points,
                len(forces),
                sum(force.strength for force in forces),
                len(places),
                sum(location.value for location in places),
            )
        )
    ranked = [row._replace(place=1 + sum(score_of(rival) > score_of(row) for rival in rows)) for row in rows]
    return sorted(ranked, key=lambda standing: standing.place)


def score_of(row: Standing) -> tuple[int, int, int]:
    """Return the values that decide the position of a faction. The first one counts most."""
    return row.points, row.locations, row.value
