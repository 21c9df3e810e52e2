"""Measure Strategy WAR beside open_spiel's goofspiel: `python tests/benchmarks/strategy_war.py [GAMES]`.

Goofspiel is the nearest game there: thirteen cards a side, one committed by all at once in every
round. It is played in its two usual forms, with the prizes turned up at random and in descending
order, from Python, by the same source of random choices. Both take turns, processor time counts,
and of that the least, so that whatever else the machine does bears on neither.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import random
from time import process_time

import pyspiel

from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Chance, RandomSource, stream
from cardbattle.rules.strategy_war import tactics
from cardbattle.rules.strategy_war.battle import FULL_HAND, StrategyWar

REPEATS = 20
ORDERS = ["random", "descending"]


class Quick:
    """A source of choices that costs next to nothing, from Python."""

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return int(random() * n)


def begun(sides: int, dark: bool = False) -> StrategyWar:
    """Return a battle at its first question."""
    battle = StrategyWar()
    battle.begin([FULL_HAND] * sides, RandomSource(), dark=dark)
    battle.run()
    return battle


def random_battle(sides: int, chance: Chance) -> None:
    """Fight a battle of random choices."""
    battle = begun(sides)
    while battle.side != NOBODY:
        battle.choose(chance.below(len(battle.options)))


def regular_battle(sides: int, chance: Chance) -> None:
    """Fight a battle among regular commanders."""
    battle = begun(sides)
    while battle.side != NOBODY:
        battle.choose(tactics.commit(battle.view(battle.side), chance))


def random_goofspiel(game: pyspiel.Game, sides: int, chance: Chance | Quick) -> None:
    """Play a game of goofspiel with random choices."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_simultaneous_node():
            actions = []
            for side in range(sides):
                legal = state.legal_actions(side)
                actions.append(legal[chance.below(len(legal))])
            state.apply_actions(actions)
        else:
            legal = state.legal_actions()
            state.apply_action(legal[chance.below(len(legal))])


def seconds(play: Callable[[], object], times: int) -> float:
    """Return how long one of so many calls takes."""
    began = process_time()
    for _ in range(times):
        play()
    return (process_time() - began) / times


def best(plays: list[Callable[[], object]], times: int) -> list[float]:
    """Return the least time of each, as they take turns."""
    rounds = [[seconds(play, times) for play in plays] for _ in range(REPEATS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def compare(sides: int, games: int) -> None:
    """Print random battles a second, and their ratio to both forms of goofspiel."""
    chance = stream(1, "bench")
    rivals = [
        pyspiel.load_game("goofspiel", {"players": sides, "num_cards": 13, "points_order": order})
        for order in ORDERS
    ]
    ours, *theirs = best(
        [
            lambda: random_battle(sides, chance),
            *(lambda rival=rival: random_goofspiel(rival, sides, chance) for rival in rivals),
        ],
        games,
    )
    decision = ours / (13 * sides) * 1e6
    print(f"{sides} sides: {1 / ours:8,.0f} random battles/s, {decision:.2f} microseconds a decision")
    for order, their in zip(ORDERS, theirs, strict=True):
        print(f"    {their / ours:.2f} of goofspiel with prizes {order} ({1 / their:,.0f} games/s)")


def measure(sides: int, games: int) -> None:
    """Print what copies and redeals in the middle of a battle cost, and the regular commander."""
    chance = stream(1, "bench")
    for dark in (False, True):
        battle = begun(sides, dark)
        while battle.round < 7:
            battle.choose(chance.below(len(battle.options)))
        copy, redeal = best([battle.copy, lambda: battle.redeal(0, chance)], games)  # noqa: B023
        mode = "dark" if dark else "open"
        print(f"{sides} sides, {mode}: copy {copy * 1e6:.2f}, redeal {redeal * 1e6:.2f} microseconds")
    (regular,) = best([lambda: regular_battle(sides, chance)], games // 2)
    print(f"{sides} sides: a battle among regulars {regular * 1e6:.0f} microseconds")


def main(games: int) -> None:
    """Print all figures."""
    for sides in (2, 5):
        compare(sides, games)
    for sides in (2, 5):
        measure(sides, games)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
