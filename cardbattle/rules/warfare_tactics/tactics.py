"""How the regular commander plays Warfare Tactics.

They weigh every choice by what it should change in the difference of the scores. They draw rather
than return, hold low what could be attacked, and attack the highest monster when all they could
bring, hand and battlefield, outweighs what the enemy may have. A lost attack is made good with
cards, so they fight on with cards they can spare and seldom give way. They draw seven as soon as
they may, or else keep the exchange of the piles for the last moment, when nobody can undo it.
The weights were found by letting variants of them fight each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from cardbattle.core.cards import is_among
from cardbattle.rules.warfare_tactics.choices import (
    ACTION,
    ANSWER,
    ATTACK,
    BONUS,
    BURY_ONE,
    COUNTER,
    DECLINE,
    DISCARD,
    DRAW,
    EXCHANGE,
    FIGHT,
    MORE,
    NONE,
    POST,
    RECALL,
    RETREAT_HAND,
    RETURN,
    SPECIAL,
    SUPPLY,
    SURRENDER,
    SWITCH,
    TAKE_ONE,
    card_of,
    cards_named,
    target_of,
    verb_of,
)
from cardbattle.rules.warfare_tactics.state import (
    VALUES,
    WarfareView,
    total,
)

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

# What things are worth, in hundredths of a point of the score.
POINT: Final = 100  # a point on a battlefield
IN_HAND: Final = 60  # a point in hand, while the deck lasts and after
LATE_IN_HAND: Final = 40
CONTESTED: Final = -60  # a point in the own discard pile that may yet be exchanged
OWN_TO_SWITCH: Final = 0
CARD: Final = 500  # an unknown card drawn as compensation
SEVENTH: Final = 850  # each of the cards that SEVEN draws
SUPPLIED: Final = 2500  # three temporary cards to fight with, until they are discarded
EXPOSED: Final = 400  # what a point more for the enemy to attack costs, at odds of nothing
SPENT: Final = 180  # a point thrown after a lost attack
NEVER: Final = -(10**9)
ALWAYS: Final = 10**9
NOTHING_GONE: Final = -1

AVERAGE: Final = 7  # the value of an unknown card
ANSWERED: Final = 6  # the value of the cards with which an enemy answers
EXCHANGED: Final = 3  # the highest bonus card that is worth exchanging
LEAST_ODDS: Final = 4  # in hundredths: nothing is certain


class Favourites:
    """The choices that are worth most of those weighed so far, by their places among the options."""

    def __init__(self) -> None:
        self.worth: i64 = NEVER - 1
        self.first: i64 = 0
        self.level: list[int] = []  # those after the first that are worth as much

    def weigh(self, place: i64, worth: i64) -> None:
        """Take in the choice at a place, if none before it is worth more."""
        if worth > self.worth:
            self.worth = worth
            self.first = place
            if self.level:
                self.level = []
        elif worth == self.worth:
            self.level.append(place)

    def pick(self, chance: Chance) -> int:
        """Return the place of one of them, each equally likely."""
        at = chance.below(1 + len(self.level))
        return self.level[at - 1] if at else self.first


def decide(view: View, chance: Chance) -> int:
    """Return the index of the choice that is worth most."""
    assert isinstance(view, WarfareView)
    found = Favourites()
    question = view.question
    if question == FIGHT:
        weigh_fight(view, found)
    elif question == ACTION:
        weigh_action(view, found)
    elif question in (SPECIAL, ANSWER):
        for place, choice in enumerate(view.options):
            found.weigh(place, weigh_special(view, choice))
    elif question in (SUPPLY, MORE):
        weigh_supply(view, found)
    elif question == TAKE_ONE:
        for place, choice in enumerate(view.options):
            found.weigh(place, VALUES[card_of(choice)])
    elif question == BURY_ONE:
        for place, choice in enumerate(view.options):
            found.weigh(place, -VALUES[card_of(choice)])
    else:
        for place, choice in enumerate(view.options):
            found.weigh(place, weigh_free_step(choice))
    return found.pick(chance)


# What a point is worth where


def pile_worth(view: WarfareView) -> int:
    """Return what a point in the own discard pile is worth; in the enemy's it is the opposite.

    A pile counts for the enemy, unless it is exchanged before the end.
    """
    mine = may_switch(view, view.side)
    theirs = may_switch(view, 1 - view.side)
    if mine:
        return CONTESTED if theirs else OWN_TO_SWITCH
    if theirs and total(view.discards[view.side]) <= total(view.discards[1 - view.side]):
        return OWN_TO_SWITCH
    return -POINT


def may_switch(view: WarfareView, side: int) -> bool:
    """Say whether the side may still exchange the discard piles (WT-37)."""
    return view.specials[side] == 0 and view.specials[1 - side] != SWITCH


def hand_worth(view: WarfareView) -> int:
    """Return what a point in hand is worth."""
    return IN_HAND if view.deck_sizes[view.side] else LATE_IN_HAND


class Outlook:
    """What a side goes by at one question: a point's worth in its pile and hand, and what the enemy holds."""

    def __init__(self, view: WarfareView) -> None:
        side, enemy = view.side, 1 - view.side
        self.pile: i64 = pile_worth(view)
        self.held: i64 = hand_worth(view)
        self.deck: i64 = view.deck_sizes[side]
        self.enemy_deck: i64 = view.deck_sizes[enemy]
        self.enemy_hand: i64 = view.sizes[enemy] + view.temporary_sizes[enemy]
        self.enemy_free: i64 = len(view.battlefields[enemy])


