"""Warfare Tactics as a side sees it that is asked, and what each question is about."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.ruleset import COMPARED, Lesson, Show, standing_of
from cardbattle.core.telling import Block, Grid, Line, Name, Parts, clause, counted
from cardbattle.rules.warfare_tactics.choices import (
    ACTION,
    ANSWER,
    BURY_ONE,
    FIGHT,
    FREE,
    MORE,
    SPECIAL,
    SUPPLY,
    TAKE_ONE,
)
from cardbattle.rules.warfare_tactics.notation import faces
from cardbattle.rules.warfare_tactics.state import total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.rules.warfare_tactics.state import WarfareView

LESSONS = {
    SUPPLY: Lesson(
        "Your turn begins: take your supply",
        ["WT-6", "WT-8", "WT-10"],
        "You draw three temporary cards, which are for fighting and go at the end of the enemy's next "
        "turn, or bring back one or two monsters, or take nothing. A bonus card stays yours.",
        "supply",
    ),
    MORE: Lesson(
        "Return a second monster, or enough",
        ["WT-6", "WT-7"],
        "One or two monsters of your discard pile come back to your battlefield. You may stop at one.",
        "more",
    ),
    SPECIAL: Lesson(
        "Make a special move in the enemy's turn, or none",
        ["WT-33", "WT-35", "WT-37"],
        "SWITCH exchanges the discard piles and SEVEN draws seven cards, for your two highest cards. You "
        "have one special move in the whole battle.",
        "special",
    ),
    ANSWER: Lesson(
        "Answer with the other special move, or none",
        ["WT-36", "WT-35"],
        "The enemy has made a special move, so you may make the other one, although the turn is your own."
        " It costs your two highest cards as well.",
        "answer",
    ),
    ACTION: Lesson(
        "Your action: play a card, attack, or nothing",
        ["WT-12", "WT-14", "WT-13"],
        "A card on your battlefield counts in the end; an attack names a card of yours and a monster of "
        "the enemy's. It is one or the other in a turn.",
        "action",
    ),
    FIGHT: Lesson(
        "An attack: counter, recall, retreat, surrender or decline",
        ["WT-16", "WT-17", "WT-19", "WT-23", "WT-27"],
        "Both columns grow card by card until one side gives way, and while both hold cards nobody may "
        "pass. Who retreats loses the column to the discard pile, who surrenders gives it to the enemy.",
        "fight",
    ),
    BURY_ONE: Lesson(
        "Put a free monster under the deck",
        ["WT-25"],
        "This is the price of your retreat: as many free monsters as have retreated. You name them one at"
        " a time, and the last lies lowest.",
        "bury",
    ),
    TAKE_ONE: Lesson(
        "Take a card of the hand that is shown",
        ["WT-24"],
        "The enemy has retreated and pays with a card of your choice. It comes to your hand as an "
        "ordinary card.",
        "take",
    ),
    FREE: Lesson(
        "Free steps, until you are done",
        ["WT-9", "WT-10", "WT-11"],
        "You may discard temporary cards, draw your bonus card or exchange a marked one; none of it is an"
        " action. With done the turn goes on.",
        "free",
    ),
}

LOTS = {
    "dealer": Lesson("Who deals", ["WT-4"], "The dealer takes the first turn."),
}

SHOWS = {
    "hand_shown": [
        Show("cards", "shows its hand,|show their hand,", rule="WT-24", always=True),
        Show(
            "temporary",
            "shows the cards drawn for a turn,|show the cards drawn for a turn,",
            rule="WT-24",
            always=True,
        ),
        Show("bonus", "shows the bonus cards,|show the bonus cards,", rule="WT-24", always=True),
    ],
    "recalled": [
        Show("drawn", "draws|draw", "openly from the deck, for the one put under it", "WT-20", always=True)
    ],
    "posted": [Show("card", "plays|play", "to the battlefield", "WT-12")],
    "dismissed": [
        Show("cards", "discards|discard", "that are left of the temporary ones", "WT-8", always=True)
    ],
}


def scene(view: WarfareView) -> list[Block]:
    """Return both battlefields, the enemy's above, with the piles, and the attack if there is one."""
    side, enemy = view.side, 1 - view.side
    piles: Parts = ["Discard piles: yours ", *brief(view.discards[side])]
    piles += ["; theirs ", *brief(view.discards[enemy]), "."]
    return [
        Line(["Battlefield of ", Name(enemy), ": ", *worth(view.battlefields[enemy]), "."], "WT-3"),
        Line(["Your battlefield: ", *worth(view.battlefields[side]), "."], "WT-3"),
        *attack(view),
        Line(piles, "WT-3"),
        Line(situation(view), "WT-3"),
    ]


