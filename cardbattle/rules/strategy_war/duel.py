"""Solve a whole duel of Strategy WAR between two equal open hands, for the expected difference in points.

The value of a position is the expected number of points by which the first side wins the remaining rounds, if
both sides play perfectly. The value does not depend on the lead. Backward induction solves all pairs of hands
and all pots, one layer after another. Each position is a matrix game (sources in core.numeric.matrix_game).
The game is zero-sum, so the value for the other side is the negative, and a layer stores each pair of hands
only once.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import comb
from typing import Final

from mypy_extensions import i64

from cardbattle.core.numeric import matrix_game

FIRST: Final = 2  # the lowest rank
MOST_CARDS: Final = 13

Report = Callable[[int, int], None]  # called with the number of solved positions and the total


class Deck:
    """A deck of the lowest ranks. A hand is a bit mask with one bit for each rank, the lowest rank first.

    For each set of cards that neither side holds, `pots` has a list of the possible pots divided by two, in
    ascending order. `place` has the index of each pot in its list.
    """

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.full = (1 << cards) - 1
        self.most = 2 * sum(range(FIRST, FIRST + cards))  # the points at stake in a duel
        self.held = [[at for at in range(cards) if hand >> at & 1] for hand in range(self.full + 1)]
        self.pots: list[list[int]] = []
        self.place: list[list[int]] = []
        for hand in range(self.full + 1):
            sums = {0}
            for at in self.held[hand]:
                sums |= {each + at + FIRST for each in sums}
            self.pots.append(sorted(sums))
            self.place.append([-1] * (self.most // 2 + 1))
            for index, each in enumerate(self.pots[hand]):
                self.place[hand][each] = index

    def count(self, left: int) -> int:
        """Return the number of positions in which each hand has `left` cards.

        Two positions with exchanged hands count separately.
        """
        positions = 0
        for gone in range(self.full + 1):
            union = self.cards - len(self.held[gone])
            if left <= union <= 2 * left:
                positions += comb(union, left) * comb(left, union - left) * len(self.pots[gone])
        return positions


class Layer:
    """The values of all positions with the same number of cards left.

    For each pair of hands, `start` has the index in `values` at which the values of the pair begin. The
    values of a pair are in the order of the possible pots.
    """

    def __init__(self, deck: Deck, left: int) -> None:
        self.deck = deck
        self.left = left
        self.hands = [hand for hand in range(deck.full + 1) if len(deck.held[hand]) == left]
        self.number = [0] * (deck.full + 1)
        for index, hand in enumerate(self.hands):
            self.number[hand] = index
        self.start = array("l")
        self.values = array("d")

    def value(self, mine: i64, theirs: i64, pot: i64) -> float:
        """Return a position's value for the side that holds `mine`. `pot` is half of the pot."""
        place: i64 = self.deck.place[self.deck.full & ~(mine | theirs)][pot]
        own: i64 = self.number[mine]
        other: i64 = self.number[theirs]
        if own < other:
            start: i64 = self.start[other * (other + 1) // 2 + own]
            opposite: float = self.values[start + place]
            return -opposite
        begin: i64 = self.start[own * (own + 1) // 2 + other]
        worth: float = self.values[begin + place]
        return worth


def solve(cards: int, report: Report = lambda solved, total: None) -> list[list[float]]:
    """Return the payoffs of the first round.

    There is a row for each of our cards, and a column for each enemy card.

    `cards` is the number of ranks, from 1 to 13. The lowest rank is the 2. A payoff is the expected number of
    points by which our side wins after these two cards, if both sides then play perfectly. `report` is called
    with the progress.
    """
    deck = Deck(cards)
    total = sum(deck.count(left) for left in range(1, cards)) + 1
    then = last_layer(deck)
    solved = 0
    for left in range(1, cards):
        layer = Layer(deck, left)
        for own in range(len(layer.hands)):
            begun = len(layer.values)
            for other in range(own + 1):
                solve_pair(layer, then, layer.hands[own], layer.hands[other])
            solved += 2 * (len(layer.values) - begun)
            report(min(solved, total - 1), total)
        then = layer
    table = round_table(deck, then, deck.full, deck.full)
    report(total, total)
    return [[table[column][row] for column in range(cards)] for row in range(cards)]


def last_layer(deck: Deck) -> Layer:
    """Return the layer of positions without cards. In such a position, the points in the pot are lost."""
    layer = Layer(deck, 0)
    layer.start.append(0)
    layer.values.extend([0.0] * len(deck.pots[deck.full]))
    return layer


def solve_pair(layer: Layer, then: Layer, mine: int, theirs: int) -> None:
    """Append the values of the hands `mine` and `theirs` to a layer.

    There is one value for each possible pot. `then` is the layer of the next round.
    """
    deck = layer.deck
    layer.start.append(len(layer.values))
    table = round_table(deck, then, mine, theirs)
    for pot in deck.pots[deck.full & ~(mine | theirs)]:
        scaled = scale(deck, table, then, mine, theirs, pot)
        worth = matrix_game.equilibrium(scaled).worth
        layer.values.append((2 * worth - 1) * deck.most)


def round_table(deck: Deck, then: Layer, mine: i64, theirs: i64) -> list[list[float]]:
    """Return the payoffs of a round without a pot.

    There is a list for each card in the hand `theirs`, which has a payoff for each card in the hand `mine`.
    `then` is the layer of the next round.
    """
    table = []
    for their_card in deck.held[theirs]:
        their_rest: i64 = theirs & ~(1 << their_card)
        column = []
        for card in deck.held[mine]:
            rest: i64 = mine & ~(1 << card)
            if card == their_card:
                column.append(then.value(rest, their_rest, card + FIRST))
            else:
                pot = float(card + their_card + 2 * FIRST)
                column.append(then.value(rest, their_rest, 0) + (pot if card > their_card else -pot))
        table.append(column)
    return table


def scale(
    deck: Deck, table: list[list[float]], then: Layer, mine: i64, theirs: i64, pot: int
) -> list[list[float]]:
    """Add a pot to the payoffs of a round, and scale them to the range from 0 to 1.

    `pot` is half of the pot. `then` is the layer of the next round.
    """
    whole = 2.0 * deck.most
    cards = deck.held[mine]
    scaled = []
    for at, their_card in enumerate(deck.held[theirs]):
        column = []
        for row, worth in enumerate(table[at]):
            card = cards[row]
            if card > their_card:
                each = worth + 2 * pot
            elif card < their_card:
                each = worth - 2 * pot
            else:
                bit: i64 = 1 << card
                each = then.value(mine & ~bit, theirs & ~bit, pot + card + FIRST) if pot else worth
            column.append((each + deck.most) / whole)
        scaled.append(column)
    return scaled
