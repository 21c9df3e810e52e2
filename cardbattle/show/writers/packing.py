"""Compress HTML that repeats itself. Repeated text becomes a reference (Lempel and Ziv, 1977).

The HTML is divided before each tag. `replay.js` decompresses it.
"""

from __future__ import annotations

from collections import defaultdict

MOST_PLACES = 12  # maximum number of earlier places of a piece to compare; the latest places are compared
SHORTEST = 5  # minimum number of characters that a reference replaces
REFERENCE = "`"  # begins a reference, which has three more characters
DIGITS = "".join(chr(code) for code in range(35, 127) if chr(code) not in "<`")
BASE = len(DIGITS)
FARTHEST, LONGEST = BASE * BASE - 1, BASE - 1  # in pieces


def pack(html: str) -> str:
    """Return compressed HTML. The HTML must begin with a tag, and have no scripts or comments.

    The result contains new pieces, separated by "<", and references to earlier pieces. A reference is a
    backtick and three digits of base 90: two say how many pieces back the repeated pieces begin, and one says
    how many pieces are repeated. A repeat can include pieces that it adds itself. Backticks in the HTML
    become character references.

    >>> pack("<b>one</b><b>two</b><b>one</b><b>two</b>")
    "b>one</b><b>two</b>`#''"
    """
    pieces = html.replace(REFERENCE, "&#96;").split("<")[1:]
    places: defaultdict[str, list[int]] = defaultdict(list)
    packed: list[str] = []
    new: list[str] = []
    n = 0
    while n < len(pieces):
        start, length = longest_repeat(pieces, n, places[pieces[n]][-MOST_PLACES:])
        if sum(len(piece) + 1 for piece in pieces[n : n + min(length, SHORTEST)]) < SHORTEST:
            new.append(pieces[n])
            length = 1
        else:
            packed += ["<".join(new), reference(n - start, length)]
            new = []
        for at in range(n, n + length):
            places[pieces[at]].append(at)
        n += length
    return "".join([*packed, "<".join(new)])


def reference(back: int, length: int) -> str:
    return f"{REFERENCE}{DIGITS[back // BASE]}{DIGITS[back % BASE]}{DIGITS[length]}"


def longest_repeat(pieces: list[str], n: int, places: list[int]) -> tuple[int, int]:
    """Return the start and the length of the longest run of pieces that equals the run at the index `n`.

    Only runs that start at an index in `places` are considered, and only if a reference can lead there.
    """
    lengths = [(run_length(pieces, at, n), at) for at in places if n - at <= FARTHEST]
    length, start = max(lengths, default=(0, n))
    return start, length


def run_length(pieces: list[str], at: int, n: int) -> int:
    """Count how many successive pieces are equal, from the indices `at` and `n` on, up to a maximum."""
    length, most = 0, min(len(pieces) - n, LONGEST)
    while length < most and pieces[at + length] == pieces[n + length]:
        length += 1
    return length
