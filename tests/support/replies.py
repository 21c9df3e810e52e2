"""Replies of players: how mail programs quote the program's message, and where the answer stands."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from cardbattle.battles.messages.answer_text import Answer
from cardbattle.battles.messages.answers import attempt, by_line, spread_out
from cardbattle.battles.session import Session
from cardbattle.core.errors import InvalidInput, first

MARKS = ("", "> ", "| ", ">")
HEADERS = (
    "",
    "On Fri, 27 Nov 2026 at 22:40, the umpire wrote:\n",
    "-----Original Message-----\nFrom: The Umpire\nSent: Friday\nTo: Ann\nSubject: Battle\n\n",
)
PLACES = ("above", "below", "between", "behind")  # of an answer in a reply
WIDTH = 72  # characters on a line of a mail program
ADDRESS = re.compile(r"[>|]? ?[\w-]+/[\w-]+(@\d+)?:")


def quotations(message: str, mark: str) -> Iterator[str]:
    """Yield a message as mail programs quote it: as it is, wrapped with marks, and wrapped without them."""
    yield textwrap.indent(message, mark, lambda _: True)
    yield textwrap.indent(wrapped(message), mark, lambda _: True)
    yield wrapped(textwrap.indent(message, mark, lambda _: True))


def wrapped(text: str) -> str:
    """Break the long lines of a text."""
    lines = text.splitlines()
    return "\n".join(line if len(line) <= WIDTH else textwrap.fill(line, WIDTH) for line in lines)


def reply(answer: str, header: str, quotation: str, place: str) -> str:
    """Return a reply with an answer above or below the quotation, or below or behind the address in it."""
    if place == "above":
        return f"Hello,\n{answer}\nAnn\n\n{header}{quotation}\n"
    if place == "below":
        return f"{header}{quotation}\n\n{answer}\n"
    lines = quotation.splitlines()
    last = max(at for at, line in enumerate(lines) if ADDRESS.fullmatch(line.rstrip()))
    if place == "between":
        lines.insert(last + 1, answer)
    else:
        lines[last] = f"{lines[last].rstrip()} {answer}"
    return header + "\n".join(lines)


def take_answers(session: Session, answers: Sequence[Answer]) -> None:
    """Apply answers and standing orders to a battle. If one of them is not valid, none is applied.

    Raises InvalidInput, which lists all errors. Then the caller must discard the session.
    """
    answers, unclear = spread_out(session, answers)
    errors = unclear or attempt(session, answers)
    if errors:
        raise InvalidInput(first(by_line(errors)))
