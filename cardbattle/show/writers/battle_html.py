"""Write the sentences and grids of a battle as HTML.

Cards are coloured text in sentences, and pictures in grids.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from markupsafe import Markup, escape
from mypy_extensions import mypyc_attr

from cardbattle.core.grammar import choose_form, is_plural, mid_sentence
from cardbattle.core.names import clean
from cardbattle.core.telling import Card, Grid, Heading, Line, Name, begins_sentence
from cardbattle.show.battle_text import Passage, card_piece, is_bare, is_face_down
from cardbattle.show.bidi import words_html
from cardbattle.show.svg.deck import EMPTY, FACE_DOWN

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cardbattle.core.telling import Part, Parts
    from cardbattle.show.battle_text import ShownBlock
    from cardbattle.show.svg.deck import Deck

TINTS = 6  # number of colours for sides in style.css
LONG_WORD = 9  # a name with a longer word is written smaller on a narrow screen, in a wider column
MANY = 9  # in a grid with more columns, cards are drawn smaller
SAME_STEP = "c"  # CSS class of a sentence in a compact log that belongs to the same step as the one before
LINE_BYTES = 35  # size of a line of the log without its content


class Stretch:
    """A section of a story or log as HTML.

    Attributes:
        heading, remark: the heading and a remark beside it. Each of them can be "".
        at: the HTML attribute that says to which step the heading belongs.
        lines: the blocks below the heading, each with its element.
        size: the size of these blocks in bytes, with an estimate for the elements around them.

    """

    def __init__(self, heading: Markup, remark: Markup, at: Markup) -> None:
        self.heading = heading
        self.remark = remark
        self.at = at
        self.lines: list[str] = []
        self.size = 0

    @property
    def text(self) -> Markup:
        """The blocks below the heading."""
        return Markup("".join(self.lines))


@mypyc_attr(allow_interpreted_subclasses=True)
class BattleHtml:
    """Writes one battle as HTML, with the names of its sides and the deck of the page.

    If `is_compact` is true, cards and names in sentences take fewer bytes, and the log has no grids, because
    its sentences say the same. Then `linked` has the numbers of the steps to which the page has links.
    """

    def __init__(
        self,
        names: list[str],
        kind: str,
        deck: Deck,
        tints: Sequence[int] = (),
        *,
        is_compact: bool = False,
        linked: Collection[int] = (),
    ) -> None:
        self.names = names
        self.kind = kind
        self.deck = deck
        self.tints = tints or range(len(names))
        self.is_compact = is_compact
        self.linked = linked
        self.write_card = compact_card if is_compact else small_card
        write_name = compact_name if is_compact else name_html
        self.named = [write_name(name, tint) for name, tint in zip(names, self.tints, strict=True)]
        self.inner = [
            write_name(mid_sentence(name), tint) for name, tint in zip(names, self.tints, strict=True)
        ]
        self.plural = [is_plural(name) for name in names]
        self.said_before: dict[tuple[Part, ...], Markup] = {}  # a battle repeats many sentences
        self.laid_before: dict[tuple[Part, ...], str] = {}

    def said(self, parts: Parts) -> Markup:
        """Return a sentence. Its cards are small, and have the colours of their suits."""
        key = tuple(parts)
        if key not in self.said_before:
            self.said_before[key] = Markup("".join([self.part_at(parts, at) for at in range(len(parts))]))
        return self.said_before[key]

    def part_at(self, parts: Parts, at: int) -> Markup:
        """Return the part of a sentence that has the index `at`."""
        part = parts[at]
        return self.part(part, not isinstance(part, Name) or begins_sentence(parts, at))

    def part(self, part: Part, is_first: bool = True) -> Markup:
        """Return a part of a sentence: words, a card, or the name of a side in the side's colour.

        If it does not begin the sentence, the article of a name is in lower case.
        """
        if isinstance(part, str):
            return text_html(part)
        if isinstance(part, Card):
            return self.write_card(part.text)
        if isinstance(part, Name):
            return (self.named if is_first else self.inner)[part.seat]
        return text_html(choose_form(part.forms, self.plural[part.seat]))

    def marked_sentence(self, parts: Parts, marks: Sequence[str]) -> Markup:
        """Return a sentence in which each card has the CSS class at the same position in `marks`."""
        classes = iter(marks)
        pieces = []
        for at, part in enumerate(parts):
            html = str(self.part_at(parts, at))
            mark = next(classes, "") if isinstance(part, Card) else ""
            pieces.append(with_class(html, mark) if mark else html)
        return Markup("".join(pieces))

    def compact(self, linked: Collection[int]) -> BattleHtml:
        """Return a writer of the same battle for which `is_compact` is true."""
        return BattleHtml(self.names, self.kind, self.deck, self.tints, is_compact=True, linked=linked)

    def cell_html(self, parts: Parts) -> str:
        """Return the content of a cell with its cards drawn.

        Face-down cards are drawn as the back of a card.
        """
        if is_face_down(parts):
            return str(self.deck.card(FACE_DOWN)) * len(str(parts[0]))
        results: list[str] = []
        for n, part in enumerate(parts):
            if isinstance(part, Card):
                results.append(self.draw_card(part))
            elif part != " " or not isinstance(parts[n - 1], Card):  # cards adjoin
                results.append(self.said([part]))
        return "".join(results)

    def draw_card(self, card: Card) -> Markup:
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

    def cell(self, parts: Parts, is_drawn: bool) -> str:
        """Return a cell of a grid. If its cards are drawn, an empty place is drawn too."""
        if not is_drawn:
            return cast("str", self.said(parts))  # where the wheel is built, the type of Markup is not known
        key = tuple(parts)
        if key not in self.laid_before:
            self.laid_before[key] = self.deck.card(EMPTY) if parts == [EMPTY] else self.cell_html(parts)
        return self.laid_before[key]

    def grid(self, grid: Grid) -> str:
        """Return a grid as a table, with drawn cards centred and numbers right-aligned."""
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
        labels = [row[0][0] for row in grid.rows if row[0]]
        is_long = any(isinstance(part, Name) and has_long_word(self.names[part.seat]) for part in labels)
        kinds = ["laid"] + ["many"] * (len(grid.head) > MANY) + ["long"] * is_long
        kind = f' class="{" ".join(kinds)}"' if is_drawn else ""
        return (
            f'<div class="wide" tabindex="0"><table{kind}>\n<thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{''.join(rows)}</tbody>\n</table></div>"
        )

    def stretches(
        self, blocks: Sequence[ShownBlock], steps: Sequence[int] = (), *, is_audit: bool = False
    ) -> list[Stretch]:
        """Return a story or log as headings with their blocks.

        `steps` has the number of the replay step to which each block belongs, counted from 1. If `is_audit`
        is true, sentences have the number of their rule.
        """
        stretches: list[Stretch] = []
        latest = 0
        for block, number in zip(blocks, steps or [0] * len(blocks), strict=True):
            if isinstance(block, Grid) and self.is_compact:
                continue
            at = self.compact_at(block, number, latest) if self.is_compact else self.at(number)
            latest = number
            if isinstance(block, Heading):
                stretches.append(Stretch(self.said(block.parts), self.said(block.remark), Markup(at)))
                continue
            if not stretches:
                stretches.append(Stretch(Markup(""), Markup(""), Markup(at)))
            self.add_block(stretches[-1], block, at, is_audit)
        return stretches

    def add_block(self, stretch: Stretch, block: ShownBlock, at: str, is_audit: bool) -> None:
        """Add a block to a section of a story or log, with the attribute `at`."""
        inside = ""
        if isinstance(block, Grid):
            inside = self.grid(block)
            stretch.lines.append(f"{inside}\n")
        elif isinstance(block, Passage):
            stretch.lines.append(f'<p class="passage">{self.said(block.parts)}</p>\n')
        elif isinstance(block, Line):
            inside = self.said(block.parts)
            if is_audit:
                rule = f'<span class="rule">{escape(block.rule)}</span> <span>{inside}</span>'
                stretch.lines.append(f'<p class="line"{at}>{rule}</p>\n')
            elif self.is_compact:
                stretch.lines.append(f"<p{at}>{inside}\n")
            else:
                stretch.lines.append(f'<p class="line"{at}>{inside}</p>\n')
        stretch.size += len(inside.encode()) + LINE_BYTES

    def at(self, step: int) -> str:
        """Return the HTML attribute that says to which step a block belongs."""
        return f' data-step="{step}"' if step else ""

    def compact_at(self, block: ShownBlock, step: int, latest: int) -> str:
        """Return the HTML attribute that says whether a block of a compact log belongs to the latest step.

        A sentence without an attribute begins the next step. An id sets the number of the step, and links can
        lead to it.
        """
        is_heading = isinstance(block, Heading)
        if step == latest:
            return "" if is_heading else f" class={SAME_STEP}"
        if step == latest + 1 and step not in self.linked and not is_heading:
            return ""
        return f' id="step={step}"'


def has_long_word(name: str) -> bool:
    """Return True if a name has a word that does not fit into the first column on a narrow screen."""
    return max(map(len, name.split()), default=0) > LONG_WORD


def name_html(name: str, tint: int) -> Markup:
    return Markup(f'<bdi class="name side{tint % TINTS}">{words_html(name)}</bdi>')


def compact_name(name: str, tint: int) -> Markup:
    """Return the name of a side in its colour, in few bytes."""
    return Markup(f"<bdi class=s-{tint % TINTS}>{words_html(name)}</bdi>")


@lru_cache(maxsize=500)
def compact_card(text: str) -> Markup:
    """Return a card in few bytes."""
    piece = card_piece(text)
    tag = f"c-{(piece.suit or 'S').lower()}"
    return Markup(f"<{tag}>{escape(piece.text)}</{tag}>")


@lru_cache(maxsize=4000)
def small_card(text: str) -> Markup:
    """Return a card as text in the colour of its suit."""
    piece = card_piece(text)
    suit = f" card{piece.suit}" if piece.suit else ""
    return Markup(f'<span class="card{suit}">{escape(piece.text)}</span>')


@lru_cache(maxsize=4000)  # all battles share most of their phrases
def text_html(text: str) -> Markup:
    return words_html(clean(text))


def with_class(html: str, name: str) -> str:
    """Add a CSS class to an element.

    >>> with_class('<span class="card">2</span>', "new"), with_class("<c-s>2</c-s>", "new")
    ('<span class="new card">2</span>', '<c-s class="new">2</c-s>')
    """
    if 'class="' in html:
        return html.replace('class="', f'class="{name} ', 1)
    return html.replace(">", f' class="{name}">', 1)


def holds_cards(parts: Parts) -> bool:
    """Return True if a cell contains cards, which can be face up or face down."""
    return is_face_down(parts) or any(isinstance(part, Card) for part in parts)


def stand(grid: Grid, column: int, is_drawn: bool) -> str:
    """Return a column's alignment as HTML: centred for drawn cards, right for numbers."""
    if is_drawn and (is_bare(grid.head[column]) or any(holds_cards(row[column]) for row in grid.rows)):
        return ' class="mid"'
    return ' class="right"' if all(is_bare(row[column]) for row in grid.rows) else ""
