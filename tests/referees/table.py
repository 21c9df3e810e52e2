"""The table that all referees share: seed streams, cards, moves and rulings, after docs/format-record.md."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn, TypeVar

Item = TypeVar("Item")
WORD = 2**32
RANKS = {str(rank): rank for rank in range(2, 11)} | {"J": 11, "Q": 12, "K": 13, "A": 14}


class Refused(Exception):
    """A record that does not follow the rules: the number of the move (from 1), the rule, the reason."""

    def __init__(self, move: int, rule: str, reason: str) -> None:
        super().__init__(f"move {move}: {rule}: {reason}")
        self.move = move
        self.rule = rule


class Ruling(NamedTuple):
    """How a battle ended; scores and losses are by seat."""

    winners: list[str]
    reason: str
    scores: list[int]
    losses: list[Fraction]


class Dice:
    """The random numbers of one stream (sfc32)."""

    def __init__(self, seed: int | str, path: str) -> None:
        key = hashlib.sha256(f"cardbattle/1|{seed}|{path}".encode()).digest()
        self.a, self.b, self.c = (int.from_bytes(key[i : i + 4], "little") for i in (0, 4, 8))
        self.counter = 1
        for _ in range(15):
            self.word()

    def word(self) -> int:
        a, b, c = self.a, self.b, self.c
        word = (a + b + self.counter) % WORD
        self.counter = (self.counter + 1) % WORD
        self.a = b ^ (b >> 9)
        self.b = (c + (c << 3)) % WORD
        self.c = (((c << 21) | (c >> 11)) + word) % WORD
        return word

    def below(self, n: int) -> int:
        product = self.word() * n
        while product % WORD < WORD % n:
            product = self.word() * n
        return product // WORD

    def shuffle(self, items: list[Item]) -> list[Item]:
        """Shuffle a list in place, and return it."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


def plain(card: str) -> str:
    """Return a playing card without the marks of its pack."""
    return card.rstrip("'")


def rank_of(card: str) -> int:
    """Return the rank of a playing card with a suit, 2 to 14."""
    return RANKS[plain(card)[:-1]]


def card_number(card: str) -> int:
    """Return the number that defines ascending order."""
    name = plain(card)
    primes = 64 * (len(card) - len(name))
    if name in ("RJ", "BJ"):
        return primes + 60 + ("RJ", "BJ").index(name)
    if name[0] == "J" and name[1] in "12345678":
        return primes + int(name[1]) - 1
    return primes + 4 * rank_of(card) + "SHDC".index(name[-1])


def pack(*jokers: str) -> list[str]:
    """Return one pack in ascending order."""
    return sorted([*jokers, *(rank + suit for rank in RANKS for suit in "SHDC")], key=card_number)


class Table:
    """A record on the table: its setup, and its moves one after another."""

    def __init__(self, record: Mapping[str, Any], rules: str) -> None:
        self.seats: list[str] = list(record["seats"])
        self.house: Mapping[str, Any] = record["house"]
        self.sides = [record["sides"][key] for key in self.seats]
        self.deal: Mapping[str, Any] = record["deal"]
        self.moves: list[str] = list(record["moves"])
        self.seed: int | str = record["seed"]
        self.made = 0  # moves so far
        self.dice = Dice(self.seed, "battle")
        if record["rules"] != rules or record["fought"] != "engine":
            self.refuse("record", f"not a dealt battle of {rules}")

    def options(self, key: str, default: Any = None) -> list[Any]:
        """Return the option of each side, by seat."""
        return [side.get(key, default) for side in self.sides]

    def refuse(self, rule: str, reason: str) -> NoReturn:
        """Refuse the record because of the latest move."""
        raise Refused(self.made, rule, reason)

    def take_move(self, rule: str) -> str:
        if self.made == len(self.moves):
            self.refuse(rule, "the record ends too early")
        self.made += 1
        return self.moves[self.made - 1]

    def ask(self, seat: int, options: Sequence[str], rule: str, unlisted: Iterable[str] = ()) -> str:
        """Take the next move, which must be an option of this side, and return its text without the side."""
        side, _, text = self.take_move(rule).partition(" ")
        if side != self.seats[seat]:
            self.refuse(rule, f"it is the turn of {self.seats[seat]}, not of {side}")
        if text not in options and text not in unlisted:
            self.refuse(rule, f"{text} is not one of {', '.join(options)}")
        return text

    def choose(self, seat: int, options: Sequence[str], rule: str, unlisted: Iterable[str] = ()) -> str:
        """Do the same, but a side with a single option is not asked."""
        return options[0] if len(options) == 1 else self.ask(seat, options, rule, unlisted)

    def fate(self, event: str, rule: str) -> None:
        """Check that the next move is this random event."""
        if (move := self.take_move(rule)) != f"fate {event}":
            self.refuse(rule, f'"{move}" instead of "fate {event}"')

    def check_pile(self, cards: list[str], *path: str) -> None:
        """Check that a pile of the deal has these cards."""
        pile: Any = self.deal
        for key in path:
            pile = pile.get(key, {})
        if pile != cards:
            self.refuse("deal", f"{'.'.join(path)} is {cards}, not {pile}")

    def close(self) -> None:
        """Check that no move is left at the end of the battle."""
        if self.made < len(self.moves):
            self.take_move("end")
            self.refuse("end", "the battle was over before this move")


def compare(record: Mapping[str, Any], ruling: Ruling) -> None:
    """Refuse a record whose result is not this ruling."""
    sides = [record["sides"][key] for key in record["seats"]]
    recorded = Ruling(
        record["winners"],
        record["reason"],
        [side["score"] for side in sides],
        [Fraction(side["losses"]) for side in sides],
    )
    if ruling != recorded:
        raise Refused(len(record["moves"]), "result", f"{ruling} instead of {recorded}")


def digest(record: Mapping[str, Any]) -> str:
    """Return the digest of a record's content."""
    content = {key: value for key, value in record.items() if key not in ("digest", "schema", "events")}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
