"""What may come of the pending battles: fought in order many times, losses carried on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from cardbattle.campaign.advantage import battle_table
from cardbattle.campaign.apply import Result, SideResult, apply
from cardbattle.campaign.model import Campaign, Pending
from cardbattle.core.chance import child_seed
from cardbattle.core.errors import Refused
from cardbattle.fighting.battlefile import read_battle
from cardbattle.fighting.resolve import fought, streams_of


class Future(NamedTuple):
    """One way the pending battles may go: each battle's winners, and the campaign afterwards."""

    winners: dict[str, list[str]]
    campaign: Campaign


class Forecast(NamedTuple):
    """Many futures of a campaign, all equally likely."""

    campaign: Campaign
    futures: list[Future]

    def points(self, faction: str) -> list[int]:
        """Return a faction's points in every future, ascending."""
        return sorted(future.campaign.factions[faction].points for future in self.futures)

    def leads(self, faction: str) -> Fraction:
        """Return in what share of futures a faction has the most points; equals share the lead."""
        total = Fraction(0)
        for future in self.futures:
            points = {key: one.points for key, one in future.campaign.factions.items()}
            best = [key for key, count in points.items() if count == max(points.values())]
            total += Fraction(1, len(best)) if faction in best else Fraction(0)
        return total / len(self.futures)

    def strengths(self, force: str) -> list[int]:
        """Return a force's strength in every future, ascending."""
        return sorted(future.campaign.forces[force].strength for future in self.futures)

    def destroyed(self, force: str) -> Fraction:
        """Return in what share of futures a force is destroyed."""
        gone = sum(future.campaign.forces[force].destroyed for future in self.futures)
        return Fraction(gone, len(self.futures))

    def wins(self, battle: str, side: str) -> Fraction:
        """Return a side's share of a battle's victories: a fair part of a shared or drawn one."""
        pending = self.campaign.battle(battle)
        assert pending is not None
        total = Fraction(0)
        for future in self.futures:
            winners = future.winners.get(battle) or pending.keys
            total += Fraction(1, len(winners)) if side in winners else Fraction(0)
        return total / len(self.futures)


def forecast(campaign: Campaign, count: int, tell: Callable[[int], None] = lambda done: None) -> Forecast:
    """Return `count` futures of the campaign; future i has the seeds of the path `forecast/i`.

    A battle that cannot be fought any more, because one of its forces is destroyed, is passed
    over. `tell` hears how many futures are done.
    """
    if not campaign.pending:
        raise Refused("no battle is pending, so there is nothing to forecast")
    futures = []
    for number in range(count):
        futures.append(future_of(campaign, number))
        tell(number + 1)
    return Forecast(campaign, futures)


def future_of(campaign: Campaign, number: int) -> Future:
    """Return one future: the pending battles fought one after the other."""
    winners: dict[str, list[str]] = {}
    now = campaign
    for battle in campaign.pending:
        if any(now.forces[force].destroyed for side in battle.sides for force in side):
            continue
        result = outcome_of(now, battle, child_seed(campaign.seed, f"forecast/{number}/{battle.id}"))
        winners[battle.id] = result.winners
        now = now.after(apply(now, battle.id, result))
    return Future(winners, now)


def outcome_of(campaign: Campaign, battle: Pending, seed: int) -> Result:
    """Return how a battle ends from this seed, by the same path as a battle that counts."""
    plan = read_battle(battle_table(campaign, battle) | {"seed": seed}, campaign.folder)
    referee = fought(plan, streams_of(plan), listen=False)
    outcome = referee.outcome()
    keys = plan.setup.seats
    sides = {
        key: SideResult(referee.battle.score(seat), Fraction(*outcome.losses[seat]))
        for seat, key in enumerate(keys)
    }
    return Result([keys[seat] for seat in outcome.winners], sides)


def middle(values: Sequence[int], share: float) -> tuple[int, int]:
    """Return the bounds between which the middle share of these ascending values lies.

    >>> middle([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.8)
    (2, 9)
    """
    outside = int(len(values) * (1 - share) / 2 + 1e-9)
    return values[outside], values[len(values) - 1 - outside]
