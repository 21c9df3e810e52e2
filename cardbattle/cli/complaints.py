"""Complaints: a mistake told on standard error, with its source line and a caret."""

from __future__ import annotations

from cardbattle.cli.streams import say
from cardbattle.core.errors import Mistake
from cardbattle.core.names import clean
from cardbattle.files.errors import with_place


def complain(told: Mistake) -> None:
    """Print one mistake to standard error."""
    mistake = with_place(told)
    lines = [f"cardbattle: {clean(str(mistake))}"]
    if mistake.source.strip():
        source, column = in_view(mistake.source.expandtabs(1), mistake.column)
        lines.append(f"    {clean(source)}")
        if column:
            lines.append(" " * (len(clean(source[: column - 1])) + 4) + "^")
    say("\n".join(lines) + "\n")


def in_view(source: str, column: int) -> tuple[str, int]:
    """Return the part of a source line that is shown, and the column within it.

    >>> in_view("x" * 200, 150)[1], in_view("short", 3)
    (80, ('short', 3))
    """
    left = max(0, column - BEFORE) if column > SHOWN else 0
    return source[left : left + SHOWN], column - left


SHOWN = 100  # columns of a source line that an error shows
BEFORE = 80  # of them before the place, where that would lie beyond
