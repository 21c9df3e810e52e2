"""Estimate the chances of a battle by fighting it many times (Monte Carlo).

Without a fixed number of battles the estimate is sequential: it checks the intervals after fixed numbers of
battles, which are the same on every computer, and stops at the first check at which all intervals are narrow
enough.
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
LOOKS = 1.25  # ratio between the numbers of battles at successive checks
MOST_BATTLES = 200_000
MOST_SECONDS = 30.0
PRECISION = 0.01  # half-width of every interval
COLUMNS = ("side", "outcome", "count", "share", "low", "high")  # of the chances as a table


class Spread(NamedTuple):
    """Mean and standard deviation of a count."""

    mean: float
    sd: float

    def __repr__(self) -> str:
        return f"<Spread {self.mean:.3g} +- {self.sd:.3g}>"


def spread(values: Iterable[tuple[Fraction, int]]) -> Spread:
    """Return the mean and standard deviation of (value, count) pairs, with exact fractions."""
    pairs = list(values)
    battles = sum(often for _, often in pairs)
    mean = sum((value * often for value, often in pairs), Fraction(0)) / battles
    square = sum((value * value * often for value, often in pairs), Fraction(0)) / battles
    return Spread(float(mean), sqrt(square - mean * mean))


class Odds(NamedTuple):
    """The chances of one battle; name a side by its key or seat.

    Attributes:
        stopped: why counting ended: `count`, `precision`, `limit`, `interrupted` or `exact`.
        example: the record of a real battle with scores near the mean.
        best_play: each side's share of the points under best play; empty if unknown.

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
        """Return the chances as a chart, for a notebook."""
        return str(library().chart_of(self))

    @property
    def seats(self) -> list[str]:
        """The sides' keys, by seat."""
        return self.plan.setup.seats

    @property
    def battles(self) -> int:
        """The number of battles."""
        return self.counted.battles

    def seat(self, side: int | str) -> int:
        """Return a side's seat. Raises UsageError."""
        return seat_of(side, self.seats)

    def interval(self, hits: int) -> Interval:
        """Return a number of battles as a share of all, with its interval."""
        return (certain if self.stopped == "exact" else wilson)(hits, self.counted.battles)

    def won(self, side: int | str) -> Interval:
        """Return the share of battles that this side won alone."""
        return self.interval(self.counted.won[self.seat(side)])

    def times_shared(self, side: int | str) -> Interval:
        """Return the share of battles in which this side shared the victory."""
        return self.interval(self.counted.shared[self.seat(side)])

    def times_drawn(self) -> Interval:
        """Return the share of drawn battles."""
        return self.interval(self.counted.drawn)

    def points(self, side: int | str) -> float:
        """Return a side's mean points: 1 for a win, an equal part of 1 for a shared or drawn battle."""
        return self.counted.points[self.seat(side)] / (WHOLE * self.battles)

    def score(self, side: int | str) -> Spread:
        """Return the mean and standard deviation of the side's score over all battles."""
        counts = self.counted.scores[self.seat(side)]
        return spread((Fraction(value), often) for value, often in counts.items())

    def losses(self, side: int | str) -> Spread:
        """Return the side's losses, from 0 to 1."""
        counts = self.counted.losses[self.seat(side)]
        return spread((Fraction(*value), often) for value, often in counts.items())

    def table(self) -> list[dict[str, object]]:
        """Return a row for each possible outcome, for a spreadsheet or a data frame.

        `outcome` is `won`, `shared` or `drawn`; a draw has no `side`. `count` is the number of battles;
        `share` and its 95 % interval, `low` to `high`, are from 0 to 1.
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
    """When to stop: after `battles` (from 1), or at `precision`, or at the limits.

    `precision` is the half-width of every interval, 0 to 1. The limits are the number of battles, and
    seconds.
    """

    battles: int | None = None
    precision: float = PRECISION
    most: int = MOST_BATTLES
    seconds: float = MOST_SECONDS


def looks(stop: OddsStop) -> Iterator[int]:
    """Yield the fixed numbers of battles after which the intervals are checked."""
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
    """Count battles until a stop rule applies; the table must have a seed.

    `workers` is their number, from 1; `report_progress` is called with the count and its likely end. Ctrl-C
    keeps the counts. Raises InvalidInput with all errors of the battle, and SystemFailure if a worker died.
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
    """Count a sample of `battles`, from 1, and yield intermediate results about every `seconds`.

    The last result has all of them. Raises SystemFailure if a worker died.
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
    """Return a function that returns True once this many seconds have passed."""
    end = monotonic() + seconds
    return lambda: monotonic() >= end


def best_play(plan: BattlePlan) -> list[float]:
    """Return each side's share of the points under best play from the beginning, 0 to 1.

    For two sides this is the value of the game. The result is empty if the deal is random, or the rule set
    cannot search the whole battle.
    """
    streams = streams_of(plan)
    battle = plan.rules.start(deal(plan, streams), Drawn(streams.battle))
    battle.run()
    if not streams.are_untouched() or battle.is_over():
        return []
    return [worth / MILLION for worth in plan.rules.best_play(battle)]


def count_until(sample: Sample, stop: OddsStop, report_progress: Callable[[Count, int], None]) -> str:
    """Count until a stop rule applies, and return its name."""
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
    """Return the number of battles with each outcome that has an interval."""
    return [counted.drawn, *counted.won, *counted.shared]


def is_precise(counted: Count, precision: float) -> bool:
    """Return True if every interval is narrower than twice the precision, 0 to 1."""
    return all(wilson(hits, counted.battles).width < 2 * precision for hits in hits_of(counted))


def likely_end(counted: Count, stop: OddsStop, seconds: float) -> int:
    """Estimate the number of battles at which counting will stop, for a progress bar.

    `seconds` is the time used so far.
    """
    if stop.battles is not None:
        return stop.battles
    shares = [hits / counted.battles for hits in hits_of(counted)]
    widest = max(share * (1 - share) for share in shares)
    needed = int(LOOKS * Z * Z * widest / stop.precision**2)
    in_time = int(counted.battles * stop.seconds / max(seconds, 1e-6))
    return max(counted.battles, FIRST_LOOK, min(needed, stop.most, in_time))
