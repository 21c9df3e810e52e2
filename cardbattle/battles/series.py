"""Fight several battles between the same sides, add up the scores, and write a results file."""

from __future__ import annotations

from os import path
from typing import NamedTuple

from cardbattle.battles.records import results_file
from cardbattle.battles.records.battle_file import BattlePlan
from cardbattle.battles.records.record import Record, dumps_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.chance import child_seed
from cardbattle.core.errors import UsageError
from cardbattle.core.referee import Referee
from cardbattle.files.disk import write_text


class SeriesBattle(NamedTuple):
    """The record and the referee of one battle in a series."""

    record: Record
    referee: Referee

    def __repr__(self) -> str:
        return f"<SeriesBattle {self.record!r}>"


def fight_series(plan: BattlePlan, count: int) -> list[SeriesBattle]:
    """Fight `count` battles. After each battle, the rule set can change house rules (FH-37, WG-7).

    Battles are numbered from 1. The seed of battle i is derived from the seed of the plan and the path
    `series/i`. The id of battle i is the id of the plan followed by `-i`. Raises UsageError if the battle
    file lists cards, because each battle of a series has its own deal.
    """
    assert plan.seed is not None
    if plan.setup.deal:
        raise UsageError("--series deals every battle afresh, but this battle file has a [deal]")
    fought: list[SeriesBattle] = []
    setup = plan.setup
    for number in range(1, count + 1):
        stem = plan.id[: 39 - len(str(number))].rstrip("-_")
        seed = child_seed(plan.seed, f"series/{number}")
        record, referee = fight_battle(plan._replace(id=f"{stem}-{number}", seed=seed, setup=setup))
        fought.append(SeriesBattle(record, referee))
        setup = setup.copy()
        setup.house |= plan.rules.next_house(referee.setup, record.winning_seats)
    return fought


def totals(fought: list[SeriesBattle]) -> list[int]:
    """Return the total score of each seat over all battles of the series (FH-37)."""
    return [sum(scores) for scores in zip(*(battle.record.scores for battle in fought), strict=True)]


def winners(fought: list[SeriesBattle]) -> list[int]:
    """Return the seats with the highest total score, or [] if all are equal (FH-37)."""
    points = totals(fought)
    best = [seat for seat, total in enumerate(points) if total == max(points)]
    return best if len(best) < len(points) else []


def write_series(fought: list[SeriesBattle], file: str) -> str:
    """Write a results file, and write the records into a folder beside it. Return the path of the folder.

    For example, the folder for `results.toml` is `results-records`. The records are written first, so that a
    results file never refers to a missing record. Raises SystemFailure if a file cannot be written.
    """
    folder = results_file.make_folder(file)
    for battle in fought:
        write_text(path.join(folder, f"{battle.record.id}.toml"), dumps_record(battle.record))
    name = path.basename(folder)
    write_text(
        file,
        results_file.dumps(
            [results_file.with_record(results_file.result(result.record), name) for result in fought]
        ),
    )
    return folder
