"""Show a battle of Wargame to the side that must choose, and explain each question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.ruleset import Lesson, compared, standing_of
from cardbattle.core.telling import Block, Card, Grid, Line, Name, Part, Parts, clause, counted, spaced
from cardbattle.rules.wargame.battle import ADVANCE, DENOUNCE, DEPLOY, SWITCH, TRAITOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.rules.wargame.battle import WargameView

LESSONS = {
    DEPLOY: Lesson(
        "Put a card on a place of your line",
        ["WG-11", "WG-10", "WG-8"],
        "Each card fights the one that faces it, unless a side switches. The higher number wins, but the"
        " Spies, 1 and 2, beat the 12 and the 13. You see the enemy's line, and they see yours.",
        "deploy",
        "deploy CARD PLACE",
    ),
    TRAITOR: Lesson(
        "Choose your Traitor card, in secret",
        ["WG-15", "WG-21"],
        "It names one of the enemy's Shooters: 9, 8 or 7. If you turn it up when that card fights you, that"
        " card loses. The enemy chooses one too, and sees yours only when you turn it up.",
        "traitor",
    ),
    SWITCH: Lesson(
        "Switch two of your cards for a chip, or hold",
        ["WG-24", "WG-25", "WG-30"],
        "Before your card goes forward, you can pay a chip to exchange two cards of your line. Where the"
        " enemy has won three adjacent spaces, your line is broken, and you cannot switch across the break.",
        "switch",
        "switch PLACE PLACE",
    ),
    ADVANCE: Lesson(
        "Attack with the card on one of your places",
        ["WG-17", "WG-19", "WG-32"],
        "The card goes straight ahead and meets the one that faces it. If they are equal, the attacker "
        "wins. Seven battles, or four adjacent spaces, win the game.",
        "advance",
    ),
    DENOUNCE: Lesson(
        "Turn up your Traitor card, or keep silent",
        ["WG-21", "WG-22", "WG-23"],
        "The enemy's card is your Traitor: if you denounce it, it loses this battle. If you keep "
        "silent, you keep the Traitor card, but not this chance.",
        "denounce",
    ),
}

LOTS = {
    "first": Lesson(
        "Who goes first",
        ["WG-7", "WG-10"],
        "A random choice decides who deploys first: one card, then the other side two, and so on in turn.",
    ),
}


def scene(view: WargameView) -> list[Block]:
    return both_lines(view, [Name(view.side), " (you)"], "you")


def public_scene(views: Sequence[WargameView]) -> list[Block]:
    """Return both lines as a spectator sees them, with the first side's line above."""
    return both_lines(views[1], [Name(1)], Name(1))


def both_lines(view: WargameView, label: Parts, below: Part) -> list[Block]:
    """Return both lines with the mark of each space between them.

    `label` is the name of the lower side in the picture, and `below` is the name of this side in sentences.
    """
    side, enemy = view.side, 1 - view.side
    places: list[Parts] = [[str(n + 1)] for n in range(view.places)]
    marks: list[Parts] = [[mark(view, n)] for n in range(view.places)]
    rows: list[list[Parts]] = [
        [[Name(enemy)], *(card(view, enemy, n) for n in range(view.places))],
        [["won"], *marks],
        [label, *(card(view, side, n) for n in range(view.places))],
    ]
    sentence: Parts = []
    for seat in [enemy] if below == "you" else [enemy, side]:
        if view.hand[seat]:
            cards = numbers_of(view.hand[seat])
            sentence += clause(seat, "still has|still have", " to deploy ", *cards, ". ")
    sentence += ["Chips: ", below, f" {view.chips[side]}, ", Name(enemy), f" {view.chips[enemy]}."]
    if any(view.won):
        sentence += [" Battles won: ", below, f" {view.won[side]}, ", Name(enemy), f" {view.won[enemy]}."]
    return [Grid([["place"], *places], rows), Line(sentence, "WG-24"), *fight(view)]


def card(view: WargameView, side: int, n: int) -> Parts:
    """Return the card on a place of the line, or the card that advanced from an empty place."""
    if view.line[side][n]:
        return [Card(str(view.line[side][n]))]
    return [">", Card(str(view.zone[side][n]))] if n == view.place and view.zone[side][n] else ["-"]


def mark(view: WargameView, n: int) -> str:
    """Return a space's mark: ^ or V for the side that won it, > while they fight for it."""
    if view.holder[n] != NOBODY:
        return "V" if view.holder[n] == view.side else "^"
    return ">" if n == view.place else ""


def fight(view: WargameView) -> list[Block]:
    """If a card has advanced, return the attacker and the space of the current battle."""
    if view.place == NOBODY:
        return []
    sentence = clause(view.attacker, "attacks|attack", f" in space {view.place + 1}.")
    return [Line(sentence, "WG-17")]


def numbers_of(cards: list[int]) -> Parts:
    return spaced([Card(str(each)) for each in cards])


def hand(view: WargameView) -> Parts:
    """Return the hand: the cards to deploy, the Traitor card, or the Traitor cards that can be chosen."""
    if view.hand[view.side]:
        return numbers_of(view.hand[view.side])
    if view.traitor:
        return ["Traitor card ", Card(str(view.traitor)), " (spent)" if view.spent[view.side] else ""]
    cards = numbers_of(view.traitors[view.side])
    return [counted(len(view.traitors[view.side]), "Traitor card"), " ", *cards] if cards else []


CONDITIONS = {
    "place N": "the place being fought for, 1 to 13, once a card has gone forward",
    "attacker": "your side attacks in this battle",
    "defender": "the enemy attacks in this battle",
    "last": "a side needs only one more battle",
    **compared("battles won"),
}


def true_conditions(view: WargameView) -> list[str]:
    """Return the names of the CONDITIONS that hold now."""
    side = view.side
    conditions = [f"place {view.place + 1}"] if view.place != NOBODY else []
    if view.attacker != NOBODY:
        conditions.append("attacker" if view.attacker == side else "defender")
    if max(view.won) + 1 >= view.majority:
        conditions.append("last")
    return [*conditions, standing_of(view.won[side], [view.won[1 - side]])]
