"""Measure Warmonger: `python -m tests.benchmarks.warmonger [BATTLES]`.

Prints how fast it runs in processor time, and for two to six sides how long battles take, who
wins by seat from the left of the dealer, and how many end by armistice.
"""

from __future__ import annotations

import sys
from time import process_time

from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.ruleset import Setup
from cardbattle.rules.warmonger import RULES
from cardbattle.rules.warmonger.battle import Warmonger
from cardbattle.rules.warmonger.state import ARMISTICE
from cardbattle.testing.setting_up import complete, plain_setup

COPIES = 20_000
SIDES = range(2, 7)


def begun(setup: Setup, seed: int) -> Warmonger:
    """Return a battle at its first question, dealt from this seed."""
    battle = RULES.start(complete(RULES, setup, seed), Drawn(stream(seed, "battle")))
    assert isinstance(battle, Warmonger)
    battle.run()
    return battle


def random_battles(battles: int, sides: int = 4, cards: str = "ours") -> tuple[list[Warmonger], int, float]:
    """Return battles fought by random choices, the decisions made in all, and the seconds it took."""
    chance = stream(1, "bench")
    setup = plain_setup(RULES, sides)
    setup.house["cards"] = cards
    setup.house["superpower"] = setup.seats[0]
    fought, decisions, seconds = [], 0, 0.0
    for seed in range(battles):
        battle = begun(setup, seed)
        start = process_time()
        while battle.side != NOBODY:
            battle.choose(chance.below(len(battle.options)))
            decisions += 1
        seconds += process_time() - start
        fought.append(battle)
    return fought, decisions, seconds


def mid_battle() -> Warmonger:
    """Return a battle of four sides after fifteen Skirmishes."""
    chance = stream(1, "bench")
    battle = begun(plain_setup(RULES, 4), 1)
    while battle.skirmish < 15:
        battle.choose(chance.below(len(battle.options)))
    return battle


def regular_battles(battles: int) -> float:
    """Return the milliseconds of a battle of four regular commanders."""
    chance = stream(1, "bench")
    setup = plain_setup(RULES, 4)
    seconds = 0.0
    for seed in range(battles):
        battle = begun(setup, seed)
        start = process_time()
        while battle.side != NOBODY:
            battle.choose(RULES.regular(battle.view(battle.side), chance))
        seconds += process_time() - start
    return seconds / battles * 1e3


def speed(battles: int) -> None:
    """Print how fast it runs."""
    _, decisions, seconds = random_battles(battles)
    print(f"random games/s      {battles / seconds:10,.0f}")
    print(f"decisions/s         {decisions / seconds:10,.0f}")
    battle = mid_battle()
    start = process_time()
    for _ in range(COPIES):
        battle.copy()
    print(f"copy, microseconds  {(process_time() - start) / COPIES * 1e6:10.2f}")
    chance = stream(1, "redeal")
    start = process_time()
    for _ in range(COPIES // 10):
        battle.redeal(0, chance)
    print(f"redeal, microseconds{(process_time() - start) / COPIES * 1e7:10.2f}")
    start = process_time()
    for _ in range(COPIES // 10):
        battle.view(0)
    print(f"view, microseconds  {(process_time() - start) / COPIES * 1e7:10.2f}")
    print(f"regular, ms a battle{regular_battles(max(10, battles // 10)):10.2f}")


def lengths(battles: int, sides: int, cards: str) -> str:
    """Return a line about random battles of so many sides."""
    fought, _, _ = random_battles(battles, sides, cards)
    skirmishes = sorted(battle.skirmish for battle in fought)
    median, late = skirmishes[battles // 2], skirmishes[battles * 99 // 100]
    wins = [sum(battle.outcome().winners == [seat] for battle in fought) for seat in range(sides)]
    shares = " ".join(f"{count / battles:6.1%}" for count in wins)
    long = sum(battle.skirmish == ARMISTICE for battle in fought)
    return f"{sides} {cards:4} {median:6} {late:6} {skirmishes[-1]:6} {long / battles:8.1%}   {shares}"


def main(battles: int) -> None:
    """Print the figures."""
    speed(battles)
    print("\nrandom battles; the first seat holds the Superpower card first")
    print("sides cards median 99% longest armistices   wins by seat")
    for cards in ("ours", "none"):
        for sides in SIDES:
            print(lengths(battles, sides, cards), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
