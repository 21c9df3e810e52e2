"""Estimate the chances of each side in a battle by fighting the battle many times (Monte Carlo).

If the number of battles is not fixed, the program checks the confidence intervals after certain numbers of
battles, and stops when all of them are narrow enough. It checks after the same numbers on every computer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from copy import deepcopy
from fractions import Fraction
from math import sqrt
from time import monotonic
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan
from cardbattle.battles.records.record import Record
from cardbattle.battles.resolve import deal, streams_of
from cardbattle.core.chance import Drawn
from cardbattle.core.public_library import library
from cardbattle.core.ruleset import MILLION
from cardbattle.core.setup import seat_of
from cardbattle.simulation.counting import WHOLE, Count
from cardbattle.simulation.intervals import Interval, Z, certain, wilson
from cardbattle.simulation.sample import Sample
from cardbattle.simulation.workers import announce_work

FIRST_LOOK = 200
LOOKS = 1.25  # ratio between the numbers of battles at two successive checks
MOST_BATTLES = 200_000
MOST_SECONDS = 30.0
PRECISION = 0.01  # default for half the width of every interval
COLUMNS = ("side", "outcome", "count", "share", "low", "high")  # the columns of `Odds.table`


class Spread(NamedTuple):
    """The mean and the standard deviation of a quantity."""

    mean: float
    sd: float

    def __repr__(self) -> str:
        return f"<Spread {self.mean:.3g} +- {self.sd:.3g}>"


def spread(values: Iterable[tuple[Fraction, int]]) -> Spread:
    """Return the mean and the standard deviation of several values.

    Each pair consists of a value and the number of times that the value occurred. The mean is computed
    exactly.
    """
    pairs = list(values)
    battles = sum(often for _, often in pairs)
    mean = sum((value * often for value, often in pairs), Fraction(0)) / battles
    square = sum((value * value * often for value, often in pairs), Fraction(0)) / battles
    return Spread(float(mean), sqrt(square - mean * mean))


class Odds(NamedTuple):
    """The chances of each side in one battle, counted in simulated battles.

    The argument `side` of a method is the key or the seat of a side.

    Attributes:
        stopped: the reason why the simulation stopped, which is `count`, `precision`, `limit`, `interrupted`
            or `exact`.
        example: the record of one simulated battle, whose scores are near the mean.
        best_play: the share of the points of each side if all sides play perfectly. The list is empty if
            these shares are unknown.

    """

    plan: BattlePlan
    counted: Count
    stopped: str
    example: Record
    best_play: list[float]

    def __repr__(self) -> str:
        shares = [f"{key} {self.won(key).share:.1%}" for key in self.seats]
        text = f"{', '.join(shares)}, drawn {self.times_drawn().share:.1%}"
        return f"<Odds of {self.plan.rules.name}: {text}; {self.battles} battles>"

    def _repr_html_(self) -> str:
        """Return an HTML chart of each side's chance of winning, for a notebook."""
        return str(library().chart_of(self))

    @property
    def seats(self) -> list[str]:
        """The keys of the sides, in seat order."""
        return self.plan.setup.seats

    @property
    def battles(self) -> int:
        """The number of battles that were fought."""
        return self.counted.battles

    def seat(self, side: int | str) -> int:
        """Return the seat of a side. Raises UsageError for an unknown side."""
        return seat_of(side, self.seats)

    def interval(self, hits: int) -> Interval:
        """Return `hits` as a share of all battles, with the 95 % interval of this share."""
        return (certain if self.stopped == "exact" else wilson)(hits, self.counted.battles)

    def won(self, side: int | str) -> Interval:
        """Return the share of battles that this side won alone."""
        return self.interval(self.counted.won[self.seat(side)])

    def times_shared(self, side: int | str) -> Interval:
        """Return the share of battles in which this side shared the victory."""
        return self.interval(self.counted.shared[self.seat(side)])

    def times_drawn(self) -> Interval:
        """Return the share of battles that were drawn."""
        return self.interval(self.counted.drawn)

    def points(self, side: int | str) -> float:
        """Return a side's mean points.

        A win is 1 point. After a shared win or a draw, the sides that share it divide 1 point equally.
        """
        return self.counted.points[self.seat(side)] / (WHOLE * self.battles)

    def score(self, side: int | str) -> Spread:
        """Return the mean and the standard deviation of a side's score."""
        counts = self.counted.scores[self.seat(side)]
        return spread((Fraction(value), often) for value, often in counts.items())

    def losses(self, side: int | str) -> Spread:
        """Return the mean and the standard deviation of a side's losses. Losses are from 0 to 1."""
        counts = self.counted.losses[self.seat(side)]
        return spread((Fraction(*value), often) for value, often in counts.items())

    def table(self) -> list[dict[str, object]]:
        """Return a row for each outcome, for a spreadsheet or a data frame.

        In a row, `outcome` is `won`, `shared` or `drawn`. `side` is the key of the side, and is empty if the
        outcome is a draw. `count` is the number of battles with this outcome. `share` is the share of all
        battles that these are, and `low` and `high` are the ends of its 95 % interval. These three numbers
        are from 0 to 1.
        """
        results = []
        for key in self.seats:
            results.append((key, "won", self.won(key)))
            if self.times_shared(key).hits:
                results.append((key, "shared", self.times_shared(key)))
        results.append(("", "drawn", self.times_drawn()))
        return [
            dict(zip(COLUMNS, (key, outcome, *interval), strict=True)) for key, outcome, interval in results
        ]


