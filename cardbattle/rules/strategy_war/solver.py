"""Compute best play in the last rounds of a duel of Strategy WAR.

The results are the value of the position for each side, and the value of each card.

Hands are open, so each round is a matrix game between the cards of the two sides (sources in
core.numeric.matrix_game). If few cards are left, the module `ending` solves the game exactly by backward
induction.
"""

from __future__ import annotations

from typing import Final

from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.numeric import matrix_game
from cardbattle.rules.strategy_war.battle import SHARED, StrategyWar
from cardbattle.rules.strategy_war.ending import MOST_CARDS, Position, ending_of

WON: Final = 1_000_000  # the value of a won battle; a shared battle is worth half


def can_solve(battle: StrategyWar) -> bool:
    """Return True if the battle is a duel with few cards, and all cards are known.

    The cards must also suffice for all remaining rounds.
    """
    if battle.side == NOBODY or battle.sides != 2 or battle.tiebreak != SHARED:
        return False
    left = rounds_left(battle)
    return all(left <= len(hand) <= MOST_CARDS and UNKNOWN not in hand for hand in battle.hands)


def worths(battle: StrategyWar) -> list[int]:
    """Return the value of the battle for each side, from 0 to WON. The battle must pass `can_solve`."""
    first = round(WON * matrix_game.equilibrium(table_of(battle)).worth)
    return [first, WON - first]


def card_worths(battle: StrategyWar) -> list[int]:
    """Return the value, from 0 to WON, of each card of the side that must choose.

    The values are those against equilibrium play. The battle must pass `can_solve`.
    """
    table = table_of(battle)
    turned = transpose_table(table)
    if battle.side:
        table, turned = turned, table
    theirs = matrix_game.equilibrium(turned).ours
    return [round(WON * worth) for worth in matrix_game.against(theirs, table)]


def table_of(battle: StrategyWar) -> list[list[float]]:
    """Return the payoffs of the first side: a row for each of its cards, a column for each enemy card."""
    position = position_of(battle)
    return ending_of(position).table(position)


def transpose_table(table: list[list[float]]) -> list[list[float]]:
    """Return a table of payoffs from the other side's point of view."""
    return [[1 - column[row] for column in table] for row in range(len(table[0]))]


def position_of(battle: StrategyWar) -> Position:
    """Return the position of a duel from the first side's point of view."""
    first, second = battle.hands
    lead = battle.scores[0] - battle.scores[1]
    return tuple(first), tuple(second), lead, battle.carry, rounds_left(battle)


def rounds_left(battle: StrategyWar) -> int:
    """Return the number of rounds left, including the current one.

    This is at most the number of cards in a hand, because the battle ends when the hands are empty.
    """
    return min(battle.rounds - battle.round + 1, max([len(hand) for hand in battle.hands]))
