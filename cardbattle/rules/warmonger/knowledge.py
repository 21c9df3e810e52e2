"""What is known of playing cards that lie face down (WM-2, WM-14, WM-19, WM-47).

Every hidden card leaves a trail: what has happened to it since everybody last saw it, oldest
first. A number from 0 is a shuffle (0 the deal, then each packet that went under a deck), and
-1 - side is a look by that side. Cards with the same shuffle in their trails may have changed
places in it; a side that looked knows the card, and only later shuffles hide it again. So a card
that went under a deck face up stays among the cards of its packet, wherever those get to.
"""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance

SURE: Final = -1  # the home of a card whose place is known


def look_entry(side: int) -> int:
    """Return the entry of a trail that says this side looked at the card."""
    return -1 - side


def home(trail: list[int], viewer: int) -> int:
    """Return the oldest shuffle that hides a card from the viewer, or SURE if they know its place."""
    if len(trail) == 1:
        return trail[0]
    found = SURE
    look = look_entry(viewer)
    for entry in reversed(trail):
        if entry == look:
            break
        if entry >= 0:
            found = entry
    return found


def packet(trail: list[int]) -> int:
    """Return the latest shuffle that a hidden card went through; that much everybody knows."""
    last = trail[-1]
    return last if last >= 0 else max(trail)


def first_hidden(trail: list[int], viewer: int) -> int:
    """Return where in a trail the viewer lost sight of the card; its length if they did not."""
    first = len(trail)
    while first > 0 and trail[first - 1] != look_entry(viewer):
        first -= 1
    while first < len(trail) and trail[first] < 0:
        first += 1
    return first


class Shuffle:
    """One shuffle to be made again: what goes into it, and where that comes out.

    `cards` go into it with their `trails`. What comes out lies at `places`, or goes on into
    other shuffles; the entries of its trail since then stand in `since` and in `onward`.
    """

    def __init__(self) -> None:
        self.cards: list[int] = []
        self.trails: list[list[int]] = []
        self.places: list[int] = []
        self.since: list[list[int]] = []
        self.onward: list[list[int]] = []


def deal_again(cards: list[int], trails: list[list[int]], viewer: int, chance: Chance) -> list[int]:
    """Return the cards as they may lie instead, for all that the viewer knows.

    `cards` are all that lie face down; `trails`, by card, are changed to fit the new places.
    Every shuffle is made again, oldest first, out of what the viewer knows to have gone into it,
    so that nothing of how the cards truly lie is left in what is dealt.
    """
    now = cards.copy()
    shuffles: dict[int, Shuffle] = {}
    for place, card in enumerate(cards):
        trail = trails[card]
        first = first_hidden(trail, viewer)
        if first < len(trail):
            goes_in(shuffle_of(shuffles, trail[first]), card, trail[:first])
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
        make(number, shuffles, now, trails, chance)
    return now


def shuffle_of(shuffles: dict[int, Shuffle], number: int) -> Shuffle:
    """Return the shuffle with this number, a new one if there is none yet."""
    found = shuffles.get(number)
    if found is None:
        found = Shuffle()
        shuffles[number] = found
    return found


def goes_in(shuffle: Shuffle, card: int, trail: list[int]) -> None:
    """Let a card go into a shuffle: in the order of the cards, however they truly lay."""
    at = bisect(shuffle.cards, card)
    shuffle.cards.insert(at, card)
    shuffle.trails.insert(at, trail)


def make(
    number: int, shuffles: dict[int, Shuffle], now: list[int], trails: list[list[int]], chance: Chance
) -> None:
    """Make a shuffle, and lay down or pass on what comes out."""
    shuffle = shuffles[number]
    order = list(range(len(shuffle.cards)))
    chance.shuffle(order)
    for n, place in enumerate(shuffle.places):
        at = order.pop()
        card = shuffle.cards[at]
        now[place] = card
        trails[card] = [*shuffle.trails[at], number, *shuffle.since[n]]
    for onward in sorted(shuffle.onward):
        at = order.pop()
        goes_in(shuffles[onward[0]], shuffle.cards[at], [*shuffle.trails[at], number, *onward[1:]])
