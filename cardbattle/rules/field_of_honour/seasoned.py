"""The seasoned commander of Field of Honour, whose heuristics measure worth in hundredths of a space.

A space that is certainly held is worth 100, and a space that is certainly lost is worth -100.

The commander places its most valuable cards and pairs, beginning with pairs that total ten. The commander
places a special only if the special is worth more in the line than in hand. Weak cards tend to come first,
because an enemy with a full hand would win the first spaces anyway.

In a space, the commander computes the worth of each possible special. The worth is its effect on this space,
on the next space and on both hands, minus the later worth of the card. If the best special is better than a
pass, the commander plays it. Therefore the commander passes in a space that it already holds, and wins a
space with the cheapest sufficient card. The commander draws with an Ace if this costs nothing, and plays
everything useful in the last space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.cards import ACE, JACK, KING, QUEEN, rank_of
from cardbattle.rules.field_of_honour.battle import (
    COUNTER,
    DISCARD,
    DOUBLE,
    DRAW,
    END,
    FIRST_SPECIAL,
    HIGH,
    OPEN,
    PICK,
    PLACE,
    RALLY,
    REDEPLOY_BACK,
    SPACES,
    SWAP,
    FieldView,
)
from cardbattle.rules.field_of_honour.tactics import plan_line, value_of, value_of_cards

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

LEAD: Final = [
    -100,
    -98,
    -96,
    -92,
    -86,
    -78,
    -66,
    -50,
    -20,
    0,
    35,
    45,
    50,
    55,
    60,
    90,
]  # by value: the worth of the value against cards that are not yet seen
KEEP: Final = {KING: 30, ACE: 55, JACK: 110, QUEEN: 130}  # the worth of each kind of special in hand
KEEP_JOKER: Final = 100
SPENT: Final = 75  # the cost of playing a special, in percent of its worth in hand
TURNED: Final = [0, 28, 38]  # percent chance that an enemy with 0, 1 or more cards in hand wins a space back
DRAWN_CARD: Final = 33  # the worth of a card drawn from the stack
DRAWN_IN_NEED: Final = 22  # percent chance that a drawn card can improve the space at once
LOST_CARD: Final = 50  # the worth of a card that the enemy loses from its hand
WEAKEST_OF: Final = 3  # how many planned choices are drawn at random; the weakest of them is placed


def choose(view: View, chance: Chance) -> int:
    """Return the index of the chosen option."""
    assert isinstance(view, FieldView)
    if view.question == PICK:
        return pick(view)
    if view.question == END:
        return chance.below(2)
    if view.question == PLACE:
        return place(view, chance)
    return special(view)


def pick(view: FieldView) -> int:
    """Return the index of the option that picks the card which is worth most in hand."""
    worth = [value_in_hand(card) for card in view.options]
    return worth.index(max(worth))


def place(view: FieldView, chance: Chance) -> int:
    """Return the index of the placement to make.

    It is the weakest of a few random choices from the planned line.
    """
    plan = plan_line(view, [content_worth(choice) for choice in view.options])
    return view.options.index(weakest_of([view.options[index] for index in plan], chance))


def weakest_of(contents: list[int], chance: Chance) -> int:
    """Return the weakest of WEAKEST_OF randomly drawn choices to place."""
    weakest = chance.choice(contents)
    for _ in range(WEAKEST_OF - 1):
        rival = chance.choice(contents)
        if value_of(rival) < value_of(weakest):
            weakest = rival
    return weakest


def content_worth(choice: int) -> int:
    """Return the worth of a choice in the line, minus the worth of its card in hand."""
    return LEAD[value_of(choice)] - (value_in_hand(choice) if choice < HIGH else 0)


def value_in_hand(card: int) -> int:
    """Return the worth of a card in hand, which is 0 if the card is not a special."""
    return KEEP.get(rank_of(card), KEEP_JOKER) if card >= FIRST_SPECIAL else 0


def special(view: FieldView) -> int:
    """Return the index of the special with the largest gain, or 0 (pass) if no special gains anything."""
    at = view.space - 1
    value, enemy_value = view.values[at], view.enemy_values[at]
    passing = result(value, enemy_value) if closes(view) else standing(value, enemy_value, view.enemy_hand)
    best, most = 0, passing
    for index in range(1, len(view.options)):
        worth = worth_of(view, view.options[index] % HIGH, view.options[index] // HIGH)
        if worth > most:
            best, most = index, worth
    return best


def closes(view: FieldView) -> bool:
    """Return True if a pass would settle the space."""
    return view.question == COUNTER or (view.question == OPEN and view.first != view.side)


def worth_of(view: FieldView, card: int, power: int) -> int:
    """Return the worth of a card with the effect `power`, in the current space and in later ones."""
    at = view.space - 1
    value, enemy_value, enemy_hand = view.values[at], view.enemy_values[at], view.enemy_hand
    is_last = view.space == SPACES
    later = 0 if is_last else -(value_in_hand(card) * SPENT // 100)
    if power == SWAP:
        value, enemy_value = enemy_value, value
    elif power == DOUBLE:
        value *= 2
    elif power == RALLY:
        value += 1
    elif power == DRAW:
        later += worth_of_drawing(value, enemy_value, 0 if is_last else min(view.stack, 2))
    elif power == DISCARD:
        enemy_hand -= 1
        later += 0 if is_last else LOST_CARD
    elif power == REDEPLOY_BACK:
        value = value_of_cards(view.line[at - 1])
    else:
        later += change_of_next(view, value)
        value = view.values[at + 1]
    if view.readings.one_answer and view.question == COUNTER:
        return result(value, enemy_value) + later
    return standing(value, enemy_value, enemy_hand) + later


def worth_of_drawing(value: int, enemy_value: int, cards: int) -> int:
    """Return the worth of drawing `cards` cards.

    It includes the chance to improve the current space at once.
    """
    need = 2 if value < enemy_value else 1 if value == enemy_value else 0
    return DRAWN_CARD * cards + DRAWN_IN_NEED * need


def change_of_next(view: FieldView, value: int) -> int:
    """Return the gain in the next space if this space's cards, worth `value`, are moved there."""
    next_space = view.space
    if view.enemy_shown[next_space]:
        enemy_value = view.enemy_values[next_space]
        return result(value, enemy_value) - result(view.values[next_space], enemy_value)
    return lead(value) - lead(view.values[next_space])


def lead(value: int) -> int:
    """Return the worth of having the value `value` in a space if the enemy's cards in it are not known."""
    return LEAD[min(value, len(LEAD) - 1)]


def result(value: int, enemy_value: int) -> int:
    """Return the worth of a settled space, given the final values of both sides."""
    return 100 if value > enemy_value else -100 if value < enemy_value else 0


def standing(value: int, enemy_value: int, enemy_hand: int) -> int:
    """Return the worth of a space in which the enemy can still play a special.

    The values are those before such a special.
    """
    turned = TURNED[min(enemy_hand, 2)]
    if value < enemy_value:
        return -100
    return 100 - 2 * turned if value > enemy_value else -turned
