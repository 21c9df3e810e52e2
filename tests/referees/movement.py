"""A second referee of movement, written from docs/movement.md alone: where forces go, and who fights whom.

Where the page leaves something to a draw, `outcomes` follows every draw. The numbers are those of its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from tests.referees.roads import Data, NoWayError, Point, Roads

Side = frozenset[str]
Battle = tuple[str, frozenset[Side], Side | None]  # the place, or the road as `one-other`; sides; defender
Result = tuple[frozenset[tuple[str, Point]], frozenset[Battle], frozenset[tuple[str, str]]]
Meeting = tuple[str, set[str]]  # the place, or the road as `one-other`, and the forces
MOST = 300  # outcomes of one campaign


class CircleError(NoWayError):
    """Forces join each other."""


class TooManyDrawsError(Exception):
    """A campaign has too many draws to follow them all."""


class Contact(NamedTuple):
    """Forces that meet, and those of them that come there in this step."""

    where: str
    forces: Side
    movers: Side


class Force:
    """A force on the map, with its order and the steps that it has left."""

    def __init__(self, key: str, data: Data, roads: Roads) -> None:
        table, weather = data["forces"][key], data.get("weather", {})
        self.key, self.faction, self.strength = key, table["faction"], table["strength"]
        self.place: str = table["location"]  # on a road, the place that it left
        self.at: Point = (self.place, "", 0)
        self.last: str | None = None  # the place that it left last
        self.ahead: str | None = table.get("towards")
        if self.ahead:
            self.at = roads.point(table["location"], self.ahead, table["walked"])
            self.last = table["location"]
        rows = [row for row in weather.get("table", []) if row["name"] == weather.get("now")]
        change = sum(row.get("movement", 0) for row in rows)
        self.steps = max(0, table.get("pace", data["movement"]["allowance"]) + change)  # rule 2
        order = data.get("orders", {}).get(key) or table.get("march") or "hold"
        self.avoids = order.endswith(", avoid battle")
        self.order = order.removesuffix(", avoid battle")
        self.way: list[str] = []
        self.is_fighting = self.has_avoided = False


class Referee:
    """The movement of one turn."""

    def __init__(self, data: Data, choose: Callable[[Sequence[Any]], Any]) -> None:
        self.data, self.choose, self.roads = data, choose, Roads(data)
        self.forces = {
            key: Force(key, data, self.roads)
            for key, table in data["forces"].items()
            if table.get("location") and not table.get("destroyed")
        }
        sides = [side for battle in data.get("pending", []) for side in battle["sides"]]
        self.pinned = {key for side in sides for key in ([side] if isinstance(side, str) else side)}
        self.stacking: int | None = data["movement"].get("stacking")
        self.meets_on_roads = data["movement"].get("contact") != "place"
        self.contacts: list[Contact] = []
        ways = {key: self.way_of(force) for key, force in self.forces.items()}
        for key, way in ways.items():
            self.forces[key].way = way

    def result(self) -> Result:
        """Return where each force is at the end, the battles, and the forces whose march goes on."""
        while any(force.way and force.steps for force in self.forces.values()):
            self.step()
        places = frozenset((key, force.at) for key, force in self.forces.items())
        return places, frozenset(self.battles()), frozenset(self.marches())

    def hostile(self, one: str, other: str) -> bool:
        mine, theirs = self.forces[one].faction, self.forces[other].faction
        peace = {faction: table.get("peace", []) for faction, table in self.data["factions"].items()}
        return mine != theirs and theirs not in peace[mine] and mine not in peace[theirs]

    def with_enemies(self, keys: Collection[str]) -> set[str]:
        return {key for key in keys if any(self.hostile(key, other) for other in keys)}

    # Rule 1

    def way_of(self, force: Force) -> list[str]:
        """Return the places of the way that a force takes by its order; no place if it holds."""
        if force.key in self.pinned or force.order == "hold":
            return []
        try:
            if self.joined_by(force):
                return self.join(force, ())
            if force.order.startswith("march to "):
                return self.roads.shortest(force.at, force.order.removeprefix("march to "), force.ahead)
            return self.follow(force.at, force.order.split(" -> "))
        except NoWayError:
            return []

    def follow(self, at: Point, path: list[str]) -> list[str]:
        has_roads = all(end in self.roads.lengths[start] for start, end in pairwise(path))
        if not has_roads or path[0] not in at[:2]:
            raise NoWayError
        return path if at[1] and path[1] not in at[:2] else path[1:]

    def joined_by(self, force: Force) -> str:
        """Return the force that this one joins, or an empty text."""
        is_join = force.order.startswith("join ") and force.key not in self.pinned
        return force.order.removeprefix("join ") if is_join else ""

    def join(self, force: Force, chain: tuple[str, ...]) -> list[str]:
        joined = self.forces.get(self.joined_by(force))
        if joined is None or not self.can_join(force, joined):
            raise NoWayError
        if joined.key in (*chain, force.key):
            raise CircleError
        try:
            is_joining = bool(self.joined_by(joined))
            way = self.join(joined, (*chain, force.key)) if is_joining else self.way_of(joined)
        except CircleError:
            raise
        except NoWayError:
            if joined.faction == force.faction:
                raise
            way = []
        at = joined.at
        for _ in range(joined.steps):
            if way:
                at = self.roads.step(at, way[0])
                way = way[1:] if at == (way[0], "", 0) else way
        next_place = way[0] if way else joined.last
        return self.roads.shortest(force.at, str(next_place) if at[1] else at[0], force.ahead)

    def can_join(self, force: Force, other: Force) -> bool:
        """Return True if another force is of the same faction, or one of an ally that the faction sees."""
        if self.hostile(force.key, other.key):
            return False
        extent = self.data.get("visibility", {}).get("location", "all")
        is_seen = extent == "all" or (extent == "rough" and other.place in self.sight_of(force.faction))
        return force.faction == other.faction or is_seen

    def sight_of(self, faction: str) -> set[str]:
        """Return the own places of a faction, the places of its forces, and those one road away."""
        own = {key for key, place in self.data["locations"].items() if place.get("owner") == faction}
        own |= {each.place for each in self.forces.values() if each.faction == faction}
        return own.union(*(self.roads.lengths[place] for place in own))

    # Rule 3

    def step(self) -> None:
        """Let all forces take one step, as far as the other rules permit."""
        walking = [key for key, force in self.forces.items() if force.way and force.steps]
        self.next = {key: force.at for key, force in self.forces.items()}
        self.next |= {key: self.roads.step(self.next[key], self.forces[key].way[0]) for key in walking}
        self.marching = {*walking}  # those that still take this step
        self.cornered: set[str] = set()
        while self.stops_somebody():
            pass
        meetings = self.meetings_in_places()
        for key in walking:
            self.forces[key].steps -= 1
        for key in self.marching:
            force = self.forces[key]
            force.last = force.last if force.at[1] else force.at[0]
            force.at = self.next[key]
            force.way = force.way[1:] if force.at == (force.way[0], "", 0) else force.way
        self.meet(meetings)

    def stops_somebody(self) -> bool:
        """Apply the first rule that changes this step, and return False if none does."""
        if full := self.without_room():
            self.stay(self.choose(full))
            return True
        on_roads = self.meetings_on_roads()
        if self.avoids_one_of(on_roads):
            return True
        if on_roads:
            self.meet(on_roads)
            for _, forces in on_roads:
                for key in forces:
                    self.stay(key)
            return True
        return self.avoids_one_of(self.meetings_in_places())

    def stay(self, key: str) -> None:
        self.next[key] = self.forces[key].at
        self.marching.discard(key)

    # Rule 4

    def without_room(self) -> list[str]:
        """Return the forces of a faction that come to a place which has room for only some of them."""
        for goal in sorted({self.next[key] for key in self.marching}):
            for faction in self.data["factions"]:
                there = [key for key in self.friends_after(faction, goal) if not goal[1]]
                coming = [key for key in there if key in self.marching]
                if coming and self.is_full(len(there) - 1):
                    return coming
        return []

    def friends_after(self, faction: str, at: Point) -> list[str]:
        """Return the forces of a faction that are at a point after this step."""
        return [key for key, goal in self.next.items() if goal == at and self.forces[key].faction == faction]

    def is_full(self, friends: int) -> bool:
        return self.stacking is not None and friends >= self.stacking

    # Rules 5 and 7

    def meetings_on_roads(self) -> list[Meeting]:
        meetings: list[Meeting] = []
        for one, other in combinations(sorted(self.forces), 2):
            if self.meets_on_roads and self.hostile(one, other) and self.marching & {one, other}:
                at = (self.forces[one].at, self.forces[other].at)
                to = (self.next[one], self.next[other])
                comes = to[0] == to[1] and to[0][1] and at[0] != at[1]
                if comes or at == to[::-1]:
                    ends = next((point[:2] for point in to if point[1]), (to[0][0], to[1][0]))
                    meetings.append(("-".join(sorted(ends)), {one, other}))
        return meetings

    def meetings_in_places(self) -> list[Meeting]:
        goals = sorted({self.next[key] for key in self.marching if not self.next[key][1]})
        forces = [self.with_enemies([key for key, at in self.next.items() if at == goal]) for goal in goals]
        return [(goal[0], keys) for goal, keys in zip(goals, forces, strict=True) if keys & self.marching]

    # Rule 6

    def avoids_one_of(self, meetings: list[Meeting]) -> bool:
        """Let a force look for a way out of a meeting, and return False if all have done so."""
        forces = {key for _, keys in meetings for key in keys} - self.cornered - self.pinned
        avoiding = [
            key for key in sorted(forces) if self.forces[key].avoids and not self.forces[key].is_fighting
        ]
        first = [key for key in avoiding if key in self.marching] or avoiding
        if first:
            self.avoid(self.forces[self.choose(first)])
        return bool(first)

    def avoid(self, force: Force) -> None:
        if force.key in self.marching and self.can_stay(force):
            force.has_avoided, force.way = True, []
            self.stay(force.key)
            return
        exits = {place: steps for place, steps in self.roads.exits(force.at).items() if steps <= force.steps}
        owners = {place: table.get("owner") for place, table in self.data["locations"].items()}
        free = {
            place: (place != force.last, owners[place] != force.faction, steps)
            for place, steps in exits.items()
            if self.is_free(force, place)
        }
        if not free:
            self.cornered.add(force.key)
            return
        place = self.choose([place for place, rank in sorted(free.items()) if rank == min(free.values())])
        force.has_avoided, force.way = True, []
        force.steps -= exits[place]
        force.last = force.last if force.at[1] else force.at[0]
        force.at = (place, "", 0)
        self.stay(force.key)

    def can_stay(self, force: Force) -> bool:
        if force.at[1] and not self.meets_on_roads:
            return True
        coming = [key for key in self.marching if self.next[key] == force.at]
        if any(self.hostile(force.key, key) for key in coming):
            return False
        friends = self.friends_after(force.faction, force.at)
        return bool(force.at[1]) or self.marching.isdisjoint(friends) or not self.is_full(len(friends))

    def is_free(self, force: Force, place: str) -> bool:
        goal = (place, "", 0)
        barred = {goal, *self.roads.between(force.at, place)}
        points = {key: {other.at, self.next[key]} for key, other in self.forces.items() if other is not force}
        friends = [key for key in points if goal in points[key] and self.forces[key].faction == force.faction]
        enemies = [key for key in points if barred & points[key] and self.hostile(force.key, key)]
        return not enemies and not self.is_full(len(friends))

    # Rules 8 to 10

    def meet(self, meetings: list[Meeting]) -> None:
        for where, forces in meetings:
            for key in forces:
                self.forces[key].is_fighting, self.forces[key].way = True, []
            if free := self.with_enemies(forces - self.pinned):
                self.contacts.append(Contact(where, frozenset(free), frozenset(free & self.marching)))

    def battles(self) -> Iterator[Battle]:
        left = list(self.contacts)
        while left:
            forces = left[0].forces
            while more := [
                key for contact in left if contact.forces & forces for key in contact.forces - forces
            ]:
                forces = forces.union(more)
            merged = [contact for contact in left if contact.forces & forces]
            left = [contact for contact in left if contact not in merged]
            where = next((contact.where for contact in merged if "-" not in contact.where), merged[0].where)
            here = [contact for contact in merged if contact.where == where]
            came = {key for contact in here for key in contact.movers}
            stood = {key for contact in here for key in contact.forces} - came
            sides = self.sides(forces)
            defenders = [side for side in sides if stood & side]
            yield where, frozenset(sides), defenders[0] if len(defenders) == 1 else None

    def sides(self, forces: Side) -> list[Side]:
        """Return the two strongest sides of a battle."""
        sides: list[list[str]] = []
        left = {*forces}
        while left:
            most = max(self.forces[key].strength for key in left)
            strongest = {self.forces[key].faction: key for key in left if self.forces[key].strength == most}
            force = self.choose(sorted(strongest.values()))
            left.remove(force)
            friends = [side for side in sides if not any(self.hostile(force, other) for other in side)]
            if not friends:
                sides.append([])
            (friends or sides[-1:])[0].append(force)
        while len(sides) > 2:
            strengths = [sum(self.forces[key].strength for key in side) for side in sides]
            weakest = [
                side for side, strength in zip(sides, strengths, strict=True) if strength == min(strengths)
            ]
            sides.remove(self.choose(weakest))
        fighting = self.with_enemies([key for side in sides for key in side])
        return [frozenset(side) & fighting for side in sides]

    # Rule 11

    def marches(self) -> Iterator[tuple[str, str]]:
        """Yield each force that continues its march, with its last place or the force that it joins."""
        for key, force in self.forces.items():
            if force.is_fighting or force.has_avoided:
                continue
            joined = self.forces.get(self.joined_by(force))
            if joined and joined.at != force.at:
                yield key, joined.key
            elif force.way and not joined:
                yield key, force.way[-1]


def outcomes(data: Data) -> Iterator[Result]:
    """Yield each result that the movement can have: one for each way in which the draws can fall."""
    scripts: list[list[int]] = [[]]
    for _ in range(MOST):
        if not scripts:
            return
        draws = Draws(scripts.pop())
        yield Referee(data, draws.choose).result()
        scripts += draws.others
    if scripts:
        raise TooManyDrawsError


class Draws:
    """Draws that fall as a script says and then on the first option; `others` are the scripts of the rest."""

    def __init__(self, script: list[int]) -> None:
        self.script, self.others = script, list[list[int]]()
        self.count = 0

    def choose(self, options: Sequence[Any]) -> Any:
        if self.count == len(self.script):
            self.others += [[*self.script, number] for number in range(1, len(options))]
            self.script = [*self.script, 0]
        self.count += 1
        return options[self.script[self.count - 1]]
