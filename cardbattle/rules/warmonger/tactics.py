"""The regular policy of Warmonger.

The policy turns up cards until it ties the best score. If other sides have not scored yet, the policy also
goes on until it has a safe total. The policy keeps its Warmonger cards for the final window, in which a card
can still decide the War, and one Lifeline for its last stand. Chances are in permille.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from cardbattle.core.battle import NOBODY
from cardbattle.core.cards import PACK, is_among
from cardbattle.rules.warmonger.battle import (
    FIRST_PLAY,
    ORDER,
    PASS,
    STAND,
    TURN_UP,
    design_of,
    mine_of,
    orders_of,
    target_of,
    theirs_of,
)
from cardbattle.rules.warmonger.box import (
    CEASE_FIRE,
    CONSCRIPT,
    EXCHANGE,
    FINAL,
    LAID,
    LAST_STAND,
    LOADED_DICE,
    MARCH,
    PEACE,
    PROMOTE,
    PROVOKE,
    RAID,
    RESPONSE,
    RETREAT,
    SCOUT,
    SKIRMISH,
    STRIKE,
    SUPPLY,
    VETO,
)
from cardbattle.rules.warmonger.state import (
    BUST,
    TOTALS,
    UNMARKED,
    WarmongerView,
    best_of,
    best_total,
    totals_of,
    totals_with,
)

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

CERTAIN: Final = 1000
TIED: Final = 450  # the chance to win after a tie of two sides
MIN_GAIN: Final = 600  # minimum gain in the chance to win a War for which a Warmonger card is played
LOST_CAUSE: Final = 450  # the side leaves a War if its chance is smaller than this
SAFE: Final = 15  # the side stops at this total if other sides have not scored yet


def decide(view: View, chance: Chance) -> int:
    """Return the index of the best option."""
    assert isinstance(view, WarmongerView)
    question = view.question
    if question == ORDER:
        return best_order(view)
    if question == RESPONSE:
        choice = respond(view)
    elif question == LAST_STAND:
        choice = best_lifeline(view)
    elif question == PEACE:
        choice = in_peace(view)
    elif question == SKIRMISH:
        choice = in_skirmish(view)
    elif question == LAID:
        choice = in_laid(view)
    elif question == FINAL:
        choice = in_final(view)
    else:
        choice = in_turn(view)
    return view.options.index(choice)


def effect_of(view: WarmongerView, choice: int) -> int:
    """Return the effect of the card that a choice plays, or -1 if the choice plays no card."""
    return view.box.effects[design_of(choice)] if choice >= FIRST_PLAY else -1


def plays_of(view: WarmongerView, effect: int) -> list[int]:
    return [choice for choice in view.options if effect_of(view, choice) == effect]


# The next card


def candidates(view: WarmongerView, place: int) -> list[int]:
    """Return the cards that a face-down card can be, given what the viewer has seen.

    `place` is the face-down card's element in the view.
    """
    if place >= 0:
        return [place]
    last = -1 - place
    return view.cards_from(last) or [card for card, home in enumerate(view.homes) if 0 <= home <= last]


def total_with(view: WarmongerView, side: int, line: list[int], marks: list[int]) -> int:
    """Return the total that a line of cards would have if it belonged to this side."""
    return best_total(values_for(view, side), line, marks)


def values_for(view: WarmongerView, side: int) -> list[list[int]]:
    """Return the values that each card can have if it belongs to this side."""
    robot = view.robots[side]
    dice = robot != NOBODY and view.box.robots[robot].power == LOADED_DICE
    return view.box.dice if dice else view.box.values


def totals_after(view: WarmongerView, side: int, place: int) -> list[int]:
    """Return the possible totals of a side after it turns up a face-down card.

    There is a total for each card that the face-down card can be.
    """
    values = values_for(view, side)
    totals = totals_of(values, view.lines[side], view.marks[side])
    return [best_of(totals_with(totals, values[card % PACK])) for card in candidates(view, place)]


# Scoring


def in_turn(view: WarmongerView) -> int:
    """Return the viewer's choice when it scores: turn up cards until the goal is reached.

    If the viewer holds a Reconnaissance, it first looks at the cards.
    """
    side = view.side
    if not is_among(TURN_UP, view.options) or view.totals[side] >= goal_of(view):
        return STAND
    down = view.down_of(side)
    looks = plays_of(view, SCOUT)
    if looks and min(down) < 0:
        return looks[0]
    if min(down) >= 0 and best_of_known(view, down) <= view.totals[side]:
        return STAND
    return TURN_UP


def goal_of(view: WarmongerView) -> int:
    """Return the total to reach: the best score of a rival, and at least SAFE if rivals must score."""
    best = 0
    is_last = True
    totals, scored = view.totals, view.scored
    for side in view.fighting:
        if side == view.side:
            continue
        if is_among(side, scored):
            best = max(best, totals[side])
        else:
            is_last = False
    return best if is_last else max(best, SAFE)


def best_of_known(view: WarmongerView, down: list[int]) -> int:
    """Return the best total that the side can reach by turning up the known cards in `down` one by one."""
    side = view.side
    best = BUST
    for n in range(1, len(down) + 1):
        line = view.lines[side] + down[:n]
        total = total_with(view, side, line, view.marks[side] + [UNMARKED] * n)
        if total < 0:
            break
        best = max(best, total)
    return best


def best_order(view: WarmongerView) -> int:
    """Return the best order for the cards at which a Reconnaissance looked."""
    side = view.side
    in_peace = view.stack[-2] == PEACE
    amount = view.box.designs[design_of(view.stack[-4])].cards
    cards = view.decks[side][:amount] if in_peace else view.downs[side]
    orders = orders_of(cards)
    best, best_choice = -1, 0
    for choice in view.options:
        order = orders[choice]
        if in_peace:
            value = view.box.ranks[order[0] % PACK]
        else:
            value = best_of_known(view, order)
        if value > best:
            best, best_choice = value, choice
    return best_choice


# Warmonger cards


def in_final(view: WarmongerView) -> int:
    """Return the viewer's choice in the final window: the card that adds most to its chance to win this War.

    If no card adds more than MIN_GAIN, the viewer passes, or plays a Cease-fire if its cause is lost.
    """
    if not is_among(view.side, view.fighting):
        return PASS
    chance = standing(view, view.totals)
    best, best_choice = chance + MIN_GAIN, PASS
    for choice in view.options[1:]:
        chance_after = standing_after(view, view.side, choice)
        if chance_after > best:
            best, best_choice = chance_after, choice
    ceases = plays_of(view, CEASE_FIRE)
    return ceases[0] if ceases and best_choice == PASS and chance < LOST_CAUSE else best_choice


def standing(view: WarmongerView, totals: list[int]) -> int:
    """Return the viewer's chance to win if the sides have these totals and no more cards are played."""
    mine = totals[view.side]
    if mine < 0:
        return 0
    level = 0
    for side in view.fighting:
        total = totals[side]
        if total > mine:
            return 0
        if total == mine:
            level += 1
    return CERTAIN if level == 1 else 2 * TIED // level


