"""The terminal format: lines of readable length, tables that are split to fit, and optional colours."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from rich.segment import Segment, Segments
from rich.style import Style
from rich.text import Text

from cardbattle.show.cards import can_hold
from cardbattle.show.console import SIDES, console, fit_encoding, has_many_colors, name_fitted
from cardbattle.show.document import (
    BARE,
    CODED,
    FAINT,
    KEYED,
    NO_TINT,
    NUMBERED,
    STRONG,
    Bar,
    BattleReport,
    Book,
    Chart,
    Items,
    Listing,
    Pair,
    Paragraph,
    Section,
    Side,
    Span,
    Table,
    Title,
    as_text,
    stretches_of,
    without_bars,
)
from cardbattle.show.layout import (
    READABLE,
    bracket_lines,
    hung,
    hung_plainly,
    layout_table,
    measure,
    wrap,
    write_lines,
)
from cardbattle.show.svg.bracket_shape import Bracket
from cardbattle.show.writers.rulebook import rulebook_lines

if TYPE_CHECKING:
    from rich.console import Console

    from cardbattle.show.document import Cell, Content, Document, Item, Words


def to_terminal(document: Document, console: Console) -> None:
    before: Content | None = None
    for block in document.blocks:
        if isinstance(block, Items):
            before = block if write_items(block, console, is_apart(before, block)) else before
            continue
        lines = terminal_lines(block, console)
        if lines and is_apart(before, block):
            write_lines([Text()], console)
        write_lines(lines, console)
        if isinstance(block, BattleReport):
            from cardbattle.show.terminal_battle import print_battle  # stories: slow to import

            print_battle(block, console)
        before = block if lines or isinstance(block, BattleReport) else before


def to_notebook(document: Document) -> str:
    """Return a document in HTML as a terminal of 80 columns would show it.

    The HTML has no style sheets or scripts.
    """
    screen = console(StringIO(), True, 80)
    screen.record = True
    to_terminal(document, screen)
    return screen.export_html(inline_styles=True, code_format='<pre style="line-height: 1.2">{code}</pre>')


def is_apart(before: Content | None, block: Content) -> bool:
    """Return True if an empty line separates a block from the block before it.

    No empty line follows the heading of a block, or separates a paragraph from a title or from another
    paragraph.
    """
    if before is None:
        return False
    if isinstance(before, Section):
        return isinstance(block, Section) and not block.is_part
    return not isinstance(before, Title | Paragraph) or not isinstance(block, Paragraph)


def terminal_lines(block: Content, console: Console) -> list[Text]:
    """Return a block as lines. A battle has no lines here, because `print_battle` prints it."""
    if isinstance(block, Title):
        return wrap(spoken(block.words, console, STRONG), console.width, console)
    if isinstance(block, Section):
        return wrap(spoken(block.words, console, STRONG), measure(console), console)
    if isinstance(block, Paragraph):
        return wrap(spoken(block.words, console, block.stress), console.width, console)
    if isinstance(block, Table):
        return table_lines(block, console)
    if isinstance(block, Bracket):
        return bracket_lines(block, console)
    if isinstance(block, Chart):
        return chart_lines(block, console)
    if isinstance(block, Listing):
        return [Text(fit_encoding(line, console.encoding)) for line in block.lines]
    return rulebook_lines(block.text, console) if isinstance(block, Book) else []


STYLES = {STRONG: "bold", FAINT: "dim", "": ""}


def spoken(parts: Words, console: Console, stress: str = "") -> Text:
    """Return words with emphasis and colours, in characters that the console's encoding has."""
    text = Text(style=STYLES[stress])
    for word in stretches_of(parts):
        if isinstance(word, Side):
            text.append(name_fitted(word.name, word.key, console.encoding))
        elif isinstance(word, Span):
            text.append(fit_encoding(word.text, console.encoding), style_of(word.stress, word.tint, console))
        else:
            text.append(fit_encoding(as_text(word), console.encoding))
    return text


def style_of(stress: str, tint: int, console: Console) -> str:
    """Return rich's style for an emphasis and the colour of a faction or side.

    If the console has few colours, the colour is left out.
    """
    color = SIDES[tint % len(SIDES)] if tint != NO_TINT and has_many_colors(console) else ""
    return f"{STYLES[stress]} {color}".strip()


LEADS = {KEYED: ("  ", "  "), NUMBERED: ("", " "), CODED: ("", ""), BARE: ("  ", "")}
CODE_WIDTH = ITEM_INDENT = 4


def write_items(block: Items, console: Console, apart: bool) -> bool:
    """Print a list, and return True if it has any items.

    If `apart` is true, print an empty line first. A list can be long, so only one item is in memory at a
    time.
    """
    is_written = False
    for item in block.items:
        if apart and not is_written:
            write_lines([Text()], console)
        is_written = True
        lines = None if console.color_system else plain_item_lines(item, block.lead, console)
        if lines is None:
            write_lines(item_lines(item, block.lead, console), console)
        else:
            console.file.write("".join(f"{line}\n" for line in lines))
    return is_written


def plain_item_lines(item: Item, lead: str, console: Console) -> list[str] | None:
    """Do the same as `item_lines`, but without colours. Return None if the item is not plain text."""
    if item.notes or not isinstance(item.words, str):
        return None
    before, after = LEADS[lead]
    about = before + item.about.ljust(CODE_WIDTH if lead == CODED else 0) + after
    return hung_plainly(item.words, measure(console), about, ITEM_INDENT)


