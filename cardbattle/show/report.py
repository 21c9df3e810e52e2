"""A campaign's report for its players: how it stands and what happened, as Markdown or a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.standings import standings
from cardbattle.core.names import clean
from cardbattle.show.campaign import battle_line, battle_notes, entry_line, forces, places
from cardbattle.show.markdown import escaped
from cardbattle.show.page import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.ledger import Ledger
    from cardbattle.campaign.operations import CampaignFile


class Section(NamedTuple):
    """A part of a report: a table with a head, or without one a paragraph for each row, or lines to copy."""

    title: str
    head: list[str]
    rows: list[list[str]]
    is_code: bool = False


def sections(books: CampaignFile, ledger: Ledger) -> list[Section]:
    """Return the report's parts that have something to say."""
    campaign = books.campaign
    table = [
        [str(one.place), one.name, str(one.points), str(one.strength), str(one.value)]
        for one in standings(campaign)
    ]
    pending = [
        [
            " ".join(
                f"{battle_line(campaign, battle)}. {'. '.join(battle_notes(campaign, battle, {}))}".split()
            )
        ]
        for battle in campaign.pending
    ]
    gone = ledger.taken_back
    operations = [
        [entry_line(campaign, entry, entry.revision in gone)] for entry in ledger.entries[: ledger.settled]
    ]
    found = [
        Section("Standings", ["", "faction", "points", "strength", "places"], table),
        Section("Forces", ["force", "faction", "strength", "commander", "at"], forces(campaign)),
        Section("Places", ["place", "owner", "value"], places(campaign)),
        Section("Pending battles", [], pending),
        Section("What happened", [], operations),
    ]
    return [section for section in found if section.rows]


def markdown(title: str, parts: Sequence[Section]) -> str:
    """Return a report as Markdown."""
    lines = [f"# {escaped(title)}"]
    for section in parts:
        lines += ["", *([f"## {section.title}", ""] if section.title else [])]
        if section.is_code:
            lines += ["```toml", *(clean(row[0]) for row in section.rows), "```"]
        elif section.head:
            lines += [row_of(section.head), row_of(["---"] * len(section.head))]
            lines += [row_of([escaped(cell) for cell in row]) for row in section.rows]
        else:
            lines += [f"- {escaped(row[0])}" for row in section.rows]
    return "\n".join([*lines, ""])


def row_of(cells: list[str]) -> str:
    """Return one row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def plain(title: str, parts: Sequence[Section]) -> str:
    """Return a report without any markup, a fact in each line."""
    lines = [title]
    for section in parts:
        lines += ["", *([section.title] if section.title else [])]
        for row in section.rows:
            told = (f"{head} {cell}" if head else cell for head, cell in zip(section.head, row, strict=True))
            lines.append(", ".join(told) if section.head else row[0])
    return "".join(f"{clean(line)}\n" for line in lines)


def page(title: str, parts: Sequence[Section]) -> str:
    """Return a report as an HTML page that needs nothing else."""
    cleaned = [part._replace(rows=[[clean(cell) for cell in row] for row in part.rows]) for part in parts]
    return render("chronicle.html", title=clean(title), sections=cleaned)
