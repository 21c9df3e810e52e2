"""How a seasoned commander plays Warmonger by rules of thumb.

They turn up cards while the chance to win the War grows by it, and retreat when it is small. Their
own next card is one of those that it may be, by all that they have seen; any card of the pack may
come after it. All else they do as a regular. Chances are whole numbers out of a thousand.

How many cards a Warmonger card is worth was found by logistic regression on who won 5000 duels: it
raises the odds to win by a fifth to a quarter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from cardbattle.rules.warmonger import tactics
from cardbattle.rules.warmonger.battle import PASS, STAND, TURN_UP, Warmonger
from cardbattle.rules.warmonger.box import LAID, RETREAT, SCOUT, TURN
from cardbattle.rules.warmonger.state import BEST, WarmongerView
from cardbattle.rules.warmonger.tactics import (
    LOST_CAUSE,
    SURE_OF_IT,
    TIED,
    WORTH_A_CARD,
    best_of_known,
    plays_of,
    totals_after,
)

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

CARDS_OF_VALUE: Final = [
    0,
    0,
    4,
    5,
    4,
    4,
    5,
    4,
    4,
    6,
    20,
    4,
]  # of the 60, by what they count at most
QUARTERS: Final = 4  # in an army without Warmonger cards; each card adds one
ACE_HIGH: Final = 11  # else it counts one
ALL_VALUES: Final = sum(CARDS_OF_VALUE)


def decide(view: View, chance: Chance) -> int:
    """Return the index of the choice to make."""
    assert isinstance(view, WarmongerView)
    if view.question == TURN:
        return view.options.index(in_turn(view))
    if view.question == LAID:
        return view.options.index(in_laid(view))
    return tactics.decide(view, chance)


def in_laid(view: WarmongerView) -> int:
    """Retreat from a War that is as good as lost."""
    retreats = plays_of(view, RETREAT)
    if not retreats or not view.downs[view.side]:
        return PASS
    return retreats[0] if chance_if_turned(view) < LOST_CAUSE else PASS


def in_turn(view: WarmongerView) -> int:
    """Turn up, stop, or first look at what lies face down."""
    if TURN_UP not in view.options:
        return STAND
    down = view.downs[view.side]
    now = holds(view, view.totals[view.side])
    looks = plays_of(view, SCOUT)
    if looks and now < SURE_OF_IT - WORTH_A_CARD and min(down) < 0:
        return looks[0]
    if all(place >= 0 for place in down):
        return TURN_UP if best_of_known(view, down) > view.totals[view.side] and now < SURE_OF_IT else STAND
    return TURN_UP if chance_if_turned(view) > now else STAND


# The chance to win a War


def with_any_card(total: int, row: list[int]) -> int:
    """Return the mean of a row, by total, over the totals that one more card may make."""
    gained: i64 = 0
    for value in range(2, min(ACE_HIGH, BEST - total + 1)):
        number: i64 = CARDS_OF_VALUE[value]
        gained += number * row[total + value]
    ace = ACE_HIGH if total + ACE_HIGH <= BEST else 1
    if total + ace <= BEST:
        aces: i64 = CARDS_OF_VALUE[ACE_HIGH]
        gained += aces * row[total + ace]
    return gained // ALL_VALUES


def chase_table() -> list[list[list[int]]]:
    """Return for each goal, cards face down and total the chance to end with more than the goal."""
    table = []
    for goal in range(BEST + 1):
        rows = [[SURE_OF_IT if total > goal else 0 for total in range(BEST + 1)]]
        for _ in range(3):
            last = rows[-1]
            rows.append(
                [SURE_OF_IT if total > goal else with_any_card(total, last) for total in range(BEST + 1)]
            )
        table.append(rows)
    return table


CHASE: Final = chase_table()


def holds(view: WarmongerView, total: int) -> int:
    """Return the chance that this total wins the Battle as things stand."""
    if total < 0:
        return 0
    chance = SURE_OF_IT
    for side in view.fighting:
        if side == view.side:
            continue
        other = view.totals[side]
        if side in view.scored:
            if other > total:
                return 0
            if other == total:
                chance = chance * TIED // SURE_OF_IT
        elif other >= 0:
            down = min(3, len(view.downs[side]))
            beaten = CHASE[total][down][other]
            level = CHASE[total - 1][down][other] - beaten if total else 0
            chance = chance * (SURE_OF_IT - beaten - level * (SURE_OF_IT - TIED) // SURE_OF_IT) // SURE_OF_IT
    return chance


def prospects(view: WarmongerView, down: int) -> list[int]:
    """Return the chance to win for each total with so many cards face down, played well."""
    now = [holds(view, total) for total in range(BEST + 1)]
    row = now
    for _ in range(down):
        row = [max(now[total], with_any_card(total, row)) for total in range(BEST + 1)]
    return row


def chance_if_turned(view: WarmongerView) -> int:
    """Return the chance to win if the next card is turned up and the rest is played well."""
    down = view.downs[view.side]
    row = prospects(view, len(down) - 1)
    totals = totals_after(view, view.side, down[0])
    return sum([row[total] for total in totals if total >= 0]) // max(1, len(totals))


# What an army is worth


def estimate(battle: Warmonger, side: int) -> int:
    """Return about how much of an unfinished battle a side will win, by its share of all strength."""
    whole = sum([strength(battle, each) for each in range(battle.sides)])
    return SURE_OF_IT * strength(battle, side) // whole if whole else SURE_OF_IT // battle.sides


def strength(battle: Warmonger, side: int) -> int:
    """Return what an army is worth: its playing cards, and a quarter more for each Warmonger card."""
    return battle.score(side) * (QUARTERS + len(battle.hands[side]))
