"""The ledger looked at: what was fought by whom, what is about whom, what depended on what."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.campaign.changes import is_battle
from cardbattle.campaign.ledger import Entry, Ledger

KINDS = ("battle", "import", "override", "undo", "redo", "adjust", "turn", "edit")


def forces_in(entry: Entry) -> list[str]:
    """Return the forces that fought a recorded battle; none if the entry is no battle."""
    if entry.result is None:
        return []
    found = list(entry.result.sides)
    for change in entry.changes:
        if is_battle(change.key) and isinstance(change.before, dict):
            sides = change.before.get("sides", [])
            found += [force for side in sides for force in (side if isinstance(side, list) else [side])]
    return list(dict.fromkeys(found))


def is_about(entry: Entry, key: str) -> bool:
    """Say whether an entry concerns a battle, a force, a faction or a place."""
    return key == entry.id or key in forces_in(entry) or any(key in change.key for change in entry.changes)


def first_of_turn(ledger: Ledger, turn: int) -> int:
    """Return the revision with which a turn began; 1 if that was before the ledger did."""
    for entry in ledger.span(1, ledger.settled):
        for change in entry.changes:
            if change.key == ("turn",) and isinstance(change.after, int) and change.after >= turn:
                return entry.revision if turn > int(str(change.before or 0)) else 1
    return 1


def dependents(ledger: Ledger, entries: Sequence[Entry]) -> list[tuple[Entry, list[str]]]:
    """Return the battles fought later that stand, with the forces that these entries had changed."""
    changed = {change.key[1]: None for entry in entries for change in entry.changes if is_force(change.key)}
    gone = ledger.taken_back
    found = []
    for entry in ledger.span(max(entry.revision for entry in entries) + 1, ledger.settled):
        shared = [force for force in forces_in(entry) if force in changed]
        if shared and entry.revision not in gone:
            found.append((entry, shared))
    return found


def is_force(key: tuple[str, ...]) -> bool:
    """Say whether a key is a value of a force."""
    return len(key) == 3 and key[0] == "forces"


def log_of(ledger: Ledger, battle: str) -> Entry | None:
    """Return the entry with a battle's record: the one that stands, else the last taken back."""
    gone = ledger.taken_back
    kept = [
        revision
        for revision, head in enumerate(ledger.heads[: ledger.settled], 1)
        if head.id == battle and head.record
    ]
    standing = [revision for revision in kept if revision not in gone]
    return ledger.entry((standing or kept)[-1]) if kept else None
