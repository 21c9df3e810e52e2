"""House rules and side options of Field of Honour (FH-38, FH-40)."""

from __future__ import annotations

from cardbattle.core.cards import card_text, read_card
from cardbattle.core.names import quoted
from cardbattle.core.options import CardList, SideKey, Whole
from cardbattle.rules.field_of_honour.battle import PACK, SPACES

FEWEST = SPACES  # FH-40: a card for every space


def read_pack_card(value: object) -> int:
    """Return the card of the pack (FH-2) that `value` names, or raise ValueError."""
    if not isinstance(value, str):
        raise ValueError(f'expected a card in quotes, such as "KS", "10H" or "RJ", got {quoted(value)}')
    card = read_card(value)
    if card not in PACK:
        raise ValueError(f"{quoted(value)} is not in the pack of 52 cards, RJ and BJ")
    return card


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
}
OPTIONS = {
    "hand": Whole(10, "number of cards dealt to it", FEWEST, len(PACK) - FEWEST),
    "extra": CardList(
        [], "cards it gets before the deal, on top of its hand", read_pack_card, card_text, most=len(PACK)
    ),
    "pick": Whole(
        0, "number of cards it picks from the open pack, on top of its hand", 0, len(PACK) - 2 * FEWEST
    ),
}
