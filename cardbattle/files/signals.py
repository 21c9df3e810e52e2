"""Ctrl-C and the like, held back while something is done that must not be cut in two."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

HELD = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back until the block is left; then the first that came comes through.

    Where the system can, they are blocked as well, so that a process started meanwhile does not hear
    of them until it lets them through. A block that ends in an error keeps to its error. Handlers
    belong to the main thread: in another one signals are blocked only.
    """
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    can_block = hasattr(signal, "pthread_sigmask")
    is_main = threading.current_thread() is threading.main_thread()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, HELD) if can_block else set()
    handlers = {number: signal.signal(number, note) for number in HELD} if is_main else {}
    try:
        yield
    finally:
        if can_block:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # what waited is noted now
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for first in came[:1]:
        signal.raise_signal(first)
