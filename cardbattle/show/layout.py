"""Lay out text for the terminal: hanging indents, headings, and tables that are split to fit the width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from cardbattle.show.cards import can_hold
from cardbattle.show.console import fit_encoding
from cardbattle.show.svg.bracket_shape import Bracket, BracketEntry, bracket_row

MEASURE = 100  # wider lines of words are hard to read
GAP = 2  # number of spaces between two columns of a table
TIE = "\ue000"  # a no-break space: a private-use character, which no input contains
CARD = 3  # width of one card
AT_ONCE = 500  # number of lines that are printed at a time
READABLE = 12  # minimum width of a column of words
WIDE = 2  # width of a wide letter (Chinese, Japanese, Korean)


def hung(text: Text, width: int, console: Console, lead: Text, indent: int) -> list[Text]:
    """Wrap text to `width`, with `lead` before the first line and `indent` spaces before the others."""
    lines = wrap(text, max(width - max(indent, lead.cell_len), 1), console)
    leads = [lead, *[Text(" " * indent)] * (len(lines) - 1)]
    return [strip_spaces(Text.assemble(before, line)) for before, line in zip(leads, lines, strict=True)]


def wrap(text: Text, width: int, console: Console) -> list[Text]:
    """Break text into lines between words. A word is broken only if it is wider than a line."""
    if text.cell_len <= width and "\n" not in text.plain and "\t" not in text.plain:
        return [strip_spaces(text.copy())]
    lines = list(text.wrap(console, width, overflow="fold", no_wrap=False)) or [Text()]
    return [strip_spaces(line, begins=n == 0) for n, line in enumerate(lines)]


def hung_plainly(text: str, width: int, lead: str, indent: int) -> list[str] | None:
    """Do the same as `hung` for simple ASCII text, or return None for other text.

    This function takes a tenth of the time of `hung`, because every ASCII letter is one column wide.
    """
    room = max(width - max(indent, len(lead)), 1)
    if not (text + lead).isascii() or not (text + lead).isprintable():
        return None
    lines, left = [], text.rstrip()
    while len(left) > room:
        cut = left.rfind(" ", 0, room + 1)
        if cut <= 0 or left[cut - 1] == " ":  # a word is too wide, or there are two spaces
            return None
        lines.append(left[:cut])
        left = left[cut + 1 :]
        if left.startswith(" "):
            return None
    leads = [lead, *[" " * indent] * len(lines)]
    return [(before + line).rstrip() for before, line in zip(leads, [*lines, left], strict=True)]


def strip_spaces(line: Text, begins: bool = True) -> Text:
    """Remove the spaces at the end of a line, and also those at its start unless the line begins the text."""
    line.plain = line.plain.replace(TIE, " ")
    line.rstrip()
    return line if begins else line[len(line.plain) - len(line.plain.lstrip()) :]


def rule_heading(title: Text, remark: Text, width: int, console: Console) -> list[Text]:
    """Return a heading and a rule, with the remark at the right end, or below if there is no room."""
    ascii_only = not console.encoding.startswith("utf")
    room = width - title.cell_len - (remark.cell_len + 1 if remark.cell_len else 0) - 1
    if room < 3 and remark.cell_len:
        return [*rule_heading(title, Text(), width, console), *hung(remark, width, console, Text("  "), 4)]
    if room < 3:
        return wrap(title, width, console)
    line = Text().append_text(title).append(" ").append(("-" if ascii_only else "─") * room, "dim")
    return [line.append(" ").append_text(remark) if remark.cell_len else line]


def layout_table(
    rows: Sequence[Sequence[Text]], right: Sequence[bool], width: int, console: Console, labels: int = 1
) -> list[Text]:
    """Lay out a table in lines no wider than `width`. The first row has the headings.

    The first `labels` columns label the rows. If the columns do not fit, the table is split into groups of
    columns (strips), which are printed one below the other. Each strip repeats the label columns.
    """
    widths, gap = widths_of(rows, right, labels, width)
    lines: list[Text] = []
    for columns in column_strips(widths, labels, width, gap):
        lines += [Text()] if lines else []
        lines += strip_lines([*range(labels), *columns], rows, Fit(widths, right, gap), console)
    return lines


def widths_of(
    rows: Sequence[Sequence[Text]], right: Sequence[bool], labels: int, width: int
) -> tuple[list[int], int]:
    """Return the width of each column, and the width of the gap between two columns.

    The columns of a board (cards or symbols) have equal widths if the screen is wide enough. Columns of words
    are made narrower as long as they stay readable. The first `labels` columns are the label columns if the
    table must be split.
    """
    natural = [max(row[n].cell_len for row in rows) for n in range(len(right))]
    widest = max((each for each, is_right in zip(natural, right, strict=True) if is_right), default=0)
    board = widest <= CARD  # one card in a cell, or less
    equal = [widest if is_right and board else each for each, is_right in zip(natural, right, strict=True)]
    word_columns = [n for n, is_right in enumerate(right) if not is_right]
    least = [
        min(max(longest_word([row[n] for row in rows]), READABLE), width // 2) for n in range(len(right))
    ]
    room = width - GAP * (len(natural) - 1)
    least_wide = narrow_columns(natural, word_columns, least, room) if len(word_columns) > 1 else natural
    close = GAP if len(word_columns) > 1 else GAP - 1  # words need a wider gap
    for widths, gap in ((equal, GAP), (equal, close), (natural, GAP), (least_wide, GAP)):
        if sum(widths) + gap * (len(widths) - 1) <= width:
            return widths, gap
    if labels > 1:
        return folding(natural, least, labels, width), GAP
    label = min(equal[0], max(least[0], width // 3))
    return [label, *(min(each, max(width - label - GAP, 1)) for each in equal[1:])], close


def folding(natural: Sequence[int], least: Sequence[int], labels: int, width: int) -> list[int]:
    """Return the column widths of a table that must be split and has several label columns.

    `natural` and `least` have the natural width and the minimum width of each column. The label columns are
    as wide as possible without increasing the number of strips.
    """

    def strips(widths: list[int]) -> int:
        return len(column_strips(widths, labels, width, GAP))

    label = [min(each) for each in zip(natural[:labels], least[:labels], strict=True)]
    room = max(width - sum(label) - GAP * labels, 1)
    widths = [*label, *(min(size, room) for size in natural[labels:])]
    fewest = strips(widths)
    for n in sorted(range(labels), key=lambda n: natural[n]):
        while widths[n] < natural[n]:
            wider = [size + (place == n) for place, size in enumerate(widths)]
            if strips(wider) > fewest or sum(wider[:labels]) + GAP * labels + max(wider[labels:]) > width:
                break
            widths = wider
    return widths


def longest_word(cells: Sequence[Text]) -> int:
    """Return the width of the longest word that cannot be broken.

    Words of wide letters can be broken anywhere.
    """
    tokens = [word for cell in cells for word in cell.plain.split()]
    return max((cell_len(word) if cell_len(word) == len(word) else WIDE for word in tokens), default=0)


def narrow_columns(
    widths: Sequence[int], word_columns: Sequence[int], least: Sequence[int], room: int
) -> list[int]:
    """Narrow the widest columns of words until all columns fit into `room`, or until none can be narrowed.

    `least` has the minimum width of each column.
    """
    narrower = list(widths)
    while sum(narrower) > room:
        widest = max(word_columns, key=lambda n: narrower[n] - least[n])
        if narrower[widest] <= least[widest]:
            break
        narrower[widest] -= 1
    return narrower


def column_strips(widths: Sequence[int], labels: int, width: int, gap: int) -> list[list[int]]:
    """Divide the columns after the label columns into strips that fit the width.

    The strips have nearly the same number of columns, unless this needs more strips than filling one strip
    after the other.

    >>> column_strips([5, 3, 3, 3, 3, 3], 1, 24, 2), column_strips([5, 20, 3, 3], 1, 27, 2)
    ([[1, 2, 3], [4, 5]], [[1], [2, 3]])
    """
    columns = list(range(labels, len(widths)))
    room = width - sum(widths[:labels]) - gap * (labels - 1)

    def fits(strip: Sequence[int]) -> bool:
        return sum(gap + widths[n] for n in strip) <= room

    filled: list[list[int]] = [[]]
    for column in columns:
        if filled[-1] and not fits([*filled[-1], column]):
            filled.append([])
        filled[-1].append(column)
    even = evenly(columns, len(filled))
    return even if all(map(fits, even)) else filled


def evenly(columns: list[int], strips: int) -> list[list[int]]:
    """Divide the columns into strips with nearly the same number of columns.

    >>> evenly([1, 2, 3, 4, 5], 2)
    [[1, 2, 3], [4, 5]]
    """
    size, longer = divmod(len(columns), strips)
    cuts = [n * size + min(n, longer) for n in range(strips + 1)]
    return [columns[cuts[n] : cuts[n + 1]] for n in range(strips)]


class Fit(NamedTuple):
    """The widths of the columns, whether each column is right-aligned, and the gap between two columns."""

    widths: Sequence[int]
    right: Sequence[bool]
    gap: int


def strip_lines(columns: list[int], rows: Sequence[Sequence[Text]], fit: Fit, console: Console) -> list[Text]:
    """Lay out the columns of one strip of a table."""
    lines: list[Text] = []
    for row in rows:
        cells = [wrap(row[n], fit.widths[n], console) if row[n] else [Text()] for n in columns]
        for level in range(max(len(cell) for cell in cells)):
            line = Text()
            for n, cell in zip(columns, cells, strict=True):
                line.append(" " * fit.gap if n != columns[0] else "")
                line.append_text(
                    pad(cell[level] if level < len(cell) else Text(), fit.widths[n], fit.right[n])
                )
            lines.append(strip_spaces(line))
        if row is rows[0]:
            for line in lines:
                line.stylize("dim")
    return lines


def pad(cell: Text, width: int, right: bool = False) -> Text:
    """Pad a cell to this width with spaces. If `right` is true, the spaces are at the left of the text."""
    space = " " * (width - cell.cell_len)
    return Text(space).append_text(cell) if right else cell.copy().append(space)


def write_lines(lines: Sequence[Text], console: Console) -> None:
    """Print many lines at a time, without wrapping them."""
    for start in range(0, len(lines), AT_ONCE):
        console.print(Text("\n").join(lines[start : start + AT_ONCE]), soft_wrap=True)


def measure(console: Console) -> int:
    """Return the maximum width of a line of text."""
    return min(console.width, MEASURE)


LEAST, MOST = 12, 26  # columns of an entry of a bracket
JOINT = 3  # columns between two rounds of a bracket
ENTRY_STYLES = {"strong": "bold", "faint": "dim", "": ""}


def bracket_lines(bracket: Bracket, console: Console) -> list[Text]:
    """Return the bracket as lines. If the screen is too narrow, the earlier rounds are left out."""
    columns = bracket.columns
    while len(columns) > 2 and (console.width + JOINT) // len(columns) - JOINT < LEAST:
        columns = columns[1:]
    width = min(MOST, (console.width + JOINT) // len(columns) - JOINT)
    marks = "┐│├┘" if can_hold("┐│├┘", console.encoding) else "+|++"
    height = 2 * len(columns[0].entries) - 1
    lines = [Text() for _ in range(height + 1)]
    for c, column in enumerate(columns):
        cells = {
            bracket_row(c, n): entry_text(entry, width, console) for n, entry in enumerate(column.entries)
        }
        joints = joints_of(c, [bool(entry.name) for entry in column.entries], marks)
        lines[0].append_text(pad(Text(column.name[:width], "dim"), width + JOINT))
        for row in range(height):
            lines[row + 1].append_text(pad(cells.get(row, Text()), width))
            lines[row + 1].append(f" {joints.get(row, ' ')} " if c < len(columns) - 1 else "", "dim")
    return [strip_spaces(line) for line in lines]


def joints_of(column: int, is_shown: list[bool], marks: str) -> dict[int, str]:
    """Return the characters that join the pairs of a column, by row."""
    joints: dict[int, str] = {}
    for n in range(0, len(is_shown) - 1, 2):
        if is_shown[n] and is_shown[n + 1]:
            first, last = bracket_row(column, n), bracket_row(column, n + 1)
            joints |= dict.fromkeys(range(first, last), marks[1])
            joints |= {first: marks[0], (first + last) // 2: marks[2], last: marks[3]}
    return joints


def entry_text(entry: BracketEntry, width: int, console: Console) -> Text:
    """Return an entry: its name, shortened if necessary, and its score at the right."""
    mark = f" {entry.mark}" if entry.mark else ""
    name = Text(fit_encoding(entry.name, console.encoding), ENTRY_STYLES[entry.stress])
    is_whole = can_hold("…", console.encoding)
    name.truncate(width - len(mark), overflow="ellipsis" if is_whole else "crop")
    return pad(name, width - len(mark)).append(mark, ENTRY_STYLES[entry.stress])
