"""How the regular commander plays Field of Honour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.rules.field_of_honour.battle import FieldView

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance


def choose(view: FieldView, chance: Chance) -> int:
    """Return the index of the option to choose."""
    return chance.below(len(view.options))
