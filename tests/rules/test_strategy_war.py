"""Strategy WAR, rule by rule; SW-n are the numbers of its rules.md."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from syrupy.assertion import SnapshotAssertion

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.chance import Chance, RandomSource, stream
from cardbattle.core.errors import IllegalMove, InvalidInput
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import Setup
from cardbattle.core.telling import AUDIT, TALE, Block, Grid, Heading, Line, Name, Parts
from cardbattle.rules.strategy_war import RULES, scene, tactics
from cardbattle.rules.strategy_war.battle import (
    BEST_POT,
    FULL_HAND,
    MOST_ROUNDS,
    SHARED,
    StrategyView,
    StrategyWar,
    could_play,
)
from cardbattle.rules.strategy_war.options import rank_text, read_rank
from cardbattle.show.battle_text import said
from cardbattle.testing.contents import raw_contents

LATE = "late"  # a side that misses the deadline


def war(
    *hands: str,
    rounds: int = 13,
    dark: bool = False,
    tiebreak: int = SHARED,
    auto_last: bool = False,
    listen: bool = False,
) -> StrategyWar:
    """Return a battle of these hands at its first question."""
    battle = StrategyWar()
    battle.begin([ranks(hand) for hand in hands], RandomSource(), rounds, dark, tiebreak, auto_last)
    battle.log = [] if listen else None
    battle.run()
    return battle


def full(sides: int, dark: bool = False, listen: bool = False) -> StrategyWar:
    """Return a battle in which `sides` sides have full hands."""
    return war(*[" ".join(map(rank_text, FULL_HAND))] * sides, dark=dark, listen=listen)


def ranks(text: str) -> list[int]:
    return [read_rank(word) for word in text.split()]


def commit(battle: StrategyWar, *choices: str) -> None:
    """Let the sides that are asked, in order, commit these cards, or be late."""
    for choice in choices:
        at = len(battle.options) if choice == LATE else battle.options.index(read_rank(choice))
        battle.choose(at)


def fight(battle: StrategyWar, *rounds: str) -> None:
    """Fight rounds, each written as the choices in seat order."""
    for choices in rounds:
        commit(battle, *choices.split())


def at_random(battle: StrategyWar, chance: Chance, moves: int = 1000, late: int = 0) -> None:
    """Make random choices, one in `late` of them to be late."""
    for _ in range(moves):
        if battle.is_over():
            return
        is_late = late and chance.below(late) == 0
        battle.choose(len(battle.options) if is_late else chance.below(len(battle.options)))


def events(battle: StrategyWar, kind: str) -> list[Event]:
    assert battle.log is not None
    return [event for event in battle.log if event.kind == kind]


def facts(view: StrategyView) -> dict[str, object]:
    return raw_contents(view)


def setup(sides: int = 2, cards: list[int] | None = None, **house: object) -> Setup:
    """Return a setup with these house rules, all sides with these cards."""
    return Setup(
        [f"p{n + 1}" for n in range(sides)],
        {key: option.default for key, option in RULES.house.items()} | house,
        [{"cards": cards or FULL_HAND} for _ in range(sides)],
        {},
    )


def referee(sides: int, moves: str, cards: list[int] | None = None, **house: object) -> Referee:
    """Return a referee after these moves, given as the choices of every side in order."""
    found = Referee(RULES, setup(sides, cards, **house), RandomSource())
    for word in moves.split():
        found.choose(found.find("timeout" if word == LATE else f"commit {word}"))
    return found


def test_sw_01_two_to_ten_sides_fight() -> None:
    assert (RULES.fewest, RULES.most) == (2, 10)
    battle = full(10)
    asked = []
    while battle.round == 1:
        asked.append(battle.side)
        battle.choose(0)
    assert asked == list(range(10))


def test_sw_02_a_hand_is_thirteen_ranks_worth_104() -> None:
    assert [rank_text(card) for card in FULL_HAND] == [*"23456789", "10", *"JQKA"]
    assert sum(FULL_HAND) == 104
    assert full(2).options == FULL_HAND


def test_sw_03_thirteen_rounds_of_one_card_from_each() -> None:
    battle = full(3)
    asked = []
    while not battle.is_over():
        asked.append((battle.round, battle.side))
        battle.choose(0)
    assert asked == [(number, side) for number in range(1, 14) for side in range(3)]


def test_sw_03_nothing_happens_until_all_are_in() -> None:
    battle = war("5 6", "7 8", "9 10")
    commit(battle, "6", "7")
    assert battle.hands == [[5, 6], [7, 8], [9, 10]]
    assert battle.scores == [0, 0, 0]
    commit(battle, "9")
    assert battle.hands == [[5], [8], [10]]
    assert battle.scores == [0, 0, 22]


def test_sw_04_a_committed_card_cannot_be_taken_back() -> None:
    battle = war("5 6", "7 8")
    commit(battle, "6")
    assert battle.side == 1
    commit(battle, "7")
    assert battle.hands == [[5], [8]]


@pytest.mark.parametrize(
    ("played", "winner", "pot"),
    [
        ("5 8 K 2 8", 2, 36),  # round 1 of the source
        ("A A Q 4 Q", 3, 56),  # round 2 of the source
        ("7 7 6 6 5", 4, 31),
        ("A K", 0, 27),
        ("K K Q Q J J 10 10 9 9", NOBODY, 110),
    ],
)
def test_sw_05_the_highest_card_that_is_alone_wins(played: str, winner: int, pot: int) -> None:
    battle = full(len(played.split()))
    fight(battle, played)
    assert battle.scores == [pot if side == winner else 0 for side in range(battle.sides)]
    assert battle.carry == (pot if winner == NOBODY else 0)


def test_sw_06_the_winner_gains_all_cards_and_what_rolled_over() -> None:
    battle = full(3)
    fight(battle, "5 5 5", "9 3 9")
    assert battle.scores == [0, 36, 0]
    assert battle.carry == 0


def test_sw_07_five_sides_without_a_card_alone_roll_52_over() -> None:
    battle = full(5)
    fight(battle, "A 8 8 A 8")
    assert battle.scores == [0] * 5
    assert battle.carry == 52


def test_sw_08_the_last_pot_is_lost_with_all_that_rolled_over() -> None:
    battle = war("10 3", "10 3", rounds=2)
    fight(battle, "10 10")
    assert battle.carry == 20
    fight(battle, "3 3")
    assert battle.is_over()
    assert (battle.lost_pot, battle.scores, battle.carry) == (26, [0, 0], 0)


def test_sw_08_what_went_to_nobody_is_told_at_the_end() -> None:
    """And not a word of it where everything was won."""
    for first, told in (("10", ["20 points", " went to nobody."]), ("9", None)):
        battle = war(first, "10", rounds=1, listen=True)
        fight(battle, f"{first} 10")
        teller = RULES.tale(Setup(["p1", "p2"], {"dark": False, "rounds": 1}, [{}, {}], {}))
        last = [block for event in battle.log or [] for block in teller.describe(event)][-1]
        assert isinstance(last, Line)
        assert (last.parts == told) is (told is not None)


def test_a_teller_who_heard_of_no_round_tells_who_won_it() -> None:
    """As a replay that begins in the middle does."""
    battle = war("9", "10", rounds=1, listen=True)
    fight(battle, "9 10")
    teller = RULES.tale(Setup(["p1", "p2"], {"dark": False, "rounds": 1}, [{}, {}], {}))
    (told,) = teller.describe(events(battle, "won")[0])
    assert isinstance(told, Line)
    assert told.parts[0] == Name(1)


@pytest.mark.parametrize(
    ("ours", "theirs", "worth"), [("10", "9", 10**6), ("9", "10", 0), ("9", "9", 500_000)]
)
def test_a_duel_with_few_cards_is_worth_what_best_play_makes_of_it(
    ours: str, theirs: str, worth: int
) -> None:
    """Out of a million, and both sides' add up to it; without a look where many are left."""
    battle = war(f"{ours} {ours}", f"{theirs} {theirs}", rounds=2)
    assert RULES.best_play(battle) == [worth, 10**6 - worth]
    assert RULES.best_play(full(2)) == []


