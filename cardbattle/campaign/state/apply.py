"""Compute how the result of a battle changes the points, strengths and owners of places in a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from cardbattle.campaign.state.changes import (
    NOWHERE,
    PENDING,
    Change,
    Key,
    is_strength,
    place_of,
    value_at,
    with_units,
)
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.units import Casualties
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import listed, nearest, quoted

DECLINED = "declined"  # kind of entries of battles that were not fought because a side declined


class SideResult(NamedTuple):
    """The score of one side, and the share of its strength that it lost in the battle."""

    score: int
    losses: Fraction


class Result(NamedTuple):
    """The result of a battle, which was fought at a table, fought by the program, or decided by the umpire.

    `winners` are the keys of sides. Several winners share the victory, and an empty list means a draw.
    """

    winners: list[str]
    sides: dict[str, SideResult]

    def table(self) -> dict[str, object]:
        sides = {key: {"score": side.score, "losses": str(side.losses)} for key, side in self.sides.items()}
        return {"winners": self.winners, "sides": sides}


def decline(campaign: Campaign, battle_id: str, decliners: Sequence[str]) -> tuple[Result, list[Change]]:
    """Return the result of a battle that these sides decline, and the changes that it makes.

    No side has losses. The factions of the sides that decline get the points of `scoring.declined`. If all
    other sides belong to one faction, this faction gets the place at stake, as after a victory. Raises
    InvalidInput if no such battle is pending, if a decliner is not a side of it, or if all sides decline.
    """
    battle = pending_battle(campaign, battle_id)
    for key in decliners:
        if key not in battle.keys:
            raise InvalidInput(f"battle {battle_id} is fought by {listed(battle.keys)}, not by {quoted(key)}")
    staying = [key for key in battle.keys if key not in decliners]
    if not staying:
        raise InvalidInput(f"battle {battle_id}: all sides decline it; cancel it instead")
    result = result_of_decline(battle.keys, decliners)
    factions = {campaign.forces[force].faction for key in decliners for force in side_of(battle, key)}
    points = campaign.scoring.declined
    values: dict[Key, object] = {
        ("factions", faction, "points"): campaign.factions[faction].points + points
        for faction in campaign.factions
        if faction in factions and points
    }
    return result, battle_changes(campaign, battle, values | spoils(campaign, battle, result))


def result_of_decline(keys: Sequence[str], decliners: Sequence[str]) -> Result:
    """Return the result of declining: the others win without losses."""
    staying = [key for key in keys if key not in decliners]
    return Result(staying, {key: SideResult(0, Fraction(0)) for key in keys})


def apply(
    campaign: Campaign, battle_id: str, result: Result, casualties: Mapping[str, Casualties] = NOWHERE
) -> list[Change]:
    """Return the changes that a result makes to the campaign.

    The changes are:

    - The faction of a single winner gets `win` points. Factions that share a victory or a draw get `draw`
      points, and all others get `loss` points. Each faction also gets `per_score` times its side's score.
    - Every force loses its strength times the losses of its side times `rate`, or `winner_rate` for winners.
      The loss is rounded to the nearest whole number, and halves are rounded up.
    - A force whose remaining strength is less than `destroyed_below` is destroyed.
    - If all winners belong to one faction, this faction becomes the owner of the place at stake, unless an
      enemy that did not fight is there.
    - The pending battle is removed.

    `casualties` says where each force had its losses. It only decides which units have losses. Raises
    InvalidInput if no such battle is pending, or if the result has other sides.
    """
    battle = pending_battle(campaign, battle_id)
    check_sides(battle, result)
    values = points_after(campaign, battle, result) | strengths_after(campaign, battle, result)
    return battle_changes(campaign, battle, values | spoils(campaign, battle, result), casualties)


def pending_battle(campaign: Campaign, battle_id: str) -> Pending:
    """Return the pending battle with this id. Raises InvalidInput if no pending battle has this id."""
    battle = campaign.battle(battle_id)
    if battle is None:
        raise InvalidInput(not_pending(campaign, battle_id))
    return battle


def battle_changes(
    campaign: Campaign,
    battle: Pending,
    values: Mapping[Key, object],
    casualties: Mapping[str, Casualties] = NOWHERE,
) -> list[Change]:
    """Return the changes that set these values and remove a pending battle.

    `casualties` says where each force had its losses.
    """
    changes = [Change(key, value_at(campaign.data, key), after) for key, after in values.items()]
    taken_out = (PENDING, battle.id)
    place = place_of(campaign.data, battle.id)
    different = [change for change in changes if change.before != change.after]
    return [
        *with_units(campaign.data, different, casualties),
        Change(taken_out, value_at(campaign.data, taken_out), None, place=place),
    ]


def not_pending(campaign: Campaign, battle_id: str) -> str:
    """Return the error which says that a battle is not pending. It lists the pending battles."""
    ids = [pending.id for pending in campaign.pending]
    hint = nearest(battle_id, ids) or f"; pending: {', '.join(ids) or 'none'}"
    return f"no battle {quoted(battle_id)} is pending{hint}"


def check_sides(battle: Pending, result: Result) -> None:
    """Raise InvalidInput if a result and its battle have different sides."""
    if sorted(result.sides) != sorted(battle.keys):
        raise InvalidInput(
            f"battle {battle.id} is fought by {listed(battle.keys)}, the result has {listed(result.sides)}"
        )
    for winner in result.winners:
        if winner not in result.sides or result.winners.count(winner) > 1:
            raise InvalidInput(
                f"winner {quoted(winner)} is not a side of battle {battle.id}, or is named twice"
            )


def side_of(battle: Pending, key: str) -> list[str]:
    return next(side for side in battle.sides if side[0] == key)


def points_after(campaign: Campaign, battle: Pending, result: Result) -> dict[Key, object]:
    """Return the new points of the factions.

    If forces of several factions fight on one side, each of these factions earns the points.
    """
    earned: dict[str, int] = {}
    for key, side in result.sides.items():
        gain = outcome_points(campaign, result, key) + campaign.scoring.per_score * side.score
        factions = [campaign.forces[force].faction for force in side_of(battle, key)]
        for faction in dict.fromkeys(factions):
            earned[faction] = earned.get(faction, 0) + gain
    return {
        ("factions", faction, "points"): campaign.factions[faction].points + gain
        for faction, gain in earned.items()
        if gain
    }


def outcome_points(campaign: Campaign, result: Result, key: str) -> int:
    """Return the points that a side earns for a win, a loss, or a draw."""
    scoring = campaign.scoring
    if not result.winners:
        return scoring.draw
    if key not in result.winners:
        return scoring.loss
    return scoring.win if len(result.winners) == 1 else scoring.draw


def strengths_after(campaign: Campaign, battle: Pending, result: Result) -> dict[Key, object]:
    """Return the new strengths of the forces, and which forces are destroyed."""
    table: dict[Key, object] = {}
    for key, side in result.sides.items():
        rate = attrition_rate(campaign, result, key)
        for force in side_of(battle, key):
            strength = campaign.forces[force].strength
            left = strength - half_up(strength * side.losses * rate)
            table["forces", force, "strength"] = left
            if left < campaign.attrition.destroyed_below:
                table["forces", force, "destroyed"] = True
    return table


def lasting_losses(
    campaign: Campaign, result: Result, recorded: Mapping[str, Fraction] = {}
) -> dict[str, Fraction]:
    """Return the share of its strength that each side lost for good.

    `recorded` has the shares by which known strengths fell, by side. Strengths are whole numbers, so these
    shares can differ from shares that are computed with the rates. If the campaign has no attrition, the
    result is the losses of the battle, which the umpire applies.
    """
    losses = {key: side.losses for key, side in result.sides.items()}
    rates = {key: attrition_rate(campaign, result, key) for key in losses}
    if not any(rates.values()):
        return losses
    return {key: recorded.get(key, share * rates[key]) for key, share in losses.items()}


def recorded_losses(
    changes: Iterable[Change],
    sides: Mapping[str, Sequence[str]],
    strengths: Mapping[str, int] = {},
) -> dict[str, Fraction]:
    """Return the share of its strength that each side of a battle lost, by the recorded strengths.

    `sides` has the forces of each side. `strengths` has the known strengths before the battle: if the changes
    do not have such a force, it lost nothing. A side is left out if the strength of one of its forces is
    not in `strengths` or the changes.
    """
    fallen = {force: (strength, strength) for force, strength in strengths.items()} | {
        change.key[1]: (int(str(change.before or 0)), int(str(change.after or 0)))
        for change in changes
        if is_strength(change.key)
    }
    shares = {}
    for key, forces in sides.items():
        pairs = [fallen[force] for force in forces if force in fallen]
        before = sum(pair[0] for pair in pairs)
        if before and len(pairs) == len(forces):
            shares[key] = Fraction(before - sum(pair[1] for pair in pairs), before)
    return shares


def attrition_rate(campaign: Campaign, result: Result, key: str) -> Fraction:
    """Return the share of a side's losses in battle that its forces lose for good."""
    attrition = campaign.attrition
    if key in result.winners and attrition.winner_rate is not None:
        return attrition.winner_rate
    return attrition.rate


