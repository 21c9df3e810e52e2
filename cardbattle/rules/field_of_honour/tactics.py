"""The regular commander of Field of Honour.

It fills its line with the highest values, in random order. It places a special only if it has nothing worth
seven or more left. In a space that it does not hold, it plays the first special that wins the space, or draws
with an Ace if none does. It ignores the later value of a special.
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

SPECIAL: Final = 7  # value of a special in line


def choose(view: View, chance: Chance) -> int:
    """Return the index of the chosen option."""
    assert isinstance(view, FieldView)
    if view.question == PICK:
        return len(view.options) - 1
    if view.question == PLACE:
        return chance.choice(plan_line(view, [worth_in_line(choice) for choice in view.options]))
    return special(view)


def plan_line(view: FieldView, worth: list[int]) -> list[int]:
    """Return indices of the options that fill all empty spaces, the most valuable first."""
    return plan_of(view.options, view.line.count([]), len(view.hand), worth)


def plan_of(options: list[int], empty: int, left: int, worth: list[int]) -> list[int]:
    """Return the same for `empty` spaces of a side with `left` cards."""
    used: list[int] = []
    plan: list[int] = []
    for index in sorted(range(len(options)), key=worth.__getitem__, reverse=True):
        card, second = options[index] % HIGH, options[index] // HIGH
        size = 2 if second else 1
        if is_among(card, used) or is_among(second, used) or left - size < empty - len(plan) - 1:
            continue
        plan.append(index)
        used += [card, second] if second else [card]
        left -= size
        if len(plan) == empty:
            break
    return plan


def worth_in_line(choice: int) -> int:
    """Return the value of a choice in line; a special counts less, so that it stays in hand."""
    return SPECIAL if FIRST_SPECIAL <= choice < HIGH else value_of(choice)


def value_of(choice: int) -> int:
    """Return the value of the cards of a choice to place."""
    return VALUES[choice] if choice < HIGH else VALUES[choice % HIGH] + VALUES[choice // HIGH]


def special(view: FieldView) -> int:
    """Return the index of a special that wins this space, or of one that draws, or 0 (pass)."""
    at = view.space - 1
    value, enemy_value = view.values[at], view.enemy_values[at]
    if value > enemy_value:
        return 0
    powers = [choice // HIGH for choice in view.options]
    for index in range(1, len(powers)):
        if turns(view, powers[index], value, enemy_value):
            return index
    return powers.index(DRAW) if DRAW in powers else 0


def turns(view: FieldView, power: int, value: int, enemy_value: int) -> bool:
    """Return True if a special wins a space that this side does not hold."""
    if power == SWAP:
        return value < enemy_value
    if power == DOUBLE:
        return 2 * value > enemy_value
    if power == RALLY:
        return value + 1 > enemy_value
    return power == REDEPLOY and view.values[view.space] > enemy_value
