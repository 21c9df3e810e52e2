"""Changes of values in a campaign, with the value before and the value after each change."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.campaign.state.fields import own_keys, with_foreign_keys
from cardbattle.campaign.state.renaming import TABLES, Rename, rename_in_data
from cardbattle.campaign.state.tables.aftermath import STAYS
from cardbattle.campaign.state.tables.march_orders import closed_places_in
from cardbattle.campaign.state.tables.units import (
    STRENGTH,
    UNITS,
    UNKNOWN,
    Casualties,
    total_strength,
    units_at,
    units_in,
)
from cardbattle.core.names import listed, quoted

Key = tuple[str, ...]
PENDING = "pending"
REPORTED = "reported"  # the results that sides have reported, one table for each battle and side


class Change(NamedTuple):
    """The change of a value of campaign.toml. The values before and after are None if the value is missing.

    The key `("pending", ID)` is a whole pending battle. For a removed battle, `text` contains its lines with
    the umpire's comments, `place` is its position among the pending battles, and `line` is its line in the
    file. An undo restores all of them.

    The key `("forces", KEY)` means the whole table of that force. Factions and locations have similar
    keys. The value is `{}` if the table exists, for any contents. If the two values are keys, the change
    is a rename.

    The key `("scoring", "")` records the existence of the table [scoring]. The value is `{}` if the table
    exists.

    The key `("forces", KEY, "units", NAME)` is the strength of a unit.

    If a force is destroyed because it cannot retreat, `text` is the rule that decided so: `surrenders` or
    `destroyed`. If it stays, the change of its `retreat` has the text `stays`. If the movement removes an
    order that failed, or brings a force over several roads to a battle, `text` is a note as in
    `march_orders.note_of`. If a beaten force could not retreat to the places that its player wanted, the
    change of its `retreat` has the text of `march_orders.closed_note`. Older ledgers do not have these texts.
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
        """Describe the values before and after the change. A missing number counts as its default of 0."""
        before, after = self.before, self.after
        if is_refused_retreat(self):
            return self.text
        if isinstance(before, list) or isinstance(after, list):
            return list_difference(before, after)
        if self.key in UNLIMITED:
            return f"{before or NO_LIMIT} -> {after or NO_LIMIT}"
        if (type(before) is int or type(after) is int) and is_zero_by_default(self.key):
            before, after = before or 0, after or 0
        if before is None:
            return f"{quoted(after)} (not set before)"
        if after is None:
            return f"no longer set (was {quoted(before)})"
        return f"{quoted(before)} -> {quoted(after)}"


NO_LIMIT = "no limit"
UNLIMITED = (("movement", "stacking"),)  # without these values, nothing is limited
NOT_ZERO = {  # keys and tables with numbers whose default is not 0, or that have no default
    "calendar", "fixtures", "format", "house", "income", "movement", "recruit", "road", "seed", "substitutes",
    "supply",
}  # fmt: skip
NOT_ZERO_WORDS = {"full", "hires", "last_turn", "most", "pace"}


def is_zero_by_default(key: Key) -> bool:
    """Return True if the default of the number at `key` is 0. The umpire's own keys have no default."""
    own = key[0] == "x" or any(word.startswith("x_") for word in key)
    return not own and key[0] not in NOT_ZERO and key[-1] not in NOT_ZERO_WORDS


def list_difference(before: object, after: object) -> str:
    """Return a text with the items that a list loses and gains, and the items that are changed.

    An item is changed if the two lists have equally many different items, and the items with the same place
    among them have an equal value. An example:

    >>> list_difference(None, [{"between": ["a", "b"], "length": 2}])
    'added between a and b, length 2'
    >>> list_difference([{"turn": 5, "text": "Rain"}], [{"turn": 6, "text": "Rain"}])
    'changed text Rain: turn 5 -> 6'
    """
    old, new = (value if isinstance(value, list) else [] for value in (before, after))
    gone = [item for item in old if item not in new]
    added = [item for item in new if item not in old]
    changed: list[str] = []
    if len(gone) == len(added):
        pairs = [(one, other, item_change(one, other)) for one, other in zip(gone, added, strict=True)]
        changed = [text for _, _, text in pairs if text]
        gone = [one for one, _, text in pairs if not text]
        added = [other for _, other, text in pairs if not text]
    texts = [
        *changed,
        *(f"removed {item_words(item)}" for item in gone),
        *(f"added {item_words(item)}" for item in added),
    ]
    return "; ".join(texts) or "in another order"


