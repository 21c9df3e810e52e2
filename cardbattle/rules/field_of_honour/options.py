"""House rules and side options of Field of Honour (FH-38, FH-40)."""

from __future__ import annotations

from cardbattle.core.cards import card_text, read_card
from cardbattle.core.names import quoted
from cardbattle.core.options import CardList, OneOf, Preset, Presets, SideKey, Whole, reading
from cardbattle.rules.field_of_honour.battle import PACK, SPACES

FEWEST = SPACES  # FH-40: a card for every space


def read_pack_card(value: object) -> int:
    """Return the card of the pack that `value` names (FH-2). Raises ValueError for any other value."""
    if not isinstance(value, str):
        raise ValueError(f'expected a card in quotes, such as "KS", "10H" or "RJ", got {quoted(value)}')
    card = read_card(value)
    if card not in PACK:
        raise ValueError(f"{quoted(value)} is not in the pack of 52 cards, RJ and BJ")
    return card


PRESETS = {
    "literal": Preset(
        "the words of the published rules, read closely", {"drawn_specials": "both", "redeploy": "either"}
    ),
    "balanced": Preset("the default readings", {}),
    "sample": Preset("the default readings, because the published rules have no sample of play", {}),
}
HOUSE = {
    "dealer": SideKey(None, "the side that deals; the other is asked first. Default: random"),
    "pack": CardList(
        None,
        "the whole pack in dealing order, top first, not shuffled",
        read_pack_card,
        card_text,
        least=len(PACK),
        most=len(PACK),
        ordered=True,
    ),
    "order": reading(
        OneOf("fixed", "first end of the lines: fixed, or chosen by N after placing", ["fixed", "chosen"])
    ),
    "answers": reading(
        OneOf("any", "answers to a special: any (each can be answered in turn), or one", ["any", "one"])
    ),
    "drawn_specials": reading(
        OneOf("one", "drawn specials that can be played at once: one, or both", ["one", "both"])
    ),
    "redeploy": reading(
        OneOf("next", "space a King can redeploy with: next, or either neighbour", ["next", "either"])
    ),
    "preset": Presets(PRESETS),
}
OPTIONS = {
    "hand": Whole(10, "number of cards dealt to the side", FEWEST, len(PACK) - FEWEST),
    "extra": CardList(
        [],
        "cards that the side gets before the deal, in addition to its hand",
        read_pack_card,
        card_text,
        most=len(PACK),
    ),
    "pick": Whole(
        0,
        "number of cards that the side picks from the open pack, in addition to its hand",
        0,
        len(PACK) - 2 * FEWEST,
    ),
}
