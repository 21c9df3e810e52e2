"""JSON for people and programs."""

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
    """Return a value as JSON for people and programs; what would act on a terminal is escaped."""
    return with_codes(json.dumps(plain_values(value), indent=INDENT, ensure_ascii=False)) + "\n"


def json_parts(document: Mapping[str, object]) -> Iterator[str]:
    """Yield what a document says as JSON, the same as `to_json`, a part at a time.

    A `Repeatable` in it is written item by item.
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
    """Yield a list in a JSON document, item by item."""
    before = "["
    for value in values:
        yield f"{before}\n{' ' * 2 * INDENT}{indent(json_text(value), 2 * INDENT)}"
        before = ","
    yield "[]" if before == "[" else f"\n{' ' * INDENT}]"


def json_text(value: object) -> str:
    """Return a value as JSON, its lines not indented."""
    return to_json(value)[:-1]


def indent(text: str, columns: int) -> str:
    """Return JSON with all its lines but the first indented; no text in it has a line end."""
    return text.replace("\n", f"\n{' ' * columns}")


def plain_values(value: object) -> object:
    """Return a value with what JSON has no word for as text: dates in ISO form, `nan`, `inf`."""
    if isinstance(value, dict):
        return {key: plain_values(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple | Repeatable):
        return [plain_values(inside) for inside in value]
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def with_codes(text: str) -> str:
    """Return JSON with control, format and private characters inside its texts as codes."""
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(escape_of(char) if char != "\n" and category(char) in UNFIT else char for char in text)


def escape_of(char: str) -> str:
    r"""Return a character as JSON escapes it.

    >>> escape_of(chr(0x202E)), escape_of(chr(0xE0001))
    ('\\u202e', '\\udb40\\udc01')
    """
    return json.dumps(char)[1:-1] if not char.isascii() else f"\\u{ord(char):04x}"
