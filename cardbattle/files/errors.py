"""Mistakes with their place in a file, and what the system refuses."""

from __future__ import annotations

from cardbattle.core.errors import CardbattleError, Mistake, path_told, shortened


class SystemRefused(CardbattleError):
    """The system refused: disk full, permission, broken output."""

    exit_code = 6


class UnknownKey(Mistake):
    """A key that nobody reads; its caret stands under the key, not the value."""


class PlacedMistake(Mistake):
    """A mistake in a file: `line` and `column` count from 1, 0 where not known; `source` is that line's text.

    >>> str(PlacedMistake("no side is named", file="battle.toml", line=3))
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


def with_place(mistake: Mistake) -> PlacedMistake:
    """Return a mistake with its place, which is nowhere if no file has it."""
    return mistake if isinstance(mistake, PlacedMistake) else PlacedMistake(mistake.text, at=mistake.at)
