"""The regular commander of Strategy WAR: simple heuristics and random play.

It ignores its lowest cards if there are more cards than rounds left. If a pot waits from the round before, it
plays the lowest card that is sure to win it, otherwise its highest. But the highest card can meet an equal
one. In a duel, if the enemy's next card is higher, it sometimes gives up the pot and plays its lowest card.
Against several sides, it sometimes plays its second highest card instead.

If no pot waits, it usually keeps its highest card for one: nearly always in a duel, and half of the time
against several sides, where a round rarely ties. It plays a random other card, so that it cannot be
predicted. In a duel, if its highest card is not lower than the enemy's, it sometimes chooses a card that the
enemy also holds, because a tie makes a pot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.rules.strategy_war.battle import StrategyView

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

# Each happens one time in this many:
GIVES_UP: Final = 3  # gives up a pot that the enemy's next card would win
THINKS_ALIKE: Final = 3  # expects the highest card to meet an equal one
RISKS_IT: Final = 10  # does not keep the highest card in a duel
RISKS_IT_IN_A_CROWD: Final = 2  # the same against several sides
SEEKS_A_TIE: Final = 4  # plays a card that the enemy also holds in a duel


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
    """Return the options without the low cards that exceed the rounds left."""
    left = view.rounds - view.round + 1
    least = view.hand[-left] if len(view.hand) > left else view.hand[0]
    place = 0
    while view.options[place] < least:
        place += 1
    return view.options[place:]


def for_the_pot(view: StrategyView, cards: list[int], chance: Chance) -> int:
    """Return the lowest card that is sure to win, otherwise usually the highest."""
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
    """Return a random card, usually not the highest."""
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
    """Return True if the enemy's hand is higher, comparing cards from the top."""
    return view.hand[::-1] < view.pool[::-1]
