"""How far commanders can be exploited in whole duels of Strategy WAR, and what they take from a regular.

`python -m research.elite_duels green|regular CARDS` prints by how much, in points of a hundred, the best
answer to them is better than its due in the duel of the lowest so many cards, and of the highest, and what
share they take from a regular.

`python -m research.elite_duels elite CARDS [FOLDER]`
prints how much the best answer to elite commanders takes
beyond its due at most, with more cards than they can look at to the end; with fewer they risk only what they
were given, and
`tests.rules.strategy_war.test_equilibrium` follows
 all that may be played. With 13 cards it goes by the solution
of the duel that a folder keeps, or keeps it there (see `research.learned_worths`).

All positions are visited, backwards, by `duels.c`; what the package says of one position stands there once
more. Tests hold it to the package's own.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np

from cardbattle.rules.strategy_war.ending import MOST_CARDS
from cardbattle.rules.strategy_war.lookahead import MOST_AHEAD_KNOWN
from cardbattle.rules.strategy_war.risk import CREDIT, RISK
from research.learned_worths import worths_of
from research.whole_duels import ANY, REGULAR, VICTORY, Deck, Duels, Floats, Layer, Play

NAMES = {"green": ANY, "regular": REGULAR}
MARKS: Final = 41  # debts for which it is known what is lost, the middle one of nothing


class Elite:
    """What elite commanders lose at most, in positions that they cannot look at to the end.

    It goes by the `solution` of those with MOST_CARDS, and by a risk and the credit that they give.
    """

    def __init__(self, solution: Layer, risk: float = RISK, credit: float = CREDIT) -> None:
        self.deck, self.worth = solution.deck, solution
        self.risk, self.credit = risk, credit
        self.lost: Floats | None = None
        self.count = 0

    def go_on(self, left: int) -> None:
        """Find it with one card more."""
        worth, thinks = Layer(self.deck, left, is_whole=True), thought(self.deck, left - 1)
        lost = np.empty(worth.count * MARKS, np.float32)
        self.deck.library.lose(
            self.deck.raw,
            worth.pointer,
            place_of(lost),
            thinks.pointer,
            self.worth.pointer,
            place_of(self.lost),
            ctypes.c_double(self.risk),
            ctypes.c_double(self.credit),
        )
        self.worth, self.lost = worth, lost
        self.count += worth.count

    def solve(self) -> float:
        """Return what the best answer to them takes beyond its due at most, in the whole duel."""
        for left in range(MOST_CARDS + 1, len(self.deck.ranks) + 1):
            self.go_on(left)
        assert self.lost is not None, "there are no rounds that they cannot look at to the end"
        return 0.5 - self.worth.worth(self.deck.ranks, self.deck.ranks) + float(self.lost[MARKS // 2])


def thought(deck: Deck, left: int) -> Layer:
    """Return what elite commanders with one card more think of all positions with so many."""
    layer = Layer(deck, left)
    if left >= MOST_AHEAD_KNOWN:
        layer.appraise(worths_of(left))
        return layer
    then = Layer(deck, left - 1)
    then.appraise(worths_of(left - 1))
    layer.settle(then)
    return layer


def place_of(numbers: Floats | None) -> ctypes.c_void_p | None:
    """Return where numbers stand in the memory."""
    return None if numbers is None else ctypes.c_void_p(numbers.ctypes.data)


def elite(ranks: list[int], folder: str = "") -> Elite:
    """Return what elite commanders lose in a duel, not yet solved."""
    duels = Duels(ranks, VICTORY)
    if folder:
        return Elite(duels.keep(Path(folder), MOST_CARDS))
    duels.solve(MOST_CARDS)
    return Elite(duels.layers[MOST_CARDS])


def main(rank: str, cards: int, folder: str = "") -> None:
    """Print what was found of the lowest and of the highest so many cards."""
    if rank == "elite" and cards <= MOST_CARDS:
        sys.exit(f"elite commanders look at all that may follow {MOST_CARDS} cards: name more")
    for first in {2: 0, 15 - cards: 0}:
        began = perf_counter()
        ranks = list(range(first, first + cards))
        if rank == "elite":
            player = elite(ranks, folder)
            lost, taken, count = player.solve(), "", player.count
        else:
            play = Play(Deck(ranks, VICTORY), NAMES[rank], REGULAR).solve()
            sure, usual = play.worths()
            lost, taken, count = 0.5 - sure, f"; they take {100 * usual:.2f} % from a regular", play.count
        print(
            f"{rank}, {cards} cards from {first}: the best answer takes {100 * lost:.2f} points of a hundred "
            f"beyond its due{taken}; {count:,} positions, {perf_counter() - began:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
