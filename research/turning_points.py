"""Check turning points of the sample campaigns with many battles from each position.

Usage: `python -m research.turning_points [BATTLES] [JOBS]`, from the repository, by default 5000 and 2.

Prints two Markdown tables. The first has the marks of version 0.1, which compared 40 battles from every few
moves, each with its own random numbers. The second has the turning points of
`cardbattle.simulation.turning_points`. The counted chances come from other battles than those that found the
turning points. All chances are those of the winner; a battle with several winners keeps the marked side. The
interval is the 95 % interval of the difference.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.visible_steps import VisibleStep, steps_seen
from cardbattle.core.battle import NOBODY
from cardbattle.files.toml import read_toml
from cardbattle.simulation.counting import WHOLE, points_from
from cardbattle.simulation.turning_points import (
    DECIDED,
    LEAST_CHANGE,
    Change,
    change_of,
    result_of,
    turning_points,
)

CAMPAIGNS = Path("campaigns")
DEFAULTS = ("5000", "2")  # battles, jobs
CHECK = "check of turning points"  # the path of the streams


class OldMark(NamedTuple):
    """A turning point of version 0.1: the moves from `first` to `last` changed the chance of a seat."""

    campaign: str
    battle: str
    first: int
    last: int
    seat: int
    before: float
    after: float


OLD_MARKS = (
    OldMark("back-room-league", "w1-spies-odd", 28, 29, 0, 0.500, 1.000),
    OldMark("back-room-league", "w1-thirteen-crate", 32, 33, 0, 0.100, 1.000),
    OldMark("back-room-league", "w1-thirteen-crate", 34, 35, 1, 0.000, 1.000),
    OldMark("back-room-league", "w1-thirteen-crate", 40, 41, 1, 0.575, 1.000),
    OldMark("back-room-league", "w2-crate-spies", 25, 26, 0, 0.225, 0.000),
    OldMark("back-room-league", "w2-gate-thirteen", 10, 11, 1, 0.650, 0.300),
    OldMark("back-room-league", "w3-mortars-crate", 6, 7, 0, 0.600, 0.875),
    OldMark("back-room-league", "w3-odd-gate", 29, 29, 0, 0.325, 0.000),
    OldMark("back-room-league", "w4-thirteen-mortars", 30, 31, 0, 0.000, 0.200),
    OldMark("back-room-league", "w4-thirteen-mortars", 32, 34, 0, 0.200, 0.000),
    OldMark("four-noons", "d1-bridge", 32, 34, 0, 0.325, 0.700),
    OldMark("four-noons", "d1-bridge", 80, 86, 0, 0.975, 1.000),
    OldMark("four-noons", "d1-orrery", 5, 6, 1, 0.100, 0.425),
    OldMark("four-noons", "d1-orrery", 35, 36, 3, 0.525, 1.000),
    OldMark("four-noons", "d2-gnomon", 1, 5, 1, 0.025, 0.250),
    OldMark("four-noons", "d2-gnomon", 13, 13, 1, 0.300, 0.725),
    OldMark("four-noons", "d3-market", 8, 12, 0, 0.375, 0.775),
    OldMark("four-noons", "d3-market", 32, 43, 0, 0.975, 1.000),
    OldMark("the-marches-1403", "t1-ellesmere", 18, 18, 0, 0.938, 1.000),
    OldMark("the-marches-1403", "t1-malpas", 5, 5, 0, 0.050, 0.312),
    OldMark("the-marches-1403", "t1-malpas", 14, 14, 1, 0.738, 0.988),
    OldMark("the-marches-1403", "t3-carmarthen", 10, 10, 1, 0.062, 0.475),
    OldMark("the-marches-1403", "t3-carmarthen", 19, 19, 0, 0.650, 0.963),
    OldMark("the-marches-1403", "t3-carmarthen", 20, 20, 1, 0.037, 0.000),
)


class Span(NamedTuple):
    """A change to check: the seat whose chance it is, the steps before and after it, and its old chances."""

    file: str
    words: str
    seat: int
    claim: str
    before: int  # index of a step
    after: int


class Checked(NamedTuple):
    """A span with its chances, from 0 to 1, and the change between them."""

    span: Span
    before: float
    after: float
    change: Change

    @property
    def verdict(self) -> str:
        """Return why it is a turning point, or why it is not."""
        if abs(self.change.mean) <= self.change.half_width:
            return "noise"
        if abs(self.change.mean) + self.change.half_width < LEAST_CHANGE:
            return "below 10 points"
        if self.change.mean > 0 and self.before > DECIDED:
            return "forced end"
        return "true" if abs(self.change.mean) - self.change.half_width >= LEAST_CHANGE else "about 10 points"


def record_of(file: str) -> Record:
    """Return a record of the sample campaigns."""
    return read_record(read_toml(str(CAMPAIGNS / file)).data)


def viewer_of(record: Record) -> int | None:
    """Return whose knowledge the umpire's chances use."""
    return NOBODY if record.rules.redeals_by_view(record.setup) else None


