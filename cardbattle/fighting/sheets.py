"""Spreadsheets: CSV files read strictly, and written so that no cell runs as a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardbattle.core.errors import Mistake, Refused
from cardbattle.core.names import clean, quoted
from cardbattle.fighting.files import BOM, MEGABYTE, STANDARD_INPUT, Source, decoded, parse_toml, read_bytes
from cardbattle.fighting.places import MOST_DOTS

FORMULA = ("=", "+", "-", "@")
SEPARATORS = ",;\t"  # the second is what spreadsheets write where a comma is a decimal point


class Row(NamedTuple):
    """One line of a sheet: its number in the file, and its cells that are not empty, by column."""

    line: int
    cells: dict[str, str]


class Sheet(NamedTuple):
    """A CSV file that was read: its name, its columns, its rows."""

    name: str
    columns: list[str]
    rows: list[Row]

    def mistake(self, text: str, line: int) -> Mistake:
        """Return a mistake at a line of this sheet."""
        return Mistake(text, file=self.name, line=line)


def read_sheet(path: str, most: int = MEGABYTE) -> Sheet:
    """Return the CSV file at this path; Refused lists all that is wrong with its shape."""
    name = STANDARD_INPUT if path == "-" else clean(path)
    return parse_sheet(name, read_bytes(path, most))


def read_any(path: str, most: int = MEGABYTE) -> Sheet | Source:
    """Return the sheet or the TOML file at this path: by its name, on standard input by its first line."""
    raw = read_bytes(path, most)
    name = STANDARD_INPUT if path == "-" else clean(path)
    is_csv = is_sheet(raw) if path == "-" else path.lower().endswith(".csv")
    return parse_sheet(name, raw) if is_csv else parse_toml(name, raw)


def is_sheet(raw: bytes) -> bool:
    """Say whether the first line names columns: TOML would begin with a comment, a table or `key =`.

    >>> is_sheet(b"id,winners"), is_sheet(b"format = 1"), is_sheet(b"# results")
    (True, False, False)
    """
    first = raw.removeprefix(BOM).lstrip().partition(b"\n")[0]
    return bool(first) and first[:1] not in b"#[" and b"=" not in first


def parse_sheet(name: str, raw: bytes) -> Sheet:
    """Return the sheet in these bytes."""
    text = decoded(name, raw.removeprefix(BOM))
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, strict=True, delimiter=separator(text))
    found: list[tuple[int, list[str]]] = []
    begins = 1
    try:
        for cells in reader:
            found.append((begins, [cell.strip() for cell in cells]))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise Refused([Mistake(f"this is no CSV: {error}", file=name, line=reader.line_num)]) from None
    filled = [(line, cells) for line, cells in found if any(cells)]
    if not filled:
        raise Refused([Mistake("the sheet is empty; its first line names the columns", file=name, line=1)])
    header_line, columns = filled[0]
    sheet = Sheet(name, columns, [])
    mistakes = header_mistakes(sheet, header_line) + too_dotted(sheet, header_line)
    for line, cells in filled[1:]:
        if len(cells) > len(columns) and any(cells[len(columns) :]):
            text = f"expected {len(columns)} cells as the first line names, got {len(cells)}"
            mistakes.append(sheet.mistake(text, line))
        pairs = zip(columns, cells, strict=False)
        sheet.rows.append(Row(line, {column: unguarded(cell) for column, cell in pairs if cell}))
    if mistakes:
        raise Refused(mistakes)
    return sheet


def separator(text: str) -> str:
    """Return what separates the cells: whichever of the usual signs the first line has most of."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(SEPARATORS, key=first.count)


def header_mistakes(sheet: Sheet, line: int) -> list[Mistake]:
    """Return what is wrong with the names of the columns."""
    mistakes = []
    for place, column in enumerate(sheet.columns):
        if not column:
            mistakes.append(sheet.mistake(f"column {place + 1} has no name", line))
        elif column in sheet.columns[:place]:
            mistakes.append(sheet.mistake(f"the column {quoted(column)} is there twice", line))
    return mistakes


def too_dotted(sheet: Sheet, line: int) -> list[Mistake]:
    """Return the columns whose dotted names go deeper than any file does."""
    return [
        sheet.mistake(f"the column {quoted(column)} has over {MOST_DOTS} dots", line)
        for column in sheet.columns
        if column.count(".") > MOST_DOTS
    ]


def nested(cells: Mapping[str, str]) -> dict[str, object]:
    """Return dotted columns as nested tables; ValueError if one is a value and a table.

    >>> nested({"id": "a", "sides.percy.hand": "12"})
    {'id': 'a', 'sides': {'percy': {'hand': '12'}}}
    """
    table: dict[str, object] = {}
    for column, cell in cells.items():
        *above, word = column.split(".")
        inside = table
        for part in above:
            deeper = inside.setdefault(part, {})
            if not isinstance(deeper, dict):
                raise ValueError(f"the column {quoted(column)} goes below one that is a value")
            inside = deeper
        if word in inside:
            raise ValueError(f"the column {quoted(column)} is a value and has others below it")
        inside[word] = cell
    return table


def whole_number(cell: str) -> int | str:
    """Return a cell of ASCII digits as a number, anything else as it is.

    >>> whole_number("12"), whole_number("١٢"), whole_number("1.5")
    (12, '١٢', '1.5')
    """
    digits = cell.removeprefix("-")
    return int(cell) if digits.isascii() and digits.isdigit() and len(digits) < 20 else cell


def guarded(cell: object) -> str:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers.

    >>> guarded(-0.25), guarded(-3), guarded("-3"), guarded("=1")
    ('-0.25', '-3', "'-3", "'=1")
    """
    text = str(cell)
    return f"'{text}" if text.startswith(FORMULA) and not isinstance(cell, int | float) else text


def unguarded(cell: str) -> str:
    """Return a cell without the mark that `guarded` puts before it."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in FORMULA else cell


def as_csv(columns: Iterable[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return rows as CSV; a column that a row does not have stays empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = list(columns)
    writer.writerow(names)
    for row in rows:
        writer.writerow([guarded(row.get(name, "")) for name in names])
    return out.getvalue()