def item_change(before: object, after: object) -> str:
    """Describe the change of a table in a list, or return "" if the tables have no value in common."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return ""
    same_values = {
        word: value for word, value in before.items() if word in after and same(value, after[word])
    }
    if not same_values:
        return ""
    changes = []
    for word in dict.fromkeys([*before, *after]):
        if word in same_values:
            continue
        old, new = before.get(word), after.get(word)
        if word not in before:
            changes.append(f"{word} {item_words(new)} (not set before)")
        elif word not in after:
            changes.append(f"{word} no longer set (was {item_words(old)})")
        else:
            changes.append(f"{word} {item_words(old)} -> {item_words(new)}")
    label = {word: value for word, value in same_values.items() if not isinstance(value, dict)} or same_values
    return f"changed {item_words(dict([*label.items()][:2]))}: {', '.join(changes)}"


def item_words(item: object) -> str:
    """Format an item of a list for a sentence."""
    if isinstance(item, dict):
        return ", ".join(f"{word} {item_words(value)}" for word, value in item.items())
    return listed(map(item_words, item)) if isinstance(item, list) else str(item)


def dotted_key(key: Key) -> str:
    """Format a key path with dots, as people write it."""
    return ".".join(key)


def split_key(text: str) -> Key:
    """Split a key path at its dots. The name of a unit can contain dots.

    >>> split_key("forces.percy.units.St. Albans men")
    ('forces', 'percy', 'units', 'St. Albans men')
    """
    key = tuple(text.split("."))
    return (*key[:3], ".".join(key[3:])) if len(key) > 4 and is_unit(key[:4]) else key


def is_unit(key: Key) -> bool:
    """Return True if a key path names the strength of a unit."""
    return len(key) == 4 and key[0] == "forces" and key[2] == UNITS and key[3] != ""


def is_strength(key: Key) -> bool:
    """Return True if a key path names the strength of a force."""
    return len(key) == 3 and key[0] == "forces" and key[2] == STRENGTH


def value_text(value: object) -> str:
    """Format a value for a sentence."""
    return "nothing" if value is None else quoted(value)


def is_battle(key: Key) -> bool:
    """Return True if a key path names a whole pending battle."""
    return len(key) == 2 and key[0] == PENDING


SINGULAR = {"factions": "faction", "forces": "force", "locations": "place"}


def is_table(key: Key) -> bool:
    """Return True if a key path names the whole table of a faction, force or location."""
    return len(key) == 2 and key[0] in TABLES


def is_presence(key: Key) -> bool:
    """Return True if a key records the existence of a settings table, such as `("scoring", "")`."""
    return key[-1:] == ("",)


def presence(path: Key) -> Key:
    """Return the key that records whether the table at a path exists.

    >>> presence(("scoring",)), presence(("forces", "percy"))
    (('scoring', ''), ('forces', 'percy'))
    """
    return path if is_table(path) else (*path, "")


def is_rename(change: Change) -> bool:
    """Return True if a change renames the key of a faction, force or location."""
    return is_table(change.key) and isinstance(change.before, str)


def rename_of(change: Change) -> Rename:
    """Return the old and the new key from a change for which `is_rename` returns True."""
    return Rename(change.key[0], str(change.before), str(change.after))


def is_stay(change: Change) -> bool:
    """Return True if a change only says that a force stays because it cannot retreat."""
    return change.key[0] == "forces" and change.key[2:] == ("retreat",) and change.text == STAYS


def is_refused_retreat(change: Change) -> bool:
    """Return True if a change only notes to which places a beaten force could not retreat."""
    return change.key[0] == "forces" and change.before == change.after and bool(closed_places_in(change.text))


def is_put_in(change: Change) -> bool:
    """Return True if a change adds a pending battle."""
    return is_battle(change.key) and change.before is None


def pending(data: Mapping[str, object]) -> list[dict[str, object]]:
    tables = data.get(PENDING)
    return tables if isinstance(tables, list) else []


def place_of(data: Mapping[str, object], battle: str) -> int:
    """Return the position of the pending battle with this id, or -1 if it is not pending."""
    ids = [table.get("id") for table in pending(data)]
    return ids.index(battle) if battle in ids else -1


def value_at(data: Mapping[str, object], key: Key) -> object:
    """Return the value at a key path, or None if the path does not exist.

    A battle is returned without the umpire's own keys. The table of a faction, force or location is `{}` if
    it exists. A strength that is not in the file is the sum of the force's units.
    """
    if is_battle(key):
        place = place_of(data, key[1])
        return own_keys(pending(data)[place], (PENDING, 0)) if place >= 0 else None
    value = table_at(data, key[:-1] if is_presence(key) else key)
    if is_presence(key):
        return {} if isinstance(value, dict) else None
    if value is None and is_strength(key):
        return total_strength(table_at(data, key[:2]))
    return {} if is_table(key) and isinstance(value, dict) else value


def table_at(data: Mapping[str, object], path: Key) -> object:
    """Return the value at a path of keys in the file, or None if the path does not exist."""
    value: object = data
    for word in path:
        value = value.get(word) if isinstance(value, dict) else None
    return value


def missing_tables(data: Mapping[str, object], key: tuple[str, ...], after: object) -> list[Change]:
    """Return the changes that add the missing tables around the value at `key`, with the outermost first.

    Removing a value (`after` is None) adds no table. [factions], [forces] and [locations] themselves need no
    change.
    """
    if after is None:
        return []
    paths = [key[:length] for length in range(1, len(key)) if length > 1 or key[0] not in TABLES]
    return [Change(presence(path), None, {}) for path in paths if table_at(data, path) is None]


def apply_changes(data: Mapping[str, object], changes: Iterable[Change]) -> dict[str, object]:
    """Return a copy of the data after all changes.

    Raises NeedsUmpire at the first change whose key does not have the old or the new value.
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
    """Return True if two values are equal. The values true and 1 are different."""
    return type(first) is type(second) and first == second


