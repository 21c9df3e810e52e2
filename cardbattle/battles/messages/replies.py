"""Find answers that stand above the question that a mail program quotes, or elsewhere outside the quotation.

A reply that quotes exactly one address answers its question. An unquoted line counts if it is clearly meant
as an answer, as on the line below an address.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardbattle.battles.messages.answer_text import (
    ADDRESS,
    ENDING,
    INITIAL,
    LONGEST,
    LONGEST_SEALED,
    MARKUP,
    Answer,
    is_order_line,
    place_of,
    split_answers,
    trim,
)
from cardbattle.battles.messages.pasted_text import PlainLine, plain_lines
from cardbattle.battles.messages.wrapped_answers import is_answer_below
from cardbattle.battles.session import PLEASE, Session
from cardbattle.core.spelling import number_mark, with_short_ranks

GREETING = re.compile(
    r"(?:dear|hello|hi|hey|hej|hallo|good\s+(?:morning|evening|day)|ok|okay|yes|well|sorry|thanks|thank\s+you)\b"
    r"[^,.!?:;]{0,40}(?:[,.!]\s*|$)",
    re.IGNORECASE,
)  # at the beginning of a line


def answers_in_reply(session: Session, file: str, text: str) -> list[Answer]:
    """Return the answers and the standing orders in a reply that quotes exactly one address.

    The result is empty if the address is not that of an open question, or if several lines can be the answer.
    """
    lines = plain_lines(file, text)
    base = quoted_question(session, file, lines)
    if base is None:
        return []
    own = [line for line in unquoted(lines) if len(line.text) <= LONGEST_SEALED]
    answers: list[list[Answer]] = []
    standing: list[Answer] = []
    for line in own:
        words = GREETING.sub("", line.bare.lstrip(MARKUP), count=1)
        at = base._replace(depth=0, line=line.number, column=line.text.find(words) + 1, source=line.text)
        if is_order_line(words) and is_answer_below(session.rules, session.keys, words):
            standing.append(at._replace(words=trim(words)))
        elif is_answer_line(session, words) and (len(own) == 1 or not INITIAL.fullmatch(words)):
            answers.append([*split_answers(at, words)])
    return [*(answers[0] if answers else ()), *standing] if len(answers) < 2 else []


def quoted_question(session: Session, file: str, lines: Sequence[PlainLine]) -> Answer | None:
    """Return an Answer without text for the only address in a reply, or None.

    The address is quoted, nothing follows it, and it is that of an open question.
    """
    addresses = [(line, address) for line in lines for address in ADDRESS.finditer(line.text[:LONGEST])]
    questions = {(address["side"].lower(), place_of(address)) for _, address in addresses}
    if len(questions) != 1:
        return None
    line, address = addresses[0]
    [(side, place)] = questions
    is_ours = (address["battle"] or "").lower() in ("", session.plan.id)
    seats = [seat for seat in session.seats_to_answer if session.keys[seat] == side]
    is_open = bool(seats) and session.place(seats[0]) == place
    is_bare = all(
        line.depth and not line.text[address.end() :].strip(MARKUP + ENDING) for line, address in addresses
    )
    if not (is_ours and is_open and is_bare):
        return None
    return Answer(
        (address["battle"] or "").lower(), side, place, "", line.depth, file, line.number, 1, line.text
    )


def is_answer_line(session: Session, words: str) -> bool:
    """Return True if a line is clearly meant as an answer, such as `the king, please`."""
    bare = trim(words)
    if number_mark(session.rules):
        bare = with_short_ranks(PLEASE.sub("", bare))
    return is_answer_below(session.rules, session.keys, bare) and not is_order_line(bare)


def unquoted(lines: Sequence[PlainLine]) -> list[PlainLine]:
    """Return the lines that the sender has written."""
    return [line for line in lines if not line.depth and line.bare]


def unread_text(session: Session, file: str, text: str) -> str:
    """Return the first line of a reply except greetings, or "" if the text quotes no open question."""
    lines = plain_lines(file, text)
    if quoted_question(session, file, lines) is None:
        return ""
    return next((line.bare for line in unquoted(lines) if not GREETING.fullmatch(line.bare)), "")
