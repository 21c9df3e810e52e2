"""The plain format: one fact per line, for screen readers, grep and diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.names import clean
from cardbattle.core.telling import AUDIT, Heading, Line
from cardbattle.show.battle_text import (
    Passage,
    ShownBlock,
    blocks_of,
    credit,
    is_brief,
    names_of,
    said,
    seed_text,
    winner_words,
)
from cardbattle.show.document import (
    BattleReport,
    Book,
    Cell,
    Chart,
    Item,
    Items,
    Listing,
    Paragraph,
    Section,
    Table,
    Title,
    as_text,
)
from cardbattle.show.writers.rulebook_text import lines_without_marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.show.document import Content, Document


def to_plain(document: Document) -> str:
    return "".join(plain_parts(document))


def plain_parts(document: Document) -> Iterator[str]:
    """Yield the lines of a document. Each line states one fact."""
    return (f"{line}\n" for block in document.blocks for line in plain_lines(block))


def plain_lines(block: Content) -> Iterable[str]:
    if isinstance(block, BattleReport):
        return battle_lines(block)
    if isinstance(block, Listing):
        return [clean(line) for line in block.lines]
    if isinstance(block, Book):
        return lines_without_marks(block.text)
    if isinstance(block, Title):
        return [single_spaced(as_text(block.words))]
    if isinstance(block, Section) and block.facts is None:
        return ["", single_spaced(as_text(block.words))]
    facts = block.facts if block.facts is not None else plain_facts(block)
    return map(single_spaced, facts)


def plain_facts(block: Section | Paragraph | Items | Table | Chart) -> list[str]:
    """Return the lines of a block that has no `facts`."""
    if isinstance(block, Section | Paragraph):
        return [as_text(block.words)]
    if isinstance(block, Items):
        return [line for item in block.items for line in item_facts(item)]
    if isinstance(block, Chart):
        return []
    return [row_fact(block.head, row) for row in block.rows]


def item_facts(item: Item) -> list[str]:
    """Return the lines of a list item and its notes. Each line begins with the label of the item."""
    lead = f"{item.about}: " if item.about else ""
    return [f"{lead}{as_text(item.words)}", *(f"{lead}{note}" for note in item.notes)]


def row_fact(head: Sequence[str], row: Sequence[Cell]) -> str:
    """Return a row of a table as one line, in which each cell follows the heading of its column."""
    cells = [(word, as_text(cell)) for word, cell in zip(head, row, strict=True)]
    return ", ".join(f"{word} {cell}" if word else cell for word, cell in cells if cell)


def single_spaced(line: str) -> str:
    """Return a line without control characters and without repeated spaces."""
    return clean(" ".join(line.split()))


def battle_lines(battle_report: BattleReport) -> list[str]:
    """Return the lines of a battle, one for each fact. The brief level of detail has no story or log."""
    report, detail = battle_report.report, battle_report.detail
    if battle_report.span is not None:
        return tale_lines(battle_report)
    tale = [] if is_brief(detail) else tale_lines(battle_report)
    return opening(report) + tale + closing(report)


def opening(report: Report) -> list[str]:
    names = names_of(report)
    lines = [f"Rules: {report.rules.name}"]
    if report.id:
        lines.append(f"Battle: {said([report.id], names)}")
    if report.seed is not None:
        lines.append(f"Seed: {seed_text(report.seed)}")
    if report.viewer is not None and report.viewer != NOBODY:
        lines.append(f"Seen by: {names[report.viewer]}")
    for name, commander in zip(names, report.commanders, strict=True):
        lines.append(f"Side: {name}{f', commander {said([commander], names)}' if commander else ''}")
    return lines


def tale_lines(battle_report: BattleReport) -> list[str]:
    names, detail = names_of(battle_report.report), battle_report.detail
    return [line for block in blocks_of(battle_report) for line in tale_block_lines(block, names, detail)]


def tale_block_lines(block: ShownBlock, names: list[str], detail: int) -> list[str]:
    """Return a block as plain lines. A grid has no lines, because it repeats what the sentences say."""
    if isinstance(block, Heading):
        remark = f": {said(block.remark, names)}" if block.remark else ""
        return [f"{said(block.parts, names)}{remark}"]
    if isinstance(block, Line):
        rule = f" [{block.rule}]" if detail >= AUDIT else ""
        return [f"{said(block.parts, names)}{rule}"]
    if isinstance(block, Passage):
        return [said(block.parts, names)]
    return []


def closing(report: Report) -> list[str]:
    """Return lines about the winner and the reason, each side's score and losses, and the credit, if any."""
    names = names_of(report)
    won, why = winner_words(report)
    lines = [f"Result: {said(won, names)}", f"Reason: {said([why], names)}"]
    for seat, name in enumerate(names):
        lines.append(f"Score: {name} {report.scores[seat]}")
        lines.append(f"Losses: {name} {report.losses[seat]}")
    if credit(report):
        lines.append(f"Credit: {said([credit(report)], names)}")
    return lines
