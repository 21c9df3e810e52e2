"""Compute the curve of a battle's chances and the battle's turning points for one reader.

The curve has each side's chance of winning after each step that the reader saw. To compute it, regular
commanders, the fast computer players of the rule set, finish the battle many times after each step. Each
time, the cards that the reader could not know are dealt again. If the reader is the umpire, the chances are
those of the public, which sees the events but no hidden cards. If a rule set cannot deal hidden cards again
for the public, the umpire's chances use the actual cards.

A turning point is a step that changes the winner's chance by at least 10 percentage points. The positions
before and after the step are simulated with the same random numbers (common random numbers), until the 95 %
interval of the change is narrower than 5 percentage points. If the winner's chance was already above 90 %, an
increase is not a turning point, because the battle was already decided. If there are more than three turning
points, only the three largest are kept.

A limit on the number of simulated choices can end the simulation of a long battle early. The limit does not
depend on the speed of the computer, so that the curve is the same everywhere. If a battle is so long that the
limit does not allow for the usual steps, fewer steps are examined, and no turning points are found.
Otherwise, only some intervals become narrower than 5 percentage points. A change with a wider interval is
still a turning point if the interval is narrower than 10 points and above 7.5 points.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise, takewhile
from math import inf, sqrt
from typing import NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.battles.records.visible_steps import VisibleStep, steps_seen
from cardbattle.core.battle import NOBODY
from cardbattle.core.errors import CardbattleError
from cardbattle.simulation.counting import WHOLE, points_from
from cardbattle.simulation.intervals import Z

PATH = "turning points"  # the random streams depend on this path, but not on hidden information
LEAST_CHANGE = 0.1  # minimum change of the winner's chance at a turning point
WIDEST = 0.05  # maximum width of the 95 % interval of a change
WIDEST_IF_PARTIAL = 0.1  # the same if a limit ended the simulation; chances above 55 % then are above even
DECIDED = 0.9  # a battle counts as decided if a side's chance is above this value
MOST_TURNING_POINTS = 3
FIRST = 128  # number of battles from each position at first
CLOSER = 256  # number of battles from a position before positions in between are examined
COARSE = 33  # number of positions examined at first
FIRST_ROUND = 16  # number of battles from each step in the first round of `growing_curve`
PERMILLE = 1000
GROWTH = 4  # maximum ratio by which the number of battles grows at once
MOST_CHOICES = 420_000  # limit on the number of simulated choices, some ten seconds in interpreted code
FIRST_SHARE = 1 / 3  # maximum share of the choices in battles from the positions examined at first
PROBE = 8  # number of battles from the first step that show how long a battle is
LATER = 0.5  # length of a battle from an average step, as a share of the length from the first step
WHOLE_WORK = 4  # about how much more work the whole curve is than the steps examined at first

Progress = Callable[[int, int], None]
"""Called with the amount of work that is done, and the expected amount of all work."""


class CurvePoint(NamedTuple):
    """A point of the curve, which has the chances after one step of the battle.

    Attributes:
        step: the number of the step. The steps that the reader sees are counted from 1.
        moves: the number of moves up to the step, counted as in `reader_view.visible_events`.
        events: the number of events up to the step that the reader saw.
        chances: each seat's chance of winning, in permille.

    """

    step: int
    moves: int
    events: int
    chances: list[int]


class TurningPoint(NamedTuple):
    """A step of the battle that changed the winner's chance.

    Attributes:
        step: the number of the step. The steps that the reader sees are counted from 1.
        move: the number of moves up to the step that the reader sees.
        events: the number of events up to the step that the reader saw.
        side: the seat of the winner, whose chance changed.
        before, after: the winner's chance before and after the step, in permille.
        words: the rule set's description of the step, such as "space 1, second special".

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
        """A name for the turning point, such as "step 7 (space 1, fourth special)"."""
        return f"step {self.step} ({self.words})" if self.words else f"step {self.step}"

    @property
    def moment(self) -> str:
        """A name for readers who do not see the numbered steps, such as "space 1, fourth special"."""
        return self.words or f"step {self.step}"


class Curve(NamedTuple):
    """The chances of a battle after each examined step.

    If the chances cannot be computed for the reader, the curve has no points.

    `points` has a point for each step that was examined. After the last step, the chances are certain.
    `battles` is the number of battles that were fought from a position. If the numbers differ, it is the
    smallest of them. If `is_partial`, a limit ended the simulation early, and turning points can be missing.
    """

    points: list[CurvePoint]
    turning_points: list[TurningPoint]
    battles: int
    is_partial: bool = False


