"""Check roads, positions on roads, and orders to move. Each error has its position in the file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from cardbattle.campaign.state.tables.march_orders import MarchOrder, parse_order
from cardbattle.campaign.state.tables.movement import RoadSettings, SealedOrders
from cardbattle.campaign.state.tables.roads import Roads
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import listed, quoted

At = tuple[str | int, ...]
Missing = Callable[[str, str | None, Collection[str], At], Iterator[Diagnostic]]


class OnRoad(NamedTuple):
    """The position and the unfinished march in a force's table."""

    location: str | None
    towards: str | None
    walked: int
    march: str | None


class MovementChecks(NamedTuple):
    """Checks the tables of movement against each other.

    Attributes:
        forces: the keys of all forces in the file.
        locations: the keys of all places.
        factions: the keys of all factions.
        roads: all valid roads.
        missing: yields the error for an unknown key, with the nearest known one.

    """

    forces: Collection[str]
    locations: Collection[str]
    factions: Collection[str]
    roads: Roads
    missing: Missing

    def check_roads(self, roads: Mapping[int, RoadSettings]) -> Iterator[Diagnostic]:
        """Yield an error for each unknown place at the end of a road, and for each repeated road."""
        first: dict[frozenset[str], int] = {}
        for place, road in roads.items():
            for end, key in enumerate(road.between):
                yield from self.missing("location", key, self.locations, ("road", place, "between", end))
            earlier = first.setdefault(frozenset(road.between), place)
            if earlier != place:
                text = f"road {earlier + 1} joins {listed(road.between)} already; keep one of them"
                text += f", or change the length: road.{'-'.join(road.between)}.length"
                yield Diagnostic(text, at=("road", place, "between"))

    def check_forces(self, forces: Mapping[str, OnRoad]) -> Iterator[Diagnostic]:
        """Yield an error for each position that is on no road, and for each march to an unknown place."""
        for key, force in forces.items():
            at = ("forces", key)
            yield from self.missing("location", force.towards, self.locations, (*at, "towards"))
            yield from self.wrong_position(force, at)
            if force.march:
                yield from self.wrong_order(key, parse_order(force.march), (*at, "march"))

    def wrong_position(self, force: OnRoad, at: At) -> Iterator[Diagnostic]:
        if force.towards is None or force.location is None:
            if force.walked or force.towards is not None:
                text = (
                    "a force on a road has all of location, towards and walked; remove them or complete them"
                )
                yield Diagnostic(text, at=(*at, "walked" if force.walked else "towards"))
            return
        length = self.roads.length(force.location, force.towards)
        if force.towards in self.locations and not length:
            text = f"no road leads from {quoted(force.location)} to {quoted(force.towards)}"
            yield Diagnostic(f"{text}; remove towards and walked", at=(*at, "towards"))
        elif length and not 0 < force.walked < length:
            text = f"the road to {quoted(force.towards)} has {length} steps"
            remedy = (
                f"write walked as a number from 1 to {length - 1}"
                if length > 1
                else "take out towards and walked"
            )
            yield Diagnostic(f"{text}; {remedy}", at=(*at, "walked" if force.walked else "towards"))

    def check_orders(self, orders: Mapping[str, str]) -> Iterator[Diagnostic]:
        """Yield an error for each order that names an unknown force or place."""
        for key, text in orders.items():
            yield from self.missing("force", key, self.forces, ("orders", key))
            yield from self.wrong_order(key, parse_order(text), ("orders", key))

    def wrong_order(self, key: str, order: MarchOrder, at: At) -> Iterator[Diagnostic]:
        """Yield an error for each unknown place or force in an order."""
        for place in order.places:
            yield from self.missing("location", place, self.locations, at)
        if order.joined == key:
            yield Diagnostic("a force cannot join itself; name another", at=at)
        yield from self.missing("force", order.joined or None, self.forces, at)

    def check_sealed(self, sealed: Mapping[str, SealedOrders]) -> Iterator[Diagnostic]:
        """Yield an error for sealed orders of an unknown faction, and for partly opened orders."""
        for key, orders in sealed.items():
            yield from self.missing("faction", key, self.factions, ("sealed_orders", key))
            if (orders.salt is None) != (orders.text is None):
                text = "orders are opened with both salt and text; add the other, or remove this"
                yield Diagnostic(text, at=("sealed_orders", key, "text" if orders.text else "salt"))
