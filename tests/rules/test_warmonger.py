"""Warmonger, rule by rule; WM-n are the numbers of its rules.md."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from cardbattle.battles import resolve
from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import verify_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.commanders import make_commander
from cardbattle.core.battle import NOBODY, UNKNOWN, Event
from cardbattle.core.cards import card_text, read_card
from cardbattle.core.chance import Drawn, RandomSource, stream
from cardbattle.core.errors import IllegalMove, InvalidInput
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import Setup
from cardbattle.core.telling import AUDIT, BRIEF, TALE, Grid, Heading, Line, Parts
from cardbattle.rules.warmonger import RULES
from cardbattle.rules.warmonger.battle import (
    ARMISTICE_WON,
    LAST_STANDING,
    MORAL_VICTORY,
    Warmonger,
    in_order,
    orders_of,
)
from cardbattle.rules.warmonger.box import (
    EFFECT_WINDOWS,
    FINAL,
    LAID,
    LAST_STAND,
    PEACE,
    RESPONSE,
    SKIRMISH,
    TURN,
    Box,
    name_of,
)
from cardbattle.rules.warmonger.boxfile import box_of, our_text, pack
from cardbattle.rules.warmonger.notation import choice_text
from cardbattle.rules.warmonger.scene import score
from cardbattle.rules.warmonger.state import BUST, CASUALTY, DRAW, UNDER
from cardbattle.show.battle_text import said
from cardbattle.testing.setting_up import complete, plain_setup
from cardbattle.testing.trial import full_tale as told_to
from tests.support.matches import share

Options = dict[str, dict[str, object]]  # by side


class Stacked(RandomSource):
    """Fate that leaves every pile as it lies: first come, first drawn."""

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        return cards[0]

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        return sorted(cards[:k])

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        return cards.copy()

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        return cards[:k]


def our_box() -> Box:
    return pack(our_text(), our_text(), our_text())


def cards(text: str) -> list[int]:
    return [read_card(word) for word in text.split()]


def texts(played: list[int]) -> str:
    return " ".join(card_text(card) for card in played)


def designs(text: str, box: Box) -> list[int]:
    """Return the designs of Warmonger cards with commas between them."""
    names = [design.name for design in box.designs]
    return [names.index(name.strip()) for name in text.split(",") if name.strip()]


def begun(
    *decks: str,
    hands: tuple[str, ...] = (),
    new: str = "",
    used: str = "",
    casualties: str = "",
    robots: tuple[str, ...] = (),
    superpower: int = 0,
    armistice: int = 600,
    box: Box | None = None,
    random_source: RandomSource | None = None,
    spoils_by_seat: bool = False,
    robots_stop_at_ties: bool = False,
) -> Warmonger:
    """Return a battle of these decks, top first, at its first question; all events are recorded."""
    battle = Warmonger()
    box = box or our_box()
    named = [robots[side] if side < len(robots) else "" for side in range(len(decks))]
    battle.begin(
        box,
        [cards(deck) for deck in decks],
        random_source or Stacked(),
        [designs(hands[side] if side < len(hands) else "", box) for side in range(len(decks))],
        designs(new, box),
        [box.robot_names().index(name) if name else NOBODY for name in named],
        superpower,
        armistice,
        spoils_by_seat=spoils_by_seat,
        robots_stop_at_ties=robots_stop_at_ties,
    )
    battle.used = designs(used, box)
    battle.casualties = cards(casualties)
    for card in battle.casualties:
        battle.trails[card] = []
    battle.log = []
    battle.run()
    return battle


def once(*decks: str, **more: object) -> Warmonger:
    """Return a battle that ends by armistice after one Skirmish, unless a side has a question to answer."""
    return begun(*decks, armistice=1, **more)  # type: ignore[arg-type]


def offered(battle: Warmonger) -> list[str]:
    return [choice_text(battle, choice) for choice in battle.options]


def asked(battle: Warmonger) -> tuple[int, int]:
    return battle.side, battle.question


def choose(battle: Warmonger, *choices: str) -> Warmonger:
    """Let the sides that are asked make these choices."""
    for choice in choices:
        assert not battle.is_over(), "the battle is over"
        assert choice in offered(battle), f"p{battle.side + 1} is offered {offered(battle)}"
        battle.choose(offered(battle).index(choice))
    return battle


def told(battle: Warmonger, kind: str) -> list[Event]:
    return [event for event in battle.log or [] if event.kind == kind]


def kinds(battle: Warmonger) -> list[str]:
    return [event.kind for event in battle.log or []]


def decks(battle: Warmonger) -> list[str]:
    return [texts(deck) for deck in battle.decks]


def hand(battle: Warmonger, side: int) -> list[str]:
    return [battle.box.designs[design].name for design in battle.hands[side]]


def names(battle: Warmonger, pile: list[int]) -> list[str]:
    return sorted(battle.box.designs[design].name for design in pile)


def drawn(battle: Warmonger) -> list[int]:
    """Return who drew Warmonger cards, in order."""
    return [event.side for event in told(battle, "drew")]


def setup(sides: int, house: dict[str, object] | None = None, **options: dict[str, object]) -> Setup:
    """Return a setup with house rules and, by seat as p1, side options; not yet dealt."""
    plain = plain_setup(RULES, sides)
    plain.seats = [f"p{seat + 1}" for seat in range(sides)]
    plain.house |= house or {}
    for key, values in options.items():
        plain.sides[plain.seat(key)] |= values
    return plain


def dealt(sides: int, house: dict[str, object] | None = None, **options: dict[str, object]) -> Setup:
    """Return the same, dealt."""
    whole = setup(sides, house, **options)
    assert RULES.check(whole) == []
    return complete(RULES, whole, 1)


def started(whole: Setup) -> Warmonger:
    battle = RULES.start(whole, Drawn(stream(1, "battle")))
    assert isinstance(battle, Warmonger)
    return battle


def box_with(effect: str, cards: int) -> Box:
    """Return our box with another number of cards for one effect."""
    head, found, rest = our_text().partition(f'effect = "{effect}"')
    _, _, rest = rest.partition("\n")
    _, _, rest = rest.partition("\n")
    return pack(f"{head}{found}\ncards = {cards}\n{rest}", our_text(), our_text())


def refusals(whole: Setup) -> list[str]:
    return [str(error) for error in RULES.check(whole)]


# Components and setup


def test_wm_1_two_to_six_sides_commanded_or_robots_with_one_pack_or_two() -> None:
    """Any number from 2 to 6 fights to an end, all Robots included."""
    assert (RULES.fewest, RULES.most) == (2, 6)
    robots = ["bulwark", "onslaught", "ledger", "jackpot", "echo"]
    for sides in range(2, 7):
        for copies in (1, 2):
            chosen: Options = {f"p{n + 1}": {"robot": robots[n]} for n in range(sides - 1)}
            battle = started(dealt(sides, {"copies": copies}, **chosen))
            battle.run()
            while not battle.is_over():
                battle.choose(0)
            assert len(battle.outcome().winners) == 1
    with pytest.raises(InvalidInput, match="2 to 6 sides, got 7"):
        read_battle(bare_battle("warmonger", [f"s{n}" for n in range(7)]))


@pytest.mark.parametrize(("sides", "each"), [(2, 30), (3, 20), (4, 15), (5, 12), (6, 10)])
def test_wm_2_sixty_cards_are_dealt_evenly(sides: int, each: int) -> None:
    """52 cards and eight Jokers; two packs give twice as many, with primes."""
    deal = dealt(sides).deal
    assert [len(deal[f"p{n + 1}"]) for n in range(sides)] == [each] * sides
    pack = sorted(card for pile in deal for card in deal[pile] if not pile.startswith("w"))
    assert texts(pack[:9]) == "J1 J2 J3 J4 J5 J6 J7 J8 2S"
    assert len(set(pack)) == 60
    double = dealt(sides, {"copies": 2}).deal
    assert [len(double[f"p{n + 1}"]) for n in range(sides)] == [2 * each] * sides
    assert texts([card for card in double["p1"] if card >= 64]).count("'") > 0


def test_wm_2_nobody_looks_into_a_deck() -> None:
    """A side's view hides the cards of all decks, its own included."""
    view = started(dealt(3)).view(0)
    assert all(card < 0 for deck in view.decks for card in deck)


def test_wm_3_a_commanded_side_holds_one_of_36_warmonger_cards() -> None:
    """Robots hold none; two packs have 72."""
    battle = started(dealt(3, p2={"robot": "echo"}))
    assert [len(cards) for cards in battle.hands] == [1, 0, 1]
    assert len(battle.new) == 34
    assert set(Counter(our_box().pile(1)).values()) == {3}
    assert len(our_box().designs) == 12
    assert len(started(dealt(2, {"copies": 2})).new) == 70


def test_wm_4_the_superpower_card_begins_left_of_a_dealer_drawn_by_lot() -> None:
    """Every seat may hold it; a house rule names the holder."""
    holders = Counter(str(complete(RULES, setup(4), seed).house["superpower"]) for seed in range(200))
    assert set(holders) == {"p1", "p2", "p3", "p4"}
    assert all(25 <= count <= 80 for count in holders.values())
    assert started(dealt(4, {"superpower": "p3"})).superpower == 2


def test_wm_4_a_record_without_a_first_holder_is_refused() -> None:
    """It cannot be fought again."""
    whole = dealt(2)
    whole.house["superpower"] = None
    with pytest.raises(InvalidInput, match="superpower is missing"):
        RULES.start(whole, RandomSource())


def test_wm_5_used_and_casualties_lie_open_and_the_new_pile_does_not() -> None:
    """A view names the cards of two piles and the size of the third."""
    battle = begun("KS", "QS", hands=("Raid",), new="Veto, Raid", used="Veto", casualties="3S 4S")
    view = battle.view(1)
    assert (texts(view.casualties), names(battle, view.used), view.new_size) == ("3S 4S", ["Veto"], 2)
    assert view.hand == [] and view.hand_sizes == [1, 0]


def test_wm_6_seats_go_clockwise() -> None:
    """Left of the Superpower holder is the next seat; the holder comes last; the dead are passed over."""
    battle = begun(*["KS 3S", "KH 3H", "KD 3D", "KC 3C"], hands=("Raid",) * 4, superpower=2)
    order: list[int] = []
    while len(order) < 4:
        assert battle.question == PEACE
        order.append(battle.side)
        choose(battle, "pass")
    assert order == [3, 0, 1, 2]


# Values


def test_wm_7_a_joker_ranks_as_its_highest_number() -> None:
    """2 to 10, J 11, Q 12, K 13, A 14; J4 counts like a 10 and ties with one."""
    ranks = our_box().ranks
    assert [ranks[card] for card in cards("2S 10H JD QC KS AH")] == [2, 10, 11, 12, 13, 14]
    assert [ranks[card] for card in cards("J1 J2 J3 J4 J5 J6 J7 J8")] == [3, 6, 9, 10, 10, 9, 10, 10]
    tied = once("J4 2S", "10S 3S", "9S 4S")
    assert told(tied, "war_declared")[0].fields["sides"] == [0, 1]


def test_wm_8_suits_never_matter_and_joker_numbers_lie_within_1_and_10() -> None:
    """A King ties with a King."""
    assert told(once("KS 2S", "KH 3S"), "war_declared")[0].fields["cause"] == "tie"
    numbers = [n for values in our_box().values[:8] for n in values]
    assert (min(numbers), max(numbers)) == (1, 10)


def test_wm_9_battle_values() -> None:
    """Courts count 10, an Ace 1 or 11, a Joker each of its numbers."""
    values = our_box().values
    assert [values[card] for card in cards("2S 10H JD QC KS AH")] == [[2], [10], [10], [10], [10], [1, 11]]
    assert [values[card] for card in cards("J4 J7 J5")] == [[1, 5, 10], [1, 10], [2, 4, 6, 8, 10]]


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("KS", 10),
        ("KS AS", 21),
        ("KS QS AS", 21),
        ("AS AH", 12),
        ("AS AH AD", 13),
        ("KS QS JS", BUST),
        ("KS QS J1", 21),
        ("KS QS J2", BUST),
        ("KS 9S J1", 21),
        ("5S J6", 14),
        ("7S 8S J6", 21),
        ("9S J8", 19),
        ("KS 8S J8", 21),
        ("J8 J8", 20),
        ("", 0),
    ],
)
def test_wm_10_a_score_is_the_best_total_up_to_21(line: str, score: int) -> None:
    """All choices of Aces and Jokers are tried; if all are too high the line is Bust."""
    battle = begun("KS", "QS", hands=("Raid",))
    for card in cards(line):
        battle.show(0, card)
    assert battle.total(0) == score


# Skirmish


def test_wm_11_all_live_sides_turn_up_their_top_card() -> None:
    """The sides have no choice."""
    battle = once("KS 2S", "9S 2H", "QS 2D")
    revealed = told(battle, "revealed")[0].fields
    assert (revealed["sides"], texts(revealed["cards"])) == ([0, 1, 2], "KS 9S QS")  # type: ignore[arg-type]
    assert battle.is_over()


def test_wm_12_a_war_joker_calls_everybody_to_war() -> None:
    """The ranks make no difference; in a Battle the Joker counts as an ordinary number."""
    battle = once("AS 3S 4S 5S 6S", "J7 2H 4H 5H 6H", "QS 2D 4D 5D 6D")
    declared = told(battle, "war_declared")[0]
    assert declared.fields == {"sides": [0, 1, 2], "cause": "joker"} and declared.side == 1
    in_battle = once("KS 3S 4S J8 6S", "KH 2H 4H 5H 6H", "QS 2D")
    assert told(in_battle, "war_declared")[0].fields["sides"] == [0, 1]


