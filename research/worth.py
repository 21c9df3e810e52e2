"""Measure what strength, options and house rules are worth.

Usage: `python -m research.worth FILE [RULES|all] [BATTLES]`.

The script writes the CSV file that `handicap` and `campaign check` read, `cardbattle/data/worth.csv`, and
prints the table of docs/odds.md. `research.measure_ranks` measures what ranks are worth.

Every figure is a share of the points between regular commanders, minus one half. For strength and options,
one side has the gift in the first seat in half of the battles, and in the last seat in the others. The first
move and house rules count for the side that moves first. A row that the file already has is not measured
again; delete it to measure it again.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from fractions import Fraction
from math import hypot
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from cardbattle import build_form
from cardbattle.battles.records.battle_file import bare_battle
from cardbattle.core.options import OneOf, Presets, Switch
from cardbattle.core.ruleset import Advantage, RuleSet
from cardbattle.rules import RULE_SETS, find
from cardbattle.rules.warmonger.options import BoxFile
from cardbattle.simulation.counting import WHOLE
from cardbattle.simulation.intervals import wilson_bounds
from cardbattle.simulation.sample import Sample
from cardbattle.simulation.strength_shares import measure_ratio
from cardbattle.simulation.workers import workforce
from cardbattle.simulation.worth import FIRST_MOVE, HOUSE, KINDS, OPTION, STRENGTH, worths_of

COLUMNS = ("rules", "kind", "name", "points", "width", "battles")
BATTLES = 5000
SEED = 4_000_000  # nothing was tuned on these deals
RATIOS = [(3, 2), (2, 1), (3, 1)]
GIFTS: Mapping[str, list[tuple[str, object]]] = {
    "wargame": [("army", [13]), ("chips", 1)],
    "field-of-honour": [("hand", 1), ("extra", ["10"]), ("extra", ["J"]), ("extra", ["A"]), ("pick", 1)],
    "warmonger": [("warmongers", 1)],
    "strategy-war": [("cards", ["J"]), ("cards", ["A"])],
    "warfare-tactics": [("hand", 1), ("extra", ["K"]), ("battlefield", ["5"]), ("battlefield", ["K"])],
}


class Thing(NamedTuple):
    """Something to measure: a gift or a ratio of strengths, or house rules."""

    rules: str
    kind: str
    name: str
    gift: tuple[str, object] | None = None
    ratio: tuple[int, int] | None = None
    house: Mapping[str, object] | None = None


def things_of(rules: RuleSet) -> Iterator[Thing]:
    """Yield everything to measure in a rule set."""
    for ratio in RATIOS:
        yield Thing(rules.key, STRENGTH, ":".join(map(str, ratio)), ratio=ratio)
    for word, gift in GIFTS[rules.key]:
        text = " ".join(map(str, gift)) if isinstance(gift, list) else f"+{gift}"
        yield Thing(rules.key, OPTION, f"{word} {text}", gift=(word, gift))
    if not rules.lots:
        return
    yield Thing(rules.key, FIRST_MOVE, "first move", house={})
    for word, option in rules.house.items():
        if isinstance(option, Presets | BoxFile):
            continue
        values: list[object] = []
        if isinstance(option, Switch):
            values = [not option.default]
        elif isinstance(option, OneOf):
            values = [value for value in option.choices if value not in (option.default, "constructed")]
        for value in values:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            yield Thing(rules.key, HOUSE, f"{word} = {text}", house={word: value})
    if rules.key == "warfare-tactics":
        yield Thing(rules.key, HOUSE, "quiet_turns = 5", house={"quiet_turns": 5})


def measure(thing: Thing, battles: int, hands: tuple[Executor, int]) -> tuple[float, float]:
    """Return the worth of a thing in points, and half its 95 % interval."""
    rules = find(thing.rules)
    if thing.house is None:
        terms = Advantage(Fraction(1), dict([thing.gift]), 1) if thing.gift else None
        measured = measure_ratio(rules, thing.ratio or (2, 1), battles, SEED, hands, advantage=terms)
        return 100 * (measured.share - 0.5), 50 * (measured.high - measured.low)
    share, width = share_of_first(rules, thing.house, battles, hands)
    if not thing.house:
        return 100 * (share - 0.5), 100 * width
    usual, usual_width = usual_share(rules, battles, hands)
    return 100 * (share - usual), 100 * hypot(width, usual_width)


def usual_share(rules: RuleSet, battles: int, hands: tuple[Executor, int]) -> tuple[float, float]:
    """Return the same with the default house rules."""
    if (rules.key, battles) not in USUAL:
        USUAL[rules.key, battles] = share_of_first(rules, {}, battles, hands)
    return USUAL[rules.key, battles]


USUAL: dict[tuple[str, int], tuple[float, float]] = {}


def share_of_first(
    rules: RuleSet, house: Mapping[str, object], battles: int, hands: tuple[Executor, int]
) -> tuple[float, float]:
    """Return the share of the side that moves first, and half its 95 % interval."""
    word = next(iter(rules.lots))
    first = "s1" if rules.key == "field-of-honour" else "s0"  # the side that does not deal is asked first
    table = bare_battle(rules.key, ["s0", "s1"]) | {"seed": SEED, "house": {word: "s0", **house}}
    sample = Sample(table, "", *hands, "worth")
    sample.up_to(battles)
    share = sample.counted.points[int(first[1])] / (WHOLE * battles)
    low, high = wilson_bounds(share, battles)
    return share, (high - low) / 2


def read_rows(path: Path) -> dict[tuple[str, str, str], list[str]]:
    """Return the rows of the file, by rule set, kind and name."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {(row[0], row[1], row[2]): row for row in [*csv.reader(file)][1:]}


def write_rows(path: Path, rows: Mapping[tuple[str, str, str], list[str]]) -> None:
    """Write the rows in the order of the rule sets."""
    order = [thing[:3] for key in RULE_SETS for thing in things_of(find(key))]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows[each] for each in order if each in rows)


def main(path: Path, wanted: list[str], battles: int) -> None:
    """Measure what is missing, and estimate the time that is left."""
    print(build_form())
    rows = read_rows(path)
    missing = [thing for key in wanted for thing in things_of(find(key)) if thing[:3] not in rows]
    began = monotonic()
    with workforce(1) as hands:
        for number, thing in enumerate(missing):
            points, width = measure(thing, battles, hands)
            rows[thing[:3]] = [*thing[:3], f"{points:.1f}", f"{width:.1f}", str(battles)]
            write_rows(path, rows)
            spent = monotonic() - began
            left = spent / (number + 1) * (len(missing) - number - 1)
            print(
                f"{thing.rules:16} {thing.name:24} {points:+6.1f} +- {width:.1f}  {left:4.0f} s left",
                flush=True,
            )


def guide_table() -> list[str]:
    """Return the table of the guide: for each rule set, what everything is worth."""
    lines = [
        "| rule set | strength | rank | side option | first move | house rule |",
        "|---|---|---|---|---|---|",
    ]
    for key in RULE_SETS:
        cells = [", ".join(map(str, worths_of(key, kind))) or "-" for kind in KINDS]
        cells[3] = cells[3].removeprefix("first move ")
        lines.append(f"| {find(key).name} | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    name = sys.argv[2] if len(sys.argv) > 2 else "all"
    number = int(sys.argv[3]) if len(sys.argv) > 3 else BATTLES
    main(Path(sys.argv[1]), list(RULE_SETS) if name == "all" else [name], number)
    print(*guide_table(), sep="\n")
