"""Parse the Markdown that rule books use: its blocks, its marks, and its words without marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADING = re.compile(r"(#+) (.*)")
ITEM = re.compile(r"(?P<mark> *(?:[-*]|[0-9]{1,2}\.) )(?:\*\*(?P<number>[A-Z]+-\w+)\*\* *)?(?P<words>.*)")
CELL_END = re.compile(r"(?<!\\)\|")
INLINE = re.compile(
    r"\*\*(?P<strong>.+?)\*\*|`(?P<code>[^`]+)`|\[(?P<link>[^\]]+)\]\([^)\s]+\)|\*(?P<stress>[^*]+)\*"
)


def lines_without_marks(markdown: str) -> Iterator[str]:
    r"""Yield a line for each paragraph, list item or row of a table, without marks. Code does not change.

    >>> [*lines_without_marks("## Scores\n\n- **FH-1** Add *all*\n  points, see [the sheet](sheet.md).")]
    ['Scores', '', '- FH-1 Add all points, see the sheet.']
    """
    for first, *others in list(paragraphs(markdown.strip()))[:-1]:
        if first.startswith("```"):
            yield from (first, *others)
        elif first.startswith("|"):
            yield from (row_without_marks(row) for row in (first, *others[1:]))
        else:
            text = " ".join([first, *map(str.strip, others)])
            heading = HEADING.fullmatch(text)
            yield INLINE.sub(unmarked, heading[2] if heading else text)


def row_without_marks(row: str) -> str:
    r"""Return the cells of a row of a table as a line. The first cell says what the others are about.

    >>> row_without_marks("| **Ace** | Draw two cards. | `a\\|b` |")
    'Ace: Draw two cards.; `a|b`'
    """
    first, *others = (cell.strip().replace("\\|", "|") for cell in CELL_END.split(row.strip()[1:-1]))
    return INLINE.sub(unmarked, ": ".join(filter(None, [first, "; ".join(filter(None, others))])))


def unmarked(match: re.Match[str]) -> str:
    """Return words without the marks of their emphasis. Code keeps its backquotes."""
    return match[0] if match["code"] else match["strong"] or match["link"] or match["stress"]


def paragraphs(markdown: str) -> Iterator[list[str]]:
    """Yield the lines of each heading, list item, table, code block and paragraph."""
    block: list[str] = []
    for line in [*markdown.splitlines(), ""]:
        in_code = bool(block) and block[0].startswith("```")
        if in_code:
            block.append(line)
            if not line.startswith("```"):
                continue
        elif belongs(line, block):
            block.append(line)
            continue
        if block:
            yield block
        if not line.strip() and not in_code:
            yield [""]
        block = [] if in_code or not line.strip() else [line]


def belongs(line: str, before: list[str]) -> bool:
    """Return True if a line belongs to the same block as the lines before it."""
    if not before or not line.strip() or HEADING.match(line) or ITEM.match(line) or line.startswith("```"):
        return False
    return line.startswith("|") == before[0].startswith("|") and not HEADING.match(before[0])
