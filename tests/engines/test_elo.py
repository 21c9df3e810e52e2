"""Elo, intervals, and the sequential test, against laws and published figures."""

from __future__ import annotations

from math import inf, isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.core.chance import stream
from cardbattle.engines.elo import BOUND, Hypotheses, PairScore, decision, elo_of, share_of, total_of

PAIRS = st.lists(st.integers(0, 500), min_size=5, max_size=5).filter(any)


@settings(max_examples=30)
@given(st.floats(-800, 800))
def test_elo_and_share_are_inverse(elo: float) -> None:
    assert isclose(elo_of(share_of(elo)), elo, abs_tol=1e-6)


@settings(max_examples=30)
@given(PAIRS)
def test_the_other_side_has_the_opposite_figures(pairs: list[int]) -> None:
    score = PairScore(pairs)
    other = score.reversed()
    assert isclose(score.share + other.share, 1)
    assert isclose(score.likelihood_of_superiority + other.likelihood_of_superiority, 1)
    assert score.elo == pytest.approx(-other.elo, abs=1e-6)
    test = Hypotheses(-5, 5)
    assert isclose(score.log_likelihood_ratio(test), -other.log_likelihood_ratio(test), abs_tol=1e-9)


@settings(max_examples=30)
@given(PAIRS)
def test_intervals_contain_the_estimate_and_narrow_with_more_pairs(pairs: list[int]) -> None:
    score = PairScore(pairs)
    low, high = score.bounds
    assert 0 <= low <= score.share <= high <= 1
    assert total_of([score] * 4).error == pytest.approx(score.error / 2, rel=1e-9) or score.variance <= 0.25


def test_the_figures_of_a_match_follow_from_its_pairs() -> None:
    """Points, share and Elo by hand; the ratio by the formula of the normal approximation."""
    score = PairScore([10, 60, 200, 90, 20])
    assert score.points == 405.0
    assert score.share == pytest.approx(0.53289, abs=1e-5)
    assert score.elo == pytest.approx(22.89, abs=0.01)
    shares = list(zip(score.pairs, (0, 0.25, 0.5, 0.75, 1), strict=True))
    mean = sum(number * share for number, share in shares) / 380
    variance = sum(number * (share - mean) ** 2 for number, share in shares) / 380
    low, high = share_of(0), share_of(10)
    expected = 380 * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert score.log_likelihood_ratio(Hypotheses(0, 10)) == pytest.approx(expected)


def test_all_points_have_no_finite_elo() -> None:
    score = PairScore([0, 0, 0, 0, 10])
    assert score.elo == inf
    assert score.elo_bounds[0] > 0


@pytest.mark.slow
def test_the_test_is_wrong_at_most_as_often_as_it_says() -> None:
    """Simulated pairs with no difference: at most about one in twenty accepts H1."""
    chance, wrong = stream(1, "sprt"), 0
    test = Hypotheses(0, 60)
    for _ in range(100):
        score = PairScore()
        while score.count < 10 or not decision(score.log_likelihood_ratio(test)):
            score.add(float(chance.below(2) + chance.below(2)))
        wrong += decision(score.log_likelihood_ratio(test)) == "H1"
    assert wrong <= 12
    assert pytest.approx(2.944, abs=1e-3) == BOUND
