"""Changes of a campaign: values before and after."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.campaign.state.fields import own_keys, with_foreign_keys
from cardbattle.campaign.state.renaming import TABLES, Rename, rename_in_data
from cardbattle.core.names import listed, quoted

Key = tuple[str, ...]
PENDING = "pending"


class Change(NamedTuple):
    """A value of campaign.toml, before and after; None for a missing value.

    The key `("pending", ID)` is a whole pending battle. For a removed battle, `text` has the umpire's lines
    with comments, `place` its position among the pending battles, and `line` its line in the file, so that an
    undo restores all of it.

    The key `("forces", KEY)`, and the same for factions and locations, is its table: `{}` if it exists,
    regardless of its content. With two keys as values it is a rename.

    The key `("scoring", "")` records the existence of the table [scoring]: `{}` if it exists.
    """

    key: Key
    before: object
    after: object
    text: str = ""
    place: int = 0
    line: int = 0

    def __repr__(self) -> str:
        return f"<Change {self}>"

    def __str__(self) -> str:
        if is_table(self.key):
            path = dotted_key(self.key)
            if is_rename(self):
                return f"{dotted_key((self.key[0], str(self.before)))}: its key is {self.after} from now on"
            return f"{path}: {'no longer there' if self.after is None else 'new'}"
        if is_presence(self.key):
            return f"[{dotted_key(self.key[:-1])}] is {'no longer there' if self.after is None else 'new'}"
        if not is_battle(self.key):
            return f"{dotted_key(self.key)}: {self.values()}"
        if self.after is None:
            return f"{self.key[1]} is no longer pending"
        return f"{self.key[1]} is {'pending' if self.before is None else 'rewritten'}"

    def values(self) -> str:
        """Return the value before and after; a missing number counts as 0."""
        before, after = self.before, self.after
        if isinstance(before, list) or isinstance(after, list):
            return list_difference(before, after)
        if type(before) is int or type(after) is int:
            before, after = before or 0, after or 0
        if before is None:
            return f"{quoted(after)} (not set before)"
        if after is None:
            return f"no longer set (was {quoted(before)})"
        return f"{quoted(before)} -> {quoted(after)}"


def list_difference(before: object, after: object) -> str:
    """Return which items a list loses and gains.

    >>> list_difference(None, [{"between": ["a", "b"], "length": 2}])
    'added between a and b, length 2'
    """
    old, new = (value if isinstance(value, list) else [] for value in (before, after))
    gone = [f"removed {item_words(item)}" for item in old if item not in new]
    added = [f"added {item_words(item)}" for item in new if item not in old]
    return "; ".join([*gone, *added]) or "in another order"


def item_words(item: object) -> str:
    """Return an item of a list as a sentence shows it."""
    if isinstance(item, dict):
        return ", ".join(f"{word} {item_words(value)}" for word, value in item.items())
    return listed(map(item_words, item)) if isinstance(item, list) else str(item)


def dotted_key(key: Key) -> str:
    """Return a key path as people write it."""
    return ".".join(key)


def value_text(value: object) -> str:
    """Return a value as text for a sentence."""
    return "nothing" if value is None else quoted(value)


def is_battle(key: Key) -> bool:
    """Return True if a key is a whole pending battle."""
    return len(key) == 2 and key[0] == PENDING


SINGULAR = {"factions": "faction", "forces": "force", "locations": "place"}


def is_table(key: Key) -> bool:
    """Return True if a key is the whole table of a faction, force or location."""
    return len(key) == 2 and key[0] in TABLES


def is_presence(key: Key) -> bool:
    """Return True if a key records the existence of a settings table, such as `("scoring", "")`."""
    return key[-1:] == ("",)


def presence(path: Key) -> Key:
    """Return the key of the presence of the table at a path; its children have longer paths.

    >>> presence(("scoring",)), presence(("forces", "percy"))
    (('scoring', ''), ('forces', 'percy'))
    """
    return path if is_table(path) else (*path, "")


def is_rename(change: Change) -> bool:
    """Return True if a change renames the key of a faction, force or location."""
    return is_table(change.key) and isinstance(change.before, str)


def rename_of(change: Change) -> Rename:
    """Return the rename that a change is."""
    return Rename(change.key[0], str(change.before), str(change.after))


def is_put_in(change: Change) -> bool:
    """Return True if a change adds a pending battle."""
    return is_battle(change.key) and change.before is None


def pending(data: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the tables of the pending battles."""
    tables = data.get(PENDING)
    return tables if isinstance(tables, list) else []