def expect(data: Mapping[str, object], change: Change) -> None:
    """Raise NeedsUmpire if the current value is not the change's `before`."""
    current = value_at(data, change.key)
    if not same(current, change.before):
        raise NeedsUmpire(other_value_error(change, current))


def other_value_error(change: Change, current: object) -> str:
    """Return an error for a current value that is not the change's `before`, with advice."""
    if is_battle(change.key):
        name = change.key[1]
        if change.after is None:
            return f"battle {name} was rewritten after it was decided; remove it from campaign.toml"
        return f"battle {name} is pending, but differs from the ledger; remove it from campaign.toml"
    before, after = value_text(change.before), value_text(change.after)
    return (
        f"{dotted_key(change.key)} should be {before} before it becomes {after}, "
        f"but is {value_text(current)}; "
        f"set it to {after} in campaign.toml"
    )


def change_key(data: dict[str, object], change: Change) -> dict[str, object]:
    """Rename a faction, force or location in the data.

    If the data already has the new key, return it unchanged.

    Raises NeedsUmpire if neither or both of the keys exist.
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

    Raises NeedsUmpire if the battle's text in the ledger is not a battle.
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
    """Return an existing pending battle after a change. It keeps the umpire's own keys."""
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
    """Set or remove one value. The tables around the value are copied, and all others are shared.

    Raises NeedsUmpire if a part of the path has a value that is not a table.
    """
    path = change.key[:-1] if is_presence(change.key) else change.key
    if is_left_out(data, change.key):
        return
    table = data
    for word in path[:-1]:
        table[word] = need_table(table.get(word, {})).copy()
        table = need_table(table[word])
    if change.after is None:
        table.pop(path[-1], None)
    else:
        table[path[-1]] = copy.copy(change.after)


