"""The strength of the ranks, measured as the share of points that a rank takes in duels against another.

`cardbattle match` measured the shares between equal sides with the default rules of each rule set. The
numbers of duels and points are in `data/commander_strength.csv`.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from typing import NamedTuple


class Pairing(NamedTuple):
    """The points of a rank in duels against another rank. A drawn duel counts as half a point."""

    rules: str
    rank: str
    against: str
    battles: int
    points: float

    @property
    def share(self) -> float:
        """The first rank's share of the points, from 0 to 1."""
        return self.points / self.battles

    def swap(self) -> Pairing:
        """Return the same duels with the points of the other rank."""
        return Pairing(self.rules, self.against, self.rank, self.battles, self.battles - self.points)


@cache
def load_pairings() -> dict[tuple[str, str, str], Pairing]:
    """Return the points in measured duels, by rule set, rank, and rank of the opponent."""
    file = resources.files("cardbattle").joinpath("data", "commander_strength.csv")
    pairings: dict[tuple[str, str, str], Pairing] = {}
    for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines()):
        pairing = Pairing(
            row["rules"], row["rank"], row["against"], int(row["battles"]), float(row["points"])
        )
        for direction in (pairing, pairing.swap()):
            pairings[direction.rules, direction.rank, direction.against] = direction
    return pairings