class OddsStop(NamedTuple):
    """The conditions that stop the simulation of a battle.

    If `battles` is set, the simulation stops after this number of battles, which is at least 1. If `battles`
    is None, the simulation stops when half the width of every interval is below `precision`, a number from 0
    to 1. It also stops after `most` battles, or after this number of seconds.
    """

    battles: int | None = None
    precision: float = PRECISION
    most: int = MOST_BATTLES
    seconds: float = MOST_SECONDS


def looks(stop: OddsStop) -> Iterator[int]:
    """Yield the numbers of battles after which the program checks the intervals."""
    if stop.battles is not None:
        yield stop.battles
        return
    look = FIRST_LOOK
    while look < stop.most:
        yield look
        look = int(look * LOOKS) // 100 * 100 + 100
    yield stop.most


def count_odds(
    table: Mapping[str, object],
    base: str,
    stop: OddsStop,
    executor: Executor,
    workers: int = 1,
    report_progress: Callable[[Count, int], None] = lambda counted, of: None,
) -> Odds:
    """Fight a battle again and again until a condition in `stop` is met, and count the results.

    The table must have a seed. `workers` is the number of workers, at least 1. The function `report_progress`
    is called with the results so far and the expected number of battles. If the user presses Ctrl-C, the
    results so far are returned.

    Raises InvalidInput, which lists all errors in the battle, if the battle is not valid. Raises
    SystemFailure if a worker died.
    """
    sample = Sample(table, base, executor, workers)
    best = best_play(sample.plan)
    if sample.is_certain():
        sample.take_the_only_one()
        return Odds(sample.plan, sample.counted, "exact", sample.example(), best)
    try:
        stopped = count_until(sample, stop, report_progress)
    except KeyboardInterrupt:
        if not sample.counted.battles:
            raise
        stopped = "interrupted"
    return Odds(sample.plan, sample.counted, stopped, sample.example(), best)


def count_in_portions(sample: Sample, battles: int, seconds: float) -> Iterator[Odds]:
    """Fight a battle many times, and yield the counts so far at regular intervals.

    `battles` is the number of battles, at least 1. `seconds` is the approximate interval.

    The last result counts all battles. Raises SystemFailure if a worker died.
    """
    best = best_play(sample.plan)
    if sample.is_certain():
        sample.take_the_only_one()
        yield Odds(sample.plan, sample.counted, "exact", sample.example(), best)
        return
    while sample.counted.battles < battles:
        sample.up_to(battles, time_is_up(seconds))
        stopped = "count" if sample.counted.battles == battles else "interrupted"
        yield Odds(sample.plan, deepcopy(sample.counted), stopped, sample.example(), best)


def time_is_up(seconds: float) -> Callable[[], bool]:
    """Return a function that returns True as soon as this number of seconds has passed."""
    end = monotonic() + seconds
    return lambda: monotonic() >= end


def best_play(plan: BattlePlan) -> list[float]:
    """Return each side's share of the points, from 0 to 1, if all sides play perfectly.

    If there are two sides, this is the value of the game. The list is empty if the deal is random, or if the
    rule set cannot solve the whole battle.
    """
    streams = streams_of(plan)
    battle = plan.rules.start(deal(plan, streams), Drawn(streams.battle))
    battle.run()
    if not streams.are_untouched() or battle.is_over():
        return []
    return [worth / MILLION for worth in plan.rules.best_play(battle)]


def count_until(sample: Sample, stop: OddsStop, report_progress: Callable[[Count, int], None]) -> str:
    """Fight and count battles until a condition in `stop` is met. Return the reason for stopping."""
    began = monotonic()

    def is_late() -> bool:
        return stop.battles is None and monotonic() - began > stop.seconds

    def hear(counted: Count) -> None:
        seconds = monotonic() - began
        end = likely_end(counted, stop, seconds)
        announce_work(sample.executor, (end - counted.battles) * seconds / counted.battles)
        report_progress(counted, end)

    for look in looks(stop):
        sample.up_to(look, is_late, hear)
        if stop.battles is not None:
            return "count"
        if sample.counted.battles == look and is_precise(sample.counted, stop.precision):
            return "precision"
        if is_late():
            break
    return "limit"


def hits_of(counted: Count) -> list[int]:
    """Return the counts that have intervals: draws, then wins and shared wins of each seat."""
    return [counted.drawn, *counted.won, *counted.shared]


def is_precise(counted: Count, precision: float) -> bool:
    """Return True if half the width of every interval is below `precision`, from 0 to 1."""
    return all(wilson(hits, counted.battles).width < 2 * precision for hits in hits_of(counted))


def likely_end(counted: Count, stop: OddsStop, seconds: float) -> int:
    """Estimate, for a progress bar, how many battles the simulation will fight in total.

    `seconds` is the time that has passed since the simulation began.
    """
    if stop.battles is not None:
        return stop.battles
    shares = [hits / counted.battles for hits in hits_of(counted)]
    widest = max(share * (1 - share) for share in shares)
    needed = int(LOOKS * Z * Z * widest / stop.precision**2)
    in_time = int(counted.battles * stop.seconds / max(seconds, 1e-6))
    return max(counted.battles, FIRST_LOOK, min(needed, stop.most, in_time))
