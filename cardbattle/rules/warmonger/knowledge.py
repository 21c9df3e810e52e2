"""Track what each side knows about face-down playing cards (WM-2, WM-14, WM-19, WM-47).

Every hidden card has a trail: the events since all sides last saw it, oldest first. A number from 0 is a
shuffle: 0 is the deal, and each packet of cards that goes under a deck has its own number. The entry -1 -
side is a look by that side. Cards with the same shuffle in their trails can have changed places in it. A side
that looked knows the card until a later shuffle hides it again. So a card that went under a deck face up
stays among the cards of its packet, wherever those move.
"""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance

SURE: Final = -1  # the home of a card whose place the viewer knows
NO_LOOK: Final = -100  # an entry that no trail has


def look_entry(side: int) -> int:
    """Return the trail entry of a look by this side; `NO_LOOK` for the public."""
    return -1 - side if side >= 0 else NO_LOOK


def home(trail: list[int], viewer: int) -> int:
    """Return the oldest shuffle that hides a card from the viewer, or SURE if none does."""
    if len(trail) == 1:
        return trail[0]
    oldest = SURE
    look = look_entry(viewer)
    for entry in reversed(trail):
        if entry == look:
            break
        if entry >= 0:
            oldest = entry
    return oldest


def packet(trail: list[int]) -> int:
    """Return the latest shuffle that a hidden card went through, which all sides know."""
    last = trail[-1]
    return last if last >= 0 else max(trail)


def first_hidden(trail: list[int], viewer: int) -> int:
    """Return the index of the first shuffle that hides the card from the viewer; the length if none does."""
    first = len(trail)
    while first > 0 and trail[first - 1] != look_entry(viewer):
        first -= 1
    while first < len(trail) and trail[first] < 0:
        first += 1
    return first


class Shuffle:
    """One shuffle to repeat: its input cards and the places of its output.

    `cards` are the input, with their `trails`. An output card ends at one of `places`, with the later entries
    of its trail in `since`; or it goes on into another shuffle, described in `onward` by the number of that
    shuffle and the entries between.
    """

    def __init__(self) -> None:
        self.cards: list[int] = []
        self.trails: list[list[int]] = []
        self.places: list[int] = []
        self.since: list[list[int]] = []
        self.onward: list[list[int]] = []


def deal_again(cards: list[int], trails: list[list[int]], viewer: int, chance: Chance) -> list[int]:
    """Return a random arrangement of the face-down cards that fits everything the viewer knows.

    `cards` are all face-down cards; `trails`, by card, are updated to the new places. Repeats every shuffle,
    oldest first, with the cards that the viewer knows went into it. The result does not depend on the true
    places of the hidden cards.
    """
    arrangement = cards.copy()
    shuffles: dict[int, Shuffle] = {}
    for place, card in enumerate(cards):
        trail = trails[card]
        first = first_hidden(trail, viewer)
        if first < len(trail):
            add_card(shuffle_of(shuffles, trail[first]), card, trail[:first])
            for at in range(first, len(trail)):
                if trail[at] >= 0:
                    after = at + 1
                    while after < len(trail) and trail[after] < 0:
                        after += 1
                    shuffle = shuffle_of(shuffles, trail[at])
                    if after < len(trail):
                        shuffle.onward.append([trail[after], *trail[at + 1 : after]])
                    else:
                        shuffle.places.append(place)
                        shuffle.since.append(trail[at + 1 :])
    for number in sorted(shuffles):
        repeat_shuffle(number, shuffles, arrangement, trails, chance)
    return arrangement


def shuffle_of(shuffles: dict[int, Shuffle], number: int) -> Shuffle:
    """Return the shuffle with this number, creating it on first use."""
    shuffle = shuffles.get(number)
    if shuffle is None:
        shuffle = Shuffle()
        shuffles[number] = shuffle
    return shuffle


def add_card(shuffle: Shuffle, card: int, trail: list[int]) -> None:
    """Add a card to the input of a shuffle; sorted, so that the true order does not matter."""
    at = bisect(shuffle.cards, card)
    shuffle.cards.insert(at, card)
    shuffle.trails.insert(at, trail)


def repeat_shuffle(
    number: int,
    shuffles: dict[int, Shuffle],
    arrangement: list[int],
    trails: list[list[int]],
    chance: Chance,
) -> None:
    """Shuffle the input cards, then put them at their places or into later shuffles."""
    shuffle = shuffles[number]
    order = list(range(len(shuffle.cards)))
    chance.shuffle(order)
    for n, place in enumerate(shuffle.places):
        at = order.pop()
        card = shuffle.cards[at]
        arrangement[place] = card
        trails[card] = [*shuffle.trails[at], number, *shuffle.since[n]]
    for onward in sorted(shuffle.onward):
        at = order.pop()
        add_card(shuffles[onward[0]], shuffle.cards[at], [*shuffle.trails[at], number, *onward[1:]])
