"""Several battles between the same sides, with a running score, and their results as a file."""

from __future__ import annotations

from os import makedirs, path
from typing import NamedTuple

from cardbattle.core.chance import child_seed
from cardbattle.core.errors import SystemRefused, UsageError
from cardbattle.core.names import clean
from cardbattle.core.referee import Referee
from cardbattle.fighting import records
from cardbattle.fighting.battlefile import Plan
from cardbattle.fighting.records import Record
from cardbattle.fighting.resolve import fight


class Fought(NamedTuple):
    """One battle of a series and the referee who saw it."""

    record: Record
    referee: Referee


def fight_series(plan: Plan, count: int) -> list[Fought]:
    """Fight a series; what alternates between its battles is the rule set's to say (FH-37, WG-7).

    Battle i, from 1, has the seed of the path `series/i` and the plan's id with `-i`.
    """
    assert plan.seed is not None
    if plan.setup.deal:
        raise UsageError("--series deals every battle anew, but this battle file has a [deal]")
    fought: list[Fought] = []
    setup = plan.setup
    for number in range(1, count + 1):
        stem = plan.id[: 39 - len(str(number))].rstrip("-_")
        seed = child_seed(plan.seed, f"series/{number}")
        record, referee = fight(plan._replace(id=f"{stem}-{number}", seed=seed, setup=setup))
        fought.append(Fought(record, referee))
        setup = setup.copy()
        setup.house |= plan.rules.next_house(referee.setup, record.winners)
    return fought


def totals(fought: list[Fought]) -> list[int]:
    """Return each seat's scores added up (FH-37)."""
    return [sum(scores) for scores in zip(*(battle.record.scores for battle in fought), strict=True)]


def winners(fought: list[Fought]) -> list[int]:
    """Return the seats with the most points of the series; none if all are level (FH-37)."""
    points = totals(fought)
    best = [seat for seat, total in enumerate(points) if total == max(points)]
    return best if len(best) < len(points) else []


def results(fought: list[Fought], folder: str = "") -> dict[str, object]:
    """Return a results file's table; with a folder each result names its record there."""
    return {"format": 1, "result": [result(battle.record, folder) for battle in fought]}


def result(record: Record, folder: str) -> dict[str, object]:
    """Return one result: what an import needs to know of a battle."""
    keys = record.setup.seats
    table: dict[str, object] = {
        "id": record.id,
        "rules": record.rules.key,
        "seed": record.seed,
        "winners": [keys[winner] for winner in record.winners],
        "reason": record.reason,
        "digest": record.table["digest"],
    }
    if folder:
        table["record"] = f"{folder}/{record.id}.toml"
    table["sides"] = {
        key: {"score": record.scores[seat], "losses": records.fraction_text(record.losses[seat])}
        for seat, key in enumerate(keys)
    }
    if "bound" in record.table:
        table["bound"] = record.table["bound"]
    return table


def write(fought: list[Fought], file: str) -> str:
    """Write a results file with its records in a folder beside it; return the folder.

    `results.toml` has its records in `results-records`. Records come first, so that a results
    file never names one that is not there.
    """
    import tomli_w

    from cardbattle.fighting.files import write_new

    folder = f"{path.splitext(file)[0]}-records"
    try:
        makedirs(folder, exist_ok=True)
    except OSError as error:
        raise SystemRefused(
            f"{clean(folder)} cannot be made: {(error.strerror or str(error)).lower()}"
        ) from error
    for battle in fought:
        write_new(path.join(folder, f"{battle.record.id}.toml"), records.dumps(battle.record))
    write_new(file, tomli_w.dumps(results(fought, path.basename(folder))))
    return folder
