"""Print errors on standard error, with the source line and a caret."""

from __future__ import annotations

import sys

from cardbattle.cli.streams import say, terminal_width, wrap_for
from cardbattle.core.errors import Diagnostic
from cardbattle.files.errors import complaint


def complain(error: Diagnostic) -> None:
    """Print one error to standard error, with its line in the input file and a caret if the line is known."""
    lines = complaint(error, terminal_width(sys.stderr))
    say("\n".join([wrap_for(sys.stderr, f"cardbattle: {lines[0]}"), *lines[1:]]) + "\n")
