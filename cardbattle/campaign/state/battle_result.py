"""The result of one battle, from any source, before it is applied to the campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

from cardbattle.battles.records.battle_file import canonical
from cardbattle.battles.records.record import Record
from cardbattle.campaign.state.apply import Result, SideResult, result_of_table
from cardbattle.core.names import listed


class BattleResult(NamedTuple):
    """A battle with a result to apply.

    Attributes:
        bound: the forces it was fought with; empty if unknown.
        record: the text of its record, or "".
        log: the record as read.
        rules, seed: key of the rule set and seed, if known.
        notes: remarks for the umpire.
        story: the umpire's own sentences about the battle.
        names: what a form or results file calls each side, by its key.

    """

    id: str
    result: Result
    digest: str
    bound: Mapping[str, object] = {}
    record: str = ""
    kind: str = "battle"
    rules: str = ""
    notes: list[str] = []
    seed: int | str | None = None
    log: Record | None = None
    names: Mapping[str, str] = {}
    story: str = ""

    def __repr__(self) -> str:
        return f"<BattleResult {self.id}: {result_text(self.result, str)}>"


def fought_battle(record: Record, text: str, kind: str = "battle") -> BattleResult:
    """Return a fought battle from its record and the record's text."""
    bound = record.table.get("bound", {})
    assert isinstance(bound, dict)
    name = str(bound.get("battle", record.id))
    digest = str(record.table["digest"])
    result = result_of_table(record.table)
    return BattleResult(
        name, result, digest, bound, text, kind, record.rules.key, seed=record.seed, log=record
    )


def result_digest(battle: str, result: Result) -> str:
    """Return the digest of a result that has no record."""
    return "sha256:" + sha256(canonical({"id": battle, **result.table()}).encode()).hexdigest()


def is_of_the_program(battle: BattleResult) -> bool:
    """Return True if the program wrote the result; people enter only the result itself."""
    return battle.seed is not None or battle.digest != result_digest(battle.id, battle.result)


def side_result_text(side: SideResult | None) -> str:
    """Return the result of a side, such as `lost 1/4, score 5`."""
    if side is None:
        return "was not there"
    score = f", score {side.score}" if side.score else ""
    return f"lost {loss_text(side.losses)}{score}"


def loss_text(losses: Fraction) -> str:
    """Return a share of a side's strength as text."""
    if losses.numerator == losses.denominator:
        return "everything"
    return str(losses) if losses.numerator else "nothing"


def result_text(result: Result, called: Callable[[str], str]) -> str:
    """Return a result in a few words, such as `Harry Percy won; Harry Percy lost 1/4`."""
    won = f"{listed(map(called, result.winners))} won" if result.winners else "a draw"
    lost = [f"{called(key)} lost {loss_text(side.losses)}" for key, side in result.sides.items()]
    return f"{won}; {', '.join(lost)}"
