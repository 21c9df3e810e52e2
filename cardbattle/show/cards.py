"""Format cards for output.

Suits are symbols if the encoding has them; otherwise they are letters as in files.
"""

from __future__ import annotations

import re

from cardbattle.core.telling import Card

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
PRIME = "′"
WRITTEN = re.compile(r"(?<![\w'])((?:(?:10|[2-9JQKA])[SHDC]|[RB]J)'*)(?![\w'])")
SUITED = re.compile(r"(10|[2-9JQKA])([SHDC])('*)")


def draw(text: str, signs: bool = True) -> str:
    """Format a card of a record for display. Ranks, numbers and Jokers do not change.

    >>> [draw(card) for card in ("KS", "10H", "7D'", "RJ", "Q", "13")]
    ['K♠', '10♥', '7♦′', 'RJ', 'Q', '13']
    >>> draw("7D'", signs=False)
    "7D'"
    """
    if not signs:
        return text
    suited = SUITED.fullmatch(text)
    if suited is None:
        return text.replace("'", PRIME)
    rank, suit, primes = suited.groups()
    return rank + SIGNS[suit] + PRIME * len(primes)


def is_red(text: str) -> bool:
    """Return True if a card of a record is red. Ranks and numbers have no colour.

    >>> [is_red(card) for card in ("KH", "10D'", "RJ", "KS", "BJ", "Q")]
    [True, True, True, False, False, False]
    """
    suited = SUITED.fullmatch(text)
    if suited is None:
        return text.startswith("RJ")
    return suited[2] in "HD"


def suit_of(text: str) -> str:
    """Return the letter of a card's suit, or "" if the card has no suit.

    In `text`, the suit can be a symbol or a letter.

    >>> [suit_of(card) for card in ("10♥", "7D'", "RJ", "13", "Air Strike")]
    ['H', 'D', '', '', '']
    """
    for letter, sign in SIGNS.items():
        text = text.replace(sign, letter)
    suited = SUITED.fullmatch(text.replace(PRIME, "'"))
    return suited[2] if suited else ""


def in_cards(text: str) -> list[str | Card]:
    """Split a text at its card codes, and turn each code into a card. Ranks and numbers remain text.

    >>> in_cards("play KH redeploy")
    ['play ', Card(text='KH', is_second=False), ' redeploy']
    """
    parts = WRITTEN.split(text)
    return [Card(part) if n % 2 else part for n, part in enumerate(parts) if part]


def signs_fit(encoding: str | None) -> bool:
    """Return True if an encoding has the suit symbols.

    >>> signs_fit("utf-8"), signs_fit("cp1252"), signs_fit("ascii")
    (True, False, False)
    """
    return can_hold("".join(SIGNS.values()) + PRIME, encoding)


def can_hold(text: str, encoding: str | None) -> bool:
    """Return True if an encoding can represent the text. The default encoding is UTF-8."""
    try:
        text.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
