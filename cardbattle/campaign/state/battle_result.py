"""The result of one battle, from any source, before it is applied to the campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

from cardbattle.battles.records.battle_file import canonical
from cardbattle.battles.records.record import Record
from cardbattle.battles.records.replay import refight
from cardbattle.campaign.state.apply import Result, SideResult, result_of_table
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.units import Casualties
from cardbattle.core.errors import CardbattleError, InvalidInput
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.core.telling import winners_to_name


class BattleResult(NamedTuple):
    """A battle with a result to apply.

    Attributes:
        bound: the forces that fought. It is empty if they are unknown.
        record: the text of the battle's record, or "".
        log: the record after parsing.
        rules, seed: the key of the rule set and the seed, if known.
        notes: remarks for the umpire.
        story: the umpire's own sentences about the battle.
        names: the name that a form or results file gives each side, by the side's key.
        units: the losses of units as reported, by side and by the label of the unit (`BattleUnit.label`).

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
    units: Mapping[str, Mapping[str, int]] = {}

    def __repr__(self) -> str:
        return f"<BattleResult {self.id}: {result_text(self.result, str)}>"


def fought_battle(record: Record, text: str, kind: str = "battle") -> BattleResult:
    bound = record.table.get("bound", {})
    assert isinstance(bound, dict)
    name = str(bound.get("battle", record.id))
    digest = str(record.table["digest"])
    result = result_of_table(record.table)
    return BattleResult(
        name, result, digest, bound, text, kind, record.rules.key, seed=record.seed, log=record
    )


class BattleUnit(NamedTuple):
    """A unit of a force that fights on a side of a battle.

    `label` names the unit in results. It is the name of the unit, or FORCE.NAME if several forces of the side
    have a unit with this name.
    """

    force: str
    name: str
    strength: int
    label: str

    @property
    def full_label(self) -> str:
        return f"{self.force}.{self.name}"


def rosters_of(campaign: Campaign, battle: Pending | None) -> dict[str, list[BattleUnit]]:
    """Return a dict from the sides of a battle to the units of their forces."""
    rosters = {}
    for side in battle.sides if battle else ():
        units = [(force, name, n) for force in side for name, n in campaign.forces[force].units.items()]
        names = [name for _, name, _ in units]
        rosters[side[0]] = [
            BattleUnit(force, name, n, name if names.count(name) == 1 else f"{force}.{name}")
            for force, name, n in units
        ]
    return rosters


def casualties_of(campaign: Campaign, battle: BattleResult) -> dict[str, Casualties]:
    """Return where the losses of each force with units fell.

    They are the reported losses of units, or otherwise the places in the record. Raises InvalidInput if a
    reported unit does not exist, or if it lost more than it had.
    """
    pending = campaign.battle(battle.id)
    rosters = rosters_of(campaign, pending)
    reported: dict[str, dict[str, int]] = {}
    for key, lost in battle.units.items():
        for unit, number in units_lost(battle.id, key, lost, rosters.get(key, [])):
            reported.setdefault(unit.force, {})[unit.name] = number
    unknown = [key for key, units in rosters.items() if units and key not in battle.units]
    places = places_lost(battle.log, unknown)
    by_force = (
        {force: places[side[0]] for side in pending.sides for force in side if side[0] in places}
        if pending
        else {}
    )
    return by_force | {force: Casualties(units=lost) for force, lost in reported.items()}


def units_lost(
    battle: str, side: str, lost: Mapping[str, int], roster: Sequence[BattleUnit]
) -> list[tuple[BattleUnit, int]]:
    """Return pairs (unit, lost strength) for the losses of units as reported for a side.

    Raises InvalidInput if a unit does not exist, or if it lost more than it had.
    """
    pairs = []
    for name, number in lost.items():
        unit = next((unit for unit in roster if name in (unit.label, unit.full_label)), None)
        if unit is None:
            alike = [unit.label for unit in roster if unit.name == name]
            labels = [unit.label for unit in roster]
            hint = nearest(name, labels) or f"; it has {listed(labels) or 'no units'}"
            hint = f"; write {listed(alike, 'or')}" if alike else hint
            raise InvalidInput(f"battle {battle}: {side} has no unit {quoted(name)}{hint}")
        if number > unit.strength:
            raise InvalidInput(f"battle {battle}: {name} had {unit.strength} and cannot have lost {number}")
        pairs.append((unit, number))
    return pairs


def places_lost(record: Record | None, sides: Sequence[str]) -> dict[str, Casualties]:
    """Return where these sides had their losses in a recorded battle, as far as the rule set knows it."""
    if record is None or not sides:
        return {}
    try:
        referee = refight(record)
    except CardbattleError:  # a record of earlier rules
        return {}
    places = {
        key: record.rules.losses_by_place(referee.setup, referee.battle, record.setup.seat(key))
        for key in sides
        if key in record.setup.seats
    }
    return {key: Casualties(each) for key, each in places.items() if each}


def result_digest(battle: str, result: Result) -> str:
    return "sha256:" + sha256(canonical({"id": battle, **result.table()}).encode()).hexdigest()


def is_of_the_program(battle: BattleResult) -> bool:
    """Return True if the program wrote the result, and False if a person entered it."""
    return battle.seed is not None or battle.digest != result_digest(battle.id, battle.result)


def side_result_text(side: SideResult | None) -> str:
    """Return the result of a side, such as `lost 1/4, score 5`."""
    if side is None:
        return "was not there"
    score = f", score {side.score}" if side.score else ""
    return f"lost {loss_text(side.losses)}{score}"


def loss_text(losses: Fraction) -> str:
    """Return the lost share of a side's strength as text."""
    if losses.numerator == losses.denominator:
        return "everything"
    return str(losses) if losses.numerator else "nothing"


def result_text(
    result: Result,
    called: Callable[[str], str],
    in_full: Callable[[str], str] | None = None,
    describe_losses: Callable[[Fraction], str] = loss_text,
) -> str:
    """Return a result in a few words, such as `Harry Percy won; Harry Percy lost 1/4`.

    `called` returns the name of a side, given its key, and `in_full` its name at the only place where every
    side is named. `describe_losses` returns the lost share of a side's strength as text.
    """
    winners = winners_to_name(result.winners, len(result.sides))
    won = f"{listed(map(called, winners))} won" if winners else "a draw"
    lost = [
        f"{(in_full or called)(key)} lost {describe_losses(side.losses)}"
        for key, side in result.sides.items()
    ]
    return f"{won}; {', '.join(lost)}"


def battle_result_text(
    result: Result,
    kind: str,
    called: Callable[[str], str],
    in_full: Callable[[str], str],
    describe_losses: Callable[[Fraction], str] = loss_text,
) -> str:
    """Return the result of a ledger entry of this kind in a few words, such as `declined by Harry Percy`.

    The other arguments are those of `result_text`.
    """
    if kind == "declined":
        return f"declined by {listed(in_full(key) for key in result.sides if key not in result.winners)}"
    return result_text(result, called, in_full, describe_losses)
