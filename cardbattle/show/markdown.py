"""A battle as Markdown, to paste into a blog, a wiki or a chat."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.core.telling import AUDIT, Block, Grid, Heading, Line, Name, Part, Parts
from cardbattle.show.words import (
    blocks_for,
    circumstances,
    commanded_by,
    credit,
    fought_by,
    is_bare,
    is_brief,
    losses,
    names_of,
    said,
    seed_text,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.records.viewer import Report

# What begins markup inside a line, and what does at its start. A link that begins itself
# (http:, www.) is kept from it too.
INSIDE = re.compile(r"[\\`*_\[\]<>|~$]|&(?=#?\w+;)|=(?==)|:(?=//)|(?<=www)\.", re.IGNORECASE)
START = re.compile(r"[-+#]|\d+[.)]")


def battle(report: Report, detail: int, signs: bool = True) -> str:
    """Return a battle as Markdown; without `signs` cards have letters for suits."""
    quill = Quill(report, signs)
    paragraphs = [f"## {quill.line(fought_by(report))}", quill.line([*circumstances(report), "."])]
    paragraphs.append(quill.line(["Commanders: ", *commanded_by(report), "."]))
    if not is_brief(detail):
        paragraphs += tale(blocks_for(report, detail), quill, detail)
        paragraphs.append("### Outcome")
    return "\n\n".join([*paragraphs, *outcome(report, quill)]) + "\n"


class Quill:
    """Writes the parts of sentences so that nothing in them is taken for markup."""

    def __init__(self, report: Report, signs: bool) -> None:
        self.names = names_of(report)
        self.signs = signs

    def line(self, parts: Sequence[Part]) -> str:
        """Return the parts as one line of Markdown that means what it says."""
        return escaped(said(parts, self.names, self.signs))


def escaped(text: str) -> str:
    r"""Return a line in which Markdown finds no markup; it collapses spaces, as Markdown does.

    >>> print(escaped("*York* [here](http://x) <b>"))
    \*York\* \[here\](http\://x) \<b\>
    """
    line = INSIDE.sub(lambda found: "\\" + found[0], " ".join(text.split()))
    start = START.match(line)
    if start is None:
        return line
    return line[: start.end() - 1] + "\\" + line[start.end() - 1 :]


def tale(blocks: Sequence[Block], quill: Quill, detail: int) -> list[str]:
    """Return the blocks of a tale as paragraphs; lines that follow each other are one list."""
    paragraphs: list[str] = []
    in_list = False
    for block in blocks:
        if isinstance(block, Line) and in_list:
            paragraphs[-1] += "\n" + item(block, quill, detail)
        elif isinstance(block, Line):
            paragraphs.append(item(block, quill, detail))
        elif isinstance(block, Heading):
            remark = f" ({quill.line(block.remark)})" if block.remark else ""
            paragraphs.append(f"### {quill.line(block.parts)}{remark}")
        else:
            paragraphs.append(picture(block, quill))
        in_list = isinstance(block, Line)
    return paragraphs


def item(line: Line, quill: Quill, detail: int) -> str:
    """Return a line as the item of a list; an audit has its rule number before it."""
    rule = f"**{line.rule}** " if detail >= AUDIT else ""
    return f"- {rule}{quill.line(line.parts)}"


def picture(grid: Grid, quill: Quill) -> str:
    """Return a grid as a table; columns of cards and numbers stand to the right."""
    right = [n > 0 and all(is_bare(row[n]) for row in grid.rows) for n in range(len(grid.head))]
    rows = [[quill.line(cell) for cell in row] for row in [grid.head, *grid.rows]]
    return rows_of(rows, right)


def rows_of(rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """Return a table whose first row is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"| {' | '.join('--:' if each else '---' for each in right)} |")
    return "\n".join(lines)


def outcome(report: Report, quill: Quill) -> list[str]:
    """Return who won and why, what each side has and what it lost, seed and credit."""
    won, why = verdict(report)
    rows = [["Side", quill.line([report.rules.score_word]), "Losses"]]
    for seat in range(len(report.names)):
        side: Parts = [Name(seat)]
        rows.append([quill.line(side), str(report.scores[seat]), losses(report.losses[seat])])
    paragraphs = [f"**{quill.line(won)}**: {quill.line([why])}.", rows_of(rows, [False, True, True])]
    small = [f"Seed {seed_text(report.seed)}."] if report.seed is not None else []
    small += [f"{credit(report)}."] if credit(report) else []
    return [*paragraphs, *([quill.line([" ".join(small)])] if small else [])]
