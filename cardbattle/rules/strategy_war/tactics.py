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

from cardbattle.rules.strategy_war.battle import StrategyView, distinct

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


def habits(hand: tuple[int, ...], pool: tuple[int, ...], carry: int, left: int) -> list[float]:
    """Return how likely `commit` is to play each card of a hand in a duel, equal ones once, ascending.

    `pool` is the other's hand, `carry` the pot that waits, and `left` how many rounds there are still, the
    present one included. The shares add up to 1.
    """
    options = distinct(list(hand))
    first = options.index(hand[-left])
    shares = [0.0] * len(options)
    if first == len(options) - 1:
        shares[first] = 1.0
    elif carry:
        fight_for_the_pot(shares, first, options, hand, pool)
    else:
        fight_for_little(shares, first, options, pool)
    return shares


def fight_for_the_pot(
    shares: list[float], first: int, options: list[int], hand: tuple[int, ...], pool: tuple[int, ...]
) -> None:
    """Add how likely `for_the_pot` is to play each option from the first one that is worth playing."""
    for at in range(first, len(options)):
        if options[at] > pool[-1]:
            shares[at] = 1.0
            return
    gives_up = 1 / GIVES_UP if hand[::-1] < pool[::-1] else 0.0
    shares[first] = gives_up
    shares[-1] = 1 - gives_up


def fight_for_little(shares: list[float], first: int, options: list[int], pool: tuple[int, ...]) -> None:
    """Add how likely `for_little` is to play each option from the first one that is worth playing."""
    spare = range(first, len(options) - 1)
    ties = [at for at in spare if options[at] in pool]
    seeks = 1 / SEEKS_A_TIE if ties and options[-1] >= pool[-1] else 0.0
    for at in range(first, len(options)):
        shares[at] = 1 / RISKS_IT / (len(options) - first)
    for at in spare:
        shares[at] += (1 - 1 / RISKS_IT) * (1 - seeks) / len(spare)
    for at in ties:
        shares[at] += (1 - 1 / RISKS_IT) * seeks / len(ties)
