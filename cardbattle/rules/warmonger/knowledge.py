"""Track what each side knows about face-down playing cards (WM-2, WM-14, WM-19, WM-47).

Every hidden card has a trail: the events since all sides last saw the card, with the oldest event first. An
entry from 0 upwards is the number of a shuffle. The deal is shuffle 0, and each group of cards that goes
under a deck is a new shuffle with its own number. The entry `-1 - side` means that this side looked at the
card. Cards that went through the same shuffle can have changed places. A side that looked at a card knows the
card until a later shuffle. Therefore a card that went under a deck face up stays in its group of cards,
wherever the group moves.
"""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance

SURE: Final = -1  # the result of `home` for a card whose place the viewer knows
NO_LOOK: Final = -100  # an entry that no trail has
NO_ENTRIES: Final[
    list[int]
] = []  # shared by the many cards that went through one shuffle only; never changed
TRAILS: Final = [[number] for number in range(1024)]  # see `trail_of_shuffle`


def look_entry(side: int) -> int:
    """Return the trail entry that means that this side looked at a card, or `NO_LOOK` for the public."""
    return -1 - side if side >= 0 else NO_LOOK


def home(trail: list[int], viewer: int) -> int:
    """Return the number of the oldest shuffle that hides a card from the viewer, or SURE if none does."""
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


def trail_of_shuffle(number: int) -> list[int]:
    """Return the trail of a card that went through one shuffle only. Battles share these lists."""
    return TRAILS[number] if number < len(TRAILS) else [number]


def last_shuffle(trail: list[int]) -> int:
    """Return the number of the last shuffle that a hidden card went through.

    All sides know the numbers of shuffles.
    """
    last = trail[-1]
    return last if last >= 0 else max(trail)


def first_hidden(trail: list[int], viewer: int) -> int:
    """Return the index in the trail of the first shuffle that hides the card from the viewer.

    If no shuffle hides the card, return the length of the trail.
    """
    first = len(trail)
    while first > 0 and trail[first - 1] != look_entry(viewer):
        first -= 1
    while first < len(trail) and trail[first] < 0:
        first += 1
    return first


class Shuffle:
    """A shuffle to repeat, with the cards that enter it, and where cards go from it.

    `cards` has the cards that enter, and `trails` has their trails. A card that leaves the shuffle goes to
    one of `places`, or it enters another shuffle. For each place, `since` has the later entries of the trail.
    For each card that enters another shuffle, `onward` has the number of that shuffle and the trail entries
    before it.
    """

    def __init__(self) -> None:
        self.cards: list[int] = []
        self.trails: list[list[int]] = []
        self.places: list[int] = []
        self.since: list[list[int]] = []
        self.onward: list[list[int]] = []


def deal_again(cards: list[int], trails: list[list[int]], viewer: int, chance: Chance) -> list[int]:
    """Return a random arrangement of the face-down cards that is consistent with the viewer's knowledge.

    `cards` has all face-down cards. `trails` has the trail of each card, and is updated to the new places.
    All shuffles are repeated, from the oldest to the latest. Each is repeated with the cards that can have
    entered it as far as the viewer knows. The result does not depend on the true places of the hidden cards.
    """
    arrangement = cards.copy()
    shuffles: dict[int, Shuffle] = {}
    for place, card in enumerate(cards):
        trail = trails[card]
        if len(trail) == 1 and trail[0] >= 0:  # most cards: one shuffle and no look
            shuffle = shuffle_of(shuffles, trail[0])
            add_card(shuffle, card, NO_ENTRIES)
            shuffle.places.append(place)
            shuffle.since.append(NO_ENTRIES)
            continue
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
    """Return the shuffle with this number. If `shuffles` does not have it, create it."""
    shuffle = shuffles.get(number)
    if shuffle is None:
        shuffle = Shuffle()
        shuffles[number] = shuffle
    return shuffle


def add_card(shuffle: Shuffle, card: int, trail: list[int]) -> None:
    """Add a card to the cards that enter a shuffle.

    The cards are kept sorted, so that the result does not depend on their true order.
    """
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
    """Shuffle the cards that entered a shuffle, then put each in a place or into a later shuffle."""
    shuffle = shuffles[number]
    order = list(range(len(shuffle.cards)))
    chance.shuffle(order)
    only_number = trail_of_shuffle(number)
    for n, place in enumerate(shuffle.places):
        at = order.pop()
        card = shuffle.cards[at]
        arrangement[place] = card
        before, since = shuffle.trails[at], shuffle.since[n]
        trails[card] = [*before, number, *since] if before or since else only_number
    if shuffle.onward:
        for onward in sorted(shuffle.onward):
            at = order.pop()
            add_card(shuffles[onward[0]], shuffle.cards[at], [*shuffle.trails[at], number, *onward[1:]])
