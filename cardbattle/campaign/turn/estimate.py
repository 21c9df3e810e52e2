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
        self.left: float = battles
        self.workers = workers
        self.announce = announce
        self.began = monotonic()
        self.spent = 0.0
        self.measured = 0.0
        self.is_announced = False

    def hear(self, battles: float, seconds: float) -> None:
        """Add finished battles, or a part of one, and the time that they took."""
        self.left -= battles
        self.spent += seconds
        self.measured += battles
        if not self.is_announced and self.measured and monotonic() - self.began >= MEASURING:
            self.announce_time_left()

    def announce_time_left(self) -> None:
        self.is_announced = True
        seconds_left = self.spent / self.measured * self.left / self.workers
        if seconds_left >= WORTH_ANNOUNCING:
            self.announce(seconds_left)


def estimating(tick: Callable[[int, int], None], announce: Announce) -> Callable[[float, int], None]:
    """Return a function that reports progress like `tick`, and announces the remaining time.

    The function also takes a part of a battle, such as 0.1, so that there is an estimate during the first
    battle. The estimate uses the elapsed time between two calls, so it allows for several workers.
    """
    estimate: Estimate | None = None
    start = last = monotonic()
    finished_before = 0.0

    def report(finished: float, of: int) -> None:
        nonlocal estimate, last, finished_before
        if estimate is None:
            estimate = Estimate(of, 1, announce)
            estimate.began = start
        began, last = last, monotonic()
        estimate.hear(finished - finished_before, last - began)
        finished_before = finished
        tick(int(finished), of)

    return report
