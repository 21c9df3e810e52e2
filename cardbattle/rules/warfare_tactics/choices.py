"""Define the questions of Warfare Tactics (WT-D1 to WT-D6), and encode choices as integers.

A choice consists of a verb and at most two cards, each in one byte. If there are two cards, they are the
attacking card and its target, or the cards that pay for a special move.
"""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from cardbattle.core.battle import UNKNOWN

SUPPLY: Final = 1  # questions, WT-D1
MORE: Final = 2
SPECIAL: Final = 3  # WT-D3
ANSWER: Final = 4
ACTION: Final = 5  # WT-D4
FIGHT: Final = 6  # WT-D5
BURY_ONE: Final = 7
TAKE_ONE: Final = 8  # WT-D6
FREE: Final = 9  # WT-D2

VERB: Final = 65536  # a choice is verb + SECOND * second card + card
SECOND: Final = 256
DRAW: Final = 1 * VERB
RETURN: Final = 2 * VERB
PASS: Final = 3 * VERB
ENOUGH: Final = 4 * VERB
BONUS: Final = 5 * VERB
EXCHANGE: Final = 6 * VERB
DISCARD: Final = 7 * VERB
DONE: Final = 8 * VERB
POST: Final = 9 * VERB
ATTACK: Final = 10 * VERB
NOTHING: Final = 11 * VERB
COUNTER: Final = 12 * VERB
RECALL: Final = 13 * VERB
SURRENDER: Final = 14 * VERB
DECLINE: Final = 15 * VERB
RETREAT_HAND: Final = 16 * VERB
RETREAT_FIELD: Final = 17 * VERB
BURY: Final = 18 * VERB
TAKE: Final = 19 * VERB
NONE: Final = 20 * VERB
SWITCH: Final = 21 * VERB
SEVEN: Final = 22 * VERB

# The choices of each verb with one card, by the card. All battles share these objects, because in compiled
# code, creating and freeing an object for each option takes a quarter of the time of a random battle.
CHOICES: Final[list[list[Any]]] = [[VERB * verb + card for card in range(256)] for verb in range(23)]
ATTACKS: Final[list[list[Any]]] = [[] for _ in range(256)]  # the same for attacks, see `attacks_with`
PRICES: Final[list[list[Any]]] = [  # by the ways to pay for a retreat: 2 for the hand, and 1 for the field
    [],
    [RETREAT_FIELD],
    [RETREAT_HAND],
    [RETREAT_HAND, RETREAT_FIELD],
]
NO_CARDS: Final[list[int]] = []  # these lists never change
ONLY_NOTHING: Final[list[Any]] = [NOTHING]
ONLY_SURRENDER: Final[list[Any]] = [SURRENDER]


def known_cards(cards: list[int]) -> list[int]:
    """Return the known cards of a pile in ascending order: the list itself if all cards are known."""
    if not cards or cards[0] != UNKNOWN:
        return cards
    return [card for card in cards if card != UNKNOWN]


def choices_of(verb: int, cards: list[int]) -> list[Any]:
    """Return the choice of this verb with each of the cards, which must be known."""
    choices = CHOICES[verb // VERB]
    return [choices[card] for card in cards]


def append_choices(options: list[int], verb: int, cards: list[int]) -> None:
    """Append the choices of `choices_of` to a list."""
    choices = CHOICES[verb // VERB]
    untyped: list[Any] = options  # so that compiled code does not convert the choices
    for card in cards:
        untyped.append(choices[card])


def put_choices(options: list[Any], place: i64, verb: int, cards: list[int]) -> i64:
    """Store the choices of `choices_of` in a list, from the index `place` on. Return the next index."""
    choices = CHOICES[verb // VERB]
    untyped: list[Any] = cards  # so that compiled code converts each card to `i64` at once
    card: i64
    for card in untyped:
        options[place] = choices[card]
        place += 1
    return place


def put_attacks(options: list[Any], place: i64, attackers: list[int], targets: list[int]) -> i64:
    """Store the choices to attack each target with each attacker, as `put_choices` does."""
    untyped: list[Any] = targets
    target: i64
    for attacker in attackers:
        attacks = attacks_with(attacker)
        for target in untyped:
            options[place] = attacks[target]
            place += 1
    return place


def attacks_with(card: int) -> list[Any]:
    """Return the choices to attack with a card, by target."""
    attacks = ATTACKS[card]
    if not attacks:
        attacks = [ATTACK + SECOND * target + card for target in range(256)]
        ATTACKS[card] = attacks
    return attacks


def action_choices(
    playable: list[int],
    hand: list[int],
    temporary: list[int],
    free: list[int],
    targets: list[int],
    can_wait: bool,
) -> list[Any]:
    """Return the choices to play a card, to attack a target, and to wait.

    The cards of the hand, the temporary cards and the free monsters can attack. All cards must be known. If
    no card can be played and no attack is possible, the side can always wait (WT-46).
    """
    count = len(playable) + (len(hand) + len(temporary) + len(free)) * len(targets)
    options = ONLY_NOTHING * (count + 1 if can_wait or not count else count)  # faster than `append`
    place = put_choices(options, 0, POST, playable)
    if targets:
        place = put_attacks(options, place, hand, targets)
        place = put_attacks(options, place, temporary, targets)
        put_attacks(options, place, free, targets)
    return options


def fight_choices(
    hand: list[int],
    temporary: list[int],
    free: list[int],
    recalled: list[int],
    prices: list[Any],
    can_decline: bool,
) -> list[Any]:
    """Return the choices in an attack: add or recall a card, retreat, surrender, and decline to add a card.

    `recalled` has the monsters that can be recalled, and `prices` the ways to pay for a retreat.
    """
    count = len(hand) + len(temporary) + len(free) + len(recalled) + len(prices)
    options = ONLY_SURRENDER * (count + 2 if can_decline else count + 1)
    place = put_choices(options, 0, COUNTER, hand)
    place = put_choices(options, place, COUNTER, temporary)
    place = put_choices(options, place, COUNTER, free)
    place = put_choices(options, place, RECALL, recalled)
    for price in prices:
        options[place] = price
        place += 1
    if can_decline:
        options[-1] = DECLINE
    return options


def verb_of(choice: int) -> int:
    """Return the verb of a choice.

    >>> verb_of(ATTACK + SECOND * 52 + 16) == ATTACK
    True
    """
    return choice & -VERB


def card_of(choice: int) -> int:
    """Return the first card of a choice, or 0 if the choice has no card.

    >>> card_of(ATTACK + SECOND * 52 + 16), card_of(DRAW)
    (16, 0)
    """
    return choice & 255


def target_of(choice: int) -> int:
    """Return the second card of a choice, such as the target of an attack, or 0 for a choice of one card.

    >>> target_of(ATTACK + SECOND * 52 + 16), target_of(POST + 16)
    (52, 0)
    """
    return choice >> 8 & 255


def cards_named(choice: int) -> list[int]:
    """Return the cards of a choice, as a list of up to two cards.

    >>> cards_named(ATTACK + SECOND * 52 + 16), cards_named(POST + 16), cards_named(DRAW)
    ([16, 52], [16], [])
    """
    return [card for card in (card_of(choice), target_of(choice)) if card]
