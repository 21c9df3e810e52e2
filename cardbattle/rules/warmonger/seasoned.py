"""The seasoned policy of Warmonger: heuristics that estimate the chance to win a War.

The policy turns up cards as long as this raises the chance to win, and retreats if the chance is small. The
policy assumes that the next card is one of the cards that the side has not seen elsewhere, and that later
cards come from the whole pack. In all other decisions, it follows the regular policy. Chances are in
permille.

The worth of a Warmonger card comes from a logistic regression over 5,000 duels. In the duels, each Warmonger
card raised the odds of winning by a fifth to a quarter.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from cardbattle.core.cards import is_among
from cardbattle.rules.warmonger import tactics
from cardbattle.rules.warmonger.battle import PASS, STAND, TURN_UP, Warmonger
from cardbattle.rules.warmonger.box import LAID, RETREAT, SCOUT, TURN
from cardbattle.rules.warmonger.state import BEST, WarmongerView
from cardbattle.rules.warmonger.tactics import (
    CERTAIN,
    LOST_CAUSE,
    MIN_GAIN,
    TIED,
    best_of_known,
    plays_of,
    totals_after,
)

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

# by highest value: the number of such cards in the pack of 60
CARDS_OF_VALUE: Final = [0, 0, 4, 5, 4, 4, 5, 4, 4, 6, 20, 4]
QUARTERS: Final = 4  # the strength of a playing card; each Warmonger card adds 1 to it
ACE_HIGH: Final = 11  # an ace counts either this or 1
MOST_DOWN: Final = 3  # a side lays at most this number of cards face down (WM-16)
SCORED: Final = 4  # replaces the number of face-down cards of a rival that has scored
ALL_VALUES: Final = sum(CARDS_OF_VALUE)


def decide(view: View, chance: Chance) -> int:
    """Return the index of the best option."""
    assert isinstance(view, WarmongerView)
    if view.question == TURN:
        return view.options.index(in_turn(view))
    if view.question == LAID:
        return view.options.index(in_laid(view))
    return tactics.decide(view, chance)


def in_laid(view: WarmongerView) -> int:
    """Return the index of a retreat if the chance to win is small, and otherwise of the regular choice."""
    retreats = plays_of(view, RETREAT)
    if not retreats or not view.down_size(view.side):
        return PASS
    return retreats[0] if chance_if_turned(view) < LOST_CAUSE else PASS


def in_turn(view: WarmongerView) -> int:
    """Return the index of the viewer's choice when it scores: turn up a card, stand, or look at cards."""
    if TURN_UP not in view.options:
        return STAND
    down = view.down_of(view.side)
    standing_chance = win_chance(rivals_of(view), view.totals[view.side])
    looks = plays_of(view, SCOUT)
    if looks and standing_chance < CERTAIN - MIN_GAIN and min(down) < 0:
        return looks[0]
    if all(place >= 0 for place in down):
        can_improve = best_of_known(view, down) > view.totals[view.side]
        return TURN_UP if can_improve and standing_chance < CERTAIN else STAND
    return TURN_UP if chance_if_turned(view) > standing_chance else STAND


# The chance to win a War


def with_any_card(total: int, row: list[int]) -> int:
    """Return the mean value that `row` has after a random card of the pack is added to a total.

    `row` has a value for each total. A total over 21 has the value 0.
    """
    chance_sum: i64 = 0
    for value in range(2, min(ACE_HIGH, BEST - total + 1)):
        number: i64 = CARDS_OF_VALUE[value]
        chance_sum += number * row[total + value]
    ace = ACE_HIGH if total + ACE_HIGH <= BEST else 1
    if total + ace <= BEST:
        aces: i64 = CARDS_OF_VALUE[ACE_HIGH]
        chance_sum += aces * row[total + ace]
    return chance_sum // ALL_VALUES


def chase_table() -> list[list[list[int]]]:
    """Return the chances to exceed a goal, by goal, number of face-down cards, and total."""
    table = []
    for goal in range(BEST + 1):
        rows = [[CERTAIN if total > goal else 0 for total in range(BEST + 1)]]
        for _ in range(MOST_DOWN):
            last = rows[-1]
            rows.append(
                [CERTAIN if total > goal else with_any_card(total, last) for total in range(BEST + 1)]
            )
        table.append(rows)
    return table


CHASE: Final = chase_table()


def rivals_of(view: WarmongerView) -> tuple[int, ...]:
    """Return a number for each rival in the Battle that is not Bust.

    It is the rival's total times 5, plus the number of its face-down cards, or plus SCORED.
    """
    rivals = []
    for side in view.fighting:
        total = view.totals[side]
        if side != view.side and total >= 0:
            down = SCORED if is_among(side, view.scored) else min(MOST_DOWN, view.down_size(side))
            rivals.append(5 * total + down)
    return tuple(rivals)


def win_chance(rivals: tuple[int, ...], total: int) -> int:
    """Return the chance that the viewer wins the Battle if it stands with this total, in permille."""
    if total < 0:
        return 0
    chance = CERTAIN
    for rival in rivals:
        rival_total, down = rival // 5, rival % 5
        if down == SCORED:
            if rival_total > total:
                return 0
            if rival_total == total:
                chance = chance * TIED // CERTAIN
        else:
            beaten = CHASE[total][down][rival_total]
            level = CHASE[total - 1][down][rival_total] - beaten if total else 0
            chance = chance * (CERTAIN - beaten - level * (CERTAIN - TIED) // CERTAIN) // CERTAIN
    return chance


@lru_cache(maxsize=4096)
def best_chances(rivals: tuple[int, ...], down: int) -> list[int]:
    """Return the viewer's chance to win the Battle for each of its possible totals, 0 to BEST.

    The viewer still has `down` face-down cards, and makes the best choice at each of them.
    """
    standing_chances = [win_chance(rivals, total) for total in range(BEST + 1)]
    row = standing_chances
    for _ in range(down):
        row = [max(standing_chances[total], with_any_card(total, row)) for total in range(BEST + 1)]
    return row


def chance_if_turned(view: WarmongerView) -> int:
    """Return the viewer's chance to win the Battle if it turns up the next card and then chooses best."""
    down = view.down_of(view.side)
    row = best_chances(rivals_of(view), len(down) - 1)
    totals = totals_after(view, view.side, down[0])
    return sum([row[total] for total in totals if total >= 0]) // max(1, len(totals))


# The strength of an army


def estimate(battle: Warmonger, side: int) -> int:
    """Estimate a side's expected share of the points, in permille, from its share of the total strength."""
    whole = sum([strength(battle, seat) for seat in range(battle.sides)])
    return CERTAIN * strength(battle, side) // whole if whole else CERTAIN // battle.sides


def strength(battle: Warmonger, side: int) -> int:
    """Return an army's strength: its cards, and a quarter more for each Warmonger card."""
    return battle.score(side) * (QUARTERS + len(battle.hands[side]))
