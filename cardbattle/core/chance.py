"""Seeded random numbers: the sfc32 generator on 32-bit words, identical on every platform.

A stream is keyed by the SHA-256 of `cardbattle/1|seed|path`. Each consumer has its own path (`deal`,
`battle`, `side/percy`), so drawing from one stream never affects another.

Source of the generator: Chris Doty-Humphrey, PractRand, sfc32 (public domain).
"""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from typing import Any, Final

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.pickling import restore, state_of

MASK: Final[i64] = 0xFFFFFFFF
WARM_UP: Final = 15
KEY: Final = Struct("<3I20x")  # the first three words of a key
FRESH: Final = WARM_UP + 1  # the counter of a stream before the first draw


class Chance:
    """A stream of random numbers; `start_stream` and `stream` create one.

    Compiled, its fields are machine words: no number in this class reaches 2**63.
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
        """Pickle the stream as its constructor arguments."""
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
        """Return a uniformly distributed number from 0 to n - 1; n is 1 to 2**31."""
        bound: i64 = n
        product = self.bits() * bound
        low = product & MASK
        if low < bound:
            short = (MASK + 1 - bound) % bound
            while low < short:
                product = self.bits() * bound
                low = product & MASK
        return product >> 32

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle a list of cards in place."""
        objects: list[Any] = cards  # as objects, compiled code swaps them without unboxing
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            objects[i], objects[j] = objects[j], objects[i]

    def choice(self, cards: list[int]) -> int:
        """Return one of the cards, chosen uniformly."""
        return cards[self.below(len(cards))]

    def sample(self, k: int, cards: list[int]) -> list[int]:
        """Return k of the cards in random order; the list is not changed."""
        pool = cards.copy()
        self.shuffle(pool)
        return pool if k >= len(pool) else pool[:k]

    def copy(self) -> Chance:
        """Return an independent stream that continues from the same point."""
        return Chance(self.a, self.b, self.c, self.counter)


def start_stream(a: int, b: int, c: int) -> Chance:
    """Start a stream from a key of three 32-bit words, warmed up as the author of sfc32 does.

    >>> hex(start_stream(0, 0, 0).bits())
    '0xfb52c520'
    """
    chance = Chance(a, b, c, 1)
    for _ in range(WARM_UP):
        chance.bits()
    return chance


def words(seed: int | str, path: str) -> bytes:
    """Return the 32-byte key of the stream with this seed and path."""
    return sha256(f"cardbattle/1|{seed}|{path}".encode()).digest()


def stream(seed: int | str, path: str) -> Chance:
    """Return the stream with this seed and path."""
    a, b, c = KEY.unpack(words(seed, path))
    return start_stream(a, b, c)


def child_seed(seed: int | str, path: str) -> int:
    """Derive the seed of one battle among many: a number from 0 to 2**63 - 1."""
    return int.from_bytes(words(seed, path)[:8], "little") >> 1


@mypyc_attr(allow_interpreted_subclasses=True)
class RandomSource:
    """The source of random events in a battle: drawn from a stream, or read from a record.

    This base class draws nothing; it serves for copies of a battle that must stay deterministic. In each
    method `kind` is the rule set's kind of event and `side` the side it concerns.
    """

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, including those of an interpreted subclass."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore pickled fields."""
        restore(self, state)

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Return one of the cards."""
        raise NotImplementedError

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return k of the cards in ascending order."""
        raise NotImplementedError

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return all cards in a new order."""
        raise NotImplementedError

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return the top k cards after shuffling, in that order."""
        raise NotImplementedError

    def copy(self) -> RandomSource:
        """Return an independent source that continues from the same point."""
        return self


class Drawn(RandomSource):
    """Random events drawn from a stream."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the source as its constructor argument."""
        return Drawn, (self.chance,)

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Return one of the cards, chosen uniformly."""
        return self.chance.choice(cards)

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return k of the cards, chosen uniformly, in ascending order."""
        return sorted(self.chance.sample(k, cards))

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return the cards in random order."""
        return self.chance.sample(len(cards), cards)

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return the top k cards after shuffling, in that order."""
        return self.chance.sample(k, cards)

    def copy(self) -> Drawn:
        """Return an independent source that continues from the same point."""
        return Drawn(self.chance.copy())
