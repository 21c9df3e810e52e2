"""Results in a spreadsheet: a column for each key, dotted where it is deep, or a few for each side.

The latter is the form: `side1`, `name1`, `losses1`, `score1`, then those of the second side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from cardbattle.campaign.ledger.roster import MISSING, Fighters, key_of
from cardbattle.core.errors import Diagnostic, InvalidInput, first
from cardbattle.core.names import quoted
from cardbattle.files.spreadsheet import Row, Sheet, nested, whole_number
from cardbattle.files.toml import parse_text

SIDE = re.compile(r"(side|name|losses|score)([1-9][0-9]?)")
TOLD = ("losses", "score")  # of a side
PLAIN = ("id", "rules", "seed", "winners", "reason", "digest", "record", "bound")
OF_A_SIDE = ("name", *TOLD)
NUMBER = re.compile(r"[1-9][0-9]?$")
DOTTED = re.compile(r"sides\.([^.]+)\.(name|losses|score)")
FOR_EACH_SIDE = ", and for each side side1 and losses1, or sides.KEY.losses"


def column_errors(sheet: Sheet, fighters: Fighters) -> list[Diagnostic]:
    """Return what is wrong with the columns of a sheet of results, whatever stands in its rows.

    Of several kinds only the first: who mends that may have mended the others.
    """
    return (
        first(unread_columns(sheet))
        or first(missing_columns(sheet))
        or first(columns_of_nobody(sheet, fighters))
    )


def unread_columns(sheet: Sheet) -> Iterator[Diagnostic]:
    """Yield the columns that say nothing of a result."""
    for column in sheet.columns:
        above, *below = column.split(".")
        if above == "sides" and len(below) == 2:
            if below[1] not in OF_A_SIDE:
                yield sheet.unknown_column(column, below[1], OF_A_SIDE)
        elif above == "sides":
            yield sheet.wrong_column(
                f"the column {quoted(column)} is not known; write sides.KEY.losses", column
            )
        elif above != "bound" and column not in PLAIN and not SIDE.fullmatch(column):
            number = NUMBER.search(column)
            numbered = [f"{word}{number[0]}" for word in ("side", *OF_A_SIDE)] if number else []
            yield sheet.unknown_column(column, column, [*PLAIN, *numbered], FOR_EACH_SIDE)


def needed_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns without which these others tell no result."""
    numbers = dict.fromkeys(found[2] for found in map(SIDE.fullmatch, columns) if found)
    numbered = [f"{word}{number}" for number in numbers for word in ("side", "losses")]
    keys = dict.fromkeys(found[1] for found in map(DOTTED.fullmatch, columns) if found)
    sides = [*numbered, *(f"sides.{key}.losses" for key in keys)]
    return ["id", *(["winners"] if numbered or not keys else []), *(sides or ["side1", "losses1"])]


def missing_columns(sheet: Sheet) -> Iterator[Diagnostic]:
    """Yield the columns that have to be there and are not."""
    there = frozenset(sheet.columns)
    for column in needed_columns(sheet.columns):
        if column not in there:
            yield sheet.wrong_column(f"there is no column {quoted(column)}")


def columns_of_nobody(sheet: Sheet, fighters: Fighters) -> Iterator[Diagnostic]:
    """Yield the columns of a side that is in none of the battles in the rows below."""
    sides = []
    for battle in dict.fromkeys(row.cells.get("id", "") for row in sheet.rows):
        try:
            sides.append(fighters(battle))
        except ValueError:  # there is no such battle, as will be told of its row
            continue
    for column in sheet.columns:
        found = DOTTED.fullmatch(column)
        if found and sides and all(who_is_not(found[1], known) for known in sides):
            yield sheet.wrong_column(f"the column {quoted(column)}: {who_is_not(found[1], sides[0])}", column)


def who_is_not(word: str, sides: Mapping[str, Sequence[str]]) -> str:
    """Say why a word is none of these sides, or return the empty string."""
    try:
        if sides:
            key_of(word, sides)
    except ValueError as error:
        return str(error)
    return ""


