"""Sentences and grids of a battle as HTML: cards are coloured text in sentences, drawings in grids."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from cardbattle.core.telling import Card, Grid, Heading, Line
from cardbattle.show.battle_text import Passage, is_bare, is_face_down, pieces_of
from cardbattle.show.bidi import words_html
from cardbattle.show.svg.deck import EMPTY, FACE_DOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.core.telling import Part, Parts
    from cardbattle.show.battle_text import Piece, ShownBlock
    from cardbattle.show.svg.deck import Deck

TINTS = 6  # colours of the sides in style.css
MANY = 9  # columns in which cards are drawn smaller


class BattleHtml:
    """Writes one battle as HTML, with the names of its sides and the deck of the page."""

    def __init__(self, names: list[str], kind: str, deck: Deck, tints: Sequence[int] = ()) -> None:
        self.names = names
        self.kind = kind
        self.deck = deck
        self.tints = tints or range(len(names))
        self.named = [name_html(*name_and_tint) for name_and_tint in zip(names, self.tints, strict=True)]
        self.said_before: dict[tuple[Part, ...], Markup] = {}  # a battle repeats many sentences
        self.laid_before: dict[tuple[Part, ...], Markup] = {}

    def __repr__(self) -> str:
        return f"<BattleHtml for {self.kind}: {', '.join(self.names)}>"

    def said(self, parts: Parts) -> Markup:
        """Return a sentence; its cards are small, in the colour of their suit."""
        key = tuple(parts)
        if key not in self.said_before:
            self.said_before[key] = Markup("".join(map(self.piece, pieces_of(parts, self.names))))
        return self.said_before[key]

    def marked_sentence(self, parts: Parts, marks: Sequence[str]) -> Markup:
        """Return a sentence whose cards have these CSS classes, in order."""
        classes = iter(marks)
        pieces = []
        for piece in pieces_of(parts, self.names):
            html = self.piece(piece)
            if piece.card and (mark := next(classes)):
                html = Markup(str(html).replace('class="card', f'class="{mark} card'))
            pieces.append(html)
        return Markup("").join(pieces)

    def piece(self, piece: Piece) -> Markup:
        """Return a run of a sentence: words, a card, or the name of a side in its colour."""
        return self.named[piece.seat] if piece.seat >= 0 else piece_html(piece)

    def cell_html(self, parts: Parts) -> Markup:
        """Return the content of a cell, its cards drawn; each face-down card is drawn as a back."""
        if is_face_down(parts):
            return Markup(len(str(parts[0])) * self.deck.card(FACE_DOWN))
        results = []
        for n, part in enumerate(parts):
            if isinstance(part, Card):
                results.append(self.deck.card(part.text, self.kind))
            elif part != " " or not isinstance(parts[n - 1], Card):  # cards adjoin
                results.append(self.said([part]))
        return Markup("".join(results))

    def cell(self, parts: Parts, is_drawn: bool) -> Markup:
        """Return a cell of a grid; where cards are drawn, an empty place is drawn too."""
        if not is_drawn:
            return self.said(parts)
        key = tuple(parts)
        if key not in self.laid_before:
            self.laid_before[key] = self.deck.card(EMPTY) if parts == [EMPTY] else self.cell_html(parts)
        return self.laid_before[key]

    def grid(self, grid: Grid) -> Markup:
        """Return a grid as a table; drawn cards are centred in their column, numbers right-aligned."""
        is_drawn = any(holds_cards(cell) for row in grid.rows for cell in row)
        sides = ["" if n == 0 else stand(grid, n, is_drawn) for n in range(len(grid.head))]
        head = "".join(
            f"<th{side}>{self.said(cell)}</th>" if any(cell) else "<td></td>"
            for side, cell in zip(sides, grid.head, strict=True)
        )
        rows = []
        for label, *cells in grid.rows:
            text = "".join(
                f"<td{side}>{self.cell(cell, is_drawn)}</td>"
                for side, cell in zip(sides[1:], cells, strict=True)
            )
            rows.append(f'<tr><th scope="row">{self.said(label)}</th>{text}</tr>\n')
        kind = f' class="laid{" many" if len(grid.head) > MANY else ""}"' if is_drawn else ""
        return Markup(
            f'<div class="wide" tabindex="0"><table{kind}>\n<thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{''.join(rows)}</tbody>\n</table></div>"
        )

    def stretches(self, blocks: Sequence[ShownBlock], steps: Sequence[int] = ()) -> list[dict[str, object]]:
        """Return the tale for the template: each heading with its blocks.

        `steps` are the steps of a replay to which the blocks belong, from 1.
        """
        stretches: list[dict[str, object]] = []
        under: list[dict[str, object]] = []
        for block, step in zip(blocks, steps or [0] * len(blocks), strict=True):
            if isinstance(block, Heading) or not stretches:
                under = []
                stretches.append({"blocks": under, "step": step, **self.heading(block)})
            if isinstance(block, Grid):
                under.append({"grid": self.grid(block)})
            elif isinstance(block, Passage):
                under.append({"passage": self.said(block.parts)})
            elif isinstance(block, Line):
                under.append({"line": self.said(block.parts), "rule": block.rule, "step": step})
        return stretches

    def heading(self, block: ShownBlock) -> dict[str, object]:
        """Return a heading for the template; empty if the tale begins without one."""
        if isinstance(block, Heading):
            return {"heading": self.said(block.parts), "remark": self.said(block.remark)}
        return {"heading": Markup(""), "remark": Markup("")}


def name_html(name: str, tint: int) -> Markup:
    """Return the name of a side in its colour."""
    return Markup(f'<bdi class="name side{tint % TINTS}">{words_html(name)}</bdi>')


@lru_cache(maxsize=4000)  # all battles share most of their phrases
def piece_html(piece: Piece) -> Markup:
    """Return a run of a sentence that is not a side: words or a card."""
    if piece.card:
        suit = f" card{piece.suit}" if piece.suit else ""
        return Markup(f'<span class="card{suit}">{escape(piece.text)}</span>')
    return words_html(piece.text)


def holds_cards(parts: Parts) -> bool:
    """Return True if a cell contains cards, face up or face down."""
    return is_face_down(parts) or any(isinstance(part, Card) for part in parts)


def stand(grid: Grid, column: int, is_drawn: bool) -> str:
    """Return the alignment of a column of a grid as an HTML attribute; beside drawn cards it is centred."""
    if is_drawn and (is_bare(grid.head[column]) or any(holds_cards(row[column]) for row in grid.rows)):
        return ' class="mid"'
    return ' class="right"' if all(is_bare(row[column]) for row in grid.rows) else ""