def test_wm_13_the_single_highest_card_wins_and_a_tie_for_highest_means_war() -> None:
    """Ties below the highest mean nothing; three and four may tie."""
    won = once("KS 2S", "9S 2H", "9H 2D")
    assert told(won, "skirmish_won")[0].side == 0
    assert decks(won) == ["2S KS 9S 9H", "2H", "2D"]
    for sides in (2, 3, 4):
        suits = "SHDC"[:sides]
        war = once(*[f"K{suit} 2{suit}" for suit in suits], "3S 3H")
        assert told(war, "war_declared")[0].fields["sides"] == list(range(sides))


def test_wm_14_cards_won_go_under_the_deck_in_random_order() -> None:
    """The order is a move of fate; the winner does not see it."""
    orders = Counter(
        texts(once("KS 2S", "9S 2H", "5S 2D", random_source=Drawn(stream(seed, "x"))).decks[0][1:])
        for seed in range(60)
    )
    assert len(orders) == 6
    placed = told(once("KS 2S", "9S 2H"), "placed")[0]
    assert placed.eyes == [] and placed.fields == {"count": 2}


def test_wm_14_by_seats_the_winners_card_comes_first_and_all_sides_know_the_order() -> None:
    battle = begun("KS 2S", "9S 2H", "AD 3D", "5S 2D", spoils_by_seat=True, armistice=1)
    assert texts(battle.decks[2]) == "3D AD 5S KS 9S"
    for viewer in (NOBODY, 0, 1, 2, 3):
        redealt = battle.redeal(viewer, stream(viewer, "redeal"))
        assert texts(redealt.decks[2][1:]) == "AD 5S KS 9S"


def test_wm_15_a_skirmish_moves_nothing_but_its_cards() -> None:
    """No Superpower, no casualties, no draws."""
    battle = once("KS 2S", "9S 2H", new="Raid, Raid, Raid", superpower=1)
    assert battle.superpower == 1
    assert battle.casualties == [] and drawn(battle) == []


# War and Battle


@pytest.mark.parametrize(
    ("deck", "down", "up"),
    [
        ("3S", "", "3S"),
        ("3S 4S", "3S", "4S"),
        ("3S 4S 5S", "3S 4S", "5S"),
        ("3S 4S 5S 6S 7S", "3S 4S 5S", "6S"),
    ],
)
def test_wm_16_three_cards_are_laid_face_down_and_one_face_up(deck: str, down: str, up: str) -> None:
    """With fewer the last one is laid face up."""
    battle = begun(f"KS {deck}", "KH 3H 4H 5H 6H")
    assert asked(battle) == (1, TURN)
    assert (texts(battle.downs[0]), texts(battle.lines[0])) == (down, up)


def test_wm_17_who_has_no_card_to_lay_loses_and_the_last_one_wins_without_laying() -> None:
    """They are still counted for the casualties."""
    battle = once("KS", "KH 3H 4H", "2S 5S")
    assert told(battle, "dropped_out")[0].side == 0
    assert told(battle, "laid") == []
    assert told(battle, "war_won")[0].side == 1
    assert (texts(battle.casualties), decks(battle)) == ("KS KH", ["", "3H 4H 2S", "5S"])


def test_wm_18_if_nobody_can_lay_they_destroy_each_other() -> None:
    """Of any number, tied or called by a Joker: the whole Battlefield is lost."""
    tied = once("KS", "KH", "2S 5S")
    assert told(tied, "war_lost")[0].fields["cause"] == "destruction"
    assert (texts(tied.casualties), decks(tied)) == ("KS KH 2S", ["", "", "5S"])
    assert tied.outcome().winners == [2]
    called = once("KS", "J7", "2S")
    assert called.outcome().reason == MORAL_VICTORY
    assert len(called.casualties) == 3


def test_wm_19_face_down_cards_are_hidden_from_their_owner() -> None:
    """They are turned in the order laid; what is not turned stays unseen after the War."""
    battle = once("KS 3S 4S 5S 6S 2S", "KH 3H 4H 5H 6H 2H")
    view = battle.view(1)
    assert all(card < 0 for card in view.downs[1])
    assert view.pot[1] == [*cards("KH"), UNKNOWN, UNKNOWN, UNKNOWN, *cards("6H")]
    choose(battle, "turn", "stand", "stand")
    assert texts(battle.decks[1]).startswith("2H")
    homes = battle.view(1).homes
    packet = max(homes)
    seen = sorted(card for card, home in enumerate(homes) if home == packet)
    assert texts(seen) == "3H 6S 6H KH"  # KS and 3S are casualties
    assert homes[cards("4H")[0]] == homes[cards("4S")[0]] == 0


def test_wm_20_the_superpower_holder_scores_last() -> None:
    """Clockwise from the left, those in the Battle only."""
    for holder, order in [(0, [1, 3, 0]), (1, [3, 0, 1]), (2, [3, 0, 1]), (3, [0, 1, 3])]:
        suits = "SHDC"
        armies = [f"{'2' if n == 2 else 'K'}{suits[n]} 3{suits[n]} 4{suits[n]}" for n in range(4)]
        battle = begun(*armies, superpower=holder)
        scorers: list[int] = []
        while battle.question == TURN and len(scorers) < 3:
            scorers.append(battle.side)
            choose(battle, "stand")
        assert scorers == order


def test_wm_20_the_superpower_card_stays_between_the_battles_of_a_war() -> None:
    """After a tie the same side scores first."""
    battle = begun("KS 2S 3S 4S 5S 6S 7S", "KH 2H 3H 4H 5H 6H 7H", superpower=0)
    choose(battle, "stand", "stand")
    assert kinds(battle).count("battle_tied") == 1
    assert asked(battle) == (1, TURN)


def test_wm_21_a_scorer_turns_up_or_stops() -> None:
    """Bust ends the turn; 21 does not; a Bust scorer is not even asked for cards."""
    battle = begun("KS 9S AS 5S QS 2S 2D", "KH 3H 4H 5H 6H", hands=("Supply Drop",), superpower=1)
    assert offered(battle) == ["turn", "stand", "play Supply Drop"]
    choose(battle, "turn", "turn")
    assert battle.total(0) == 20
    choose(battle, "turn")
    assert told(battle, "busted")[0].side == 0
    assert asked(battle) == (1, TURN)
    blackjack = begun("KS AS 2S 3S QS 5D", "KH 3H 4H 5H 6H", superpower=1)
    choose(blackjack, "turn")
    assert blackjack.total(0) == 21 and "turn" in offered(blackjack)


def test_wm_21_a_scorer_with_nothing_to_turn_is_not_asked() -> None:
    """A question with a single answer is skipped, and the events are the same."""
    battle = begun("KS 5S", "KH 3H 4H", superpower=1)
    assert asked(battle) == (1, TURN)
    assert told(battle, "stood")[0].fields["score"] == 5


def test_wm_22_scores_made_are_public() -> None:
    """A view has all totals and who has made theirs."""
    battle = begun("KS 5S", "KH 3H 4H", superpower=1)
    view = battle.view(1)
    assert (view.totals, view.scored) == ([5, 4], [0])


def test_wm_23_bust_cannot_win_and_scores_count_after_the_final_window() -> None:
    """A Forced March in the final window makes the leader Bust."""
    battle = begun("KS QD 5S 6S 9S", "KH 3H 4H", hands=("", "Forced March"), superpower=1)
    choose(battle, "turn", "stand", "stand")
    assert battle.view(1).totals == [19, 4]
    assert asked(battle) == (1, FINAL)
    choose(battle, "play Forced March p1")
    assert told(battle, "war_won")[0].side == 1


def test_wm_24_the_tied_fight_another_battle_and_its_winner_takes_all() -> None:
    """A third side has lost; the new lines count alone."""
    battle = once("KS 2S 3S 4S 9S 5S", "KH 2H 3H 4H 9H 7S 8S", "KD 2D 3D 4D 8D 9D")
    choose(battle, "stand", "stand", "stand")
    tied = told(battle, "battle_tied")[0].fields
    assert tied == {"sides": [0, 1], "score": 9}
    assert battle.lines[2] == [] and texts(battle.lines[0]) == "5S"
    choose(battle, "stand")
    assert told(battle, "war_won")[0].side == 1
    assert len(battle.casualties) == 3
    assert [len(deck) for deck in battle.decks] == [0, 6 + 7 + 5 - 3, 1]


def test_wm_25_tied_sides_without_cards_lose_all_even_to_a_third() -> None:
    """The third side, with a lower score, inherits nothing."""
    battle = once("KS 9S", "KH 9H", "KD 2D 3D 4D 8D 5D")
    choose(battle, "stand")
    assert told(battle, "war_lost")[0].fields["cause"] == "destruction"
    assert decks(battle) == ["", "", "5D"]
    assert len(battle.casualties) == 9
    assert (battle.outcome().winners, drawn(battle)) == ([2], [])


def test_wm_26_a_tied_side_that_has_cards_left_wins() -> None:
    """The other can lay nothing."""
    battle = once("KS 9S", "KH 2S 3S 4S 9H 5H", superpower=0)
    choose(battle, "stand")
    assert kinds(battle).count("battle_tied") == 1
    assert told(battle, "war_won")[0].side == 1


def test_wm_27_if_all_are_bust_the_battlefield_is_lost() -> None:
    """In a later Battle of a War too."""
    first = once("KS QS JS 10S 9S 2S", "KH QH JH 10H 9H 2H", superpower=0)
    choose(first, "turn", "turn", "turn", "turn")
    assert told(first, "war_lost")[0].fields["cause"] == "bust"
    assert (len(first.casualties), decks(first)) == (10, ["2S", "2H"])
    later = once("KS 2S 3S 4S 5S QS JS 10S", "KH 2H 3H 4H 5H QH JH 10H")
    choose(later, "stand", "stand")
    assert kinds(later).count("battle_tied") == 1
    choose(later, "turn", "turn", "turn", "turn")
    assert told(later, "war_lost")[0].fields["cause"] == "bust"
    assert len(later.casualties) == 16


# Aftermath


def test_wm_28_a_war_costs_a_card_for_each_side_that_was_in_it() -> None:
    """Drop-outs count, those who were in the Skirmish only do not; the rest goes under the deck."""
    battle = once(
        "KS", "KH 2H 3H 4H 5H 9D", "KD 2D 3D 4D 6D 8D", "2S 7C", random_source=Drawn(stream(1, "x"))
    )
    choose(battle, "stand", "stand")
    assert told(battle, "war_won")[0].side == 2
    assert len(battle.casualties) == 3
    assert len(battle.decks[2]) == 1 + 12 - 3
    assert texts(battle.decks[2]).startswith("8D")
    assert decks(battle)[3] == "7C"


def test_wm_29_the_winner_of_a_war_takes_the_superpower_card() -> None:
    """Without a winner it stays."""
    won = once("KS 3S", "KH 2H", superpower=1)
    assert won.superpower == 0
    bust = once("KS QS JS 10S 9S 2S", "KH QH JH 10H 9H 2H", superpower=1)
    choose(bust, "turn", "turn", "turn", "turn")
    assert bust.superpower == 1


def test_wm_30_who_runs_out_of_cards_must_play_a_lifeline() -> None:
    """The machine plays an only one; with several the owner chooses."""
    saved = once("KS 2S", "9S", hands=("", "Conscription"), casualties="3S 4S 5S 6S")
    choose(saved, "pass")
    assert decks(saved) == ["2S KS 9S", "3S 4S 5S"]
    assert [event.side for event in told(saved, "announced")] == [1]
    assert last_stands(saved) == [1]
    choice = once("KS 2S 3S 4S", "9S", hands=("", "Conscription, Raid"), casualties="3S 4S")
    choose(choice, "pass")
    assert asked(choice) == (1, LAST_STAND)
    assert offered(choice) == ["play Conscription", "play Raid p1"]
    choose(choice, "play Raid p1")
    assert decks(choice) == ["4S KS 9S", "2S 3S"]
    assert last_stands(choice) == [1]


def test_wm_30_a_vetoed_lifeline_is_followed_by_the_next() -> None:
    """Until there are cards or nothing more to play."""
    battle = once("KS 2S 3S 4S", "9S", hands=("Veto, Veto", "Conscription, Conscription"), casualties="3H 4H")
    choose(battle, "pass")
    assert asked(battle) == (0, RESPONSE)
    choose(battle, "play Veto")
    assert asked(battle) == (0, RESPONSE)
    choose(battle, "pass")
    assert battle.live == [1, 1]
    assert decks(battle)[1] == "3H 4H"
    assert last_stands(battle) == [1, 1]


def test_wm_30_last_stands_go_clockwise_from_the_left_of_the_superpower_holder() -> None:
    """A raid within is settled wholly, elimination and bounty included, before the next is asked."""
    battle = once(
        *["KS 2S", "3H", "4H", "5H 6H"],
        hands=("", "Raid, Conscription", "Raid, Conscription"),
        new="Veto, Veto, Veto, Veto",
        casualties="8S",
        superpower=1,
    )
    choose(battle, "pass", "pass")
    assert asked(battle) == (2, LAST_STAND)
    choose(battle, "play Raid p4")  # who had one card left and is out
    assert told(battle, "eliminated")[0].fields["by"] == 2
    assert drawn(battle) == [2, 2, 2]
    assert asked(battle) == (1, LAST_STAND)
    assert offered(battle) == ["play Conscription", "play Raid p1", "play Raid p3"]
    choose(battle, "play Raid p3", "pass")
    assert last_stands(battle) == [2, 1, 2]  # the Conscription left to p3 is its only answer


