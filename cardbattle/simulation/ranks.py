"""Compare the chances of a battle with commanders of several ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import NamedTuple

from cardbattle.battles.records.battle_file import with_commanders
from cardbattle.simulation.counting import Count
from cardbattle.simulation.intervals import Interval
from cardbattle.simulation.odds import Odds, OddsStop, count_odds

COMPARED = ("regular", "seasoned", "veteran")


class Gap(NamedTuple):
    """The two ranks between which a side's share of victories differs most; `seat` is the side."""

    seat: int
    low_rank: str
    low: Interval
    high_rank: str
    high: Interval

    @property
    def share(self) -> float:
        """The difference, 0 to 1."""
        return self.high.share - self.low.share

    @property
    def may_be_chance(self) -> bool:
        """Whether the two intervals overlap, so that the rank possibly does not matter."""
        return self.low.high >= self.high.low


def count_by_rank(
    table: Mapping[str, object],
    base: str,
    stop: OddsStop,
    executor: Executor,
    workers: int = 1,
    report_progress: Callable[[Count, int], None] = lambda counted, of: None,
) -> dict[str, Odds]:
    """Count a battle's chances once for each of COMPARED, with every side commanded by that rank.

    Works like `count_odds` otherwise; Ctrl-C keeps the ranks counted so far.
    """
    sides = table.get("sides")
    keys = [*sides] if isinstance(sides, dict) else []
    odds_by_rank: dict[str, Odds] = {}
    for rank in COMPARED:
        ranked = with_commanders({**table}, [f"{key}={rank}" for key in keys])
        try:
            odds_by_rank[rank] = count_odds(ranked, base, stop, executor, workers, report_progress)
        except KeyboardInterrupt:
            if not odds_by_rank:
                raise
            break
        if odds_by_rank[rank].stopped == "interrupted":
            break
    return odds_by_rank


def greatest_gap(by_rank: Mapping[str, Odds]) -> Gap:
    """Return the side, and the two ranks, between which its share of battles won alone differs most.

    Of equals, it is the first. Needs at least one rank.
    """
    gaps = []
    for seat in range(len(next(iter(by_rank.values())).seats)):
        won = {rank: odds.won(seat) for rank, odds in by_rank.items()}
        low, high = (pick(won, key=lambda rank: won[rank].share) for pick in (min, max))
        gaps.append(Gap(seat, low, won[low], high, won[high]))
    return max(gaps, key=lambda gap: gap.share)
