"""House rules and side options of Warfare Tactics (WT-1, WT-5, WT-48)."""

from __future__ import annotations

from cardbattle.core.cards import PACK, card_text, rank_of, read_card
from cardbattle.core.names import quoted
from cardbattle.core.options import CardList, OneOf, Preset, Presets, SideKey, Switch, Whole, reading
from cardbattle.rules.warfare_tactics.state import HAND

CONSTRUCTED = "constructed"
LEVEL_QUIET_TURNS = 5  # with this number of quiet turns, the first turn is hardly an advantage

# The share of the points that the side with the first turn wins, by `quiet_turns`: 40,000 battles each,
# between equal sides with regular commanders, accurate to half a percentage point. docs/odds.md has the
# command.
FIRST_TURN_SHARES = {0: 0.278, 1: 0.825, 2: 0.334, 3: 0.583, 4: 0.337, 5: 0.523, 6: 0.373, 7: 0.491}
LEAST_DECK, MOST_DECK = 45, 104  # WT-5: at most two of each of 52 cards


def read_monster(value: object) -> int:
    """Parse a card. Raises ValueError if the value is not a card or is a Joker (WT-1)."""
    if not isinstance(value, str):
        raise ValueError(f"expected a card in quotes, such as KS or 10H, got {quoted(value)}")
    card = read_card(value)
    if not 2 <= rank_of(card) <= 14:
        raise ValueError(f"{quoted(value)} is a Joker; this game is played without Jokers")
    return card


def read_listed(value: object) -> int:
    """Parse a card of a constructed deck (WT-48). Raises ValueError if the card has a prime."""
    card = read_monster(value)
    if card >= PACK:
        raise ValueError(f"{quoted(value)} has a prime; in a deck list, write the card twice instead")
    return card


PRESETS = {
    "literal": Preset(
        "the words of the published rules, even against the sample and the preface",
        {
            "passing": "turn",
            "returning": "two",
            "last_card": "final",
            "target_retreats": False,
            "target_surrenders": False,
            "spent_side": "ends",
            "windows": 4,
            "seven_is_free": True,
            "discard_score": "count",
            "ending": "at-once",
        },
    ),
    "balanced": Preset("the first turn matters least", {"quiet_turns": LEVEL_QUIET_TURNS}),
    "sample": Preset("the author's sample of play, where the defaults differ", {"play_and_attack": True}),
}
HOUSE = {
    "decks": OneOf(
        1, "number of packs in the shared deck, or constructed: each side has a deck", [1, 2, CONSTRUCTED]
    ),
    "dealer": SideKey(None, "side that takes the first turn (default: random)"),
    "turn_limit": Whole(
        None,
        "turns of both sides until the battle ends (default: 120; 240 with two packs or constructed decks)",
        1,
        1000,
    ),
    "play_and_attack": Switch(False, "a side can play a card and attack in the same turn"),
    "hold_when_ahead": Switch(False, "the side with the higher total can decline to add to its column"),
    "target_retreats": Switch(
        True, "a retreating defender also discards the attacked monster; false: the monster stays"
    ),
    "seven_is_free": Switch(False, 'the special move "seven" costs no cards'),
    "quiet_turns": Whole(
        None, "no special moves in the first turns of both sides together (default: 0)", 0, 20
    ),
    "discard_score": OneOf(
        "values", "score of a card in the enemy's discard pile: its value, or 1 (count)", ["values", "count"]
    ),
    "passing": reading(
        OneOf(
            "supply", "a side that takes no supply passes: only its supply, or its turn", ["supply", "turn"]
        )
    ),
    "returning": reading(
        OneOf(
            "up-to-two",
            "number of monsters to return as a supply: up-to-two, or exactly two",
            ["up-to-two", "two"],
        )
    ),
    "last_card": reading(
        OneOf(
            "answered", "the last card of a hand: answered, or final (ends the attack)", ["answered", "final"]
        )
    ),
    "target_surrenders": reading(
        Switch(
            True,
            "a surrendering defender also gives up the attacked monster; false: the monster stays",
        )
    ),
    "spent_side": reading(
        OneOf(
            "chooses",
            "a side with nothing left in an attack: chooses an answer, or ends the attack",
            ["chooses", "ends"],
        )
    ),
    "windows": reading(
        OneOf(3, "number of windows for special moves in a turn; 4: one more before the supply", [3, 4])
    ),
    "special_moves": reading(
        OneOf(
            "one-of-each",
            "special moves of both sides: one-of-each, or any two",
            ["one-of-each", "any"],
        )
    ),
    "ending": reading(
        OneOf(
            "turn",
            "an empty deck and hand end the battle: turn (at the end of the turn), or at-once",
            ["turn", "at-once"],
        )
    ),
    "preset": Presets(PRESETS),
}
OPTIONS = {
    "hand": Whole(HAND, "cards dealt", 1, MOST_DECK),
    "battlefield": CardList(
        [], "monsters on the battlefield at the start", read_monster, card_text, most=MOST_DECK
    ),
    "extra": CardList(
        [], "named cards dealt in addition to the hand", read_monster, card_text, most=MOST_DECK
    ),
    "deck": CardList(
        None,
        "the side's own deck, for decks = constructed",
        read_listed,
        card_text,
        least=LEAST_DECK,
        most=MOST_DECK,
    ),
}
