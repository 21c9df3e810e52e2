"""Notes, events and plans in a message to a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.ledger.history import first_of_turn, late_corrections
from cardbattle.campaign.ledger.ledger import NOTE
from cardbattle.campaign.phases.events import EVENT, SCHEDULE
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.visibility.redaction import is_peace
from cardbattle.core.names import one_line
from cardbattle.show.pages.campaign.between import plan_lines
from cardbattle.show.pages.campaign.reports.chronicle import (
    correction_sentences,
    event_sentences,
    note_sentence,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.visibility.reader import VisibleCampaign

EVENTS, PAST_TREATIES = "What has happened in this turn:", "Treaties of the last turn:"
PAST_NEWS = "News of the last turn:"
PLANS = "Plans that you know:"
NOTE_LINE = "From the umpire: {}"


def note_lines(visible: VisibleCampaign, reader: str = "") -> Iterator[str]:
    """Yield the umpire's notice, and the notes that came before the movement of this turn.

    With `reader`, yield only the notes that this faction alone may read.
    """
    turn = visible.campaign.turn
    if has_moved(visible.ledger):
        return
    notes = [
        one_line(note_sentence(visible.campaign, entry))
        for entry in visible.entries_since(turn=turn)
        if entry.kind == NOTE
        and entry.turn in (None, turn)
        and reader in ("", entry.id)
        and entry.revision not in visible.ledger.undone_revisions
    ]
    notice = [] if reader else visible.campaign.notice_lines
    if notice or notes:
        yield from (*(NOTE_LINE.format(note) for note in (*notice, *notes)), "")


def event_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield lines about the schedule, events and treaties of this turn that came before its movement.

    They follow the treaties of the last turn, which can be later than the messages of that turn. A faction
    that has no part in a treaty reads only its public reason. It reads the public reason of any other hidden
    change in the same way, so that the message does not reveal which of them are treaties.
    """
    ledger, turn = visible.ledger, visible.campaign.turn
    if has_moved(ledger):
        return
    start = first_of_turn(ledger, turn)
    happened: dict[str, list[str]] = {PAST_TREATIES: [], PAST_NEWS: [], EVENTS: []}
    for entry in visible.entries_since(turn=turn - 1):
        treaties = [change for change in entry.changes if is_peace(change.key)]
        is_bare = is_bare_reason(entry)
        if entry.revision in ledger.undone_revisions:
            continue
        if entry.revision < start and (treaties or is_bare):
            heading = PAST_TREATIES if treaties else PAST_NEWS
            happened[heading] += event_sentences(visible, entry._replace(changes=treaties, text=""))
        elif entry.revision >= start and (treaties or is_bare or entry.kind in (SCHEDULE, EVENT)):
            happened[EVENTS] += event_sentences(visible, entry)
    for correction in late_corrections(ledger, visible.entries, turn):
        if correction.corrected == turn:
            happened[EVENTS].append(correction_sentences(visible, correction, with_result=True))
    for heading, sentences in happened.items():
        if sentences:
            yield from ("", heading, *(f"- {sentence}" for sentence in sentences))


def lines_about_plans(visible: VisibleCampaign) -> Iterator[str]:
    """Yield lines about the plans that the reader knows and that are not yet carried out."""
    if plans := [*plan_lines(visible)]:
        yield from ("", PLANS, *(f"- {plan}" for plan in plans))


def is_bare_reason(entry: Entry) -> bool:
    """Return True if the reader knows nothing of an entry but its public reason."""
    return entry.public and not (entry.changes or entry.text or entry.result)
