"""Places in a message to a player: roads, the places in reach, and the effects of terrain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.state.tables.battle_effects import effect_clauses
from cardbattle.campaign.state.tables.terrain import ALL as ALL_SIDES
from cardbattle.campaign.state.tables.terrain import ATTACKER, DEFENDER
from cardbattle.core.grammar import mid_sentence, together, with_verb
from cardbattle.core.names import listed
from cardbattle.core.telling import counted
from cardbattle.rules import find, is_not_installed

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Mapping

    from cardbattle.campaign.exchange.orders.parser import OrderParser
    from cardbattle.campaign.state.model import Campaign

MOST_ROADS = 40  # maximum number of roads in a message; on a larger map only near ones
TURNS_NEAR = 2  # number of turns in which a force can reach a near road
SETS_OUT = " (sets out)"
IN_REACH = "Where your forces can march, with the steps:"
MAP_IS_KNOWN = "The map has not changed. The umpire can send you the whole map again."
TERRAIN = "Terrain: {}."
ROLES = {ALL_SIDES: "every side", DEFENDER: "the defender", ATTACKER: "each attacker"}


def place_words(campaign: Campaign, faction: str, place: str) -> str:
    """Return the name and owner of a place to which a force can retreat, and the player's forces there."""
    owner = campaign.locations[place].owner or ""
    words = owner_words(campaign, faction, owner)
    if owner not in ("", faction) and not campaign.are_enemies(faction, owner):
        words += ", not your enemy"
    present = [
        mid_sentence(campaign.display_name(key))
        for key, force in campaign.forces.items()
        if (force.faction, force.location) == (faction, place) and not (force.destroyed or force.towards)
    ]
    words += f", where {with_verb(together(present), 'is|are')}" if present else ""
    return f"{campaign.location_name(place)}, {words}"


def owner_words(campaign: Campaign, faction: str, owner: str) -> str:
    """Say to a faction who owns a place, given the owner's key or ""."""
    if owner == faction:
        return "yours"
    return f"held by {mid_sentence(campaign.faction_name(owner))}" if owner else "free"


def road_lines(
    campaign: Campaign, parser: OrderParser, steps: Mapping[str, int], *, whole_map: bool
) -> Iterator[str]:
    """Yield lines about the roads and their lengths, and about the terrain of the places at their ends.

    On a large map, only roads that the forces can reach soon, unless `whole_map` is true.
    """
    ends = campaign.road_ends
    if not ends:
        yield "There are no roads on the map yet: every force holds."
        return
    is_small = len(ends) <= MOST_ROADS
    shown = [road for road in ends if whole_map or is_small or is_near(campaign, road, steps)]
    yield "Roads, with their steps:"
    for road in shown:
        between = " - ".join(place_to_write(parser, end) for end in road)
        yield f"- {between}: {campaign.roads.length(*road)}"
    if len(shown) < len(ends):
        yield f"- and {counted(len(ends) - len(shown), 'road')} further away"
    yield from terrain_lines(campaign, {end for road in shown for end in road})


