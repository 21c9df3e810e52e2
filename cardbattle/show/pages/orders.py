"""Pages about a battle by message, for the person who runs it. They do not show any side's secrets."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardbattle.battles.messages.rehearsal import DRAWN, LOST, WON
from cardbattle.commanders.standing import NOTHING, is_else
from cardbattle.core.names import listed
from cardbattle.show.document import NUMBERED, Document, Item, Items, Listing, Paragraph, Side, Table, Title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.battles.messages.answer_text import Answer
    from cardbattle.battles.messages.rehearsal import Rehearsed
    from cardbattle.battles.session import Session
    from cardbattle.show.document import Cell, Content

SECRET = "These sides choose in secret, so all are listed until the last has chosen."
ONE_OF = "Naming the side would reveal something about its cards."


def waiting_words(session: Session) -> str:

    sides = [side_name(session, seat).name for seat in session.pending_seats]
    names = listed(sides, "or") if session.hides_pending_seats else listed(sides)
    return f"There are no new questions; the battle is waiting for {names}."


def status_page(session: Session) -> Document:
    """List the sides that must answer. Where this reveals no cards, say since when they must answer."""
    about = f"{session.rules.name}, battle {session.plan.id}"
    blocks: list[Content] = [Title(about), status_table(session)]
    if session.is_over:
        blocks = [Title(about), Paragraph("The battle is over.")]
    elif session.hides_pending_seats:
        blocks.append(Paragraph(ONE_OF))
    elif session.is_sealed(session.referee.battle):
        blocks.append(Paragraph(SECRET))
    json = {
        "schema": 1,
        "battle": session.plan.id,
        "over": session.is_over,
        "one_of": session.hides_pending_seats,
        "waiting": [waiting_json(session, seat) for seat in session.pending_seats],
    }
    return Document("status", blocks, json)


def status_table(session: Session) -> Table:
    seats = session.pending_seats
    if not session.shows_places:
        heading = "waiting for one of" if session.hides_pending_seats else "waiting for"
        return Table([heading], [[side_name(session, seat)] for seat in seats])
    rows: list[list[Cell]] = [
        [side_name(session, seat), question_label(session, seat), since(session, seat)] for seat in seats
    ]
    return Table(["waiting for", "question", "since"], rows)


def waiting_json(session: Session, seat: int) -> dict[str, object]:
    place = {"place": session.open_place(seat)} if session.shows_places else {}
    return {"side": session.keys[seat], **place}


def side_name(session: Session, seat: int) -> Side:

    return Side(session.plan.sides[seat].name, session.keys[seat])


def question_label(session: Session, seat: int) -> str:
    """Return the label of the first question that a seat has not answered openly, such as york@3."""
    return f"{session.keys[seat]}@{session.open_place(seat)}"


def since(session: Session, seat: int) -> str:
    """Return a phrase for the event since which the battle has been waiting for a seat."""
    place = session.open_place(seat)
    return f"its answer to {session.keys[seat]}@{place - 1}" if place > 1 else "the battle began"


def seal_page(answer: Answer, salt: str, seal: str) -> Document:
    """Return a sealed order: a line to send now, and a line to keep and send later."""
    text = f"{answer.battle}/{answer.side}@{answer.place}:"
    sends, keeps = f"{text} sealed {seal}", f"{text} open {salt} {answer.words}"
    blocks: list[Content] = [
        Paragraph("Send now:"),
        Listing([sends], "text"),
        Paragraph("Keep this secret, and send it when you are asked to open your order:"),
        Listing([keeps], "text"),
    ]
    return Document("seal", blocks, {"schema": 1, "send": sends, "keep": keeps, "salt": salt, "seal": seal})


def rehearsal_page(key: str, lines: Sequence[str], rehearsals: Sequence[Rehearsed]) -> Document:
    """Show how often each line of standing orders was followed, in total and in each battle."""
    ends = [rehearsal.end for rehearsal in rehearsals]
    counts = ", ".join(f"{end} {ends.count(end)}" for end in (WON, DRAWN, LOST))
    battles = [
        Item(f"{n}.", f"{rehearsal.end}: {', '.join(rehearsal.answers)}")
        for n, rehearsal in enumerate(rehearsals, 1)
    ]
    blocks: list[Content] = [
        Title(f"{key} in {len(rehearsals)} battles against regular commanders: {counts}"),
        Paragraph("If no line matched, a regular commander answered for the side."),
        Table(
            ["standing order", "followed"], [*usage_rows(lines, rehearsals), *unfit_rows(rehearsals)], (1,)
        ),
        Items(battles, NUMBERED),
    ]
    tables = [
        {field: value for field, value in rehearsal._asdict().items() if field != "questions"}
        for rehearsal in rehearsals
    ]
    return Document("check", blocks, {"schema": 1, "side": key, "standing": [*lines], "battles": tables})


def usage_rows(lines: Sequence[str], rehearsals: Sequence[Rehearsed]) -> list[list[str]]:
    """Return each line, except `else COMMANDER`, and how often it was followed."""
    counts = [sum(rehearsal.lines.count(n) for rehearsal in rehearsals) for n in range(len(lines))]
    return [[line, str(count)] for line, count in zip(lines, counts, strict=True) if not is_else(line)]


def unfit_rows(rehearsals: Sequence[Rehearsed]) -> list[list[str]]:
    """Return a row for each kind of question, with the number of questions that no line matched."""
    pairs = [
        pair for rehearsal in rehearsals for pair in zip(rehearsal.questions, rehearsal.lines, strict=True)
    ]
    unmatched = Counter(kind for kind, line in pairs if line == NOTHING)
    return [[f"(no match: {kind or 'unnamed question'})", str(count)] for kind, count in unmatched.items()]
