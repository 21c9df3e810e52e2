"""Find the values that a command names, such as `forces.percy.strength` or `forces.*.supply`.

An address is a path of keys with dots between them. A part of an address can be a key, a name, or a pattern
such as `per*`. In a list, it can be the number of an item, counted from 1. Roads can also be named by their
ends (`road.chester-wem`), and battles by their ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple, get_origin

from cardbattle import rules
from cardbattle.campaign.ledger.roster import is_alike, is_part
from cardbattle.campaign.state.apply import not_pending
from cardbattle.campaign.state.changes import PENDING, SINGULAR
from cardbattle.campaign.state.fields import is_settings_table, keys_of_table, type_at
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.renaming import TABLES
from cardbattle.core.errors import InvalidInput, UsageError, dotted
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.core.telling import counted

Path = tuple[str | int, ...]
PART = re.compile(r'"([^"]*)"|\'([^\']*)\'|([^."\'][^."]*)')
ADDRESS = re.compile(rf"(?:{PART.pattern})(?:\.(?:{PART.pattern}))*")
WILD = re.compile(r"[*?\[]")
SYNONYMS = {
    "faction": "factions", "force": "forces", "location": "locations", "place": "locations",
    "places": "locations", "battle": PENDING, "battles": PENDING, "roads": "road", "events": "event",
    "asserts": "assert",
}  # fmt: skip
MOST_MEANT = 6  # items that an error suggests for a part of their name
NOT_EDITED = ("revision", "format")  # keys that the program writes
CONDITION = re.compile(r"([^=<>!]+?)\s*(!=|<=|>=|=|<|>)\s*(.*)", re.DOTALL)


def parts_of(address: str) -> list[str]:
    """Split an address at its dots. A part that contains dots, or begins with an apostrophe, must be quoted.

    Raises UsageError if the text is not an address.

    >>> parts_of('forces."St. Albans".strength')
    ['forces', 'St. Albans', 'strength']
    >>> parts_of("Abbot's Lances.leader")
    ["Abbot's Lances", 'leader']
    """
    if not ADDRESS.fullmatch(address.strip()):
        raise UsageError(f"{quoted(address)} is not an address; write it as forces.percy.strength")
    return [str(first or second or bare.strip()) for first, second, bare in PART.findall(address.strip())]


def find_paths(campaign: Campaign, address: str, *, may_add: int = 0) -> list[Path]:
    """Return the paths of all values that an address names, in the order of the file.

    A value need not be in the file yet. A key can be new only if it begins with `x`, or in a table where the
    umpire chooses the keys, such as `orders` or `terrain`. The `may_add` numbers after the last item of a
    list name new items.

    Raises UsageError if the text is not an address. Raises InvalidInput for `revision` and `format`, if a
    part is unknown or ambiguous, and if nothing matches. The error suggests the nearest known part.
    """
    parts = parts_of(address)
    parts[0] = SYNONYMS.get(parts[0], parts[0])
    valid_keys = keys_of_table(Campaign, ())
    if parts[0] in NOT_EDITED:
        raise InvalidInput(f"{parts[0]} is written by cardbattle and cannot be edited")
    if parts[0] not in valid_keys and parts[0] not in campaign.data and not parts[0].startswith("x"):
        parts = [*whole_address(campaign, parts[0], valid_keys), *parts[1:]]
    paths = list(walk(campaign, campaign.data, (), parts, may_add=may_add))
    if not paths:
        raise InvalidInput(f"nothing matches {quoted(address)}{nearest_address(campaign, parts)}")
    return paths


def key_to_adjust(campaign: Campaign, key: str) -> str:
    """Return the key of one value with keys instead of names, as in `Harry Percy.strength`.

    The key can end in + or -. An unknown key is returned unchanged. Raises UsageError for a value in a list,
    such as the length of a road.
    """
    sign = key[-1:] if key[-1:] in ("+", "-") else ""
    address = key.removesuffix(sign).rstrip()
    try:
        paths = [] if WILD.search(address) else find_paths(campaign, address)
    except (InvalidInput, UsageError):
        return key
    if any(isinstance(part, int) for path in paths for part in path):
        raise UsageError(
            f"{quoted(address)} cannot be adjusted; write: cardbattle campaign set {address}=VALUE"
        )
    return ".".join(map(str, paths[0])) + sign if len(paths) == 1 else key


def names_value(campaign: Campaign, address: str) -> bool:
    """Return True if an address names an existing value, or a known field that has no value yet.

    Whole tables are not values.
    """
    try:
        paths = find_paths(campaign, address, may_add=1)
    except (InvalidInput, UsageError):
        return False
    return any(is_value(campaign, path) for path in paths)


def is_value(campaign: Campaign, path: Path) -> bool:
    """Return True if the path leads to a value, or ends in a known field that has no value."""
    value: Any = campaign.data
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return path[-1] in keys_of_table(Campaign, path[:-1])
    return not isinstance(value, dict)


def is_in_campaign(campaign: Campaign, word: str) -> bool:
    """Return True if a word is a table of the campaign file, or the key or name of one thing in it."""
    valid_keys = keys_of_table(Campaign, ())
    if SYNONYMS.get(word, word) in valid_keys:
        return True
    try:
        return bool(whole_address(campaign, word, valid_keys))
    except InvalidInput:
        return False


def whole_address(campaign: Campaign, word: str, valid_keys: Sequence[str]) -> list[str]:
    """Return the address of a faction, force, place, battle or table, given only its key or name.

    Raises InvalidInput if nothing or several things match.
    """
    matches = [
        [table, key]
        for table in TABLES
        for key in getattr(campaign, table)
        if key == word or is_alike(campaign.name_of(table, key), word)
    ]
    matches += [[PENDING, battle.id] for battle in campaign.pending if battle.id == word]
    if len(matches) == 1:
        return matches[0]
    if matches:
        several = listed(map(".".join, matches), "or")
        raise InvalidInput(f"{quoted(word)} is the key of several things; write {several}")
    keys = [key for table in TABLES for key in getattr(campaign, table)]
    hint = nearest(word, [*valid_keys, *keys]) or "; write an address such as forces.percy.strength"
    raise InvalidInput(f"{quoted(word)} is not in this campaign{hint}")


def nearest_address(campaign: Campaign, parts: Sequence[str]) -> str:
    """Return a hint for an address that matches nothing. It names the existing keys of the table."""
    table = campaign.data.get(parts[0])
    if isinstance(table, dict) and table:
        return f"; [{parts[0]}] has {listed(list(table)[:8])}"
    return f"; there is no {parts[0]} in this campaign"


def walk(
    campaign: Campaign, value: object, path: Path, parts: Sequence[str], *, may_add: int = 0
) -> Iterator[Path]:
    """Yield the paths that the words of an address select in `value`, which is the value at `path`."""
    if not parts:
        yield path
        return
    parts = with_whole_keys(path, parts)
    if value is None and get_origin(type_at(Campaign, path)) is list:
        value = []
    if isinstance(value, list):
        for place in items_meant(campaign, value, path, parts[0], may_add=may_add):
            item = value[place] if place < len(value) else None
            yield from walk(campaign, item, (*path, place), parts[1:], may_add=may_add)
        return
    if value is not None and not isinstance(value, dict):
        raise InvalidInput(f"{dotted(path)} is {quoted(value)}, not a table; nothing is below it")
    table = value or {}
    for key in keys_meant(campaign, table, path, parts):
        yield from walk(campaign, table.get(key), (*path, key), parts[1:], may_add=may_add)


KEYED_BY_ADDRESS = (("schedule", "change"), ("schedule", "set"), ("event", "change"), ("event", "set"))


def with_whole_keys(path: Path, parts: Sequence[str]) -> Sequence[str]:
    """Return the parts of an address below a path.

    If the keys of the table at this path contain dots, the parts are joined to one key.

    >>> with_whole_keys(("event", 0, "change"), ["forces", "percy", "strength"])
    ['forces.percy.strength']
    """
    return [".".join(parts)] if is_keyed_by_address(path) else parts


def is_keyed_by_address(path: Path) -> bool:
    """Return True for a table whose keys are addresses, such as the changes of an event."""
    return len(path) == 3 and (path[0], path[2]) in KEYED_BY_ADDRESS


def keys_meant(
    campaign: Campaign, table: Mapping[str, object], path: Path, parts: Sequence[str]
) -> list[str]:
    """Return the keys that a part of an address selects in a table.

    A pattern selects every matching key, and any other part selects a single key. Raises InvalidInput if no
    key matches.
    """
    word = parts[0]
    if word in table:
        return [word]
    if WILD.search(word):
        matches = [key for key in table if fnmatchcase(key, word) and not key.startswith("x_")]
        return matches or ([word] if is_keyed_by_address(path) else [])
    if path and path[0] in TABLES and len(path) == 1:
        return [key_of_name(campaign, str(path[0]), word)]
    valid_keys = keys_of_table(Campaign, path)
    if valid_keys and word not in valid_keys and not word.startswith("x"):
        raise InvalidInput(f"{dotted((*path, word))}: unknown key{hint_for_key(word, valid_keys)}")
    return [word]


def hint_for_key(word: str, valid_keys: Sequence[str]) -> str:
    """Return a hint for an unknown key of a table that has the keys `valid_keys`.

    Weather has the options of each rule set in its table `battle`, unlike terrain. The rule set belongs to
    a battle, or to the whole campaign.
    """
    if word == "rules":
        return "; a battle has its rule set: cardbattle campaign edit BATTLE --set rules=RULES"
    if "battle" in valid_keys and any(word == chosen.key for chosen in rules.every()):
        return f"; write battle.{word} instead of {word}"
    return nearest(word, valid_keys) or f"; it has {listed(valid_keys)}"


def key_of_name(campaign: Campaign, table: str, word: str) -> str:
    """Return the key of the faction, force or place that has this name.

    Raises InvalidInput if no name or several names match.
    """
    keys: Mapping[str, object] = getattr(campaign, table)
    named = {key: campaign.name_of(table, key) for key in keys}
    matches = [key for key, name in named.items() if is_alike(name, word)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise InvalidInput(f"several {table} are called {quoted(word)}: {listed(matches, 'or')}")
    parts = [quoted(key) for key, name in named.items() if is_part(word, key, name)]
    hint = f"; did you mean {listed(parts, 'or')}?" if parts else nearest(word, [*named, *named.values()])
    hint = hint or f'; to add it: cardbattle campaign add {SINGULAR[table]} "{word}"'
    raise InvalidInput(f"{SINGULAR[table]} {quoted(word)} is not in this campaign{hint}")


def items_meant(
    campaign: Campaign, items: Sequence[Any], path: Path, word: str, *, may_add: int = 0
) -> list[int]:
    """Return the indices of the items of a list that a part of an address names.

    The part can name one of `may_add` new items at the end of the list. Raises InvalidInput if no item
    matches.
    """
    is_id = path == (PENDING,) and any(word in item_labels(item) for item in items)
    if word.isdecimal() and not is_id:
        if not 1 <= int(word) <= len(items) + may_add:
            raise InvalidInput(no_such_item(path, len(items), word, may_add=bool(may_add)))
        return [int(word) - 1]
    labels = [item_labels(item) for item in items]
    matches = [
        place
        for place, names in enumerate(labels)
        if word in names or (WILD.search(word) and (word == "*" or any(fnmatchcase(n, word) for n in names)))
    ]
    if matches or WILD.search(word):
        return matches
    parts = [names[0] for names in labels if names and word in names[0]]
    hint = nearest(word, [name for names in labels for name in names])
    hint = f"; did you mean {listed(map(quoted, parts), 'or')}?" if 0 < len(parts) <= MOST_MEANT else hint
    if path == (PENDING,):
        raise InvalidInput(not_pending(campaign, word))
    raise InvalidInput(
        f"{dotted(path)} {quoted(word)} is not in this campaign{hint or '; name it by its number'}"
    )


def no_such_item(path: Path, count: int, word: str, *, may_add: bool) -> str:
    """Return the error for an item that a list of `count` items does not have."""
    number = counted(count, "item") if count else "no items"
    is_table = is_settings_table(type_at(Campaign, (*path, 0)))
    address = f"{dotted(path)}.{count + 1}{'.KEY' if is_table else ''}=VALUE"
    new = f"; to add one: campaign set {address}" if may_add else ""
    return f"{dotted(path)} has {number}, not {word[:20]}{new}"


def item_labels(item: object) -> list[str]:
    """Return the possible names of an item of a list.

    An item is named by its id, key or name, or by the two ends of a road.
    """
    if not isinstance(item, dict):
        return [str(item)]
    labels = [str(item[word]) for word in ("id", "key", "name") if word in item]
    ends = item.get("between")
    if isinstance(ends, list) and len(ends) == 2:
        labels += [f"{ends[0]}-{ends[1]}", f"{ends[1]}-{ends[0]}"]
    return labels


# Conditions


class Condition(NamedTuple):
    """A condition on a table, such as `faction = crown`."""

    word: str
    comparison: str
    value: str

    def holds(self, campaign: Campaign, path: Path) -> bool:
        actual = value_of_thing(campaign, path, self.word)
        if self.comparison in ("=", "!="):
            return any(self.is_equal(campaign, value) for value in actual) == (self.comparison == "=")
        numbers = [value for value in actual if isinstance(value, int) and not isinstance(value, bool)]
        try:
            limit = int(self.value)
        except ValueError:
            raise UsageError(
                f"--where: expected a whole number to compare with, got {quoted(self.value)}"
            ) from None
        return any(COMPARISONS[self.comparison](number, limit) for number in numbers)

    def is_equal(self, campaign: Campaign, value: object) -> bool:
        """Return True if a value equals the condition's key, name or pattern."""
        text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
        names = [campaign.name_of(table, text) for table in TABLES if text in getattr(campaign, table)]
        return (
            text == self.value
            or (bool(WILD.search(self.value)) and fnmatchcase(text, self.value))
            or any(is_alike(name, self.value) for name in names)
        )


