"""What a battle's result changes in the campaign. One pure function: `apply`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from cardbattle.campaign.state.changes import PENDING, Change, Key, place_of, value_at
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import listed, nearest, quoted

DECLINED = "declined"  # kind of entries of battles that were not fought because a side declined


class SideResult(NamedTuple):
    """The result of one side: its score and the share of its strength it lost in the battle."""

    score: int
    losses: Fraction


class Result(NamedTuple):
    """The result of a battle: fought at a table, fought by the program, or decided by the umpire.

    `winners` are side keys: several sides share the victory, and an empty list means a draw.
    """

    winners: list[str]
    sides: dict[str, SideResult]

    def table(self) -> dict[str, object]:
        """Return the result in the notation of files."""
        sides = {key: {"score": side.score, "losses": str(side.losses)} for key, side in self.sides.items()}
        return {"winners": self.winners, "sides": sides}


def decline(campaign: Campaign, battle_id: str, decliners: Sequence[str]) -> tuple[Result, list[Change]]:
    """Return the result of a battle that these sides decline, and its changes.

    No side has losses. The factions of the decliners get the points of `scoring.declined`, and the stakes
    fall to the others, if these are of one faction. Raises InvalidInput if no such battle is pending, or if
    all sides decline.
    """
    battle = pending_battle(campaign, battle_id)
    others = [key for key in battle.keys if key not in decliners]
    if not others:
        raise InvalidInput(f"battle {battle_id}: all sides decline it; cancel it instead")
    result = declined_result(battle.keys, decliners)
    factions = {campaign.forces[force].faction for key in decliners for force in side_of(battle, key)}
    points = campaign.scoring.declined
    values: dict[Key, object] = {
        ("factions", faction, "points"): campaign.factions[faction].points + points
        for faction in campaign.factions
        if faction in factions and points
    }
    return result, battle_changes(campaign, battle, values | spoils(campaign, battle, result))


def declined_result(keys: Sequence[str], decliners: Sequence[str]) -> Result:
    """Return the result of a battle that some of these sides decline: the others win, without losses."""
    others = [key for key in keys if key not in decliners]
    return Result(others, {key: SideResult(0, Fraction(0)) for key in keys})


def apply(campaign: Campaign, battle_id: str, result: Result) -> list[Change]:
    """Return the changes that a result makes: points, strength, owners, and removal of the pending battle.

    - A sole winner's faction gets `win` points, those who share a victory or a draw `draw`, all
      others `loss`; each also gets `per_score` times the side's score.
    - Every force of a side loses its strength x the side's losses x `rate` (`winner_rate` for
      winners), rounded to the nearest whole number, halves up.
    - A force left with less than `destroyed_below` is destroyed.
    - The stakes fall to the winner's faction, if the winners are all of one.

    Raises InvalidInput if no such battle is pending, or the result has other sides.
    """
    battle = pending_battle(campaign, battle_id)
    check_sides(battle, result)
    values = points_after(campaign, battle, result) | strengths_after(campaign, battle, result)
    return battle_changes(campaign, battle, values | spoils(campaign, battle, result))


def pending_battle(campaign: Campaign, battle_id: str) -> Pending:
    """Return a pending battle. Raises InvalidInput if none has this id."""
    battle = campaign.battle(battle_id)
    if battle is None:
        raise InvalidInput(not_pending(campaign, battle_id))
    return battle


def battle_changes(campaign: Campaign, battle: Pending, values: Mapping[Key, object]) -> list[Change]:
    """Return the changes that set these values and remove a pending battle."""
    changes = [Change(key, value_at(campaign.data, key), after) for key, after in values.items()]
    taken_out = (PENDING, battle.id)
    place = place_of(campaign.data, battle.id)
    return [
        *(change for change in changes if change.before != change.after),
        Change(taken_out, value_at(campaign.data, taken_out), None, place=place),
    ]


def not_pending(campaign: Campaign, battle_id: str) -> str:
    """Return the error that no such battle is pending, with those that are."""
    ids = [pending.id for pending in campaign.pending]
    hint = nearest(battle_id, ids) or f"; pending: {', '.join(ids) or 'none'}"
    return f"no battle {quoted(battle_id)} is pending{hint}"


def check_sides(battle: Pending, result: Result) -> None:
    """Raise InvalidInput if a result has other sides than the battle."""
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
    """Return the forces that fight on a side."""
    return next(side for side in battle.sides if side[0] == key)


def points_after(campaign: Campaign, battle: Pending, result: Result) -> dict[Key, object]:
    """Return the factions' new points; forces of several factions on one side each earn them."""
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
    """Return what a side earns for winning, losing, or neither."""
    scoring = campaign.scoring
    if not result.winners:
        return scoring.draw
    if key not in result.winners:
        return scoring.loss
    return scoring.win if len(result.winners) == 1 else scoring.draw


def strengths_after(campaign: Campaign, battle: Pending, result: Result) -> dict[Key, object]:
    """Return the forces' new strength, and which of them are destroyed."""
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


def attrition_rate(campaign: Campaign, result: Result, key: str) -> Fraction:
    """Return the share of a side's losses that its forces lose for good."""
    attrition = campaign.attrition
    if key in result.winners and attrition.winner_rate is not None:
        return attrition.winner_rate
    return attrition.rate


def half_up(exact: Fraction) -> int:
    """Return the nearest whole number; a half goes up.

    >>> [half_up(Fraction(n, 2)) for n in (1, 2, 3)]
    [1, 1, 2]
    """
    return (exact + Fraction(1, 2)).__floor__()


def spoils(campaign: Campaign, battle: Pending, result: Result) -> dict[Key, object]:
    """Return the new owner of the place at stake, by its key path.

    It is empty if nothing is at stake, nobody won, or forces of several factions won.
    """
    takers = {campaign.forces[winner].faction: None for winner in result.winners}
    if battle.stakes is None or len(takers) != 1:
        return {}
    return {("locations", battle.stakes, "owner"): next(iter(takers))}


def result_of_table(table: Mapping[str, object]) -> Result:
    """Return the result in the table of a validated record."""
    winners, sides = table["winners"], table["sides"]
    assert isinstance(winners, list)
    assert isinstance(sides, dict)
    return Result(
        [str(winner) for winner in winners],
        {key: SideResult(int(side.get("score", 0)), Fraction(side["losses"])) for key, side in sides.items()},
    )
