"""Measure what the time of a battle goes into: `python -m tests.benchmarks.parts`.

For each rule set a battle between regular commanders, fought silently as the odds do: the whole, and
how much of it are the streams, the deal, the glances that commanders are given, their thinking, and
the collector of garbage. The rest is the battle itself.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from time import process_time

from cardbattle.battles.records.battle_file import BattlePlan, bare_battle, read_battle
from cardbattle.battles.resolve import deal, fought, make_commanders, streams_of
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Drawn
from cardbattle.core.referee import Referee
from cardbattle.rules import RULE_SETS

ROUNDS = 5
SECONDS = 0.05


def seconds(play: Callable[[], object]) -> float:
    """Return the least time that a call takes, over some rounds."""
    best = 1e9
    for _ in range(ROUNDS):
        began, times = process_time(), 0
        while process_time() - began < SECONDS or not times:
            play()
            times += 1
        best = min(best, (process_time() - began) / times)
    return best


def silent(plan: BattlePlan) -> None:
    """Fight the battle as the odds do."""
    fought(plan, streams_of(plan), listen=False)


def without_garbage(plan: BattlePlan) -> float:
    """Return how long a battle takes while nothing is collected."""
    gc.disable()
    try:
        return seconds(partial(silent, plan))
    finally:
        gc.enable()


def decisions(plan: BattlePlan) -> tuple[int, float, float]:
    """Return how many decisions a battle has, and the time of all views and of all thinking."""
    streams = streams_of(plan)
    referee = Referee(plan.rules, deal(plan, streams), Drawn(streams.battle), False)
    leaders = make_commanders(plan, streams)
    battle = referee.battle
    made, views, thoughts = 0, 0.0, 0.0
    while battle.side != NOBODY:
        view = battle.fast_view(battle.side)
        views += quick(partial(battle.fast_view, battle.side))
        thoughts += quick(partial(plan.rules.regular, view, streams.lot))
        referee.choose(leaders[battle.side].answer(referee.seat))
        made += 1
    return made, views, thoughts


def quick(play: Callable[[], object], times: int = 30) -> float:
    """Return the least time of a short call."""
    best = 1e9
    for _ in range(3):
        began = process_time()
        for _ in range(times):
            play()
        best = min(best, (process_time() - began) / times)
    return best


def main() -> None:
    """Print a table."""
    print("| rule set | a battle | decisions | streams | deal | glances | thinking | garbage |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for rules in RULE_SETS:
        plan = read_battle(bare_battle(rules, []) | {"seed": 1}, "")
        whole = seconds(partial(silent, plan))
        dealt = seconds(partial(deal, plan, streams_of(plan)))
        made, views, thoughts = decisions(plan)
        parts = [seconds(partial(streams_of, plan)), dealt, views, thoughts, whole - without_garbage(plan)]
        shares = " | ".join(f"{max(0, round(100 * part / whole))} %" for part in parts)
        print(f"| {rules} | {whole * 1e6:,.0f} us | {made} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
