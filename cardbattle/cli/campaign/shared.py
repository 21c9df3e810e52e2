"""What the commands of a campaign share: which campaign, what is recorded, what the umpire is told."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.cli import options
from cardbattle.cli.output import message, standing
from cardbattle.cli.run import option_group
from cardbattle.core.names import clean

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from cardbattle.campaign.ledger import Entry, Ledger
    from cardbattle.campaign.operations import CampaignFile, Operation
    from cardbattle.campaign.store import Transaction

Folder = Annotated[str, typer.Option("-C", metavar="DIR", help="The campaign's folder.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print the change to campaign.toml as a diff; write nothing.")
]
Reason = Annotated[
    str,
    typer.Option("--reason", metavar="TEXT", help="Why; the ledger keeps it.", callback=options.checked_text),
]


@option_group
class Where(NamedTuple):
    """Which campaign: the one that -C names, before or after the command, or the nearest above."""

    context: typer.Context
    folder: Folder = ""

    @property
    def path(self) -> str:
        """The campaign's folder; Refused if there is none."""
        from cardbattle.campaign.premises import find_folder, open_folder

        named = self.folder or self.context.obj or ""
        return open_folder(named) if named else find_folder()


def read_only(at: str, keep: bool = False) -> tuple[CampaignFile, Ledger]:
    """Return a campaign and its ledger as a command sees them that writes nothing.

    With `keep`, for a command that tells all entries. Refused lists all mistakes of its file;
    NeedsUmpire if its ledger is damaged.
    """
    from cardbattle.campaign import store
    from cardbattle.campaign.sealed_draw import with_draw

    books, ledger = store.load(at), store.load_ledger(at, keep=keep)
    store.check_ledger(ledger, books.campaign.revision)
    return with_draw(books, ledger), store.with_edits(books, ledger)


def read_repaired(at: str) -> tuple[CampaignFile, Ledger]:
    """Return a campaign and its ledger after what was interrupted is finished.

    Errors as `open_for_writing`.
    """
    from cardbattle.campaign import store

    with store.open_for_writing(at) as transaction:
        tell_notes(transaction.take_notes())
        return transaction.books, transaction.ledger


def committed(transaction: Transaction, operations: Sequence[Operation]) -> list[Entry]:
    """Record the operations, and tell what the umpire should know of them; errors as `Transaction.commit`."""
    try:
        return transaction.commit(operations)
    finally:
        noted = [note for operation in operations for note in operation.notes]
        tell_notes([*noted, *transaction.take_notes()])


def tell_notes(notes: Sequence[str]) -> None:
    """Say what had to be repaired, and what else the umpire should know."""
    for note in notes:
        message(clean(note))


def told_of(entries: Sequence[Entry]) -> AbstractContextManager[None]:
    """Print what was recorded; if that cannot be written, say that it is recorded all the same."""
    from cardbattle.campaign.store import entries_as_words

    return standing(f"{entries_as_words(entries) or 'nothing'} is recorded")


def show_diff(diff: str, no_color: bool) -> None:
    """Print a unified diff, in colour on a terminal."""
    if sys.stdout.isatty():
        from cardbattle.show.console import console
        from cardbattle.show.writers.terminal import print_diff

        print_diff(diff, console(sys.stdout, False if no_color else None))
    else:
        sys.stdout.write(diff)