class Means:
    """With what a side goes on in an attack.

    There are the values of its hand and of its temporary cards, ascending, the number of its free monsters,
    and that of the cards that have come from its hand so far. The card with which it attacks may be `gone`
    from the hand or the temporary cards, by its value.
    """

    def __init__(self, hand: list[int], temporary: list[int], free: i64, from_hand: i64) -> None:
        self.hand = hand
        self.temporary = temporary
        self.free = free
        self.from_hand = from_hand
        self.gone_from_hand: i64 = NOTHING_GONE
        self.gone_from_temporary: i64 = NOTHING_GONE


def means_of(view: WarfareView) -> Means:
    """Return with what the side goes on as things stand."""
    side = view.side
    free = len(view.battlefields[side])
    return Means(values_of(view.hand), values_of(view.temporary), free, view.from_hand[side])


def values_of(cards: list[int]) -> list[int]:
    """Return the values of the cards, ascending."""
    values = [VALUES[card] for card in cards]
    values.sort()
    return values


def highest_of(cards: list[int]) -> int:
    """Return the highest value of the cards, 0 of none."""
    found = 0
    for card in cards:
        if VALUES[card] > found:
            found = VALUES[card]
    return found


# The turn


def weigh_supply(view: WarfareView, found: Favourites) -> None:
    """Weigh drawing against the two best monsters that could come back."""
    pile: i64 = pile_worth(view)
    best: i64 = 0
    second: i64 = 0
    for card in view.discards[view.side]:
        value: i64 = VALUES[card]
        if value > best:
            best, second = value, best
        elif value > second:
            second = value
    both = (POINT - pile) * (best + second)
    for place, choice in enumerate(view.options):
        verb = verb_of(choice)
        if verb == DRAW:
            found.weigh(place, SUPPLIED + pile * AVERAGE * min(3, view.deck_sizes[view.side]))
        elif verb == RETURN:
            found.weigh(place, both - best + VALUES[card_of(choice)])
        else:
            found.weigh(place, weigh_free_step(choice))


def weigh_free_step(choice: int) -> int:
    """Weigh a bonus card, which is always good, an exchange, and a discard, which never is."""
    verb = verb_of(choice)
    if verb == BONUS:
        return ALWAYS
    if verb == EXCHANGE:
        return ALWAYS if VALUES[card_of(choice)] <= EXCHANGED else NEVER
    return NEVER if verb == DISCARD else 0


def weigh_action(view: WarfareView, found: Favourites) -> None:
    """Weigh each card to post, and each card to attack the highest monster with."""
    outlook, means = Outlook(view), means_of(view)
    odds: i64 = odds_of(view, 0, 0)
    highest = highest_of(view.battlefields[view.side])
    prey = highest_of(view.battlefields[1 - view.side])
    for place, choice in enumerate(view.options):
        verb = verb_of(choice)
        if verb == ATTACK:
            if VALUES[target_of(choice)] == prey:
                found.weigh(place, weigh_attack(view, outlook, means, choice, odds))
        elif verb == POST:
            found.weigh(place, weigh_post(outlook, VALUES[card_of(choice)], highest, odds))
        else:
            found.weigh(place, weigh_free_step(choice))