def last_stands(battle: Warmonger) -> list[int]:
    """Return who makes a last stand, in order; the tale says so, right before the card."""
    lines = [line for line in told_lines(battle) if line.rule in ("WM-30", "WM-44")]
    pairs = [(line, after) for line, after in pairwise(lines) if line.rule == "WM-30"]
    assert len(pairs) == len(told(battle, "last_stand"))
    for line, after in pairs:
        assert line.detail == TALE
        assert plain(line.parts).startswith("With no playing cards left, p")
        assert plain(after.parts)[:2] in plain(line.parts)
    return [event.side for event in told(battle, "last_stand")]


def told_lines(battle: Warmonger) -> list[Line]:
    """Return the lines of the battle's tale so far."""
    tale = RULES.tale(setup(battle.sides))
    blocks = [block for event in battle.log or [] for block in tale.describe(event.all_seeing())]
    return [block for block in blocks if isinstance(block, Line)]


def haul(battle: Warmonger) -> str:
    """Return the sentence on the largest haul; the battle is over."""
    return plain(told_lines(battle)[-1].parts)


def test_wm_30_a_winner_raided_away_gets_no_bounty() -> None:
    """And the Superpower card goes to the raider (WM-35)."""
    battle = once("KS", "2H", "3H", hands=("", "Raid"), new="Veto, Veto, Veto, Veto", superpower=0)
    choose(battle, "pass")
    # p1 won three cards; a raid on two of them leaves one
    assert battle.live == [1, 1, 0]
    small = box_with("raid", 5)
    battle = once("KS", "2H", "3H", hands=("", "Raid"), new="Raid, Raid, Raid, Raid, Raid, Raid", box=small)
    choose(battle, "pass")
    assert [event.side for event in told(battle, "eliminated")] == [0, 2]
    assert [event.fields["by"] for event in told(battle, "eliminated")] == [1, NOBODY]
    assert (battle.superpower, drawn(battle)) == (1, [1, 1, 1])
    assert battle.outcome().winners == [1]


def test_wm_31_all_without_cards_are_eliminated_together_and_their_hands_are_used() -> None:
    """After all last stands."""
    battle = once("KS 2S", "3H", "4H", "5H 6H", hands=("", "Veto", "Air Strike, Veto"), robots=("echo",))
    assert [event.side for event in told(battle, "eliminated")] == [1, 2]
    assert battle.fallen == [1, 2]
    assert names(battle, battle.used) == ["Air Strike", "Veto", "Veto"]
    assert battle.hands[1] == battle.hands[2] == []


def test_wm_32_the_bounty_is_three_cards_for_each() -> None:
    """Added up; nothing for a Robot, without a winner, or once one side lives."""
    new = ", ".join(["Veto"] * 9)
    two = once("KS 2S", "3H", "4H", "5H 6H", new=new)
    assert drawn(two) == [0] * 6
    robot = once("KS 2S", "3H", "4H", "5H 6H", new=new, robots=("echo",))
    assert drawn(robot) == []
    nobody = once("KS", "KH", "4H 5H", "5S 6H", new=new)
    assert (nobody.fallen, drawn(nobody)) == ([1, 0], [])
    last = once("KS 2S", "3H", new=new)
    assert (last.outcome().reason, drawn(last)) == (LAST_STANDING, [])


def test_wm_32_sides_that_fall_when_all_are_bust_bring_nobody_a_bounty() -> None:
    """As with mutual destruction."""
    battle = once("KS QS JS 10S 9S", "KH QH JH 10H 9H", "2S 5S", "2D 5D", new="Veto, Veto, Veto, Veto, Veto")
    choose(battle, "turn", "turn", "turn", "turn")
    assert (battle.live, drawn(battle)) == ([0, 0, 1, 1], [])


def test_wm_33_the_losers_of_a_war_draw_one_card_each() -> None:
    """After the bounty, clockwise from the left of the winner; the eliminated draw nothing."""
    new = ", ".join(["Veto"] * 9)
    battle = once("KS 2S 9S", "KH 3S 6S 2D 4D 8H", "KD", "KC 4S 3D 5D 7S 8S", "2H 3H", new=new, superpower=2)
    choose(battle, "stand", "stand", "stand")
    assert told(battle, "war_won")[0].side == 0
    assert battle.live == [1, 1, 0, 1, 1]
    assert drawn(battle) == [0, 0, 0, 1, 3]
    reasons = [event.fields["reason"] for event in told(battle, "drew")]
    assert reasons == ["bounty"] * 3 + ["consolation"] * 2


def test_wm_33_if_nobody_wins_all_draw_and_a_consolation_is_no_lifeline() -> None:
    """The draw comes after the eliminations."""
    battle = once(*["KS QS JS 10S 9S 2S", "KH QH JH 10H 9H", "2D 3D"], new="Raid, Raid", superpower=2)
    choose(battle, "turn", "turn", "turn", "turn")
    assert (battle.live, drawn(battle)) == ([1, 0, 1], [0])


def test_wm_34_an_empty_new_pile_is_renewed_from_the_used_one() -> None:
    """If both are empty nothing is drawn; a hand may have any size."""
    renewed = once("KS 2S", "3H", "5H 6H", new="Veto", used="Veto, Veto, Veto, Veto")
    assert drawn(renewed) == [0, 0, 0]
    assert told(renewed, "pile_renewed")[0].fields["count"] == 4
    assert (len(renewed.new), renewed.used) == (2, [])
    empty = once("KS 2S", "3H", "5H 6H", used="Veto")
    assert (drawn(empty), hand(empty, 0)) == ([0], ["Veto"])


def test_wm_35_the_superpower_card_of_an_eliminated_holder() -> None:
    """It goes to the side that eliminated the holder, otherwise clockwise; without live sides it stays."""
    taken = once("KS 2S", "3H", "5H 6H", superpower=1)
    assert taken.superpower == 0
    raided = begun("KS 2S", "3H", "5H 6H", hands=("", "", "Raid"), superpower=1)
    choose(raided, "play Raid p2")
    assert told(raided, "superpower")[0].side == 2
    destroyed = once("2S 3S", "KS", "KH", "2H 3H", superpower=1)
    assert (destroyed.live, destroyed.superpower) == ([1, 0, 0, 1], 3)
    nobody = once("KS", "KH", superpower=1)
    assert (nobody.live, nobody.superpower) == ([0, 0], 1)


def test_wm_36_cards_on_the_battlefield_keep_a_side_alive() -> None:
    """Its last card wins the Skirmish."""
    battle = once("KS", "3H 4H", "5H 6H")
    assert battle.live == [1, 1, 1]
    assert decks(battle)[0] == "KS 3H 5H"


# The end


def test_wm_37_the_last_live_side_wins_and_if_there_is_none_the_superpower_holder() -> None:
    """Last standing, or a moral victory."""
    last = begun("KS 9S", "3H")
    assert (last.outcome().winners, last.outcome().reason) == ([0], LAST_STANDING)
    for holder in (0, 1):
        none = begun("KS", "KH", superpower=holder)
        assert (none.outcome().winners, none.outcome().reason) == ([holder], MORAL_VICTORY)


def test_wm_38_robots_fight_among_themselves_and_win() -> None:
    """A battle between Robots has no questions."""
    robots: Options = {"p1": {"robot": "bulwark"}, "p2": {"robot": "echo"}, "p3": {"robot": "jackpot"}}
    battle = started(dealt(3, **robots))
    battle.run()
    assert battle.is_over() and len(battle.outcome().winners) == 1


def test_wm_39_the_armistice_gives_the_largest_army_the_victory() -> None:
    """Of equal armies the first clockwise from the Superpower holder, who is included."""
    most = once("KS 2S", "9S 2H 3H 4H", "5S 2D")
    assert (most.outcome().winners, most.outcome().reason) == ([0], ARMISTICE_WON)
    for holder, winner in [(0, 0), (1, 2), (2, 2), (3, 0)]:
        equal = once("KS 2S", "9S 2H", "5S 2D 3D 4D 6D 7D", "3S 3H", superpower=holder)
        assert [equal.score(side) for side in range(4)] == [5, 1, 5, 1]
        assert equal.outcome().winners == [winner]
    assert complete(RULES, setup(2), 1).house["armistice"] == 600
    assert complete(RULES, setup(2, {"copies": 2}), 1).house["armistice"] == 1200
    assert complete(RULES, setup(2, {"armistice": 7}), 1).house["armistice"] == 7


@pytest.mark.slow
def test_wm_40_there_are_no_teams() -> None:
    """One side wins every battle alone."""
    for seed in range(20):
        battle = started(complete(RULES, setup(3), seed))
        battle.run()
        while not battle.is_over():
            battle.choose(0)
        assert len(battle.outcome().winners) == 1


# Warmonger cards


def test_wm_41_a_card_is_used_after_its_effect() -> None:
    """So a raider draws the bounty while the Raid is not yet in the Used pile."""
    battle = begun("KS 2S", "3H", "5H 6H", hands=("Raid",), new="Veto", superpower=2)
    choose(battle, "play Raid p2")
    assert (hand(battle, 0), names(battle, battle.used)) == (["Veto"], ["Raid"])
    assert drawn(battle) == [0]


WINDOWS_OF = {
    "Conscription": PEACE | LAST_STAND,
    "Raid": PEACE | LAST_STAND,
    "Cease-fire": SKIRMISH | LAID | FINAL,
    "Provocation": SKIRMISH,
    "Air Strike": TURN | FINAL,
    "Supply Drop": TURN | FINAL,
    "Forced March": FINAL,
    "Double Agent": FINAL,
    "Field Promotion": TURN | FINAL,
    "Reconnaissance": PEACE | LAID | TURN,
    "Fighting Retreat": LAID,
    "Veto": RESPONSE,
}


def test_wm_42_every_card_has_its_windows() -> None:
    """Those of the table, which are all that the effect allows."""
    box = our_box()
    assert {design.name: design.windows for design in box.designs} == WINDOWS_OF
    assert [design.windows for design in box.designs] == EFFECT_WINDOWS


@pytest.mark.parametrize("name", WINDOWS_OF)
def test_wm_42_a_card_is_offered_in_its_windows_only(name: str) -> None:
    """All sides hold it in every battle."""
    found = 0
    for seed in range(16):
        battle = begun_at_random(name, seed)
        chance = stream(seed, "windows")
        while not battle.is_over():
            if any(text.startswith("play") for text in offered(battle)):
                found |= battle.question
            battle.choose(chance.below(len(battle.options)))
    expected = WINDOWS_OF[name]
    assert found & ~expected == 0
    assert found & PEACE == expected & PEACE
    assert found & (SKIRMISH | FINAL) == expected & (SKIRMISH | FINAL)


def begun_at_random(name: str, seed: int) -> Warmonger:
    """Return a battle of three sides in which everybody holds three copies of one card."""
    whole = complete(RULES, setup(3), seed)
    box = our_box()
    battle = Warmonger()
    held = designs(name, box) * 3
    decks = [whole.deal[key] for key in whole.seats]
    battle.begin(box, decks, Drawn(stream(seed, "battle")), [held.copy() for _ in decks])
    battle.run()
    return battle


def test_wm_43_the_round_begins_again_left_of_the_player() -> None:
    """It closes when all have passed in a row."""
    battle = begun("KS 3S 4S 5S 6S", "QH 3H 4H", "9D 3D 4D", hands=("Raid, Raid", "Raid", "Raid"))
    assert asked(battle) == (1, PEACE)
    choose(battle, "pass")
    assert asked(battle) == (2, PEACE)
    choose(battle, "play Raid p1")
    assert asked(battle) == (0, PEACE)
    choose(battle, "pass")
    assert asked(battle) == (1, PEACE)
    choose(battle, "pass")
    assert told(battle, "revealed") != []


def test_wm_43_sides_outside_the_war_may_play_if_the_card_allows() -> None:
    """Cease-fire in `laid`, Air Strike and Forced March in `final`; no Supply Drop."""
    battle = begun(
        *["KS 3S 4S 5S 6S", "KH 3H 4H 5H 6H", "2D 3D 4D"],
        hands=("", "", "Cease-fire, Air Strike, Forced March, Supply Drop, Double Agent, Fighting Retreat"),
    )
    choose(battle, "pass")  # the Cease-fire in `skirmish`
    assert asked(battle) == (2, LAID)
    assert offered(battle) == ["pass", "play Cease-fire"]
    choose(battle, "pass", "stand", "stand")
    assert asked(battle) == (2, FINAL)
    assert [text.split(" p")[0] for text in offered(battle)] == [
        "pass",
        "play Cease-fire",
        *["play Air Strike"] * 2,
        *["play Forced March"] * 2,
    ]