def row_table(columns: Sequence[str], cells: Mapping[str, str]) -> dict[str, object]:
    """Return a row as the table of one result; ValueError if its columns contradict each other.

    In the form an empty cell is one that is still to be filled in; with dotted columns it says
    nothing, and nothing under `winners` that the battle was drawn.
    """
    table = nested({column: cell for column, cell in cells.items() if not SIDE.fullmatch(column)})
    if any(SIDE.fullmatch(column) for column in columns):
        table = {"winners": ""} | table | {"sides": numbered_sides(columns, cells)}
    elif "winners" not in table:
        table["winners"] = [] if "sides" in table else ""
    if isinstance(table.get("bound"), str):
        table["bound"] = bound_table(str(table["bound"]))
    return with_numbers(table)


def numbered_sides(columns: Sequence[str], cells: Mapping[str, str]) -> dict[str, object]:
    """Return the sides of a row of the form; ValueError if one has no key, or another's."""
    sides: dict[str, object] = {}
    for number in dict.fromkeys(found[2] for found in map(SIDE.fullmatch, columns) if found):
        values = {
            word: cells.get(f"{word}{number}", "") for word in OF_A_SIDE if f"{word}{number}" in columns
        }
        key = cells.get(f"side{number}", "")
        if not key and any(values.values()):
            raise ValueError(f"side{number} is missing; write the key of the side, or its name")
        if key and key in sides:
            raise ValueError(f"the side {quoted(key)} is there twice")
        if key:
            sides[key] = values
    return sides


def bound_table(cell: str) -> object:
    """Return what a cell says that a result is bound to; ValueError if it cannot be read."""
    try:
        return parse_text("", f"bound = {cell}").data["bound"]
    except InvalidInput:
        raise ValueError("bound cannot be read; copy it anew from the form, or leave it empty") from None


def with_numbers(table: dict[str, object]) -> dict[str, object]:
    """Return a spreadsheet's result with numbers where numbers belong."""
    if isinstance(table.get("seed"), str):
        table["seed"] = whole_number(str(table["seed"]))
    for place, word in ((table.get("sides"), "score"), (in_table(table.get("bound"), "forces"), "strength")):
        for side in place.values() if isinstance(place, dict) else ():
            if isinstance(side, dict) and isinstance(side.get(word), str):
                side[word] = whole_number(side[word])
    return table


def in_table(table: object, key: str) -> object:
    """Return what stands at a key, if this is a table and has it."""
    return table.get(key) if isinstance(table, dict) else None


def row_place(sheet: Sheet, row: Row) -> Callable[[Diagnostic], Diagnostic]:
    """Return what places a mistake in this row: at its cell, if it is of one."""
    numbers = {key: found[2] for word, key in row.cells.items() if (found := SIDE.fullmatch(word))}

    def place(mistake: Diagnostic) -> Diagnostic:
        at = mistake.at
        column = sheet.column_of(at)
        if at[:1] == ("sides",) and not column and len(at) > 1 and at[1] in numbers:
            column = f"{at[2] if len(at) > 2 else 'side'}{numbers[str(at[1])]}"
        called = column or ".".join(map(str, at))
        return sheet.mistake(f"{called}: {mistake.text}" if called else mistake.text, row.line, column)

    return place


def is_blank(data: object) -> bool:
    """Say whether a result is a form that nobody has begun to fill in."""
    if not isinstance(data, dict):
        return False
    sides = data.get("sides", {})
    tables = [side for side in sides.values() if isinstance(side, dict)] if isinstance(sides, dict) else []
    told = [data.get("winners"), *(side.get(word) for side in tables for word in TOLD)]
    return any(map(is_missing, told)) and all(one in (None, []) or is_missing(one) for one in told)


def is_missing(value: object) -> bool:
    """Say whether a value is still to be filled in: empty, or a question mark."""
    alone = value[0] if isinstance(value, list) and len(value) == 1 else value
    return isinstance(alone, str) and alone.strip() in MISSING
