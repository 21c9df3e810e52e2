"""How far commanders can be exploited in whole duels of Strategy WAR, and what they take from a regular.

`python -m tests.elite_duels green|regular|elite CARDS` prints by how much, in points of a hundred, the best
answer to them is better than its due in the duel of the lowest so many cards, and of the highest, and what
share they take from a regular.

`python -m tests.elite_duels elite 13 FOLDER` goes by the solution of the duel that a folder keeps, or
keeps it there (see `tests.learned_worths`). Elite commanders are taken to play their best as soon as all
that may follow can be looked at: to keep what they risk for a regular's sake in so many positions would
need 50 gigabytes.

All positions are visited, backwards, by `duels.c`; what the package says of one position stands there once
more. Tests hold it to the package's own.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

from cardbattle.rules.strategy_war.ending import MOST_CARDS
from cardbattle.rules.strategy_war.solver import MOST_TRUSTING, TRUST
from tests.learned_worths import worths_of
from tests.whole_duels import ANY, BEST, REGULAR, VICTORY, Deck, Duels, Layer, Play

NAMES = {"green": ANY, "regular": REGULAR}


def thought(deck: Deck, left: int) -> Layer:
    """Return what elite commanders with so many cards left think that a round leads to."""
    layer = Layer(deck, left - 1)
    layer.appraise(worths_of(left - 1))
    return layer


def elite(deck: Deck, trust: float = TRUST) -> Play:
    """Return what elite commanders are worth in a duel that begins with more cards than can be solved."""
    duels, play = Duels(deck.ranks, VICTORY), Play(deck, BEST, trust, REGULAR)
    duels.solve(MOST_CARDS - 1)
    for left in range(1, len(deck.ranks) + 1):
        if left <= MOST_TRUSTING:
            play.go_on(left)
        else:
            play.go_on(left, duels.layers[left - 1] if left <= MOST_CARDS else thought(deck, left))
    return play


def elite_who_ends_well(ranks: list[int], folder: Path) -> Play:
    """Return the same, by the solution that a folder keeps, of elite commanders who end by best play."""
    duels = Duels(ranks, VICTORY)
    play = Play(duels.deck, BEST)
    play.sure = duels.keep(folder, MOST_CARDS)
    for left in range(MOST_CARDS + 1, len(ranks) + 1):
        play.go_on(left, thought(duels.deck, left))
    return play


def main(rank: str, cards: int, folder: list[str]) -> None:
    """Print what was found of the lowest and of the highest so many cards."""
    for first in {2: 0, 15 - cards: 0}:
        began = perf_counter()
        ranks = list(range(first, first + cards))
        if folder:
            play = elite_who_ends_well(ranks, Path(folder[0]))
        elif rank == "elite":
            play = elite(Deck(ranks, VICTORY), TRUST if cards > MOST_CARDS else 0)
        else:
            play = Play(Deck(ranks, VICTORY), NAMES[rank], habit=REGULAR).solve()
        sure, usual = (100 * worth for worth in play.worths())
        taken = f"; they take {usual:.2f} % from a regular" if play.usual else ""
        print(
            f"{rank}, {cards} cards from {first}: the best answer takes {50 - sure:.2f} points of a hundred "
            f"beyond its due{taken}; {play.count:,} positions, {perf_counter() - began:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
