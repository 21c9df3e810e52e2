"""Solve zero-sum matrix games: simultaneous secret choices of two sides.

A payoff table has the value of each of our choices against each of the opponent's. Regret matching finds a
mixed strategy whose exploitability converges to zero. Against an opponent with known habits it finds a
restricted Nash response, which exploits the habits and loses little if the opponent abandons them. The
simplex method solves small tables exactly. `risking` exploits habits up to a given loss against best play.

Sources: G. Dantzig, Linear Programming and Extensions, 1963 (the simplex method); S. Hart, A. Mas-Colell, A
Simple Adaptive Procedure Leading to Correlated Equilibrium, 2000 (regret matching); O. Tammelin, Solving
Large Imperfect Information Games Using CFR+, 2014; M. Johanson, M. Zinkevich, M. Bowling, Computing Robust
Counter-Strategies, 2007 (restricted Nash response).
"""

from __future__ import annotations

from typing import Final

SHARE: Final = 1000  # what shares sum up to, about
TURNS: Final = 200  # in which regrets settle
TINY: Final = 1e-9  # what counts as nothing
HAIR: Final = 1e-11  # by which bounds differ, so that no two are the same and no exchange is in vain
MOST_PIVOTS: Final = 1000  # a bound against rounding alone; a dozen do
TRUSTS: Final = (0.2, 0.5, 1.0)  # how far habits are trusted, one after the other, until that risks too much


class MixedStrategies:
    """Weights of our choices and of the opponent's; on each side at least one is positive."""

    def __init__(self, ours: list[int], theirs: list[int]) -> None:
        self.ours = ours
        self.theirs = theirs

    def __repr__(self) -> str:
        return f"<MixedStrategies: {self.ours} against {self.theirs}>"


def solve(table: list[list[int]], habits: list[int], trust: int) -> MixedStrategies:
    """Return mixed strategies of both sides, by regret matching.

    `table` has a column of integer payoffs, in any unit, for each choice of the opponent. The opponent
    follows `habits` (shares out of SHARE) in `trust` of SHARE cases (0 to SHARE) and plays the best response
    otherwise: zero trust gives the equilibrium, more trust a restricted Nash response. Raises ValueError
    unless there is a habit for each column.
    """
    ours = [0] * len(table[0])
    theirs = [0] * len(table)
    strategies = MixedStrategies([0] * len(ours), [0] * len(theirs))
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
            strategies.ours[row] += turn * share
        for at, share in enumerate(their_shares):
            strategies.theirs[at] += turn * share
    return strategies


