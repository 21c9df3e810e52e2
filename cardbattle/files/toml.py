"""Read text files and TOML files, and report the line of every error."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import tomllib
from collections.abc import Iterable, Iterator
from datetime import date, time
from typing import NoReturn
from unicodedata import category

from cardbattle.core.errors import MOST, Diagnostic, InvalidInput, TextDiagnostic, first
from cardbattle.core.names import UNFIT, clean, is_plain, quoted, unknown_word
from cardbattle.files import disk
from cardbattle.files.errors import PlacedDiagnostic, UnknownKey, with_place
from cardbattle.files.plain_toml import read_plain
from cardbattle.files.toml_positions import MOST_DOTS, Path, Places, find_overlong_key

MEGABYTE = 1_000_000
STANDARD_INPUT = "standard input"
BOM = b"\xef\xbb\xbf"
OTHER_BOMS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
SAVE_AS_UTF8 = "save it as UTF-8 (in Notepad: Save as, Encoding: UTF-8)"
LARGEST = 2**63 - 1
LONGEST_LINE = 1000


def unknown_key(at: Path, valid_keys: Iterable[str]) -> UnknownKey:
    """Return the error for an unknown key. The error suggests the most similar key in `valid_keys`."""
    return UnknownKey(unknown_word("key", str(at[-1]), valid_keys), at=at)


class Source:
    """A text file's name, parsed data and text, and whether it had a byte order mark."""

    def __init__(self, name: str, text: str, data: dict[str, object], bom: bool) -> None:
        self.name = name
        self.text = text
        self.data = data
        self.bom = bom
        self.places: Places | None = None

    def locate(self, at: Path, *, key: bool = False) -> tuple[int, int]:
        r"""Return the line and the column of the value at this path of keys, both counted from 1.

        If `key` is True, return the position of the key instead.

        If the path does not exist, return the position of the nearest table above it.

        >>> parse_toml("a.toml", b"[forces.percy]\nstrength = 14").locate(("forces", "percy", "strength"))
        (2, 12)
        """
        return line_and_column(self.text, self.offset(at, key=key))

    def offset(self, at: Path, *, key: bool = False) -> int:
        """Return the offset in the text of the value at this path, or of its key if `key` is True."""
        if self.places is None:
            self.places = Places(self.text)
        return self.places.find(at, key=key)

    def line(self, number: int) -> str:
        """Return the text of a line. Lines are counted from 1."""
        return line_of(self.text, number)

    def placed(self, error: Diagnostic) -> PlacedDiagnostic:
        """Return an error with its position: file, line, column and text of the line."""
        placed = with_place(error)
        line, column, source = placed.line, placed.column, self.line(placed.line)
        if not line:
            offset = self.offset(placed.at, key=isinstance(error, UnknownKey))
            offset += self.inside(offset, error)
            line, column = line_and_column(self.text, offset)
            source = line_at(self.text, offset)
        return PlacedDiagnostic(
            placed.text, at=placed.at, file=self.name, line=line, column=column, source=source
        )

    def inside(self, offset: int, error: Diagnostic) -> int:
        """Return the number of characters between the opening quote of a string and an error in it."""
        quote = self.text[offset : offset + 1]
        if (
            not isinstance(error, TextDiagnostic)
            or quote not in ("'", '"')
            or self.text.startswith(3 * quote, offset)
        ):
            return 0
        return min(error.column, max(0, self.text.find("\n", offset) - offset))

    def in_order(self, errors: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return the errors to report. They have positions and are sorted by line."""
        reported = first(errors)
        placed = [self.placed(error) for error in reported[:MOST]]
        return [*sorted(placed, key=lambda error: (error.line, error.column)), *reported[MOST:]]

    def refuse(self, errors: Iterable[Diagnostic]) -> NoReturn:
        """Raise InvalidInput with these errors, with their positions and sorted by line."""
        raise InvalidInput(self.in_order(errors))


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column of an offset in a text, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def line_of(text: str, number: int) -> str:
    lines = text.split("\n", number)
    return line_to_show(lines[number - 1]) if 0 < number <= len(lines) else ""


def line_at(text: str, offset: int) -> str:
    start, end = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
    return line_to_show(text[start : end if end >= 0 else None])


def line_to_show(line: str) -> str:
    """Return a line without its line ending, or "" if the line is too long to print."""
    line = line.removesuffix("\r")
    return line if len(line) <= LONGEST_LINE else ""


def invalid_file(name: str, problem: str, text: str = "", offset: int = 0) -> InvalidInput:
    if not text:
        return InvalidInput([PlacedDiagnostic(problem, file=name)])
    line, column = line_and_column(text, offset)
    return InvalidInput(
        [PlacedDiagnostic(problem, file=name, line=line, column=column, source=line_of(text, line))]
    )


def read_bytes(path: str, most: int) -> bytes:
    """Return the content of a file as bytes. The path `-` means standard input.

    Raises InvalidInput if the input has more than `most` bytes, cannot be read, or is not a regular file.
    """
    if path == "-":
        return read_standard_input(most)
    name = clean(path)
    try:
        handle = os.open(path, os.O_RDONLY | disk.BINARY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError) as error:
        raise invalid_file(name, unreadable(error)) from error
    try:
        kind = os.fstat(handle).st_mode
        if not stat.S_ISREG(kind):
            raise invalid_file(name, irregular(kind))
        with os.fdopen(handle, "rb", closefd=False) as file:
            return within(name, file.read(most + 1), most)
    except OSError as error:
        raise invalid_file(name, f"the file cannot be read: {disk.reason(error)}") from error
    finally:
        os.close(handle)


def read_standard_input(most: int) -> bytes:
    try:
        return within(STANDARD_INPUT, sys.stdin.buffer.read(most + 1), most)
    except (OSError, ValueError, AttributeError) as error:
        raise invalid_file(STANDARD_INPUT, "it cannot be read; give a file or a pipe") from error


def unreadable(error: OSError | ValueError) -> str:
    """Return a text that says why a file cannot be opened, and what the user can do."""
    if not isinstance(error, OSError):
        return "this is not a valid file name"
    if error.errno == errno.ENOENT:
        return "there is no such file; check the name and the folder"
    if error.errno in (errno.EACCES, errno.EPERM):
        return "no permission to read the file; check its permissions"
    if error.errno == errno.EISDIR:
        return irregular(stat.S_IFDIR)
    return f"the file cannot be opened: {disk.reason(error)}"


def irregular(kind: int) -> str:
    """Return a text that says that a path is not a regular file, and what the user can do.

    `kind` is the type of the file from its mode.
    """
    if stat.S_ISDIR(kind):
        return "this is a folder; name a file in it"
    return 'this is a pipe or a device, not a file; to read standard input, use "-"'


def within(name: str, raw: bytes, most: int) -> bytes:
    if len(raw) > most:
        size = f"{most // MEGABYTE} MB" if most >= MEGABYTE else f"{most} bytes"
        raise invalid_file(name, f"the file is larger than the limit of {size}; split it")
    return raw


def read_toml(path: str, most: int = MEGABYTE) -> Source:
    """Read a TOML file.

    The path `-` means standard input. Raises InvalidInput if the input has more than `most` bytes, cannot
    be read or is not TOML.
    """
    return parse_toml(STANDARD_INPUT if path == "-" else clean(path), read_bytes(path, most))


def parse_toml(name: str, raw: bytes) -> Source:
    """Parse TOML bytes. Raises InvalidInput, with the position of the error, if they are not valid."""
    bom = raw.startswith(BOM)
    return parse_text(name, decode_utf8(name, raw[len(BOM) :] if bom else raw), bom)


def parse_text(name: str, text: str, bom: bool = False) -> Source:
    """Parse a TOML file from text. Tables and lists can be nested 60 levels deep.

    Raises InvalidInput, which has the position of the error, if the file is not valid.
    """
    refuse_conflicts(name, text)
    try:
        data = read_plain(text) or tomllib.loads(text)
    except RecursionError as error:
        raise invalid_file(name, TOO_DEEP, text, deepest(text)) from error
    except ValueError as error:
        raise translate_syntax_error(name, text, str(error)) from error
    source = Source(name, text, data, bom)
    for key, value in data.items():
        if is_deeper(value, MOST_LEVELS):
            source.refuse([UnknownKey(TOO_DEEP, at=(key,))])
    return source


MOST_LEVELS = 60
TOO_DEEP = "arrays or tables are nested too deeply; a few levels are enough"


BRACKETS = re.compile(
    r""""{3}(?:\\.|[^\\])*?"{3} | '{3}.*?'{3} | "(?:\\.|[^"\\\n])*" | '[^'\n]*' | \#[^\n]* | [\[\]{}]""",
    re.DOTALL | re.VERBOSE,
)


