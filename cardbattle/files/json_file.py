"""Read JSON files with the tables of a TOML file, as commands of this program write them."""

from __future__ import annotations

import json
from typing import NoReturn

from cardbattle.core.errors import Diagnostic
from cardbattle.files.errors import PlacedDiagnostic, with_place
from cardbattle.files.toml import MOST_LEVELS, TOO_DEEP, Source, invalid_file, is_deeper
from cardbattle.files.toml_positions import Path


class JsonSource(Source):
    """A JSON file. Errors name the keys of a value, because the lines of values are not known."""

    def locate(self, at: Path, *, key: bool = False) -> tuple[int, int]:
        return 0, 0

    def placed(self, error: Diagnostic) -> PlacedDiagnostic:
        return PlacedDiagnostic(error.text, at=with_place(error).at, file=self.name)


def is_json(text: str) -> bool:
    """Return True if a text is JSON with a table, and not TOML.

    >>> is_json('{"result": []}'), is_json("format = 1")
    (True, False)
    """
    return text.lstrip().startswith("{")


def parse_json(name: str, text: str) -> JsonSource:
    """Parse a JSON file that has a table at the top.

    Raises InvalidInput if the file is not JSON, has a key twice, or is nested over 60 levels deep.
    """
    try:
        data = json.loads(text, object_pairs_hook=unique_keys, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise invalid_file(name, f"invalid JSON: {error.msg.lower()}", text, error.pos) from None
    except RecursionError:
        raise invalid_file(name, TOO_DEEP) from None
    except ValueError as error:
        raise invalid_file(name, f"invalid JSON: {error}") from None
    if is_deeper(data, MOST_LEVELS):
        raise invalid_file(name, TOO_DEEP)
    return JsonSource(name, text, data, bom=False)


def unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f'the key "{twice}" appears twice in one table; keep one of the two')
    return table


def refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"expected a number, got {word}")
