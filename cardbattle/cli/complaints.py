"""Complaints: a mistake told on standard error, an output that nobody can take."""

from __future__ import annotations

import os
import sys

from cardbattle.core.errors import Mistake, SystemRefused
from cardbattle.core.names import clean


def complain(mistake: Mistake) -> None:
    """Print one mistake to standard error."""
    lines = [f"cardbattle: {clean(str(mistake))}"]
    if mistake.source.strip():
        source = mistake.source.expandtabs(1)
        lines.append(f"    {clean(source[:SHOWN])}")
        if 0 < mistake.column <= SHOWN:
            lines.append(" " * (len(clean(source[: mistake.column - 1])) + 4) + "^")
    sys.stderr.write("\n".join(lines) + "\n")


SHOWN = 100  # columns of a source line that an error shows


def broken_output() -> int:
    """Close an output nobody can take any more, so that the interpreter does not complain later."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return SystemRefused.exit_code
