"""The luck ledger, which compares each side's expected and actual result in the recorded battles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan, SidePlan
from cardbattle.battles.records.record import Record
from cardbattle.campaign.ledger.history import force_today, in_todays_keys, record_in
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.turn.estimate import Announce, Estimate
from cardbattle.campaign.visibility.reader import VisibleCampaign, recorded_side_name
from cardbattle.commanders import DEFAULT, rank_error, thinks_ahead
from cardbattle.core.chance import child_seed
from cardbattle.files.count_cache import CountCache, key_of
from cardbattle.simulation.counting import WHOLE, Count, count
from cardbattle.simulation.workers import announce_work, in_order

PATH = "luck"


class Luck(NamedTuple):
    """One side's luck in one battle.

    Attributes:
        expected, got: the expected and the actual points. A win is 1 point. A shared or drawn battle is an
            equal share of 1 point.
        mean, score: the expected and the actual score by the rules of the game.
        total: the sum of the points minus the expected points of the sides with this name, over all battles
            so far.
        name: the name of the side in the campaign.

    """

    battle: str
    side: str
    expected: Fraction
    got: Fraction
    mean: Fraction
    score: int
    total: Fraction
    name: str = ""


class Tally(NamedTuple):
    """One battle's number of simulations, and the total points and scores of each seat."""

    battles: int
    points: list[int]
    scores: list[int]

    def plus(self, other: Tally) -> Tally:
        points, scores = (
            [mine + more for mine, more in zip(*pair, strict=True)]
            for pair in ((self.points, other.points), (self.scores, other.scores))
        )
        return Tally(self.battles + other.battles, points, scores)


class LuckJob(NamedTuple):
    """A task for a worker, which runs the simulations `first` to `beyond` - 1 of a recorded battle."""

    folder: str
    record: str
    battle: str
    digest: str
    first: int
    beyond: int
    seed: int | str | None = None


class LuckTask:
    """The simulation of one recorded battle.

    The task holds the tally so far, the requested number of simulations, and the seconds that each one takes.
    """

    def __init__(self, job: LuckJob, key: str, wanted: int, tally: Tally | None) -> None:
        self.job = job
        self.key = key
        self.wanted = wanted
        self.tally = tally
        self.seconds = 0.0
        self.is_readable = True
        self.is_new = False

    @property
    def is_done(self) -> int:
        return self.tally.battles if self.tally else 0

    def jobs(self, beyond: int) -> Iterator[LuckJob]:
        """Yield jobs for the missing simulations until there are `beyond` simulations."""
        step = max(1, min(beyond, int(CHUNK_SECONDS / self.seconds) if self.seconds else beyond))
        for first in range(self.is_done, beyond, step):
            yield self.job._replace(first=first, beyond=min(first + step, beyond))

    def take(self, tally: Tally | None, seconds: float) -> int:
        """Add the result of a job, and return its number of simulations."""
        if tally is None:
            self.is_readable = False
            return 0
        self.tally = self.tally.plus(tally) if self.tally else tally
        self.is_new = True
        self.seconds = seconds / tally.battles
        return tally.battles


def count_luck(
    folder: str,
    visible: VisibleCampaign,
    battles: int,
    executor: Executor,
    workers: int = 1,
    report_progress: Callable[[int, int], None] = lambda finished, of: None,
    *,
    is_quick: bool = False,
    announce: Announce = lambda seconds: None,
) -> list[Luck]:
    """Return every side's luck in the recorded battles, in the order of the ledger.

    Each battle is simulated `battles` times, at least once, with other deals, the same options and the same
    commanders. Regular commanders replace people and standing orders. With `is_quick`, 20 simulations are
    enough if commanders think ahead. Cached simulations are reused.

    Battles without a record, or recorded under other rules, are left out. Battles whose expected result would
    reveal hidden information to the reader are also left out. `report_progress` is called with the number of
    finished simulations and their total. If the remaining time is long, `announce` is called with it.
    """
    entries = [entry for entry in with_records(visible.ledger) if knows_expectation(folder, visible, entry)]
    cache = CountCache(folder, NAME)
    seed = None if visible.is_whole else visible.campaign.seed
    tasks = [task_of(folder, entry, cache, seed, battles, is_quick) for entry in entries]
    try:
        run_tasks(tasks, executor, workers, report_progress, announce)
    finally:
        for task in tasks:
            if task.tally is not None and task.is_new and task.job.digest:
                cache.put(task.key, task.is_done, task.tally)
        cache.write()
    return luck_of_tasks(visible, entries, tasks)


NAME = ".cardbattle.luck"
QUICK = 20  # simulations if commanders think ahead
CHUNK_SECONDS = 0.5  # target duration of a job


def task_of(
    folder: str, entry: Entry, cache: CountCache, seed: int | str | None, battles: int, is_quick: bool
) -> LuckTask:
    """Return the simulation task of a recorded battle, starting from the cached tally."""
    job = LuckJob(folder, entry.record, entry.id, entry.digest, 0, 0, seed)
    record = record_for(job) if is_quick else None
    ranks = [side.commander.partition(":")[0] for side in plan_of(record).sides] if record else []
    if any(map(thinks_ahead, ranks)):
        battles = min(battles, QUICK)
    key = key_of(folder, PATH, entry.digest, entry.id, seed)
    count, numbers = cache.best(key, battles, or_more=is_quick) if entry.digest else (0, None)
    tally = read_cached_tally(count, numbers)
    return LuckTask(job, key, max(battles, tally.battles if tally else 0), tally)


