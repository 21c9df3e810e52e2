"""Choosing when both sides of a duel choose in secret."""

from __future__ import annotations

import pytest

from cardbattle.core.chance import stream
from cardbattle.core.numeric.matrix_game import (
    SHARE,
    TURNS,
    against,
    equilibrium,
    regret,
    risking,
    solve,
    strategy_of,
    sure_of,
    total,
    worth_of,
)

MATCHING = [[1000, 0], [0, 1000]]  # who matches the enemy's coin wins
ROCK = [[500, 1000, 0], [0, 500, 1000], [1000, 0, 500]]  # stone, paper, scissors


def mix(table: list[list[int]], habits: list[int] | None = None, trust: int = 0) -> list[float]:
    """Return how often each choice is made."""
    found = solve(table, habits or [0] * len(table), trust).ours
    return [each / sum(found) for each in found]


def test_the_equilibrium_of_known_games() -> None:
    """Matching pennies is half and half, stone, paper and scissors a third each."""
    assert mix(MATCHING) == pytest.approx([1 / 2] * 2, abs=0.01)
    assert mix(ROCK) == pytest.approx([1 / 3] * 3, abs=0.01)


def test_an_uneven_game() -> None:
    """Winning 1000 or 400 by matching: the answer that wins less is given oftener."""
    assert mix([[1000, 0], [0, 400]]) == pytest.approx([2 / 7, 5 / 7], abs=0.02)


def shares(table: list[list[int]]) -> list[list[float]]:
    """Return a table in payoffs from 0 to 1."""
    return [[worth / 1000 for worth in column] for column in table]


def test_what_a_table_is_worth() -> None:
    """The known games, and those where each side has a choice that is best whatever happens."""
    assert equilibrium(shares(MATCHING)).worth == pytest.approx(0.5)
    assert equilibrium(shares(ROCK)).worth == pytest.approx(0.5)
    assert equilibrium(shares([[1000, 0], [0, 400]])).worth == pytest.approx(2 / 7)
    assert equilibrium(shares([[600, 500], [900, 100]])).worth == pytest.approx(0.6)
    assert equilibrium(shares([[300]])).worth == pytest.approx(0.3)
    assert equilibrium(shares([[300], [700]])).worth == pytest.approx(0.3)


def test_how_often_best_play_makes_each_choice() -> None:
    """One answer each, as the books have them; nothing is left for a choice that is always worse."""
    assert equilibrium(shares(MATCHING)).ours == pytest.approx([1 / 2] * 2)
    assert equilibrium(shares(ROCK)).ours == pytest.approx([1 / 3] * 3)
    assert equilibrium(shares([[1000, 0], [0, 400]])).ours == pytest.approx([2 / 7, 5 / 7])
    assert equilibrium(shares([[600, 500], [900, 100]])).ours == [1, 0]
    assert equilibrium(shares([[0, 0], [0, 0]])).worth == pytest.approx(0)


def test_nobody_does_better_against_best_play_than_the_table_is_worth() -> None:
    """A hundred tables, many of whose payoffs are the same: ours is sure of it, and theirs of no more."""
    chance = stream("tables", "deal")
    for _ in range(100):
        rows, columns, most = 1 + chance.below(6), 1 + chance.below(6), 2 + chance.below(5)
        table = [[chance.below(most) / (most - 1) for _ in range(rows)] for _ in range(columns)]
        found = equilibrium(table)
        assert sum(found.ours) == pytest.approx(1)
        assert min(found.ours) >= 0
        sure = min(sum(a * b for a, b in zip(found.ours, column, strict=True)) for column in table)
        assert sure == pytest.approx(found.worth, abs=1e-8)
        turned = [[1 - column[row] for column in table] for row in range(rows)]
        assert equilibrium(turned).worth == pytest.approx(1 - found.worth, abs=1e-8)


def test_a_better_choice_whatever_he_does_is_always_made() -> None:
    """Its weight is nearly all, from the start."""
    assert mix([[600, 500], [900, 100]])[0] > 0.98


