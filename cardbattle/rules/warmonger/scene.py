"""Warmonger as a side sees it that is asked, and what each question is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.cards import card_text
from cardbattle.core.ruleset import COMPARED, Lesson, Show, standing_of
from cardbattle.core.telling import Block, Card, Grid, Line, Name, Parts, clause, counted, spaced
from cardbattle.rules.warmonger.battle import ANNOUNCED, ORDER, design_of
from cardbattle.rules.warmonger.box import (
    FINAL,
    LAID,
    LAST_STAND,
    PEACE,
    RESPONSE,
    SKIRMISH,
    TURN,
    name_of,
)
from cardbattle.rules.warmonger.state import BUST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.rules.warmonger.state import WarmongerView

LESSONS = {
    PEACE: Lesson(
        "Play a card before the Skirmish, or pass",
        ["WM-43", "WM-42"],
        "Nothing is turned up yet, and each side in turn may play one Warmonger card. When all have "
        "passed in a row the Skirmish begins.",
        "peace",
    ),
    SKIRMISH: Lesson(
        "Play a card in this Skirmish, or pass",
        ["WM-43", "WM-13"],
        "The cards lie open, and the highest will take them all unless somebody changes that. When all "
        "have passed in a row it is settled.",
        "skirmish",
    ),
    LAID: Lesson(
        "Play a card now that the Battle is laid, or pass",
        ["WM-43", "WM-16"],
        "Each side in the Battle has laid up to three cards face down and one face up. This is the last "
        "chance to look at them or to get away before the scores are made.",
        "laid",
    ),
    TURN: Lesson(
        "Turn up your next card, or stand",
        ["WM-21", "WM-10", "WM-23"],
        "The best score up to 21 wins the War and all cards in it; above 21 you are Bust and cannot win. "
        "Once you stand, the score is made.",
        "turn",
    ),
    FINAL: Lesson(
        "Play a card after the scores, or pass",
        ["WM-43", "WM-46"],
        "All scores are made, but a card may still change them. When all have passed in a row the Battle "
        "is decided.",
        "final",
    ),
    LAST_STAND: Lesson(
        "Play a Lifeline: you have no playing cards",
        ["WM-30", "WM-31"],
        "You are out unless a Lifeline brings you cards, so you must play one. You choose only which.",
        "last-stand",
    ),
    RESPONSE: Lesson(
        "Respond to the card that was announced, or pass",
        ["WM-44"],
        "Its effect has not happened yet, and a Veto stops it. What was announced last is settled first.",
        "response",
    ),
    ORDER: Lesson(
        "Put the cards you looked at back in an order",
        ["WM-47"],
        "Only you have seen them. The first you name comes first.",
        "order",
    ),
}

LOTS = {
    "superpower": Lesson(
        "Who has the Superpower card",
        ["WM-4", "WM-20"],
        "Draw a dealer by lot: the side on the dealer's left begins with it. In a War the scores are made "
        "clockwise from its holder's left, so that the holder comes last.",
    ),
}

SHOWS = {
    "revealed": [Show("cards", "turns up|turn up", "for Skirmish {skirmish}", "WM-11", always=True)],
    "laid": [
        Show("card", "lays|lay", "face up to begin the War, after {down} face down", "WM-16", always=True)
    ],
    "turned_up": [Show("card", "turns up|turn up", "for the score", "WM-21", always=True)],
    "supplied": [Show("card", "turns up|turn up", "that is sent to the line", "WM-47", always=True)],
    "casualties": [Show("cards", "falls|fall", "as casualties of the War", "WM-28", always=True)],
    "conscripted": [Show("cards", "takes back|take back", "from the casualties", "WM-47", always=True)],
    "salvaged": [Show("card", "takes back|take back", "from the casualties", "WM-49", always=True)],
    "announced": [Show("card", "plays|play", rule="WM-43")],
    "eliminated": [
        Show("hand", "lays down|lay down", "from the hand, out of the battle", "WM-31", always=True)
    ],
}


def scene(view: WarmongerView) -> list[Block]:
    """Return the armies with what each has on the Battlefield, and the piles."""
    return armies(view, view.side)


def public_scene(views: Sequence[WarmongerView]) -> list[Block]:
    """Return the same for whoever looks on: every view has it."""
    return armies(views[0], NOBODY)


def armies(view: WarmongerView, you: int) -> list[Block]:
    """Return the armies, with a mark at whoever is told."""
    head: list[Parts] = [["side"], ["deck"], ["held"], ["on the Battlefield"], ["score"]]
    rows: list[list[Parts]] = [
        [
            [Name(seat), *([" (you)"] if seat == you else [])],
            [str(len(view.decks[seat])) if view.live[seat] else "out"],
            [str(view.hand_sizes[seat])],
            cards_in_play(view, seat),
            [score(view, seat)],
        ]
        for seat in range(len(view.live))
    ]
    told: Parts = [f"Skirmish {view.skirmish}. The Superpower card: ", Name(view.superpower), ". "]
    told += [f"Casualties: {len(view.casualties)}. "]
    return [Grid(head, rows), Line([*told, *pending_cards(view)], "WM-5")]


def cards_in_play(view: WarmongerView, seat: int) -> Parts:
    """Return what a side has on the Battlefield: its Battle line, else the cards it has put there."""
    if view.war:
        shown = cards(view.lines[seat]) or ["-"]
        down = view.downs[seat]
        return [*shown, f" + {len(down)} face down"] if down else shown
    open_cards = [card for card in view.pot[seat] if card != UNKNOWN]
    return cards(open_cards) or ["-"]


def score(view: WarmongerView, seat: int) -> str:
    """Return what a side's line counts now, with a mark if the score is made."""
    if not view.war or seat not in view.fighting:
        return ""
    if view.totals[seat] == BUST:
        return "Bust"
    return f"{view.totals[seat]} made" if seat in view.scored else str(view.totals[seat])