def test_wm_44_a_veto_stops_a_card_and_a_veto_of_the_veto_lets_it_through() -> None:
    """The last announcement is settled first; each side is asked once about each announcement."""
    hands = ("Raid", "Veto, Veto", "Veto, Veto", "Veto")
    battle = begun("KS 3S", "QH 3H", "9D 3D", "5C 3C", hands=hands, superpower=3)
    choose(battle, "play Raid p2")
    assert asked(battle) == (1, RESPONSE)
    choose(battle, "play Veto")  # p2 against the Raid
    assert asked(battle) == (2, RESPONSE)
    choose(battle, "play Veto")  # p3 against that Veto
    assert asked(battle) == (3, RESPONSE)
    choose(battle, "pass")
    assert asked(battle) == (1, RESPONSE)  # about p3's Veto, the first announcement after p2's own
    choose(battle, "pass")
    assert asked(battle) == (2, RESPONSE)  # the round about the Raid goes on after p2
    choose(battle, "pass")
    assert asked(battle) == (3, RESPONSE)
    choose(battle, "pass")
    assert told(battle, "raided") != []
    assert names(battle, battle.used) == ["Raid", "Veto", "Veto"]


def test_wm_44_the_vetoed_card_is_used_and_does_nothing() -> None:
    """Both go to the Used pile; a response is offered for Lifelines too."""
    battle = begun("KS 3S 4S 5S", "QH 3H 4H", hands=("Raid", "Veto"), superpower=1)
    choose(battle, "play Raid p2", "play Veto")
    assert told(battle, "raided") == [] and len(told(battle, "vetoed")) == 1
    assert names(battle, battle.used)[:2] == ["Raid", "Veto"]


def test_wm_44_nobody_vetoes_his_own_card() -> None:
    """Only the others are asked."""
    battle = begun("KS 3S 4S 5S", "QH 3H 4H", hands=("Raid, Veto",), superpower=1)
    choose(battle, "play Raid p2")
    assert told(battle, "raided") != []


def test_wm_45_a_changed_line_is_counted_anew_without_turning_again() -> None:
    """An Ace that was 1 counts 11 once a King counts nothing; who has stopped turns no more."""
    battle = begun("KS QS AS 9S KD 2S", "KH 3H 4H 5H 6H 2H", hands=("", "Air Strike"), superpower=1)
    choose(battle, "turn", "turn", "stand")  # KD QS AS: the Ace counts 1
    assert battle.total(0) == 21
    choose(battle, "play Air Strike p1 KD")
    assert battle.total(0) == 21 and len(battle.downs[0]) == 1
    assert asked(battle) == (1, TURN)
    choose(battle, "stand")
    assert [event.side for event in told(battle, "turned_up")] == [0, 0]


def test_wm_46_a_bust_line_may_be_saved_in_the_final_window() -> None:
    """It ended its turning, but a Field Promotion brings it back."""
    battle = begun(
        "KS 9S 5S QS KD 2S", "KH 3H 4H 5H 6H 2H", hands=("Field Promotion",), superpower=1, armistice=1
    )
    choose(battle, "turn", "turn")
    assert battle.total(0) == BUST
    choose(battle, "stand")
    assert asked(battle) == (0, FINAL)
    choose(battle, "play Field Promotion KD 7")
    assert told(battle, "war_won")[0].fields["score"] == 21


def test_wm_47_cards_from_a_deck_come_off_its_top_and_go_under_the_other() -> None:
    """The cards that a Raid takes stay hidden from all sides."""
    battle = begun("KS 3S 4S 5S", "QH 3H 4H", hands=("Raid",), superpower=1)
    choose(battle, "play Raid p2")
    assert told(battle, "raided")[0].fields == {"target": 1, "count": 2}
    assert all(not event.hidden for event in told(battle, "raided"))
    before = begun("KS 3S 4S 5S", "QH 3H 4H", hands=("Raid",), superpower=1, armistice=1)
    choose(before, "play Raid p2")
    assert decks(before) == ["3S 4S 5S QH 3H KS 4H", ""]


# The twelve cards


def test_c1_conscription_brings_three_random_casualties_back() -> None:
    """All if there are fewer; it cannot be played without any."""
    battle = once("KS 3S", "QH 3H", hands=("Conscription",), casualties="4S 5S 6S 7S", superpower=1)
    choose(battle, "play Conscription")
    assert decks(battle)[0].startswith("3S 4S 5S 6S") and texts(battle.casualties) == "7S"
    two = once("KS 3S", "QH 3H", hands=("Conscription",), casualties="4S 5S", superpower=1)
    choose(two, "play Conscription")
    assert two.casualties == []
    none = once("KS 3S", "QH 3H", hands=("Conscription",), superpower=1)
    assert none.is_over() and hand(none, 0) == ["Conscription"]
    assert len({tuple(once_conscripted(seed)) for seed in range(200)}) == 4 * 3 * 2


def once_conscripted(seed: int) -> list[int]:
    """Return the order in which three casualties of four go under the deck."""
    battle = once(
        "KS 3S",
        "QH 3H",
        hands=("Conscription",),
        casualties="4S 5S 6S 7S",
        random_source=Drawn(stream(seed, "x")),
    )
    choose(battle, "play Conscription")
    return battle.decks[0][1:4]


def test_c2_raid_takes_two_cards_or_the_last_one() -> None:
    """Only from a live side with a deck; who has none left falls at once, with bounty."""
    battle = begun("KS 3S", "QH", "9D 3D", hands=("Raid, Raid",), new="Veto, Veto, Veto, Veto", superpower=2)
    assert offered(battle) == ["pass", "play Raid p2", "play Raid p3"]
    choose(battle, "play Raid p2")
    assert decks(battle) == ["KS 3S QH", "", "9D 3D"]
    assert told(battle, "eliminated")[0].fields["by"] == 0
    assert drawn(battle) == [0, 0, 0]
    assert offered(battle) == ["pass", "play Raid p3"]
    choose(battle, "play Raid p3")
    assert battle.outcome().winners == [0]
    assert len(drawn(battle)) == 3  # no draws after the last rival is eliminated
    assert battle.stack == [] and names(battle, battle.used) == ["Raid", "Raid"]


def test_c2_the_raided_may_stand_and_raid_back() -> None:
    """Within the raider's card; the raider may then have to stand as well."""
    battle = begun("KS", "QH 3H", "9D 3D", hands=("Raid", "Raid"), superpower=2)
    choose(battle, "play Raid p2")
    assert asked(battle) == (1, LAST_STAND)
    assert offered(battle) == ["play Raid p1", "play Raid p3"]
    choose(battle, "play Raid p1")
    assert (told(battle, "revealed")[0].fields["sizes"]) == [1, 2, 2]
    again = begun("KS", "QH 3H", "9D 3D", hands=("Raid", "Raid"), superpower=2, box=box_with("raid", 3))
    choose(again, "play Raid p2", "play Raid p1")
    first = told(again, "eliminated")[0]
    assert (first.side, first.fields["by"]) == (0, 1)


@pytest.mark.parametrize("window", ["skirmish", "laid", "final"])
def test_c3_cease_fire_gives_everybody_his_cards_back(window: str) -> None:
    """No winner, casualties, Superpower or consolation; it counts as a Skirmish."""
    new = "Veto, Veto"
    battle = once(
        "KS 3S 4S 5S 6S", "KH 3H 4H 5H 6H", "2D 7D", hands=("", "Cease-fire"), new=new, superpower=2
    )
    while window != "skirmish" and battle.question == SKIRMISH:
        choose(battle, "pass")
    if window == "final":
        choose(battle, "pass", "turn", "stand", "stand")
    choose(battle, "play Cease-fire")
    assert sorted(battle.decks[0]) == sorted(cards("KS 3S 4S 5S 6S"))
    assert sorted(battle.decks[1]) == sorted(cards("KH 3H 4H 5H 6H"))
    assert decks(battle)[2] == "7D 2D"
    assert (battle.casualties, drawn(battle), battle.superpower, battle.skirmish) == ([], [], 2, 1)
    assert battle.outcome().reason == ARMISTICE_WON
    assert [event.side for event in told(battle, "placed")] == [0, 1, 2]


def test_c3_cards_go_back_to_who_first_put_them_there() -> None:
    """After a Double Agent, and from a side that dropped out."""
    battle = once(
        *["KS 3S 4S 5S 6S", "KH 3H 4H 5H 9H", "KD"], hands=("Double Agent", "Cease-fire"), superpower=1
    )
    choose(battle, "pass", "pass", "stand", "stand", "play Double Agent p2 6S 9H")
    assert asked(battle) == (1, FINAL)
    choose(battle, "play Cease-fire")
    assert [texts(sorted(deck)) for deck in battle.decks] == ["3S 4S 5S 6S KS", "3H 4H 5H 9H KH", "KD"]


def test_c4_provocation_makes_a_skirmish_a_war_of_all() -> None:
    """Not if all are in the War already."""
    battle = begun("KS 3S 4S", "9H 3H 4H", "2D 7D 3D", hands=("", "Provocation"), superpower=2)
    choose(battle, "play Provocation")
    assert told(battle, "war_declared")[0].fields == {"sides": [0, 1, 2], "cause": "provocation"}
    tied = begun("KS 3S 4S", "KH 3H 4H", "2D 7D 3D", hands=("", "Provocation"), superpower=2)
    assert asked(tied) == (1, SKIRMISH)
    everybody = begun("KS 3S 4S", "KH 3H 4H", hands=("", "Provocation"), superpower=1)
    assert asked(everybody) == (0, TURN)


def test_c5_air_strike_makes_a_card_count_nothing() -> None:
    """A lone Ace leaves 0, which is a score and loses to any other; not twice the same card."""
    battle = once(
        "KS 3S 4S AS", "KH 3H 4H 2H", "5D 6D", hands=("", "", "Air Strike, Air Strike"), superpower=1
    )
    choose(battle, "stand", "stand")
    assert offered(battle) == ["pass", "play Air Strike p1 AS", "play Air Strike p2 2H"]
    choose(battle, "play Air Strike p1 AS")
    assert battle.total(0) == 0
    assert offered(battle) == ["pass", "play Air Strike p2 2H"]
    choose(battle, "pass")
    assert told(battle, "war_won")[0].side == 1
    assert battle.score(1) == 4 + 4 + 1 - 2


def test_c6_supply_drop_adds_the_top_of_the_deck() -> None:
    """For those in the Battle who have a deck; it may make the line Bust."""
    battle = once(
        "KS 3S 4S 5S QS JS AS 9S", "KH 3H 4H 5H 9H", hands=("Supply Drop, Supply Drop",), superpower=1
    )
    choose(battle, "play Supply Drop")
    assert (texts(battle.lines[0]), battle.total(0)) == ("QS JS", 20)
    choose(battle, "play Supply Drop")
    assert battle.total(0) == 21
    empty = once("KS 3S 4S 5S QS", "KH 3H 4H 5H 9H", hands=("Supply Drop",), superpower=1)
    assert offered(empty) == ["turn", "stand"]


def test_c7_forced_march_makes_another_turn_a_card_up() -> None:
    """It may help them or make them Bust; only where a card lies face down."""
    battle = once("KS 3S 4S QS", "KH 5H", "5D 6D", hands=("", "", "Forced March, Forced March"), superpower=1)
    choose(battle, "stand")
    assert offered(battle) == ["pass", "play Forced March p1"]
    choose(battle, "play Forced March p1", "play Forced March p1")
    assert (battle.skirmish, told(battle, "war_won")[0].fields["score"]) == (1, 17)


def test_c8_double_agent_exchanges_two_cards_and_takes_marks_off() -> None:
    """Both lines are recounted."""
    battle = once(
        *["KS 3S 4S 9S", "KH 3H 4H 2H", "5D 6D"], hands=("Double Agent", "", "Air Strike"), superpower=1
    )
    choose(battle, "stand", "stand", "play Air Strike p1 9S")
    assert (battle.total(0), battle.total(1)) == (0, 2)
    choose(battle, "play Double Agent p2 9S 2H")
    assert told(battle, "recounted")[0].fields["score"] == 2
    assert told(battle, "war_won")[0].side == 1
    assert told(battle, "war_won")[0].fields["score"] == 9


def test_c9_field_promotion_lets_a_card_count_1_to_11() -> None:
    """Only the last change to a card counts."""
    battle = once("KS 3S 4S 9S", "KH 3H 4H 2H", hands=("Field Promotion, Field Promotion",), superpower=1)
    promotions = [text for text in offered(battle) if text.startswith("play")]
    assert promotions == [f"play Field Promotion 9S {n}" for n in range(1, 12)]
    choose(battle, "play Field Promotion 9S 11")
    assert battle.total(0) == 11
    choose(battle, "play Field Promotion 9S 1")
    assert battle.total(0) == 1


def test_c10_reconnaissance_orders_the_top_of_the_deck() -> None:
    """Four cards, fewer if there are fewer, two at least; the first named is on top."""
    battle = once("3S 4S 5S 6S 7S", "QH 3H", hands=("Reconnaissance",), superpower=1)
    choose(battle, "play Reconnaissance")
    assert len(offered(battle)) == 24 and offered(battle)[0] == "order 3S 4S 5S 6S"
    choose(battle, "order 6S 3S 5S 4S")
    assert texts(told(battle, "revealed")[0].fields["cards"]) == "6S QH"  # type: ignore[arg-type]
    assert decks(battle)[0] == "3S 5S 4S 7S"
    short = once("3S 4S", "QH 3H", hands=("Reconnaissance",), superpower=1)
    choose(short, "play Reconnaissance")
    assert offered(short) == ["order 3S 4S", "order 4S 3S"]
    one = once("3S", "QH 3H", hands=("Reconnaissance",), superpower=1)
    assert one.is_over()


