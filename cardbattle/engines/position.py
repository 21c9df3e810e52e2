"""A position: one battle that fits everything a seat knows, as numbers.

A host deals the hidden cards again from the seat's view before it sends a position, so it reveals nothing:
two battles that look the same to the seat give the same positions. The commanders of this program need one to
think ahead. Rule sets whose redeals depend on more than the view have no positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardbattle.core.chance import Drawn
from cardbattle.core.pickling import restore, state_of

if TYPE_CHECKING:
    from cardbattle.core.battle import Battle
    from cardbattle.core.chance import Chance
    from cardbattle.core.referee import Seat
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.core.setup import Setup

LEFT_OUT = ("log", "random_source")


def position_of(rules: RuleSet, seat: Seat, setup: Setup, chance: Chance) -> dict[str, object] | None:
    """Return a position for a seat, drawn from this stream; None if the rule set has none."""
    return numbers_of(seat.redeal(chance)) if rules.redeals_by_view(setup) else None


def numbers_of(battle: Battle) -> dict[str, object]:
    """Return the fields of a battle that are numbers, or lists of numbers."""
    fields = state_of(battle)
    return {
        name: value for name, value in sorted(fields.items()) if name not in LEFT_OUT and is_numeric(value)
    }


def is_numeric(value: object) -> bool:
    """Return True for whole numbers, booleans, and lists of these at any depth."""
    return isinstance(value, int) or (isinstance(value, list) and all(map(is_numeric, value)))


def restore_position(battle: Battle, numbers: Mapping[str, object], chance: Chance) -> None:
    """Give a battle of the same rule set and options the fields of a position.

    Raises ValueError if the fields are not those of such a battle.
    """
    expected = numbers_of(battle)
    if numbers.keys() != expected.keys() or not all(map(is_numeric, numbers.values())):
        raise ValueError("this is not a position of this battle")
    for name, value in numbers.items():
        if type(value) is not type(expected[name]):
            raise ValueError(f"{name} is not a field of this battle")
    restore(battle, numbers)
    battle.random_source = Drawn(chance)
