"""Whole duels of Strategy WAR solved: two equal open hands, the usual tie-break, every position.

`python -m research.whole_duels CARDS green|regular` prints by how much, in points of a hundred, the best
answer to such a commander is better than its due, and what share they take from a regular.

`python -m research.whole_duels CARDS points|chance` solves the duel with the lowest so many ranks and prints
what the best answer to a random player takes. The aim is the difference of the points, or the chance to
win, which depends on the score too, so that there are fifty times as many positions and more.

`duels.c` does the work, positions by the thousand million; whatever C compiler is there makes a library of
it. Here stand its decks and layers: all positions of a duel with so many cards left. Chances to win are kept
in four bytes where a duel has more than eleven cards, as they would not fit into the memory else.

This is not goofspiel: nobody plays for prizes, the cards themselves are what is won. `goofspiel` in place of
the aim solves that game for its points, with prizes from the highest down; who ties a prize loses it.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import which
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

SOURCE: Final = Path(__file__).with_name("duels.c")
COMPILER: Final = which("cc") or which("gcc") or which("clang")
FLAGS: Final = ("-O2", "-march=native", "-fopenmp", "-shared", "-fPIC")
MOST_IN_FULL: Final = 11  # cards of a duel for the chance to win whose numbers have eight bytes
POINTS, VICTORY, GOOFSPIEL = range(3)  # what one plays for
ANY, REGULAR = range(2)  # how somebody plays: any card, or by a regular's habits
RANKS: Final = {"green": ANY, "regular": REGULAR}

Floats = NDArray[np.float32]
Numbers = Floats | NDArray[np.float64]


@cache
def library(number: str) -> ctypes.CDLL:
    """Return the library that keeps its numbers as `float` or `double`."""
    assert COMPILER, "there is no C compiler"
    command = [COMPILER, *FLAGS, f"-DVALUE={number}"]
    key = sha256(SOURCE.read_bytes() + repr(command).encode()).hexdigest()[:16]
    made = Path(tempfile.gettempdir()) / f"duels-{key}.so"
    if not made.exists():
        with tempfile.TemporaryDirectory(dir=made.parent) as folder:
            new = Path(folder) / made.name
            subprocess.run([*command, "-o", str(new), str(SOURCE)], check=True)
            new.replace(made)  # at once: another process may load it
    found = ctypes.CDLL(str(made))
    found.make_deck.restype = found.make_layer.restype = ctypes.c_void_p
    found.value.restype = found.settle.restype = ctypes.c_double
    return found


class Raw(ctypes.Structure):
    """A layer as the library has it."""

    _fields_ = (
        ("cards", ctypes.c_int),
        ("count", ctypes.c_int),
        ("is_whole", ctypes.c_int),
        ("hands", ctypes.POINTER(ctypes.c_uint32)),
        ("start", ctypes.POINTER(ctypes.c_uint64)),
        ("positions", ctypes.c_uint64),
        ("values", ctypes.c_void_p),
    )


class Deck:
    """The ranks of a duel, ascending, and its aim: POINTS more than the other, VICTORY, or GOOFSPIEL."""

    def __init__(self, ranks: list[int], aim: int) -> None:
        self.ranks, self.aim = ranks, aim
        is_large = aim == VICTORY and len(ranks) > MOST_IN_FULL
        self.library = library("float" if is_large else "double")
        self.number = np.dtype(np.float32 if is_large else np.float64)
        pointer = self.library.make_deck(len(ranks), (ctypes.c_int * len(ranks))(*ranks), aim)
        self.raw = ctypes.c_void_p(pointer)

    def __del__(self) -> None:
        """Give its memory back."""
        self.library.free_deck(self.raw)

    def bits(self, hand: list[int]) -> int:
        """Return a hand as the library has it."""
        return sum(1 << self.ranks.index(rank) for rank in hand)


class Layer:
    """What all positions with so many cards left are worth to the first side.

    Only those of the higher hand against the lower one are kept, as what is won by one is lost by the other;
    all where the layer is `whole`, for a way to play that is not the best.
    """

    def __init__(self, deck: Deck, cards: int, is_whole: bool = False) -> None:
        self.deck, self.cards = deck, cards
        self.pointer = ctypes.c_void_p(deck.library.make_layer(deck.raw, cards, int(is_whole)))
        self.raw = ctypes.cast(self.pointer, ctypes.POINTER(Raw)).contents
        self.count = int(self.raw.positions)

    def __del__(self) -> None:
        """Give its memory back."""
        self.deck.library.free_layer(self.pointer)

    def settle(self, then: Layer) -> float:
        """Find what best play makes of each position, by those that follow.

        Return the widest gap between the proven bounds of the value of a matrix game.
        """
        return float(self.deck.library.settle(self.deck.raw, self.pointer, then.pointer))

    def worth(self, mine: list[int], theirs: list[int], lead: int = 0, carry: int = 0) -> float:
        """Return what a position is worth; `carry` are the points that wait in the pot."""
        hands = [self.deck.bits(hand) for hand in (mine, theirs)]
        return float(
            self.deck.library.value(self.deck.raw, self.pointer, hands[0], hands[1], carry // 2, lead)
        )

    @property
    def values(self) -> Numbers:
        """Return all the numbers, as they stand in the library's memory."""
        kind = ctypes.c_float if self.deck.number.itemsize == 4 else ctypes.c_double
        return np.ctypeslib.as_array(ctypes.cast(self.raw.values, ctypes.POINTER(kind)), (self.count,))


