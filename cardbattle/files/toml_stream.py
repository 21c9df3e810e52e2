"""A long TOML file read table by table: nobody waits for the last to hear what is wrong with the first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.files.errors import PlacedDiagnostic, with_place
from cardbattle.files.toml import MEGABYTE, Source, parse_text

MOST_ITEMS = 100_000


class Chunk(NamedTuple):
    """One `[[battle]]` of a file, or what stands outside of all: its text, after so many lines."""

    text: str
    lines: int


def chunks_of(text: str, word: str) -> Iterator[tuple[bool, Chunk]]:
    """Yield the pieces of a file that together are its text; each says whether it is a `[[word]]`.

    A line that begins with the header of a table begins a piece, unless the table belongs to the
    `[[word]]` before it.
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
    """Return what a file says outside of its `[[word]]` tables; every line keeps its number.

    Refused if there are over 100 000 tables, or over a million characters beside them.
    """
    found: list[str] = []
    size = lines = count = 0
    for is_item, piece in chunks_of(text, word):
        count += is_item
        if count > MOST_ITEMS:
            words = f"there are more than {MOST_ITEMS} tables [[{word}]]; split the file"
            raise InvalidInput([PlacedDiagnostic(words, file=name, line=piece.lines + 1)])
        if not is_item:
            found += ["\n" * (piece.lines - lines), piece.text]
            lines = piece.lines + piece.text.count("\n")
            size += len(piece.text)
        if size > MEGABYTE:
            raise too_long(name, piece, word)
    return parse_text(name, "".join(found))


def items(name: str, text: str, word: str) -> Iterator[Chunk]:
    """Yield the `[[word]]` tables of a file; Refused at one of over a million characters."""
    for is_item, piece in chunks_of(text, word):
        if is_item and len(piece.text) > MEGABYTE:
            raise too_long(name, piece, word)
        if is_item:
            yield piece


def too_long(name: str, piece: Chunk, word: str) -> InvalidInput:
    """Return the refusal of a piece that is too long to be read at once."""
    words = f"there is more than 1 MB between one [[{word}]] and the next; write each as a table of its own"
    return InvalidInput([PlacedDiagnostic(words, file=name, line=piece.lines + 1)])


def parse(name: str, piece: Chunk) -> Source:
    """Return a piece as a file of its own, but for the numbers of its lines; Refused lists its mistakes."""
    try:
        return parse_text(name, piece.text)
    except InvalidInput as refused:
        raise InvalidInput(place_in_file(mistake, piece) for mistake in refused.mistakes) from None


def place_in_file(told: Diagnostic, piece: Chunk) -> PlacedDiagnostic:
    """Return a mistake found in a piece with its line in the whole file."""
    mistake = with_place(told)
    return PlacedDiagnostic(
        mistake.text,
        at=mistake.at,
        file=mistake.file,
        line=piece.lines + mistake.line,
        column=mistake.column,
        source=mistake.source,
    )
