"""The commands that umpire_changes a campaign: one file for each duty."""

from __future__ import annotations

import sys

import typer

from cardbattle.cli.campaign import fight, forecast, new, record, seal, site, state, umpire_changes
from cardbattle.cli.campaign.shared import Folder

campaign = typer.Typer(
    name="campaign",
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog="Commands find the campaign by walking up from the working directory; -C DIR names one.",
)


for group in (state, fight, new, record, umpire_changes, forecast, seal, site):
    group.COMMANDS.add_to(campaign)
campaign.add_typer(umpire_changes.add)


@campaign.callback()
def campaign_group(context: typer.Context, folder: Folder = "") -> None:
    """Keep a campaign's books: show, check, fight and the rest."""
    context.obj = folder
    help_instead(context)


@umpire_changes.add.callback()
def add_group(context: typer.Context) -> None:
    """Add a faction, a force, a place or a battle."""
    help_instead(context)


def help_instead(context: typer.Context) -> None:
    """Print the help whole where no command is named, and raise Exit as for any wrong command line."""
    if context.invoked_subcommand is None:
        sys.stdout.write(f"{context.get_help()}\n")
        raise typer.Exit(2)
