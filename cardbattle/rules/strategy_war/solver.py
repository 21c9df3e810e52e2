"""Best play at the end of a Strategy WAR duel: the value of the position and of each card.

Hands are open, so each round is a matrix game of both sides' cards (sources in core.numeric.matrix_game).
With few cards left it is solved exactly by backward induction (`ending`).
"""

from __future__ import annotations

from typing import Final

from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.numeric import matrix_game
from cardbattle.rules.strategy_war.battle import SHARED, StrategyWar
from cardbattle.rules.strategy_war.ending import MOST_CARDS, Position, ending_of

WON: Final = 1_000_000  # value of a won battle; a shared one counts half


def can_solve(battle: StrategyWar) -> bool:
    """Return True in a duel with few and known cards, and with cards for all rounds left."""
    if battle.side == NOBODY or battle.sides != 2 or battle.tiebreak != SHARED:
        return False
    left = rounds_left(battle)
    return all(left <= len(hand) <= MOST_CARDS and UNKNOWN not in hand for hand in battle.hands)


def worths(battle: StrategyWar) -> list[int]:
    """Return the value of the battle for each side, out of WON, for a battle that `can_solve` accepts."""
    first = round(WON * matrix_game.equilibrium(table_of(battle)).worth)
    return [first, WON - first]


def card_worths(battle: StrategyWar) -> list[int]:
    """Return the value of each card of the side that is asked, out of WON, against equilibrium play.

    For a battle that `can_solve` accepts.
    """
    table = table_of(battle)
    turned = transpose_table(table)
    if battle.side:
        table, turned = turned, table
    theirs = matrix_game.equilibrium(turned).ours
    return [round(WON * worth) for worth in matrix_game.against(theirs, table)]


def table_of(battle: StrategyWar) -> list[list[float]]:
    """Return the payoffs of the first side's cards, one column for each card of the second side."""
    position = position_of(battle)
    return ending_of(position).table(position)


def transpose_table(table: list[list[float]]) -> list[list[float]]:
    """Return the payoffs from the other side's point of view."""
    return [[1 - column[row] for column in table] for row in range(len(table[0]))]


def position_of(battle: StrategyWar) -> Position:
    """Return the position of a duel, from the first side's point of view."""
    first, second = battle.hands
    lead = battle.scores[0] - battle.scores[1]
    return tuple(first), tuple(second), lead, battle.carry, rounds_left(battle)


def rounds_left(battle: StrategyWar) -> int:
    """Return the number of rounds left, the current one included; empty hands end the battle too."""
    return min(battle.rounds - battle.round + 1, max([len(hand) for hand in battle.hands]))
