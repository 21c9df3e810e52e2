"""Show a battle of Warmonger to the side that must choose, and explain each question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.cards import card_text
from cardbattle.core.ruleset import Lesson, Show, compared, standing_of
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
        "Nothing is turned up yet, and each side in turn can play one Warmonger card. When all have "
        "passed in a row, the Skirmish begins.",
        "peace",
    ),
    SKIRMISH: Lesson(
        "Play a card in this Skirmish, or pass",
        ["WM-43", "WM-13"],
        "The highest card will take all cards of the Skirmish, unless a Warmonger card changes that. When "
        "all have passed in a row, the Skirmish is decided.",
        "skirmish",
    ),
    LAID: Lesson(
        "Play a card now that the Battle is laid, or pass",
        ["WM-43", "WM-16"],
        "Each side in the Battle has laid up to three cards face down and one face up. You can still look "
        "at yours, or leave the War, before the sides score.",
        "laid",
    ),
    TURN: Lesson(
        "Turn up your next card, or stand",
        ["WM-21", "WM-10", "WM-23"],
        "The best score up to 21 wins the War and all cards in it; above 21 you are Bust and cannot win. "
        "Once you stand, you turn up no more cards.",
        "turn",
    ),
    FINAL: Lesson(
        "Play a card after the scores, or pass",
        ["WM-43", "WM-46"],
        "All sides have scored, but a card can still change the scores. When all have passed in a row, the "
        "Battle is decided.",
        "final",
    ),
    LAST_STAND: Lesson(
        "Play a Lifeline: you have no playing cards",
        ["WM-30", "WM-31"],
        "You are out unless a Lifeline brings you cards, so you must play one. You choose only which one.",
        "last-stand",
    ),
    RESPONSE: Lesson(
        "Respond to the card that was announced, or pass",
        ["WM-44"],
        "The card has not taken effect yet, and a Veto stops it. The card announced last takes effect first.",
        "response",
    ),
    ORDER: Lesson(
        "Choose the order of the cards you looked at",
        ["WM-47"],
        "Only you have seen them. The first you name comes first.",
        "order",
    ),
}

LOTS = {
    "superpower": Lesson(
        "Who has the Superpower card",
        ["WM-4", "WM-20"],
        "Choose a dealer at random: the side to the dealer's left holds it first. In a War, sides score "
        "clockwise from the holder's left, so the holder scores last.",
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
    return armies(view, view.side)


def public_scene(views: Sequence[WarmongerView]) -> list[Block]:
    """Return the public part of the scene, which is the same in every view."""
    return armies(views[0], NOBODY)


def armies(view: WarmongerView, you: int) -> list[Block]:
    """Return the armies and the piles as a table.

    Unless `you` is NOBODY, the side `you` is marked "(you)".
    """
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
    status: Parts = [f"Skirmish {view.skirmish}. The Superpower card: ", Name(view.superpower), ". "]
    status += [f"Casualties: {len(view.casualties)}. "]
    return [Grid(head, rows), Line([*status, *pending_cards(view)], "WM-5")]


def cards_in_play(view: WarmongerView, seat: int) -> Parts:
    """Return a side's cards on the Battlefield: its Battle line in a War, or its Skirmish card."""
    if view.war:
        shown = cards(view.lines[seat]) or ["-"]
        down = view.downs[seat]
        return [*shown, f" + {len(down)} face down"] if down else shown
    open_cards = [card for card in view.pot[seat] if card != UNKNOWN]
    return cards(open_cards) or ["-"]


def score(view: WarmongerView, seat: int) -> str:
    """Return a side's score in this Battle as text. If the side has stopped, the word "made" is added."""
    if not view.war or seat not in view.fighting:
        return ""
    if view.totals[seat] == BUST:
        return "Bust"
    return f"{view.totals[seat]} made" if seat in view.scored else str(view.totals[seat])


def pending_cards(view: WarmongerView) -> Parts:
    """Return the announced Warmonger cards that have not taken effect yet. The last card comes first."""
    plays = view.stack[::ANNOUNCED], view.stack[1::ANNOUNCED]
    parts: Parts = []
    for choice, player in reversed(list(zip(*plays, strict=True))):
        card = Card(name_of(view.box.codes[design_of(choice)]))
        parts += clause(player, "has|have", " announced ", card, ". ")
    return parts


def cards(codes: list[int]) -> Parts:
    return spaced([Card(card_text(card)) for card in codes])


def group_equal(names: list[str]) -> list[str]:
    """Return each name once, in the order of first appearance. If a name is repeated, its count precedes it.

    >>> group_equal(["Raid", "Veto", "Veto"])
    ['Raid', '2 Veto']
    """
    return [f"{names.count(name)} {name}" if names.count(name) > 1 else name for name in dict.fromkeys(names)]


def hand(view: WarmongerView) -> Parts:
    """Return the viewer's Warmonger cards, and the face-down cards at which it has looked."""
    names = [name_of(view.box.codes[design]) for design in view.hand if design >= 0]
    parts = spaced([Card(name) for name in group_equal(names)], ", ")
    down = [card for card in view.downs[view.side] if card >= 0]
    if down:
        parts += ["; face down you know ", *cards(down)]
    top = [card for card in view.decks[view.side][:4] if card >= 0]
    if top:
        parts += [f"; of your deck you know {counted(len(top), 'card')}: ", *cards(top)]
    return ["no Warmonger card", *parts] if parts and not names else parts


CONDITIONS = {
    "skirmish N": "the number of the Skirmish, from 1",
    "war": "your side is in a Battle",
    **compared("cards in its deck"),
    "ahead": "your side has the most cards in its deck; scores in a War do not count",
}


def true_conditions(view: WarmongerView) -> list[str]:
    """Return the names of the CONDITIONS that hold now."""
    sizes = [len(deck) for deck in view.decks]
    rival_sizes = [size for seat, size in enumerate(sizes) if seat != view.side]
    war = ["war"] if view.war and view.side in view.fighting else []
    return [f"skirmish {view.skirmish}", *war, standing_of(sizes[view.side], rival_sizes)]
