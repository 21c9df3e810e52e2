"""A force on the march, with its position, its path and the outcome of its order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from cardbattle.campaign.state.tables.march_orders import STOPPED, WITHDREW, Avoidance
from cardbattle.campaign.state.tables.roads import Roads

RoadKey = tuple[str, str]  # the ends of a road, in the order of their keys


class Position(NamedTuple):
    """The position of a force, in a place or on a road.

    On a road, the force is `walked` steps away from `place`, on the way to `towards`.
    """

    place: str
    towards: str = ""
    walked: int = 0

    @property
    def is_on_road(self) -> bool:
        """Whether the position is between two places."""
        return self.walked > 0

    @property
    def ends(self) -> tuple[str, ...]:
        """The place of the force. On a road, both ends of the road."""
        return (self.place, self.towards) if self.is_on_road else (self.place,)


class Stretch(NamedTuple):
    """The part of a road that a force covers in a step.

    The two numbers are the distances of the force from the first end of the road, before and after the step.
    """

    road: RoadKey
    before: int
    after: int


MARCHING, HALTED, FIGHTING = "marching", "halted", "fighting"


@dataclass
class Marcher:
    """A force during the movement of one turn.

    Attributes:
        key: the key of the force.
        faction: the faction of the force. All forces of other factions are hostile.
        at: the position of the force.
        path: the places ahead, in order. The path is empty if the force does not move.
        steps: the number of steps that the force has left in this turn.
        avoids: True if the force withdraws from contacts whenever possible.
        is_pinned: True if a pending battle holds the force, so that it cannot march or withdraw.
        own: the places of the force's faction.
        state: MARCHING, HALTED for the rest of the turn, or FIGHTING.
        trail: the places that the force has left in this turn, in order.
        last_place: the place that the force has left last, also in an earlier turn if it is on a road, or "".
        came_from: where the last road began that brought the force to a place in this turn, or "".
        story: sentences about the events of the movement, for the umpire.
        avoided: the enemies that the force has avoided in this turn.
        withdrew_from: the place from which it withdrew first, or "".
        failure: why the force did not carry out its order, one of `march_orders.FAILURES`, or "".

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
    last_place: str = ""
    came_from: str = ""
    story: list[str] = field(default_factory=list)
    avoided: list[str] = field(default_factory=list)
    withdrew_from: str = ""
    failure: str = ""

    def __post_init__(self) -> None:
        if self.at.is_on_road:
            self.last_place = self.at.place

    @property
    def is_under_way(self) -> bool:
        """Whether the force has not reached the end of its path, and nothing has stopped it for the turn."""
        return self.state == MARCHING and bool(self.path)

    @property
    def is_moving(self) -> bool:
        """Whether the force takes a step now."""
        return self.is_under_way and self.steps > 0

    @property
    def can_avoid(self) -> bool:
        """Whether the force can withdraw.

        The force must have the order to avoid battle, and it must not be pinned, cornered or fighting.
        """
        return self.avoids and not self.is_pinned and not self.is_cornered and self.state != FIGHTING

    def next_position(self, roads: Roads) -> Position:
        return step_from(self.at, self.path[0], roads)

    def arrive(self, position: Position) -> None:
        """Move to a position at the end of a step."""
        if not self.at.is_on_road:
            self.leave()
        self.go_to(position)
        if not position.is_on_road and self.path and position.place == self.path[0]:
            del self.path[0]

    def leave(self) -> None:
        """Note the place of the force, or the last one before its road, as one that it has left."""
        self.trail.append(self.at.place)
        self.last_place = self.at.place

    def go_to(self, position: Position) -> None:
        """Move to a position on the same road, or at one of its ends."""
        if not position.is_on_road:
            self.came_from = next(end for end in self.at.ends if end != position.place)
        self.at = position

    def stop(self, enemies: Iterable[str], why: str) -> None:
        """Stop for the rest of the turn, to avoid battle with these enemies."""
        self.state = HALTED
        self.path = []
        self.failure = STOPPED
        self.avoided = sorted({*self.avoided, *enemies})
        self.say(why)

    def withdraw(self, enemies: Iterable[str], place: str, why: str) -> None:
        """Withdraw to a place for the rest of the turn, to avoid battle with these enemies."""
        if self.failure != WITHDREW:
            self.withdrew_from = "" if self.at.is_on_road else self.at.place
        self.leave()
        self.go_to(Position(place))
        self.stop(enemies, why)
        self.failure = WITHDREW

    @property
    def failure_note(self) -> str:
        """Why the force did not carry out its order, for `march_orders.note_of`."""
        if self.failure not in (STOPPED, WITHDREW):
            return self.failure
        end = "" if self.at.is_on_road else self.at.place
        return str(Avoidance(self.failure, self.withdrew_from, end, tuple(self.avoided)))

    def say(self, note: str) -> None:
        """Add a sentence to the force's story if the story does not have it yet."""
        if note not in self.story:
            self.story.append(note)


def step_from(at: Position, to: str, roads: Roads) -> Position:
    """Return the position one step after `at` on the way to the adjacent place `to`."""
    if not at.is_on_road:
        return Position(to) if roads.length(at.place, to) == 1 else Position(at.place, to, 1)
    if to == at.place:
        return Position(at.place) if at.walked == 1 else at._replace(walked=at.walked - 1)
    is_there = at.walked + 1 == roads.length(at.place, at.towards)
    return Position(at.towards) if is_there else at._replace(walked=at.walked + 1)


def road_between(first: str, second: str) -> RoadKey:
    return (first, second) if first < second else (second, first)


def distance_on(road: RoadKey, at: Position, roads: Roads) -> int:
    """Return the distance of a position from the first end of a road. The position can be at either end."""
    walked = at.walked if at.is_on_road else 0
    return walked if at.place == road[0] else roads.length(*road) - walked


def is_same_point(first: Position, second: Position, roads: Roads) -> bool:
    """Return True if two positions are the same, also if each is measured from another end of the road."""
    if not first.is_on_road or first.place == second.place:
        return first == second
    there = Position(first.towards, first.place, roads.length(first.place, first.towards) - first.walked)
    return second == there


def stretch_of(before: Position, after: Position, roads: Roads) -> Stretch | None:
    """Return the part of a road that a force covers in a step.

    If the force stays on the road, the part is a single point. Returns None if the force stays in a place.
    """
    on_road = before if before.is_on_road else after
    if on_road.is_on_road:
        road = road_between(on_road.place, on_road.towards)
    elif before.place != after.place:
        road = road_between(before.place, after.place)
    else:
        return None
    return Stretch(road, distance_on(road, before, roads), distance_on(road, after, roads))


def meet(first: Stretch, second: Stretch, length: int) -> bool:
    """Return True if two forces meet on a road of this length.

    Forces meet if they pass each other, or if they reach the same point of the road.

    >>> one, other = Stretch(("a", "b"), 0, 1), Stretch(("a", "b"), 1, 0)
    >>> meet(one, other, 1), meet(one, Stretch(("a", "b"), 2, 1), 2), meet(one, Stretch(("a", "b"), 3, 2), 3)
    (True, True, False)
    """
    before, after = first.before - second.before, first.after - second.after
    if before == 0:
        return False
    return before * after < 0 or (after == 0 and 0 < first.after < length)
