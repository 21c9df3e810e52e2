"""Programs that are broken on purpose: the simulator is worth something if it finds them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from unittest import mock

from cardbattle.campaign.ledger import undo
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation
from cardbattle.campaign.state import file_editing
from cardbattle.campaign.state.changes import Change, undone
from cardbattle.campaign.storage import store
from cardbattle.core.errors import InvalidInput
from cardbattle.files import disk
from tests.stress.machine import Handle, Machine


def careless_redo(books: CampaignFile, ledger: Ledger, reason: str = "") -> Operation:
    """Redo the last undo, without checking later decisions."""
    undos = [n for n, head in enumerate(ledger.heads, 1) if head.kind == "undo"]
    undos = [n for n in undos if ledger.undone_revisions.issuperset(ledger.heads[n - 1].undoes)]
    if not undos:
        raise InvalidInput("there is nothing to redo")
    last = ledger.entry(undos[-1])
    return Operation(Entry(0, "redo", undone(last.changes), id=last.id, undoes=last.undoes, reason=reason))


def redo_of_old() -> AbstractContextManager[object]:
    """Let redo overwrite values that were decided later."""
    return mock.patch.object(undo, "redo", careless_redo)


def deaf_to(name: str) -> AbstractContextManager[object]:
    """Let a file never be synced."""
    right: Callable[[Machine, Handle], None] = Machine.synced

    def synced(machine: Machine, handle: Handle) -> None:
        if not handle.path.endswith(name):
            right(machine, handle)

    return mock.patch.object(Machine, "synced", synced)


def forgetful_undo() -> AbstractContextManager[object]:
    """Let the ledger forget the comments among the lines of a battle that it takes out."""

    def with_lines(text: str, changes: Iterable[Change]) -> tuple[list[Change], str]:
        kept, rest = file_editing.with_lines(text, changes)
        return [change._replace(text=without_comments(change.text)) for change in kept], rest

    return mock.patch.object(store, "with_lines", with_lines)


def without_comments(text: str) -> str:
    """Return the lines that are not comments."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))


def overtaking_save() -> AbstractContextManager[object]:
    """Let the program replace campaign.toml even if an editor has saved it meanwhile."""
    return mock.patch.object(disk, "has_content", return_value=True)


BROKEN: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "": nullcontext,
    "redo": redo_of_old,
    "ledger": lambda: deaf_to("/history.toml"),
    "comments": forgetful_undo,
    "state": lambda: deaf_to("/.cardbattle.tmp"),
    "editor": overtaking_save,
}