def test_a_trusted_habit_is_used() -> None:
    """An enemy who always shows heads is matched the oftener, the more they are trusted."""
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


def test_shares_go_by_regret_and_without_any_are_alike() -> None:
    """They sum up to SHARE, about: fractions are dropped."""
    assert strategy_of([1, 3]) == [250, 750]
    assert strategy_of([0, 0, 0]) == [333, 333, 333]
    assert strategy_of([0, 7]) == [0, 1000]
    assert strategy_of([1, 1, 1]) == [333, 333, 333]


def test_a_choice_is_regretted_by_what_it_would_have_gained() -> None:
    """Beyond the mean of the likely choices; regret is kept, and never less than nothing."""
    regrets = [10, 10, 0]
    regret(regrets, [500, 500, 0], [4, 8, 100])  # the mean is 6
    assert regrets == [8, 12, 94]
    regret(regrets, [0, 1000, 0], [0, 200, 300])
    assert regrets == [0, 12, 194]


def test_a_total_weighs_each_value_and_misses_none() -> None:
    """As many shares as values, or it is a mistake."""
    assert total([2, 0, 3], [5, 7, 11]) == 43
    with pytest.raises(ValueError, match="argument"):
        total([1, 2], [1])


def test_later_turns_weigh_more_and_both_sides_are_counted() -> None:
    """Turn n weighs n, for each of our choices and each of theirs."""
    found = solve([[300], [700]], [0, 0], 0)
    turns = TURNS * (TURNS + 1) // 2
    assert found.ours == [turns * SHARE]
    assert sum(found.theirs) == turns * SHARE
    assert found.theirs[0] > 0.98 * sum(found.theirs), "they do what is worth least to us"


def test_a_table_and_habits_of_different_lengths_are_a_mistake() -> None:
    """Each of their choices has a habit."""
    with pytest.raises(ValueError, match="argument"):
        solve(MATCHING, [1], 0)


def test_stakes_do_not_change_how_to_choose() -> None:
    """A table ten times as high is played alike."""
    low = [[30, 10, 50], [20, 40, 0]]
    high = [[10 * worth for worth in column] for column in low]
    assert mix(high) == pytest.approx(mix(low), abs=0.03)


UNEVEN = [[50, 90, 30], [70, 20, 80], [10, 60, 65]]
EXACT = ([2651787, 7744787, 9673565], [8310244, 10071764, 1686911])
EQUILIBRIUM = [2685524, 7656882, 9726939]


def test_the_mixes_of_an_uneven_table_to_the_last_figure() -> None:
    """Whole numbers throughout: every machine settles on the same ones."""
    found = solve(UNEVEN, [600, 300, 100], 250)
    assert [type(each) for each in found.ours + found.theirs] == [int] * 6
    assert (found.ours, found.theirs) == EXACT
    assert solve(UNEVEN, [0] * 3, 0).ours == EQUILIBRIUM


def test_who_may_risk_something_wins_more_from_habits_and_loses_no_more_than_that() -> None:
    """A hundred tables and habits: the more may be risked the more is won from habits, never less."""
    chance = stream("risks", "deal")
    for _ in range(100):
        rows, columns = 2 + chance.below(5), 2 + chance.below(5)
        table = [[chance.below(101) / 100 for _ in range(rows)] for _ in range(columns)]
        counts = [1 + chance.below(9) for _ in range(columns)]
        habits = [count / sum(counts) for count in counts]
        best = equilibrium(table)
        assert risking(table, best, habits, 0.0) == best.ours
        won = worth_of(best.ours, against(habits, table))
        for risk in (0.001, 0.01, 0.05, 0.2, 1.0):
            bold = risking(table, best, habits, risk)
            assert sum(bold) == pytest.approx(1)
            assert min(bold) >= -1e-12
            assert sure_of(bold, table) >= best.worth - risk - 1e-9
            assert worth_of(bold, against(habits, table)) >= won - 1e-9
            won = worth_of(bold, against(habits, table))
        assert won == pytest.approx(max(against(habits, table)))
