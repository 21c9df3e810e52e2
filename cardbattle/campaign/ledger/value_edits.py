"""Edit any value of a campaign by command. Values can be set, removed, and added to lists and settings.

The functions are pure, like those of `operations`. Each function returns one operation. The operation's
ledger entry keeps the changed lines of the file, so that an undo restores every byte.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple, get_origin

from cardbattle.campaign.ledger.addresses import (
    Condition,
    Path,
    find_paths,
    hint_for_key,
    no_such_item,
    parts_of,
    where,
    with_whole_keys,
)
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, strength_notes, sum_of, value_of
from cardbattle.campaign.ledger.umpire_changes import find_key
from cardbattle.campaign.state.battle_setup import refuse_destroyed
from cardbattle.campaign.state.changes import (
    PENDING,
    SINGULAR,
    Change,
    apply_changes,
    merge_changes,
    missing_tables,
    place_of,
    presence,
    same,
    value_at,
    value_text,
    with_units,
)
from cardbattle.campaign.state.fields import keys_of_table, own_keys, type_at
from cardbattle.campaign.state.model import Campaign, UnequalStrength
from cardbattle.campaign.state.renaming import REFERENCES, TABLES, is_named_at
from cardbattle.campaign.state.tables.event_checks import PUBLIC
from cardbattle.commanders import HUMAN
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError, dotted
from cardbattle.core.names import listed, nearest, quoted, rule_set_key_of
from cardbattle.files.errors import MissingKey

MISSING = object()  # the value of a missing key


class Assignment(NamedTuple):
    """A value to set, given by its address and the umpire's text."""

    address: str
    text: str


def read_assignment(text: str) -> Assignment:
    """Parse an assignment in the form KEY=VALUE. The signs `+=` and `-=` add and subtract.

    Raises UsageError if the text is not an assignment.

    >>> read_assignment("forces.percy.strength -= 2")
    Assignment(address='forces.percy.strength', text='-=2')
    """
    address, equals, value = text.partition("=")
    if not equals or not address.strip():
        raise UsageError(f"{quoted(text)}: write KEY=VALUE, such as forces.percy.strength=16")
    sign = address.rstrip()[-1:]
    if sign in ("+", "-"):
        return Assignment(address.rstrip()[:-1].strip(), f"{sign}={value.strip()}")
    return Assignment(address.strip(), value.strip())


class Edit:
    """A series of changes. Each change is based on the previous changes.

    `intended` are the paths of all values that the edit sets. A required key in `intended` can be missing
    while the edit is incomplete, so that one edit can make a table with several required keys.
    """

    def __init__(self, books: CampaignFile, intended: Collection[Path] = (), may_add: int = 1) -> None:
        self.books = books
        self.intended = intended
        self.may_add = may_add
        self.data: dict[str, object] = dict(books.source.data)
        self.changes: list[Change] = []

    def add(self, changes: Sequence[Change]) -> None:
        self.data = apply_changes(self.data, changes)
        self.changes += changes

    def unset(self, path: Path) -> None:
        """Remove the value at a path, if any, and all tables around it that become empty."""
        while self.value(path) is not MISSING:
            self.add(self.planned(path, MISSING))
            path = path[:-1]
            if self.value(path) != {} or (len(path) <= 2 and path[0] in TABLES):
                return

    def value(self, path: Path) -> object:
        """Return the value at a path, or MISSING if the path does not exist."""
        return value_in(self.data, path)

    def refusal(self, path: Path, value: object) -> InvalidInput | None:
        """Return the error that setting a value at a path would cause, or None if it is valid.

        Other errors in the file do not count.
        """
        earlier = {str(mistake) for mistake in self.errors([])}
        errors = [error for error in self.errors(self.planned(path, value)) if not self.will_set(error)]
        mine = [error for error in errors if concerns(error.at, path) and str(error) not in earlier]
        return InvalidInput(mine) if mine else None

    def will_set(self, error: Diagnostic) -> bool:
        """Return True if the edit will correct the error.

        This is the case for a missing key that the edit sets, for the sum of units, and for a table in which
        the edit sets several keys.
        """
        if isinstance(error, MissingKey):
            return error.path in self.intended
        inside = [path for path in self.intended if path[: len(error.at)] == error.at != path]
        return isinstance(error, UnequalStrength) or (bool(error.at) and len(inside) > 1)

    def errors(self, more: Sequence[Change]) -> Sequence[Diagnostic]:
        """Return the errors that the campaign would have after the changes of this edit and `more`."""
        try:
            self.books.campaign.after(with_units(self.books.source.data, [*self.changes, *more]))
        except InvalidInput as error:
            return error.errors
        return []

    def planned(self, path: Path, value: object) -> list[Change]:
        """Return the changes that set the value at a path, or remove it if the value is MISSING."""
        if path[0] == PENDING and len(path) > 1:
            return [battle_change(self.data, path, value)]
        place = next((place for place, part in enumerate(path) if isinstance(part, int)), 0)
        if place:
            key = tuple(map(str, path[:place]))
            before = value_at(self.data, key)
            items = [] if before is None else copy.deepcopy(before)
            put(items, path[place:], value)
            return [*missing_tables(self.data, key, items or None), Change(key, before, items or None)]
        key = tuple(map(str, path))
        before = self.value(path)
        after = None if value is MISSING else value
        return [
            *missing_tables(self.data, key, after),
            *changes_between(key, None if before is MISSING else before, after),
        ]

    def operation(self, kind: str, reason: str, battle: str = "") -> Operation:
        """Return the operation that records all changes in one entry.

        Raises InvalidInput if the campaign would be invalid.
        """
        changes = with_units(self.books.source.data, merge_changes(self.changes))
        notes = strength_notes(self.books.campaign.after(changes), changes)
        return Operation(Entry(0, kind, changes, id=battle, reason=reason), notes=notes, keeps_lines=True)


