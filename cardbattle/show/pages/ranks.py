"""The page of `odds --ranks`: the odds of a battle with commanders of several ranks, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.names import clean
from cardbattle.show.battle_text import credits_of
from cardbattle.show.document import FAINT, Document, Numbers, Paragraph, Table, Title
from cardbattle.show.pages.odds import STOPPED, bounds_text, odds_json, per_cent, side_names
from cardbattle.simulation.odds import COLUMNS
from cardbattle.simulation.ranks import greatest_gap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardbattle.show.document import Cell, Content, Words
    from cardbattle.simulation.intervals import Interval
    from cardbattle.simulation.odds import Odds


def ranks_page(by_rank: Mapping[str, Odds]) -> Document:

    first = next(iter(by_rank.values()))
    heading = f"{first.plan.rules.name}, seed {clean(str(first.plan.seed))}: all commanders of the same rank"
    blocks: list[Content] = [
        Title(heading),
        shares_table(by_rank),
        gap_words(by_rank),
        *(Paragraph(line, FAINT) for line in credits_of([first.plan.rules])),
    ]
    rows = [{"rank": rank, **row} for rank, odds in by_rank.items() for row in odds.table()]
    data = {
        "schema": 1,
        "rules": first.plan.rules.key,
        "seed": first.plan.seed,
        "ranks": {rank: odds_json(odds) for rank, odds in by_rank.items()},
    }
    return Document(heading, blocks, data, Numbers(("rank", *COLUMNS), rows))


def shares_table(by_rank: Mapping[str, Odds]) -> Table:
    """Tabulate the outcomes, a column for each rank."""
    first = next(iter(by_rank.values()))
    sides = side_names(first)
    rows: list[tuple[Words, str, list[Interval]]] = []
    for seat, (side, key) in enumerate(zip(sides, first.seats, strict=True)):
        rows.append(([side, " won"], f"{key} won", [odds.won(seat) for odds in by_rank.values()]))
        shared = [odds.times_shared(seat) for odds in by_rank.values()]
        if any(interval.hits for interval in shared):
            rows.append(([side, " shared"], f"{key} shared", shared))
    rows.append(("nobody wins", "nobody wins", [odds.times_drawn() for odds in by_rank.values()]))
    body: list[list[Cell]] = [[label, *map(share_with_width, intervals)] for label, _, intervals in rows]
    body.append(["battles", *(str(odds.battles) for odds in by_rank.values())])
    facts = [
        f"{rank}: {key} {per_cent(interval.share)} ({bounds_text(interval)})"
        for _, key, intervals in rows
        for rank, interval in zip(by_rank, intervals, strict=True)
    ]
    facts += [f"{rank}: {odds.battles} battles, {STOPPED[odds.stopped]}" for rank, odds in by_rank.items()]
    return Table(["all sides", *by_rank], body, range(1, len(by_rank) + 1), facts)


def share_with_width(interval: Interval) -> str:
    """Format a share with half the width of its interval, such as 42.6% +- 1.0."""
    if not interval.width:
        return per_cent(interval.share)
    return f"{per_cent(interval.share)} +- {100 * interval.width / 2:.1f}"


def gap_words(by_rank: Mapping[str, Odds]) -> Paragraph:
    """Say how much the rank of the commanders matters."""
    gap = greatest_gap(by_rank)
    side = side_names(next(iter(by_rank.values())))[gap.seat]
    if not gap.share:
        return Paragraph("The rank of the commanders makes no difference.")
    ends = [f"{per_cent(gap.low.share)} ({gap.low_rank})", f"{per_cent(gap.high.share)} ({gap.high_rank})"]
    chance = "; the difference may be chance" if gap.may_be_chance else ""
    return Paragraph(["The rank matters most for ", side, f": {' to '.join(ends)}{chance}."])
