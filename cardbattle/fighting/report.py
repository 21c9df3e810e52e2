"""A fought battle as one reader may see it: what every room that shows a battle is given."""

from __future__ import annotations

from typing import NamedTuple

from cardbattle.core.battle import Event
from cardbattle.core.ruleset import RuleSet, Setup


class Report(NamedTuple):
    """A battle for one reader.

    `events` are filtered for `viewer` (a seat; None sees all), each with the number of moves
    made before it. `seed` is None where the reader may not know it or nobody does. `losses`
    are exact fractions as text, "2/5".
    """

    id: str
    rules: RuleSet
    setup: Setup
    names: list[str]
    commanders: list[str]
    seed: int | str | None
    events: list[tuple[int, Event]]
    viewer: int | None
    winners: list[int]
    reason: str
    scores: list[int]
    losses: list[str]
