"""Pairings: a round robin meets every pair once, a Swiss never repeats a pair without need, brackets hold."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.campaign.league.matching import NO_ONE, largest_matching
from cardbattle.campaign.league.pairing import (
    Pairings,
    Past,
    bracket,
    fewest_repeats,
    neighbours,
    pair_by_order,
    round_robin,
    round_robin_length,
)

GRAPHS = st.integers(0, 8).flatmap(
    lambda size: st.tuples(
        st.just(size), st.sets(st.sampled_from([*combinations(range(size), 2)] or [(0, 0)]))
    )
)


def keys(count: int) -> list[str]:
    """Return this many keys."""
    return [f"e{number}" for number in range(count)]


@pytest.mark.parametrize("count", range(2, 26))
@pytest.mark.parametrize("twice", [False, True])
def test_a_round_robin_meets_every_pair_once_with_home_and_away_in_balance(count: int, twice: bool) -> None:
    rounds = [round_robin(keys(count), number) for number in range(round_robin_length(count, twice=twice))]
    met = Counter(frozenset(pair) for pairings in rounds for pair in pairings.pairs)
    assert met == dict.fromkeys(map(frozenset, combinations(keys(count), 2)), 2 if twice else 1)
    for pairings in rounds:
        assert sorted([*pairings.byes, *(key for pair in pairings.pairs for key in pair)]) == sorted(
            keys(count)
        )
    balance = Counter(pair[0] for pairings in rounds for pair in pairings.pairs)
    balance.subtract(pair[1] for pairings in rounds for pair in pairings.pairs)
    assert max(map(abs, balance.values())) <= (0 if twice or count % 2 else 1)
    byes = Counter(key for pairings in rounds for key in pairings.byes)
    assert set(byes.values()) <= {2 if twice else 1} and len(byes) in (0, count)
    if twice:
        assert len({pair for pairings in rounds for pair in pairings.pairs}) == count * (count - 1)


def size_of_best(size: int, edges: set[tuple[int, int]]) -> int:
    """Return the size of a largest matching, found by trying everything."""
    if not edges:
        return 0
    edge = min(edges)
    without = size_of_best(size, edges - {edge})
    rest = {other for other in edges if not {*other} & {*edge}}
    return max(without, 1 + size_of_best(size, rest))


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(GRAPHS)
def test_the_largest_matching_is_as_large_as_trying_everything_finds(
    graph: tuple[int, set[tuple[int, int]]],
) -> None:
    size, edges = graph
    edges = {edge for edge in edges if edge[0] != edge[1]}
    partners = largest_matching(size, lambda one, other: (min(one, other), max(one, other)) in edges)
    pairs = {(one, other) for one, other in enumerate(partners) if NO_ONE < one < other}
    assert all(partners[other] == one for one, other in enumerate(partners) if other != NO_ONE)
    assert pairs <= edges and len(pairs) == size_of_best(size, edges)


def after(past: Past, pairings: Pairings) -> Past:
    """Return the past with one more round."""
    meetings, byes, homes = Counter(past.meetings), Counter(past.byes), Counter(past.homes)
    for pair in pairings.pairs:
        meetings[frozenset(pair)] += 1
        homes[pair[0]] += 1
        homes[pair[1]] -= 1
    byes.update(pairings.byes)
    return Past(meetings, byes, homes)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9), st.data())
def test_no_pair_meets_again_while_that_can_be_avoided(count: int, data: st.DataObject) -> None:
    past = Past({}, {}, {})
    for number in range(round_robin_length(count) + 2):
        order = data.draw(st.permutations(keys(count)))
        pairings = pair_by_order(order, past)
        assert sorted([*pairings.byes, *(key for pair in pairings.pairs for key in pair)]) == keys(count)
        repeats = sum(past.have_met(*pair) for pair in pairings.pairs)
        others = [key for key in order if key not in pairings.byes]
        assert repeats == fewest_repeats(others, past)
        assert len(pairings.byes) == count % 2
        past = after(past, pairings)
        byes = [past.byes.get(key, 0) for key in keys(count)]
        assert max(byes) - min(byes) <= 1
        if number == 0:
            assert repeats == 0


def test_each_meets_the_nearest_in_the_order() -> None:
    order = keys(6)
    first = pair_by_order(order, Past({}, {}, {}))
    assert [frozenset(pair) for pair in first.pairs] == [
        frozenset(pair) for pair in (("e0", "e1"), ("e2", "e3"), ("e4", "e5"))
    ]
    second = pair_by_order(order, after(Past({}, {}, {}), first))
    assert {"e0", "e2"} == {*second.pairs[0]}


@pytest.mark.parametrize("count", range(2, 34))
def test_in_a_bracket_the_best_meet_last_and_have_the_byes(count: int) -> None:
    places: list[str | None] = bracket(keys(count))
    rank = {key: number for number, key in enumerate(keys(count))}
    assert sorted(key for key in places if key is not None) == sorted(keys(count))
    byes = {one or other for one, other in neighbours(places) if one is None or other is None}
    assert byes == {*keys(count)[: len(places) - count]}
    while len(places) > 1:  # the better always wins: those left are the best
        places = [
            min((key for key in pair if key is not None), key=lambda key: rank[key])
            for pair in neighbours(places)
        ]
        assert {rank[key] for key in places if key} == {*range(min(len(places), count))}
    assert places == ["e0"]
