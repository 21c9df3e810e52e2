"""Write the sentences and grids of a battle as HTML.

Cards are coloured text in sentences, and pictures in grids.
"""

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

TINTS = 6  # number of colours for sides in style.css
MANY = 9  # in a grid with more columns, cards are drawn smaller


class BattleHtml:
    """Writes one battle as HTML, with the names of its sides and the deck of the page.

    If `is_compact` is true, cards and names in sentences take fewer bytes, and the log has no grids, because
    its sentences say the same.
    """

    def __init__(
        self,
        names: list[str],
        kind: str,
        deck: Deck,
        tints: Sequence[int] = (),
        *,
        is_compact: bool = False,
    ) -> None:
        self.names = names
        self.kind = kind
        self.deck = deck
        self.tints = tints or range(len(names))
        self.is_compact = is_compact
        write_name = compact_name if is_compact else name_html
        self.named = [write_name(*name_and_tint) for name_and_tint in zip(names, self.tints, strict=True)]
        self.said_before: dict[tuple[Part, ...], Markup] = {}  # a battle repeats many sentences
        self.laid_before: dict[tuple[Part, ...], Markup] = {}

    def __repr__(self) -> str:
        return f"<BattleHtml for {self.kind}: {', '.join(self.names)}>"

    def said(self, parts: Parts) -> Markup:
        """Return a sentence. Its cards are small, and have the colours of their suits."""
        key = tuple(parts)
        if key not in self.said_before:
            self.said_before[key] = Markup("".join(map(self.piece, pieces_of(parts, self.names))))
        return self.said_before[key]

    def marked_sentence(self, parts: Parts, marks: Sequence[str]) -> Markup:
        """Return a sentence in which each card has the CSS class at the same position in `marks`."""
        classes = iter(marks)
        pieces = []
        for piece in pieces_of(parts, self.names):
            html = str(self.piece(piece))
            mark = next(classes, "") if piece.card else ""
            pieces.append(html.replace('class="', f'class="{mark} ', 1) if mark else html)
        return Markup("".join(pieces))

    def piece(self, piece: Piece) -> Markup:
        """Return a run of a sentence: words, a card, or the name of a side in the side's colour."""
        if piece.seat >= 0:
            return self.named[piece.seat]
        return compact_card(piece) if self.is_compact and piece.card else piece_html(piece)

    def compact(self) -> BattleHtml:
        """Return a writer of the same battle for which `is_compact` is true."""
        return BattleHtml(self.names, self.kind, self.deck, self.tints, is_compact=True)

    def cell_html(self, parts: Parts) -> Markup:
        """Return the content of a cell with its cards drawn.

        Face-down cards are drawn as the back of a card.
        """
        if is_face_down(parts):
            return Markup(len(str(parts[0])) * self.deck.card(FACE_DOWN))
        results = []
        for n, part in enumerate(parts):
            if isinstance(part, Card):
                results.append(self.drawn_card(part))
            elif part != " " or not isinstance(parts[n - 1], Card):  # cards adjoin
                results.append(self.said([part]))
        return Markup("".join(results))

    def drawn_card(self, card: Card) -> Markup:
        """Return a card as a picture."""
        return self.deck.card(card.text, self.kind)

    def column_attributes(self, grid: Grid, column: int) -> str:
        """Return extra HTML attributes for the cells of a column, counted from 1.

        Subclasses can override this method, which returns "".
        """
        return ""

    def row_attributes(self, label: Parts) -> str:
        """Return extra HTML attributes for the label of a row.

        Subclasses can override this method, which returns "".
        """
        return ""

    def cell(self, parts: Parts, is_drawn: bool) -> Markup:
        """Return a cell of a grid. If its cards are drawn, an empty place is drawn too."""
        if not is_drawn:
            return self.said(parts)
        key = tuple(parts)
        if key not in self.laid_before:
            self.laid_before[key] = self.deck.card(EMPTY) if parts == [EMPTY] else self.cell_html(parts)
        return self.laid_before[key]

    def grid(self, grid: Grid) -> Markup:
        """Return a grid as a table.

        Drawn cards are centred in their columns, and numbers are right-aligned.
        """
        is_drawn = any(holds_cards(cell) for row in grid.rows for cell in row)
        sides = [
            f"{stand(grid, n, is_drawn)}{self.column_attributes(grid, n)}" if n else ""
            for n in range(len(grid.head))
        ]
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
            more = self.row_attributes(label)
            rows.append(f'<tr><th scope="row"{more}>{self.said(label)}</th>{text}</tr>\n')
        kind = f' class="laid{" many" if len(grid.head) > MANY else ""}"' if is_drawn else ""
        return Markup(
            f'<div class="wide" tabindex="0"><table{kind}>\n<thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{''.join(rows)}</tbody>\n</table></div>"
        )

    def stretches(self, blocks: Sequence[ShownBlock], steps: Sequence[int] = ()) -> list[dict[str, object]]:
        """Return a story or log for the template, as a list of headings with their blocks.

        `steps` has the number of the replay step to which each block belongs, counted from 1. In a compact
        log, only the first block of a step has the number of the step.
        """
        stretches: list[dict[str, object]] = []
        under: list[dict[str, object]] = []
        latest = 0
        for block, number in zip(blocks, steps or [0] * len(blocks), strict=True):
            if isinstance(block, Grid) and self.is_compact:
                continue
            at = self.at(number) if number != latest or not self.is_compact else Markup("")
            latest = number
            if isinstance(block, Heading) or not stretches:
                under = []
                stretches.append({"blocks": under, "at": at, **self.heading(block)})
            if isinstance(block, Grid):
                under.append({"grid": self.grid(block)})
            elif isinstance(block, Passage):
                under.append({"passage": self.said(block.parts)})
            elif isinstance(block, Line):
                under.append({"line": self.said(block.parts), "rule": block.rule, "at": at})
        return stretches

    def at(self, step: int) -> Markup:
        """Return the HTML attribute that says to which step a block belongs.

        In a compact log, the attribute is an id to which links can lead.
        """
        if not step:
            return Markup("")
        return Markup(f' id="step={step}"' if self.is_compact else f' data-step="{step}"')

    def heading(self, block: ShownBlock) -> dict[str, object]:
        """Return a heading for the template.

        It is empty if the story or log does not begin with a heading.
        """
        if isinstance(block, Heading):
            return {"heading": self.said(block.parts), "remark": self.said(block.remark)}
        return {"heading": Markup(""), "remark": Markup("")}


