"""The turns of a campaign as a reader may know them, with their entries and the state at their end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from cardbattle.campaign.ledger import edits
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.ledger.timeline import PastTurn, timeline, without_loose_ends
from cardbattle.campaign.state.changes import is_unit
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.campaign.visibility.reader import VisibleCampaign, owners_in_both, visible_to
from cardbattle.campaign.visibility.redaction import PUBLIC_WORDS
from cardbattle.files.reader import table_or_empty

REASON_UNRECORDED = "after an undo or an edit of the file"


@dataclass(frozen=True)
class VisibleTurn:
    """A turn, with its number, the campaign at its end, and its valid entries."""

    number: int
    visible: VisibleCampaign
    entries: list[Entry]

    @cached_property
    def last_name(self) -> str:
        """The last name that was recorded for the turn, or "" if no name was recorded."""
        names = [
            change.after for entry in self.entries for change in entry.changes if change.key == ("turn_name",)
        ]
        return str((names[-1] if names else "") or "")


def visible_turns(visible: VisibleCampaign, whole: Campaign) -> list[VisibleTurn]:
    """Return the turns in order. The current turn is the last one.

    `visible` is the reader's current view of the campaign `whole`.
    """
    turn_list = timeline(whole, visible.ledger)
    turns = {revision: turn for turn in turn_list for revision in turn.revisions}
    by_turn: dict[int, list[Entry]] = {turn.number: [] for turn in turn_list}
    for shown in visible.entries:
        if shown.revision not in visible.ledger.undone_revisions:
            entry = with_turn_changes(visible, shown, turns[shown.revision])
            number = entry.turn if entry.turn in by_turn else turns[entry.revision].number
            by_turn[number].append(entry)
    return [
        VisibleTurn(
            turn.number,
            visible if turn.campaign is whole else visible_then(visible, turn),
            [*by_turn[turn.number], *unrecorded_changes(visible, turn)],
        )
        for turn in turn_list
    ]


def visible_then(visible: VisibleCampaign, turn: PastTurn) -> VisibleCampaign:
    """Return the part of the campaign at the end of a turn that the reader may know."""
    return visible_to(past_campaign(visible, turn), visible.ledger, visible.reader, turn.seen)


def past_campaign(visible: VisibleCampaign, turn: PastTurn) -> Campaign:
    """Return the campaign at the end of a turn.

    Forces that changed sides after this turn are shown as the reader saw them in this turn. Undone changes to
    those forces stay hidden from the reader.
    """
    forces, seen = (table_or_empty(past.data["forces"]) for past in (turn.campaign, turn.seen))
    lost = {
        key: seen[key]
        for key, faction in owners_in_both(turn.campaign, turn.seen).items()
        if faction == visible.reader and not visible.clearance.is_own(key)
    }
    if not lost:
        return turn.campaign
    data = without_loose_ends({**turn.campaign.data, "forces": {**forces, **lost}})
    return read_campaign(data, turn.campaign.folder)


def with_turn_changes(visible: VisibleCampaign, entry: Entry, turn: PastTurn) -> Entry:
    """Return an entry whose points and strengths are recomputed from the end of the previous turn.

    Strengths that the reader may not know today keep their recorded values.
    """
    changes = [
        turn.explained.get((entry.revision, change.key), change)
        if visible.is_whole or change.key[0] != "forces" or visible.clearance.knows(change.key[1], "strength")
        else change
        for change in entry.changes
    ]
    return entry._replace(changes=changes)


def unrecorded_changes(visible: VisibleCampaign, turn: PastTurn) -> Iterator[Entry]:
    """Yield the changes of a turn that the reader may know and that no valid entry records."""
    for change in turn.unexplained:
        if visible.is_whole or (change.key[-1] in PUBLIC_WORDS and not is_unit(change.key)):
            yield Entry(0, edits.KIND, [change], reason=REASON_UNRECORDED)
