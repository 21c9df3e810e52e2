"""The places of the forces at the time of a ledger entry.

A report of an earlier turn says where the forces met then, although they are elsewhere now.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.model import Campaign


class PastPlace(NamedTuple):
    """The place of a force before the change of a revision, or None if the place is not known."""

    revision: int
    place: str | None


def past_places(entries: Iterable[Entry]) -> dict[str, list[PastPlace]]:
    """Return the places of each force before each change of its place, in the order of `entries`.

    While a force had another faction, other readers could know its place, so the place counts as unknown.
    """
    places: dict[str, list[PastPlace]] = {}
    for entry in entries:
        for change in entry.changes:
            if (
                len(change.key) == 3
                and change.key[0] == "forces"
                and change.key[2] in ("location", "faction")
            ):
                is_known = change.key[2] == "location" and change.before is not None
                place = str(change.before) if is_known else None
                places.setdefault(change.key[1], []).append(PastPlace(entry.revision, place))
    return places


def place_before(
    past: Mapping[str, list[PastPlace]], force: str, revision: int, today: str | None
) -> str | None:
    """Return the place of a force just before a revision. `today` is its present place."""
    places = past.get(force, [])
    at = bisect_left(places, (revision,), key=lambda place: (place.revision,))
    return places[at].place if at < len(places) else today


def with_places(campaign: Campaign, places: Mapping[str, str | None]) -> Campaign:
    """Return a copy of the campaign in which the forces are at these places."""
    forces = {
        key: force.model_copy(update={"location": places[key]}) if key in places else force
        for key, force in campaign.forces.items()
    }
    return campaign.model_copy(update={"forces": forces})
