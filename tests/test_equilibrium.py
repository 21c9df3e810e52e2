"""How near the thinkers come to the exact equilibrium of small duels of Strategy WAR."""

from __future__ import annotations

import pytest

from cardbattle.commanders.search import Search
from cardbattle.core.battle import Battle
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.referee import Referee
from cardbattle.rules import find
from cardbattle.rules.strategy_war.battle import StrategyWar
from cardbattle.testing import trials
from tests.equilibrium import Equilibrium, Exploiter, Policy, duel, key_of

RULES = find("strategy-war")


def thinking(iterations: int, seeds: int) -> Policy:
    """Return a thinker's strategy, the mean over several streams."""
    referee = Referee(RULES, trials(RULES)[0].setup.copy(), Drawn(stream(1, "battle")))

    def policy(battle: StrategyWar, seat: int) -> list[float]:
        put: Battle = battle
        referee.battle = put
        shares = [0.0] * len(battle.options)
        for seed in range(seeds):
            weights = Search(RULES, stream(seed, "side/p1")).mixed(referee.seat, iterations)
            for index, weight in enumerate(weights):
                shares[index] += weight / sum(weights) / seeds
        return shares

    return policy


def exploitability(hand: list[int], policy: Policy) -> float:
    """Return the share of the battle that the best answer to this strategy takes beyond its due."""
    return 0.5 - Exploiter(policy).value(duel(hand))


def test_equal_hands_are_worth_a_half() -> None:
    """The duel is symmetric, and its equilibrium cannot be exploited."""
    exact = Equilibrium()
    hand = [12, 13, 14]
    assert exact.value(duel(hand)) == pytest.approx(0.5)
    assert exploitability(hand, lambda battle, seat: exact.mixes[key_of(battle)]) == pytest.approx(
        0, abs=1e-6
    )


def test_playing_any_card_is_exploited() -> None:
    """With four cards each the best answer to a random player takes eleven sixteenths."""
    uniform = exploitability(
        [11, 12, 13, 14], lambda battle, seat: [1 / len(battle.options)] * len(battle.options)
    )
    assert uniform == pytest.approx(3 / 16)


def test_thinking_is_exploited_less_than_playing_any_card() -> None:
    """Three cards each, few iterations."""
    hand = [12, 13, 14]
    uniform = exploitability(hand, lambda battle, seat: [1 / len(battle.options)] * len(battle.options))
    assert exploitability(hand, thinking(300, 2)) < 0.7 * uniform


@pytest.mark.heavy
def test_elite_is_hard_to_exploit() -> None:
    """Four cards each, as many iterations as an elite commander has, the mean of four streams."""
    assert exploitability([11, 12, 13, 14], thinking(RULES.iterations["elite"], 4)) < 0.1