def test_sw_08_the_round_that_empties_all_hands_is_the_last() -> None:
    battle = war("3", "3", rounds=13)
    fight(battle, "3 3")
    assert battle.is_over()
    assert battle.lost_pot == 6


def test_sw_12_the_number_of_rounds_is_that_until_all_hands_are_empty() -> None:
    battle = war("2 3 4", "5", listen=True)
    views = [battle.view(0)]
    fight(battle, "2 5")
    views.append(battle.view(0))
    fight(battle, "3")
    views.append(battle.view(0))
    assert [scene.round_status(view)[0] for view in views] == [
        f"Round {number} of 3." for number in (1, 2, 3)
    ]


def test_sw_09_a_card_is_used_once() -> None:
    battle = war("5 6 6", "7 8 9")
    fight(battle, "6 7")
    assert battle.options == [5, 6]
    fight(battle, "6 8")
    assert battle.options == [5]


def test_sw_10_most_points_win() -> None:
    battle = war("9 3", "4 5")
    fight(battle, "9 4", "3 5")
    assert battle.outcome()[:2] == ([0], "most-points")


def test_sw_10_equal_points_are_a_shared_victory() -> None:
    battle = war("9 3", "3 9", "2 2")
    fight(battle, "9 3 2", "3 9 2")
    assert battle.scores == [14, 14, 0]
    assert battle.outcome()[:2] == ([0, 1], "shared")


