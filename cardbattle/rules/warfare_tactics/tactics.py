"""The regular policy of Warfare Tactics.

The policy rates every choice by the expected change in the difference of the scores. The policy prefers to
draw cards, and keeps its battlefield small. It attacks the highest monster if its hand and battlefield
outweigh the enemy's expected cards. The loser of an attack gets cards as compensation, so the policy
continues an attack with cards that it can spare, and rarely retreats. The policy makes the special move SEVEN
as soon as possible, but keeps the exchange of the piles for the last moment, when the enemy cannot undo it.
The weights come from duels between variants of the policy.
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
from cardbattle.rules.warfare_tactics.state import VALUES, WarfareView, total

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

# Ratings, in hundredths of a point of score.
POINT: Final = 100  # a point on the battlefield
IN_HAND: Final = 60  # a point in hand, while the deck lasts
LATE_IN_HAND: Final = 40  # a point in hand, after the deck is used up
CONTESTED: Final = -60  # a point in the own discard pile, if both sides can exchange the piles
OWN_TO_SWITCH: Final = 0  # a point in the own discard pile, if only this side can exchange the piles
CARD: Final = 500  # an unknown card that is drawn as compensation
SEVENTH: Final = 850  # each of the cards that SEVEN draws
SUPPLIED: Final = 2500  # three temporary cards for an attack
EXPOSED: Final = 400  # cost of a point above the highest monster, at odds of 0
SPENT: Final = 180  # cost of a point added to a lost attack
NEVER: Final = -(10**9)
ALWAYS: Final = 10**9
NOTHING_GONE: Final = -1
NO_OPTIONS: Final[list[int]] = []  # this list never changes

AVERAGE: Final = 7  # the value of an unknown card
ANSWERED: Final = 6  # the value of the cards that an enemy is expected to add
EXCHANGED: Final = 3  # the highest bonus card that is exchanged
LEAST_ODDS: Final = 4  # minimum odds, in hundredths


class BestOptions:
    """The indices of the options with the highest rating so far."""

    def __init__(self) -> None:
        self.rating: i64 = NEVER - 1
        self.first: i64 = 0
        self.level: list[int] = NO_OPTIONS  # further options with the same rating as the best one

    def rate(self, place: i64, rating: i64) -> None:
        """Rate an option. If no earlier option has a higher rating, keep the option."""
        if rating > self.rating:
            self.rating = rating
            self.first = place
            self.level = NO_OPTIONS
        elif rating == self.rating:
            if not self.level:
                self.level = []
            self.level.append(place)

    def pick(self, chance: Chance) -> int:
        at = chance.below(1 + len(self.level))
        return self.level[at - 1] if at else self.first


def decide(view: View, chance: Chance) -> int:
    """Return the index of the best option."""
    assert isinstance(view, WarfareView)
    best = BestOptions()
    question = view.question
    if question == FIGHT:
        rate_fight(view, best)
    elif question == ACTION:
        rate_action(view, best)
    elif question in (SPECIAL, ANSWER):
        for place, choice in enumerate(view.options):
            best.rate(place, rate_special(view, choice))
    elif question in (SUPPLY, MORE):
        rate_supply(view, best)
    elif question == TAKE_ONE:
        for place, choice in enumerate(view.options):
            best.rate(place, VALUES[card_of(choice)])
    elif question == BURY_ONE:
        for place, choice in enumerate(view.options):
            best.rate(place, -VALUES[card_of(choice)])
    else:
        for place, choice in enumerate(view.options):
            best.rate(place, rate_free_step(choice))
    return best.pick(chance)


# The worth of a point in the hand and in the discard piles


def pile_value(view: WarfareView) -> int:
    """Return the worth of a point in the viewer's discard pile.

    A point in the enemy's pile has the opposite worth.

    A side's pile scores for its enemy, unless the piles are exchanged before the end.
    """
    mine = may_switch(view, view.side)
    theirs = may_switch(view, 1 - view.side)
    if mine:
        return CONTESTED if theirs else OWN_TO_SWITCH
    if theirs and total(view.discards[view.side]) <= total(view.discards[1 - view.side]):
        return OWN_TO_SWITCH
    return -POINT


def may_switch(view: WarfareView, side: int) -> bool:
    """Return True if the side can still exchange the discard piles (WT-37)."""
    return view.specials[side] == 0 and (view.house.any_kind or view.specials[1 - side] != SWITCH)


def hand_value(view: WarfareView) -> int:
    """Return the worth of a point in the viewer's hand."""
    return IN_HAND if view.deck_sizes[view.side] else LATE_IN_HAND


