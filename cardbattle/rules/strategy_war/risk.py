"""What an elite commander of Strategy WAR may risk in a duel: a little, and what the enemy gave away.

A card that best play would not play gives something away. What the enemy gave is what a battle has come to be
worth beyond its beginning, without what one's own lots brought by luck. An elite commander keeps that count.
As soon as all that may follow can be looked at they play on the habits of a regular, as far as they may lose
so much again, and no further. So nobody, whatever they know, wins back more than they gave, and the little.

Sources: S. Ganzfried, T. Sandholm, Safe Opponent Exploitation, 2015 (to risk what was won, in expectation);
N. Burch, M. Schmid, M. Moravcik, D. Morrill, M. Bowling, AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games, 2018 (what is won without the luck of one's own lots).
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

RISK: Final = 0.0075  # the little, in chances to win, where a duel cannot be looked at from its beginning
CREDIT: Final = 0.5  # how much counts of what was given till then, for learned worths are not exact
MOST_KEPT: Final = 64  # rounds remembered: both sides of two whole duels


class Round:
    """A round of a duel as one side has it: what each of their cards is worth, and how best play plays it."""

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
        """Return how often to play each card, for so much of a risk."""
        if not self.is_short:
            return self.best.ours
        return matrix_game.risking(self.table, self.best, self.habits, risk)

    def risk_after(self, risk: float, card: int, enemy_card: int, then: Round) -> float:
        """Return what may be risked in the round after this, once both have played their cards.

        Until all that may follow can be looked at it may be less than nothing, and is not risked yet.
        """
        if self.is_known:
            column = self.table[self.others.index(enemy_card)]
            luck = column[self.cards.index(card)] - matrix_game.worth_of(self.mix(risk), column)
            gift = then.best.worth - self.best.worth - luck
            risk += gift if self.is_short else CREDIT * gift
        return max(0.0, risk) if then.is_short else risk


ROUNDS: Final[dict[tuple[Position, int], Round]] = {}  # met lately


def round_of(position: Position, side: int) -> Round:
    """Return a round of a duel as a side plays it, found at most once while it is remembered."""
    duel_round = ROUNDS.get((position, side))
    if duel_round is None:
        duel_round = Round(position, side)
        if len(ROUNDS) == MOST_KEPT:
            ROUNDS.clear()
        ROUNDS[position, side] = duel_round
    return duel_round


def risk_of(battle: StrategyWar, side: int) -> float:
    """Return what a side of a duel may risk in the round that is being fought.

    Nothing, where nobody wrote down all that it began with.
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
    """Return what a duel began with, as the first side has it."""
    first, second = tuple(battle.start[0]), tuple(battle.start[1])
    return first, second, 0, 0, min(battle.rounds, max(len(first), len(second)))


def risk_at_start(battle: StrategyWar) -> float:
    """Return what may be risked in a duel of which nothing is fought."""
    return 0.0 if is_short(position_at_start(battle)) else RISK


def position_after(position: Position, sealed: list[int]) -> Position:
    """Return what becomes of a position by the cards that both sides have sealed."""
    first, second, lead, carry, left = position
    first_card, second_card = abs(sealed[0]), abs(sealed[1])
    pot = carry + first_card + second_card
    remaining = without(first, first_card), without(second, second_card)
    winner = winner_of(sealed)
    if winner == NOBODY:
        return *remaining, lead, pot, left - 1
    return *remaining, lead - pot if winner else lead + pot, 0, left - 1


def is_short(position: Position) -> bool:
    """Say whether all that may follow can be looked at."""
    return max(len(position[0]), len(position[1])) <= MOST_CARDS


def transpose_table(table: list[list[float]]) -> list[list[float]]:
    """Return the table that the other side has."""
    return [[1 - column[row] for column in table] for row in range(len(table[0]))]
