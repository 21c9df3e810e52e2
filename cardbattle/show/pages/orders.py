"""What is told of a battle by message to whoever looks after it, and nothing that a side keeps secret."""

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
    from cardbattle.show.document import Content

SECRET = "They choose in secret, so all of them are named until the last has chosen."
ONE_OF = "Which of them it is would tell of their cards."


def waiting_words(session: Session) -> str:
    """Return a sentence that says who is waited for."""
    keys = [session.keys[seat] for seat in session.seats_awaited]
    names = listed(keys, "or") if session.hides_who_is_asked else listed(keys)
    return f"Nobody is asked anything new; the battle waits for {names}."


def status_page(session: Session) -> Document:
    """Return who is waited for, and since which of their questions, as far as that tells of no cards."""
    about = f"{session.rules.name}, battle {session.plan.id}"
    blocks: list[Content] = [Title(about), status_table(session)]
    if session.is_over:
        blocks = [Title(about), Paragraph("The battle is over.")]
    elif session.hides_who_is_asked:
        blocks.append(Paragraph(ONE_OF))
    elif session.is_sealed(session.referee.battle):
        blocks.append(Paragraph(SECRET))
    json = {
        "schema": 1,
        "battle": session.plan.id,
        "over": session.is_over,
        "one_of": session.hides_who_is_asked,
        "waiting": [waiting_told(session, seat) for seat in session.seats_awaited],
    }
    return Document("status", blocks, json)


def status_table(session: Session) -> Table:
    """Return the table of those who are waited for."""
    seats = session.seats_awaited
    if not session.tells_places:
        heading = "waited for, one of" if session.hides_who_is_asked else "waited for"
        return Table([heading], [[side_name(session, seat)] for seat in seats])
    rows = [[side_name(session, seat), question_told(session, seat), since(session, seat)] for seat in seats]
    return Table(["waited for", "question", "since"], rows)


def waiting_told(session: Session, seat: int) -> dict[str, object]:
    """Return a side that is waited for as JSON has it."""
    place = {"place": session.open_place(seat)} if session.tells_places else {}
    return {"side": session.keys[seat], **place}


def side_name(session: Session, seat: int) -> Side:
    """Return a side by its name."""
    return Side(session.plan.sides[seat].name, session.keys[seat])


def question_told(session: Session, seat: int) -> str:
    """Return the place of the question that a seat has not answered in the open."""
    return f"{session.keys[seat]}@{session.open_place(seat)}"


def since(session: Session, seat: int) -> str:
    """Return since which message a seat is waited for."""
    place = session.open_place(seat)
    return f"its answer to {session.keys[seat]}@{place - 1}" if place > 1 else "the battle began"


def seal_page(answer: Answer, salt: str, seal: str) -> Document:
    """Return a sealed order: the line to send now, and the line to keep."""
    text = f"{answer.battle}/{answer.side}@{answer.place}:"
    sends, keeps = f"{text} sealed {seal}", f"{text} open {salt} {answer.words}"
    blocks: list[Content] = [
        Paragraph("Send now:"),
        Listing([sends], "text"),
        Paragraph("Keep this to yourself, and send it when you are asked to open it:"),
        Listing([keeps], "text"),
    ]
    return Document("seal", blocks, {"schema": 1, "send": sends, "keep": keeps, "salt": salt, "seal": seal})


def rehearsal_page(key: str, lines: Sequence[str], rehearsals: Sequence[Rehearsed]) -> Document:
    """Return what standing orders would do: how often each line is followed, and each battle."""
    ends = [one.end for one in rehearsals]
    counts = ", ".join(f"{end} {ends.count(end)}" for end in (WON, DRAWN, LOST))
    battles = [Item(f"{n}.", f"{one.end}: {', '.join(one.answers)}") for n, one in enumerate(rehearsals, 1)]
    blocks: list[Content] = [
        Title(f"{key} in {len(rehearsals)} battles against regular commanders: {counts}"),
        Paragraph("Where no line fits, a regular commander has answered for the side."),
        Table(
            ["standing order", "followed"], [*usage_rows(lines, rehearsals), *unfit_rows(rehearsals)], (1,)
        ),
        Items(battles, NUMBERED),
    ]
    told = [
        {word: value for word, value in one._asdict().items() if word != "questions"} for one in rehearsals
    ]
    return Document("check", blocks, {"schema": 1, "side": key, "standing": [*lines], "battles": told})


def usage_rows(lines: Sequence[str], rehearsals: Sequence[Rehearsed]) -> list[list[str]]:
    """Return each line with how often it was followed; the last line `else` is no row."""
    counts = [sum(one.lines.count(n) for one in rehearsals) for n in range(len(lines))]
    return [[line, str(count)] for line, count in zip(lines, counts, strict=True) if not is_else(line)]


def unfit_rows(rehearsals: Sequence[Rehearsed]) -> list[list[str]]:
    """Return the questions at which no line fitted, with how often that was."""
    asked = [pair for one in rehearsals for pair in zip(one.questions, one.lines, strict=True)]
    left = Counter(word for word, line in asked if line == NOTHING)
    return [
        [f"(none fits: {word or 'a question without a word'})", str(count)] for word, count in left.items()
    ]
