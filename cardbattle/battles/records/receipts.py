"""Receipts of a battle by message: a hash chain over the moves, with links sent to the players during play.

Each message with a question has a receipt: a hash of all moves made so far, and of the player's own answers
that are still secret. The record contains the receipts and the salt, so that anyone can compute them again.
An umpire who discards a battle and begins it again with other answers cannot produce the receipts that were
already sent. Until the record is published, the secret salt keeps players from testing which hidden moves
fit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from cardbattle.core.errors import Diagnostic
from cardbattle.files import reader
from cardbattle.files.reader import TableReader

PROTOCOL = "cardbattle-receipt-1"
LENGTH = 32  # hexadecimal digits of a receipt: 128 bits
SALT = re.compile(r"[0-9a-f]{32}")
LINE = re.compile(rf"([1-9][0-9]{{0,8}}):(0|[1-9][0-9]{{0,8}}):([0-9a-f]{{{LENGTH}}})")


class QuestionMoment(NamedTuple):
    """The moment of a question to a player: its number, from 1, and the number of moves before it."""

    place: int
    made: int


class Chain:
    """The hash chain over the moves of one battle."""

    def __init__(self, salt: str, battle: str, moves: Sequence[str]) -> None:
        self.moves = moves
        self.links = [sha256_of(f"{PROTOCOL}|{battle}|{salt}")]
        for move in moves:
            self.links.append(sha256_of(f"{self.links[-1]}|{move}"))

    def __repr__(self) -> str:
        return f"<Chain of {len(self.moves)} moves>"

    def own(self, side: str) -> list[int]:
        """Return the indices of a side's own moves."""
        return [at for at, move in enumerate(self.moves) if move.startswith(f"{side} ")]

    def receipt(self, side: str, asked: QuestionMoment, secret: Sequence[str]) -> str:
        """Return the receipt of a side; `secret` are the moves of its answers that are still secret."""
        text = "|".join([self.links[asked.made], side, str(asked.place), *secret])
        return sha256_of(text).removeprefix("sha256:")[:LENGTH]

    def line(self, side: str, asked: QuestionMoment) -> str:
        """Return the receipt of a side in the form of a record, after all its answers have become moves."""
        before = self.own(side)[: asked.place - 1]
        secret = [self.moves[at] for at in before if at >= asked.made]
        return f"{asked.place}:{asked.made}:{self.receipt(side, asked, secret)}"


def sha256_of(text: str) -> str:
    """Return the SHA-256 of a text: `sha256:` and 64 hexadecimal digits."""
    return "sha256:" + sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def receipts_table(
    salt: str, battle: str, moves: Sequence[str], asked: Mapping[str, Sequence[QuestionMoment]]
) -> dict[str, object]:
    """Return the receipts of a finished battle for its record.

    `asked` has the moments of the questions by side; a receipt for the whole battle is added.
    """
    chain = Chain(salt, battle, moves)
    sides = {}
    for side, times in asked.items():
        last = QuestionMoment(len(chain.own(side)) + 1, len(moves))
        sides[side] = [chain.line(side, question) for question in sorted({*times, last})]
    return {"salt": salt, "sides": sides}


def read_receipts(table: TableReader) -> None:
    """Check the form of a record's receipts; append errors to the table."""
    if not table.data:
        return
    table.only(("salt", "sides"))
    table.need("salt", expect_salt, "")
    sides = table.table("sides")
    for side in sides.data:
        for place, line in enumerate(sides.need(side, reader.expect_texts, list[str]())):
            if not LINE.fullmatch(line):
                sides.wrong('expected "QUESTION:MOVES:RECEIPT"', side, place)


def expect_salt(value: object) -> str:
    """Return a valid salt. Raises ValueError."""
    if not isinstance(value, str) or not SALT.fullmatch(value):
        raise ValueError("expected 32 hexadecimal digits in lower case")
    return value


def receipt_errors(
    table: Mapping[str, object], battle: str, moves: Sequence[str], players: Sequence[str]
) -> list[Diagnostic]:
    """Return the contradictions between the receipts and the moves of a battle."""
    sides, salt = table["sides"], table["salt"]
    assert isinstance(sides, dict)
    chain = Chain(str(salt), battle, moves)
    if sorted(sides) != sorted(players):
        return [Diagnostic("the receipts do not belong to the sides with human players")]
    return [error for side, lines in sides.items() for error in side_errors(chain, side, lines)]


def side_errors(chain: Chain, side: str, lines: Sequence[str]) -> list[Diagnostic]:
    """Return the contradictions between the receipts of one side and the moves."""
    errors, last, indices = [], QuestionMoment(0, 0), [*chain.own(side), len(chain.moves)]
    for line in lines:
        place, move_count = map(int, line.split(":")[:2])
        in_order = last.place < place <= len(indices) and last.made <= move_count <= indices[place - 1]
        if not in_order or line != chain.line(side, QuestionMoment(place, move_count)):
            errors.append(Diagnostic(f"the receipt of {side} at question {place} does not match the moves"))
        last = QuestionMoment(place, move_count)
    if last != (len(indices), len(chain.moves)):
        errors.append(Diagnostic(f"the last receipt of {side} is missing"))
    return errors


def receipts_in(table: Mapping[str, object]) -> set[str]:
    """Return all receipts in a record's table."""
    receipts = table.get("receipts")
    sides = receipts.get("sides") if isinstance(receipts, dict) else None
    lines = [line for each in sides.values() for line in each] if isinstance(sides, dict) else []
    return {str(line).rpartition(":")[2] for line in lines}