NO_CURVE = Curve([], [], 0)


class CurveSample(NamedTuple):
    """Settings that determine how exact a curve without turning points is.

    Attributes:
        battles: the number of battles from each step, at least 1.
        steps: the number of evenly spread steps to examine, at least 2.
        all_seeing: True if the umpire's chances use the actual cards.
        always: the numbers of steps that are examined in addition.

    """

    battles: int
    steps: int
    all_seeing: bool = False
    always: Collection[int] = ()


def unheard(fought: int, expected: int) -> None:
    """Do nothing. The function is the default of the argument `progress`."""


def curve(
    record: Record, reader: int | None = None, *, most_choices: float = inf, progress: Progress = unheard
) -> Curve:
    """Return the curve of a battle's chances for a reader, with the turning points.

    `reader` is a seat, -1 for the public, or None for the umpire. `most_choices` is about the number of
    simulated choices after which the simulation ends early. The curve is empty if the replay differs from the
    record, if cards that the simulation needs are missing from the record, if the rule set cannot deal hidden
    cards again for the reader, or if battles are so long that even the first step exceeds the limit.
    """
    is_by_view = record.rules.redeals_by_view(record.setup)
    if reader is not None and not is_by_view:
        return NO_CURVE
    viewer = reader if reader is not None or not is_by_view else NOBODY
    try:
        steps = list(steps_seen(record, reader))
        return CurveCount(record, steps, viewer, progress, most_choices).curve() if steps else NO_CURVE
    except CardbattleError:
        return NO_CURVE


def sample_curve(
    record: Record,
    reader: int | None,
    sample: CurveSample,
    *,
    steps: Sequence[VisibleStep] | None = None,
    progress: Progress = unheard,
) -> Curve:
    """Return the curve of a battle's chances without turning points.

    This takes a tenth of the time that `curve` takes.

    `steps` has the steps of the battle. By default, these are all steps that the reader saw. The curve is
    empty in the same cases as the result of `curve`.
    """
    latest = NO_CURVE
    for share, counted in growing_curve(record, reader, sample, steps=steps):
        progress(round(share * PERMILLE), PERMILLE)
        latest = counted
    return latest


def growing_curve(
    record: Record,
    reader: int | None,
    sample: CurveSample,
    *,
    steps: Sequence[VisibleStep] | None = None,
) -> Iterator[tuple[float, Curve]]:
    """Compute the same curve as `sample_curve`, and yield the curve so far at intervals.

    The battles are fought in rounds. Each round doubles the number of battles. Each result is a pair
    (share, curve). `share` is the part of the work that is done, from 0 to 1. `curve` is the curve after the
    last complete round, or `NO_CURVE` in the first round. The last result has the curve of the whole sample.
    The caller can stop iterating at any time. If the curve is empty, the generator yields nothing.
    """
    is_by_view = record.rules.redeals_by_view(record.setup)
    if reader is not None and not is_by_view:
        return
    uses_all_cards = reader is None and (sample.all_seeing or not is_by_view)
    viewer = None if uses_all_cards else NOBODY if reader is None else reader
    try:
        seen = list(steps_seen(record, reader) if steps is None else steps)
        if seen:
            yield from CurveCount(record, seen, viewer, unheard).growing(sample)
    except CardbattleError:
        return


def turning_points(
    record: Record, reader: int | None = None, *, progress: Progress = unheard
) -> list[TurningPoint]:
    """Return a battle's turning points for a reader, in order. The arguments are those of `curve`."""
    return curve(record, reader, progress=progress).turning_points


class Change(NamedTuple):
    """The change of a seat's chance between two positions, from -1 to 1, with the 95 % interval."""

    seat: int
    mean: float
    half_width: float

    @property
    def can_turn(self) -> bool:
        """Return True if more battles may still show that the change is large enough for a turning point."""
        return abs(self.mean) + self.half_width >= LEAST_CHANGE

    @property
    def is_known(self) -> bool:
        """Return True if the interval of the change is narrow enough."""
        return 2 * self.half_width < WIDEST

    @property
    def is_large(self) -> bool:
        """Return True if the change is large enough for a turning point.

        A known change of at least 10 percentage points is certainly above 7.5 points. A change with a wider
        interval must be as well.
        """
        least = abs(self.mean) - self.half_width
        is_certain = least >= LEAST_CHANGE - WIDEST / 2 and 2 * self.half_width < WIDEST_IF_PARTIAL
        return abs(self.mean) >= LEAST_CHANGE and (self.is_known or is_certain)


