"""Read and write CSV files.

Files are written in such a way that no spreadsheet program runs a cell as a formula.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple

from cardbattle.core.errors import MOST, Diagnostic, InvalidInput, Remark, first, note
from cardbattle.core.names import clean, nearest, quoted, write_one_of
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.files.json_file import is_json, parse_json
from cardbattle.files.spool import Spool
from cardbattle.files.toml import (
    BOM,
    MEGABYTE,
    OTHER_BOMS,
    STANDARD_INPUT,
    Source,
    decode_utf8,
    line_to_show,
    parse_text,
    read_bytes,
)
from cardbattle.files.toml_positions import MOST_DOTS

LONGEST_ROW = 1_000_000
MOST_ROWS = 100_000
FORMULA = ("=", "+", "-", "@")
SEPARATORS = ",;\t"  # spreadsheets use semicolons in countries with a decimal comma


class Row(NamedTuple):
    """A row of a sheet: its line number, and its nonempty cells by column."""

    line: int
    cells: dict[str, str]


class Sheet(NamedTuple):
    """A CSV file with its name, its columns, its rows and its text."""

    name: str
    columns: list[str]
    rows: Spool[Row]
    text: str = ""

    def __repr__(self) -> str:
        return f"<Sheet {self.name}: {len(self.columns)} columns, {len(self.rows)} rows>"

    def error(self, text: str, line: int, column: str | int = "") -> Diagnostic:
        """Return an error in the row that begins on this line of the file.

        `column` is the name or the number of the column with the error, if it is known.
        """
        begins = offset = line_start(self.text, line)
        place = self.columns.index(column) if column in self.columns else column
        if isinstance(place, int):
            offset = cell_start(self.text, begins, place)
        for below, match in enumerate(LINE.finditer(self.text, begins)):
            if offset < match.end() or match.end() == len(self.text):
                shown = line_to_show(match[0].rstrip("\r\n"))
                column_number = offset - match.start() + 1 if isinstance(place, int) else 0
                return PlacedDiagnostic(
                    text, file=self.name, line=line + below, column=column_number, source=shown
                )
        return PlacedDiagnostic(text, file=self.name, line=line)

    def wrong_column(self, text: str, column: str = "") -> Diagnostic:
        """Return an error in the header. `column` names the column with the error, if it is known."""
        line, _ = next(nonempty_lines(self.name, self.text))
        return self.error(text, line, column)

    def unknown_column(
        self, column: str, word: str, valid_columns: Iterable[str], more: str = ""
    ) -> Diagnostic:
        """Return an error for an unknown word in a column's name. It suggests the most similar word."""
        choices = list(valid_columns)
        problem = f"unknown column {quoted(column)}"
        if word != column:
            problem = f"column {quoted(column)}: unknown part {quoted(word)}"
        hint = nearest(word, choices) or nearest(word.lower(), choices) or write_one_of(choices) + more
        return self.wrong_column(f"{problem}{hint}", column)

    def column_of(self, at: tuple[str | int, ...]) -> str:
        """Return the column that has the value at this path of keys, or "" if no column has it."""
        paths = (".".join(map(str, at[:length])) for length in range(len(at), 0, -1))
        return next((path for path in paths if path in self.columns), "")


def read_any(path: str, most: int = MEGABYTE) -> Sheet | Source:
    """Read a sheet, a JSON file or a TOML file. The path `-` means standard input.

    Raises InvalidInput, which lists all errors, if the input has errors or more than `most` bytes.
    """
    name, text = read_text(path, most)
    if is_json(text):
        return parse_json(name, text)
    return parse_sheet(name, text) if is_sheet(path, text) else parse_text(name, text)


def read_text(path: str, most: int, is_letter: bool = False) -> tuple[str, str]:
    """Return the printable name of a file, and its text without a byte order mark.

    A first line `sep=;`, which Excel writes, becomes empty. The file can be in UTF-8, or in UTF-16, which
    spreadsheet programs call "Unicode text". A sheet in any other encoding, and each such line of a message,
    is read as Windows-1252, with a warning. `is_letter` is True if the file is a message. Raises
    InvalidInput if the file has more than `most` bytes, cannot be read, or is not text.
    """
    name = STANDARD_INPUT if path == "-" else clean(path)
    raw = utf16_to_utf8(read_bytes(path, most)).removeprefix(BOM)
    try:
        return name, SEPARATOR_LINE.sub("", decode_utf8(name, raw))
    except InvalidInput:
        text = decode_lines(raw) if is_letter else decode_windows(raw)
        if not text or not (is_letter or is_sheet(path, text)):
            raise
    warnings.warn(f"{name} is not UTF-8 text; reading it as Windows-1252", Remark, stacklevel=2)
    return name, SEPARATOR_LINE.sub("", text)


