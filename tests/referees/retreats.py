"""A second referee of retreats, written from docs/the-turn.md alone: where beaten forces go."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

from tests.referees.roads import Data, NoWayError, Point, Roads

FAR = 10**6


class Retreats:
    """The retreats after one battle; `last_roads` are the two ends of the road that each force used last."""

    def __init__(self, data: Data, battle: Data, last_roads: Mapping[str, Collection[str]]) -> None:
        self.data, self.battle, self.last_roads, self.roads = data, battle, last_roads, Roads(data)
        self.forces: dict[str, dict[str, Any]] = {
            key: dict(force)
            for key, force in data["forces"].items()
            if force.get("location") and not force.get("destroyed")
        }

    def outcomes(self, beaten: Collection[str], enemies: Collection[str]) -> Iterator[dict[str, str]]:
        """Yield the new places of the beaten forces that retreat, for each order in which they can do so."""
        if not beaten:
            yield {}
        for key in beaten:
            force = self.forces[key]
            others = [other for other in beaten if other != key]
            for place in self.places(key, enemies):
                if place:
                    self.forces[key] = {"faction": force["faction"], "location": place}
                for outcome in self.outcomes(others, enemies):
                    yield {**outcome, key: place} if place else outcome
                self.forces[key] = force

    def places(self, key: str, enemies: Collection[str]) -> list[str]:
        """Return the places to which a force can retreat, all equally good, or an empty text if it stays."""
        force, at = self.forces[key], self.point(key)
        is_there = at[1] if self.battle.get("road") else force["location"] == self.battle["place"]
        if not is_there:
            return [""]
        ways = self.roads.exits(at)
        if at[1]:
            ahead, last = force["towards"], force["location"]
            is_barred = {end: self.is_barred(key, end, enemies, is_end_barred=True) for end in ways}
            end = ahead if is_barred[last] and not is_barred[ahead] else last
            ways = {} if is_barred[end] else {end: ways[end]}
        ranks = {
            place: (self.is_hostile(key, place), self.steps_to_own(key, place), steps)
            for place, steps in ways.items()
            if self.is_open(key, place, enemies)
        }
        came_from = [place for place in self.last_roads.get(key, ()) if place in ranks and not at[1]]
        if self.data["aftermath"]["retreat"] == "previous" and came_from:
            return came_from
        return [place for place, rank in ranks.items() if rank == min(ranks.values())] or [""]

    def point(self, key: str) -> Point:
        force = self.forces[key]
        if force.get("towards"):
            return self.roads.point(force["location"], force["towards"], force["walked"])
        return (force["location"], "", 0)

    def are_enemies(self, one: str, other: str) -> bool:
        peace = {faction: table.get("peace", []) for faction, table in self.data["factions"].items()}
        return one != other and other not in peace[one] and one not in peace[other]

    def is_open(self, key: str, place: str, enemies: Collection[str]) -> bool:
        at, faction = self.point(key), self.forces[key]["faction"]
        there = [
            force["faction"]
            for other, force in self.forces.items()
            if other != key and self.point(other) == (place, "", 0)
        ]
        came = any(
            {*self.last_roads.get(enemy, ())} == {at[0], place} and self.point(enemy) == at
            for enemy in enemies
            if enemy in self.forces
        )
        passes = self.data["movement"].get("contact") == "place"
        foes = [other for other in self.forces if self.are_enemies(faction, self.forces[other]["faction"])]
        return not (
            any(self.are_enemies(faction, other) for other in there)
            or (came and not at[1])
            or there.count(faction) >= self.data["movement"].get("stacking", FAR)
            or self.is_barred(key, place, enemies if passes else {*foes, *enemies})
        )

    def is_barred(
        self, key: str, place: str, enemies: Collection[str], *, is_end_barred: bool = False
    ) -> bool:
        """Return whether an enemy is on the road to a place, or in this place too."""
        barred = self.roads.between(self.point(key), place) | ({(place, "", 0)} if is_end_barred else set())
        return any(self.point(enemy) in barred for enemy in enemies if enemy in self.forces)

    def is_hostile(self, key: str, place: str) -> bool:
        owner = self.data["locations"][place].get("owner")
        return bool(owner) and self.are_enemies(self.forces[key]["faction"], owner)

    def steps_to_own(self, key: str, place: str) -> int:
        """Return the steps from a place to the nearest one of a force's faction."""
        own = self.forces[key]["faction"]
        ends = [end for end, table in self.data["locations"].items() if table.get("owner") == own]
        return min((self.steps(place, end) for end in ends), default=FAR)

    def steps(self, start: str, end: str) -> int:
        try:
            way = [start, *self.roads.shortest((start, "", 0), end, None)]
        except NoWayError:
            return FAR
        return sum(self.roads.lengths[one][other] for one, other in pairwise(way))
