"""Errors with their position in a file, and failures of the system."""

from __future__ import annotations

from cardbattle.core.errors import CardbattleError, Diagnostic, dotted_path, shorten
from cardbattle.core.names import clean


class SystemFailure(CardbattleError):
    """The system refused an operation: disk full, no permission, closed output."""

    exit_code = 6


class UnknownKey(Diagnostic):
    """An unknown key; its caret is under the key, not the value."""


class MissingKey(Diagnostic):
    """A required key that is missing; `path` is that of the key, and `at` that of its table."""

    def __init__(self, text: str, path: tuple[str | int, ...]) -> None:
        super().__init__(text, path[:-1])
        self.path = path


class PlacedDiagnostic(Diagnostic):
    """An error in a file: `line` and `column` count from 1, 0 if unknown; `source` is the text of the line.

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
        path = shorten(dotted_path(self.at))
        return ": ".join(part for part in (position, path, self.text) if part)


def with_place(error: Diagnostic) -> PlacedDiagnostic:
    """Return an error as a placed one, with an empty place if it has none."""
    return error if isinstance(error, PlacedDiagnostic) else PlacedDiagnostic(error.text, at=error.at)


SHOWN = 100  # columns of a source line to print
INDENT = 4  # columns before the source line


def complaint(error: Diagnostic, width: int = 0) -> list[str]:
    """Return an error as lines: the message, then the source line with a caret below.

    The source line is cut to `width` columns if that is not 0; the message is not.
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
    """Return the visible part of a source line, and the column within it.

    If the column is beyond the visible part, four fifths of what is shown come before it.

    >>> crop_line("x" * 200, 150)[1], crop_line("short", 3)
    (80, ('short', 3))
    """
    left = max(0, column - shown * 4 // 5) if column > shown else 0
    return source[left : left + shown], column - left
