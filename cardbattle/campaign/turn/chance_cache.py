"""A cache of simulation results of recorded battles, for sites; disposable.

Keys are record digests, so a battle that is fought again is also simulated again.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any, NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.campaign.ledger.history import record_in
from cardbattle.campaign.turn.luck import luck_in
from cardbattle.commanders import DEFAULT
from cardbattle.core.errors import CardbattleError
from cardbattle.files import disk
from cardbattle.files.toml import MEGABYTE, read_bytes
from cardbattle.simulation.trend import BATTLES, Trend, trend_of
from cardbattle.simulation.workers import in_order

NAME = ".cardbattle.counted"
TEMPORARY = ".cardbattle.counted.tmp"
VERSION = 2
MOST_BYTES = 100 * MEGABYTE


class CountedBattle(NamedTuple):
    """Simulation results of a battle: its chances over time, and each seat's expected points.

    Regular commanders fight all of it, so that players may read it, whoever commanded.
    """

    trend: Trend
    expected: list[float]


class CountJob(NamedTuple):
    """A record to simulate, as sent to a worker."""

    folder: str
    record: str


def load_counts(folder: str) -> dict[str, CountedBattle | None]:
    """Return the cached results by record digest; empty if they cannot be read."""
    path = os.path.join(folder, NAME)
    try:
        data = json.loads(read_bytes(path, MOST_BYTES)) if os.path.lexists(path) else {}
        if data.get("version") != VERSION:
            return {}
        return {
            digest: parse_counted(counted) if counted else None for digest, counted in data["counted"].items()
        }
    except (CardbattleError, OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def parse_counted(data: Any) -> CountedBattle:
    points = [(int(moves), [float(share) for share in shares]) for moves, shares in data["points"]]
    return CountedBattle(
        Trend(points, [int(move) for move in data["turns"]]), [float(each) for each in data["expected"]]
    )


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
    results = {digest: result for digest, result in load_counts(folder).items() if digest in records}
    missing = [digest for digest in records if digest not in results]
    missing = missing if most is None else missing[-most:]
    jobs = [CountJob(folder, records[digest]) for digest in missing]
    for number, counted in enumerate(in_order(executor, count_record, jobs, workers), 1):
        results[missing[number - 1]] = counted
        report_progress(number, len(jobs))
    if missing:
        save_counts(folder, results)
    return results


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


def save_counts(folder: str, results: Mapping[str, CountedBattle | None]) -> None:
    """Write the cache; errors are ignored because it can be computed again."""
    table = {
        digest: result
        and {"points": result.trend.points, "turns": result.trend.turns, "expected": result.expected}
        for digest, result in results.items()
    }
    content = json.dumps({"version": VERSION, "counted": table}, separators=(",", ":")).encode()
    with contextlib.suppress(OSError):
        disk.replace(os.path.join(folder, NAME), content, TEMPORARY)
