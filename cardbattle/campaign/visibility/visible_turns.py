"""The turns of a campaign as a reader may know them, with their entries and the state at their end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cardbattle.campaign.ledger import edits
from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import AFTERMATH, CONTACT, MOVEMENT, Entry
from cardbattle.campaign.ledger.timeline import PastTurn, timeline, without_loose_ends
from cardbattle.campaign.state.changes import Change, Key, is_battle, is_unit
from cardbattle.campaign.state.model import Campaign, Force, read_campaign
from cardbattle.campaign.visibility.past_values import is_destruction
from cardbattle.campaign.visibility.reader import (
    PUBLIC,
    ROUGH,
    UMPIRE,
    VisibleCampaign,
    owners_in_both,
    visible_to,
)
from cardbattle.campaign.visibility.redaction import PUBLIC_WORDS, is_peace, sides_in
from cardbattle.files.reader import table_or_empty

# kinds of entries after all marches and retreats
AFTER_MARCHES = ("capture", "supply", "recovery", "recruit", "income")
RAISED = "raised"  # the text of the arrival of a force that was destroyed before
REASON_UNRECORDED = "after an undo or an edit of the file"


@dataclass(frozen=True)
class VisibleTurn:
    """A turn, with its number, the campaign at its end, and its valid entries.

    Entries of revision 0 are not in the ledger: changes that no valid entry records, and what a faction saw.
    """

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
    """Return the turns in order.

    The current turn is the last one. `visible` is the reader's current view of the campaign `whole`.
    """
    turn_list = timeline(whole, visible.ledger)
    turns = {revision: turn for turn in turn_list for revision in turn.revisions}
    by_turn: dict[int, list[Entry]] = {turn.number: [] for turn in turn_list}
    for shown in visible.entries:
        if shown.revision not in visible.ledger.undone_revisions:
            entry = with_turn_changes(visible, shown, turns[shown.revision])
            number = entry.turn if entry.turn in by_turn else turns[entry.revision].number
            by_turn[number].append(entry)
    turns_shown, joined = [], joining_revision(visible)
    for turn in turn_list:
        then = visible if turn.campaign is whole else visible_then(visible, turn, joined)
        entries = [*by_turn[turn.number], *unrecorded_changes(visible, turn)]
        later = (n for n, entry in enumerate(entries) if entry.kind in AFTER_MARCHES)
        place = next(later, len(entries))
        entries[place:place] = arrivals_in_sight(then, turn, entries)
        turns_shown.append(VisibleTurn(turn.number, then, entries))
    return turns_shown


def joining_revision(visible: VisibleCampaign) -> int:
    """Return the revision that added the reader's faction, or 0 if the campaign began with it."""
    ledger, is_added_by = visible.ledger, visible.clearance.is_added_by
    if visible.reader in (PUBLIC, UMPIRE):
        return 0
    revisions = range(ledger.whole_entries, 0, -1)
    return next((each for each in revisions if is_added_by(entry_today(ledger, each), ledger)), 0)


