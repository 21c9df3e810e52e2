"""Measure Strategy WAR beside open_spiel's goofspiel: `python -m tests.benchmarks.goofspiel [PYTHON ...]`.

Goofspiel is the most similar game of open_spiel: thirteen cards a side, and in each round all sides play a
card at the same time. It is played from Python with random and with descending prizes, and in C++ by the
rollouts of open_spiel's search. Strategy WAR is measured with this interpreter, and with each PYTHON, the
interpreter of an environment that has a wheel of cardbattle. The ratios are games of Strategy WAR for each
game of goofspiel, in processor time: the minimum of some rounds in which all take turns.

With two or more PYTHON, the first is the current version and the last an earlier one. If a ratio of the
current version is lower, the exit code is 1.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from random import random
from typing import TYPE_CHECKING

from cardbattle import build_form
from cardbattle.core.chance import Chance, stream
from tests.benchmarks.speed import CARDS, head, least, random_strategy_war, row, run_module

if TYPE_CHECKING:
    import pyspiel

SIDES = (2, 5)
ROUNDS = 3
ROLLOUTS = 200
FROM_C = "rollouts in C++, descending prizes"
DECISIONS = {"Strategy WAR": CARDS, "goofspiel": CARDS - 1}  # per side: goofspiel plays last cards itself


class Quick:
    """Random choices that cost almost nothing, from Python."""

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return int(random() * n)


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


def goofspiel(sides: int) -> dict[str, float]:
    """Return the seconds of a random game of goofspiel, by the name of the game."""
    import pyspiel  # an optional dependency, which the measured environments need not have

    chance = stream(1, "bench")
    plays: dict[str, Callable[[], object]] = {}
    for order in ("random", "descending"):
        game = pyspiel.load_game("goofspiel", {"players": sides, "num_cards": CARDS, "points_order": order})
        plays[f"from Python, {order} prizes"] = partial(random_goofspiel, game, sides, chance)
        by_random = partial(random_goofspiel, game, sides, Quick())
        plays[f"the same, choices by `random()`, {order} prizes"] = by_random
    # Rollouts begin at a decision, so the prizes must not depend on chance. One try is one evaluation.
    turns = pyspiel.convert_to_turn_based(game)
    rollouts = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(turns, rollouts, 2.0, 1, 10, False, 1, False)
    plays[FROM_C] = partial(bot.mcts_search, turns.new_initial_state())
    seconds = least(plays)
    seconds[FROM_C] /= ROLLOUTS
    return seconds


def strategy_war() -> dict[int, float]:
    """Return the seconds of a random battle of Strategy WAR, by the number of sides."""
    chance = stream(1, "bench")
    return {
        sides: least({"battle": partial(random_strategy_war, sides, chance)})["battle"] for sides in SIDES
    }


def strategy_war_of(python: str) -> tuple[str, dict[int, float]]:
    """Return the form of another environment, and the seconds of a random battle by the number of sides."""
    form, seconds = json.loads(run_module(python, "goofspiel", "--battles"))
    return form, {int(sides): each for sides, each in seconds.items()}


def speed(game: str, sides: int, seconds: float) -> tuple[str, str]:
    """Return the games per second and the nanoseconds per decision, as the table has them."""
    return f"{1 / seconds:,.0f}", f"{seconds / (sides * DECISIONS[game]) * 1e9:,.0f}"


def main(pythons: list[str]) -> int:
    """Print the table; return the exit code."""
    games: dict[tuple[int, str], float] = {}
    battles: dict[tuple[str, int], float] = {}
    names = {"": build_form()}
    for _ in range(ROUNDS):
        for sides in SIDES:
            for game, seconds in goofspiel(sides).items():
                games[sides, game] = min(seconds, games.get((sides, game), seconds))
        measured = {"": (build_form(), strategy_war())} | {each: strategy_war_of(each) for each in pythons}
        for python, (form, each) in measured.items():
            names[python] = f"{form} {python}".strip()
            for sides, seconds in each.items():
                battles[python, sides] = min(seconds, battles.get((python, sides), seconds))
    head("sides", "game", "games/s", "ns per decision", *(f"Strategy WAR {name}" for name in names.values()))
    is_slower = False
    for (sides, game), seconds in games.items():
        ratios = [seconds / battles[python, sides] for python in names]
        is_slower |= len(pythons) > 1 and ratios[1] < ratios[-1]
        row(
            str(sides),
            f"goofspiel {game}",
            *speed("goofspiel", sides, seconds),
            *(f"{ratio:.1f} times" for ratio in ratios),
        )
    for (python, sides), seconds in battles.items():
        figures = speed("Strategy WAR", sides, seconds)
        row(str(sides), f"Strategy WAR {names[python]}", *figures, *("" for _ in names))
    return int(is_slower)


if __name__ == "__main__":
    if "--battles" in sys.argv:
        print(json.dumps([build_form(), strategy_war()]))
    else:
        sys.exit(main(sys.argv[1:]))
