"""The risk budget of an elite commander in a Strategy WAR duel (safe exploitation).

A card outside the equilibrium gives away value. What the enemy has given away is the rise of the position's
value since the start, without the luck of the commander's own random draws. The commander keeps this budget
and adds a small amount, RISK. Once an exact solution is possible, it exploits the habits of a regular
commander, but never risks more than the budget. An opponent with perfect information can therefore win back
at most what it gave away, plus RISK.

Sources: S. Ganzfried, T. Sandholm, Safe Opponent Exploitation, 2015 (risking what was won, in expectation);
N. Burch, M. Schmid, M. Moravcik, D. Morrill, M. Bowling, AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games, 2018 (removing the luck of one's own draws).
"""

from __future__ import annotations

from typing import Final

from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.numeric import matrix_game
from cardbattle.rules.strategy_war.battle import StrategyWar, distinct, winner_of
from cardbattle.rules.strategy_war.ending import MOST_CARDS, Position, ending_of
from cardbattle.rules.strategy_war.evaluation import are_of_a_suit
from cardbattle.rules.strategy_war.lookahead import table_of, without
from cardbattle.rules.strategy_war.tactics import habits

RISK: Final = 0.0075  # initial budget, as a chance to win, in duels too long to solve at the start
CREDIT: Final = 0.5  # share of gifts that counts before the exact solution: learned values are not exact
MOST_KEPT: Final = 64  # cached rounds: both sides of two whole duels


class Round:
    """A round of a duel from one side's point of view, with its payoffs and equilibrium."""

    def __init__(self, position: Position, side: int) -> None:
        first, second, lead, carry, left = position
        my_cards, enemy_cards = (second, first) if side else (first, second)
        self.is_short = is_short(position)
        self.is_known = self.is_short or (len(my_cards) == left and are_of_a_suit(my_cards, enemy_cards))
        if self.is_short:
            table = ending_of(position).table(position)
            self.table = transpose_table(table) if side else table
        else:
            self.table = table_of((my_cards, enemy_cards, -lead if side else lead, carry, left))
        self.best = matrix_game.equilibrium(self.table)
        self.cards = distinct(list(my_cards))
        self.others = distinct(list(enemy_cards))
        self.habits = habits(enemy_cards, my_cards, carry, left)

    def __repr__(self) -> str:
        return f"<Round: {self.cards} against {self.others}, worth {self.best.worth}>"

    def mix(self, risk: float) -> list[float]:
        """Return the probability of each card, for this risk budget."""
        if not self.is_short:
            return self.best.ours
        return matrix_game.risking(self.table, self.best, self.habits, risk)

    def risk_after(self, risk: float, card: int, enemy_card: int, then: Round) -> float:
        """Return the budget for the round after this one, `then`, given both cards played.

        Before the exact solution, the budget can be negative and is not used.
        """
        if self.is_known:
            column = self.table[self.others.index(enemy_card)]
            luck = column[self.cards.index(card)] - matrix_game.worth_of(self.mix(risk), column)
            gift = then.best.worth - self.best.worth - luck
            risk += gift if self.is_short else CREDIT * gift
        return max(0.0, risk) if then.is_short else risk


ROUNDS: Final[dict[tuple[Position, int], Round]] = {}  # cache


def round_of(position: Position, side: int) -> Round:
    """Return the current round from one side's point of view, cached."""
    duel_round = ROUNDS.get((position, side))
    if duel_round is None:
        duel_round = Round(position, side)
        if len(ROUNDS) == MOST_KEPT:
            ROUNDS.clear()
        ROUNDS[position, side] = duel_round
    return duel_round


def risk_of(battle: StrategyWar, side: int) -> float:
    """Return a side's risk budget in the current round.

    It is 0 if a starting hand is not fully known.
    """
    if UNKNOWN in battle.start[0] or UNKNOWN in battle.start[1]:
        return 0.0
    position, risk = position_at_start(battle), risk_at_start(battle)
    for sealed in battle.history:
        then = position_after(position, sealed)
        played = round_of(position, side)
        risk = played.risk_after(risk, abs(sealed[side]), abs(sealed[1 - side]), round_of(then, side))
        position = then
    return risk


def position_at_start(battle: StrategyWar) -> Position:
    """Return the position at the start of a duel, from the first side's point of view."""
    first, second = tuple(battle.start[0]), tuple(battle.start[1])
    return first, second, 0, 0, min(battle.rounds, max(len(first), len(second)))


def risk_at_start(battle: StrategyWar) -> float:
    """Return the initial risk budget of a duel."""
    return 0.0 if is_short(position_at_start(battle)) else RISK


def position_after(position: Position, sealed: list[int]) -> Position:
    """Return the position after both sides played their sealed cards."""
    first, second, lead, carry, left = position
    first_card, second_card = abs(sealed[0]), abs(sealed[1])
    pot = carry + first_card + second_card
    remaining = without(first, first_card), without(second, second_card)
    winner = winner_of(sealed)
    if winner == NOBODY:
        return *remaining, lead, pot, left - 1
    return *remaining, lead - pot if winner else lead + pot, 0, left - 1


def is_short(position: Position) -> bool:
    """Return True if few enough cards are left for an exact solution."""
    return max(len(position[0]), len(position[1])) <= MOST_CARDS


def transpose_table(table: list[list[float]]) -> list[list[float]]:
    """Return the payoffs from the other side's point of view."""
    return [[1 - column[row] for column in table] for row in range(len(table[0]))]
