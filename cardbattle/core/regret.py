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


def weights(table: list[list[int]], habits: list[int], trust: int) -> list[int]:
    """Return a weight for each of our choices, never all of them 0.

    `table` has a column for each choice of the enemy. He is trusted to go by his habits, shares
    out of SHARE, in `trust` of SHARE cases; in the others he does what hurts most. Without any
    trust that is the equilibrium; with some, his habits are used, and little is lost if he breaks
    with them.
    """
    ours = [0] * len(table[0])
    his = [0] * len(table)
    mix = [0] * len(ours)
    for turn in range(1, TURNS + 1):
        gains = [0] * len(ours)
        for column, share, habit in zip(table, shares(his), habits, strict=True):
            faced = (trust * habit + (SHARE - trust) * share) // SHARE
            for row, worth in enumerate(column):
                gains[row] += faced * worth
        regret(ours, shares(ours), gains)
        our_shares = shares(ours)
        regret(his, shares(his), [-total(our_shares, column) for column in table])
        for row, share in enumerate(our_shares):
            mix[row] += turn * share
    return mix


def shares(regrets: list[int]) -> list[int]:
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
    return sum([share * value for share, value in zip(shares, values, strict=True)])


def value(table: list[list[int]], mix: list[int]) -> int:
    """Return what a mix of our choices is worth at least, whatever the enemy does."""
    return min([total(mix, column) for column in table]) // sum(mix)
