"""House rules and side options of Wargame (WG-4, WG-25, WG-35, WG-37, WG-38)."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.names import quoted
from cardbattle.core.options import CardList, OneOf, Preset, Presets, SideKey, Switch, Whole
from cardbattle.rules.wargame.battle import CHIPS, FULL_ARMY, PLACES, SHOOTERS, SPY


def read_number(value: object) -> int:
    """Return the number of a card, from 1 to 13 (WG-2). Raises ValueError for any other value."""
    if type(value) is not int or value not in FULL_ARMY:
        raise ValueError(f"expected a card number, a whole number from 1 to {PLACES}, got {quoted(value)}")
    return value


def read_traitor(value: object) -> int:
    """Return the number of a Traitor card (WG-3, WG-4). Raises ValueError for any other value."""
    if type(value) is not int or value not in SHOOTERS:
        raise ValueError(f"expected a Traitor card, 7, 8 or 9, got {quoted(value)}")
    return value


class Army(CardList):
    """The cards of an army.

    Their number is fixed, so a card that is added takes the place of another card.
    """

    def plus(self, cards: Sequence[object], card: int) -> list[object]:
        """Return the army with `card` in place of its weakest lower card that is not a Spy.

        Spies stay in the army, because only they beat the Mortar and the Bazooka (WG-8).
        """
        weaker = [each for each in cards if type(each) is int and SPY < each < card]
        if not weaker:
            return list(cards)
        place = cards.index(min(weaker))
        return [*cards[:place], *cards[place + 1 :], card]


def number(card: int) -> int:
    """Return a card in the notation of files, which is its number."""
    return card


PRESETS = {
    "literal": Preset("the default readings, which are closest to the published rules", {}),
    "balanced": Preset("the default readings", {}),
    "sample": Preset("the default readings, which agree with the published examples", {}),
}
HOUSE = {
    "first": SideKey(None, "the side that deploys first (default: random)"),
    "chips": OneOf(CHIPS, "number of chips of a side without its own `chips`", [CHIPS, 4]),
    "traitors": Switch(
        True, "true: Traitor cards are in play; false: neither side has any, and nothing is hidden"
    ),
    "multi_switch": Switch(False, "true: a side can switch several times before it advances"),
    "preset": Presets(PRESETS),
}
OPTIONS = {
    "army": Army(
        FULL_ARMY,
        "the cards of the army, repeats allowed",
        read_number,
        number,
        least=PLACES,
        most=PLACES,
        numbers=True,
    ),
    "chips": Whole(None, "the side's number of chips (default: the house rule)", 0, PLACES),
    "traitors": CardList(
        SHOOTERS,
        "the Traitor cards from which the side can choose",
        read_traitor,
        number,
        most=len(SHOOTERS),
        numbers=True,
    ),
}
