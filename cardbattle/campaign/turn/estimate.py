"""How long a count will take, estimated while its first battles are fought."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

TOLD_FROM = 5.0  # seconds to come that are worth a word
HEARD = 1.0  # seconds of measuring after which there is an estimate

Announce = Callable[[float], None]
"""Hears, at most once, about how many seconds are still to come."""


class Estimate:
    """Seconds of work, measured and still to come; `announce` hears of them once, if they are many."""

    def __init__(self, battles: int, workers: int, announce: Announce) -> None:
        self.left = battles
        self.workers = workers
        self.announce = announce
        self.began = monotonic()
        self.spent = 0.0
        self.measured = 0
        self.is_told = False

    def hear(self, battles: int, seconds: float) -> None:
        """Hear that so many battles took this long."""
        self.left -= battles
        self.spent += seconds
        self.measured += battles
        if not self.is_told and monotonic() - self.began >= HEARD:
            self.tell()

    def tell(self) -> None:
        """Announce how much is to come, if it is much."""
        self.is_told = True
        to_come = self.spent / max(1, self.measured) * self.left / self.workers
        if to_come >= TOLD_FROM:
            self.announce(to_come)


def duration_words(seconds: float) -> str:
    """Return a duration in words, as `about 4 minutes`.

    >>> duration_words(7.2), duration_words(95), duration_words(9000)
    ('about 10 seconds', 'about 2 minutes', 'about 2.5 hours')
    """
    if seconds < 55:
        return f"about {max(10, round(seconds, -1)):.0f} seconds"
    if seconds < 90 * 60:
        minutes = round(seconds / 60)
        return f"about {minutes} minute{'s' if minutes > 1 else ''}"
    return f"about {seconds / 3600:.1f} hours"
