"""How near the thinkers come to the exact equilibrium of small duels of Strategy WAR."""

from __future__ import annotations

import pytest

from cardbattle import build_form
from cardbattle.core.battle import UNKNOWN
from cardbattle.core.chance import RandomSource, stream
from cardbattle.rules.strategy_war.battle import FULL_HAND, MOST_ROUNDS, SHARED, StrategyWar
from cardbattle.rules.strategy_war.ending import MOST_CARDS
from cardbattle.rules.strategy_war.solver import WON, worths
from research.whole_duels import ANY, COMPILER, POINTS, REGULAR, VICTORY, Deck, Duels, Play
from tests.support.equilibrium import (
    RULES,
    Equilibrium,
    duel,
    exploitability,
    green,
    key_of,
    points,
    regular,
    share,
)

interpreted = pytest.mark.skipif(build_form() == "compiled", reason="replaces a class that is compiled")
compiled = pytest.mark.skipif(not COMPILER, reason="whole duels are solved in C, and there is no compiler")


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
    """A player who knows a regular commander's habits wins nine of ten battles with four cards."""
    assert exploitability([11, 12, 13, 14], regular) == pytest.approx(0.411935, abs=1e-6)


@pytest.mark.slow
@compiled
def test_six_cards_are_solved_as_whole_duels_are() -> None:
    """Once each has played one of seven cards: the same worth, found by another way."""
    whole = Duels([2, 3, 5, 8, 9, 13, 14], VICTORY)
    whole.solve()
    for mine, theirs in [(13, 9), (2, 14), (8, 8), (3, 2)]:
        battle = duel(whole.deck.ranks)
        for card in (mine, theirs):
            battle.choose(battle.options.index(card))
        assert worths(battle)[0] / WON == pytest.approx(worth_now(whole, battle), abs=2e-6)


@pytest.mark.slow
@compiled
def test_the_best_card_of_each_side_is_worth_what_the_whole_duel_says() -> None:
    """Test the side that must answer first, and the other side, which waits for it."""
    whole = Duels([2, 3, 5, 8, 13, 14], VICTORY)
    whole.solve()
    for mine, theirs in [(13, 8), (2, 14), (8, 8)]:
        battle = duel(whole.deck.ranks)
        for card in (mine, theirs):
            battle.choose(battle.options.index(card))
        due = worth_now(whole, battle)
        waiting = battle.copy()
        waiting.choose(0)
        assert max(RULES.option_values(battle)) / WON == pytest.approx(due, abs=5e-6)
        assert max(RULES.option_values(waiting)) / WON == pytest.approx(1 - due, abs=5e-6)


def worth_now(whole: Duels, battle: StrategyWar) -> float:
    """Return what a duel is worth to the first seat."""
    return whole.worth(battle.hands[0], battle.hands[1], battle.scores[0] - battle.scores[1], battle.carry)


@compiled
@pytest.mark.slow
def test_the_first_round_that_is_looked_at_to_the_end_is_exact() -> None:
    """With as many cards as can be, against the whole duel with one card more."""
    whole = Duels(FULL_HAND[3 : MOST_CARDS + 4], VICTORY)
    whole.solve(MOST_CARDS)
    battle = duel(whole.deck.ranks)
    for card in (12, 6):
        battle.choose(battle.options.index(card))
    assert worths(battle)[0] / WON == pytest.approx(worth_now(whole, battle), abs=2e-6)


def test_the_best_card_is_worth_what_best_play_makes_of_the_battle() -> None:
    """And the others no more, against an enemy who draws theirs as best play does."""
    worths_of_five = RULES.option_values(duel([10, 11, 12, 13, 14]))
    assert max(worths_of_five) == WON // 2
    assert worths_of_five[-1] == pytest.approx(0.423319 * WON, abs=2)
    assert RULES.option_values(duel(FULL_HAND[: MOST_CARDS + 1])) == []