class Duels:
    """A duel with best play on both sides, solved from its end; `gap` is the widest one there was."""

    def __init__(self, ranks: list[int], aim: int) -> None:
        self.deck = Deck(ranks, aim)
        self.layers = {0: Layer(self.deck, 0)}
        self.gap = 0.0
        self.count = 0

    def solve(self, most: int = 0, keeps: bool = True) -> float:
        """Find what all positions are worth with at most so many cards left, all unless it is said.

        Return what the last of them is worth. Unless it `keeps` them forget layers that are no longer needed.
        """
        most = most or len(self.deck.ranks)
        for left in range(1, most + 1):
            self.layers[left] = layer = Layer(self.deck, left)
            self.gap = max(self.gap, layer.settle(self.layers[left - 1]))
            self.count += layer.count
            if not keeps:
                del self.layers[left - 1]
        return self.worth(self.deck.ranks[-most:], self.deck.ranks[-most:])

    def worth(self, mine: list[int], theirs: list[int], lead: int = 0, carry: int = 0) -> float:
        """Return what a position is worth to the first side."""
        return self.layers[len(mine)].worth(mine, theirs, lead, carry)


class Play:
    """What a way to play is `sure` to get, and what is `usual` against somebody who plays by `habit`.

    `how` they play and the habit are ANY or REGULAR. Without a habit only what is sure is found.
    """

    def __init__(self, deck: Deck, how: int, habit: int | None = None) -> None:
        self.deck, self.how, self.habit = deck, how, habit
        self.sure = Layer(deck, 0)
        self.usual = None if habit is None else Layer(deck, 0)
        self.count = 0

    def go_on(self, left: int) -> None:
        """Find it all with one card more."""
        sure, then = Layer(self.deck, left, is_whole=True), self.sure
        usual = None if self.usual is None else Layer(self.deck, left, is_whole=True)
        layers = (sure, usual, then, self.usual)
        self.deck.library.play(
            self.deck.raw,
            *[None if layer is None else layer.pointer for layer in layers],
            self.how,
            REGULAR if self.habit is None else self.habit,
        )
        self.sure, self.usual = sure, usual
        self.count += sure.count

    def solve(self) -> Play:
        """Find it for the whole duel, and return this."""
        for left in range(1, len(self.deck.ranks) + 1):
            self.go_on(left)
        return self

    def worths(self) -> tuple[float, float]:
        """Return what they are sure of at the beginning, and what is usual, 0 if nobody asked for it."""
        ranks = self.deck.ranks
        return self.sure.worth(ranks, ranks), 0.0 if self.usual is None else self.usual.worth(ranks, ranks)


def main(cards: int, aim: int) -> None:
    """Solve a duel with the lowest so many ranks, and print what was found."""
    lowest = 1 if aim == GOOFSPIEL else 2
    ranks = list(range(lowest, lowest + cards))
    began = perf_counter()
    play = Play(Deck(ranks, aim), ANY).solve()
    taken = (aim == VICTORY) - play.worths()[0]
    print(f"{cards} cards: the best answer to any card is worth {taken:.5f}; ", end="")
    print(f"{play.count:,} positions, {perf_counter() - began:.1f} s", flush=True)
    del play
    began = perf_counter()
    duels = Duels(ranks, aim)
    value = duels.solve(keeps=False)
    print(f"{cards} cards: best play is worth {value:.7f}, gap {duels.gap:.1e}; ", end="")
    print(f"{duels.count:,} positions kept, {perf_counter() - began:.1f} s")


def exploit(cards: int, rank: str) -> None:
    """Print what the best answer to a rank wins with the lowest and with the highest cards."""
    for first in {2: 0, 15 - cards: 0}:
        play = Play(Deck(list(range(first, first + cards)), VICTORY), RANKS[rank], REGULAR).solve()
        sure, usual = play.worths()
        print(
            f"{rank}, {cards} cards from {first}: the best answer takes {100 * (0.5 - sure):.2f} points of a "
            f"hundred beyond its due; they take {100 * usual:.2f} % from a regular"
        )


if __name__ == "__main__":
    if sys.argv[2] in RANKS:
        exploit(int(sys.argv[1]), sys.argv[2])
    else:
        main(int(sys.argv[1]), ["points", "chance", "goofspiel"].index(sys.argv[2]))
