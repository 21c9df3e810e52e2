"""How an elite commander plays a duel of Strategy WAR, whose hands are open: how often each card.

Each round is a matrix game of both sides' cards (see core.matrix_game, which names the sources). With few
cards left all that may follow is looked at, by backward induction (`ending`). With more, a round or two are,
and what is left then is appraised (`outlook`). What the enemy gives away is risked to win more (`risk`).
"""

from __future__ import annotations

from typing import Final

from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.numeric import matrix_game
from cardbattle.rules.strategy_war.battle import SHARED, StrategyWar
from cardbattle.rules.strategy_war.ending import Position
from cardbattle.rules.strategy_war.risk import is_short, risk_of, round_of, transpose_table

WON: Final = 1_000_000  # what a battle won is worth; a shared one half of it


def can_look(battle: StrategyWar) -> bool:
    """Say whether two sides are left, of whom each knows what the other holds, with cards for all rounds."""
    if battle.side == NOBODY or battle.sides != 2 or battle.tiebreak != SHARED:
        return False
    left = rounds_left(battle)
    return all(left <= len(hand) and UNKNOWN not in hand for hand in battle.hands)


def can_solve(battle: StrategyWar) -> bool:
    """Say whether they have so few cards besides that all that may follow can be looked at."""
    return can_look(battle) and is_short(position_of(battle))


def solve(battle: StrategyWar) -> list[int]:
    """Return a weight for each card of the side that is asked, for a battle at which it `can_look`.

    They add up to about WON. They are those of best play, or such as risk what the enemy gave away.
    """
    mix = round_of(position_of(battle), battle.side).mix(risk_of(battle, battle.side))
    return [round(WON * share) for share in mix]


def worths(battle: StrategyWar) -> list[int]:
    """Return what a battle that one `can_solve` is worth to each side, out of WON."""
    first = round(WON * round_of(position_of(battle), 0).best.worth)
    return [first, WON - first]


def card_worths(battle: StrategyWar) -> list[int]:
    """Return what each card of the side that is asked is worth against best play, out of WON.

    For a battle that one `can_solve`.
    """
    table = round_of(position_of(battle), battle.side).table
    theirs = matrix_game.equilibrium(transpose_table(table)).ours
    return [round(WON * worth) for worth in matrix_game.against(theirs, table)]


def position_of(battle: StrategyWar) -> Position:
    """Return all that bears on how a duel goes on, as the first side has it."""
    first, second = battle.hands
    lead = battle.scores[0] - battle.scores[1]
    return tuple(first), tuple(second), lead, battle.carry, rounds_left(battle)


def rounds_left(battle: StrategyWar) -> int:
    """Return how many rounds there are still, with the present one; the last cards end the battle, too."""
    return min(battle.rounds - battle.round + 1, max([len(hand) for hand in battle.hands]))
