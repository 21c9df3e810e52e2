"""Integer vectors packed into one big int (SIMD within a register).

Adding two vectors, or multiplying one by a number, is a single integer operation with the same result on
every machine. A negative element borrows from the next element; adding half of the range to every element
undoes the borrowing.

In a file each element has two bytes. All first bytes come before all second bytes, which compresses an eighth
better.
"""

from __future__ import annotations

import zlib
from typing import Final

LANE: Final = 32  # bits per element; no sum may reach half of this range
HALF: Final = 1 << LANE - 1

Row = int  # packed


def pack(numbers: list[int]) -> Row:
    """Pack a row of numbers into one int, with the first number in the lowest bits."""
    row = 0
    for number in reversed(numbers):
        row = (row << LANE) + number
    return row


def spread(row: Row, count: int) -> bytes:
    """Return the bytes of a packed vector after adding half of the range to each element."""
    return row.to_bytes(count * LANE // 8, "little")


def shrunk(content: bytes) -> bytes:
    """Return two-byte numbers in the byte order of a file.

    >>> unshrunk(shrunk(b"abcde"))
    b'abcde'
    """
    return zlib.compress(content[0::2] + content[1::2], 9)


def unshrunk(content: bytes) -> bytes:
    """Return two-byte numbers from the byte order of a file."""
    halves = zlib.decompress(content)
    first = (len(halves) + 1) // 2
    numbers = bytearray(len(halves))
    numbers[0::2] = halves[:first]
    numbers[1::2] = halves[first:]
    return bytes(numbers)
