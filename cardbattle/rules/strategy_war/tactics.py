"""How the regular commander plays Strategy WAR: three rules of thumb and a good deal of bluff.

Low cards that no round is left for are forgotten. When a pot waits from the round before, strong
cards fight for it: the lowest of those that cannot be beaten, else the highest, or the next when
somebody holds its equal and may think alike. When none waits any card will do, whichever the lot
names, so that nobody can reckon with it; but the highest is kept back for a pot to come, mostly
in a duel and half of the time in a crowd, where cards seldom all tie. In a duel against a hand
that is no stronger the lot is among cards which the other holds too, for a tie makes such a pot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.rules.strategy_war.battle import StrategyView

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance

THINKS_ALIKE = 3  # one time in three an equal card is taken to be in the way
RISKS_IT = 10  # one time in ten the highest card is not kept back in a duel ...
RISKS_IT_IN_A_CROWD = 2  # ... and one time in two against several


def commit(view: StrategyView, chance: Chance) -> int:
    """Return the index of the card to commit."""
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
    return [card for card in view.options if card >= least]


def for_the_pot(view: StrategyView, cards: list[int], chance: Chance) -> int:
    """Return the lowest card that must win, else the highest or the one below it."""
    strongest = highest_of_others(view)
    for card in cards:
        if card > strongest:
            return card
    if cards[-1] in view.pool and chance.below(THINKS_ALIKE) == 0:
        return cards[-2]
    return cards[-1]


def for_little(view: StrategyView, cards: list[int], chance: Chance) -> int:
    """Return a card by lot, mostly not the highest, in a duel rather one that may tie."""
    duel = is_duel(view)
    if chance.below(RISKS_IT if duel else RISKS_IT_IN_A_CROWD) == 0:
        return chance.choice(cards)
    spare = cards[:-1]
    if duel and cards[-1] >= highest_of_others(view):
        spare = [card for card in spare if card in view.pool] or spare
    return chance.choice(spare)


def highest_of_others(view: StrategyView) -> int:
    """Return the highest card any other side has left, 0 if none has one."""
    return view.pool[-1] if view.pool else 0


def is_duel(view: StrategyView) -> bool:
    """Say whether one other side alone still has cards."""
    return len([size for size in view.sizes if size]) == 2
