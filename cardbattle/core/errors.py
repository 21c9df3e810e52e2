"""Define the program's errors and their exit codes, and diagnostics, which describe mistakes in an input."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

MOST = 50  # maximum number of errors that are reported for one input
LONGEST = 2000  # maximum length of one error in characters


class CardbattleError(Exception):
    """The base class of the errors that the program reports to its users. Each subclass has an exit code."""

    exit_code = 1


class UsageError(CardbattleError):
    """The command line is wrong, or the arguments of a library function are wrong."""

    exit_code = 2


class NoSuchOption(UsageError, IndexError):
    """An index is too large for the list of options.

    The class is a subclass of IndexError, which Python raises for an index that is too large.
    """


class InvalidInput(CardbattleError):
    """An input is not valid. The attribute `errors` lists up to fifty errors in the input.

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
    """A warning for the user, after which the command continues.

    Warning filters do not suppress this warning.
    """


class Diagnostic:
    """One error in an input.

    A diagnostic describes the error, and `at` is the path of keys to the wrong value.

    >>> str(Diagnostic("expected a whole number", at=("sides", "york", "hand")))
    'sides.york.hand: expected a whole number'
    """

    def __init__(self, text: str, at: tuple[str | int, ...] = ()) -> None:
        self.text = shorten(text)
        self.at = at

    def __str__(self) -> str:
        path = shorten(dotted(self.at))
        return f"{path}: {self.text}" if path else self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class TextDiagnostic(Diagnostic):
    """One error inside a string. `column` is the position of the first wrong character, counted from 1."""

    def __init__(self, text: str, column: int = 1, at: tuple[str | int, ...] = ()) -> None:
        super().__init__(text, at)
        self.column = column


def dotted(at: Iterable[str | int]) -> str:
    """Join a path of keys with dots. List indices, which count from 0, are shown as positions counted from 1.

    >>> dotted(("pending", 0, "sides"))
    'pending.1.sides'
    """
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in at)


def shorten(text: str) -> str:
    """Return the text, shortened to 2,000 characters if it is longer."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def first(errors: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the first fifty errors. If there are more than fifty errors, a last element says so."""
    errors = list(islice(errors, MOST + 1))
    if len(errors) > MOST:
        errors[MOST] = Diagnostic("more than 50 errors; the rest are not shown")
    return errors


def note(errors: list[Diagnostic], error: Diagnostic) -> None:
    """Add an error to a list. If the list already has more errors than the program prints, do nothing."""
    if len(errors) <= MOST:
        errors.append(error)
