"""What a line tells of the cards that are still hidden, if a seasoned commander laid it.

They put their best contents in line and keep what is worth more in hand, so the cards in their hand
are not just any. Who thinks ahead supposes that the enemy began with cards of which they would have
laid the contents that have been seen, and as many pairs as there are.
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

DEALS: Final = 40  # tried for one that fits, before any will do


def plausible_deal(battle: FieldOfHonour, viewer: int, chance: Chance) -> FieldOfHonour:
    """Return a redealt copy in which a seasoned enemy would have laid what lies there.

    It is just a redealt one while lines are placed, if the enemy is asked or picked cards openly, and
    where no deal that fits is found.
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
        rest = rest_of_line(pool[: len(hidden)], laid)
        if len(rest) == len(down) and len([choice for choice in rest if choice >= HIGH]) == pairs:
            new.stack = pool[len(hidden) :]
            new.hands[enemy] = pool[: len(hidden)]
            line_up(new, enemy, down, rest, chance)
            break
    return new


def cards_seen_in_line(battle: FieldOfHonour, viewer: int) -> list[int]:
    """Return as choices the contents that the enemy laid and the viewer has seen, wherever they lie now."""
    seen = [cards for at, cards in enumerate(battle.spaces) if battle.shown[at]]
    own = battle.dealt[viewer]
    theirs = [cards for cards in seen if not is_among(cards[0], own)]
    return [choice_of(cards) for cards in theirs]


def draw_first(cards: list[int], count: int, chance: Chance) -> None:
    """Put so many of the cards first, drawn by lot."""
    for place in range(count):
        other = place + chance.below(len(cards) - place)
        cards[place], cards[other] = cards[other], cards[place]


def rest_of_line(hidden: list[int], laid: list[int]) -> list[int]:
    """Return what a seasoned player who has these cards would lay besides what they laid.

    That is too much if they would not have laid it.
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
    """Lay these contents where one of that many cards lies face down, the weak ones rather in front."""
    ones = [choice for choice in contents if choice < HIGH]
    twos = [choice for choice in contents if choice >= HIGH]
    for at in down:
        choices = ones if len(battle.spaces[at]) == 1 else twos
        choice = weakest_of(choices, chance)
        choices.remove(choice)
        cards = [choice] if choice < HIGH else [choice % HIGH, choice // HIGH]
        battle.lay(at, cards)
        battle.hands[side] = [card for card in battle.hands[side] if not is_among(card, cards)]
    battle.hands[side] = sorted(battle.hands[side])