def weigh_post(outlook: Outlook, value: i64, highest: i64, odds: i64) -> i64:
    """Weigh a card on the battlefield against the same in hand, where the enemy cannot attack it."""
    gained = (POINT - outlook.held) * value
    exposed = value - highest
    if exposed <= 0:
        return gained
    risk = exposed * (100 - odds) * (POINT - outlook.pile) // 100
    return gained - risk * EXPOSED // 100


def weigh_attack(view: WarfareView, outlook: Outlook, means: Means, choice: int, odds: i64) -> i64:
    """Weigh an attack against leaving both cards where they are."""
    card = card_of(choice)
    value: i64 = VALUES[card]
    target: i64 = VALUES[target_of(choice)]
    rest = Means(means.hand, means.temporary, means.free, 1)
    left: i64 = POINT
    if is_among(card, view.hand):
        left = outlook.held
        rest.gone_from_hand = value
    elif is_among(card, view.temporary):
        left = outlook.pile
        rest.gone_from_temporary = value
    else:
        rest.free -= 1
        rest.from_hand = 0
    return fought_out(outlook, rest, value, target, odds) + POINT * target - left * value


# The attack


def odds_of(view: WarfareView, mine: i64, theirs: i64) -> i64:
    """Return the chance in hundredths to have more than the enemy, beside these totals, in the end."""
    side, enemy = view.side, 1 - view.side
    mine += total(view.hand) + total(view.temporary) + total(view.battlefields[side])
    hidden: i64 = view.sizes[enemy] + view.temporary_sizes[enemy] - len(view.known)
    theirs += total(view.known) + total(view.battlefields[enemy])
    unseen = [] if view.own_decks else view.unseen
    if unseen:
        theirs += total(unseen) * hidden // len(unseen)
    else:
        theirs += AVERAGE * hidden
    odds = 50 + 50 * (mine - theirs) // (10 + hidden + hidden // 2)
    return max(LEAST_ODDS, min(100 - LEAST_ODDS, odds))


def fought_out(outlook: Outlook, means: Means, mine: i64, theirs: i64, odds: i64) -> i64:
    """Return what an attack with these totals is worth if both add cards until a hand is empty.

    A loser adds the lowest cards, temporary ones first.
    """
    pile, held, enemy_hand = outlook.pile, outlook.held, outlook.enemy_hand
    of_temporary: i64 = len(means.temporary) - (means.gone_from_temporary != NOTHING_GONE)
    in_hand: i64 = len(means.hand) - (means.gone_from_hand != NOTHING_GONE) + of_temporary
    n: i64 = min(in_hand, enemy_hand)
    spare = total_of_lowest(means.temporary, n, means.gone_from_temporary)
    dear = total_of_lowest(means.hand, n - of_temporary, means.gone_from_hand)
    before = pile * spare + held * dear
    is_rout = (n == enemy_hand and not outlook.enemy_free) or (n == in_hand and not means.free)
    answers = n * ANSWERED
    lost: i64 = -POINT if is_rout else pile
    lose = lost * (mine + spare + dear) - before - POINT * theirs - (POINT - held) * answers
    lose += CARD * min(means.from_hand + n, outlook.deck)
    won: i64 = POINT if is_rout else -pile
    win = POINT * (mine + spare + dear) - before + won * (theirs + answers) + held * answers
    win -= CARD * min(n, outlook.enemy_deck)
    return (odds * win + (100 - odds) * lose) // 100


def total_of_lowest(values: list[int], n: i64, gone: i64) -> i64:
    """Return the sum of the n lowest of some ascending values, of all if there are no more.

    One that is `gone` is not among them.
    """
    found: i64 = 0
    for each in values:
        value: i64 = each
        if value == gone:
            gone = NOTHING_GONE
        elif n > 0:
            found += value
            n -= 1
        else:
            break
    return found


class Standing:
    """How an attack stands: totals, odds, and what it is worth to win or to lose it now."""

    def __init__(self, view: WarfareView, outlook: Outlook) -> None:
        side, enemy = view.side, 1 - view.side
        pile = outlook.pile
        self.mine: i64 = total(view.columns[side])
        self.theirs: i64 = total(view.columns[enemy])
        self.is_ahead = self.mine > self.theirs or (self.mine == self.theirs and side != view.active)
        self.odds = odds_of(view, self.mine, self.theirs)
        own_cards = len(view.hand) + len(view.temporary) + len(view.battlefields[side])
        is_rout = own_cards == 0 or outlook.enemy_hand + outlook.enemy_free == 0
        self.win = POINT * self.mine + (POINT if is_rout else -pile) * self.theirs
        self.lose = (-POINT if is_rout else pile) * self.mine - POINT * self.theirs
        self.lose += CARD * min(view.from_hand[side], outlook.deck)
        self.may_decline = is_among(DECLINE, view.options)


