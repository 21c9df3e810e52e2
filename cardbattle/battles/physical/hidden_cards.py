"""Track hidden cards through shuffles (bipartite matching with augmenting paths).

Cards enter a shuffle face up or face down, and the same number of cards leave the shuffle. A card that leaves
a shuffle is seen later, enters another shuffle face down, or stays hidden. The program knows which position
in one shuffle leads to which position in the next. It guesses only which card is at each position.

Shuffles are processed from the last to the first. If a card leaves a shuffle but did not enter it face up,
the card must have come face down from an earlier shuffle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.chance import stream

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance

DEAL = 0  # the first shuffle: the deal of all cards
ATTEMPTS = 30


class Exit(NamedTuple):
    """A position in the order of the cards that leave a shuffle.

    `supposed` is the card that the program guesses at this position. `seen` is the card that players saw
    there later, or "".

    `onward` is the number of the next shuffle that the card enters. It is -1 if the card is seen before this,
    or if it enters no other shuffle.
    """

    supposed: str
    seen: str
    onward: int


class ShuffledCards:
    """A shuffle: the cards that entered face up, and the positions of the cards that leave it."""

    def __init__(self) -> None:
        self.open: set[str] = set()
        self.exits: list[Exit] = []
        self.entries: list[tuple[int, int]] = []  # face-down entries: (shuffle, index of the exit from it)


def rearrange(
    orders: Sequence[Sequence[str]], sightings: Sequence[tuple[int, str]], changed: Mapping[str, str]
) -> list[list[str]] | None:
    """Return orders of the shuffles with which other cards are seen last.

    Returns None if no such orders are found.

    Args:
        orders: the guessed order of the cards in each shuffle. The first shuffle is the deal.
        sightings: a pair for each time that a card was seen. The pair has the number of shuffles before this
            time and the name of the card.
        changed: the right card for each wrong card that was seen last. These cards do not enter a later
            shuffle.

    """
    seen: dict[str, list[int]] = {}
    for number, name in sightings:
        seen.setdefault(name, []).append(number)
    shuffles = trace_shuffles(orders, seen, changed)
    chance = stream("table", "packets")
    for _ in range(ATTEMPTS):
        required = cards_needed(shuffles, seen, chance)
        if required is not None:
            return fill_shuffles(shuffles, required)
    return None


def trace_shuffles(
    orders: Sequence[Sequence[str]], seen: Mapping[str, Sequence[int]], changed: Mapping[str, str]
) -> list[ShuffledCards]:
    """Return the shuffles, and find out which position in one shuffle leads to which position in another.

    The function uses the guessed cards for this.
    """
    shuffles = [ShuffledCards() for _ in orders]
    last = len(orders)
    places = [{name: place for place, name in enumerate(order)} for order in orders]
    for at, order in enumerate(orders):
        for place, name in enumerate(order):
            onward = next((n for n in range(at + 1, last) if name in places[n]), -1)
            until = onward if onward >= 0 else last
            shown = any(at < number <= until for number in seen.get(name, []))
            truly = changed.get(name, name) if onward < 0 and shown and name in changed else name
            shuffles[at].exits.append(Exit(name, truly if shown else "", -1 if shown else onward))
            if onward >= 0 and shown:
                shuffles[onward].open.add(name)
            elif onward >= 0:
                shuffles[onward].entries.append((at, place))
    known: set[str] = set()
    for shuffle, order in zip(shuffles, orders, strict=True):
        shuffle.open |= {*order} - known  # the deal, and extra cards
        known |= {*order}
    return shuffles


def cards_needed(
    shuffles: Sequence[ShuffledCards], seen: Mapping[str, Sequence[int]], chance: Chance
) -> dict[tuple[int, int], str] | None:
    """Return the cards that must leave shuffles at certain positions.

    The keys of the result are pairs (shuffle, index of the exit). Returns None if the attempt fails.
    """
    required = {
        (at, place): way.seen
        for at, shuffle in enumerate(shuffles)
        for place, way in enumerate(shuffle.exits)
        if way.seen
    }
    reached = [feeding_shuffles(shuffles, at) for at in range(len(shuffles))]
    for at in reversed(range(1, len(shuffles))):
        shuffle = shuffles[at]
        names = [required[at, place] for place in range(len(shuffle.exits)) if (at, place) in required]
        hidden = [name for name in names if name not in shuffle.open]
        order = chance.sample(len(hidden), list(range(len(hidden))))
        sources = {name: source_of(name, at, shuffles, seen) for name in hidden}
        matching = match_cards([hidden[n] for n in order], shuffle.entries, sources, reached)
        if matching is None:
            return None
        required |= matching
    dealt = [name for (at, _), name in required.items() if at == DEAL]
    return required if len(dealt) == len(set(dealt)) else None


def feeding_shuffles(shuffles: Sequence[ShuffledCards], at: int) -> set[int]:
    """Return the shuffle `at` and all shuffles from which face-down cards can get into the shuffle `at`."""
    sources = {at}
    for number in range(at, -1, -1):
        if number in sources:
            sources |= {before for before, _ in shuffles[number].entries}
    return sources


def source_of(
    name: str, at: int, shuffles: Sequence[ShuffledCards], seen: Mapping[str, Sequence[int]]
) -> int:
    """Return the last shuffle before the shuffle `at` into which the card `name` came face up.

    If the card was seen after that shuffle, the result is -1.
    """
    source = next((number for number in range(at - 1, DEAL, -1) if name in shuffles[number].open), DEAL)
    return -1 if any(source < number <= at for number in seen.get(name, [])) else source


def match_cards(
    names: Sequence[str],
    entries: Sequence[tuple[int, int]],
    sources: Mapping[str, int],
    reached: Sequence[set[int]],
) -> dict[tuple[int, int], str] | None:
    """Assign to each card a face-down entry of a shuffle through which the card can have come.

    Returns None if this is not possible for all cards.
    """
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


def fill_shuffles(
    shuffles: Sequence[ShuffledCards], required: Mapping[tuple[int, int], str]
) -> list[list[str]] | None:
    """Return the order of the cards in all shuffles.

    Cards that can keep their positions do so. Returns None if a card would occur twice.
    """
    orders: list[list[str]] = []
    for at, shuffle in enumerate(shuffles):
        inside = set(shuffle.open) | {orders[before][place] for before, place in shuffle.entries}
        fixed = {place: required[at, place] for place in range(len(shuffle.exits)) if (at, place) in required}
        if len(inside) != len(shuffle.exits) or not inside.issuperset(fixed.values()):
            return None
        left = inside - set(fixed.values())
        stay = {
            place: way.supposed
            for place, way in enumerate(shuffle.exits)
            if place not in fixed and way.supposed in left
        }
        remaining = sorted(left - set(stay.values()))
        orders.append(
            [fixed.get(place) or stay.get(place) or remaining.pop() for place in range(len(shuffle.exits))]
        )
    return orders
