"""Measure the pages of battles: `python -m tests.benchmarks.pages [BATTLES]`.

For each rule set, with two sides and with as many as it allows up to four: the largest page of so many
battles between regular commanders as HTML, with the replay, in kB, and its number of steps. A page should
have at most 120.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.telling import TALE
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.document import BattleReport, Document
from cardbattle.show.replay import replay_of
from cardbattle.show.writers.html import to_html

BATTLES = 20


class PageSize(NamedTuple):
    """The size of a page in bytes, its number of steps and the seed of its battle."""

    size: int
    steps: int
    seed: int


def page_size(rules: str, sides: int, seed: int) -> PageSize:
    """Fight a battle and return the size of its page."""
    names = {f"side{n}": {"name": f"Regiment {n}"} for n in range(1, sides + 1)}
    plan = read_battle({"format": 1, "id": "b", "rules": rules, "seed": seed, "sides": names})
    record, referee = fight_battle(plan)
    report = report_of(record, referee, None)
    replay = replay_of(record, report)
    page = to_html(Document("b", [BattleReport(report, TALE, replay=lambda: replay)], {}))
    return PageSize(len(page.encode()), len(replay.steps), seed)


def main() -> None:
    """Print the largest page of each rule set."""
    battles = int(sys.argv[1]) if len(sys.argv) > 1 else BATTLES
    for key in RULE_SETS:
        rules = find(key)
        for sides in sorted({2, min(4, rules.most)}):
            sizes = [page_size(key, sides, seed) for seed in range(battles)]
            largest = max(sizes)
            over = sum(size.size > 120_000 for size in sizes)
            print(
                f"{key}, {sides} sides: {largest.size / 1000:.0f} kB with {largest.steps} steps"
                f" (seed {largest.seed}), {over} of {battles} above 120 kB"
            )


if __name__ == "__main__":
    main()
