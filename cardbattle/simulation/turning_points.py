"""The curve of a battle's chances and its turning points, as one reader could know them.

From the position after each step that the reader saw, regular commanders finish the battle many times. Each
time the cards that the reader could not know are dealt again. The umpire's chances are those of the public,
who sees the events but no hidden card. If a rule set cannot redeal for the public, the umpire's chances use
the actual cards.

A turning point is a step that changes the winner's chance by at least 10 points. Both positions are simulated
with the same random numbers (common random numbers), until the 95 % interval of the change is narrower than
5 points. A rise from over 90 % does not count, because the battle was already decided. The three largest
turning points are kept, in order.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.battles.records.visible_steps import VisibleStep, steps_seen
from cardbattle.core.battle import NOBODY
from cardbattle.core.errors import CardbattleError
from cardbattle.simulation.counting import WHOLE, points_from
from cardbattle.simulation.intervals import Z

PATH = "turning points"  # path of the random streams; they do not depend on hidden information
LEAST_CHANGE = 0.1  # minimum change of the winner's chance
WIDEST = 0.05  # the 95 % interval of a change
DECIDED = 0.9  # a higher chance means that the battle is decided
MOST_TURNING_POINTS = 3
FIRST = 128  # initial number of battles from each position
CLOSER = 256  # battles from a position before the search moves to positions between it and the next
COARSE = 33  # initial positions
GROWTH = 4  # largest factor by which the number of battles grows in one round

Progress = Callable[[int, int], None]
"""Called with the battles fought so far and the expected number."""


class CurvePoint(NamedTuple):
    """The chances after a step.

    Attributes:
        step: number of the step, from 1, as the reader counts.
        moves: moves up to it, as the reader counts (`reader_view.visible_events`).
        events: number of events up to it that the reader saw, as in `Report.events`.
        chances: of each seat to win, in permille.

    """

    step: int
    moves: int
    events: int
    chances: list[int]


class TurningPoint(NamedTuple):
    """A step that changed the winner's chance.

    Attributes:
        step: number of the step, from 1, as the reader counts.
        move: moves up to it, as the reader counts.
        events: number of events up to it that the reader saw.
        side: the seat whose chance it is: the winner.
        before, after: its chance, in permille.
        words: the place in the rule set's words, such as "space 1, second special".

    """

    step: int
    move: int
    events: int
    side: int
    before: int
    after: int
    words: str

    @property
    def place(self) -> str:
        """Where it is, such as "step 7 (space 1, fourth special)"."""
        return f"step {self.step} ({self.words})" if self.words else f"step {self.step}"


class Curve(NamedTuple):
    """The chances of a battle, step by step; no points if the reader's chances cannot be counted.

    `points` are the steps that were examined, the last one certain. `battles` is the least number of battles
    from a position.
    """

    points: list[CurvePoint]
    turning_points: list[TurningPoint]
    battles: int


NO_CURVE = Curve([], [], 0)


def unheard(fought: int, expected: int) -> None:
    """Ignore the progress."""


def curve(record: Record, reader: int | None = None, *, progress: Progress = unheard) -> Curve:
    """Return the chances of a battle as a reader could know them.

    `reader` is a seat, -1 for the public, or None for the umpire. The curve is empty if the record does not
    replay, if it needs unrecorded cards, or if the rule set cannot redeal for the reader.
    """
    is_by_view = record.rules.redeals_by_view(record.setup)
    if reader is not None and not is_by_view:
        return NO_CURVE
    viewer = reader if reader is not None or not is_by_view else NOBODY
    try:
        steps = list(steps_seen(record, reader))
        return CurveCount(record, steps, viewer, progress).curve() if steps else NO_CURVE
    except CardbattleError:
        return NO_CURVE


def turning_points(
    record: Record, reader: int | None = None, *, progress: Progress = unheard
) -> list[TurningPoint]:
    """Return the turning points of a battle for a reader, in order; see `curve`."""
    return curve(record, reader, progress=progress).turning_points


class Change(NamedTuple):
    """The change of a seat's chance between two positions, from 0 to 1, and half of its 95 % interval."""

    seat: int
    mean: float
    half_width: float

    @property
    def can_turn(self) -> bool:
        """Return True if the change can be large enough."""
        return abs(self.mean) + self.half_width >= LEAST_CHANGE

    @property
    def is_known(self) -> bool:
        """Return True if the interval is narrow enough."""
        return 2 * self.half_width < WIDEST


