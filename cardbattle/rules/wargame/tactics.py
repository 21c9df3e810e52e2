"""The regular commander of Wargame.

The commander answers a card with the weakest card that beats it, and keeps strong cards back. The commander
attacks where the enemy has no answer and the space is worth most, with the weakest card that is sufficient.
The commander pays chips in defence, where a switch decides at once, and turns up its Traitor card if this
wins the battle. The weights come from duels between variants of this policy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from cardbattle.core.battle import NOBODY
from cardbattle.rules.wargame.battle import (
    ADVANCE,
    BREAK,
    DEPLOY,
    FULL_ARMY,
    HOLD,
    MORTAR,
    RUN,
    SHOOTERS,
    SILENT,
    SPEAK,
    SPY,
    SWITCH,
    TRAITOR,
    WargameView,
    stronger,
)

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

SPACE: Final = 40  # the worth of a space
ADJACENT: Final = [0, 0, 10, 25]  # bonus for a run of adjacent spaces, by its length
DECISIVE: Final = 2000  # bonus for a space that wins the game
AT_ONCE: Final = 3  # factor for the space of the current battle
DEFENCE: Final = 220  # minimum gain of a switch in defence
ATTACK: Final = 60  # minimum gain of a switch in attack, when the enemy has no chip for an answer


def decide(view: View, chance: Chance) -> int:
    assert isinstance(view, WargameView)
    if view.question == DEPLOY:
        return deploy(view, chance)
    if view.question == TRAITOR:
        return choose_traitor(view, chance)
    if view.question == SWITCH:
        return switch(view)
    if view.question == ADVANCE:
        return advance(view)
    return denounce(view)


def deploy(view: WargameView, chance: Chance) -> int:
    """Return the index of a placement. It is a cheap card that beats the card opposite, or a weak card."""
    mine, theirs = view.line[view.side], view.line[1 - view.side]
    below_mine = counts_below(view.hand[view.side] + free_cards(mine, theirs))
    below_theirs = counts_below(view.hand[1 - view.side] + free_cards(theirs, mine))
    threats: list[i64] = [number_beaten(card, below_mine) if card else 0 for card in theirs]
    best: i64 = -DECISIVE
    chosen: list[int] = []
    card = 0
    used: i64 = 0
    risked: i64 = 0
    for index, choice in enumerate(view.options):
        if choice >> 4 != card:
            card = choice >> 4
            used = number_beaten(card, below_theirs)
            risked = number_beating(card, below_theirs)
        place = choice & 15
        against = theirs[place]
        if against:
            better: i64 = stronger(card, against)
            value = 60 * better + 4 * (threats[place] - used)
        else:
            value = -4 * used - 8 * risked
        if value > best:
            best = value
            chosen.clear()
        if value == best:
            chosen.append(index)
    return chance.choice(chosen)


def free_cards(line: list[int], opposite: list[int]) -> list[int]:
    """Return the cards in a line that do not face a card of the line `opposite`."""
    return [line[place] for place in range(len(line)) if line[place] and not opposite[place]]


def counts_below(cards: list[int]) -> list[i64]:
    """Return, for each number from 0 to 14, how many of the cards have a lower number."""
    counts: list[i64] = [0] * (len(FULL_ARMY) + 2)
    for card in cards:
        counts[card + 1] += 1
    lower: i64 = 0
    for number in range(len(counts)):
        lower += counts[number]
        counts[number] = lower
    return counts


def number_beaten(card: int, below: list[i64]) -> i64:
    """Return how many enemy cards a card beats. `below` has the result of `counts_below` for these cards."""
    if card <= SPY:
        return below[card] + below[-1] - below[MORTAR]
    return below[card] - below[SPY + 1] if card >= MORTAR else below[card]


def number_beating(card: int, below: list[i64]) -> i64:
    """Return how many enemy cards beat a card. `below` has the result of `counts_below` for these cards."""
    if card <= SPY:
        return below[MORTAR] - below[card + 1]
    higher = below[-1] - below[card + 1]
    return higher + below[SPY + 1] if card >= MORTAR else higher


def choose_traitor(view: WargameView, chance: Chance) -> int:
    """Draw the index of a Traitor card whose number is in the enemy's line.

    A number is more likely if its card in the enemy's line beats the card opposite.
    """
    weights = [0] * (len(FULL_ARMY) + 1)
    for place in range(view.places):
        card = view.line[1 - view.side][place]
        if card in SHOOTERS:
            weights[card] += 3 if stronger(card, view.line[view.side][place]) >= 0 else 1
    total = sum([weights[card] for card in view.options])
    if total:
        drawn = chance.below(total)
        for index, card in enumerate(view.options):
            drawn -= weights[card]
            if drawn < 0:
                return index
    return 0


def switch(view: WargameView) -> int:
    """Return the index of the switch that gains most, or of HOLD if no switch is worth its chip.

    If the viewer attacks and the enemy has a chip for an answer, only a switch that wins the game is used.
    """
    is_attack = view.place == NOBODY
    if is_attack and view.chips[1 - view.side]:
        return view.options.index(finishing_switch(view))
    line = view.line[view.side]
    worth = [space_worth(view, place) if line[place] else 0 for place in range(view.places)]
    current: list[i64] = [prospect(view, worth, place, line[place]) for place in range(view.places)]
    # by place: the most that a switch can gain there
    most: list[i64] = [
        worth[place] * (AT_ONCE if place == view.place else 1) - current[place]
        for place in range(view.places)
    ]
    best: i64 = ATTACK if is_attack else DEFENCE
    chosen = view.options.index(HOLD)
    for index, choice in enumerate(view.options):
        p = choice >> 4
        q = choice & 15
        if choice == HOLD or most[p] + most[q] <= best:
            continue
        gain = prospect(view, worth, p, line[q]) + prospect(view, worth, q, line[p]) - current[p] - current[q]
        if gain > best:
            best, chosen = gain, index
    return chosen


def finishing_switch(view: WargameView) -> int:
    """Return a switch that makes the viewer's win certain, or HOLD if none is needed or possible."""
    line = view.line[view.side]
    last = [p for p in range(view.places) if line[p] and run_worth(view, p, view.side) == DECISIVE]
    if not last or is_sure(view, last):
        return HOLD
    line = line.copy()  # a copy in which switches are tried
    view.line = [line, view.line[1]] if view.side == 0 else [view.line[0], line]
    for choice in view.options:
        p = choice >> 4
        q = choice & 15
        line[p], line[q] = line[q], line[p]
        wins = is_sure(view, last)
        line[p], line[q] = line[q], line[p]
        if wins:
            return choice
    return HOLD


