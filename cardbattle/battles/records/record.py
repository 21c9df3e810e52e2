"""Represent the record of one battle, and write it as the text of a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from os import PathLike
from typing import Any, NamedTuple

import tomli_w

from cardbattle.battles.records.battle_file import FORMAT, BattlePlan, SidePlan, canonical
from cardbattle.core.battle import Outcome, by_key
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import listed, quoted
from cardbattle.core.public_library import library
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.setup import seat_of

FOUGHT = ("engine", "table", "mixed")


PAGE = 100  # line width of a record in characters, except for moves


OUTPUT_ONLY = ("digest", "schema", "events")  # keys that are not part of the digest


class Record(NamedTuple):
    """The record of one battle that was fought to its end.

    Attributes:
        seats: the keys of the sides. `scores` and `losses` have the same order as `seats`. Losses are exact
            fractions from 0 to 1.
        winning_seats: the seats of the winning sides.
        setup: the setup with all cards of the deal. In a battle with real cards, the deal has only the cards
            that players reported.
        table: the content of the record's file.
        checks: hashes of the battle's state, by the number of moves made before.

    """

    id: str
    rules: RuleSet
    rules_version: int
    seed: int | str | None
    setup: Setup
    sides: list[SidePlan]
    winning_seats: list[int]
    reason: str
    scores: list[int]
    losses: list[Fraction]
    moves: list[str]
    checks: dict[int, str]
    fought: str
    table: dict[str, object]

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the record as plain values, which takes half the time. Workers send thousands of records."""
        fields: list[Any] = list(self)
        fields[SIDES_AT] = [tuple(side) for side in self.sides]
        fields[LOSSES_AT] = [share.as_integer_ratio() for share in self.losses]
        return rebuilt_record, tuple(fields)

    def __repr__(self) -> str:
        won = f"{listed(self.winners)} won" if self.winners else "drawn"
        return f"<Record {self.id} of {self.rules.name}: {won}, {self.reason}; {len(self.moves)} moves>"

    def _repr_html_(self) -> str | None:
        """Return the story and the result of the battle as HTML. Notebooks display this HTML.

        Returns None if the replay differs from the record.
        """
        html: str | None = library().html_of(self)
        return html

    def score(self, side: int | str) -> int:
        """Return the score of a side, which is given by its key or seat.

        Raises UsageError for an unknown side.
        """
        return self.scores[seat_of(side, self.seats)]

    def lost(self, side: int | str) -> Fraction:
        """Return the share of its force that a side lost, as an exact fraction.

        The side is given by its key or seat. Raises UsageError for an unknown side.
        """
        return self.losses[seat_of(side, self.seats)]

    @property
    def names(self) -> list[str]:
        """The names of the sides, in seat order."""
        return [side.noun for side in self.sides]

    @property
    def seats(self) -> list[str]:
        """The keys of the sides, in seat order."""
        return self.setup.seats

    @property
    def winners(self) -> list[str]:
        """The keys of the winning sides, in seat order.

        The list is empty after a draw, and has several keys after a shared win.
        """
        return self.outcome.winners

    @property
    def outcome(self) -> Outcome[str]:
        """The result of the battle. Winners are given by their keys."""
        losses = [share.as_integer_ratio() for share in self.losses]
        return by_key(Outcome(self.winning_seats, self.reason, losses), self.seats)

    def tale(self, detail: str = "log", side: str = "") -> str:
        """Return the battle as plain text, one fact per line.

        `detail` is `brief`, `story`, `log`, or `audit`, which is a log with the numbers of the rules. If
        `side` is the key of a side, the text contains only the information that this side may have.

        Raises ReplayMismatch if the moves do not lead to the recorded result, and UsageError if `detail` or
        `side` is unknown.
        """
        return str(library().tale_of(self, detail, side))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the record to a file atomically, and return the path of the file.

        Raises UsageError if the file belongs to a campaign, and SystemFailure if the file cannot be written.
        """
        library().save_record(self, path)


SIDES_AT, LOSSES_AT = Record._fields.index("sides"), Record._fields.index("losses")


def rebuilt_record(*fields: Any) -> Record:
    """Return a record that was pickled as plain values."""
    values = list(fields)
    values[SIDES_AT] = [SidePlan(*side) for side in fields[SIDES_AT]]
    values[LOSSES_AT] = [Fraction(lost, whole) for lost, whole in fields[LOSSES_AT]]
    return Record(*values)


def fraction_text(share: Fraction) -> str:
    """Return a fraction as text, in the notation of files.

    >>> fraction_text(Fraction(4, 10)), fraction_text(Fraction(0))
    ('2/5', '0')
    """
    return str(share)


def record_digest(table: Mapping[str, object]) -> str:
    """Return the SHA-256 hash of a record's canonical JSON without the key `digest`."""
    content = {key: value for key, value in table.items() if key not in OUTPUT_ONLY}
    return "sha256:" + sha256(canonical(content).encode("utf-8", "surrogatepass")).hexdigest()


def record_of(plan: BattlePlan, referee: Referee, fought: str) -> Record:
    """Return the record of a battle. Raises InvalidInput if the battle is not over."""
    if not referee.battle.is_over():
        raise InvalidInput("the battle is not over; only a finished battle has a record")
    outcome = referee.outcome()
    setup = referee.setup
    dealt = plan.rules.dealt(referee.battle, setup)
    complete = Setup(setup.seats, setup.house, setup.sides, dealt, setup.base)
    scores = [referee.battle.score(seat) for seat in range(len(setup.seats))]
    losses = [Fraction(lost, whole) for lost, whole in outcome.losses]
    table = table_so_far(plan, referee, fought, dealt)
    return Record(
        plan.id, plan.rules, plan.rules.version, plan.seed, complete, plan.sides, outcome.winners,
        outcome.reason, scores, losses, referee.moves, read_checks(referee.checks), fought, table,
    )  # fmt: skip


