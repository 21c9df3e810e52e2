"""House rules and side options of Wargame (WG-4, WG-25, WG-35, WG-37, WG-38)."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.names import quoted
from cardbattle.core.options import CardList, OneOf, SideKey, Switch, Whole
from cardbattle.rules.wargame.battle import CHIPS, FULL_ARMY, PLACES, SHOOTERS, SPY


def read_number(value: object) -> int:
    """Return a card's number, 1 to 13 (WG-2), or raise ValueError."""
    if type(value) is not int or value not in FULL_ARMY:
        raise ValueError(f"expected a card number, a whole number from 1 to {PLACES}, got {quoted(value)}")
    return value


def read_traitor(value: object) -> int:
    """Return a Traitor card's number (WG-3, WG-4), or raise ValueError."""
    if type(value) is not int or value not in SHOOTERS:
        raise ValueError(f"expected a Traitor card, 7, 8 or 9, got {quoted(value)}")
    return value


class Army(CardList):
    """The cards of an army, of fixed size: an added card replaces another."""

    def plus(self, cards: Sequence[object], card: int) -> list[object]:
        """Return the army with this card in place of its weakest lower card that is not a Spy.

        Spies stay: only they beat the Mortar and the Bazooka (WG-8).
        """
        weaker = [each for each in cards if type(each) is int and SPY < each < card]
        if not weaker:
            return list(cards)
        place = cards.index(min(weaker))
        return [*cards[:place], *cards[place + 1 :], card]


def number(card: int) -> int:
    """Return a card as written in files: its number."""
    return card


HOUSE = {
    "first": SideKey(None, "the side that deploys first (default: random)"),
    "chips": OneOf(CHIPS, "number of chips of a side without its own `chips`", [CHIPS, 4]),
    "traitors": Switch(
        True, "true: Traitor cards are in play; false: neither side has any, and nothing is hidden"
    ),
    "multi_switch": Switch(False, "true: a side can switch several times before it advances"),
}
OPTIONS = {
    "army": Army(
        FULL_ARMY, "its cards, repeats allowed", read_number, number, least=PLACES, most=PLACES, numbers=True
    ),
    "chips": Whole(None, "its number of chips (default: the house rule)", 0, PLACES),
    "traitors": CardList(
        SHOOTERS,
        "the Traitor cards it can choose from",
        read_traitor,
        number,
        most=len(SHOOTERS),
        numbers=True,
    ),
}
