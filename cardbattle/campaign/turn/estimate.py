"""Estimate the duration of a simulation while its first battles are fought."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

WORTH_ANNOUNCING = 5.0  # seconds left
MEASURING = 1.0  # seconds before there is an estimate

Announce = Callable[[float], None]
"""Called at most once, with the estimated seconds left."""


class Estimate:
    """Measures the time of the finished work, and announces the remaining time once if it is long."""

    def __init__(self, battles: int, workers: int, announce: Announce) -> None:
        self.left = battles
        self.workers = workers
        self.announce = announce
        self.began = monotonic()
        self.spent = 0.0
        self.measured = 0
        self.is_announced = False

    def hear(self, battles: int, seconds: float) -> None:
        self.left -= battles
        self.spent += seconds
        self.measured += battles
        if not self.is_announced and monotonic() - self.began >= MEASURING:
            self.announce_time_left()

    def announce_time_left(self) -> None:
        self.is_announced = True
        seconds_left = self.spent / max(1, self.measured) * self.left / self.workers
        if seconds_left >= WORTH_ANNOUNCING:
            self.announce(seconds_left)


def duration_words(seconds: float) -> str:
    """Return a rounded duration, such as `about 4 minutes`.

    >>> duration_words(7.2), duration_words(95), duration_words(9000)
    ('about 10 seconds', 'about 2 minutes', 'about 2.5 hours')
    """
    if seconds < 55:
        return f"about {max(10, round(seconds, -1)):.0f} seconds"
    if seconds < 90 * 60:
        minutes = round(seconds / 60)
        return f"about {minutes} minute{'s' if minutes > 1 else ''}"
    return f"about {seconds / 3600:.1f} hours"
