"""The roads of a campaign as a graph, and the shortest ways along them."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class RoadLength(NamedTuple):
    """A road between two places, and its length in steps."""

    one: str
    other: str
    length: int = 1


class Roads:
    """Places and the roads between them.

    `neighbours` has a dict for each place. The keys of this dict are the places at the other ends of the
    roads, in order, and its values are the lengths of the roads.
    """

    def __init__(self, roads: Iterable[RoadLength]) -> None:
        table: dict[str, dict[str, int]] = {}
        for start, end, length in roads:
            table.setdefault(start, {})[end] = length
            table.setdefault(end, {})[start] = length
        self.neighbours: Mapping[str, Mapping[str, int]] = {
            place: dict(sorted(ends.items())) for place, ends in table.items()
        }
        self.known_distances: dict[str, dict[str, tuple[int, int]]] = {}

    def length(self, start: str, end: str) -> int:
        """Return the length of the road between two places, or 0 if they have none."""
        return self.neighbours.get(start, {}).get(end, 0)

    def distances(self, to: str) -> Mapping[str, tuple[int, int]]:
        """Return a dict from places to their distances from the place `to`.

        A distance is a pair (number of steps, number of roads). Places without a way to `to` are left out.
        Source: E. W. Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959.
        """
        if to not in self.known_distances:
            best = {to: (0, 0)}
            queue = [(0, 0, to)]
            while queue:
                steps, roads, place = heapq.heappop(queue)
                if best[place] < (steps, roads):
                    continue
                for end, length in self.neighbours.get(place, {}).items():
                    reached = (steps + length, roads + 1)
                    if end not in best or reached < best[end]:
                        best[end] = reached
                        heapq.heappush(queue, (*reached, end))
            self.known_distances[to] = best
        return self.known_distances[to]

    def distance(self, start: str, to: str) -> int | None:
        """Return the number of steps from one place to another, or None if no roads connect them."""
        return self.distances(to).get(start, (None, 0))[0]

    def way(self, start: str, to: str) -> list[str] | None:
        """Return the places on the shortest way. The start is left out.

        Returns None if no roads connect the places. If several ways have the same length, the one with the
        fewest roads is returned. Among several of these, the first in the order of their places' keys is
        returned.

        >>> roads = Roads([RoadLength("chester", "wem", 2), RoadLength("wem", "ludlow")])
        >>> roads.way("chester", "ludlow"), roads.way("chester", "chester"), roads.way("chester", "york")
        (['wem', 'ludlow'], [], None)
        """
        left = self.distances(to)
        if start not in left:
            return None
        way: list[str] = []
        place = start
        while place != to:
            steps, roads = left[place]
            place = next(
                end
                for end, length in self.neighbours[place].items()
                if left[end] == (steps - length, roads - 1)
            )
            way.append(place)
        return way
