"""Read results from the rows of a spreadsheet.

A sheet has either a column for each dotted key, or the numbered columns of the form. The form has the columns
`side1`, `name1`, `losses1`, `score1`, then the same columns for the second side, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from cardbattle.campaign.ledger.roster import MISSING, Fighters, key_of
from cardbattle.core.errors import Diagnostic, InvalidInput, first
from cardbattle.core.names import quoted
from cardbattle.files.reader import table_or_empty
from cardbattle.files.spreadsheet import Row, Sheet, nest_columns, whole_number
from cardbattle.files.toml import parse_text

SIDE = re.compile(r"(side|name|losses|score|units)([1-9][0-9]?)")
RESULT_FIELDS = ("losses", "score")
PLAIN = ("id", "rules", "seed", "winners", "declined", "reason", "digest", "record", "bound", "story")
SIDE_FIELDS = ("name", *RESULT_FIELDS, "units")
NUMBER = re.compile(r"[1-9][0-9]?$")
DOTTED = re.compile(r"sides\.([^.]+)\.(name|losses|score|units)")
FOR_EACH_SIDE = ", and two columns for each side, such as side1 and losses1, or sides.KEY.losses"


def column_errors(sheet: Sheet, fighters: Fighters) -> list[Diagnostic]:
    """Return the errors in the columns of a sheet.

    Only errors of one kind are returned, because fixing them can fix errors of other kinds.
    """
    return (
        first(unknown_columns(sheet))
        or first(missing_columns(sheet))
        or first(unknown_sides(sheet, fighters))
    )


def unknown_columns(sheet: Sheet) -> Iterator[Diagnostic]:
    for column in sheet.columns:
        above, *below = column.split(".")
        if above == "sides" and len(below) == 2:
            if below[1] not in SIDE_FIELDS:
                yield sheet.unknown_column(column, below[1], SIDE_FIELDS)
        elif above == "sides":
            yield sheet.wrong_column(f"unknown column {quoted(column)}; write sides.KEY.losses", column)
        elif above != "bound" and column not in PLAIN and not SIDE.fullmatch(column):
            number = NUMBER.search(column)
            numbered = [f"{word}{number[0]}" for word in ("side", *SIDE_FIELDS)] if number else []
            yield sheet.unknown_column(column, column, [*PLAIN, *numbered], FOR_EACH_SIDE)


def columns_needed(columns: Sequence[str]) -> list[str]:
    """Return the columns that a result needs, given the columns that the sheet has."""
    numbers = dict.fromkeys(match[2] for match in map(SIDE.fullmatch, columns) if match)
    numbered = [f"{word}{number}" for number in numbers for word in ("side", "losses")]
    keys = dict.fromkeys(match[1] for match in map(DOTTED.fullmatch, columns) if match)
    sides = [*numbered, *(f"sides.{key}.losses" for key in keys)]
    return ["id", *(["winners"] if numbered or not keys else []), *(sides or ["side1", "losses1"])]


def missing_columns(sheet: Sheet) -> Iterator[Diagnostic]:
    existing = frozenset(sheet.columns)
    for column in columns_needed(sheet.columns):
        if column not in existing:
            yield sheet.wrong_column(f"the column {quoted(column)} is missing")


def unknown_sides(sheet: Sheet, fighters: Fighters) -> Iterator[Diagnostic]:
    """Yield an error for each column of a side that takes part in none of the sheet's battles."""
    sides = []
    for battle in dict.fromkeys(row.cells.get("id", "") for row in sheet.rows):
        try:
            sides.append(fighters(battle))
        except ValueError:  # unknown battle: its row reports that
            continue
    for column in sheet.columns:
        match = DOTTED.fullmatch(column)
        if match and sides and all(side_error(match[1], names) for names in sides):
            yield sheet.wrong_column(f"the column {quoted(column)}: {side_error(match[1], sides[0])}", column)


