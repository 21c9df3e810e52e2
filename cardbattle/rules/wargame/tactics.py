"""How the regular commander plays Wargame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.rules.wargame.battle import WargameView

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance


def decide(view: WargameView, chance: Chance) -> int:
    """Return the index of the choice."""
    return chance.below(len(view.options))