def strategy_of(regrets: list[int]) -> list[int]:
    """Return the share of each choice, out of about SHARE, in proportion to its regret.

    Without any regret, all shares are equal.
    """
    whole = sum(regrets)
    if not whole:
        return [SHARE // len(regrets)] * len(regrets)
    return [SHARE * each // whole for each in regrets]


def regret(regrets: list[int], likely: list[int], gains: list[int]) -> None:
    """Add to each choice's regret what it would have gained over the current strategy; never below zero."""
    mean = total(likely, gains) // SHARE
    for at, gain in enumerate(gains):
        regrets[at] = max(0, regrets[at] + gain - mean)


def total(shares: list[int], values: list[int]) -> int:
    """Return the sum of the values, weighted by their shares."""
    return sum([share * value for share, value in zip(shares, values, strict=True)])


class Equilibrium:
    """The optimal mixed strategy, and its value against best play."""

    def __init__(self, ours: list[float], worth: float) -> None:
        self.ours = ours
        self.worth = worth

    def __repr__(self) -> str:
        return f"<Equilibrium: {self.ours}, worth {self.worth}>"


def equilibrium(table: list[list[float]]) -> Equilibrium:
    """Return the optimal mixed strategy, exact to about one billionth.

    `table` is that of `solve`, with payoffs from 0 to 1. The shares add up to 1, and a dominant choice gets
    all of it. Only sums, products and quotients are used, so the result is the same on every machine.
    """
    safe = safest(table)
    if safe.worth >= best_guarantee(table):
        return safe
    if len(table) == len(safe.ours) == 2:
        return of_two_by_two(table)
    tableau = Tableau(table)
    for _ in range(MOST_PIVOTS):
        column = tableau.entering()
        if column < 0:
            break
        tableau.exchange(tableau.leaving(column), column)
    return tableau.solution()


def safest(table: list[list[float]]) -> Equilibrium:
    """Return our first pure choice with the best worst case (maximin)."""
    best, choice = -1.0, 0
    for row in range(len(table[0])):
        least = table[0][row]
        for column in table:
            if column[row] < least:
                least = column[row]
        if least > best:
            best, choice = least, row
    ours = [0.0] * len(table[0])
    ours[choice] = 1.0
    return Equilibrium(ours, best)


def of_two_by_two(table: list[list[float]]) -> Equilibrium:
    """Return the mix of two choices that makes the opponent indifferent between two of theirs."""
    (first, second), (third, fourth) = table
    share = (fourth - second) / (first - second - third + fourth)
    return Equilibrium([share, 1 - share], share * first + (1 - share) * second)


def best_guarantee(table: list[list[float]]) -> float:
    """Return our best payoff against the opponent's choice that limits it most (minimax)."""
    least = 2.0
    for column in table:
        most = column[0]
        for worth in column:
            if worth > most:
                most = worth
        if most < least:
            least = most
    return least


def risking(table: list[list[float]], best: Equilibrium, habits: list[float], risk: float) -> list[float]:
    """Return a strategy that exploits an opponent's habits at a limited risk.

    `best` is the equilibrium of the table, `habits` the probability of each choice of the opponent; they add
    up to 1. Against a best response, the strategy loses at most `risk` compared with best play, in the unit
    of the table. It is a mix of two restricted Nash responses: the last within the risk, and the next.
    """
    mix, lost = best.ours, 0.0
    if risk < TINY:
        return mix
    hopes = against(habits, table)
    for trust in TRUSTS:
        further = equilibrium(trusting(table, hopes, trust)).ours
        more = best.worth - sure_of(further, table)
        if more > risk:
            part = (risk - lost) / (more - lost)
            return [share + part * (other - share) for share, other in zip(mix, further, strict=True)]
        mix, lost = further, more
    return mix


def against(habits: list[float], table: list[list[float]]) -> list[float]:
    """Return the expected payoff of each of our choices against the habits."""
    hopes = [0.0] * len(table[0])
    for habit, column in zip(habits, table, strict=True):
        for row, worth in enumerate(column):
            hopes[row] += habit * worth
    return hopes


def trusting(table: list[list[float]], hopes: list[float], trust: float) -> list[list[float]]:
    """Return the table with each payoff mixed with that against the habits, in proportion to the trust."""
    return [
        [(1 - trust) * worth + trust * hope for worth, hope in zip(column, hopes, strict=True)]
        for column in table
    ]


def sure_of(mix: list[float], table: list[list[float]]) -> float:
    """Return the payoff of a mixed strategy against the opponent's best response."""
    return min([worth_of(mix, column) for column in table])


def worth_of(mix: list[float], column: list[float]) -> float:
    """Return the payoff of a mixed strategy against one choice, summed in order."""
    worth = 0.0
    for share, each in zip(mix, column, strict=True):
        worth += share * each
    return worth


class Tableau:
    """The simplex tableau of a matrix game: minimise the loss relative to the best payoff.

    There is a row for each choice of the opponent and a column for each of ours. `goal` is the gain from more
    of a choice; the last element of each row bounds it. `exchange` pivots.
    """

    def __init__(self, table: list[list[float]]) -> None:
        self.lines = [[2 - worth for worth in column] + [1 + HAIR * at] for at, column in enumerate(table)]
        self.goal = [1.0] * len(table[0]) + [0.0]
        self.at_line = [len(table[0])] * len(table)  # which choice of ours; beyond them all: a bound
        self.at_column = list(range(len(table[0])))

    def entering(self) -> int:
        """Return the column with the largest gain, or -1 if no gain is left."""
        best, column = TINY, -1
        for at in range(len(self.at_column)):
            if self.goal[at] > best:
                best, column = self.goal[at], at
        return column

    def leaving(self, column: int) -> int:
        """Return the row that limits a column most."""
        least, row = 0.0, -1
        for at, line in enumerate(self.lines):
            if line[column] > TINY:
                bound = line[-1] / line[column]
                if row < 0 or bound < least:
                    least, row = bound, at
        return row

    def exchange(self, row: int, column: int) -> None:
        """Pivot on a row and a column."""
        lead = self.lines[row]
        pivot = lead[column]
        lead = [each / pivot for each in lead]
        for at, line in enumerate(self.lines):
            if at != row:
                self.lines[at] = eliminate(line, lead, column, pivot)
        self.goal = eliminate(self.goal, lead, column, pivot)
        lead[column] = 1 / pivot
        self.lines[row] = lead
        label = self.at_line[row]
        self.at_line[row] = self.at_column[column]
        self.at_column[column] = label

    def solution(self) -> Equilibrium:
        """Return the mixed strategy of the final tableau."""
        whole = -self.goal[-1]
        ours = [0.0] * (len(self.at_column) + 1)
        for at, choice in enumerate(self.at_line):
            ours[choice] = self.lines[at][-1] / whole
        return Equilibrium(ours[:-1], 2 - 1 / whole)


def eliminate(line: list[float], lead: list[float], column: int, pivot: float) -> list[float]:
    """Return a row minus the multiple of the pivot row that makes its entry in this column zero."""
    factor = line[column]
    new = [each - factor * lead[at] for at, each in enumerate(line)]
    new[column] = -factor / pivot
    return new
