"""Parse ledger entries in the program's own form without a full TOML parser.

In that form, each value is on its own line, and everything except the keys is JSON. Entries in other forms
are parsed by tomllib.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from typing import NamedTuple

from cardbattle.files.plain_toml import NUMBER, TEXT, WORD

HEAD = "[[entry]]\n"
TOKEN = re.compile(rf"({TEXT}(?! = )|{WORD}(?= = )|{NUMBER})")
MARK = "\0"  # replaces every token in the shape of an entry
KEY = f"{MARK} = "
SCALAR = f"-?{MARK}|true|false"
LEVELS = 4  # of nested lists and tables
SHAPES = 500  # remembered shapes; most entries have the shape of an earlier one
LONGEST = 400  # most tokens of a remembered shape: compiling a longer pattern takes more time than it saves
ALIKE = 8  # shapes with equal counts of lines, quotes and commas that are tried before a new one is added


def values(levels: int) -> str:
    """Return the pattern of a value that contains at most `levels` levels of nested lists and tables."""
    if not levels:
        return f"(?:{SCALAR})"
    inside = values(levels - 1)
    items = rf"\[(?:{inside}(?:, (?!\])|(?=\])))*\]"
    pairs = rf"\{{(?:(?: {KEY}{inside}(?:,(?= {MARK})|(?= \}})))+ )?\}}"
    return f"(?:{SCALAR}|{items}|{pairs})"


@cache
def entry() -> re.Pattern[str]:
    """Return the pattern of an entry's shape. Compiling it takes as long as reading a hundred entries."""
    value = values(LEVELS)
    return re.compile(rf"(?:{KEY}(?:{value}|\[\n(?:    {value},\n)+\])\n)+")


@lru_cache(maxsize=SHAPES)
def as_json(shape: str) -> str:
    r"""Convert an entry's shape to JSON with `%s` for every token.

    The result is empty if the entry is in another form.

    >>> as_json("\0 = \0\n\0 = [\n    { \0 = \0 },\n]\n")
    '{"%s":%s,"%s":[\n    { "%s":%s }]}'
    """
    if not entry().fullmatch(shape):
        return ""
    pairs = shape[:-1].replace(f"\n{KEY}", f",{KEY}").replace(",\n]", "]")
    return "{" + pairs.replace(KEY, '"%s":').replace(MARK, "%s") + "}"


class Shape(NamedTuple):
    """The shape of entries that differ only in their tokens, as a pattern and as JSON."""

    pattern: re.Pattern[str]
    form: str


SEEN: dict[tuple[int, int, int], list[Shape]] = {}
"""Shapes by the numbers of lines, quotes and commas in an entry."""


def read_plain(text: str) -> dict[str, object] | None:
    r"""Return the table of an entry in the program's own form, or None if the entry is in another form.

    One match against the pattern of an earlier entry takes a third of the time of splitting the text.

    >>> read_plain('[[entry]]\nrevision = 1\nchanges = [\n    { key = "turn", after = 2 },\n]\n')
    {'revision': 1, 'changes': [{'key': 'turn', 'after': 2}]}
    >>> read_plain("[[entry]]\nrevision = 0x1\n")
    """
    counts = (text.count("\n"), text.count('"'), text.count(","))
    for shape in SEEN.get(counts, ()):
        match = shape.pattern.fullmatch(text)
        if match:
            return decode_json(shape.form % match.groups())
    return read_new_shape(text, counts)


def read_new_shape(text: str, counts: tuple[int, int, int]) -> dict[str, object] | None:
    """Return the table of an entry in the program's own form, and remember the shape of the entry.

    Returns None if the entry is in another form.
    """
    if not text.startswith(HEAD) or MARK in text:
        return None
    pieces = TOKEN.split(text[len(HEAD) :])
    form = as_json(MARK.join(pieces[::2]))
    if not form:
        return None
    if len(pieces) > 2 * LONGEST + 1:
        return decode_json(form % tuple(pieces[1::2]))
    if sum(map(len, SEEN.values())) >= SHAPES:
        SEEN.clear()
    alike = SEEN.setdefault(counts, [])
    if len(alike) < ALIKE:
        alike.append(Shape(shape_pattern(pieces), form))
    return decode_json(form % tuple(pieces[1::2]))


def shape_pattern(pieces: list[str]) -> re.Pattern[str]:
    """Return a pattern that matches all entries whose tokens have the same kinds as those in `pieces`.

    The text between the tokens must be the same. Every second piece is a token. A token before an equals sign
    is a key.
    """
    parts = [re.escape(HEAD)]
    for mark, token, after in zip(pieces[::2], pieces[1::2], pieces[2::2], strict=False):
        kind = WORD if after.startswith(" = ") else TEXT if token.startswith('"') else NUMBER
        parts += [re.escape(mark), f"({kind})"]
    return re.compile("".join([*parts, re.escape(pieces[-1])]))


def decode_json(text: str) -> dict[str, object] | None:
    """Return the table in a JSON text, or None if a key occurs twice."""
    try:
        table: dict[str, object] = DECODER.raw_decode(text)[0]
    except ValueError:
        return None
    return table


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a dict of these pairs. Raises ValueError if a key occurs twice."""
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key occurs twice")
    return table


DECODER = json.JSONDecoder(object_pairs_hook=unique, strict=False)