def side_error(word: str, sides: Mapping[str, Sequence[str]]) -> str:
    """Return an error if `word` names none of the sides. Otherwise return ""."""
    try:
        if sides:
            key_of(word, sides)
    except ValueError as error:
        return str(error)
    return ""


def row_table(columns: Sequence[str], cells: Mapping[str, str]) -> dict[str, object]:
    """Return a row as the table of one result.

    An empty cell of the form is a blank. In a sheet with dotted keys, an empty cell is left out, and a battle
    without winners is a draw. Raises ValueError if the columns contradict each other.
    """
    table = nest_columns({column: cell for column, cell in cells.items() if not SIDE.fullmatch(column)})
    if any(SIDE.fullmatch(column) for column in columns):
        table = {"winners": ""} | table | {"sides": form_sides(columns, cells)}
    elif "winners" not in table:
        table["winners"] = [] if "sides" in table else ""
    if isinstance(table.get("bound"), str):
        table["bound"] = parse_bound(str(table["bound"]))
    return with_numbers(table)


def form_sides(columns: Sequence[str], cells: Mapping[str, str]) -> dict[str, object]:
    """Return the sides in a form's row. Raises ValueError for a missing or repeated key."""
    sides: dict[str, object] = {}
    for number in dict.fromkeys(match[2] for match in map(SIDE.fullmatch, columns) if match):
        values = {
            word: cells.get(f"{word}{number}", "") for word in SIDE_FIELDS if f"{word}{number}" in columns
        }
        key = cells.get(f"side{number}", "")
        if not key and any(values.values()):
            raise ValueError(f"side{number} is missing; write the key of the side, or its name")
        if key and key in sides:
            raise ValueError(f"side {quoted(key)} appears twice")
        if key:
            sides[key] = values
    return sides


def parse_bound(cell: str) -> object:
    try:
        return parse_text("", f"bound = {cell}").data["bound"]
    except InvalidInput:
        raise ValueError("bound is not readable; copy it from the form again, or leave it empty") from None


def with_numbers(table: dict[str, object]) -> dict[str, object]:
    if isinstance(table.get("seed"), str):
        table["seed"] = whole_number(str(table["seed"]))
    for place, word in (
        (table.get("sides"), "score"),
        (table_or_empty(table.get("bound")).get("forces"), "strength"),
    ):
        for side in place.values() if isinstance(place, dict) else ():
            if isinstance(side, dict) and isinstance(side.get(word), str):
                side[word] = whole_number(side[word])
    return table


def row_place(sheet: Sheet, row: Row) -> Callable[[Diagnostic], Diagnostic]:
    numbers = {key: match[2] for word, key in row.cells.items() if (match := SIDE.fullmatch(word))}

    def place(error: Diagnostic) -> Diagnostic:
        at = error.at
        column = sheet.column_of(at)
        if at[:1] == ("sides",) and not column and len(at) > 1 and at[1] in numbers:
            column = f"{at[2] if len(at) > 2 else 'side'}{numbers[str(at[1])]}"
        field = column or ".".join(map(str, at))
        return sheet.error(f"{field}: {error.text}" if field else error.text, row.line, column)

    return place


def is_blank(data: object) -> bool:
    """Return True if the umpire has filled in nothing in this part of the form."""
    if not isinstance(data, dict):
        return False
    sides = data.get("sides", {})
    tables = [side for side in sides.values() if isinstance(side, dict)] if isinstance(sides, dict) else []
    if not is_missing(data.get("declined", "")):
        return False
    values = [data.get("winners"), *(side.get(word) for side in tables for word in RESULT_FIELDS)]
    return any(map(is_missing, values)) and all(value in (None, []) or is_missing(value) for value in values)


def is_missing(value: object) -> bool:
    alone = value[0] if isinstance(value, list) and len(value) == 1 else value
    return isinstance(alone, str) and alone.strip() in MISSING
