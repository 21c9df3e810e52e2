"""Compare an imported battle with the result that the program itself computes.

The seed determines the cards, the dice and the answers of computer commanders. A record is therefore replayed
with the same seed and commanders. A result without a record is compared with the result of the exported
battle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cardbattle.battles.records.battle_file import canonical
from cardbattle.battles.records.record import Record
from cardbattle.battles.records.replay import ReplayMismatch
from cardbattle.battles.rederive import CommanderMismatch, answers_itself, derive
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.ledger.battle_match import export_of
from cardbattle.campaign.ledger.operations import same_result
from cardbattle.campaign.state.apply import Result, result_of_table
from cardbattle.campaign.state.battle_result import BattleResult, is_of_the_program, side_result_text
from cardbattle.campaign.state.battle_setup import Difference, battle_table, standing_for
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.commanders import rank_error, thinks_ahead
from cardbattle.commanders.standing import else_of
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import listed

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign, Pending

IRREPRODUCIBLE = "cannot be reproduced by this version"


class CrossCheck:
    """Checks imported battles and returns the differences.

    Each battle is checked only once. `tick` is called with the number of replayed moves and their total.
    """

    def __init__(self, battles: Sequence[BattleResult], tick: Callable[[int, int], None]) -> None:
        self.results: dict[str, list[Difference]] = {}
        self.tick = tick
        self.replayed = 0
        self.of = sum(len(battle.log.moves) if battle.log else 1 for battle in battles)

    def __call__(self, campaign: Campaign, pending: Pending, battle: BattleResult) -> list[Difference]:
        """Return the parts of an imported battle that the replay does not reproduce."""
        if battle.log is None and not is_of_the_program(battle):
            return []
        commanders = {key: acting_commander(campaign, pending, key) for key in pending.keys}
        key = canonical([battle.digest, commanders, battle_table_or_empty(campaign, pending)])
        if key not in self.results:
            self.results[key] = self.check(campaign, pending, battle, commanders)
        return self.results[key]

    def check(
        self, campaign: Campaign, pending: Pending, battle: BattleResult, commanders: dict[str, str]
    ) -> list[Difference]:
        if battle.log is not None:
            return self.of_record(battle.log, commanders)
        differences = of_result(campaign, pending, battle)
        self.count()
        return differences

    def of_record(self, record: Record, commanders: dict[str, str]) -> list[Difference]:
        """Return the first move that the replay does not reproduce, or the reason against a replay."""
        if record.rules_version == record.rules.version and record.fought != "engine":
            return []
        try:
            derive(record, recheckable_seats(record, commanders), self.count)
        except CommanderMismatch as mismatch:
            words = (
                f"move {mismatch.move}, {mismatch.recorded}, {IRREPRODUCIBLE}, "
                f"which decides {mismatch.derived}"
            )
            return [Difference(words, [f"move {mismatch.move}", mismatch.derived, mismatch.recorded])]
        except ReplayMismatch as error:
            version = f"version {record.rules_version} of {record.rules.name}"
            return [Difference(f"it was fought under {version} and {IRREPRODUCIBLE}: {error}")]
        return []

    def count(self) -> None:
        self.replayed += 1
        self.tick(self.replayed, self.of)


def acting_commander(campaign: Campaign, pending: Pending, key: str) -> str:
    """Return the commander that decides for a side where its standing orders do not decide."""
    lines = standing_for(campaign, pending, key).get("standing")
    return (else_of(lines) if isinstance(lines, list) else "") or campaign.forces[key].commander


def recheckable_seats(record: Record, commanders: dict[str, str]) -> list[int]:
    """Return the seats whose commanders decide again during the replay.

    A commander that thinks ahead decides again only if the campaign names the same commander. Any other
    commander is reported as a difference anyway, and a forged record could name a commander that thinks for
    years.
    """
    if record.fought != "engine":
        return []
    return [
        seat
        for seat, (key, side) in enumerate(zip(record.setup.seats, record.sides, strict=True))
        if answers_itself(side.commander) and (side.acting == commanders.get(key) or is_quick(side.acting))
    ]


def is_quick(commander: str) -> bool:
    return not rank_error(commander, orders=False) and not thinks_ahead(commander)


def battle_table_or_empty(campaign: Campaign, pending: Pending) -> dict[str, object]:
    try:
        return battle_table(campaign, pending)
    except (InvalidInput, NeedsUmpire):
        return {}


def of_result(campaign: Campaign, pending: Pending, battle: BattleResult) -> list[Difference]:
    """Return the differences between a result without a record and the result of the exported battle."""
    try:
        plan = export_of(campaign, pending)
    except (InvalidInput, NeedsUmpire):
        return []
    if not all(answers_itself(side.commander) for side in plan.sides):
        return []
    derived = result_of_table(fight_battle(plan)[0].table)
    if same_result(derived, battle.result):
        return []
    return [Difference(f"its result {IRREPRODUCIBLE}"), *result_differences(campaign, derived, battle.result)]


def result_differences(campaign: Campaign, derived: Result, imported: Result) -> list[Difference]:
    rows = [
        [
            "won by",
            *(
                listed(map(campaign.display_name, result.winners)) or "nobody"
                for result in (derived, imported)
            ),
        ]
    ]
    for key in dict.fromkeys([*derived.sides, *imported.sides]):
        rows.append(
            [
                campaign.display_name(key),
                *(side_result_text(result.sides.get(key)) for result in (derived, imported)),
            ]
        )
    return [Difference(f"{row[0]}: {row[2]}, not {row[1]}", row) for row in rows if row[1] != row[2]]