def value_in(data: Any, path: Path) -> object:
    """Return the value at a path of keys and indices, or MISSING if the path does not exist."""
    for part in path:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return MISSING
    return data


def concerns(at: Path, path: Path) -> bool:
    """Return True if an error is at a path, inside it, or at a table around it."""
    return at[: len(path)] == path or path[: len(at)] == at


def put(container: Any, path: Path, value: object) -> None:
    """Set the value at a path of a list or table, or remove it if the value is MISSING.

    If the path ends with the index after the last item of a list, the value is appended.
    """
    for part, inner in pairwise(path):
        if isinstance(container, dict):
            container.setdefault(part, [] if isinstance(inner, int) else {})
        elif part == len(container):
            container.append([] if isinstance(inner, int) else {})
        container = container[part]
    last = path[-1]
    if isinstance(container, list) and last == len(container) and value is not MISSING:
        container.append(value)
        return
    if value is not MISSING:
        container[last] = value
    elif isinstance(container, dict):
        container.pop(last, None)
    else:
        del container[last]


def battle_change(data: Mapping[str, object], path: Path, value: object) -> Change:
    """Return the change of a pending battle in which one value is set.

    Raises UsageError for the battle's id, and for keys that the umpire has added.
    """
    table = value_in(data, path[:2])
    assert isinstance(table, dict)
    key = (PENDING, str(table["id"]))
    before = value_at(data, key)
    after = copy.deepcopy(before)
    if path[2:] == ("id",):
        raise UsageError("the id of a battle cannot be changed: it determines the cards")
    if any(str(part).startswith("x_") for part in path[2:]):
        raise UsageError("keys that you added to a battle can only be changed in the file")
    put(after, path[2:], value)
    return Change(key, before, after)


def changes_between(key: tuple[str, ...], before: object, after: object) -> list[Change]:
    """Return the changes that turn one value into another. Tables are compared key by key."""
    if not isinstance(before, dict) and not isinstance(after, dict):
        return [] if same(before, after) else [Change(key, before, after)]
    old, new = (value if isinstance(value, dict) else {} for value in (before, after))
    changes = []
    if not isinstance(before, dict):
        changes += [Change(key, before, None)] if before is not None else []
        changes.append(Change(presence(key), None, {}))
    for word in dict.fromkeys([*old, *new]):
        changes += changes_between((*key, word), old.get(word), new.get(word))
    if not isinstance(after, dict):
        changes.append(Change(presence(key), {}, None))
        changes += [Change(key, None, after)] if after is not None else []
    return changes


