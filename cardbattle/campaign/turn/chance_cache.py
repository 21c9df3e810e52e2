"""A cache of the simulation results of recorded battles, used by sites, reports and stories.

You can delete the cache. A key consists of a record's digest and a reader. A battle that is fought again is
therefore simulated again, and no reader gets chances that were computed from another reader's knowledge.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import chain
from math import inf
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from cardbattle.battles.records.record import Record
from cardbattle.campaign.ledger.history import record_in
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.turn import estimate
from cardbattle.campaign.turn.luck import luck_in
from cardbattle.campaign.visibility.reader import VisibleCampaign
from cardbattle.commanders import DEFAULT
from cardbattle.core.battle import NOBODY
from cardbattle.core.errors import CardbattleError
from cardbattle.files.count_cache import CountCache
from cardbattle.files.toml import MEGABYTE
from cardbattle.simulation.turning_points import (
    MOST_CHOICES,
    Curve,
    CurvePoint,
    Progress,
    TurningPoint,
    curve,
    unheard,
)
from cardbattle.simulation.workers import in_order

NAME = ".cardbattle.counted"
MOST_BYTES = 100 * MEGABYTE
BATTLES = 40  # number of simulations for the expected points
VERSION = 6  # version of the results in the cache; increase it when their meaning changes

K = TypeVar("K")


class CountedBattle(NamedTuple):
    """The simulation results of a battle: its chances over time, and the expected points of each seat.

    All simulations use regular commanders. The results reveal nothing about the real commanders, so players
    may read them.
    """

    curve: Curve
    expected: list[float]


class CountJob(NamedTuple):
    """A task for a worker, which simulates a record for one reader.

    `reader` is a seat, `NOBODY` for the public, or None for the umpire. If `is_full`, the simulation of a
    long battle is not shortened.
    """

    folder: str
    record: str
    digest: str
    reader: int | None
    is_full: bool = False

    @property
    def key(self) -> str:
        who = "umpire" if self.reader is None else "public" if self.reader == NOBODY else str(self.reader)
        return f"{self.digest} {who}"


def count_battles(
    folder: str,
    jobs: Mapping[K, CountJob],
    executor: Executor,
    workers: int = 1,
    report_progress: Callable[[float, int], None] = lambda number, of: None,
    most: int | None = None,
    live: Container[str] | None = None,
) -> dict[K, CountedBattle | None]:
    """Do the same as `count_for_readers`, for one reader."""
    return count_for_readers(folder, [jobs], executor, workers, report_progress, most, live)[0]


def count_for_readers(
    folder: str,
    jobs_by_reader: Sequence[Mapping[K, CountJob]],
    executor: Executor,
    workers: int = 1,
    report_progress: Callable[[float, int], None] = lambda number, of: None,
    most: int | None = None,
    live: Container[str] | None = None,
) -> list[dict[K, CountedBattle | None]]:
    """Return a dict for each reader, from the keys of the jobs to their simulation results.

    Missing results are computed. Readers who know the same about a battle share its result. The result of a
    record that cannot be replayed is None. An interrupted count keeps the finished results.

    The jobs of a reader are in the order in which the battles were recorded. If `most` is given, only the
    last `most` missing results of each reader are computed. It must be at least 1. `live` contains the
    digests of the records whose results the cache keeps. By default the cache keeps all results.

    `report_progress` gets the number of counted battles, and of all battles to count. If the first battle
    takes long, the first call has a part of it. With several workers, this part is larger, because the other
    battles will take less time.
    """
    cache = CountCache(folder, NAME, MOST_BYTES)
    if live is not None:
        cache.keep_only({key for key in cache.table if key.partition(" ")[0] in live})
    results: dict[str, CountedBattle | None] = {}
    missing: dict[str, CountJob] = {}
    for jobs in jobs_by_reader:
        results |= {jobs[key].key: result for key, result in read_cached_results(cache, jobs)}
        new = [job for job in jobs.values() if job.key not in results]
        missing |= {job.key: job for job in (new if most is None else new[-most:])}
    work = [*missing.values()]
    # Workers begin only after the first battle, so all battles take as long as this number of them
    in_turn = 1 + max(0, len(work) - 1) / workers
    try:
        first = count_short(work[:1], lambda share: report_progress(share * len(work) / in_turn, len(work)))
        others = in_order(executor, count_record, work[len(first) :], workers)
        for number, counted in enumerate(chain(first, others), 1):
            results[work[number - 1].key] = counted
            cache.put(work[number - 1].key, VERSION, counted)
            report_progress(number, len(work))
    finally:
        cache.write()
    return [
        {key: results[job.key] for key, job in jobs.items() if job.key in results} for jobs in jobs_by_reader
    ]


class Measured(Exception):
    """The count of a battle takes long, and its speed is known."""


def count_short(
    work: Sequence[CountJob], report_share: Callable[[float], None]
) -> list[CountedBattle | None]:
    """Count battles in this process, and return the results.

    If this takes long, report the share of the current battle that is counted, and stop.
    """
    began = monotonic()

    def report(fought: int, expected: int) -> None:
        if monotonic() - began >= estimate.MEASURING:
            report_share(fought / expected)
            raise Measured

    results: list[CountedBattle | None] = []
    with contextlib.suppress(Measured):
        results += (count_record(job, report) for job in work)
    return results


def live_digests(ledger: Ledger) -> set[str]:
    """Return the digests of the records of all valid battles."""
    return {ledger.heads[revision - 1].digest for revision in ledger.revision_by_battle.values()}


def jobs_of_logs(
    visible: VisibleCampaign, folder: str, logs: Mapping[int, Record], is_full: bool = False
) -> dict[int, CountJob]:
    """Return a dict from revisions to simulation jobs for the campaign's reader.

    `logs` are the records by revision. Records that the reader may not see are left out.
    """
    heads = visible.ledger.heads
    return {
        revision: CountJob(folder, heads[revision - 1].record, heads[revision - 1].digest, view.seat, is_full)
        for revision, record in logs.items()
        if (view := visible.view_of(revision, record))
    }


def known_curves(folder: str, jobs: Mapping[int, CountJob]) -> dict[int, Curve]:
    """Return a dict from revisions to the cached chances over time.

    Jobs without a cached result are left out.
    """
    results = read_cached_results(CountCache(folder, NAME, MOST_BYTES), jobs)
    return {revision: result.curve for revision, result in results if result is not None}


def read_cached_results(
    cache: CountCache, jobs: Mapping[K, CountJob]
) -> Iterator[tuple[K, CountedBattle | None]]:
    """Yield a pair (key, result) for each job whose result the cache has.

    For a full job, the result of a shortened simulation is ignored.
    """
    for key, job in jobs.items():
        version, table = cache.best(job.key, VERSION)
        with contextlib.suppress(ValueError, LookupError, TypeError):
            result = parse_counted(table) if version == VERSION else None
            if version == VERSION and not (job.is_full and result and result.curve.is_partial):
                yield key, result


def parse_counted(table: Any) -> CountedBattle | None:
    """Convert a result from the JSON of the cache, in which tuples are stored as lists.

    Returns None for a record that could not be replayed. The numbers are not checked. Raises ValueError
    or TypeError if the data has the wrong form.
    """
    if table is None:
        return None
    curve_table, expected = table
    return CountedBattle(parse_curve(curve_table), expected)


def parse_curve(table: Any) -> Curve:
    """Convert a curve from the JSON of the cache, like `parse_counted`."""
    points, turns, battles, is_partial = table
    return Curve([CurvePoint(*point) for point in points], parse_turning_points(turns), battles, is_partial)


def parse_turning_points(table: Any) -> list[TurningPoint]:
    return [TurningPoint(*turn) for turn in table]


def count_record(job: CountJob, progress: Progress = unheard) -> CountedBattle | None:
    record = record_in(job.folder, job.record)
    try:
        return simulate_record(record, job.reader, job.is_full, progress) if record is not None else None
    except CardbattleError:
        return None


def simulate_record(
    record: Record, reader: int | None, is_full: bool = False, progress: Progress = unheard
) -> CountedBattle:
    """Simulate a recorded battle for a reader.

    Raises ReplayMismatch or IllegalMove if the record cannot be replayed.
    """
    most_choices = inf if is_full else MOST_CHOICES
    chances = curve(record, reader, most_choices=most_choices, progress=progress)
    expected = [
        round(float(side.expected), 3) for side in luck_in(record.id, without_commanders(record), BATTLES)
    ]
    return CountedBattle(chances, expected)


def without_commanders(record: Record) -> Record:
    """Return a record without its commanders and its seed, which players may not know."""
    sides = [side._replace(commander=DEFAULT, standing=[]) for side in record.sides]
    return record._replace(sides=sides, seed=record.id)
