"""Solve whole duels of Strategy WAR: two equal open hands, the default tie-break, every position.

`python -m research.whole_duels CARDS green|regular` prints by how many points of a hundred the best
response to such a commander exceeds the value of the game, and the share that the commander takes from a
regular.

`python -m research.whole_duels CARDS opening points|chance` prints the first round of best play.

`python -m research.whole_duels CARDS points|chance` solves the duel of the lowest CARDS ranks and prints
the gain of the best response to a random player. The payoff is the difference of the points, or the chance
to win. The chance depends on the score too, which makes at least fifty times as many positions.

`duels.c` does the work, for up to eleven billion positions; a C compiler turns it into a library.
This module wraps its decks and layers; a layer has all positions with the same number of cards left. In
duels of more than eleven cards, chances are stored in four bytes, because eight would not fit into the
memory.

This is not goofspiel: players do not bid for prizes, but win the cards that are played. With `goofspiel`
as the payoff, the script solves that game for its points, with prizes from the highest down; a tied prize
is lost.
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

from cardbattle.core.numeric.matrix_game import against, equilibrium

SOURCE: Final = Path(__file__).with_name("duels.c")
COMPILER: Final = which("cc") or which("gcc") or which("clang")
FLAGS: Final = ("-O2", "-march=native", "-fopenmp", "-shared", "-fPIC")
MOST_IN_FULL: Final = 11  # largest duel whose chances are stored in eight bytes
POINTS, VICTORY, GOOFSPIEL = range(3)  # payoffs
ANY, REGULAR = range(2)  # policies: random cards, or those of a regular commander
RANKS: Final = {"green": ANY, "regular": REGULAR}

Floats = NDArray[np.float32]
Numbers = Floats | NDArray[np.float64]


@cache
def library(number: str) -> ctypes.CDLL:
    """Return the library that stores its values as `float` or `double`."""
    assert COMPILER, "a C compiler is missing"
    command = [COMPILER, *FLAGS, f"-DVALUE={number}"]
    key = sha256(SOURCE.read_bytes() + repr(command).encode()).hexdigest()[:16]
    made = Path(tempfile.gettempdir()) / f"duels-{key}.so"
    if not made.exists():
        with tempfile.TemporaryDirectory(dir=made.parent) as folder:
            new = Path(folder) / made.name
            subprocess.run([*command, "-o", str(new), str(SOURCE)], check=True)
            new.replace(made)  # atomic, because another process may load it
    found = ctypes.CDLL(str(made))
    found.make_deck.restype = found.make_layer.restype = ctypes.c_void_p
    found.value.restype = found.settle.restype = ctypes.c_double
    return found


class Raw(ctypes.Structure):
    """The C structure of a layer."""

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
    """The ranks of a duel, ascending, and its payoff: POINTS (the difference), VICTORY, or GOOFSPIEL."""

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
        """Return a hand as a bit set."""
        return sum(1 << self.ranks.index(rank) for rank in hand)


class Layer:
    """The values, for the first side, of all positions with the same number of cards left.

    The game is zero-sum, so only positions of the higher hand against the lower one are stored. A whole layer
    stores all positions; it is for policies that are not optimal.
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
        """Calculate the values of best play from the next layer.

        Return the widest gap between the proven bounds of the value of a matrix game.
        """
        return float(self.deck.library.settle(self.deck.raw, self.pointer, then.pointer))

    def worth(self, mine: list[int], theirs: list[int], lead: int = 0, carry: int = 0) -> float:
        """Return the value of a position; `carry` is the number of points that wait in the pot."""
        hands = [self.deck.bits(hand) for hand in (mine, theirs)]
        return float(
            self.deck.library.value(self.deck.raw, self.pointer, hands[0], hands[1], carry // 2, lead)
        )

    @property
    def values(self) -> Numbers:
        """Return all values, as a view of the library's memory."""
        kind = ctypes.c_float if self.deck.number.itemsize == 4 else ctypes.c_double
        return np.ctypeslib.as_array(ctypes.cast(self.raw.values, ctypes.POINTER(kind)), (self.count,))


class Duels:
    """A duel with best play on both sides, solved backwards; `gap` is the widest gap so far."""

    def __init__(self, ranks: list[int], aim: int) -> None:
        self.deck = Deck(ranks, aim)
        self.layers = {0: Layer(self.deck, 0)}
        self.gap = 0.0
        self.count = 0

    def solve(self, most: int = 0, keeps: bool = True) -> float:
        """Solve all positions with at most `most` cards left (default: all).

        Return the value of the last position. Without `keeps`, free layers that are no longer needed.
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
        """Return the value of a position for the first side."""
        return self.layers[len(mine)].worth(mine, theirs, lead, carry)


class Play:
    """The guaranteed value of a policy (`sure`), and its value against another policy (`usual`).

    `how` is the policy, ANY or REGULAR, and `habit` the other. Without a habit, only `sure` is calculated.
    """

    def __init__(self, deck: Deck, how: int, habit: int | None = None) -> None:
        self.deck, self.how, self.habit = deck, how, habit
        self.sure = Layer(deck, 0)
        self.usual = None if habit is None else Layer(deck, 0)
        self.count = 0

    def go_on(self, left: int) -> None:
        """Calculate the layer with one card more."""
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
        """Calculate all layers and return this object."""
        for left in range(1, len(self.deck.ranks) + 1):
            self.go_on(left)
        return self

    def worths(self) -> tuple[float, float]:
        """Return the guaranteed and the usual value at the beginning; the latter is 0 without a habit."""
        ranks = self.deck.ranks
        return self.sure.worth(ranks, ranks), 0.0 if self.usual is None else self.usual.worth(ranks, ranks)


def main(cards: int, aim: int) -> None:
    """Solve the duel of the lowest ranks and print the values."""
    lowest = 1 if aim == GOOFSPIEL else 2
    ranks = list(range(lowest, lowest + cards))
    began = perf_counter()
    play = Play(Deck(ranks, aim), ANY).solve()
    taken = (aim == VICTORY) - play.worths()[0]
    print(f"{cards} cards: the best response to random cards gains {taken:.5f}; ", end="")
    print(f"{play.count:,} positions, {perf_counter() - began:.1f} s", flush=True)
    del play
    began = perf_counter()
    duels = Duels(ranks, aim)
    value = duels.solve(keeps=False)
    print(f"{cards} cards: the value of the game is {value:.7f}, gap {duels.gap:.1e}; ", end="")
    print(f"{duels.count:,} positions kept, {perf_counter() - began:.1f} s")


def opening(cards: int, aim: int) -> None:
    """Print the first round of best play as CSV: each card, how often it is played, and its value.

    The value is against best play: the points by which the side then wins, or the chance to win.
    """
    ranks = list(range(2, 2 + cards))
    duels = Duels(ranks, aim)
    duels.solve(cards - 1, keeps=False)
    payoffs = [[payoff(duels, ranks, mine, theirs) for mine in ranks] for theirs in ranks]
    most = 2 * sum(ranks) if aim == POINTS else 1
    table = [[(value + most) / (2 * most) for value in column] for column in payoffs]
    best = equilibrium(table)
    turned = [[1 - column[row] for column in table] for row in range(cards)]  # the game is symmetric
    theirs = equilibrium(turned).ours
    print("card,share,value")
    for rank, share, value in zip(ranks, best.ours, against(theirs, table), strict=True):
        print(f"{rank},{share:.4f},{most * (2 * value - 1):.4f}")


def payoff(duels: Duels, ranks: list[int], mine: int, theirs: int) -> float:
    """Return the value for a side of playing one card against another in the first round."""
    hands = [[rank for rank in ranks if rank != played] for played in (mine, theirs)]
    pot = mine + theirs
    won = 0 if mine == theirs else pot if mine > theirs else -pot
    carry = pot if mine == theirs else 0
    if duels.deck.aim == POINTS:
        return won + duels.worth(hands[0], hands[1], 0, carry)
    return duels.worth(hands[0], hands[1], won, carry)


def exploit(cards: int, rank: str) -> None:
    """Print the gain of the best response to a rank, with the lowest and the highest cards."""
    for first in {2: 0, 15 - cards: 0}:
        play = Play(Deck(list(range(first, first + cards)), VICTORY), RANKS[rank], REGULAR).solve()
        sure, usual = play.worths()
        print(
            f"{rank}, {cards} cards from {first}: best response gains {100 * (0.5 - sure):.2f} points of a "
            f"hundred; {rank} takes {100 * usual:.2f} % from a regular"
        )


if __name__ == "__main__":
    if sys.argv[2:3] == ["opening"]:
        opening(int(sys.argv[1]), ["points", "chance"].index(sys.argv[3]))
    elif sys.argv[2] in RANKS:
        exploit(int(sys.argv[1]), sys.argv[2])
    else:
        main(int(sys.argv[1]), ["points", "chance", "goofspiel"].index(sys.argv[2]))
