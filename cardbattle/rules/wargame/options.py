"""House rules and side options of Wargame (WG-4, WG-25, WG-35, WG-37, WG-38)."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.names import quoted
from cardbattle.core.options import CardList, OneOf, SideKey, Switch, Whole
from cardbattle.rules.wargame.battle import CHIPS, FULL_ARMY, PLACES, SHOOTERS, SPY


def read_number(value: object) -> int:
    """Return a card's number, 1 to 13 (WG-2); ValueError for anything else."""
    if type(value) is not int or value not in FULL_ARMY:
        raise ValueError(f"expected a card number, a whole number from 1 to {PLACES}, got {quoted(value)}")
    return value


def read_traitor(value: object) -> int:
    """Return a Traitor card's number (WG-3, WG-4); ValueError for anything else."""
    if type(value) is not int or value not in SHOOTERS:
        raise ValueError(f"expected a Traitor card, 7, 8 or 9, got {quoted(value)}")
    return value


class Army(CardList):
    """The cards of an army: always as many, so that a card it is given takes another's place."""

    def plus(self, cards: Sequence[object], card: int) -> list[object]:
        """Return the army with this card in place of its weakest, which is no Spy and below it.

        Spies stay: they alone beat Mortar and Bazooka (WG-8).
        """
        weaker = [each for each in cards if type(each) is int and SPY < each < card]
        if not weaker:
            return list(cards)
        place = cards.index(min(weaker))
        return [*cards[:place], *cards[place + 1 :], card]


def number(card: int) -> int:
    """Return a card as files have it: its number."""
    return card


HOUSE = {
    "first": SideKey(None, "the side that deploys first"),
    "chips": OneOf(CHIPS, "chips of a side that has no number of its own", [CHIPS, 4]),
    "traitors": Switch(True, "Traitor cards are in play; false: nobody has any, nothing is hidden"),
    "multi_switch": Switch(False, "a side may switch again and again before it advances"),
}
OPTIONS = {
    "army": Army(
        FULL_ARMY, "its cards, repeats allowed", read_number, number, least=PLACES, most=PLACES, numbers=True
    ),
    "chips": Whole(None, "its chips; else as many as the house rule gives", 0, PLACES),
    "traitors": CardList(
        SHOOTERS,
        "the Traitor cards it may choose from",
        read_traitor,
        number,
        most=len(SHOOTERS),
        numbers=True,
    ),
}
