"""Compute Elo differences from pairs of battles, and carry out a sequential probability ratio test.

A pair consists of two battles with the same deal, in which the two players have exchanged seats. The results
of these battles are not independent. Therefore all computations use the variance between pairs and not
between battles (the pentanomial model).

Sources: A. Elo, The Rating of Chessplayers, 1978; A. Wald, Sequential Analysis, 1947; M. Van den Bergh, A
practical introduction to the GSPRT, 2016 (the normal approximation of the log-likelihood ratio).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import erf, inf, log, log10, sqrt
from typing import NamedTuple

from cardbattle.simulation.intervals import Z

PAIR_POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)  # possible points of one side in a pair of battles
ERROR = 0.05  # probability of each kind of error in the SPRT


def elo_of(share: float) -> float:
    """Return the Elo difference that corresponds to a share of the points from 0 to 1.

    If the share is 0 or 1, the Elo difference is infinite.

    >>> round(elo_of(0.64)), elo_of(0.5), elo_of(0.0)
    (100, 0.0, -inf)
    """
    if share in (0.0, 1.0):
        return inf if share else -inf
    return 400 * log10(share / (1 - share))


def share_of(elo: float) -> float:
    """Return the share of the points, from 0 to 1, that is expected for an Elo difference.

    >>> round(share_of(100), 2)
    0.64
    """
    return float(1 / (1 + 10 ** (-elo / 400)))


class Hypotheses(NamedTuple):
    """The two Elo differences between which the test decides."""

    elo0: float
    elo1: float


class PairScore:
    """A player's results: the numbers of pairs with 0, 0.5, 1, 1.5 and 2 points."""

    def __init__(self, pairs: Sequence[int] = (0, 0, 0, 0, 0)) -> None:
        self.pairs = list(pairs)

    def add(self, points: float) -> None:
        """Count one pair in which the player took this number of points, from 0 to 2."""
        self.pairs[PAIR_POINTS.index(points)] += 1

    def reversed(self) -> PairScore:
        """Return the results of the opponent in the same pairs."""
        return PairScore(self.pairs[::-1])

    @property
    def count(self) -> int:
        return sum(self.pairs)

    @property
    def points(self) -> float:
        """The points of the player in all battles. A win is 1 point, and a draw is 0.5 points."""
        return sum(points * number for points, number in zip(PAIR_POINTS, self.pairs, strict=True))

    @property
    def share(self) -> float:
        """The player's share of the points, from 0 to 1. There must be at least one pair."""
        return self.points / (2 * self.count)

    @property
    def variance(self) -> float:
        """The variance of the player's share of the points in a pair.

        The variance is at least 0.25 divided by the number of pairs, even if all pairs have the same
        result.
        """
        squares = [
            (points / 2 - self.share) ** 2 * number
            for points, number in zip(PAIR_POINTS, self.pairs, strict=True)
        ]
        return max(sum(squares) / self.count, 0.25 / self.count)

    @property
    def error(self) -> float:
        """The standard error of the player's share of the points."""
        return sqrt(self.variance / self.count)

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95 % interval of the player's share of the points. Both ends are from 0 to 1."""
        return max(0.0, self.share - Z * self.error), min(1.0, self.share + Z * self.error)

    @property
    def elo(self) -> float:
        """The estimated Elo difference. It is infinite if one player took all points."""
        return elo_of(self.share)

    @property
    def elo_bounds(self) -> tuple[float, float]:
        """The 95 % interval of the Elo difference."""
        low, high = self.bounds
        return elo_of(low), elo_of(high)

    @property
    def likelihood_of_superiority(self) -> float:
        """The probability that the player is the stronger one: likelihood of superiority (LOS)."""
        return (1 + erf((self.share - 0.5) / self.error / sqrt(2))) / 2

    def log_likelihood_ratio(self, test: Hypotheses) -> float:
        """Return the logarithm of the likelihood ratio of the second hypothesis to the first."""
        if not self.count:
            return 0.0
        low, high = share_of(test.elo0), share_of(test.elo1)
        return self.count * (high - low) * (2 * self.share - low - high) / (2 * self.variance)


def total_of(scores: Iterable[PairScore]) -> PairScore:
    return PairScore([sum(column) for column in zip(*[score.pairs for score in scores], strict=True)])


BOUND = log((1 - ERROR) / ERROR)  # absolute value of the log-likelihood ratio at which the test ends


def decision(ratio: float) -> str:
    """Return the hypothesis that the test accepts, which is `H0` or `H1`.

    The result is "" if the test must continue.

    >>> decision(-3.0), decision(0.0), decision(3.0)
    ('H0', '', 'H1')
    """
    return "H1" if ratio >= BOUND else "H0" if ratio <= -BOUND else ""
