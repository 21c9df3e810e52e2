"""An entry of the ledger as the program itself writes it, read without a reader of all TOML.

In that form each value stands on a line of its own, and is JSON but for the keys. What is written in
any other way is not read here: tomllib says what it is.
"""

from __future__ import annotations

import json
import re
from functools import cache

HEAD = "[[entry]]\n"
CLEAR = r'[^"\\\x00-\x08\x0a-\x1f\x7f]*+'
TEXT = rf'"{CLEAR}(?:\\(?:["\\bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{{4}}){CLEAR})*+"'
TOKEN = re.compile(rf"({TEXT})|([A-Za-z0-9_-]++) = ")
A_TEXT, A_KEY = "\0", "\1"  # what stands for them in the shape of an entry
MARK = re.compile("[\0\1]")
SCALAR = "\0|-?(?:0|[1-9][0-9]{0,17}+)|true|false"
LEVELS = 4  # of lists and tables inside each other


def values(levels: int) -> str:
    """Return the pattern of a value with at most so many lists and tables inside each other."""
    if not levels:
        return f"(?:{SCALAR})"
    inside = values(levels - 1)
    items = rf"\[(?:{inside}(?:, (?!\])|(?=\])))*+\]"
    pairs = rf"\{{(?:(?: \1{inside}(?:,(?= \1)|(?= \}})))++ )?+\}}".replace(r"\1", A_KEY)
    return f"(?:{SCALAR}|{items}|{pairs})"


@cache
def entry() -> re.Pattern[str]:
    """Return the pattern of an entry's lines; making it takes as long as reading a hundred entries."""
    one = values(LEVELS)
    return re.compile(rf"(?:{A_KEY}(?:{one}|\[\n(?:    {one},\n)++\])\n)++")


def read_plain(text: str) -> dict[str, object] | None:
    r"""Return the table of an entry in the program's own form; None if it is in any other.

    >>> read_plain('[[entry]]\nrevision = 1\nchanges = [\n    { key = "turn", after = 2 },\n]\n')
    {'revision': 1, 'changes': [{'key': 'turn', 'after': 2}]}
    >>> read_plain("[[entry]]\nrevision = 0x1\n")
    """
    if not text.startswith(HEAD) or A_TEXT in text or A_KEY in text:
        return None
    tokens = TOKEN.split(text[len(HEAD) :])
    texts, keys = tokens[1::3], tokens[2::3]
    tokens[1::3] = [A_KEY if word is None else A_TEXT for word in texts]
    tokens[2::3] = [""] * len(keys)
    shape = "".join(tokens)
    if not entry().fullmatch(shape):
        return None
    between = MARK.split(shape[:-1].replace(f"\n{A_KEY}", f",{A_KEY}").replace(",\n]", "]"))
    written = [""] * (2 * len(keys) + 1)
    written[::2] = between
    written[1::2] = [f'"{key}":' if word is None else word for word, key in zip(texts, keys, strict=True)]
    try:
        table: dict[str, object] = DECODER.decode(f"{{{''.join(written)}}}")
    except ValueError:  # a key stands twice
        return None
    return table


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a table; ValueError if a key stands twice in it."""
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key stands twice")
    return table


DECODER = json.JSONDecoder(object_pairs_hook=unique, strict=False)
