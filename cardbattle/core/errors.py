"""Everything the program refuses to do, each with its exit code."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

MOST = 50  # mistakes that are told of one input: nobody mends more at a time
LONGEST = 2000  # characters of what is told of one mistake


class CardbattleError(Exception):
    """Root of every error the program raises on purpose."""

    exit_code = 1


class UsageError(CardbattleError):
    """The command line is wrong."""

    exit_code = 2


class Refused(CardbattleError):
    """An input is refused; `mistakes` lists what is wrong with it, the first fifty if there are more.

    >>> Refused([Mistake("no side is named", file="battle.toml", line=3)]).mistakes[0].line
    3
    """

    exit_code = 3

    def __init__(self, mistakes: Iterable[Mistake] | str) -> None:
        self.mistakes = [Mistake(mistakes)] if isinstance(mistakes, str) else first(mistakes)
        super().__init__("\n".join(str(mistake) for mistake in self.mistakes))


class IllegalMove(CardbattleError):
    """A side may not make this move now."""

    exit_code = 3


class NeedsUmpire(CardbattleError):
    """The campaign needs its umpire: a conflict or a damaged ledger."""

    exit_code = 4

    def __init__(self, conflicts: list[Conflict] | str) -> None:
        self.conflicts = [Conflict(conflicts)] if isinstance(conflicts, str) else conflicts[:MOST]
        if len(conflicts) > MOST and not isinstance(conflicts, str):
            self.conflicts.append(Conflict("there is more to decide; begin with these"))
        super().__init__("\n".join(conflict.text for conflict in self.conflicts))


class InUse(CardbattleError):
    """The campaign is in use by another process."""

    exit_code = 5


class SystemRefused(CardbattleError):
    """The system refused: disk full, permission, broken output."""

    exit_code = 6


class Remark(UserWarning):
    """Something the person should know that stops nothing; it is told, whatever Python makes of warnings."""


class Conflict:
    """One thing an umpire must decide, with both versions beside each other: a table, its head first."""

    def __init__(self, text: str, beside: list[list[str]] | None = None) -> None:
        self.text = text
        self.beside = beside or []


class Mistake:
    """One thing wrong with an input: what, and as far as known where.

    `at` is the path of keys inside the file, outermost first; `line` counts from 1,
    `column` from 1; `source` is the text of that line.
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
        self.text = shortened(text)
        self.at = at
        self.file = file
        self.line = line
        self.column = column
        self.source = source

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line) if part)
        path = shortened(".".join(str(part) for part in self.at))
        return ": ".join(part for part in (where, path, self.text) if part)


def shortened(text: str) -> str:
    """Return a text as it is told: cut if nobody would read it to its end."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def first(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """Return the first fifty mistakes, and if there are more one that says so; look no further."""
    found = list(islice(mistakes, MOST + 1))
    if len(found) > MOST:
        found[MOST] = Mistake("there are more mistakes; mend these first")
    return found


def note(mistakes: list[Mistake], mistake: Mistake) -> None:
    """Add a mistake to a list of them, unless there are more already than will be told."""
    if len(mistakes) <= MOST:
        mistakes.append(mistake)
