"""Read a long TOML file table by table, so that errors are reported at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.files.errors import PlacedDiagnostic, with_place
from cardbattle.files.toml import MEGABYTE, Source, parse_text

MOST_ITEMS = 100_000


class Chunk(NamedTuple):
    """A piece of a file: its text, and the number of lines before it."""

    text: str
    lines: int


def chunks_of(text: str, word: str) -> Iterator[tuple[bool, Chunk]]:
    """Split a file into pieces; yield for each whether it is a `[[word]]` table.

    A line with a table header begins a new piece, unless the table belongs to the `[[word]]` before it.
    """
    start = lines = 0
    is_item = False
    for header in re.compile(HEADER.format(word), re.MULTILINE).finditer(text):
        piece = Chunk(text[start : header.start()], lines)
        lines += piece.text.count("\n")
        yield is_item, piece
        start, is_item = header.start(), header[1] is not None
    yield is_item, Chunk(text[start:], lines)


HEADER = r"^\[(?:(\[[ \t]*{0}[ \t]*\]\])|(?!\[?[ \t]*{0}\b)\[?[ \t]*[A-Za-z_])"


def outside(name: str, text: str, word: str) -> Source:
    """Parse everything outside the `[[word]]` tables; lines keep their numbers.

    Raises InvalidInput if there are over 100,000 tables, or over a million characters outside them.
    """
    texts: list[str] = []
    size = lines = count = 0
    for is_item, piece in chunks_of(text, word):
        count += is_item
        if count > MOST_ITEMS:
            problem = f"there are more than {MOST_ITEMS} tables [[{word}]]; split the file"
            raise InvalidInput([PlacedDiagnostic(problem, file=name, line=piece.lines + 1)])
        if not is_item:
            texts += ["\n" * (piece.lines - lines), piece.text]
            lines = piece.lines + piece.text.count("\n")
            size += len(piece.text)
        if size > MEGABYTE:
            raise too_long(name, piece, word)
    return parse_text(name, "".join(texts))


def items(name: str, text: str, word: str) -> Iterator[Chunk]:
    """Yield the `[[word]]` tables of a file; InvalidInput if one has over a million characters."""
    for is_item, piece in chunks_of(text, word):
        if is_item and len(piece.text) > MEGABYTE:
            raise too_long(name, piece, word)
        if is_item:
            yield piece


def too_long(name: str, piece: Chunk, word: str) -> InvalidInput:
    problem = f"there is more than 1 MB between one [[{word}]] and the next; write each as a table of its own"
    return InvalidInput([PlacedDiagnostic(problem, file=name, line=piece.lines + 1)])


def parse(name: str, piece: Chunk) -> Source:
    """Parse a piece; line numbers in errors are those of the whole file."""
    try:
        return parse_text(name, piece.text)
    except InvalidInput as error:
        errors = (place_in_file(diagnostic, piece) for diagnostic in error.errors)
        raise InvalidInput(errors) from None


def place_in_file(error: Diagnostic, piece: Chunk) -> PlacedDiagnostic:
    placed = with_place(error)
    return PlacedDiagnostic(
        placed.text,
        at=placed.at,
        file=placed.file,
        line=piece.lines + placed.line,
        column=placed.column,
        source=placed.source,
    )
