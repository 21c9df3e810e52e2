"""The chances of a battle: a bar chart in the terminal, plain lines, JSON, CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from rich.text import Text

from cardbattle.chances.odds import Interval, Odds, Spread
from cardbattle.core.names import clean
from cardbattle.show.cards import can_hold
from cardbattle.show.console import fitted, name_fitted
from cardbattle.show.layout import padded, table, wrapped, write
from cardbattle.show.words import credits_of

if TYPE_CHECKING:
    from rich.console import Console

STOPPED = {
    "count": "as many as were asked for",
    "precision": "until every interval was narrow enough",
    "limit": "the limit of number or time; -n counts on",
    "interrupted": "interrupted, what was counted stands",
    "exact": "exact, as nothing in it is left to chance",
}
BARS = 30


def rows(odds: Odds) -> list[tuple[str, int, Interval]]:
    """Return what can happen, by seat (-1: nobody wins), with how often; nothing that never did."""
    found = []
    for seat in range(len(odds.plan.sides)):
        found.append(("won", seat, odds.won(seat)))
        if odds.counted.shared[seat]:
            found.append(("shared", seat, odds.shared(seat)))
    return [*found, ("drawn", -1, odds.drawn())]


def per_cent(share: float) -> str:
    """Return a share in per cent with one decimal."""
    return f"{100 * share:.1f}"


def between(interval: Interval) -> str:
    """Return the bounds of an interval in per cent."""
    if interval.low == interval.high:
        return "exactly"
    return f"{per_cent(interval.low)} to {per_cent(interval.high)}"


def spread_text(value: Spread, scale: int = 1, digits: int = 1) -> str:
    """Return mean and standard deviation."""
    return f"{value.mean * scale:.{digits}f} +- {value.sd * scale:.{digits}f}"


def heading(odds: Odds) -> str:
    """Return how many battles were counted, and why no more."""
    battles = odds.counted.battles
    return (
        f"{odds.plan.rules.name}, seed {clean(str(odds.plan.seed))}: {battles} battle{'s' * (battles != 1)}, "
        f"{STOPPED[odds.stopped]}"
    )


def names_in(odds: Odds, console: Console) -> list[str]:
    """Return the sides' names in letters the console can write."""
    pairs = zip(odds.plan.sides, odds.plan.setup.seats, strict=True)
    return [name_fitted(side.name, key, console.encoding) for side, key in pairs]


def text(odds: Odds, console: Console) -> None:
    """Print the chances as a table with bars."""
    names = names_in(odds, console)
    mark = "█" if can_hold("█", console.encoding) else "#"
    write(wrapped(Text(fitted(heading(odds), console.encoding), "bold"), console.width, console), console)
    body = []
    for what, seat, interval in rows(odds):
        bar = mark * round(BARS * interval.share) or ("." if interval.hits else "")
        label = Text(f"{names[seat]} {what}" if seat >= 0 else "nobody wins")
        body.append([label, Text(f"{per_cent(interval.share)}%", "bold"), Text(between(interval)), Text(bar)])
    head = [Text(), Text("share"), Text("95%"), Text()]
    lines = table(head, body, [False, True, True, False], console.width, console)
    write([Text(), *lines, Text()], console)
    sides = []
    for seat, name in enumerate(names):
        losses = f"{spread_text(odds.losses(seat), 100, 0)} %"
        sides.append(
            [Text(name), Text(f"{odds.points(seat):.3f}"), Text(spread_text(odds.score(seat))), Text(losses)]
        )
    head = [Text(), Text("points"), Text("score"), Text("losses")]
    write(table(head, sides, [False, True, True, True], console.width, console), console)
    example = odds.example
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, example.scores, strict=True))
    told = f"A battle near the mean: seed {example.seed} ends {scores}."
    write([Text(), *wrapped(padded(Text(told), 0), console.width, console)], console)
    if odds.best_play:
        shares = ", ".join(
            f"{name} {per_cent(share)} %" for name, share in zip(names, odds.best_play, strict=True)
        )
        told = f"If all played their best: {shares} of the points (solved, good to about 0.2)."
        write(wrapped(padded(Text(told), 0), console.width, console), console)
    for line in credits_of([odds.plan.rules]):
        write(wrapped(Text(fitted(line, console.encoding), "dim"), console.width, console), console)


def plain(odds: Odds) -> str:
    """Return the chances with one fact per line."""
    keys = odds.plan.setup.seats
    lines = [heading(odds)]
    for what, seat, interval in rows(odds):
        who = keys[seat] if seat >= 0 else "nobody wins"
        word = f"{who} {what}" if seat >= 0 else who
        lines.append(f"{word} {per_cent(interval.share)}% ({between(interval)})")
    for seat, key in enumerate(keys):
        lines.append(f"{key} points {odds.points(seat):.4f}")
        lines.append(f"{key} score {spread_text(odds.score(seat), digits=3)}")
        lines.append(f"{key} losses {spread_text(odds.losses(seat), digits=4)}")
    lines.append(f"example seed {odds.example.seed}")
    for key, share in zip(keys, odds.best_play, strict=False):
        lines.append(f"{key} best play {share:.4f}")
    lines += credits_of([odds.plan.rules])
    return "\n".join(lines) + "\n"


def interval_table(interval: Interval) -> dict[str, object]:
    """Return an interval as JSON has it."""
    return {"count": interval.hits, "share": interval.share, "low": interval.low, "high": interval.high}


def json(odds: Odds) -> dict[str, object]:
    """Return the chances as JSON has them; the only floats in all output."""
    sides: dict[str, object] = {}
    for seat, key in enumerate(odds.plan.setup.seats):
        sides[key] = {
            "won": interval_table(odds.won(seat)),
            "shared": interval_table(odds.shared(seat)),
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
        "drawn": interval_table(odds.drawn()),
        "sides": sides,
        "example": odds.example.table,
    }
    if odds.best_play:
        table["best_play"] = dict(zip(odds.plan.setup.seats, odds.best_play, strict=True))
    return table


def as_csv(odds: Odds) -> str:
    """Return the chances as a table for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["side", "outcome", "count", "share", "low", "high"])
    for what, seat, interval in rows(odds):
        key = odds.plan.setup.seats[seat] if seat >= 0 else ""
        writer.writerow([key, what, *interval])
    return out.getvalue()
