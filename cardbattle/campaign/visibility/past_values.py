"""The places and the strengths of the forces at the time of a ledger entry.

A report of an earlier turn says where the forces met then, although they are elsewhere now.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cardbattle.campaign.state.changes import is_rename, is_table
from cardbattle.campaign.state.model import Faction, Force, Location

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign

K = TypeVar("K")
BY_UMPIRE = ("set", "adjust", "edit", "move")  # entries by which the umpire changes values directly
PARTS: Mapping[str, type[Force | Faction | Location]] = {
    "forces": Force, "factions": Faction, "locations": Location,
}  # fmt: skip
SHOWN_WORDS = {
    "forces": ("name", "plural", "faction"),
    "factions": ("name", "plural"),
    "locations": ("name", "plural"),
}  # the values that sentences about a removed part need
REVISION = attrgetter("revision")


class PastValue(NamedTuple):
    """A value before the change that `revision` recorded, or None if the value is not known."""

    revision: int
    value: object


def past_values(
    entries: Iterable[Entry], word: str, is_whole: bool, table: str = "forces"
) -> dict[str, list[PastValue]]:
    """Return the values of `word` that each force had before each change of it, in the order of `entries`.

    `table` can be another table whose parts have keys, such as the locations.

    While a force had another faction, other readers could know its values, so a value counts as unknown to
    all but the umpire, whose entries are whole.
    """
    words = (word,) if is_whole else (word, "faction")
    values: dict[str, list[PastValue]] = {}
    for entry in entries:
        for change in entry.changes:
            if len(change.key) == 3 and change.key[0] == table and change.key[2] in words:
                value = change.before if change.key[2] == word else None
                values.setdefault(change.key[1], []).append(PastValue(entry.revision, value))
    return values


def placements(entries: Sequence[Entry]) -> set[tuple[int, str]]:
    """Return the changes by which the umpire placed a destroyed force, as pairs (revision, force).

    The umpire raises a force again with several entries of one turn, which can place it before or after they
    end its destruction. `entries` must be in the order of the ledger.
    """
    starts: dict[str, object] = {}
    for change in (change for entry in entries for change in entry.changes if is_destruction(change)):
        starts.setdefault(change.key[1], change.before)
    destroyed = {force for force, value in starts.items() if value}
    raised: set[str] = set()  # in this turn
    placed = set()
    for entry in entries:
        if any(change.key == ("turn",) for change in entry.changes):
            raised = set()
        for change in entry.changes:
            if is_destruction(change):
                (destroyed if change.after else raised).add(change.key[1])
                (raised if change.after else destroyed).discard(change.key[1])
        if entry.kind in BY_UMPIRE:
            moved = {change.key[1] for change in entry.changes if change.key[2:] == ("location",)}
            placed |= {(entry.revision, force) for force in moved & (destroyed | raised)}
    return placed


def is_destruction(change: Change) -> bool:
    """Return True if a change destroys a force, or ends its destruction."""
    return change.key[0] == "forces" and change.key[2:] == ("destroyed",)


class RemovedPart(NamedTuple):
    """A removed force, faction or location with its name, and the revision that removed it."""

    revision: int
    table: str
    key: str
    part: Force | Faction | Location


def removed_parts(entries: Sequence[Entry]) -> list[RemovedPart]:
    """Return the forces, factions and locations that the umpire removed, as far as sentences need them."""
    removed = []
    for entry in entries:
        for change in entry.changes:
            if is_table(change.key) and change.after is None and not is_rename(change):
                table, key = change.key
                values = {each.key[2]: each.before for each in entry.changes if each.key[:-1] == change.key}
                shown: dict[str, Any] = {word: values[word] for word in SHOWN_WORDS[table] if word in values}
                part = PARTS[table].model_construct(**shown)
                removed.append(RemovedPart(entry.revision, table, key, part))
    return removed


def with_removed_parts(campaign: Campaign, removed: Iterable[RemovedPart], revision: int) -> Campaign:
    """Return a copy of the campaign with the parts that were removed at a revision or later."""
    tables: dict[str, dict[str, object]] = {}
    for each in removed:
        if each.revision >= revision and each.key not in getattr(campaign, each.table):
            tables.setdefault(each.table, {}).setdefault(each.key, each.part)
    update = {table: {**getattr(campaign, table), **parts} for table, parts in tables.items()}
    return campaign.model_copy(update=update) if update else campaign


def value_before(past: Mapping[K, Sequence[PastValue]], key: K, revision: int, today: object) -> object:
    """Return the value that a key had just before a revision. `today` is the present value."""
    values = past.get(key, ())
    at = bisect_left(values, revision, key=REVISION)
    return values[at].value if at < len(values) else today


def with_places(campaign: Campaign, places: Mapping[str, str | None]) -> Campaign:
    """Return a copy of the campaign in which the forces are at these places."""
    return with_values(campaign, "location", places)


def with_values(campaign: Campaign, word: str, values: Mapping[str, object]) -> Campaign:
    """Return a copy of the campaign in which the forces have these values of `word`."""
    forces = {
        key: force.model_copy(update={word: values[key]}) if key in values else force
        for key, force in campaign.forces.items()
    }
    return campaign.model_copy(update={"forces": forces})