def set_values(
    books: CampaignFile,
    assignments: Sequence[Assignment],
    conditions: Sequence[Condition] = (),
    reason: str = "",
) -> Operation:
    """Return the operation that sets values in one entry. The order of the assignments does not matter.

    Raises InvalidInput if a value is not valid or all values are already set, and UsageError if an address is
    not valid.
    """
    left = list(assignments)
    edit = Edit(books, paths_meant(books.campaign, left, conditions), len(left))
    while left:
        refusals = [refusal for each in left if (refusal := try_assignment(edit, each, conditions))]
        if len(refusals) == len(left):
            raise refusals[0].error
        left = [refusal.assignment for refusal in refusals]
    if not edit.changes:
        raise InvalidInput(already(books, assignments, conditions))
    return edit.operation("set", reason)


def paths_meant(
    campaign: Campaign, assignments: Sequence[Assignment], conditions: Sequence[Condition]
) -> set[Path]:
    """Return the paths to set, without those that need another assignment first."""
    paths: set[Path] = set()
    for assignment in assignments:
        with suppress(InvalidInput):
            paths.update(chosen_paths(campaign, assignment.address, conditions, may_add=len(assignments)))
    return paths


class Refusal(NamedTuple):
    """An assignment that is not valid yet, and the error. Another assignment can make it valid."""

    assignment: Assignment
    error: InvalidInput


def try_assignment(edit: Edit, assignment: Assignment, conditions: Sequence[Condition]) -> Refusal | None:
    """Add an assignment to an edit.

    If the assignment is not valid, the edit stays unchanged and a refusal is returned, because a later
    assignment can make it valid.
    """
    data, changes = edit.data, list(edit.changes)
    try:
        assign(edit, assignment, conditions)
    except InvalidInput as error:
        edit.data, edit.changes = data, changes
        return Refusal(assignment, error)
    return None


def assign(edit: Edit, assignment: Assignment, conditions: Sequence[Condition]) -> None:
    """Set all values that an assignment names by adding changes to an edit.

    Raises InvalidInput if nothing matches or a value is not valid. Raises UsageError if the address is
    malformed or names a whole table, and for `+=` and `-=` if the value is not a number. Changes that were
    added before the error stay in the edit.
    """
    value = None
    for path in chosen_paths(edit.books.campaign, assignment.address, conditions, may_add=edit.may_add):
        refuse_things(path)
        refuse_gap(edit, path)
        before = edit.value(path)
        if value is None or assignment.text[:2] in ("+=", "-="):
            value = read_value(edit, path, assignment.text, before)
        if not same(before, value):
            edit.add(edit.planned(path, value))


def refuse_gap(edit: Edit, path: Path) -> None:
    """Raise InvalidInput if a path names a new item of a list, and the items before it are still missing."""
    for place, part in enumerate(path):
        if isinstance(part, int):
            items = edit.value(path[:place])
            count = len(items) if isinstance(items, list) else 0
            if part > count:
                raise InvalidInput(no_such_item(path[:place], count, str(part + 1), may_add=True))


def already(books: CampaignFile, assignments: Sequence[Assignment], conditions: Sequence[Condition]) -> str:
    """Return the error which says that the values are already set."""
    paths = chosen_paths(books.campaign, assignments[0].address, conditions, may_add=1)
    value = value_in(books.source.data, paths[0])
    if len(paths) == 1 and len(assignments) == 1:
        return f"{dotted(paths[0])} is already {value_text(value)}"
    return "all these values are already set"


def chosen_paths(
    campaign: Campaign, address: str, conditions: Sequence[Condition], *, may_add: int = 0
) -> list[Path]:
    """Return the paths that an address names and that meet the conditions.

    The `may_add` numbers after the last item of a list name new items. Raises InvalidInput if nothing
    matches.
    """
    paths = find_paths(campaign, address, may_add=may_add)
    return where(campaign, paths, conditions) if conditions else paths


