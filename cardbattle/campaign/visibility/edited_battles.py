"""Show the meetings of a movement with the sides that the umpire gave their battles later.

If the umpire adds a force to a battle, the reports must not say that the force stood by.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from cardbattle.campaign.ledger.history import each_today
from cardbattle.campaign.ledger.ledger import BATTLES, CONTACT, MOVEMENT, Entry
from cardbattle.campaign.state.changes import Change, is_battle
from cardbattle.campaign.state.tables.march_orders import (
    CORNERED,
    ENGAGED,
    STANDS_BY,
    failure_in,
    last_place_in,
    note_of,
    parse_order,
)
from cardbattle.campaign.visibility.redaction import sides_in

if TYPE_CHECKING:
    from cardbattle.campaign.visibility.reader import VisibleCampaign


IDLE = (STANDS_BY, ENGAGED)


def with_later_sides(visible: VisibleCampaign, entry: Entry) -> Entry:
    """Return an entry that the reader may know, with the sides that its battles have now or were fought with.

    In the entry of a movement, a force that fights does not stand by. If it had the order to avoid battle, it
    found no way out, because it met its enemies.
    """
    if entry.kind == CONTACT and (sides := later_sides(visible, entry.id)):
        changes = [
            change._replace(after={**change.after, "sides": sides})
            if is_battle(change.key) and isinstance(change.after, dict)
            else change
            for change in entry.changes
        ]
        return entry._replace(changes=changes)
    if entry.kind != MOVEMENT or not any(failure_in(change.text) in IDLE for change in entry.changes):
        return entry
    sides = [side for battle in battles_after(visible, entry) for side in later_sides(visible, battle)]
    fighting = {*chain.from_iterable(sides)}
    changes = [
        change._replace(text=note_of(failure_in_battle(change), last_place_in(change.text)))
        if failure_in(change.text) in IDLE and change.key[1] in fighting
        else change
        for change in entry.changes
    ]
    return entry._replace(changes=changes)


def failure_in_battle(change: Change) -> str:
    """Return CORNERED if the order or march of a force that fights was to avoid battle, or ""."""
    return CORNERED if parse_order(str(change.before)).avoids else ""


def battles_after(visible: VisibleCampaign, movement: Entry) -> Iterator[str]:
    """Yield the ids of the turn's battles after a movement, including those that the reader may not know.

    A faction whose force joined a battle later can know the battle, but not the contact.
    """
    for entry in each_today(visible.ledger, movement.revision + 1, visible.ledger.whole_entries):
        if entry.kind == MOVEMENT or any(change.key == ("turn",) for change in entry.changes):
            return
        if entry.kind == CONTACT or entry.kind in BATTLES:
            yield entry.id
    yield from (battle.id for battle in visible.campaign.pending)


def later_sides(visible: VisibleCampaign, battle: str) -> list[list[str]]:
    """Return the sides of a fought or pending battle, or [] if they are unknown."""
    pending = visible.campaign.battle(battle)
    if pending is not None:
        return [[*side] for side in pending.sides]
    number = visible.numbers.get(visible.ledger.revision_by_battle.get(battle, 0), 0)
    changes = visible.entries[number - 1].changes if number else []
    tables = [change.before for change in changes if is_battle(change.key)]
    return sides_in(tables[0]) if tables and isinstance(tables[0], dict) else []