def deepest(text: str) -> int:
    """Return the offset of the most deeply nested bracket.

    Brackets in quotes and comments are ignored.

    >>> deepest("a = '[[['  # {{{{"), deepest("b = [[1], [2, [3]]]")
    (0, 14)
    """
    depth = most = place = 0
    for match in BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > most:
                most, place = depth, match.start()
        elif match[0] in "]}":
            depth -= 1
    return place


def is_deeper(value: object, most: int) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return False
    return most == 0 or any(is_deeper(inside, most - 1) for inside in value)


def decode_utf8(name: str, raw: bytes) -> str:
    """Decode UTF-8. For other bytes, raises InvalidInput, which names the likely encoding."""
    if raw[:2] in OTHER_BOMS:
        raise invalid_file(name, f"the file is {OTHER_BOMS[raw[:2]]} text; {SAVE_AS_UTF8}")
    if b"\0" in raw[:200] and raw[:200].count(b"\0") * 3 > len(raw[:200]):
        raise invalid_file(name, f"the file seems to be UTF-16 text; {SAVE_AS_UTF8}")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        around = raw.decode("latin-1")
        problem = f"byte {raw[error.start]:#04x} is not UTF-8 text; {SAVE_AS_UTF8}"
        raise invalid_file(name, problem, around, error.start) from error
    if "\0" in text:
        raise invalid_file(name, "this is a NUL character; remove it", text, text.index("\0"))
    return text


