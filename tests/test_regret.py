"""Choosing when both sides of a duel choose in secret."""

from __future__ import annotations

import pytest

from cardbattle.core.regret import SHARE, mixes, value

MATCHING = [[1000, 0], [0, 1000]]  # who matches the enemy's coin wins
ROCK = [[500, 1000, 0], [0, 500, 1000], [1000, 0, 500]]  # stone, paper, scissors


def mix(table: list[list[int]], habits: list[int] | None = None, trust: int = 0) -> list[float]:
    """Return how often each choice is made."""
    found = mixes(table, habits or [0] * len(table), trust).ours
    return [each / sum(found) for each in found]


def test_the_equilibrium_of_known_games() -> None:
    """Matching pennies is half and half, stone, paper and scissors a third each."""
    assert mix(MATCHING) == pytest.approx([1 / 2] * 2, abs=0.01)
    assert mix(ROCK) == pytest.approx([1 / 3] * 3, abs=0.01)


def test_an_uneven_game() -> None:
    """Winning 1000 or 400 by matching: the answer that wins less is given oftener."""
    assert mix([[1000, 0], [0, 400]]) == pytest.approx([2 / 7, 5 / 7], abs=0.02)
    assert value([[1000, 0], [0, 400]]) == pytest.approx(2000 / 7, abs=1)


def test_what_a_table_is_worth() -> None:
    """The mean of the known games; exactly, where each side has a choice that is best whatever happens."""
    assert value(MATCHING) == value(ROCK) == pytest.approx(500, abs=1)
    assert value([[600, 500], [900, 100]]) == 600
    assert value([[300]]) == 300


def test_a_better_choice_whatever_he_does_is_always_made() -> None:
    """Its weight is nearly all, from the start."""
    assert mix([[600, 500], [900, 100]])[0] > 0.98


def test_a_trusted_habit_is_used() -> None:
    """An enemy who always shows heads is matched the oftener, the more he is trusted."""
    always = [SHARE, 0]
    shares = [mix(MATCHING, always, trust)[0] for trust in (0, 300, SHARE)]
    assert shares[0] == pytest.approx(0.5, abs=0.01)
    assert shares[2] > 0.98
    assert shares[0] - 0.02 < shares[1] < shares[2]


def test_one_choice_has_all_the_weight() -> None:
    """A table of one row or one column is no trouble, nor one of nothing."""
    assert mix([[300]]) == [1]
    assert mix([[300], [700]]) == [1]
    assert mix([[0, 0], [0, 0]]) == pytest.approx([0.5, 0.5])
