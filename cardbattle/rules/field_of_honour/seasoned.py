"""How a seasoned commander plays Field of Honour by rules of thumb.

They count in hundredths of a space: 100 is a space held for certain, -100 one lost for certain.

They form their line out of the contents that are worth most, a pair of ten before anything else,
and put a special into it only if it is worth more there than in hand. Weak contents tend to stand
in front, where an enemy with a full hand would turn the space anyway.

In a space they look at each special they may play: what it makes of this space, of the next and of
both hands, less what the card is worth to them later. They play the best that is better than
passing. So they let a space be that they hold anyway, turn one with the cheapest card that does
it, draw with an Ace when nothing is lost by it, and spend all that helps in the last space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.cards import ACE, JACK, KING, QUEEN, rank_of
from cardbattle.rules.field_of_honour.battle import (
    COUNTER,
    DISCARD,
    DOUBLE,
    DRAW,
    FIRST_SPECIAL,
    HIGH,
    OPEN,
    PICK,
    PLACE,
    RALLY,
    SPACES,
    SWAP,
    FieldView,
)
from cardbattle.rules.field_of_honour.tactics import plan_line, value_of

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
]  # a value, unseen enemy
KEEP: Final = {KING: 30, ACE: 55, JACK: 110, QUEEN: 130}  # a special in hand
KEEP_JOKER: Final = 100
SPENT: Final = 75  # percent of that which it costs to play it: not every card kept is ever needed
TURNED: Final = [0, 28, 38]  # chance that an enemy with no, one, more cards in hand turns a space
DRAWN_CARD: Final = 33  # a card from the stack in hand
DRAWN_IN_NEED: Final = 22  # chance that a drawn card can be played at once and mends the space
LOST_CARD: Final = 50  # a card out of the enemy's hand
WEAKEST_OF: Final = 3  # planned contents drawn, of which the weakest is placed


def choose(view: View, chance: Chance) -> int:
    """Return the index of the option to choose."""
    assert isinstance(view, FieldView)
    if view.question == PICK:
        return pick(view)
    if view.question == PLACE:
        return place(view, chance)
    return special(view)


def pick(view: FieldView) -> int:
    """Return the index of the card that is worth most in hand."""
    worth = [value_in_hand(card) for card in view.options]
    return worth.index(max(worth))


def place(view: FieldView, chance: Chance) -> int:
    """Return the index of a planned content, the weakest of some that are drawn."""
    plan = plan_line(view, [content_worth(choice) for choice in view.options])
    return view.options.index(weakest_of([view.options[index] for index in plan], chance))


def weakest_of(contents: list[int], chance: Chance) -> int:
    """Return the weakest of some contents that are drawn."""
    weakest = chance.choice(contents)
    for _ in range(WEAKEST_OF - 1):
        other = chance.choice(contents)
        if value_of(other) < value_of(weakest):
            weakest = other
    return weakest


def content_worth(choice: int) -> int:
    """Return what a content is worth in line, less what its card is worth in hand."""
    return LEAD[value_of(choice)] - (value_in_hand(choice) if choice < HIGH else 0)


def value_in_hand(card: int) -> int:
    """Return what a card is worth in hand: nothing if it is no special."""
    return KEEP.get(rank_of(card), KEEP_JOKER) if card >= FIRST_SPECIAL else 0


def special(view: FieldView) -> int:
    """Return the index of the special that gains most, 0 to pass if none gains anything."""
    at = view.space - 1
    own, other = view.values[at], view.enemy_values[at]
    passing = result(own, other) if closes(view) else standing(own, other, view.enemy_hand)
    best, most = 0, passing
    for index in range(1, len(view.options)):
        worth = worth_of(view, view.options[index] % HIGH, view.options[index] // HIGH)
        if worth > most:
            best, most = index, worth
    return best


def closes(view: FieldView) -> bool:
    """Say whether the space is settled if nothing is played."""
    return view.question == COUNTER or (view.question == OPEN and view.first != view.side)


def worth_of(view: FieldView, card: int, power: int) -> int:
    """Return what this space and what follows are worth after this special."""
    at = view.space - 1
    own, other, enemy_hand = view.values[at], view.enemy_values[at], view.enemy_hand
    is_last = view.space == SPACES
    later = 0 if is_last else -(value_in_hand(card) * SPENT // 100)
    if power == SWAP:
        own, other = other, own
    elif power == DOUBLE:
        own *= 2
    elif power == RALLY:
        own += 1
    elif power == DRAW:
        later += worth_of_drawing(own, other, 0 if is_last else min(view.stack, 2))
    elif power == DISCARD:
        enemy_hand -= 1
        later += 0 if is_last else LOST_CARD
    else:
        later += change_of_next(view, own)
        own = view.values[at + 1]
    return standing(own, other, enemy_hand) + later


def worth_of_drawing(own: int, other: int, cards: int) -> int:
    """Return what cards from the stack are worth, and that one may mend the space at once."""
    need = 2 if own < other else 1 if own == other else 0
    return DRAWN_CARD * cards + DRAWN_IN_NEED * need


def change_of_next(view: FieldView, own: int) -> int:
    """Return what the next space gains if this content is sent there."""
    there = view.space
    if view.enemy_shown[there]:
        other = view.enemy_values[there]
        return result(own, other) - result(view.values[there], other)
    return lead(own) - lead(view.values[there])


def lead(value: int) -> int:
    """Return what a value is worth against a content not yet seen."""
    return LEAD[min(value, len(LEAD) - 1)]


def result(own: int, other: int) -> int:
    """Return what a space is worth that is settled like this."""
    return 100 if own > other else -100 if own < other else 0


def standing(own: int, other: int, enemy_hand: int) -> int:
    """Return what a space is worth in which the enemy may still play a special."""
    turned = TURNED[min(enemy_hand, 2)]
    if own < other:
        return -100
    return 100 - 2 * turned if own > other else -turned
