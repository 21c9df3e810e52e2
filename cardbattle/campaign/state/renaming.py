"""Rename the key of a faction, force or place everywhere in a campaign and its ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.state.tables.conditions import Place, is_reference, rename_in_condition
from cardbattle.campaign.state.tables.march_orders import rename_in_order
from cardbattle.files.toml_positions import KEY, Places

TABLES = ("factions", "forces", "locations")
EACH = "*"
At = tuple[str | int, ...]

# Paths at which a campaign refers to a faction, force or location by key.
REFERENCES: Mapping[str, Sequence[At]] = {
    "factions": [
        ("forces", EACH, "faction"),
        ("forces", EACH, "prisoner_of"),
        ("locations", EACH, "owner"),
        ("factions", EACH, "peace", EACH),
        ("assert", EACH, "faction"),
        ("assert", EACH, "owner"),
    ],
    "forces": [
        ("pending", EACH, "sides", EACH),
        ("pending", EACH, "sides", EACH, EACH),
        ("pending", EACH, "house", EACH),
        ("pending", EACH, "options", EACH, EACH),
        ("pending", EACH, "defender"),
        ("assert", EACH, "force"),
        ("reported", EACH, "side"),
        ("reported", EACH, "winners", EACH),
        ("reported", EACH, "declined", EACH),
        ("fixtures", "forces", EACH),
        ("fixtures", "order", EACH),
        ("round", EACH, "matches", EACH, "home"),
        ("round", EACH, "matches", EACH, "away"),
        ("round", EACH, "byes", EACH),
        ("round", EACH, "seeds", EACH),
    ],
    "locations": [
        ("forces", EACH, "location"),
        ("forces", EACH, "towards"),
        ("forces", EACH, "retreat"),
        ("road", EACH, "between", EACH),
        ("pending", EACH, "stakes"),
        ("pending", EACH, "place"),
        ("pending", EACH, "road", EACH),
        ("fixtures", "stakes"),
        ("assert", EACH, "location"),
        ("map", "roads", EACH, EACH),
    ],
}


EVENTS = ("schedule", "event")  # tables of things that happen, which name values by their paths
BY_KEY = {
    "orders": "forces",
    "sealed_orders": "factions",
    "substitutes": "factions",
}  # tables whose keys are those of another table
ORDERS = (("forces", EACH, "march"), ("orders", EACH))  # orders to move, which name forces and places
BY_SIDE = (("options",), ("names",), ("plural",))  # tables of a pending battle whose keys are its sides
BY_REPORTED_SIDE = (
    ("losses",),
    ("score",),
    ("units",),
)  # tables of a reported result whose keys are its sides


class Rename(NamedTuple):
    """The old and the new key of a faction, force or location."""

    table: str
    old: str
    new: str


def is_named_at(at: At, table: str) -> bool:
    """Return True if the value at a path is a key of this table."""
    if at[0] in EVENTS:
        return is_named_in_event(at[2:], table)
    return any(is_at(at, path) for path in REFERENCES[table])


def is_at(at: At, path: At) -> bool:
    """Return True if a path matches another path, in which EACH matches any key."""
    return len(at) == len(path) and all(part in (EACH, word) for part, word in zip(path, at, strict=True))


def is_named_in_event(at: At, table: str) -> bool:
    """Return True if the value at this path inside an event is a key of this table."""
    if at[:1] == ("known",):
        return table == "factions"
    if at[:1] == ("set",) and len(at) > 1:
        return is_reference(str(at[1]).rpartition(".")[2], table)
    parts = [str(word) for word in at[2:] if isinstance(word, str)]
    return at[:1] == ("add",) and bool(parts) and is_reference(parts[0], table)


def rename_in_word(word: str, at: At, rename: Rename) -> str:
    """Return the key at a path after a rename."""
    if at[:1] and at[0] in EVENTS and at[2:] in (("change",), ("set",)):
        place = Place.named(word)
        is_meant = place is not None and place[:2] == rename[:2]
        return word.replace(f"{rename.old}.", f"{rename.new}.", 1) if is_meant else word
    by_side = {"pending": BY_SIDE, "reported": BY_REPORTED_SIDE}.get(str(at[0]), ()) if at else ()
    is_side = rename.table == "forces" and at[2:] in by_side
    is_key = len(at) == 1 and BY_KEY.get(str(at[0]), at[0]) == rename.table
    return rename.new if word == rename.old and (is_key or is_side) else word


def rename_in_value(value: object, at: At, rename: Rename) -> object:
    """Return the value at a path after a rename. The original value does not change."""
    if isinstance(value, dict):
        return {
            rename_in_word(word, at, rename): rename_in_value(inside, (*at, word), rename)
            for word, inside in value.items()
        }
    if isinstance(value, list):
        return [rename_in_value(item, (*at, place), rename) for place, item in enumerate(value)]
    return rename_in_string(value, at, rename) if isinstance(value, str) else value


def rename_in_string(value: str, at: At, rename: Rename) -> str:
    """Return the string at a path after a rename. It is a key, or a condition or order that contains keys."""
    if at[0] in EVENTS and at[2:] in (("when",), ("where",)):
        return rename_in_condition(value, *rename)
    if any(is_at(at, path) for path in ORDERS):
        return rename_in_order(value, *rename)
    return rename.new if value == rename.old and is_named_at(at, rename.table) else value


def rename_in_data(data: Mapping[str, object], rename: Rename) -> dict[str, object]:
    """Return a campaign's data after a rename."""
    return {word: rename_in_value(value, (word,), rename) for word, value in data.items()}


def rename_in_key(key: tuple[str, ...], rename: Rename) -> tuple[str, ...]:
    if key[1:2] == (rename.old,) and BY_KEY.get(key[0], key[0]) == rename.table:
        return (key[0], rename.new, *key[2:])
    return key


def rename_in_text(text: str, rename: Rename) -> str:
    """Return the TOML text of a campaign, or of a part of it, after a rename. The rest does not change."""
    places = Places(text)
    new = {start: rename_in_word(str(path[-1]), path[:-1], rename) for start, path in places.parts}
    new |= {
        start: rename_in_string(word_at(text, start), path, rename) for path, start in places.values.items()
    }
    for start in sorted(new, reverse=True):
        token = token_at(text, start)
        if token and word_at(text, start) != new[start]:
            quote = token[0] if token[0] in "\"'" else ""
            text = f"{text[:start]}{quote}{new[start]}{quote}{text[start + len(token) :]}"
    return text


def token_at(text: str, start: int) -> str:
    """Return the key or short string at an offset, including its quotes, or "" if neither is there."""
    match = KEY.match(text, start)
    return match[0] if match else ""


def word_at(text: str, start: int) -> str:
    """Return the key or short string at an offset without its quotes."""
    token = token_at(text, start)
    return token[1:-1] if token[:1] in ("'", '"') else token
