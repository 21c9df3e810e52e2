"""Compute the 95 % interval of a share, with the Wilson interval (score interval of a binomial proportion).

The interval contains all true shares that are consistent with the counted battles. It is accurate even for
shares near 0 and 1, and for small numbers of battles, unlike the normal approximation.

Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054  # half the width of a two-sided 95 % interval, in standard deviations


class Interval(NamedTuple):
    """A number of battles, the share of all battles that these are, and the 95 % interval of this share."""

    hits: int
    share: float
    low: float
    high: float

    def __repr__(self) -> str:
        return f"<Interval {self.share:.1%}: {self.low:.1%} to {self.high:.1%}>"

    @property
    def width(self) -> float:
        """The width of the interval, from 0 to 1."""
        return self.high - self.low


def wilson(hits: int, battles: int) -> Interval:
    """Return the share `hits` / `battles` with its 95 % interval.

    `battles` is at least 1, and `hits` is from 0 to `battles`.

    >>> [round(x, 4) for x in wilson(50, 100)[1:]]
    [0.5, 0.4038, 0.5962]
    """
    return Interval(hits, hits / battles, *wilson_bounds(hits / battles, battles))


def wilson_bounds(share: float, battles: int, z: float = Z) -> tuple[float, float]:
    """Return the Wilson interval of a share or a mean number of points, which is a number from 0 to 1.

    `z` is half the width of the interval in standard deviations. If the points of some battles are between 0
    and 1, as after draws, the interval is wider than necessary.
    """
    spread = z * sqrt(share * (1 - share) / battles + z * z / (4 * battles * battles))
    middle = share + z * z / (2 * battles)
    scale = 1 + z * z / battles
    low = 0.0 if share <= 0 else (middle - spread) / scale
    high = 1.0 if share >= 1 else (middle + spread) / scale
    return low, high


def certain(hits: int, battles: int) -> Interval:
    """Return the share `hits` / `battles` as an exact value, whose interval has the width 0."""
    return Interval(hits, hits / battles, hits / battles, hits / battles)
