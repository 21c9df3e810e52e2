"""Options and helpers that the campaign commands share."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple, TextIO

import typer

from cardbattle.campaign.ledger.umpire_changes import find_key
from cardbattle.campaign.seals.sealed_draw import with_draw
from cardbattle.campaign.state.errors import InUse
from cardbattle.campaign.state.paths import find_folder, open_folder
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.store import recorded_text
from cardbattle.campaign.visibility.reader import PUBLIC, UMPIRE, visible_to
from cardbattle.cli import options
from cardbattle.cli.output import message, report_completed
from cardbattle.cli.parameters import option
from cardbattle.cli.run import option_group
from cardbattle.core.errors import CardbattleError, InvalidInput, UsageError
from cardbattle.core.names import as_typed, clean
from cardbattle.files.errors import SystemFailure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from cardbattle.campaign.ledger.ledger import Entry, Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import Reader, VisibleCampaign

DryRun = Annotated[bool, option("--dry-run", "Print the change to campaign.toml as a diff; write nothing.")]
Reason = Annotated[
    str,
    option("--reason TEXT", "Reason, stored in the ledger.", callback=options.strip_text),
]


Public = Annotated[
    bool, option("--public", "Let all players read the reason, even those who may not see the change.")
]


@option_group
class Where(NamedTuple):
    """The folder of the campaign.

    The option -C names the folder. It can come before or after the name of the command. The default is the
    working directory, or the nearest folder above it that has a campaign.
    """

    context: typer.Context
    folder: options.Folder = ""

    @property
    def path(self) -> str:
        """The campaign's folder. Raises InvalidInput if the folder has no campaign."""
        named = self.folder or self.context.obj or ""
        return open_folder(named) if named else find_folder()


ForReader = Annotated[
    str,
    option(
        "--for FACTION",
        "Show only what this faction may know. `public`: what everyone may know; `umpire`: everything.",
        callback=options.as_key,
    ),
]
ADD_YOUR_OWN = (
    "The campaign is empty. Add factions first, then places and forces, then a battle or roads: cardbattle "
    "campaign add faction NAME, add place NAME, add force NAME, add battle ID, add road PLACE PLACE"
)
CONTRADICTORY = (
    "campaign.toml lacks recorded changes and contradicts them, so it is shown without them; "
    "the umpire sees why with: cardbattle campaign check"
)
KEPT_SECRET = "the umpire is needed; run this command without --for to see why"


@contextmanager
def discreet(reader: str) -> Iterator[None]:
    """Hide the text of errors in a `with` block if `reader` (the value of --for) is a faction or the public.

    A hidden CardbattleError keeps its exit code, but its text says only that the umpire is needed.
    UsageError, SystemFailure and InUse (another process uses the campaign) are not hidden.
    """
    try:
        yield
    except CardbattleError as error:
        if reader in ("", UMPIRE_WORD) or isinstance(error, (UsageError, SystemFailure, InUse)):
            raise
        cardbattle_error = CardbattleError(KEPT_SECRET)
        cardbattle_error.exit_code = error.exit_code
        raise cardbattle_error from None


PUBLIC_WORD, UMPIRE_WORD = "public", "umpire"


def reader_named(campaign: Campaign, word: str, default: Reader) -> Reader:
    """Return the reader given with --for: a faction, `public` or `umpire`.

    A faction can be given by its key, its name, or a part of them that no other faction has. Raises
    UsageError, which suggests the nearest faction, for any other word.
    """
    if not word or word in campaign.factions:
        return word or default
    if word.lower() in (PUBLIC_WORD, UMPIRE_WORD):
        return PUBLIC if word.lower() == PUBLIC_WORD else UMPIRE
    try:
        return find_key(campaign, "factions", word)
    except InvalidInput as error:
        if "names several" in str(error):
            raise UsageError(f"--for: {error}") from None
        readers = list(dict.fromkeys([*campaign.factions, PUBLIC_WORD, UMPIRE_WORD]))
        return options.one_of(word, readers, "--for")


