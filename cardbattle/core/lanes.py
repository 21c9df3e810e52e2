"""Rows of whole numbers in one: they lie side by side in a great whole number, in lanes of so many bits.

So packed integers do that a processor adds all at once: rows are added, and multiplied by one number, in a
single step, the same everywhere. A lane that is below zero borrows from the next, until half of its range is
added to each.
"""

from __future__ import annotations

from typing import Final

LANE: Final = 32  # bits, of which half of the range is more than any sum may come to
HALF: Final = 1 << LANE - 1

Row = int  # packed


def packed(numbers: list[int], lane: int = LANE) -> Row:
    """Return a row of these numbers, the first in the lowest bits."""
    row = 0
    for number in reversed(numbers):
        row = (row << lane) + number
    return row


def spread(row: Row, count: int, lane: int = LANE) -> bytes:
    """Return the bytes of a row that has half of its range added in each lane."""
    return row.to_bytes(count * lane // 8, "little")