def read_cached_tally(count: int, numbers: object) -> Tally | None:
    if not isinstance(numbers, list) or len(numbers) != 3 or numbers[0] != count:
        return None
    _, points, scores = numbers
    is_sound = isinstance(points, list) and isinstance(scores, list) and len(points) == len(scores) > 1
    if not is_sound or not all(type(number) is int for number in [*points, *scores]):
        return None
    return Tally(count, points, scores)


def run_tasks(
    tasks: Sequence[LuckTask],
    executor: Executor,
    workers: int,
    report_progress: Callable[[int, int], None],
    announce: Announce,
) -> None:
    """Run the missing simulations. The first simulation of each battle is timed before the others are run."""
    finished, wanted = sum(task.is_done for task in tasks), sum(task.wanted for task in tasks)
    estimate = Estimate(wanted - finished, workers, announce)
    for is_first in (True, False):
        missing = [task for task in tasks if task.is_readable and task.is_done < task.wanted]
        pairs = [
            (task, job)
            for task in missing
            for job in task.jobs(task.is_done + 1 if is_first else task.wanted)
        ]
        announce_work(executor, sum(task.seconds * (task.wanted - task.is_done) for task in missing))
        counts = in_order(executor, run_luck_job, (job for _, job in pairs), workers)
        for (task, _), (tally, seconds) in zip(pairs, counts, strict=True):
            battles = task.take(tally, seconds)
            finished += battles
            estimate.hear(battles, seconds)
            report_progress(finished, wanted)


def luck_of_tasks(
    visible: VisibleCampaign, entries: Sequence[Entry], tasks: Sequence[LuckTask]
) -> list[Luck]:
    lucks: list[Luck] = []
    totals: dict[str, Fraction] = {}
    for entry, task in zip(entries, tasks, strict=True):
        record = record_for(task.job)
        if record is None or task.tally is None:
            continue
        entry = in_todays_keys(visible.ledger, entry)
        campaign = visible.campaign_after(entry)
        for luck in luck_by(task.job.battle, record, task.tally):
            side = force_today(visible.ledger, luck.side, entry.revision)
            name = recorded_side_name(campaign, entry, side)
            totals[name] = totals.get(name, Fraction(0)) + luck.got - luck.expected
            lucks.append(luck._replace(side=side, total=totals[name], name=name))
    return lucks


def knows_expectation(folder: str, visible: VisibleCampaign, entry: Entry) -> bool:
    """Return True if the reader may know the expected result of a battle, which reveals its commanders."""
    record = None if visible.is_whole else record_in(folder, entry.record)
    return visible.is_whole or (record is not None and visible.view_of(entry.revision, record).is_certain)


def run_luck_job(job: LuckJob) -> tuple[Tally | None, float]:
    """Return a pair (tally, seconds) for a job. The tally is None if the record cannot be read."""
    record = record_for(job)
    if record is None:
        return None, 0.0
    began = perf_counter()
    counted = count(plan_of(record), PATH, job.first, job.beyond)
    return tally_of(counted), perf_counter() - began


def record_for(job: LuckJob) -> Record | None:
    """Return the record that a job simulates, or None if the record cannot be read.

    If the job has a seed, this seed replaces the seed of the battle, which would reveal other deals. Standing
    orders are then left out, because not every reader knows them.
    """
    return read_once(job._replace(first=0, beyond=0))


@lru_cache(maxsize=16)
def read_once(job: LuckJob) -> Record | None:
    """Read the record of a job. Jobs of the same battle share the record."""
    record = record_in(job.folder, job.record)
    if record is None or job.seed is None:
        return record
    sides = [side._replace(standing=[]) for side in record.sides]
    return record._replace(seed=child_seed(job.seed, job.battle), sides=sides)


def tally_of(counted: Count) -> Tally:
    sums = [sum(score * often for score, often in scores.items()) for scores in counted.scores]
    return Tally(counted.battles, list(counted.points), sums)


def with_records(ledger: Ledger) -> Sequence[Entry]:
    undone = ledger.undone_revisions
    records = enumerate(ledger.heads.records[: ledger.whole_entries], 1)
    return [ledger.entry(revision) for revision, record in records if record and revision not in undone]


def luck_in(battle: str, record: Record, battles: int) -> list[Luck]:
    return luck_by(battle, record, tally_of(count(plan_of(record), PATH, 0, battles)))


def luck_by(battle: str, record: Record, tally: Tally) -> list[Luck]:
    """Return every side's luck in a battle, given its simulations."""
    keys = record.setup.seats
    winners = record.winning_seats or list(range(len(keys)))
    return [
        Luck(
            battle,
            key,
            Fraction(tally.points[seat], WHOLE * tally.battles),
            Fraction(1, len(winners)) if seat in winners else Fraction(0),
            Fraction(tally.scores[seat], tally.battles),
            record.scores[seat],
            Fraction(0),
        )
        for seat, key in enumerate(keys)
    ]


def plan_of(record: Record) -> BattlePlan:
    """Return the plan of a recorded battle without its deal."""
    sides = []
    for side in record.sides:
        is_rank = not rank_error(side.commander, orders=False)
        commander = side.commander if is_rank else DEFAULT
        sides.append(SidePlan(side.name, commander, [], DEFAULT, side.standing, plural=side.plural))
    setup = record.setup.copy()
    setup.deal = {}
    return BattlePlan(record.id, record.rules, record.seed or 0, setup, sides, {})