OURS = re.compile(r"^<{7}(?: |\r?$)", re.MULTILINE)
THEIRS = re.compile(r"^>{7}(?: |\r?$)", re.MULTILINE)


def refuse_conflicts(name: str, text: str) -> None:
    """Raise InvalidInput if a text contains a merge conflict, or a dotted key with too many parts.

    This check is needed because `tomllib` accepts some merge conflicts, and is slow if keys are very long.
    """
    ours = OURS.search(text)
    if ours is not None and THEIRS.search(text, ours.end()) is not None:
        problem = "unresolved merge conflict; keep one of its two versions and remove the markers"
        raise invalid_file(name, problem, text, ours.start())
    overlong = find_overlong_key(text)
    if overlong >= 0:
        raise invalid_file(
            name,
            f"a dotted key has at most {MOST_DOTS} dots, or fewer in a file with many such keys",
            text,
            overlong,
        )


TOMLLIB_ERROR = re.compile(
    r"^(?P<words>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.S
)
SYNTAX = {
    "Cannot overwrite a value": "this key appears twice; keep one of the two",
    "Cannot declare": "this table appears twice; put its keys in one place",
    "Cannot mutate immutable namespace": "this table is already complete; put its keys in one place",
    "Cannot redefine namespace": "this table appears twice; put its keys in one place",
    "Duplicate inline table key": "a key appears twice in this inline table; keep one of the two",
    "Invalid value": 'expected a value; write text in quotes, such as "percy"',
    "Invalid initial character for a key part": "expected a key, such as name or [forces.percy]",
    "Invalid statement": "expected a key, such as name = ... or [forces.percy]",
    "Expected '=' after a key": 'expected "=" after the key',
    "Expected newline or end of document": "expected the end of the line after a value",
    "Unclosed array": 'expected "," or "]" in this list',
    "Unclosed inline table": 'expected "," or "}" in this inline table',
    "Expected ']'": 'expected "]" at the end of this table name',
    "Expected ']]'": 'expected "]]" at the end of this table name',
    "Illegal character '\\n'": "the text does not end on its line; a quote is missing",
    "Illegal character": "TOML does not allow this character; remove it or write it as \\u....",
    "Found invalid character '\\n'": "the text does not end on its line; a quote is missing",
    "Found invalid character": "TOML does not allow this character; remove it",
    "Unterminated string": "the text does not end; a quote is missing",
    "Expected '\"": "the text does not end; a quote is missing",
    "Expected \"'": "the text does not end; a quote is missing",
    "Unescaped '\\'": "write a backslash in quotes twice, or put the text in single quotes",
    "Invalid hex value": "a \\u is followed by 4 hex digits, a \\U by 8",
    "Escaped character is not a Unicode scalar value": "this escape is not a character",
    "Invalid date or datetime": "this is not a valid date",
    "Exceeds the limit": "a number is too large",
}


def translate_syntax_error(name: str, text: str, said: str) -> InvalidInput:
    if text.lstrip().startswith("{"):
        return invalid_file(name, NOT_TOML)
    match = TOMLLIB_ERROR.match(said)
    message = match["words"] if match else said
    problem = next(
        (plain for theirs, plain in SYNTAX.items() if message.startswith(theirs)), "this is not TOML"
    )
    if match is None:
        digits = ENDLESS.search(text)
        return invalid_file(name, problem, text or " ", digits.start() if digits else 0)
    if match["line"] is None:
        return invalid_file(name, problem, text or " ", max(0, len(text.rstrip()) - 1))
    line, column = int(match["line"]), int(match["column"])
    source = line_of(text, line)
    curly = curly_quote(source, column)
    if curly:
        problem, column = STRAIGHT, curly
    elif problem.endswith(TWICE):
        column = len(source) - len(source.lstrip()) + 1
    else:
        problem = remedy_of_slip(source, column) or problem
    return InvalidInput([PlacedDiagnostic(problem, file=name, line=line, column=column, source=source)])