def pending_cards(view: WarmongerView) -> Parts:
    """Return the Warmonger cards that wait to be settled, the last one first."""
    plays = view.stack[::ANNOUNCED], view.stack[1::ANNOUNCED]
    told: Parts = []
    for choice, player in reversed(list(zip(*plays, strict=True))):
        card = Card(name_of(view.box.codes[design_of(choice)]))
        told += clause(player, "has|have", " announced ", card, ". ")
    return told


def cards(found: list[int]) -> Parts:
    """Return playing cards as a cell has them."""
    return spaced([Card(card_text(card)) for card in found])


def group_equal(names: list[str]) -> list[str]:
    """Return names in their order, equal ones once with their number.

    >>> group_equal(["Raid", "Veto", "Veto"])
    ['Raid', '2 Veto']
    """
    return [f"{names.count(name)} {name}" if names.count(name) > 1 else name for name in dict.fromkeys(names)]


def hand(view: WarmongerView) -> Parts:
    """Return the Warmonger cards in the hand, and what the side knows of its own face-down cards."""
    names = [name_of(view.box.codes[design]) for design in view.hand if design >= 0]
    held = spaced([Card(name) for name in group_equal(names)], ", ")
    known = [card for card in view.downs[view.side] if card >= 0]
    if known:
        held += ["; face down you know ", *cards(known)]
    top = [card for card in view.decks[view.side][:4] if card >= 0]
    if top:
        held += [f"; of your deck you know {counted(len(top), 'card')}: ", *cards(top)]
    return ["no Warmonger card", *held] if held and not names else held


CONDITIONS = {
    "skirmish N": "the Skirmish, from 1",
    "war": "a Battle is fought, and your side is in it",
    **COMPARED,
}  # by cards in the decks


def true_conditions(view: WarmongerView) -> list[str]:
    """Return which of the CONDITIONS hold."""
    found = [f"skirmish {view.skirmish}"]
    found += ["war"] if view.war and view.side in view.fighting else []
    decks = [len(deck) for deck in view.decks]
    return [
        *found,
        standing_of(decks[view.side], [size for seat, size in enumerate(decks) if seat != view.side]),
    ]
