"""What the rounds of a duel of Strategy WAR lead to that are not looked at to the end.

A round or two are looked at, and what is left then is appraised as was learned of such hands; of others it
is estimated: how many rounds a side may win, each as likely as the cards make it, and what that comes to in
points.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from cardbattle.core.numeric import matrix_game
from cardbattle.rules.strategy_war.battle import distinct
from cardbattle.rules.strategy_war.ending import Hand, Position
from cardbattle.rules.strategy_war.evaluation import appraise, are_of_a_suit, is_known

MOST_AHEAD_KNOWN: Final = 11  # cards in a hand, for two rounds before what is left is appraised
MOST_AHEAD: Final = 10  # the same where it is estimated by thumb

EDGE: Final = 1.2  # how many more rounds than with cards in any order the better cards win
SPREAD: Final = 0.27  # variance of the rounds won, for each round
WEIGHT: Final = 1.2  # how much more than its round a high card wins
UNLIKE: Final = 0.75  # standard deviation that unlike cards leave, in theirs
GRASP: Final = 4.0  # how surely the better cards win a pot that waits


def table_of(position: Position) -> list[list[float]]:
    """Return about what each of our cards is worth against each of theirs; a column for each of theirs."""
    return Outlook().table(position, rounds_ahead(position))


def rounds_ahead(position: Position) -> int:
    """Return how many rounds an answer looks ahead that cannot look at all, the present one included."""
    ours, theirs = position[0], position[1]
    most = max(len(ours), len(theirs))
    return 2 if most <= (MOST_AHEAD_KNOWN if are_of_a_suit(ours, theirs) else MOST_AHEAD) else 1


class Outlook:
    """What follows one position; each that is not looked at further is estimated at most once."""

    def __init__(self) -> None:
        self.estimates: dict[Position, float] = {}

    def __repr__(self) -> str:
        return f"<Outlook: {len(self.estimates)} positions>"

    def table(self, position: Position, ahead: int) -> list[list[float]]:
        """Return about what each of our cards is worth against each of theirs, so many rounds ahead.

        The higher card takes the pot, or it rolls over. The battle is decided once one leads by more than
        there is still to win.
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
                    column.append(self.worth((own_rest, rest, lead, pot, left - 1), ahead - 1))
                    continue
                then = lead + pot if card > other else lead - pot
                if abs(then) > at_stake - pot:
                    column.append(1.0 if then > 0 else 0.0)
                else:
                    column.append(self.worth((own_rest, rest, then, 0, left - 1), ahead - 1))
            table.append(column)
        return table

    def worth(self, position: Position, ahead: int) -> float:
        """Return about what a position is worth, so many rounds ahead."""
        _, _, lead, _, left = position
        if not left:
            return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        if ahead:
            return matrix_game.equilibrium(self.table(position, ahead)).worth
        found = self.estimates.get(position)
        if found is None:
            found = self.estimates[position] = estimate(position)
        return found


def estimate(position: Position) -> float:
    """Return about what a position is worth that is not over, from 0 to 1."""
    ours, theirs, lead, carry, left = position
    ours, theirs = ours[-left:], theirs[-left:]
    if is_known(ours, theirs, lead, carry):
        return appraise(ours, theirs, lead, carry)
    return by_thumb(ours, theirs, lead, carry)


def by_thumb(ours: Hand, theirs: Hand, lead: int, carry: int) -> float:
    """Return the same by a rule of thumb, for as many cards in each hand as rounds are left.

    That is the chance to end ahead, over all numbers of rounds that may be won: as many points for each
    as a round has on average, and so many more or less as the cards are high or low.
    """
    left = len(ours)
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


def without(hand: Hand, card: int) -> Hand:
    """Return a hand without one card."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]
