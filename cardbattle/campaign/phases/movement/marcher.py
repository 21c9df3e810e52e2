"""A force on the march: its position, its path, and the outcome of its order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from cardbattle.campaign.state.tables.roads import Roads

RoadKey = tuple[str, str]  # the ends of a road, in the order of their keys


class Position(NamedTuple):
    """The position of a force: in a place, or on the road from one, `walked` steps towards another."""

    place: str
    towards: str = ""
    walked: int = 0

    @property
    def is_on_road(self) -> bool:
        """Whether it is between two places."""
        return self.walked > 0

    @property
    def ends(self) -> tuple[str, ...]:
        """The place, or both ends of the road."""
        return (self.place, self.towards) if self.is_on_road else (self.place,)


class Stretch(NamedTuple):
    """The part of a road that a force covers in a step: distances from the first end, before and after."""

    road: RoadKey
    before: int
    after: int


MARCHING, HALTED, FIGHTING = "marching", "halted", "fighting"


@dataclass
class Marcher:
    """A force during the movement of one turn.

    Attributes:
        key: of the force.
        faction: all forces of other factions are hostile.
        at: its position.
        path: the places ahead, in order; empty if it does not move.
        steps: the number of steps it has left in this turn.
        avoids: whether it withdraws from a contact if it can.
        is_pinned: whether a pending battle holds it: it cannot march and cannot withdraw.
        own: the places of its faction.
        state: MARCHING, HALTED for the rest of the turn, or FIGHTING.
        trail: the places it has left in this turn, the last one at the end.
        story: the events of its movement, a sentence each.

    """

    key: str
    faction: str
    at: Position
    path: list[str]
    steps: int
    avoids: bool = False
    is_pinned: bool = False
    own: frozenset[str] = frozenset()
    state: str = MARCHING
    is_cornered: bool = False
    trail: list[str] = field(default_factory=list)
    story: list[str] = field(default_factory=list)

    @property
    def is_moving(self) -> bool:
        """Whether it takes a step now."""
        return self.state == MARCHING and bool(self.path) and self.steps > 0

    @property
    def can_avoid(self) -> bool:
        """Whether it would still withdraw from an enemy."""
        return self.avoids and not self.is_pinned and not self.is_cornered and self.state != FIGHTING

    def next_position(self, roads: Roads) -> Position:
        """Return the position after the next step."""
        return step_from(self.at, self.path[0], roads)

    def arrive(self, position: Position) -> None:
        """Move to the position after a step."""
        if not self.at.is_on_road:
            self.trail.append(self.at.place)
        self.at = position
        if not position.is_on_road and self.path and position.place == self.path[0]:
            del self.path[0]

    def halt(self, why: str) -> None:
        """Stop for the rest of the turn."""
        self.state = HALTED
        self.path = []
        self.say(why)

    def say(self, words: str) -> None:
        """Add a sentence to its story, unless the story already has it."""
        if words not in self.story:
            self.story.append(words)


def step_from(at: Position, to: str, roads: Roads) -> Position:
    """Return the position one step from another on the way to an adjacent place."""
    if not at.is_on_road:
        return Position(to) if roads.length(at.place, to) == 1 else Position(at.place, to, 1)
    if to == at.place:
        return Position(at.place) if at.walked == 1 else at._replace(walked=at.walked - 1)
    is_there = at.walked + 1 == roads.length(at.place, at.towards)
    return Position(at.towards) if is_there else at._replace(walked=at.walked + 1)


def road_between(one: str, other: str) -> RoadKey:
    """Return the key of a road."""
    return (one, other) if one < other else (other, one)


def distance_on(road: RoadKey, at: Position, roads: Roads) -> int:
    """Return the distance of a position from the first end of a road.

    The position can be at either end.
    """
    walked = at.walked if at.is_on_road else 0
    return walked if at.place == road[0] else roads.length(*road) - walked


def stretch_of(before: Position, after: Position, roads: Roads) -> Stretch | None:
    """Return the part of a road that a force covers in a step, or its position if it does not move.

    Returns None if the force stays in a place.
    """
    on_road = before if before.is_on_road else after
    if on_road.is_on_road:
        road = road_between(on_road.place, on_road.towards)
    elif before.place != after.place:
        road = road_between(before.place, after.place)
    else:
        return None
    return Stretch(road, distance_on(road, before, roads), distance_on(road, after, roads))


def meet(one: Stretch, other: Stretch, length: int) -> bool:
    """Return True if two forces meet on a road of this length: they pass each other or reach the same point.

    >>> one, other = Stretch(("a", "b"), 0, 1), Stretch(("a", "b"), 1, 0)
    >>> meet(one, other, 1), meet(one, Stretch(("a", "b"), 2, 1), 2), meet(one, Stretch(("a", "b"), 3, 2), 3)
    (True, True, False)
    """
    before, after = one.before - other.before, one.after - other.after
    if before == 0:
        return False
    return before * after < 0 or (after == 0 and 0 < one.after < length)
