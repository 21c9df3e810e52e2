"""Query the ledger: the forces of battles, the entries about a force or place, and dependent battles.

Keys can be renamed. Functions whose name contains `today` replace the keys of old entries with the current
keys.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.campaign.ledger.ledger import BATTLES, MOVEMENT, NOTE, ORDERS, Entry, Ledger, rename_left
from cardbattle.campaign.state.apply import Result
from cardbattle.campaign.state.changes import PENDING, Change, Key, is_battle, is_rename
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.paths import record_path
from cardbattle.campaign.state.renaming import Rename, rename_in_key, rename_in_text, rename_in_value
from cardbattle.campaign.state.tables.march_orders import rename_in_note
from cardbattle.core.errors import InvalidInput
from cardbattle.files.toml import read_toml

KINDS = (
    "battle", "import", "override", "declined", "undo", "redo", "adjust", "set", "add", "remove", "cancel",
    "move", "rename", "note", "turn", "edit", "orders", "schedule", "weather", "event", "movement", "contact",
    "aftermath", "capture", "supply", "recovery", "recruit", "income", "fixtures", "story",
    "report", "substitute", "missed",
    "seal", "promise", "open", "nonce", "reveal",
)  # fmt: skip
SETTING_KINDS = ("set", "add", "remove", "edit", "undo", "redo")  # kinds of entries that can change settings


class PastSetting(NamedTuple):
    """The value that a setting had before the change that `revision` recorded."""

    revision: int
    before: object


def in_todays_keys(ledger: Ledger, entry: Entry) -> Entry:
    """Return an entry whose keys are replaced with the current keys."""
    for revision, rename in ledger.renames:
        if revision > entry.revision:
            entry = rename_entry(entry, rename)
    return entry


def entry_today(ledger: Ledger, revision: int) -> Entry:
    return in_todays_keys(ledger, ledger.entry(revision))


def each_today(ledger: Ledger, first: int, last: int) -> Iterator[Entry]:
    """Yield the entries from one revision to another, both included, with current keys."""
    return (entry_today(ledger, revision) for revision in range(first, last + 1))


def span_today(ledger: Ledger, first: int, last: int) -> list[Entry]:
    """Return the entries from one revision to another, both included, with current keys."""
    return [*each_today(ledger, first, last)]


def changes_of_force(ledger: Ledger, force: str) -> Iterator[Change]:
    """Yield the changes of the values of a force, the last one first, without undone ones."""
    for revision in range(ledger.whole_entries, 0, -1):
        if revision not in ledger.undone_revisions:
            for change in entry_today(ledger, revision).changes:
                if change.key[:2] == ("forces", force):
                    yield change


def setting_changes(ledger: Ledger) -> dict[Key, list[PastSetting]]:
    """Return the values that each setting had before it was changed, in the order of the changes."""
    changes: dict[Key, list[PastSetting]] = {}
    for revision in ledger.heads.revisions(SETTING_KINDS, ledger.whole_entries):
        for change in ledger.entry(revision).changes:
            changes.setdefault(change.key, []).append(PastSetting(revision, change.before))
    return changes


def value_then(past: Sequence[PastSetting], revision: int, current: object) -> object:
    """Return the value of a setting at the time of a revision.

    It is the value before the first later change in `past`, or the `current` value if no change is later.
    """
    return next((before for later, before in past if later > revision), current)


def force_today(ledger: Ledger, key: str, revision: int) -> str:
    """Return the current key of the force that had the key `key` at a revision."""
    for later, rename in ledger.renames:
        if later > revision and (rename.table, rename.old) == ("forces", key):
            key = rename.new
    return key


def rename_entry(entry: Entry, rename: Rename) -> Entry:
    """Return an entry as it would be with the key of a later rename."""
    pending = rename_in_value(entry.pending, (PENDING,), rename)
    is_for_faction = rename.table == "factions" and (entry.kind, entry.id) == (NOTE, rename.old)
    return entry._replace(
        id=rename.new if is_for_faction else entry.id,
        changes=[rename_change(change, rename) for change in entry.changes],
        result=entry.result and rename_result(entry.result, rename),
        pending=pending if isinstance(pending, list) else None,
    )


def rename_change(change: Change, rename: Rename) -> Change:
    """Return a change with the key of a later rename. A change that is itself a rename stays unchanged."""
    if is_rename(change):
        return change
    before, after = (rename_left(change.key, value, rename) for value in (change.before, change.after))
    text = change.text
    if text:
        text = rename_in_text(text, rename) if is_battle(change.key) else rename_in_note(text, *rename)
    return change._replace(key=rename_in_key(change.key, rename), before=before, after=after, text=text)


def rename_result(result: Result, rename: Rename) -> Result:
    """Return the result of a battle after the rename of a force."""
    if rename.table != "forces":
        return result
    new = {rename.old: rename.new}
    return Result(
        [new.get(key, key) for key in result.winners],
        {new.get(key, key): side for key, side in result.sides.items()},
    )


def forces_in(entry: Entry) -> list[str]:
    """Return the forces of a recorded battle. The list is empty if the entry is not a battle."""
    if entry.result is None:
        return []
    forces = list(entry.result.sides)
    for change in entry.changes:
        if is_battle(change.key) and isinstance(change.before, dict):
            sides = change.before.get("sides", [])
            forces += [force for side in sides for force in (side if isinstance(side, list) else [side])]
    return list(dict.fromkeys(forces))


def prize_of(entry: Entry) -> Key | None:
    """Return the key of the owner of the place for which a recorded battle was fought.

    Returns None if no place was at stake, or if no side won.
    """
    tables = [change.before for change in entry.changes if is_battle(change.key)]
    stakes = [table["stakes"] for table in tables if isinstance(table, dict) and "stakes" in table]
    return (
        ("locations", str(stakes[0]), "owner") if entry.result and entry.result.winners and stakes else None
    )


def is_about(ledger: Ledger, entry: Entry, key: str) -> bool:
    """Return True if an entry concerns the thing with this present or former key."""
    return any(concerns(version, key) for version in (entry, in_todays_keys(ledger, entry)))


def concerns(entry: Entry, key: str) -> bool:
    """Return True if an entry concerns the battle, force, faction or place with this key."""
    return (
        key == entry.id
        or key in forces_in(entry)
        or any(
            key in (*change.key, *([change.after] if is_rename(change) else [])) for change in entry.changes
        )
    )


def first_of_turn(ledger: Ledger, turn: int) -> int:
    """Return the revision that began a turn, or 1 if the turn began before the first entry of the ledger.

    If the turn began several times, for example after an undo, the last valid beginning counts.
    """
    gone = ledger.undone_revisions
    for revision in range(ledger.whole_entries, 0, -1):
        if ledger.heads.kinds[revision - 1] not in TURN_KINDS or revision in gone:
            continue
        if any(begins_turn(change, turn) for change in ledger.entry(revision).changes):
            return revision
    return 1


def begins_turn(change: Change, turn: int) -> bool:
    """Return True if a change begins this turn, or skips it."""
    if change.key != ("turn",) or not isinstance(change.after, int):
        return False
    return change.after >= turn > int(str(change.before or 0))


MAP_FIELDS = ("name", "terrain")  # of a place, as players see it on the map


def is_map_known(ledger: Ledger, turn: int, faction: str, forces: Collection[str]) -> bool:
    """Return True if messages of an earlier turn showed a faction the places and roads of the present turn.

    A change in this turn or the last one counts, unless it came before the first movement and the first
    orders of the faction, which has these `forces`. Orders of other factions are secret, and do not count.
    """
    gone = ledger.undone_revisions
    started = ledger.heads.revisions((ORDERS, MOVEMENT), first_of_turn(ledger, turn) - 1)
    entries = (ledger.entry(revision) for revision in started if revision not in gone)
    begin = next(
        (each.revision for each in entries if each.kind == MOVEMENT or is_for(each, faction, forces)), 0
    )
    if not begin:
        return False
    recent = range(max(begin, first_of_turn(ledger, turn - 1)), ledger.whole_entries + 1)
    entries = (ledger.entry(revision) for revision in recent if revision not in gone)
    return not any(is_of_map(change) for entry in entries for change in entry.changes)


def is_for(entry: Entry, faction: str, forces: Collection[str]) -> bool:
    """Return True if an entry gives orders, sealed or not, to the forces of a faction."""
    keys = {("sealed_orders", faction), *(("orders", force) for force in forces)}
    return any(change.key[:2] in keys for change in entry.changes)


def is_of_map(change: Change) -> bool:
    """Return True if a change adds, removes or changes a place or a road on the map."""
    table, *parts = change.key
    return table in ("road", "map") or (table == "locations" and (len(parts) < 2 or parts[1] in MAP_FIELDS))


TURN_KINDS = ("turn", "adjust", "set", "edit", "undo", "redo")  # entry kinds that can change the turn


def turn_of(ledger: Ledger, revision: int) -> int | None:
    """Return the turn in which an entry was recorded.

    Returns None if no later entry changes the turn.
    """
    for later in range(revision + 1, ledger.whole_entries + 1):
        if ledger.heads.kinds[later - 1] in TURN_KINDS:
            for change in ledger.entry(later).changes:
                if change.key == ("turn",):
                    return int(str(change.before or 0))
    return None


class LateCorrection(NamedTuple):
    """A battle that was fought in one turn, and whose result was corrected in a later turn.

    `entry` has the new result.
    """

    entry: Entry
    battle: str
    fought: int
    corrected: int


def late_corrections(ledger: Ledger, entries: Sequence[Entry], turn: int) -> list[LateCorrection]:
    """Return the battles whose first result was undone in a later turn, and replaced by another one.

    `entries` are those that the reader may know, and `turn` is the present turn.
    """
    undone_by = {revision: undo for undo in ledger.undos for revision in ledger.entry(undo).undoes}
    first: dict[str, int] = {}  # the turn of the first result, by battle
    corrections: list[LateCorrection] = []
    for entry in entries:
        if entry.kind not in BATTLES:
            continue
        recorded = turn_of(ledger, entry.revision) or turn
        undo = undone_by.get(entry.revision)
        if undo is None and entry.id in first and first[entry.id] < recorded:
            corrections.append(LateCorrection(entry, entry.id, first[entry.id], recorded))
        elif undo is not None and recorded < (turn_of(ledger, undo) or turn):
            first.setdefault(entry.id, recorded)
    return corrections


def is_played_again(ledger: Ledger, turn: int) -> bool:
    """Return True if this turn was over, and its end was undone. The players may have its first report."""
    return any(
        change.key == ("turn",) and change.before == turn and change.after == turn + 1
        for revision in ledger.undone_revisions
        if ledger.heads.kinds[revision - 1] == "turn"
        for change in ledger.entry(revision).changes
    )


def is_moved_again(ledger: Ledger, turn: int) -> bool:
    """Return True if the movement of this turn, the present one, was undone."""
    return any(
        ledger.heads.kinds[revision - 1] == MOVEMENT and turn_of(ledger, revision) in (None, turn)
        for revision in ledger.undone_revisions
    )


def dependents(ledger: Ledger, entries: Sequence[Entry]) -> list[tuple[Entry, list[str]]]:
    """Return each later valid battle, with those of its forces that `entries` changed.

    All keys are current keys.
    """
    entries = [in_todays_keys(ledger, entry) for entry in entries]
    changed = {change.key[1]: None for entry in entries for change in entry.changes if is_force(change.key)}
    gone = ledger.undone_revisions
    later = []
    for entry in span_today(ledger, max(entry.revision for entry in entries) + 1, ledger.whole_entries):
        shared = [force for force in forces_in(entry) if force in changed]
        if shared and entry.revision not in gone:
            later.append((entry, shared))
    return later


def battles_since_turn(ledger: Ledger, undone: Collection[int]) -> tuple[Change, list[Entry]] | None:
    """Return the first beginning of a turn among `undone` revisions, and the valid battles since then.

    Battles whose revision is in `undone` are left out. Returns None if no turn begins or no battle is left.
    """
    turns = [
        (revision, change)
        for revision in sorted(undone)
        if ledger.heads.kinds[revision - 1] in TURN_KINDS
        for change in ledger.entry(revision).changes
        if change.key == ("turn",)
    ]
    if not turns:
        return None
    revisions = set(range(turns[0][0] + 1, ledger.whole_entries + 1)) - ledger.undone_revisions - {*undone}
    battles = [
        ledger.entry(number) for number in sorted(revisions) if ledger.heads.kinds[number - 1] in BATTLES
    ]
    return (turns[0][1], battles) if battles else None


def is_force(key: tuple[str, ...]) -> bool:
    """Return True if a key path names a value of a force."""
    return len(key) == 3 and key[0] == "forces"


def record_in(folder: str, name: str) -> Record | None:
    """Return a record from the folder of a campaign, or None if it cannot be read."""
    try:
        return read_record_in(folder, name)
    except (InvalidInput, NeedsUmpire):
        return None


def read_record_in(folder: str, name: str) -> Record:
    """Return a record from the folder of a campaign.

    Raises InvalidInput or NeedsUmpire if it cannot be read, for example because a plug-in is missing.
    """
    return read_record(read_toml(record_path(folder, name)).data, folder)


def log_of(ledger: Ledger, battle: str) -> Entry | None:
    """Return the entry with the record of a battle.

    This is the valid entry or, if all entries were undone, the last undone entry.
    """
    gone = ledger.undone_revisions
    entries = [
        revision
        for revision, head in enumerate(islice(ledger.heads, ledger.whole_entries), 1)
        if head.id == battle and head.record
    ]
    standing = [revision for revision in entries if revision not in gone]
    return ledger.entry((standing or entries)[-1]) if entries else None
