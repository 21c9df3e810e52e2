"""Read records. A record that is not valid in every detail is rejected."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from cardbattle.battles.records.battle_file import (
    FORMAT,
    SidePlan,
    contradictions,
    read_bound,
    read_deal,
    read_house,
    read_options,
    rule_set,
)
from cardbattle.battles.records.receipts import read_receipts
from cardbattle.battles.records.record import FOUGHT, Record, house_table, read_checks, side_options_table
from cardbattle.core.chance import stream
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.names import clean, listed, quoted
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.spelling import mover_error
from cardbattle.files import reader
from cardbattle.files.reader import TableReader

KEYS = (
    "format", "id", "rules", "rules_version", "seed", "seats", "winners", "reason", "moves", "checks",
    "digest", "fought", "house", "files", "sides", "deal", "bound", "receipts",
)  # fmt: skip


def read_record(data: Mapping[str, object], base: str = "") -> Record:
    """Check the content of a record's file, and return the record.

    Raises InvalidInput, which lists all errors, if the content is not valid.

    The function does not check the digest of the record. Call `check_digest` for this.
    """
    errors: list[Diagnostic] = []
    table = TableReader(dict(data), (), errors)
    table.only(KEYS)
    if table.need("format", reader.expect_whole, FORMAT) != FORMAT:
        table.wrong("this program reads format 1", "format")
    chosen = table.need("rules", rule_set_by_key, None)
    if chosen is None:
        raise InvalidInput(errors)
    record = read_fields(table, chosen, base)
    if not errors:
        errors += contradictions(record.setup, chosen, errors)
    if not errors:
        errors += file_change_errors(record)
    if not errors and record.fought != "table":
        errors += incomplete(record) + differences_from_program(record)
    if errors:
        raise InvalidInput(errors)
    return record


def file_change_errors(record: Record) -> list[Diagnostic]:
    """Return an error for each file that a house rule refers to, if the file has changed since the battle."""
    table_reader = TableReader(record.table.get("files", {}), ("files",), [])
    current = record.rules.files(record.setup)
    table_reader.only(current, "file of house rule")
    for word, digest in current.items():
        if table_reader.take(word, reader.expect_text, digest) != digest:
            name = quoted(record.setup.house[word])
            text = f"the file {name} has changed since this battle was fought; restore it"
            table_reader.errors.append(Diagnostic(text, at=("house", word)))
    return table_reader.errors


def differences_from_program(record: Record) -> list[Diagnostic]:
    """Return an error for each side that the program would write differently into the record.

    If the program would write the house rules differently, there is an error for them too.
    """
    sides = record.table["sides"]
    assert isinstance(sides, dict)
    options = record.rules.options
    results = []
    for seat, key in enumerate(record.setup.seats):
        written = {word: value for word, value in sides[key].items() if word in options}
        if written != side_options_table(record.rules, record.setup, seat):
            text = "a record omits default values, and sorts lists of cards"
            results.append(Diagnostic(text, at=("sides", key)))
    if record.table["house"] != house_table(record.rules, record.setup):
        results.append(
            Diagnostic(
                "a record omits the default reading of a rule, and sorts lists of cards", at=("house",)
            )
        )
    return results


def incomplete_pile(cards: Sequence[int] | None, size: int) -> str:
    """Return the error for a pile without all its cards. `cards` is None if the pile is missing."""
    if cards is None and not size:
        return "the pile is missing; it has no cards, so write []"
    had = f"the pile has {len(cards or [])} cards of {size}"
    return f"{had}; only a battle fought at a table may leave cards out"


def incomplete(record: Record) -> list[Diagnostic]:
    """Return an error for each pile in the deal from which cards are missing."""
    setup = record.setup.copy()
    record.rules.deal(setup, stream(0, "deal"))
    deal = record.setup.deal
    return [
        Diagnostic(incomplete_pile(deal.get(pile), len(cards)), at=("deal", *pile.split(".")))
        for pile, cards in setup.deal.items()
        if deal.get(pile) != cards
    ]


def rule_set_by_key(value: object) -> RuleSet:
    """Return the rule set with this key. Raises ValueError if the key is unknown or an alias."""
    chosen = rule_set(value)
    if chosen.key != value:
        raise ValueError(f"a record has the key of a rule set, {quoted(chosen.key)}, not its alias")
    return chosen


def read_fields(table: TableReader, chosen: RuleSet, base: str) -> Record:
    """Parse all fields of a record.

    Errors are appended to `table.errors`. Raises InvalidInput if the record has more seats than the rule
    set allows.
    """
    seats = table.need("seats", reader.expect_texts, list[str]())
    fought = table.need("fought", read_fought, "engine")
    if not chosen.fewest <= len(seats) <= chosen.most or len(set(seats)) < len(seats):
        table.wrong(
            f"expected {chosen.number_of_sides} different seats, the number of sides of {chosen.name}",
            "seats",
        )
    if len(seats) > chosen.most:
        raise InvalidInput(table.errors)
    for place, seat in enumerate(seats):
        table_key_error(table, seat, place)
    sides = table.table("sides")
    if sorted(sides.data) != sorted(seats):
        table.wrong(f"sides needs a table for each of {listed(seats)}, and no others", "sides")
    plans, options, scores, losses = [], [], [], []
    for seat in seats:
        side = sides.table(seat)
        name = side.need("name", reader.expect_name, seat)
        plans.append(read_recorded_side(side, name))
        options.append(read_options(side, chosen.options, "option", seats, SIDE_TOLD))
        scores.append(side.need("score", reader.expect_whole, 0))
        losses.append(side.need("losses", read_fraction, Fraction(0)))
    house = read_house(table.table("house"), chosen, seats)
    setup = Setup(seats, house, options, read_deal(table.table("deal"), chosen), base)
    if not table.errors:
        missing_house(table, chosen, setup)
    if fought != "table":
        for needed in ("seed", "checks", "digest"):
            if needed not in table.data:
                table.wrong(f"{needed} is missing; only a record of a battle with real cards may omit it")
    winners = table.need("winners", reader.expect_texts, list[str]())
    if [seat for seat in seats if seat in winners] != winners:
        table.wrong("expected different seats in seat order", "winners")
    reason = table.need("reason", reader.expect_text, "")
    if reason and reason not in chosen.reasons:
        table.wrong(f"reason {quoted(reason)} is not one of {listed(chosen.reasons, 'or')}", "reason")
    read_bound(table.table("bound"))
    if "receipts" in table.data:
        read_receipts(table.table("receipts"))
    moves = table.need("moves", reader.expect_texts, list[str]())
    if seats:
        check_movers(table, moves, seats)
    return Record(
        table.need("id", reader.expect_key, ""),
        chosen,
        read_version(table, chosen),
        table.take("seed", reader.expect_seed, None),
        setup,
        plans,
        [seats.index(winner) for winner in winners if winner in seats],
        reason,
        scores,
        losses,
        moves,
        table.take("checks", checks_value, {}),
        fought,
        table.data,
    )


def read_recorded_side(side: TableReader, name: str) -> SidePlan:
    """Parse the commander, the standing orders and the substitutes of a side.

    They can be from another version of the program. Therefore the function also accepts commanders and
    standing orders that this version does not know.
    """
    commander = side.need("commander", commander_text, "")
    standing = side.take("standing", reader.expect_texts, list[str]())
    substitutes = side.take("substitutes", reader.expect_texts, list[str]())
    for place, note in enumerate(substitutes):
        if not SUBSTITUTE.fullmatch(note):
            side.wrong(
                f'expected "QUESTION: RANK", such as "3: veteran", got {quoted(note)}', "substitutes", place
            )
    plural = side.take("plural", reader.expect_switch, None)
    return SidePlan(name, commander, [], "", standing, substitutes=substitutes, plural=plural)


SIDE_TOLD = ("name", "plural", "commander", "score", "losses", "standing", "substitutes")
SUBSTITUTE = re.compile("[1-9][0-9]{0,8}: [!-~]{1,60}")


def check_movers(table: TableReader, moves: list[str], seats: list[str]) -> None:
    """Add an error for the first move that belongs to no side and is not a random event."""
    for place, move in enumerate(moves):
        error = mover_error(move, seats)
        if error:
            table.wrong(f"{error}, got {quoted(move)}", "moves", place)
            return


def missing_house(table: TableReader, chosen: RuleSet, setup: Setup) -> None:
    """Add an error for each house rule that the record should contain but does not.

    The record of a battle with real cards does not need to contain a house rule that has its default value,
    unless the value was decided at random.
    """
    house = table.table("house").data
    settled = setup.copy()
    chosen.choose_random_house_rules(settled, stream(0, "lot"))
    for word, value in settled.house.items():
        by_lot = setup.house[word] is None
        if (
            chosen.house[word].is_recorded(value)
            and word not in house
            and (by_lot or table.data["fought"] != "table")
        ):
            table.wrong(f"house.{word} is missing; a record has every house rule, including the random ones")


def read_version(table: TableReader, chosen: RuleSet) -> int:
    """Return the version of the rules in a record, from 1. Errors are appended to `table.errors`."""
    version = table.need("rules_version", reader.expect_whole, chosen.version)
    if not 1 <= version <= chosen.version:
        text = (
            f"this program knows versions 1 to {chosen.version}"
            if chosen.version > 1
            else "version 1 is the only one"
        )
        table.wrong(f"{text} of {chosen.name}, got {version}", "rules_version")
    return version


def table_key_error(table: TableReader, seat: str, place: int) -> None:
    """Add an error if `seat`, a side in a record, is not a valid key."""
    try:
        reader.expect_key(seat)
    except ValueError as error:
        table.wrong(str(error), "seats", place)


def read_fought(value: object) -> str:
    """Return the value if it is one of the ways to fight a battle. Raises ValueError if it is not."""
    if value not in FOUGHT:
        raise ValueError(f"expected {listed(FOUGHT, 'or')}, got {quoted(value)}")
    return str(value)


def commander_text(value: object) -> str:
    """Return the name of a commander in a record.

    This version of the program does not need to know the commander.

    Raises ValueError if the name is not a printable string of 1 to 200 characters.
    """
    word = reader.expect_text(value)
    if not 1 <= len(word) <= 200 or clean(word) != word:
        raise ValueError(f"expected a commander, got {quoted(value)}")
    return word


def read_fraction(value: object) -> Fraction:
    """Parse a fraction from 0 to 1 in lowest terms, such as "2/5", or raise ValueError."""
    share = share_of(reader.expect_text(value))
    if share is None:
        raise ValueError(
            f'expected a fraction from 0 to 1 in lowest terms, such as "2/5", got {quoted(value)}'
        )
    return share


@lru_cache(maxsize=1000)
def share_of(word: str) -> Fraction | None:
    """Parse a fraction from 0 to 1 in lowest terms. Return None for any other text."""
    above, stroke, below = word.partition("/")
    parts = [above, below] if stroke else [above]
    if all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
        share = Fraction(int(above), int(below or "1")) if int(below or "1") else None
        if share is not None and 0 <= share <= 1 and str(share) == word:
            return share
    return None


def checks_value(value: object) -> dict[int, str]:
    """Parse the state hashes in a record, and return a dictionary from numbers of moves to hashes.

    Raises ValueError if the value is not valid.
    """
    return read_checks(reader.expect_texts(value))