def place_of(data: Mapping[str, object], battle: str) -> int:
    """Return the position of the pending battle with this id, or -1."""
    ids = [table.get("id") for table in pending(data)]
    return ids.index(battle) if battle in ids else -1


def value_at(data: Mapping[str, object], key: Key) -> object:
    """Return the value at a key path, or None; a battle is returned without the umpire's own keys.

    The table of a faction, force or location is `{}` if it exists.
    """
    if is_battle(key):
        place = place_of(data, key[1])
        return own_keys(pending(data)[place], (PENDING, 0)) if place >= 0 else None
    value = table_at(data, key[:-1] if is_presence(key) else key)
    if is_presence(key):
        return {} if isinstance(value, dict) else None
    return {} if is_table(key) and isinstance(value, dict) else value


def table_at(data: Mapping[str, object], path: Key) -> object:
    """Return the value at a path of keys as the file has it, or None."""
    value: object = data
    for word in path:
        value = value.get(word) if isinstance(value, dict) else None
    return value


def missing_tables(data: Mapping[str, object], key: tuple[str, ...], after: object) -> list[Change]:
    """Return the changes that add the tables missing around the value at `key`, outermost first.

    Removing a value (`after` is None) adds no table. [factions], [forces] and [locations] themselves need no
    change.
    """
    if after is None:
        return []
    paths = [key[:length] for length in range(1, len(key)) if length > 1 or key[0] not in TABLES]
    return [Change(presence(path), None, {}) for path in paths if table_at(data, path) is None]


def apply_changes(data: Mapping[str, object], changes: Iterable[Change]) -> dict[str, object]:
    """Return a copy of the data with every change applied.

    Raises NeedsUmpire for the first key whose value is not the one before or after the change.
    """
    new = dict(data)
    for change in changes:
        if is_rename(change):
            new = change_key(new, change)
            continue
        if same(value_at(new, change.key), change.after):
            continue
        expect(new, change)
        if is_battle(change.key):
            change_battle(new, change)
        else:
            change_value(new, change)
    return new


def same(first: object, second: object) -> bool:
    """Return True if two values are equal; true and 1 are different."""
    return type(first) is type(second) and first == second


def expect(data: Mapping[str, object], change: Change) -> None:
    """Raise NeedsUmpire if the value is not what it was when the change was made."""
    current = value_at(data, change.key)
    if not same(current, change.before):
        raise NeedsUmpire(unexpected_value_error(change, current))


def unexpected_value_error(change: Change, current: object) -> str:
    """Return the conflict of a value that differs from the change's `before`, with advice."""
    if is_battle(change.key):
        name = change.key[1]
        if change.after is None:
            return f"battle {name} was rewritten after it was decided; remove it from campaign.toml"
        return f"battle {name} is pending, but not as the ledger has it; take it out of campaign.toml"
    before, after = value_text(change.before), value_text(change.after)
    return (
        f"{dotted_key(change.key)} should be {before} before it becomes {after}, "
        f"but is {value_text(current)}; "
        f"set it to {after} in campaign.toml"
    )


def change_key(data: dict[str, object], change: Change) -> dict[str, object]:
    """Rename a faction, force or location in the data; return data with the new key unchanged.

    Raises NeedsUmpire if the old key is missing, or the new key is taken.
    """
    rename = rename_of(change)
    old, new = (value_at(data, (rename.table, key)) is not None for key in rename[1:])
    if old == new:
        text = "both are" if old else "neither is"
        advice = "keep one of them" if old else "write it under one of these keys"
        raise NeedsUmpire(
            f"{dotted_key(rename[:2])} should become {dotted_key((rename.table, rename.new))}, but "
            f"{text} in campaign.toml; {advice}"
        )
    return rename_in_data(data, rename) if old else data


def change_battle(data: dict[str, object], change: Change) -> None:
    """Remove, insert or replace a pending battle in `data`, in place.

    A battle to remove must be there. Raises NeedsUmpire if what the ledger has of it is not a battle.
    """
    tables = pending(data).copy()
    place = place_of(data, change.key[1])
    if change.after is None:
        del tables[place]
    elif place < 0:
        tables.insert(change.place, restore_battle(change))
    else:
        tables[place] = rewritten(tables[place], change)
    data[PENDING] = tables
    if not tables:
        del data[PENDING]