class Assessment:
    """The worth of a point in the viewer's pile and of a point in its hand at one question.

    It also has the sizes that are relevant.
    """

    def __init__(self, view: WarfareView) -> None:
        side, enemy = view.side, 1 - view.side
        self.pile_point: i64 = pile_value(view)
        self.hand_point: i64 = hand_value(view)
        self.deck: i64 = view.deck_sizes[side]
        self.enemy_deck: i64 = view.deck_sizes[enemy]
        self.enemy_hand: i64 = view.sizes[enemy] + view.temporary_sizes[enemy]
        self.enemy_free: i64 = len(view.battlefields[enemy])


class Resources:
    """The cards that a side can add to an attack.

    Attributes:
        hand: the values of the side's hand, in ascending order.
        temporary: the values of its temporary cards, in ascending order.
        free: the number of its free monsters.
        from_hand: the number of cards that the side has added from its hand so far.
        gone_from_hand: the value of the attacking card, if the card comes from `hand`.
        gone_from_temporary: the value of the attacking card, if the card comes from `temporary`.

    """

    def __init__(self, hand: list[int], temporary: list[int], free: i64, from_hand: i64) -> None:
        self.hand = hand
        self.temporary = temporary
        self.free = free
        self.from_hand = from_hand
        self.gone_from_hand: i64 = NOTHING_GONE
        self.gone_from_temporary: i64 = NOTHING_GONE


def resources_of(view: WarfareView) -> Resources:
    side = view.side
    free = len(view.battlefields[side])
    return Resources(values_of(view.hand), values_of(view.temporary), free, view.from_hand[side])


def values_of(cards: list[int]) -> list[int]:
    """Return the values of cards, in ascending order."""
    values = [VALUES[card] for card in cards]
    values.sort()
    return values


def highest_of(cards: list[int]) -> int:
    """Return the highest value among cards, or 0 for an empty list."""
    highest = 0
    for card in cards:
        if VALUES[card] > highest:
            highest = VALUES[card]
    return highest


# The turn


def rate_supply(view: WarfareView, best: BestOptions) -> None:
    """Rate the supply: drawing, and returning the two highest monsters."""
    pile: i64 = pile_value(view)
    highest: i64 = 0
    second: i64 = 0
    for card in view.discards[view.side]:
        value: i64 = VALUES[card]
        if value > highest:
            highest, second = value, highest
        elif value > second:
            second = value
    both = (POINT - pile) * (highest + second)
    for place, choice in enumerate(view.options):
        verb = verb_of(choice)
        if verb == DRAW:
            best.rate(place, SUPPLIED + pile * AVERAGE * min(3, view.deck_sizes[view.side]))
        elif verb == RETURN:
            best.rate(place, both - highest + VALUES[card_of(choice)])
        else:
            best.rate(place, rate_free_step(choice))


def rate_free_step(choice: int) -> int:
    """Rate a free step: always draw a bonus card, exchange a low one, and never discard."""
    verb = verb_of(choice)
    if verb == BONUS:
        return ALWAYS
    if verb == EXCHANGE:
        return ALWAYS if VALUES[card_of(choice)] <= EXCHANGED else NEVER
    return NEVER if verb == DISCARD else 0


def rate_action(view: WarfareView, best: BestOptions) -> None:
    """Rate the action: each card to play, and each attack on the highest monster."""
    assessment, resources = Assessment(view), resources_of(view)
    odds: i64 = odds_of(view, 0, 0)
    highest = highest_of(view.battlefields[view.side])
    prey = highest_of(view.battlefields[1 - view.side])
    for place, choice in enumerate(view.options):
        verb = verb_of(choice)
        if verb == ATTACK:
            if VALUES[target_of(choice)] == prey:
                best.rate(place, rate_attack(view, assessment, resources, choice, odds))
        elif verb == POST:
            best.rate(place, rate_post(assessment, VALUES[card_of(choice)], highest, odds))
        else:
            best.rate(place, rate_free_step(choice))


