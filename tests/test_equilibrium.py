"""How near the thinkers come to the exact equilibrium of small duels of Strategy WAR."""

from __future__ import annotations

import pytest

from cardbattle.commanders.search import Search
from cardbattle.core.battle import UNKNOWN
from cardbattle.core.chance import Fate, stream
from cardbattle.rules import find
from cardbattle.rules.strategy_war.battle import FULL_HAND, MOST_ROUNDS, SHARED, StrategyWar
from cardbattle.rules.strategy_war.solver import WON, Ends
from tests.equilibrium import Equilibrium, Exploiter, Policy, duel, key_of, points, share
from tests.test_search import seat_of
from tests.whole_duels import Duels

RULES = find("strategy-war")


def elite(battle: StrategyWar, seat: int) -> list[float]:
    """Return the strategy of an elite commander where they look at all that may follow."""
    weights = RULES.solution(battle)
    return [weight / sum(weights) for weight in weights]


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


def test_elite_can_hardly_be_exploited() -> None:
    """With three and four cards each: less than two points of a hundred."""
    assert exploitability([12, 13, 14], elite) < 0.02
    assert exploitability([11, 12, 13, 14], elite) < 0.02


@pytest.mark.heavy
@pytest.mark.parametrize("pack", [FULL_HAND, [5, 5, 6, 6, 6, 7, 7, 8]], ids=["all ranks", "equal cards"])
def test_the_solver_agrees_with_linear_programming(pack: list[int]) -> None:
    """Ends with unequal hands, a lead and a pot that waits: the same worth, to three in a thousand."""
    exact = Equilibrium()
    chance = stream("ends", "deal")
    for number in range(30):
        left = 2 + number % 3
        battle = StrategyWar()
        battle.begin([chance.sample(left, pack) for _ in range(2)], Fate(), rounds=left)
        battle.run()
        battle.scores = [chance.below(40), chance.below(40)]
        battle.carry = chance.below(2) * 14
        battle.carried = [battle.carry // 2] * 2
        found = Ends().worth(
            battle.hands[0], battle.hands[1], battle.scores[0] - battle.scores[1], battle.carry, left
        )
        assert found / WON == pytest.approx(exact.value(battle), abs=0.003)


def assert_whole_duel_is_exact(deck: list[int], is_for_victory: bool) -> None:
    """Hold every position that a duel can come to against the one that linear programming finds."""
    exact = Equilibrium(share if is_for_victory else points)
    exact.value(duel(deck))
    whole = Duels(deck, is_for_victory)
    assert whole.solve() == pytest.approx(0.5 if is_for_victory else 0)
    assert whole.gap < 1e-9
    for (mine, theirs, lead, carry), value in exact.values.items():
        assert whole.worth(list(mine), list(theirs), lead, carry) == pytest.approx(value, abs=1e-6)


def test_whole_duels_with_three_cards_agree_with_linear_programming() -> None:
    """Won points as well as the chance to win."""
    assert_whole_duel_is_exact([5, 6, 14], is_for_victory=True)
    assert_whole_duel_is_exact([5, 6, 14], is_for_victory=False)


@pytest.mark.slow
def test_a_whole_duel_with_five_cards_agrees_with_linear_programming() -> None:
    """The chance to win in 1657 positions."""
    assert_whole_duel_is_exact([2, 3, 4, 5, 6], is_for_victory=True)


@pytest.mark.heavy
def test_the_points_of_a_whole_duel_with_five_cards_agree_with_linear_programming() -> None:
    """In as many positions."""
    assert_whole_duel_is_exact([10, 11, 12, 13, 14], is_for_victory=False)


@pytest.mark.parametrize(("cards", "share"), [(4, 11 / 16), (5, 11 / 15), (6, 0.696528), (7, 0.714385)])
def test_the_best_answer_to_any_card_takes_so_much(cards: int, share: float) -> None:
    """The ceiling for whoever plays against a green: a share with draws halved."""
    assert Duels(list(range(2, 2 + cards)), True, is_best_answer=True).solve(keeps=False) == pytest.approx(
        share, abs=1e-6
    )


def test_what_cannot_be_looked_at_is_not_solved() -> None:
    """More cards, more sides, hands that do not last, a tie that is broken, cards nobody wrote down."""
    assert RULES.solution(duel([10, 11, 12, 13, 14]))
    assert not RULES.solution(duel([9, 10, 11, 12, 13, 14]))
    for hands, rounds, tiebreak in (
        ([[2, 3], [2, 3], [2, 3]], 2, SHARED),
        ([[2, 3, 4], [2, 3]], 3, SHARED),
        ([[2, 3], [2, 3]], 2, MOST_ROUNDS),
        ([[2, 3], [UNKNOWN, 3]], 2, SHARED),
    ):
        battle = StrategyWar()
        battle.begin(hands, Fate(), rounds=rounds, tiebreak=tiebreak)
        battle.run()
        assert not RULES.solution(battle)


@pytest.mark.heavy
def test_elite_can_hardly_be_exploited_with_five_cards() -> None:
    """Less than five points of a hundred."""
    assert exploitability([10, 11, 12, 13, 14], elite) < 0.05


@pytest.mark.heavy
def test_elite_can_be_exploited_a_little_with_six_cards() -> None:
    """Less than eight points: the first card is drawn from a table that trusts in habits."""

    def guarding(battle: StrategyWar, seat: int) -> list[float]:
        return elite(battle, seat) if RULES.solution(battle) else guarded(battle)

    assert exploitability([9, 10, 11, 12, 13, 14], guarding) < 0.08


def guarded(battle: StrategyWar, draws: int = 20) -> list[float]:
    """Return how often an elite commander chooses each card, by several of their tables."""
    often = [0.0] * len(battle.options)
    for number in range(draws):
        search = Search(RULES, RULES.seasoned, stream(number, "side"))
        weights = search.mixed_strategy(seat_of(battle.copy(), RULES), RULES.iterations["elite"])
        for index, weight in enumerate(weights):
            often[index] += weight / sum(weights) / draws
    return often
