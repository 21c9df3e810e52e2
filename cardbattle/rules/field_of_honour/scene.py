"""Show a battle of Field of Honour to the side that must choose, and explain each question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.cards import card_text
from cardbattle.core.ruleset import Lesson, Show, compared, standing_of
from cardbattle.core.telling import Block, Grid, Line, Name, Parts, clause, counted
from cardbattle.rules.field_of_honour.battle import (
    COUNTER,
    DRAWN,
    END,
    OPEN,
    PICK,
    PLACE,
    SPACES,
)
from cardbattle.rules.field_of_honour.notation import cards_in, head, on_it

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.rules.field_of_honour.battle import FieldView

LESSONS = {
    PICK: Lesson(
        "Pick a card from the open pack",
        ["FH-40"],
        "Before the deal, you take cards of your choice, and the enemy sees which. Jokers, Aces and "
        "court cards are worth most, because they are specials.",
        "pick",
    ),
    PLACE: Lesson(
        "Fill the next space of your line",
        ["FH-6", "FH-7", "FH-8"],
        "Place one card, or two that total at most 10, face down in each of your five spaces. The higher "
        "value wins a space. Only cards that you keep in hand can be played as specials.",
        "place",
    ),
    END: Lesson(
        "Choose the end of the lines that is fought for first",
        ["FH-11"],
        "You see how many cards lie in each space, but not which. At the right end, the spaces get their "
        "numbers from there, and space 5 becomes space 1.",
        "end",
    ),
    OPEN: Lesson(
        "Play a special in this space, or pass",
        ["FH-13", "FH-17", "FH-33"],
        "A special changes this space and costs you a card from your hand. The enemy can answer with a "
        "special. If neither side plays a special, the higher value holds the space.",
        "special",
    ),
    COUNTER: Lesson(
        "Answer the enemy's special, or pass",
        ["FH-14", "FH-15", "FH-16"],
        "You can answer with a special of your own. It acts on the cards as they are now. If you pass, the "
        "space is settled.",
        "counter",
    ),
    DRAWN: Lesson(
        "Play one of the cards you drew, or pass",
        ["FH-22"],
        "You can play a special among the cards just drawn, before the enemy answers. If you pass, you "
        "keep it for later.",
        "drawn",
    ),
}

LOTS = {
    "dealer": Lesson(
        "Who deals",
        ["FH-4"],
        "In each space, the side that does not deal (N) is asked first for a special, then the dealer (D).",
    ),
}

SHOWS = {  # `always`, because a card that was picked openly has lain face down since then
    "revealed": [Show("contents", "turns up|turn up", "in space {space}", "FH-12", True, "sent")],
    "redeployed": [Show("came", "turns up|turn up", "from the next space", "FH-25", True, "sent")],
    "discarded": [Show("card", "discards|discard", "by chance, for the Ace", "FH-20", always=True)],
}


def lesson(view: FieldView) -> Lesson | None:
    """Return the explanation of the current question. For a placement, the explanation names the space."""
    lesson = LESSONS.get(view.question)
    if view.question != PLACE or lesson is None:
        return lesson
    return lesson._replace(ask=f"Fill space {sum(map(bool, view.line)) + 1} of the {SPACES} in your line")


def scene(view: FieldView) -> list[Block]:
    """Return both lines facing each other, with the enemy's line above."""
    side, enemy = view.side, 1 - view.side
    theirs, worth = enemy_rows(view)
    line = [content(view.line[n], view.attached[n]) or ["-"] for n in range(SPACES)]
    values: list[Parts] = [[str(view.values[n])] if view.line[n] else [] for n in range(SPACES)]
    fought = [fought_for(view, n) for n in range(SPACES)]
    rows: list[list[Parts]] = [
        theirs,
        worth,
        [["held by"], *fought],
        [["worth"], *values],
        [[Name(side), " (you)"], *line],
    ]
    sentence = clause(enemy, "has|have", f" {counted(view.enemy_hand, 'card')} in hand; ")
    sentence += [f"the stack has {view.stack}."]
    if view.discards:
        sentence += [" Discarded: ", *cards_in(sorted(view.discards)), "."]
    shown = [row for row in rows if any(row[1:])]  # omit rows for values and holders while they are empty
    return [Grid(head(), shown), Line(sentence, "FH-9")]


def public_scene(views: Sequence[FieldView]) -> list[Block]:
    """Return both lines as a spectator sees them, with the first side's line above."""
    above, below = enemy_rows(views[1]), enemy_rows(views[0])
    fought = [fought_for(views[0], n) for n in range(SPACES)]
    rows: list[list[Parts]] = [*above, [["held by"], *fought], below[1], below[0]]
    sentence: Parts = []
    for side, view in ((0, views[1]), (1, views[0])):
        sentence += clause(side, "has|have", f" {counted(view.enemy_hand, 'card')} in hand; ")
    sentence += [f"the stack has {views[0].stack}."]
    if views[0].discards:
        sentence += [" Discarded: ", *cards_in(sorted(views[0].discards)), "."]
    return [Grid(head(), [row for row in rows if any(row[1:])]), Line(sentence, "FH-9")]


def enemy_rows(view: FieldView) -> tuple[list[Parts], list[Parts]]:
    """Return two rows: the enemy's line as the side sees it, and the values of those spaces that it knows."""
    sizes = view.sizes or [0] * SPACES
    line: list[Parts] = [[Name(1 - view.side)]]
    worth: list[Parts] = [["worth"]]
    for n, cards in enumerate(view.enemy_line):
        line.append(content(cards, view.enemy_attached[n]) or hidden(sizes[n]))
        worth.append([str(view.enemy_values[n])] if view.enemy_shown[n] else [])
    return line, worth


def fought_for(view: FieldView, n: int) -> Parts:
    """Return the side that holds a space, or "open" for the space that the sides fight for.

    The text is empty if the fight for the space has not begun.
    """
    if n >= len(view.holders):
        return ["open"] if n + 1 == view.space else []
    return [Name(view.holders[n])] if view.holders[n] != NOBODY else ["nobody"]


def content(cards: list[int], attached: list[int]) -> Parts:
    """Return the face-up cards of a space with the specials on them. The result can be empty."""
    return [*cards_in(cards), *on_it(attached, " +")] if cards else []


def hidden(size: int) -> Parts:
    """Return a mark for each face-down card."""
    return ["?" * size or "-"]


def hand(view: FieldView) -> Parts:
    """Return the cards in hand in ascending order, with Jokers last."""
    return cards_in(sorted(view.hand, key=lambda card: (card_text(card) in ("RJ", "BJ"), card)))


CONDITIONS = {
    "space N": "the space being filled or fought for, 1 to 5",
    "last": "it is space 5",
    **compared("spaces"),
}


def true_conditions(view: FieldView) -> list[str]:
    """Return the names of the CONDITIONS that hold now."""
    space = view.space or sum(map(bool, view.line)) + 1
    held = [view.holders.count(side) for side in (view.side, 1 - view.side)]
    return [f"space {space}", *(["last"] if space == SPACES else []), standing_of(held[0], held[1:])]