@pytest.mark.parametrize(
    ("tiebreak", "winners", "reason"),
    [(SHARED, [0, 1], "shared"), (MOST_ROUNDS, [0], "tiebreak"), (BEST_POT, [1], "tiebreak")],
)
def test_sw_10_a_tiebreak_looks_at_rounds_or_pots(tiebreak: int, winners: list[int], reason: str) -> None:
    battle = war("4 4 2", "2 2 10", tiebreak=tiebreak)
    fight(battle, "4 2", "4 2", "2 10")
    assert (battle.scores, battle.rounds_won, battle.best_pot) == ([12, 12], [2, 1], [6, 12])
    assert battle.outcome()[:2] == (winners, reason)


def test_sw_10_the_best_pot_has_what_rolled_over_in_it() -> None:
    battle = war("5 3 9", "5 4 2", tiebreak=BEST_POT)
    fight(battle, "5 5", "3 4")
    assert battle.best_pot == [0, 17]


def test_sw_10_who_is_level_even_then_shares() -> None:
    battle = war("2", "3", "4", tiebreak=BEST_POT)
    battle.scores, battle.best_pot = [20, 20, 20], [9, 12, 12]
    assert battle.outcome()[:2] == ([1, 2], "shared")
    battle.scores = [20, 20, 19]
    assert battle.outcome()[:2] == ([1], "tiebreak")
    battle.scores = [20, 21, 19]
    assert battle.outcome()[:2] == ([1], "most-points")


def test_sw_11_between_two_the_higher_card_wins() -> None:
    battle = full(2)
    fight(battle, "9 8", "3 3", "2 K")
    assert battle.scores == [17, 21]


@pytest.mark.parametrize("sides", [2, 3, 5, 10])
@pytest.mark.parametrize("late", [0, 4])
def test_sw_12_scores_and_the_lost_pot_are_all_cards(sides: int, late: int) -> None:
    for seed in range(10):
        battle = full(sides)
        at_random(battle, stream(seed, "play"), late=late)
        assert battle.round == 13
        assert sum(battle.scores) + battle.lost_pot == 104 * sides
        taken = sum(lost for lost, _ in battle.outcome().losses) + sum(battle.won_back)
        assert taken == 104 * sides


def test_sw_13_a_late_side_sacrifices_its_highest_card() -> None:
    battle = full(5)
    fight(battle, f"K {LATE} 9 9 5")
    assert battle.scores == [50, 0, 0, 0, 0]
    assert battle.hands[1] == FULL_HAND[:-1]


def test_sw_13_a_sacrifice_does_not_cancel_its_equal() -> None:
    battle = full(3)
    fight(battle, f"{LATE} A K")
    assert battle.scores == [0, 41, 0]


def test_sw_14_every_late_side_sacrifices_its_own_highest() -> None:
    battle = war("2 9", "3 Q", "4 5")
    fight(battle, f"{LATE} {LATE} 4")
    assert battle.hands == [[2], [3], [5]]
    assert battle.scores == [0, 0, 9 + 12 + 4]


def test_sw_15_one_card_in_time_wins_all() -> None:
    battle = full(3)
    fight(battle, f"{LATE} 2 {LATE}")
    assert battle.scores == [0, 30, 0]


def test_sw_15_with_all_late_the_pot_rolls_over_or_is_lost() -> None:
    battle = war("2 3", "4 5", rounds=2)
    fight(battle, f"{LATE} {LATE}")
    assert battle.carry == 8
    fight(battle, f"{LATE} {LATE}")
    assert battle.lost_pot == 14


def test_sw_16_a_late_side_comes_back() -> None:
    battle = war("2 3", "4 5")
    fight(battle, f"{LATE} 4")
    assert battle.options == [2]
    fight(battle, "2 5")
    assert battle.scores == [0, 14]


def test_sw_16_the_last_card_is_asked_for_and_can_be_sacrificed() -> None:
    battle = war("9", "4")
    assert (battle.side, battle.options, battle.unoffered) == (0, [9], [1])
    fight(battle, f"{LATE} 4")
    assert battle.scores == [0, 13]


def test_sw_16_auto_last_plays_a_single_card_unasked() -> None:
    battle = war("9 3", "4 5 6", rounds=3, auto_last=True)
    fight(battle, "9 4")
    assert battle.side == 1  # side 0 has played its 3
    commit(battle, "5")
    assert battle.is_over()  # side 1 has played its 6 without an opponent
    assert battle.scores == [13, 8 + 6]
    found = referee(2, "9 4 3 5", cards=ranks("3 4 5 9"), rounds=4, auto_last=True)
    assert found.moves == ["p1 commit 9", "p2 commit 4", "p1 commit 3", "p2 commit 5"]
    found.choose(0)
    found.choose(0)
    assert found.battle.is_over()
    assert len(found.moves) == 6
    pair = war("5 5", "9 8", auto_last=True)
    assert (pair.side, pair.options) == (0, [5])  # two cards, though one choice


