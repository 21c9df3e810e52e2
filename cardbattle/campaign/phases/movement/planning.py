"""Compute each force's path from the campaign and its orders (steps 1 and 2 of `docs/movement.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from cardbattle.campaign.phases.movement.marcher import Marcher, Position, is_same_point, step_from
from cardbattle.campaign.state.model import Campaign, Force
from cardbattle.campaign.state.tables.march_orders import (
    HOLD,
    IN_BATTLE,
    IN_CIRCLE,
    JOIN,
    MARCH,
    NO_ROAD,
    NOT_THERE,
    OFF_PATH,
    UNSEEN,
    WEATHER,
    MarchOrder,
    parse_order,
)
from cardbattle.campaign.state.tables.roads import Roads
from cardbattle.campaign.visibility.reader import allies_in_sight
from cardbattle.core.grammar import with_verb
from cardbattle.core.names import listed


class Unfit(Exception):
    """Raised if a force cannot carry out an order from its position.

    The message gives the reason. `failure` is the kind of reason, one of `march_orders.UNFIT`.
    """

    def __init__(self, failure: str, text: str) -> None:
        super().__init__(text)
        self.failure = failure


class Plan(NamedTuple):
    """The forces that take part in the movement of a turn, and the valid orders."""

    marchers: list[Marcher]
    orders: Mapping[str, MarchOrder]


def plan_movement(campaign: Campaign) -> Plan:
    """Return each force that has a position, with the path of its order.

    A force without an order continues an unfinished march, or holds if it has none. A force in a pending
    battle holds. A force that cannot carry out its order also holds, and its story gives the reason.
    """
    orders = orders_that_count(campaign)
    planner = Planner(campaign, orders)
    return Plan([planner.marcher(key) for key in campaign.forces if is_placed(campaign, key)], orders)


def is_placed(campaign: Campaign, key: str) -> bool:
    """Return True if a force has a position and is not destroyed."""
    force = campaign.forces[key]
    return force.location is not None and not force.destroyed


def orders_that_count(campaign: Campaign) -> dict[str, MarchOrder]:
    """Return a dict from the keys of forces to their orders.

    The order of a force is its new order, or its unfinished march if it has no new order. Forces without
    either are left out.
    """
    texts = {key: force.march for key, force in campaign.forces.items() if force.march}
    given = {key: parse_order(text) for key, text in campaign.orders.items()}
    moving = {key: order for key, order in given.items() if order.verb}
    return {key: parse_order(text) for key, text in texts.items()} | moving


def position_of(force: Force) -> Position:
    assert force.location is not None
    return Position(force.location, force.towards or "", force.walked)


def steps_of(campaign: Campaign, force: Force) -> int:
    """Return the number of steps that a force has in this turn.

    The number is the force's pace, or the campaign's allowance if the force has no pace. The weather can
    change it.
    """
    return max(pace_of(campaign, force) + weather_steps(campaign), 0)


def pace_of(campaign: Campaign, force: Force) -> int:
    assert campaign.movement is not None
    return campaign.movement.allowance if force.pace is None else force.pace


def weather_steps(campaign: Campaign) -> int:
    """Return the number of steps that the current weather adds to every force. It can be negative."""
    kind = campaign.weather.kind(None) if campaign.weather else None
    return kind.movement if kind else 0


class Planner:
    """Computes the paths of forces from their orders."""

    def __init__(self, campaign: Campaign, orders: Mapping[str, MarchOrder]) -> None:
        self.campaign = campaign
        self.orders = orders
        self.roads = campaign.roads
        self.place_name = campaign.location_name
        self.battles = {
            force: battle.id for battle in campaign.pending for side in battle.sides for force in side
        }
        self.own: dict[str, set[str]] = {}
        for key, place in campaign.locations.items():
            self.own.setdefault(place.owner or "", set()).add(key)

    def marcher(self, key: str) -> Marcher:
        """Return a force with the path of its order."""
        force = self.campaign.forces[key]
        order = self.orders.get(key, MarchOrder(HOLD))
        marcher = Marcher(
            key,
            force.faction,
            position_of(force),
            [],
            steps_of(self.campaign, force),
            order.avoids,
            key in self.battles,
            frozenset(self.own.get(force.faction, ())),
        )
        try:
            marcher.path = self.path(key, [])
            if marcher.path and marcher.steps == 0 < pace_of(self.campaign, force):
                marcher.say("cannot march in this weather")
                marcher.failure = WEATHER
        except Unfit as unfit:
            marcher.say(f"holds: {unfit}")
            marcher.failure = unfit.failure
        return marcher

    def path(self, key: str, joining: list[str]) -> list[str]:
        """Return the places ahead of a force.

        `joining` is the chain of forces that join each other and lead to this force. Raises Unfit if the
        force cannot carry out its order.
        """
        order = self.orders.get(key, MarchOrder(HOLD))
        if order.verb == HOLD:
            return []
        if key in self.battles:
            raise Unfit(IN_BATTLE, f"it fights in the pending battle {self.battles[key]}")
        at = position_of(self.campaign.forces[key])
        if order.verb == JOIN:
            return self.way(at, self.meeting_place(key, order.joined, joining))
        if order.verb == MARCH:
            return self.way(at, order.keys[0])
        return self.path_from(at, order.keys)

    def meeting_place(self, key: str, joined: str, joining: list[str]) -> str:
        """Return the place where a force will end the turn. If this is on a road, return the next place.

        An ally whose own order to join fails stays where it is, and its friends do not learn that order.
        """
        if joined in [*joining, key]:
            raise Unfit(
                IN_CIRCLE, f"{listed(map(self.campaign.display_name, [*joining, key]))} join each other"
            )
        faction = self.campaign.forces[key].faction
        is_own = self.campaign.forces[joined].faction == faction
        if not is_own and joined not in allies_in_sight(self.campaign, faction):
            raise Unfit(
                UNSEEN, f"{with_verb(self.campaign.display_name(joined), 'is|are')} not an ally in sight"
            )
        if not is_placed(self.campaign, joined):
            raise Unfit(
                NOT_THERE, f"{with_verb(self.campaign.display_name(joined), 'is|are')} not on the map"
            )
        force = self.campaign.forces[joined]
        try:
            path = self.path(joined, [*joining, key])
        except Unfit as unfit:
            is_join = self.orders[joined].verb == JOIN and joined not in self.battles
            if is_join and (is_own or unfit.failure == IN_CIRCLE):
                raise
            path = []
        return end_of_turn(position_of(force), path, steps_of(self.campaign, force), self.roads)

    def way(self, at: Position, to: str) -> list[str]:
        """Return the shortest way from a position to a place.

        On a road, the way ahead is taken if the way back is equally short.
        """
        if not at.is_on_road:
            way = self.roads.way(at.place, to)
            if way is None:
                raise Unfit(
                    NO_ROAD, f"no road leads from {self.place_name(at.place)} to {self.place_name(to)}"
                )
            return way
        length = self.roads.length(at.place, at.towards)
        ahead, back = self.roads.distance(at.towards, to), self.roads.distance(at.place, to)
        if ahead is None or back is None:
            raise Unfit(NO_ROAD, f"no road leads to {self.place_name(to)}")
        end = at.towards if ahead + length - at.walked <= back + at.walked else at.place
        return [end, *(self.roads.way(end, to) or [])]

    def path_from(self, at: Position, places: tuple[str, ...]) -> list[str]:
        """Return the places ahead on the path of an order. The order also names the place where it begins.

        Raises Unfit if the path begins at another place, or if no road joins two of its places.
        """
        if places[0] not in at.ends:
            ends = " - ".join(map(self.place_name, at.ends))
            here = f"on the road {ends}" if at.is_on_road else f"at {ends}"
            raise Unfit(
                OFF_PATH, f"its order begins at {self.place_name(places[0])}, but the force is {here}"
            )
        for start, end in pairwise(places):
            if not self.roads.length(start, end):
                raise Unfit(NO_ROAD, f"no road leads from {self.place_name(start)} to {self.place_name(end)}")
        if not at.is_on_road or places[1] in at.ends:
            return list(places[1:])
        return list(places)


def enemies_on_way(campaign: Campaign, key: str) -> list[str]:
    """Return the places with enemies through which a force would march that does not name them.

    A path names all its places. An order to march or to join another force does not, so that the shortest
    way can lead past enemies. To return only what a player knows, `campaign` is what the player can see.
    """
    orders = orders_that_count(campaign)
    if not is_placed(campaign, key) or orders.get(key, MarchOrder(HOLD)).verb not in (MARCH, JOIN):
        return []
    try:
        path = Planner(campaign, orders).path(key, [])
    except Unfit:
        return []
    faction = campaign.forces[key].faction
    held = {
        force.location
        for force in campaign.forces.values()
        if not (force.destroyed or force.towards) and campaign.are_enemies(faction, force.faction)
    }
    return [place for place in path[:-1] if place in held]


def end_of_turn(at: Position, path: list[str], steps: int, roads: Roads) -> str:
    """Return the place where a path ends after this number of steps.

    If the path ends on a road, return the next place.
    """
    left = list(path)
    for _ in range(steps):
        if not left:
            break
        at = step_from(at, left[0], roads)
        if at == Position(left[0]):
            del left[0]
    if at.is_on_road:
        return left[0] if left else at.place
    return at.place


def unfinished(marcher: Marcher, order: MarchOrder, joined: Marcher | None, roads: Roads) -> str | None:
    """Return the order that a force continues in the next turn, or None if it is completed or void."""
    if order.verb == JOIN:
        is_there = joined is None or is_same_point(joined.at, marcher.at, roads)
        return None if is_there or marcher.state != "marching" or marcher.is_pinned else str(order)
    if not marcher.is_under_way:
        return None
    if order.verb == MARCH:
        return str(order)
    at, ahead = marcher.at, marcher.path
    start = [end for end in at.ends if end != ahead[0]] if at.is_on_road else [at.place]
    return str(order._replace(keys=(*start, *ahead)))
