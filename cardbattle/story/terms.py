"""Explain a term of a game where a story uses it first.

A clause follows the word ("the Bazooka, the highest card, fell"). Where it cannot, a remark in brackets ends
the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Collection

CLOSING = (".", ",", ";", ":", "?", "!", " (")  # characters after which a clause needs no comma of its own
UNBROKEN = (
    "'",
    "’",
    " left",
    " later",
    " instead",
    " card",
    " of ",
    "-",
)  # texts that cannot be separated from the word before them


def uses_term(text: str, forms: Collection[str]) -> bool:
    """Return True if a text has one of the forms of a term as a whole word.

    >>> uses_term("Two chips were left.", ["chip", "chips"]), uses_term("Shipchips", ["chips"])
    (True, False)
    """
    return any(re.search(pattern_of(form), text) for form in forms)


def with_clause(text: str, word: str, clause: str, items: Collection[str] = ()) -> str | None:
    """Return a sentence with a clause after the first place where it can follow the word.

    Return None if there is no such place. A clause cannot follow a word in a list of `items`.

    >>> with_clause("York's Bazooka fell.", "Bazooka", "the highest card")
    "York's Bazooka, the highest card, fell."
    >>> with_clause("The Bazooka's day.", "Bazooka", "the highest card") is None
    True
    >>> with_clause("The Bazooka and the ten fell.", "Bazooka", "the highest card", ["ten"]) is None
    True
    """
    item = rf"(the |an? )?({'|'.join(map(re.escape, items))})(?!\w)"
    listed = re.compile(rf"(, {item})* and {item}") if items else None
    for match in re.finditer(pattern_of(word), text):
        rest = text[match.end() :]
        if rest and not rest.startswith(UNBROKEN) and not (listed and listed.match(rest)):
            comma = "" if rest.startswith(CLOSING) else ","
            return f"{text[: match.end()]}, {clause}{comma}{rest}"
    return None


def with_remark(text: str, remark: str) -> str:
    """Return a sentence with a remark in brackets before its full stop.

    >>> with_remark("No chip was left.", "a chip moves a card")
    'No chip was left (a chip moves a card).'
    """
    return f"{text.removesuffix('.')} ({remark})."


def pattern_of(word: str) -> str:
    return rf"(?<![\w-]){re.escape(word)}(?![\w-])"
