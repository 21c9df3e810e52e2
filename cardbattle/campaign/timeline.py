"""A campaign turn by turn: how it stood at the end of each, and which entries of the ledger belong to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.changes import PENDING, Change, is_rename, is_table
from cardbattle.campaign.history import span_today
from cardbattle.campaign.ledger import Entry, Ledger
from cardbattle.campaign.model import PARTS, Campaign, read_campaign
from cardbattle.files.reader import table_or_empty


class PastTurn(NamedTuple):
    """One turn: its number, the campaign as it stood at its end, and the revisions that belong to it.

    The present one is among them, with the campaign as it is.
    """

    number: int
    campaign: Campaign
    revisions: list[int]


def timeline(campaign: Campaign, ledger: Ledger) -> list[PastTurn]:
    """Return the turns that the ledger knows of, in order, the present one last.

    A past campaign has the factions, forces and places of that time and no battle pending; what the ledger
    does not know of is as it is today. Errors as `read_campaign`, if the ledger tells of an unsound one.
    """
    found: list[PastTurn] = []
    state = campaign
    for number, entries in reversed(in_turns(campaign, ledger)):
        found.append(PastTurn(number, state, [entry.revision for entry in entries]))
        if entries:
            state = read_campaign(data_before(state, number, entries), campaign.folder)
    return found[::-1]


def in_turns(campaign: Campaign, ledger: Ledger) -> list[tuple[int, list[Entry]]]:
    """Return the entries by the turn that their campaign was in; one that begins a turn is its first.

    A turn taken back and begun anew has the entries of both times.
    """
    entries = span_today(ledger, 1, ledger.settled)
    first = next((before for before, _ in map(turned, entries) if before is not None), campaign.turn)
    number = first
    found: dict[int, list[Entry]] = {number: []}
    for entry in entries:
        _, after = turned(entry)
        if after is not None:
            number = after
            again = [found.pop(later) for later in [*found] if later > number]
            found.setdefault(number, []).extend(one for later in again for one in later)
        found.setdefault(number, []).append(entry)
    return list(found.items())


def turned(entry: Entry) -> tuple[int | None, int | None]:
    """Return which turn it was before an entry and after it; None and None if it is no other."""
    for change in entry.changes:
        if change.key == ("turn",):
            before, after = change.before or 0, change.after or 0
            return (before, after) if isinstance(before, int) and isinstance(after, int) else (None, None)
    return None, None


def data_before(campaign: Campaign, turn: int, entries: Sequence[Entry]) -> dict[str, object]:
    """Return a campaign's data as they were before these entries of a turn, without what was pending."""
    data = {
        word: value for word, value in campaign.data.items() if word not in (PENDING, "assert", "turn_name")
    }
    for word in PARTS:
        data[word] = {key: dict(table_or_empty(part)) for key, part in table_or_empty(data.get(word)).items()}
    was_there: dict[tuple[str, str], bool] = {}
    for change in changes_back(entries):
        table = table_or_empty(data[change.key[0]])
        if is_table(change.key):
            was_there[change.key[0], change.key[1]] = change.before is not None
        else:
            set_back(table_or_empty(table.setdefault(change.key[1], {})), change.key[2], change.before)
    for (word, key), is_there in was_there.items():
        if not is_there:
            table_or_empty(data[word]).pop(key, None)
    data["turn"] = next((before for before, _ in map(turned, entries) if before is not None), turn)
    return data | {"map": map_of(data)}


def set_back(part: dict[str, object], word: str, before: object) -> None:
    """Let a value be what it was, or not be there."""
    if before is None:
        part.pop(word, None)
    else:
        part[word] = before


def map_of(data: Mapping[str, object]) -> dict[str, object]:
    """Return the map without roads to places that were not there."""
    found = dict(table_or_empty(data.get("map")))
    roads, places = found.get("roads", []), table_or_empty(data["locations"])
    assert isinstance(roads, list)
    return found | {"roads": [road for road in roads if all(end in places for end in road)]}


def changes_back(entries: Sequence[Entry]) -> Iterator[Change]:
    """Yield what changed a faction, force or location, or its being there, the last first."""
    for entry in reversed(entries):
        for change in reversed(entry.changes):
            if (
                change.key[0] in PARTS
                and not is_rename(change)
                and (len(change.key) == 3 or is_table(change.key))
            ):
                yield change
