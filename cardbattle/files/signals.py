"""Defer Ctrl-C and SIGTERM during operations that must not be interrupted."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

HELD = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Defer Ctrl-C and SIGTERM until the end of the `with` block, and then deliver the first of them.

    If the system can block signals, both signals are also blocked, so that a process that is started in the
    `with` block does not receive them. If the code in the block raises an error, this error is raised, and
    the signal is dropped. Only the main thread can have signal handlers. In other threads, the function only
    blocks the signals.
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
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # blocked signals are delivered now
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for first in came[:1]:
        signal.raise_signal(first)
