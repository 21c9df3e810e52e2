"""How sure a share counted over some battles is: its interval of 95 %.

It is the Wilson interval, the score interval of a binomial proportion: all true shares that the count would
not contradict. Unlike the plain one it holds good near 0 and 1 and for few battles.

Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054  # standard deviations on either side: two-sided 95 %


class Interval(NamedTuple):
    """A count with its share of all battles, from 0 to 1, and the interval of 95 % around it."""

    hits: int
    share: float
    low: float
    high: float

    def __repr__(self) -> str:
        return f"<Interval {self.share:.1%}: {self.low:.1%} to {self.high:.1%}>"

    @property
    def width(self) -> float:
        """How wide the interval is, from 0 to 1."""
        return self.high - self.low


def wilson(hits: int, battles: int) -> Interval:
    """Return the share of hits, 0 to `battles`, among at least one battle, with its interval.

    >>> [round(x, 4) for x in wilson(50, 100)[1:]]
    [0.5, 0.4038, 0.5962]
    """
    return Interval(hits, hits / battles, *wilson_bounds(hits / battles, battles))


def wilson_bounds(share: float, battles: int, z: float = Z) -> tuple[float, float]:
    """Return the interval around a share, or around a mean of points, from 0 to 1, of some battles.

    `z` says how sure it is, in standard deviations on either side. Points between 0 and 1, as for a draw,
    vary less than wins and losses of the same mean: then the interval is wider than it need be.
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