def visible_campaign(
    books: CampaignFile, ledger: Ledger, word: str, default: Reader = "*"
) -> VisibleCampaign:
    """Return the campaign as --for sees it. Raises UsageError for an unknown reader."""
    return visible_to(books.campaign, ledger, reader_named(books.campaign, word, default))


def read_known(at: str, word: str, default: Reader = "*", *, checked: bool = True) -> VisibleCampaign:
    """Read the campaign as the reader of --for sees it, for a command that writes nothing.

    `word` is the value of --for. With `checked`, NeedsUmpire is raised if the ledger does not match
    campaign.toml. For readers other than the umpire, the text of an error says only that the umpire is
    needed. Raises UsageError if the reader is unknown.
    """
    with discreet(word):
        if checked:
            books, ledger = read_only(at)
        else:
            books, ledger = read_unchecked(at, word)
    return visible_campaign(books, ledger, word, default)


def read_only(at: str) -> tuple[CampaignFile, Ledger]:
    """Read a campaign and its ledger for a command that writes nothing.

    Raises InvalidInput, which lists all errors of the campaign file, and NeedsUmpire if the ledger is
    damaged.
    """
    books, ledger = store.load(at), store.read_ledger(at)
    store.check_ledger(ledger, books.campaign.revision)
    books = with_draw(brought_up_to_date(books, ledger), ledger)
    return books, store.with_edits(books, ledger)


def read_unchecked(at: str, reader: str = "") -> tuple[CampaignFile, Ledger]:
    """Read a campaign and its ledger for a command that writes nothing and can do without the ledger.

    If the ledger is damaged, print a warning. It says why only if `reader` is the umpire.
    """
    books, ledger = store.load(at), store.read_ledger(at)
    error = store.ledger_error(ledger, books.campaign.revision)
    if error:
        message(f"cardbattle: warning: {error if reader in ('', UMPIRE_WORD) else KEPT_SECRET}")
        return books, ledger
    return brought_up_to_date(books, ledger), ledger


def brought_up_to_date(books: CampaignFile, ledger: Ledger) -> CampaignFile:
    """Return the campaign with all entries of a sound ledger. Print a warning if it contradicts them."""
    current = store.with_missing_entries(books, ledger)
    if current.campaign.revision < ledger.whole_entries:
        message(f"cardbattle: warning: {CONTRADICTORY}")
    return current


def read_repaired(at: str, reader: str = "") -> tuple[CampaignFile, Ledger]:
    """Complete an interrupted command, then read the campaign and its ledger.

    If `reader` is the umpire, notes about the interrupted command are printed. Raises the errors of
    `open_for_writing`.
    """
    with store.open_for_writing(at) as transaction:
        print_notes(transaction.take_notes(), reader)
        return transaction.books, transaction.ledger


def print_notes(notes: Sequence[str], reader: str = "") -> None:
    """Print notes for the umpire, for example about manual edits. For other readers, nothing is printed."""
    for note in notes if reader in ("", UMPIRE_WORD) else []:
        message(clean(note))


def report_lost_output(entries: Sequence[Entry]) -> AbstractContextManager[None]:
    """Return a context manager. If its block cannot print, the error says that the entries are recorded."""
    return report_completed(recorded_text(entries))


def campaign_command(at: str) -> str:
    """Return `cardbattle campaign`, with -C if the campaign is not in the working directory."""
    folder = os.path.relpath(at)
    return "cardbattle campaign" + ("" if folder == os.curdir else f" -C {as_typed(folder)}")


def show_diff(diff: str, no_color: bool, stream: TextIO | None = None) -> None:
    """Print a unified diff to standard output or `stream`, in colour at a terminal."""
    stream = stream or sys.stdout
    if stream.isatty():
        from cardbattle.show.console import console  # slow to import; only needed for printing
        from cardbattle.show.writers.terminal import print_diff

        print_diff(diff, console(stream, False if no_color else None))
    else:
        stream.write(diff)
