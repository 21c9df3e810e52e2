"""Rows of whole numbers in one: they lie side by side in a great whole number, in lanes of so many bits.

So packed integers do that a processor adds all at once: rows are added, and multiplied by one number, in a
single step, the same everywhere. A lane that is below zero borrows from the next, until half of its range is
added to each.

In a file each number has two bytes, and the first ones of all stand before the second ones: so it can be made
smaller by an eighth.
"""

from __future__ import annotations

import zlib
from typing import Final

LANE: Final = 32  # bits, of which half of the range is more than any sum may come to
HALF: Final = 1 << LANE - 1

Row = int  # packed


def pack(numbers: list[int], lane: int = LANE) -> Row:
    """Return a row of these numbers, the first in the lowest bits."""
    row = 0
    for number in reversed(numbers):
        row = (row << lane) + number
    return row


def spread(row: Row, count: int, lane: int = LANE) -> bytes:
    """Return the bytes of a row that has half of its range added in each lane."""
    return row.to_bytes(count * lane // 8, "little")


def shrunk(content: bytes) -> bytes:
    """Return numbers of two bytes each as they stand in a file.

    >>> unshrunk(shrunk(b"abcde"))
    b'abcde'
    """
    return zlib.compress(content[0::2] + content[1::2], 9)


def unshrunk(content: bytes) -> bytes:
    """Return the numbers of a file, two bytes each."""
    halves = zlib.decompress(content)
    first = (len(halves) + 1) // 2
    numbers = bytearray(len(halves))
    numbers[0::2] = halves[:first]
    numbers[1::2] = halves[first:]
    return bytes(numbers)
