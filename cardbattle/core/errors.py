"""Errors of the battle state machine and the rules, with their exit codes, and diagnostics."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

MOST = 50  # mistakes that are told of one input: nobody mends more at a time
LONGEST = 2000  # characters of what is told of one mistake


class CardbattleError(Exception):
    """Root of every error the program raises on purpose."""

    exit_code = 1


class UsageError(CardbattleError):
    """The command line, or a call of the library, is wrong."""

    exit_code = 2


class InvalidInput(CardbattleError):
    """An input is refused; `errors` lists what is wrong with it, the first fifty if there are more.

    >>> InvalidInput([Diagnostic("no side is named", ("sides",))]).errors
    [Diagnostic('sides: no side is named')]
    """

    exit_code = 3

    def __init__(self, errors: Iterable[Diagnostic] | str) -> None:
        self.errors = [Diagnostic(errors)] if isinstance(errors, str) else first(errors)
        super().__init__("\n".join(str(error) for error in self.errors))


class IllegalMove(CardbattleError):
    """A side may not make this move now."""

    exit_code = 3


class Remark(UserWarning):
    """A remark for the user that stops nothing; it is always printed, whatever the warning filters say."""


class Diagnostic:
    """One thing wrong with an input: what, and where in it, as a path of keys, outermost first.

    >>> str(Diagnostic("expected a whole number", at=("sides", "york", "hand")))
    'sides.york.hand: expected a whole number'
    """

    def __init__(self, text: str, at: tuple[str | int, ...] = ()) -> None:
        self.text = shorten(text)
        self.at = at

    def __str__(self) -> str:
        path = shorten(dotted_path(self.at))
        return f"{path}: {self.text}" if path else self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class TextDiagnostic(Diagnostic):
    """One error inside a text; `column` is its first character, from 1."""

    def __init__(self, text: str, column: int = 1, at: tuple[str | int, ...] = ()) -> None:
        super().__init__(text, at)
        self.column = column


def dotted_path(at: Iterable[str | int]) -> str:
    """Return a path of keys as people read it, the entries of lists counted from 1.

    >>> dotted_path(("pending", 0, "sides"))
    'pending.1.sides'
    """
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in at)


def shorten(text: str) -> str:
    """Return a text for printing, cut if it is very long."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def first(errors: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the first fifty errors, and one that says there are more."""
    errors = list(islice(errors, MOST + 1))
    if len(errors) > MOST:
        errors[MOST] = Diagnostic("more than 50 errors; the rest are not shown")
    return errors


def note(errors: list[Diagnostic], error: Diagnostic) -> None:
    """Add an error to a list, unless the list is longer than what is printed."""
    if len(errors) <= MOST:
        errors.append(error)
