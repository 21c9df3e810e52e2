"""The ledger as a reader may know it: entries about hidden things are left out, with their numbers.

What stays has neither the umpire's reasons, unless they were made public, nor the umpire's lines, nor
values that the reader may not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.ledger.history import in_todays_keys
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.state.changes import Change, is_battle, is_table
from cardbattle.campaign.state.model import Visibility

PUBLIC_KEYS = ("turn", "turn_name", "name")
PUBLIC_WORDS = ("name", "plural", "points", "owner", "value", "faction", "at")
BATTLE_WORDS = ("id", "rules", "sides", "stakes", "names", "plural")
ALWAYS = ("turn", "rename")  # kinds of entries that hide nothing


def is_private(note: str) -> bool:
    """Say whether a note is for the umpire alone: it begins with `private`.

    >>> is_private("Private: Owain bluffs"), is_private("a private feud")
    (True, False)
    """
    return note.lstrip().lower().startswith("private")


class Clearance(NamedTuple):
    """What a reader may not know: by the campaign's rules, and by whose the forces are."""

    reader: str | None
    visibility: Visibility
    owners: Mapping[str, str]

    def is_own(self, force: str) -> bool:
        """Say whether a force is the reader's."""
        return self.reader is not None and self.owners.get(force) == self.reader

    def fights(self, sides: Sequence[Sequence[str]]) -> bool:
        """Say whether a force of the reader's is on one of these sides."""
        return any(self.is_own(force) for side in sides for force in side)

    def knows(self, force: str, what: str) -> bool:
        """Say whether the reader knows exactly a force's strength, location or commander."""
        return self.is_own(force) or getattr(self.visibility, what) == "all"

    def before(self, entry: Entry) -> Clearance:
        """Return the same for what was before an entry: a force may have changed sides."""
        changes = [one for one in entry.changes if one.key[0] == "forces" and one.key[2:] == ("faction",)]
        return self._replace(owners={**self.owners, **{one.key[1]: str(one.before) for one in changes}})


def redacted(ledger: Ledger, discretion: Clearance) -> list[Entry]:
    """Return the entries that a reader may know, in order and in today's keys, as far as they may."""
    found: list[Entry] = []
    for revision in range(ledger.settled, 0, -1):
        entry = in_todays_keys(ledger, ledger.entry(revision))
        found.append(without_secrets(entry, discretion))
        discretion = discretion.before(entry)
    told: dict[int, Entry] = {}
    for entry in reversed(found):
        entry = entry._replace(undoes=[undone for undone in entry.undoes if undone in told])
        if is_told(entry):
            told[entry.revision] = entry
    return list(told.values())


def is_told(entry: Entry) -> bool:
    """Say whether what is left of an entry is anything."""
    if entry.kind in ("undo", "redo"):
        return bool(entry.undoes)
    is_something = entry.changes or entry.reason or entry.text or entry.result
    return bool(is_something) or entry.kind in ALWAYS


def clearance_before(ledger: Ledger, discretion: Clearance, revision: int) -> Clearance:
    """Return what a reader knew whose the forces were before the entry of a revision."""
    for later in range(ledger.settled, revision - 1, -1):
        discretion = discretion.before(in_todays_keys(ledger, ledger.entry(later)))
    return discretion


def without_secrets(entry: Entry, discretion: Clearance) -> Entry:
    """Return what of an entry a reader may know; it may come to nothing."""
    return Entry(
        entry.revision,
        entry.kind,
        [one for change in entry.changes for one in known_changes(change, discretion, bool(entry.result))],
        id=entry.id,
        undoes=entry.undoes,
        result=entry.result,
        reason=entry.reason if entry.public else "",
        text="" if is_private(entry.text) else entry.text,
        turn=entry.turn,
        date=entry.date,
        public=entry.public and bool(entry.reason),
    )


def known_changes(change: Change, discretion: Clearance, is_fought: bool) -> list[Change]:
    """Return a change as a reader may know it; nothing if they may not.

    Who fought a battle, and for what, everybody knows once it `is_fought`.
    """
    if not is_battle(change.key):
        return [change] if is_known(change, discretion) else []
    tables = [table for table in (change.before, change.after) if isinstance(table, dict)]
    is_open = discretion.visibility.pending == "all" or any(
        discretion.fights(sides_in(table)) for table in tables
    )
    if not is_open and not is_fought:
        return []
    before, after = (known_table(one, with_note=is_open) for one in (change.before, change.after))
    return [Change(change.key, before, after)] if before != after else []


def is_known(change: Change, discretion: Clearance) -> bool:
    """Say whether a reader may know a change of one value, or of a whole table."""
    table, word = change.key[0], change.key[-1]
    if len(change.key) == 1:
        return table in PUBLIC_KEYS
    if is_table(change.key):
        return True
    if len(change.key) != 3 or table not in ("factions", "forces", "locations"):
        return False
    if word in PUBLIC_WORDS:
        return True
    if table != "forces" or word not in ("strength", "location", "commander", "destroyed"):
        return False
    if word == "destroyed":
        return discretion.visibility.strength != "own" or discretion.is_own(change.key[1])
    return discretion.knows(change.key[1], word)


def sides_in(table: Mapping[str, object]) -> list[list[str]]:
    """Return the forces of each side of a pending battle as the ledger has it."""
    sides = table.get("sides")
    return [one if isinstance(one, list) else [str(one)] for one in sides] if isinstance(sides, list) else []


def known_table(table: object, *, with_note: bool) -> dict[str, object] | None:
    """Return a pending battle without what is the umpire's: options, terms, a private note.

    No note at all if it is not one of those that the reader knew of before.
    """
    if not isinstance(table, dict):
        return None
    found = {word: table[word] for word in BATTLE_WORDS if word in table}
    note = str(table.get("note", ""))
    return found | ({"note": note} if with_note and note and not is_private(note) else {})
