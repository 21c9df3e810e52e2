"""Reconstruct the past turns of a campaign: the state at the end of each turn, and the turn's ledger entries.

A result that was corrected in a later turn counts for the turn in which the battle was fought.
Entries that were undone later are not part of the past. Numbers (points, strength) are sums of the changes of
the valid entries. Any other value comes from the last valid entry. A forced undo or a manual edit can leave a
difference that no valid entry explains. `PastTurn.unexplained` contains it, so that every turn adds up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.ledger.history import span_today
from cardbattle.campaign.ledger.ledger import AFTERMATH, BATTLES, Entry, Ledger
from cardbattle.campaign.ledger.undo import TURNS, is_tally, number_or_zero
from cardbattle.campaign.state.changes import (
    PENDING,
    Change,
    Key,
    is_rename,
    is_table,
    is_unit,
    same,
    value_at,
)
from cardbattle.campaign.state.model import PARTS, Campaign, read_campaign
from cardbattle.campaign.state.tables.units import STRENGTH, UNITS, units_at, units_in
from cardbattle.files.reader import table_or_empty

Turn = tuple[int, list[Entry]]  # the number of a turn, and its entries


class PastTurn(NamedTuple):
    """A turn with its number, the campaign at its end, and the revisions of the entries that count for it.

    The present turn also counts, with the current campaign.

    Attributes:
        last: the revision of the last entry that was recorded in the turn, or 0.
        campaign: the state according to the entries that are valid today.
        seen: the state at the time, including changes that were undone later.
        explained: changes of points and strengths by a valid entry, by revision and key.
        unexplained: other changes since the previous turn.

    """

    number: int
    campaign: Campaign
    seen: Campaign
    revisions: list[int]
    last: int
    explained: dict[tuple[int, Key], Change]
    unexplained: list[Change]


class Touch(NamedTuple):
    """One change of a value, with the index of its turn and its revision.

    `stands` is True if the entry is valid today, which means that it was not undone.
    """

    turn: int
    change: Change
    stands: bool = False
    revision: int = 0


class ValueByTurn(NamedTuple):
    """The history of one value, turn by turn.

    `seen` is the value at the end of each turn as recorded at the time. `stands` is the value at the end of
    each turn according to the entries that are valid today. `explained` are the changes by valid entries in
    each turn. `unexplained` are the other changes, by turn.
    """

    seen: list[object]
    stands: list[object]
    explained: list[list[Touch]]
    unexplained: dict[int, Change]


def timeline(campaign: Campaign, ledger: Ledger) -> list[PastTurn]:
    """Return the turns in the ledger in order. The present turn is the last one.

    A past campaign has the parts, name, calendar and substitutes of its time, and no pending battles.
    Other settings, and values that the ledger does not know, have today's value. Raises the errors of
    `read_campaign`.
    """
    recorded, gone = in_turns(campaign, ledger), ledger.undone_revisions
    turns = with_corrections(recorded, gone)
    values = values_by_turn(campaign, recorded, turns, gone)
    settings = settings_by_turn(campaign, recorded, gone)
    past_turns: list[PastTurn] = []
    for n, (number, entries) in enumerate(turns):
        current = seen = campaign
        if n + 1 < len(turns):
            ends = {key: value.stands[n] for key, value in values.items()}
            then = {key: value.seen[n] for key, value in values.items()}
            data = with_settings(campaign.data, {key: value.stands[n] for key, value in settings.items()})
            current = read_campaign(data_then(data, number, ends), campaign.folder)
            seen = current if then == ends else read_campaign(data_then(data, number, then), campaign.folder)
        reported = {
            (touch.revision, key): touch.change
            for key, value in values.items()
            for touch in value.explained[n]
        }
        remainders = [
            value.unexplained[n]
            for key, value in values.items()
            if n in value.unexplained and is_part_there(values, key, n)
        ]
        revisions = [entry.revision for entry in entries]
        last = max((entry.revision for entry in recorded[n][1]), default=0)
        past_turns.append(PastTurn(number, current, seen, revisions, last, reported, remainders))
    return past_turns


def in_turns(campaign: Campaign, ledger: Ledger) -> list[Turn]:
    """Return the entries by turn. The entry that begins a turn is the first entry of this turn.

    A turn that was undone and begun again has the entries of both attempts. If an undo was redone, it and its
    redo belong to the last turn before it, and leave the other turns as they were.
    """
    entries = span_today(ledger, 1, ledger.whole_entries)
    first = next((before for before, _ in map(turn_change, entries) if before is not None), campaign.turn)
    number = first
    table: dict[int, list[Entry]] = {number: []}
    for entry in entries:
        _, after = turn_change(entry)
        if entry.kind == "redo" or entry.revision in ledger.redone_undos:
            number = number if after is None else after
            table[max(table)].append(entry)
            continue
        if after is not None:
            number = after
            again = [table.pop(later) for later in [*table] if later > number]
            table.setdefault(number, []).extend(one for later in again for one in later)
        table.setdefault(number, []).append(entry)
    return list(table.items())


def with_corrections(turns: Sequence[Turn], gone: Collection[int]) -> Sequence[Turn]:
    """Return the turns with corrected results, and their aftermath, in the turns of their battles.

    `gone` are the undone revisions. A battle was corrected if its first result was undone in a later turn.
    """
    undone_in = {
        revision: n for n, (_, entries) in enumerate(turns) for entry in entries for revision in entry.undoes
    }
    fought: dict[str, tuple[int, int]] = {}  # the turn and the revision of the first result, by battle
    moved: dict[int, list[Entry]] = {}  # the entries that follow a revision
    for n, (_, entries) in enumerate(turns):
        for entry in entries:
            if entry.kind not in (*BATTLES, AFTERMATH):
                continue
            turn, first = fought.get(entry.id, (n, 0))
            if entry.revision not in gone and turn < n:
                moved.setdefault(first, []).append(entry)
            elif entry.revision in gone and entry.kind in BATTLES and undone_in.get(entry.revision, n) > n:
                fought.setdefault(entry.id, (n, entry.revision))
    if not moved:
        return turns
    corrections = {entry.revision for entries in moved.values() for entry in entries}
    return [
        (
            number,
            [
                each
                for entry in entries
                if entry.revision not in corrections
                for each in (entry, *moved.get(entry.revision, ()))
            ],
        )
        for number, entries in turns
    ]


def turn_change(entry: Entry) -> tuple[int | None, int | None]:
    """Return the numbers of the turn before and after an entry that changes the turn.

    For any other entry, the pair is (None, None).
    """
    for change in entry.changes:
        if change.key == ("turn",):
            before, after = change.before or 0, change.after or 0
            return (before, after) if isinstance(before, int) and isinstance(after, int) else (None, None)
    return None, None


def values_by_turn(
    campaign: Campaign, recorded: Sequence[Turn], turns: Sequence[Turn], gone: set[int]
) -> dict[Key, ValueByTurn]:
    """Return the history of each value of the factions, forces and locations.

    `recorded` has each entry in the turn in which it was recorded, and `turns` in the turn for which it
    counts. The key of a faction, force or location itself has the history of its existence.
    """
    touched = touches_by_key(recorded, gone, is_of_part)
    counted = touched if turns is recorded else touches_by_key(turns, gone, is_of_part)
    tables = {
        key for key, touches in touched.items() if is_table(key) and any(touch.stands for touch in touches)
    }
    return {
        key: value_by_turn(touches, counted[key], value_at(campaign.data, key), len(turns))
        for key, touches in touched.items()
        if key[:2] in tables or value_at(campaign.data, key[:2]) is not None
    }


def settings_by_turn(campaign: Campaign, turns: Sequence[Turn], gone: set[int]) -> dict[Key, ValueByTurn]:
    """Return the history of each setting that past turns keep, if the ledger has a change of it."""
    touched = touches_by_key(turns, gone, is_past_setting)
    return {
        key: value_by_turn(touches, touches, value_at(campaign.data, key), len(turns))
        for key, touches in touched.items()
    }


def touches_by_key(
    turns: Sequence[Turn], gone: set[int], is_kept: Callable[[Change], bool]
) -> dict[Key, list[Touch]]:
    """Return the changes for which `is_kept` is true, in order, by the key that they change."""
    touched: dict[Key, list[Touch]] = {}
    for n, (_, entries) in enumerate(turns):
        for entry in entries:
            stands = entry.kind not in TURNS and entry.revision not in gone
            for change in filter(is_kept, entry.changes):
                touched.setdefault(change.key, []).append(Touch(n, change, stands, entry.revision))
    return touched


def is_past_setting(change: Change) -> bool:
    """Return True if a change concerns a setting that past turns keep. A table itself is no setting."""
    return change.key[0] in PAST_SETTINGS and change.key[-1] != ""


def is_part_there(values: Mapping[Key, ValueByTurn], key: Key, n: int) -> bool:
    """Return True if the faction, force or location of a value exists at the end of a turn."""
    table = values.get(key[:2])
    return is_table(key) or table is None or table.stands[n] is not None


def is_of_part(change: Change) -> bool:
    """Return True if a change concerns a value or the existence of a faction, force or location."""
    key = change.key
    return key[0] in PARTS and not is_rename(change) and (len(key) == 3 or is_table(key) or is_unit(key))


def value_by_turn(
    touched: Sequence[Touch], counted: Sequence[Touch], current: object, count: int
) -> ValueByTurn:
    """Return the history of a value over `count` turns.

    `touched` are its changes as they were recorded, `counted` the same changes in the turns for which they
    count, and `current` its current value.
    """
    key, first = touched[0].change.key, touched[0].change.before
    seen = [valid_value(key, value) for value in ends_of(key, first, touched, count)]
    reported = [touch for touch in counted if touch.stands]
    computed, left = ends_of(key, first, reported, count)[-1], touched[-1].change.after
    back = max((touch.turn for touch in touched if not touch.stands), default=count - 1)
    steps = [
        *reported,
        *([] if is_equal(key, computed, left) else [Touch(back, Change(key, computed, left))]),
        *([] if is_equal(key, left, current) else [Touch(count - 1, Change(key, left, current))]),
    ]
    stands = [valid_value(key, value) for value in ends_of(key, first, steps, count)]
    starts = [first, *stands]
    by_turn: list[list[Touch]] = [[] for _ in range(count)]
    for touch in reported:
        by_turn[touch.turn].append(touch)
    explained = [following(starts[n], touches) for n, touches in enumerate(by_turn)]
    ends = [touches[-1].change.after if touches else starts[n] for n, touches in enumerate(explained)]
    remainders = {
        n: Change(key, ends[n], stands[n]) for n in range(count) if not is_equal(key, ends[n], stands[n])
    }
    return ValueByTurn(seen, stands, explained, remainders)


def following(start: object, touched: Iterable[Touch]) -> list[Touch]:
    """Recompute the changes of a number so that they begin with the value `start`.

    Changes of other values are returned unchanged.
    """
    touches: list[Touch] = []
    for touch in touched:
        change = touch.change
        if is_tally(change.key):
            change = change._replace(before=start, after=number_or_zero(start) + gain_of(change))
            start = change.after
        touches.append(touch._replace(change=change))
    return touches


def ends_of(key: Key, first: object, touched: Iterable[Touch], count: int) -> list[object]:
    """Return a value at the end of each turn, given its first value.

    A number is the sum of its changes so far.
    """
    by_turn: dict[int, list[Change]] = {}
    for touch in touched:
        by_turn.setdefault(touch.turn, []).append(touch.change)
    ends: list[object] = []
    value = first
    for n in range(count):
        for change in by_turn.get(n, ()):
            value = number_or_zero(value) + gain_of(change) if is_tally(key) else change.after
        ends.append(value)
    return ends


def gain_of(change: Change) -> int:
    """Return the increase of a number. A missing value counts as 0."""
    return number_or_zero(change.after) - number_or_zero(change.before)


def is_equal(key: Key, first: object, second: object) -> bool:
    """Return True if two values of a key are equal. For numbers, a missing value counts as 0."""
    return number_or_zero(first) == number_or_zero(second) if is_tally(key) else same(first, second)


def valid_value(key: Key, value: object) -> object:
    """Return a value within its range: a negative strength becomes 0. A missing unit stays None."""
    if value is None and is_unit(key):
        return None
    return max(number_or_zero(value), 0) if is_tally(key) and key[0] == "forces" else value


def with_settings(data: Mapping[str, object], settings: Mapping[Key, object]) -> dict[str, object]:
    """Return the data of a campaign with these settings.

    A calendar whose first day the ledger does not know is left out.
    """
    changed = dict(data)
    for key, value in settings.items():
        changed = with_value(changed, key, value)
    if not table_or_empty(changed.get("calendar")).get("first_day"):
        changed.pop("calendar", None)
    return changed


def with_value(table: Mapping[str, object], key: Sequence[str], value: object) -> dict[str, object]:
    """Return a copy of a table with a value at a path. None removes the value."""
    word, *rest = key
    changed = dict(table)
    set_to(changed, word, with_value(table_or_empty(changed.get(word)), rest, value) if rest else value)
    return changed


def data_then(today: Mapping[str, object], turn: int, values: Mapping[Key, object]) -> dict[str, object]:
    """Return the data of a campaign in a past turn.

    `values` replace the values of `today`. Pending battles are left out.
    """
    data = {word: value for word, value in today.items() if word not in NOT_OF_THE_PAST}
    for word in PARTS:
        data[word] = {key: dict(table_or_empty(part)) for key, part in table_or_empty(data.get(word)).items()}
    for key, value in values.items():
        if not is_table(key):
            part = table_or_empty(table_or_empty(data[key[0]]).setdefault(key[1], {}))
            if is_unit(key):
                part[UNITS] = dict(table_or_empty(part.get(UNITS)))
                part = table_or_empty(part[UNITS])
            set_to(part, key[-1], value)
    for key, value in values.items():
        if is_table(key) and value is None:
            table_or_empty(data[key[0]]).pop(key[1], None)
    forces = {key: with_units_then(part) for key, part in table_or_empty(data["forces"]).items()}
    return {**without_loose_ends({**data, "forces": forces}), "turn": turn}


def with_units_then(force: object) -> object:
    """Return the table of a force in a past turn, with units that add up to its strength.

    If all units are 0, they are left out. The ledger does not know a roster that was written into the file
    later.
    """
    units, part = units_in(force), table_or_empty(force)
    strength = part.get(STRENGTH)
    if not units or not isinstance(strength, int):
        return force
    if not any(units.values()):
        return {word: value for word, value in part.items() if word != UNITS}
    return {**part, UNITS: units_at(units, strength)}


PAST_SETTINGS = ("name", "notice", "calendar", "substitutes")  # as they were, in a report of a past turn
NOT_OF_THE_PAST = (
    PENDING,
    "assert",
    "turn_name",
    "schedule",
    "event",
    "orders",
    "sealed_orders",
    "fixtures",
    "round",
    "reported",
)
# Tables of the present, which can name things that did not exist then.


def set_to(part: dict[str, object], word: str, value: object) -> None:
    """Set a value, or remove it if `value` is None."""
    if value is None:
        part.pop(word, None)
    else:
        part[word] = value


def without_loose_ends(data: Mapping[str, object]) -> dict[str, object]:
    """Return the data without references to factions and locations that do not exist.

    Substitutes that had no commander yet are left out, too.
    """
    factions, places = table_or_empty(data["factions"]), table_or_empty(data["locations"])
    forces = {
        key: with_end(table_or_empty(force), "location", places)
        for key, force in table_or_empty(data["forces"]).items()
        if table_or_empty(force).get("faction") in factions
    }
    held = {key: with_end(table_or_empty(place), "owner", factions) for key, place in places.items()}
    roads = [
        road
        for road in map(table_or_empty, list_or_empty(data.get("road")))
        if are_ends(road.get("between"), places)
    ]
    lengths = {frozenset(map(str, list_or_empty(road["between"]))): road.get("length", 1) for road in roads}
    forces = {key: with_sound_position(force, lengths) for key, force in forces.items()}
    substitutes = {
        key: part
        for key, part in table_or_empty(data.get("substitutes")).items()
        if key in factions and table_or_empty(part).get("commander")
    }
    whole = {**data, "forces": forces, "locations": held, "map": map_of(data)}
    optional = {"road": roads, "substitutes": substitutes}
    rest = {word: part for word, part in whole.items() if word not in optional}
    return rest | {word: part for word, part in optional.items() if part}


def with_sound_position(
    force: Mapping[str, object], lengths: Mapping[frozenset[str], object]
) -> dict[str, object]:
    """Return a force's table without its orders, and without a position on a road that does not exist."""
    left = {word: value for word, value in force.items() if word not in ("march", "retreat", "hires")}
    length = lengths.get(frozenset((str(force.get("location")), str(force.get("towards")))), 1)
    walked = force.get("walked", 0)
    if isinstance(length, int) and isinstance(walked, int) and 0 < walked < length:
        return left
    return {word: value for word, value in left.items() if word not in ("towards", "walked")}


def are_ends(ends: object, places: Mapping[str, object]) -> bool:
    """Return True if both ends of a road exist."""
    return isinstance(ends, list) and all(end in places for end in ends)


def list_or_empty(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def with_end(part: dict[str, object], word: str, tables: Mapping[str, object]) -> dict[str, object]:
    """Return a table without the key `word` if its value is not the key of one of the `tables`."""
    return part if part.get(word) in tables else {key: value for key, value in part.items() if key != word}


def map_of(data: Mapping[str, object]) -> dict[str, object]:
    """Return the map without roads to locations that do not exist."""
    table = dict(table_or_empty(data.get("map")))
    roads, places = table.get("roads", []), table_or_empty(data["locations"])
    assert isinstance(roads, list)
    return table | {"roads": [road for road in roads if are_ends(road, places)]}