def is_left_out(data: Mapping[str, object], key: Key) -> bool:
    """Return True if a key names a strength that is not in the file, because the force's units have it."""
    return is_strength(key) and table_at(data, key) is None and value_at(data, key) is not None


def need_table(value: object) -> dict[str, object]:
    """Return the value if it is a table. Raises NeedsUmpire for any other value."""
    if not isinstance(value, dict):
        raise NeedsUmpire(f"expected a table, got {quoted(value)}")
    return value


def segments(changes: Iterable[Change]) -> list[list[Change]]:
    """Split the changes at each rename, so that every key keeps its meaning within a segment."""
    rows: list[list[Change]] = [[]]
    for change in changes:
        if is_rename(change):
            rows += [[change], []]
        else:
            rows[-1].append(change)
    return [part for part in rows if part]


def caught_up(data: Mapping[str, object], changes: Iterable[Change]) -> list[Change]:
    """Return the changes that are still missing in data that is older than the ledger.

    The data can have the value of any step of a series of changes. The changes between two renames are
    handled separately. Raises NeedsUmpire, which names every key with an unexpected value.
    """
    missing: list[Change] = []
    for part in segments(changes):
        lacking = part if is_rename(part[0]) else lacking_in(data, part)
        data = apply_changes(data, lacking)
        missing += lacking
    return missing


def lacking_in(data: Mapping[str, object], changes: Sequence[Change]) -> list[Change]:
    """Return the changes that are still missing, as `caught_up` does, for changes without renames."""
    steps: dict[Key, list[Change]] = {}
    for change in changes:
        steps.setdefault(change.key, []).append(change)
    whole = [(way[-1]._replace(before=value_at(data, key)), way) for key, way in steps.items()]
    astray = [
        Conflict(other_value_error(way[-1]._replace(before=way[0].before), change.before), key=change.key)
        for change, way in whole
        if not any(same(change.before, value) for value in (way[0].before, *(step.after for step in way)))
    ]
    if astray:
        raise NeedsUmpire(astray)
    lacking = [change for change, _ in whole if not same(change.before, change.after)]
    return in_place(lacking, battles_after(data, changes))


def battles_after(data: Mapping[str, object], changes: Iterable[Change]) -> list[str]:
    """Return the ids of the pending battles after these changes, in their new order."""
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
    """Return the changes, with the added battles at the end in the order of `battles`."""
    back = {change.key[1]: change for change in changes if is_put_in(change)}
    edits = [change for change in changes if not is_put_in(change)]
    return [
        *edits,
        *(back[name]._replace(place=place) for place, name in enumerate(battles) if name in back),
    ]


def merge_changes(changes: Iterable[Change]) -> list[Change]:
    """Merge all changes of the same key into one change, from the first value to the last."""
    merged_parts: list[Change] = []
    for part in segments(changes):
        table: dict[Key, Change] = {}
        for change in part:
            first = table.get(change.key, change)
            table[change.key] = change._replace(before=first.before)
        merged_parts += [change for change in table.values() if not same(change.before, change.after)]
    return merged_parts


def undone(changes: Iterable[Change]) -> list[Change]:
    """Return the changes that reverse these changes. They are in reverse order."""
    return [change._replace(before=change.after, after=change.before) for change in reversed(list(changes))]


# Reports


def old_reports(
    before: Mapping[str, object], after: Mapping[str, object], *, is_undo: bool = False
) -> Change | None:
    """Return the change that removes the reports of battles that ended between two states of the data.

    Returns None without such reports. An older report is also removed if its battle becomes pending,
    because it is about an earlier battle with the same id. An undo restores the earlier battle, and keeps the
    reports that it restores.
    """
    old, new = (reports_in(data) for data in (before, after))
    was_pending, is_pending = ({str(table.get("id")) for table in pending(data)} for data in (before, after))
    left = []
    for report in new:
        battle, is_old = str(report.get("battle")), report in old
        is_current = (battle in was_pending) == (battle in is_pending) if is_old else battle in is_pending
        has_ended = battle in was_pending and battle not in is_pending
        if is_current or (is_undo and not has_ended):
            left.append(report)
    return None if len(left) == len(new) else Change((REPORTED,), after[REPORTED], left or None)


