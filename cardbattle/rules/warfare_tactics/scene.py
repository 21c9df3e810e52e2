"""Show a battle of Warfare Tactics to the side that must choose, and explain each question."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.ruleset import Lesson, Show, compared, standing_of
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
        "Draw three temporary cards, return one or two monsters from your discard pile, or take nothing. "
        "Temporary cards are for fighting and are discarded at the end of the enemy's next turn.",
        "supply",
    ),
    MORE: Lesson(
        "Return a second monster, or stop (enough)",
        ["WT-6", "WT-7"],
        "You can return one or two monsters from your discard pile to your battlefield. Write enough to "
        "stop at one.",
        "more",
    ),
    SPECIAL: Lesson(
        "Make a special move in the enemy's turn, or none",
        ["WT-33", "WT-35", "WT-37"],
        "A special move costs your two highest cards. SWITCH exchanges the discard piles, SEVEN draws seven "
        "cards. You have one special move in the whole battle.",
        "special",
    ),
    ANSWER: Lesson(
        "Answer with the other special move, or none",
        ["WT-36", "WT-35"],
        "The enemy has made a special move, so you can make the other one in your own turn. It also costs "
        "your two highest cards.",
        "answer",
    ),
    ACTION: Lesson(
        "Your action: post a card, attack, or nothing",
        ["WT-12", "WT-14", "WT-13"],
        "A card on your battlefield scores at the end; an attack uses one of your cards against an enemy "
        "monster. In a turn you can do one or the other.",
        "action",
    ),
    FIGHT: Lesson(
        "In a fight: counter, recall, retreat, surrender or decline",
        ["WT-16", "WT-17", "WT-19", "WT-23", "WT-27"],
        "Both columns grow card by card until one side gives way; while both hands hold cards, neither can "
        "decline. A retreat discards your column, and a surrender gives it to the enemy.",
        "fight",
    ),
    BURY_ONE: Lesson(
        "Put a free monster under the deck",
        ["WT-25"],
        "Your retreat costs one free monster for each card that retreated. You name them one at a time, "
        "and the last named lies lowest.",
        "bury",
    ),
    TAKE_ONE: Lesson(
        "Take a card of the shown hand",
        ["WT-24"],
        "The enemy has retreated and pays with a card of your choice. It joins your hand as an ordinary "
        "card.",
        "take",
    ),
    FREE: Lesson(
        "Free steps, until you are done",
        ["WT-9", "WT-10", "WT-11"],
        "You can discard temporary cards, draw your bonus card or exchange a marked one; none of this is "
        "an action. Write done to go on with the turn.",
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
            "shows its temporary cards,|show their temporary cards,",
            rule="WT-24",
            always=True,
        ),
        Show("bonus", "shows its bonus cards,|show their bonus cards,", rule="WT-24", always=True),
    ],
    "recalled": [
        Show("drawn", "draws|draw", "face up from the deck, for the card put under it", "WT-20", always=True)
    ],
    "posted": [Show("card", "plays|play", "to the battlefield", "WT-12")],
    "dismissed": [
        Show("cards", "discards|discard", "of the temporary cards that are left", "WT-8", always=True)
    ],
}


def scene(view: WarfareView) -> list[Block]:
    """Return both battlefields (the enemy's first), the current attack, if any, and the piles."""
    side, enemy = view.side, 1 - view.side
    piles: Parts = ["Discard piles: yours ", *pile_parts(view.discards[side])]
    piles += ["; theirs ", *pile_parts(view.discards[enemy]), "."]
    return [
        Line(["Battlefield of ", Name(enemy), ": ", *with_total(view.battlefields[enemy]), "."], "WT-3"),
        Line(["Your battlefield: ", *with_total(view.battlefields[side]), "."], "WT-3"),
        *columns(view, side),
        Line(piles, "WT-3"),
        Line(situation(view), "WT-3"),
    ]


def public_scene(views: Sequence[WarfareView]) -> list[Block]:
    """Return the public part of the scene: battlefields, attack, whole discard piles and sizes of hands."""
    view = views[0]
    battlefields: list[Block] = [
        Line(["Battlefield of ", Name(side), ": ", *with_total(cards), "."], "WT-3")
        for side, cards in enumerate(view.battlefields)
    ]
    piles: list[Block] = [
        Line(["Discard pile of ", Name(side), ": ", *pile_parts(cards, len(cards)), "."], "WT-3")
        for side, cards in enumerate(view.discards)
    ]
    turn: Parts = [f"Turn {view.turn} of ", Name(view.active), ". "]
    for side in (0, 1):
        hand_size = counted(view.sizes[side] + view.temporary_sizes[side], "card")
        turn += clause(side, "holds|hold", f" {hand_size}. ")
    return [*battlefields, *columns(view, NOBODY), *piles, Line(turn, "WT-3")]


def situation(view: WarfareView) -> Parts:
    """Return the active side, the sizes of the decks, and what the side knows about the enemy's hand."""
    side, enemy = view.side, 1 - view.side
    owner: Parts = [", yours"] if view.active == side else [" of ", Name(view.active)]
    parts: Parts = [f"Turn {view.turn}", *owner, "; deck ", counted(view.deck_sizes[side], "card")]
    if view.own_decks:
        parts += [f", theirs {view.deck_sizes[enemy]}"]
    parts += [". ", *clause(enemy, "holds|hold", " ", counted(view.sizes[enemy], "card"))]
    if view.temporary_sizes[enemy]:
        parts += [f" and {view.temporary_sizes[enemy]} temporary"]
    seen = sorted(card for part in view.seen for card in part)
    return [*parts, *([", among them ", *faces(seen)] if seen else []), "."]


def columns(view: WarfareView, you: int) -> list[Block]:
    """Return the two columns of an attack.

    Unless `you` is NOBODY, the side `you` comes second and is marked "(you)".
    """
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


def with_total(cards: list[int]) -> Parts:
    return [*faces(sorted(cards)), f" ({total(cards)})"] if cards else ["nothing"]


LAST = 6  # number of cards that a side sees of a discard pile


def pile_parts(cards: list[int], most: int = LAST) -> Parts:
    """Return the size and the value of a pile, and its last cards, `most` of them."""
    if not cards:
        return ["empty"]
    dots = "... " if len(cards) > most else ""
    return [counted(len(cards), "card"), f" worth {total(cards)}: {dots}", *faces(cards[-most:])]


def hand(view: WarfareView) -> Parts:
    """Return the cards in hand: ordinary cards, then marked and temporary cards."""
    plain = list((Counter(view.hand) - Counter(view.marked)).elements())
    parts: Parts = faces(sorted(plain)) or ["none"]
    if view.marked:
        parts += ["; bonus ", *faces(sorted(view.marked))]
    if view.temporary:
        parts += ["; temporary ", *faces(sorted(view.temporary))]
    return parts


CONDITIONS = {
    "turn N": "the number of the turn, from 1",
    "attacker": "it is your turn, so an attack is yours",
    "defender": "it is the enemy's turn",
    **compared("points on its battlefield"),
}


def true_conditions(view: WarfareView) -> list[str]:
    """Return the names of the CONDITIONS that hold now."""
    role = "attacker" if view.active == view.side else "defender"
    values = [total(view.battlefields[side]) for side in (view.side, 1 - view.side)]
    return [f"turn {view.turn}", role, standing_of(values[0], values[1:])]
