"""Suggest keys of campaign.toml and their values for commands that edit the file.

Suggested keys are the keys in the file, and all other possible keys, which are stored in a table. `make docs`
writes this table from the classes of `campaign/state/model.py`, and a test compares it with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from cardbattle.commanders import RANKS
from cardbattle.rules import RULE_SETS

KEY_FILE = "keys.json"
EACH = "*"
NOT_EDITED = ("format", "revision")  # keys that the program writes
SINGLE_TABLES = (
    "movement", "aftermath", "experience", "experience.steps", "supply", "recovery", "recruit", "income",
    "deadlines", "results", "visibility", "calendar", "scoring", "attrition",
)  # fmt: skip


class KeySuggestion(NamedTuple):
    """A suggested key or value with a short description."""

    value: str
    help: str = ""


@cache
def key_table() -> Mapping[str, Any]:
    """Return the table of all possible keys of a campaign.

    The table is a dict from key paths, such as `forces.*.commander`, to the possible values. The possible
    values are a list of words, or a text that names the kind of value.
    """
    file = resources.files("cardbattle").joinpath("data", "completion", KEY_FILE)
    table: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return table


def key_suggestions(
    data: Mapping[str, Any], word: str, ending: str = "=", prefix: Sequence[str] = ()
) -> Iterator[KeySuggestion]:
    """Yield the possible keys at the next level of a path.

    A key ends with a dot if more levels follow, and otherwise with `ending`. `prefix` is the path that comes
    before the typed word, such as the path of a battle.
    """
    *path, _ = word.split(".")
    place, pattern = follow(data, [*prefix, *path])
    for key, value in keys_at(place).items():
        if not pattern and key in NOT_EDITED:
            continue
        whole = ".".join([*path, key])
        if isinstance(value, dict) or keys_at(value):
            yield KeySuggestion(f"{whole}.", name_of(value))
        else:
            yield KeySuggestion(f"{whole}{ending}", f"now {value}" if not isinstance(value, list) else "")
    for key in schema_keys(pattern):
        whole = ".".join([*path, key])
        more = any(other.startswith(f"{joined(pattern, key)}.") for other in key_table())
        if key not in keys_at(place):
            yield KeySuggestion(f"{whole}." if more else f"{whole}{ending}")


def follow(data: Any, path: Sequence[str]) -> tuple[Any, str]:
    """Return a pair: the value at a path in `data`, and the same path as `key_table` writes it."""
    pattern = ""
    for part in path:
        exact = joined(pattern, part)
        pattern = exact if exact in key_table() else joined(pattern, EACH)
        data = keys_at(data).get(part)
    return data, pattern


def joined(pattern: str, key: str) -> str:
    """Return a path with one more key at its end.

    >>> joined("", "forces"), joined("forces", "*")
    ('forces', 'forces.*')
    """
    return f"{pattern}.{key}" if pattern else key


def keys_at(value: Any) -> dict[str, Any]:
    """Return a table's values by key, or the tables in a list by their ids or numbers (from 1)."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return {str(item.get("id", number)): item for number, item in enumerate(value, 1)}
    return {}


def name_of(value: Any) -> str:
    """Return the name in a table, or "" if it has none."""
    return str(value.get("name", "")) if isinstance(value, dict) else ""


def schema_keys(pattern: str) -> list[str]:
    """Return the possible keys at a path. `pattern` is the path in the form that `key_table` uses."""
    start = f"{pattern}." if pattern else ""
    keys = [path[len(start) :] for path in key_table() if path.startswith(start)]
    return [key for key in keys if "." not in key and key not in (EACH, "id")]


def value_suggestions(
    data: Mapping[str, Any], address: str, prefix: Sequence[str] = ()
) -> Iterator[KeySuggestion]:
    """Yield the possible values of a key. `prefix` and `address` together are the path of the key."""
    values = key_table().get(follow(data, [*prefix, *address.split(".")])[1], [])
    if values == "rules":
        yield from map(KeySuggestion, RULE_SETS)
    elif values == "ranks":
        yield from (KeySuggestion(name, rank.words) for name, rank in RANKS.items())
    elif isinstance(values, str):
        table = data.get(values)
        yield from (KeySuggestion(key, name_of(value)) for key, value in (table or {}).items())
    else:
        yield from map(KeySuggestion, values)