def refuse_things(path: Path) -> None:
    """Raise UsageError if a path names a whole faction, force, place or battle instead of a single value."""
    if len(path) <= 2 and path[0] in (*TABLES, PENDING):
        kind = "a value of it" if len(path) == 2 else "one of its values"
        raise UsageError(f"{dotted(path)} is a table; set {kind}, such as {path[0]}.KEY.name")


def read_value(edit: Edit, path: Path, text: str, before: object) -> object:
    """Parse a text as the value at a path: as TOML, plain text, a name, or a list with commas.

    For a list, `+=` adds items and `-=` removes them. Raises InvalidInput if none of the four forms gives a
    valid value. Raises UsageError for `+=` and `-=` if the value is not a number.
    """
    if text[:2] in ("+=", "-=") and is_list(path, text[2:].strip(), before):
        return list_after_change(edit, path, text[0], text[2:].strip(), before)
    if text[:2] in ("+=", "-="):
        number = text[0] + text[2:].strip()
        return sum_of(dotted(path), None if before is MISSING else before, number)
    refusals: list[InvalidInput] = []
    of_lists: list[InvalidInput] = []
    for value in readings(edit.books.campaign, path, text):
        refusal = edit.refusal(path, value)
        if refusal is None:
            return value
        refusals.append(refusal)
        of_lists += [refusal] if isinstance(value, list) else []
    if get_origin(type_at(Campaign, path)) is list or isinstance(before, list):
        refusals = of_lists or refusals  # the other forms are refused only because they are not lists
    raise next(filter(lacks_keys, refusals), refusals[0])


def is_list(path: Path, text: str, before: object) -> bool:
    """Return True if the value at a path is a list, or can become one by adding the items in `text`.

    Options and house rules can have any type. A new one is a list unless the text is a number.
    """
    kind = type_at(Campaign, path)
    if before is MISSING and kind in (None, object, Any):
        return not text.isdecimal()
    return get_origin(kind) is list or isinstance(before, list)


def list_after_change(edit: Edit, path: Path, sign: str, text: str, before: object) -> object:
    """Return a list after adding or removing the items in a text, depending on `sign`.

    An item that the list has several times is removed once for each time that the text names it.
    Raises InvalidInput if the new list is not valid.
    """
    items = before if isinstance(before, list) else []
    refusals: list[InvalidInput] = []
    for value in readings(edit.books.campaign, path, text):
        given = value if isinstance(value, list) else [value]
        if is_key_expected((*path, 0)):
            try:
                given = [
                    key_named(edit.books.campaign, (*path, n), item)
                    for n, item in enumerate(given, len(items) if sign == "+" else 0)
                ]
            except InvalidInput as error:
                refusals.append(error)
                continue
        if sign == "-" and all(items.count(item) >= given.count(item) for item in given):
            left = list(items)
            for item in given:
                left.remove(item)
            return left or MISSING
        refusal = edit.refusal(path, [*items, *given]) if sign == "+" else None
        if sign == "+" and refusal is None:
            return [*items, *given]
        refusals += [refusal] if refusal else []
    if refusals:
        raise next(filter(lacks_keys, refusals), refusals[-1] if "," in text else refusals[0])
    hint = peace_of_other(edit.books.campaign, path, text) or nearest(text, list(map(str, items)))
    raise InvalidInput(f"{dotted(path)} has no item {quoted(text)}{hint}")


def peace_of_other(campaign: Campaign, path: Path, text: str) -> str:
    """Return the command that ends a peace that only the other faction lists, or ""."""
    if path[0] != "factions" or path[2:] != ("peace",):
        return ""
    other = str(key_named(campaign, (*path, 0), text))
    if path[1] not in campaign.factions[other].peace:
        return ""
    command = f"cardbattle campaign set factions.{other}.peace-={path[1]}"
    return f"; {other} lists this peace, so write: {command}"


def lacks_keys(error: InvalidInput) -> bool:
    """Return True if missing keys are the only errors, so that the value itself is valid."""
    return all(isinstance(each, MissingKey) for each in error.errors)


