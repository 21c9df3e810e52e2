"""Compare the field of a battle with the field one step earlier, and find the cards that arrived or left.

The field consists of blocks. A place is a cell of a grid, or a sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import Block, Card, Grid, Line, Name, Part, Parts

NEW, TAKEN = "new", "new taken"
Place = tuple[int, int, int]  # (block, row, column) for a cell of a grid, and (block, -1, -1) for a sentence
Row = tuple[Part, ...]  # the head of the grid, and the label of the row
T = TypeVar("T")


class PlaceChange(NamedTuple):
    """The changes of one place since the previous step.

    Attributes:
        marks: a mark for each card in the place: NEW if the card arrived, TAKEN if it came from the row of
            another side, or "" if it was there before.
        gone: the cards that left the place and did not arrive in any other place.

    """

    marks: Sequence[str]
    gone: Sequence[Card]


Changes = Mapping[Place, PlaceChange]


def field_changes(before: Sequence[Block], after: Sequence[Block]) -> Changes:
    """Return the change of each place in which cards arrived or left.

    The result is empty if there was no field before. Two cells are the same place if their grids, rows and
    columns have the same labels. Cards in a sentence belong to the last side that the sentence names before
    them.
    """
    if not before or before == after:
        return {}
    rows = RowChanges(before, after)
    changes: dict[Place, PlaceChange] = {}
    for number, block in enumerate(after):
        if isinstance(block, Grid):
            changes.update(rows.grid_changes(number, block))
    return changes | sentence_changes(before, after)


def sentence_changes(before: Sequence[Block], after: Sequence[Block]) -> dict[Place, PlaceChange]:
    """Return the change of each sentence in which cards arrived."""
    changes: dict[Place, PlaceChange] = {}
    if [block for block in before if isinstance(block, Line)] == [
        block for block in after if isinstance(block, Line)
    ]:
        return changes
    old_lines = Counter(cards_in_sentences(before))
    for number, block in enumerate(after):
        if isinstance(block, Line):
            marks = ["" if spend(old_lines, card) else NEW for card in cards_in_sentences([block])]
            if any(marks):
                changes[number, -1, -1] = PlaceChange(marks, [])
    return changes


class RowChanges:
    """The cards that left or arrived in the rows of all grids between two steps.

    Attributes:
        left: the cards that left, for each row that changed.
        all_left: the cards that left any row.
        all_arrived: the cards that arrived in any row.

    """

    def __init__(self, before: Sequence[Block], after: Sequence[Block]) -> None:
        self.before = before
        self.old_rows, new_rows = rows_of(before, after), rows_of(after, before)
        none: dict[Row, Parts] = {}
        self.left: dict[Row, list[Card]] = {}
        self.all_left: list[Card] = []
        self.all_arrived: list[Card] = []
        for row in self.old_rows | new_rows:
            old_cells, new_cells = self.old_rows.get(row, none), new_rows.get(row, none)
            changed = [
                column for column in old_cells | new_cells if old_cells.get(column) != new_cells.get(column)
            ]
            old = cards_of(*[old_cells.get(column, []) for column in changed])
            new = cards_of(*[new_cells.get(column, []) for column in changed])
            if old != new:
                self.left[row] = without(old, new)
                self.all_left += self.left[row]
                self.all_arrived += without(new, old)

    def grid_changes(self, number: int, grid: Grid) -> Iterator[tuple[Place, PlaceChange]]:
        """Yield each changed place of a grid with its change. `number` is the grid's index in the field."""
        columns = [tuple(head) for head in grid.head]
        for n, (label, *cells) in new_in(grid, number, self.before):
            row = (*grid.head[0], *label)
            old_cells, left = self.old_rows.get(row, {}), self.left.get(row, [])
            for column, cell in enumerate(cells, 1):
                old_cell = old_cells.get(columns[column], [])
                if old_cell == cell:
                    continue
                old, new = cards_of(old_cell), cards_of(cell)
                if old == new or sorted(old) == sorted(new):
                    continue
                gone = without(old, new)
                gone = without(without(gone, without(gone, left)), self.all_arrived)
                taken = {card for card in new if self.all_left.count(card) > left.count(card)}
                marks = ["" if take(old, card) else TAKEN if card in taken else NEW for card in new]
                yield (number, n, column), PlaceChange(marks, gone)


def without(cards: Sequence[Card], others: Sequence[Card]) -> list[Card]:
    """Return `cards` in the same order, with one equal card removed for each card of `others`.

    >>> [card.text for card in without([Card("KS"), Card("KS"), Card("2H")], [Card("KS"), Card("3H")])]
    ['KS', '2H']
    """
    spent = list(others)
    return [card for card in cards if not take(spent, card)]


def take(cards: list[Card], card: Card) -> bool:
    """Remove a card from a list, and return True. Return False if the list does not have the card."""
    if card not in cards:
        return False
    cards.remove(card)
    return True


def spend(counts: Counter[T], item: T) -> bool:
    """Reduce the count of an item by one, and return True. Return False if the count is 0."""
    if not counts[item]:
        return False
    counts[item] -= 1
    return True


def cards_in_sentences(blocks: Sequence[Block]) -> Iterator[tuple[str, int, Card]]:
    """Yield a tuple (rule, side, card) for each card in the sentences.

    The rule is the sentence's citation, and the side is the last one named before the card.
    """
    for block in blocks:
        if isinstance(block, Line):
            owner = NOBODY
            for part in block.parts:
                owner = part.seat if isinstance(part, Name) else owner
                if isinstance(part, Card):
                    yield block.rule, owner, part


def rows_of(field: Sequence[Block], other: Sequence[Block]) -> dict[Row, dict[Row, Parts]]:
    """Return the rows of `field` that `other` does not have. Each row maps its columns to their cells."""
    rows: dict[Row, dict[Row, Parts]] = {}
    for number, grid in enumerate(field):
        if isinstance(grid, Grid):
            columns = [tuple(head) for head in grid.head[1:]]
            for _, (label, *cells) in new_in(grid, number, other):
                rows.setdefault((*grid.head[0], *label), dict(zip(columns, cells, strict=True)))
    return rows


def new_in(grid: Grid, number: int, other: Sequence[Block]) -> Iterator[tuple[int, list[Parts]]]:
    """Yield a pair (index, row) for each row of a grid that is not in block `number` of the field `other`."""
    block = other[number] if number < len(other) else None
    shared = block.rows if isinstance(block, Grid) and block.head == grid.head else []
    for n, row in enumerate(grid.rows):
        if n >= len(shared) or row is not shared[n]:
            yield n, row


def cards_of(*cells: Parts) -> list[Card]:
    """Return the cards in these cells, from the first cell to the last."""
    return [part for cell in cells for part in cell if isinstance(part, Card)]
