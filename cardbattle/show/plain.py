"""A battle as plain text: one fact per line, to be read aloud, searched and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.telling import AUDIT, Block, Heading, Line
from cardbattle.show.words import (
    EVERYTHING,
    Span,
    blocks_for,
    credit,
    is_brief,
    names_of,
    said,
    seed_text,
    verdict,
)

if TYPE_CHECKING:
    from cardbattle.records.viewer import Report


def battle(report: Report, detail: int) -> str:
    """Return a battle with one fact on each line; the least detail leaves out the tale."""
    lines = opening(report)
    if not is_brief(detail):
        lines += tale(report, detail)
    return "".join(f"{line}\n" for line in lines + closing(report))


def opening(report: Report) -> list[str]:
    """Return the rule set, the battle, its seed and its sides."""
    names = names_of(report)
    lines = [f"Rules: {report.rules.name}"]
    if report.id:
        lines.append(f"Battle: {said([report.id], names)}")
    if report.seed is not None:
        lines.append(f"Seed: {seed_text(report.seed)}")
    if report.viewer is not None:
        lines.append(f"Seen by: {names[report.viewer]}")
    for name, commander in zip(names, report.commanders, strict=True):
        lines.append(f"Side: {name}, commander {said([commander], names)}")
    return lines


def tale(report: Report, detail: int, span: Span = EVERYTHING) -> list[str]:
    """Return the lines of the tale; `span` keeps what happened between two numbers of moves made."""
    names = names_of(report)
    return [line for block in blocks_for(report, detail, span) for line in lines_of(block, names, detail)]


def lines_of(block: Block, names: list[str], detail: int) -> list[str]:
    """Return a block in plain lines; a grid says nothing new."""
    if isinstance(block, Heading):
        remark = f": {said(block.remark, names)}" if block.remark else ""
        return [f"{said(block.parts, names)}{remark}"]
    if isinstance(block, Line):
        rule = f" [{block.rule}]" if detail >= AUDIT else ""
        return [f"{said(block.parts, names)}{rule}"]
    return []


def closing(report: Report) -> list[str]:
    """Return who won and why, each side's score and losses, and credit where it is due."""
    names = names_of(report)
    won, why = verdict(report)
    lines = [f"Result: {said(won, names)}", f"Reason: {said([why], names)}"]
    for seat, name in enumerate(names):
        lines.append(f"Score: {name} {report.scores[seat]}")
        lines.append(f"Losses: {name} {report.losses[seat]}")
    if credit(report):
        lines.append(f"Credit: {said([credit(report)], names)}")
    return lines
