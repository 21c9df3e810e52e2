"""Solve zero-sum matrix games exactly. In such a game, two players choose secretly at the same time.

A payoff table has the value of each of our choices against each choice of the opponent. The simplex method
finds the mixed strategy whose guaranteed payoff is best.

Source: G. Dantzig, Linear Programming and Extensions, 1963 (the simplex method).
"""

from __future__ import annotations

from typing import Final

TINY: Final = 1e-9  # smaller numbers are treated as zero
HAIR: Final = 1e-11  # multiples of it make all bounds different, which prevents infinite cycles
MOST_PIVOTS: Final = 1000  # a dozen pivots are usual; the limit guards against rounding errors


class Equilibrium:
    """Our optimal mixed strategy, and the payoff that we can expect with it against a perfect opponent."""

    def __init__(self, ours: list[float], worth: float) -> None:
        self.ours = ours
        self.worth = worth


def equilibrium(table: list[list[float]]) -> Equilibrium:
    """Return our optimal mixed strategy for a payoff table, with an error of about one billionth.

    `table` has a list for each choice of the opponent, with our payoff for each of our choices. The payoffs
    are from 0 to 1. The probabilities of our choices add up to 1. If one choice is dominant, its probability
    is 1. The computation uses only sums, products and quotients, so the result is the same on every computer.
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
    """Return our pure strategy with the best payoff in the worst case (maximin)."""
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
    """Return our mixed strategy for a game with two choices on each side.

    With this strategy, both choices of the opponent have the same payoff.
    """
    (first, second), (third, fourth) = table
    share = (fourth - second) / (first - second - third + fourth)
    return Equilibrium([share, 1 - share], share * first + (1 - share) * second)


def best_guarantee(table: list[list[float]]) -> float:
    """Return our payoff if the opponent chooses first and we see the choice, under perfect play (minimax)."""
    least = 2.0
    for column in table:
        most = column[0]
        for worth in column:
            if worth > most:
                most = worth
        if most < least:
            least = most
    return least


def against(habits: list[float], table: list[list[float]]) -> list[float]:
    """Return the expected payoff of each of our choices against the opponent's mixed strategy."""
    hopes = [0.0] * len(table[0])
    for habit, column in zip(habits, table, strict=True):
        for row, worth in enumerate(column):
            hopes[row] += habit * worth
    return hopes


class Tableau:
    """The simplex tableau of a matrix game.

    The tableau has a row for each choice of the opponent and a column for each of our choices. `goal` holds
    the coefficient of each column in the objective. The last element of each row is the bound of that row.
    The method `exchange` pivots the tableau.
    """

    def __init__(self, table: list[list[float]]) -> None:
        self.lines = [[2 - worth for worth in column] + [1 + HAIR * at] for at, column in enumerate(table)]
        self.goal = [1.0] * len(table[0]) + [0.0]
        # `at_line` holds indices of our choices; an index equal to the number of choices is a slack variable.
        self.at_line = [len(table[0])] * len(table)
        self.at_column = list(range(len(table[0])))

    def entering(self) -> int:
        """Return the column that improves the objective most, or -1 if no column improves it."""
        best, column = TINY, -1
        for at in range(len(self.at_column)):
            if self.goal[at] > best:
                best, column = self.goal[at], at
        return column

    def leaving(self, column: int) -> int:
        """Return the pivot row, in which the bound divided by the entry in the column is smallest."""
        least, row = 0.0, -1
        for at, line in enumerate(self.lines):
            if line[column] > TINY:
                bound = line[-1] / line[column]
                if row < 0 or bound < least:
                    least, row = bound, at
        return row

    def exchange(self, row: int, column: int) -> None:
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
        """Return our mixed strategy. The tableau must be final."""
        whole = -self.goal[-1]
        ours = [0.0] * (len(self.at_column) + 1)
        for at, choice in enumerate(self.at_line):
            ours[choice] = self.lines[at][-1] / whole
        return Equilibrium(ours[:-1], 2 - 1 / whole)


def eliminate(line: list[float], lead: list[float], column: int, pivot: float) -> list[float]:
    """Subtract a multiple of the pivot row `lead` from the row `line`, so that `line[column]` is zero."""
    factor = line[column]
    new = [each - factor * lead[at] for at, each in enumerate(line)]
    new[column] = -factor / pivot
    return new