COMPARISONS = {
    "<": int.__lt__,
    ">": int.__gt__,
    "<=": int.__le__,
    ">=": int.__ge__,
}


def read_condition(text: str) -> Condition:
    """Parse a condition.

    Raises UsageError if the text is not a condition.

    >>> read_condition("strength<5")
    Condition(word='strength', comparison='<', value='5')
    """
    match = CONDITION.fullmatch(text.strip())
    if not match:
        raise UsageError(
            f"--where: {quoted(text)} is not a condition; write it as faction=crown or strength<5"
        )
    return Condition(match[1].strip(), match[2], match[3].strip())


def where(campaign: Campaign, paths: Sequence[Path], conditions: Sequence[Condition]) -> list[Path]:
    """Return the paths whose tables meet all conditions. Raises InvalidInput if no table meets them."""
    left = [path for path in paths if all(each.holds(campaign, thing_of(path)) for each in conditions)]
    if not left:
        raise InvalidInput("nothing meets the conditions of --where")
    return left


def thing_of(path: Path) -> Path:
    """Return the path of the table that a value belongs to, such as a force."""
    if len(path) < 2:
        raise UsageError(f"--where selects among several tables; {dotted(path)} is one value")
    last = max((place for place, part in enumerate(path) if isinstance(part, int)), default=1)
    return path[: last + 1]


def value_of_thing(campaign: Campaign, path: Path, word: str) -> list[object]:
    """Return the values of a key in a table, including default values.

    A list has several values. Raises UsageError if the table cannot have this key.
    """
    if word == "key":
        return [path[-1]] if isinstance(path[-1], str) else [path[-1] + 1]
    thing: Any = campaign
    for part in path:
        name = "asserts" if part == "assert" else part
        thing = getattr(thing, str(name)) if is_settings_table(type(thing)) else thing[part]
    if is_settings_table(type(thing)):
        valid_keys = keys_of_table(type(thing), ())
        if word not in valid_keys:
            hint = nearest(word, valid_keys) or f"; it has {listed(valid_keys)}"
            raise UsageError(f"--where: {dotted(path)} has no {quoted(word)}{hint}")
        value = getattr(thing, word)
    else:
        value = thing.get(word) if isinstance(thing, dict) else None
    flat = value if isinstance(value, list | tuple) else [value]
    return [item for part in flat for item in (part if isinstance(part, list | tuple) else [part])]