def old_spans() -> Iterator[Span]:
    """Yield the marks of version 0.1 as spans of steps."""
    for mark in OLD_MARKS:
        file = f"{mark.campaign}/records/{mark.battle}.toml"
        record = record_of(file)
        steps = list(steps_seen(record, None))
        before, after = step_by(steps, mark.first - 1), step_by(steps, mark.last)
        moves = f"moves {mark.first} to {mark.last}" if mark.last > mark.first else f"move {mark.last}"
        yield Span(file, f"{moves}: {steps[after].words}", *winners_claim(record, mark), before, after)


def winners_claim(record: Record, mark: OldMark) -> tuple[int, str]:
    """Return the winner's seat, and the chances that a mark claims for it, in per cent."""
    seats, winners = range(len(record.sides)), record.winning_seats
    if len(winners) != 1 or winners == [mark.seat]:
        return mark.seat, f"{100 * mark.before:.0f} -> {100 * mark.after:.0f}"
    if len(seats) == 2:
        return winners[0], f"{100 - 100 * mark.before:.0f} -> {100 - 100 * mark.after:.0f}"
    return winners[0], f"side {mark.seat + 1}: {100 * mark.before:.0f} -> {100 * mark.after:.0f}"


def step_by(steps: list[VisibleStep], moves: int) -> int:
    """Return the index of the last step with at most this many moves; 0 if there is none."""
    return max((at for at, step in enumerate(steps) if step.moves <= moves), default=0)


def new_spans(file: str) -> list[Span]:
    """Return the turning points of a record as spans of one step."""
    return [
        Span(
            file, turn.place, turn.side, f"{turn.before / 10:.0f} -> {turn.after / 10:.0f}",
            turn.step - 2, turn.step - 1,
        )
        for turn in turning_points(record_of(file))
    ]  # fmt: skip


def check(span: Span, battles: int) -> Checked:
    """Fight battles from both positions of a span, with the same random numbers."""
    record = record_of(span.file)
    steps = list(steps_seen(record, None))
    before, after = (points_at(record, steps, at, battles) for at in (span.before, span.after))
    return Checked(
        span, mean_of(before, span.seat), mean_of(after, span.seat),
        change_of(span.seat, before, after),
    )  # fmt: skip


def points_at(record: Record, steps: list[VisibleStep], at: int, battles: int) -> list[list[int]]:
    """Return the points of battles from the position after a step; after the last, the result."""
    if at == len(steps) - 1:
        return [result_of(record)] * battles
    step = steps[at]
    return points_from(step.battle, record.rules, viewer_of(record), CHECK, step.choices, 0, battles)[0]


def mean_of(points: list[list[int]], seat: int) -> float:
    """Return a seat's share of the points."""
    return sum(row[seat] for row in points) / WHOLE / len(points)


def print_table(title: str, rows: list[Checked]) -> None:
    """Print a Markdown table of checked changes."""
    print(f"\n## {title}\n\n| battle | where | claimed % | counted % | change | verdict |\n|" + 6 * "---|")
    for row in rows:
        battle = row.span.file.partition("/records/")[2].removesuffix(".toml")
        change = f"{100 * row.change.mean:+.1f} ± {100 * row.change.half_width:.1f}"
        counted = f"{100 * row.before:.1f} -> {100 * row.after:.1f}"
        print(f"| {battle} | {row.span.words} | {row.span.claim} | {counted} | {change} | {row.verdict} |")


def main() -> None:
    """Print both tables."""
    battles, jobs = map(int, [*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :]])
    files = sorted(str(path.relative_to(CAMPAIGNS)) for path in CAMPAIGNS.glob("*/records/*.toml"))
    with ProcessPoolExecutor(jobs) as workers:
        old = list(old_spans())
        checked = list(workers.map(check, old, [battles] * len(old)))
        print_table(f"{len(old)} marks of version 0.1, {battles:,} battles per position", checked)
        new = [span for spans in workers.map(new_spans, files) for span in spans]
        checked = list(workers.map(check, new, [battles] * len(new)))
        print_table(f"{len(new)} turning points, {battles:,} battles per position", checked)


if __name__ == "__main__":
    main()
