"""The 95 % interval of a share: the Wilson interval (score interval of a binomial proportion).

It contains all true shares that are consistent with the count. Unlike the normal approximation, it is
accurate near 0 and 1 and for few battles.

Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054  # half-width in standard deviations: two-sided 95 %


class Interval(NamedTuple):
    """A count, its share of all battles, 0 to 1, and the 95 % interval of the share."""

    hits: int
    share: float
    low: float
    high: float

    def __repr__(self) -> str:
        return f"<Interval {self.share:.1%}: {self.low:.1%} to {self.high:.1%}>"

    @property
    def width(self) -> float:
        """The width of the interval, 0 to 1."""
        return self.high - self.low


def wilson(hits: int, battles: int) -> Interval:
    """Return the share of hits among at least one battle, with its interval; hits are from 0 to `battles`.

    >>> [round(x, 4) for x in wilson(50, 100)[1:]]
    [0.5, 0.4038, 0.5962]
    """
    return Interval(hits, hits / battles, *wilson_bounds(hits / battles, battles))


def wilson_bounds(share: float, battles: int, z: float = Z) -> tuple[float, float]:
    """Return the interval of a share, or of a mean of points, both from 0 to 1.

    `z` is the half-width in standard deviations. Points between 0 and 1, such as those of a draw, vary less
    than wins and losses with the same mean; the interval is then wider than necessary.
    """
    spread = z * sqrt(share * (1 - share) / battles + z * z / (4 * battles * battles))
    middle = share + z * z / (2 * battles)
    scale = 1 + z * z / battles
    low = 0.0 if share <= 0 else (middle - spread) / scale
    high = 1.0 if share >= 1 else (middle + spread) / scale
    return low, high


def certain(hits: int, battles: int) -> Interval:
    """Return the share of hits as an exact value."""
    return Interval(hits, hits / battles, hits / battles, hits / battles)
