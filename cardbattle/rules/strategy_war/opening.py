"""The first round of a duel of Strategy WAR under best play, from the exact solution in points.

`data/strategy_war_duel.csv` has the payoffs for all thirteen ranks, as `Opening.as_csv` writes them.
"""

from __future__ import annotations

from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.numeric.matrix_game import against, equilibrium
from cardbattle.rules.strategy_war.duel import FIRST, Deck, solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.rules.strategy_war.duel import Report

PLACES = 4  # number of decimals of a stored payoff; the solution is more exact
STORED = "strategy_war_duel.csv"


class Opening(NamedTuple):
    """The first round of a duel between two equal hands of the lowest ranks, counted from the 2.

    `payoffs` has a row for each of our cards and a column for each enemy card. Each payoff is the expected
    number of points by which our side wins after these two cards, if both sides then play perfectly.
    """

    payoffs: list[list[float]]

    @property
    def ranks(self) -> range:
        """The ranks of the cards in each hand, in ascending order."""
        return range(FIRST, FIRST + len(self.payoffs))

    @property
    def positions(self) -> int:
        """The number of positions that were solved."""
        deck = Deck(len(self.payoffs))
        return sum(deck.count(left) for left in range(1, deck.cards + 1))

    def shares(self) -> list[float]:
        """Return the probability, for each card, that best play begins with it."""
        most = max(max(row) for row in self.payoffs) or 1.0
        columns = [[(each / most + 1) / 2 for each in column] for column in zip(*self.payoffs, strict=True)]
        return equilibrium(columns).ours

    def values(self, shares: Sequence[float]) -> list[float]:
        """Return the value of each card in points, if the enemy begins with the probabilities `shares`."""
        return against([*shares], [[*column] for column in zip(*self.payoffs, strict=True)])

    def guarantee(self, shares: Sequence[float]) -> float:
        """Return the average margin, in points, that the probabilities `shares` guarantee to a side.

        The side begins with each card with the probability that `shares` has for this card.
        """
        return -max(self.values(shares))

    def as_csv(self) -> str:
        """Return the payoffs as CSV, with a line for each of our cards and a column for each enemy card."""
        return "".join(",".join(f"{each:.{PLACES}f}" for each in row) + "\n" for row in self.payoffs)

    def checksum(self) -> str:
        """Return the SHA-256 hash of the text that `as_csv` returns."""
        return sha256(self.as_csv().encode()).hexdigest()


def solve_opening(cards: int, report: Report) -> Opening:
    """Solve the duel with the `cards` lowest ranks (2 to 13 ranks), and return its first round."""
    return Opening([[round(each, PLACES) + 0.0 for each in row] for row in solve(cards, report)])


def load_opening() -> Opening:
    """Return the stored solution of the duel with all thirteen ranks."""
    text = resources.files("cardbattle").joinpath("data", STORED).read_text(encoding="ascii")
    return Opening([[float(each) for each in line.split(",")] for line in text.splitlines()])


def work(cards: int) -> int:
    """Estimate the time to solve a duel with `cards` ranks, in arbitrary units."""
    deck = Deck(cards)
    return sum(deck.count(left) * left**3 for left in range(1, cards))
