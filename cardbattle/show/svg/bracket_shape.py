"""The entries of a bracket, and the lines on which a drawing shows them, for every output format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class BracketEntry(NamedTuple):
    """A force in a bracket, with its score or another mark. The name is "" if the place stays empty.

    `stress` is `strong` for a winner and `faint` for a loser. `tint` is the number of a colour, or -1.
    """

    name: str
    mark: str = ""
    stress: str = ""
    tint: int = -1


class BracketColumn(NamedTuple):
    """A round of a bracket. Neighbours meet, and the next column has half as many entries."""

    name: str
    entries: Sequence[BracketEntry]


class Bracket(NamedTuple):
    """The bracket of a knock-out.

    The last column has one entry, the winner. Formats without drawings leave it out, because other blocks
    list the matches.
    """

    columns: Sequence[BracketColumn]
    label: str
    facts: Sequence[str] = ()


def bracket_row(column: int, entry: int) -> int:
    """Return the line of an entry, halfway between the two entries of the column before.

    >>> [bracket_row(0, n) for n in range(4)], [bracket_row(1, n) for n in range(2)], bracket_row(2, 0)
    ([0, 2, 4, 6], [1, 5], 3)
    """
    return (2 << column) * entry + (1 << column) - 1
