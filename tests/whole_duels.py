"""Whole duels of Strategy WAR solved: two equal open hands, the usual tie-break, every position.

`python -m tests.whole_duels CARDS points|chance` solves the duel with the lowest so many ranks and
prints what the best answer to a random player takes. The aim is the difference of the points, or the
chance to win, which depends on the score too, so that there are fifty times as many positions.

Positions are solved backwards, all with equally many cards left at once, in arrays of numpy. Each is a
matrix game, solved by the simplex method; the strategies it ends with say between which bounds the
value lies, and `Duels.gap` keeps the widest of them. A position is a pair of hands, what waits in the
pot, and for the chance to win the lead. Hands are sets of bits, one for each rank of the deck.

This is not goofspiel: nobody plays for prizes, the cards themselves are what is won.

Source: G. Dantzig, Linear Programming and Extensions, 1963 (the simplex method, matrix games).
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]
BATCH = 4096  # games solved at once: they stay in the processor's cache
TINY = 1e-10


def best_of_both(games: Numbers) -> tuple[Numbers, float]:
    """Return what each matrix game is worth to the rows, and the widest gap between proven bounds."""
    values = games.min(axis=2).max(axis=1)
    open_ones = np.flatnonzero(values < games.max(axis=1).min(axis=1))
    gap = 0.0
    for at in range(0, len(open_ones), BATCH):
        some = open_ones[at : at + BATCH]
        ours, theirs = strategies(games[some])
        least = np.einsum("gr,grc->gc", ours, games[some]).min(axis=1)
        most = np.einsum("grc,gc->gr", games[some], theirs).max(axis=1)
        gap = max(gap, float((most - least).max()))
        values[some] = (least + most) / 2
    return values, gap


def strategies(games: Numbers) -> tuple[Numbers, Numbers]:
    """Return how often best play takes each row and each column of each game, by the simplex method.

    A condensed tableau: the last row is the objective, the last column the bounds; a pivot exchanges
    what stands at a row for what stands at a column.
    """
    count, rows, columns = games.shape
    tableau = np.ones((count, rows + 1, columns + 1))
    least, most = games.min(axis=(1, 2)), games.max(axis=(1, 2))
    tableau[:, :rows, :columns] += (games - least[:, None, None]) / (most - least)[:, None, None]
    tableau[:, rows, columns] = 0
    at_row = np.tile(np.arange(rows) + columns, (count, 1))
    at_column = np.tile(np.arange(columns), (count, 1))
    weights = np.zeros((count, columns + rows))
    left = np.arange(count)
    while len(left):
        each = np.arange(len(left))
        column = tableau[:, rows, :columns].argmax(axis=1)
        is_done = tableau[each, rows, column] <= TINY
        if is_done.any():
            done = left[is_done][:, None]
            lower, upper = at_row[is_done], at_column[is_done]
            weights[done, lower] = np.where(lower < columns, tableau[is_done, :rows, columns], 0)
            weights[done, upper] = np.where(upper < columns, 0, -tableau[is_done, rows, :columns])
            left, tableau, column = left[~is_done], tableau[~is_done], column[~is_done]
            at_row, at_column = at_row[~is_done], at_column[~is_done]
            continue
        entering = tableau[each, :, column]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(
                entering[:, :rows] > TINY, tableau[:, :rows, columns] / entering[:, :rows], np.inf
            )
        row = ratios.argmin(axis=1)
        pivot = entering[each, row]
        line = tableau[each, row] / pivot[:, None]
        tableau[each, :, column] = 0
        line[each, column] = 1 / pivot
        entering[each, row] = 0
        tableau -= entering[:, :, None] * line[:, None, :]
        tableau[each, row] = line
        at_row[each, row], at_column[each, column] = at_column[each, column], at_row[each, row]
    ours = np.maximum(weights[:, columns:], 0)
    theirs = np.maximum(weights[:, :columns], 0)
    return ours / ours.sum(axis=1, keepdims=True), theirs / theirs.sum(axis=1, keepdims=True)


class Hands:
    """All hands of so many cards out of a deck, and what is left of each without one of its cards."""

    def __init__(self, size: int, deck: list[int]) -> None:
        self.bits = np.array([hand for hand in range(1 << len(deck)) if hand.bit_count() == size])
        places = [[at for at in range(len(deck)) if hand >> at & 1] for hand in self.bits.tolist()]
        at = np.array(places, dtype=np.int64)
        self.ranks = np.array(deck)[at]
        self.without = self.bits[:, None] - (1 << at)
        self.number = np.zeros(1 << len(deck), dtype=np.int64)
        self.number[self.bits] = np.arange(len(self.bits))


class Pots:
    """What may wait in the pot, by the cards in neither hand: half of it, a sum of some of them."""

    def __init__(self, deck: list[int]) -> None:
        self.sums = []
        self.number = np.zeros((1 << len(deck), sum(deck) + 1), dtype=np.int64)
        for gone in range(1 << len(deck)):
            sums = {0}
            for at, rank in enumerate(deck):
                if gone >> at & 1:
                    sums |= {each + rank for each in sums}
            self.sums.append(np.array(sorted(sums)))
            self.number[gone, self.sums[gone]] = np.arange(len(sums))


class Positions:
    """All positions of a duel with so many cards left, by both hands and the pot; leads in each.

    `first` finds a pair of hands with no pot, `start` the values of a position, one for each lead that
    decides nothing yet: from `reach` points behind to as many ahead, in steps of two. For the difference
    of the points a lead is nothing, and `reach` is 0.
    """

    def __init__(self, duels: Duels, left: int) -> None:
        self.hands = duels.hands[left]
        gone = duels.everything & ~(self.hands.bits[:, None] | self.hands.bits)
        counts = np.array([len(sums) for sums in duels.pots.sums])[gone]
        self.first = (np.cumsum(counts) - counts.ravel()).reshape(counts.shape)
        self.mine, self.theirs = (each.ravel().repeat(counts.ravel()) for each in np.indices(counts.shape))
        self.pot = np.concatenate([duels.pots.sums[each] for each in gone.ravel()])
        held = self.hands.ranks.sum(axis=1)
        stake = (held[self.mine] + held[self.theirs] + 2 * self.pot) * bool(left)
        most = np.minimum(stake, 2 * sum(duels.deck) - stake)
        self.reach = most if duels.is_for_victory else np.zeros_like(most)
        self.start = np.cumsum(self.reach + 1) - self.reach - 1
        self.values = np.full(int(self.reach.sum()) + len(self.reach), duels.drawn)
        self.is_for_victory = duels.is_for_victory
        self.bounds = np.append(self.first.ravel(), len(self.pot))

    def between(self, hand: int, last: int) -> tuple[int, int]:
        """Return from where to before where this hand's positions stand, against none beyond the last."""
        own = hand * len(self.first)
        return int(self.bounds[own]), int(self.bounds[own + last + 1])

    def worth(self, at: Whole, lead: Whole) -> Numbers:
        """Return what positions are worth to the side that leads by so much."""
        if not self.is_for_victory:
            ahead: Numbers = lead + self.values[at]
            return ahead
        reach = self.reach[at]
        found: Numbers = self.values[self.start[at] + np.clip((lead + reach) // 2, 0, reach)]
        found[lead > reach] = 1
        found[lead < -reach] = 0
        return found


class Duels:
    """What the positions of a duel between two sides with the same hand are worth to the first of them.

    That is by how many points it will be ahead, or its chance to win, a draw being half of one: if both
    play their best, or, with `is_best_answer`, if the other plays any card. `by_cards` has the positions
    by how many cards are left, `gap` the widest gap between proven bounds of a value.
    """

    def __init__(self, deck: list[int], is_for_victory: bool, is_best_answer: bool = False) -> None:
        self.deck, self.is_for_victory, self.is_best_answer = deck, is_for_victory, is_best_answer
        self.drawn = 0.5 if is_for_victory else 0.0
        self.everything = (1 << len(deck)) - 1
        self.hands = [Hands(size, deck) for size in range(len(deck) + 1)]
        self.pots = Pots(deck)
        self.gap = 0.0
        self.count = 0
        self.by_cards = {0: Positions(self, 0)}

    def solve(self, keeps: bool = True) -> float:
        """Return what the whole duel is worth; unless it `keeps` all, forget positions no longer needed."""
        self.solve_up_to(len(self.deck), keeps)
        return float(self.by_cards[len(self.deck)].values[0])

    def solve_up_to(self, most: int, keeps: bool = True) -> None:
        """Find what all positions are worth with at most so many cards left."""
        for left in range(1, most + 1):
            self.by_cards[left] = Positions(self, left)
            self.count += len(self.by_cards[left].values)
            for hand in range(len(self.hands[left].bits)):
                self.settle(left, hand)
            if not keeps:
                del self.by_cards[left - 1]

    def settle(self, left: int, hand: int) -> None:
        """Find the values of all positions with this hand; where both play their best, of half of them."""
        now = self.by_cards[left]
        begin, end = now.between(hand, len(now.first) - 1 if self.is_best_answer else hand)
        cells = np.arange(begin, end)
        of = cells.repeat(now.reach[begin:end] + 1)
        place = np.arange(len(of)) + now.start[begin] - now.start[of]
        games = self.games(left, cells, of - begin, 2 * place - now.reach[of])
        if self.is_best_answer:
            values = games.mean(axis=2).max(axis=1)
        else:
            values, gap = best_of_both(games)
            self.gap = max(self.gap, gap)
            mirrored = now.first[now.theirs[of], hand] + of - now.first[hand, now.theirs[of]]
            now.values[now.start[mirrored] + now.reach[of] - place] = 2 * self.drawn - values
        now.values[now.start[of] + place] = values

    def games(self, left: int, cells: Whole, of: Whole, lead: Whole) -> Numbers:
        """Return the matrix games of positions, a row for each card of ours, a column for each of theirs.

        `of` says to which of the cells each game belongs, and `lead` with which lead.
        """
        now, then = self.by_cards[left], self.by_cards[left - 1]
        mine, theirs, pot = now.mine[cells], now.theirs[cells], now.pot[cells]
        ours, others = now.hands.ranks[mine][:, :, None], now.hands.ranks[theirs][:, None, :]
        kept, left_them = now.hands.without[mine], now.hands.without[theirs]
        after = then.first[then.hands.number[kept][:, :, None], then.hands.number[left_them][:, None, :]]
        level = cell, row, column = np.nonzero(ours == others)
        gone = self.everything & ~(kept[cell, row] | left_them[cell, column])
        after[level] += self.pots.number[gone, pot[cell] + ours[cell, row, 0]]
        swing = np.sign(ours - others) * (ours + others + 2 * pot[:, None, None])
        return then.worth(after[of], lead[:, None, None] + swing[of])

    def worth(self, mine: list[int], theirs: list[int], lead: int, carry: int) -> float:
        """Return what a position is worth whose number of cards was kept; `carry` waits in the pot."""
        bits = [sum(1 << self.deck.index(card) for card in hand) for hand in (mine, theirs)]
        numbers = [self.hands[len(mine)].number[each] for each in bits]
        positions = self.by_cards[len(mine)]
        pot = self.pots.number[self.everything & ~(bits[0] | bits[1]), carry // 2]
        at = positions.first[numbers[0], numbers[1]] + pot
        return float(positions.worth(np.array([at]), np.array([lead]))[0])


def main(cards: int, is_for_victory: bool) -> None:
    """Solve a duel with the lowest so many ranks, and print what was found."""
    deck = list(range(2, 2 + cards))
    for is_best_answer in (True, False):
        duels = Duels(deck, is_for_victory, is_best_answer)
        value = duels.solve(keeps=False)
        what = "the best answer to any card" if is_best_answer else f"best play, gap {duels.gap:.1e}"
        print(
            f"{cards} cards: {what} is worth {value:.5f}; {duels.count:,} positions, {process_time():.0f} s"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] == "chance")
