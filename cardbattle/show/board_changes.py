"""Compare the field of a battle with the field one step earlier: which cards came, and which left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import Block, Card, Grid, Line, Name, Part, Parts

NEW, TAKEN = "new", "new taken"
Place = tuple[int, int, int]  # block of the field, row and column of its grid; (block, -1, -1) for a sentence
Row = tuple[Part, ...]  # the head of the grid, and the label of the row
T = TypeVar("T")


class PlaceChange(NamedTuple):
    """The changes of one place since the step before.

    Attributes:
        marks: one for each card in the place: NEW, TAKEN from the row of another side, or "".
        gone: cards that left the place and are in no other.

    """

    marks: Sequence[str]
    gone: Sequence[Card]


Changes = Mapping[Place, PlaceChange]


def field_changes(before: Sequence[Block], after: Sequence[Block]) -> Changes:
    """Return the places of a field whose cards changed; none if there was no field before.

    A place of a grid is the same if its grid, row and column have the same labels. Cards in a sentence belong
    to the side named before them.
    """
    if not before:
        return {}
    rows, old_lines = RowChanges(before, after), Counter(cards_in_sentences(before))
    changes: dict[Place, PlaceChange] = {}
    for number, block in enumerate(after):
        if isinstance(block, Grid):
            changes.update(rows.grid_changes(number, block))
        elif isinstance(block, Line):
            marks = ["" if spend(old_lines, card) else NEW for card in cards_in_sentences([block])]
            if any(marks):
                changes[number, -1, -1] = PlaceChange(marks, [])
    return changes


class RowChanges:
    """The cards of each row of all grids, before and after a step.

    Attributes:
        left: cards that left each row.
        all_left, all_arrived: cards that left, or arrived in, any row.

    """

    def __init__(self, before: Sequence[Block], after: Sequence[Block]) -> None:
        self.old_rows, new_rows = rows_of(before), rows_of(after)
        none: dict[Row, Parts] = {}
        self.left: dict[Row, Counter[Card]] = {}
        self.all_left, self.all_arrived = Counter[Card](), Counter[Card]()
        for row in self.old_rows | new_rows:
            old = cards_of(*self.old_rows.get(row, none).values())
            new = cards_of(*new_rows.get(row, none).values())
            self.left[row] = old - new
            self.all_left += old - new
            self.all_arrived += new - old

    def grid_changes(self, number: int, grid: Grid) -> Iterator[tuple[Place, PlaceChange]]:
        """Yield the changed places of a grid, which is the block of this number."""
        for n, (label, *cells) in enumerate(grid.rows):
            row = (*grid.head[0], *label)
            old_cells = self.old_rows.get(row, {})
            for column, cell in enumerate(cells, 1):
                old, new = cards_of(old_cells.get(tuple(grid.head[column]), [])), cards_of(cell)
                if old == new:
                    continue
                gone = ((old - new) & self.left[row]) - self.all_arrived
                came = {
                    card: TAKEN if self.all_left[card] > self.left[row][card] else NEW for card in new - old
                }
                marks = ["" if spend(old, part) else came[part] for part in cell if isinstance(part, Card)]
                yield (number, n, column), PlaceChange(marks, [*gone.elements()])


def spend(counts: Counter[T], item: T) -> bool:
    """Take one of these items; return False if none is left."""
    if not counts[item]:
        return False
    counts[item] -= 1
    return True


def cards_in_sentences(blocks: Sequence[Block]) -> Iterator[tuple[str, int, Card]]:
    """Yield each card of the sentences, after the rule behind the sentence and the side named last."""
    for block in blocks:
        if isinstance(block, Line):
            owner = NOBODY
            for part in block.parts:
                owner = part.seat if isinstance(part, Name) else owner
                if isinstance(part, Card):
                    yield block.rule, owner, part


def rows_of(field: Sequence[Block]) -> dict[Row, dict[Row, Parts]]:
    """Return the rows of all grids, each with its cells by the label of their column."""
    rows: dict[Row, dict[Row, Parts]] = {}
    for grid in field:
        if isinstance(grid, Grid):
            columns = [tuple(head) for head in grid.head[1:]]
            for label, *cells in grid.rows:
                rows.setdefault((*grid.head[0], *label), dict(zip(columns, cells, strict=True)))
    return rows


def cards_of(*cells: Parts) -> Counter[Card]:
    """Count the cards in these cells."""
    return Counter(part for cell in cells for part in cell if isinstance(part, Card))