def test_sw_17_leaving_is_being_late_in_every_round() -> None:
    battle = full(2)
    for card in FULL_HAND:
        fight(battle, f"{LATE} {rank_text(card)}")
    assert battle.outcome()[:2] == ([1], "most-points")
    assert battle.scores == [0, 208]


def test_sw_18_others_see_that_a_side_has_committed_but_not_what() -> None:
    battle = full(3, listen=True)
    commit(battle, "K", LATE)
    first, second = events(battle, "committed")
    assert [event.seen_by(2).fields for event in (first, second)] == [{}, {}]  # type: ignore[union-attr]
    assert first.seen_by(0).fields == {"card": 13, "in_time": True}  # type: ignore[union-attr]
    assert second.seen_by(1).fields == {"card": 14, "in_time": False}  # type: ignore[union-attr]
    assert facts(battle.view(2)) == facts(full(3).view(2)) | {"side": 2, "options": FULL_HAND}


def test_sw_18_after_the_reveal_everybody_sees_all() -> None:
    battle = full(3, listen=True)
    fight(battle, f"K {LATE} 9")
    assert events(battle, "revealed")[0].seen_by(2).fields == {  # type: ignore[union-attr]
        "cards": [13, 14, 9],
        "timed_out": [1],
    }
    assert events(battle, "won")[0].seen_by(2).fields == {  # type: ignore[union-attr]
        "winner": 0,
        "card": 13,
        "pot": 36,
        "scores": [36, 0, 0],
    }
    view = battle.view(2)
    assert view.scores == [36, 0, 0]
    assert view.hands == battle.hands
    assert view.history == [[13, -14, 9]]
    assert view.pool == sorted(battle.hands[0] + battle.hands[1])


def test_sw_18_a_side_that_is_not_asked_sees_no_options() -> None:
    battle = war("2 3", "4 5", dark=True)
    assert battle.view(0).options == [2, 3]
    assert battle.view(1).options == []


def test_sw_19_in_the_dark_nobody_learns_who_played_won_or_was_late() -> None:
    battle = full(3, dark=True, listen=True)
    fight(battle, f"K {LATE} 9", "5 5 5", "7 7 6")
    assert battle.log is not None
    for viewer in (0, 1, 2, 5):
        for event in battle.log:
            seen = event.seen_by(viewer)
            assert seen is not None
            told = {name for name in seen.fields if seen.side != viewer}
            assert not told & {"cards", "timed_out", "winner", "scores", "in_time"}
    revealed = events(battle, "revealed")[0].seen_by(0)
    assert revealed is not None
    assert revealed.fields == {"pooled": [13, 9], "sacrificed": [14]}
    assert [event.fields for event in events(battle, "round_begun")][2]["carry"] == 15
    assert RULES.as_json(revealed, ["a", "b", "c"]) == {
        "event": "revealed",
        "pooled": ["K", "9"],
        "sacrificed": ["A"],
    }


def test_sw_19_a_view_in_the_dark_pools_what_the_others_have() -> None:
    battle = full(3, dark=True)
    fight(battle, f"K {LATE} 9")
    view = battle.view(0)
    assert (view.hands, view.scores, view.history) == ([], [], [])
    assert view.hand == [card for card in FULL_HAND if card != 13]
    assert view.pool == sorted([*FULL_HAND[:-1], *(card for card in FULL_HAND if card != 9)])


def test_sw_19_a_view_does_not_depend_on_what_is_sealed() -> None:
    seen = []
    for choices in (["2", "3"], ["A", LATE], [LATE, "9"]):
        battle = full(3, dark=True)
        commit(battle, *choices)
        seen.append(facts(battle.view(2)))
    assert seen[0] == seen[1] == seen[2]


def test_sw_20_at_the_end_of_the_dark_all_is_revealed() -> None:
    battle = war("K 3", "A 5", "9 3", rounds=2, dark=True, listen=True)
    fight(battle, f"K {LATE} 9", "3 5 3")
    assert [event.seen_by(2).fields for event in events(battle, "unveiled")] == [  # type: ignore[union-attr]
        {"round": 1, "cards": [13, 14, 9], "timed_out": [1], "winner": 0},
        {"round": 2, "cards": [3, 5, 3], "timed_out": [], "winner": 1},
    ]
    ended = events(battle, "ended")[0].seen_by(2)
    assert ended is not None
    assert ended.fields == {"winners": [0], "reason": "most-points", "scores": [36, 11, 0], "lost_pot": 0}
    view = battle.view(2)
    assert (view.scores, view.history) == ([36, 11, 0], [[13, -14, 9], [3, 5, 3]])


