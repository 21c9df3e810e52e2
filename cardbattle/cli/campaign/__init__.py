"""The campaign commands, with one module for each group of tasks."""

from __future__ import annotations

import typer

from cardbattle.cli.command_table import CAMPAIGN
from cardbattle.cli.lazy_group import Group, LazyGroup, print_help_without_command
from cardbattle.cli.options import Folder

campaign = typer.Typer(
    name="campaign",
    cls=LazyGroup,
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog="Commands use the campaign in the working directory or the nearest folder above it; "
    "-C DIR names another folder.",
)
GROUP = Group(campaign, CAMPAIGN)


@campaign.callback()
def campaign_group(context: typer.Context, folder: Folder = "") -> None:
    """Run a campaign: fight battles and keep the ledger."""
    context.obj = folder
    print_help_without_command(context)