def standing_if(view: WarmongerView, side: int, total: int) -> int:
    """Return the viewer's chance, in permille, if `side` had this total and no more cards are played."""
    totals = view.totals
    original = totals[side]
    totals[side] = total
    chance = standing(view, totals)
    totals[side] = original
    return chance


def standing_after(view: WarmongerView, player: int, choice: int) -> int:
    """Return the viewer's chance to win this War after `player` plays a card, or 0 after a Cease-fire."""
    effect = effect_of(view, choice)
    target = target_of(choice)
    mine, theirs = mine_of(choice), theirs_of(choice)
    if effect == CEASE_FIRE:
        return 0
    if effect == SUPPLY:
        return average(view, player, view.decks[player][0])
    if effect == MARCH:
        return average(view, target, view.down_of(target)[0])
    if effect == PROMOTE:
        return standing_if(view, player, total_if_counted(view, player, mine, theirs))
    if effect == STRIKE:
        return standing_if(view, target, total_if_counted(view, target, theirs, 0))
    totals = view.totals.copy()
    if effect == EXCHANGE:
        totals[player] = total_if_replaced(view, player, mine, theirs)
        totals[target] = total_if_replaced(view, target, theirs, mine)
    return standing(view, totals)


def total_if_counted(view: WarmongerView, side: int, card: int, number: int) -> int:
    """Return the total that a side would have if its card `card` counted as `number`."""
    return best_of((totals_without(view, side, card) << number) & TOTALS)