SEPARATOR_LINE = re.compile(r'\A"?sep=[,;\t]"?(?=[\r\n])', re.IGNORECASE)


def utf16_to_utf8(raw: bytes) -> bytes:
    """Convert UTF-16 bytes to UTF-8, and return other bytes unchanged.

    Without a byte order mark, the function finds the byte order from the position of a zero byte.

    >>> utf16_to_utf8("id,winners".encode("utf-16-le")), utf16_to_utf8(b"id,winners")
    (b'id,winners', b'id,winners')
    """
    encoding = "utf-16" if raw[:2] in OTHER_BOMS else UNMARKED.get((raw[:1] == b"\0", raw[1:2] == b"\0"))
    try:
        return raw.decode(encoding).encode("utf-8") if encoding else raw
    except UnicodeError:
        return raw


UNMARKED = {(False, True): "utf-16-le", (True, False): "utf-16-be"}


def decode_windows(raw: bytes) -> str:
    if raw[:2] in OTHER_BOMS or b"\0" in raw:
        return ""
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return ""


def decode_lines(raw: bytes) -> str:
    """Decode each line that is not UTF-8 as Windows-1252: the mails of a file can differ in this.

    >>> decode_lines("Käthe ".encode()), decode_lines("Käthe".encode("cp1252"))
    ('Käthe ', 'Käthe')
    """
    if raw[:2] in OTHER_BOMS or b"\0" in raw:
        return ""
    lines = []
    for line in raw.splitlines(keepends=True):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            lines.append(decode_windows(line))
    return "".join(lines) if all(lines) else ""


ANY_TEXT = (".txt", ".tsv", ".tab")  # extensions that sheets have, although other text files have them too


def is_sheet(path: str, text: str) -> bool:
    """Return True if a file is a sheet. The function looks at its name and at its text.

    A file with the extension `.csv` is a sheet. If the extension is `.txt`, `.tsv` or `.tab`, or the path is
    `-` (standard input), the function looks at the first line that is not blank. A TOML file begins with a
    comment, a table or `key =`. A sheet begins with names of columns with a comma, a semicolon or a tab
    between them; on standard input, one name is enough.

    >>> is_sheet("-", "id,winners"), is_sheet("-", "format = 1"), is_sheet("-", "# results")
    (True, False, False)
    >>> is_sheet("turn.txt", "id,winners"), is_sheet("turn.txt", "[[result]]")
    (True, False)
    """
    if path != "-" and not path.lower().endswith(ANY_TEXT):
        return path.lower().endswith(".csv")
    match = FIRST.search(text)
    if match is None or match[0][0] in "#[" or "=" in match[0]:
        return False
    return path == "-" or any(sign in match[0] for sign in SEPARATORS)


def parse_sheet(name: str, text: str) -> Sheet:
    """Parse a sheet of at most 100,000 rows. Raises InvalidInput with the errors if it is not valid."""
    lines = nonempty_lines(name, text)
    header = next(lines, None)
    if header is None:
        raise InvalidInput(
            [PlacedDiagnostic("the sheet is empty; its first line names the columns", file=name, line=1)]
        )
    line, columns = header[0], strip_empty_tail(header[1])
    sheet = Sheet(name, columns, Spool(), text)
    errors = first(header_errors(sheet, line))
    for line, cells in lines:
        if len(cells) > len(columns) and any(cells[len(columns) :]):
            problem = extra_cells(columns, header[1], strip_empty_tail(cells))
            note(errors, sheet.error(problem, line, len(columns)))
        if len(sheet.rows) == MOST_ROWS:
            note(errors, sheet.error(f"a sheet has at most {MOST_ROWS} rows; split it", line))
            break
        if len(errors) > MOST:
            break
        pairs = zip(columns, cells, strict=False)
        sheet.rows.append(Row(line, {column: unescape_cell(cell) for column, cell in pairs if cell}))
    if errors:
        raise InvalidInput(errors)
    return sheet


def extra_cells(columns: list[str], header: list[str], cells: list[str]) -> str:
    """Return the error for a row with more cells than the sheet has columns.

    `header` are the columns with the empty ones at the end.
    """
    if len(cells) <= len(header):
        number = next(number for number, cell in enumerate(cells, 1) if number > len(columns) and cell)
        return f"column {number} has no name; name it in the first line, or empty this cell"
    count = f"{len(columns)} cells, one for each column" if len(columns) > 1 else "1 cell for the one column"
    return f"expected {count}, got {len(cells)}"


def strip_empty_tail(cells: list[str]) -> list[str]:
    """Return a row without the empty cells at its end, which spreadsheet programs often add."""
    filled = [number for number, cell in enumerate(cells, 1) if cell]
    return cells[: filled[-1]] if filled else []