def test_sw_21_a_side_without_cards_sits_out() -> None:
    battle = war("9", "4 5 6", listen=True)
    fight(battle, "9 4", "5", "6")
    assert battle.is_over()
    assert battle.scores == [13, 11]
    assert [event.fields["cards"] for event in events(battle, "revealed")] == [[9, 4], [0, 5], [0, 6]]
    assert RULES.fact("cards", [0, 5], []) == ["-", "5"]


def test_sw_21_a_side_with_more_cards_than_rounds_keeps_the_rest() -> None:
    battle = war("2 3 9", "4 5", rounds=2)
    fight(battle, "9 4", "3 5")
    assert battle.is_over()
    assert battle.hands == [[2], []]
    assert sum(battle.scores) + battle.lost_pot == 9 + 4 + 3 + 5


def test_sw_21_equal_cards_in_a_hand_are_one_choice() -> None:
    battle = war("5 5 9", "2 2 2")
    assert battle.options == [5, 9]
    fight(battle, "5 2")
    assert battle.options == [5, 9]


@pytest.mark.parametrize(
    ("where", "key", "value", "message"),
    [
        ("house", "rounds", 27, "expected a whole number from 1 to 26, got 27"),
        ("house", "rounds", 0, "expected a whole number from 1 to 26, got 0"),
        ("house", "mode", "drak", 'expected "open" or "dark", got "drak"; did you mean "dark"?'),
        ("house", "tiebreak", "lot", 'expected "shared", "most-rounds" or "best-pot", got "lot"'),
        ("house", "auto_last", 1, "expected true or false, got 1"),
        ("side", "cards", [], "expected a list of 1 to 26 cards, got 0 cards"),
        ("side", "cards", ["2"] * 27, "expected a list of 1 to 26 cards, got 27 cards"),
        (
            "side",
            "cards",
            ["2", "1"],
            'expected a rank in quotes, "2" to "10", "J", "Q", "K" or "A", got "1"',
        ),
        ("side", "cards", [2], 'expected a rank in quotes, "2" to "10", "J", "Q", "K" or "A", got 2'),
        ("side", "cards", ["KS"], 'expected a rank in quotes, "2" to "10", "J", "Q", "K" or "A", got "KS"'),
    ],
)
def test_sw_21_options_out_of_bounds_are_refused(where: str, key: str, value: object, message: str) -> None:
    side = {key: value} if where == "side" else {}
    house = {key: value} if where == "house" else {}
    with pytest.raises(InvalidInput) as refused:
        read_battle({"rules": "brainwar", "house": house, "sides": {"a": side, "b": {}}})
    assert message in str(refused.value)


def test_sw_21_cards_of_a_deal_are_refused() -> None:
    with pytest.raises(InvalidInput):
        read_battle({"rules": "strategy-war", "sides": {"a": {}, "b": {}}, "deal": {"a": ["K"]}})


def test_sw_22_losses_are_own_cards_that_others_gained_or_nobody_did() -> None:
    battle = war("9 7 3 2", "4 7 5 3 2", rounds=4)
    fight(battle, "9 4", "7 7", "3 5", "2 2")
    assert battle.scores == [13, 7 + 7 + 3 + 5]
    # side 0 lost its 7, 3 and 2; side 1 its 4 and 2, won its 7 back, and never played its 3
    assert battle.outcome().losses == [(12, 21), (6, 21)]


def test_sw_22_a_sacrifice_that_rolled_over_can_be_won_back() -> None:
    battle = war("9 3", "5 2")
    fight(battle, f"{LATE} {LATE}", "3 2")
    assert battle.scores == [19, 0]
    assert battle.outcome().losses == [(0, 12), (7, 7)]


def test_choices_are_found_by_their_text() -> None:
    found = referee(2, "t late K")
    assert found.moves == ["p1 commit 10", "p2 timeout", "p1 commit K"]
    assert found.texts()[-1] == "commit K"
    assert "timeout" not in found.texts()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("commit K", "p1 cannot commit K: K is not in the hand; choose one of commit 2, commit 3, "),
        ("commit X", 'p1 cannot commit X: "X" is not a rank; '),
        ("commit", 'p1 cannot commit: "" is not a rank; '),
        ("pass", 'p1 cannot choose "pass" now; '),
    ],
)
def test_an_illegal_choice_is_explained(text: str, message: str) -> None:
    found = referee(2, "K A")
    with pytest.raises(IllegalMove) as refused:
        found.find(text)
    assert str(refused.value).startswith(message)


def perft(battle: StrategyWar, depth: int) -> int:
    """Return the number of sequences of `depth` choices."""
    if depth == 0 or battle.is_over():
        return 1
    total = 0
    for index in range(len(battle.options)):
        other = battle.copy()
        other.choose(index)
        total += perft(other, depth - 1)
    return total


