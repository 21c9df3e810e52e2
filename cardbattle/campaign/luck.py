"""The luck ledger: what each side could expect of a recorded battle, and what it got."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from typing import NamedTuple

from cardbattle.campaign.history import force_today, record_in
from cardbattle.campaign.ledger import Entry, Ledger
from cardbattle.campaign.visibility import Intelligence
from cardbattle.chances.counting import WHOLE, count
from cardbattle.chances.workers import in_order
from cardbattle.core.chance import child_seed
from cardbattle.records.battle_file import BattlePlan, SidePlan
from cardbattle.records.record import Record

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


class LuckJob(NamedTuple):
    """One recorded battle, as sent to a worker."""

    folder: str
    record: str
    battle: str
    battles: int
    seed: int | str | None = None


def count_luck(
    folder: str,
    known: Intelligence,
    battles: int,
    executor: Executor,
    workers: int = 1,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> list[Luck]:
    """Return every side's luck in the recorded battles that stand, in order, as far as a reader may know it.

    What could be expected is counted by fighting the battle again `battles` times with other
    deals, the same options and the same commanders (orders are replaced by the regular's
    judgement); `battles` is from 1. Battles without a record, or under other rules, are left out, and so
    are those of which the reader does not know all that decided what could be expected. `tell` hears how
    many are done, out of how many.
    """
    found: list[Luck] = []
    totals: dict[str, Fraction] = {}
    entries = [entry for entry in with_records(known.ledger) if may_expect(folder, known, entry)]
    seed = None if known.is_whole else known.campaign.seed
    jobs = [LuckJob(folder, entry.record, entry.id, battles, seed) for entry in entries]
    for done, both in enumerate(in_order(executor, run_luck_job, jobs, workers), 1):
        for one in both:
            side = force_today(known.ledger, one.side, entries[done - 1].revision)
            totals[side] = totals.get(side, Fraction(0)) + one.got - one.expected
            found.append(one._replace(side=side, total=totals[side]))
        tell(done, len(entries))
    return found


def may_expect(folder: str, known: Intelligence, entry: Entry) -> bool:
    """Say whether a reader may know what could be expected of a battle: it tells how it was commanded."""
    record = None if known.is_whole else record_in(folder, entry.record)
    return known.is_whole or (record is not None and known.view_of(entry.revision, record).is_certain)


def run_luck_job(job: LuckJob) -> list[Luck]:
    """Return every side's luck in one recorded battle; nobody's if its record cannot be read.

    A seed that is given takes the place of the battle's own, which other deals would tell of; then the
    standing orders, which not every reader knows, are not followed.
    """
    record = record_in(job.folder, job.record)
    if record is None:
        return []
    if job.seed is not None:
        sides = [side._replace(standing=[]) for side in record.sides]
        record = record._replace(seed=child_seed(job.seed, job.battle), sides=sides)
    return luck_in(job.battle, record, job.battles)


def with_records(ledger: Ledger) -> Sequence[Entry]:
    """Return the entries of battles that stand and have a record."""
    gone = ledger.taken_back
    records = enumerate(ledger.heads.records[: ledger.settled], 1)
    return [ledger.entry(revision) for revision, record in records if record and revision not in gone]


def luck_in(battle: str, record: Record, battles: int) -> list[Luck]:
    """Return every side's luck in one battle."""
    counted = count(plan_of(record), PATH, 0, battles)
    keys = record.setup.seats
    winners = record.winning_seats or list(range(len(keys)))
    return [
        Luck(
            battle,
            key,
            Fraction(counted.points[seat], WHOLE * battles),
            Fraction(1, len(winners)) if seat in winners else Fraction(0),
            Fraction(sum(score * often for score, often in counted.scores[seat].items()), battles),
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
