"""Write JSON for people and programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, time
from math import isfinite
from unicodedata import category

from cardbattle.core.names import UNFIT
from cardbattle.show.document import Repeatable

INDENT = 2


def to_json(value: object) -> str:
    """Return a value as indented JSON.

    Control characters are escaped, because they could affect a terminal.
    """
    return with_codes(json.dumps(plain_values(value), indent=INDENT, ensure_ascii=False)) + "\n"


def json_parts(document: Mapping[str, object]) -> Iterator[str]:
    """Yield the text that `to_json` returns for a document, in parts.

    If the document contains a `Repeatable`, its items are written one by one.
    """
    if not any(isinstance(value, Repeatable) for value in document.values()):
        yield to_json(document)
        return
    before = "{"
    for key, value in document.items():
        yield f"{before}\n{' ' * INDENT}{json_text(key)}: "
        if isinstance(value, Repeatable):
            yield from list_parts(value)
        else:
            yield indent(json_text(value), INDENT)
        before = ","
    yield "\n}\n"


def list_parts(values: Iterable[object]) -> Iterator[str]:
    """Yield the text of a list in a JSON document, one item at a time."""
    before = "["
    for value in values:
        yield f"{before}\n{' ' * 2 * INDENT}{indent(json_text(value), 2 * INDENT)}"
        before = ","
    yield "[]" if before == "[" else f"\n{' ' * INDENT}]"


def json_text(value: object) -> str:
    return to_json(value)[:-1]


def indent(text: str, columns: int) -> str:
    """Indent all lines of a JSON text except the first. No string in the text contains a line break."""
    return text.replace("\n", f"\n{' ' * columns}")


def plain_values(value: object) -> object:
    """Convert a value that JSON does not have, such as a date, `nan` or `inf`, to text.

    Dates are converted to ISO format.
    """
    if isinstance(value, dict):
        return {key: plain_values(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple | Repeatable):
        return [plain_values(inside) for inside in value]
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def with_codes(text: str) -> str:
    """Escape control, format and private-use characters inside JSON strings."""
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(escape_of(char) if char != "\n" and category(char) in UNFIT else char for char in text)


def escape_of(char: str) -> str:
    r"""Return the JSON escape of a character.

    >>> escape_of(chr(0x202E)), escape_of(chr(0xE0001))
    ('\\u202e', '\\udb40\\udc01')
    """
    return json.dumps(char)[1:-1] if not char.isascii() else f"\\u{ord(char):04x}"
