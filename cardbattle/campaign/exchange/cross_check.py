"""What a battle from elsewhere says that fighting it again does not: only its word stands for that.

The cards, the luck and the answers of the program's commanders follow from the seed. So a record
is fought again with them, and a bare result is held against the battle that an export describes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cardbattle.battles.records.battle_file import canonical
from cardbattle.battles.records.record import Record
from cardbattle.battles.records.replay import ReplayMismatch
from cardbattle.battles.rederive import Otherwise, answers_itself, derive
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.ledger.battle_match import exported
from cardbattle.campaign.ledger.operations import same_result
from cardbattle.campaign.state.apply import Result, result_of_table
from cardbattle.campaign.state.battle_result import BattleResult, is_of_the_program, side_told
from cardbattle.campaign.state.battle_setup import Difference, battle_table, standing_for
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.commanders import RANKS, rank_mistake
from cardbattle.commanders.standing import else_of
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import listed

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign, Pending

AGAIN = "cannot be derived again by this version"


class CrossCheck:
    """Fights battles again, each once however often it is asked, and says what it finds otherwise.

    `tick` is told how many moves are made, out of how many.
    """

    def __init__(self, battles: Sequence[BattleResult], tick: Callable[[int, int], None]) -> None:
        self.known: dict[str, list[Difference]] = {}
        self.tick = tick
        self.made = 0
        self.of = sum(len(battle.log.moves) if battle.log else 1 for battle in battles)

    def __call__(self, campaign: Campaign, pending: Pending, battle: BattleResult) -> list[Difference]:
        """Return what cannot be derived again of a battle that is to be the pending one."""
        if battle.log is None and not is_of_the_program(battle):
            return []
        asked = {key: acting(campaign, pending, key) for key in pending.keys}
        key = canonical([battle.digest, asked, setting(campaign, pending)])
        if key not in self.known:
            self.known[key] = self.looked_at(campaign, pending, battle, asked)
        return self.known[key]

    def looked_at(
        self, campaign: Campaign, pending: Pending, battle: BattleResult, asked: dict[str, str]
    ) -> list[Difference]:
        """Return what cannot be derived again of a battle that was not looked at yet."""
        if battle.log is not None:
            return self.of_record(battle.log, asked)
        found = of_result(campaign, pending, battle)
        self.count()
        return found

    def of_record(self, record: Record, asked: dict[str, str]) -> list[Difference]:
        """Return the first move of a record that is not derived again, or why none can be."""
        if record.rules_version == record.rules.version and record.fought != "engine":
            return []
        try:
            derive(record, trusted(record, asked), self.count)
        except Otherwise as other:
            words = f"move {other.move}, {other.told}, {AGAIN}, which decides {other.derived}"
            return [Difference(words, [f"move {other.move}", other.derived, other.told])]
        except ReplayMismatch as differs:
            version = f"version {record.rules_version} of {record.rules.name}"
            return [Difference(f"it was fought under {version} and {AGAIN}: {differs}")]
        return []

    def count(self) -> None:
        """Tell that a move is made."""
        self.made += 1
        self.tick(self.made, self.of)


def acting(campaign: Campaign, pending: Pending, key: str) -> str:
    """Return who answers for a side where its standing orders do not."""
    lines = standing_for(campaign, pending, key).get("standing")
    return (else_of(lines) if isinstance(lines, list) else "") or campaign.forces[key].commander


def trusted(record: Record, asked: dict[str, str]) -> list[int]:
    """Return the seats whose commanders are asked again.

    One who thinks is asked if the campaign asks for them: another is a difference as it is, and may
    be told to think for years.
    """
    if record.fought != "engine":
        return []
    return [
        seat
        for seat, (key, side) in enumerate(zip(record.setup.seats, record.sides, strict=True))
        if answers_itself(side.commander) and (side.acting == asked.get(key) or is_quick(side.acting))
    ]


def is_quick(commander: str) -> bool:
    """Say whether a commander answers unaided, and without thinking ahead."""
    return not rank_mistake(commander, orders=False) and not RANKS[commander.partition(":")[0]].thinks


def setting(campaign: Campaign, pending: Pending) -> dict[str, object]:
    """Return a pending battle as it is exported; empty if it cannot be fought."""
    try:
        return battle_table(campaign, pending)
    except (InvalidInput, NeedsUmpire):
        return {}


def of_result(campaign: Campaign, pending: Pending, battle: BattleResult) -> list[Difference]:
    """Return that a bare result is not the one to which the exported battle comes, if so."""
    try:
        plan = exported(campaign, pending)
    except (InvalidInput, NeedsUmpire):
        return []
    if not all(answers_itself(side.commander) for side in plan.sides):
        return []
    derived = result_of_table(fight_battle(plan)[0].table)
    if same_result(derived, battle.result):
        return []
    return [Difference(f"its result {AGAIN}"), *result_differences(campaign, derived, battle.result)]


def result_differences(campaign: Campaign, derived: Result, told: Result) -> list[Difference]:
    """Return in what two results differ, for a table of both."""
    rows = [["won by", *(listed(map(campaign.called, one.winners)) or "nobody" for one in (derived, told))]]
    for key in dict.fromkeys([*derived.sides, *told.sides]):
        rows.append([campaign.called(key), *(side_told(one.sides.get(key)) for one in (derived, told))])
    return [Difference(f"{row[0]}: {row[2]}, not {row[1]}", row) for row in rows if row[1] != row[2]]
