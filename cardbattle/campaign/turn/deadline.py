"""When a turn began, and the deadlines that follow from its beginning."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import takewhile

from cardbattle.campaign.ledger.history import begins_turn, first_of_turn
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.state.clock import FORMAT
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.deadlines import duration

ORDERS = "orders"  # kind of the entries with which the orders of a turn begin


def moment(text: str) -> datetime:
    """Parse a time of the ledger."""
    return datetime.strptime(text, FORMAT).replace(tzinfo=UTC)


def deadline(since: str, length: str | None) -> str:
    """Return the end of a duration that begins at a time, or "" if the time or the duration is unknown.

    >>> deadline("2026-11-24T18:00:00Z", "3 days")
    '2026-11-27T18:00:00Z'
    """
    if not since or length is None:
        return ""
    try:
        return (moment(since) + duration(length)).strftime(FORMAT)
    except (OverflowError, ValueError):
        return ""


def turn_began(campaign: Campaign, ledger: Ledger) -> str:
    """Return the beginning of this turn, which is the time of its first entry with a time.

    In the first turn of a campaign, the umpire may still be setting it up. That turn begins with the last
    entry before the first orders. Undone entries do not count. Returns an empty string if no such entry has a
    time.
    """
    if not ledger.whole_entries:
        return ""
    first, gone = first_of_turn(ledger, campaign.turn), ledger.undone_revisions
    valid = (number for number in range(first, ledger.whole_entries + 1) if number not in gone)
    entries = map(ledger.entry, valid)
    if first not in gone and any(
        begins_turn(change, campaign.turn) for change in ledger.entry(first).changes
    ):
        return next((entry.time for entry in entries if entry.time), "")
    before = [entry.time for entry in takewhile(lambda entry: entry.kind != ORDERS, entries) if entry.time]
    return before[-1] if before else ""
