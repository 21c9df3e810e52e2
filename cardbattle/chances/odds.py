"""The chances of a battle, counted by fighting it many times by the one path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from fractions import Fraction
from functools import lru_cache
from json import dumps, loads
from math import sqrt
from time import monotonic
from typing import NamedTuple

from cardbattle.chances.counting import WHOLE, Count, count
from cardbattle.chances.workers import in_order
from cardbattle.core.chance import child_seed
from cardbattle.fighting.battlefile import Plan, read_battle
from cardbattle.fighting.records import Record
from cardbattle.fighting.resolve import fight, fought, streams_of

PATH = "odds"
LOOKS = 1.25  # each look at the count comes after this many times the battles of the one before
FIRST_LOOK = 200
MOST_BATTLES = 200_000
MOST_SECONDS = 30.0
PRECISION = 0.01  # half the width of every interval
Z = 1.959963984540054  # two-sided 95 %


class Interval(NamedTuple):
    """A count with its share of all battles and the 95 % interval around it."""

    hits: int
    share: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """How wide the interval is."""
        return self.high - self.low


def wilson(hits: int, battles: int) -> Interval:
    """Return the share of hits with its Wilson interval.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    1927.

    >>> [round(x, 4) for x in wilson(50, 100)[1:]]
    [0.5, 0.4038, 0.5962]
    """
    share = hits / battles
    spread = Z * sqrt(share * (1 - share) / battles + Z * Z / (4 * battles * battles))
    middle = share + Z * Z / (2 * battles)
    scale = 1 + Z * Z / battles
    low = 0.0 if hits == 0 else (middle - spread) / scale
    high = 1.0 if hits == battles else (middle + spread) / scale
    return Interval(hits, share, low, high)


def certain(hits: int, battles: int) -> Interval:
    """Return the share of hits where it is no estimate."""
    return Interval(hits, hits / battles, hits / battles, hits / battles)


class Spread(NamedTuple):
    """Mean and standard deviation of what was counted."""

    mean: float
    sd: float


def spread(values: Iterable[tuple[Fraction, int]]) -> Spread:
    """Return mean and standard deviation of values with how often each was seen; exact sums."""
    pairs = list(values)
    battles = sum(often for _, often in pairs)
    mean = sum((value * often for value, often in pairs), Fraction(0)) / battles
    square = sum((value * value * often for value, often in pairs), Fraction(0)) / battles
    return Spread(float(mean), sqrt(square - mean * mean))


class Odds(NamedTuple):
    """The chances of one battle.

    `stopped` says why the counting ended: `count`, `precision`, `limit`, `interrupted` or
    `exact`. `example` is the record of the real battle whose scores are nearest the mean.
    """

    plan: Plan
    counted: Count
    stopped: str
    example: Record

    def interval(self, hits: int) -> Interval:
        """Return a count of battles as a share of all, with its interval."""
        return (certain if self.stopped == "exact" else wilson)(hits, self.counted.battles)

    def won(self, seat: int) -> Interval:
        """Return how often this side won outright."""
        return self.interval(self.counted.won[seat])

    def shared(self, seat: int) -> Interval:
        """Return how often this side shared the victory."""
        return self.interval(self.counted.shared[seat])

    def drawn(self) -> Interval:
        """Return how often nobody won."""
        return self.interval(self.counted.drawn)

    def points(self, seat: int) -> float:
        """Return the mean of 1 for a win, a fair part of 1 for a shared or drawn battle."""
        return self.counted.points[seat] / (WHOLE * self.counted.battles)

    def score(self, seat: int) -> Spread:
        """Return the side's score."""
        return spread((Fraction(value), often) for value, often in self.counted.scores[seat].items())

    def losses(self, seat: int) -> Spread:
        """Return the side's losses, from 0 to 1."""
        return spread((Fraction(*value), often) for value, often in self.counted.losses[seat].items())


class Stop(NamedTuple):
    """When to stop counting: after `battles` if given, else at `precision`, or at the limits."""

    battles: int | None = None
    precision: float = PRECISION
    most: int = MOST_BATTLES
    seconds: float = MOST_SECONDS