def readings(campaign: Campaign, path: Path, text: str) -> Iterator[object]:
    """Yield the possible values of a text, with the likeliest first.

    Raises InvalidInput if the text must name a faction, force or place that does not exist.
    """
    plain = value_of(text)
    if is_option(path):  # an option can be a key, but need not be one
        yield plain
        yield text
    words = [word.strip() for word in plain.split(",") if word.strip()] if isinstance(plain, str) else []
    if len(words) < 2 or not is_key_expected(path):
        yield key_named(campaign, path, plain)
    yield text
    if words:
        yield [key_named(campaign, (*path, n), value_of(word)) for n, word in enumerate(words)]
        yield words


def is_option(path: Path) -> bool:
    """Return True if a path names a house rule, or a side option of a battle."""
    return path[0] == "house" or (path[0] == PENDING and len(path) > 3 and path[2] in ("house", "options"))


def is_rule_set(path: Path) -> bool:
    """Return True if the value at a path is the rule set of the campaign, of a league or of a battle."""
    return path in (("rules",), ("fixtures", "rules")) or (path[0] == PENDING and path[2:] == ("rules",))


def is_key_expected(path: Path) -> bool:
    """Return True if the value at a path is the key of a faction, force or place, or a list of such keys."""
    return any(is_named_at(path, table) for table in REFERENCES)


def key_named(campaign: Campaign, path: Path, value: object) -> object:
    """Return the key for a name if the key of a faction, force, place or rule set is expected at the path.

    Other values are returned unchanged, such as `public` in a list of readers.
    """
    if value == PUBLIC and "known" in path:
        return value
    if isinstance(value, str) and is_rule_set(path):
        return rule_set_key_of(value)
    for table in REFERENCES:
        if isinstance(value, str) and is_named_at(path, table):
            try:
                return find_key(campaign, table, value)
            except InvalidInput as error:
                if is_option(path):
                    return value
                raise InvalidInput(Diagnostic(each.text, path) for each in error.errors) from None
    return value


def unset_values(
    books: CampaignFile,
    addresses: Sequence[str],
    conditions: Sequence[Condition] = (),
    reason: str = "",
) -> Operation:
    """Return the operation that removes values, so that their defaults apply.

    Raises InvalidInput if no value is set or a value is required, and UsageError for a whole faction, force,
    place or battle.
    """
    edit = Edit(books)
    for address in addresses:
        paths = chosen_paths(books.campaign, address, conditions)
        for path in paths:
            if len(path) <= 2 and path[0] in (*TABLES, PENDING):
                raise UsageError(f"{dotted(path)} is not one value; to remove it: campaign remove {address}")
            refuse_required(path)
            edit.unset(path)
    if not edit.changes:
        raise InvalidInput(f"{listed(addresses)}: not set")
    return edit.operation("set", reason)


def refuse_required(path: Path) -> None:
    """Raise InvalidInput if the campaign would be invalid without the value at a path."""
    required = keys_of_table(Campaign, path[:-1], required=True)
    if path[-1] in required:
        raise InvalidInput(f"{dotted(path)} is required; set another value instead")


def edit_battle(
    books: CampaignFile,
    battle: str,
    values: Mapping[str, object],
    sets: Sequence[str],
    unsets: Sequence[str],
    reason: str = "",
) -> Operation:
    """Return the operation that edits one pending battle.

    `values` are already parsed, while `sets` are the umpire's texts. Raises InvalidInput if the battle is not
    pending.
    """
    [battle_path] = find_paths(books.campaign, f'{PENDING}."{battle}"')
    edit = Edit(books)
    for word, given in values.items():
        edit.add(edit.planned((*battle_path, word), given))
    for assignment in map(read_assignment, sets):
        [path] = find_paths(books.campaign, f'{PENDING}."{battle}".{assignment.address}')
        value = read_value(edit, path, assignment.text, edit.value(path))
        if not same(edit.value(path), value):
            edit.add(edit.planned(path, value))
    for address in unsets:
        [path] = find_paths(books.campaign, f'{PENDING}."{battle}".{address}')
        refuse_required(path)
        if edit.value(path) is MISSING:
            raise InvalidInput(f"{battle} has no {address}")
        edit.unset(path)
    if not edit.changes:
        raise InvalidInput(f"battle {battle} already has these values")
    operation = edit.operation("set", reason, battle)
    if "sides" in values:
        after = books.campaign.after(operation.entry.changes)
        refuse_destroyed(after, after.pending[place_of(books.source.data, battle)])
    return operation


