"""Spreadsheets: CSV files read strictly, and written so that no cell runs as a formula."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple

from cardbattle.core.errors import MOST, Diagnostic, InvalidInput, Remark, first, note
from cardbattle.core.names import clean, nearest, quoted
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.files.spool import Spool
from cardbattle.files.toml import (
    BOM,
    MEGABYTE,
    OTHER_BOMS,
    STANDARD_INPUT,
    Source,
    decoded,
    line_to_show,
    parse_text,
    read_bytes,
)
from cardbattle.files.toml_positions import MOST_DOTS

LONGEST_ROW = 1_000_000
MOST_ROWS = 100_000
FORMULA = ("=", "+", "-", "@")
SEPARATORS = ",;\t"  # the second is what spreadsheets write where a comma is a decimal point


class Row(NamedTuple):
    """One line of a sheet: its number in the file, and its cells that are not empty, by column."""

    line: int
    cells: dict[str, str]


class Sheet(NamedTuple):
    """A CSV file that was read: its name, its columns, its rows, and the text of it all."""

    name: str
    columns: list[str]
    rows: Spool[Row]
    text: str = ""

    def __repr__(self) -> str:
        return f"<Sheet {self.name}: {len(self.columns)} columns, {len(self.rows)} rows>"

    def mistake(self, text: str, line: int, column: str | int = "") -> Diagnostic:
        """Return a mistake in the row that begins at a line, at a column by name or place if it is of one."""
        begins = offset = line_start(self.text, line)
        place = self.columns.index(column) if column in self.columns else column
        if isinstance(place, int):
            offset = cell_start(self.text, begins, place)
        for below, found in enumerate(LINE.finditer(self.text, begins)):
            if offset < found.end() or found.end() == len(self.text):
                shown = line_to_show(found[0].rstrip("\r\n"))
                at = offset - found.start() + 1 if isinstance(place, int) else 0
                return PlacedDiagnostic(text, file=self.name, line=line + below, column=at, source=shown)
        return PlacedDiagnostic(text, file=self.name, line=line)

    def wrong_column(self, text: str, column: str = "") -> Diagnostic:
        """Return a mistake in the line that names the columns, at one of them if it is of one."""
        line, _ = next(nonempty_lines(self.name, self.text))
        return self.mistake(text, line, column)

    def unknown_column(self, column: str, word: str, known: Iterable[str], more: str = "") -> Diagnostic:
        """Return that a word of a column, or the whole, is not known.

        It names the nearest that is, else all: those `known`, and what `more` says.
        """
        words = list(known)
        where = "the column " if word == column else f"the column {quoted(column)}: "
        hint = nearest(word, words) or nearest(word.lower(), words)
        hint = hint or f"; known here: {', '.join(words)}{more}"
        return self.wrong_column(f"{where}{quoted(word)} is not known{hint}", column)

    def column_of(self, at: tuple[str | int, ...]) -> str:
        """Return the column in which a value at this path of keys stands, or the empty string."""
        paths = (".".join(map(str, at[:length])) for length in range(len(at), 0, -1))
        return next((path for path in paths if path in self.columns), "")


def read_any(path: str, most: int = MEGABYTE) -> Sheet | Source:
    """Return the sheet or the TOML file at this path; `-` is standard input.

    Refused if it has over `most` bytes, or lists what is wrong with it.
    """
    name, text = read_text(path, most)
    return parse_sheet(name, text) if is_sheet(path, text) else parse_text(name, text)


def read_text(path: str, most: int, is_letter: bool = False) -> tuple[str, str]:
    """Return a file's name as it is told, and its text without the byte order mark.

    UTF-16, which spreadsheet programs call "Unicode text", is read like UTF-8. A sheet or a letter in any
    other encoding is read as Windows-1252, as spreadsheets save it, and a Remark says so.
    Refused if it has over `most` bytes, cannot be read or is no text.
    """
    name = STANDARD_INPUT if path == "-" else clean(path)
    raw = utf16_to_utf8(read_bytes(path, most)).removeprefix(BOM)
    try:
        return name, decoded(name, raw)
    except InvalidInput:
        text = western(raw)
        if not text or not (is_letter or is_sheet(path, text)):
            raise
    warnings.warn(f"{name} is no UTF-8 text; it is read as Windows-1252", Remark, stacklevel=2)
    return name, text


def utf16_to_utf8(raw: bytes) -> bytes:
    """Return UTF-16 bytes as UTF-8, other bytes as they are; without a mark a zero byte tells the order.

    >>> utf16_to_utf8("id,winners".encode("utf-16-le")), utf16_to_utf8(b"id,winners")
    (b'id,winners', b'id,winners')
    """
    encoding = "utf-16" if raw[:2] in OTHER_BOMS else UNMARKED.get((raw[:1] == b"\0", raw[1:2] == b"\0"))
    try:
        return raw.decode(encoding).encode("utf-8") if encoding else raw
    except UnicodeError:
        return raw


UNMARKED = {(False, True): "utf-16-le", (True, False): "utf-16-be"}


def western(raw: bytes) -> str:
    """Return the text of Windows-1252 bytes, or the empty string if they are none."""
    if raw[:2] in OTHER_BOMS or b"\0" in raw:
        return ""
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return ""


ANY_TEXT = (".txt", ".tsv", ".tab")  # endings of sheets, and of other texts


def is_sheet(path: str, text: str) -> bool:
    """Say whether a file is a sheet: by its name, or by its first line if that leaves it open.

    That names columns; TOML would begin with a comment, a table or `key =`.

    >>> is_sheet("-", "id,winners"), is_sheet("-", "format = 1"), is_sheet("-", "# results")
    (True, False, False)
    >>> is_sheet("turn.txt", "id,winners"), is_sheet("turn.txt", "[[result]]")
    (True, False)
    """
    if path != "-" and not path.lower().endswith(ANY_TEXT):
        return path.lower().endswith(".csv")
    found = FIRST.search(text)
    if found is None or found[0][0] in "#[" or "=" in found[0]:
        return False
    return path == "-" or any(sign in found[0] for sign in SEPARATORS)


def parse_sheet(name: str, text: str) -> Sheet:
    """Return the sheet in this text, of at most 100 000 rows; Refused lists what is wrong with it."""
    filled = nonempty_lines(name, text)
    header = next(filled, None)
    if header is None:
        raise InvalidInput(
            [PlacedDiagnostic("the sheet is empty; its first line names the columns", file=name, line=1)]
        )
    line, columns = header[0], strip_empty_tail(header[1])
    sheet = Sheet(name, columns, Spool(), text)
    mistakes = first(header_errors(sheet, line))
    for line, cells in filled:
        if len(cells) > len(columns) and any(cells[len(columns) :]):
            words = (
                f"expected {len(columns)} cells as the first line names, got {len(strip_empty_tail(cells))}"
            )
            note(mistakes, sheet.mistake(words, line, len(columns)))
        if len(sheet.rows) == MOST_ROWS:
            note(mistakes, sheet.mistake(f"a sheet has at most {MOST_ROWS} rows; split it", line))
            break
        if len(mistakes) > MOST:
            break
        pairs = zip(columns, cells, strict=False)
        sheet.rows.append(Row(line, {column: unguarded(cell) for column, cell in pairs if cell}))
    if mistakes:
        raise InvalidInput(mistakes)
    return sheet


def strip_empty_tail(cells: list[str]) -> list[str]:
    """Return cells without the empty ones at the end, which spreadsheets leave behind."""
    filled = [number for number, cell in enumerate(cells, 1) if cell]
    return cells[: filled[-1]] if filled else []


def nonempty_lines(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of a sheet that hold something: the number of each and its cells.

    Refused at a line that is no CSV.
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
        raise InvalidInput(
            [PlacedDiagnostic(f"this is no CSV: {error}", file=name, line=reader.line_num)]
        ) from None


def sheet_lines(name: str, text: str) -> Iterator[str]:
    """Yield the lines of a text, line ends and all; Refused at one of over a million characters."""
    for number, line in enumerate(LINE.finditer(text), 1):
        if line.end() - line.start() > LONGEST_ROW:
            words = f"the line is longer than {LONGEST_ROW} characters; a line is one battle"
            raise InvalidInput([PlacedDiagnostic(words, file=name, line=number)])
        yield line[0]


def line_start(text: str, number: int) -> int:
    """Return where a line begins, in characters from 0; 0 if there are not so many lines."""
    return next((line.start() for line in islice(LINE.finditer(text), number - 1, None)), 0)


def cell_start(text: str, begins: int, number: int) -> int:
    """Return where a cell of the row that begins here begins, in characters from 0.

    `number` counts cells from 0; the end of the row if it has not so many.
    """
    cell = re.compile(rf'(?:"(?:[^"]|"")*")?[^{separator(text)}\r\n]*')
    at = begins
    for _ in range(number):
        found = cell.match(text, at)
        end = found.end() if found else at
        if text[end : end + 1] != separator(text):
            return end
        at = end + 1
    return at


FIRST = re.compile(r"[^\r\n]*[^\s][^\r\n]*")
LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


def separator(text: str) -> str:
    """Return what separates the cells: whichever of the usual signs the first line has most of."""
    found = FIRST.search(text)
    return max(SEPARATORS, key=found[0].count) if found else SEPARATORS[0]


def header_errors(sheet: Sheet, line: int) -> Iterator[Diagnostic]:
    """Yield what is wrong with the names of the columns."""
    seen: set[str] = set()
    for place, column in enumerate(sheet.columns):
        if not column:
            yield sheet.mistake(f"column {place + 1} has no name", line, place)
        elif column in seen:
            yield sheet.mistake(f"the column {quoted(column)} is there twice", line, place)
        elif column.count(".") > MOST_DOTS:
            yield sheet.mistake(f"the column {quoted(column)} has over {MOST_DOTS} dots", line, place)
        seen.add(column)


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
    return "".join(csv_lines(columns, rows))


def csv_lines(columns: Iterable[str], rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Yield rows as `as_csv`, one at a time."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = list(columns)
    lines = chain([names], ([guarded(row.get(name, "")) for name in names] for row in rows))
    for line in lines:
        out.seek(0)
        out.truncate()
        writer.writerow(line)
        yield out.getvalue()
