"""Measure every rank of commander in duels against every other one.

Usage: `python -m research.measure_ranks FILE [--rules KEY] [--jobs 2]`.

The script writes the CSV file that `cardbattle commanders` reads, with a row for each pairing of two ranks
in a rule set: the number of duels, and the points of the higher rank (a win counts 1, a draw 0.5). A row is
the match that this command plays, where N is the number of duels:

    cardbattle match RANK AGAINST --rules KEY --games N --seed 21000000

Nothing was tuned on these deals, except one change of Field of Honour (commanders.md). The number of duels is
fixed beforehand, so that the intervals are valid.

If a rule set has no better rules of thumb than those of a regular, a seasoned commander plays like a
regular; if it has no elite commander, an elite one is a veteran. The row of the lower rank then counts for
both. A pairing that FILE already has is not measured again, so an interrupted run continues where it
stopped.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Mapping
from concurrent.futures import Executor
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from cardbattle import build_form
from cardbattle.battles.records.battle_file import bare_battle
from cardbattle.commanders import RANKS
from cardbattle.core.ruleset import RuleSet
from cardbattle.engines.description import Clock
from cardbattle.engines.match import SEATS, Match, MatchPlan
from cardbattle.rules import RULE_SETS, find
from cardbattle.simulation.workers import workforce

SEED = 21_000_000
PAIRS = sorted(combinations(RANKS, 2), key=lambda pair: list(RANKS).index(pair[1]))  # lower, higher rank
COLUMNS = ("rules", "rank", "against", "battles", "points", "first_seed", "method")
METHOD = "match"

# The number of duels of a pairing is the smaller number of its two ranks.
DUELS = {"green": 10_000, "regular": 10_000, "seasoned": 10_000, "veteran": 300, "elite": 100}
DUELS_OF_QUICK = {
    ("field-of-honour", "veteran"): 2000,
    ("strategy-war", "veteran"): 2000,
    ("wargame", "veteran"): 1000,
    ("wargame", "elite"): 1000,
}


class Pairing(NamedTuple):
    """Two ranks that meet in duels of one rule set; `rank` is the higher one."""

    rules: str
    rank: str
    against: str

    @property
    def duels(self) -> int:
        """The number of duels; every deal is fought from both seats."""
        return min(DUELS_OF_QUICK.get((self.rules, rank), DUELS[rank]) for rank in (self.rank, self.against))

    @property
    def alike(self) -> Pairing | None:
        """The same pairing with a lower rank that plays alike under these rules, or None.

        A seasoned commander may play as a regular does, and an elite commander as a veteran.
        """
        rules = find(self.rules)
        if self.rank == "elite" and self.against != "veteran" and "elite" not in rules.iterations:
            return self._replace(rank="veteran")
        if type(rules).seasoned is not RuleSet.seasoned:
            return None
        if self.against == "seasoned":
            return self._replace(against="regular")
        return self._replace(rank="regular") if (self.rank, self.against) == ("seasoned", "green") else None


class Row(NamedTuple):
    """The result of a pairing: duels, points of the higher rank, seed, and method."""

    battles: int
    points: float
    seed: int
    method: str


def measure(pairing: Pairing, executor: Executor, workers: int) -> Row:
    """Play the match of a pairing."""
    table = bare_battle(pairing.rules, list(SEATS))
    match = Match(MatchPlan(table, [pairing.rank, pairing.against], SEED, {}, Clock()), pairing.duels)
    match.play(executor, workers, lambda result: None, lambda done, planned: None)
    if match.stopped == "interrupted":
        raise KeyboardInterrupt
    return Row(match.battles, match.scores[0].points, SEED, METHOD)


def read_rows(path: Path) -> dict[Pairing, Row]:
    """Return the row of each pairing in a file."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {
            Pairing(*row[:3]): Row(int(row[3]), float(row[4]), int(row[5]), row[6])
            for row in [*csv.reader(file)][1:]
        }


def write_rows(path: Path, rows: Mapping[Pairing, Row]) -> None:
    """Write the pairings into a file, in the order of rule sets and ranks."""
    order = [Pairing(rules, rank, against) for rules in RULE_SETS for against, rank in PAIRS]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([*pairing, *rows[pairing]] for pairing in order if pairing in rows)


def main() -> None:
    """Measure what is missing, quick ranks first."""
    parser = argparse.ArgumentParser(description="Measure ranks of commanders against each other.")
    parser.add_argument("file", type=Path, help="CSV file to write or to continue")
    parser.add_argument("--rules", choices=list(RULE_SETS), help="only this rule set")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    chosen = parser.parse_args()
    print(build_form())
    rows = read_rows(chosen.file)
    with workforce(chosen.jobs) as (executor, workers):
        for against, rank in PAIRS:
            for rules in [chosen.rules] if chosen.rules else RULE_SETS:
                pairing = Pairing(rules, rank, against)
                if pairing in rows:
                    continue
                began = perf_counter()
                alike = pairing.alike
                rows[pairing] = rows[alike] if alike in rows else measure(pairing, executor, workers)
                write_rows(chosen.file, rows)
                share = rows[pairing].points / rows[pairing].battles
                seconds = perf_counter() - began
                print(f"{rules:16} {rank:8} {against:8} {share:6.1%} {seconds:6.0f} s", flush=True)


if __name__ == "__main__":
    main()
