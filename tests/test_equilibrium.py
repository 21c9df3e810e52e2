"""How near the thinkers come to the exact equilibrium of small duels of Strategy WAR."""

from __future__ import annotations

import pytest

from cardbattle.core.battle import UNKNOWN
from cardbattle.core.chance import Fate, stream
from cardbattle.rules.strategy_war.battle import FULL_HAND, MOST_ROUNDS, SHARED, StrategyWar
from cardbattle.rules.strategy_war.solver import WON, worths
from tests.equilibrium import (
    RULES,
    Equilibrium,
    duel,
    elite,
    elite_exploitability,
    exploitability,
    green,
    key_of,
    points,
    regular,
    share,
)
from tests.whole_duels import Duels


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
    assert exploitability([11, 12, 13, 14], green) == pytest.approx(3 / 16)


def test_a_regular_can_be_reckoned_with() -> None:
    """Whoever knows their habits wins nine of ten battles with four cards."""
    assert exploitability([11, 12, 13, 14], regular) == pytest.approx(0.411935, abs=1e-6)


def test_elite_cannot_be_exploited_with_few_cards() -> None:
    """But for a rounded millionth here and there."""
    assert exploitability([12, 13, 14], elite) == pytest.approx(0, abs=1e-5)
    assert exploitability([11, 12, 13, 14], elite) == pytest.approx(0, abs=1e-5)


def test_elite_can_hardly_be_exploited_with_seven_cards() -> None:
    """A point of a hundred, where the first round is drawn by an estimate and the rest is known."""
    assert elite_exploitability([2, 3, 4, 5, 6, 7, 8]) == pytest.approx(0.0097, abs=0.0005)


@pytest.mark.heavy
def test_elite_can_be_exploited_a_little_with_eight_cards() -> None:
    """Where two rounds are drawn by an estimate."""
    assert elite_exploitability([2, 3, 4, 5, 6, 7, 8, 9]) == pytest.approx(0.0254, abs=0.0005)


def test_six_cards_are_solved_as_whole_duels_are() -> None:
    """Once each has played one of seven cards: the same worth, found by another way."""
    whole = Duels([2, 3, 5, 8, 9, 13, 14], is_for_victory=True)
    whole.solve()
    for mine, theirs in [(13, 9), (2, 14), (8, 8), (3, 2)]:
        battle = duel(whole.deck)
        for card in (mine, theirs):
            battle.choose(battle.options.index(card))
        hands, lead = battle.hands, battle.scores[0] - battle.scores[1]
        found = whole.worth(hands[0], hands[1], lead, battle.carry)
        assert worths(battle)[0] / WON == pytest.approx(found, abs=2e-6)


def test_the_best_card_is_worth_what_best_play_makes_of_the_battle() -> None:
    """And the others no more, against an enemy who draws theirs as best play does."""
    worths_of_five = RULES.option_worths(duel([10, 11, 12, 13, 14]))
    assert max(worths_of_five) == WON // 2
    assert worths_of_five[-1] == pytest.approx(0.423319 * WON, abs=2)
    assert RULES.option_worths(duel([8, 9, 10, 11, 12, 13, 14])) == []


@pytest.mark.heavy
@pytest.mark.parametrize("pack", [FULL_HAND, [5, 5, 6, 6, 6, 7, 7, 8]], ids=["all ranks", "equal cards"])
def test_the_solver_agrees_with_linear_programming(pack: list[int]) -> None:
    """Ends with unequal hands, a lead and a pot that waits: the same worth."""
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
        assert worths(battle)[0] / WON == pytest.approx(exact.value(battle), abs=2e-6)


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


@pytest.mark.heavy
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
    assert RULES.best_play(duel([9, 10, 11, 12, 13, 14])) == [WON // 2, WON // 2]
    assert not RULES.best_play(duel([8, 9, 10, 11, 12, 13, 14]))
    assert RULES.solution(duel([8, 9, 10, 11, 12, 13, 14]))
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
