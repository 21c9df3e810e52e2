"""Rename the key of a faction, force or place everywhere in a campaign and its ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardbattle.files.toml_positions import KEY, Places

TABLES = ("factions", "forces", "locations")
EACH = "*"
At = tuple[str | int, ...]

# Where a campaign names a faction, force or location by its key, apart from its own table.
REFERENCES: Mapping[str, Sequence[At]] = {
    "factions": [
        ("forces", EACH, "faction"),
        ("locations", EACH, "owner"),
        ("assert", EACH, "faction"),
        ("assert", EACH, "owner"),
    ],
    "forces": [
        ("pending", EACH, "sides", EACH),
        ("pending", EACH, "sides", EACH, EACH),
        ("pending", EACH, "house", EACH),
        ("pending", EACH, "options", EACH, EACH),
        ("assert", EACH, "force"),
    ],
    "locations": [
        ("forces", EACH, "location"),
        ("pending", EACH, "stakes"),
        ("assert", EACH, "location"),
        ("map", "roads", EACH, EACH),
    ],
}


BY_SIDE = (("options",), ("names",), ("plural",))  # tables of a pending battle whose keys are its sides


class Rename(NamedTuple):
    """A key of one of the three tables, and what it becomes."""

    table: str
    old: str
    new: str


def is_named_at(at: At, table: str) -> bool:
    """Say whether the value at a path names something of this table."""
    return any(
        len(at) == len(path) and all(part in (EACH, word) for part, word in zip(path, at, strict=True))
        for path in REFERENCES[table]
    )


def rename_in_word(word: str, at: At, rename: Rename) -> str:
    """Return a key of the table at a path after a rename."""
    is_side = rename.table == "forces" and at[:1] == ("pending",) and at[2:] in BY_SIDE
    return rename.new if word == rename.old and (at == (rename.table,) or is_side) else word


def rename_in_value(value: object, at: At, rename: Rename) -> object:
    """Return the value at a path after a rename; the old value does not change."""
    if isinstance(value, dict):
        return {
            rename_in_word(word, at, rename): rename_in_value(inside, (*at, word), rename)
            for word, inside in value.items()
        }
    if isinstance(value, list):
        return [rename_in_value(item, (*at, place), rename) for place, item in enumerate(value)]
    return rename.new if value == rename.old and is_named_at(at, rename.table) else value


def rename_in_data(data: Mapping[str, object], rename: Rename) -> dict[str, object]:
    """Return a campaign's data after a rename."""
    return {word: rename_in_value(value, (word,), rename) for word, value in data.items()}


def rename_in_key(key: tuple[str, ...], rename: Rename) -> tuple[str, ...]:
    """Return a key path after a rename."""
    if key[:2] == (rename.table, rename.old):
        return (rename.table, rename.new, *key[2:])
    return key


def rename_in_text(text: str, rename: Rename) -> str:
    """Return TOML text of a campaign, or a part of it, after a rename; nothing else in it changes."""
    places = Places(text)
    marks = [
        start
        for start, path in places.parts
        if rename_in_word(str(path[-1]), path[:-1], rename) != path[-1] and path[-1] == rename.old
    ]
    marks += [
        start
        for path, start in places.values.items()
        if is_named_at(path, rename.table) and word_at(text, start) == rename.old
    ]
    for start in sorted(marks, reverse=True):
        token = token_at(text, start)
        quote = token[0] if token[0] in "\"'" else ""
        text = f"{text[:start]}{quote}{rename.new}{quote}{text[start + len(token) :]}"
    return text


def token_at(text: str, start: int) -> str:
    """Return the key or short string at an offset, with quotes, or ""."""
    match = KEY.match(text, start)
    return match[0] if match else ""


def word_at(text: str, start: int) -> str:
    """Return what the key or text at an offset says, if it can be a key."""
    return token_at(text, start).strip("\"'")
