"""Solve the end of a duel of Strategy WAR: how often to play each card.

Backward induction over all that may follow; each round is a matrix game of both sides' cards,
settled by regrets (see core.matrix_game, which names the sources).
"""

from __future__ import annotations

from typing import Final

from cardbattle.core import matrix_game
from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.rules.strategy_war.battle import SHARED, StrategyWar, distinct

MOST_CARDS: Final = 5  # in a hand, for an answer within seconds
WON: Final = 1_000_000  # what a battle won is worth; a shared one half of it


def can_solve(battle: StrategyWar) -> bool:
    """Say whether two sides are left with few cards each, enough of them for all rounds to come."""
    if battle.side == NOBODY or battle.sides != 2 or battle.tiebreak != SHARED:
        return False
    left = rounds_left(battle)
    return all(left <= len(hand) <= MOST_CARDS and UNKNOWN not in hand for hand in battle.hands)


def solve(battle: StrategyWar) -> list[int]:
    """Return a weight for each card of the side that is asked, for a battle that `can_solve` accepts."""
    side = battle.side
    lead = battle.scores[side] - battle.scores[1 - side]
    return Ends().mix(battle.hands[side], battle.hands[1 - side], lead, battle.carry, rounds_left(battle))


def worths(battle: StrategyWar) -> list[int]:
    """Return what such a battle is worth to each side, out of WON."""
    lead = battle.scores[0] - battle.scores[1]
    first = Ends().worth(battle.hands[0], battle.hands[1], lead, battle.carry, rounds_left(battle))
    return [first, WON - first]


def rounds_left(battle: StrategyWar) -> int:
    """Return how many rounds there are still, the present one included."""
    return battle.rounds - battle.round + 1


class Ends:
    """What ends of duels are worth to a side; it remembers what it has found."""

    def __init__(self) -> None:
        self.known: dict[tuple[tuple[int, ...], tuple[int, ...], int, int], int] = {}

    def worth(self, ours: list[int], theirs: list[int], lead: int, carry: int, left: int) -> int:
        """Return the worth with these hands, so many points ahead, before so many rounds."""
        at_stake = carry + sum(ours[-left:]) + sum(theirs[-left:]) if left else 0
        if abs(lead) > at_stake or not left:
            return WON if lead > 0 else WON // 2 if lead == 0 else 0
        key = (tuple(ours), tuple(theirs), lead, carry)
        if key not in self.known:
            self.known[key] = matrix_game.game_value(self.table(ours, theirs, lead, carry, left))
        return self.known[key]

    def mix(self, ours: list[int], theirs: list[int], lead: int, carry: int, left: int) -> list[int]:
        """Return how often to play each of our cards."""
        table = self.table(ours, theirs, lead, carry, left)
        return matrix_game.solve(table, [0] * len(table), 0).ours

    def table(self, ours: list[int], theirs: list[int], lead: int, carry: int, left: int) -> list[list[int]]:
        """Return the worth of each of our cards against each of theirs; a column for each of theirs."""
        return [
            [self.after(ours, theirs, card, other, lead, carry, left) for card in distinct(ours)]
            for other in distinct(theirs)
        ]

    def after(
        self, ours: list[int], theirs: list[int], card: int, other: int, lead: int, carry: int, left: int
    ) -> int:
        """Return the worth once both have played a card: the higher takes the pot, or it rolls over."""
        pot = carry + card + other
        if card != other:
            lead += pot if card > other else -pot
            pot = 0
        return self.worth(without(ours, card), without(theirs, other), lead, pot, left - 1)


def without(hand: list[int], card: int) -> list[int]:
    """Return a hand without one card."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]
