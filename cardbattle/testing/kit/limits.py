"""Limit processor time and memory, so that a rule set with an infinite loop is stopped."""

from __future__ import annotations

import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIGINT, getsignal, signal
from threading import Event, Thread, current_thread, main_thread
from time import monotonic, process_time
from types import FrameType

if sys.platform != "win32":
    from resource import RUSAGE_SELF, getrusage

POLL = 0.1  # seconds between two checks of the limits
WALL = 10  # factor by which the elapsed time of a law can exceed its limit of processor time
MOST_MEMORY = 1_000_000_000  # number of bytes that a law can add to the memory of the process


class OverLimit(BaseException):
    """The error that is raised if a law exceeds its limit of time or memory.

    The class is not a subclass of Exception, so that `except Exception` in a rule set does not catch it.
    """


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise OverLimit in a `with` block if the block uses too much processor time or memory.

    `seconds` is the limit of processor time. Another thread checks the limits and interrupts the main thread.
    Compiled code is interrupted as soon as it calls Python code. The limits work only in the main thread, and
    only if Python can handle signals.
    """
    if current_thread() is not main_thread() or getsignal(SIGINT) is None:
        yield
        return
    watch = Watch(seconds)
    previous = signal(SIGINT, watch.interrupt)
    watcher = Thread(target=watch.run, daemon=True)
    try:
        watcher.start()
        try:
            yield
        finally:
            watch.ended.set()
            watcher.join()
    finally:
        signal(SIGINT, previous)


class Watch:
    """A thread that checks the limits of a `with` block, and stores why the block was stopped."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.ended = Event()
        self.reason = ""
        self.began = (process_time(), monotonic(), memory())

    def run(self) -> None:
        """When a limit is exceeded, interrupt the main thread repeatedly until the block has ended."""
        while not self.ended.wait(POLL):
            self.reason = self.reason or self.exceeded()
            if self.reason:
                interrupt_main()

    def exceeded(self) -> str:
        """Return the error message for the limit that is exceeded, or "" if no limit is exceeded."""
        processor, wall, bytes_used = self.began
        if process_time() - processor > self.seconds:
            return f"no end after {self.seconds:g} s of processor time"
        if monotonic() - wall > WALL * self.seconds:
            return f"no end after {WALL * self.seconds:g} s, most of them spent waiting"
        if memory() - bytes_used > MOST_MEMORY:
            return f"more than {MOST_MEMORY // 1_000_000:,} MB of memory are used"
        return ""

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise OverLimit in the main thread, or KeyboardInterrupt if the user pressed Ctrl+C."""
        if not self.reason:
            raise KeyboardInterrupt
        if not self.ended.is_set():
            raise OverLimit(self.reason)


def memory() -> int:
    """Return the largest amount of memory that this process has used, in bytes.

    The result is 0 if the system does not report this.
    """
    if sys.platform == "win32":
        return 0
    used = getrusage(RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else 1024 * used
