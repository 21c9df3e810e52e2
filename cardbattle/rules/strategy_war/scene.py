"""Show a battle of Strategy WAR to the side that must choose, and explain the game's only question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.ruleset import Lesson, compared, standing_of
from cardbattle.core.telling import Block, Grid, Line, Name, Parts, counted
from cardbattle.rules.strategy_war.battle import COMMIT
from cardbattle.rules.strategy_war.notation import cards_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.rules.strategy_war.battle import StrategyView

LESSONS = {
    COMMIT: Lesson(
        "Commit a card of your hand, in secret",
        ["SW-3", "SW-5", "SW-6", "SW-7"],
        "All cards are turned up together. Equal cards cancel each other out, and the highest card left "
        "takes the value of all cards played. If none is left, the points wait for the next round.",
        "commit",
    ),
}


def scene(view: StrategyView) -> list[Block]:
    """Return the round, the pot, and the known points and cards of each side."""
    sentence = round_status(view)
    if view.hands:
        return [Line(sentence, "SW-3"), Grid(HEAD, rows(view))]
    sentence += [" The others together hold: ", *cards_in(sorted(view.pool)), "."]
    return [Line(sentence, "SW-19")]


def public_scene(views: Sequence[StrategyView]) -> list[Block]:
    """Return the scene as a spectator sees it. A dark battle shows only the number of cards."""
    view = views[0]
    left: list[list[Parts]] = [
        [[Name(seat)], [str(view.scores[seat])] if view.scores else [], [counted(size, "card")]]
        for seat, size in enumerate(view.sizes)
    ]
    for seat, cards in enumerate(view.hands):
        left[seat][2] = cards_in(sorted(cards)) or ["none"]
    return [Line(round_status(view), "SW-3"), Grid(HEAD, left)]


def last_round(view: StrategyView) -> int:
    """Return the number of the round that empties all hands, and at most that of the last round (SW-12).

    The log counts all rounds, because old records must keep their log.
    """
    return min(view.rounds, view.round - 1 + max(view.sizes))


def round_status(view: StrategyView) -> Parts:
    sentence: Parts = [f"Round {view.round} of {last_round(view)}."]
    if view.carry:
        wait = "waits" if view.carry == 1 else "wait"
        sentence.append(f" {counted(view.carry, 'point')} {wait} in the pot.")
    return sentence


HEAD: list[Parts] = [["side"], ["points"], ["cards left"]]


def rows(view: StrategyView) -> list[list[Parts]]:
    return [
        [
            [Name(seat), *([" (you)"] if seat == view.side else [])],
            [str(view.scores[seat])],
            cards_in(sorted(cards)) or ["none"],
        ]
        for seat, cards in enumerate(view.hands)
    ]


def hand(view: StrategyView) -> Parts:
    return cards_in(sorted(view.hand))


COMPARISONS = compared("points")
CONDITIONS = {
    "round N": "the round, from 1",
    "last": "it is the last round",
    "waiting": "points wait in the pot",
    **COMPARISONS,
}


def possible_conditions(*, dark: bool) -> dict[str, str]:
    """Return those CONDITIONS that can hold. In a dark battle, the points are not compared (SW-19)."""
    return {word: text for word, text in CONDITIONS.items() if not dark or word not in COMPARISONS}


def true_conditions(view: StrategyView) -> list[str]:
    """Return the CONDITIONS that hold now. In a dark battle, the points are not compared (SW-19)."""
    conditions = [f"round {view.round}"]
    conditions += ["last"] if view.round == view.rounds else []
    conditions += ["waiting"] if view.carry else []
    rivals = [points for seat, points in enumerate(view.scores) if seat != view.side]
    return [*conditions, standing_of(view.scores[view.side], rivals)] if rivals else conditions
