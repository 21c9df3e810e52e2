"""Compare the chances in a battle for several ranks of commanders, or for several presets of house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import NamedTuple

from cardbattle.battles.records.battle_file import read_battle, with_commanders
from cardbattle.core.errors import UsageError
from cardbattle.core.options import PRESET, presets_of
from cardbattle.files.reader import table_or_empty
from cardbattle.simulation.counting import Count
from cardbattle.simulation.intervals import Interval
from cardbattle.simulation.odds import Odds, OddsStop, count_odds

COMPARED = ("regular", "seasoned", "veteran")
DEFAULT = "default"  # key of the odds without a preset


class Gap(NamedTuple):
    """The two ranks for which the shares of won battles of the side at `seat` differ most."""

    seat: int
    low_rank: str
    low: Interval
    high_rank: str
    high: Interval

    @property
    def share(self) -> float:
        """The share of battles won with the high rank, minus the share with the low rank, from 0 to 1."""
        return self.high.share - self.low.share

    @property
    def may_be_chance(self) -> bool:
        """True if the intervals of the two shares overlap, so that the difference can be due to chance."""
        return self.low.high >= self.high.low


def count_by_rank(
    table: Mapping[str, object],
    base: str,
    stop: OddsStop,
    executor: Executor,
    workers: int = 1,
    report_progress: Callable[[Count, int], None] = lambda counted, of: None,
) -> dict[str, Odds]:
    """Count the chances in a battle for each rank in COMPARED. All sides have commanders of this rank.

    The arguments are the same as for `count_odds`. If the user presses Ctrl-C, the results for the ranks that
    are complete are returned.
    """
    sides = table.get("sides")
    keys = [*sides] if isinstance(sides, dict) else []
    ranked = {rank: with_commanders({**table}, [f"{key}={rank}" for key in keys]) for rank in COMPARED}
    return count_each(ranked, base, stop, executor, workers, report_progress)


def count_by_preset(
    table: Mapping[str, object],
    base: str,
    stop: OddsStop,
    executor: Executor,
    workers: int = 1,
    report_progress: Callable[[Count, int], None] = lambda counted, of: None,
) -> dict[str, Odds]:
    """Count the chances in a battle without a preset, and with each preset that changes its house rules.

    House rules that the battle itself sets keep their values. In the result, the odds without a preset have
    the key DEFAULT. The arguments are the same as for `count_odds`. If the user presses Ctrl-C, the results
    for the presets that are complete are returned. Raises UsageError if the rule set has no presets.
    """
    plan = read_battle(table, base)
    presets = presets_of(plan.rules.house)
    if not presets:
        raise UsageError(f"{plan.rules.name} has no presets")
    house = table_or_empty(table.get("house"))
    tables: dict[str, Mapping[str, object]] = {DEFAULT: table}
    for name in presets:
        by_preset = {**table, "house": {**house, PRESET: name}}
        if read_battle(by_preset, base).setup.house != plan.setup.house:
            tables[name] = by_preset
    return count_each(tables, base, stop, executor, workers, report_progress)


def count_each(
    tables: Mapping[str, Mapping[str, object]],
    base: str,
    stop: OddsStop,
    executor: Executor,
    workers: int,
    report_progress: Callable[[Count, int], None],
) -> dict[str, Odds]:
    """Count the chances in several battles.

    If the user presses Ctrl-C, the results for the battles that are complete are returned.
    """
    odds: dict[str, Odds] = {}
    for name, table in tables.items():
        try:
            odds[name] = count_odds(table, base, stop, executor, workers, report_progress)
        except KeyboardInterrupt:
            if not odds:
                raise
            break
        if odds[name].stopped == "interrupted":
            break
    return odds


def greatest_gap(by_rank: Mapping[str, Odds]) -> Gap:
    """Find the two ranks for which a side's shares of battles that it won alone differ most.

    If several differences are equal, the function returns the first of them. `by_rank` must have at least one
    rank.
    """
    gaps = []
    for seat in range(len(next(iter(by_rank.values())).seats)):
        won = {rank: odds.won(seat) for rank, odds in by_rank.items()}
        low, high = (pick(won, key=lambda rank: won[rank].share) for pick in (min, max))
        gaps.append(Gap(seat, low, won[low], high, won[high]))
    return max(gaps, key=lambda gap: gap.share)