def test_an_order_is_the_permutation_with_its_number() -> None:
    shown = cards("5S 3S 4S 9H")
    assert [in_order(shown, number) for number in range(24)] == orders_of(shown)
    assert in_order([], 0) == []


def test_c10_reconnaissance_orders_the_face_down_cards() -> None:
    """In `laid` and `turn`, by those in the Battle; the first named is turned next."""
    battle = once("KS 3S 4S 5S 6S", "KH 3H 4H 5H 6H", hands=("Reconnaissance",), superpower=1)
    choose(battle, "pass")
    assert asked(battle) == (0, LAID)
    choose(battle, "pass", "play Reconnaissance", "order 5S 3S 4S")
    assert asked(battle) == (0, TURN)
    choose(battle, "turn")
    assert texts(battle.lines[0]) == "6S 5S"
    assert told(battle, "arranged")[0].hidden == {"cards": cards("5S 3S 4S")}


def test_c11_fighting_retreat_saves_the_cards_of_this_battle() -> None:
    """The Skirmish card is lost; the last one left wins; the loser is counted and consoled."""
    battle = once("KS 3S 4S 5S 6S 9S", "KH 3H 4H 5H 6H", hands=("Fighting Retreat",), new="Veto")
    choose(battle, "play Fighting Retreat")
    assert told(battle, "war_won")[0].fields["cause"] == "alone"
    assert texts(battle.decks[0]) == "9S 3S 4S 5S 6S"
    assert len(battle.casualties) == 2 and len(battle.decks[1]) == 4
    assert (drawn(battle), names(battle, battle.used)) == ([0], ["Fighting Retreat"])


def test_c11_with_three_sides_the_other_two_fight_on() -> None:
    """The one who retreated is still counted for the casualties."""
    battle = once(
        *["KS 3S 4S 5S 6S", "KH 3H 4H 5H 7H", "KD 3D 4D 5D 8D"], hands=("Fighting Retreat",), superpower=2
    )
    choose(battle, "play Fighting Retreat")
    assert battle.fighting == [1, 2]
    choose(battle, "stand", "stand")
    assert told(battle, "war_won")[0].side == 2
    assert len(battle.casualties) == 3


def test_c12_veto_answers_a_card_of_another() -> None:
    """It is offered in no other window."""
    battle = once("KS 3S", "QH 3H", hands=("Veto", "Veto"))
    assert battle.is_over() and hand(battle, 0) == ["Veto"]


# What follows from the rules


def test_ledger_1_both_have_one_card_and_tie() -> None:
    """Moral victory."""
    battle = begun("KS", "KH", superpower=1)
    assert (battle.outcome().reason, battle.outcome().winners) == (MORAL_VICTORY, [1])


def test_ledger_2_a_tie_of_one_card_against_more() -> None:
    """They win by WM-17, gain nothing, and live."""
    battle = begun("KS", "KH 2H")
    assert (battle.outcome().winners, decks(battle), len(battle.casualties)) == ([1], ["", "2H"], 2)


def test_ledger_3_a_tie_of_two_without_cards_and_a_third_outside() -> None:
    """All cards are casualties, no bounty, the third wins."""
    battle = begun("KS", "KH", "2D 3D", new="Veto, Veto, Veto")
    assert (battle.outcome().winners, len(battle.casualties), drawn(battle)) == ([2], 3, [])


def test_ledger_4_a_war_joker_with_a_side_that_has_no_cards() -> None:
    """It drops out, the other two lay."""
    battle = begun("KS", "J8 2H 3H", "5D 3D 4D")
    assert [event.side for event in told(battle, "dropped_out")] == [0]
    assert [event.side for event in told(battle, "laid")] == [1, 2]


def test_ledger_5_two_cards_left() -> None:
    """One face down, one face up."""
    battle = begun("KS 3S 4S", "KH 3H 4H")
    assert told(battle, "laid")[0].fields == {"card": cards("4S")[0], "down": 1, "score": 4}


def test_ledger_6_the_last_cards_of_two_sides_bring_six_new_ones() -> None:
    """If a fourth side lives."""
    new = ", ".join(["Veto"] * 8)
    assert len(drawn(once("KS 2S", "3H", "4D", "5C 6C", new=new))) == 6
    assert len(drawn(once("KS 2S", "3H", "4D", new=new))) == 0


@pytest.mark.slow
def test_ledger_7_a_war_winner_has_a_card_afterwards() -> None:
    """Check 200 random battles after every War."""
    wars = 0
    for seed in range(200):
        battle = started(complete(RULES, setup(2 + seed % 5), seed))
        battle.log = []
        battle.run()
        chance = stream(seed, "ledger")
        while not battle.is_over():
            battle.choose(chance.below(len(battle.options)))
        events = battle.log
        for n, event in enumerate(events):
            if event.kind == "war_won":
                wars += 1
                after = [later for later in events[n : n + 3] if later.kind == "placed"]
                assert after or event.fields["cause"] == "alone"
                eliminated = [later.side for later in events[n : n + 4] if later.kind == "eliminated"]
                assert event.side not in eliminated
    assert wars > 1000


def test_ledger_8_the_superpower_holder_is_out_in_a_skirmish() -> None:
    """The card goes to the taker."""
    assert once("KS 2S", "3H", "5D 6D", superpower=1).superpower == 0


def test_ledger_9_three_tie_for_the_best_score() -> None:
    """A three-way Battle."""
    battle = begun(*[f"K{s} 2{s} 3{s} 10{s} Q{s} 5{s} 6{s}" for s in "SHD"])
    choose(battle, *["stand"] * 3)
    assert told(battle, "battle_tied")[0].fields == {"sides": [0, 1, 2], "score": 10}
    assert len(told(battle, "laid")) == 6


def test_ledger_10_the_last_scorer_beats_the_bust_by_standing() -> None:
    """On their face-up card."""
    battle = once("KS QS JS 10S 9S", "KH 2H", superpower=1)
    choose(battle, "turn", "turn")
    assert told(battle, "war_won")[0].side == 1


def test_ledger_11_a_robot_left_alone_wins() -> None:
    """A Robot wins like any other side."""
    assert begun("KS 9S", "3H", robots=("ledger",)).outcome().winners == [0]


def test_ledger_12_a_cease_fire_saves_a_side_with_an_empty_deck() -> None:
    """Their own cards return."""
    battle = once("KS 2S", "3H", hands=("", "Cease-fire"))
    choose(battle, "play Cease-fire")
    assert (battle.live, decks(battle)) == ([1, 1], ["2S KS", "3H"])


# Who may know what


def test_a_looker_keeps_the_order_he_made() -> None:
    """In every redeal; for the others the same cards may lie in any order, or elsewhere."""
    battle = begun(
        "3S 4S 5S 6S 7S 8S", "QH 3H 4H", "9D 3D", hands=("Reconnaissance, Raid", "Raid"), superpower=2
    )
    choose(battle, "play Reconnaissance", "order 6S 3S 5S 4S")
    assert asked(battle) == (1, PEACE)
    view = battle.view(0)
    assert view.decks[0][:4] == cards("6S 3S 5S 4S") and view.decks[0][4] < 0
    for n in range(20):
        assert texts(battle.redeal(0, stream(n, "r")).decks[0][:4]) == "6S 3S 5S 4S"
    others = Counter(texts(battle.redeal(1, stream(n, "r")).decks[0][:4]) for n in range(50))
    assert len(others) > 45
    assert battle.view(1).decks[0][:4] == [battle.view(1).decks[0][0]] * 4


def test_a_card_stays_in_the_packet_it_went_under_with() -> None:
    """Cards won face up lie below the older cards of that deck in every redeal."""
    battle = begun("KS 2S 3S 4S 5S", "9H 3H 4H 5H", "8D 3D 4D", hands=("Raid", "", ""), superpower=2)
    choose(battle, "pass")
    assert asked(battle) == (0, PEACE)
    assert decks(battle)[0] == "2S 3S 4S 5S KS 9H 8D"
    for viewer in range(3):
        for n in range(10):
            other = battle.redeal(viewer, stream(n, "r"))
            assert sorted(other.decks[0][4:]) == sorted(cards("KS 9H 8D"))
            assert cards("KS")[0] not in other.decks[0][:4]


def test_a_packet_is_remembered_when_it_is_torn_apart() -> None:
    """If a Raid takes one of two known cards, each can be in only two places."""
    box = box_with("raid", 1)
    battle = begun("KS", "2H 3H 4H", "2D 3D 4D", hands=("", "Raid", ""), box=box, superpower=0)
    choose(battle, "pass")
    assert decks(battle) == ["KS 2H 2D", "3H 4H", "3D 4D"]
    choose(battle, "play Raid p1")
    assert decks(battle)[0] != "KS 2H 2D"
    known = cards("KS 2H 2D")
    for n in range(30):
        other = battle.redeal(2, stream(n, "r"))
        lying = [card for pile in [*other.decks, *other.pot] for card in pile if card in known]
        assert sorted(lying) == sorted(known)
    places = {tuple(card in battle.redeal(2, stream(n, "r")).decks[1] for card in known) for n in range(40)}
    assert all(sum(place) == sum(next(iter(places))) for place in places)


def test_a_redeal_gives_the_side_that_is_asked_another_hand() -> None:
    """And asks it again; at a last stand it keeps a Lifeline."""
    battle = begun("KS 3S 4S 5S", "QH 3H", hands=("Raid", "Veto"), new="Veto, Veto, Veto", superpower=1)
    found = {tuple(offered(battle.redeal(1, stream(n, "r")))) for n in range(30)}
    assert found == {("pass",), ("pass", "play Raid p2")}
    stand = once(*["KS 2S", "9S", "4D 5D"], hands=("", "Raid"), new=", ".join(["Veto"] * 9), superpower=2)
    choose(stand, "pass")
    assert asked(stand) == (1, LAST_STAND)
    for n in range(20):
        other = stand.redeal(0, stream(n, "r"))
        assert (asked(other), offered(other)) == ((1, LAST_STAND), offered(stand))


def test_an_announcement_is_hidden_from_nobody_and_a_draw_from_all_but_one() -> None:
    """Events show what each side saw."""
    battle = once("KS 2S", "3H", "5D 6D", new="Veto, Raid, Raid")
    for event in told(battle, "drew"):
        assert "card" in (event.seen_by(0) or event).fields
        seen = event.seen_by(2)
        assert seen is not None and "card" not in seen.fields
    silent = begun("KS 2S", "3H 4H", hands=("Raid",), superpower=1)
    choose(silent, "pass")
    assert all(event.seen_by(1) is None for event in told(silent, "passed"))


def test_unknown_cards_are_refused_when_they_would_be_played() -> None:
    """A deck whose next card is unknown cannot be played from."""
    battle = Warmonger()
    battle.begin(our_box(), [[*cards("KS"), UNKNOWN], cards("2H 3H")], Stacked())
    with pytest.raises(IllegalMove, match="next card of a deck is not known"):
        battle.run()


# Robots


def robot_turn(
    robot: str, deck: str, *before: str, names: str = "", stops_at_ties: bool = False
) -> tuple[str, int]:
    """Return the line and score of a Robot that scores after these scores were made.

    Each line before it is written as its face-up card, and stands.
    """
    box = our_box()
    armies = [f"K{suit} 2{suit} 3{suit} 4{suit} {line}" for suit, line in zip("HDC", before, strict=False)]
    decks = [f"KS {deck} 2S", *[f"{army} 5{army[1]}" for army in armies]]
    battle = begun(*decks, robots=(robot,), box=box, robots_stop_at_ties=stops_at_ties)
    if not before:
        battle = begun("KS " + deck, "KH 2H 3H 4H 5H", robots=(robot,), superpower=1)
    for _ in before:
        choose(battle, "stand")
    done = next(event for event in told(battle, "stood") + told(battle, "busted") if event.side == 0)
    shown = done.fields["cards"]
    assert isinstance(shown, list)
    score = done.fields.get("score", BUST)
    assert isinstance(score, int)
    return texts(shown), score


def test_wm_48_a_robot_chases_the_best_score_made_until_it_has_more() -> None:
    """A tie is not enough; Bust scores are nothing to chase."""
    assert robot_turn("echo", "3S 9S 5S 6S", "9H") == ("6S 3S 9S", 18)
    assert robot_turn("echo", "4S 9S 5S 6S", "10H") == ("6S 4S 9S", 19)  # 10 ties and is not enough
    assert robot_turn("echo", "5S 9S 4S 6S", "10H") == ("6S 5S", 11)
    assert robot_turn("echo", "5S 9S 7S 6S", "10H", "JD") == ("6S 5S", 11)


def test_wm_48_with_stop_a_tie_is_enough() -> None:
    """Then every Robot stops where Bulwark does."""
    assert robot_turn("echo", "4S 9S 5S 6S", "10H", stops_at_ties=True) == ("6S 4S", 10)


