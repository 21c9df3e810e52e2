"""Errors of the battle state machine and the rules, with their exit codes, and diagnostics."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

MOST = 50  # maximum number of errors reported for one input
LONGEST = 2000  # maximum length of one error in characters


class CardbattleError(Exception):
    """The base class of all errors that the program raises on purpose."""

    exit_code = 1


class UsageError(CardbattleError):
    """The command line, or the call of a library function, is wrong."""

    exit_code = 2


class NoSuchOption(UsageError, IndexError):
    """The index of an option is beyond the list; also an IndexError, as of a list."""


class InvalidInput(CardbattleError):
    """An input has errors; `errors` lists them, at most the first fifty.

    >>> InvalidInput([Diagnostic("no side is named", ("sides",))]).errors
    [Diagnostic('sides: no side is named')]
    """

    exit_code = 3

    def __init__(self, errors: Iterable[Diagnostic] | str) -> None:
        self.errors = [Diagnostic(errors)] if isinstance(errors, str) else first(errors)
        super().__init__("\n".join(str(error) for error in self.errors))


class IllegalMove(CardbattleError):
    """The side is not allowed to make this move now."""

    exit_code = 3


class Remark(UserWarning):
    """A warning for the user. The command continues; warning filters do not suppress it."""


class Diagnostic:
    """One error in an input: what is wrong, and the path of keys to it, outermost first.

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
    """Format a path of keys with dots; entries of lists are counted from 1.

    >>> dotted_path(("pending", 0, "sides"))
    'pending.1.sides'
    """
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in at)


def shorten(text: str) -> str:
    """Return a text for printing, cut if it is very long."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def first(errors: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the first fifty errors, and a note if there are more."""
    errors = list(islice(errors, MOST + 1))
    if len(errors) > MOST:
        errors[MOST] = Diagnostic("more than 50 errors; the rest are not shown")
    return errors


def note(errors: list[Diagnostic], error: Diagnostic) -> None:
    """Add an error to a list, unless the list already has more than will be printed."""
    if len(errors) <= MOST:
        errors.append(error)