def weigh_fight(view: WarfareView, found: Favourites) -> None:
    """Weigh the ways to go on in an attack."""
    outlook = Outlook(view)
    standing = Standing(view, outlook)
    fight = weigh_going_on(view, outlook, standing)
    for place, choice in enumerate(view.options):
        verb = verb_of(choice)
        if verb == COUNTER:
            found.weigh(place, fight + preference(view, card_of(choice), standing))
        elif verb == RECALL:
            found.weigh(place, fight - 400 - 10 * VALUES[card_of(choice)])
        elif verb == DECLINE:
            found.weigh(place, standing.win if standing.is_ahead else standing.lose)
        elif verb == SURRENDER:
            found.weigh(place, -POINT * (standing.mine + standing.theirs))
        else:
            found.weigh(place, weigh_retreat(view, verb, outlook, standing))


def weigh_going_on(view: WarfareView, outlook: Outlook, standing: Standing) -> i64:
    """Weigh adding another card, whichever it is."""
    mine, theirs, odds = standing.mine, standing.theirs, standing.odds
    if not standing.may_decline:
        return fought_out(outlook, means_of(view), mine, theirs, odds)
    if standing.is_ahead:
        return standing.win
    left = total(view.hand) + total(view.temporary) + total(view.battlefields[view.side])
    if mine + left <= theirs:
        return standing.lose - 1000
    return (odds * standing.win + (100 - odds) * (standing.lose - SPENT * (theirs - mine + 1))) // 100


def weigh_retreat(view: WarfareView, verb: int, outlook: Outlook, standing: Standing) -> i64:
    """Weigh a retreat, paid with the highest card of the hand or the lowest of the battlefield."""
    retreat = outlook.pile * standing.mine - POINT * standing.theirs
    if verb == RETREAT_HAND:
        return retreat - 2 * outlook.held * max(highest_of(view.hand), highest_of(view.temporary))
    side = view.side
    values = values_of(view.battlefields[side])
    return retreat - POINT * total_of_lowest(values, len(view.columns[side]), NOTHING_GONE)


def preference(view: WarfareView, card: int, standing: Standing) -> i64:
    """Return how much sooner than others a card is added: temporary ones first, the field's last.

    Who is ahead for good throws in the whole hand, as it will stand on the own battlefield.
    """
    value: i64 = VALUES[card]
    on_field = is_among(card, view.battlefields[view.side])
    if not standing.may_decline:
        if is_among(card, view.temporary):
            return 50 + (value if standing.odds > 50 else -value)
        return -50 - 2 * value if on_field else value
    if standing.is_ahead:
        is_safe = standing.odds == 100 - LEAST_ODDS and not on_field
        return value if is_safe else -1000
    overtakes = standing.mine + value > standing.theirs
    return (10 * value if overtakes else value) - (300 + 20 * value if on_field else 0)


# Special moves


def weigh_special(view: WarfareView, choice: int) -> int:
    """Weigh a special move against keeping it."""
    verb = verb_of(choice)
    if verb == NONE:
        return 0
    side = view.side
    field = view.battlefields[side]
    paid = cards_named(choice)
    from_hand = total([card for card in paid if not is_among(card, field)])
    if verb == SWITCH:
        piles = total(view.discards[side]) - total(view.discards[1 - side])
        return 2 * POINT * piles + POINT * from_hand if is_last_chance(view) else -1
    from_field = total(paid) - from_hand
    drawn = min(7, view.deck_sizes[side])
    return SEVENTH * drawn - 2 * POINT * from_field - (POINT + IN_HAND) * from_hand


def is_last_chance(view: WarfareView) -> bool:
    """Say whether the battle may end before the side can make a special move again (WT-42)."""
    if view.deck_sizes[0] and view.deck_sizes[1]:
        return False
    side, active = view.side, view.active
    active_hand = view.sizes[active] + view.temporary_sizes[active]
    other_hand = view.sizes[1 - active]
    if view.window == 3 and (active_hand == 0 or other_hand == 0):
        return True
    return view.sizes[side] <= 1 if side != active else other_hand <= 1
