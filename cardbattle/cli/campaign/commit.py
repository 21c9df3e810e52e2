"""Commit operations to a campaign, and print the notes and hints for the umpire that they cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.state.editing.layout import count_lost_comments
from cardbattle.campaign.turn.hints.new_hints import new_hints
from cardbattle.campaign.visibility.redaction import bare_reasons
from cardbattle.cli.campaign.shared import print_notes
from cardbattle.core.grammar import choose_form
from cardbattle.core.names import listed, quoted
from cardbattle.core.telling import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.ledger.ledger import Entry, Ledger
    from cardbattle.campaign.ledger.operations import Operation
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.storage.store import Transaction


def commit(
    transaction: Transaction, operations: Sequence[Operation], reader: str = "", quiet: bool = False
) -> list[Entry]:
    """Commit the operations. If the reader is the umpire, print the notes of the operations.

    Unless `quiet`, also print a note if comments were removed with a battle or an item of a list. Print a
    warning if a round of the league no longer agrees with its results, or if a peace or strength does not fit
    a battle. Also print each public reason of which some players read nothing else. Raises the errors of
    `Transaction.commit`.
    """
    before, text = (transaction.campaign, transaction.ledger), transaction.books.source.text
    try:
        entries = transaction.commit(operations)
    finally:
        noted = [note for operation in operations for note in operation.notes]
        print_notes([*noted, *transaction.take_notes()], reader)
    if not quiet:
        print_notes(notes_of_comments(text, transaction.books.source.text, entries), reader)
    print_new_hints(before, (transaction.campaign, transaction.ledger), reader)
    bare = bare_reasons(transaction.campaign, transaction.ledger, entries)
    print_notes(
        [f"some players read only the reason, not the change: {quoted(text)}" for text in bare], reader
    )
    return entries


def notes_of_comments(old: str, new: str, entries: Sequence[Entry]) -> list[str]:
    """Return a list with a note if these entries have removed comment lines from campaign.toml.

    Comment lines right above and below a battle or an item of a list belong to it.
    """
    count = count_lost_comments(old, new)
    if not count:
        return []
    changes = [change for entry in entries for change in entry.changes]
    battles = [change.key[1] for change in changes if is_battle(change.key) and change.after is None]
    owner = (listed(battles) if len(battles) < 4 else f"{len(battles)} battles") or "the removed lines"
    command = "redo" if entries[-1].kind == "undo" else "undo"
    return [
        f"{counted(count, 'comment line')} of campaign.toml went with {owner}; "
        f"{command} brings {choose_form('it|them', count > 1)} back"
    ]


def print_new_hints(
    before: tuple[Campaign, Ledger], after: tuple[Campaign, Ledger], reader: str = ""
) -> None:
    """Print the umpire's hints that changes of the campaign have caused."""
    print_notes([f"cardbattle: warning: {hint}" for hint in new_hints(before, after)], reader)
