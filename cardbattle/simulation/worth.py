"""Look up how much strength, rank, side options and house rules were worth in measurements.

The script `research/worth.py` measured the values with equal sides, regular commanders and the default rules.
The values of ranks are in `data/commander_strength.csv`, and all others are in `data/worth.csv`. They are in
hundredths of the points of a battle. For example, a side with an advantage that is worth +10 takes 60 of 100
points from an otherwise equal enemy.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from cardbattle.commanders import DEFAULT, RANKS
from cardbattle.commanders.strength import load_pairings
from cardbattle.core.ruleset import RuleSet
from cardbattle.simulation.intervals import wilson_bounds

STRENGTH, RANK, OPTION, FIRST_MOVE, HOUSE = "strength", "rank", "option", "first move", "house rule"
KINDS = (STRENGTH, RANK, OPTION, FIRST_MOVE, HOUSE)
WHOLE = 100
WORTH_A_WORD = 0.05  # minimum distance from one half for which the advantage of the first move is mentioned


class MeasuredWorth(NamedTuple):
    """The measured worth of a strength, a rank, an option or a house rule to a side.

    Attributes:
        kind: one of KINDS.
        name: what was measured, such as "3:2", "veteran", "hand +1" or "windows = 4".
        points: the increase of the side's share of the points, in hundredths. For a house rule, this is the
            side that moves first.
        width: half the width of the 95 % interval of `points`.
        battles: the number of battles in the measurement.

    """

    rules: str
    kind: str
    name: str
    points: float
    width: float
    battles: int

    def __str__(self) -> str:
        return f"{self.name} {round(self.points):+d}"


@cache
def load_worths() -> tuple[MeasuredWorth, ...]:
    """Return all measured worths: those in `worth.csv`, then those of ranks."""
    file = resources.files("cardbattle").joinpath("data", "worth.csv")
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    measured = [
        MeasuredWorth(
            row["rules"],
            row["kind"],
            row["name"],
            float(row["points"]),
            float(row["width"]),
            int(row["battles"]),
        )
        for row in rows
    ]
    return (*measured, *rank_worths())


def rank_worths() -> list[MeasuredWorth]:
    """Return the worth of each rank, in comparison with a regular commander."""
    worths = []
    for (rules, rank, against), pairing in load_pairings().items():
        if against == DEFAULT and rank != DEFAULT:
            low, high = wilson_bounds(pairing.share, pairing.battles)
            points = WHOLE * (pairing.share - 0.5)
            worths.append(MeasuredWorth(rules, RANK, rank, points, WHOLE * (high - low) / 2, pairing.battles))
    return sorted(worths, key=lambda worth: [*RANKS].index(worth.name))


def worths_of(rules: str, *kinds: str) -> list[MeasuredWorth]:
    """Return the measured worths in a rule set. If `kinds` is not empty, return only worths of these kinds.

    The list is empty if the rule set comes from a plug-in.
    """
    wanted = kinds or KINDS
    return [worth for worth in load_worths() if worth.rules == rules and worth.kind in wanted]


def worth_of(rules: str, kind: str, name: str) -> MeasuredWorth | None:
    """Return the worth of this kind and name in a rule set, or None if it was not measured."""
    return next((worth for worth in worths_of(rules, kind) if worth.name == name), None)


def similar_worths(rules: str, points: float) -> list[MeasuredWorth]:
    """Return the strength, the rank and the option whose worths are nearest to `points`.

    A worth that differs from `points` by more than a quarter of them, and by more than 2, is left out.
    """
    similar = []
    for kind in (STRENGTH, RANK, OPTION):
        worths = worths_of(rules, kind)
        nearest = min(worths, key=lambda worth: abs(worth.points - points), default=None)
        if nearest and abs(nearest.points - points) <= max(LEAST_DIFFERENCE, points / 4):
            similar.append(nearest)
    return similar


LEAST_DIFFERENCE = 2  # percentage points; worths that differ by no more are similar


def first_move_words(rules: RuleSet, house: Mapping[str, object]) -> str:
    """Return a text about the advantage of moving first, and about a house rule that reduces it.

    If the advantage is small, the text is empty.

    `house` has the house rules of a battle, as in `Setup`.
    """
    edge = rules.first_move_edge(house)
    if edge is None or abs(edge.share - 0.5) < WORTH_A_WORD:
        return ""
    return (
        f"{rules.name}: between equal sides, the first to move takes {edge.share:.0%} of the points; "
        f"house rule {edge.level_rule} = {edge.level_value} makes it {edge.level_share:.0%}"
    )