@pytest.mark.parametrize(
    ("battle", "counts"),
    [
        (war("2 3 4", "2 3 4"), [1, 3, 9, 18, 36, 36, 36]),
        (war("2 3", "2 3", "2 3"), [1, 2, 4, 8, 8, 8, 8]),
        (war("5 5 6", "2 3"), [1, 2, 4, 6, 6, 6]),
        (war("2 3 4", "2 3 4", rounds=1), [1, 3, 9, 9]),
        (war("2 3 4", "2 3 4", auto_last=True), [1, 3, 9, 18, 36, 36]),
    ],
)
def test_tiny_hands_have_so_many_sequences(battle: StrategyWar, counts: list[int]) -> None:
    assert [perft(battle, depth) for depth in range(len(counts))] == counts


def test_all_36_battles_of_three_cards_each() -> None:
    ends = Counter(endings(war("2 3 4", "2 3 4")))
    assert sum(ends.values()) == 36
    assert ends[0, 0, 18] == 6  # all three rounds are tied
    assert all(ends[a, b, lost] == ends[b, a, lost] for a, b, lost in ends)


def endings(battle: StrategyWar) -> list[tuple[int, int, int]]:
    """Return both scores and the lost pot of every way to play a battle of two."""
    if battle.is_over():
        return [(battle.scores[0], battle.scores[1], battle.lost_pot)]
    found = []
    for index in range(len(battle.options)):
        other = battle.copy()
        other.choose(index)
        found += endings(other)
    return found


UNLIKE = ["2 3 4 5 5 9", "3 4 5 6 9", "2 3 4 9 9 K A", "2 3 4 5 6 9"]


def dark_battles() -> list[StrategyWar]:
    """Return dark battles at many points: full hands and others, in time and late."""
    found = []
    for seed in range(40):
        chance = stream(seed, "dark")
        battle = full(2 + seed % 5, dark=True) if seed % 2 else war(*UNLIKE[: 2 + seed % 3], dark=True)
        at_random(battle, chance, moves=chance.below(40), late=6 if seed % 3 == 0 else 0)
        found.append(battle)
    return found


def test_redeal_keeps_what_the_viewer_knows() -> None:
    for seed, battle in enumerate(dark_battles()):
        for viewer in range(battle.sides):
            other = battle.redeal(viewer, stream(seed, "redeal"))
            assert facts(other.view(viewer)) == facts(battle.view(viewer))
            assert [sorted(cards) for cards in other.history] == [sorted(cards) for cards in battle.history]
            assert [cards[viewer] for cards in other.history] == [cards[viewer] for cards in battle.history]
            assert other.scores[viewer] == battle.scores[viewer]
            assert other.carried[viewer] == battle.carried[viewer]
            assert (other.carry, other.round) == (battle.carry, battle.round)
            assert sum(other.scores) == sum(battle.scores)


def test_redeal_deals_a_past_that_could_be() -> None:
    for seed, battle in enumerate(dark_battles()):
        other = battle.redeal(0, stream(seed, "redeal"))
        for side in range(battle.sides):
            assert could_play(other.history, side, battle.start[side])
            played = [abs(cards[side]) for cards in other.history if cards[side]]
            assert sorted(played + other.hands[side]) == battle.start[side]
        again = war(*[" ".join(map(rank_text, hand)) for hand in other.start], dark=True)
        for cards in other.history:
            fight(again, " ".join(LATE if card < 0 else rank_text(card) for card in cards if card))
        assert again.scores == other.scores
        assert again.best_pot == other.best_pot
        assert again.won_back == other.won_back
        at_random(other, stream(seed, "on"))
        assert other.is_over()


def pasts(battle: StrategyWar, viewer: int, so_far: list[list[int]]) -> list[tuple[tuple[int, ...], ...]]:
    """Return every past that the viewer must think possible."""
    at = len(so_far)
    if at == len(battle.history):
        return [tuple(tuple(cards) for cards in so_far)]
    found = []
    for cards in dict.fromkeys(permutations(battle.history[at])):
        rounds = [*so_far, list(cards)]
        if cards[viewer] == battle.history[at][viewer] and all(
            could_play(rounds, side, battle.start[side]) for side in range(battle.sides)
        ):
            found += pasts(battle, viewer, rounds)
    return found


@pytest.mark.parametrize(
    ("hand", "sides", "moves"), [("2 3 4 5", 4, 12), ("2 3 4 5", 3, 9), ("2 3 4", 5, 10)]
)
def test_redeal_deals_every_past_about_as_often(hand: str, sides: int, moves: int) -> None:
    battle = war(*[hand] * sides, dark=True)
    at_random(battle, stream("pasts", "play"), moves)
    possible = pasts(battle, 0, [])
    assert len(possible) > 1
    chance = stream("pasts", "redeal")
    each = 150
    dealt = Counter(
        tuple(tuple(cards) for cards in battle.redeal(0, chance).history) for _ in range(each * len(possible))
    )
    assert set(dealt) == set(possible)
    assert all(each / 3 < dealt[past] < each * 3 for past in possible)


