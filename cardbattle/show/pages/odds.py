"""The page of the command `odds`: how often each side wins, and its average points, score and losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.grammar import with_keys
from cardbattle.core.names import clean
from cardbattle.show.battle_text import credits_of
from cardbattle.show.document import (
    FAINT,
    STRONG,
    Bar,
    Document,
    Numbers,
    Paragraph,
    Side,
    Span,
    Table,
    Title,
)
from cardbattle.simulation.odds import COLUMNS

if TYPE_CHECKING:
    from cardbattle.show.document import Cell, Content, Word, Words
    from cardbattle.simulation.intervals import Interval
    from cardbattle.simulation.odds import Odds, Spread

STOPPED = {
    "count": "target reached",
    "precision": "precision reached",
    "limit": "limit of battles or time reached; use -n to count more",
    "interrupted": "interrupted",
    "exact": "exact, because nothing is left to chance",
}
BARS = 30


def outcomes(odds: Odds) -> list[tuple[str, int, Interval]]:
    """Return a tuple (outcome, seat, frequency) for each outcome. A drawn battle has the seat -1."""
    rows = []
    for seat in range(len(odds.plan.sides)):
        rows.append(("won", seat, odds.won(seat)))
        if odds.counted.shared[seat]:
            rows.append(("shared", seat, odds.times_shared(seat)))
    return [*rows, ("drawn", -1, odds.times_drawn())]


def per_cent(share: float) -> str:
    """Format a share with one decimal, such as 42.6%."""
    return f"{100 * share:.1f}%"


def bounds_text(interval: Interval) -> str:
    if interval.low == interval.high:
        return "exactly"
    return f"{per_cent(interval.low)} to {per_cent(interval.high)}"


def spread_text(value: Spread, scale: int = 1, digits: int = 1) -> str:
    """Format a mean with its standard deviation."""
    return f"{value.mean * scale:.{digits}f} +- {value.sd * scale:.{digits}f}"


def odds_heading(odds: Odds) -> str:
    """Return a phrase that says how many battles were simulated, and why the simulation ended."""
    battles = odds.counted.battles
    return (
        f"{odds.plan.rules.name}, seed {clean(str(odds.plan.seed))}: {battles} battle{'s' * (battles != 1)}, "
        f"{STOPPED[odds.stopped]}"
    )


def odds_page(odds: Odds) -> Document:

    blocks: list[Content] = [
        Title(odds_heading(odds)),
        Paragraph(commanders_words(odds)),
        chances_table(odds),
        sides_table(odds),
        Paragraph(example_words(odds), facts=[f"example seed {odds.example.seed}"]),
    ]
    if odds.best_play:
        blocks.append(best_play_words(odds))
    blocks += [Paragraph(line, FAINT) for line in credits_of([odds.plan.rules])]
    return Document(odds_heading(odds), blocks, odds_json(odds), Numbers(COLUMNS, odds.table()))


def commanders_words(odds: Odds) -> Words:
    parts: list[Word] = ["Commanders: "]
    for seat, (side, played) in enumerate(zip(side_names(odds), odds.plan.sides, strict=True)):
        parts += [", " if seat else "", side, f" {played.commander}"]
    return [*parts, "."]


def side_names(odds: Odds) -> list[Side]:
    keys = odds.plan.setup.seats
    names = with_keys([side.noun for side in odds.plan.sides], keys)
    return [Side(name, key, seat) for seat, (name, key) in enumerate(zip(names, keys, strict=True))]


def chances_table(odds: Odds) -> Table:
    sides, keys = side_names(odds), odds.plan.setup.seats
    body: list[list[Cell]] = []
    facts = []
    for outcome, seat, interval in outcomes(odds):
        label: Words = [sides[seat], f" {outcome}"] if seat >= 0 else "nobody wins"
        share, bounds = per_cent(interval.share), bounds_text(interval)
        bar = Bar(round(BARS * interval.share), is_trace=bool(interval.hits), tint=seat)
        body.append([label, Span(share, STRONG), bounds, bar])
        facts.append(f"{f'{keys[seat]} {outcome}' if seat >= 0 else 'nobody wins'} {share} ({bounds})")
    return Table(["", "share", "95%", ""], body, (1, 2), facts)


def sides_table(odds: Odds) -> Table:
    """Return a table of each side's average points, score and losses."""
    body: list[list[Cell]] = []
    facts = []
    for seat, (side, key) in enumerate(zip(side_names(odds), odds.plan.setup.seats, strict=True)):
        losses = f"{spread_text(odds.losses(seat), 100, 0)}%"
        body.append([side, f"{odds.points(seat):.3f}", spread_text(odds.score(seat)), losses])
        facts.append(f"{key} points {odds.points(seat):.4f}")
        facts.append(f"{key} score {spread_text(odds.score(seat), digits=3)}")
        facts.append(f"{key} losses {spread_text(odds.losses(seat), digits=4)}")
    return Table(["", "points", "score", "losses"], body, (1, 2, 3), facts)


def example_words(odds: Odds) -> list[Word]:
    parts: list[Word] = [f"A typical battle (seed {odds.example.seed}) ends "]
    for seat, (side, score) in enumerate(zip(side_names(odds), odds.example.scores, strict=True)):
        parts += [", " if seat else "", side, f" {score}"]
    return [*parts, "."]


def best_play_words(odds: Odds) -> Paragraph:
    parts: list[Word] = ["Best play by all sides: "]
    for seat, (side, share) in enumerate(zip(side_names(odds), odds.best_play, strict=True)):
        parts += [", " if seat else "", side, f" {per_cent(share)}"]
    facts = [
        f"{key} best play {share:.4f}"
        for key, share in zip(odds.plan.setup.seats, odds.best_play, strict=True)
    ]
    return Paragraph([*parts, " of the points (solved exactly)."], facts=facts)


def interval_table(interval: Interval) -> dict[str, object]:
    return {"count": interval.hits, "share": interval.share, "low": interval.low, "high": interval.high}


def odds_json(odds: Odds) -> dict[str, object]:
    sides: dict[str, object] = {}
    for seat, key in enumerate(odds.plan.setup.seats):
        sides[key] = {
            "won": interval_table(odds.won(seat)),
            "shared": interval_table(odds.times_shared(seat)),
            "points": odds.points(seat),
            "score": odds.score(seat)._asdict(),
            "losses": odds.losses(seat)._asdict(),
        }
    table: dict[str, object] = {
        "schema": 1,
        "rules": odds.plan.rules.key,
        "seed": odds.plan.seed,
        "battles": odds.counted.battles,
        "stopped": odds.stopped,
        "drawn": interval_table(odds.times_drawn()),
        "sides": sides,
        "example": odds.example.table,
    }
    if odds.best_play:
        table["best_play"] = dict(zip(odds.plan.setup.seats, odds.best_play, strict=True))
    return table