def item_lines(item: Item, lead: str, console: Console) -> list[Text]:
    """Return the lines of a list item with a hanging indent, followed by its notes.

    `lead` says how the item begins: KEYED, NUMBERED, CODED or BARE.
    """
    width = measure(console)
    before, after = LEADS[lead]
    about = fit_encoding(item.about, console.encoding).ljust(CODE_WIDTH if lead == CODED else 0)
    first = Text(before).append(about, "bold").append(after)
    lines = hung(spoken(item.words, console), width, console, first, ITEM_INDENT)
    for note in item.notes:
        text = Text(fit_encoding(" ".join(note.split()), console.encoding), "dim")
        lines += hung(text, width, console, Text(" " * ITEM_INDENT), ITEM_INDENT)
    return lines


NARROW = 60  # on a screen with fewer columns, a table of words is shown as a list


def table_lines(block: Table, console: Console) -> list[Text]:
    """Return the lines of a table. On a narrow screen, the table becomes a list if it allows this."""
    if block.is_list and console.width < NARROW:
        return list_lines(without_bars(block), console)
    if not any(
        isinstance(cell, Bar) and (cell.length or cell.is_trace) for row in block.rows for cell in row
    ):
        block = without_bars(block)
    if any(isinstance(cell, Pair) for row in block.rows for cell in row):
        return pair_lines(block, console)
    head = [spoken(word, console) for word in block.head]
    rows = [[cell_text(cell, console) for cell in row] for row in block.rows]
    right = [n in block.right for n in range(len(head))]
    return layout_table([head, *rows], right, console.width, console, block.labels)


def cell_text(cell: Cell, console: Console) -> Text:
    """Return a cell in characters that the console's encoding has."""
    if isinstance(cell, Bar):
        mark = cell.mark if can_hold(cell.mark, console.encoding) else "#"
        return Text(mark * cell.length or ("." if cell.is_trace else ""), style_of("", cell.tint, console))
    return spoken(as_text(cell) if isinstance(cell, Pair) else cell, console)


PAIR_WIDTH = 15  # columns of a pair


def pair_lines(block: Table, console: Console) -> list[Text]:
    """Return the lines of a table of pairs. Each line has as many pairs as fit."""
    pairs = len(block.head) - 1
    fit = max(1, (console.width - 4) // PAIR_WIDTH)
    texts: list[Text] = []
    for begin in range(1, pairs + 1, fit):
        part = range(begin, min(begin + fit, pairs + 1))
        head = [spoken(block.head[0], console)]
        for n in part:
            head += [spoken(block.head[n], console), Text()]
        rows = []
        for row in block.rows:
            cells = [cell_text(row[0], console)]
            for n in part:
                pair = row[n]
                main, aside = (pair.main, pair.aside) if isinstance(pair, Pair) else (as_text(pair), "")
                cells += [spoken(main, console, STRONG), spoken(aside, console, FAINT)]
            rows.append(cells)
        texts += [Text()] if texts else []
        texts += layout_table([head, *rows], [n > 0 for n in range(len(head))], console.width, console)
    return texts


def list_lines(block: Table, console: Console) -> list[Text]:
    """Return the rows of a table as a list. The first cell of each row is in bold."""
    texts: list[Text] = []
    for first, *cells in block.rows:
        lead = spoken(as_text(first), console, STRONG).append("  ")
        text = Text(", ").join(cell_text(cell, console) for cell in cells if as_text(cell))
        if lead.cell_len > measure(console) - READABLE:
            lead, text = Text(), lead.append_text(text)
        texts += hung(text, measure(console), console, lead, 2)
    return texts


STEPS = 10  # a chart has one line for each tenth
MARKS, PLAIN_MARKS = "●○◆◇▲△■□★☆", "oxabcdefgh"


def chart_lines(block: Chart, console: Console) -> list[Text]:
    marks = MARKS if can_hold(MARKS, console.encoding) else PLAIN_MARKS
    shares = [dict(curve.points) for curve in block.curves]
    room, count = max(console.width - 8, 10), len(block.moves)
    step = max(1, min(3, room // count))
    wanted = min(count, room)
    moves = [block.moves[place * (count - 1) // max(1, wanted - 1)] for place in range(wanted)]
    shown = [[known.get(move) for known in shares] for move in moves]
    lines = [level_line(level, shown, marks, step) for level in range(STEPS, -1, -1)]
    last = str(moves[-1])
    lines.append(Text(f"{block.axis}  {moves[0]}{last.rjust(max(len(last) + 1, step * (len(shown) - 1)))}"))
    legend = (f"{marks[n]} {spoken(curve.side, console)}" for n, curve in enumerate(block.curves))
    return [*lines, Text(f"      {'   '.join(legend)}")]


def level_line(level: int, shown: Sequence[Sequence[float | None]], marks: str, step: int) -> Text:
    """Return the line of a chart for one level. Where two curves are equal, only the first one is drawn."""
    cells = []
    for position in shown:
        level_curves = [
            n for n, share in enumerate(position) if share is not None and round(STEPS * share) == level
        ]
        cells.append((marks[level_curves[0]] if level_curves else " ") + " " * (step - 1))
    label = f"{100 * level // STEPS:4}% " if level % 5 == 0 else "      "
    return Text(f"{label}{''.join(cells).rstrip()}")


def print_diff(changes: str, console: Console) -> None:
    for line in changes.splitlines():
        text = "\t".join(fit_encoding(word, console.encoding) for word in line.removesuffix("\r").split("\t"))
        style = Style.parse(diff_style(line))
        console.print(Segments([Segment(text, style), Segment.line()]), end="", soft_wrap=True)


def diff_style(line: str) -> str:
    if line.startswith(("--- ", "+++ ")):
        return "bold"
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
