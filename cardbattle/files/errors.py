"""Define errors that have a position in a file, and the error for a failed system call."""

from __future__ import annotations

from cardbattle.core.errors import CardbattleError, Diagnostic, dotted, shorten
from cardbattle.core.names import clean


class SystemFailure(CardbattleError):
    """The operating system refused an operation, for example because the disk is full."""

    exit_code = 6


class UnknownKey(Diagnostic):
    """An unknown key in a file. In the printed error, a caret marks the key and not the value."""


class MissingKey(Diagnostic):
    """A required key that a file does not have.

    `path` is the path of this key, and `at` is the path of the table in which it is missing.
    """

    def __init__(self, text: str, path: tuple[str | int, ...]) -> None:
        super().__init__(text, path[:-1])
        self.path = path


class PlacedDiagnostic(Diagnostic):
    """An error with its position in a file.

    `line` and `column` are counted from 1. They are 0 if the position is unknown. `source` is the text of the
    line.

    >>> str(PlacedDiagnostic("no side is named", file="battle.toml", line=3))
    'battle.toml:3: no side is named'
    """

    def __init__(
        self,
        text: str,
        *,
        at: tuple[str | int, ...] = (),
        file: str = "",
        line: int = 0,
        column: int = 0,
        source: str = "",
    ) -> None:
        super().__init__(text, at)
        self.file = file
        self.line = line
        self.column = column
        self.source = source

    def __str__(self) -> str:
        position = ":".join(str(part) for part in (self.file, self.line) if part)
        path = shorten(dotted(self.at))
        return ": ".join(part for part in (position, path, self.text) if part)


def with_place(error: Diagnostic) -> PlacedDiagnostic:
    """Convert an error to a PlacedDiagnostic. If the error has no position, line and column are 0."""
    return error if isinstance(error, PlacedDiagnostic) else PlacedDiagnostic(error.text, at=error.at)


SHOWN = 100  # maximum number of printed columns of a source line
INDENT = 4  # number of spaces before a source line


def complaint(error: Diagnostic, width: int = 0) -> list[str]:
    """Format an error as lines of text.

    The lines are the message, the source line, and a caret below the wrong character.

    If `width` is not 0, the source line is shortened to this number of columns. The message is never
    shortened.
    """
    placed = with_place(error)
    lines = [clean(str(placed))]
    if placed.source.strip():
        shown = min(SHOWN, max(width - INDENT, INDENT)) if width else SHOWN
        source, column = crop_line(placed.source.expandtabs(1), placed.column, shown)
        lines.append(f"{' ' * INDENT}{clean(source)}")
        if column:
            lines.append(" " * (len(clean(source[: column - 1])) + INDENT) + "^")
    return lines


def crop_line(source: str, column: int, shown: int = SHOWN) -> tuple[str, int]:
    """Return the part of a source line to print, and the position of a column in this part.

    The part has at most `shown` characters. If it does not begin at the start of the line, four fifths of it
    come before the column.

    >>> crop_line("x" * 200, 150)[1], crop_line("short", 3)
    (80, ('short', 3))
    """
    left = max(0, column - shown * 4 // 5) if column > shown else 0
    return source[left : left + shown], column - left
