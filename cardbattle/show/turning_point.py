"""The turning point of a battle: the sentence of its tale with which the winner took the lead for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.battles.records.replay import Refight, ReplayMismatch
from cardbattle.core.battle import NOBODY
from cardbattle.core.grammar import choose_form
from cardbattle.core.names import clean
from cardbattle.core.telling import TALE, Inflection, Line, Name
from cardbattle.show.battle_text import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.battles.records.record import Record
    from cardbattle.core.telling import Part

VERBS = (" win", " hold")


def turning_of(record: Record) -> str:
    """Return the public sentence of the tale with which the winner took the lead for good.

    "" if the battle has no single winner, no public sentence fits, or the record cannot be replayed.
    """
    if len(record.winning_seats) != 1:
        return ""
    replay = Refight(record)
    try:
        move = move_of_lead(replay, record.winning_seats[0])
    except ReplayMismatch:
        return ""
    names = [clean(name) for name in record.names]
    tale = record.rules.tale(record.setup)
    sentences = [
        block.parts
        for moves_made, event in replay.referee.events_for(NOBODY)
        for block in tale.describe(event)
        if moves_made == move
        and isinstance(block, Line)
        and block.detail <= TALE
        and is_won_by(block.parts, record.winning_seats[0])
    ]
    return said(sentences[-1], names) if sentences else ""


def move_of_lead(replay: Refight, winner: int) -> int:
    """Replay a battle and return the move after which the winner leads for good, -1 if never.

    Raises ReplayMismatch if the record cannot be replayed.
    """
    move = -1
    for step in replay.steps():
        battle = replay.referee.battle
        scores = [battle.score(seat) for seat in range(len(replay.record.seats))]
        is_ahead = scores.count(max(scores)) == 1 and scores[winner] == max(scores)
        move = -1 if not is_ahead else step if move < 0 else move
    return move


def is_won_by(parts: list[Part], winner: int) -> bool:
    """Return True if the sentence says that a side wins or holds something."""
    return any(
        part == Name(winner) and singular_text(parts[place + 1 : place + 3]).startswith(VERBS)
        for place, part in enumerate(parts)
    )


def singular_text(parts: Sequence[Part]) -> str:
    """Join the text parts of a sentence, verbs in the singular."""
    forms = [part.forms if isinstance(part, Inflection) else part for part in parts]
    return "".join(choose_form(form, plural=False) for form in forms if isinstance(form, str))
