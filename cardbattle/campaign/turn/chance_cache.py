"""A cache of simulation results of recorded battles, for sites; disposable.

Keys are record digests, so a battle that is fought again is also simulated again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from typing import Any, NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.campaign.ledger.history import record_in
from cardbattle.campaign.turn.count_cache import CountCache
from cardbattle.campaign.turn.luck import luck_in
from cardbattle.commanders import DEFAULT
from cardbattle.core.errors import CardbattleError
from cardbattle.simulation.trend import BATTLES, Trend, trend_of
from cardbattle.simulation.workers import in_order

NAME = ".cardbattle.counted"


class CountedBattle(NamedTuple):
    """Simulation results of a battle: its chances over time, and each seat's expected points.

    Regular commanders fight all simulations, so players may read the results; they reveal no commander.
    """

    trend: Trend
    expected: list[float]


class CountJob(NamedTuple):
    """A record to simulate, as sent to a worker."""

    folder: str
    record: str


def count_battles(
    folder: str,
    records: Mapping[str, str],
    executor: Executor,
    workers: int = 1,
    report_progress: Callable[[int, int], None] = lambda number, of: None,
    most: int | None = None,
) -> dict[str, CountedBattle | None]:
    """Return the simulation results of these records by digest, computing missing ones.

    `records` maps digests to names in the campaign's folder. The result is None for a record that cannot be
    replayed. `most`, from 1, limits the work to the last records without a result.
    """
    cache = CountCache(folder, NAME)
    results = dict(cached_results(cache, records))
    missing = [digest for digest in records if digest not in results]
    missing = missing if most is None else missing[-most:]
    jobs = [CountJob(folder, records[digest]) for digest in missing]
    for number, counted in enumerate(in_order(executor, count_record, jobs, workers), 1):
        results[missing[number - 1]] = counted
        cache.put(missing[number - 1], BATTLES, counted)
        report_progress(number, len(jobs))
    cache.keep_only(results)
    cache.write()
    return results


def cached_results(cache: CountCache, digests: Iterable[str]) -> Iterator[tuple[str, CountedBattle | None]]:
    """Yield the readable results in a cache."""
    for digest in digests:
        number, row = cache.best(digest, BATTLES)
        with contextlib.suppress(ValueError, LookupError, TypeError):
            if number:
                yield digest, row and parse_counted(row)


def parse_counted(row: Any) -> CountedBattle:
    (points, turns), expected = row
    moments = [(int(moves), [float(share) for share in shares]) for moves, shares in points]
    return CountedBattle(Trend(moments, [int(move) for move in turns]), [float(each) for each in expected])


def count_record(job: CountJob) -> CountedBattle | None:
    record = record_in(job.folder, job.record)
    try:
        return simulate_record(record) if record is not None else None
    except CardbattleError:
        return None


def simulate_record(record: Record) -> CountedBattle:
    """Return the results of a record; ReplayMismatch or IllegalMove if it cannot be replayed."""
    expected = [
        round(float(side.expected), 3) for side in luck_in(record.id, without_commanders(record), BATTLES)
    ]
    return CountedBattle(trend_of(record), expected)


def without_commanders(record: Record) -> Record:
    """Return a record without its commanders and seed, which players may not know."""
    sides = [side._replace(commander=DEFAULT, standing=[]) for side in record.sides]
    return record._replace(sides=sides, seed=record.id)
