"""House rules and side options of Warfare Tactics (WT-1, WT-5, WT-48)."""

from __future__ import annotations

from cardbattle.core.cards import PACK, card_text, rank_of, read_card
from cardbattle.core.names import quoted
from cardbattle.core.options import CardList, OneOf, SideKey, Switch, Whole
from cardbattle.rules.warfare_tactics.state import HAND

CONSTRUCTED = "constructed"
LEVEL_QUIET_TURNS = 5  # after these the first turn is worth little

# The share of the points that the side with the first turn takes, by `quiet_turns`, in 40,000 battles each
# between equal sides with regular commanders, known within half a point. docs/odds.md has the command.
FIRST_TURN_SHARES = {0: 0.278, 1: 0.825, 2: 0.334, 3: 0.583, 4: 0.337, 5: 0.523, 6: 0.373, 7: 0.491}
LEAST_DECK, MOST_DECK = 45, 104  # WT-5: two of each of 52 cards are the most


def read_monster(value: object) -> int:
    """Return the card that a text names; ValueError if it names none, or a Joker (WT-1)."""
    if not isinstance(value, str):
        raise ValueError(f"expected a card in quotes, as KS or 10H, got {quoted(value)}")
    card = read_card(value)
    if not 2 <= rank_of(card) <= 14:
        raise ValueError(f"{quoted(value)} is a Joker; this battle is fought without them")
    return card


def read_listed(value: object) -> int:
    """Return the card that a text of an own deck's list names (WT-48); ValueError if it carries a prime."""
    card = read_monster(value)
    if card >= PACK:
        raise ValueError(f"{quoted(value)} has a prime; a deck's list is written without, the card twice")
    return card


HOUSE = {
    "decks": OneOf(1, "packs in the shared deck; constructed: an own deck for each", [1, 2, CONSTRUCTED]),
    "dealer": SideKey(None, "the side that takes the first turn. By lot if it is not given"),
    "turn_limit": Whole(
        None, "turns, both sides' together, after which it ends; 120 with one deck, else 240", 1, 1000
    ),
    "play_and_attack": Switch(False, "after playing a card a side may attack in the same turn"),
    "hold_when_ahead": Switch(False, "in an attack the side with the higher total may add nothing"),
    "target_retreats": Switch(True, "a monster attacked goes with a retreat; false: it stays"),
    "seven_is_free": Switch(False, "drawing seven costs nothing"),
    "quiet_turns": Whole(
        None, "turns at the start, both sides' together, without special moves; none if not given", 0, 20
    ),
    "discard_score": OneOf(
        "values", "what a card in the enemy's discard pile scores: its value, or one", ["values", "count"]
    ),
}
OPTIONS = {
    "hand": Whole(HAND, "how many cards it is dealt", 1, MOST_DECK),
    "battlefield": CardList(
        [], "monsters that stand on its battlefield at the start", read_monster, card_text, most=MOST_DECK
    ),
    "extra": CardList(
        [], "cards it gets before the deal, besides its hand", read_monster, card_text, most=MOST_DECK
    ),
    "deck": CardList(
        None,
        "its own deck, where decks are constructed",
        read_listed,
        card_text,
        least=LEAST_DECK,
        most=MOST_DECK,
    ),
}
