"""What is known of playing cards that lie face down (WM-2, WM-14, WM-19, WM-47).

Every hidden card leaves a trail: what has happened to it since everybody last saw it, oldest
first. A number from 0 is a shuffle (0 the deal, then each packet that went under a deck), and
-1 - side is a look by that side. Cards with the same shuffle in their trails may have changed
places in it; a side that looked knows the card, and only later shuffles hide it again. So a card
that went under a deck face up stays among the cards of its packet, wherever those get to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance

SURE: Final = -1  # the home of a card whose place is known


def looked(side: int) -> int:
    """Return the entry of a trail that says this side looked at the card."""
    return -1 - side


def home(trail: list[int], viewer: int) -> int:
    """Return the oldest shuffle that hides a card from the viewer, or SURE if he knows its place."""
    if len(trail) == 1:
        return trail[0]
    found = SURE
    look = looked(viewer)
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


def hidden_from(trail: list[int], viewer: int) -> list[int]:
    """Return the shuffles that hide a card from the viewer, oldest first."""
    if len(trail) == 1:
        return trail
    first = home(trail, viewer)
    return [] if first == SURE else [entry for entry in trail if entry >= first]


def deal_again(cards: list[int], trails: list[list[int]], viewer: int, chance: Chance) -> list[int]:
    """Return the cards as they may lie instead, for all that the viewer knows.

    `cards` are all that lie face down; `trails`, by card, are changed to fit the new places.
    Every shuffle is undone, newest first, and made again, oldest first: a card takes along what
    happened to it before. So nothing of how the cards truly lie is left in what is dealt.
    """
    now = cards.copy()
    there = [trails[card] for card in cards]
    newest_first = sorted({entry for trail in there for entry in hidden_from(trail, viewer)}, reverse=True)
    for shuffle in newest_first:
        places = shuffled_in(shuffle, there, viewer)
        laid = sorted([(before(shuffle, there[place])[::-1], now[place], place) for place in places])
        order = [place for _, _, place in laid]
        move(shuffle, places, order, now, there)
    for shuffle in reversed(newest_first):
        places = shuffled_in(shuffle, there, viewer)
        order = places.copy()
        chance.shuffle(order)
        move(shuffle, places, order, now, there)
    for place, card in enumerate(now):
        trails[card] = there[place]
    return now


def shuffled_in(shuffle: int, there: list[list[int]], viewer: int) -> list[int]:
    """Return the places whose cards went through this shuffle since the viewer knew them."""
    return [place for place, trail in enumerate(there) if shuffle in hidden_from(trail, viewer)]


def before(shuffle: int, trail: list[int]) -> list[int]:
    """Return what happened to a card before this shuffle."""
    return trail[: trail.index(shuffle)]


def move(shuffle: int, places: list[int], order: list[int], cards: list[int], there: list[list[int]]) -> None:
    """Lay at these places the cards from the places in `order`; each keeps its trail up to this shuffle."""
    moved = [cards[place] for place in order]
    trails = [there[place] for place in order]
    for place, card, trail in zip(places, moved, trails, strict=True):
        cards[place] = card
        if trail[0] != shuffle or there[place][0] != shuffle:
            here = there[place]
            there[place] = before(shuffle, trail) + here[here.index(shuffle) :]
