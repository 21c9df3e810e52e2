"""Compress HTML that repeats itself. Repeated text becomes a reference (Lempel and Ziv, 1977).

The HTML is divided before each tag. `replay.js` decompresses it.
"""

from __future__ import annotations

import json
from collections import defaultdict

MOST_PLACES = 12  # maximum number of earlier places of a piece to compare; the latest places are compared
SHORTEST = 8  # minimum number of characters that a reference replaces


def pack(html: str) -> str:
    """Return compressed HTML as JSON. The HTML must begin with a tag, and have no scripts or comments.

    The JSON is a list of strings and numbers. A string contains new pieces, separated by "<". Two numbers in
    a row repeat earlier pieces: the first says how many pieces back they begin, and the second says how many
    pieces are repeated. A repeat can include pieces that it adds itself.

    >>> pack("<b>one</b><b>two</b><b>one</b><b>two</b>")
    '["b>one</b><b>two</b>",4,4]'
    """
    pieces = html.split("<")[1:]
    places: defaultdict[str, list[int]] = defaultdict(list)
    packed: list[str | int] = []
    new: list[str] = []
    n = 0
    while n < len(pieces):
        start, length = longest_repeat(pieces, n, places[pieces[n]][-MOST_PLACES:])
        if sum(len(piece) for piece in pieces[n : n + min(length, SHORTEST)]) < SHORTEST:
            new.append(pieces[n])
            length = 1
        else:
            packed += ["<".join(new)] * bool(new) + [n - start, length]
            new = []
        for at in range(n, n + length):
            places[pieces[at]].append(at)
        n += length
    packed += ["<".join(new)] * bool(new)
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":"))


def longest_repeat(pieces: list[str], n: int, places: list[int]) -> tuple[int, int]:
    """Return the start and the length of the longest run of pieces that equals the run at the index `n`.

    Only runs that start at an index in `places` are considered.
    """
    lengths = [(run_length(pieces, at, n), at) for at in places]
    length, start = max(lengths, default=(0, n))
    return start, length


def run_length(pieces: list[str], at: int, n: int) -> int:
    """Count how many successive pieces are equal, from the indices `at` and `n` on."""
    length, most = 0, len(pieces) - n
    while length < most and pieces[at + length] == pieces[n + length]:
        length += 1
    return length