class CurveCount:
    """A simulation of battles from the steps of a record.

    More battles are fought near a step that may be a turning point. `most_choices` limits the number of
    choices in all battles.

    The cards that `viewer` cannot know are dealt again in each battle, as in `counting.points_from`.
    """

    def __init__(
        self,
        record: Record,
        steps: list[VisibleStep],
        viewer: int | None,
        progress: Progress,
        most_choices: float = inf,
    ) -> None:
        self.record = record
        self.steps = steps
        self.viewer = viewer
        self.progress = progress
        self.most_choices = most_choices
        self.points: dict[
            int, list[list[int]]
        ] = {}  # by index of the step, then by run: the points of each seat
        self.choices: dict[int, int] = {}  # by index of the step: the choices in all battles from there
        self.fought = 0
        self.expected = 0.0  # number of choices in all battles; 0 if unknown
        self.is_partial = False

    def curve(self) -> Curve:
        """Simulate the battles, and return the curve with its turning points."""
        self.count(0, PROBE)
        if FIRST / PROBE * self.choices[0] > self.most_choices:
            return NO_CURVE._replace(is_partial=True)
        looked = self.first_steps()
        for at in looked:
            self.count(at, FIRST)
        if not self.is_partial:
            for first, last in pairwise(looked):
                self.look_closer(first, last)
            self.narrow_changes()
        self.progress(self.spent, self.spent)
        battles = min(map(len, self.points.values()))
        return Curve(self.curve_points(), self.turning_points(), battles, self.is_partial)

    @property
    def spent(self) -> int:
        """The number of choices in all battles so far."""
        return sum(self.choices.values())

    def first_steps(self) -> list[int]:
        """Return the steps to examine at first. The limit can make them fewer than usual."""
        wanted = min(COARSE, len(self.steps))
        each = LATER * FIRST / PROBE * self.choices[0]
        affordable = FIRST_SHARE * self.most_choices / max(1, each)
        self.is_partial = affordable < wanted
        looked = spread_out(len(self.steps), max(2, int(min(wanted, affordable))))
        self.expected = len(looked) * each
        if not self.is_partial:
            self.expected = min(self.most_choices, WHOLE_WORK * self.expected)
        return looked

    def narrow_changes(self) -> None:
        """Fight more battles until the largest changes are known, or until the limit is reached."""
        while open_steps := [
            last for last in self.leading_steps() if not self.change(last - 1, last).is_known
        ]:
            if self.spent >= self.most_choices:
                self.is_partial = True
                return
            for last in open_steps:
                self.narrow(last - 1, last, (self.most_choices - self.spent) / len(open_steps))

    def growing(self, sample: CurveSample) -> Iterator[tuple[float, Curve]]:
        """Simulate the same number of battles from each step, in rounds.

        The function `growing_curve` describes the results.
        """
        wanted = sorted(
            {
                *spread_out(len(self.steps), sample.steps),
                *(at for at, step in enumerate(self.steps) if step.number in sample.always),
            }
        )
        counted, battles = NO_CURVE, min(FIRST_ROUND, sample.battles)
        while True:
            for at in wanted:
                self.count(at, battles)
                yield self.fought / (len(wanted) * sample.battles), counted
            counted = Curve(self.curve_points(), [], battles)
            if battles == sample.battles:
                yield 1.0, counted
                return
            battles = min(2 * battles, sample.battles)

    def curve_points(self) -> list[CurvePoint]:
        """Return the points of the curve for all examined steps, in order."""
        return [
            CurvePoint(step.number, step.moves, step.events, self.chances(at))
            for at, step in enumerate(self.steps)
            if at in self.points
        ]

    def look_closer(self, first: int, last: int) -> None:
        """If there may be a turning point between two steps, fight more battles from both of them.

        If these battles do not rule out a turning point, examine the steps between the two in the same way.
        """
        if not self.change(first, last).can_turn:
            return
        if self.spent >= self.most_choices:
            self.is_partial = True
            return
        self.count(first, CLOSER)
        self.count(last, CLOSER)
        if last - first > 1 and self.change(first, last).can_turn:
            middle = (first + last) // 2
            self.count(middle, FIRST)
            self.look_closer(first, middle)
            self.look_closer(middle, last)

    def leading_steps(self) -> list[int]:
        """Return up to three steps with the largest changes that can be turning points."""
        changes = {
            last: self.change(first, last)
            for first, last in pairwise(sorted(self.points))
            if last == first + 1 and not self.is_forced(first, last)
        }
        steps = [last for last, change in changes.items() if change.can_turn]
        return sorted(steps, key=lambda last: (-abs(changes[last].mean), last))[:MOST_TURNING_POINTS]

    def is_forced(self, first: int, last: int) -> bool:
        """Return True if the battle was already decided before the change, which only confirms the winner."""
        change = self.change(first, last)
        return change.mean > 0 and self.chances(first)[change.seat] > 1000 * DECIDED

    def narrow(self, first: int, last: int, most_choices: float) -> None:
        """Fight more battles from two positions, so that the interval of the change becomes narrower."""
        runs = min(len(self.points[first]), len(self.points[last]))
        excess = 2 * self.change(first, last).half_width / WIDEST
        length = sum(self.choices[at] / len(self.points[at]) for at in (first, last))
        affordable = runs + max(1, most_choices / max(1, length))
        wanted = int(min(GROWTH * runs, int(runs * excess * excess * 1.05) + 1, affordable))
        self.count(first, wanted)
        self.count(last, wanted)

    def count(self, at: int, battles: int) -> None:
        """Fight battles from a position until `battles` battles have been fought from this position."""
        points = self.points.setdefault(at, [])
        step, done = self.steps[at], len(points)
        self.choices.setdefault(at, 0)
        if at == len(self.steps) - 1:
            points += [result_of(self.record)] * (battles - done)
            return
        results, choices = points_from(
            step.battle, self.record.rules, self.viewer, PATH, step.choices, done, max(done, battles)
        )
        points += results
        self.choices[at] += choices
        self.fought += len(results)
        if self.expected:
            self.progress(self.spent, max(self.spent, round(self.expected)))

    def chances(self, at: int) -> list[int]:
        """Return each seat's chance after a step, in permille."""
        points = self.points[at]
        return [round(1000 * sum(column) / WHOLE / len(points)) for column in zip(*points, strict=True)]

    def change(self, first: int, last: int) -> Change:
        """Return the change of the winner's chance between two steps.

        If there is not exactly one winner, return the largest change among all seats.
        """
        winners = self.record.winning_seats
        seats = winners if len(winners) == 1 else range(len(self.record.sides))
        changes = [change_of(seat, self.points[first], self.points[last]) for seat in seats]
        return max(changes, key=lambda change: (abs(change.mean), change.mean))

    def turning_points(self) -> list[TurningPoint]:
        """Return the turning points, in order.

        Call `narrow` for all leading steps first. If a change is not known well enough, smaller changes are
        left out too, because the largest turning point explains the battle.
        """
        steps = takewhile(lambda last: self.change(last - 1, last).is_large, self.leading_steps())
        return [self.turning_point(last) for last in sorted(steps)]

    def turning_point(self, last: int) -> TurningPoint:
        step, seat = self.steps[last], self.change(last - 1, last).seat
        before, after = self.chances(last - 1)[seat], self.chances(last)[seat]
        return TurningPoint(step.number, step.moves, step.events, seat, before, after, step.words)