def half_up(exact: Fraction) -> int:
    """Round to the nearest whole number. Halves are rounded up.

    >>> [half_up(Fraction(n, 2)) for n in (1, 2, 3)]
    [1, 1, 2]
    """
    return (exact + Fraction(1, 2)).__floor__()


def spoils(campaign: Campaign, battle: Pending, result: Result) -> dict[Key, object]:
    """Return the new owner of the place at stake, in a dict whose key is the key path of the owner.

    The result is empty if nothing is at stake, if no side won, or if sides of several factions won. It is
    also empty if the winner owns the place, or is at peace with its owner, or if another enemy is there.
    """
    takers = {campaign.forces[winner].faction for winner in result.winners}
    if battle.stakes is None or len(takers) != 1:
        return {}
    taker = takers.pop()
    return {("locations", battle.stakes, "owner"): taker} if campaign.can_win_place(taker, battle) else {}


def result_of_table(table: Mapping[str, object]) -> Result:
    """Return the result in the table of a record that was already validated."""
    winners, sides = table["winners"], table["sides"]
    assert isinstance(winners, list)
    assert isinstance(sides, dict)
    return Result(
        [str(winner) for winner in winners],
        {key: SideResult(int(side.get("score", 0)), Fraction(side["losses"])) for key, side in sides.items()},
    )
