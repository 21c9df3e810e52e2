"""Represent playing cards as integers, and convert them from and to text.

A card is `64 * pack + 4 * rank + suit`. Packs are numbered from 0, ranks are 2 to 14 (Ace 14), and the suits
S H D C are 0 to 3. The Jokers of the first pack are 60 (RJ) and 61 (BJ). Some games have eight numbered
Jokers, which are 0 to 7 (J1 to J8). If you sort cards as integers, they are sorted by pack, then by rank,
then by suit.
"""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from cardbattle.core.names import quoted

PACK: Final = 64
PACKS: Final = 4  # maximum number of packs in a battle
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
ACE: Final = 14
RED_JOKER: Final = 60
BLACK_JOKER: Final = 61
JOKERS: Final = [RED_JOKER, BLACK_JOKER]
RANKS: Final = ["", "", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS: Final = "SHDC"

CARD_RANK: Final = {text: rank for rank, text in enumerate(RANKS) if text} | {"T": 10}
CARD_SUIT: Final = {sign: suit for suit, signs in enumerate(["S♠♤", "H♥♡", "D♦♢", "C♣♧"]) for sign in signs}
JOKER_CARD: Final = {"RJ": RED_JOKER, "BJ": BLACK_JOKER} | {f"J{n}": n - 1 for n in range(1, 9)}


def rank_of(card: int) -> int:
    """Return the rank of a card.

    The rank is 2 to 14, or 15 for a red or black Joker, or 0 or 1 for a numbered Joker.
    """
    return (card & 63) >> 2


def is_among(card: int, cards: list[int]) -> bool:
    """Return True if the list contains the card.

    In compiled code this is much faster than `in`. In interpreted code it is much faster than `any`.
    """
    objects: list[Any] = cards  # untyped, so that compiled code converts each element to `i64` at once
    wanted: i64 = card
    candidate: i64
    for candidate in objects:  # noqa: SIM110
        if candidate == wanted:
            return True
    return False


def take_out(card: int, cards: list[int]) -> bool:
    """Remove a card from a list of cards. Return True if the list contained the card."""
    objects: list[Any] = cards
    wanted: i64 = card
    candidate: i64
    for place, candidate in enumerate(objects):
        if candidate == wanted:
            cards.pop(place)
            return True
    return False


def add_in_order(card: int, cards: list[int]) -> None:
    """Insert a card into cards in ascending order. In compiled code this is faster than `bisect.insort`."""
    place = len(cards)
    while place > 0 and cards[place - 1] > card:
        place -= 1
    cards.insert(place, card)


def standard_pack() -> list[int]:
    """Return the 52 cards of one pack in ascending order."""
    return list(range(8, 60))


def card_text(card: int) -> str:
    """Return the name of a card in ASCII notation. The name of an unknown card is `?`.

    >>> [card_text(card) for card in (52, 42, 60, 64 + 29)]
    ['KS', '10D', 'RJ', "7H'"]
    """
    if card < 0:
        return "?"
    rank = rank_of(card)
    primes = "'" * (card // PACK)
    if rank < 2:
        return f"J{(card & 63) + 1}{primes}"
    if rank == 15:
        return ("RJ", "BJ")[card & 1] + primes
    return RANKS[rank] + SUITS[card & 3] + primes


def read_card(text: str) -> int:
    """Return the card with this name. Raises ValueError if `text` is not the name of a card.

    Lower case, T for 10, and the symbols of the suits are also accepted.

    >>> read_card("ks"), read_card("T♦"), read_card("7H'")
    (52, 42, 93)
    """
    word = text.strip().upper().replace("\ufe0f", "").replace("′", "'").replace("’", "'")
    face = word.rstrip("'")
    pack = len(word) - len(face)
    rank, suit = CARD_RANK.get(face[:-1]), CARD_SUIT.get(face[-1:])
    if face in JOKER_CARD and pack < PACKS:
        return PACK * pack + JOKER_CARD[face]
    if rank is None or suit is None or pack >= PACKS:
        raise ValueError(f"{quoted(text)} is not a card; write a rank and a suit, such as KS or 10H")
    return PACK * pack + 4 * rank + suit
