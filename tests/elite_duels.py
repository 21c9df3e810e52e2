"""How far elite and regular commanders can be exploited in whole duels of Strategy WAR, exactly.

`python -m tests.elite_duels elite|regular CARDS` prints by how much, in points of a hundred, the best
answer to them is better than its due in the duel of the lowest so many cards, and of the highest, and what
share they take from a regular.

All positions are visited, backwards, as in `tests.whole_duels`, in arrays; what the package says of one
position, how an elite commander answers, what regulars are likely to play and what an unfinished duel is
worth about, stands here once more for all positions at once. Tests hold it to the package's own.
"""

from __future__ import annotations

import sys
from copy import copy

import numpy as np

from cardbattle.rules.strategy_war import solver, tactics
from tests.whole_duels import BATCH, Duels, Numbers, Positions, Whole, strategies

SOME = 200_000  # positions estimated at once


def habits(hands: Whole, pools: Whole, pots: Whole) -> Numbers:
    """Return how likely a regular is to play each card of each hand, as `tactics.habits` of one."""
    count, cards = hands.shape
    if cards == 1:
        return np.ones((count, 1))
    return np.where(pots[:, None] > 0, for_the_pot(hands, pools), for_little(hands, pools))


def for_the_pot(hands: Whole, pools: Whole) -> Numbers:
    """Return the same where a pot waits."""
    each = np.arange(len(hands))
    beats = hands > pools[:, -1:]
    from_the_top = (hands != pools)[:, ::-1].argmax(axis=1)
    has_less = hands[:, ::-1][each, from_the_top] < pools[:, ::-1][each, from_the_top]
    gives_up = has_less / tactics.GIVES_UP
    shares = np.zeros(hands.shape)
    shares[:, 0] += gives_up
    shares[:, -1] += 1 - gives_up
    sure = beats.any(axis=1)
    shares[sure] = np.arange(hands.shape[1]) == beats.argmax(axis=1)[sure, None]
    return shares


def for_little(hands: Whole, pools: Whole) -> Numbers:
    """Return the same where none does."""
    cards = hands.shape[1]
    spare = np.arange(cards) < cards - 1
    ties = (hands[:, :, None] == pools[:, None, :]).any(axis=2) & spare
    seeks = (ties.any(axis=1) & (hands[:, -1] >= pools[:, -1]))[:, None] / tactics.SEEKS_A_TIE
    kept = (1 - seeks) * spare / (cards - 1) + seeks * ties / np.maximum(1, ties.sum(axis=1, keepdims=True))
    shares: Numbers = 1 / tactics.RISKS_IT / cards + (1 - 1 / tactics.RISKS_IT) * kept
    return shares


def chance_of(deviations: Numbers) -> Numbers:
    """Return `solver.chance_of` of each."""
    slope = deviations * (0.8 + 0.14 * deviations * deviations)
    chance: Numbers = 0.5 + 0.5 * slope / np.sqrt(1 + slope * slope)
    return chance


def estimates(ours: Whole, theirs: Whole, lead: Whole, carry: Whole) -> Numbers:
    """Return what positions are worth about, as `solver.estimate` of one."""
    left = ours.shape[1]
    signs = np.sign(ours[:, :, None] - theirs[:, None, :])
    rounds = signs.sum(axis=(1, 2)) / left
    points = (signs * (ours[:, :, None] + theirs[:, None, :])).sum(axis=(1, 2)) / left
    unlike = sum((hand * hand).sum(axis=1) - hand.sum(axis=1) ** 2 / left for hand in (ours, theirs))
    each = (ours.sum(axis=1) + theirs.sum(axis=1)) / left
    grasp = np.clip(solver.GRASP * rounds / left, -1, 1)
    ahead = lead + carry * grasp + solver.WEIGHT * (points - each * rounds)
    spread = solver.UNLIKE * np.sqrt(unlike + carry * carry / 4 + 1)
    worth, below = np.zeros(len(lead)), np.zeros(len(lead))
    for more in range(-left, left + 1, 2):
        up_to = chance_of((more + 1 - solver.EDGE * rounds) / np.sqrt(solver.SPREAD * left))
        up_to = up_to if more < left else np.ones(len(lead))
        worth += (up_to - below) * chance_of((ahead + each * more) / spread)
        below = up_to
    return worth


def estimated(positions: Positions) -> Numbers:
    """Return the estimate of every position, lead by lead."""
    cells = np.arange(len(positions.pot)).repeat(positions.reach + 1)
    lead = 2 * (np.arange(len(cells)) - positions.start[cells]) - positions.reach[cells]
    found = np.empty(len(cells))
    for begin in range(0, len(cells), SOME):
        some = slice(begin, begin + SOME)
        at = cells[some]
        hands = [positions.hands.ranks[each[at]] for each in (positions.mine, positions.theirs)]
        found[some] = estimates(hands[0], hands[1], lead[some], 2 * positions.pot[at])
    return found


