"""The strength of the ranks: the share of points that each rank takes from every other in duels.

`research/measure_ranks.py` measured them, with the default rules of each rule set and equal sides; the counts
are in `data/commander_strength.csv`.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from typing import NamedTuple


class Pairing(NamedTuple):
    """The points that one rank took from another in a number of duels; a draw is half a point."""

    rules: str
    rank: str
    against: str
    battles: int
    points: float

    @property
    def share(self) -> float:
        """The share of the points, from 0 to 1."""
        return self.points / self.battles

    def swap(self) -> Pairing:
        """Return the same duels from the other rank's point of view."""
        return Pairing(self.rules, self.against, self.rank, self.battles, self.battles - self.points)


@cache
def load_pairings() -> dict[tuple[str, str, str], Pairing]:
    """Return all measured pairings of two ranks, by rule set, rank and opponent."""
    file = resources.files("cardbattle").joinpath("data", "commander_strength.csv")
    pairings: dict[tuple[str, str, str], Pairing] = {}
    for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines()):
        pairing = Pairing(
            row["rules"], row["rank"], row["against"], int(row["battles"]), float(row["points"])
        )
        for direction in (pairing, pairing.swap()):
            pairings[direction.rules, direction.rank, direction.against] = direction
    return pairings
