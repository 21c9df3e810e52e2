"""The regular commander of Strategy WAR: simple heuristics, with some random play.

If the commander has more cards than there are rounds left, it ignores its lowest cards. If a pot has rolled
over, it plays the lowest card that certainly wins the pot. If no card does, it usually plays its highest
card. The highest card can meet an equal card, so the commander sometimes plays another card. In a duel, if
the enemy's next card is higher, it sometimes gives up the pot and plays its lowest card. Against several
sides, it sometimes plays its second highest card.

If no pot has rolled over, the commander usually keeps its highest card for a later pot. In a duel, the
commander nearly always keeps its highest card. Against several sides, where a round rarely ties, the
commander keeps it half of the time. Instead of its highest card, the commander plays one of its other cards
at random, so that the enemy cannot predict the card. A tie makes a pot. Therefore, in a duel, if the enemy's
highest card is not higher than its own, the commander sometimes chooses a card that the enemy also holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.rules.strategy_war.battle import StrategyView

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

# Each of these happens one time in this many:
GIVES_UP: Final = 3  # the commander gives up a pot that the enemy's next card would win
THINKS_ALIKE: Final = 3  # it expects that its highest card meets an equal card
RISKS_IT: Final = 10  # it does not keep its highest card, in a duel
RISKS_IT_IN_A_CROWD: Final = 2  # it does not keep its highest card, against several sides
SEEKS_A_TIE: Final = 4  # it plays a card that the enemy also holds, in a duel


def commit(view: View, chance: Chance) -> int:
    assert isinstance(view, StrategyView)
    cards = worth_playing(view)
    if len(cards) == 1:
        card = cards[0]
    elif view.carry:
        card = for_the_pot(view, cards, chance)
    else:
        card = for_little(view, cards, chance)
    return view.options.index(card)


def worth_playing(view: StrategyView) -> list[int]:
    """Return the options without the lowest cards, for which no round is left."""
    left = view.rounds - view.round + 1
    least = view.hand[-left] if len(view.hand) > left else view.hand[0]
    place = 0
    while view.options[place] < least:
        place += 1
    return view.options[place:]


def for_the_pot(view: StrategyView, cards: list[int], chance: Chance) -> int:
    """Return the lowest card that certainly wins the pot.

    If no card does, usually return the highest card.
    """
    strongest = highest_of_others(view)
    for card in cards:
        if card > strongest:
            return card
    if is_duel(view):
        gives_up = has_less_breath(view) and chance.below(GIVES_UP) == 0
        return cards[0] if gives_up else cards[-1]
    steps_back = cards[-1] in view.pool and chance.below(THINKS_ALIKE) == 0
    return cards[-2] if steps_back else cards[-1]


def for_little(view: StrategyView, cards: list[int], chance: Chance) -> int:
    """Return a random card for a round without a large pot. It is usually not the highest card."""
    duel = is_duel(view)
    if chance.below(RISKS_IT if duel else RISKS_IT_IN_A_CROWD) == 0:
        return chance.choice(cards)
    spare = cards[:-1]
    if duel and cards[-1] >= highest_of_others(view) and chance.below(SEEKS_A_TIE) == 0:
        spare = [card for card in spare if card in view.pool] or spare
    return chance.choice(spare)


def highest_of_others(view: StrategyView) -> int:
    """Return the highest card that another side has left, or 0."""
    return view.pool[-1] if view.pool else 0


def is_duel(view: StrategyView) -> bool:
    """Return True if exactly two sides still have cards."""
    armed = 0
    for size in view.sizes:
        if size:
            armed += 1
    return armed == 2


def has_less_breath(view: StrategyView) -> bool:
    """Return True if the enemy's hand is higher than ours, card by card from the highest."""
    return view.hand[::-1] < view.pool[::-1]
