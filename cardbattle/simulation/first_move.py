"""Describe the value of the first move under the chosen rules."""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.core.ruleset import RuleSet

WORTH_A_WORD = 0.05  # distance from one half; a smaller advantage is not mentioned


def first_move_words(rules: RuleSet, house: Mapping[str, object]) -> str:
    """Describe the value of the first move, and the house rule that reduces it; empty if the value is small.

    `house` are the house rules of a battle, as in `Setup`.
    """
    edge = rules.first_move_edge(house)
    if edge is None or abs(edge.share - 0.5) < WORTH_A_WORD:
        return ""
    return (
        f"{rules.name}: between equal sides, the first to move takes {edge.share:.0%} of the points; "
        f"house rule {edge.level_rule} = {edge.level_value} makes it {edge.level_share:.0%}"
    )
