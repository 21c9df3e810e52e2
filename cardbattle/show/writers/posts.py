"""Posts for forums and chats: few marks, no tables, and text from users is escaped.

Each of these formats is a set of `Marks`; the rest is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.names import clean
from cardbattle.core.telling import AUDIT, Heading, Line, Name
from cardbattle.show.battle_text import (
    EVERYTHING,
    blocks_for,
    circumstances,
    commanders_text,
    credit,
    fought_by,
    is_brief,
    names_of,
    said,
    tally,
    winner_words,
)
from cardbattle.show.document import (
    STRONG,
    BattleReport,
    Book,
    Chart,
    Items,
    Listing,
    Paragraph,
    Section,
    Table,
    Title,
    as_text,
    without_bars,
)

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.core.telling import Block, Part
    from cardbattle.show.document import Cell, Content, Document, Item


class Marks(NamedTuple):
    """How a format marks text, `{}` being the text; `escape` disables the markup in it.

    A list stands between `before` and `after`, a stretch to be copied between `code` and `end`.
    """

    escape: Callable[[str], str]
    title: str
    section: str
    heading: str
    strong: str
    item: str
    note: str
    before: Sequence[str]
    after: Sequence[str]
    code: str
    end: str


def paragraphs_of(document: Document, marks: Marks) -> list[list[str]]:
    """Return a document as paragraphs, each of one or more lines."""
    return [paragraph for block in document.blocks for paragraph in block_paragraphs(block, marks)]


def block_paragraphs(block: Content, marks: Marks) -> list[list[str]]:
    """Return a block as paragraphs; a chart has none, because other blocks hold its facts."""
    if isinstance(block, BattleReport):
        return battle_post(block, marks)
    if isinstance(block, Title | Section):
        mark = marks.title if isinstance(block, Title) else marks.section
        return [[mark.format(marks.escape(as_text(block.words)))]]
    if isinstance(block, Paragraph):
        told = marks.escape(as_text(block.words))
        return [[marks.strong.format(told) if block.stress == STRONG and told else told]]
    if isinstance(block, Items):
        return list_paragraph([line for item in block.items for line in bullet_lines(item, marks)], marks)
    if isinstance(block, Table):
        bare = without_bars(block)
        return list_paragraph([row_line(bare.head, row, marks) for row in bare.rows], marks)
    if isinstance(block, Chart):
        return []
    lines = block.text.splitlines() if isinstance(block, Book) else block.lines
    language = block.language if isinstance(block, Listing) else ""
    return [[marks.code.format(language), *(clean(line).replace("```", "'''") for line in lines), marks.end]]


def list_paragraph(lines: Sequence[str], marks: Marks) -> list[list[str]]:
    """Return the lines of a list as a paragraph; none if it is empty."""
    return [[*marks.before, *lines, *marks.after]] if lines else []


def bullet_lines(item: Item, marks: Marks) -> list[str]:
    """Return an item of a list as lines, its remarks below it."""
    lead = f"{marks.strong.format(marks.escape(item.about))} " if item.about else ""
    words = marks.escape(as_text(item.words))
    return [
        marks.item.format(f"{lead}{words}"),
        *(marks.note.format(marks.escape(note)) for note in item.notes),
    ]


def row_line(head: Sequence[str], row: Sequence[Cell], marks: Marks) -> str:
    """Return a row of a table as an item: what it is about, and each other cell after its head."""
    cells = [(word, as_text(cell)) for word, cell in zip(head, row, strict=True)]
    first = next((n for n, (word, cell) in enumerate(cells) if word and cell), 0) + 1
    about = " ".join(cell for _, cell in cells[:first] if cell)
    text = ", ".join(f"{word} {cell}" if word else cell for word, cell in cells[first:] if cell)
    lead = marks.strong.format(marks.escape(about))
    return marks.item.format(f"{lead}{f': {marks.escape(text)}' if text else ''}")


def battle_post(battle_report: BattleReport, marks: Marks) -> list[list[str]]:
    """Return a battle: title, circumstances, tale and outcome; of a part of it the tale alone."""
    report, detail = battle_report.report, battle_report.detail
    if battle_report.span is not None:
        return tale_post(battle_report, marks)
    names = names_of(report)
    commanders = commanders_text(report)
    results = [
        [marks.section.format(sentence(fought_by(report), names, marks))],
        [sentence([*circumstances(report), "."], names, marks)],
        *([[sentence(["Commanders: ", *commanders, "."], names, marks)]] if commanders else []),
    ]
    return [*results, *([] if is_brief(detail) else tale_post(battle_report, marks)), *outcome(report, marks)]


def sentence(parts: Sequence[Part], names: Sequence[str], marks: Marks) -> str:
    """Return the parts of a sentence as one line that means what it says."""
    return marks.escape(said(parts, names, signs=True))


def tale_post(battle_report: BattleReport, marks: Marks) -> list[list[str]]:
    """Return the tale: each heading, and what follows it as a list; pictures are left out."""
    names, rows = names_of(battle_report.report), list[list[str]]()
    lines: list[str] = []
    for block in [
        *blocks_for(battle_report.report, battle_report.detail, battle_report.span or EVERYTHING),
        None,
    ]:
        if isinstance(block, Line):
            lines.append(tale_line(block, battle_report.detail, names, marks))
        elif block is None or isinstance(block, Heading):
            rows += list_paragraph(lines, marks)
            lines = []
            rows += [[heading_of(block, names, marks)]] if block is not None else []
    return rows


def tale_line(line: Line, detail: int, names: Sequence[str], marks: Marks) -> str:
    """Return a line of the tale; an audit has its rule number before it."""
    rule = f"{marks.strong.format(marks.escape(line.rule))} " if detail >= AUDIT else ""
    return marks.item.format(f"{rule}{sentence(line.parts, names, marks)}")


def heading_of(block: Block, names: Sequence[str], marks: Marks) -> str:
    """Return the heading of a stretch of the battle, with its remark."""
    assert isinstance(block, Heading)
    remark = f" ({said(block.remark, names, signs=True)})" if block.remark else ""
    return marks.heading.format(marks.escape(f"{said(block.parts, names, signs=True)}{remark}"))


def outcome(report: Report, marks: Marks) -> list[list[str]]:
    """Return who won and why, what each side has and what it lost, and credit where it is due."""
    names = names_of(report)
    won, why = winner_words(report)
    bold = [marks.strong.format(sentence([Name(seat)], names, marks)) for seat in range(len(names))]
    sides = [
        marks.item.format(f"{name}: {marks.escape(tally(report, seat))}") for seat, name in enumerate(bold)
    ]
    lead = marks.strong.format(sentence(won, names, marks))
    small = [[marks.escape(f"{credit(report)}.")]] if credit(report) else []
    return [[f"{lead}: {marks.escape(why)}.", *marks.before, *sides, *marks.after], *small]
