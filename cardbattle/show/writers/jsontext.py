"""JSON for people and programs."""

from __future__ import annotations

import json
from datetime import date, time
from math import isfinite
from unicodedata import category

from cardbattle.core.names import UNFIT


def to_json(value: object) -> str:
    """Return a value as JSON for people and programs; what would act on a terminal is escaped."""
    return with_codes(json.dumps(plain_values(value), indent=2, ensure_ascii=False)) + "\n"


def plain_values(value: object) -> object:
    """Return a value with what JSON has no word for as text: dates in ISO form, `nan`, `inf`."""
    if isinstance(value, dict):
        return {key: plain_values(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
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