def table_so_far(
    plan: BattlePlan, referee: Referee, fought: str, dealt: Mapping[str, list[int]]
) -> dict[str, object]:
    """Return the content of a stored battle, without outcome and digest if it is not over."""
    setup = referee.setup
    is_over = referee.battle.is_over()
    outcome = by_key(referee.outcome(), setup.seats) if is_over else None
    table: dict[str, object] = {
        "format": FORMAT,
        "id": plan.id,
        "rules": plan.rules.key,
        "rules_version": plan.rules.version,
        **({} if plan.seed is None else {"seed": plan.seed}),
        "seats": setup.seats,
        **({"winners": outcome.winners, "reason": outcome.reason} if outcome else {}),
        "moves": referee.moves,
        "checks": referee.checks,
        **({"digest": ""} if is_over else {}),
        "fought": fought,
        "house": house_table(plan.rules, setup),
        "sides": {key: side_table(plan, referee, seat) for seat, key in enumerate(setup.seats)},
        "deal": deal_table(dealt, plan.rules),
    }
    files = plan.rules.files(setup)
    if files:
        table["files"] = files
    if plan.bound:
        table["bound"] = plan.bound
    if is_over:
        table["digest"] = record_digest(table)
    return table


def with_receipts(record: Record, receipts: Mapping[str, object]) -> Record:
    """Return a copy of a record that also contains the receipts of the players."""
    table = {**record.table, "receipts": receipts}
    return record._replace(table={**table, "digest": record_digest(table)})


def side_table(plan: BattlePlan, referee: Referee, seat: int) -> dict[str, object]:
    """Return the table of one side in a record. If the battle is over, the table has the side's result."""
    table: dict[str, object] = {
        "name": plan.sides[seat].name,
        **({} if plan.sides[seat].plural is None else {"plural": plan.sides[seat].plural}),
        "commander": plan.sides[seat].commander,
        **side_options_table(plan.rules, referee.setup, seat),
        **{word: lines for word, lines in orders_of(plan.sides[seat]).items() if lines},
    }
    if referee.battle.is_over():
        table["score"] = referee.battle.score(seat)
        table["losses"] = fraction_text(Fraction(*referee.outcome().losses[seat]))
    return table


def orders_of(side: SidePlan) -> dict[str, list[str]]:
    """Return the standing orders and the substitutes of a side as records contain them."""
    return {"standing": side.standing, "substitutes": side.substitutes}


def house_table(chosen: RuleSet, setup: Setup) -> dict[str, object]:
    """Return all house rules that have a value, as records contain them.

    House rules that choose between two interpretations of a rule are left out if they have their default
    value.
    """
    return {
        word: chosen.house[word].write(value)
        for word, value in setup.house.items()
        if chosen.house[word].is_recorded(value)
    }


def side_options_table(chosen: RuleSet, setup: Setup, seat: int) -> dict[str, object]:
    """Return the options of a side that differ from their defaults, as records contain them."""
    return {
        word: chosen.options[word].write(value)
        for word, value in setup.sides[seat].items()
        if value is not None and not chosen.is_usual(setup, seat, word)
    }


def deal_table(deal: Mapping[str, list[int]], chosen: RuleSet) -> dict[str, object]:
    """Return a deal with the names of its known cards, and piles in nested tables."""
    written: dict[str, object] = {}
    for pile, cards in deal.items():
        *tables_above, word = pile.split(".")
        inside = written
        for above in tables_above:
            inside = inside.setdefault(above, {})  # type: ignore[assignment]
        inside[word] = [chosen.card_text(card, pile) for card in cards if card >= 0]
    return written


def dumps_record(record: Record) -> str:
    """Format a record as TOML, with each move on its own line and other lists wrapped."""
    return dumps_table(record.table)


def dumps_table(table: Mapping[str, object]) -> str:
    """Format the content of a record, or of the file of a battle in progress, as TOML."""
    return LONG_LIST.sub(wrap_list, tomli_w.dumps(table))


LONG_LIST = re.compile(r"^(?!moves|checks)(\w+) = \[\n((?:    .*,\n)+)\]$", re.MULTILINE)


def wrap_list(match: re.Match[str]) -> str:
    """Wrap a list, which has one item on each line, at the line width of records."""
    items = [line.strip() for line in match[2].splitlines()]
    line = f"{match[1]} = [{' '.join(items).removesuffix(',')}]"
    if len(line) <= PAGE:
        return line
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) >= PAGE:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else '    '}{item}"
    return "\n".join([f"{match[1]} = [", *lines, "]"])


def read_checks(checks: list[str]) -> dict[int, str]:
    """Parse the state hashes in a record, and return a dictionary from numbers of moves to hashes.

    Each hash consists of the first 16 hexadecimal digits (64 bits) of a SHA-256 hash.

    Raises ValueError if a hash is not valid or the numbers of moves are not in ascending order.
    """
    table: dict[int, str] = {}
    for check in checks:
        move_count, colon, hashed = check.partition(":")
        is_number = (
            move_count.isascii()
            and move_count.isdigit()
            and len(move_count) < 9
            and str(int(move_count)) == move_count
        )
        if not colon or not is_number or len(hashed) != 16 or hashed.strip("0123456789abcdef"):
            raise ValueError(
                "expected a number of moves and 16 hexadecimal digits, "
                f'such as "20:9c1e...", got {quoted(check)}'
            )
        table[int(move_count)] = hashed
    if list(table) != sorted(table) or len(table) != len(checks):
        raise ValueError("expected the checks in the order of the moves, each once")
    return table
