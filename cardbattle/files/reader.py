"""Read a table of a file one key at a time, and collect all errors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar

from cardbattle.core.errors import MOST, Diagnostic, note
from cardbattle.core.names import (
    has_unfit,
    key_error,
    key_from,
    listed,
    name_error,
    nearest,
    quoted,
    unknown_word,
)
from cardbattle.files.errors import UnknownKey

T = TypeVar("T")
MOST_SEED = 2**63 - 1
At = tuple[str | int, ...]


class TableReader:
    """A reader for one table of a file.

    Errors are added to the list `errors`. Each error has the path of keys that leads to the wrong value.
    """

    def __init__(self, data: object, at: At, errors: list[Diagnostic]) -> None:
        self.at = at
        self.errors = errors
        self.data: dict[str, object] = {}
        if isinstance(data, dict):
            self.data = data
        else:
            self.wrong(f"expected a table, got {quoted(data)}")

    def wrong(self, text: str, *keys: str | int) -> None:
        note(self.errors, Diagnostic(text, at=(*self.at, *keys)))

    def take(self, key: str, read: Callable[[object], T], default: T) -> T:
        """Parse the value of a key with `read`.

        Returns the default if the key is missing or its value is not valid.

        If `read` raises ValueError, an error for this key is added.
        """
        if key not in self.data:
            return default
        try:
            return read(self.data[key])
        except ValueError as error:
            self.wrong(str(error), key)
            return default

    def need(self, key: str, read: Callable[[object], T], default: T) -> T:
        """Parse the value of a key, as `take` does. If the key is missing, add an error."""
        if key not in self.data:
            self.wrong(f"{key} is missing")
        return self.take(key, read, default)

    def table(self, key: str) -> TableReader:
        return TableReader(self.data.get(key, {}), (*self.at, key), self.errors)

    def tables(self, key: str) -> Iterator[TableReader]:
        value = self.data.get(key, [])
        if isinstance(value, list):
            for place, item in enumerate(value):
                yield TableReader(item, (*self.at, key, place), self.errors)
        else:
            self.wrong(f"expected tables, each under [[{key}]], got {quoted(value)}", key)

    def only(self, choices: Collection[str], kind: str = "key") -> None:
        """Add an error for each key that is not in `choices`. The error suggests the most similar key."""
        unknown = [key for key in self.data if key not in choices]
        for key in unknown[: MOST + 1 - len(self.errors)]:
            text = unknown_word(kind, key, choices) + ("" if choices else "; no keys are allowed here")
            note(self.errors, UnknownKey(text, at=(*self.at, key)))


def table_or_empty(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def expect_text(value: object) -> str:
    """Return the value if it is a string. Raises ValueError if it is not."""
    if not isinstance(value, str):
        raise ValueError(f"expected text in quotes, got {quoted(value)}")
    return value


def expect_whole(value: object) -> int:
    """Return the value if it is a whole number from 0 to 2**63 - 1. Raises ValueError if it is not."""
    if type(value) is not int or not 0 <= value <= MOST_SEED:
        raise ValueError(f"expected a whole number from 0, got {quoted(value)}")
    return value


def whole_between(least: int, most: int) -> Callable[[object], int]:
    """Return a parser that accepts whole numbers from `least` to `most`."""

    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"expected a whole number from {least} to {most}, got {quoted(value)}")
        return value

    return read


def expect_switch(value: object) -> bool:
    """Return the value if it is true or false. Raises ValueError if it is not."""
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {quoted(value)}")
    return value


def expect_one_of(choices: Mapping[str, T]) -> Callable[[object], T]:
    """Return a parser that accepts the keys of `choices`, and returns their values."""

    def read(value: object) -> T:
        if isinstance(value, str) and value in choices:
            return choices[value]
        hint = nearest(value, choices) if isinstance(value, str) else ""
        raise ValueError(f"expected {listed(choices, 'or')}, got {quoted(value)}{hint}")

    return read


def expect_texts(value: object) -> list[str]:
    """Return the value if it is a list of strings. Raises ValueError if it is not."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"expected a list of text in quotes, got {quoted(value)}")
    return value


def expect_groups(value: object) -> list[list[str]]:
    """Return the value if it is a list of nonempty lists of strings. Raises ValueError if it is not."""
    if not isinstance(value, list) or not value or not all(map(expect_texts, value)):
        raise ValueError(f"expected lists of text in a list, got {quoted(value)}")
    return value


def expect_tables(value: object) -> list[dict[str, object]]:
    """Return the value if it is a list of tables. Raises ValueError if it is not."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError(f"expected a list of tables, got {quoted(value)}")
    return value


def expect_key(value: object) -> str:
    """Return the value if it is a key of 1 to 40 characters.

    Raises ValueError if it is not. The error suggests the key that a name would have.
    """
    problem = key_error(value)
    if problem:
        key = key_from(value) if isinstance(value, str) else ""
        raise ValueError(problem if key_error(key) else f'{problem}; did you mean "{key}"?')
    return str(value)


def expect_name(value: object) -> str:
    """Return the value if it is a name of 1 to 40 characters. Raises ValueError if it is not."""
    problem = name_error(value)
    if problem:
        raise ValueError(problem)
    return str(value)


def expect_seed(value: object) -> int | str:
    """Return the value if it is a seed, which is a whole number from 0 to 2**63 - 1 or a string.

    A string must have 1 to 200 characters, and none of them can be a control character. Raises ValueError if
    the value is not a seed.
    """
    if type(value) is int and 0 <= value <= MOST_SEED:
        return value
    if isinstance(value, str) and 1 <= len(value) <= 200 and not has_unfit(value):
        return value
    raise ValueError(f"expected a seed: a whole number from 0 to {MOST_SEED}, or text; got {quoted(value)}")
