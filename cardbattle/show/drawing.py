"""Show a decision with its cards drawn as large as the screen allows.

Cards are drawn as boxes, as coloured text, or as plain text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from cardbattle.core.telling import TALE, Card, Grid, Parts
from cardbattle.show.battle_text import is_face_down, pieces_of
from cardbattle.show.cards import can_hold
from cardbattle.show.console import SIDES
from cardbattle.show.decision import ShownDecision, scene_lines, short_names
from cardbattle.show.layout import TIE, strip_spaces
from cardbattle.show.terminal_battle import Pen, tale_screen

if TYPE_CHECKING:
    from rich.console import Console

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.show.battle_text import Piece

PAPER = "#f6f2e6"
BLACK, RED, BLUE, GREEN = "#101010", "#c01020", "#1450c8", "#0c7030"
INKS = {"S": BLACK, "H": RED, "D": BLUE, "C": GREEN, "": BLACK}
EDGE, BACK = f"#8a8270 on {PAPER}", "bold #f6f2e6 on #6a3c34"
ROUND, SQUARE = [*"╭─╮│╰╯"], [*"+-+|++"]
INDENT = 2
EMPTY: Parts = ["-"]  # the content that rule sets give a cell without a card
NARROWEST = 2  # columns of a boxed card

Tall = list[Text]  # three lines of equal width: a card, or words on the middle line


class CardPen(Pen):
    """Writes a card in one of four colours on a pale background, or in brackets if the screen has no colours.

    If `is_close` is true, the card has no space around it.
    """

    def __init__(self, report: Report, console: Console, is_colored: bool, is_close: bool) -> None:
        super().__init__(report, console)
        self.names = short_names(self.names, report.setup.seats)
        self.sides = SIDES if is_colored else ["bold"]
        self.is_colored = is_colored
        self.is_close = is_close
        self.edges = ROUND if can_hold(ROUND[0], console.encoding) else SQUARE

    def card(self, piece: Piece) -> Text:
        before, after = ("", "") if self.is_close else ((" ", " ") if self.is_colored else ("[", "]"))
        return Text(f"{before}{piece.text}{after}", self.ink(piece))

    def ink(self, piece: Piece) -> str:
        """Return the style of a card's text."""
        if not self.is_colored:
            return "bold"
        return f"bold {INKS[piece.suit]} on {PAPER}"

    def box_card(self, text: str, ink: str, edge: str) -> Tall:
        """Return a card drawn as a box of three lines."""
        left, line, right, wall, low_left, low_right = self.edges
        style = edge if self.is_colored else ""
        middle = Text.assemble((wall, style), (text.rjust(NARROWEST), ink), (wall, style))
        width = middle.cell_len - 2
        return [
            Text(left + line * width + right, style),
            middle,
            Text(low_left + line * width + low_right, style),
        ]

    def tall(self, parts: Parts) -> list[Tall]:
        """Return the cards and words of a cell, each three lines high."""
        if is_face_down(parts):
            back = BACK if self.is_colored else ""
            return [self.box_card("?", back, back) for _ in str(parts[0])]
        if parts == EMPTY:
            return [self.box_card("", "", "dim")]
        pictures: list[Tall] = []
        for n, part in enumerate(parts):
            if isinstance(part, Card):
                piece = pieces_of([part], self.names, self.signs)[0]
                pictures.append(self.box_card(piece.text, self.ink(piece), EDGE))
            elif part != " " or not isinstance(parts[n - 1], Card):  # cards adjoin
                pictures.append(at_middle(self.text([part])))
        return pictures


def at_middle(text: Text) -> Tall:
    """Return words as three lines. The words are on the middle line."""
    text.plain = text.plain.replace(TIE, " ")
    blank = Text(" " * text.cell_len)
    return [blank, text, blank]


def card_lines(shown: ShownDecision, console: Console, room: int, is_colored: bool) -> list[Text]:
    """Return lines that show the table and the hand, with cards drawn as large as `room` lines allow.

    If even the smallest drawing has more lines, it is returned in full.
    """
    close = scene_lines(shown, CardPen(shown.report, console, is_colored, True))
    pen = CardPen(shown.report, console, is_colored, False)
    boxed = box_lines(shown, pen)
    if boxed and len(boxed) <= room:
        return boxed
    padded = scene_lines(shown, pen)
    return padded if len(padded) <= min(room, len(close)) else close  # splitting tables gains no lines


def box_lines(shown: ShownDecision, pen: CardPen) -> list[Text]:
    """Return the table and the hand with each card in a box, or [] if the screen is too narrow."""
    texts: list[Text] = []
    for block in shown.report.rules.scene(shown.view):
        lines = box_grid(block, pen) if isinstance(block, Grid) else tale_screen([block], pen, TALE)
        if not lines:
            return []
        texts += lines
    hand = shown.report.rules.hand(shown.view)
    return [*texts, *box_hand(hand, pen)]


def box_grid(grid: Grid, pen: CardPen) -> list[Text]:
    """Return a grid with rows of cards three lines high, or [] if the screen is too narrow."""
    rows = [[side_by_side(pen.tall(cell)) for cell in row] for row in [grid.head, *grid.rows]]
    widths = [max(row[n][1].cell_len for row in rows) for n in range(len(grid.head))]
    if INDENT + sum(widths) + len(widths) - 1 > pen.console.width:
        return []
    texts: list[Text] = []
    for cells, row in zip([grid.head, *grid.rows], rows, strict=True):
        levels = range(3) if any(has_cards(cell) for cell in cells) else [1]
        texts += [grid_line([cell[level] for cell in row], widths) for level in levels]
    texts[0].stylize("dim")
    return texts


def has_cards(cell: Parts) -> bool:
    """Return True if a cell can contain cards, face up or face down."""
    return cell == EMPTY or is_face_down(cell) or any(isinstance(part, Card) for part in cell)


def grid_line(cells: Sequence[Text], widths: Sequence[int]) -> Text:
    """Return one line of a grid, with the label at the left and the other cells centred in their columns."""
    line = Text(" " * INDENT)
    for n, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        before = (width - cell.cell_len) // 2 if n else 0
        line.append(" " * (before + min(n, 1)))
        line.append_text(cell)
        line.append(" " * (width - cell.cell_len - before))
    return strip_spaces(line)


def side_by_side(pictures: Sequence[Tall]) -> Tall:
    """Join cards and words, each three lines high, side by side."""
    return [Text().join(tall[level] for tall in pictures) for level in range(3)]


def box_hand(hand: Parts, pen: CardPen) -> list[Text]:
    """Return lines that show the hand, in as many rows of cards as needed."""
    if not hand:
        return []
    rows: list[list[Tall]] = [[]]
    width = lead = INDENT
    for tall in pen.tall(["Your hand: ", *hand]):
        if width + tall[1].cell_len > pen.console.width and len(rows[-1]) > 0:
            rows.append([])
            width = lead
        rows[-1].append(tall)
        width += tall[1].cell_len
    return [strip_spaces(Text(" " * INDENT).append_text(line)) for row in rows for line in side_by_side(row)]