def reports_in(data: Mapping[str, object]) -> list[dict[str, object]]:
    tables = data.get(REPORTED)
    return [table for table in tables if isinstance(table, dict)] if isinstance(tables, list) else []


# Units

NOWHERE: Mapping[str, Casualties] = {}


def with_units(
    data: Mapping[str, object], changes: Iterable[Change], casualties: Mapping[str, Casualties] = NOWHERE
) -> list[Change]:
    """Return the changes, and also the changes of units that follow from them.

    If a strength changes and no unit of the force does, the units share the difference. If units change and
    the strength does not, the strength becomes the sum of the units. If units and strength change, they are
    not adjusted. `casualties` says where each force had its losses.
    """
    complete: list[Change] = []
    for change in changes:
        complete += by_unit(data, change)
    named = {change.key[1] for change in complete if is_unit(change.key)}
    counted = {change.key[1] for change in complete if is_strength(change.key)}
    shared = [
        each
        for change in complete
        for each in (
            [change, *shares_of(data, change, casualties.get(change.key[1], UNKNOWN))]
            if is_strength(change.key) and change.key[1] not in named
            else [change]
        )
    ]
    return [*shared, *sums(data, complete, [key for key in dict.fromkeys(named) if key not in counted])]


def by_unit(data: Mapping[str, object], change: Change) -> list[Change]:
    """Split a change that sets all units of a force into one change for each unit."""
    after = change.after
    if change.key[0] != "forces" or change.key[2:] != (UNITS,) or not isinstance(after, dict):
        return [change]
    before = units_in(table_at(data, change.key[:2]))
    is_new = not isinstance(table_at(data, change.key), dict)
    changes = [Change((*change.key, name), before.get(name), after.get(name)) for name in {**before, **after}]
    return [
        *([Change(presence(change.key), None, {})] if is_new else []),
        *(each for each in changes if each.before != each.after),
    ]


def shares_of(data: Mapping[str, object], change: Change, casualties: Casualties) -> list[Change]:
    """Return the changes of a force's units that follow from a change of its strength."""
    before = units_in(table_at(data, change.key[:2]))
    if not before or not isinstance(change.after, int):
        return []
    after = units_at(before, change.after, casualties)
    key = (*change.key[:2], UNITS)
    return [Change((*key, name), before[name], after[name]) for name in before if before[name] != after[name]]


def sums(data: Mapping[str, object], changes: Sequence[Change], forces: Sequence[str]) -> list[Change]:
    """Return the changes of strength that follow from changes of the forces' units."""
    if not forces:
        return []
    later = apply_changes(data, changes)
    results = []
    for force in sorted(forces):
        key: Key = ("forces", force, STRENGTH)
        before, total = value_at(data, key), total_strength(table_at(later, key[:2]))
        if total is not None and isinstance(before, int) and before != total:
            results.append(Change(key, before, total))
    return results


def balanced(data: Mapping[str, object], changes: Sequence[Change]) -> list[Change]:
    """Return the changes, with corrections so that the units of each changed force add up to its strength.

    The strength is kept, and the units share the difference. An undo needs this if numbers would fall below
    0.
    """
    forces = {change.key[1] for change in changes if is_unit(change.key) or is_strength(change.key)}
    if not forces:
        return list(changes)
    later = apply_changes(data, changes)
    more: list[Change] = []
    for force in sorted(forces):
        table = table_at(later, ("forces", force))
        strength = table.get(STRENGTH) if isinstance(table, dict) else None
        total = total_strength(table)
        if total is not None and isinstance(strength, int) and strength != total:
            more += shares_of(later, Change(("forces", force, STRENGTH), total, strength), UNKNOWN)
    return merge_changes([*changes, *more]) if more else list(changes)
