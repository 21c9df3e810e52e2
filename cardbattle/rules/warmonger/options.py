"""House rules and side options of Warmonger (WM-1, WM-4, WM-39, WM-50, WM-51)."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core import cards
from cardbattle.core.names import quoted
from cardbattle.core.options import CardList, OneOf, Option, SideKey, Whole
from cardbattle.rules.warmonger.box import JOKERS, is_name
from cardbattle.rules.warmonger.boxfile import NONE, OURS

LONGEST_PATH = 255


class BoxFile(OneOf):
    """One of a few words, or the data file of an owner's own cards."""

    def read(self, value: object, seats: Sequence[str]) -> str:
        """Return the word or the file's name; ValueError if it can be neither.

        Whether there is such a file is seen later.
        """
        if not isinstance(value, str) or not 0 < len(value) <= LONGEST_PATH or not value.isprintable():
            raise self.wrong(value)
        if value == NONE and NONE not in self.choices:
            raise self.wrong(value)
        return value

    def expects(self) -> str:
        """Say in a few words what may stand here."""
        return f"{', '.join(quoted(choice) for choice in self.choices)} or a file's name"


class RobotName(Option):
    """The name of a Robot, which plays this side; None for a side with a commander."""

    kind = "robot"

    def read(self, value: object, seats: Sequence[str]) -> str:
        """Return the name in lower case; ValueError if it can be none.

        Whether there is such a Robot is seen later.
        """
        if not isinstance(value, str) or not is_name(value):
            raise self.wrong(value)
        return value.lower()

    def expects(self) -> str:
        """Say in a few words what may stand here."""
        return 'a Robot, as "bulwark"'


def read_playing_card(value: object) -> int:
    """Return the playing card a text names; ValueError if Warmonger has no such card (WM-2)."""
    if not isinstance(value, str):
        raise ValueError(f"expected a card in quotes, as KS or J8, got {quoted(value)}")
    card = cards.read_card(value)
    if cards.rank_of(card) == 15 or card >= 2 * cards.PACK:
        raise ValueError(f"{quoted(value)} is not in the pack; its Jokers are J1 to J{JOKERS}")
    return card


HOUSE = {
    "copies": OneOf(1, "packs of the game: 60 or 120 playing cards", [1, 2]),
    "superpower": SideKey(None, "who holds the Superpower card first; else left of a dealer drawn by lot"),
    "armistice": Whole(None, "Skirmishes until the largest army wins; else 600, with two copies 1200", 1),
    "cards": BoxFile(OURS, "Warmonger cards: ours, none, or a data file of your own", [OURS, NONE]),
    "robots": BoxFile(OURS, "Robot cards: ours, or a data file of your own", [OURS]),
    "jokers": BoxFile(OURS, "Jokers: ours, or a data file of your own", [OURS]),
}
OPTIONS = {
    "cards": Whole(None, "playing cards dealt; else an even share of the pack", 0, 120),
    "extra": CardList([], "named cards added to its deck", read_playing_card, cards.card_text, most=60),
    "warmongers": Whole(1, "Warmonger cards dealt; a Robot gets none", 0, 72),
    "robot": RobotName(None, "the Robot that plays this side, by its name in lower case"),
}