def nonempty_lines(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each row that is not empty.

    Raises InvalidInput if the text is not a valid CSV file.
    """
    reader = csv.reader(sheet_lines(name, text), strict=True, delimiter=separator(text))
    begins = 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        text, line = f"invalid CSV: {error}", reader.line_num
        if str(error) == "unexpected end of data":
            text, line = "a quote in this row is not closed; close it, or write two quotes for one", begins
        raise InvalidInput([PlacedDiagnostic(text, file=name, line=line)]) from None


def sheet_lines(name: str, text: str) -> Iterator[str]:
    for number, line in enumerate(LINE.finditer(text), 1):
        if line.end() - line.start() > LONGEST_ROW:
            problem = f"the line is longer than {LONGEST_ROW} characters; write each battle on its own line"
            raise InvalidInput([PlacedDiagnostic(problem, file=name, line=number)])
        yield line[0]


def line_start(text: str, number: int) -> int:
    return next((line.start() for line in islice(LINE.finditer(text), number - 1, None)), 0)


def cell_start(text: str, begins: int, number: int) -> int:
    """Return the offset of a cell in the text. The row of the cell begins at the offset `begins`.

    `number` is the number of the cell in the row, counted from 0. If the row has no such cell, the result is
    the offset of the end of the row.
    """
    cell = re.compile(rf'(?:"(?:[^"]|"")*")?[^{separator(text)}\r\n]*')
    at = begins
    for _ in range(number):
        match = cell.match(text, at)
        end = match.end() if match else at
        if text[end : end + 1] != separator(text):
            return end
        at = end + 1
    return at


FIRST = re.compile(r"[^\r\n]*[^\s][^\r\n]*")
LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


def separator(text: str) -> str:
    """Return the separator of cells: the most frequent of comma, semicolon and tab in the first line."""
    match = FIRST.search(text)
    return max(SEPARATORS, key=match[0].count) if match else SEPARATORS[0]


def header_errors(sheet: Sheet, line: int) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for place, column in enumerate(sheet.columns):
        if not column:
            yield sheet.error(f"column {place + 1} has no name", line, place)
        elif column in seen:
            yield sheet.error(f"the column {quoted(column)} appears twice", line, place)
        elif column.count(".") > MOST_DOTS:
            yield sheet.error(f"the column {quoted(column)} has over {MOST_DOTS} dots", line, place)
        seen.add(column)


def nest_columns(cells: Mapping[str, str]) -> dict[str, object]:
    """Convert columns with dotted names to nested tables.

    Raises ValueError if a column is both a value and a table.

    >>> nest_columns({"id": "a", "sides.percy.hand": "12"})
    {'id': 'a', 'sides': {'percy': {'hand': '12'}}}
    """
    table: dict[str, object] = {}
    for column, cell in cells.items():
        *above, word = column.split(".")
        inside = table
        for part in above:
            deeper = inside.setdefault(part, {})
            if not isinstance(deeper, dict):
                raise ValueError(f"the column {quoted(column)} needs a table where another gives a value")
            inside = deeper
        if word in inside:
            raise ValueError(f"the column {quoted(column)} gives a value where another needs a table")
        inside[word] = cell
    return table


def whole_number(cell: str) -> int | str:
    """Convert a cell that has only ASCII digits to a number, and return any other cell unchanged.

    >>> whole_number("12"), whole_number("١٢"), whole_number("1.5")
    (12, '١٢', '1.5')
    """
    digits = cell.removeprefix("-")
    return int(cell) if digits.isascii() and digits.isdigit() and len(digits) < 20 else cell


def escape_cell(cell: object) -> str:
    """Escape a string that a spreadsheet program would run as a formula. Numbers are not escaped.

    A missing value is an empty cell.

    >>> escape_cell(-0.25), escape_cell(-3), escape_cell("-3"), escape_cell("=1"), escape_cell(None)
    ('-0.25', '-3', "'-3", "'=1", '')
    """
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.startswith(FORMULA) and not isinstance(cell, int | float) else text


def unescape_cell(cell: str) -> str:
    """Return the original string of a cell. This reverses `escape_cell`."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in FORMULA else cell


def as_csv(columns: Iterable[str], rows: Iterable[Mapping[str, object]]) -> str:
    return "".join(csv_lines(columns, rows))


def csv_lines(columns: Iterable[str], rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Yield the text of a CSV file, one row at a time."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = list(columns)
    lines = chain([names], ([escape_cell(row.get(name, "")) for name in names] for row in rows))
    for line in lines:
        out.seek(0)
        out.truncate()
        writer.writerow(line)
        yield out.getvalue()