class CurveCount:
    """Counts the chances after a record's steps, with more battles where a turning point is possible.

    `viewer` is what `counting.points_from` takes.
    """

    def __init__(
        self, record: Record, steps: list[VisibleStep], viewer: int | None, progress: Progress
    ) -> None:
        self.record = record
        self.steps = steps
        self.viewer = viewer
        self.progress = progress
        self.points: dict[
            int, list[list[int]]
        ] = {}  # by index of the step, then by run: the points of each seat
        self.fought = 0

    def curve(self) -> Curve:
        """Return the curve."""
        looked = spread_out(len(self.steps), COARSE)
        for at in looked:
            self.count(at, FIRST)
        for first, last in pairwise(looked):
            self.look_closer(first, last)
        while open_steps := [
            last for last in self.leading_steps() if not self.change(last - 1, last).is_known
        ]:
            for last in open_steps:
                self.narrow(last - 1, last)
        self.progress(self.fought, self.fought)
        points = [
            CurvePoint(step.number, step.moves, step.events, self.chances(at))
            for at, step in enumerate(self.steps)
            if at in self.points
        ]
        return Curve(points, self.turning_points(), min(map(len, self.points.values())))

    def look_closer(self, first: int, last: int) -> None:
        """Count again, and at positions in between, if a turning point is possible between two steps."""
        if not self.change(first, last).can_turn:
            return
        self.count(first, CLOSER)
        self.count(last, CLOSER)
        if last - first > 1 and self.change(first, last).can_turn:
            middle = (first + last) // 2
            self.count(middle, FIRST)
            self.look_closer(first, middle)
            self.look_closer(middle, last)

    def leading_steps(self) -> list[int]:
        """Return up to three steps with the largest changes since the step before, of those that can turn."""
        changes = {
            last: self.change(first, last)
            for first, last in pairwise(sorted(self.points))
            if last == first + 1 and not self.is_forced(first, last)
        }
        steps = [last for last, change in changes.items() if change.can_turn]
        return sorted(steps, key=lambda last: (-abs(changes[last].mean), last))[:MOST_TURNING_POINTS]

    def is_forced(self, first: int, last: int) -> bool:
        """Return True if a change only confirms a battle that was already decided."""
        change = self.change(first, last)
        return change.mean > 0 and self.chances(first)[change.seat] > 1000 * DECIDED

    def narrow(self, first: int, last: int) -> None:
        """Fight enough battles from two positions to narrow the interval of the change between them."""
        runs = min(len(self.points[first]), len(self.points[last]))
        excess = 2 * self.change(first, last).half_width / WIDEST
        wanted = min(GROWTH * runs, int(runs * excess * excess * 1.05) + 1)
        self.count(first, wanted)
        self.count(last, wanted)

    def count(self, at: int, battles: int) -> None:
        """Fight battles from a position until it has this number."""
        points = self.points.setdefault(at, [])
        step, done = self.steps[at], len(points)
        if at == len(self.steps) - 1:
            points += [result_of(self.record)] * (battles - done)
            return
        points += points_from(
            step.battle, self.record.rules, self.viewer, PATH, step.choices, done, max(done, battles)
        )
        self.fought += max(0, battles - done)
        self.progress(self.fought, self.expected())

    def expected(self) -> int:
        """Return the expected number of battles, at least those fought."""
        return max(self.fought, 2 * FIRST * min(COARSE, len(self.steps)))

    def chances(self, at: int) -> list[int]:
        """Return the chances after a step, in permille."""
        points = self.points[at]
        return [round(1000 * sum(column) / WHOLE / len(points)) for column in zip(*points, strict=True)]

    def change(self, first: int, last: int) -> Change:
        """Return the change of the winner's chance; without one winner, the largest change."""
        winners = self.record.winning_seats
        seats = winners if len(winners) == 1 else range(len(self.record.sides))
        changes = [change_of(seat, self.points[first], self.points[last]) for seat in seats]
        return max(changes, key=lambda change: (abs(change.mean), change.mean))

    def turning_points(self) -> list[TurningPoint]:
        """Return the turning points, in order, once the leading changes are known."""
        return [
            self.turning_point(last)
            for last in sorted(self.leading_steps())
            if abs(self.change(last - 1, last).mean) >= LEAST_CHANGE
        ]

    def turning_point(self, last: int) -> TurningPoint:
        """Return the turning point at a step."""
        step, seat = self.steps[last], self.change(last - 1, last).seat
        before, after = self.chances(last - 1)[seat], self.chances(last)[seat]
        return TurningPoint(step.number, step.moves, step.events, seat, before, after, step.words)


def result_of(record: Record) -> list[int]:
    """Return the points of each seat in 2520ths, as `counting.points_from` counts them."""
    seats = range(len(record.sides))
    winners = record.winning_seats or list(seats)
    return [WHOLE // len(winners) if seat in winners else 0 for seat in seats]


def change_of(seat: int, before: list[list[int]], after: list[list[int]]) -> Change:
    """Return the change of a seat's chance in the runs that both positions have, paired by run.

    A variance below 1 / runs is raised to it, because a few runs without a difference prove little.
    """
    differences = [(new[seat] - old[seat]) / WHOLE for old, new in zip(before, after, strict=False)]
    runs = len(differences)
    mean = sum(differences) / runs
    variance = sum(difference * difference for difference in differences) / runs - mean * mean
    return Change(seat, mean, Z * sqrt(max(variance, 1 / runs) / runs))


def spread_out(count: int, most: int) -> list[int]:
    """Return at most `most` (from 2) evenly spread numbers below `count`, with the first and the last.

    >>> spread_out(5, 10), spread_out(101, 5)
    ([0, 1, 2, 3, 4], [0, 25, 50, 75, 100])
    """
    if count <= most:
        return list(range(count))
    return [place * (count - 1) // (most - 1) for place in range(most)]
