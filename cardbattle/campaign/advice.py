"""Advice before a battle: the odds of a pending one, with the commanders it has."""

from __future__ import annotations

from time import monotonic

from cardbattle.campaign.advantage import battle_table, destroyed
from cardbattle.campaign.model import Campaign, Pending
from cardbattle.chances.counting import WHOLE, Count, count
from cardbattle.chances.odds import wilson_bounds
from cardbattle.fighting.battlefile import Plan, read_battle

PATH = "advice"
BATTLES = 200
SECONDS = 2.0  # after which the counting of a battle ends, whose commanders think long


def advice(campaign: Campaign, battle: Pending, battles: int = BATTLES) -> list[str]:
    """Return a line for each side with its share of points, or one that says why there is none."""
    gone = destroyed(campaign, battle)
    if gone:
        return [gone]
    plan = read_battle(battle_table(campaign, battle), campaign.folder)
    counted = counted_for(plan, battles)
    lines = []
    for seat, side in enumerate(plan.sides):
        share = counted.points[seat] / (WHOLE * counted.battles)
        low, high = wilson_bounds(share, counted.battles)
        lines.append(
            f"{side.name} ({side.commander}) {share:.0%}, {low:.0%} to {high:.0%} "
            f"by {counted.battles} battles"
        )
    return lines


def counted_for(plan: Plan, battles: int) -> Count:
    """Return a count of so many battles, of fewer if they take long."""
    began = monotonic()
    counted = count(plan, PATH, 0, 1)
    while counted.battles < battles and monotonic() - began < SECONDS:
        counted.merge(count(plan, PATH, counted.battles, counted.battles + 1))
    return counted
