"""campaign add assert, and other tables that are written as KEY=VALUE."""

from __future__ import annotations

from typing import Annotated

import typer

from cardbattle.campaign.ledger import value_edits
from cardbattle.cli import options
from cardbattle.cli.campaign.between.edit import record_edit
from cardbattle.cli.campaign.record import RecordingOptions
from cardbattle.cli.campaign.shared import Where
from cardbattle.cli.run import ALL, CommandGroup, Printer

ADDITIONS = CommandGroup()

Settings = Annotated[
    list[str],
    typer.Argument(metavar="KEY=VALUE", help="Values of the new table.", callback=options.validate_texts),
]


def add_table(
    where: Where, table: str, key: str, settings: list[str], how: RecordingOptions, to: Printer
) -> None:
    """Add a table, or an item of a list of tables, with these values."""
    assignments = [value_edits.read_assignment(text) for text in settings]
    record_edit(
        where, how, to, lambda books: value_edits.add_item(books, table, key, assignments, how.reason)
    )


@ADDITIONS.command("cardbattle campaign add assert force=percy strength=14", ALL)
def assert_command(where: Where, setting: Settings, how: RecordingOptions, to: Printer) -> None:
    """Add an assertion: a value that `campaign check` compares."""
    add_table(where, "assert", "", setting, how, to)
