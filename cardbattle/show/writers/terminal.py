"""The terminal format: lines of readable length, tables that are split to fit, and optional colours."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from rich.box import ROUNDED
from rich.panel import Panel
from rich.segment import Segment, Segments
from rich.style import Style
from rich.text import Text

from cardbattle.core.grammar import Noun, is_plural
from cardbattle.core.telling import AUDIT, Grid, Heading, Line, Name, Part, Parts
from cardbattle.show.battle_text import (
    Passage,
    ShownBlock,
    blocks_of,
    circumstances,
    commanders_text,
    credit,
    fought_by,
    is_bare,
    is_brief,
    losses_text,
    names_of,
    pieces_of,
    seed_text,
    tally,
    winner_words,
)
from cardbattle.show.cards import can_hold, signs_fit
from cardbattle.show.console import console, fit_encoding, has_many_colors, name_fitted
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
    TIE,
    hung,
    hung_plainly,
    layout_table,
    measure,
    pad,
    rule_heading,
    wrap,
    write_lines,
)
from cardbattle.show.writers.rulebook import rulebook_lines

if TYPE_CHECKING:
    from rich.console import Console

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.show.battle_text import Piece
    from cardbattle.show.document import Cell, Content, Document, Item, Words

# Mid-tone colours, legible on black and on white, for terminals with 256 colours. Themes redefine the eight
# basic colours. Terminals with only these colours show names in bold, and colour only red suits.
SIDES = ["color(30)", "color(98)", "color(130)", "color(64)", "color(32)", "color(132)"]
RED = "#e0303a"


class Pen:
    """Writes sentences in the encoding and the colours of one console."""

    def __init__(self, report: Report, console: Console) -> None:
        self.console = console
        self.width = measure(console)
        self.encoding = console.encoding
        self.signs = signs_fit(console.encoding)
        self.names = [
            Noun(name_fitted(name, key, self.encoding), is_plural(name))
            for name, key in zip(names_of(report), report.setup.seats, strict=True)
        ]
        many = has_many_colors(console)
        self.red = RED if many else "red"
        self.sides = SIDES if many else ["bold"]

    def text(self, parts: Sequence[Part], style: str = "") -> Text:
        """Return a sentence as one text in which names and red cards are coloured."""
        text = Text(style=style)
        pieces = pieces_of(parts, self.names, self.signs)
        for n, piece in enumerate(pieces):
            if piece.card:
                text.append_text(self.card(piece))
            elif piece.seat >= 0:
                text.append(piece.text, self.sides[piece.seat % len(self.sides)])
            elif piece.text == " " and n and pieces[n - 1].seat >= 0:
                text.append(TIE)  # keep a suffix on the same line as its name
            else:
                text.append(fit_encoding(piece.text, self.encoding))
        return text

    def card(self, piece: Piece) -> Text:
        return Text(piece.text, self.red if piece.red else "")

    def plain(self, text: str, style: str = "") -> Text:
        """Return text that contains no card and no side."""
        return Text(fit_encoding(text, self.encoding), style)

    def write(self, text: Text, indent: int = 0) -> None:
        """Print a text in lines of readable length, with a hanging indent."""
        write_lines(hung(text, self.width, self.console, Text(), indent), self.console)


def to_terminal(document: Document, console: Console) -> None:
    """Print a document."""
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

    No empty line follows a heading, or separates a paragraph from a title or from another paragraph.
    """
    if before is None or isinstance(before, Section):
        return False
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
    """Print a list, and return True if it has any items. If `apart` is true, print an empty line first.

    A list can be long, so only one item is in memory at a time.
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
    """Return the lines of a chart and its legend."""
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


def print_battle(battle_report: BattleReport, console: Console) -> None:
    """Print the title, the story or log, and the outcome of a battle.

    At the lowest level of detail, print a summary.
    """
    report, detail = battle_report.report, battle_report.detail
    if battle_report.span is not None:
        print_tale(battle_report, console)
    elif is_brief(detail):
        print_brief(report, console)
    else:
        print_title(report, console)
        print_tale(battle_report, console)
        print_outcome(report, console)


def print_diff(changes: str, console: Console) -> None:
    """Print a unified diff, with colours if the console has any."""
    for line in changes.splitlines():
        text = "\t".join(fit_encoding(word, console.encoding) for word in line.removesuffix("\r").split("\t"))
        style = Style.parse(diff_style(line))
        console.print(Segments([Segment(text, style), Segment.line()]), end="", soft_wrap=True)


def diff_style(line: str) -> str:
    if line.startswith(("--- ", "+++ ")):
        return "bold"
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")


def print_brief(report: Report, console: Console) -> None:
    """Print the summary of a battle: the sides, the winner, the reason, and the losses."""
    pen = Pen(report, console)
    won, why = winner_words(report)
    tallies: Parts = []
    for seat in range(len(report.names)):
        tallies += ["; " if seat else "", Name(seat), f" {tally(report, seat)}"]
    pen.write(pen.text([*fought_by(report), ". ", *circumstances(report), "."]))
    pen.write(pen.text(won, "bold").append_text(pen.plain(f": {why}.", "not bold")))
    pen.write(pen.text([*tallies, "."]))
    if credit(report):
        pen.write(pen.plain(credit(report), "dim"))


def print_title(report: Report, console: Console) -> None:
    """Print the sides, the rule set, the seed and the commanders."""
    pen = Pen(report, console)
    pen.write(pen.text(fought_by(report), "bold"))
    pen.write(pen.text(circumstances(report)))
    commanders = commanders_text(report)
    if commanders:
        pen.write(pen.text(["Commanders: ", *commanders]), 4)


def print_tale(battle_report: BattleReport, console: Console) -> None:
    """Print the story or the log."""
    print_blocks(blocks_of(battle_report), battle_report.report, battle_report.detail, console)


def print_blocks(blocks: Sequence[ShownBlock], report: Report, detail: int, console: Console) -> None:
    """Print blocks of a story or log. An audit prints the number of the rule before each line."""
    write_lines(tale_screen(blocks, Pen(report, console), detail), console)


def tale_screen(blocks: Sequence[ShownBlock], pen: Pen, detail: int) -> list[Text]:
    """Return blocks of a story or log as lines."""
    console = pen.console
    texts: list[Text] = []
    indent = max((len(block.rule) for block in blocks if isinstance(block, Line)), default=0) + 2
    before: ShownBlock | None = None
    for block in blocks:
        if isinstance(block, Heading):
            heading = rule_heading(pen.text(block.parts, "bold"), pen.text(block.remark), pen.width, console)
            texts += [Text(), *heading]
        elif isinstance(block, Grid):
            texts += picture(block, pen)
        elif isinstance(block, Passage):
            texts += [Text(), *wrap(pen.text(block.parts), pen.width, console)]
        else:
            texts += [Text()] if isinstance(before, Grid) else []
            lead = pad(Text(block.rule, "dim"), indent) if detail >= AUDIT else Text("  ")
            hang = indent if detail >= AUDIT else 4
            texts += hung(pen.text(block.parts), pen.width, console, lead, hang)
        before = block
    return texts


def picture(grid: Grid, pen: Pen) -> list[Text]:
    """Return a grid as the lines of a table. Columns with cards or numbers are right-aligned."""
    head = [pen.text(cell) for cell in grid.head]
    rows = [[pen.text(cell) for cell in row] for row in grid.rows]
    right = [n > 0 and all(is_bare(row[n]) for row in grid.rows) for n in range(len(head))]
    lines = layout_table([head, *rows], right, pen.console.width - 2, pen.console)
    return [Text("  ").append_text(line) if line else line for line in lines]


def print_outcome(report: Report, console: Console) -> None:
    """Print a panel with the winner and the reason, each side's forces and losses, seed and credit."""
    pen = Pen(report, console)
    width = pen.width - 4
    won, why = winner_words(report)
    lines = wrap(pen.text(won, "bold").append_text(pen.plain(f": {why}.", "not bold")), width, console)
    lines += [Text(), *counts(report, pen, width)]
    small = [f"Seed {seed_text(report.seed)}"] if report.seed is not None else []
    small += [credit(report)] if credit(report) else []
    for n, note in enumerate(small):
        lines += [*([] if n else [Text()]), *wrap(pen.plain(note, "dim"), width, console)]
    console.print()
    console.print(Panel(Text("\n").join(lines), box=ROUNDED, width=pen.width, border_style="dim"))


def counts(report: Report, pen: Pen, width: int) -> list[Text]:
    head = [pen.plain(label) for label in ("", report.rules.score_word, "losses")]
    rows = [
        [
            pen.text([Name(seat)], "bold" if seat in report.winners else ""),
            pen.plain(str(report.scores[seat])),
            pen.plain(losses_text(report.losses[seat])),
        ]
        for seat in range(len(report.names))
    ]
    return layout_table([head, *rows], [False, True, False], width, pen.console)
