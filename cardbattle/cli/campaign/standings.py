"""The command `campaign standings`, which prints the factions sorted by points."""

from __future__ import annotations

from cardbattle.cli.campaign.shared import ForReader, Where, read_known
from cardbattle.cli.run import POSTS, WITH_NUMBERS, CommandGroup, Printer
from cardbattle.show.pages.campaign.standings import standings_page

COMMANDS = CommandGroup()


@COMMANDS.command(
    "cardbattle campaign standings\ncardbattle campaign standings --format md", (*WITH_NUMBERS, *POSTS)
)
def standings_command(home: Where, to: Printer, reader: ForReader = "") -> None:
    """Print the factions in order of points, with forces and places."""
    to.show(standings_page(read_known(home.path, reader, checked=False)))
