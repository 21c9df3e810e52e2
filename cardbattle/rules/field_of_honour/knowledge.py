"""Guess the enemy's hidden cards on the assumption that a seasoned commander placed the line.

A seasoned commander places its best cards and keeps those worth more in hand, so its hand is not a random
sample. The guesses therefore use only starting hands from which a seasoned commander would have placed the
cards seen so far, with as many pairs as there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.battle import UNKNOWN
from cardbattle.core.cards import is_among, take_out
from cardbattle.rules.field_of_honour.battle import HIGH, SPACES, choice_of, pairs_of
from cardbattle.rules.field_of_honour.seasoned import content_worth, weakest_of
from cardbattle.rules.field_of_honour.tactics import plan_of

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance
    from cardbattle.rules.field_of_honour.battle import FieldOfHonour

DEALS: Final = 40  # deals tried for a consistent one, before any deal is used


def plausible_deal(battle: FieldOfHonour, viewer: int, chance: Chance) -> FieldOfHonour:
    """Return a redealt copy in which a seasoned enemy would have placed its present line.

    The copy is an ordinary redeal while lines are being placed, if the enemy is asked or has picked cards
    openly, or if no consistent deal is found.
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
    if len(laid) + len(down) != SPACES or new.begun_openly[enemy] or is_among(UNKNOWN, pool):
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
    """Return the choices for the enemy's cards that the viewer has seen, wherever they lie now."""
    seen = [cards for at, cards in enumerate(battle.spaces) if battle.shown[at]]
    viewer_cards = battle.dealt[viewer]
    theirs = [cards for cards in seen if not is_among(cards[0], viewer_cards)]
    return [choice_of(cards) for cards in theirs]


def draw_first(cards: list[int], count: int, chance: Chance) -> None:
    """Move `count` randomly drawn cards to the front (partial Fisher-Yates shuffle)."""
    for place in range(count):
        drawn = place + chance.below(len(cards) - place)
        cards[place], cards[drawn] = cards[drawn], cards[place]


def rest_of_line(hidden: list[int], laid: list[int]) -> list[int]:
    """Return the rest of the line that a seasoned player would place from the hidden and placed cards.

    The result is too long if the player would not have placed the cards in `laid`.
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
    """Place choices in the face-down spaces of the same size, weak ones more often in front."""
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
