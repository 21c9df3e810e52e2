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
    """Defer Ctrl-C and SIGTERM until the block ends, then deliver the first one.

    Where possible the signals are also blocked, so that processes started meanwhile inherit the mask. If the
    block raises an error, that error wins. Handlers belong to the main thread; in other threads signals are
    only blocked.
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
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # pending signals arrive now
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for first in came[:1]:
        signal.raise_signal(first)
