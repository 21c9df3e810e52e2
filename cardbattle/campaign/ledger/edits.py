"""Find manual edits, which are values in campaign.toml that differ from the ledger's last values.

Manual edits are allowed. The next command that writes records them in an entry of kind `edit`, so that the
ledger stays complete.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.state.changes import PENDING, Change, is_battle, pending, same, value_at
from cardbattle.campaign.state.fields import own_keys

KIND = "edit"


def battles(data: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return the pending battles by their ids. The umpire's own keys are left out."""
    tables = [own_keys(table, (PENDING, 0)) for table in pending(data)]
    return {str(table["id"]): table for table in tables if isinstance(table, dict)}


def hand_edits(data: Mapping[str, object], ledger: Ledger) -> list[Change]:
    """Return the changes that the umpire made by hand.

    They are values that differ from the ledger, and new, changed and removed battles.
    """
    current = battles(data)
    values = [(key, left) for key, left in ledger.left.items() if not is_battle(key)]
    edits = [Change(key, left, value_at(data, key)) for key, left in values]
    left = {key[1]: table for key, table in ledger.left.items() if is_battle(key)}
    names = dict.fromkeys([*left, *current]) if ledger.knows_pending else dict.fromkeys(left)
    edits += [Change((PENDING, name), left.get(name), current.get(name)) for name in names]
    return [change for change in edits if not same(change.before, change.after)]


def edit_entry(data: Mapping[str, object], ledger: Ledger) -> Entry | None:
    """Return the entry that records manual edits, or None if the file was not edited.

    The entry has no number yet.
    """
    changes = hand_edits(data, ledger)
    if not changes:
        return None
    keys = {change.key for change in changes}
    unrecorded = [table for table in baseline(data, ledger) or [] if (PENDING, table["id"]) not in keys]
    return Entry(0, KIND, changes, pending=None if ledger.knows_pending else unrecorded)


def baseline(data: Mapping[str, object], ledger: Ledger) -> list[dict[str, object]] | None:
    """Return the pending battles if no entry has recorded them yet, otherwise None."""
    return None if ledger.knows_pending else list(battles(data).values())