def public_scene(views: Sequence[WarfareView]) -> list[Block]:
    """Return both battlefields as anybody sees them, with the piles, and the attack if there is one."""
    view = views[0]
    told: list[Block] = [
        Line(["Battlefield of ", Name(side), ": ", *worth(cards), "."], "WT-3")
        for side, cards in enumerate(view.battlefields)
    ]
    piles: Parts = ["Discard pile of ", Name(0), ": ", *brief(view.discards[0])]
    piles += ["; of ", Name(1), ": ", *brief(view.discards[1]), "."]
    turn: Parts = [f"Turn {view.turn} of ", Name(view.active), ". "]
    for side in (0, 1):
        held = counted(view.sizes[side] + view.temporary_sizes[side], "card")
        turn += clause(side, "holds|hold", f" {held}. ")
    return [*told, *columns(view, NOBODY), Line(piles, "WT-3"), Line(turn, "WT-3")]


def situation(view: WarfareView) -> Parts:
    """Return whose turn it is, how large the decks are, and what is known of the enemy's hand."""
    side, enemy = view.side, 1 - view.side
    whose: Parts = [", yours"] if view.active == side else [" of ", Name(view.active)]
    told: Parts = [f"Turn {view.turn}", *whose, "; deck ", counted(view.deck_sizes[side], "card")]
    if view.own_decks:
        told += [f", theirs {view.deck_sizes[enemy]}"]
    told += [". ", *clause(enemy, "holds|hold", " ", counted(view.sizes[enemy], "card"))]
    if view.temporary_sizes[enemy]:
        told += [f" and {view.temporary_sizes[enemy]} temporary"]
    seen = sorted(card for part in view.seen for card in part)
    return [*told, *([", among them ", *faces(seen)] if seen else []), "."]


def attack(view: WarfareView) -> list[Block]:
    """Return the two columns of an attack, the enemy's above."""
    return columns(view, view.side)


def columns(view: WarfareView, you: int) -> list[Block]:
    """Return the two columns of an attack, with a mark at whoever is told, below."""
    if not any(view.columns):
        return []
    rows: list[list[Parts]] = [
        [
            [Name(seat), *([" (you)"] if seat == you else [])],
            faces(view.columns[seat]) or ["-"],
            [str(total(view.columns[seat]))],
        ]
        for seat in ((0, 1) if you == NOBODY else (1 - you, you))
    ]
    return [Grid([["attack"], ["column"], ["total"]], rows)]


def worth(cards: list[int]) -> Parts:
    """Return cards with their value in all."""
    return [*faces(sorted(cards)), f" ({total(cards)})"] if cards else ["nothing"]


LAST = 6  # cards of a discard pile that are named


def brief(cards: list[int]) -> Parts:
    """Return how large a pile is, and its last cards."""
    if not cards:
        return ["empty"]
    dots = "... " if len(cards) > LAST else ""
    return [counted(len(cards), "card"), f" worth {total(cards)}: {dots}", *faces(cards[-LAST:])]


def hand(view: WarfareView) -> Parts:
    """Return the hand, its marked and its temporary cards apart, each card once."""
    plain = list((Counter(view.hand) - Counter(view.marked)).elements())
    told: Parts = faces(sorted(plain)) or ["none"]
    if view.marked:
        told += ["; bonus ", *faces(sorted(view.marked))]
    if view.temporary:
        told += ["; temporary ", *faces(sorted(view.temporary))]
    return told


CONDITIONS = {
    "turn N": "the turn, from 1",
    "attacker": "the turn is yours, so the attack is",
    "defender": "the turn is the enemy's",
    **COMPARED,
}  # by what the cards on the battlefields are worth


def true_conditions(view: WarfareView) -> list[str]:
    """Return which of the CONDITIONS hold."""
    whose = "attacker" if view.active == view.side else "defender"
    values = [total(view.battlefields[side]) for side in (view.side, 1 - view.side)]
    return [f"turn {view.turn}", whose, standing_of(values[0], values[1:])]
