"""Chance: the generator's published numbers, streams by path, and fair draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.core.chance import Chance, Drawn, RandomSource, child_seed, start_stream, stream, words
from tests.support.characters import UNICODE

WORD = st.integers(0, 2**32 - 1)


def drawn(chance: Chance, n: int) -> list[int]:
    """Return the next n words."""
    return [chance.bits() for _ in range(n)]


def hexed(chance: Chance, n: int) -> str:
    """Return the next n words as the publications print them."""
    return " ".join(f"{word:08X}" for word in drawn(chance, n))


def warmed(a: int, b: int, c: int, rounds: int) -> Chance:
    """Return sfc32 as other publications begin it."""
    chance = Chance(a, b, c, 1)
    drawn(chance, rounds)
    return chance


# The generator


def test_sfc32_draws_the_numbers_its_author_published() -> None:
    """PractRand seeds with 64 bits and three words each and discards fifteen."""
    assert hexed(start_stream(0, 0, 0), 16) == (
        "FB52C520 38802BE1 948279E6 EC4BF1D9 7CB0A909 FAD8B4A8 3CA4B808 3821B4C5 "
        "5E7023CA 50F26BF7 F1E1B0A2 6163032F 3BF3C9A4 6DB6C5E0 57331C8C 2AAF9993"
    )
    assert hexed(start_stream(0, 0x89ABCDEF, 0x01234567), 8) == (
        "35E05B54 4C627CA1 33A043E2 B6113C67 7CAB9699 4A52EFEB 5936797F 139E2B9F"
    )


def test_sfc32_agrees_with_suites_that_discard_twelve() -> None:
    """Two more published vectors, with twelve rounds before the first number."""
    assert hexed(warmed(0, 0, 0, 12), 4) == "514676C3 08A809DF 30349D2B FB52C520"
    assert drawn(warmed(0, 12345, 0, 12), 10) == [
        235160590,
        2967261163,
        116171463,
        2882324903,
        362604721,
        4227106926,
        1933307004,
        1608300071,
        2256615412,
        2701957640,
    ]


@given(WORD, WORD, WORD)
def test_every_word_has_32_bits(a: int, b: int, c: int) -> None:
    """No lane ever leaves 32 bits, so that every platform draws the same."""
    chance = start_stream(a, b, c)
    assert all(0 <= word < 2**32 for word in drawn(chance, 20))
    assert all(0 <= lane < 2**32 for lane in (chance.a, chance.b, chance.c, chance.counter))


def test_a_copy_goes_on_by_itself() -> None:
    """A copy draws what the stream would have drawn, and neither disturbs the other."""
    chance = stream(1403, "battle")
    drawn(chance, 3)
    copy = chance.copy()
    assert drawn(copy, 5) == drawn(chance, 5)
    drawn(copy, 2)
    assert drawn(chance, 1) != drawn(copy, 1)


# Streams


def test_a_stream_is_keyed_by_the_hash_of_seed_and_path() -> None:
    """The key is SHA-256 of `cardbattle/1|seed|path`; its first twelve bytes are the lanes."""
    key = sha256(b"cardbattle/1|1403|side/percy").digest()
    assert words(1403, "side/percy") == key
    lanes = [int.from_bytes(key[at : at + 4], "little") for at in (0, 4, 8)]
    assert drawn(stream(1403, "side/percy"), 8) == drawn(start_stream(*lanes), 8)


def test_streams_stay_as_they_were_released() -> None:
    """These numbers are in records that people keep: they never change."""
    assert hexed(stream(1403, "deal"), 3) == "D0AE3B3C 25336F44 381B774B"
    assert hexed(stream("Shrewsbury, 1403", "battle"), 3) == "BCE00A98 01A18208 E001AC7D"
    assert child_seed(1403, "series/1") == 7510400504712800560


@pytest.mark.slow
@given(st.integers(0, 2**63 - 1), st.text("ab1/|é", max_size=6), st.text("ab1/|é", max_size=6))
def test_paths_are_independent(seed: int, one: str, other: str) -> None:
    """Another path is another stream; the same path is the same."""
    alike = drawn(stream(seed, one), 4) == drawn(stream(seed, other), 4)
    assert alike == (one == other)


def test_a_consumer_disturbs_no_other() -> None:
    """Drawing from one path changes nothing on another."""
    before = drawn(stream(7, "deal"), 4)
    drawn(stream(7, "battle"), 1000)
    assert drawn(stream(7, "deal"), 4) == before


def test_a_seed_may_be_a_number_or_a_text() -> None:
    """Both are keyed by what is written; neighbours share nothing."""
    assert drawn(stream("Bosworth", "deal"), 4) != drawn(stream("bosworth", "deal"), 4)
    assert drawn(stream(1, "deal"), 4) != drawn(stream(2, "deal"), 4)
    assert drawn(stream(2**63 - 1, "deal"), 4) == drawn(stream(str(2**63 - 1), "deal"), 4)
    assert len(drawn(stream("Zürich 🎲", "deal"), 4)) == 4


@given(st.one_of(st.integers(0, 2**63 - 1), st.text(UNICODE, max_size=10)), st.integers(0, 10**6))
def test_a_child_seed_is_a_seed(seed: int | str, n: int) -> None:
    """The seed of a child can itself be in a file: 0 to 2**63 - 1."""
    assert 0 <= child_seed(seed, f"series/{n}") < 2**63


def test_child_seeds_differ() -> None:
    """A thousand battles of a series have a thousand seeds."""
    assert len({child_seed(1403, f"series/{n}") for n in range(1000)}) == 1000


# Draws


@given(WORD, st.integers(1, 2**31))
def test_below_stays_below(a: int, n: int) -> None:
    """`below` returns 0 to n - 1, for n up to 2**31."""
    assert 0 <= start_stream(a, 0, 0).below(n) < n


def beginning(word: int, lane: int = 0) -> Chance:
    """Return a stream whose next word is `word`, and whose word after it is 9 * `lane` + 1."""
    return Chance(word, 0, lane, 0)


def test_below_rejects_exactly_the_words_that_would_be_unfair() -> None:
    """2**32 = 3 * 1431655765 + 1: of the words for 3 only the one with low part 0 is drawn again."""
    assert drawn(beginning(7, 2**28), 2) == [7, 9 * 2**28 + 1]
    assert beginning(0, 2**28).below(3) == 1
    assert beginning(0).below(3) == 0
    assert beginning(1, 2**28).below(3) == 0
    assert beginning(2**32 - 1).below(3) == 2
    assert beginning(0, 2**28).below(4) == 0  # a power of two rejects nothing
    assert beginning(2**32 - 1).below(2**31) == 2**31 - 1


@pytest.mark.parametrize("rejected", [0, 1, 2, 5])
def test_below_goes_on_until_a_word_is_fair(rejected: int) -> None:
    """However many unfair words come in a row, each is thrown away, and no more than those."""

    class Given(Chance):
        def bits(self) -> int:
            return left.pop(0)

    bound = 3 << 30  # 2**32 is this and a third of it: one word in four is unfair
    left = [0] * rejected + [2**32 - 1, 77]
    assert Given(0, 0, 0, 1).below(bound) == (2**32 - 1) * bound >> 32
    assert left == [77]


def test_every_outcome_of_below_has_as_many_words() -> None:
    """With lanes cut to 8 bits the count is done for all words: the same number for each outcome."""
    for n in range(1, 257):
        taken = Counter((word * n) >> 8 for word in range(256) if (word * n) & 255 >= 256 % n)
        assert set(taken.values()) == {256 // n}, n


@given(st.lists(st.integers(0, 300), max_size=30), WORD)
def test_a_shuffle_loses_nothing(cards: list[int], seed: int) -> None:
    """A shuffle is an order of the same cards, a sample a part of one; the list given stays."""
    mixed_up = cards.copy()
    start_stream(seed, 1, 2).shuffle(mixed_up)
    assert sorted(mixed_up) == sorted(cards)
    k = seed % (len(cards) + 1)
    sample = start_stream(seed, 1, 2).sample(k, cards)
    assert sample == mixed_up[:k]
    if cards:
        assert start_stream(seed, 3, 4).choice(cards) in cards


def chi_square(counts: list[int]) -> float:
    """Return how far these counts are from equal ones."""
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 for count in counts) / mean


CRITICAL = {5: 25.74, 7: 29.88, 23: 57.07, 51: 97.34}  # degrees of freedom: 1 in 10 000 is beyond
TRIES = 24_000


def unfairness(shuffle: Callable[[Chance, list[int]], None]) -> float:
    """Return the chi-square of the 24 orders of four cards, as a part of its critical value."""
    chance = stream("fair", "shuffle")
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(TRIES):
        cards = [0, 1, 2, 3]
        shuffle(chance, cards)
        orders[tuple(cards)] += 1
    return chi_square([orders[order] for order in permutations(range(4))]) / CRITICAL[23]


@pytest.mark.slow
def test_every_order_is_equally_likely() -> None:
    """The 24 orders of four cards come up alike."""
    assert unfairness(Chance.shuffle) < 1


def swap_with_any(chance: Chance, cards: list[int]) -> None:
    """Shuffle as many people do: 4**4 ways cannot be shared out among 24 orders."""
    for i in range(len(cards)):
        j = chance.below(len(cards))
        cards[i], cards[j] = cards[j], cards[i]


def sattolo(chance: Chance, cards: list[int]) -> None:
    """Shuffle off by one: no card ever stays where it is."""
    for i in range(len(cards) - 1, 0, -1):
        j = chance.below(i)
        cards[i], cards[j] = cards[j], cards[i]


def sort_by_small_key(chance: Chance, cards: list[int]) -> None:
    """Sort by a random key so small that keys are often equal."""
    keyed = [(chance.below(16), at, card) for at, card in enumerate(cards)]
    cards[:] = [card for _, _, card in sorted(keyed)]


@pytest.mark.slow
@pytest.mark.parametrize("shuffle", [swap_with_any, sattolo, sort_by_small_key])
def test_a_broken_shuffle_is_found_out(shuffle: Callable[[Chance, list[int]], None]) -> None:
    """The test above would fail for each of three well-known mistakes."""
    assert unfairness(shuffle) > 1


@pytest.mark.slow
def test_every_card_falls_everywhere_alike() -> None:
    """In a pack of 52 a card comes to each place equally often, and each card to the top."""
    chance = stream("fair", "pack")
    places, tops = [0] * 52, [0] * 52
    for _ in range(5200):
        cards = list(range(52))
        chance.shuffle(cards)
        places[cards.index(17)] += 1
        tops[cards[0]] += 1
    assert chi_square(places) < CRITICAL[51]
    assert chi_square(tops) < CRITICAL[51]


@pytest.mark.parametrize("n", [6, 8])
def test_a_choice_is_fair(n: int) -> None:
    """Each of n cards is chosen equally often."""
    chance = stream("fair", f"choice/{n}")
    counts = Counter(chance.choice(list(range(n))) for _ in range(TRIES))
    assert chi_square([counts[card] for card in range(n)]) < CRITICAL[n - 1]


@pytest.mark.slow
def test_a_sample_is_fair() -> None:
    """Each of the 24 ways to take 3 of 4 cards in order comes up alike."""
    chance = stream("fair", "sample")
    counts = Counter(tuple(chance.sample(3, [0, 1, 2, 3])) for _ in range(TRIES))
    assert chi_square([counts[order] for order in permutations(range(4), 3)]) < CRITICAL[23]


# Fate


def test_drawn_fate_takes_from_its_stream() -> None:
    """One of is a choice, some of a sample ascending, order of a whole sample."""
    cards = [9, 4, 30, 17]
    random_source = Drawn(stream(5, "battle"))
    same = stream(5, "battle")
    assert random_source.one_of(1, 0, cards) == same.choice(cards)
    assert random_source.some_of(1, 0, 2, cards) == sorted(same.sample(2, cards))
    assert random_source.order_of(1, 0, cards) == same.sample(4, cards)
    assert cards == [9, 4, 30, 17]


def test_a_shuffle_in_place_gives_the_order_of_all_cards() -> None:
    """Sources that draw from a stream and all other sources keep this law."""
    order = Drawn(stream(1, "x")).order_of(1, 0, [8, 9, 10, 11, 12])
    for shuffle in (Drawn.shuffle, RandomSource.shuffle):
        cards = [8, 9, 10, 11, 12]
        shuffle(Drawn(stream(1, "x")), 1, 0, cards)
        assert cards == order


@pytest.mark.parametrize("k", range(6))
def test_the_top_of_a_shuffled_pack_is_its_first_cards(k: int) -> None:
    """They have the same order as in the whole shuffled pack."""
    cards = [8, 9, 10, 11, 12]
    top = Drawn(stream(1, "x")).top_of(1, 0, k, cards)
    assert top == Drawn(stream(1, "x")).order_of(1, 0, cards)[:k]
    assert sorted(top) == Drawn(stream(1, "x")).some_of(1, 0, k, cards)


def test_a_copy_of_drawn_fate_is_independent() -> None:
    """What a copy draws, the fate itself still has before it."""
    random_source = Drawn(stream(5, "battle"))
    copy = random_source.copy()
    assert [copy.one_of(1, 0, list(range(50))) for _ in range(5)] == [
        random_source.one_of(1, 0, list(range(50))) for _ in range(5)
    ]


def test_fate_that_has_nothing_gives_nothing() -> None:
    """The plain source stands where chance must not be met."""
    for draw in (RandomSource().one_of, RandomSource().order_of):
        with pytest.raises(NotImplementedError):
            draw(1, 0, [2])
    for draw_some in (RandomSource().some_of, RandomSource().top_of):
        with pytest.raises(NotImplementedError):
            draw_some(1, 0, 1, [2])