def test_redeal_asks_the_others_again_after_the_viewer() -> None:
    battle = full(4)
    commit(battle, "5", "6")
    other = battle.redeal(2, stream(1, "redeal"))
    assert other.sealed == [0, 0, 0, 0]
    asked = []
    while other.round == 1:
        asked.append(other.side)
        other.choose(0)
    assert asked == [2, 3, 0, 1]
    assert battle.sealed == [5, 6, 0, 0]


def test_redeal_for_a_side_that_is_not_asked_keeps_its_own_card() -> None:
    battle = full(3, dark=True)
    commit(battle, "5", "6")
    other = battle.redeal(0, stream(1, "redeal"))
    assert other.sealed == [5, 0, 0]
    commit(other, "7", "8")
    assert other.history == [[5, 8, 7]]


def test_redeal_gives_the_side_that_is_asked_the_options_of_its_new_hand() -> None:
    battle = full(3, dark=True)
    fight(battle, "5 6 7")
    commit(battle, "2")
    options = set()
    for seed in range(10):
        other = battle.redeal(0, stream(seed, "redeal"))
        assert other.options == other.hands[1]
        options.add(tuple(other.options))
    assert len(options) == 2


def test_redeal_changes_nothing_that_is_open() -> None:
    battle = full(3)
    fight(battle, "5 6 7")
    assert battle.redeal(0, stream(1, "redeal")).state() == battle.state()
    over = war("2 3", "4 5", "6 7", dark=True)
    at_random(over, stream(1, "play"))
    assert over.redeal(0, stream(1, "redeal")).state() == over.state()


def test_the_regular_answers_the_same_whatever_is_hidden() -> None:
    for seed, battle in enumerate(dark_battles()):
        if battle.is_over():
            continue
        view = battle.view(battle.side)
        answer = tactics.commit(view, stream(seed, "regular"))
        for n in range(3):
            other = battle.redeal(battle.side, stream(n, "redeal"))
            assert tactics.commit(other.view(battle.side), stream(seed, "regular")) == answer


def answers(battle: StrategyWar) -> set[str]:
    """Return the cards that the regular commander may commit."""
    chance = stream("answers", "regular")
    view = battle.view(battle.side)
    return {rank_text(view.options[tactics.commit(view, chance)]) for _ in range(200)}


def test_the_regular_takes_a_pot_with_the_lowest_card_that_must_win() -> None:
    battle = war("5 9 K A", "5 2 7 Q")
    fight(battle, "5 5")
    assert answers(battle) == {"K"}


def test_the_regular_fights_for_a_pot_with_its_highest() -> None:
    battle = war("5 9 K A", "5 2 7 A")
    fight(battle, "5 5")
    assert answers(battle) == {"A"}


def test_the_regular_sometimes_gives_up_a_pot_that_it_would_lose_after_a_tie() -> None:
    battle = war("5 9 Q A", "5 2 K A")
    fight(battle, "5 5")
    assert answers(battle) == {"9", "A"}


def test_the_regular_sometimes_steps_aside_from_an_equal_in_a_crowd() -> None:
    battle = war("5 9 Q A", "5 2 K A", "5 2 3 4")
    fight(battle, "5 5 5")
    assert answers(battle) == {"Q", "A"}


def test_the_regular_mostly_keeps_its_highest_card_and_lets_the_lot_name_another() -> None:
    battle = full(2)
    chance = stream("often", "regular")
    often = Counter(tactics.commit(battle.view(0), chance) for _ in range(1300))
    assert set(often) == set(range(13))
    assert often[12] < 40
    assert all(often[index] > 60 for index in range(12))


def test_the_regular_sometimes_seeks_a_tie_if_its_highest_card_is_no_lower() -> None:
    view = war("2 3 4 5 K", "5 6 7 8 K").view(0)
    chance = stream("tie", "regular")
    often = Counter(view.options[tactics.commit(view, chance)] for _ in range(1000))
    assert often[5] > 2 * often[4] > 0


def test_the_regular_forgets_cards_that_no_round_is_left_for() -> None:
    assert answers(war("2 3 9 9 K", "2 2 2 2 2", rounds=2)) == {"9", "K"}
    assert answers(war("2 3 9 9 K", "2 2 2 2 2", rounds=1)) == {"K"}