def reach_lines(
    campaign: Campaign, parser: OrderParser, steps: Mapping[str, int], held: Container[str]
) -> Iterator[str]:
    """Yield a line about the places in reach of each force that is not `held`, in place of the whole map.

    Forces with the same places have one line. A place that a force cannot reach in this turn, but to which it
    can set out, is marked.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    ends: set[str] = set()
    for key, count in steps.items():
        most = count + better_weather(campaign)
        if key not in held and (places := places_in_reach(campaign, key, most)):
            facts = (
                f"{place_to_write(parser, place)} {far}{SETS_OUT * (far > most)}"
                for place, far in places.items()
            )
            groups.setdefault(tuple(facts), []).append(key)
            ends |= {*places}
    yield from [IN_REACH] if groups else []
    for reach, forces in groups.items():
        names = mid_sentence(listed(campaign.display_name(key) for key in forces))
        yield f"- in reach of {names}: {', '.join(reach)}"
    yield MAP_IS_KNOWN
    here = {campaign.forces[key].location or "" for key in steps}
    yield from terrain_lines(campaign, here | ends)


def better_weather(campaign: Campaign) -> int:
    """Return the number of steps that the weather of this turn, which is not drawn yet, can add at most."""
    weather = campaign.weather
    kinds = weather.table if weather and not weather.now else []
    return max([0, *(kind.movement for kind in kinds)])


def places_in_reach(campaign: Campaign, key: str, steps: int) -> dict[str, int]:
    """Return the number of steps to each end of a road that a force can use in this turn, the nearest first.

    An end that the force cannot reach in this turn can be more steps away than it has.
    """
    force, roads = campaign.forces[key], campaign.roads
    here = force.location or ""
    starts = {here: force.walked}
    if force.towards:
        starts[force.towards] = roads.length(here, force.towards) - force.walked
    far: dict[str, int] = {}
    for start, walked in starts.items():
        for place, (distance, _) in roads.distances(start).items():
            far[place] = min(walked + distance, far.get(place, walked + distance))
    ends = {end for place in far if far[place] < steps for end in (place, *roads.neighbours.get(place, ()))}
    ends |= {*starts} if force.towards and steps else set()
    places = sorted((far[end], str(campaign.location_name(end)), end) for end in ends if far[end])
    return {end: distance for distance, _, end in places}


def place_to_write(parser: OrderParser, place: str) -> str:
    """Return the name of a place if orders can have it, or otherwise its key and name."""
    return named(parser.campaign, "locations", place, is_plain=parser.is_plain_place(place))


def terrain_lines(campaign: Campaign, ends: Collection[str]) -> Iterator[str]:
    """Yield lines about the terrain of these places, and about its effects in battles."""
    places = [key for key in campaign.locations if key in ends]
    terrain = {key: campaign.locations[key].terrain for key in places}
    facts = [f"{campaign.location_name(key)} ({terrain[key]})" for key in places if terrain[key]]
    yield from [TERRAIN.format(", ".join(facts))] if facts else []
    yield from battle_effects(campaign, places)


def battle_effects(campaign: Campaign, places: Iterable[str]) -> Iterator[str]:
    """Yield a line for each rule set about what these places' terrain and the weather do in its battles.

    The umpire can choose the rule set of a battle, so that all rule sets with effects have a line. If the
    weather is not drawn yet, each kind of weather is named.
    """
    terrain = dict.fromkeys(name for key in places if (name := campaign.locations[key].terrain))
    effects = [(name, campaign.terrain[name]) for name in terrain]
    if weather := campaign.weather:
        effects += [(kind.name, kind.battle) for kind in weather.table if weather.now in (None, kind.name)]
    clauses: dict[str, list[str]] = {}
    for name, modifiers in effects:
        for rules, effect in modifiers.items():
            clauses.setdefault(rules, []).extend(effect_clauses(name, effect, ROLES))
    for rules, told in clauses.items():
        if told and not is_not_installed(rules):
            yield f"In {find(rules).name}: {'; '.join(told)}."


def is_near(campaign: Campaign, road: tuple[str, str], steps: Mapping[str, int]) -> bool:
    """Return True if a force can reach an end of a road within a few turns."""
    return any(is_place_near(campaign, end, steps) for end in road)


def is_place_near(campaign: Campaign, place: str, steps: Mapping[str, int]) -> bool:
    """Return True if a force can reach a place within a few turns."""
    for key, count in steps.items():
        far = campaign.roads.distances(campaign.forces[key].location or "")
        if place in far and far[place][0] <= TURNS_NEAR * count:
            return True
    return False


def named(campaign: Campaign, table: str, key: str, *, is_plain: bool) -> str:
    """Return the name of a force or place, behind its key unless the name alone is enough (`is_plain`)."""
    name = str(campaign.name_of(table, key))
    return name if is_plain else key if name.casefold() == key else f"{key} ({name})"