@pytest.mark.parametrize(
    ("robot", "deck", "line", "score"),
    [
        ("bulwark", "5S 2D 3D 6S", "6S 5S 2D", 13),
        ("bulwark", "7S 2D 3D 6S", "6S 7S", 13),
        ("onslaught", "9S 2D 3D 6S", "6S 9S 2D", 17),
        ("onslaught", "9S AS 3D 6S", "6S 9S AS 3D", 19),
        ("ledger", "4S AS 9D 7S", "7S 4S AS", 12),
        ("ledger", "5S 9S 9D 7S", "7S 5S", 12),
        ("ledger", "J8 9S 9D 10S", "10S J8 9S", 21),
        ("ledger", "KS 3D 9D 2S", "2S KS", 12),
        ("jackpot", "2S 9S 9D 3S", "3S 2S", 5),
        ("jackpot", "9S 9H 9D QS", "QS 9S", 19),
        ("echo", "7S 2S 9D 8S", "8S 7S", 15),
        ("echo", "6S 2S 9D 8S", "8S 6S 2S", 16),
    ],
)
def test_wm_48_a_robot_without_a_score_to_beat_goes_by_its_opening(
    robot: str, deck: str, line: str, score: int
) -> None:
    """Until 13, until 17, what cannot Bust it, one card, until 15."""
    assert robot_turn(robot, deck) == (line, score)


def test_wm_48_a_struck_card_counts_nothing_in_the_least_total() -> None:
    battle = begun(
        "KS 2S 3S 4S 5S", "KH 2H 3H 4H 9H", hands=("Air Strike",), robots=("", "ledger"), superpower=1
    )
    assert battle.least(1) == 9
    choose(battle, "play Air Strike p2 9H")
    assert battle.least(1) == 0


def test_the_first_card_of_the_pack_is_seen_on_the_battlefield() -> None:
    """J1 has the number 0."""
    battle = begun("J1 2S", "KH 3H", hands=("Cease-fire",))
    assert battle.view(1).pot == [cards("J1"), cards("KH")]


def test_wm_48_a_robot_with_no_opening_of_its_own_stands() -> None:
    """On its face-up card."""
    plain = """format = 1
[[robot]]
name = "Post"
opening = "stand"
"""
    box = pack(our_text(), plain, our_text())
    battle = begun("KS 2S 3S 4S 5S", "KH 2H 3H 4H 6H", robots=("post",), superpower=1, box=box)
    assert told(battle, "stood")[0].fields["score"] == 5


def test_wm_49_a_robot_decides_nothing_and_can_be_aimed_at() -> None:
    """Raids take its cards; it is never asked."""
    battle = begun("KS 3S 4S 5S", "QH 3H 4H", hands=("Raid",), robots=("", "echo"), superpower=1)
    assert offered(battle) == ["pass", "play Raid p2"]
    choose(battle, "play Raid p2")
    assert told(battle, "raided") != []


def test_wm_49_bulwark_is_content_with_a_tie_and_its_armour_holds_once() -> None:
    """The first card that would Bust it counts 0, in its own turn or by a Forced March."""
    assert robot_turn("bulwark", "4S 9S 5S 6S", "10H") == ("6S 4S", 10)
    assert robot_turn("bulwark", "5S 10S 2D 7S") == ("7S 5S 10S", 12)
    battle = begun(
        *["KS 7S QS 9D 6S 2S", "KH 2H 3H 4H 10H 5H"],
        hands=("", "Forced March, Forced March"),
        robots=("bulwark",),
        superpower=1,
    )
    assert battle.total(0) == 13
    choose(battle, "stand")
    choose(battle, "play Forced March p1")
    assert (battle.total(0), battle.armoured) == (13, [1, 0])
    choose(battle, "play Forced March p1")
    assert told(battle, "turned_up")[-1].fields == {"card": cards("9D")[0]}


def test_wm_49_onslaught_draws_everybody_into_its_ties() -> None:
    """Onslaught acts at the reveal, before any side can play a card."""
    battle = begun("KS 2S", "KH 3H 4H", "5D 4D 6D", robots=("onslaught",), superpower=2)
    assert told(battle, "war_declared")[0].fields == {"sides": [0, 1, 2], "cause": "rampage"}
    below = once("KS 2S", "9H 3H 4H", "9D 4D 6D", robots=("", "onslaught"))
    assert told(below, "war_declared") == []


def test_wm_49_ledger_salvages_a_casualty_before_any_last_stand() -> None:
    """So it may live on a card of a War that it lost."""
    battle = once("KS 2S", "KH 3H", "5D 4D 6D", robots=("ledger",))
    assert told(battle, "salvaged")[0].side == 0
    assert battle.live == [1, 1, 1]
    assert len(battle.decks[0]) == 1 and len(battle.casualties) == 1
    destroyed = once("KS", "KH", "5D 4D 6D", robots=("ledger",))
    assert destroyed.live == [1, 0, 1]
    winner = once("KS 4S", "KH 3H", "5D 4D 6D", robots=("ledger",))
    assert told(winner, "salvaged") == []


def test_wm_49_jackpot_turns_one_more_on_a_thin_lead_and_its_courts_count_5_or_10() -> None:
    """Once; and not with 16."""
    assert robot_turn("jackpot", "2S 3S 5S 9S", "8H") == ("9S 2S", 11)
    assert robot_turn("jackpot", "2S 3S 5S 10S", "10H") == ("10S 2S 3S", 15)
    assert robot_turn("jackpot", "7S 3S 5S 9S", "10H") == ("9S 7S", 16)
    assert robot_turn("jackpot", "QS KS 5D 6S", "9H") == ("6S QS", 16)
    assert robot_turn("jackpot", "QS KS 5D 6S", "QH") == ("6S QS", 16)
    battle = begun("KS 2S 3S 4S QS 5S", "KH 2H 3H 4H 5H 6H", robots=("jackpot",), superpower=1)
    for card in cards("KD JD"):
        battle.lines[0].append(card)
        battle.marks[0].append(-1)
    assert battle.total(0) == 17  # Q and K and J and 2: 5 + 5 + 5 + 2


def test_wm_49_echo_has_the_last_word_in_a_tie_of_two() -> None:
    """Not in a tie of three."""
    two = once("KS 9S", "KH 9H", "5D 4D", robots=("echo",), superpower=1)
    assert told(two, "war_won")[0].fields == {"cause": "last-word", "score": 9}
    three = once("KS 9S", "KH 9H", "KD 9D", robots=("echo",), superpower=1)
    assert told(three, "war_won") == []


def test_wm_49_there_is_one_of_each_robot() -> None:
    """Named in lower case; unknown names are refused with the nearest."""
    assert refusals(setup(3, p1={"robot": "echo"}, p3={"robot": "echo"})) == [
        "sides.p3.robot: echo already plays another side; choose another Robot"
    ]
    assert refusals(setup(2, p1={"robot": "bulwork"})) == [
        'sides.p1.robot: there is no Robot "bulwork"; did you mean "bulwark"?'
    ]


# Sides, house rules, score and losses


def test_wm_50_an_uneven_deal_with_extras() -> None:
    """Extra cards are added to the share; the remaining cards are set aside."""
    whole = dealt(3, p1={"cards": 10, "extra": cards("KS J8")}, p2={"cards": 20}, p3={"warmongers": 4})
    sizes = {pile: len(dealt) for pile, dealt in whole.deal.items()}
    assert [sizes[pile] for pile in ("p1", "p2", "p3", "aside")] == [12, 20, 19, 9]
    assert [sizes[f"warmongers.p{n}"] for n in (1, 2, 3)] == [1, 1, 4]
    assert set(cards("KS J8")) <= set(whole.deal["p1"])
    battle = started(whole)
    assert len(battle.aside) == 9


def test_wm_50_everybody_knows_whose_deck_an_extra_card_is_in() -> None:
    """It stays there in every redeal."""
    battle = started(dealt(3, p1={"extra": cards("KS J8")}))
    battle.run()
    for n in range(20):
        other = battle.redeal(2, stream(n, "redeal"))
        assert set(cards("KS J8")) <= set(other.decks[0] + other.pot[0])


def test_wm_50_a_game_without_warmonger_cards() -> None:
    """No card is drawn, and a side is asked only in its turn."""
    battle = started(dealt(2, {"cards": "none"}))
    battle.log = []
    battle.run()
    while not battle.is_over():
        assert battle.question == TURN and set(offered(battle)) == {"turn", "stand"}
        battle.choose(0)
    assert battle.new == battle.used == [] and drawn(battle) == []


@pytest.mark.parametrize(
    ("sides", "options", "words"),
    [
        (4, {"p1": {"cards": 30}}, "sides: the decks need 75 cards (p1 30, p2 15, p3 15 and p4 15)"),
        (2, {"p1": {"cards": 0}}, "sides.p1.cards: a side needs at least one playing card"),
        (2, {"p1": {"extra": [110]}}, "sides.p1.extra: KH' is not in a single pack"),
        (2, {"p1": {"extra": [52]}, "p2": {"extra": [52]}}, "sides.p2.extra: KS is named twice"),
        (2, {"p1": {"warmongers": 36}}, "sides: the sides need 37 Warmonger cards, but there are 36"),
        (2, {"p1": {"robot": "echo", "warmongers": 2}}, "sides.p1.warmongers: a Robot gets no Warmonger"),
    ],
)
def test_wm_50_what_does_not_add_up_is_refused(sides: int, options: Options, words: str) -> None:
    """With what would be right."""
    if "KH'" in words:
        options["p1"]["extra"] = cards("KH'")
    assert any(text.startswith(words) for text in refusals(setup(sides, **options)))


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        ({"p1": "KS KS"}, "deal.p1.2: KS is in two places"),
        ({"p1": "KS", "aside": "KS"}, "deal.aside.1: KS is in two places"),
        ({"p1": "KS'"}, "deal.p1.1: KS' is not in a single pack"),
        ({"aside": "KS"}, "deal.aside: expected at most 0 cards, got 1"),
        ({"p1": "AS"}, "deal.p1.1: AS is already an extra card of p2; deal another card here"),
        (
            {"p2": " ".join(f"{rank}{suit}" for rank in range(2, 10) for suit in "SHDC")[: 30 * 3]},
            "deal.p2: expected at most 29 cards in addition to its extras, got 30",
        ),
        ({"warmongers.p1": "Raid, Veto"}, "deal.warmongers.p1: expected at most 1 cards"),
        ({"warmongers.p1": "Rade"}, 'deal.warmongers.p1.1: there is no Warmonger card "Rade"; did you'),
    ],
)
def test_wm_50_cards_typed_in_must_fit(deal: dict[str, str], words: str) -> None:
    """In a pack, in a deck, and among the Warmonger cards."""
    whole = setup(2, p2={"extra": cards("AS"), "cards": 29}, p1={"cards": 30})
    for pile, text in deal.items():
        parts = text.split(", ") if "warmongers" in pile else text.split()
        whole.deal[pile] = [RULES.read_card(part, pile) for part in parts]
    assert any(text.startswith(words) for text in refusals(whole)), refusals(whole)


def test_wm_50_all_copies_of_a_warmonger_card_may_be_given_out() -> None:
    """Not a fourth."""
    whole = setup(4)
    for seat in range(4):
        whole.deal[f"warmongers.p{seat + 1}"] = [RULES.read_card("Raid", "warmongers.p1")]
    assert refusals(whole) == ["deal.warmongers.p4.1: all copies of Raid are already dealt"]


def test_wm_50_cards_typed_in_lie_on_top() -> None:
    """The rest is dealt below them."""
    whole = setup(2, p1={"extra": cards("AS")})
    whole.deal = {"p1": cards("KS QS"), "warmongers.p2": [RULES.read_card("veto", "warmongers.p2")]}
    full = complete(RULES, whole, 1)
    assert full.deal["p1"][:2] == cards("KS QS") and cards("AS")[0] in full.deal["p1"]
    assert [name_of(code) for code in full.deal["warmongers.p2"]] == ["Veto"]


@pytest.mark.parametrize(
    ("text", "pile"), [("RJ", "p1"), ("KS''", "p1"), ("K", "p1"), ("<b>", "warmongers.p1")]
)
def test_wm_50_what_is_no_card_is_refused(text: str, pile: str) -> None:
    """Only the 60 cards of a pack, and names."""
    with pytest.raises(ValueError, match=r"not a card|not in the pack|expected the name"):
        RULES.read_card(text, pile)
    with pytest.raises(ValueError, match="such as Raid, got 7"):
        RULES.read_card(7, "warmongers.p1")


OWN = """format = 1
[[card]]
name = "Big Raid"
effect = "raid"
cards = 5
copies = 4
"""


