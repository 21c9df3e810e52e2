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
    NOTHING,
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

AVERAGE: Final = 7  # the value of an unknown card
ANSWERED: Final = 6  # the value of the cards with which an enemy answers
EXCHANGED: Final = 3  # the highest bonus card that is worth exchanging
LEAST_ODDS: Final = 4  # in hundredths: nothing is certain


def decide(view: WarfareView, chance: Chance) -> int:
    """Return the index of the choice that is worth most."""
    best: i64 = NEVER - 1
    chosen: list[int] = []
    for index, weight in enumerate(weigh(view)):
        worth: i64 = weight
        if worth > best:
            best = worth
            chosen.clear()
        if worth == best:
            chosen.append(index)
    return chance.choice(chosen)


def weigh(view: WarfareView) -> list[int]:
    """Return what each option is worth."""
    question = view.question
    if question == FIGHT:
        return weigh_fight(view)
    if question == ACTION:
        return weigh_action(view)
    if question in (SPECIAL, ANSWER):
        return [weigh_special(view, choice) for choice in view.options]
    if question in (SUPPLY, MORE):
        return weigh_supply(view)
    if question == TAKE_ONE:
        return [VALUES[card_of(choice)] for choice in view.options]
    if question == BURY_ONE:
        return [-VALUES[card_of(choice)] for choice in view.options]
    return [weigh_free_step(choice) for choice in view.options]


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


# The turn


def weigh_supply(view: WarfareView) -> list[int]:
    """Weigh drawing against the two best monsters that could come back."""
    pile: i64 = pile_worth(view)
    draw = SUPPLIED + pile * AVERAGE * min(3, view.deck_sizes[view.side])
    values = sorted([VALUES[card] for card in view.discards[view.side]], reverse=True)
    both: i64 = (POINT - pile) * sum(values[:2])
    worths: list[int] = []
    for choice in view.options:
        verb = verb_of(choice)
        if verb == DRAW:
            worths.append(draw)
        elif verb == RETURN:
            worths.append(both - values[0] + VALUES[card_of(choice)])
        else:
            worths.append(weigh_free_step(choice))
    return worths


def weigh_free_step(choice: int) -> int:
    """Weigh a bonus card, which is always good, an exchange, and a discard, which never is."""
    verb = verb_of(choice)
    if verb == BONUS:
        return ALWAYS
    if verb == EXCHANGE:
        return ALWAYS if VALUES[card_of(choice)] <= EXCHANGED else NEVER
    return NEVER if verb == DISCARD else 0


def weigh_action(view: WarfareView) -> list[int]:
    """Weigh each card to post, and each card to attack the highest monster with."""
    field = view.battlefields[view.side]
    odds = odds_of(view, 0, 0)
    highest = max([VALUES[card] for card in field]) if field else 0
    targets = view.battlefields[1 - view.side]
    prey = max([VALUES[card] for card in targets]) if targets else 0
    worths = []
    for choice in view.options:
        verb = verb_of(choice)
        if verb == POST:
            worths.append(weigh_post(view, VALUES[card_of(choice)], highest, odds))
        elif verb == ATTACK:
            is_prey = VALUES[target_of(choice)] == prey
            worths.append(weigh_attack(view, card_of(choice), prey, odds) if is_prey else NEVER)
        elif verb == NOTHING:
            worths.append(0)
        else:
            worths.append(weigh_free_step(choice))
    return worths


def weigh_post(view: WarfareView, value: int, highest: int, odds: int) -> int:
    """Weigh a card on the battlefield against the same in hand, where the enemy cannot attack it."""
    gained = (POINT - hand_worth(view)) * value
    exposed: i64 = value - highest
    if exposed <= 0:
        return gained
    risk = exposed * (100 - odds) * (POINT - pile_worth(view)) // 100
    return gained - risk * EXPOSED // 100


def weigh_attack(view: WarfareView, card: int, target: int, odds: int) -> int:
    """Weigh an attack against leaving both cards where they are."""
    value = VALUES[card]
    field = view.battlefields[view.side]
    hand, temporary = view.hand, view.temporary
    free = len(field)
    from_hand = 1
    left: i64 = POINT
    if is_among(card, field):
        free -= 1
        from_hand = 0
    elif is_among(card, temporary):
        temporary = [other for other in temporary if other != card]
        left = pile_worth(view)
    else:
        hand = [other for other in hand if other != card]
        left = hand_worth(view)
    fought = fought_out(view, value, target, odds, hand, temporary, free, from_hand)
    return fought + POINT * target - left * value


# The attack


def odds_of(view: WarfareView, mine: int, theirs: int) -> int:
    """Return the chance in hundredths to have more than the enemy, beside these totals, in the end."""
    side, enemy = view.side, 1 - view.side
    mine += total(view.hand) + total(view.temporary) + total(view.battlefields[side])
    known = sum([len(part) for part in view.seen])
    hidden = view.sizes[enemy] + view.temporary_sizes[enemy] - known
    theirs += sum([total(part) for part in view.seen]) + total(view.battlefields[enemy])
    if view.unseen and not view.own_decks:
        theirs += total(view.unseen) * hidden // len(view.unseen)
    else:
        theirs += AVERAGE * hidden
    ahead: i64 = mine - theirs
    odds = 50 + 50 * ahead // (10 + hidden + hidden // 2)
    return max(LEAST_ODDS, min(100 - LEAST_ODDS, odds))


