"""How the regular commander plays Strategy WAR: a few rules of thumb and a good deal of bluff.

Low cards that no round is left for are forgotten. When a pot waits from the round before, the
lowest card that must win fights for it, else the highest. But the highest may meet its equal: in
a duel, whoever then has the lower next card sometimes gives the pot up and plays the lowest; in a
crowd, the next card is sometimes played instead.

When no pot waits the highest card is kept back for one, mostly in a duel and half of the time in
a crowd, where cards seldom all tie. Any other is played, whichever the lot names, so that nobody
can reckon with it. In a duel whoever holds a highest card no lower than the other's sometimes
picks one that the other holds too, for a tie makes a pot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.rules.strategy_war.battle import StrategyView

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

# One time in so many:
GIVES_UP: Final = 3  # a pot that the other's next card would win is left to it
THINKS_ALIKE: Final = 3  # an equal card is taken to be in the way
RISKS_IT: Final = 10  # the highest card is not kept back in a duel
RISKS_IT_IN_A_CROWD: Final = 2  # nor against several
SEEKS_A_TIE: Final = 4  # a card that the other holds too is picked in a duel


def commit(view: View, chance: Chance) -> int:
    """Return the index of the card to commit."""
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
    """Return the options without the low cards that no round is left for."""
    left = view.rounds - view.round + 1
    least = view.hand[-left] if len(view.hand) > left else view.hand[0]
    place = 0
    while view.options[place] < least:
        place += 1
    return view.options[place:]


def for_the_pot(view: StrategyView, cards: list[int], chance: Chance) -> int:
    """Return the lowest card that must win, else mostly the highest."""
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
    """Return a card by lot, mostly not the highest."""
    duel = is_duel(view)
    if chance.below(RISKS_IT if duel else RISKS_IT_IN_A_CROWD) == 0:
        return chance.choice(cards)
    spare = cards[:-1]
    if duel and cards[-1] >= highest_of_others(view) and chance.below(SEEKS_A_TIE) == 0:
        spare = [card for card in spare if card in view.pool] or spare
    return chance.choice(spare)


def highest_of_others(view: StrategyView) -> int:
    """Return the highest card any other side has left, 0 if none has one."""
    return view.pool[-1] if view.pool else 0


def is_duel(view: StrategyView) -> bool:
    """Say whether one other side alone still has cards."""
    armed = 0
    for size in view.sizes:
        if size:
            armed += 1
    return armed == 2


def has_less_breath(view: StrategyView) -> bool:
    """Say whether the other holds the higher card where the two hands, from the top, first differ."""
    return view.hand[::-1] < view.pool[::-1]
