"""Measure how fast Wargame runs: `python tests/benchmarks/wargame.py [GAMES]`."""

from __future__ import annotations

import sys
from time import perf_counter

from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Fate, stream
from cardbattle.rules.wargame import tactics
from cardbattle.rules.wargame.battle import FULL_ARMY, Wargame

COPIES = 20_000


def begun() -> Wargame:
    """Return a battle at its first question."""
    battle = Wargame()
    battle.begin([FULL_ARMY, FULL_ARMY], Fate())
    battle.run()
    return battle


def random_games(games: int) -> tuple[float, float]:
    """Return random games and decisions per second."""
    chance = stream(1, "bench")
    decisions = 0
    start = perf_counter()
    for _ in range(games):
        battle = begun()
        while battle.side != NOBODY:
            battle.choose(chance.below(len(battle.options)))
            decisions += 1
    seconds = perf_counter() - start
    return games / seconds, decisions / seconds


def regular_games(games: int) -> float:
    """Return the milliseconds of a game between two regular commanders."""
    chance = stream(1, "bench")
    start = perf_counter()
    for _ in range(games):
        battle = begun()
        while battle.side != NOBODY:
            battle.choose(tactics.decide(battle.view(battle.side), chance))
    return (perf_counter() - start) / games * 1e3


def mid_battle() -> Wargame:
    """Return a battle after a few attacks."""
    chance = stream(1, "bench")
    battle = begun()
    while sum(battle.won) < 4:
        battle.choose(chance.below(len(battle.options)))
    return battle


def main(games: int) -> None:
    """Print the figures."""
    per_second, decisions = random_games(games)
    print(f"random games/s      {per_second:10,.0f}")
    print(f"decisions/s         {decisions:10,.0f}")
    battle = mid_battle()
    start = perf_counter()
    for _ in range(COPIES):
        battle.copy()
    print(f"copy, microseconds  {(perf_counter() - start) / COPIES * 1e6:10.2f}")
    chance = stream(1, "redeal")
    start = perf_counter()
    for _ in range(COPIES):
        battle.redeal(0, chance)
    print(f"redeal, microseconds{(perf_counter() - start) / COPIES * 1e6:10.2f}")
    print(f"regular, ms a game  {regular_games(games // 10):10.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
