"""Give players receipts, which prove later that the moves of a battle by message were not changed.

Each message with a question contains a receipt. A receipt is a hash of all moves so far and of those answers
of the player that are still secret. It is computed from a hash chain over the moves, whose first hash depends
on a random number, the salt. The record contains the receipts and the salt, so that anyone can compute the
receipts again. If an umpire discards a battle and begins it again with other answers, the receipts that
players already have no longer match. The salt is secret until the record is published, so that players cannot
use a receipt to test guesses about hidden moves.
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
LENGTH = 32  # number of hexadecimal digits in a receipt: 128 bits
SALT = re.compile(r"[0-9a-f]{32}")
LINE = re.compile(rf"([1-9][0-9]{{0,8}}):(0|[1-9][0-9]{{0,8}}):([0-9a-f]{{{LENGTH}}})")


class QuestionMoment(NamedTuple):
    """A question to a player: its number, counted from 1, and the number of moves before it."""

    place: int
    made: int


class Chain:
    """The hash chain over the moves of one battle."""

    def __init__(self, salt: str, battle: str, moves: Sequence[str]) -> None:
        self.moves = moves
        self.links = [sha256_of(f"{PROTOCOL}|{battle}|{salt}")]
        for move in moves:
            self.links.append(sha256_of(f"{self.links[-1]}|{move}"))

    def own(self, side: str) -> list[int]:
        """Return the indices of the moves that a side made."""
        return [at for at, move in enumerate(self.moves) if move.startswith(f"{side} ")]

    def receipt(self, side: str, asked: QuestionMoment, secret: Sequence[str]) -> str:
        """Return the receipt for a question. `secret` has the side's secret answers, written as moves."""
        text = "|".join([self.links[asked.made], side, str(asked.place), *secret])
        return sha256_of(text).removeprefix("sha256:")[:LENGTH]

    def line(self, side: str, asked: QuestionMoment) -> str:
        """Return a receipt as records contain it.

        The battle must be over, so that no answer is still secret.
        """
        before = self.own(side)[: asked.place - 1]
        secret = [self.moves[at] for at in before if at >= asked.made]
        return f"{asked.place}:{asked.made}:{self.receipt(side, asked, secret)}"


def sha256_of(text: str) -> str:
    """Return the SHA-256 hash of a text: `sha256:` followed by 64 hexadecimal digits."""
    return "sha256:" + sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def receipts_table(
    salt: str, battle: str, moves: Sequence[str], asked: Mapping[str, Sequence[QuestionMoment]]
) -> dict[str, object]:
    """Return the table of receipts for the record of a finished battle.

    `asked` has the moments of all questions to a side, by the key of the side. Each side also gets a receipt
    for the whole battle.
    """
    chain = Chain(salt, battle, moves)
    sides = {}
    for side, times in asked.items():
        last = QuestionMoment(len(chain.own(side)) + 1, len(moves))
        sides[side] = [chain.line(side, question) for question in sorted({*times, last})]
    return {"salt": salt, "sides": sides}


def read_receipts(table: TableReader) -> None:
    """Check the form of the table `receipts` of a record. Errors are appended to `table.errors`."""
    table.only(("salt", "sides"))
    table.need("salt", expect_salt, "")
    if "sides" not in table.data:
        table.wrong("sides is missing; list the receipts of every side with a human player")
    sides = table.table("sides")
    for side in sides.data:
        for place, line in enumerate(sides.need(side, reader.expect_texts, list[str]())):
            if not LINE.fullmatch(line):
                sides.wrong('expected "QUESTION:MOVES:RECEIPT"', side, place)


def expect_salt(value: object) -> str:
    """Return the value if it is a valid salt. Raises ValueError if it is not."""
    if not isinstance(value, str) or not SALT.fullmatch(value):
        raise ValueError("expected 32 hexadecimal digits in lower case")
    return value


def receipt_errors(
    table: Mapping[str, object], battle: str, moves: Sequence[str], players: Sequence[str]
) -> list[Diagnostic]:
    """Return an error for each receipt that does not match the moves of the battle."""
    sides, salt = table["sides"], table["salt"]
    assert isinstance(sides, dict)
    chain = Chain(str(salt), battle, moves)
    if sorted(sides) != sorted(players):
        return [Diagnostic("the receipts do not belong to the sides with human players")]
    return [error for side, lines in sides.items() for error in side_errors(chain, side, lines)]


def side_errors(chain: Chain, side: str, lines: Sequence[str]) -> list[Diagnostic]:
    """Return an error for each receipt of one side that does not match the moves of the battle."""
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
    receipts = table.get("receipts")
    sides = receipts.get("sides") if isinstance(receipts, dict) else None
    lines = [line for each in sides.values() for line in each] if isinstance(sides, dict) else []
    return {str(line).rpartition(":")[2] for line in lines}
