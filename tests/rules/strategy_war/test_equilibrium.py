"""How near the thinkers come to the exact equilibrium of small duels of Strategy WAR."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle import build_form
from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.chance import Fate, stream
from cardbattle.core.numeric.lanes import HALF
from cardbattle.core.numeric.matrix_game import worth_of
from cardbattle.rules.strategy_war.battle import FULL_HAND, MOST_ROUNDS, SHARED, StrategyWar
from cardbattle.rules.strategy_war.ending import MOST_CARDS
from cardbattle.rules.strategy_war.evaluation import is_known, networks
from cardbattle.rules.strategy_war.lookahead import estimate, rough_estimate
from cardbattle.rules.strategy_war.risk import (
    CREDIT,
    RISK,
    Round,
    position_after,
    position_at_start,
    risk_of,
)
from cardbattle.rules.strategy_war.solver import WON, position_of, worths
from cardbattle.rules.strategy_war.tactics import habits
from research.elite_duels import elite as elite_play
from research.learned_worths import highest, worths_of
from research.whole_duels import ANY, COMPILER, POINTS, REGULAR, VICTORY, Deck, Duels, Layer, Play
from tests.support.equilibrium import (
    RULES,
    Equilibrium,
    Exploiter,
    Policy,
    after,
    duel,
    elite,
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
    """Whoever knows their habits wins nine of ten battles with four cards."""
    assert exploitability([11, 12, 13, 14], regular) == pytest.approx(0.411935, abs=1e-6)


def test_elite_cannot_be_exploited_with_few_cards() -> None:
    """Though they play on habits for all that was given away; but for a rounded millionth here and there."""
    for hand in ([12, 13, 14], [11, 12, 13, 14]):
        assert 0.5 - Exploiter(elite, history_of).value(duel(hand)) == pytest.approx(0, abs=1e-5)


@interpreted
@pytest.mark.slow
def test_elite_takes_more_from_a_regular_than_best_play_does() -> None:
    """By what the regular gives them."""
    battle = duel([10, 11, 12, 13, 14])
    assert against_regulars(battle, elite) > against_regulars(battle, best) + 0.01


def best(battle: StrategyWar, seat: int) -> list[float]:
    """Return how likely best play is to take each option, whatever was given away."""
    forgetful = battle.copy()
    forgetful.start, forgetful.history = forgetful.hands, []
    return elite(forgetful, seat)


@pytest.mark.heavy
@pytest.mark.parametrize("played", [[3, 10, 9, 5, 8], [10, 3, 5, 9, 8], [2, 8, 9, 7, 4]], ids=str)
def test_nobody_wins_back_more_than_may_be_risked(played: list[int]) -> None:
    """Whatever they do with four cards left in a duel that began with more than can be looked at."""
    battle = duel(FULL_HAND[: MOST_CARDS + 1])
    for mine, theirs in zip(played, sorted(played), strict=True):
        for card in (mine, theirs):
            battle.choose(battle.options.index(card))
    may_lose, due = risk_of(battle, 0), worths(battle)[0] / WON
    sure = Exploiter(elite, history_of).value(battle)
    assert may_lose >= 0
    assert due - may_lose - 1e-5 <= sure <= due + 1e-5


@pytest.mark.parametrize("pack", [FULL_HAND, [5, 5, 6, 6, 6, 7, 7, 8]], ids=["all ranks", "equal cards"])
def test_what_may_be_risked_is_known_at_every_question(pack: list[int]) -> None:
    """Whatever was fought, cards too many and answers too late among it; and a bad card gives something."""
    chance = stream("fought", "deal")
    given = 0
    for number in range(20):
        battle = StrategyWar()
        battle.begin([chance.sample(5, pack) for _ in range(2)], Fate(), rounds=5 - number % 2)
        battle.run()
        position = position_at_start(battle)
        while battle.side != NOBODY:
            if not battle.side:
                position = position_at_start(battle)
                for sealed in battle.history:
                    position = position_after(position, sealed)
            assert position == position_of(battle)
            may_lose = risk_of(battle, battle.side)
            assert may_lose >= 0
            given += may_lose > 0.01
            battle.choose(chance.below(len(battle.options) + 1))
    assert given > 10


def test_nothing_is_risked_where_nobody_wrote_down_what_a_duel_began_with() -> None:
    """At a real table a card may come to be known only as it is played."""
    battle = duel([9, 10, 11, 12, 13])
    for index in (0, 4):
        battle.choose(index)
    assert risk_of(battle, 0) > 0.01
    battle.start[1] = [9, 10, 11, 12, UNKNOWN]
    assert risk_of(battle, 0) == 0


def history_of(battle: StrategyWar) -> object:
    """Return all that was played."""
    return tuple(tuple(sealed) for sealed in battle.history)


def against_regulars(battle: StrategyWar, policy: Policy) -> float:
    """Return what whoever follows a strategy in the first seat takes from a regular."""
    if battle.side == NOBODY:
        return share(battle)
    mix = policy(battle, 0)
    waiting = battle.copy()
    waiting.choose(0)
    theirs = regular(waiting, 1)
    return sum(
        part * other * against_regulars(after(battle, row, column), policy)
        for row, part in enumerate(mix)
        for column, other in enumerate(theirs)
        if part * other > 0
    )


def test_habits_are_those_of_a_regular() -> None:
    """Counted over all ways in which their lots can fall, with cards twice, a pot, and cards too many."""
    chance = stream("habits", "deal")
    for number in range(60):
        left = 1 + number % 6
        more = number % 4 == 3
        hands = [sorted(chance.sample(left + more, [*FULL_HAND, 7, 8, 14])) for _ in range(2)]
        battle = StrategyWar()
        battle.begin(hands, Fate(), rounds=left)
        battle.run()
        battle.carry = number % 3 * 7
        found = habits(tuple(hands[0]), tuple(hands[1]), battle.carry, left)
        assert found == pytest.approx(regular(battle, 0)), (hands, battle.carry, left)


@compiled
@pytest.mark.parametrize("left", [7, 8, 9])
def test_whole_duels_appraise_as_the_package_does(left: int) -> None:
    """The same of hands drawn by lot, who leads and what waits, whichever hand is the higher, or neither."""
    ranks = [2, 3, 4, 6, 7, 9, 10, 12, 13, 14]
    deck = Deck(ranks, VICTORY)
    layer = Layer(deck, left)
    layer.appraise(worths_of(left))
    chance = stream("appraise", "deal")
    known = 0
    for number in range(40):
        mine, theirs = (sorted(chance.sample(left, ranks)) for _ in range(2))
        if number % 4 == 3:
            theirs = mine
        gone = sorted(set(ranks) - set(mine) - set(theirs))
        carry = 2 * gone[0] if gone and chance.below(2) else 0
        lead = (sum(mine) + sum(theirs)) % 2 + 2 * chance.below(20) - 20
        most = 2 * sum(ranks) - sum(mine) - sum(theirs) - carry
        if abs(lead) <= most:
            known += 1
            about = estimate((tuple(mine), tuple(theirs), lead, carry, left))
            assert layer.worth(mine, theirs, lead, carry) == pytest.approx(about, abs=1e-7)
    assert known > 10


@pytest.mark.parametrize("left", networks())
def test_no_sum_leaves_its_lane(left: int) -> None:
    """However the hands are: rows are added side by side, and none may reach into the next."""
    assert highest(left, worths_of(left)) < HALF


def test_what_was_learned_is_of_hands_with_different_ranks() -> None:
    """Others, and leads that no duel comes to, are estimated by a rule of thumb."""
    hand, other = tuple(range(2, 10)), (2, 3, 4, 5, 6, 7, 8, 14)
    assert is_known(hand, other, 10, 0)
    assert not is_known((2, 2, *range(3, 9)), hand, 0, 0)
    assert not is_known((*hand[1:], 15), hand, 0, 0)
    assert not is_known(hand, hand[1:], 0, 0)
    assert not is_known(hand, hand, 200, 0)
    assert not is_known(hand[3:], hand[3:], 0, 0)
    assert estimate(((2, 2, *hand[2:]), hand, 0, 0, 8)) == rough_estimate((2, 2, *hand[2:]), hand, 0, 0)
    assert estimate((hand, other, 10, 0, 8)) == pytest.approx(1 - estimate((other, hand, -10, 0, 8)))
    assert estimate((hand, hand, 10, 20, 8)) == pytest.approx(1 - estimate((hand, hand, -10, 20, 8)))
    assert estimate((hand, hand, 0, 20, 8)) == 0.5


@compiled
@pytest.mark.heavy
def test_elite_can_hardly_be_exploited_with_nine_cards() -> None:
    """As the guide says; and by the package's own answer to the first question."""
    ranks = FULL_HAND[4:]
    player = elite_play(ranks)
    whole = player.worth
    first = Round((tuple(ranks), tuple(ranks), 0, 0, len(ranks)), 0)
    losses = []
    for card, column in zip(first.others, first.table, strict=True):
        lost = 0.0
        for own, part, thought in zip(first.cards, first.best.ours, column, strict=True):
            hands = [[rank for rank in ranks if rank != gone] for gone in (own, card)]
            pot = own + card
            lead = 0 if own == card else pot if own > card else -pot
            worth = whole.worth(hands[0], hands[1], lead, 0 if lead else pot)
            given = worth - first.best.worth - thought + worth_of(first.best.ours, column)
            lost += part * (0.5 - worth + max(0.0, RISK + CREDIT * given))
        losses.append(lost)
    exact = player.solve()
    assert exact == pytest.approx(max(losses), abs=2e-5)
    assert 100 * exact == pytest.approx(0.82, abs=0.01)


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


