"""Choosing when both sides of a duel choose in secret."""

from __future__ import annotations

import pytest

from cardbattle.core.chance import stream
from cardbattle.core.numeric.matrix_game import equilibrium

MATCHING = [[1000, 0], [0, 1000]]  # who matches the enemy's coin wins
ROCK = [[500, 1000, 0], [0, 500, 1000], [1000, 0, 500]]  # stone, paper, scissors


def shares(table: list[list[int]]) -> list[list[float]]:
    """Return a table in payoffs from 0 to 1."""
    return [[worth / 1000 for worth in column] for column in table]


def test_what_a_table_is_worth() -> None:
    """Test known games, and games in which each side has a dominant choice."""
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
