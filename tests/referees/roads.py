"""The roads of a campaign, for the second referee of movement."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]  # a campaign file
Point = tuple[str, str, int]  # (place, "", 0); on a road its two ends by name, and the steps from the first


class NoWayError(Exception):
    """A force cannot carry out its order."""


class Roads:
    """The roads of a campaign, with their lengths."""

    def __init__(self, data: Data) -> None:
        self.lengths: dict[str, dict[str, int]] = {place: {} for place in data["locations"]}
        for road in data["road"]:
            one, other = road["between"]
            self.lengths[one][other] = self.lengths[other][one] = road.get("length", 1)

    def point(self, start: str, end: str, walked: int) -> Point:
        """Return the point that is some steps from the start of a road."""
        left = self.lengths[start][end] - walked
        if not walked or not left:
            return (end if walked else start, "", 0)
        return (start, end, walked) if start < end else (end, start, left)

    def exits(self, at: Point) -> dict[str, int]:
        """Return the places that are one road away, or at the ends of this road, with the steps to them."""
        start, end, walked = at
        return {start: walked, end: self.lengths[start][end] - walked} if end else self.lengths[start]

    def step(self, at: Point, place: str) -> Point:
        """Return the point that is one step nearer to the next place."""
        start, end, walked = at
        if end:
            return self.point(start, end, walked + (1 if place == end else -1))
        return self.point(start, place, 1)

    def between(self, at: Point, place: str) -> set[Point]:
        """Return the points of the road from here to the next place, without its ends."""
        points = set()
        while (at := self.step(at, place)) != (place, "", 0):
            points.add(at)
        return points

    def shortest(self, at: Point, goal: str, ahead: str | None) -> list[str]:
        """Return the best way: fewest steps, not back on the road, fewest roads, first by its keys."""
        ways: list[tuple[int, bool, int, list[str]]] = [(0, False, 0, [at[0]])]
        if at[1]:
            ways = [(steps, place != ahead, 1, [place]) for place, steps in self.exits(at).items()]
        heapq.heapify(ways)
        seen = set()
        while ways:
            steps, is_back, roads, way = heapq.heappop(ways)
            if way[-1] == goal:
                return way if at[1] else way[1:]
            if way[-1] not in seen:
                seen.add(way[-1])
                for place, length in self.lengths[way[-1]].items():
                    heapq.heappush(ways, (steps + length, is_back, roads + 1, [*way, place]))
        raise NoWayError
