"""Strategy WAR as a side sees it that is asked, and what the one question is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.ruleset import COMPARED, Lesson, standing_of
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
        "All turn up together: equal cards cancel each other out, and the highest that is left takes the "
        "value of all cards played. If none is left alone, the points wait for the next round.",
        "commit",
    ),
}


def scene(view: StrategyView) -> list[Block]:
    """Return the round, its pot, and of each side the points and the cards left, as far as they are known."""
    told = course(view)
    if view.hands:
        return [Line(told, "SW-3"), Grid(HEAD, rows(view))]
    told += [" The others hold as one heap: ", *cards_in(sorted(view.pool)), "."]
    return [Line(told, "SW-19")]


def public_scene(views: Sequence[StrategyView]) -> list[Block]:
    """Return the same for whoever looks on, who in the dark sees how many cards each has left."""
    view = views[0]
    left: list[list[Parts]] = [
        [[Name(seat)], [str(view.scores[seat])] if view.scores else [], [counted(size, "card")]]
        for seat, size in enumerate(view.sizes)
    ]
    for seat, cards in enumerate(view.hands):
        left[seat][2] = cards_in(sorted(cards)) or ["none"]
    return [Line(course(view), "SW-3"), Grid(HEAD, left)]


def course(view: StrategyView) -> Parts:
    """Return which round it is, and what waits in the pot."""
    told: Parts = [f"Round {view.round} of {view.rounds}."]
    if view.carry:
        wait = "waits" if view.carry == 1 else "wait"
        told.append(f" {counted(view.carry, 'point')} {wait} in the pot.")
    return told


HEAD: list[Parts] = [["side"], ["points"], ["cards left"]]


def rows(view: StrategyView) -> list[list[Parts]]:
    """Return a row for each side."""
    return [
        [
            [Name(seat), *([" (you)"] if seat == view.side else [])],
            [str(view.scores[seat])],
            cards_in(sorted(cards)) or ["none"],
        ]
        for seat, cards in enumerate(view.hands)
    ]


def hand(view: StrategyView) -> Parts:
    """Return the hand."""
    return cards_in(sorted(view.hand))


CONDITIONS = {
    "round N": "the round, from 1",
    "last": "it is the last round",
    "waiting": "points wait in the pot",
    **COMPARED,
}  # by points, where they are known


def true_conditions(view: StrategyView) -> list[str]:
    """Return which of the CONDITIONS hold; in the dark nobody is known to be ahead (SW-20)."""
    found = [f"round {view.round}"]
    found += ["last"] if view.round == view.rounds else []
    found += ["waiting"] if view.carry else []
    others = [points for seat, points in enumerate(view.scores) if seat != view.side]
    return [*found, standing_of(view.scores[view.side], others)] if others else found
