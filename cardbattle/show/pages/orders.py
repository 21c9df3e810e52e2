"""What is told of a battle by message to whoever looks after it, and nothing that a side keeps secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.names import listed
from cardbattle.show.document import Document, Paragraph, Side, Table, Title

if TYPE_CHECKING:
    from cardbattle.fighting.session import Session
    from cardbattle.show.document import Content

SECRET = "They choose in secret: each is named until all have chosen, whoever has already."


def waiting_words(session: Session) -> str:
    """Return a sentence that says who is waited for."""
    keys = [session.keys[seat] for seat in session.waited_for]
    return f"Nobody is asked anything new; the battle waits for {listed(keys)}."


def status_page(session: Session) -> Document:
    """Return who is waited for, and since which of their questions."""
    about = f"{session.rules.name}, battle {session.plan.id}"
    seats = session.waited_for
    rows = [
        [waited_side(session, seat), question_told(session, seat), since(session, seat)] for seat in seats
    ]
    blocks: list[Content] = [Title(about), Table(["waited for", "question", "since"], rows)]
    if session.is_over:
        blocks = [Title(about), Paragraph("The battle is over.")]
    elif session.is_sealed(session.referee.battle):
        blocks.append(Paragraph(SECRET))
    waiting = [{"side": session.keys[seat], "place": session.open_place(seat)} for seat in seats]
    json = {"schema": 1, "battle": session.plan.id, "over": session.is_over, "waiting": waiting}
    return Document("status", blocks, json)


def waited_side(session: Session, seat: int) -> Side:
    """Return a side by its name."""
    return Side(session.plan.sides[seat].name, session.keys[seat])


def question_told(session: Session, seat: int) -> str:
    """Return the place of the question that a seat has not answered in the open."""
    return f"{session.keys[seat]}@{session.open_place(seat)}"


def since(session: Session, seat: int) -> str:
    """Return since which message a seat is waited for."""
    place = session.open_place(seat)
    return f"its answer to {session.keys[seat]}@{place - 1}" if place > 1 else "the battle began"
