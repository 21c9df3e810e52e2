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
    graph = [[other for other in range(size) if other != one and is_pair(one, other)] for one in range(size)]
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
            one = queue.popleft()
            for other in self.graph[one]:
                if self.bases[one] == self.bases[other] or self.partners[one] == other:
                    continue
                partner = self.partners[other]
                if other == root or (partner != NO_ONE and self.parents[partner] != NO_ONE):
                    self.contract(one, other, queue)
                elif self.parents[other] == NO_ONE:
                    self.parents[other] = one
                    if partner == NO_ONE:
                        return other
                    self.is_outer[partner] = True
                    queue.append(partner)
        return NO_ONE

    def contract(self, one: int, other: int, queue: deque[int]) -> None:
        """Contract the odd cycle that an edge between two outer vertices closes."""
        base = self.common_base(one, other)
        in_blossom = [False] * len(self.graph)
        self.mark(one, base, other, in_blossom)
        self.mark(other, base, one, in_blossom)
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

    def common_base(self, one: int, other: int) -> int:
        """Return the first common base on the paths from two vertices to the root."""
        seen: set[int] = set()
        while True:
            one = self.bases[one]
            seen.add(one)
            if self.partners[one] == NO_ONE:
                break
            one = self.parents[self.partners[one]]
        while self.bases[other] not in seen:
            other = self.parents[self.partners[self.bases[other]]]
        return self.bases[other]