def remove_things(
    books: CampaignFile, addresses: Sequence[str], conditions: Sequence[Condition] = (), reason: str = ""
) -> Operation:
    """Return the operation that removes factions, forces, places, settings tables or items of lists.

    Raises InvalidInput, which lists every value that still names one of the removed factions, forces or
    places.
    """
    edit = Edit(books)
    keys = {key for table in TABLES for key in getattr(books.campaign, table)}
    if kinds := {*addresses}.intersection(SINGULAR.values()) - keys:
        raise UsageError(f"{min(kinds)}: write only the keys of what to remove, without this word")
    paths = [path for address in addresses for path in chosen_paths(books.campaign, address, conditions)]
    paths = list(dict.fromkeys(paths))
    for path in paths:
        if path[0] == PENDING:
            raise UsageError(
                f"a battle is not removed but cancelled: campaign cancel {dotted_battle(books, path)}"
            )
        if len(path) > 1 and isinstance(path[-1], str) and not isinstance(edit.value(path), dict):
            raise UsageError(f"{dotted(path)} is a value; to remove it: campaign unset {dotted(path)}")
        if edit.value(path) is MISSING:
            raise InvalidInput(f"there is no {dotted(path)} in this campaign")
    gone = set(paths)
    things = [(str(path[0]), str(path[1])) for path in paths if len(path) == 2 and path[0] in TABLES]
    mentions = [text for table, key in things for text in named_by(books, table, key, gone)]
    if mentions:
        raise InvalidInput(map(Diagnostic, sorted(mentions)))
    for path in sorted(
        paths, key=lambda path: [part for part in path if isinstance(part, int)], reverse=True
    ):
        edit.add(edit.planned(path, MISSING))
    return edit.operation("remove", reason)


def dotted_battle(books: CampaignFile, path: Path) -> str:
    table = value_in(books.source.data, path[:2])
    return str(table.get("id")) if isinstance(table, dict) else "BATTLE"


def named_by(books: CampaignFile, table: str, key: str, gone: set[Path]) -> Iterator[str]:
    """Yield an error for each value that names a faction, force or place to be removed.

    Values inside the paths in `gone` do not count, because the same command removes them.
    """
    for path in mentions_in(own_keys(books.source.data), (), table, key):
        if any(path[:length] in gone for length in range(1, len(path) + 1)):
            continue
        if path[0] == PENDING:
            battle = dotted_battle(books, path)
            yield (
                f"{table}.{key} fights in battle {battle}; cancel or edit that first"
                if table == "forces"
                else (f"battle {battle} still refers to {table}.{key}; cancel or edit the battle first")
            )
        else:
            yield f"{dotted(path)} still refers to {table}.{key}; change that first"


def mentions_in(value: object, path: Path, table: str, key: str) -> Iterator[Path]:
    if isinstance(value, dict):
        for word, inside in value.items():
            yield from mentions_in(inside, (*path, word), table, key)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from mentions_in(item, (*path, place), table, key)
    elif value == key and is_named_at(path, table):
        yield path


def cancel_battles(
    books: CampaignFile, names: Sequence[str], conditions: Sequence[Condition] = (), reason: str = ""
) -> Operation:
    """Return the operation that removes pending battles without fighting them.

    Raises InvalidInput if a battle is not pending.
    """
    edit = Edit(books)
    ids = []
    for name in names:
        for path in chosen_paths(books.campaign, f'{PENDING}."{name}"', conditions):
            key = (PENDING, dotted_battle(books, path))
            if key[1] not in ids:
                ids.append(key[1])
                edit.add([Change(key, value_at(edit.data, key), None)])
    return edit.operation("cancel", reason, ids[0] if len(ids) == 1 else "")