def regular_share(sides: int, battles: int, late: int = 0, **house: bool) -> float:
    """Return the share of points of one regular against others who play at random, from all seats."""
    chance = stream("share", "regular")
    points = 0.0
    for number in range(battles):
        seat = number % sides
        battle = full(sides, **house)
        while not battle.is_over():
            if battle.side == seat:
                battle.choose(tactics.commit(battle.view(seat), chance))
            else:
                at_random(battle, chance, 1, late)
        winners = battle.outcome().winners
        points += (seat in winners) / len(winners)
    return points / battles


@pytest.mark.slow
def test_the_regular_beats_the_lot() -> None:
    assert regular_share(2, 4000) > 0.58
    assert regular_share(2, 2000, dark=True) > 0.58
    assert regular_share(5, 3000) > 0.195
    assert regular_share(2, 500, late=10) > 0.75


def plain(parts: Parts) -> str:
    return said(parts, [f"P{seat}" for seat in range(1, 9)])


def shown(block: Block) -> str:
    """Return a block in plain letters."""
    if isinstance(block, Heading):
        return f"== {plain(block.parts)}" + (f" -- {plain(block.remark)}" if block.remark else "")
    if isinstance(block, Line):
        return f"{block.rule:6} {plain(block.parts)}"
    rows = [block.head, *block.rows]
    return "\n".join(" ".join(f"{plain(cell):6}" for cell in row).rstrip() for row in rows)


def tale(found: Referee, viewer: int | None = None, detail: int = TALE) -> str:
    """Return the tale of a battle for one reader."""
    teller = RULES.tale(found.setup)
    blocks = [block for _, event in found.events_for(viewer) for block in teller.describe(event)]
    return "\n".join(shown(block) for block in blocks if isinstance(block, Heading) or block.detail <= detail)


PAGE = f"5 8 K 2 8  A A Q 4 Q  9 9 3 9 3  K {LATE} 4 3 5"  # two rounds of the source, two of ours


def test_the_tale_of_an_open_battle(snapshot: SnapshotAssertion) -> None:
    found = referee(5, PAGE, rounds=4)
    told = tale(found, detail=AUDIT)
    assert "P3 wins 36 points with K." in told
    assert "P4 wins 56 points with 4; A A Q Q cancel each other out." in told
    assert "No card stands alone: 33 points roll over." in told
    assert "So far: P4 56, P3 36, P1 0, P2 0, P5 0." in told
    assert "P1 K, P2 K (out of time), P3 4, P4 3, P5 5." in told
    assert "P1 wins 71 points with K." in told
    assert told == snapshot


def test_the_tale_of_a_dark_battle_as_a_side_knows_it(snapshot: SnapshotAssertion) -> None:
    found = referee(5, PAGE, rounds=4, mode="dark")
    told = tale(found, viewer=1, detail=AUDIT)
    before = told.partition("== The veil is lifted")[0]
    assert "P1 commits a card." in before
    assert "P2 commits 8." in before
    assert "Somebody wins 36 points with K." in before
    assert "P3 wins" not in before and "So far" not in before
    assert "Round 4: P1 K, P2 K (out of time), P3 4, P4 3, P5 5; P1 won." in told
    assert told == snapshot


def test_the_umpire_sees_through_the_dark() -> None:
    told = tale(referee(5, PAGE, rounds=4, mode="dark"))
    assert "P4 wins 56 points with 4; A A Q Q cancel each other out." in told
    assert "veil" not in told


@pytest.mark.parametrize("mode", ["open", "dark"])
@pytest.mark.parametrize("viewer", [None, 0, 9])
def test_the_grid_shows_every_round_of_ten_sides(mode: str, viewer: int | None) -> None:
    found = Referee(RULES, setup(10, mode=mode), RandomSource())
    chance = stream(1, "play")
    while not found.battle.is_over():
        found.choose(chance.below(len(found.battle.options) + 1))
    teller = RULES.tale(found.setup)
    blocks = [block for _, event in found.events_for(viewer) for block in teller.describe(event)]
    (grid,) = [block for block in blocks if isinstance(block, Grid)]
    assert [plain(cell) for cell in grid.head] == ["* won", *map(str, range(1, 14))]
    battle = found.battle
    assert isinstance(battle, StrategyWar)
    for side, row in enumerate(grid.rows):
        cells = [plain(cell) for cell in row[1:]]
        assert sum(cell.endswith("*") for cell in cells) == battle.rounds_won[side]
        wanted = [cards[side] for cards in battle.history]
        texts = [f"({rank_text(-card)})" if card < 0 else rank_text(card) for card in wanted]
        assert [cell.removesuffix("*") for cell in cells] == texts


def test_the_credit_stands_in_the_rules_and_in_every_report() -> None:
    assert "COAN.NET" in RULES.credit
    assert RULES.credit_reports
    assert "Michael A. Coan, COAN.NET" in RULES.rules_text()
    for number in range(1, 23):
        assert f"- **SW-{number}** " in RULES.rules_text()
