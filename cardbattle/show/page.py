"""A battle as one HTML page that needs nothing else: no script, no network, no other file."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

from cardbattle.core.telling import AUDIT, Block, Grid, Heading, Name
from cardbattle.show.words import (
    Piece,
    blocks_for,
    circumstances,
    commanded_by,
    credit,
    fought_by,
    is_bare,
    is_brief,
    losses,
    names_of,
    pieces,
    said,
    seed_text,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.core.telling import Parts
    from cardbattle.records.viewer import Report

TINTS = 6  # colours of the sides in style.css


def battle(report: Report, detail: int) -> str:
    """Return a battle as a page; the least detail leaves out the tale."""
    names = names_of(report)
    won, why = verdict(report)
    sides = [
        {
            "name": pieces([Name(seat)], names),
            "won": seat in report.winners,
            "score": report.scores[seat],
            "losses": losses(report.losses[seat]),
        }
        for seat in range(len(names))
    ]
    return render(
        "battle.html",
        title=said(fought_by(report), names),
        fought=pieces(fought_by(report), names),
        circumstances=pieces(circumstances(report), names),
        commanders=pieces(commanded_by(report), names),
        stretches=[] if is_brief(detail) else stretches(blocks_for(report, detail), names),
        audit=detail >= AUDIT,
        won=pieces(won, names),
        why=why,
        score_word=report.rules.score_word,
        sides=sides,
        seed=None if report.seed is None else seed_text(report.seed),
        credit=credit(report),
    )


def render(template: str, **facts: object) -> str:
    """Return a template of this room, filled; what a template names must be given."""
    return environment().get_template(template).render(tints=TINTS, **facts)


@cache
def environment() -> Environment:
    """Return the templates; every text that goes into one is escaped."""
    return Environment(
        loader=PackageLoader("cardbattle.show", "html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def stretches(blocks: Sequence[Block], names: list[str]) -> list[dict[str, object]]:
    """Return the tale as the template has it: each heading with the blocks under it."""
    found: list[dict[str, object]] = []
    under: list[dict[str, object]] = []
    for block in blocks:
        if isinstance(block, Heading) or not found:
            under = []
            found.append({"blocks": under, **heading(block, names)})
        if not isinstance(block, Heading):
            under.append(picture(block, names) if isinstance(block, Grid) else {
                "line": pieces(block.parts, names), "rule": block.rule
            })  # fmt: skip
    return found


def heading(block: Block, names: list[str]) -> dict[str, object]:
    """Return a heading as the template has it; empty where the tale begins without one."""
    if isinstance(block, Heading):
        return {"heading": pieces(block.parts, names), "remark": pieces(block.remark, names)}
    return {"heading": [], "remark": []}


def picture(grid: Grid, names: list[str]) -> dict[str, object]:
    """Return a grid as the template has it; columns of cards and numbers stand to the right."""

    def cells(row: list[Parts]) -> list[list[Piece]]:
        return [pieces(cell, names) for cell in row]

    right = [n > 0 and all(is_bare(row[n]) for row in grid.rows) for n in range(len(grid.head))]
    return {"head": cells(grid.head), "rows": [cells(row) for row in grid.rows], "right": right}
