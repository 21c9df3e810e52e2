"""The exact equilibrium of small duels of Strategy WAR, and how far a strategy can be exploited.

`python -m tests.support.equilibrium green 7` prints by how much the best answer to green commanders is better
than its due with seven cards, the lowest ranks, then the highest; likewise for a regular, and, by twenty
answers in each position, a veteran. `research.whole_duels` does it with more cards.

Backward induction over all positions; the matrix game of each round is solved by linear
programming. Values are the first seat's share of the battle, 1 won, 0 lost, 1/2 shared, or its points.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from scipy.optimize import linprog

from cardbattle.commanders import make_commander
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Chance, RandomSource, stream
from cardbattle.rules import find
from cardbattle.rules.strategy_war import tactics
from cardbattle.rules.strategy_war.battle import StrategyWar, distinct
from tests.commanders.test_search import seat_of

Key = tuple[tuple[int, ...], tuple[int, ...], int, int]
Policy = Callable[[StrategyWar, int], list[float]]  # likelihood of each option of a seat

RULES = find("strategy-war")


def duel(hand: list[int]) -> StrategyWar:
    """Return a duel of two equal hands at its first question."""
    battle = StrategyWar()
    battle.begin([hand, hand], RandomSource(), rounds=len(hand))
    battle.run()
    return battle


def key_of(battle: StrategyWar) -> Key:
    """Return all that bears on how a duel goes on."""
    lead = battle.scores[0] - battle.scores[1]
    return tuple(battle.hands[0]), tuple(battle.hands[1]), lead, battle.carry


def after(battle: StrategyWar, mine: int, theirs: int) -> StrategyWar:
    """Return the duel once both have chosen."""
    new = battle.copy()
    new.choose(mine)
    new.choose(theirs)
    return new


def share(battle: StrategyWar) -> float:
    """Return the first seat's share of a battle that is over."""
    winners = battle.outcome().winners
    return 0.5 if len(winners) == 2 else float(winners == [0])


def points(battle: StrategyWar) -> float:
    """Return by how many points the first seat is ahead."""
    return battle.scores[0] - battle.scores[1]


class Equilibrium:
    """Values and equilibrium strategies of every position met, by what a battle that is over is worth."""

    def __init__(self, worth: Callable[[StrategyWar], float] = share) -> None:
        self.worth = worth
        self.values: dict[Key, float] = {}
        self.mixes: dict[Key, list[float]] = {}

    def value(self, battle: StrategyWar) -> float:
        """Return what the duel is worth to the first seat if both play perfectly."""
        if battle.side == NOBODY:
            return self.worth(battle)
        key = key_of(battle)
        if key not in self.values:
            mine, theirs = [distinct(hand) for hand in battle.hands]
            matrix = [
                [self.value(after(battle, row, column)) for column in range(len(theirs))]
                for row in range(len(mine))
            ]
            self.values[key], self.mixes[key] = solved(matrix)
        return self.values[key]


def solved(matrix: list[list[float]]) -> tuple[float, list[float]]:
    """Return the value of a matrix game to the row player, and their equilibrium strategy."""
    rows, columns = len(matrix), len(matrix[0])
    found = linprog(
        [0.0] * rows + [-1.0],
        A_ub=[[-matrix[row][column] for row in range(rows)] + [1.0] for column in range(columns)],
        b_ub=[0.0] * columns,
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * rows + [(None, None)],
    )
    return float(-found.fun), [float(part) for part in found.x[:rows]]


class Exploiter:
    """The best answer to a strategy that the first seat follows."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.values: dict[Key, float] = {}

    def value(self, battle: StrategyWar) -> float:
        """Return what is left of the duel for the first seat."""
        if battle.side == NOBODY:
            return share(battle)
        key = key_of(battle)
        if key not in self.values:
            mix = self.policy(battle, 0)
            self.values[key] = min(
                sum(part * self.value(after(battle, row, column)) for row, part in enumerate(mix) if part > 0)
                for column in range(len(distinct(battle.hands[1])))
            )
        return self.values[key]


class Lots(Chance):
    """A source of predetermined numbers, and of 0 after them. `ways` has the number of possible results."""

    def __init__(self, told: list[int]) -> None:
        super().__init__(0, 0, 0, 1)
        self.told = told
        self.ways: list[int] = []

    def below(self, n: int) -> int:
        """Return the next predetermined number, or 0 if none is left."""
        self.ways.append(n)
        return self.told[len(self.ways) - 1] if len(self.ways) <= len(self.told) else 0


def regular(battle: StrategyWar, seat: int, told: tuple[int, ...] = ()) -> list[float]:
    """Return how likely a regular commander is to take each option, by every way the lots can fall."""
    lots = Lots(list(told))
    choice = tactics.commit(battle.view(seat), lots)
    if len(lots.ways) == len(told):
        return [float(option == choice) for option in range(len(battle.options))]
    ways = lots.ways[len(told)]
    parts = [regular(battle, seat, (*told, way)) for way in range(ways)]
    return [sum(each) / ways for each in zip(*parts, strict=True)]


def green(battle: StrategyWar, seat: int) -> list[float]:
    """Return how likely a green commander is to take each option."""
    return [1 / len(battle.options)] * len(battle.options)


def veteran(battle: StrategyWar, seat: int, answers: int = 20) -> list[float]:
    """Return how often a veteran commander takes each option in `answers` answers with different seeds."""
    taken = [0.0] * len(battle.options)
    for seed in range(answers):
        commander = make_commander("veteran", RULES, stream(seed, "side"))
        taken[commander.answer(seat_of(battle.copy(), RULES))] += 1 / answers
    return taken


def exploitability(hand: list[int], policy: Policy) -> float:
    """Return the share of the battle that the best answer to this strategy takes beyond its due."""
    return 0.5 - Exploiter(policy).value(duel(hand))


def main(rank: str, cards: int) -> None:
    """Print how far a rank can be exploited in the duel of the lowest and of the highest cards."""
    for hand in (list(range(2, 2 + cards)), list(range(15 - cards, 15))):
        found = exploitability(hand, {"green": green, "regular": regular, "veteran": veteran}[rank])
        print(f"{rank}, {cards} cards from {hand[0]} to {hand[-1]}: {100 * found:.2f} points of a hundred")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
