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
    """Return the factions sorted by points. Factions with equal points are in the order of the file."""
    rows = []
    for key, faction in campaign.factions.items():
        place = 1 + sum(rival.points > faction.points for rival in campaign.factions.values())
        forces = [force for force in campaign.forces.values() if force.faction == key and not force.destroyed]
        places = [location for location in campaign.locations.values() if location.owner == key]
        rows.append(
            Standing(
                place,
                key,
                campaign.faction_name(key),
                faction.points,
                len(forces),
                sum(force.strength for force in forces),
                len(places),
                sum(location.value for location in places),
            )
        )
    return sorted(rows, key=lambda standing: standing.place)
