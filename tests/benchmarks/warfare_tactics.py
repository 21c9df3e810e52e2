"""Measure how fast Warfare Tactics runs: `python tests/benchmarks/warfare_tactics.py [GAMES]`."""

from __future__ import annotations

import sys
from time import perf_counter

from cardbattle.core.battle import NOBODY
from cardbattle.core.cards import standard_pack
from cardbattle.core.chance import Chance, Fate, stream
from cardbattle.rules.warfare_tactics import tactics
from cardbattle.rules.warfare_tactics.battle import HAND, WarfareTactics

COPIES = 20_000


def begun(chance: Chance) -> WarfareTactics:
    """Return a freshly dealt battle at its first question."""
    pack = standard_pack()
    chance.shuffle(pack)
    battle = WarfareTactics()
    battle.begin([pack[:HAND], pack[HAND : 2 * HAND]], [[], []], [pack[2 * HAND :]], Fate(), chance.below(2))
    battle.run()
    return battle


def random_games(games: int) -> tuple[float, float]:
    """Return random games and decisions per second."""
    chance = stream(1, "bench")
    decisions = 0
    start = perf_counter()
    for _ in range(games):
        battle = begun(chance)
        while battle.side != NOBODY:
            battle.choose(chance.below(len(battle.options)))
            decisions += 1
    seconds = perf_counter() - start
    return games / seconds, decisions / seconds


def regular_games(games: int) -> tuple[float, float]:
    """Return the milliseconds and the decisions of a game between two regular commanders."""
    chance = stream(1, "bench")
    decisions = 0
    start = perf_counter()
    for _ in range(games):
        battle = begun(chance)
        while battle.side != NOBODY:
            battle.choose(tactics.decide(battle.view(battle.side), chance))
            decisions += 1
    return (perf_counter() - start) / games * 1e3, decisions / games


def mid_battle() -> WarfareTactics:
    """Return a battle in its fifteenth turn."""
    chance = stream(1, "bench")
    battle = begun(chance)
    while battle.turn < 15:
        battle.choose(chance.below(len(battle.options)))
    return battle


def main(games: int) -> None:
    """Print the figures."""
    per_second, decisions = random_games(games)
    print(f"random games/s       {per_second:10,.0f}")
    print(f"decisions/s          {decisions:10,.0f}")
    battle = mid_battle()
    start = perf_counter()
    for _ in range(COPIES):
        battle.copy()
    print(f"copy, microseconds   {(perf_counter() - start) / COPIES * 1e6:10.2f}")
    chance = stream(1, "redeal")
    start = perf_counter()
    for _ in range(COPIES):
        battle.redeal(0, chance)
    print(f"redeal, microseconds {(perf_counter() - start) / COPIES * 1e6:10.2f}")
    spent, asked = regular_games(games // 10)
    print(f"regular, ms a game   {spent:10.2f}   ({asked:.0f} decisions)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
