"""A campaign turn by turn: what stood at the end of each, and what stands of what happened in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.changes import Change, is_battle, is_rename, is_table
from cardbattle.campaign.history import in_todays_keys
from cardbattle.campaign.ledger import Entry, Ledger
from cardbattle.campaign.model import PARTS, Campaign

TURNING = ("undo", "redo")  # kinds that take something back or bring it back: what stands says it all


class PastTurn(NamedTuple):
    """One turn, the present one too: its number, the campaign as it stood at its end, and what happened.

    `entries` are those that stand, in order and in today's keys.
    """

    number: int
    campaign: Campaign
    entries: list[Entry]


def timeline(campaign: Campaign, ledger: Ledger) -> list[PastTurn]:
    """Return the turns that the ledger knows of, in order, the present one last.

    What it does not know of, as names, is as it is today in all of them.
    """
    found: list[PastTurn] = []
    state = campaign
    for number, entries in reversed(in_turns(campaign, ledger)):
        stand = [one for one in entries if one.revision not in ledger.taken_back and one.kind not in TURNING]
        found.append(PastTurn(number, state, stand))
        state = as_before(state, entries)
    return found[::-1]


def in_turns(campaign: Campaign, ledger: Ledger) -> list[tuple[int, list[Entry]]]:
    """Return the entries by the turn that their campaign was in; one that begins a turn is its first.

    A turn taken back and begun anew has the entries of both times.
    """
    entries = [in_todays_keys(ledger, entry) for entry in ledger.span(1, ledger.settled)]
    number = next((whole(before) for before, _ in map(turned, entries) if before is not None), campaign.turn)
    found: dict[int, list[Entry]] = {number: []}
    for entry in entries:
        _before, after = turned(entry)
        if after is not None:
            number = whole(after)
            again = [found.pop(later) for later in [*found] if later > number]
            found.setdefault(number, []).extend(one for later in again for one in later)
        found.setdefault(number, []).append(entry)
    return list(found.items())


def whole(value: object) -> int:
    """Return a turn's number as the ledger has it; one that is not written is 0."""
    return value if isinstance(value, int) else 0


def turned(entry: Entry) -> tuple[object, object]:
    """Return which turn it was before an entry and after it; None and None if it is no other."""
    for change in entry.changes:
        if change.key == ("turn",):
            return change.before or 0, change.after or 0
    return None, None


def as_before(campaign: Campaign, entries: Sequence[Entry]) -> Campaign:
    """Return the campaign as it was before these entries, as far as its pages look back.

    That is the values of its factions, forces and locations, and which of these there were.
    """
    tables = {word: dict(getattr(campaign, word)) for word in PARTS}
    values: dict[tuple[str, str], dict[str, object]] = {}
    for change in changes_back(entries):
        table, key = change.key[0], change.key[1]
        if is_table(change.key):
            if change.before is None:
                tables[table].pop(key, None)
        else:
            values.setdefault((table, key), {})[change.key[2]] = change.before
    for (table, key), found in values.items():
        if key in tables[table]:
            tables[table][key] = tables[table][key].model_copy(update=told(table, found))
    return campaign.model_copy(update=tables)


def changes_back(entries: Sequence[Entry]) -> Iterator[Change]:
    """Yield what changed a faction, force or location, or its being there, the last first."""
    for entry in reversed(entries):
        for change in reversed(entry.changes):
            is_value = len(change.key) == 3 and change.key[0] in PARTS
            if (is_value or is_table(change.key)) and not is_rename(change) and not is_battle(change.key):
                yield change


def told(table: str, values: Mapping[str, object]) -> dict[str, object]:
    """Return values as a model has them: what is not written is what it is by default."""
    fields = PARTS[table].model_fields
    return {
        word: fields[word].get_default(call_default_factory=True) if value is None else value
        for word, value in values.items()
        if word in fields
    }
