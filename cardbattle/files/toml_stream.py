"""Read a long TOML file one table at a time, and report an error as soon as its table is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.files.errors import PlacedDiagnostic, with_place
from cardbattle.files.toml import MEGABYTE, Source, parse_text

MOST_ITEMS = 100_000


class Chunk(NamedTuple):
    """A piece of a file, with its text and the number of lines before it."""

    text: str
    lines: int


def chunks_of(text: str, word: str) -> Iterator[tuple[bool, Chunk]]:
    """Split a file into pieces, and yield a pair for each of them.

    The pair has a boolean, which is True if the piece is a table `[[word]]`, and the piece.

    Each table header begins a new piece, except the headers of tables inside a table `[[word]]`.
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
    """Parse a file without the tables `[[word]]`. Errors have line numbers of the whole file.

    Raises InvalidInput if the file has more than 100,000 tables `[[word]]`, or more than 1,000,000 characters
    outside these tables.
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
    """Yield the tables `[[word]]`. Raises InvalidInput if one is over 1,000,000 characters long."""
    for is_item, piece in chunks_of(text, word):
        if is_item and len(piece.text) > MEGABYTE:
            raise too_long(name, piece, word)
        if is_item:
            yield piece


def too_long(name: str, piece: Chunk, word: str) -> InvalidInput:
    problem = (
        f"there is more than 1 MB between one [[{word}]] and the next; write a [[{word}]] for each {word}"
    )
    return InvalidInput([PlacedDiagnostic(problem, file=name, line=piece.lines + 1)])


def parse(name: str, piece: Chunk) -> Source:
    """Parse a piece of a file. Errors have line numbers of the whole file."""
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