def test_wm_51_an_owner_puts_his_own_cards_in(tmp_path: Path) -> None:
    """A file beside the battle file, for cards, Robots or Jokers."""
    data = {"rules": "warmonger", "sides": {"a": {}, "b": {}}, "house": {"cards": "own.toml"}, "seed": 1}
    with pytest.raises(InvalidInput, match="no such file"):
        read_battle(data, "nowhere")
    (tmp_path / "own.toml").write_text(OWN)
    plan = read_battle(data, str(tmp_path))
    battle = started(complete(RULES, plan.setup, 1))
    battle.run()
    assert [design.name for design in battle.box.designs] == ["Big Raid"]
    assert offered(battle) == ["pass", f"play Big Raid {'ba'[battle.side]}"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("format = 2", "format: this program reads format 1"),
        ("[[card]]", "1: card.0: effect is missing"),
        (
            "[[card]]\nname = 7",
            "2: card.0.name: expected a name of at most 40 letters (A-Z) and digits, with single spaces, "
            "hyphens or apostrophes between them, such as Air Strike, got 7",
        ),
        ('[[card]]\neffect = "rade"', "2: card.0.effect: expected conscript, raid, cease-fire"),
        ('[[card]]\neffect = "veto"\nwindows = ["peace"]', "3: card.0.windows.0: expected response, got"),
        ('[[card]]\neffect = "veto"\ncards = 2', '3: card.0.cards: unknown key "cards"; write one of'),
        (
            '[[card]]\neffect = "raid"\ncards = 0',
            "3: card.0.cards: expected a whole number from 1 to 20, got 0",
        ),
        ("[[card]]\ncopies = true", "2: card.0.copies: expected a whole number from 1 to 60, got true"),
        ('[[robot]]\nopening = "fast"', "2: robot.0.opening: expected stand, until, turn or safe"),
        (
            '[[robot]]\nopening = "until"\nscore = 22',
            "3: robot.0.score: expected a whole number from 1 to 21",
        ),
        ('[[robot]]\nchase = "equal"\nbelow = 3', '3: robot.0.below: unknown key "below"'),
        ("[[joker]]\nnumbers = [11]", "2: joker.0.numbers: expected ascending numbers from 1 to 10"),
        ("[[joker]]\nnumbers = [2, 1]", "2: joker.0.numbers: expected ascending numbers from 1 to 10"),
        ("[[joker]]\nnumbers = [1]\nwar = 1", "3: joker.0.war: expected true or false, got 1"),
        ("[[joker]]\nnumbers = [1]", "joker: expected 8 Jokers, got 1"),
        (
            '[[card]]\neffect = "veto"\nwindows = []',
            "3: card.0.windows: expected a list of windows (response",
        ),
        ('[[card]]\neffect = "veto"\nwindows = 3', "3: card.0.windows: expected a list of windows (response"),
        ('[[card]]\neffect = "veto"\ntext = "a\\tb"', "3: card.0.text: expected one line of text without"),
        ("[[robot]]\ntext = 7", "2: robot.0.text: expected one line of text without control characters"),
        ("[[card]]\n" * 61, "card: expected at most 60 Warmonger cards, got 61"),
        ('[[card]]\n[card.name]\nname = "x"', "1: card.0.name: expected a name of at most 40 letters"),
        ('card = [{ effect = "rade" }]', "card.0.effect: expected conscript, raid, cease-fire"),
        ("card = 3", "card: expected tables, each under [[card]], got 3"),
        ("cards = 3", 'cards: unknown key "cards"; did you mean "card"?'),
        ("a = [", "this is not valid TOML"),
        ("a" + ".a" * 30 + " = 1", "a line has more than 20 dots"),
        ("a = " + "[" * 2000, "nested too deep"),
        ("\xff", "not UTF-8 text"),
    ],
)
def test_wm_51_every_mistake_of_a_data_file_is_told(text: str, words: str, tmp_path: Path) -> None:
    """With its line as far as that is known, and its path of keys."""
    path = tmp_path / "own.toml"
    path.write_bytes(text.encode("latin-1"))
    whole = setup(2, {"cards": "own.toml"})
    whole.base = str(tmp_path)
    assert any(words in line for line in refusals(whole)), refusals(whole)
    with pytest.raises(InvalidInput):
        RULES.start(whole, RandomSource())


def test_wm_50_a_robot_gets_no_warmonger_cards() -> None:
    """The setup refuses Warmonger cards for a Robot, but allows all other options."""
    assert RULES.can_have({}, "warmongers")
    assert RULES.can_have({"robot": "x"}, "cards")
    assert not RULES.can_have({"robot": "x"}, "warmongers")


def test_wm_51_names_must_be_told_apart(tmp_path: Path) -> None:
    """A name that stands twice, or begins with another, could be meant by one move."""
    card = '[[card]]\nname = "{}"\neffect = "veto"\n'
    text = "format = 1\n" + card.format("Raid") + card.format("raid") + card.format("Raid North")
    (tmp_path / "own.toml").write_text(text)
    whole = setup(2, {"cards": "own.toml"})
    whole.base = str(tmp_path)
    assert [line.partition("name: ")[2] for line in refusals(whole)] == [
        '"raid" is used twice; choose a different name',
        '"Raid North" begins with the name "Raid"; choose a different name',
        '"Raid North" begins with the name "raid"; choose a different name',
    ]


def test_wm_51_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Missing, a folder, too large, or without what it is named for."""
    (tmp_path / "large.toml").write_text("#" * 70_000)
    (tmp_path / "empty.toml").write_text("format = 1\n")
    for name, words in [
        (
            "nonne",
            'house.cards: cannot read "nonne": no such file, neither beside the file that names it '
            'nor one folder up; did you mean "none"?',
        ),
        (".", "not a regular file"),
        ("large.toml", "larger than the limit of 64000 bytes"),
        ("empty.toml", "no [[card]] in this file"),
    ]:
        whole = setup(2, {"cards": name})
        whole.base = str(tmp_path)
        assert any(words in line for line in refusals(whole)), refusals(whole)


def test_wm_51_a_file_that_may_not_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every error of the system, the message says what to do."""
    (tmp_path / "own.toml").write_text(OWN)

    def stat(path: object) -> None:
        raise PermissionError

    whole = setup(2, {"cards": "own.toml"})
    whole.base = str(tmp_path)
    monkeypatch.setattr("cardbattle.rules.warmonger.boxfile.os.stat", stat)
    told = refusals(whole)
    monkeypatch.undo()
    assert any("not readable; check its permissions" in line for line in told), told


@pytest.mark.parametrize("value", ["", 7, None, True, ["a"], "a\nb", "\x1b", "x" * 5000])
def test_wm_51_a_data_file_has_a_name_that_can_be_shown(value: object) -> None:
    """An invalid name is refused before the program looks for a file."""
    with pytest.raises(ValueError, match=r"or a file name, got "):
        RULES.house["cards"].read(value, [])


@pytest.mark.parametrize("value", ["", 7, None, True, ["a"], "a\nb", "\x1b"])
def test_wm_51_a_robot_has_a_name(value: object) -> None:
    """Of letters and digits."""
    with pytest.raises(ValueError, match=r"^expected .*, got "):
        RULES.options["robot"].read(value, [])


@pytest.mark.slow
def test_wm_51_a_record_knows_its_data_files_again(tmp_path: Path) -> None:
    """By what counts of them, not by layout; also in the folder below, as records/ of a campaign."""
    (tmp_path / "records").mkdir()
    own = tmp_path / "own.toml"
    robots = '[[robot]]\nname = "Golem"\nopening = "stand"\n'
    own.write_text(OWN + robots)
    house = {"cards": "own.toml"}
    data = {"rules": "warmonger", "sides": {"a": {}, "b": {}}, "house": house, "seed": 1}
    table = resolve.fight_battle(read_battle(data, str(tmp_path)))[0].table
    assert isinstance(table["files"], dict)
    assert list(table["files"]) == ["cards"]
    other = resolve.fight_battle(read_battle({**data, "seed": 2}, str(tmp_path)))[0].table
    assert (other["files"], other["deal"] == table["deal"]) == (table["files"], False)
    for text in (OWN + robots, f"# mine\nx_owner = 'me'\n{OWN}{robots}\n", OWN):
        own.write_text(text)
        for folder in (tmp_path, tmp_path / "records"):
            assert verify_record(read_record(table, str(folder))) == ""
    own.write_text(OWN.replace("cards = 5", "cards = 4"))
    words = 'house.cards: the file "own.toml" has changed since this battle was fought; restore it'
    with pytest.raises(InvalidInput) as found:
        read_record(table, str(tmp_path))
    assert str(found.value) == words
    with pytest.raises(InvalidInput, match="no such file, neither beside"):
        read_record(table, str(tmp_path / "far" / "away"))
    ours = resolve.fight_battle(read_battle({**data, "house": {}}))[0].table
    assert "files" not in ours
    with pytest.raises(InvalidInput, match='unknown file of house rule "cards"; no keys are allowed here'):
        read_record({**ours, "files": table["files"]})


def test_wm_51_a_data_file_is_read_for_what_it_is_named_for_only(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(f'{OWN}[[robot]]\nname = "Golem"\nopening = "stand"\n')
    whole = setup(2, {"cards": "own.toml"})
    whole.base = str(tmp_path)
    box = box_of(whole.house, whole.base)
    assert box.robot_names() == our_box().robot_names()
    assert [design.name for design in box.designs] == ["Big Raid"]


def test_wm_52_score_and_losses() -> None:
    """The score is the cards at the end, losses are at least 0, and the ranking is reported."""
    battle = begun("KS 9S", "3H 4H", "2D", "5C 6C 7C", superpower=3)
    ended = battle.outcome()
    assert ended.reason == LAST_STANDING
    assert told(battle, "ended")[0].fields["fallen"] == battle.fallen
    winner = ended.winners[0]
    assert [battle.score(side) > 0 for side in range(4)] == [side == winner for side in range(4)]
    assert ended.losses == [(0, n) if side == winner else (n, n) for side, n in enumerate([2, 2, 1, 3])]
    poor = once("KS 2S", "KH 3S", "2D 3D 4D 5D 6D 7D 8D")
    assert poor.outcome().losses[2] == (1, 7)


# Words


def test_choices_in_words() -> None:
    """As section and examples of the rules have them."""
    battle = begun(
        *["KS 3S 4S 9S", "KH 3H 4H 2H"], hands=("Double Agent, Field Promotion, Air Strike",), superpower=1
    )
    assert offered(battle)[:3] == ["turn", "stand", "play Air Strike p2 2H"]
    assert offered(battle)[3] == "play Field Promotion 9S 1"
    choose(battle, "stand", "stand")
    assert "play Double Agent p2 9S 2H" in offered(battle)
    assert [RULES.fate_text(what, 1, ["york", "rome"]) for what in (UNDER, CASUALTY, DRAW)] == [
        "under rome",
        "casualties",
        "draw rome",
    ]


def test_moves_of_a_record() -> None:
    """Fate names the side, the cards under its deck in order, casualties as a set, draws by name."""
    referee = Referee(RULES, dealt(3, {"superpower": "p1"}), Drawn(stream(4, "battle")))
    chance = stream(4, "choices")
    while not referee.battle.is_over():
        referee.choose(chance.below(len(referee.battle.options)))
    fates = [move for move in referee.moves if move.startswith("fate")]
    kinds = Counter(" ".join(move.split()[:2]) for move in fates)
    assert set(kinds) == {"fate under", "fate casualties", "fate draw"}
    assert all(len(move.split()) > 2 for move in fates)
    assert not any(move.split()[1] == "under" and len(move.split()) < 4 for move in fates)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("turn", "now, before cards are turned up, write pass or play CARD"),
        ("play", "this battle has no such Warmonger card"),
        ("play Rade", "this battle has no such Warmonger card"),
        ("play Veto", "Veto cannot be played now"),
        ("play Conscription", "Conscription has no target now"),
        ("play Supply Drop", "Supply Drop is not in its hand"),
        ("play Raid p1", "write its targets as in the options"),
    ],
)
def test_a_refusal_says_why(text: str, reason: str) -> None:
    """And lists what is offered."""
    battle = begun("KS 3S", "QH 3H", hands=("Raid, Veto, Conscription",), superpower=1)
    assert RULES.why_not(battle, text).startswith(reason)


def test_a_refused_order_says_why() -> None:
    """Only the cards looked at can be put in order."""
    battle = begun("KS 3S", "QH 3H", hands=("Reconnaissance",), superpower=1)
    choose(battle, "play Reconnaissance")
    assert (
        RULES.why_not(battle, "order 2S 3S") == "name each of the cards that you looked at, without repeats"
    )
    question = "now, after a Reconnaissance, write order CARD CARD"
    assert RULES.why_not(battle, "pass") == question


def fought_by_regulars(whole: Setup, seed: int) -> Referee:
    """Return the referee of a battle of regular commanders."""
    referee = Referee(RULES, whole, Drawn(stream(seed, "battle")))
    referee.fight([make_commander("regular", RULES, stream(seed, key)) for key in whole.seats])
    return referee


def words(referee: Referee, viewer: int | None, detail: int) -> str:
    """Return the tale as one reader has it, a line each."""
    lines = []
    for block in told_to(referee, viewer):
        if isinstance(block, Heading):
            lines.append(f"== {plain(block.parts)} ({plain(block.remark)})")
        elif isinstance(block, Line) and block.detail <= detail:
            lines.append(f"{block.rule}: {plain(block.parts)}")
        elif isinstance(block, Grid) and block.detail <= detail:
            lines += [" ".join(plain(cell) for cell in row) for row in [block.head, *block.rows]]
    return "\n".join(lines)


def plain(parts: Parts) -> str:
    return said(parts, [f"p{seat}" for seat in range(1, 7)])


def test_the_tale_of_a_battle(snapshot: SnapshotAssertion) -> None:
    """The story describes Wars, eliminations and Warmonger cards, and summarises quiet stretches."""
    referee = fought_by_regulars(dealt(4, {"superpower": "p2"}, p4={"robot": "jackpot"}), 3)
    tale = words(referee, None, TALE)
    assert tale == snapshot
    assert tale.count("== War") == sum(
        any(later.kind == "war_declared" for later in stretch) for stretch in skirmishes(referee)
    )
    assert len(tale.splitlines()) < 2.5 * len(list(skirmishes(referee)))


def skirmishes(referee: Referee) -> list[list[Event]]:
    """Return the events of each Skirmish."""
    found: list[list[Event]] = []
    for _, event in referee.events:
        if event.kind == "revealed":
            found.append([])
        elif found:
            found[-1].append(event)
    return found


