"""Find manual edits, which are values in campaign.toml that differ from the ledger's last values.

Manual edits are allowed. The next command that writes records them in an entry of kind `edit`, so that the
ledger stays complete. So that it can find them, the first entry of a ledger lists all values of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.state.changes import (
    PENDING,
    Change,
    Key,
    is_battle,
    is_rename,
    is_strength,
    is_table,
    pending,
    same,
    value_at,
)
from cardbattle.campaign.state.fields import own_keys
from cardbattle.campaign.state.tables.units import STRENGTH, UNITS
from cardbattle.files.reader import table_or_empty

KIND = "edit"
NOT_LISTED = (PENDING, "revision")  # pending battles have a list of their own


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
    if ledger.knows_values:
        values += [(key, sum_left(ledger, key)) for key in keys_in(data) if key not in ledger.left]
    edits = [Change(key, left, value_at(data, key)) for key, left in values]
    left = {key[1]: table for key, table in ledger.left.items() if is_battle(key)}
    names = dict.fromkeys([*left, *current]) if ledger.knows_pending else dict.fromkeys(left)
    edits += [Change((PENDING, name), left.get(name), current.get(name)) for name in names]
    return [change for change in edits if not same(change.before, change.after)]


def sum_left(ledger: Ledger, key: Key) -> int | None:
    """Return the strength of a force as the sum of the units that the ledger left, or None for other values.

    The strength of a force that was added with units has no change of its own.
    """
    if not is_strength(key):
        return None
    units = (*key[:2], UNITS)
    numbers = [left for each, left in ledger.left.items() if each[:3] == units and isinstance(left, int)]
    return sum(numbers) if numbers else None


def edit_entry(data: Mapping[str, object], ledger: Ledger) -> Entry | None:
    """Return the entry that records manual edits, or None if the file was not edited.

    The entry has no number yet.
    """
    changes = hand_edits(data, ledger)
    if not changes:
        return None
    keys = {change.key for change in changes}
    unrecorded = [table for table in baseline(data, ledger) or [] if (PENDING, table["id"]) not in keys]
    known = None if ledger.knows_pending else unrecorded
    return Entry(0, KIND, changes, pending=known, first_values=first_values(data, ledger, changes))


def baseline(data: Mapping[str, object], ledger: Ledger) -> list[dict[str, object]] | None:
    """Return the pending battles if no entry has recorded them yet, otherwise None."""
    return None if ledger.knows_pending else list(battles(data).values())


def first_values(data: Mapping[str, object], ledger: Ledger, changes: Iterable[Change]) -> list[Change]:
    """Return the values of the file that neither an earlier entry nor these changes have recorded.

    Each value is a change with equal values before and after. The umpire's own keys are left out. The list is
    empty if an earlier entry has first values.
    """
    if ledger.knows_values:
        return []
    known = {*ledger.left, *(change.key for change in changes if not is_rename(change))}
    keys = [key for key in keys_in(data) if key not in known]
    return [Change(key, value_at(data, key), value_at(data, key)) for key in keys]


def keys_in(data: Mapping[str, object]) -> list[Key]:
    """Return the keys of all values in a campaign file, except pending battles and the umpire's own keys.

    They include the keys of the factions, forces and locations themselves, and the strengths that are sums of
    units.
    """
    listed = {word: value for word, value in data.items() if word not in NOT_LISTED}
    own = table_or_empty(own_keys(listed))
    sums: list[Key] = [("forces", key, STRENGTH) for key in table_or_empty(own.get("forces"))]
    return list(dict.fromkeys([*keys_below(own, ()), *sums]))


def keys_below(table: Mapping[str, object], path: Key) -> Iterator[Key]:
    """Yield the keys of all values in a table at a path. Lists are single values."""
    for word, value in table.items():
        key = (*path, word)
        if is_table(key):
            yield key
        if isinstance(value, dict):
            yield from keys_below(value, key)
        else:
            yield key
