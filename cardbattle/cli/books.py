"""campaign, demo: the campaign's books."""

from __future__ import annotations

import typer


def add_to(app: typer.Typer) -> None:
    """Add these commands to the command line."""
