"""The regular commander of Field of Honour.

The commander fills its line with the highest values, in random order. The commander places a special only if
no other card is worth seven or more. In a space that its side does not hold, the commander plays the first
special that wins the space. If no special wins the space, the commander draws with an Ace. The commander
ignores how valuable a special would be later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.battle import UNKNOWN
from cardbattle.core.cards import is_among
from cardbattle.rules.field_of_honour.battle import (
    DOUBLE,
    DRAW,
    END,
    FIRST_SPECIAL,
    HIGH,
    PICK,
    PLACE,
    RALLY,
    REDEPLOY,
    REDEPLOY_BACK,
    SWAP,
    VALUES,
    FieldView,
)

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

SPECIAL: Final = 7  # the value of a special that is placed in the line


def choose(view: View, chance: Chance) -> int:
    """Return the index of the chosen option."""
    assert isinstance(view, FieldView)
    if view.question == PICK:
        return len(view.options) - 1
    if view.question == END:
        return chance.below(2)
    if view.question == PLACE:
        return chance.choice(plan_line(view, [worth_in_line(choice) for choice in view.options]))
    return special(view)


def plan_line(view: FieldView, worth: list[int]) -> list[int]:
    """Return the indices of options that fill all empty spaces with the most valuable known cards."""
    known, empty = len(view.hand) - view.hand.count(UNKNOWN), view.line.count([])
    return plan_of(view.options, empty, max(known, empty), worth)


def plan_of(options: list[int], empty: int, left: int, worth: list[int]) -> list[int]:
    """Return the indices of the most valuable options that fill `empty` spaces.

    `left` is the number of cards in the hand. `worth` has the value of each option.
    """
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
    """Return the value of a choice in the line.

    For a special, the value is less than the printed value, so that the special usually stays in hand.
    """
    return SPECIAL if FIRST_SPECIAL <= choice < HIGH else value_of(choice)


def value_of(choice: int) -> int:
    """Return the total value of the cards that a choice places."""
    return VALUES[choice] if choice < HIGH else VALUES[choice % HIGH] + VALUES[choice // HIGH]


def special(view: FieldView) -> int:
    """Return the index of a special that wins this space or draws cards, or 0 to pass."""
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
    """Return True if a special with this effect would win the current space for the viewer.

    `value` and `enemy_value` are the values of both sides in this space. The viewer must not be ahead.
    """
    if power == SWAP:
        return value < enemy_value
    if power == DOUBLE:
        return 2 * value > enemy_value
    if power == RALLY:
        return value + 1 > enemy_value
    if power == REDEPLOY_BACK:
        return value_of_cards(view.line[view.space - 2]) > enemy_value
    return power == REDEPLOY and view.values[view.space] > enemy_value


def value_of_cards(cards: list[int]) -> int:
    """Return the value of cards, without attached specials."""
    return sum([VALUES[card] for card in cards])
