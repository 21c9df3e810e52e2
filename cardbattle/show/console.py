"""The terminal a command writes to: how wide it is, whether it has colours, what it can write."""

from __future__ import annotations

import errno
import os
import unicodedata
from typing import TYPE_CHECKING

from rich.console import Console

from cardbattle.core.names import clean
from cardbattle.show.cards import can_hold

if TYPE_CHECKING:
    from typing import Literal, TextIO

NARROWEST = 20
PIPE_WIDTH = 80  # what a pipe or a file gets
NEAREST = dict(
    zip("–—−·•×→‘’′“”ß", ["-", "-", "-", "-", "-", "x", "->", "'", "'", "'", '"', '"', "ss"], strict=True)
)
NEAREST |= {"…": "...", "≤": "<=", "≥": ">="}


class Screen(Console):
    """A console that leaves a reader who went away to the caller."""

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError: the caller hears that nobody reads any more, the program is not ended."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def console(stream: TextIO, color: bool | None = None, width: int | None = None) -> Console:
    """Return a console on this stream; where `color` is None, environment and stream decide.

    Without colour there are no escape codes at all.
    """
    colored = wants_color(stream) if color is None else color
    return Screen(
        file=stream,
        color_system=color_system() if colored else None,
        force_terminal=colored,
        no_color=not colored,
        width=max(width or stream_width(stream), NARROWEST),
        height=25,
        emoji=False,
        markup=False,
        highlight=False,
    )


def wants_color(stream: TextIO) -> bool:
    """Say whether to write in colour: NO_COLOR, then FORCE_COLOR, else on a terminal that can."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and not is_dumb()


def is_dumb() -> bool:
    """Say whether the terminal says of itself that it knows no codes."""
    return os.environ.get("TERM", "").lower() in ("dumb", "unknown")


def color_system() -> Literal["auto", "standard"]:
    """Return rich's word for the colours there are; eight where colour is forced on a dumb terminal."""
    return "standard" if is_dumb() else "auto"


def has_many_colors(console: Console) -> bool:
    """Say whether the console has 256 colours or more."""
    return console.color_system in ("256", "truecolor")


def stream_width(stream: TextIO) -> int:
    """Return the width in columns: COLUMNS, else the terminal's own, else that of a pipe."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns[:6]):
        return int(columns[:6])
    try:
        return os.get_terminal_size(stream.fileno()).columns or PIPE_WIDTH
    except (OSError, ValueError, AttributeError):  # no terminal
        return PIPE_WIDTH


def fit_encoding(text: str, encoding: str | None) -> str:
    """Return clean text that this encoding can hold: the nearest letters, else question marks.

    >>> fit_encoding("Zürich – 3 × 4", "ascii")
    'Zurich - 3 x 4'
    """
    text = clean(text)
    if can_hold(text, encoding):
        return text
    return "".join(
        letter if can_hold(letter, encoding) else nearest_letter(letter, encoding) for letter in text
    )


def nearest_letter(letter: str, encoding: str | None) -> str:
    """Return what comes nearest to a letter that this encoding cannot hold: Ł is an L with stroke."""
    bare = unicodedata.name(letter, "").partition(" WITH ")[0]
    try:
        plain = NEAREST.get(letter) or unicodedata.lookup(bare)
    except KeyError:
        plain = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in plain if can_hold(part, encoding)) or "?"


def name_fitted(name: str, key: str, encoding: str | None) -> str:
    """Return a side's name in letters this encoding can hold, or else the side's key.

    >>> name_fitted("Zürich", "zurich", "ascii"), name_fitted("織田", "oda", "cp1252")
    ('Zurich', 'oda')
    """
    near = fit_encoding(name, encoding)
    return near if near.count("?") == name.count("?") else key
