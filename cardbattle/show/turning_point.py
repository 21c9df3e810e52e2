"""The moment at which a battle turned: when its winner came to lead for good, in the tale's own words."""

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
    """Return the sentence of the tale with which the winner came to lead for good, as everybody saw it.

    The empty string if nobody won alone, nobody saw it, or the record does not fight again.
    """
    if len(record.winning_seats) != 1:
        return ""
    again = Refight(record)
    try:
        moment = lead_taken(again, record.winning_seats[0])
    except ReplayMismatch:
        return ""
    names = [clean(name) for name in record.names]
    tale = record.rules.tale(record.setup)
    told = [
        (moves_made, block)
        for moves_made, event in again.referee.events_for(NOBODY)
        for block in tale.tell(event)
    ]
    lines = [
        block.parts
        for moves_made, block in told
        if moves_made == moment and isinstance(block, Line) and block.detail <= TALE
    ]
    found = [parts for parts in lines if is_won_by(parts, record.winning_seats[0])]
    return said(found[-1], names) if found else ""


def lead_taken(again: Refight, winner: int) -> int:
    """Fight a battle again and return after how many moves its winner leads for good, -1 if never.

    Differs if the record does not fight again.
    """
    moment = -1
    for step in again.steps():
        battle = again.referee.battle
        scores = [battle.score(seat) for seat in range(len(again.record.seats))]
        is_ahead = scores.count(max(scores)) == 1 and scores[winner] == max(scores)
        moment = -1 if not is_ahead else step if moment < 0 else moment
    return moment


def is_won_by(parts: list[Part], winner: int) -> bool:
    """Say whether a sentence says that a side wins or holds something."""
    return any(
        part == Name(winner) and singular_text(parts[place + 1 : place + 3]).startswith(VERBS)
        for place, part in enumerate(parts)
    )


def singular_text(parts: Sequence[Part]) -> str:
    """Return the plain words of a sentence in their singular forms."""
    forms = [part.forms if isinstance(part, Inflection) else part for part in parts]
    return "".join(choose_form(form, plural=False) for form in forms if isinstance(form, str))
