"""The exact equilibrium of small duels of Strategy WAR, and how far a strategy can be exploited.

Backward induction over all positions; the matrix game of each round is solved by linear
programming. Values are the first seat's share of the battle, 1 won, 0 lost, 1/2 shared, or its points.
"""

from __future__ import annotations

from collections.abc import Callable

from scipy.optimize import linprog

from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Fate
from cardbattle.rules.strategy_war.battle import StrategyWar, distinct

Key = tuple[tuple[int, ...], tuple[int, ...], int, int]
Policy = Callable[[StrategyWar, int], list[float]]  # likelihood of each option of a seat


def duel(hand: list[int]) -> StrategyWar:
    """Return a duel of two equal hands at its first question."""
    battle = StrategyWar()
    battle.begin([hand, hand], Fate(), rounds=len(hand))
    battle.run()
    return battle


def key_of(battle: StrategyWar) -> Key:
    """Return all that bears on how a duel goes on."""
    lead = battle.scores[0] - battle.scores[1]
    return tuple(battle.hands[0]), tuple(battle.hands[1]), lead, battle.carry


def after(battle: StrategyWar, mine: int, theirs: int) -> StrategyWar:
    """Return the duel once both have chosen."""
    new = battle.copy()
    new.choose(mine)
    new.choose(theirs)
    return new


def share(battle: StrategyWar) -> float:
    """Return the first seat's share of a battle that is over."""
    winners = battle.outcome().winners
    return 0.5 if len(winners) == 2 else float(winners == [0])


def points(battle: StrategyWar) -> float:
    """Return by how many points the first seat is ahead."""
    return battle.scores[0] - battle.scores[1]


class Equilibrium:
    """Values and equilibrium strategies of every position met, by what a battle that is over is worth."""

    def __init__(self, worth: Callable[[StrategyWar], float] = share) -> None:
        self.worth = worth
        self.values: dict[Key, float] = {}
        self.mixes: dict[Key, list[float]] = {}

    def value(self, battle: StrategyWar) -> float:
        """Return what the duel is worth to the first seat if both play perfectly."""
        if battle.side == NOBODY:
            return self.worth(battle)
        key = key_of(battle)
        if key not in self.values:
            mine, theirs = [distinct(hand) for hand in battle.hands]
            matrix = [
                [self.value(after(battle, row, column)) for column in range(len(theirs))]
                for row in range(len(mine))
            ]
            self.values[key], self.mixes[key] = solved(matrix)
        return self.values[key]


def solved(matrix: list[list[float]]) -> tuple[float, list[float]]:
    """Return the value of a matrix game to the row player, and their equilibrium strategy."""
    rows, columns = len(matrix), len(matrix[0])
    found = linprog(
        [0.0] * rows + [-1.0],
        A_ub=[[-matrix[row][column] for row in range(rows)] + [1.0] for column in range(columns)],
        b_ub=[0.0] * columns,
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * rows + [(None, None)],
    )
    return float(-found.fun), [float(part) for part in found.x[:rows]]


class Exploiter:
    """The best answer to a strategy that the first seat follows."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.values: dict[Key, float] = {}

    def value(self, battle: StrategyWar) -> float:
        """Return what is left of the duel for the first seat."""
        if battle.side == NOBODY:
            return share(battle)
        key = key_of(battle)
        if key not in self.values:
            mix = self.policy(battle, 0)
            self.values[key] = min(
                sum(part * self.value(after(battle, row, column)) for row, part in enumerate(mix) if part > 0)
                for column in range(len(battle.hands[1]))
            )
        return self.values[key]