@compiled
def test_both_sides_of_a_duel_play_their_best() -> None:
    """Whatever the other plays, each gets what the solution of the whole duel says, and no more is there."""
    whole = Duels([2, 3, 5, 8, 13, 14], VICTORY)
    whole.solve()
    for mine, theirs in [(13, 8), (2, 14), (8, 8)]:
        battle = duel(whole.deck.ranks)
        for card in (mine, theirs):
            battle.choose(battle.options.index(card))
        due = worth_now(whole, battle)
        mixes = [best(battle, 0)]
        waiting = battle.copy()
        waiting.choose(0)
        mixes.append(best(waiting, 1))
        worth = [[worth_after(whole, battle, row, column) for column in range(5)] for row in range(5)]
        rows = [sum(share * worth[at][to] for to, share in enumerate(mixes[1])) for at in range(5)]
        columns = [sum(share * worth[at][to] for at, share in enumerate(mixes[0])) for to in range(5)]
        assert min(columns) == pytest.approx(due, abs=5e-6)
        assert max(rows) == pytest.approx(due, abs=5e-6)
        assert max(RULES.option_values(waiting)) / WON == pytest.approx(1 - due, abs=5e-6)


def worth_after(whole: Duels, battle: StrategyWar, mine: int, theirs: int) -> float:
    """Return what a duel is worth to the first seat once both have chosen."""
    return worth_now(whole, after(battle, mine, theirs))


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
        battle.begin([chance.sample(left, pack) for _ in range(2)], Fate(), rounds=left)
        battle.run()
        battle.scores = [chance.below(40), chance.below(40)]
        battle.carry = chance.below(2) * 14
        battle.carried = [battle.carry // 2] * 2
        assert worths(battle)[0] / WON == pytest.approx(exact.value(battle), abs=2e-6)


@pytest.mark.parametrize("hands", [([3, 5, 9, 9], [4, 5, 5, 14]), ([2, 7, 8], [3, 7, 7, 9])], ids=str)
def test_an_end_with_cards_too_many_is_solved_as_by_linear_programming(
    hands: tuple[list[int], list[int]],
) -> None:
    """Nobody must win a round with a card that may stay in hand, however high it is."""
    battle = StrategyWar()
    battle.begin([*hands], Fate(), rounds=2)
    battle.run()
    for lead in (-9, 0, 6, 15):
        battle.scores = [max(0, lead), max(0, -lead)]
        assert worths(battle)[0] / WON == pytest.approx(Equilibrium().value(battle.copy()), abs=2e-6)


def assert_whole_duel_is_exact(deck: list[int], aim: int) -> None:
    """Hold every position that a duel can come to against the one that linear programming finds."""
    exact = Equilibrium(share if aim == VICTORY else points)
    exact.value(duel(deck))
    whole = Duels(deck, aim)
    assert whole.solve() == pytest.approx(0.5 if aim == VICTORY else 0)
    assert whole.gap < 1e-8
    for (mine, theirs, lead, carry), value in exact.values.items():
        assert whole.worth(list(mine), list(theirs), lead, carry) == pytest.approx(value, abs=1e-6)


@compiled
def test_a_folder_keeps_what_was_solved(tmp_path: Path) -> None:
    """Layers that are asked for from the top down, as for learning; later ones go on from the files."""
    ranks = [2, 5, 8, 9, 13]
    whole, first, later = (Duels(ranks, VICTORY) for _ in range(3))
    whole.solve()
    for left in (4, 3):
        first.keep(tmp_path, left)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["5-1", "5-2", "5-3", "5-4"]
    for path in tmp_path.glob("5-[123]"):
        path.unlink()
    later.keep(tmp_path, 5)
    for left, layer in [(4, first.layers[4]), (3, first.layers[3]), (5, later.layers[5])]:
        assert layer.values.tolist() == whole.layers[left].values.tolist()


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
    """The ceiling for whoever plays against a green: a share with draws halved."""
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
    battle.begin([[10, 11, 12, 13], [2, 12, 13, 14]], Fate(), rounds=rounds)
    battle.run()
    assert RULES.best_play(battle)[0] / WON == pytest.approx(Equilibrium().value(battle.copy()), abs=2e-6)
    assert elite(battle, 0) == pytest.approx(elite(duel_of([10, 11, 12, 13], [2, 12, 13, 14]), 0))


def duel_of(ours: list[int], theirs: list[int]) -> StrategyWar:
    """Return a duel of two hands with as many rounds as cards, at its first question."""
    battle = StrategyWar()
    battle.begin([ours, theirs], Fate(), rounds=len(ours))
    battle.run()
    return battle


def test_what_cannot_be_looked_at_is_not_solved() -> None:
    """More cards, more sides, hands that do not last, a tie that is broken, cards nobody wrote down."""
    assert RULES.best_play(duel([9, 10, 11, 12, 13, 14])) == [WON // 2, WON // 2]
    assert not RULES.best_play(duel(FULL_HAND[: MOST_CARDS + 1]))
    assert RULES.solution(duel(FULL_HAND))
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