@pytest.mark.heavy
@pytest.mark.parametrize("pack", [FULL_HAND, [5, 5, 6, 6, 6, 7, 7, 8]], ids=["all ranks", "equal cards"])
def test_the_solver_agrees_with_linear_programming(pack: list[int]) -> None:
    """Ends with unequal hands, a lead and a pot that waits: the same worth."""
    exact = Equilibrium()
    chance = stream("ends", "deal")
    for number in range(30):
        left = 2 + number % 3
        battle = StrategyWar()
        battle.begin([chance.sample(left, pack) for _ in range(2)], RandomSource(), rounds=left)
        battle.run()
        battle.scores = [chance.below(40), chance.below(40)]
        battle.carry = chance.below(2) * 14
        battle.carried = [battle.carry // 2] * 2
        assert worths(battle)[0] / WON == pytest.approx(exact.value(battle), abs=2e-6)


@pytest.mark.slow
@pytest.mark.parametrize("hands", [([3, 5, 9, 9], [4, 5, 5, 14]), ([2, 7, 8], [3, 7, 7, 9])], ids=str)
def test_an_end_with_cards_too_many_is_solved_as_by_linear_programming(
    hands: tuple[list[int], list[int]],
) -> None:
    """No side has to win a round with a card that can stay in hand, however high it is."""
    battle = StrategyWar()
    battle.begin([*hands], RandomSource(), rounds=2)
    battle.run()
    for lead in (-9, 0, 6, 15):
        battle.scores = [max(0, lead), max(0, -lead)]
        assert worths(battle)[0] / WON == pytest.approx(Equilibrium().value(battle.copy()), abs=2e-6)


def assert_whole_duel_is_exact(deck: list[int], aim: int) -> None:
    """Compare every position that a duel can reach with the solution by linear programming."""
    exact = Equilibrium(share if aim == VICTORY else points)
    exact.value(duel(deck))
    whole = Duels(deck, aim)
    assert whole.solve() == pytest.approx(0.5 if aim == VICTORY else 0)
    assert whole.gap < 1e-8
    for (mine, theirs, lead, carry), value in exact.values.items():
        assert whole.worth(list(mine), list(theirs), lead, carry) == pytest.approx(value, abs=1e-6)


@pytest.mark.slow
@compiled
def test_whole_duels_with_three_cards_agree_with_linear_programming() -> None:
    """Won points as well as the chance to win."""
    assert_whole_duel_is_exact([5, 6, 14], VICTORY)
    assert_whole_duel_is_exact([5, 6, 14], POINTS)


@compiled
@pytest.mark.heavy
def test_a_whole_duel_with_five_cards_agrees_with_linear_programming() -> None:
    """The chance to win in 1657 positions."""
    assert_whole_duel_is_exact([2, 3, 4, 5, 6], VICTORY)


@compiled
@pytest.mark.heavy
def test_the_points_of_a_whole_duel_with_five_cards_agree_with_linear_programming() -> None:
    """In as many positions."""
    assert_whole_duel_is_exact([10, 11, 12, 13, 14], POINTS)


@compiled
@pytest.mark.parametrize(("cards", "share"), [(4, 11 / 16), (5, 11 / 15), (6, 0.696528), (7, 0.714385)])
def test_the_best_answer_to_any_card_takes_so_much(cards: int, share: float) -> None:
    """The upper bound for any player against a green commander: a share, with draws as halves."""
    play = Play(Deck(list(range(2, 2 + cards)), VICTORY), ANY).solve()
    assert 1 - play.worths()[0] == pytest.approx(share, abs=1e-6)


@compiled
def test_the_best_answer_to_a_regular_is_found_by_both_ways() -> None:
    """In whole layers as battle by battle; and of two regulars each takes a half."""
    deck = Deck([11, 12, 13, 14], VICTORY)
    sure, usual = Play(deck, REGULAR, habit=REGULAR).solve().worths()
    assert sure == pytest.approx(0.5 - 0.411935, abs=1e-6)
    assert usual == pytest.approx(0.5)


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [5, 13])
def test_a_duel_is_solved_that_ends_before_its_rounds_do(rounds: int) -> None:
    """With the last cards, as the usual thirteen rounds do with fewer in hand."""
    battle = StrategyWar()
    battle.begin([[10, 11, 12, 13], [2, 12, 13, 14]], RandomSource(), rounds=rounds)
    battle.run()
    assert RULES.best_play(battle)[0] / WON == pytest.approx(Equilibrium().value(battle.copy()), abs=2e-6)
    other = duel_of([10, 11, 12, 13], [2, 12, 13, 14])
    assert RULES.option_values(battle) == RULES.option_values(other)


def duel_of(ours: list[int], theirs: list[int]) -> StrategyWar:
    """Return a duel of two hands with as many rounds as cards, at its first question."""
    battle = StrategyWar()
    battle.begin([ours, theirs], RandomSource(), rounds=len(ours))
    battle.run()
    return battle


@pytest.mark.slow
def test_what_cannot_be_looked_at_is_not_solved() -> None:
    """More cards, more sides, hands that are too small, a tie-break, unrecorded cards."""
    assert RULES.best_play(duel([9, 10, 11, 12, 13, 14])) == [WON // 2, WON // 2]
    assert not RULES.best_play(duel(FULL_HAND[: MOST_CARDS + 1]))
    for hands, rounds, tiebreak in (
        ([[2, 3], [2, 3], [2, 3]], 2, SHARED),
        ([[2, 3, 4], [2, 3]], 3, SHARED),
        ([[2, 3], [2, 3]], 2, MOST_ROUNDS),
        ([[2, 3], [UNKNOWN, 3]], 2, SHARED),
    ):
        battle = StrategyWar()
        battle.begin(hands, RandomSource(), rounds=rounds, tiebreak=tiebreak)
        battle.run()
        assert not RULES.best_play(battle)
