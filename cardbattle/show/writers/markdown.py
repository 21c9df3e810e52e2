"""Markdown, for forums, notes and repositories: nothing in it is taken for markup that is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.core.names import clean
from cardbattle.core.telling import AUDIT, Block, Grid, Heading, Line, Name, Part, Parts
from cardbattle.show.battle_text import (
    blocks_for,
    circumstances,
    commanders_text,
    credit,
    fought_by,
    is_bare,
    is_brief,
    losses_text,
    names_of,
    said,
    seed_text,
    winner_words,
)
from cardbattle.show.document import (
    STRONG,
    BattleReport,
    Book,
    Items,
    Listing,
    Pair,
    Paragraph,
    Section,
    Span,
    Table,
    Title,
    as_text,
    stretches_of,
    without_bars,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.show.document import Cell, Content, Document, Item, Word

# What begins markup inside a line, and what does at its start. A link that begins itself
# (http:, www.) is kept from it too.
INSIDE = re.compile(r"[\\`*_\[\]<>|~$]|&(?=#?\w+;)|=(?==)|:(?=//)|(?<=www)\.", re.IGNORECASE)
START = re.compile(r"[-+#]|\d+[.)]")


def to_markdown(document: Document, signs: bool = True) -> str:
    """Return a document as Markdown; without `signs` cards have letters for suits."""
    paragraphs = [paragraph for block in document.blocks for paragraph in markdown_of(block, signs)]
    return "\n\n".join(paragraphs) + "\n"


def markdown_of(block: Content, signs: bool) -> list[str]:
    """Return a block as paragraphs; a chart has none, its facts stand in other blocks."""
    if isinstance(block, BattleReport):
        return battle_paragraphs(block, signs)
    if isinstance(block, Title):
        return [f"# {escape_markdown(clean(as_text(block.words)))}"]
    if isinstance(block, Section):
        return [f"## {escape_markdown(clean(as_text(block.words)))}"]
    if isinstance(block, Paragraph):
        return [cell_markdown(block.words, block.stress)]
    if isinstance(block, Items):
        lines = [line for item in block.items for line in bullet_lines(item)]
        return ["\n".join(lines)] if lines else []
    if isinstance(block, Table):
        return [table_text(without_bars(block))] if block.rows else []
    if isinstance(block, Listing):
        return ["\n".join([f"```{block.language}", *map(clean, block.lines), "```"])]
    return [block.text.strip()] if isinstance(block, Book) else []


def table_text(table: Table) -> str:
    """Return a table; a line break in a cell would end it, so spaces stand for those."""
    head = [escape_markdown(clean(word)) for word in table.head]
    rows = [[markdown_cell(cell) for cell in row] for row in table.rows]
    return rows_of([head, *rows], [n in table.right for n in range(len(head))])


def markdown_cell(cell: Cell) -> str:
    """Return a cell, in which nothing is at the beginning of a line."""
    if isinstance(cell, str):
        return inside_line(" ".join(clean(cell).split()))
    return cell_markdown(cell)


def cell_markdown(cell: Cell, stress: str = "") -> str:
    """Return words or a cell, what is strong in asterisks."""
    if isinstance(cell, str):
        told = escape_markdown(clean(cell))
    elif isinstance(cell, Pair) or not isinstance(cell, (Span, list)):
        told = escape_markdown(clean(as_text(cell)))
    else:
        told = "".join(span_text(word) for word in stretches_of(cell))
    return f"**{told}**" if stress == STRONG and told else told


def span_text(word: Word) -> str:
    """Return one stretch of words, in asterisks if it is strong."""
    told = inside_line(clean(as_text(word)))
    return f"**{told}**" if isinstance(word, Span) and word.stress == STRONG and told.strip() else told


def bullet_lines(item: Item) -> list[str]:
    """Return an item of a list as lines, its remarks below it."""
    lead = f"**{escape_markdown(clean(item.about))}** " if item.about else ""
    return [
        f"- {lead}{cell_markdown(item.words)}",
        *(f"  - {escape_markdown(clean(note))}" for note in item.notes),
    ]


def battle_paragraphs(battle_report: BattleReport, signs: bool) -> list[str]:
    """Return a battle: title, circumstances, tale and outcome; of a part of it the tale alone."""
    report, detail = battle_report.report, battle_report.detail
    quill = Quill(report, signs)
    if battle_report.span is not None:
        return tale_paragraphs(blocks_for(report, detail, battle_report.span), quill, detail)
    paragraphs = [f"## {quill.line(fought_by(report))}", quill.line([*circumstances(report), "."])]
    commanders = commanders_text(report)
    paragraphs += [quill.line(["Commanders: ", *commanders, "."])] if commanders else []
    if not is_brief(detail):
        paragraphs += tale_paragraphs(blocks_for(report, detail), quill, detail)
        paragraphs.append("### Outcome")
    return [*paragraphs, *outcome_paragraphs(report, quill)]


class Quill:
    """Writes the parts of sentences so that nothing in them is taken for markup."""

    def __init__(self, report: Report, signs: bool) -> None:
        self.names = names_of(report)
        self.signs = signs

    def line(self, parts: Sequence[Part]) -> str:
        """Return the parts as one line of Markdown that means what it says."""
        return escape_markdown(said(parts, self.names, self.signs))


def inside_line(text: str) -> str:
    """Return a stretch of a line in which Markdown finds no markup; its spaces are kept."""
    return INSIDE.sub(lambda match: "\\" + match[0], text)


def escape_markdown(text: str) -> str:
    r"""Return a line in which Markdown finds no markup; it collapses spaces, as Markdown does.

    >>> print(escape_markdown("*York* [here](http://x) <b>"))
    \*York\* \[here\](http\://x) \<b\>
    """
    line = inside_line(" ".join(text.split()))
    start = START.match(line)
    if start is None:
        return line
    return line[: start.end() - 1] + "\\" + line[start.end() - 1 :]


def tale_paragraphs(blocks: Sequence[Block], quill: Quill, detail: int) -> list[str]:
    """Return the blocks of a tale as paragraphs; lines that follow each other are one list."""
    paragraphs: list[str] = []
    in_list = False
    for block in blocks:
        if isinstance(block, Line) and in_list:
            paragraphs[-1] += "\n" + tale_item(block, quill, detail)
        elif isinstance(block, Line):
            paragraphs.append(tale_item(block, quill, detail))
        elif isinstance(block, Heading):
            remark = f" ({quill.line(block.remark)})" if block.remark else ""
            paragraphs.append(f"### {quill.line(block.parts)}{remark}")
        else:
            paragraphs.append(grid_rows(block, quill))
        in_list = isinstance(block, Line)
    return paragraphs


def tale_item(line: Line, quill: Quill, detail: int) -> str:
    """Return a line as the item of a list; an audit has its rule number before it."""
    rule = f"**{line.rule}** " if detail >= AUDIT else ""
    return f"- {rule}{quill.line(line.parts)}"


def grid_rows(grid: Grid, quill: Quill) -> str:
    """Return a grid as a table; columns of cards and numbers stand to the right."""
    right = [n > 0 and all(is_bare(row[n]) for row in grid.rows) for n in range(len(grid.head))]
    rows = [[quill.line(cell) for cell in row] for row in [grid.head, *grid.rows]]
    return rows_of(rows, right)


def rows_of(rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """Return a table whose first row is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"| {' | '.join('--:' if each else '---' for each in right)} |")
    return "\n".join(lines)


def outcome_paragraphs(report: Report, quill: Quill) -> list[str]:
    """Return who won and why, what each side has and what it lost, seed and credit."""
    won, why = winner_words(report)
    rows = [["Side", quill.line([report.rules.score_word]), "Losses"]]
    for seat in range(len(report.names)):
        side: Parts = [Name(seat)]
        rows.append([quill.line(side), str(report.scores[seat]), losses_text(report.losses[seat])])
    paragraphs = [f"**{quill.line(won)}**: {quill.line([why])}.", rows_of(rows, [False, True, True])]
    small = [f"Seed {seed_text(report.seed)}."] if report.seed is not None else []
    small += [f"{credit(report)}."] if credit(report) else []
    return [*paragraphs, *([quill.line([" ".join(small)])] if small else [])]
