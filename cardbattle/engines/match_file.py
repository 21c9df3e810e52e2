"""Read and write the file of the command `match --resume`.

The first line of the file describes the match, and each other line has the result of a pair.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable

from cardbattle.core.errors import InvalidInput
from cardbattle.engines.match import Match, MatchPlan, PairResult
from cardbattle.files import disk
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.simulation.journal import journal_lines
from cardbattle.version import __version__


def head_of(plan: MatchPlan) -> dict[str, object]:
    """Return the first line of a match file. A match can be continued only if this line is the same.

    The line does not contain the number of battles and the test, because these can change.
    """
    return {
        "match": 1,
        "program": __version__,
        "battle": plan.table,
        "commanders": plan.commanders,
        "gauntlet": plan.is_gauntlet,
        "engines": {name: engine.command for name, engine in plan.engines.items()},
        "clock": plan.clock.table(),
        "seed": plan.seed,
    }


def seed_in(path: str) -> int | str | None:
    """Return the seed in a match file, or None if the file does not exist.

    Raises InvalidInput if the file is not a match file.
    """
    for line in journal_lines(path):
        try:
            seed = json.loads(line)["seed"]
        except (ValueError, TypeError, LookupError):
            raise not_a_match(path) from None
        return seed if isinstance(seed, int | str) else None
    return None


def not_a_match(path: str) -> InvalidInput:
    """Return the error for a file that is not a match file."""
    text = "this is not the file of a match; name another file with --resume"
    return InvalidInput([PlacedDiagnostic(text, file=path, line=1)])


def read_match(path: str, match: Match) -> int:
    """Add the results in a match file to the match.

    Returns the length of all complete lines in bytes.

    Raises InvalidInput if the file belongs to another match.
    """
    place = 0
    for number, line in enumerate(journal_lines(path)):
        try:
            table = json.loads(line)
            if number:
                match.add(PairResult(table["pairing"], table["pair"], table["points"], table["failures"]))
        except (ValueError, TypeError, LookupError):
            if number == 0:
                raise not_a_match(path) from None
            break
        if number == 0 and table != head_of(match.plan):
            text = "this match has other commanders, options, seed or version; name another file"
            raise InvalidInput([PlacedDiagnostic(text, file=path, line=1)])
        place += len(line)
    return place


def continue_match(path: str, match: Match) -> Callable[[PairResult], None]:
    """Add the results in a match file to the match, and return a function that appends a result to the file.

    If the last line is not complete because the match was interrupted, it is removed. Raises InvalidInput if
    the file belongs to another match, and SystemFailure if the file cannot be written.
    """
    place = read_match(path, match)
    if not place:
        disk.write_text(path, f"{json.dumps(head_of(match.plan))}\n")
    else:
        try:
            os.truncate(path, place)
        except OSError as error:
            disk.refuse(path, error)

    def append(result: PairResult) -> None:
        pair = {"pairing": result.pairing, "pair": result.number}
        line = json.dumps({**pair, "points": result.points, "failures": result.failures})
        try:
            with open(path, "a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError as error:
            disk.refuse(path, error)

    return append
