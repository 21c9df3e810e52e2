"""Generate random numbers from a seed, with the same result on every platform.

The generator is sfc32, which uses 32-bit integers.

A stream is a sequence of random numbers. Its key is the SHA-256 hash of `cardbattle/1|seed|path`. Each part
of the program uses a different path, such as `deal`, `battle` or `side/percy`. Numbers drawn from one stream
therefore never change the numbers of another stream.

Source of the generator: Chris Doty-Humphrey, PractRand, sfc32 (public domain).
"""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from typing import Any, Final

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.pickling import restore, state_of

MASK: Final[i64] = 0xFFFFFFFF
WARM_UP: Final[i64] = 15
KEY: Final = Struct("<3I20x")  # the first three 32-bit words of the key that `words` returns
FRESH: Final[i64] = WARM_UP + 1  # the value of a new stream's counter, before its first random number


class Chance:
    """A stream of random numbers. The functions `start_stream` and `stream` create streams.

    In compiled code, the fields of this class are machine integers, and all numbers are below 2**63.
    """

    a: i64
    b: i64
    c: i64
    counter: i64

    def __init__(self, a: i64, b: i64, c: i64, counter: i64) -> None:
        self.a = a
        self.b = b
        self.c = c
        self.counter = counter

    def __repr__(self) -> str:
        return f"<Chance: {self.counter - FRESH} numbers drawn>"

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments with which `pickle` calls the constructor to rebuild the stream."""
        return Chance, (self.a, self.b, self.c, self.counter)

    def bits(self) -> i64:
        """Return the next 32 bits as a number from 0 to 2**32 - 1."""
        b = self.b
        c = self.c
        drawn = (self.a + b + self.counter) & MASK
        self.counter = (self.counter + 1) & MASK
        self.a = b ^ (b >> 9)
        self.b = (c + (c << 3)) & MASK
        self.c = (((c << 21) | (c >> 11)) + drawn) & MASK
        return drawn

    def below(self, n: int) -> int:
        """Return a uniformly distributed random number from 0 to n - 1, where n is 1 to 2**31."""
        return self._below(n)

    def _below(self, n: i64) -> i64:
        """Do the same as `below`; in compiled code, with machine integers."""
        product = self.bits() * n
        low = product & MASK
        if low < n:
            short = (MASK + 1 - n) % n
            while low < short:
                product = self.bits() * n
                low = product & MASK
        return product >> 32

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle a list of cards in place."""
        objects: list[Any] = cards  # untyped, so that compiled code swaps elements without unboxing them
        last: i64 = len(cards) - 1
        for i in range(last, 0, -1):
            j = self._below(i + 1)
            objects[i], objects[j] = objects[j], objects[i]

    def choice(self, cards: list[int]) -> int:
        """Choose one of the cards at random, and return it. Each card has the same probability."""
        return cards[self.below(len(cards))]

    def sample(self, k: int, cards: list[int]) -> list[int]:
        """Choose k of the cards at random, and return them in random order.

        The list `cards` is not changed.
        """
        pool = cards.copy()
        self.shuffle(pool)
        return pool if k >= len(pool) else pool[:k]

    def copy(self) -> Chance:
        """Return an independent stream that continues with the same random numbers."""
        return Chance(self.a, self.b, self.c, self.counter)


def start_stream(a: i64, b: i64, c: i64) -> Chance:
    """Start a stream from a key of three 32-bit integers.

    As the author of sfc32 recommends, the first numbers of the stream are skipped. A simulation starts a
    stream for each choice, so they are drawn here instead of with `Chance.bits`, which takes twice as long if
    the program is interpreted.

    >>> hex(start_stream(0, 0, 0).bits())
    '0xfb52c520'
    """
    counter: i64
    for counter in range(1, FRESH):
        drawn = (a + b + counter) & MASK
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & MASK
        c = (((c << 21) | (c >> 11)) + drawn) & MASK
    return Chance(a, b, c, FRESH)


def words(seed: int | str, path: str) -> bytes:
    """Return the 32-byte key of the random stream with this seed and path."""
    return sha256(f"cardbattle/1|{seed}|{path}".encode()).digest()


def stream(seed: int | str, path: str) -> Chance:
    """Return the random stream with this seed and path."""
    a, b, c = KEY.unpack(words(seed, path))
    return start_stream(a, b, c)


def child_seed(seed: int | str, path: str) -> int:
    """Derive a new seed, a number from 0 to 2**63 - 1, from a seed and a path.

    A simulation of many battles uses such a seed for each of them.
    """
    return int.from_bytes(words(seed, path)[:8], "little") >> 1


@mypyc_attr(allow_interpreted_subclasses=True)
class RandomSource:
    """The source of random events in a battle.

    For example, subclasses draw the events from a stream, or read them from a record.

    The base class draws nothing. It is used in copies of a battle in which nothing may be random. In each
    method, `kind` is the number that the rule set gives to this kind of event, and `side` is the seat of the
    side that the event concerns.
    """

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, including those of an interpreted subclass."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Set the fields from a pickle."""
        restore(self, state)

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Choose one of the cards at random, and return it."""
        raise NotImplementedError

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Choose k of the cards at random, and return them in ascending order."""
        raise NotImplementedError

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return all cards in random order."""
        raise NotImplementedError

    def shuffle(self, kind: int, side: int, cards: list[int]) -> None:
        """Put a list of cards in random order, in place, as `order_of` determines it."""
        cards[:] = self.order_of(kind, side, cards)

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Shuffle a pile of cards and return the k cards on top.

        The first card in the list is the topmost.
        """
        raise NotImplementedError

    def copy(self) -> RandomSource:
        """Return an independent source that continues with the same random events."""
        return self


class Drawn(RandomSource):
    """Random events drawn from a stream of random numbers."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def __reduce__(self) -> tuple[object, ...]:
        """Return the argument with which `pickle` calls the constructor to rebuild the source."""
        return Drawn, (self.chance,)

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Choose one of the cards at random, and return it. Each card has the same probability."""
        return self.chance.choice(cards)

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Choose k of the cards at random, and return them in ascending order."""
        chosen = self.chance.sample(k, cards)
        chosen.sort()
        return chosen

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return all cards in random order."""
        return self.chance.sample(len(cards), cards)

    def shuffle(self, kind: int, side: int, cards: list[int]) -> None:
        """Shuffle a list of cards in place."""
        self.chance.shuffle(cards)

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Shuffle a pile of cards and return the k cards on top, the topmost first."""
        return self.chance.sample(k, cards)

    def copy(self) -> Drawn:
        """Return an independent source that continues with the same random events."""
        return Drawn(self.chance.copy())
