"""What was counted of recorded battles for a site, kept so that nothing is counted twice; disposable.

It goes by the records' digests: a battle that is fought anew is counted anew.
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
    """What was counted of one battle: how its chances went, and the points each seat could expect of it.

    Regular commanders fought all of it on: players may read it, whoever commanded.
    """

    trend: Trend
    expected: list[float]


class CountJob(NamedTuple):
    """One record to be counted, as sent to a worker."""

    folder: str
    record: str


def kept_counts(folder: str) -> dict[str, CountedBattle | None]:
    """Return what was counted before, by the records' digests; nothing if that cannot be read."""
    path = os.path.join(folder, NAME)
    try:
        data = json.loads(read_bytes(path, MOST_BYTES)) if os.path.lexists(path) else {}
        if data.get("version") != VERSION:
            return {}
        return {digest: parse_counted(one) if one else None for digest, one in data["counted"].items()}
    except (CardbattleError, OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def parse_counted(one: Any) -> CountedBattle:
    """Return what was counted of a battle as JSON has it; errors if it is anything else."""
    points = [(int(made), [float(share) for share in shares]) for made, shares in one["points"]]
    return CountedBattle(
        Trend(points, [int(move) for move in one["turns"]]), [float(each) for each in one["expected"]]
    )


def count_battles(
    folder: str,
    records: Mapping[str, str],
    executor: Executor,
    workers: int = 1,
    tell: Callable[[int, int], None] = lambda done, of: None,
    most: int | None = None,
) -> dict[str, CountedBattle | None]:
    """Return what was counted of these records, by their digests; those not counted yet are counted now.

    `records` are names in the campaign's folder by digest. Those that cannot be fought on have None. Of
    those not counted yet only the last `most`, from 1, are looked at; all of them if it is not given.
    """
    found = {digest: one for digest, one in kept_counts(folder).items() if digest in records}
    missing = [digest for digest in records if digest not in found]
    missing = missing if most is None else missing[-most:]
    jobs = [CountJob(folder, records[digest]) for digest in missing]
    for done, counted in enumerate(in_order(executor, count_record, jobs, workers), 1):
        found[missing[done - 1]] = counted
        tell(done, len(jobs))
    if missing:
        save_counts(folder, found)
    return found


def count_record(job: CountJob) -> CountedBattle | None:
    """Return what is counted of one record; None if it cannot be read or fought on."""
    record = record_in(job.folder, job.record)
    try:
        return simulate_record(record) if record is not None else None
    except CardbattleError:
        return None


def simulate_record(record: Record) -> CountedBattle:
    """Return what is counted of a record; Differs or IllegalMove if it cannot be fought on."""
    expected = [round(float(one.expected), 3) for one in luck_in(record.id, undisclosed(record), BATTLES)]
    return CountedBattle(trend_of(record), expected)


def undisclosed(record: Record) -> Record:
    """Return a record with nothing in it that would tell players who commanded, or by which seed.

    Everybody is a regular commander, and the seed is its id.
    """
    sides = [side._replace(commander=DEFAULT, standing=[]) for side in record.sides]
    return record._replace(sides=sides, seed=record.id)


def save_counts(folder: str, found: Mapping[str, CountedBattle | None]) -> None:
    """Keep what was counted; if that cannot be written, it is counted again the next time."""
    table = {
        digest: one and {"points": one.trend.points, "turns": one.trend.turns, "expected": one.expected}
        for digest, one in found.items()
    }
    content = json.dumps({"version": VERSION, "counted": table}, separators=(",", ":")).encode()
    with contextlib.suppress(OSError):
        disk.replace(os.path.join(folder, NAME), content, TEMPORARY)
