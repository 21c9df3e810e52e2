"""The luck ledger: what each side could expect of a recorded battle, and what it got."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan, SidePlan
from cardbattle.battles.records.record import Record
from cardbattle.campaign.ledger.history import force_today, record_in
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.turn.estimate import Announce, Estimate
from cardbattle.campaign.turn.kept_counts import CountCache, key_of
from cardbattle.campaign.visibility.reader import VisibleCampaign
from cardbattle.commanders import RANKS
from cardbattle.core.chance import child_seed
from cardbattle.simulation.counting import WHOLE, Count, count
from cardbattle.simulation.workers import foretell, in_order

PATH = "luck"


class Luck(NamedTuple):
    """One side's fortune in one battle.

    `expected` and `got` are points: 1 for a win, a fair part of it for a shared or drawn battle;
    `mean` and `score` are the battle's own score, expected and made; `total` adds up what this
    side got beyond what it could expect, so far.
    """

    battle: str
    side: str
    expected: Fraction
    got: Fraction
    mean: Fraction
    score: int
    total: Fraction


class Tally(NamedTuple):
    """Battles fought again: how many, and the points and scores that each seat made in all of them."""

    battles: int
    points: list[int]
    scores: list[int]

    def plus(self, other: Tally) -> Tally:
        """Return this tally with one of later battles."""
        points, scores = (
            [one + more for one, more in zip(*pair, strict=True)]
            for pair in ((self.points, other.points), (self.scores, other.scores))
        )
        return Tally(self.battles + other.battles, points, scores)


class LuckJob(NamedTuple):
    """Battles `first` to `beyond` - 1 of a recorded battle fought again, as sent to a worker."""

    folder: str
    record: str
    battle: str
    digest: str
    first: int
    beyond: int
    seed: int | str | None = None


class LuckTask:
    """What is counted of one recorded battle: `tally` so far of `wanted` battles, one taking `seconds`."""

    def __init__(self, job: LuckJob, key: str, wanted: int, tally: Tally | None) -> None:
        self.job = job
        self.key = key
        self.wanted = wanted
        self.tally = tally
        self.seconds = 0.0
        self.is_readable = True
        self.is_new = False

    @property
    def done(self) -> int:
        """How many battles are counted."""
        return self.tally.battles if self.tally else 0

    def jobs(self, beyond: int) -> Iterator[LuckJob]:
        """Yield the jobs for the battles that are missing, up to a number of them."""
        step = max(1, min(beyond, int(CHUNK_SECONDS / self.seconds) if self.seconds else beyond))
        for first in range(self.done, beyond, step):
            yield self.job._replace(first=first, beyond=min(first + step, beyond))

    def take(self, tally: Tally | None, seconds: float) -> int:
        """Take what a job came to; return how many battles."""
        if tally is None:
            self.is_readable = False
            return 0
        self.tally = self.tally.plus(tally) if self.tally else tally
        self.is_new = True
        self.seconds = seconds / tally.battles
        return tally.battles


def count_luck(
    folder: str,
    known: VisibleCampaign,
    battles: int,
    executor: Executor,
    workers: int = 1,
    tell: Callable[[int, int], None] = lambda done, of: None,
    *,
    is_quick: bool = False,
    announce: Announce = lambda seconds: None,
) -> list[Luck]:
    """Return every side's luck in the recorded battles that stand, in order, as far as a reader may know it.

    What could be expected is counted by fighting the battle again `battles` times with other
    deals, the same options and the same commanders (orders are replaced by the regular's
    judgement); `battles` is from 1, and at most 20 `is_quick` where commanders think. What was counted
    before is kept and not counted again. Battles without a record, or under other rules, are left out, and
    so are those of which the reader does not know all that decided what could be expected. `tell` hears how
    many battles are fought, out of how many; `announce` how long that will take if it is long.
    """
    entries = [entry for entry in with_records(known.ledger) if knows_expectation(folder, known, entry)]
    kept = CountCache(folder, NAME)
    seed = None if known.is_whole else known.campaign.seed
    tasks = [task_of(folder, entry, kept, seed, battles, is_quick) for entry in entries]
    try:
        run_tasks(tasks, executor, workers, tell, announce)
    finally:
        for task in tasks:
            if task.tally is not None and task.is_new and task.job.digest:
                kept.put(task.key, task.done, task.tally)
        kept.write()
    return luck_of_tasks(known, entries, tasks)


NAME = ".cardbattle.luck"
QUICK = 20  # battles where commanders think
CHUNK_SECONDS = 0.5  # how long a job should take


def task_of(
    folder: str, entry: Entry, kept: CountCache, seed: int | str | None, battles: int, is_quick: bool
) -> LuckTask:
    """Return what is to be counted of a recorded battle, with what was counted before."""
    job = LuckJob(folder, entry.record, entry.id, entry.digest, 0, 0, seed)
    record = record_for(job) if is_quick else None
    ranks = [side.commander.partition(":")[0] for side in plan_of(record).sides] if record else []
    if any(RANKS[rank].thinks for rank in ranks):
        battles = min(battles, QUICK)
    key = key_of(folder, PATH, entry.digest, entry.id, seed)
    count, numbers = kept.best(key, battles, or_more=is_quick) if entry.digest else (0, None)
    tally = kept_tally(count, numbers)
    return LuckTask(job, key, max(battles, tally.battles if tally else 0), tally)


def kept_tally(count: int, numbers: object) -> Tally | None:
    """Return the tally in what was kept; None if it is anything else."""
    if not isinstance(numbers, list) or len(numbers) != 3 or numbers[0] != count:
        return None
    _, points, scores = numbers
    is_sound = isinstance(points, list) and isinstance(scores, list) and len(points) == len(scores) > 1
    if not is_sound or not all(type(one) is int for one in [*points, *scores]):
        return None
    return Tally(count, points, scores)


def run_tasks(
    tasks: Sequence[LuckTask],
    executor: Executor,
    workers: int,
    tell: Callable[[int, int], None],
    announce: Announce,
) -> None:
    """Count what is missing: one battle of each, to learn how long it takes, then the others."""
    done, wanted = sum(task.done for task in tasks), sum(task.wanted for task in tasks)
    estimate = Estimate(wanted - done, workers, announce)
    for is_first in (True, False):
        missing = [task for task in tasks if task.is_readable and task.done < task.wanted]
        pairs = [
            (task, job) for task in missing for job in task.jobs(task.done + 1 if is_first else task.wanted)
        ]
        foretell(executor, sum(task.seconds * (task.wanted - task.done) for task in missing))
        counts = in_order(executor, run_luck_job, (job for _, job in pairs), workers)
        for (task, _), (tally, seconds) in zip(pairs, counts, strict=True):
            battles = task.take(tally, seconds)
            done += battles
            estimate.hear(battles, seconds)
            tell(done, wanted)


def luck_of_tasks(known: VisibleCampaign, entries: Sequence[Entry], tasks: Sequence[LuckTask]) -> list[Luck]:
    """Return every side's luck, added up from battle to battle."""
    found: list[Luck] = []
    totals: dict[str, Fraction] = {}
    for entry, task in zip(entries, tasks, strict=True):
        record = record_for(task.job)
        if record is None or task.tally is None:
            continue
        for one in luck_by(task.job.battle, record, task.tally):
            side = force_today(known.ledger, one.side, entry.revision)
            totals[side] = totals.get(side, Fraction(0)) + one.got - one.expected
            found.append(one._replace(side=side, total=totals[side]))
    return found