def is_sure(view: WargameView, places: list[int]) -> bool:
    """Return True if `places` has a place where the enemy cannot answer an attack."""
    return any(hope(view, place) == 100 for place in places)


def prospect(view: WargameView, worth: list[int], place: int, card: int) -> i64:
    """Return what the two opposing cards at a place would be worth to the viewer if its card were `card`."""
    enemy = 1 - view.side
    here: i64 = worth[place]
    if place == view.place:
        against = view.zone[enemy][place]
        wins = stronger(card, against) > 0 or can_denounce(view, against)
        return AT_ONCE * here if wins else -AT_ONCE * here
    against = view.line[enemy][place]
    if not card or not against:
        return 0
    better: i64 = stronger(card, against)
    if better == 0:
        return here // 2 if view.attacker == view.side else -here // 2
    return here * better


def advance(view: WargameView) -> int:
    """Return the index of the attack with the highest worth.

    Of two otherwise equal attacks, the one with the weaker card has the higher worth.
    """
    mine, theirs = view.line[view.side], view.line[1 - view.side]
    best: i64 = 0
    chosen = NOBODY
    for index, place in enumerate(view.options):
        likely: i64 = hope(view, place)
        value = space_worth(view, place) * (2 * likely - 100)
        value -= 50 * mine[place] + 30 * theirs[place]
        if chosen == NOBODY or value > best:
            best, chosen = value, index
    return chosen


def hope(view: WargameView, place: int) -> int:
    """Estimate the viewer's chance to win an attack at this place, in percent."""
    enemy = 1 - view.side
    card, against = view.line[view.side][place], view.line[enemy][place]
    if stronger(card, against) < 0:
        return 90 if can_denounce(view, against) else 0
    likely = 30 if view.chips[enemy] and can_answer(view, place, card) else 100
    suspects = view.traitors[enemy]
    if card in suspects and not view.spent[enemy]:
        likely = likely * (len(suspects) - 1) // len(suspects)
    return likely


def can_answer(view: WargameView, place: int, card: int) -> bool:
    """Return True if the enemy can switch a stronger card to this place. A break prevents it."""
    line = view.line[1 - view.side]
    for step in (-1, 1):
        adjacent = 0
        neighbour = place + step
        while 0 <= neighbour < view.places and adjacent < BREAK:
            if line[neighbour] and stronger(line[neighbour], card) > 0:
                return True
            adjacent = adjacent + 1 if view.holder[neighbour] == view.side else 0
            neighbour += step
    return False


def denounce(view: WargameView) -> int:
    """Return the index of the answer: denounce the enemy's card if possible, and otherwise keep silent.

    The viewer also keeps silent if the space is worth little and the enemy has another card with the number
    of the Traitor card.

    In a copy of the battle with redealt cards, the viewer's Traitor card can differ, so that it cannot
    denounce.
    """
    enemy = 1 - view.side
    comes_again = view.zone[enemy][view.place] in view.line[enemy]
    if SPEAK not in view.options or (comes_again and space_worth(view, view.place) <= SPACE):
        return view.options.index(SILENT)
    return view.options.index(SPEAK)


def can_denounce(view: WargameView, card: int) -> bool:
    """Return True if the viewer could denounce this card of the enemy."""
    return view.traitor == card and not view.spent[view.side]


def space_worth(view: WargameView, place: int) -> int:
    """Return the worth of a space, which includes the runs of spaces that it completes or prevents."""
    return SPACE + run_worth(view, place, view.side) + run_worth(view, place, 1 - view.side)


def run_worth(view: WargameView, place: int, side: int) -> int:
    """Return the bonus for the adjacent spaces that a side would hold together with this space."""
    won = view.won[side]
    if won + 1 == view.majority:
        return DECISIVE
    if won == 0:
        return 0
    holder = view.holder
    begin = end = place
    while begin > 0 and holder[begin - 1] == side:
        begin -= 1
    while end + 1 < view.places and holder[end + 1] == side:
        end += 1
    run = end - begin + 1
    return ADJACENT[run] if run < RUN else DECISIVE
