"""Draw random seeds that are too long to guess, and write them as pronounceable words."""

from __future__ import annotations

import secrets
from math import log2

CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"
WORDS = 8  # number of words in a seed; each word has 16 bits
ENOUGH = 60  # number of bits that is safe: with a billion tries per second, guessing takes 36 years
A_LETTER = 2.0  # entropy of one letter of ordinary text, in bits


def draw_seed() -> str:
    """Return a random seed of 128 bits, written as eight words with hyphens."""
    return "-".join(proquint(secrets.randbits(16)) for _ in range(WORDS))


def proquint(number: int) -> str:
    """Return a 16-bit number as a pronounceable word of five letters.

    Source: Daniel S. Wilkerson, A Proposal for Proquints, 2009.

    >>> proquint(0x7F00), proquint(0x0001)
    ('lusab', 'babad')
    """
    letters = (CONSONANTS[number >> 12 & 15], VOWELS[number >> 10 & 3], CONSONANTS[number >> 6 & 15])
    return "".join((*letters, VOWELS[number >> 4 & 3], CONSONANTS[number & 15]))


def bits_of(seed: int | str) -> int:
    """Estimate how many bits someone must guess to find out a seed.

    If the seed is a number, the result is the number of its bits. In a text, each letter counts as at most
    two bits.

    >>> bits_of(1403), bits_of("1403"), bits_of("Shrewsbury"), bits_of("aaaaaaaaaaaaaaaaaaaaaaaa")
    (11, 11, 20, 0)
    """
    if isinstance(seed, int):
        return seed.bit_length()
    if seed.isascii() and seed.isdigit():
        return int(seed).bit_length()
    return int(len(seed) * min(A_LETTER, log2(len(set(seed)))))


def is_visible(seed: int | str, data: object) -> bool:
    """Return True if a seed is a string that is part of any string in `data`.

    `data` can contain nested lists and dictionaries.

    >>> is_visible("the black banner", {"pending": [{"note": "Under the black banner."}]})
    True
    """
    if isinstance(data, dict):
        return any(is_visible(seed, value) for value in data.values())
    if isinstance(data, list):
        return any(is_visible(seed, value) for value in data)
    return isinstance(seed, str) and isinstance(data, str) and seed.casefold() in data.casefold()


def is_guessable(seed: int | str) -> bool:
    """Return True if a program could find this seed by trying many seeds."""
    return bits_of(seed) < ENOUGH
