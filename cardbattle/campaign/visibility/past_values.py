"""The places and the strengths of the forces at the time of a ledger entry.

A report of an earlier turn says where the forces met then, although they are elsewhere now.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.model import Campaign

K = TypeVar("K")
REVISION = attrgetter("revision")


class PastValue(NamedTuple):
    """A value before the change that `revision` recorded, or None if the value is not known."""

    revision: int
    value: object


def past_values(entries: Iterable[Entry], word: str, is_whole: bool) -> dict[str, list[PastValue]]:
    """Return the values of `word` that each force had before each change of it, in the order of `entries`.

    While a force had another faction, other readers could know its values, so a value counts as unknown to
    all but the umpire, whose entries are whole.
    """
    words = (word,) if is_whole else (word, "faction")
    values: dict[str, list[PastValue]] = {}
    for entry in entries:
        for change in entry.changes:
            if len(change.key) == 3 and change.key[0] == "forces" and change.key[2] in words:
                value = change.before if change.key[2] == word else None
                values.setdefault(change.key[1], []).append(PastValue(entry.revision, value))
    return values


def value_before(past: Mapping[K, Sequence[PastValue]], key: K, revision: int, today: object) -> object:
    """Return the value that a key had just before a revision. `today` is the present value."""
    values = past.get(key, ())
    at = bisect_left(values, revision, key=REVISION)
    return values[at].value if at < len(values) else today


def with_places(campaign: Campaign, places: Mapping[str, str | None]) -> Campaign:
    """Return a copy of the campaign in which the forces are at these places."""
    forces = {
        key: force.model_copy(update={"location": places[key]}) if key in places else force
        for key, force in campaign.forces.items()
    }
    return campaign.model_copy(update={"forces": forces})