def best_mixes(games: Numbers) -> Numbers:
    """Return how often best play takes each row of each matrix game."""
    least = games.min(axis=2)
    ours = np.zeros(least.shape)
    ours[np.arange(len(games)), least.argmax(axis=1)] = 1
    open_ones = np.flatnonzero(least.max(axis=1) < games.max(axis=1).min(axis=1))
    for at in range(0, len(open_ones), BATCH):
        some = open_ones[at : at + BATCH]
        ours[some] = strategies(games[some])[0]
    return ours


class Batch:
    """The positions of one hand, all or those where a pot waits.

    That is their cells, of which each is, the leads, where they stand, and the habits of both sides.
    """

    def __init__(self, now: Positions, hand: int, waits: bool) -> None:
        begin, end = now.between(hand, len(now.first) - 1)
        self.cells = np.arange(begin, end)
        cells = self.cells.repeat(now.reach[begin:end] + 1)
        place = np.arange(len(cells)) + now.start[begin] - now.start[cells]
        if waits:
            kept = now.pot[cells] > 0
            cells, place = cells[kept], place[kept]
        self.of = cells - begin
        self.lead = 2 * place - now.reach[cells]
        self.at = now.start[cells] + place
        ours, theirs = now.hands.ranks[now.mine[self.cells]], now.hands.ranks[now.theirs[self.cells]]
        pots = now.pot[self.cells]
        self.theirs = habits(theirs, ours, pots)[self.of]
        self.ours = habits(ours, theirs, pots)[self.of]


class Play(Duels):
    """What a way to play is worth to the first side: what it is sure of, and in `usual` against regulars."""

    def __init__(self, deck: list[int], trust: float) -> None:
        super().__init__(deck, is_for_victory=True)
        self.trust = trust
        self.usual = Duels(deck, is_for_victory=True)
        self.begin(0)

    def begin(self, left: int) -> None:
        """Make room for the positions with so many cards left."""
        self.by_cards[left] = positions = Positions(self, left)
        self.usual.by_cards[left] = copy(positions)
        self.usual.by_cards[left].values = positions.values.copy()

    def solve_up_to(self, most: int, keeps: bool = True) -> None:
        """Find what all positions are worth with at most so many cards left."""
        for left in range(1, most + 1):
            self.begin(left)
            self.fight(left, self.player(left))
            self.count += len(self.by_cards[left].values)

    def player(self, left: int) -> Play:
        """Return whoever says how to play with so many cards left: this one."""
        return self

    def fight(self, left: int, player: Play, waits: bool = False) -> None:
        """Find what positions with so many cards left are worth to whoever plays as the player does.

        Those are all of them, or only those where a pot `waits`.
        """
        for hand in range(len(self.hands[left].bits)):
            batch = Batch(self.by_cards[left], hand, waits)
            ours = player.mixes(left, batch)
            sure = np.einsum("gr,grc->gc", ours, self.games(left, batch.cells, batch.of, batch.lead))
            self.by_cards[left].values[batch.at] = sure.min(axis=1)
            self.usual.by_cards[left].values[batch.at] = (ours * self.hoped(left, batch)).sum(axis=1)

    def mixes(self, left: int, batch: Batch) -> Numbers:
        """Return how often to play each card in each position."""
        sure = self.games(left, batch.cells, batch.of, batch.lead)
        return best_mixes((1 - self.trust) * sure + self.trust * self.hoped(left, batch)[:, :, None])

    def hoped(self, left: int, batch: Batch) -> Numbers:
        """Return what each card is worth against regulars."""
        found: Numbers = np.einsum(
            "grc,gc->gr", self.usual.games(left, batch.cells, batch.of, batch.lead), batch.theirs
        )
        return found


class Regular(Play):
    """What regulars are worth."""

    def __init__(self, deck: list[int]) -> None:
        super().__init__(deck, 0)

    def mixes(self, left: int, batch: Batch) -> Numbers:
        """Return how likely they are to play each card."""
        return batch.ours


class Elite(Play):
    """What elite commanders are worth in a duel that begins with more cards than can be solved."""

    def player(self, left: int) -> Play:
        """Return whoever plays so: beyond what can be solved somebody who looks ahead to estimates."""
        if left <= solver.MOST_CARDS:
            return self
        player = Play(self.deck, self.trust)
        low = left - (2 if left <= solver.MOST_AHEAD else 1)
        for more in range(low - 1, left):
            player.begin(more)
            if more <= low:
                about = estimated(player.by_cards[more])
                player.by_cards[more].values[:] = about
                player.usual.by_cards[more].values[:] = about
            if more >= low:
                player.fight(more, player, waits=more == low)
        player.begin(left)
        return player


def main(rank: str, cards: int) -> None:
    """Print what was found of the lowest and of the highest so many cards."""
    for first in (2, 15 - cards):
        deck = list(range(first, first + cards))
        play = Regular(deck) if rank == "regular" else Elite(deck, solver.TRUST)
        lost = 50 - 100 * play.solve()
        taken = 100 * float(play.usual.by_cards[cards].values[0])
        print(
            f"{rank}, {cards} cards from {first}: the best answer takes {lost:.2f} points of a hundred "
            f"beyond its due; they take {taken:.2f} % from a regular; {play.count:,} positions",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
