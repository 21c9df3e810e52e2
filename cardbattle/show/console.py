"""Determine the width, the colours and the encoding of the terminal in which a command runs."""

from __future__ import annotations

import errno
import os
import unicodedata
from typing import TYPE_CHECKING

from rich.console import Console

from cardbattle.core.names import clean
from cardbattle.files.settings import color_setting
from cardbattle.show.cards import can_hold

if TYPE_CHECKING:
    from typing import Literal, TextIO

NARROWEST = 20
PIPE_WIDTH = 80  # columns of output to a pipe or a file
NEAREST = dict(
    zip("–—−·•×→‘’′“”ß", ["-", "-", "-", "-", "-", "x", "->", "'", "'", "'", '"', '"', "ss"], strict=True)
)
NEAREST |= {"…": "...", "≤": "<=", "≥": ">="}

# Mid-tone colours, legible on black and on white, for terminals with 256 colours. Themes redefine the eight
# basic colours. Terminals with only these colours show names in bold, and colour only red suits.
SIDES = ["color(30)", "color(98)", "color(130)", "color(64)", "color(32)", "color(132)"]
RED = "#e0303a"


class Screen(Console):
    """A rich console that raises BrokenPipeError instead of ending the program."""

    def on_broken_pipe(self) -> None:

        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def console(stream: TextIO, color: bool | None = None, width: int | None = None) -> Console:
    """Return a console that writes to this stream.

    By default, the environment and the stream determine whether it uses colours. Without colours, the output
    has no escape codes.
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
    """Return True if output to this stream should be coloured.

    This depends on NO_COLOR, FORCE_COLOR, the user's setting, and whether the stream is a terminal with
    colours.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    setting = color_setting()
    if setting != "auto":
        return setting == "always"
    return stream.isatty() and not is_dumb()


def is_dumb() -> bool:
    """Return True if TERM names a terminal without escape codes."""
    return os.environ.get("TERM", "").lower() in ("dumb", "unknown")


def color_system() -> Literal["auto", "standard"]:
    """Return the name of rich's colour system: eight colours if colour is forced on a dumb terminal."""
    return "standard" if is_dumb() else "auto"


def has_many_colors(console: Console) -> bool:
    """Return True if the console has at least 256 colours."""
    return console.color_system in ("256", "truecolor")


def stream_width(stream: TextIO) -> int:
    """Return the width of a stream in columns: the value of COLUMNS, the terminal's width, or PIPE_WIDTH."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns[:6]):
        return int(columns[:6])
    try:
        return os.get_terminal_size(stream.fileno()).columns or PIPE_WIDTH
    except (OSError, ValueError, AttributeError):  # no terminal
        return PIPE_WIDTH


def fit_encoding(text: str, encoding: str | None) -> str:
    """Replace characters that are missing in this encoding with similar letters or question marks.

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
    """Return the most similar letters in this encoding, such as L for Ł (an L with stroke).

    If no letters are similar, return "?".
    """
    bare = unicodedata.name(letter, "").partition(" WITH ")[0]
    try:
        plain = NEAREST.get(letter) or unicodedata.lookup(bare)
    except KeyError:
        plain = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in plain if can_hold(part, encoding)) or "?"


def name_fitted(name: str, key: str, encoding: str | None) -> str:
    """Return a side's name in this encoding, or its key if the name would need question marks.

    >>> name_fitted("Zürich", "zurich", "ascii"), name_fitted("織田", "oda", "cp1252")
    ('Zurich', 'oda')
    """
    near = fit_encoding(name, encoding)
    return near if near.count("?") == name.count("?") else key
