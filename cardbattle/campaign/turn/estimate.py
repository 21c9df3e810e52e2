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


def estimating(tick: Callable[[int, int], None], announce: Announce) -> Callable[[int, int], None]:
    """Return a function that reports progress like `tick`, and announces the remaining time.

    The estimate uses the elapsed time between two calls, so it allows for several workers.
    """
    estimate: Estimate | None = None
    start = last = monotonic()

    def report(finished: int, of: int) -> None:
        nonlocal estimate, last
        if estimate is None:
            estimate = Estimate(of, 1, announce)
            estimate.began = start
        began, last = last, monotonic()
        estimate.hear(1, last - began)
        tick(finished, of)

    return report
