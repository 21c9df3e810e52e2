"""How to choose when both sides of a duel choose in secret: a matrix game of two players, zero-sum.

A table of payoffs says what each of our choices is worth against each of the enemy's; what one wins
the other loses. Regret matching settles on a mixed strategy, how often to make each choice, so that
nobody can reckon with it: what the best answer to it wins, its exploitability, goes to nothing.
Against an enemy with habits it is a restricted Nash response: their habits are used, and little is
lost if they break with them.

Sources: S. Hart, A. Mas-Colell, A Simple Adaptive Procedure Leading to Correlated Equilibrium,
2000 (regret matching); O. Tammelin, Solving Large Imperfect Information Games Using CFR+, 2014;
M. Johanson, M. Zinkevich, M. Bowling, Computing Robust Counter-Strategies, 2007 (restricted Nash
response).
"""

from __future__ import annotations

from typing import Final

SHARE: Final = 1000  # what shares sum up to, about
TURNS: Final = 200  # in which regrets settle


class MixedStrategies:
    """A weight for each of our choices and for each of the enemy's; of either not all are 0."""

    def __init__(self, ours: list[int], theirs: list[int]) -> None:
        self.ours = ours
        self.theirs = theirs

    def __repr__(self) -> str:
        return f"<MixedStrategies: {self.ours} against {self.theirs}>"


def solve(table: list[list[int]], habits: list[int], trust: int) -> MixedStrategies:
    """Return how often to make each choice.

    `table` has a column of payoffs, whole numbers of any unit, for each choice of the enemy, all as
    long as we have choices. The enemy is trusted to go by their `habits`, shares out of SHARE, in
    `trust` of SHARE cases, 0 to SHARE; in the others they do what hurts most. Without any trust that
    is the equilibrium; with some, a restricted Nash response. Raise ValueError unless there is a
    habit for each column.
    """
    ours = [0] * len(table[0])
    theirs = [0] * len(table)
    found = MixedStrategies([0] * len(ours), [0] * len(theirs))
    for turn in range(1, TURNS + 1):
        gains = [0] * len(ours)
        their_shares = strategy_of(theirs)
        for column, share, habit in zip(table, their_shares, habits, strict=True):
            faced = (trust * habit + (SHARE - trust) * share) // SHARE
            for row, worth in enumerate(column):
                gains[row] += faced * worth
        regret(ours, strategy_of(ours), gains)
        our_shares = strategy_of(ours)
        regret(theirs, their_shares, [-total(our_shares, column) for column in table])
        for row, share in enumerate(our_shares):
            found.ours[row] += turn * share
        for at, share in enumerate(their_shares):
            found.theirs[at] += turn * share
    return found


def strategy_of(regrets: list[int]) -> list[int]:
    """Return how often each choice is made, out of about SHARE: by its regret, or all alike."""
    whole = sum(regrets)
    if not whole:
        return [SHARE // len(regrets)] * len(regrets)
    return [SHARE * each // whole for each in regrets]


def regret(regrets: list[int], likely: list[int], gains: list[int]) -> None:
    """Regret each choice by what it would have gained beyond the likely ones; never less than nothing."""
    mean = total(likely, gains) // SHARE
    for at, gain in enumerate(gains):
        regrets[at] = max(0, regrets[at] + gain - mean)


def total(shares: list[int], values: list[int]) -> int:
    """Return the sum of the values, each as often as its share says."""
    return sum([share * game_value for share, game_value in zip(shares, values, strict=True)])


def game_value(table: list[list[int]]) -> int:
    """Return what a table is worth to us, in the unit of its payoffs, if both play their best.

    It is midway between what each can be sure of by the strategies that were found.
    """
    sure = max([min([column[row] for column in table]) for row in range(len(table[0]))])
    if sure == min([max(column) for column in table]):
        return sure
    found = solve(table, [0] * len(table), 0)
    least = min([total(found.ours, column) for column in table]) // sum(found.ours)
    rows = [[column[row] for column in table] for row in range(len(table[0]))]
    most = max([total(found.theirs, row) for row in rows]) // sum(found.theirs)
    return (least + most) // 2
