"""How a try ends: a battle is fought on by a policy, which the field calls a rollout, and weighed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cardbattle.core.battle import Battle
    from cardbattle.core.chance import Chance
    from cardbattle.core.ruleset import Policy, RuleSet

WHOLE: Final = 1000  # a battle won; all worths are out of it


def play_out_by(rules: RuleSet, policy: Policy, battle: Battle, chance: Chance) -> list[int]:
    """Let all sides be played by a policy until the winners are known, or to the rule set's horizon.

    Return the battle's worth for each side, 0 to WHOLE: of a shared or drawn one a fair part.
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
    """Return an index drawn in proportion to the weights: whole numbers from 0, not all of them 0."""
    left = chance.below(sum(weights))
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    raise AssertionError("the weights sum to more than was drawn")