def rate_post(assessment: Assessment, value: i64, highest: i64, odds: i64) -> i64:
    """Rate playing a card to the battlefield, compared with keeping the card safe in hand.

    `value` is the value of the card, and `highest` is the value of the highest monster on the battlefield.
    """
    gained = (POINT - assessment.hand_point) * value
    exposed = value - highest
    if exposed <= 0:
        return gained
    risk = exposed * (100 - odds) * (POINT - assessment.pile_point) // 100
    return gained - risk * EXPOSED // 100


def rate_attack(
    view: WarfareView, assessment: Assessment, resources: Resources, choice: int, odds: i64
) -> i64:
    """Rate an attack, compared with a turn without an attack."""
    card = card_of(choice)
    value: i64 = VALUES[card]
    target: i64 = VALUES[target_of(choice)]
    remaining = Resources(resources.hand, resources.temporary, resources.free, 1)
    point: i64 = POINT
    if is_among(card, view.hand):
        point = assessment.hand_point
        remaining.gone_from_hand = value
    elif is_among(card, view.temporary):
        point = assessment.pile_point
        remaining.gone_from_temporary = value
    else:
        remaining.free -= 1
        remaining.from_hand = 0
    return estimate_result(assessment, remaining, value, target, odds) + POINT * target - point * value


# The attack


def odds_of(view: WarfareView, mine: i64, theirs: i64) -> i64:
    """Estimate the viewer's chance, in percent, to win an attack if both sides add all their cards.

    `mine` and `theirs` are the totals of the two columns so far.
    """
    side, enemy = view.side, 1 - view.side
    mine += total(view.hand) + total(view.temporary) + total(view.battlefields[side])
    hidden: i64 = view.sizes[enemy] + view.temporary_sizes[enemy] - len(view.known)
    theirs += total(view.known) + total(view.battlefields[enemy])
    if view.own_decks:
        theirs += AVERAGE * hidden
    elif hidden:
        unseen_total, unseen_count = view.unseen_total()
        theirs += unseen_total * hidden // unseen_count
    odds = 50 + 50 * (mine - theirs) // (10 + hidden + hidden // 2)
    return max(LEAST_ODDS, min(100 - LEAST_ODDS, odds))


def estimate_result(assessment: Assessment, resources: Resources, mine: i64, theirs: i64, odds: i64) -> i64:
    """Return the expected result of an attack if both sides add cards until a hand is empty.

    The viewer adds its lowest cards first, with temporary cards before other cards.
    """
    pile_point, hand_point = assessment.pile_point, assessment.hand_point
    temporary_size: i64 = len(resources.temporary) - (resources.gone_from_temporary != NOTHING_GONE)
    hand_size: i64 = len(resources.hand) - (resources.gone_from_hand != NOTHING_GONE) + temporary_size
    n: i64 = min(hand_size, assessment.enemy_hand)
    spare = total_of_lowest(resources.temporary, n, resources.gone_from_temporary)
    dear = total_of_lowest(resources.hand, n - temporary_size, resources.gone_from_hand)
    before = pile_point * spare + hand_point * dear
    is_enemy_spent = n == assessment.enemy_hand and not assessment.enemy_free
    is_rout = is_enemy_spent or (n == hand_size and not resources.free)
    answers = n * ANSWERED
    lost: i64 = -POINT if is_rout else pile_point
    lose = lost * (mine + spare + dear) - before - POINT * theirs - (POINT - hand_point) * answers
    lose += CARD * min(resources.from_hand + n, assessment.deck)
    won: i64 = POINT if is_rout else -pile_point
    win = POINT * (mine + spare + dear) - before + won * (theirs + answers) + hand_point * answers
    win -= CARD * min(n, assessment.enemy_deck)
    return (odds * win + (100 - odds) * lose) // 100


def total_of_lowest(values: list[int], n: i64, gone: i64) -> i64:
    """Return the sum of the `n` lowest values, or of all values if there are fewer than `n`.

    One copy of the value `gone` is not counted. `values` must be in ascending order.
    """
    lowest: i64 = 0
    for number in values:
        value: i64 = number
        if value == gone:
            gone = NOTHING_GONE
        elif n > 0:
            lowest += value
            n -= 1
        else:
            break
    return lowest


