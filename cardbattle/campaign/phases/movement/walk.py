"""Move all forces at the same time, step by step, until each force has stopped or fights.

The numbers in the docstrings are those of the steps in `docs/movement.md`. The result does not depend on the
order of forces or orders. Where one force must come before another, a random order from the campaign's seed
decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from operator import ne
from typing import NamedTuple

from cardbattle.campaign.phases.movement.marcher import (
    FIGHTING,
    Marcher,
    Position,
    RoadKey,
    Stretch,
    distance_on,
    is_same_point,
    meet,
    road_between,
    stretch_of,
)
from cardbattle.campaign.state.tables.march_orders import CORNERED, CROWDED
from cardbattle.campaign.state.tables.roads import Roads
from cardbattle.core.names import listed
from cardbattle.core.telling import counted


class Terms(NamedTuple):
    """The campaign's rules of movement.

    Attributes:
        roads: all roads.
        meets_on_roads: True if hostile forces meet on roads too, not only in places.
        stacking: the maximum number of friendly forces in a place, or 0 for no limit.
        ranks: the number of each force in a random order, which decides ties.
        place_ranks: the number of each location in a random order, which decides ties.
        are_enemies: returns True if two factions are not at peace.
        force_name: returns the name of a force, for the reasons.
        place_name: returns the name of a place, for the reasons.

    """

    roads: Roads
    meets_on_roads: bool
    stacking: int
    ranks: Mapping[str, int]
    place_ranks: Mapping[str, int]
    are_enemies: Callable[[str, str], bool] = ne
    force_name: Callable[[str], str] = str
    place_name: Callable[[str], str] = str

    def named(self, forces: Collection[str]) -> str:
        return listed(map(self.force_name, sorted(forces)))

    def where(self, meeting: Meeting) -> str:
        """Describe where forces met."""
        if meeting.road is not None:
            return f"on the road between {listed(map(self.place_name, meeting.road))}"
        return f"at {self.place_name(meeting.place)}"


class Meeting(NamedTuple):
    """Forces that have met in one step, in a place or on a road.

    `movers` are the forces that moved in this step. `parts` are the meetings that became this one because
    they share forces. The list is empty for a single meeting.
    """

    forces: frozenset[str]
    movers: frozenset[str]
    place: str = ""
    road: RoadKey | None = None
    parts: tuple[Meeting, ...] = ()

    @property
    def standing(self) -> frozenset[str]:
        """The forces that were at the place or on the road of the battle before the others came."""
        here = [part for part in self.parts or (self,) if (part.place, part.road) == (self.place, self.road)]
        movers = frozenset().union(*(part.movers for part in here))
        return frozenset().union(*(part.forces for part in here)) - movers


class Walk:
    """The movement of one turn. The method `walk` carries it out and sets `meetings`."""

    def __init__(self, marchers: Sequence[Marcher], terms: Terms) -> None:
        self.marchers = sorted(marchers, key=lambda marcher: terms.ranks[marcher.key])
        self.by_key = {marcher.key: marcher for marcher in marchers}
        self.terms = terms
        self.meetings: list[Meeting] = []
        self.goals: dict[str, Position] = {}  # the forces that take this step

    def walk(self) -> list[Meeting]:
        """Let every force take its steps, and return the meetings (steps 3 to 8)."""
        while any(marcher.is_moving for marcher in self.marchers):
            self.take_step()
        return self.meetings

    def take_step(self) -> None:
        """Let every marching force take one step (step 3), or stop if its way is blocked."""
        movers = [marcher for marcher in self.marchers if marcher.is_moving]
        for marcher in self.marchers:
            marcher.is_cornered = False
        self.goals = {marcher.key: marcher.next_position(self.terms.roads) for marcher in movers}
        while self.bounce() or self.meet_on_roads():
            pass
        while self.avoid_in_places():
            pass
        meetings = [*self.meetings_in_places()]
        for marcher in movers:
            marcher.steps -= 1 if marcher.steps else 0
            if marcher.key in self.goals:
                marcher.arrive(self.goals[marcher.key])
        for meeting in meetings:
            self.begin_fight(meeting)

    # Where forces are

    def end(self, marcher: Marcher) -> Position:
        """Return the position of a force after this step, or its current one if this is not decided yet."""
        return self.goals.get(marcher.key, marcher.at)

    def touches(self, marcher: Marcher, place: str) -> bool:
        """Return True if a force is in a place before or after this step."""
        return Position(place) in (marcher.at, self.end(marcher))

    def enemies_at(self, marcher: Marcher, place: str) -> bool:
        """Return True if an enemy of a force is in a place before or after this step."""
        return any(
            self.are_enemies(marcher, other) and self.touches(other, place) for other in self.around(place)
        )

    def are_enemies(self, first: Marcher, second: Marcher) -> bool:
        return self.terms.are_enemies(first.faction, second.faction)

    def with_enemies(self, forces: Sequence[Marcher]) -> list[Marcher]:
        return [marcher for marcher in forces if any(self.are_enemies(marcher, other) for other in forces)]

    def around(self, place: str) -> Iterator[Marcher]:
        """Yield the forces that can be in a place in this step."""
        return (marcher for marcher in self.marchers if place in (marcher.at.place, self.end(marcher).place))

    def has_room(self, marcher: Marcher, place: str) -> bool:
        """Return True if a place can hold one more force of this faction in this step."""
        friends = sum(
            other is not marcher and other.faction == marcher.faction and self.touches(other, place)
            for other in self.around(place)
        )
        return not self.terms.stacking or friends < self.terms.stacking

    # 4: stacking

    def bounce(self) -> bool:
        """Stop forces before places that are full of friends (step 4). Return True if a force stopped."""
        if not self.terms.stacking:
            return False
        standing = Counter(
            (marcher.faction, marcher.at.place)
            for marcher in self.marchers
            if marcher.key not in self.goals and not marcher.at.is_on_road
        )
        bounced = False
        for marcher in [marcher for marcher in self.marchers if marcher.key in self.goals]:
            goal = self.goals[marcher.key]
            if goal.is_on_road:
                continue
            if standing[marcher.faction, goal.place] >= self.terms.stacking:
                del self.goals[marcher.key]
                full = counted(self.terms.stacking, "friendly force")
                marcher.say(f"waits before {self.terms.place_name(goal.place)}, which holds {full}")
                marcher.failure = CROWDED
                bounced = True
            else:
                standing[marcher.faction, goal.place] += 1
        return bounced

    # 5: meetings on roads

    def meet_on_roads(self) -> bool:
        """Let hostile forces meet on roads (step 5), or withdraw (step 6).

        Return True if a force did either.
        """
        if not self.terms.meets_on_roads:
            return False
        pairs = list(self.pairs_on_roads())
        hostile = hostile_of(pairs)
        for marcher in self.in_turn():
            if marcher.key in hostile and marcher.can_avoid and self.avoid(marcher, hostile[marcher.key]):
                return True
        for road, one, other in pairs:
            both = frozenset((one.key, other.key))
            self.begin_fight(Meeting(both, both.intersection(self.goals), road=road))
        for key in hostile:
            self.goals.pop(key, None)
        return bool(hostile)

    def pairs_on_roads(self) -> Iterator[tuple[RoadKey, Marcher, Marcher]]:
        """Yield the road and the two forces for each meeting of hostile forces on a road in this step.

        At least one of the two forces moves.
        """
        by_road: dict[RoadKey, list[tuple[Marcher, Stretch]]] = {}
        for marcher in self.marchers:
            stretch = stretch_of(marcher.at, self.end(marcher), self.terms.roads)
            if stretch is not None:
                by_road.setdefault(stretch.road, []).append((marcher, stretch))
        for road, walkers in by_road.items():
            length = self.terms.roads.length(*road)
            for (one, first), (other, second) in combinations(walkers, 2):
                if self.are_enemies(one, other) and meet(first, second, length):
                    yield road, one, other

    # 6: avoiding battle

    def in_turn(self) -> list[Marcher]:
        """Return the forces in the order in which they withdraw. Marching forces come first."""
        return sorted(self.marchers, key=lambda marcher: marcher.key not in self.goals)

    def avoid(self, marcher: Marcher, enemies: Collection[str]) -> bool:
        """Let a force withdraw from `enemies` if a free place lies behind the force (step 6).

        Return True if the force withdrew.
        """
        if marcher.key in self.goals and self.can_turn_back(marcher):
            del self.goals[marcher.key]
            marcher.stop(enemies, f"stops before {self.terms.named(enemies)}, to avoid battle")
            return True
        ways = sorted(
            (not_back, not_own, cost, self.terms.place_ranks[place], place)
            for place, cost, why in self.ways(marcher)
            if not why
            for not_back in (place != marcher.last_place,)
            for not_own in (place not in marcher.own,)
        )
        if not ways:
            marcher.is_cornered = True
            obstacles = listed(why for _, _, why in self.ways(marcher)) or "no road leads away"
            why = obstacles if marcher.steps else "it has no steps left"
            marcher.say(f"cannot avoid {self.terms.named(enemies)}: {why}")
            return False
        cost, place = ways[0][2], ways[0][4]
        self.goals.pop(marcher.key, None)
        marcher.steps -= cost
        why = f"withdraws from {self.terms.named(enemies)} to {self.terms.place_name(place)}"
        marcher.withdraw(enemies, place, why)
        return True

    def can_turn_back(self, marcher: Marcher) -> bool:
        """Return True if a force can stay where it is instead of taking this step.

        It cannot stay if an enemy comes there in this step, unless it is on a road and forces do not meet on
        roads. It cannot stay in a place that friends fill in this step. Forces that are already there do not
        matter.
        """
        at, roads = marcher.at, self.terms.roads
        if at.is_on_road and not self.terms.meets_on_roads:
            return True
        coming = [self.by_key[key] for key, goal in self.goals.items() if is_same_point(goal, at, roads)]
        if any(self.are_enemies(marcher, other) for other in coming):
            return False
        if at.is_on_road or not any(other.faction == marcher.faction for other in coming):
            return True
        friends = sum(
            other is not marcher and other.faction == marcher.faction and self.end(other) == at
            for other in self.around(at.place)
        )
        return not self.terms.stacking or friends < self.terms.stacking

    def ways(self, marcher: Marcher) -> Iterator[tuple[str, int, str]]:
        """Yield each place over one road, the steps to it, and why the force cannot withdraw there, or ""."""
        at, roads = marcher.at, self.terms.roads
        if at.is_on_road:
            left = roads.length(at.place, at.towards) - at.walked
            ends = {at.place: at.walked, at.towards: left}
        else:
            ends = dict(roads.neighbours.get(at.place, {}))
        for place, cost in ends.items():
            yield place, cost, self.obstacle(marcher, place, cost)

    def obstacle(self, marcher: Marcher, place: str, cost: int) -> str:
        """Return the reason why a force cannot withdraw to a place in `cost` steps, or "" if it can."""
        name = self.terms.place_name(place)
        if cost > marcher.steps:
            return f"{name} is too far away"
        if self.enemies_at(marcher, place):
            return f"{name} is not free of enemies in this step"
        if not self.has_room(marcher, place):
            return f"{name} has no room"
        return f"an enemy is on the road to {name}" if self.is_barred(marcher, place) else ""

    def is_barred(self, marcher: Marcher, place: str) -> bool:
        """Return True if an enemy is on the road between a force and a place in this step."""
        at, roads = marcher.at, self.terms.roads
        road = road_between(at.place, at.towards if at.is_on_road else place)
        here, there = distance_on(road, at, roads), distance_on(road, Position(place), roads)
        for stretch in self.enemies_on(marcher, road):
            low, high = sorted((stretch.before, stretch.after))
            if (low < here and high >= there) if there < here else (high > here and low <= there):
                return True
        return False

    def enemies_on(self, marcher: Marcher, road: RoadKey) -> Iterator[Stretch]:
        """Yield the parts of a road that enemies of a force cover in this step."""
        for other in self.marchers:
            if self.are_enemies(marcher, other):
                stretch = stretch_of(other.at, self.end(other), self.terms.roads)
                if stretch is not None and stretch.road == road:
                    yield stretch

    # 7: meetings in places

    def contested(self) -> dict[str, list[Marcher]]:
        """Return a dict from the places that an enemy enters in this step to the hostile forces there."""
        entered = {goal.place for goal in self.goals.values() if not goal.is_on_road}
        inside: dict[str, list[Marcher]] = {place: [] for place in sorted(entered)}
        for marcher in self.marchers:
            end = self.end(marcher)
            if not end.is_on_road and end.place in inside:
                inside[end.place].append(marcher)
        hostile = {place: self.with_enemies(forces) for place, forces in inside.items()}
        return {
            place: forces
            for place, forces in hostile.items()
            if any(marcher.key in self.goals for marcher in forces)
        }

    def avoid_in_places(self) -> bool:
        """Let one force withdraw from a place where enemies meet (step 6).

        Return True if a force withdrew.
        """
        contested = self.contested()
        place_of = {marcher.key: place for place, forces in contested.items() for marcher in forces}
        for marcher in self.in_turn():
            if marcher.key in place_of and marcher.can_avoid:
                forces = contested[place_of[marcher.key]]
                enemies = [other.key for other in forces if self.are_enemies(marcher, other)]
                if self.avoid(marcher, enemies):
                    return True
        return False

    def meetings_in_places(self) -> Iterator[Meeting]:
        """Yield the meetings in places (step 7)."""
        for place, forces in self.contested().items():
            keys = frozenset(marcher.key for marcher in forces)
            yield Meeting(keys, keys.intersection(self.goals), place)

    def begin_fight(self, meeting: Meeting) -> None:
        """Stop the forces that meet, and let them fight (step 8)."""
        self.meetings.append(meeting)
        for key in meeting.forces:
            marcher = self.by_key[key]
            enemies = [
                other for other in sorted(meeting.forces) if self.are_enemies(marcher, self.by_key[other])
            ]
            marcher.say(f"meets {self.terms.named(enemies)} {self.terms.where(meeting)}")
            marcher.state = FIGHTING
            if marcher.is_cornered:
                marcher.failure = CORNERED


def hostile_of(pairs: Sequence[tuple[RoadKey, Marcher, Marcher]]) -> dict[str, set[str]]:
    """Return a dict from forces to the enemies that they meet."""
    hostile: dict[str, set[str]] = {}
    for _, first, second in pairs:
        hostile.setdefault(first.key, set()).add(second.key)
        hostile.setdefault(second.key, set()).add(first.key)
    return hostile


def merged(meetings: Sequence[Meeting]) -> list[Meeting]:
    """Merge meetings that share a force (step 8), because a force fights only one battle in a turn.

    If meetings in several places are merged, the first place counts. A place comes before a road.
    """
    groups: list[Meeting] = []
    for meeting in meetings:
        sharing = [group for group in groups if group.forces & meeting.forces]
        joined = [*sharing, meeting]
        places = [group.place for group in joined if group.place]
        roads = [group.road for group in joined if group.road]
        whole = Meeting(
            frozenset().union(*(group.forces for group in joined)),
            frozenset().union(*(group.movers for group in joined)),
            places[0] if places else "",
            roads[0] if roads and not places else None,
            tuple(part for group in joined for part in group.parts or (group,)),
        )
        groups = [group for group in groups if group not in sharing] + [whole]
    return groups