def knows_expectation(folder: str, known: VisibleCampaign, entry: Entry) -> bool:
    """Say whether a reader may know what could be expected of a battle: it tells how it was commanded."""
    record = None if known.is_whole else record_in(folder, entry.record)
    return known.is_whole or (record is not None and known.view_of(entry.revision, record).is_certain)


def run_luck_job(job: LuckJob) -> tuple[Tally | None, float]:
    """Return the tally of a job and the seconds it took; no tally if the record cannot be read."""
    record = record_for(job)
    if record is None:
        return None, 0.0
    began = perf_counter()
    counted = count(plan_of(record), PATH, job.first, job.beyond)
    return tally_of(counted), perf_counter() - began


def record_for(job: LuckJob) -> Record | None:
    """Return the record of a job as it is fought again; None if it cannot be read.

    A seed that is given takes the place of the battle's own, which other deals would tell of; then the
    standing orders, which not every reader knows, are not followed.
    """
    return read_once(job._replace(first=0, beyond=0))


@lru_cache(maxsize=16)
def read_once(job: LuckJob) -> Record | None:
    """Return the record of a job; jobs for the same battle read it once."""
    record = record_in(job.folder, job.record)
    if record is None or job.seed is None:
        return record
    sides = [side._replace(standing=[]) for side in record.sides]
    return record._replace(seed=child_seed(job.seed, job.battle), sides=sides)


def tally_of(counted: Count) -> Tally:
    """Return what is kept of a count."""
    sums = [sum(score * often for score, often in scores.items()) for scores in counted.scores]
    return Tally(counted.battles, list(counted.points), sums)


def with_records(ledger: Ledger) -> Sequence[Entry]:
    """Return the entries of battles that stand and have a record."""
    gone = ledger.taken_back
    records = enumerate(ledger.heads.records[: ledger.settled], 1)
    return [ledger.entry(revision) for revision, record in records if record and revision not in gone]


def luck_in(battle: str, record: Record, battles: int) -> list[Luck]:
    """Return every side's luck in one battle."""
    return luck_by(battle, record, tally_of(count(plan_of(record), PATH, 0, battles)))


def luck_by(battle: str, record: Record, tally: Tally) -> list[Luck]:
    """Return every side's luck in one battle, by how it went when it was fought again."""
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
    """Return the plan of a recorded battle with all cards undealt."""
    from cardbattle.commanders import DEFAULT, rank_mistake

    sides = []
    for side in record.sides:
        known = not rank_mistake(side.commander, orders=False)
        commander = side.commander if known else DEFAULT
        sides.append(SidePlan(side.name, commander, [], DEFAULT, side.standing, plural=side.plural))
    setup = record.setup.copy()
    setup.deal = {}
    return BattlePlan(record.id, record.rules, record.seed or 0, setup, sides, {})
