"""Rollouts: finish a battle with a fast policy, and return the value of the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cardbattle.core.battle import Battle
    from cardbattle.core.chance import Chance
    from cardbattle.core.ruleset import Policy, RuleSet

WHOLE: Final = 1000  # the value of a win; values of battles are in thousandths of a win


def play_out_by(rules: RuleSet, policy: Policy, battle: Battle, chance: Chance) -> list[int]:
    """Let a policy play all sides until the winners are certain or the rule set's horizon is reached.

    Returns the value of the battle for each side, from 0 for a defeat to WHOLE for a win. In a draw or a
    shared win, WHOLE is divided equally.
    """
    left = rules.horizon
    while left and not battle.is_decided():
        battle.choose(policy(battle.fast_view(battle.side), chance))
        left -= 1
    sides = battle.sides
    if not battle.is_decided():
        return [rules.estimate(battle, side) for side in range(sides)]
    winners = battle.outcome().winners or list(range(sides))
    return [WHOLE // len(winners) if side in winners else 0 for side in range(sides)]


def draw_index(weights: list[int], chance: Chance) -> int:
    """Draw a random index in proportion to the weights. At least one weight must be above 0."""
    left = chance.below(sum(weights))
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    raise AssertionError("the drawn number is not below the sum of the weights")
