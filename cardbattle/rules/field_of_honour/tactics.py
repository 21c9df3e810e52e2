"""How the regular commander plays Field of Honour.

They line up the contents that count most, in any order; of their specials they line one up only
for want of a content of seven. In a space that they do not hold they play the first special that
turns it, and draw with an Ace if none does. What a special might be worth later is left out of
account.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.cards import is_among
from cardbattle.rules.field_of_honour.battle import (
    DOUBLE,
    DRAW,
    FIRST_SPECIAL,
    HIGH,
    PICK,
    PLACE,
    RALLY,
    REDEPLOY,
    SWAP,
    VALUES,
    FieldView,
)

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

SPECIAL: Final = 7  # what a special counts in line


def choose(view: View, chance: Chance) -> int:
    """Return the index of the option to choose."""
    assert isinstance(view, FieldView)
    if view.question == PICK:
        return len(view.options) - 1
    if view.question == PLACE:
        return chance.choice(plan_line(view, [worth_in_line(choice) for choice in view.options]))
    return special(view)


def plan_line(view: FieldView, worth: list[int]) -> list[int]:
    """Return the contents for all empty spaces, those worth most first, as indices of the options."""
    return plan_of(view.options, view.line.count([]), len(view.hand), worth)


def plan_of(options: list[int], empty: int, left: int, worth: list[int]) -> list[int]:
    """Return the same for so many empty spaces, of a side that has so many cards left."""
    used: list[int] = []
    plan: list[int] = []
    for index in sorted(range(len(options)), key=worth.__getitem__, reverse=True):
        card, other = options[index] % HIGH, options[index] // HIGH
        size = 2 if other else 1
        if is_among(card, used) or is_among(other, used) or left - size < empty - len(plan) - 1:
            continue
        plan.append(index)
        used += [card, other] if other else [card]
        left -= size
        if len(plan) == empty:
            break
    return plan


def worth_in_line(choice: int) -> int:
    """Return what a content counts, a special less than it might so that it stays in hand."""
    return SPECIAL if FIRST_SPECIAL <= choice < HIGH else value_of(choice)


def value_of(choice: int) -> int:
    """Return the value of a content to be placed."""
    return VALUES[choice] if choice < HIGH else VALUES[choice % HIGH] + VALUES[choice // HIGH]


def special(view: FieldView) -> int:
    """Return the index of a special that turns this space, else of one that draws, else 0 to pass."""
    at = view.space - 1
    own, other = view.values[at], view.enemy_values[at]
    if own > other:
        return 0
    powers = [choice // HIGH for choice in view.options]
    for index in range(1, len(powers)):
        if turns(view, powers[index], own, other):
            return index
    return powers.index(DRAW) if DRAW in powers else 0


def turns(view: FieldView, power: int, own: int, other: int) -> bool:
    """Say whether a special turns a space that this side does not hold."""
    if power == SWAP:
        return own < other
    if power == DOUBLE:
        return 2 * own > other
    if power == RALLY:
        return own + 1 > other
    return power == REDEPLOY and view.values[view.space] > other