def total_if_replaced(view: WarmongerView, side: int, card: int, new_card: int) -> int:
    """Return the total that a side would have with another card in place of one of its cards."""
    return best_of(totals_with(totals_without(view, side, card), values_for(view, side)[new_card % PACK]))


def totals_without(view: WarmongerView, side: int, card: int) -> i64:
    """Return the possible totals of a side's line without the card `card`, as a bit set.

    The result is cached, because the same call occurs often.
    """
    if view.removed_card != card:
        view.removed_card = card
        view.totals_left = totals_of(values_for(view, side), view.lines[side], view.marks[side], card)
    return view.totals_left


def average(view: WarmongerView, side: int, place: int) -> int:
    """Return the viewer's mean chance to win if the face-down card `place` joins a side's line."""
    chance_sum = 0
    totals = totals_after(view, side, place)
    for total in totals:
        chance_sum += standing_if(view, side, total)
    return chance_sum // max(1, len(totals))


def in_laid(view: WarmongerView) -> int:
    """Return the viewer's choice after the cards have been laid.

    It retreats if a rival shows a better card.
    """
    retreats = plays_of(view, RETREAT)
    best = max([view.totals[side] for side in view.fighting])
    return retreats[0] if retreats and view.totals[view.side] < best else PASS


def in_skirmish(view: WarmongerView) -> int:
    """Return the choice in a Skirmish.

    The viewer plays a Cease-fire to save its last card, and a Provocation if it would score last in the War.
    """
    side = view.side
    left = view.deck_sizes[side]
    ceases = plays_of(view, CEASE_FIRE) if not left else []
    provokes = plays_of(view, PROVOKE) if view.superpower == side and left > 3 else []
    plays = ceases or provokes
    return plays[0] if plays and not is_winning(view) else PASS


def is_winning(view: WarmongerView) -> bool:
    """Return True if the viewer has the highest card in a Skirmish without a War."""
    ranks = [view.box.ranks[cards[0] % PACK] if cards else 0 for cards in view.pot]
    return not view.war and ranks[view.side] == max(ranks)


def in_peace(view: WarmongerView) -> int:
    """Return the viewer's choice between two Skirmishes.

    The viewer eliminates a small army if it can. Otherwise, if it holds several Lifelines, it plays the best
    one.
    """
    raids = plays_of(view, RAID)
    for choice in raids:
        loot = view.box.designs[design_of(choice)].cards
        if view.deck_sizes[target_of(choice)] <= loot:
            return choice
    windows = view.box.windows
    if len([design for design in view.hand if windows[design] & LAST_STAND]) > 1:
        return best_lifeline(view)
    return PASS


def best_lifeline(view: WarmongerView) -> int:
    """Return the Lifeline that gains most. A bounty counts most, then cards from the largest army."""
    best, best_choice = -1, PASS
    for choice in view.options:
        effect = effect_of(view, choice)
        cards = view.box.designs[design_of(choice)].cards if effect in (CONSCRIPT, RAID) else 0
        value = -1
        if effect == CONSCRIPT:
            value = 100 * min(cards, len(view.casualties))
        elif effect == RAID:
            deck_size = view.deck_sizes[target_of(choice)]
            value = 150 * min(cards, deck_size) + deck_size + (500 if deck_size <= cards else 0)
        if value > best:
            best, best_choice = value, choice
    return best_choice


def respond(view: WarmongerView) -> int:
    """Return the response to an announced card.

    The viewer vetoes a rival's Lifeline, a Raid on its own small army, or a card that decides the War against
    it. Otherwise, it passes.
    """
    vetoes = plays_of(view, VETO)
    if not vetoes:
        return PASS
    choice, player, window = view.stack[-4], view.stack[-3], view.stack[-2]
    effect = view.box.effects[design_of(choice)]
    side, target = view.side, target_of(choice)
    if effect == VETO:
        hurts = view.stack[-7] == side
    elif window == LAST_STAND:
        hurts = True
    elif effect == RAID:
        hurts = target == side and view.deck_sizes[side] < 6
    elif window == FINAL and side in view.fighting:
        hurts = standing(view, view.totals) - standing_after(view, player, choice) > MIN_GAIN
    else:
        hurts = window == FINAL and target == side
    return vetoes[0] if hurts else PASS
