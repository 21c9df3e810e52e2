"""Find out from the ledger which phases of the current turn are finished."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import ORDERS, SEALING, Entry, Ledger
from cardbattle.campaign.ledger.undo import TURNS
from cardbattle.campaign.phases.movement.phase import MOVEMENT
from cardbattle.campaign.phases.names import AFTERMATH, BATTLES
from cardbattle.campaign.phases.turn_order import KINDS, PHASES
from cardbattle.campaign.state.tables.march_orders import RETREAT

# Phases that can run several times in a turn; they do not mark earlier ones as done.
REPEATED = (BATTLES, AFTERMATH)


def entries_of_turn(ledger: Ledger) -> list[Entry]:
    """Return the valid entries of the current turn in order.

    Renamed keys are replaced with their new names.
    """
    entries: list[Entry] = []
    gone = ledger.undone_revisions
    for revision in range(ledger.whole_entries, 0, -1):
        if ledger.heads.kinds[revision - 1] in (*TURNS, *SEALING) or revision in gone:
            continue
        entry = entry_today(ledger, revision)
        if any(change.key == ("turn",) for change in entry.changes):
            break
        entries.append(entry)
    return entries[::-1]


def names_of_finished_phases(entries: Sequence[Entry]) -> set[str]:
    names = [phase.name for phase in PHASES]
    written = {KINDS[entry.kind].name for entry in entries if entry.kind in KINDS} - {*REPEATED}
    last = max(map(names.index, written), default=-1)
    return {*names[: last + 1]} - {*REPEATED}


def has_moved(ledger: Ledger) -> bool:
    """Return True if the movement of this turn is done. New orders then count for the next turn."""
    return MOVEMENT in names_of_finished_phases(entries_of_turn(ledger))


def orders_of_last_movement(ledger: Ledger) -> dict[str, set[str]]:
    """Return the orders that were given for the last movement, by force, including replaced orders.

    The retreats that were chosen since the movement before the last one are included, because their messages
    can be read as orders to march in a later turn.
    """
    orders: dict[str, set[str]] = {}
    movements = 0
    for revision in range(ledger.whole_entries, 0, -1):
        kind = ledger.heads.kinds[revision - 1]
        if kind not in (MOVEMENT, ORDERS) or revision in ledger.undone_revisions:
            continue
        movements += kind == MOVEMENT
        if movements > 1:
            break
        for change in entry_today(ledger, revision).changes if kind == ORDERS else ():
            if change.after is None:
                continue
            if movements and change.key[0] == "orders" and len(change.key) == 2:
                orders.setdefault(change.key[1], set()).add(str(change.after))
            elif change.key[2:] == ("retreat",):
                orders.setdefault(change.key[1], set()).add(f"{RETREAT} {change.after}")
    return orders
