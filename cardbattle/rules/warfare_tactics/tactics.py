"""How the regular commander plays Warfare Tactics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.rules.warfare_tactics.battle import WarfareView

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance


def decide(view: WarfareView, chance: Chance) -> int:
    """Return the index of the choice to make."""
    return chance.below(len(view.options))
