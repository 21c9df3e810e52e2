"""Complaints: a mistake told on standard error, with its source line and a caret."""

from __future__ import annotations

from cardbattle.cli.streams import say
from cardbattle.core.errors import Mistake
from cardbattle.files.errors import complaint


def complain(told: Mistake) -> None:
    """Print one mistake to standard error."""
    lines = complaint(told)
    say("\n".join([f"cardbattle: {lines[0]}", *lines[1:]]) + "\n")
