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
        source = mistake.source.expandtabs(1)
        lines.append(f"    {clean(source[:SHOWN])}")
        if 0 < mistake.column <= SHOWN:
            lines.append(" " * (len(clean(source[: mistake.column - 1])) + 4) + "^")
    say("\n".join(lines) + "\n")


SHOWN = 100  # columns of a source line that an error shows
