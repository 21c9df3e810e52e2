"""Value the cards of a Strategy WAR duel that is too long for an exact solution.

The search looks one or two rounds ahead. Positions after that are valued by the network of `evaluation`, if
it covers the hands, or by a heuristic: the distribution of rounds won, and the points they bring.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from cardbattle.core.numeric import matrix_game
from cardbattle.rules.strategy_war.battle import distinct
from cardbattle.rules.strategy_war.ending import Hand, Position
from cardbattle.rules.strategy_war.evaluation import appraise, are_of_a_suit, is_known

MOST_AHEAD_KNOWN: Final = 11  # cards in a hand, for two rounds of search before the network
MOST_AHEAD: Final = 10  # the same before the heuristic

EDGE: Final = 1.2  # rounds that the better cards win, relative to cards in random order
SPREAD: Final = 0.27  # variance of the rounds won, per round
WEIGHT: Final = 1.2  # extra points that high cards win beyond the average per round
UNLIKE: Final = 0.75  # standard deviation of the points, relative to that of the cards
GRASP: Final = 4.0  # how surely the better cards win a waiting pot


def table_of(position: Position) -> list[list[float]]:
    """Return the estimated payoffs of our cards against theirs, one column for each of theirs."""
    return LookaheadSearch().table(position, rounds_ahead(position))


def rounds_ahead(position: Position) -> int:
    """Return how many rounds to search, the current one included."""
    ours, theirs = position[0], position[1]
    most = max(len(ours), len(theirs))
    return 2 if most <= (MOST_AHEAD_KNOWN if are_of_a_suit(ours, theirs) else MOST_AHEAD) else 1


class LookaheadSearch:
    """A search from one position; each leaf is estimated at most once."""

    def __init__(self) -> None:
        self.estimates: dict[Position, float] = {}

    def __repr__(self) -> str:
        return f"<LookaheadSearch: {len(self.estimates)} positions>"

    def table(self, position: Position, ahead: int) -> list[list[float]]:
        """Return the estimated payoffs of our cards against theirs, searching `ahead` rounds.

        The higher card wins the pot; equal cards roll it over. The battle is decided when a side leads by
        more than there is left to win.
        """
        ours, theirs, lead, carry, left = position
        our_plays = [(card, without(ours, card)) for card in distinct(list(ours))]
        at_stake = carry + sum(ours[-left:]) + sum(theirs[-left:])
        table = []
        for their_card, their_rest in [(card, without(theirs, card)) for card in distinct(list(theirs))]:
            column = []
            for card, our_rest in our_plays:
                pot = carry + card + their_card
                if card == their_card:
                    column.append(self.worth((our_rest, their_rest, lead, pot, left - 1), ahead - 1))
                    continue
                new_lead = lead + pot if card > their_card else lead - pot
                if abs(new_lead) > at_stake - pot:
                    column.append(1.0 if new_lead > 0 else 0.0)
                else:
                    column.append(self.worth((our_rest, their_rest, new_lead, 0, left - 1), ahead - 1))
            table.append(column)
        return table

    def worth(self, position: Position, ahead: int) -> float:
        """Return the estimated value of a position, searching `ahead` rounds."""
        _, _, lead, _, left = position
        if not left:
            return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        if ahead:
            return matrix_game.equilibrium(self.table(position, ahead)).worth
        value = self.estimates.get(position)
        if value is None:
            value = self.estimates[position] = estimate(position)
        return value


def estimate(position: Position) -> float:
    """Return the estimated value of an unfinished position, from 0 to 1."""
    ours, theirs, lead, carry, left = position
    ours, theirs = ours[-left:], theirs[-left:]
    if is_known(ours, theirs, lead, carry):
        return appraise(ours, theirs, lead, carry)
    return rough_estimate(ours, theirs, lead, carry)


def rough_estimate(ours: Hand, theirs: Hand, lead: int, carry: int) -> float:
    """Return the same by a heuristic, for hands with one card for each round left.

    Sum the chance to end ahead over the possible numbers of rounds won. Each round brings its average points,
    adjusted for high and low cards.
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
    """Return the average surplus of rounds and points with all cards in random order."""
    rounds = points = 0
    for card in ours:
        for their_card in theirs:
            if card > their_card:
                rounds += 1
                points += card + their_card
            elif card < their_card:
                rounds -= 1
                points -= card + their_card
    return rounds / len(ours), points / len(ours)


def deviation(hand: Hand) -> float:
    """Return the sum of squared deviations from the mean."""
    return sum([card * card for card in hand]) - sum(hand) * sum(hand) / len(hand)


def chance_of(deviations: float) -> float:
    """Return the chance that a value with this mean, in standard deviations, is above 0.

    It approximates the normal distribution to one in a hundred, with operations that give the same result on
    every machine.
    """
    slope = deviations * (0.8 + 0.14 * deviations * deviations)
    return 0.5 + 0.5 * slope / sqrt(1 + slope * slope)


def without(hand: Hand, card: int) -> Hand:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]
