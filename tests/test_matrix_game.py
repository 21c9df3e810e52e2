"""Choosing when both sides of a duel choose in secret."""

from __future__ import annotations

import pytest

from cardbattle.core.matrix_game import SHARE, TURNS, game_value, regret, solve, strategy_of, total

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
    assert game_value([[1000, 0], [0, 400]]) == pytest.approx(2000 / 7, abs=1)


def test_what_a_table_is_worth() -> None:
    """The mean of the known games; exactly, where each side has a choice that is best whatever happens."""
    assert game_value(MATCHING) == game_value(ROCK) == pytest.approx(500, abs=1)
    assert game_value([[600, 500], [900, 100]]) == 600
    assert game_value([[300]]) == 300


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


@pytest.mark.parametrize("table", [MATCHING, ROCK, [[1000, 0], [0, 400]], [[5, 9, 3], [7, 2, 8]]])
def test_what_a_table_is_worth_lies_between_what_both_can_be_sure_of(table: list[list[int]]) -> None:
    """No choice that is always made secures more, and they need not give more than their safest yields."""
    rows = range(len(table[0]))
    least = max(min(column[row] for column in table) for row in rows)
    most = min(max(column) for column in table)
    assert least <= game_value(table) <= most
    flipped = [[-column[row] for column in table] for row in rows]
    assert game_value(flipped) == pytest.approx(-game_value(table), abs=max(map(max, table)) * 0.01 + 1)


def test_stakes_do_not_change_how_to_choose() -> None:
    """A table ten times as high is played alike and worth ten times as much."""
    low = [[30, 10, 50], [20, 40, 0]]
    high = [[10 * worth for worth in column] for column in low]
    assert mix(high) == pytest.approx(mix(low), abs=0.03)
    assert game_value(high) == pytest.approx(10 * game_value(low), abs=12)


UNEVEN = [[50, 90, 30], [70, 20, 80], [10, 60, 65]]
EXACT = ([2651787, 7744787, 9673565], [8310244, 10071764, 1686911])
EQUILIBRIUM = [2685524, 7656882, 9726939]
WORTH = 55


def test_the_mixes_of_an_uneven_table_to_the_last_figure() -> None:
    """Whole numbers throughout: every machine settles on the same ones."""
    found = solve(UNEVEN, [600, 300, 100], 250)
    assert [type(each) for each in found.ours + found.theirs] == [int] * 6
    assert (found.ours, found.theirs) == EXACT
    assert solve(UNEVEN, [0] * 3, 0).ours == EQUILIBRIUM
    assert (game_value(UNEVEN), type(game_value(UNEVEN))) == (WORTH, int)
    assert game_value([[1000 * worth for worth in column] for column in UNEVEN]) == 55714


def test_a_choice_that_both_are_sure_of_is_worth_what_it_says() -> None:
    """Where the best of the worst is the worst of the best nothing is mixed."""
    assert game_value([[7, 3], [9, 1]]) == 7
    assert game_value([[1000001, 0], [1000003, 5]]) == 1000001
    assert type(game_value([[7, 3], [9, 1]])) is int
    assert game_value([[10**6, 0, 9 * 10**5], [10**6 + 3, 5, 10**7], [2 * 10**6, 10**7, 0]]) == 10**6