def test_the_audit_of_a_short_battle_as_a_side_knows_it(snapshot: SnapshotAssertion) -> None:
    """Every step, without what the side cannot know."""
    small: Options = {f"p{n}": {"cards": 9, "warmongers": 3} for n in (1, 2, 3)}
    referee = fought_by_regulars(dealt(3, {"superpower": "p1", "armistice": 15}, **small), 5)
    assert words(referee, 1, AUDIT) == snapshot
    assert words(referee, None, BRIEF).count("\n") == 2 + words(referee, None, BRIEF).count("==")


def test_the_casualties_cite_the_rule_that_takes_them() -> None:
    """It is WM-28 with a winner, otherwise the rule that ended the War: all Bust, or no cards."""
    won = once("KS 3S", "KH 2H")
    bust = once("KS QS JS 10S 9S 2S", "KH QH JH 10H 9H 2H", superpower=0)
    choose(bust, "turn", "turn", "turn", "turn")
    destroyed = once("KS", "KH", "5S 6S")
    tied = once("KS 9S", "KH 9H", "KD 2D 3D 4D 8D 5D")
    choose(tied, "stand")
    for battle, rule in ((won, "WM-28"), (bust, "WM-27"), (destroyed, "WM-18"), (tied, "WM-25")):
        lost = [line for line in told_lines(battle) if plain(line.parts).startswith("Casualties")]
        assert [line.rule for line in lost] == [rule]


def test_a_tie_in_one_war_does_not_change_the_rule_cited_in_the_next() -> None:
    battle = begun("KS 2S 3S 4S 9S 5S", "KH 2H 3H 4H 9H 6H", "2D AD", "2C AC", armistice=2)
    choose(battle, "stand", "stand")
    assert kinds(battle).count("war_declared") == 2
    lost = [line for line in told_lines(battle) if plain(line.parts).startswith("Casualties")]
    assert [line.rule for line in lost] == ["WM-28", "WM-18"]


def test_the_end_says_what_the_wars_brought() -> None:
    """A War can be won and bring nothing: both its cards are casualties."""
    assert haul(once("KS 3S", "QH 2H")) == "No War was won."
    assert haul(once("KS", "KH", "5S 6S")) == "No War was won."
    empty = once("KS 3S", "KH")  # p2 cannot lay a card, and the two Kings are casualties
    assert [event.side for event in told(empty, "war_won")] == [0]
    assert haul(empty) == "No War brought its winner any cards."
    assert haul(once("KS 3S", "KH", "2D 4D")) == "The largest haul: 1 card for p1 in War 1, Skirmish 1."


def test_only_cards_won_in_a_war_are_its_haul() -> None:
    """Not those of the winner's next Skirmish."""
    battle = begun("KS 9S", "KH", "4D 5D 6D", armistice=2)
    won = told(battle, "war_won") + told(battle, "skirmish_won")
    assert [event.side for event in won] == [0, 0]
    assert haul(battle) == "The largest haul: 1 card for p1 in War 1, Skirmish 1."
    empty = begun("KS 9S 5S", "KH", armistice=2)
    assert haul(empty) == "No War brought its winner any cards."


@pytest.mark.slow
def test_the_haul_is_told_as_it_was_in_random_battles() -> None:
    """In 60 battles of tiny decks, full of Lifelines, Raids and Robots."""
    small: Options = {f"p{n}": {"cards": n + 1, "warmongers": 4} for n in (1, 2, 3)}
    small["p4"] = {"cards": 4, "robot": "ledger"}
    sentences = Counter[str]()
    for seed in range(60):
        battle = started(complete(RULES, setup(4, {"armistice": 12}, **small), seed))
        battle.log = []
        battle.run()
        chance = stream(seed, "haul")
        while not battle.is_over():
            battle.choose(chance.below(len(battle.options)))
        hauls = [
            later.fields["count"]
            for won, lost, later in zip(*(without_notes(battle)[n:] for n in range(3)), strict=False)
            if (won.kind, lost.kind, later.kind) == ("war_won", "casualties", "placed")
            and later.side == won.side
        ]
        sentence = haul(battle)
        sentences[sentence[:6]] += 1
        if hauls:
            assert sentence.startswith(f"The largest haul: {max(hauls)} card")
        else:
            won_any = len(told(battle, "war_won")) > 0
            assert sentence == ("No War brought its winner any cards." if won_any else "No War was won.")
    assert len(sentences) > 1


def without_notes(battle: Warmonger) -> list[Event]:
    """Return the events without those that only note a pass."""
    return [event for event in battle.log or [] if event.kind != "passed"]


def test_the_tale_sums_up_quiet_stretches() -> None:
    """Sides are listed by wins, most first; a single Skirmish gets a short clause."""
    battle = begun("KS AS 2S 9S 8S", "QH 3H KH 8H 7H", "5D 5C 6D 7D 6C")
    referee_words = []
    tale = RULES.tale(setup(3))
    for event in battle.log or []:
        for block in tale.describe(event.all_seeing()):
            if isinstance(block, Line) and block.detail < AUDIT:
                referee_words.append(plain(block.parts))
    assert any(line.startswith("Skirmishes 1 to ") for line in referee_words)


# Strength and size


@pytest.mark.slow
def test_the_regular_beats_the_green() -> None:
    """Nine battles of ten between two, seven of ten alone against three; the aims are 70 % and 45 %."""
    assert share("warmonger", "regular", "green", 100) >= Fraction(9, 10)
    assert share("warmonger", "regular", "green", 100, sides=4) >= Fraction(7, 10)


def test_the_regular_looks_before_it_turns_and_stops_when_it_is_ahead() -> None:
    """It needs no more than to beat what is made."""
    battle = once("KS 9S 5S 3S 2S", "KH 3H 4H 5H 10H", hands=("Reconnaissance",), superpower=0)
    assert regular(battle) == regular(battle) == "pass"  # it keeps the card for its own turn
    choose(battle, "stand")
    assert asked(battle) == (0, TURN)
    assert regular(battle) == "play Reconnaissance"
    assert regular(battle).startswith("order 9S")
    assert (regular(battle), regular(battle)) == ("turn", "stand")
    assert battle.is_over() and battle.outcome().winners == [0]


def test_the_regular_stops_at_fifteen_or_level_with_the_best_score() -> None:
    """The first scorer does not know what there is to beat; the second does."""
    battle = once("KS 9S 2S 4S 6S", "KH 3H 4H 2H 8H", superpower=1)
    assert [regular(battle) for _ in range(2)] == ["turn", "stand"]
    assert [regular(battle) for _ in range(3)] == ["turn", "turn", "stand"]
    assert battle.is_over()


def test_the_seasoned_counts_what_another_card_may_do() -> None:
    """It turns at 15 against a side with three cards to turn up, and stands against a side without."""
    policies = (RULES.regular, RULES.seasoned)
    for downs, choices in (("3H 4H 2H 8H", ["stand", "turn"]), ("8H", ["stand", "stand"])):
        battle = once("KS 10S 2S 3S 5S", f"KH {downs}", superpower=1)
        choose(battle, "turn")
        view = battle.view(0)
        assert [offered(battle)[policy(view, stream(1, "side"))] for policy in policies] == choices


def test_an_unfinished_battle_is_estimated_by_cards_and_warmonger_cards() -> None:
    """An army is a quarter stronger for each Warmonger card."""
    even = begun("KS 3S 4S 9S", "QH 3H 4H 10H", hands=("Raid, Veto",), superpower=1)
    assert [RULES.estimate(even, side) for side in (0, 1)] == [600, 400]  # 4 cards by 6/4, 4 by 4/4


def regular(battle: Warmonger) -> str:
    """Let the regular commander choose; return what it chose."""
    text = offered(battle)[RULES.regular(battle.view(battle.side), stream(1, "regular"))]
    choose(battle, text)
    return text


def test_the_regular_holds_one_lifeline_back() -> None:
    """It plays the second Lifeline, and plays a Raid that eliminates a side at once."""
    one = begun("KS 3S 4S", "QH 3H 4H", hands=("Raid",), superpower=1)
    assert regular(one) == "pass"
    two = begun("KS 3S 4S", "QH 3H 4H", hands=("Raid, Raid",), superpower=1)
    assert regular(two) == "play Raid p2"
    last = begun("KS 3S 4S", "QH 3H", "9D 3D 4D", hands=("Raid",), superpower=2)
    assert regular(last) == "play Raid p2"


def test_the_regular_turns_a_war_in_the_final_window() -> None:
    """It plays a card that makes its score the best, if it can."""
    battle = once("KS 3S 4S 9S", "KH 3H 4H 10H", hands=("Air Strike",), superpower=1)
    choose(battle, "stand", "stand")
    assert regular(battle) == "play Air Strike p2 10H"
    ahead = once("KS 3S 4S JS", "KH 3H 4H 9H", hands=("Air Strike",), superpower=1)
    choose(ahead, "stand", "stand")
    assert regular(ahead) == "pass"


def test_the_regular_vetoes_what_hurts_it() -> None:
    """A card that takes the War from it, and a rival's last stand."""
    battle = once("KS 3S 4S JS", "KH 3H 4H 9H", hands=("Veto", "Air Strike"), superpower=1)
    choose(battle, "stand", "stand", "play Air Strike p1 JS")
    assert regular(battle) == "play Veto"
    stand = once("KS 2S", "9S", hands=("Veto", "Conscription"), casualties="3S 4S 5S")
    choose(stand, "pass")
    assert asked(stand) == (0, RESPONSE)
    assert regular(stand) == "play Veto"


def test_the_example_with_own_cards() -> None:
    """It fights, and its record names the cards of the file."""
    folder = Path(__file__).parents[2] / "examples" / "warmonger-own-cards"
    data = tomllib.loads((folder / "battle.toml").read_text(encoding="utf-8"))
    record, referee = resolve.fight_battle(read_battle(data, str(folder)))
    assert {design.name for design in referee.battle.box.designs} >= {"Levy", "Heralds"}  # type: ignore[attr-defined]
    assert any(name in move for name in ("Levy", "Longbows", "Parley") for move in record.moves)
    again = read_record(record.table, str(folder))
    assert verify_record(again) == ""


@pytest.mark.heavy
def test_a_record_stays_small() -> None:
    """Under 200 KB for the longest of a thousand battles of four."""
    assert max(record_size(seed) for seed in range(1000)) < 200_000


@pytest.mark.slow
def test_most_records_are_smaller() -> None:
    """Under 60 KB for the longest of ten."""
    assert max(record_size(seed) for seed in range(10)) < 60_000


def record_size(seed: int) -> int:
    """Return the bytes of the record of a battle of four."""
    plan = read_battle(bare_battle("warmonger", []) | {"seed": seed})
    return len(dumps_record(resolve.fight_battle(plan)[0]).encode())


# Counting


def complete_battles(battle: Warmonger) -> int:
    """Return how many sequences of choices lead to an end; chance is stacked."""
    if battle.is_over():
        return 1
    count = 0
    for index in range(len(battle.options)):
        other = battle.copy()
        other.choose(index)
        count += complete_battles(other)
    return count


def test_complete_battles_of_one_war() -> None:
    """Each of two scorers may stop after 0 to 3 cards, and the last three leave them no choice."""
    assert complete_battles(once("KS 3S 4S 5S 6S", "KH 3H 4H 5H 6H")) == 4 * 4
    bust = once("KS 9S 8S 5S 10S", "KH 3H 4H 5H 6H")  # 10, 19, then Bust: two stops and a Bust
    assert complete_battles(bust) == 3 * 4


@pytest.mark.parametrize(
    ("hands", "count"),
    [
        (("Raid",), 16 + 1),  # it takes the King, so that the Skirmish is won and all is over
        (("Raid", "Veto"), 16 + 16 + 1),
        (("Cease-fire", "Supply Drop"), 154),
        (("Reconnaissance",), 346),
    ],
)
def test_complete_battles_with_warmonger_cards(hands: tuple[str, ...], count: int) -> None:
    """The first two counted by hand, the others pinned."""
    battle = once("KS 3S 4S 5S 6S 7S", "KH 3H 4H 5H 6H 7H", hands=hands)
    assert complete_battles(battle) == count


def test_wm_50_an_even_share_is_left_out_of_a_record() -> None:
    given = {"a": {"cards": 30}, "b": {"cards": 29}}
    data = {"rules": "warmonger", "seed": 5, "house": {"armistice": 3}, "sides": given}
    sides = fight_battle(read_battle(data))[0].table["sides"]
    assert isinstance(sides, dict)
    assert "cards" not in sides["a"]
    assert sides["b"]["cards"] == 29


@pytest.mark.parametrize("word", ["jokers", "robots"])
def test_wm_51_only_the_warmonger_cards_can_be_left_out(word: str) -> None:
    data = {"rules": "warmonger", "house": {word: "none"}, "sides": {"a": {}, "b": {}}}
    with pytest.raises(InvalidInput, match='expected "ours" or a file'):
        read_battle(data)


def test_wm_39_an_armistice_may_be_as_late_as_anybody_likes() -> None:
    data = {"rules": "warmonger", "house": {"armistice": 9_999_999}, "sides": {"a": {}, "b": {}}}
    assert read_battle(data).setup.house["armistice"] == 9_999_999


def test_a_side_that_is_bust_has_nothing_made() -> None:
    view = begun("2S 3S", "4S 5S").view(0)
    view.war, view.fighting, view.scored = [0, 1], [0, 1], [0, 1]
    view.totals[:] = [BUST, 17]
    assert [score(view, seat) for seat in (0, 1)] == ["Bust", "17 made"]
