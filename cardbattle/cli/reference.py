"""rules, commanders: what there is to fight by and to command."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cardbattle.cli import options


def add_to(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command(epilog="Example: cardbattle rules field-of-honour")(rules)
    app.command(epilog="Example: cardbattle commanders")(commanders)


def rules(
    name: Annotated[
        str, typer.Argument(metavar="[RULES]", help="A rule set; without one all are listed.")
    ] = "",
    format: options.Format = "text",
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Print the rules of a rule set, numbered, with rulings, house rules and credit."""


def commanders(
    format: options.Format = "text", json: options.Json = False, no_color: options.NoColor = False
) -> None:
    """Print who can command, and how strong they are."""
