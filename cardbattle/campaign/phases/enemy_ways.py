"""Infer from which places the enemies of a lost battle came, as far as the player of a beaten force knows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf

from cardbattle.campaign.ledger.ledger import MOVEMENT, Entry
from cardbattle.campaign.phases.movement.planning import pace_of, weather_steps
from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.roads import RoadLength, Roads
from cardbattle.campaign.visibility.reader import ROUGH, in_sight
from cardbattle.campaign.visibility.redaction import sides_in

SIGHT = ("location", "towards", "walked", "destroyed", "owner")  # the values that decide who sees whom where


def places_they_came_from(
    campaign: Campaign,
    entries: Sequence[Entry],
    force: str,
    enemies: Iterable[str],
    retreated: Collection[str],
    *,
    at_any_pace: bool = False,
) -> set[str]:
    """Return the places from which enemies must have come to the place of a beaten force.

    The player saw an enemy before the movement, and now sees it in the place of the battle. If only one last
    road is short enough, the enemy came by it. The player assumes that no enemy is faster than the allowance
    or the fastest own force, because the pace of an enemy is hidden. With `at_any_pace`, no other road leads
    to the place, however fast the enemy is. `entries` are the valid entries of this turn, and `retreated` are
    the forces that have retreated without an entry.
    """
    part = campaign.forces[force]
    moved = next((number for number, entry in enumerate(entries) if entry.kind == MOVEMENT), None)
    if moved is None or campaign.visibility.location != ROUGH or part.towards or part.location is None:
        return set()
    before = before_movement(campaign, entries[moved:], retreated)
    sight = in_sight(before, part.faction)
    own = [each for each in campaign.forces.values() if each.faction == part.faction]
    assert campaign.movement is not None
    pace = max([campaign.movement.allowance, *(pace_of(campaign, each) for each in own)])
    steps = inf if at_any_pace else pace + weather_steps(campaign)
    places: set[str] = set()
    for enemy in enemies:
        start = before.forces[enemy].location
        is_seen = start in sight and before.forces[enemy].towards is None
        if start and is_seen and start != part.location == campaign.forces[enemy].location:
            ways = last_places(campaign.roads, start, part.location, steps)
            places |= ways if len(ways) == 1 else set()
    return places


def before_movement(campaign: Campaign, entries: Iterable[Entry], retreated: Collection[str]) -> Campaign:
    """Return the campaign with the positions and owners before the movement, whose entries come first."""
    values: dict[tuple[str, str], dict[str, object]] = {}
    for entry in entries:
        for change in entry.changes:
            if len(change.key) == 3 and change.key[2] in SIGHT:
                values.setdefault(change.key[:2], {}).setdefault(change.key[2], change.before)
        for place, sides in battles_in(entry):
            for force in (force for side in sides for force in side if force in retreated):
                values.setdefault(("forces", force), {}).setdefault("location", place)
    forces, places = (
        {key: part.model_copy(update=values.get((table, key), {})) for key, part in parts.items()}
        for table, parts in (("forces", campaign.forces), ("locations", campaign.locations))
    )
    return campaign.model_copy(update={"forces": forces, "locations": places})


def last_places(roads: Roads, start: str, end: str, steps: float) -> set[str]:
    """Return the places next to `end` from which a force can have come on its last road.

    It came from `start` within this number of steps, or on the road between the two places.
    """
    without_end = Roads(
        RoadLength(one, other, length)
        for one, others in roads.neighbours.items()
        for other, length in others.items()
        if end not in (one, other)
    )
    distances: Mapping[str, tuple[int, int]] = without_end.distances(start)
    return {
        place
        for place, length in roads.neighbours.get(end, {}).items()
        if place == start or (place in distances and distances[place][0] + length <= steps)
    }


def companions_of(entries: Iterable[Entry], force: str) -> set[str]:
    """Return the forces of the side of a force in its battles of these entries, which are of one turn."""
    sides = (side for entry in entries for _, sides in battles_in(entry) for side in sides if force in side)
    return {force}.union(*sides)


def battles_in(entry: Entry) -> list[tuple[str, list[list[str]]]]:
    """Return the place and the sides of each battle that an entry ends."""
    tables = [change.before for change in entry.changes if entry.result and is_battle(change.key)]
    return [
        (str(table.get("place") or table.get("stakes") or ""), sides_in(table))
        for table in tables
        if isinstance(table, dict)
    ]
