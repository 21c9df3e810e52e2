"""Mistakes with their place in a file, and what the system refuses."""

from __future__ import annotations

from cardbattle.core.errors import CardbattleError, Diagnostic, path_told, shortened
from cardbattle.core.names import clean


class SystemRefused(CardbattleError):
    """The system refused: disk full, permission, broken output."""

    exit_code = 6


class UnknownKey(Diagnostic):
    """A key that nobody reads; its caret stands under the key, not the value."""


class PlacedDiagnostic(Diagnostic):
    """A mistake in a file: `line` and `column` count from 1, 0 where not known; `source` is that line's text.

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
        where = ":".join(str(part) for part in (self.file, self.line) if part)
        path = shortened(path_told(self.at))
        return ": ".join(part for part in (where, path, self.text) if part)


def with_place(mistake: Diagnostic) -> PlacedDiagnostic:
    """Return a mistake with its place, which is nowhere if no file has it."""
    return mistake if isinstance(mistake, PlacedDiagnostic) else PlacedDiagnostic(mistake.text, at=mistake.at)


SHOWN = 100  # columns of a source line that an error shows
INDENT = 4  # columns before it


def complaint(told: Diagnostic, width: int = 0) -> list[str]:
    """Return a mistake as lines: what is wrong, and its line of the file with a caret under the place.

    The line of the file is cut to `width` columns if that is not 0; what is wrong is not.
    """
    mistake = with_place(told)
    lines = [clean(str(mistake))]
    if mistake.source.strip():
        shown = min(SHOWN, max(width - INDENT, INDENT)) if width else SHOWN
        source, column = crop_line(mistake.source.expandtabs(1), mistake.column, shown)
        lines.append(f"{' ' * INDENT}{clean(source)}")
        if column:
            lines.append(" " * (len(clean(source[: column - 1])) + INDENT) + "^")
    return lines


def crop_line(source: str, column: int, shown: int = SHOWN) -> tuple[str, int]:
    """Return the part of a source line that is shown, and the column within it.

    A place beyond the first columns has four fifths of those shown before it.

    >>> crop_line("x" * 200, 150)[1], crop_line("short", 3)
    (80, ('short', 3))
    """
    left = max(0, column - shown * 4 // 5) if column > shown else 0
    return source[left : left + shown], column - left
