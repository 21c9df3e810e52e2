"""How to choose when both sides of a duel choose in secret.

A table says what each of our choices is worth against each of the enemy's; what one wins the
other loses. Regrets settle on how often to make each choice, so that nobody can reckon with it.

Sources: S. Hart, A. Mas-Colell, A Simple Adaptive Procedure Leading to Correlated Equilibrium,
2000; O. Tammelin, Solving Large Imperfect Information Games Using CFR+, 2014; M. Johanson,
M. Zinkevich, M. Bowling, Computing Robust Counter-Strategies, 2007.
"""

from __future__ import annotations

from typing import Final

SHARE: Final = 1000  # what shares sum up to, about
TURNS: Final = 200  # in which regrets settle


class MixedStrategies:
    """A weight for each of our choices and for each of the enemy's; of either not all are 0."""

    def __init__(self, ours: list[int], his: list[int]) -> None:
        self.ours = ours
        self.his = his

    def __repr__(self) -> str:
        return f"<MixedStrategies: {self.ours} against {self.his}>"


def solve(table: list[list[int]], habits: list[int], trust: int) -> MixedStrategies:
    """Return how often to make each choice.

    `table` has a column for each choice of the enemy. He is trusted to go by his habits, shares
    out of SHARE, in `trust` of SHARE cases; in the others he does what hurts most. Without any
    trust that is the equilibrium; with some, his habits are used, and little is lost if he breaks
    with them.
    """
    ours = [0] * len(table[0])
    his = [0] * len(table)
    found = MixedStrategies([0] * len(ours), [0] * len(his))
    for turn in range(1, TURNS + 1):
        gains = [0] * len(ours)
        his_shares = strategy_of(his)
        for column, share, habit in zip(table, his_shares, habits, strict=True):
            faced = (trust * habit + (SHARE - trust) * share) // SHARE
            for row, worth in enumerate(column):
                gains[row] += faced * worth
        regret(ours, strategy_of(ours), gains)
        our_shares = strategy_of(ours)
        regret(his, his_shares, [-total(our_shares, column) for column in table])
        for row, share in enumerate(our_shares):
            found.ours[row] += turn * share
        for at, share in enumerate(his_shares):
            found.his[at] += turn * share
    return found


def strategy_of(regrets: list[int]) -> list[int]:
    """Return how often each choice is made: by its regret, or all alike."""
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
    """Return what a table is worth if both play their best: midway between what each can be sure of."""
    sure = max([min([column[row] for column in table]) for row in range(len(table[0]))])
    if sure == min([max(column) for column in table]):
        return sure
    found = solve(table, [0] * len(table), 0)
    least = min([total(found.ours, column) for column in table]) // sum(found.ours)
    rows = [[column[row] for column in table] for row in range(len(table[0]))]
    most = max([total(found.his, row) for row in rows]) // sum(found.his)
    return (least + most) // 2
