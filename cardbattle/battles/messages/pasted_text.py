"""Convert pasted text to plain lines: mail (also HTML), chat, notes from a phone.

Characters are normalised (NFKC), so that full-width letters and signs become those of a keyboard. HTML tags
and character references are removed; block elements end a line, and quotations get a `>`. Time and memory are
linear in the length, which is limited after normalisation because one character can become 18.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from cardbattle.core.errors import InvalidInput
from cardbattle.files.errors import PlacedDiagnostic

MOST_CHARACTERS = 1_000_000  # maximum length of a text after normalisation
MOST_LINES = 100_000
CHUNK = 10_000  # characters to normalise at a time
NEWLINE = re.compile(r"\r\n|\r|\n")
QUOTED = re.compile(r"[\s>]*")
QUOTES = str.maketrans("\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb", '\'\'\'\'""""""')
REFERENCE = re.compile(r"&(?:nbsp|amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
LINK = re.compile(r"<mailto:[^<>|\n]{0,200}>|\[mailto:[^\[\]\n]{0,200}\]")  # as mail programs mark an address
NAMED_LINK = re.compile(r"<mailto:[^<>|\n]{0,200}\|([^<>\n]{0,200})>")  # as chats do
TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)\b[^<>]{0,2000}>", re.IGNORECASE)
# Elements with an empty line around them, and elements that only begin a line.
BLOCKS = frozenset(
    ["blockquote", "body", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul"]
)
LINES = frozenset(["dd", "div", "dt", "li", "tr"])
HIDDEN = frozenset(["head", "script", "style", "title"])
INLINE = frozenset(
    [
        "a",
        "b",
        "big",
        "center",
        "code",
        "em",
        "font",
        "html",
        "i",
        "img",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "tbody",
        "td",
        "th",
        "u",
    ]
)
DEEPEST = 20  # maximum depth of nested quotations
BREAKING = BLOCKS | LINES
ELEMENTS = BREAKING | HIDDEN | INLINE | {"br"}


class PlainLine(NamedTuple):
    """One line of a pasted text, with its line number in the file."""

    number: int
    text: str

    @property
    def depth(self) -> int:
        """How often the line was quoted."""
        mark = QUOTED.match(self.text)
        return mark[0].count(">") if mark else 0

    @property
    def bare(self) -> str:
        """The line without quotation marks and outer spaces."""
        return QUOTED.sub("", self.text, count=1).strip()


def plain_lines(file: str, text: str) -> list[PlainLine]:
    """Return the lines of a text; raise InvalidInput if it is too long.

    >>> plain_lines("-", "<blockquote><p>york@6:&nbsp;<b>3</b><br>Yours</blockquote>")[2:4]
    [PlainLine(number=1, text='> york@6: 3'), PlainLine(number=1, text='> Yours')]
    """
    is_html = any(elements_in(text))
    raw = html_lines(text) if is_html else map(PlainLine._make, enumerate(NEWLINE.split(text), 1))
    lines: list[PlainLine] = []
    left = MOST_CHARACTERS
    for number, line in raw:
        plain = plain_line(with_references(line) if "&" in line else line, left)
        left -= len(plain)
        if left < 0 or len(lines) == MOST_LINES:
            limit = f"{MOST_CHARACTERS:,} characters" if left < 0 else f"{MOST_LINES:,} lines"
            error_text = f"the text is longer than {limit}; paste only the answers"
            raise InvalidInput([PlacedDiagnostic(error_text, file=file, line=number)])
        lines.append(PlainLine(number, plain))
    return lines


def plain_line(raw: str, most: int = MOST_CHARACTERS) -> str:
    """Normalise a line: plain digits, spaces and quotes, no invisible characters.

    Control characters stay and are rejected later. A line longer than `most` can be cut behind that length.
    """
    if "mailto:" in raw:
        raw = LINK.sub("", NAMED_LINK.sub(r"\1", raw))
    if raw.isascii():
        return raw.replace("\t", " ")
    parts: list[str] = []
    length = 0
    for start in range(0, len(raw), CHUNK):
        parts.append(unicodedata.normalize("NFKC", raw[start : start + CHUNK].translate(QUOTES)))
        length += len(parts[-1])
        if length > most:
            break
    plain = "".join(parts).translate(QUOTES)
    unseen = {ord(char): None for char in set(plain) if unicodedata.category(char) == "Cf"}
    return plain.translate({**unseen, ord("\t"): " "})


def with_references(text: str) -> str:
    """Replace the character references in a line by their characters.

    >>> with_references("york@6:&#32;3 &amp; &bull;")
    'york@6: 3 & &bull;'
    """
    return NEWLINE.sub(" ", REFERENCE.sub(lambda match: html.unescape(match[0]), text))


def is_element(tag: re.Match[str]) -> bool:
    """Return True if the text in angle brackets is an HTML element.

    >>> [is_element(tag) for tag in TAG.finditer("<br/> <york>")]
    [True, False]
    """
    return tag[2].lower() in ELEMENTS


def elements_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the tags of HTML elements in a text, in order."""
    return (tag for tag in TAG.finditer(text) if is_element(tag))


def html_lines(text: str) -> Iterator[PlainLine]:
    """Yield the visible lines of HTML, with `>` for quotations and an empty line around each block.

    Line breaks of the source are kept. As in plain text, an answer that continues on the next line is joined
    later.
    """
    number = depth = at = 0
    hidden = ""
    parts: list[str] = []
    for tag in chain(elements_in(text), [None]):
        first, *more = NEWLINE.split(text[at : tag.start()] if tag else text[at:])
        parts.append("" if hidden else first)
        for piece in more:
            yield html_line(number, depth, parts)
            number += 1
            parts = ["" if hidden else piece]
        if tag is None:
            break
        at, name, is_end = tag.end(), tag[2].lower(), bool(tag[1])
        if name == "br" or (name in BREAKING and any(map(str.strip, parts))):
            yield html_line(number, depth, parts)
        if name == "br" or name in BREAKING:
            parts = []
        if name in BLOCKS:
            yield html_line(number, depth, [])
        number += len(NEWLINE.findall(tag[0]))
        if name == "blockquote":
            depth = min(max(0, depth + (-1 if is_end else 1)), DEEPEST)
        elif name in HIDDEN and hidden in ("", name):
            hidden = "" if is_end else name
    yield html_line(number, depth, parts)


def html_line(number: int, depth: int, parts: Iterable[str]) -> PlainLine:
    """Return the text collected for a line of HTML; `number` counts from 0."""
    return PlainLine(number + 1, f"{'>' * depth} {''.join(parts).strip()}".strip())
