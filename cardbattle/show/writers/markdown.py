"""The Markdown format, for forums, notes and repositories. Text from users is escaped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.core.names import clean
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

# Characters that begin markup inside a line, and at its start. Automatic links (http:, www.) are escaped too.
INSIDE = re.compile(r"[\\`*_\[\]<|~$]|(?<! -)>|&(?=#?\w+;)|=(?==)|:(?=//)|(?<=www)\.", re.IGNORECASE)
START = re.compile(r"[-+#]|\d+[.)]")


def to_markdown(document: Document, signs: bool = True) -> str:
    """Return a document as Markdown. If `signs` is false, cards have letters for suits."""
    paragraphs = [paragraph for block in document.blocks for paragraph in markdown_of(block, signs)]
    return "\n\n".join(paragraphs) + "\n"


def markdown_of(block: Content, signs: bool) -> list[str]:
    """Return a block as a list of paragraphs. A chart has none, because other blocks contain its numbers."""
    if isinstance(block, BattleReport):
        return battle_paragraphs(block, signs)
    if isinstance(block, Title):
        return [f"# {escape_markdown(clean(as_text(block.words)))}"]
    if isinstance(block, Section):
        return [f"{'###' if block.is_part else '##'} {escape_markdown(clean(as_text(block.words)))}"]
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
    """Return a table. Line breaks in its cells become spaces, because a line break would end the row."""
    head = [escape_markdown(clean(word)) for word in table.head]
    rows = [[markdown_cell(cell) for cell in row] for row in table.rows]
    return rows_of([head, *rows], [n in table.right for n in range(len(head))])


def markdown_cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return inside_line(" ".join(clean(cell).split()))
    return cell_markdown(cell)


def cell_markdown(cell: Cell, stress: str = "") -> str:
    """Return the content of a cell as Markdown. Text with strong emphasis is enclosed in asterisks."""
    if isinstance(cell, str):
        formatted = escape_markdown(clean(cell))
    elif isinstance(cell, Pair) or not isinstance(cell, (Span, list)):
        formatted = escape_markdown(clean(as_text(cell)))
    else:
        formatted = "".join(span_text(word) for word in stretches_of(cell))
    return f"**{formatted}**" if stress == STRONG and formatted else formatted


def span_text(word: Word) -> str:
    formatted = inside_line(clean(as_text(word)))
    return (
        f"**{formatted}**"
        if isinstance(word, Span) and word.stress == STRONG and formatted.strip()
        else formatted
    )


def bullet_lines(item: Item) -> list[str]:
    lead = f"**{escape_markdown(clean(item.about))}** " if item.about else ""
    return [
        f"- {lead}{cell_markdown(item.words)}",
        *(f"  - {escape_markdown(clean(note))}" for note in item.notes),
    ]


def battle_paragraphs(battle_report: BattleReport, signs: bool) -> list[str]:
    """Return the title, the circumstances, the story or log, and the outcome of a battle.

    For a part of a battle, return only the log.
    """
    report, detail = battle_report.report, battle_report.detail
    battle = BattleMarkdown(report, signs)
    if battle_report.span is not None:
        return tale_paragraphs(blocks_of(battle_report), battle, detail)
    paragraphs = [f"## {battle.line(fought_by(report))}", battle.line([*circumstances(report), "."])]
    commanders = commanders_text(report)
    paragraphs += [battle.line(["Commanders: ", *commanders, "."])] if commanders else []
    if not is_brief(detail):
        paragraphs += tale_paragraphs(blocks_of(battle_report), battle, detail)
        paragraphs.append("### Outcome")
    return [*paragraphs, *outcome_paragraphs(report, battle, with_seed=not is_brief(detail))]


class BattleMarkdown:
    """Writes the sentences of a battle as Markdown and escapes them."""

    def __init__(self, report: Report, signs: bool) -> None:
        self.names = names_of(report)
        self.signs = signs

    def line(self, parts: Sequence[Part]) -> str:
        return escape_markdown(said(parts, self.names, self.signs))


def inside_line(text: str) -> str:
    """Escape the Markdown in a part of a line, and keep its spaces. The arrow ` ->` needs no escape."""
    return INSIDE.sub(lambda match: "\\" + match[0], text)


def escape_markdown(text: str) -> str:
    r"""Escape the Markdown in a line, and collapse its spaces as Markdown does.

    >>> print(escape_markdown("*York* [here](http://x) <b>"))
    \*York\* \[here\](http\://x) \<b\>
    >>> print(escape_markdown("Fen Bridge -> Three Oaks"))
    Fen Bridge -> Three Oaks
    """
    line = inside_line(" ".join(text.split()))
    start = START.match(line)
    if start is None:
        return line
    return line[: start.end() - 1] + "\\" + line[start.end() - 1 :]


def tale_paragraphs(blocks: Sequence[ShownBlock], battle: BattleMarkdown, detail: int) -> list[str]:
    """Return the blocks of a story or log as Markdown paragraphs. Successive `Line` blocks form one list."""
    paragraphs: list[str] = []
    in_list = False
    for block in blocks:
        if isinstance(block, Line) and in_list:
            paragraphs[-1] += "\n" + tale_item(block, battle, detail)
        elif isinstance(block, Line):
            paragraphs.append(tale_item(block, battle, detail))
        elif isinstance(block, Heading):
            remark = f" ({battle.line(block.remark)})" if block.remark else ""
            paragraphs.append(f"### {battle.line(block.parts)}{remark}")
        elif isinstance(block, Passage):
            paragraphs.append(battle.line(block.parts))
        else:
            paragraphs.append(grid_rows(block, battle))
        in_list = isinstance(block, Line)
    return paragraphs


def tale_item(line: Line, battle: BattleMarkdown, detail: int) -> str:
    """Return a line of the log as a list item. In an audit, the number of the rule comes first."""
    rule = f"**{line.rule}** " if detail >= AUDIT else ""
    return f"- {rule}{battle.line(line.parts)}"


def grid_rows(grid: Grid, battle: BattleMarkdown) -> str:
    """Return a grid as a table. Columns with cards or numbers are right-aligned."""
    right = [n > 0 and all(is_bare(row[n]) for row in grid.rows) for n in range(len(grid.head))]
    rows = [[battle.line(cell) for cell in row] for row in [grid.head, *grid.rows]]
    return rows_of(rows, right)


def rows_of(rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"| {' | '.join('--:' if each else '---' for each in right)} |")
    return "\n".join(lines)


def outcome_paragraphs(report: Report, battle: BattleMarkdown, *, with_seed: bool) -> list[str]:
    """Return the winner and the reason, each side's forces and losses, the credit, and maybe the seed."""
    won, why = winner_words(report)
    rows = [["Side", battle.line([report.rules.score_word]), "Losses"]]
    for seat in range(len(report.names)):
        side: Parts = [Name(seat)]
        rows.append([battle.line(side), str(report.scores[seat]), losses_text(report.losses[seat])])
    paragraphs = [f"**{battle.line(won)}**: {battle.line([why])}.", rows_of(rows, [False, True, True])]
    small = [f"Seed {seed_text(report.seed)}."] if with_seed and report.seed is not None else []
    small += [f"{credit(report)}."] if credit(report) else []
    return [*paragraphs, *([battle.line([" ".join(small)])] if small else [])]
