"""Best play in a duel of Strategy WAR, whose hands are open: how often to play each card.

Each round is a matrix game of both sides' cards (see core.matrix_game, which names the sources). With few
cards left all that may follow is looked at, by backward induction. With more, one or two rounds are, and
what is left then is estimated: how many rounds a side may win, each as likely as the cards make it, and
what that comes to in points.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final

from cardbattle.core import matrix_game
from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.rules.strategy_war.battle import SHARED, StrategyWar, distinct

MOST_CARDS: Final = 6  # in a hand, for an answer that looks at all that may follow
MOST_KNOWN: Final = 100_000  # positions remembered
WON: Final = 1_000_000  # what a battle won is worth; a shared one half of it

MOST_AHEAD: Final = 10  # cards in a hand, for an answer that looks two rounds ahead before it estimates

EDGE: Final = 1.2  # how many more rounds than with cards in any order the better cards win
SPREAD: Final = 0.25  # variance of the rounds won, for each round
WEIGHT: Final = 1.1  # how much more than its round a high card wins
UNLIKE: Final = 1.2  # standard deviation that unlike cards leave, in theirs
GRASP: Final = 4.0  # how surely the better cards win a pot that waits

Hand = tuple[int, ...]  # ascending
Position = tuple[Hand, Hand, int, int, int]  # ours, theirs, how far we lead, what waits, rounds left


def can_look(battle: StrategyWar) -> bool:
    """Say whether two sides are left, of whom each knows what the other holds, with cards for all rounds."""
    if battle.side == NOBODY or battle.sides != 2 or battle.tiebreak != SHARED:
        return False
    left = rounds_left(battle)
    return all(left <= len(hand) and UNKNOWN not in hand for hand in battle.hands)


def can_solve(battle: StrategyWar) -> bool:
    """Say whether they have so few cards besides that all that may follow can be looked at."""
    return can_look(battle) and max([len(hand) for hand in battle.hands]) <= MOST_CARDS


def solve(battle: StrategyWar) -> list[int]:
    """Return a weight for each card of the side that is asked, for a battle at which it `can_look`.

    They add up to about WON, and are those of best play where it `can_solve`.
    """
    if can_solve(battle):
        worth = ENDS.worth
    else:
        worth = a_round_later if len(battle.hands[battle.side]) <= MOST_AHEAD else estimate
    table = table_of(position_of(battle, battle.side), worth)
    return [round(WON * share) for share in matrix_game.equilibrium(table).ours]


def worths(battle: StrategyWar) -> list[int]:
    """Return what a battle that one `can_solve` is worth to each side, out of WON."""
    first = round(WON * ENDS.worth(position_of(battle, 0)))
    return [first, WON - first]


def card_worths(battle: StrategyWar) -> list[int]:
    """Return what each card of the side that is asked is worth against best play, out of WON.

    For a battle that one `can_solve`.
    """
    table = table_of(position_of(battle, battle.side), ENDS.worth)
    turned = [[1 - column[row] for column in table] for row in range(len(table[0]))]
    theirs = matrix_game.equilibrium(turned).ours
    worths = []
    for row in range(len(table[0])):
        worths.append(sum([share * column[row] for share, column in zip(theirs, table, strict=True)]))
    return [round(WON * worth) for worth in worths]


def position_of(battle: StrategyWar, side: int) -> Position:
    """Return all that bears on how a duel goes on, as a side has it."""
    ours, theirs = tuple(battle.hands[side]), tuple(battle.hands[1 - side])
    lead = battle.scores[side] - battle.scores[1 - side]
    return ours, theirs, lead, battle.carry, rounds_left(battle)


def rounds_left(battle: StrategyWar) -> int:
    """Return how many rounds there are still, the present one included."""
    return battle.rounds - battle.round + 1


class Ends:
    """What ends of duels are worth to a side, from 0 to 1; it remembers what it has found."""

    def __init__(self) -> None:
        self.known: dict[Position, float] = {}

    def worth(self, position: Position) -> float:
        """Return what a position is worth, the same as to the other side, seen from there."""
        ours, theirs, lead, carry, left = position
        if not left:
            return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
        if ours < theirs or (ours == theirs and lead < 0):
            return 1 - self.remembered((theirs, ours, -lead, carry, left))
        return self.remembered(position)

    def remembered(self, position: Position) -> float:
        """Return what a position is worth that is not over, found at most once."""
        found = self.known.get(position)
        if found is None:
            if len(self.known) == MOST_KNOWN:
                self.known.clear()
            found = matrix_game.equilibrium(table_of(position, self.worth)).worth
            self.known[position] = found
        return found


ENDS: Final = Ends()


def a_round_later(position: Position) -> float:
    """Return about what a position is worth, by what may come of its first round."""
    return matrix_game.equilibrium(table_of(position, estimate)).worth


def estimate(position: Position) -> float:
    """Return about what a position is worth that is not over, from 0 to 1.

    That is the chance to end ahead, over all numbers of rounds that may be won: as many points for each
    as a round has on average, and so many more or less as the cards are high or low.
    """
    ours, theirs, lead, carry, left = position
    ours, theirs = ours[-left:], theirs[-left:]
    rounds, points = advantage(ours, theirs)
    each = (sum(ours) + sum(theirs)) / left
    grasp = max(-1.0, min(1.0, GRASP * rounds / left))
    ahead = lead + carry * grasp + WEIGHT * (points - each * rounds)
    spread = UNLIKE * sqrt(deviation(ours) + deviation(theirs) + carry * carry / 4 + 1)
    wide = sqrt(SPREAD * left)
    worth = below = 0.0
    for more in range(-left, left + 1, 2):
        up_to = chance_of((more + 1 - EDGE * rounds) / wide) if more < left else 1.0
        worth += (up_to - below) * chance_of((ahead + each * more) / spread)
        below = up_to
    return worth


def advantage(ours: Hand, theirs: Hand) -> tuple[float, float]:
    """Return how many more rounds and points we would win on average with all cards in any order."""
    rounds = points = 0
    for card in ours:
        for other in theirs:
            if card > other:
                rounds += 1
                points += card + other
            elif card < other:
                rounds -= 1
                points -= card + other
    return rounds / len(ours), points / len(ours)


def deviation(hand: Hand) -> float:
    """Return the sum of the squares of how far each card lies from the mean."""
    return sum([card * card for card in hand]) - sum(hand) * sum(hand) / len(hand)


def chance_of(deviations: float) -> float:
    """Return the chance to end above 0 of what lies so many standard deviations above it, about.

    That of the normal distribution to one in a hundred, by nothing that differs among machines.
    """
    slope = deviations * (0.8 + 0.14 * deviations * deviations)
    return 0.5 + 0.5 * slope / sqrt(1 + slope * slope)


def table_of(position: Position, worth: Callable[[Position], float]) -> list[list[float]]:
    """Return what each of our cards is worth against each of theirs; a column for each of theirs.

    The higher card takes the pot, or it rolls over. `worth` tells what may follow is worth, unless one
    leads by more than there is still to win.
    """
    ours, theirs, lead, carry, left = position
    kept = [(card, without(ours, card)) for card in distinct(list(ours))]
    at_stake = carry + sum(ours[-left:]) + sum(theirs[-left:])
    table = []
    for other, rest in [(card, without(theirs, card)) for card in distinct(list(theirs))]:
        column = []
        for card, own_rest in kept:
            pot = carry + card + other
            if card == other:
                column.append(worth((own_rest, rest, lead, pot, left - 1)))
                continue
            ahead = lead + pot if card > other else lead - pot
            if abs(ahead) > at_stake - pot:
                column.append(1.0 if ahead > 0 else 0.0)
            else:
                column.append(worth((own_rest, rest, ahead, 0, left - 1)))
        table.append(column)
    return table


def without(hand: Hand, card: int) -> Hand:
    """Return a hand without one card."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]
