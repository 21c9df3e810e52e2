"""Intervals around counted shares: as wide as published, and true as often as they say."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.core.chance import stream
from cardbattle.simulation.counting import WHOLE
from cardbattle.simulation.intervals import Z, certain, wilson, wilson_bounds


@pytest.mark.parametrize("battles", [1, 7, 100, 2000])
def test_the_interval_of_points_lies_between_those_of_the_counts_around_it(battles: int) -> None:
    """A draw is half a win: nothing is rounded, and a mean is never outside its interval."""
    for halves in range(0, 2 * battles, max(1, battles // 20)):
        low, high = wilson_bounds(halves / 2 / battles, battles)
        under, over = wilson(halves // 2, battles), wilson((halves + 1) // 2, battles)
        assert under.low <= low <= over.low
        assert under.high <= high <= over.high
        assert low <= halves / 2 / battles <= high


def test_points_with_draws_lie_in_their_interval_nineteen_times_in_twenty() -> None:
    """At least: wins, draws and losses by lot, a thousand times a hundred."""
    chance = stream(1, "draws")
    inside = 0
    for _ in range(1000):
        share = sum((0.0, 0.5, 0.5, 1.0, 1.0)[chance.below(5)] for _ in range(100)) / 100
        low, high = wilson_bounds(share, 100)
        inside += low <= 0.6 <= high
    assert inside >= 950


def test_wilson_agrees_with_published_values() -> None:
    """Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    expected = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (hits, battles), bounds in expected.items():
        interval = wilson(hits, battles)
        assert (round(interval.low, 4), round(interval.high, 4)) == bounds


@given(st.integers(1, 10**9), st.data(), st.sampled_from([Z, 3.29]))
def test_an_interval_holds_its_share_and_stays_between_0_and_1(
    battles: int, data: st.DataObject, z: float
) -> None:
    """Test all confidence levels, for wins alone and for the smallest fractions of a point."""
    share = data.draw(st.integers(0, WHOLE * battles)) / (WHOLE * battles)
    low, high = wilson_bounds(share, battles, z)
    assert 0 <= low <= share <= high <= 1
    hits = data.draw(st.integers(0, battles))
    interval = wilson(hits, battles)
    assert 0 <= interval.low <= interval.share <= interval.high <= 1


def test_the_surer_an_interval_is_the_wider() -> None:
    """Of the same share by the same battles."""
    bounds = [wilson_bounds(0.3, 50, z) for z in (1, Z, 3.29)]
    assert bounds == sorted(bounds, reverse=True)
    assert [high for _, high in bounds] == sorted(high for _, high in bounds)


def test_what_is_certain_has_no_width() -> None:
    """Its share is exact."""
    assert certain(1, 4) == (1, 0.25, 0.25, 0.25)
    assert certain(1, 4).width == 0


def test_one_battle_says_next_to_nothing() -> None:
    """With one battle an interval is wide, and says so."""
    interval = wilson(1, 1)
    assert interval.high == 1.0
    assert round(interval.low, 3) == 0.207


def test_the_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Over all outcomes of 200 battles, weighed by how likely each is: about 95 of 100."""
    for chance in (0.1, 0.3, 0.5):
        right = sum(
            comb(200, hits) * chance**hits * (1 - chance) ** (200 - hits)
            for hits in range(201)
            if wilson(hits, 200).low <= chance <= wilson(hits, 200).high
        )
        assert 0.93 < right < 0.97