def result_of(record: Record) -> list[int]:
    """Return each seat's points for the result in a record.

    The points have the same unit as the result of `counting.points_from`.
    """
    seats = range(len(record.sides))
    winners = record.winning_seats or list(seats)
    return [WHOLE // len(winners) if seat in winners else 0 for seat in seats]


def change_of(seat: int, before: list[list[int]], after: list[list[int]]) -> Change:
    """Return the change of a seat's chance between two positions.

    `before` and `after` have the points in the runs from the two positions. Runs with the same number are
    compared with each other, and runs that only one position has are ignored. The variance is assumed to be
    at least 1 divided by the number of runs, because a few runs without a difference prove little.
    """
    differences = [(new[seat] - old[seat]) / WHOLE for old, new in zip(before, after, strict=False)]
    runs = len(differences)
    mean = sum(differences) / runs
    variance = sum(difference * difference for difference in differences) / runs - mean * mean
    return Change(seat, mean, Z * sqrt(max(variance, 1 / runs) / runs))


def spread_out(count: int, most: int) -> list[int]:
    """Return evenly spread numbers from 0 to `count` - 1, including both ends.

    The list has at most `most` numbers. `most` must be at least 2.

    >>> spread_out(5, 10), spread_out(101, 5)
    ([0, 1, 2, 3, 4], [0, 25, 50, 75, 100])
    """
    if count <= most:
        return list(range(count))
    return [place * (count - 1) // (most - 1) for place in range(most)]
