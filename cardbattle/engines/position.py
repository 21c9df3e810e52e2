"""Convert a battle to a position that an engine can use to search ahead.

A position has the values of all fields of a battle as numbers.

A position does not reveal hidden information. Before the host sends it, the host deals the hidden cards
again, so that they depend only on the seat's view. Two battles that look the same to the seat have the same
position. If a rule set cannot deal hidden cards again from the view alone, it has no positions.
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
    """Return a position for a seat.

    The hidden cards are drawn from the random stream `chance`. Returns None if the rule set has no
    positions.
    """
    return numbers_of(seat.redeal(chance)) if rules.redeals_by_view(setup) else None


def numbers_of(battle: Battle) -> dict[str, object]:
    """Return all fields of a battle whose values are numbers or lists of numbers."""
    fields = state_of(battle)
    return {
        name: value for name, value in sorted(fields.items()) if name not in LEFT_OUT and is_numeric(value)
    }


def is_numeric(value: object) -> bool:
    """Return True if a value is a whole number, a boolean, or a nested list of these."""
    return isinstance(value, int) or (isinstance(value, list) and all(map(is_numeric, value)))


def restore_position(battle: Battle, numbers: Mapping[str, object], chance: Chance) -> None:
    """Set the fields of a battle to the values in a position.

    The position must be from a battle of the same rule set with the same options.

    Raises ValueError if the position and the battle do not have the same fields.
    """
    expected = numbers_of(battle)
    if numbers.keys() != expected.keys() or not all(map(is_numeric, numbers.values())):
        raise ValueError("this is not a position of this battle")
    for name, value in numbers.items():
        if type(value) is not type(expected[name]):
            raise ValueError(f"{name} is not a field of this battle")
    restore(battle, numbers)
    battle.random_source = Drawn(chance)
