"""How the regular commander plays Warmonger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.rules.warmonger.table import WarmongerView

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance


def decide(view: WarmongerView, chance: Chance) -> int:
    """Return the index of the choice to make."""
    return chance.below(len(view.options))
