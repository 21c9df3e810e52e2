"""A cache of the results of `analyse`.

The results of a campaign's record are in the campaign's cache. The results of any other record are in a file
of the user's cache folder, one file for each record. You can delete both.

A result is used only for a record with the same content, with the same settings, and as long as the program
and the rule set have the same source code. It says nothing that the record does not say or imply.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from cardbattle.battles.records.record import Record, record_digest
from cardbattle.campaign.state.paths import campaign_of
from cardbattle.campaign.turn import chance_cache
from cardbattle.campaign.turn.chance_cache import CountJob, known_curves, parse_curve, parse_turning_points
from cardbattle.files.count_cache import CountCache
from cardbattle.files.settings import cache_folder
from cardbattle.files.toml import MEGABYTE
from cardbattle.simulation.analysis import Analysis, Depth, ExactLoss, Position, Verdict
from cardbattle.simulation.intervals import Interval
from cardbattle.simulation.turning_points import Curve, CurveSample, TurningPoint

FOLDER = "analyses"  # in the user's cache folder
MOST_FILES = 200  # the oldest files above this number are deleted
MOST_BYTES = MEGABYTE  # of one file
PRIVATE = 0o700  # permissions of the folder: records contain secret moves
CODE = tuple(f"cardbattle.{name}" for name in ("core", "commanders", "battles", "simulation"))

T = TypeVar("T")


class AnalysisCache:
    """The cached results of one record. A missing result is computed and added.

    `path` is the path of the record, or "" or "-" if it has none. A cache that cannot be read or written is
    ignored.
    """

    def __init__(self, record: Record, path: str = "") -> None:
        self.record = record
        self.digest = record_digest(record.table)
        self.campaign = campaign_of(path)

    def analysis(self, depth: Depth, compute: Callable[[], Analysis]) -> Analysis:
        """Return the analysis of the record. It has no turning points if it comes from the cache."""

        def parse(table: Any) -> Analysis:
            positions, decisions = table
            return Analysis(
                self.record, [*map(parse_position, positions)], depth.battles, depth.all_seeing, decisions
            )

        def fields(analysis: Analysis) -> object:
            return analysis.positions, analysis.decisions

        return self.fetch(("positions", *depth[1:]), depth.battles, compute, parse, fields)

    def turning_points(self, compute: Callable[[], list[TurningPoint]]) -> list[TurningPoint]:
        """Return the turning points of the record, from everything that the public saw."""
        if self.campaign:
            job = CountJob(self.campaign, "", self.digest, None, is_full=True)
            for curve in known_curves(self.campaign, {0: job}).values():
                return curve.turning_points
        return self.fetch(("turning points",), 1, compute, parse_turning_points)

    def curve(self, sample: CurveSample, parts: tuple[object, ...], compute: Callable[[], Curve]) -> Curve:
        """Return a curve without turning points. `parts` are all its settings that `sample` does not have."""
        return self.fetch(("curve", *parts, sample[1:]), sample.battles, compute, parse_curve)

    def fetch(
        self,
        parts: tuple[object, ...],
        battles: int,
        compute: Callable[[], T],
        parse: Callable[[Any], T],
        fields: Callable[[T], object] = lambda result: result,
    ) -> T:
        """Return the cached result of `parts` and `battles`, or compute it and add it to the cache.

        `fields` converts a result to JSON, and `parse` converts it back. `parse` raises ValueError or
        TypeError if the data has the wrong form.
        """
        key = f"{self.digest} analyse {json.dumps(parts)}"
        code = code_digest(self.record.rules.package)
        with contextlib.suppress(ValueError, LookupError, TypeError, AttributeError):
            number, (cached_code, table) = self.open().best(key, battles)
            if (number, cached_code) == (battles, code):
                return parse(table)
        result = compute()
        counts = self.open()  # again, because another command can have changed the file meanwhile
        counts.put(key, battles, (code, fields(result)))
        self.write(counts)
        return result

    def open(self) -> CountCache:
        if self.campaign:
            return CountCache(self.campaign, chance_cache.NAME, chance_cache.MOST_BYTES)
        return CountCache(user_folder(), f"{self.digest.rpartition(':')[2]}.json", MOST_BYTES)

    def write(self, counts: CountCache) -> None:
        with contextlib.suppress(OSError):
            if not self.campaign:
                os.makedirs(user_folder(), PRIVATE, exist_ok=True)
            counts.write()
            if not self.campaign:
                remove_oldest(user_folder())


def user_folder() -> str:
    """Return the folder for the results of records outside a campaign.

    If the user has no home folder, the folder cannot be created, and nothing is cached.
    """
    return os.path.join(cache_folder() or os.devnull, FOLDER)


def remove_oldest(folder: str) -> None:
    """Delete the oldest files of the cache above `MOST_FILES`. Raises OSError if that fails."""
    files = sorted(Path(folder).glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    for path in files[:-MOST_FILES]:
        path.unlink()


@cache
def code_digest(rules: str) -> str:
    """Return a hash of the source code that determines a result.

    `rules` is the name of the package of the rule set, which can come from a plug-in.
    """
    digest = sha256()
    for name in (*CODE, rules):
        with contextlib.suppress(ImportError, ValueError, OSError):
            spec = find_spec(name)
            for folder in (spec and spec.submodule_search_locations) or ():
                for path in sorted(Path(folder).rglob("*.py")):
                    digest.update(path.read_bytes())
    return digest.hexdigest()


def parse_position(table: Any) -> Position:
    made, side, move, is_secret, chances, verdict, exact = table
    return Position(
        made,
        side,
        move,
        is_secret,
        [Interval(*chance) for chance in chances],
        None if verdict is None else Verdict(*verdict),
        None if exact is None else ExactLoss(*exact),
    )
