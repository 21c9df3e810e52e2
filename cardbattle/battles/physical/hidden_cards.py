"""Track hidden cards through shuffles (bipartite matching with augmenting paths).

A packet is one shuffle. Cards go in, face up or face down, and the same number comes out. Each card that
comes out is later seen, or goes face down into another packet, or stays hidden. The paths of the positions
are known; only the card at each position is a guess. Packets are processed from last to first: a card that
comes out but did not go in face up must have come face down from an earlier packet, along a possible path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.chance import stream

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance

DEAL = 0  # the first packet: everything that was dealt
ATTEMPTS = 30


class Exit(NamedTuple):
    """A card position that leaves a packet: the guessed card, and the card seen there or "".

    `onward` is the packet it enters face down, or -1 if the card is seen or remains hidden.
    """

    supposed: str
    seen: str
    onward: int


class Packet:
    """One shuffle: the cards that entered face up, and the positions that leave it, in order."""

    def __init__(self) -> None:
        self.open: set[str] = set()
        self.exits: list[Exit] = []
        self.entries: list[tuple[int, int]] = []  # face-down entries: (packet, index of its exit)


def rearrange(
    orders: Sequence[Sequence[str]], sightings: Sequence[tuple[int, str]], changed: Mapping[str, str]
) -> list[list[str]] | None:
    """Return orders of the packets in which the last sightings show other cards, or None.

    Args:
        orders: the guessed packets, the deal first.
        sightings: for each seen card, the number of packets before it, in order.
        changed: the new cards of the last sightings, for cards that went into no later packet.

    """
    seen: dict[str, list[int]] = {}
    for number, name in sightings:
        seen.setdefault(name, []).append(number)
    packets = trace_packets(orders, seen, changed)
    chance = stream("table", "packets")
    for _ in range(ATTEMPTS):
        required = required_cards(packets, seen, chance)
        if required is not None:
            return fill_packets(packets, required)
    return None


def trace_packets(
    orders: Sequence[Sequence[str]], seen: Mapping[str, Sequence[int]], changed: Mapping[str, str]
) -> list[Packet]:
    """Return the packets and the routes between them, from the guessed cards."""
    packets = [Packet() for _ in orders]
    last = len(orders)
    places = [{name: place for place, name in enumerate(order)} for order in orders]
    for at, order in enumerate(orders):
        for place, name in enumerate(order):
            onward = next((n for n in range(at + 1, last) if name in places[n]), -1)
            until = onward if onward >= 0 else last
            shown = any(at < number <= until for number in seen.get(name, []))
            truly = changed.get(name, name) if onward < 0 and shown and name in changed else name
            packets[at].exits.append(Exit(name, truly if shown else "", -1 if shown else onward))
            if onward >= 0 and shown:
                packets[onward].open.add(name)
            elif onward >= 0:
                packets[onward].entries.append((at, place))
    packets[DEAL].open = set(orders[DEAL])
    return packets


def required_cards(
    packets: Sequence[Packet], seen: Mapping[str, Sequence[int]], chance: Chance
) -> dict[tuple[int, int], str] | None:
    """Return the cards that must leave each packet, by packet and position; None if that is impossible."""
    required = {
        (at, place): way.seen
        for at, packet in enumerate(packets)
        for place, way in enumerate(packet.exits)
        if way.seen
    }
    reached = [feeding_packets(packets, at) for at in range(len(packets))]
    for at in reversed(range(1, len(packets))):
        packet = packets[at]
        names = [required[at, place] for place in range(len(packet.exits)) if (at, place) in required]
        hidden = [name for name in names if name not in packet.open]
        order = chance.sample(len(hidden), list(range(len(hidden))))
        sources = {name: source_of(name, at, packets, seen) for name in hidden}
        matching = match_cards([hidden[n] for n in order], packet.entries, sources, reached)
        if matching is None:
            return None
        required |= matching
    dealt = [name for (at, _), name in required.items() if at == DEAL]
    return required if len(dealt) == len(set(dealt)) else None


def feeding_packets(packets: Sequence[Packet], at: int) -> set[int]:
    """Return this packet and all packets from which face-down cards can reach it."""
    sources = {at}
    for number in range(at, -1, -1):
        if number in sources:
            sources |= {before for before, _ in packets[number].entries}
    return sources


def source_of(name: str, at: int, packets: Sequence[Packet], seen: Mapping[str, Sequence[int]]) -> int:
    """Return the last earlier packet that a card entered face up; -1 if it has stayed face up since."""
    source = next((number for number in range(at - 1, DEAL, -1) if name in packets[number].open), DEAL)
    return -1 if any(source < number <= at for number in seen.get(name, [])) else source


def match_cards(
    names: Sequence[str],
    entries: Sequence[tuple[int, int]],
    sources: Mapping[str, int],
    reached: Sequence[set[int]],
) -> dict[tuple[int, int], str] | None:
    """Match each card to a face-down entry (packet, index of its exit) that allows it; None if impossible."""
    matching: dict[tuple[int, int], str] = {}

    def find(name: str, tried: set[tuple[int, int]]) -> bool:
        source = sources[name]
        ways = [entry for entry in entries if source in reached[entry[0]]]
        for entry in sorted(ways, key=lambda entry: (entry[0] != source, entry in matching)):
            if entry in tried:
                continue
            tried.add(entry)
            if entry not in matching or find(matching[entry], tried):
                matching[entry] = name
                return True
        return False

    return matching if all(find(name, set()) for name in names) else None


def fill_packets(
    packets: Sequence[Packet], required: Mapping[tuple[int, int], str]
) -> list[list[str]] | None:
    """Return the order of every packet, with few cards moved; None if a card would occur twice."""
    orders: list[list[str]] = []
    for at, packet in enumerate(packets):
        inside = set(packet.open) | {orders[before][place] for before, place in packet.entries}
        fixed = {place: required[at, place] for place in range(len(packet.exits)) if (at, place) in required}
        if len(inside) != len(packet.exits) or not inside.issuperset(fixed.values()):
            return None
        left = inside - set(fixed.values())
        stay = {
            place: way.supposed
            for place, way in enumerate(packet.exits)
            if place not in fixed and way.supposed in left
        }
        remaining = sorted(left - set(stay.values()))
        orders.append(
            [fixed.get(place) or stay.get(place) or remaining.pop() for place in range(len(packet.exits))]
        )
    return orders