def fought_out(
    view: WarfareView,
    mine: int,
    theirs: int,
    odds: int,
    hand: list[int],
    temporary: list[int],
    free: int,
    from_hand: int,
) -> i64:
    """Return what an attack with these totals is worth if both add cards until a hand is empty.

    A loser adds the lowest cards, temporary ones first. `free` counts own free monsters,
    `from_hand` the cards that have come from the own hand so far.
    """
    side, enemy = view.side, 1 - view.side
    pile: i64 = pile_worth(view)
    held: i64 = hand_worth(view)
    enemy_hand = view.sizes[enemy] + view.temporary_sizes[enemy]
    n = min(len(hand) + len(temporary), enemy_hand)
    spare: i64 = total_of_lowest(temporary, n)
    dear: i64 = total_of_lowest(hand, max(0, n - len(temporary)))
    before = pile * spare + held * dear
    is_rout = (n == enemy_hand and not view.battlefields[enemy]) or (
        n == len(hand) + len(temporary) and not free
    )
    answers: i64 = n * ANSWERED
    lost: i64 = -POINT if is_rout else pile
    lose = lost * (mine + spare + dear) - before - POINT * theirs - (POINT - held) * answers
    lose += CARD * min(from_hand + n, view.deck_sizes[side])
    won: i64 = POINT if is_rout else -pile
    win = POINT * (mine + spare + dear) - before + won * (theirs + answers) + held * answers
    win -= CARD * min(n, view.deck_sizes[enemy])
    return (odds * win + (100 - odds) * lose) // 100


def total_of_lowest(cards: list[int], n: int) -> int:
    """Return the sum of the values of the n lowest cards."""
    if n >= len(cards):
        return total(cards)
    return sum(sorted([VALUES[card] for card in cards])[:n])


class Standing:
    """How an attack stands: totals, odds, and what it is worth to win or to lose it now."""

    def __init__(self, view: WarfareView) -> None:
        side, enemy = view.side, 1 - view.side
        pile: i64 = pile_worth(view)
        self.mine: i64 = total(view.columns[side])
        self.theirs: i64 = total(view.columns[enemy])
        self.is_ahead = self.mine > self.theirs or (self.mine == self.theirs and side != view.active)
        self.odds: i64 = odds_of(view, self.mine, self.theirs)
        own_cards = len(view.hand) + len(view.temporary) + len(view.battlefields[side])
        enemy_cards = view.sizes[enemy] + view.temporary_sizes[enemy] + len(view.battlefields[enemy])
        is_rout = own_cards == 0 or enemy_cards == 0
        self.win = POINT * self.mine + (POINT if is_rout else -pile) * self.theirs
        self.lose = (-POINT if is_rout else pile) * self.mine - POINT * self.theirs
        self.lose += CARD * min(view.from_hand[side], view.deck_sizes[side])
        self.may_decline = is_among(DECLINE, view.options)


def weigh_fight(view: WarfareView) -> list[int]:
    """Weigh the ways to go on in an attack."""
    standing = Standing(view)
    fight = weigh_going_on(view, standing)
    return [weigh_way(view, choice, standing, fight) for choice in view.options]


def weigh_going_on(view: WarfareView, standing: Standing) -> int:
    """Weigh adding another card, whichever it is."""
    side = view.side
    mine, theirs, odds = standing.mine, standing.theirs, standing.odds
    if not standing.may_decline:
        free, from_hand = len(view.battlefields[side]), view.from_hand[side]
        return fought_out(view, mine, theirs, odds, view.hand, view.temporary, free, from_hand)
    if standing.is_ahead:
        return standing.win
    left = total(view.hand) + total(view.temporary) + total(view.battlefields[side])
    if mine + left <= theirs:
        return standing.lose - 1000
    return (odds * standing.win + (100 - odds) * (standing.lose - SPENT * (theirs - mine + 1))) // 100


def weigh_way(view: WarfareView, choice: int, standing: Standing, fight: int) -> int:
    """Weigh one way to go on; `fight` is the worth of adding a card."""
    verb = verb_of(choice)
    if verb == COUNTER:
        return fight + preference(view, card_of(choice), standing)
    if verb == RECALL:
        return fight - 400 - 10 * VALUES[card_of(choice)]
    if verb == DECLINE:
        return standing.win if standing.is_ahead else standing.lose
    if verb == SURRENDER:
        return -POINT * (standing.mine + standing.theirs)
    retreat = pile_worth(view) * standing.mine - POINT * standing.theirs
    if verb == RETREAT_HAND:
        hand = [VALUES[card] for card in view.hand + view.temporary]
        return retreat - (2 * hand_worth(view) * max(hand) if hand else 0)
    lowest = sorted([VALUES[card] for card in view.battlefields[view.side]])
    return retreat - POINT * sum(lowest[: len(view.columns[view.side])])


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
    from_hand = total([card for card in paid if card not in field])
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
