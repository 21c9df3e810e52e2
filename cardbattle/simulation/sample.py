"""Fight one battle many times on any executor, and count the results in the order of the battles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from functools import lru_cache
from json import dumps, loads
from time import perf_counter
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan, read_battle
from cardbattle.battles.records.record import Record
from cardbattle.battles.rederive import answers_itself
from cardbattle.battles.resolve import fight_battle, fought, streams_of
from cardbattle.core.chance import child_seed
from cardbattle.files.signals import signals_deferred
from cardbattle.simulation.counting import Count, count
from cardbattle.simulation.workers import in_order

PATH = "odds"
FIRST_CHUNK = 4  # number of battles in the first jobs, while the duration of a battle is unknown
CHUNK_SECONDS = 0.1  # target duration of a job, in seconds
GROWTH = 8  # maximum ratio between the sizes of successive jobs; the first battles are slower than later ones
LEAST_PART = 5  # the last jobs have at least this fraction (1 / LEAST_PART) of the target size
MOST_IN_CHUNK = 100_000


class OddsJob(NamedTuple):
    """A task for a worker, which is to fight the battles `first` to `beyond` - 1 of a plan."""

    table: str  # the battle file as JSON
    base: str
    path: str
    first: int
    beyond: int


class Counted(NamedTuple):
    """The results of a finished job, and its duration in seconds."""

    seen: Count
    seconds: float


def run_odds_job(job: OddsJob) -> Counted:
    """Fight the battles of a job, and count the results."""
    began = perf_counter()
    counted = count(plan_in(job.table, job.base), job.path, job.first, job.beyond)
    return Counted(counted, perf_counter() - began)


@lru_cache(maxsize=8)
def plan_in(table: str, base: str) -> BattlePlan:
    """Parse a battle file's content, which is cached, so that a worker parses it only once."""
    return read_battle(loads(table), base)


def never() -> bool:
    """Return False.

    The function is the default of the argument `is_enough` of `Sample.up_to`, which then does not stop early.
    """
    return False


def nobody(counted: Count) -> None:
    """Do nothing. The function is the default of the argument `report_progress` of `Sample.up_to`."""


class Sample:
    """A growing sample of the battles of one plan. It counts the battles that have been fought.

    The seed of battle i is derived from the path `odds/i`, so that all processes fight the same battle i.
    Raises InvalidInput, which lists all errors in the battle, if the battle is not valid.
    """

    def __init__(
        self, table: Mapping[str, object], base: str, executor: Executor, workers: int, path: str = PATH
    ) -> None:
        self.plan = read_battle(table, base)
        self.counted = Count(len(self.plan.sides))
        self.table = dumps(table, default=str)
        self.base = base
        self.path = path
        self.executor = executor
        self.workers = workers
        self.chunk = FIRST_CHUNK

    def up_to(
        self,
        beyond: int,
        is_enough: Callable[[], bool] = never,
        report_progress: Callable[[Count], None] = nobody,
    ) -> None:
        """Fight battles until `beyond` battles are counted or the function `is_enough` returns True.

        The function `report_progress` is called with the counts so far. Raises SystemFailure if a worker
        died.
        """
        counting = in_order(self.executor, run_odds_job, self.jobs(beyond), self.workers)
        for more in counting:
            with signals_deferred():
                self.counted.merge(more.seen)
            self.chunk = min(fitting(more), GROWTH * self.chunk)
            report_progress(self.counted)
            if is_enough():
                counting.close()

    def jobs(self, beyond: int) -> Iterator[OddsJob]:
        """Yield jobs for the workers until there are jobs for `beyond` battles in total.

        The size of a job depends on the duration of the last finished job.

        The last jobs are smaller, so that all workers end at about the same time.
        """
        first = self.counted.battles
        while first < beyond:
            last = min(first + self.portion(beyond - first), beyond)
            yield OddsJob(self.table, self.base, self.path, first, last)
            first = last

    def portion(self, left: int) -> int:
        """Return the number of battles for the next job when `left` battles remain."""
        return min(self.chunk, max(left // (2 * self.workers), self.chunk // LEAST_PART, 1))

    def is_certain(self) -> bool:
        """Return True if the battle uses no random numbers, so that it ends in the same way with every seed.

        The result is False if a commander comes from a plug-in, because such a commander can use random
        numbers of its own.
        """
        if not all(answers_itself(side.acting) for side in self.plan.sides):
            return False
        streams = streams_of(self.plan)
        fought(self.plan, streams, listen=False)
        return streams.are_untouched()

    def take_the_only_one(self) -> None:
        """Fight and count one battle. Call this method only if all battles end in the same way."""
        self.counted = count(self.plan, self.path, 0, 1)

    def example(self) -> Record:
        """Return the record of the first battle whose scores are nearest to the mean scores."""
        number = nearest_the_mean(self.counted)
        assert self.plan.seed is not None
        seed = child_seed(self.plan.seed, f"{self.path}/{number}")
        stem = self.plan.id[: 39 - len(str(number))].rstrip("-_")
        return fight_battle(self.plan._replace(seed=seed, id=f"{stem}-{number}"))[0]


def fitting(counted: Counted) -> int:
    """Return the number of battles for a job that takes the target duration.

    The number is estimated from the last finished job.
    """
    each = max(counted.seconds, 1e-6) / counted.seen.battles
    return max(1, min(MOST_IN_CHUNK, int(CHUNK_SECONDS / each)))


def nearest_the_mean(counted: Count) -> int:
    """Return the number of the first battle whose scores are nearest to the mean scores."""
    totals = [sum(score * often for score, often in seen.items()) for seen in counted.scores]

    def distance(scores: tuple[int, ...]) -> int:
        pairs = zip(scores, totals, strict=True)
        return sum((score * counted.battles - total) ** 2 for score, total in pairs)

    return min(counted.firsts.items(), key=lambda first: (distance(first[0]), first[1]))[1]