def rewritten(table: Mapping[str, object], change: Change) -> dict[str, object]:
    """Return an existing pending battle after a change; the umpire's own keys in it are kept."""
    return with_foreign_keys(table, need_table(change.after), (PENDING, 0))


def restore_battle(change: Change) -> dict[str, object]:
    """Return a restored pending battle with the umpire's own keys.

    Raises NeedsUmpire if its text in the ledger is not a battle.
    """
    if not change.text:
        return copy.deepcopy(need_table(change.after))
    try:
        return need_table(pending(tomllib.loads(change.text))[0])
    except (ValueError, IndexError):
        raise NeedsUmpire(f"the ledger's text of {dotted_key(change.key)} is not a battle") from None


def change_value(data: dict[str, object], change: Change) -> None:
    """Set or remove one value; enclosing tables are copied, all others shared.

    Raises NeedsUmpire if the key leads through a value that is not a table.
    """
    path = change.key[:-1] if is_presence(change.key) else change.key
    table = data
    for word in path[:-1]:
        table[word] = need_table(table.get(word, {})).copy()
        table = need_table(table[word])
    if change.after is None:
        table.pop(path[-1], None)
    else:
        table[path[-1]] = copy.copy(change.after)


def need_table(value: object) -> dict[str, object]:
    """Return a value that must be a table. Raises NeedsUmpire."""
    if not isinstance(value, dict):
        raise NeedsUmpire(f"expected a table, got {quoted(value)}")
    return value


def segments(changes: Iterable[Change]) -> list[list[Change]]:
    """Split the changes at each rename, so that within a part a key always means the same."""
    rows: list[list[Change]] = [[]]
    for change in changes:
        if is_rename(change):
            rows += [[change], []]
        else:
            rows[-1].append(change)
    return [part for part in rows if part]


def caught_up(data: Mapping[str, object], changes: Iterable[Change]) -> list[Change]:
    """Merge these changes into those that data behind the ledger still lack.

    A value can be at any step of its changes; the changes between two renames are handled separately. Raises
    NeedsUmpire, which names every key with an unexpected value.
    """
    missing: list[Change] = []
    for part in segments(changes):
        lacking = part if is_rename(part[0]) else lacking_in(data, part)
        data = apply_changes(data, lacking)
        missing += lacking
    return missing


def lacking_in(data: Mapping[str, object], changes: Sequence[Change]) -> list[Change]:
    """Do the same as `caught_up` for changes without renames."""
    steps: dict[Key, list[Change]] = {}
    for change in changes:
        steps.setdefault(change.key, []).append(change)
    whole = [(way[-1]._replace(before=value_at(data, key)), way) for key, way in steps.items()]
    astray = [
        Conflict(
            unexpected_value_error(way[-1]._replace(before=way[0].before), change.before), key=change.key
        )
        for change, way in whole
        if not any(same(change.before, value) for value in (way[0].before, *(step.after for step in way)))
    ]
    if astray:
        raise NeedsUmpire(astray)
    lacking = [change for change, _ in whole if not same(change.before, change.after)]
    return in_place(lacking, battles_after(data, changes))


def battles_after(data: Mapping[str, object], changes: Iterable[Change]) -> list[str]:
    """Return the ids of the pending battles in the order in which these changes leave them."""
    ids = [str(table.get("id")) for table in pending(data)]
    for change in changes:
        if is_battle(change.key):
            name = change.key[1]
            if change.after is None and name in ids:
                ids.remove(name)
            elif change.after is not None and name not in ids:
                ids.insert(change.place, name)
    return ids


def in_place(changes: Sequence[Change], battles: Sequence[str]) -> list[Change]:
    """Return the changes with added battles at the end, in this order."""
    back = {change.key[1]: change for change in changes if is_put_in(change)}
    edits = [change for change in changes if not is_put_in(change)]
    return [
        *edits,
        *(back[name]._replace(place=place) for place, name in enumerate(battles) if name in back),
    ]


def merge_changes(changes: Iterable[Change]) -> list[Change]:
    """Merge changes of the same key into one, from the first value to the last."""
    merged_parts: list[Change] = []
    for part in segments(changes):
        table: dict[Key, Change] = {}
        for change in part:
            first = table.get(change.key, change)
            table[change.key] = change._replace(before=first.before)
        merged_parts += [change for change in table.values() if not same(change.before, change.after)]
    return merged_parts


def undone(changes: Iterable[Change]) -> list[Change]:
    """Return the inverse changes, in reverse order."""
    return [change._replace(before=change.after, after=change.before) for change in reversed(list(changes))]
