"""How the regular commander plays Strategy WAR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.rules.strategy_war.battle import StrategyView

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance


def commit(view: StrategyView, chance: Chance) -> int:
    """Return the index of the card to commit."""
    return chance.below(len(view.options))