def name_html(name: str, tint: int) -> Markup:
    """Return the name of a side in its colour."""
    return Markup(f'<bdi class="name side{tint % TINTS}">{words_html(name)}</bdi>')


def compact_name(name: str, tint: int) -> Markup:
    """Return the name of a side in its colour, in few bytes."""
    return Markup(f"<bdi class=s-{tint % TINTS}>{words_html(name)}</bdi>")


@lru_cache(maxsize=500)
def compact_card(piece: Piece) -> Markup:
    """Return a card in few bytes."""
    return Markup(f'<u class="{piece.suit or "S"}">{escape(piece.text)}</u>')


@lru_cache(maxsize=4000)  # all battles share most of their phrases
def piece_html(piece: Piece) -> Markup:
    """Return a run of a sentence that is not a side: words or a card."""
    if piece.card:
        suit = f" card{piece.suit}" if piece.suit else ""
        return Markup(f'<span class="card{suit}">{escape(piece.text)}</span>')
    return words_html(piece.text)


def holds_cards(parts: Parts) -> bool:
    """Return True if a cell contains cards, which can be face up or face down."""
    return is_face_down(parts) or any(isinstance(part, Card) for part in parts)


def stand(grid: Grid, column: int, is_drawn: bool) -> str:
    """Return the alignment of a grid's column as HTML.

    Drawn cards are centred, and numbers are right-aligned.
    """
    if is_drawn and (is_bare(grid.head[column]) or any(holds_cards(row[column]) for row in grid.rows)):
        return ' class="mid"'
    return ' class="right"' if all(is_bare(row[column]) for row in grid.rows) else ""
