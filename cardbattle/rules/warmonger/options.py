"""House rules and side options of Warmonger (WM-1, WM-4, WM-39, WM-50, WM-51)."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core import cards
from cardbattle.core.names import quoted
from cardbattle.core.options import CardList, OneOf, Option, Preset, Presets, SideKey, Whole, reading
from cardbattle.rules.warmonger.box import JOKERS, is_name
from cardbattle.rules.warmonger.boxfile import NONE, OURS

LONGEST_PATH = 255


class BoxFile(OneOf):
    """A keyword, or the path of a data file with custom cards."""

    def read(self, value: object, seats: Sequence[str]) -> str:
        """Return the keyword or path. A later step checks whether the file exists."""
        if not isinstance(value, str) or not 0 < len(value) <= LONGEST_PATH or not value.isprintable():
            raise self.wrong(value)
        if value == NONE and NONE not in self.choices:
            raise self.wrong(value)
        return value

    def expects(self) -> str:
        return f"{', '.join(quoted(choice) for choice in self.choices)} or a file name"

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema that accepts a keyword or a file name."""
        return {"type": "string", "minLength": 1, "maxLength": LONGEST_PATH, "description": self.help}


class RobotName(Option):
    """The Robot that plays a side. If a commander plays the side, the value is None."""

    kind = "robot"

    def read(self, value: object, seats: Sequence[str]) -> str:
        """Return the name in lower case. A later step checks whether there is a Robot with this name."""
        if not isinstance(value, str) or not is_name(value):
            raise self.wrong(value)
        return value.lower()

    def expects(self) -> str:
        return 'the name of a Robot, such as "bulwark"'

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema that accepts any name."""
        return {"type": "string", **super().schema()}


def read_playing_card(value: object) -> int:
    """Parse a playing card. Raises ValueError if Warmonger has no such card (WM-2)."""
    if not isinstance(value, str):
        raise ValueError(f"expected a card in quotes, such as KS or J8, got {quoted(value)}")
    card = cards.read_card(value)
    if cards.rank_of(card) == 15 or card >= 2 * cards.PACK:
        raise ValueError(f"{quoted(value)} is not in the pack; its Jokers are J1 to J{JOKERS}")
    return card


PRESETS = {
    "literal": Preset("the words of the published rules, read closely", {"spoils": "seats"}),
    "balanced": Preset("the default readings", {}),
    "sample": Preset("the default readings, because the published rules have no sample of play", {}),
}
HOUSE = {
    "copies": OneOf(1, "packs: 1 (60 playing cards) or 2 (120)", [1, 2]),
    "superpower": SideKey(None, "first holder of the Superpower card (default: left of a random dealer)"),
    "armistice": Whole(None, "Skirmishes until the side with most cards wins (default: 600 per pack)", 1),
    "cards": BoxFile(OURS, "Warmonger cards: ours, none, or a data file", [OURS, NONE]),
    "robots": BoxFile(OURS, "Robot cards: ours, or a data file", [OURS]),
    "jokers": BoxFile(OURS, "Jokers: ours, or a data file", [OURS]),
    "spoils": reading(
        OneOf(
            "shuffled",
            "cards won in a Skirmish: shuffled, or seats (the winner's card first, then clockwise)",
            ["shuffled", "seats"],
        )
    ),
    "robot_ties": reading(
        OneOf("chase", "a Robot that ties the score to beat: chases it, or stops", ["chase", "stop"])
    ),
    "preset": Presets(PRESETS),
}
OPTIONS = {
    "cards": Whole(None, "playing cards dealt (default: an even share of the pack)", 0, 120),
    "extra": CardList([], "named cards added to the deck", read_playing_card, cards.card_text, most=60),
    "warmongers": Whole(1, "Warmonger cards dealt (a Robot gets none)", 0, 72),
    "robot": RobotName(None, "Robot that plays this side, in lower case"),
}
