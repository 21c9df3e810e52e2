"""Complaints: a mistake told on standard error, with its source line and a caret."""

from __future__ import annotations

from cardbattle.cli.streams import error_width, say, wrapped_for_terminal
from cardbattle.core.errors import Mistake
from cardbattle.files.errors import complaint


def complain(told: Mistake) -> None:
    """Print one mistake to standard error; at a terminal its line breaks between words."""
    lines = complaint(told, error_width())
    say("\n".join([wrapped_for_terminal(f"cardbattle: {lines[0]}"), *lines[1:]]) + "\n")
