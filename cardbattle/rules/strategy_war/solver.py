"""The elite commander in a Strategy WAR duel: the probability of each card.

Hands are open, so each round is a matrix game of both sides' cards (sources in core.numeric.matrix_game).
With few cards left it is solved exactly by backward induction (`ending`). Otherwise the search looks one or
two rounds ahead (`lookahead`). What the enemy has given away is risked to win more (`risk`).
"""

from __future__ import annotations

from typing import Final

from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.numeric import matrix_game
from cardbattle.rules.strategy_war.battle import SHARED, StrategyWar
from cardbattle.rules.strategy_war.ending import Position
from cardbattle.rules.strategy_war.risk import is_short, risk_of, round_of, transpose_table

WON: Final = 1_000_000  # value of a won battle; a shared one counts half


def can_look(battle: StrategyWar) -> bool:
    """Return True in a duel with known hands and with cards for all rounds left."""
    if battle.side == NOBODY or battle.sides != 2 or battle.tiebreak != SHARED:
        return False
    left = rounds_left(battle)
    return all(left <= len(hand) and UNKNOWN not in hand for hand in battle.hands)


def can_solve(battle: StrategyWar) -> bool:
    """Return True if, in addition, few enough cards are left for an exact solution."""
    return can_look(battle) and is_short(position_of(battle))


def solve(battle: StrategyWar) -> list[int]:
    """Return a weight for each card of the side that is asked, for a battle that it `can_look` at.

    The weights add up to about WON. They are those of an equilibrium, or risk what the enemy gave away.
    """
    mix = round_of(position_of(battle), battle.side).mix(risk_of(battle, battle.side))
    return [round(WON * share) for share in mix]


def worths(battle: StrategyWar) -> list[int]:
    """Return the value of the battle for each side, out of WON, for a battle that `can_solve` accepts."""
    first = round(WON * round_of(position_of(battle), 0).best.worth)
    return [first, WON - first]


def card_worths(battle: StrategyWar) -> list[int]:
    """Return the value of each card of the side that is asked, out of WON, against equilibrium play.

    For a battle that `can_solve` accepts.
    """
    table = round_of(position_of(battle), battle.side).table
    theirs = matrix_game.equilibrium(transpose_table(table)).ours
    return [round(WON * worth) for worth in matrix_game.against(theirs, table)]


def position_of(battle: StrategyWar) -> Position:
    """Return the position of a duel, from the first side's point of view."""
    first, second = battle.hands
    lead = battle.scores[0] - battle.scores[1]
    return tuple(first), tuple(second), lead, battle.carry, rounds_left(battle)


def rounds_left(battle: StrategyWar) -> int:
    """Return the number of rounds left, the current one included; empty hands end the battle too."""
    return min(battle.rounds - battle.round + 1, max([len(hand) for hand in battle.hands]))