NOT_TOML = "this is JSON, not TOML; write the file again with the extension .toml"
CURLY = "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{DOUBLE LOW-9 QUOTATION MARK}"
CURLY += "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
STRAIGHT = 'write text in straight quotes ("percy"), not in curly ones'


def curly_quote(source: str, column: int) -> int:
    """Return the column of the curly quote that caused a syntax error at `column`.

    Columns are counted from 1. The result is 0 if no curly quote caused the error.

    >>> curly_quote("name = \N{LEFT DOUBLE QUOTATION MARK}Percy", 8), curly_quote('name = "Percy', 14)
    (8, 0)
    """
    end = len(source.rstrip(" \t\r\n,]}"))
    return next((at for at in (column, end) if source[at - 1 : at] and source[at - 1] in CURLY), 0)


SLIPS = (  # a common slip, with NUL at the place of the syntax error, and what to write instead
    (r"([0-9]+)[ \t]*\0/[ \t]*([0-9]+)", r'write a fraction in quotes: "\1/\2"'),
    (r"([0-9]+(?:[.,][0-9]+)?)[ \t]*\0%", r'write a percentage in quotes: "\1%"'),
    (r"([0-9]+)\0(,[0-9]+%?)", r'a number has no comma; write a whole number, or text in quotes: "\1\2"'),
    (r"\b0\0([0-9]+)", r'a number does not begin with 0; write \1, or text in quotes: "0\1"'),
    (r"'[^']*'\0\w[^']*'", 'the apostrophe ends this text; put the text in double quotes ("...")'),
    (r'"[^"]*"\0\w[^"]*"', "the second quote ends this text; put the text in single quotes ('...')"),
    (r"\0;", 'remove the ";"'),
    (r"\0/[/*]", 'a comment begins with "#"'),
    (r"\0True\b", "write true in small letters"),
    (r"\0False\b", "write false in small letters"),
    ("\0[\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]", "this is a no-break space; write a normal space"),
    (r",[ \t]*\0\}", "remove the last comma of this { } table"),
    (r"\{[^{}]*\0[ \t]*(?:#.*)?$", 'a table in { } must end with "}" on the same line'),
    (
        r"^[ \t]*\[[^\]]*\0[^\]]+\]",
        'a key in [ ] has only a to z, 0 to 9, "-" and "_"; write a name as name = "..."',
    ),
)


def remedy_of_slip(source: str, column: int) -> str:
    """Return what to write instead of a common slip at a column of a line, or "" for any other error.

    >>> remedy_of_slip("rate = 1/2", 9), remedy_of_slip("turn = 1;", 9), remedy_of_slip("turn = 1 2", 10)
    ('write a fraction in quotes: "1/2"', 'remove the ";"', '')
    """
    marked = f"{source[: column - 1]}\0{source[column - 1 :]}"
    matches = ((re.search(pattern, marked), remedy) for pattern, remedy in SLIPS)
    return next((match.expand(remedy) for match, remedy in matches if match), "")


ENDLESS = re.compile(r"[0-9][0-9_]{4000}")
TWICE = ("keep one of the two", "put its keys in one place")


def find_invalid_values(data: dict[str, object], at: Path = ()) -> Iterator[Diagnostic]:
    """Yield an error for each value that is not allowed in any file of this program.

    Floats, dates, whole numbers with more than 64 bits, and control characters in strings or keys are not
    allowed.
    """
    for key, value in data.items():
        if not is_plain(key) and any(char < " " or char == "\x7f" for char in key):
            yield UnknownKey("the key contains a control character", at=(*at, key))
        yield from find_invalid_value(value, (*at, key))


def find_invalid_value(value: object, at: Path) -> Iterator[Diagnostic]:
    if isinstance(value, dict):
        yield from find_invalid_values(value, at)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from find_invalid_value(item, (*at, index))
    else:
        problem = invalid_reason(value)
        if problem:
            yield Diagnostic(problem, at=at)


def invalid_reason(value: object) -> str:
    """Return the error message for a value that is not allowed, or "" if the value is allowed."""
    if isinstance(value, float):
        return f'expected a whole number, or a fraction in quotes as "1/2", got {value}'
    if isinstance(value, date | time):
        return f"expected text or a whole number, got the date {quoted(value)}"
    if isinstance(value, int) and abs(value) > LARGEST:
        return f"expected a whole number up to {LARGEST}, got a number too large"
    return invalid_text_reason(value) if isinstance(value, str) and not is_plain(value) else ""


def invalid_text_reason(value: str) -> str:
    """Return the error message for a string with control characters, or "" if it has none."""
    acting = [char for char in value if category(char) in UNFIT and char not in "\t\n\r"]
    if not acting:
        return ""
    kind = "control" if value.isascii() else "control or format"
    return f"the text contains a {kind} character: {quoted(value)}"