def plan_substitute(
    books: CampaignFile, faction: str, commander: str, turn: int | None, reason: str = ""
) -> Operation:
    """Return the operation that lets a commander replace a faction's player. `human` ends the replacement.

    `turn` is the last turn of the replacement, or None if it has no end. Raises InvalidInput if this turn is
    over, or if nothing would change.
    """
    path: Path = ("substitutes", find_key(books.campaign, "factions", faction))
    edit = Edit(books)
    if commander == HUMAN:
        edit.unset(path)
    elif turn is not None and turn < books.campaign.turn:
        raise InvalidInput(f"turn {turn} is over; write this turn, {books.campaign.turn}, or a later one")
    else:
        for word, value in (("commander", commander), ("turn", turn)):
            before = edit.value((*path, word))
            if value is None:
                edit.unset((*path, word))
            elif not same(before, value):
                edit.add(edit.planned((*path, word), value))
    if not edit.changes:
        raise InvalidInput(f"{books.campaign.faction_name(str(path[1]))}: it already has this commander")
    return edit.operation("substitute", reason)


def add_item(
    books: CampaignFile, table: str, key: str, assignments: Sequence[Assignment], reason: str = ""
) -> Operation:
    """Return the operation that adds an item to a list such as `road`, or that adds a settings table.

    `table` can be a path such as `weather.table`. `key` is the key of the item in a table of tables such as
    `terrain`, and otherwise empty. A note gives the address of the new item. Raises InvalidInput if the item
    already exists or is not valid.
    """
    edit = Edit(books)
    place: Path = tuple(table.split("."))
    if get_origin(type_at(Campaign, place)) is list:
        items = edit.value(place)
        place = (*place, len(items) if isinstance(items, list) else 0)
    place = (*place, key) if key else place
    if edit.value(place) is not MISSING:
        raise InvalidInput(f"the table {dotted(place)} exists already; change it with campaign set")
    content: dict[str, object] = {}
    inside: list[Path] = []
    for assignment in assignments:
        words = parts_of(assignment.address)
        refuse_unknown(place, words[0])
        inside.append((words[0], *with_whole_keys((*place, words[0]), words[1:])))
    intended = [(*place, *inner) for inner in inside]
    for assignment, inner in zip(assignments, inside, strict=True):
        draft = Edit(books, intended)
        draft.add(new_item_changes(draft, place, content))
        put(content, inner, read_value(draft, (*place, *inner), assignment.text, MISSING))
    edit.add(new_item_changes(edit, place, content))
    operation = edit.operation("add", reason)
    return operation._replace(notes=[f"added as {dotted(place)}"])


def add_roads(books: CampaignFile, places: Sequence[str], length: int, reason: str = "") -> Operation:
    """Return the operation that adds a road from each of these places to the next. All have the same length.

    `places` are keys or names. Raises InvalidInput if a place is unknown or a road already exists, and
    UsageError if there is only one place.
    """
    if len(places) == 1:
        raise UsageError("a road joins two places; name both")
    keys = [find_key(books.campaign, "locations", place) for place in places]
    edit = Edit(books)
    for ends in pairwise(keys):
        roads = edit.value(("road",))
        place: Path = ("road", len(roads) if isinstance(roads, list) else 0)
        content = {"between": list(ends)} | ({"length": length} if length > 1 else {})
        edit.add(new_item_changes(edit, place, content))
    return edit.operation("add", reason)


def refuse_unknown(path: Path, word: str) -> None:
    """Raise InvalidInput for a key that the new table cannot have."""
    known = keys_of_table(Campaign, path)
    if known and word not in known and not word.startswith("x_"):
        raise InvalidInput(f"{dotted((*path, word))}: unknown key{hint_for_key(word, known)}")


def new_item_changes(edit: Edit, path: Path, content: Mapping[str, object]) -> list[Change]:
    if isinstance(path[-1], int):
        key = tuple(map(str, path[:-1]))
        before = value_at(edit.data, key)
        items = before if isinstance(before, list) else []
        after: object = [*items, copy.deepcopy(dict(content))]
        return [*missing_tables(edit.data, key, after), Change(key, before, after)]
    key = tuple(map(str, path))
    return [
        *missing_tables(edit.data, key, content),
        *changes_between(key, None, copy.deepcopy(dict(content))),
    ]