class Job(NamedTuple):
    """Battles `first` to `beyond` - 1 of a battle file's table, as sent to a worker."""

    table: str  # JSON
    base: str
    first: int
    beyond: int


@lru_cache(maxsize=8)
def plan_in(table: str, base: str) -> Plan:
    """Return the plan in a battle file's table; a worker reads it once."""
    return read_battle(loads(table), base)


def work(job: Job) -> Count:
    """Count the battles of one job."""
    return count(plan_in(job.table, job.base), PATH, job.first, job.beyond)


def looks(stop: Stop) -> Iterator[int]:
    """Yield after how many battles the count is looked at: fixed, so that it is the same for all."""
    if stop.battles is not None:
        yield stop.battles
        return
    look = FIRST_LOOK
    while look < stop.most:
        yield look
        look = int(look * LOOKS) // 100 * 100 + 100
    yield stop.most


def odds(
    table: Mapping[str, object],
    base: str,
    stop: Stop,
    executor: Executor,
    jobs: int = 1,
    tell: Callable[[Count, int], None] = lambda counted, of: None,
) -> Odds:
    """Count battles until a stop rule fires; the seed must stand in the table.

    `tell` is called with the count and how many battles the next look is after. Ctrl-C keeps
    what was counted.
    """
    plan = read_battle(table, base)
    if is_certain(plan):
        return Odds(plan, count(plan, PATH, 0, 1), "exact", example(plan, 0))
    counted = Count(len(plan.sides))
    sent = dumps(table, default=str)
    began = monotonic()
    stopped = "limit"
    chunk = CHUNK
    try:
        for look in looks(stop):
            wanted = [Job(sent, base, *part) for part in parts(counted.battles, look, chunk)]
            for more in in_order(executor, work, wanted, 2 * jobs):
                counted.merge(more)
                tell(counted, look)
                chunk = fitting(counted.battles, monotonic() - began, jobs)
                if stop.battles is None and monotonic() - began > stop.seconds:
                    break
            if stop.battles is not None:
                stopped = "count"
            elif is_precise(counted, stop.precision):
                stopped = "precision"
            elif monotonic() - began <= stop.seconds:
                continue
            break
    except KeyboardInterrupt:
        if not counted.battles:
            raise
        stopped = "interrupted"
    return Odds(plan, counted, stopped, example(plan, nearest_the_mean(counted)))


CHUNK = 50  # battles in a job before it is known how long one takes
CHUNK_SECONDS = 0.1


def fitting(battles: int, seconds: float, jobs: int) -> int:
    """Return how many battles make a job of about a tenth of a second."""
    return max(1, min(5000, int(battles / max(seconds, 1e-6) * CHUNK_SECONDS / jobs)))


def parts(first: int, beyond: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of `size` battles from the first to before `beyond`."""
    for begin in range(first, beyond, size):
        yield begin, min(begin + size, beyond)


def is_precise(counted: Count, precision: float) -> bool:
    """Say whether every interval is narrower than twice the precision."""
    hits = [counted.drawn, *counted.won, *counted.shared]
    return all(wilson(hit, counted.battles).width < 2 * precision for hit in hits)


def is_certain(plan: Plan) -> bool:
    """Say whether a battle ends the same whatever its seed: nothing in it is left to chance."""
    streams = streams_of(plan)
    fought(plan, streams, listen=False)
    return streams.are_untouched()


def nearest_the_mean(counted: Count) -> int:
    """Return the number of the first battle whose scores are nearest the mean scores."""
    totals = [sum(score * often for score, often in seen.items()) for seen in counted.scores]

    def distance(scores: tuple[int, ...]) -> int:
        pairs = zip(scores, totals, strict=True)
        return sum((score * counted.battles - total) ** 2 for score, total in pairs)

    return min(counted.firsts.items(), key=lambda found: (distance(found[0]), found[1]))[1]


def example(plan: Plan, number: int) -> Record:
    """Return the record of one of the battles that were counted."""
    assert plan.seed is not None
    seed = child_seed(plan.seed, f"{PATH}/{number}")
    return fight(plan._replace(seed=seed, id=f"{plan.id[:32].rstrip('-_')}-{number}"))[0]