def visible_then(visible: VisibleCampaign, turn: PastTurn, joined: int) -> VisibleCampaign:
    """Return the part of the campaign at the end of a turn that the reader may know.

    A faction that joined later, with the revision `joined`, knows only what the public knew. The key of its
    faction can be that of a faction which was removed.
    """
    if turn.last < joined:
        return visible_to(turn.campaign, visible.ledger, PUBLIC, turn.seen)
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

    Strengths that the reader may not know today keep their recorded values. So does a peace, of which the
    reader can know a part.
    """
    clearance = visible.clearance
    changes = [
        change
        if not visible.is_whole
        and (
            is_peace(change.key)
            or (change.key[0] == "forces" and not clearance.knows(change.key[1], "strength"))
        )
        else turn.explained.get((entry.revision, change.key), change)._replace(text=change.text)
        for change in entry.changes
    ]
    return entry._replace(changes=changes)


def arrivals_in_sight(then: VisibleCampaign, turn: PastTurn, shown: Sequence[Entry]) -> Iterator[Entry]:
    """Yield the arrivals of others where the reader's forces stood and in its places.

    Also yield where enemies that the reader has beaten retreated, even if they were destroyed there
    later, if the reader sees that place, and which others have left a place that a force of the reader
    entered, if the reader saw them there before. Leave out the arrivals that the `shown` entries have.

    The places of others can be hidden, so that the reader does not know the march itself. But a faction sees
    who is in a place that it owns or occupies, and who was not there when the turn began. A force that came
    over to the faction in this turn does not show it who was there before. A force that the umpire raised
    again in this turn has the text RAISED, because the faction cannot see how it came. A force that lost a
    battle of the `shown` entries retreats. `then` is the campaign at the end of the turn.
    """
    forces = then.campaign.forces
    starts = places_at_start(turn, forces)
    own = [key for key in forces if then.clearance.is_own(key) and not forces[key].destroyed]
    gained = {key[1] for _, key in turn.explained if key[0] == "forces" and key[2:] == ("faction",)}
    stood = {starts[key] for key in own if key not in gained} - {None}
    new_owners = {key[1] for _, key in turn.explained if key[0] == "locations" and key[2:] == ("owner",)}
    places = then.campaign.locations
    stood |= {key for key in places if places[key].owner == then.reader and key not in new_owners}
    known = {(change.key[1], change.after) for entry in shown for change in entry.changes if is_march(change)}
    known |= {meeting for entry in shown for meeting in meetings_in(entry)}
    ends = [change for entry in shown for change in entry.changes if is_destruction(change)]
    raised = {change.key[1] for change in ends if not change.after}
    fled = retreated_enemies(then, turn, shown)
    came = [
        Change(("forces", key, "location"), None, force.location, RAISED if key in raised else "")
        for key, force in forces.items()
        if force.location and not force.towards and key not in own
        if key in fled or (not force.destroyed and force.location in stood and starts[key] != force.location)
        if (key, force.location) not in known
    ]
    beaten = {key for entry in shown for key in beaten_forces(entry)}
    entered = {forces[key].location for key in own if forces[key].location != starts[key]}
    seen = stood | {end for road in then.campaign.road_ends if stood & {*road} for end in road}
    gone = {} if then.campaign.visibility.location != ROUGH else {
        key: starts[key]
        for key, force in forces.items()
        if starts[key] in seen & entered and force.location != starts[key]
        if key not in {*own, *beaten} and not force.destroyed
    }  # fmt: skip
    came = [change._replace(before=gone.pop(change.key[1], None)) for change in came]
    came += [
        Change(("forces", key, "location"), place, forces[key].location or "")
        for key, place in gone.items()
        if (key, forces[key].location) not in known
    ]
    for kind, is_retreat in ((MOVEMENT, False), (AFTERMATH, True)):
        if changes := [change for change in came if (change.key[1] in beaten) == is_retreat]:
            yield Entry(0, kind, changes)


def retreated_enemies(then: VisibleCampaign, turn: PastTurn, shown: Sequence[Entry]) -> set[str]:
    """Return the forces that retreated after a battle of the `shown` entries that the reader has won."""
    won = [entry for entry in shown if then.clearance.fights([*decided_sides(entry, have_won=True)])]
    retreated = {
        key[1]
        for revision, key in turn.explained
        if key[0] == "forces" and key[2:] in (("location",), ("towards",))
        if then.ledger.heads[revision - 1].kind == AFTERMATH
    }
    return retreated & {key for entry in won for key in beaten_forces(entry)}


def beaten_forces(entry: Entry) -> Iterator[str]:
    """Yield the forces of the sides that lost the battle of an entry."""
    for side in decided_sides(entry, have_won=False):
        yield from side


def decided_sides(entry: Entry, *, have_won: bool) -> Iterator[list[str]]:
    """Yield the sides that won or lost the battle of an entry. A draw has neither."""
    for change in entry.changes if entry.result and entry.result.winners else ():
        if is_battle(change.key) and isinstance(change.before, dict):
            for side in sides_in(change.before):
                if entry.result and (side[0] in entry.result.winners) == have_won:
                    yield side


def is_march(change: Change) -> bool:
    return change.key[0] == "forces" and change.key[2:] == ("location",)


def meetings_in(entry: Entry) -> Iterator[tuple[str, object]]:
    """Yield each force and the place of each battle that an entry adds for forces that met, or ends."""
    if entry.kind != CONTACT and entry.result is None:
        return
    for change in entry.changes:
        table = change.after or change.before
        if is_battle(change.key) and isinstance(table, dict):
            for side in sides_in(table):
                yield from ((key, table.get("place") or table.get("stakes")) for key in side)


def places_at_start(turn: PastTurn, forces: Mapping[str, Force]) -> dict[str, str | None]:
    """Return the place of each force when a turn began, or None if it was on a road or off the map.

    `forces` are the forces at the end of the turn.
    """
    first: dict[Key, object] = {}
    for _, change in sorted(turn.explained.items(), key=lambda item: item[0][0]):
        if change.key[0] == "forces" and change.key[2:] in (("location",), ("towards",)):
            first.setdefault(change.key, change.before)
    starts: dict[str, str | None] = {}
    for key, force in forces.items():
        place = first.get(("forces", key, "location"), force.location)
        is_on_road = first.get(("forces", key, "towards"), force.towards) is not None
        starts[key] = None if place is None or is_on_road else str(place)
    return starts


def unrecorded_changes(visible: VisibleCampaign, turn: PastTurn) -> Iterator[Entry]:
    """Yield the changes of a turn that the reader may know and that no valid entry records."""
    for change in turn.unexplained:
        if visible.is_whole or (change.key[-1] in PUBLIC_WORDS and not is_unit(change.key)):
            yield Entry(0, edits.KIND, [change], reason=REASON_UNRECORDED)
