"""Pages of the command `odds --compare`: the odds of a battle with several ranks or presets, side by side."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from cardbattle.core.names import clean
from cardbattle.core.options import presets_of
from cardbattle.show.battle_text import credits_of
from cardbattle.show.document import FAINT, Document, Numbers, Paragraph, Table, Title
from cardbattle.show.pages.odds import STOPPED, bounds_text, odds_json, per_cent, side_names
from cardbattle.simulation.intervals import wilson_bounds
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
        shares_table(by_rank, "all sides"),
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


def presets_page(by_preset: Mapping[str, Odds]) -> Document:
    """Show what each preset of house rules changes.

    The first odds in `by_preset` are those without a preset.
    """
    first = next(iter(by_preset.values()))
    rules = first.plan.rules
    heading = f"{rules.name}, seed {clean(str(first.plan.seed))}: by each preset of house rules"
    blocks: list[Content] = [Title(heading), shares_table(by_preset, "preset")]
    presets = presets_of(rules.house)
    for name, preset in presets.items():
        if name in by_preset:
            blocks.append(Paragraph(f"{name}: {preset.help}. {changes_words(first, by_preset[name])}"))
        else:
            blocks.append(Paragraph(f"{name}: {preset.help}. It changes nothing here."))
    blocks += [Paragraph(line, FAINT) for line in credits_of([rules])]
    rows = [{"preset": name, **row} for name, odds in by_preset.items() for row in odds.table()]
    data = {
        "schema": 1,
        "rules": rules.key,
        "seed": first.plan.seed,
        "presets": {name: odds_json(odds) for name, odds in by_preset.items()},
    }
    return Document(heading, blocks, data, Numbers(("preset", *COLUMNS), rows))


def changes_words(usual: Odds, odds: Odds) -> str:
    """Describe how a preset changes the first side's mean points.

    A win is 1 point. Sides that draw or share a win divide the point.

    The text includes the 95 % interval of the difference.
    """
    side = side_names(odds)[0].name
    change = 100 * (odds.points(0) - usual.points(0))
    width = 100 * sqrt(half_width(usual) ** 2 + half_width(odds) ** 2)
    if abs(change) <= width:
        return f"{side}'s points change by {change:+.1f} +- {width:.1f} in a hundred, which may be chance."
    return f"{side}'s points change by {change:+.1f} +- {width:.1f} in a hundred."


def half_width(odds: Odds) -> float:
    """Return half the 95 % interval of the first side's points."""
    low, high = wilson_bounds(odds.points(0), odds.battles)
    return (high - low) / 2


def shares_table(by_rank: Mapping[str, Odds], label_of_columns: str) -> Table:
    """Return a table of the outcomes that has a column for each rank or preset."""
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
    return Table([label_of_columns, *by_rank], body, range(1, len(by_rank) + 1), facts)


def share_with_width(interval: Interval) -> str:
    """Format a share with half the width of its 95 % interval, such as 42.6% +- 1.0."""
    if not interval.width:
        return per_cent(interval.share)
    return f"{per_cent(interval.share)} +- {100 * interval.width / 2:.1f}"


def gap_words(by_rank: Mapping[str, Odds]) -> Paragraph:
    """Return a paragraph that says how much the rank of the commanders matters."""
    gap = greatest_gap(by_rank)
    side = side_names(next(iter(by_rank.values())))[gap.seat]
    if not gap.share:
        return Paragraph("The rank of the commanders makes no difference.")
    ends = [f"{per_cent(gap.low.share)} ({gap.low_rank})", f"{per_cent(gap.high.share)} ({gap.high_rank})"]
    chance = "; the difference may be chance" if gap.may_be_chance else ""
    return Paragraph(["The rank matters most for ", side, f": {' to '.join(ends)}{chance}."])
