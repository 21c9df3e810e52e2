"""Write the log of all messages to and from engines (option `--engine-log`)."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from cardbattle.core.names import clean


def format_line(line: str, began: float) -> str:
    """Return a line of the log, which has a time and a text.

    The time is in seconds since `began`, which is a time of the monotonic clock.
    """
    return f"{monotonic() - began:9.3f} {clean(line)}\n"


def append_to(file: str, began: float) -> Callable[[str], None]:
    """Return a function that appends a line to a log file. Several processes can append to the same file."""

    def write(line: str) -> None:
        with open(file, "a", encoding="utf-8") as log:
            log.write(format_line(line, began))

    return write
