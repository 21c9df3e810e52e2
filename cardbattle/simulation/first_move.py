"""What the first move is worth by the chosen rules, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.core.ruleset import RuleSet

WORTH_A_WORD = 0.05  # from one half; a smaller edge is not mentioned


def first_move_words(rules: RuleSet, house: Mapping[str, object]) -> str:
    """Return what the first move is worth and which house rule levels it; empty if it is worth little.

    `house` are the house rules of a battle, as its `Setup` has them.
    """
    edge = rules.first_move_edge(house)
    if edge is None or abs(edge.share - 0.5) < WORTH_A_WORD:
        return ""
    return (
        f"{rules.name}: between equal sides the one that moves first takes {edge.share:.0%} of the points; "
        f"house rule {edge.level_rule} = {edge.level_value} makes it {edge.level_share:.0%}"
    )
