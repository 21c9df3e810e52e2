"""Ask the user questions on standard error, one at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

import typer

from cardbattle.core.errors import CardbattleError, UsageError

T = TypeVar("T")


def question(text: str, usual: str, read: Callable[[object], T]) -> T:
    """Ask a question until `read` accepts the answer, and return the result of `read`.

    `usual` is the default, which an empty answer selects. `read` rejects an answer with ValueError or
    CardbattleError.

    Raises typer.Abort at the end of input.
    """

    def readable(answer: str) -> T:
        try:
            return read(answer.strip())
        except (ValueError, CardbattleError) as error:
            raise typer.BadParameter(str(error)) from None

    answer: T = typer.prompt(text, default=usual, show_default=bool(usual), value_proc=readable, err=True)
    return answer


def option_or_prompt(argument: str, option: str, prompt: str, read: Callable[[str], T]) -> T:
    """Return the value of an option. If the option is missing, ask for its value at a terminal.

    `argument` is the text on the command line, or "". `read` converts this text or the answer. If `read`
    rejects an answer, the question is repeated.

    Raises UsageError if the option is missing and the input is not a terminal, or if `read` raises ValueError
    for `argument`. Other exceptions of `read` for `argument` are not caught.
    """
    if argument:
        try:
            return read(argument)
        except ValueError as error:
            raise UsageError(f"{option}: {error}") from None
    if not is_interactive():
        raise UsageError(f"{option} is missing: {prompt[:1].lower()}{prompt[1:]}")
    return question(prompt, "", lambda answer: read(str(answer)))


def is_interactive() -> bool:
    """Return True if standard input and standard error are terminals, so that questions can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()