class Standing:
    """The state of an attack: the totals, the odds, and the worth of winning or losing it now."""

    def __init__(self, view: WarfareView, assessment: Assessment) -> None:
        side, enemy = view.side, 1 - view.side
        pile_point = assessment.pile_point
        self.mine: i64 = total(view.columns[side])
        self.theirs: i64 = total(view.columns[enemy])
        self.is_ahead = self.mine > self.theirs or (self.mine == self.theirs and side != view.active)
        self.odds = odds_of(view, self.mine, self.theirs)
        cards_left = len(view.hand) + len(view.temporary) + len(view.battlefields[side])
        is_rout = cards_left == 0 or assessment.enemy_hand + assessment.enemy_free == 0
        self.win = POINT * self.mine + (POINT if is_rout else -pile_point) * self.theirs
        self.lose = (-POINT if is_rout else pile_point) * self.mine - POINT * self.theirs
        self.lose += CARD * min(view.from_hand[side], assessment.deck)
        self.may_decline = is_among(DECLINE, view.options)


def rate_fight(view: WarfareView, best: BestOptions) -> None:
    assessment = Assessment(view)
    standing = Standing(view, assessment)
    fight = rate_going_on(view, assessment, standing)
    side = view.side
    for place, choice in enumerate(view.options):
        verb = verb_of(choice)
        if verb == COUNTER:
            best.rate(place, fight + preference(view, card_of(choice), standing))
        elif verb == RECALL:
            best.rate(place, fight - 400 - 10 * VALUES[card_of(choice)])
        elif verb == DECLINE:
            best.rate(place, standing.win if standing.is_ahead else standing.lose)
        elif verb == SURRENDER:
            kept = 0 if view.house.target_surrenders or side == view.active else VALUES[view.target]
            best.rate(place, -POINT * (standing.mine - kept + standing.theirs))
        else:
            best.rate(place, rate_retreat(view, verb, assessment, standing))


def rate_going_on(view: WarfareView, assessment: Assessment, standing: Standing) -> i64:
    """Rate adding another card to an attack. The rating does not depend on the card."""
    mine, theirs, odds = standing.mine, standing.theirs, standing.odds
    if not standing.may_decline:
        return estimate_result(assessment, resources_of(view), mine, theirs, odds)
    if standing.is_ahead:
        return standing.win
    left = total(view.hand) + total(view.temporary) + total(view.battlefields[view.side])
    if mine + left <= theirs:
        return standing.lose - 1000
    return (odds * standing.win + (100 - odds) * (standing.lose - SPENT * (theirs - mine + 1))) // 100


def rate_retreat(view: WarfareView, verb: int, assessment: Assessment, standing: Standing) -> i64:
    """Rate a retreat, which costs the highest card in hand, or the lowest monsters on the battlefield."""
    retreat = assessment.pile_point * standing.mine - POINT * standing.theirs
    if verb == RETREAT_HAND:
        return retreat - 2 * assessment.hand_point * max(highest_of(view.hand), highest_of(view.temporary))
    side = view.side
    values = values_of(view.battlefields[side])
    return retreat - POINT * total_of_lowest(values, len(view.columns[side]), NOTHING_GONE)


def preference(view: WarfareView, card: int, standing: Standing) -> i64:
    """Rate a card that can be added to an attack.

    Temporary cards are added first, and monsters from the battlefield last.

    If the viewer is safely ahead, it adds its whole hand, because the cards then go to its battlefield.
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


def rate_special(view: WarfareView, choice: int) -> int:
    """Rate a special move now, compared with keeping it for later."""
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
    """Return True if the battle can end before the viewer can make a special move again (WT-42)."""
    if view.deck_sizes[0] and view.deck_sizes[1]:
        return False
    side, active = view.side, view.active
    active_hand = view.sizes[active] + view.temporary_sizes[active]
    other_hand = view.sizes[1 - active]
    if view.window == view.house.windows and (active_hand == 0 or other_hand == 0):
        return True
    return view.sizes[side] <= 1 if side != active else other_hand <= 1
