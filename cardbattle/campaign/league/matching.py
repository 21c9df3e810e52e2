"""Find a largest matching of a graph, which is a set of as many disjoint pairs as possible."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

IsPair = Callable[[int, int], bool]  # returns True if two numbers can be a pair
NO_ONE = -1


def largest_matching(size: int, is_pair: IsPair) -> list[int]:
    """Return the partner of each vertex in a largest matching, or -1 for a vertex without a partner.

    The vertices are the numbers from 0 to `size` - 1. `is_pair` returns True if two vertices can be paired.

    >>> largest_matching(4, lambda one, other: one + other == 3)
    [3, 2, 1, 0]

    Source: J. Edmonds, Paths, Trees, and Flowers, 1965. The time is O(n^3) as in H. N. Gabow, 1976.
    """
    graph = [
        [neighbour for neighbour in range(size) if neighbour != vertex and is_pair(vertex, neighbour)]
        for vertex in range(size)
    ]
    partners = [NO_ONE] * size
    for root in range(size):
        if partners[root] == NO_ONE:
            Search(graph, partners).augment(root)
    return partners


class Search:
    """A search for one augmenting path. Odd cycles (blossoms) are contracted to their base."""

    def __init__(self, graph: list[list[int]], partners: list[int]) -> None:
        self.graph = graph
        self.partners = partners
        self.parents = [NO_ONE] * len(graph)
        self.bases: list[int] = [*range(len(graph))]
        self.is_outer = [False] * len(graph)

    def augment(self, root: int) -> None:
        """Make the matching larger by one pair if a path from the root allows it."""
        end = self.find_end(root)
        while end != NO_ONE:
            before = self.parents[end]
            following = self.partners[before]
            self.partners[end], self.partners[before] = before, end
            end = following

    def find_end(self, root: int) -> int:
        """Return the unmatched vertex at the end of an augmenting path from a root, or -1."""
        self.is_outer[root] = True
        queue = deque([root])
        while queue:
            vertex = queue.popleft()
            for neighbour in self.graph[vertex]:
                if self.bases[vertex] == self.bases[neighbour] or self.partners[vertex] == neighbour:
                    continue
                partner = self.partners[neighbour]
                if neighbour == root or (partner != NO_ONE and self.parents[partner] != NO_ONE):
                    self.contract(vertex, neighbour, queue)
                elif self.parents[neighbour] == NO_ONE:
                    self.parents[neighbour] = vertex
                    if partner == NO_ONE:
                        return neighbour
                    self.is_outer[partner] = True
                    queue.append(partner)
        return NO_ONE

    def contract(self, first: int, second: int, queue: deque[int]) -> None:
        """Contract the odd cycle that an edge between two outer vertices closes."""
        base = self.common_base(first, second)
        in_blossom = [False] * len(self.graph)
        self.mark(first, base, second, in_blossom)
        self.mark(second, base, first, in_blossom)
        for vertex, inner in enumerate(self.bases):
            if in_blossom[inner]:
                self.bases[vertex] = base
                if not self.is_outer[vertex]:
                    self.is_outer[vertex] = True
                    queue.append(vertex)

    def mark(self, vertex: int, base: int, child: int, in_blossom: list[bool]) -> None:
        """Mark one side of an odd cycle down to its base, and reverse its parents."""
        while self.bases[vertex] != base:
            partner = self.partners[vertex]
            in_blossom[self.bases[vertex]] = in_blossom[self.bases[partner]] = True
            self.parents[vertex] = child
            child = partner
            vertex = self.parents[partner]

    def common_base(self, first: int, second: int) -> int:
        """Return the first common base on the paths from two vertices to the root."""
        seen: set[int] = set()
        while True:
            first = self.bases[first]
            seen.add(first)
            if self.partners[first] == NO_ONE:
                break
            first = self.parents[self.partners[first]]
        while self.bases[second] not in seen:
            second = self.parents[self.partners[self.bases[second]]]
        return self.bases[second]
