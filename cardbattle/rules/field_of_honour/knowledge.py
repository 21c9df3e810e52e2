"""Guess the enemy's hidden cards, assuming that a seasoned commander placed the enemy's line.

A seasoned commander places its best cards, but keeps cards that are worth more in hand. The cards in its hand
are therefore not a random sample. A guess uses only starting hands from which a seasoned commander would have
placed the cards that were seen so far, and the same number of pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.cards import is_among, take_out
from cardbattle.rules.field_of_honour.battle import HIGH, SPACES, choice_of, pairs_of
from cardbattle.rules.field_of_honour.seasoned import content_worth, weakest_of
from cardbattle.rules.field_of_honour.tactics import plan_of

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance
    from cardbattle.rules.field_of_honour.battle import FieldOfHonour

DEALS: Final = 40  # number of deals tried, before an ordinary redeal is used


def plausible_deal(battle: FieldOfHonour, viewer: int, chance: Chance) -> FieldOfHonour:
    """Return a copy with redealt cards in which a seasoned commander would have placed the enemy's line.

    The copy is an ordinary redeal if lines are still being placed, if the enemy must choose or has picked
    cards openly, or if no consistent deal is found.
    """
    new = battle.redeal(viewer, chance)
    if battle.side != viewer or battle.space == 0:
        return new
    enemy = 1 - viewer
    down = [at for at in range(SPACES * enemy, SPACES * enemy + SPACES) if not new.shown[at]]
    laid = cards_seen_in_line(battle, viewer)
    hidden = new.hands[enemy].copy()
    for at in down:
        hidden += new.spaces[at]
    pool = hidden + new.stack
    if len(laid) + len(down) != SPACES or new.begun_openly[enemy]:
        return new
    pairs = len([at for at in down if len(new.spaces[at]) == 2])
    for _ in range(DEALS):
        draw_first(pool, len(hidden), chance)
        remaining = rest_of_line(pool[: len(hidden)], laid)
        if len(remaining) == len(down) and len([choice for choice in remaining if choice >= HIGH]) == pairs:
            new.stack = pool[len(hidden) :]
            new.hands[enemy] = pool[: len(hidden)]
            line_up(new, enemy, down, remaining, chance)
            break
    return new


def cards_seen_in_line(battle: FieldOfHonour, viewer: int) -> list[int]:
    """Return the contents of those enemy spaces that the viewer has seen, each as the choice that places it.

    The result includes cards that have since moved to another place.
    """
    seen = [cards for at, cards in enumerate(battle.spaces) if battle.shown[at]]
    viewer_cards = battle.dealt[viewer]
    theirs = [cards for cards in seen if not is_among(cards[0], viewer_cards)]
    return [choice_of(cards) for cards in theirs]


def draw_first(cards: list[int], count: int, chance: Chance) -> None:
    """Move `count` random cards to the front of the list (a partial Fisher-Yates shuffle)."""
    for place in range(count):
        drawn = place + chance.below(len(cards) - place)
        cards[place], cards[drawn] = cards[drawn], cards[place]


def rest_of_line(hidden: list[int], laid: list[int]) -> list[int]:
    """Return the choices that a seasoned player would place in the spaces that the viewer has not seen.

    The player has the cards in `hidden` and in `laid`. If the player would not have placed the cards in
    `laid`, the result has more choices than there are such spaces.
    """
    begun = hidden.copy()
    for choice in laid:
        begun += [choice] if choice < HIGH else [choice % HIGH, choice // HIGH]
    begun.sort()
    options = begun + pairs_of(begun)
    worth = [content_worth(choice) for choice in options]
    line = [options[index] for index in plan_of(options, SPACES, len(begun), worth)]
    for choice in laid:
        if not take_out(choice, line):
            return line + laid
    return line


def line_up(battle: FieldOfHonour, side: int, down: list[int], contents: list[int], chance: Chance) -> None:
    """Place the choices in the spaces that are still face down.

    A space keeps its number of cards, one or two.

    Weak choices tend to be placed first.
    """
    singles = [choice for choice in contents if choice < HIGH]
    pairs = [choice for choice in contents if choice >= HIGH]
    for at in down:
        choices = singles if len(battle.spaces[at]) == 1 else pairs
        choice = weakest_of(choices, chance)
        choices.remove(choice)
        cards = [choice] if choice < HIGH else [choice % HIGH, choice // HIGH]
        battle.lay(at, cards)
        battle.hands[side] = [card for card in battle.hands[side] if not is_among(card, cards)]
    battle.hands[side] = sorted(battle.hands[side])
