"""Warfare Tactics, rule by rule; WT-n are the numbers of its rules.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.resolve import deal, fight_battle, streams_of
from cardbattle.core.battle import NOBODY, UNKNOWN, Event
from cardbattle.core.cards import PACK, card_text, read_card, standard_pack
from cardbattle.core.chance import Drawn, RandomSource, stream
from cardbattle.core.errors import IllegalMove
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import Setup
from cardbattle.core.telling import AUDIT, TALE, Grid, Heading, Line
from cardbattle.rules.warfare_tactics import RULES
from cardbattle.rules.warfare_tactics.battle import (
    QUIET,
    WarfareTactics,
)
from cardbattle.rules.warfare_tactics.choices import (
    ACTION,
    ANSWER,
    FIGHT,
    FREE,
    MORE,
    SEVEN,
    SPECIAL,
    SUPPLY,
    SWITCH,
    TAKE_ONE,
)
from cardbattle.rules.warfare_tactics.dealing import cards_of, check
from cardbattle.rules.warfare_tactics.notation import choice_text, why_not
from cardbattle.rules.warfare_tactics.state import (
    VALUES,
    HouseRules,
)
from cardbattle.show.battle_text import said
from cardbattle.testing import LAWS, Law, hold, refought, trials
from cardbattle.testing.setting_up import complete, plain_setup, trial_of
from tests.support.matches import share

MIKE, MARY = 0, 1
DECK = "2S 2H 2D 2C 3S 3H 3D 3C 4S 4H 4D 4C"  # cards that hardly matter, top first


def cards(text: str) -> list[int]:
    return [read_card(word) for word in text.split()]


def texts(piles: list[int]) -> str:
    return " ".join(card_text(card) for card in piles)


def begun(
    mike: str = "",
    mary: str = "",
    fields: tuple[str, str] = ("", ""),
    piles: tuple[str, str] = ("", ""),
    deck: str = DECK,
    first: int = MIKE,
    windows: bool = False,
    house: HouseRules | None = None,
    decks: tuple[str, str] | None = None,
) -> WarfareTactics:
    """Return a battle at its first question; without `windows` all special moves have been made."""
    battle = WarfareTactics()
    battle.begin(
        [cards(mike), cards(mary)],
        [cards(field) for field in fields],
        [cards(own) for own in decks] if decks else [cards(deck)],
        RandomSource(),
        first,
        house,
    )
    battle.discards = [cards(pile) for pile in piles]
    if not windows:
        battle.specials = [SWITCH, SEVEN]
    battle.log = []
    battle.run()
    return battle


def offered(battle: WarfareTactics) -> list[str]:
    return [choice_text(battle, choice) for choice in battle.options]


def say(battle: WarfareTactics, *moves: str) -> WarfareTactics:
    """Make these moves, each by the side that is asked."""
    for move in moves:
        assert move in offered(battle), f"{move} is not among {offered(battle)}"
        battle.choose(offered(battle).index(move))
    return battle


def attacked(
    move: str, mike: str, mary: str, fields: tuple[str, str], deck: str = DECK, **more: object
) -> WarfareTactics:
    """Return a battle in which Mike has just made this attack."""
    battle = begun(mike, mary, fields, deck=deck, **more)  # type: ignore[arg-type]
    if battle.question == SUPPLY:
        say(battle, "pass")
    return say(battle, move)


def asked(battle: WarfareTactics) -> tuple[int, int]:
    return battle.side, battle.question


def kinds(battle: WarfareTactics) -> list[str]:
    assert battle.log is not None
    return [event.kind for event in battle.log]


def last(battle: WarfareTactics, kind: str) -> Event:
    assert battle.log is not None
    return [event for event in battle.log if event.kind == kind][-1]


def ready(
    house: dict[str, object] | None = None, seed: int | str = 1, **sides: Mapping[str, object]
) -> Setup:
    """Return a complete setup with these options."""
    setup = plain_setup(RULES, 2)
    setup.house |= house or {}
    for key, options in sides.items():
        setup.sides[setup.seat(key)] |= options
    return complete(RULES, setup, seed)


def errors(
    house: dict[str, object] | None = None, deal: dict[str, str] | None = None, **sides: Mapping[str, object]
) -> list[str]:
    """Return what is wrong with these options and typed-in cards."""
    setup = plain_setup(RULES, 2)
    setup.house |= house or {}
    for key, options in sides.items():
        setup.sides[setup.seat(key)] |= options
    setup.deal = {pile: cards(text) for pile, text in (deal or {}).items()}
    return [str(error) for error in check(setup)]


def in_all(setup: Setup) -> list[int]:
    return [card for pile in setup.deal.values() for card in pile]


OWN_DECK = standard_pack()


# Cards and setup


def test_wt_1_the_deck_is_one_pack_or_two_and_has_no_jokers() -> None:
    assert sorted(in_all(ready())) == standard_pack()
    two = sorted(in_all(ready({"decks": 2})))
    assert two == standard_pack() + [PACK + card for card in standard_pack()]
    with pytest.raises(ValueError, match="is a Joker"):
        RULES.read_card("RJ", "mike")


def test_wt_2_an_ace_counts_one_and_court_cards_go_on_from_ten() -> None:
    values = [VALUES[card] for card in cards("AS 2H 9D 10C JS QH KD AS' KS'''")]
    assert values == [1, 2, 9, 10, 11, 12, 13, 1, 13]
    assert VALUES[UNKNOWN] == 0


def test_wt_3_seven_cards_each_and_everything_but_the_hands_is_public() -> None:
    setup = ready()
    assert {pile: len(dealt) for pile, dealt in setup.deal.items()} == {"mike": 7, "mary": 7, "stack": 38}
    battle = begun("KS QS", "JH", ("2C", "3C"), ("4D", "5D"))
    view = battle.view(MARY)
    assert texts(view.hand) == "JH"
    assert view.sizes == [2, 1]
    assert [texts(pile) for pile in view.battlefields] == ["2C", "3C"]
    assert [texts(pile) for pile in view.discards] == ["4D", "5D"]
    assert not any(card in cards("KS QS") for part in view.seen for card in part)


def test_wt_3_a_bystander_sees_all_cards_of_the_discard_piles() -> None:
    battle = begun("KS QS", "JH", piles=("4D", "5D 5S 6D 6S 7D 7S 8D"))
    lines = [block for block in RULES.field(battle) if isinstance(block, Line)]
    names = [said(line.parts, ["Mike", "Mary"]) for line in lines]
    assert "Discard pile of Mike: 1 card worth 4: 4D." in names
    assert "Discard pile of Mary: 7 cards worth 44: 5D 5S 6D 6S 7D 7S 8D." in names


def test_wt_3_a_side_that_is_not_asked_sees_no_question() -> None:
    battle = begun("KS QS", "JH")
    assert (battle.view(MIKE).question, battle.view(MIKE).options) == (battle.question, battle.options)
    assert (battle.view(MARY).question, battle.view(MARY).options) == (0, [])


def test_wt_35_a_payment_bounds_only_the_cards_that_the_enemy_has_not_seen() -> None:
    battle = begun("", "5S 9C 9D", deck="JS JH JD QS QH QD KS KH KD")
    battle.temporary[MARY] = cards("9H 9S 8H")
    battle.seen[MARY] = cards("5S 9H")
    battle.limit_hand(MARY, 9)
    view = battle.view(MIKE)
    assert (view.ceiling, view.low) == (9, [2, 0, 2])
    for n in range(30):
        again = battle.redeal(MIKE, stream(n, "redeal"))
        assert all(VALUES[card] <= 9 for card in again.temporary[MARY])


def test_wt_4_the_dealer_takes_the_first_turn_and_a_lot_names_him() -> None:
    assert {ready(seed=seed).house["dealer"] for seed in range(9)} == {"mike", "mary"}
    battle = RULES.start(ready({"dealer": "mary"}), RandomSource())
    battle.run()
    assert battle.side == MARY


def test_wt_5_with_constructed_decks_each_draws_from_its_own() -> None:
    battle = begun("KS", "KH''", decks=("5S 6S 7S 8S", "5H'' 6H'' 7H''"))
    say(battle, "draw")
    assert texts(battle.temporary[MIKE]) == "5S 6S 7S"
    assert [len(deck) for deck in battle.decks] == [1, 3]
    assert battle.view(MARY).deck_sizes == [1, 3]
    assert texts(battle.view(MARY).unseen) == "5H'' 6H'' 7H''"


def test_wt_5_a_constructed_deck_has_45_cards_and_no_card_more_than_twice() -> None:
    lists = {"deck": OWN_DECK}
    constructed: dict[str, object] = {"decks": "constructed"}
    assert errors(constructed, mike=lists, mary=lists) == []
    assert "needs a list of at least 45 cards here" in errors(constructed, mike=lists)[0]
    thrice = {"deck": sorted([*OWN_DECK, *cards("KS KS")])}
    assert "more of KS" in errors(constructed, mike=thrice, mary=lists)[0]
    option = RULES.options["deck"]
    with pytest.raises(ValueError, match="45 to 104 cards"):
        option.read(["KS"] * 44, [])
    with pytest.raises(ValueError, match="has a prime"):
        option.read(["KS'"] * 45, [])


def test_wt_5_the_decks_cards_carry_primes_that_tell_whose_they_are() -> None:
    twice = sorted(OWN_DECK + cards("KS"))
    setup = ready({"decks": "constructed"}, mike={"deck": twice}, mary={"deck": OWN_DECK})
    assert list(setup.deal) == ["mike", "mary", "decks.mike", "decks.mary"]
    assert texts([card for card in cards_of(setup, MIKE) if card & 63 == 52]) == "KS KS'"
    assert texts(cards_of(setup, MARY)[:2]) == "2S'' 2H''"
    assert len(setup.deal["decks.mike"]) == 46


# Supply


def test_wt_6_the_supply_is_three_cards_or_two_monsters_or_nothing() -> None:
    battle = begun("KS", "KH", piles=("4S 3D 9C", ""))
    assert offered(battle) == ["draw", "return 4S", "return 3D", "return 9C", "pass"]
    drawn = say(begun("KS", "KH"), "draw")
    assert texts(drawn.temporary[MIKE]) == "2S 2H 2D"
    say(battle, "return 4S")
    assert asked(battle) == (MIKE, MORE)
    assert offered(battle) == ["return 3D", "return 9C", "enough"]
    say(battle, "return 9C")
    assert texts(battle.battlefields[MIKE]) == "4S 9C"
    assert texts(battle.discards[MIKE]) == "3D"
    assert asked(battle) == (MIKE, ACTION)


def test_wt_6_passing_gives_up_the_supply_not_the_turn() -> None:
    battle = say(begun("KS", "KH"), "pass")
    assert offered(battle) == ["post KS", "nothing"]


def test_wt_7_a_short_deck_gives_what_it_has_and_an_empty_one_nothing() -> None:
    battle = say(begun("KS", "KH", deck="2S 2H"), "draw")
    assert texts(battle.temporary[MIKE]) == "2S 2H"
    assert offered(begun("KS", "KH", piles=("4S", ""), deck="")) == ["return 4S", "pass"]


def test_wt_7_one_monster_alone_can_come_back() -> None:
    battle = say(begun("KS", "KH", piles=("4S", "")), "return 4S")
    assert asked(battle) == (MIKE, ACTION)
    battle = say(begun("KS", "KH", piles=("4S 5S", "")), "return 4S", "enough")
    assert texts(battle.battlefields[MIKE]) == "4S"


def test_wt_7_without_deck_and_pile_nobody_is_asked() -> None:
    assert asked(begun("KS", "KH", deck="")) != (MIKE, SUPPLY)


def test_wt_8_temporary_cards_fight_but_are_not_posted() -> None:
    battle = say(begun("KS", "KH", ("", "9H")), "draw")
    assert "post 2S" not in offered(battle)
    assert "attack 2S 9H" in offered(battle)
    assert why_not(battle, "post 2S") == "2S is temporary and cannot be played to the battlefield"


def test_wt_8_what_is_left_of_them_goes_at_the_end_of_the_enemys_next_turn() -> None:
    battle = say(begun("KS", "KH"), "draw", "nothing", "done")
    assert texts(battle.temporary[MIKE]) == "2S 2H 2D"
    say(battle, "pass", "nothing")
    assert battle.temporary[MIKE] == []
    assert texts(battle.discards[MIKE]) == "2S 2H 2D"
    assert asked(battle) == (MIKE, SUPPLY)


def test_wt_8_they_defend_and_are_taken_after_a_retreat() -> None:
    battle = say(begun("KS", "KH QH", ("9C", "")), "draw", "nothing", "done", "pass", "attack QH 9C")
    assert "counter 2S" in offered(battle)
    say(battle, "retreat hand", "take 2H")
    assert texts(battle.hands[MARY]) == "2H KH"
    assert texts(battle.temporary[MIKE]) == "2S 2D"


def test_wt_9_discards_stand_beside_supply_and_action_and_once_more_at_the_end() -> None:
    battle = begun("KS QS", "KH", ("", "9H"))
    assert "bonus" in offered(battle)
    say(battle, "draw")
    assert "bonus" in offered(battle)
    say(battle, "discard 2S", "discard 2H", "post KS")
    assert asked(battle) == (MIKE, FREE)
    assert offered(battle) == ["bonus", "discard 2D", "done"]
    say(battle, "discard 2D", "bonus")
    assert texts(battle.discards[MIKE]) == "2S 2H 2D"
    assert battle.turn == 2


def test_wt_9_no_free_steps_stand_beside_the_second_return() -> None:
    battle = begun("KS QS", "KH", ("", "9H 8H"), ("4S 5S", ""))
    assert offered(battle)[-1] == "bonus"
    assert offered(say(battle, "return 4S")) == ["return 5S", "enough"]


def test_wt_10_a_bonus_card_is_for_the_side_that_begins_with_fewer_monsters() -> None:
    assert "bonus" not in offered(begun("KS", "KH"))
    assert "bonus" not in offered(begun("KS", "KH", ("4C", "9H")))
    battle = begun("KS", "KH", ("", "9H"))
    say(battle, "pass", "post KS", "bonus")  # as many now, but fewer when the turn began
    assert texts(battle.hands[MIKE]) == "2S"
    assert battle.marked[MIKE] == cards("2S")
    assert "bonus" not in offered(say(begun("KS", "KH", ("", "9H")), "bonus"))


def test_wt_11_the_bonus_card_is_exchanged_if_the_own_pile_is_smaller() -> None:
    battle = begun("KS", "KH", ("", "9H"), ("4S", "4C 5C"))
    say(battle, "bonus")
    assert "exchange 2S" in offered(battle)
    say(battle, "exchange 2S")
    assert texts(battle.hands[MIKE]) == "2H KS"
    assert texts(battle.discards[MIKE]) == "4S 2S"
    assert battle.marked[MIKE] == []
    level = say(begun("KS", "KH", ("", "9H"), ("4S", "4C")), "bonus")
    assert "exchange 2S" not in offered(level)
    assert why_not(level, "exchange 2S") == "its discard pile must be smaller than the enemy's (1 against 1)"


def test_wt_11_the_mark_stays_in_later_turns_and_ends_with_the_hand() -> None:
    battle = begun("KS", "KH QH", ("", "9H"), ("", "4C"))
    say(battle, "bonus", "pass", "nothing", "done", "pass", "nothing")  # Mike's next turn
    assert "exchange 2S" in offered(battle)
    taken = begun("9C", "KH QH", ("", "9H"), ("", "4C"))
    say(taken, "bonus", "pass", "attack 9C 9H", "counter QH", "retreat hand")
    assert asked(taken) != (MARY, TAKE_ONE)  # a single card is taken without asking
    assert texts(taken.hands[MARY]) == "2S KH"
    assert taken.marked == [[], []]


def test_wt_11_without_a_deck_nothing_is_exchanged() -> None:
    battle = say(begun("KS", "KH", ("", "9H"), ("", "4C"), deck="2S"), "bonus")
    assert "exchange 2S" not in offered(battle)


# Action


def test_wt_12_a_turn_has_one_action() -> None:
    battle = say(begun("KS QS", "KH", ("", "9H")), "pass", "post KS")
    assert asked(battle) == (MIKE, FREE)
    house = HouseRules(play_and_attack=True)
    battle = say(begun("KS QS", "KH", ("", "9H"), house=house), "pass", "post KS")
    assert offered(battle) == ["attack QS 9H", "attack KS 9H", "nothing", "bonus"]
    say(battle, "attack KS 9H", "surrender")
    assert asked(battle) == (MIKE, FREE)


def test_wt_12_with_play_and_attack_the_second_window_opens_once() -> None:
    house = HouseRules(play_and_attack=True)
    battle = begun("KS QS 5S", "KH JH", ("", "9H"), house=house, windows=True)
    say(battle, "pass", "none", "post KS")
    assert asked(battle) == (MIKE, ACTION)
    say(battle, "nothing")
    assert asked(battle) == (MARY, SPECIAL)
    assert battle.window == 2


def test_wt_13_doing_nothing_is_allowed() -> None:
    battle = say(begun("KS", "KH"), "pass", "nothing")
    assert battle.turn == 2
    assert battle.hands[MIKE] == cards("KS")


def test_wt_14_an_attack_comes_from_hand_or_battlefield_against_a_monster() -> None:
    battle = say(begun("KS", "KH", ("4C", "9H 8H")), "draw")
    assert {text for text in offered(battle) if text.startswith("attack")} == {
        f"attack {card} {target}" for card in ("KS", "4C", "2S", "2H", "2D") for target in ("9H", "8H")
    }
    assert why_not(battle, "attack KS 7H") == "7H is not on the enemy's battlefield"
    say(battle, "attack 4C 8H")
    assert [texts(column) for column in battle.columns] == ["4C", "8H"]
    assert [texts(field) for field in battle.battlefields] == ["", "9H"]
    assert asked(battle) == (MARY, FIGHT)


def test_wt_15_nothing_can_be_attacked_in_the_first_turn_unless_it_was_set_up() -> None:
    assert offered(say(begun("KS", "KH"), "pass")) == ["post KS", "nothing"]
    assert "attack KS 9H" in offered(say(begun("KS", "KH", ("", "9H")), "pass"))


# The attack


def test_wt_16_the_side_attacked_chooses_first_then_both_in_turn() -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH", ("", "9H"))
    assert asked(battle) == (MARY, FIGHT)
    assert offered(battle) == ["counter QH", "counter KH", "retreat hand", "surrender"]
    say(battle, "counter QH")
    assert asked(battle) == (MIKE, FIGHT)
    assert offered(battle) == ["counter 6S", "retreat hand", "surrender"]


def test_wt_17_a_counter_is_one_card_from_hand_or_battlefield() -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH", ("", "9H 4H"))
    assert "counter 4H" in offered(battle)
    say(battle, "counter 4H")
    assert texts(battle.columns[MARY]) == "9H 4H"
    assert battle.battlefields[MARY] == []


def test_wt_6_passing_can_end_the_turn_while_the_deck_lasts() -> None:
    house = HouseRules(pass_ends_turn=True)
    battle = say(begun("KS 2D", "KH QH", house=house), "pass")
    assert asked(battle) == (MARY, SUPPLY) and battle.turn == 2
    window = say(begun("KS 2D", "KH QH", windows=True, house=house), "pass")
    assert asked(window) == (MARY, SPECIAL)
    assert asked(say(window, "none")) == (MARY, SUPPLY)
    late = begun("KS 2D", "KH", piles=("9S 8S", ""), deck="", house=house)
    assert asked(say(late, "pass")) == (MIKE, ACTION)  # WT-46


def test_wt_7_with_two_a_single_monster_cannot_return() -> None:
    house = HouseRules(return_two=True)
    one = begun("KS", "KH", piles=("9S", ""), house=house)
    assert offered(one) == ["draw", "pass"]
    two = say(begun("KS", "KH", piles=("9S 8S 7S", ""), house=house), "return 9S")
    assert offered(two) == ["return 8S", "return 7S"]


def test_wt_19_with_final_the_last_card_ends_the_attack() -> None:
    house = HouseRules(last_card_final=True)
    battle = attacked("attack KS 9H", "KS", "KH QH", ("", "9H"), house=house)
    assert last(battle, "won").fields["totals"] == [13, 9]
    battle = attacked("attack KS 9H", "KS", "KH QH", ("5S", "9H"), house=house)
    assert asked(battle) == (MARY, FIGHT)  # Mike still has a free monster
    say(battle, "counter KH", "decline")
    assert last(battle, "won").fields["totals"] == [13, 22]


def test_wt_27_with_target_surrenders_false_the_monster_stays() -> None:
    house = HouseRules(target_surrenders=False)
    battle = attacked("attack KS 9H", "KS 2S", "KH QH", ("", "9H"), house=house)
    say(battle, "surrender")
    assert battle.battlefields == [cards("KS"), cards("9H")] and battle.exhausted == []
    battle = attacked("attack KS 9H", "KS 2S JS", "KH QH", ("", "9H"), house=house)
    say(battle, "counter KH", "counter JS", "surrender")
    assert battle.battlefields == [cards("KS JS KH"), cards("9H")]


def test_wt_30_with_ends_a_spent_side_is_not_asked() -> None:
    battle = attacked("attack KS 9H", "KS 2S", "", ("", "9H"), house=HouseRules(spent_ends=True))
    assert last(battle, "won").fields["rout"] is True
    assert battle.battlefields[MIKE] == cards("KS 9H")


def test_wt_34_with_four_windows_one_comes_before_the_supply() -> None:
    battle = begun("KS 2S", "KH QH", windows=True, house=HouseRules(windows=4))
    assert asked(battle) == (MARY, SPECIAL) and battle.window == 1
    say(battle, "none")
    assert asked(battle) == (MIKE, SUPPLY)


def test_wt_37_with_any_both_sides_can_make_the_same_special_move() -> None:
    for any_kind, offers in ((False, ["none", "seven"]), (True, ["none", "switch", "seven"])):
        battle = begun("KS 2S", "KH QH", windows=True, house=HouseRules(any_kind=any_kind))
        battle.specials = [SWITCH, 0]
        battle.ask_again(SPECIAL, MARY)
        battle.side = NOBODY
        battle.run()
        assert asked(battle) == (MARY, SPECIAL)
        assert [offer.split()[0] for offer in offered(battle)] == offers


def test_wt_42_with_at_once_no_window_opens_after_the_end() -> None:
    for at_once in (False, True):
        house = HouseRules(ends_at_once=at_once)
        battle = begun("KS", "KH QH JH", deck="", windows=True, house=house)
        say(battle, "none")  # Mike can only play his King
        assert battle.is_over() is at_once


def test_wt_18_nobody_passes_while_both_hands_hold_cards() -> None:
    battle = attacked("attack KS 2H", "KS 6S", "KH QH", ("", "2H"))
    say(battle, "counter QH")
    assert "decline" not in offered(battle)
    assert why_not(battle, "decline") == "both hands still hold cards"


def test_wt_18_with_hold_when_ahead_the_higher_total_may_decline() -> None:
    house = HouseRules(hold_when_ahead=True)
    battle = attacked("attack KS 2H", "KS 6S", "KH QH", ("", "2H"), house=house)
    assert "decline" not in offered(battle)  # 2 against 13
    say(battle, "counter QH")  # 14 against 13
    assert "decline" not in offered(battle)
    say(battle, "counter 6S")  # 19 against 14, and Mike's hand is empty
    assert "decline" in offered(battle)
    battle = attacked("attack 6S 9H", "KS 6S", "KH QH", ("", "9H"), house=house)
    assert offered(battle)[-1] == "decline"
    say(battle, "decline")
    assert "decline" not in offered(battle)


def test_wt_19_with_an_empty_hand_both_may_decline_and_two_in_a_row_end_it() -> None:
    battle = attacked("attack 5S 9H", "5S", "KH QH JH", ("", "9H"))
    assert offered(battle) == [
        "counter JH",
        "counter QH",
        "counter KH",
        "retreat hand",
        "surrender",
        "decline",
    ]
    say(battle, "decline")
    assert asked(battle) == (MIKE, FIGHT)
    say(battle, "decline")
    assert battle.target == NOBODY


def test_wt_19_an_empty_hand_still_adds_free_monsters_and_a_counter_goes_on() -> None:
    battle = attacked("attack 5S 9H", "5S", "KH QH", ("8S", "9H"))
    say(battle, "decline", "counter 8S")
    assert asked(battle) == (MARY, FIGHT)
    assert battle.declines == 0


def test_wt_20_an_empty_hand_recalls_from_the_deck() -> None:
    battle = attacked("attack 5S 9H", "5S", "KH QH", ("8S 7S", "9H"), deck="10C 3C")
    assert not any(text.startswith("recall") for text in offered(battle))
    say(battle, "counter QH")
    assert "recall 8S" in offered(battle)
    say(battle, "recall 8S")
    assert texts(battle.columns[MIKE]) == "5S 10C"
    assert texts(battle.decks[0][::-1]) == "3C 8S"
    assert texts(battle.battlefields[MIKE]) == "7S"
    assert asked(battle) == (MARY, FIGHT)


def test_wt_20_with_one_card_left_the_card_goes_under_it_and_it_is_drawn() -> None:
    battle = attacked("attack 5S 9H", "5S", "KH QH", ("8S", "9H"), deck="10C")
    say(battle, "counter QH", "recall 8S")
    assert texts(battle.columns[MIKE]) == "5S 10C"
    assert texts(battle.decks[0]) == "8S"
    empty = say(attacked("attack 5S 9H", "5S", "KH QH", ("8S", "9H"), deck=""), "counter QH")
    assert "recall 8S" not in offered(empty)
    assert why_not(empty, "recall 8S") == "the deck is empty"


def test_wt_21_an_attack_ends_after_at_most_as_many_steps_as_there_are_cards() -> None:
    chance = stream(1, "attacks")
    for _ in range(100):
        battle = attacked("attack 5S 9H", "5S 6S 7S", "KH QH JH", ("8S 10S", "9H 2H 3H"))
        adds = 0
        while battle.question == FIGHT and battle.target != NOBODY:
            adding = [n for n, text in enumerate(offered(battle)) if text.startswith(("counter", "recall"))]
            adds += bool(adding)
            battle.choose(adding[chance.below(len(adding))] if adding else offered(battle).index("decline"))
        assert adds <= 2 + 2 + 3 + 2


def test_wt_22_an_attack_has_no_special_moves_bonus_cards_or_discards() -> None:
    battle = begun("5S 6S", "KH QH", ("", "9H"), windows=True)
    say(battle, "draw", "none", "attack 5S 9H", "counter QH")
    assert {text.split()[0] for text in offered(battle)} == {"counter", "retreat", "surrender"}


def test_wt_23_a_retreat_discards_the_column_with_the_monster_attacked() -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH 3H 2H", ("", "9H"))
    say(battle, "retreat hand")
    assert texts(battle.discards[MARY]) == "9H"
    attacker = attacked("attack 5S 9H", "5S 6S 7S", "KH QH 3H 2H", ("", "9H"))
    say(attacker, "counter KH", "retreat hand")
    assert texts(attacker.discards[MIKE]) == "5S"
    assert texts(attacker.battlefields[MARY]) == ""
    assert texts(attacker.columns[MARY]) == "9H KH"  # until the price is paid
    say(attacker, "take 7S")
    assert texts(attacker.battlefields[MARY]) == "9H KH"


def test_wt_23_with_target_retreats_false_the_monster_stays() -> None:
    house = HouseRules(target_retreats=False)
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH 3H 2H", ("", "9H"), house=house)
    say(battle, "retreat hand", "take KH")
    assert battle.discards[MARY] == []
    assert texts(battle.battlefields[MARY]) == "9H"
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH 3H 2H", ("", "9H"), house=house)
    say(battle, "counter KH", "counter 6S", "retreat hand", "take QH")
    assert texts(battle.discards[MARY]) == "KH"
    assert texts(battle.battlefields[MARY]) == "9H"


@pytest.mark.parametrize("target_retreats", [True, False])
def test_wt_23_the_attackers_whole_column_retreats_under_either_rule(target_retreats: bool) -> None:
    house = HouseRules(target_retreats=target_retreats)
    battle = attacked("attack 5S 9H", "5S 6S 7S 8S", "KH QH 3H 2H", ("", "9H"), house=house)
    say(battle, "counter KH", "counter 6S", "counter QH", "retreat hand", "take 7S")
    assert texts(battle.discards[MIKE]) == "5S 6S"
    assert texts(battle.battlefields[MIKE]) == ""
    assert texts(battle.battlefields[MARY]) == "9H KH QH"


def test_wt_25_with_target_retreats_false_the_attacker_pays_for_its_whole_column() -> None:
    house = HouseRules(target_retreats=False)
    fields = ("JS 10S 9S", "9H")
    battle = attacked("attack 5S 9H", "5S 6S 7S", "KH QH 3H 2H", fields, house=house, piles=("", ""))
    say(battle, "counter KH", "counter 6S", "counter QH", "retreat field")
    assert offered(battle) == ["bury JS", "bury 10S", "bury 9S"]
    say(battle, "bury JS")
    assert offered(battle) == ["bury 10S", "bury 9S"]  # two cards retreat, so two are buried


def test_wt_24_the_enemy_takes_one_card_of_the_hand_that_is_shown() -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH 3H 2H", ("", "9H"))
    say(battle, "retreat hand")
    assert asked(battle) == (MIKE, TAKE_ONE)
    assert offered(battle) == ["take 2H", "take 3H", "take QH", "take KH"]
    assert battle.view(MIKE).seen == [cards("2H 3H QH KH"), [], []]
    say(battle, "take KH")
    assert texts(battle.hands[MIKE]) == "6S KH"
    assert texts(battle.hands[MARY]) == "2H 3H QH"
    assert texts(battle.battlefields[MIKE]) == "5S"


def test_wt_24_an_empty_hand_pays_nothing() -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "", ("", "9H"))
    say(battle, "retreat hand")
    assert texts(battle.discards[MARY]) == "9H"
    assert texts(battle.hands[MIKE]) == "6S"
    assert "hand_shown" not in kinds(battle)


def test_wt_25_with_the_larger_pile_the_price_may_come_from_the_battlefield() -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH 3H", ("", "9H 8H 7H 4H"), piles=("2C", "3C"))
    say(battle, "counter KH", "counter 6S")  # 9H KH retreat: 3 cards against 1
    assert "retreat field" in offered(battle)
    say(battle, "retreat field")
    assert offered(battle) == ["bury 8H", "bury 7H", "bury 4H"]
    say(battle, "bury 4H", "bury 8H")
    assert texts(battle.decks[0][:2]) == "8H 4H"  # the last one named lies lowest
    assert texts(battle.discards[MARY]) == "3C 9H KH"
    assert texts(battle.hands[MARY]) == "3H QH"


@pytest.mark.parametrize(
    ("fields", "piles", "deck", "why"),
    [
        (("", "9H"), ("", "3C"), DECK, "it has 0 free monsters but needs 1, one for each card that retreats"),
        (("", "9H 8H"), ("2C", ""), DECK, "its discard pile would not be the larger one (1 against 1)"),
        (("", "9H 8H"), ("", "3C"), "", "the deck is empty"),
    ],
)
def test_wt_25_is_not_offered_without_monsters_the_larger_pile_or_a_deck(
    fields: tuple[str, str], piles: tuple[str, str], deck: str, why: str
) -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH", fields, deck, piles=piles)
    assert "retreat field" not in offered(battle)
    assert why_not(battle, "retreat field") == why


def test_wt_25_is_not_offered_when_nothing_retreats() -> None:
    house = HouseRules(target_retreats=False)
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH", ("", "9H 8H"), piles=("", "3C"), house=house)
    assert "retreat field" not in offered(battle)
    say(battle, "counter KH", "counter 6S", "retreat field")
    assert texts(battle.decks[0][:1]) == "8H"  # the monster that stays is not free: one way, unasked
    assert texts(battle.battlefields[MARY]) == "9H"


def test_wt_26_the_other_column_stands_on_its_owners_battlefield() -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH 3H", ("8S", "9H"))
    say(battle, "counter KH", "counter 6S", "retreat hand", "take QH")
    assert texts(battle.battlefields[MIKE]) == "8S 5S 6S"


def test_wt_27_a_surrender_gives_the_column_to_the_enemy_exhausted() -> None:
    battle = attacked("attack 5S 9H", "5S 6S 7S", "KH QH 3H", ("", "9H 4H"))
    say(battle, "counter 4H", "counter 6S", "surrender")
    assert texts(battle.battlefields[MIKE]) == "5S 6S 9H 4H"
    assert battle.battlefields[MARY] == []
    assert texts(last(battle, "surrendered").fields["cards"]) == "9H 4H"  # type: ignore[arg-type]


def test_wt_27_the_attacker_surrenders_too_and_exhaustion_lasts_for_the_turn() -> None:
    battle = begun("5S 6S 7S", "2H 3H", ("", "9H"), windows=True)
    say(battle, "pass", "none", "attack 5S 9H", "counter 3H", "surrender")
    assert texts(battle.exhausted) == "5S"
    assert asked(battle) == (MARY, SPECIAL)
    assert battle.view(MARY).exhausted == cards("5S")
    assert offered(battle) == ["none", "switch", "seven"]
    say(battle, "switch")
    assert texts(battle.discards[MIKE]) == "9H 3H"  # not the exhausted 5S
    while battle.turn == 1:
        battle.choose(len(battle.options) - 1 if battle.question == FREE else 0)
    assert battle.exhausted == []


def test_wt_28_equal_totals_lose_for_the_attacker() -> None:
    battle = attacked("attack 8S 8H", "8S", "KH", ("2S", "8H"))
    say(battle, "decline", "decline")
    assert texts(battle.battlefields[MARY]) == "8H"
    assert texts(battle.discards[MIKE]) == "8S"
    assert last(battle, "won").side == MARY


def test_wt_29_the_losers_column_goes_to_his_pile_and_the_winners_stands() -> None:
    battle = attacked("attack 9S 8H", "9S", "KH", ("2S", "8H 3H"))
    say(battle, "decline", "decline")
    assert texts(battle.battlefields[MIKE]) == "2S 9S"
    assert texts(battle.discards[MARY]) == "8H"
    assert texts(battle.battlefields[MARY]) == "3H"


def test_wt_30_a_side_with_nothing_left_makes_it_a_rout() -> None:
    loser = attacked("attack 5S 9H", "5S", "KH QH JH", ("", "9H"))
    say(loser, "decline", "decline")
    assert sorted(loser.battlefields[MARY]) == sorted(cards("9H 5S"))
    assert loser.discards == [[], []]
    assert loser.exhausted == []
    winner = attacked("attack KS 9H", "KS", "2H", ("", "9H"))
    say(winner, "decline", "decline")  # the winner is the one who has nothing else
    assert sorted(winner.battlefields[MIKE]) == sorted(cards("KS 9H"))
    assert last(winner, "won").fields["rout"] is True


def test_wt_31_the_loser_draws_for_what_he_lost_from_his_hand() -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH 2H", ("3S 4S", "9H"))
    say(battle, "counter KH", "counter 6S", "counter QH", "counter 3S", "decline", "decline")
    assert texts(battle.discards[MIKE]) == "5S 6S 3S"  # the 3S came from the battlefield
    assert texts(battle.hands[MIKE]) == "2S 2H"
    assert last(battle, "compensated").fields["count"] == 2


def test_wt_31_is_drawn_after_the_second_window_as_far_as_the_deck_goes() -> None:
    battle = begun("5S 6S", "KH QH 2H", ("3S 4S", "9H"), deck="10C", windows=True)
    say(battle, "pass", "none", "attack 5S 9H", "counter KH", "counter 6S", "decline", "decline")
    assert asked(battle) == (MARY, SPECIAL)
    assert battle.owed == [2, 0]
    say(battle, "none")
    assert texts(battle.hands[MIKE]) == "10C"


def test_wt_31_nobody_draws_after_a_retreat_or_a_surrender() -> None:
    for way in ("retreat hand", "surrender"):
        battle = attacked("attack 5S 9H", "5S 6S", "KH QH 2H", ("", "9H"))
        say(battle, "counter KH", "counter 6S", "counter QH", way)
        assert battle.hands[MIKE] == []
        assert "compensated" not in kinds(battle)


def test_wt_32_a_temporary_card_that_fought_is_a_card_like_any_other() -> None:
    battle = say(begun("KS", "KH QH", ("", "2C")), "draw", "attack 2S 2C", "surrender")
    assert texts(battle.battlefields[MIKE]) == "2S 2C"
    say(battle, "done", "pass", "nothing")
    assert "attack 2S 2C" not in offered(battle)
    assert cards("2S")[0] in battle.battlefields[MIKE]


# Special moves


def test_wt_33_switch_exchanges_the_piles_and_seven_draws_seven() -> None:
    battle = begun("KS QS 3S", "KH QH 3H", piles=("4C 5C", "6C"), windows=True)
    say(battle, "pass", "switch")
    assert texts(battle.discards[MIKE]) == "6C KH QH"
    assert texts(battle.discards[MARY]) == "4C 5C"
    battle = begun("KS QS 3S", "KH QH 4C", windows=True)
    say(battle, "pass", "seven")
    assert texts(battle.discards[MARY]) == "KH QH"
    assert texts(battle.hands[MARY]) == "2S 2H 2D 2C 3S 3H 3D 4C"


def test_wt_34_they_are_made_in_three_windows_of_the_enemys_turn() -> None:
    battle = begun("KS QS 3S", "KH QH 3H", windows=True)
    windows = []
    while battle.turn == 1:
        if battle.question == SPECIAL:
            assert battle.side == MARY
            windows.append(battle.window)
        say(battle, {SUPPLY: "pass", ACTION: "post 3S", SPECIAL: "none"}[battle.question])
    assert windows == [1, 2, 3]
    assert kinds(battle).count("kept_still") == 3


def test_wt_34_the_guide_has_the_shares_of_the_first_turn() -> None:
    guide = Path(__file__).parents[2].joinpath("docs", "odds.md").read_text(encoding="utf-8")
    (shares,) = re.findall(r"the first side's share of the points \|(.*) \|", guide)
    house = ready().house
    for quiet, text in enumerate(shares.split("|")):
        edge = RULES.first_move_edge({**house, "quiet_turns": quiet})
        assert edge is not None
        assert f"{edge.share:.1%}" == text.replace("*", "").replace(" %", "%").strip()
    assert RULES.first_move_edge({**house, "quiet_turns": 8}) is None


def test_wt_34_quiet_turns_have_no_special_moves() -> None:
    for quiet, question in ((0, SPECIAL), (1, ACTION)):
        house = HouseRules(quiet_turns=quiet)
        battle = say(begun("KS QS", "KH QH", windows=True, house=house), "pass")
        assert asked(battle)[1] == question
    say(battle, "post KS", "pass")  # no side had to answer in the rest of the first turn
    assert (battle.turn, asked(battle)) == (2, (MIKE, SPECIAL))


def test_wt_34_a_battle_file_says_how_many_turns_are_quiet() -> None:
    setup = ready({"dealer": "mike", "quiet_turns": 3})
    battle = RULES.start(setup, RandomSource())
    assert isinstance(battle, WarfareTactics)
    assert battle.house.quiet_turns == 3


def test_wt_35_the_price_is_the_two_highest_of_battlefield_and_hand() -> None:
    battle = begun("KS QS 3S", "QH 3H", ("", "KH 2C"), windows=True)
    say(battle, "pass")
    assert offered(battle) == ["none", "switch", "seven"]
    say(battle, "seven")
    assert texts(battle.discards[MARY]) == "KH QH"
    assert texts(battle.battlefields[MARY]) == "2C"


def test_wt_35_of_equal_cards_the_owner_chooses() -> None:
    battle = say(begun("KS", "KD KS' QH", ("", "KC 2C"), windows=True), "pass")
    assert offered(battle)[:4] == ["none", "switch KS' KD", "switch KS' KC", "switch KD KC"]
    battle = say(begun("KS", "KD QH QC' 3S", ("", "QC 2C"), windows=True), "pass")
    assert offered(battle)[1:4] == ["switch KD QH", "switch KD QC", "switch KD QC'"]
    assert why_not(battle, "switch") == "there are several ways to pay; name the two cards, the higher first"


def test_wt_35_an_ace_is_low_and_one_card_cannot_pay() -> None:
    battle = say(begun("KS", "AH 2H 3H", windows=True), "pass", "seven")
    assert texts(battle.discards[MARY]) == "3H 2H"
    assert asked(say(begun("KS", "KH", windows=True), "pass")) == (MIKE, ACTION)
    assert asked(say(begun("KS", "KH", ("", "2C"), windows=True), "pass")) == (MARY, SPECIAL)


def test_wt_35_with_seven_is_free_only_switch_is_paid() -> None:
    house = HouseRules(seven_is_free=True)
    battle = say(begun("KS", "KH", windows=True, house=house), "pass")
    assert offered(battle) == ["none", "seven"]
    say(battle, "seven")
    assert len(battle.hands[MARY]) == 8
    assert battle.discards == [[], []]


def test_wt_36_the_active_side_answers_with_the_other_one() -> None:
    battle = say(begun("KS QS 3S", "KH QH 3H", windows=True), "pass", "seven")
    assert asked(battle) == (MIKE, ANSWER)
    assert offered(battle) == ["none", "switch"]
    say(battle, "none", "post 3S")
    assert asked(battle) == (MIKE, ANSWER)  # in a later window of the same turn
    assert battle.window == 2
    say(battle, "switch")
    assert texts(battle.discards[MIKE]) == "KH QH"
    assert battle.specials == [SWITCH, SEVEN]


def test_wt_36_nobody_answers_in_another_turn_or_after_a_special_move_of_his_own() -> None:
    battle = begun("KS QS 3S", "KH QH 3H", windows=True)
    say(battle, "pass", "none", "nothing", "none", "none")
    assert asked(battle) == (MARY, SUPPLY)
    say(battle, "pass", "seven", "none", "nothing", "none", "none")
    assert asked(battle) == (MIKE, SUPPLY)  # that SEVEN was in Mary's turn, the chance to answer is over
    say(battle, "pass")
    assert asked(battle) == (MARY, SPECIAL)
    assert offered(battle) == ["none", "switch"]
    say(battle, "switch")
    assert asked(battle) == (MIKE, ACTION)


def test_wt_37_each_side_makes_one_and_each_kind_is_made_once() -> None:
    battle = begun("KS QS 3S 4S 5S", "KH QH 3H 4H 5H", windows=True)
    say(battle, "pass", "seven", "none", "nothing", "none", "none")
    say(battle, "pass")
    assert offered(battle) == ["none", "switch"]  # SEVEN is gone
    say(battle, "none", "nothing", "none", "none", "pass")
    assert asked(battle) == (MIKE, ACTION)  # Mary has made hers
    assert why_not(battle, "seven").startswith("now write")


def test_wt_38_seven_draws_what_there_is_and_nothing_from_an_empty_deck() -> None:
    battle = say(begun("KS", "KH QH", deck="2S 3S 4S 5S", windows=True), "pass", "seven")
    assert texts(battle.hands[MARY]) == "2S 3S 4S 5S"
    assert battle.decks == [[]]
    assert battle.temporary[MARY] == []
    empty = begun("KS", "KH QH", deck="", windows=True)
    assert offered(empty) == ["none", "switch"]
    assert why_not(empty, "seven") == "the deck is empty"


def test_wt_39_the_answer_closes_the_window() -> None:
    battle = say(begun("KS QS 3S", "KH QH 3H", windows=True), "pass", "seven", "switch")
    assert asked(battle) == (MIKE, ACTION)


# Deck, end, score


def test_wt_40_nothing_goes_under_an_empty_deck() -> None:
    battle = attacked("attack 5S 9H", "5S", "", ("8S", "9H 4H"), "", piles=("", "3C"))
    assert not any(text.startswith(("recall", "retreat field")) for text in offered(battle))


def test_wt_41_cards_put_under_the_deck_are_known_to_both() -> None:
    battle = attacked("attack 5S 9H", "5S", "KH QH", ("8S", "9H"), deck="10C 3C")
    say(battle, "counter QH", "recall 8S")
    assert [texts(battle.view(side).buried[0]) for side in (MIKE, MARY)] == ["8S", "8S"]
    say(battle, "decline", "decline")  # Mike is compensated with the 3C alone
    assert texts(battle.hands[MIKE]) == "3C"
    say(battle, "draw")  # the 8S, which Mike has seen go there
    assert texts(battle.view(MIKE).seen[2]) == "8S"
    assert last(battle, "drew").fields["cards"] == cards("8S")
    redealt = battle.redeal(MIKE, stream(1, "again"))
    assert redealt.temporary[MARY] == cards("8S")


def test_wt_42_the_battle_is_over_when_deck_and_a_hand_are_empty_at_the_end_of_a_turn() -> None:
    battle = begun("KS", "KH QH", deck="5S")
    say(battle, "draw", "post KS", "discard 5S")
    assert battle.is_over()
    assert battle.outcome().reason == "hand-empty"
    battle = begun("KS", "KH QH", deck="")
    assert battle.is_over()  # Mike's one card was posted without asking
    assert battle.outcome().reason == "hand-empty"
    assert texts(battle.battlefields[MIKE]) == "KS"


def test_wt_42_temporary_cards_count_as_hand_until_they_are_removed() -> None:
    battle = begun("KS", "KH QH JH", ("", "2C"), deck="5S 6S 7S")
    say(battle, "draw", "post KS", "done")
    assert battle.turn == 2  # Mike holds temporary cards
    say(battle, "post KH")
    assert battle.is_over()  # they were discarded at the end of Mary's turn
    assert texts(battle.discards[MIKE]) == "5S 6S 7S"


def test_wt_42_comes_before_the_stall_and_the_turn_limit() -> None:
    battle = begun("KS", "KH QH", deck="", house=HouseRules(turn_limit=1))
    assert battle.outcome().reason == "hand-empty"
    stalled = begun("KS", "KH", house=HouseRules(turn_limit=QUIET))
    for _ in range(QUIET):
        say(stalled, "pass", "nothing")
    assert stalled.outcome().reason == "level"
    assert last(stalled, "ended").fields["ending"] == "stalled"


def test_wt_43_the_score_is_the_own_battlefield_and_the_enemys_pile() -> None:
    battle = begun("KS", "KH", ("9S 2S", "AH"), ("10C 3C", "JC"))
    assert (battle.score(MIKE), battle.score(MARY)) == (11 + 11, 1 + 13)
    count = begun("KS", "KH", ("9S 2S", "AH"), ("10C 3C", "JC"), house=HouseRules(count_discards=True))
    assert (count.score(MIKE), count.score(MARY)) == (11 + 1, 1 + 2)


def test_wt_43_during_an_attack_the_columns_still_count() -> None:
    battle = attacked("attack 5S KH", "5S 3S", "9C 8C", ("2C", "KH 4D"))
    assert (battle.score(MIKE), battle.score(MARY)) == (5 + 2, 13 + 4)
    say(battle, "counter 9C")
    assert (battle.score(MIKE), battle.score(MARY)) == (5 + 2, 13 + 4 + 9)


def test_wt_44_the_empty_hand_may_be_the_enemys() -> None:
    battle = begun("KS QS", "", ("", "AH"), deck="")
    say(battle, "post KS")
    assert battle.is_over()
    assert battle.hands[MIKE] == cards("QS")


def test_wt_44_with_constructed_decks_it_is_the_empty_hands_own_deck() -> None:
    battle = begun("KS", "KH'' QH''", decks=("5S 6S", ""))
    say(battle, "pass", "post KS")
    assert not battle.is_over()  # Mike's hand is empty, but not the deck
    battle = begun("KS", "KH'' QH''", decks=("", "5S'' 6S''"))
    assert battle.is_over()


def test_wt_45_eight_turns_in_which_nothing_happens_end_it() -> None:
    battle = begun("KS", "KH", ("2S", "3H"))
    for _ in range(QUIET - 1):
        say(battle, "pass", "nothing")
    assert battle.quiet == QUIET - 1
    say(battle, "pass", "nothing")
    assert battle.outcome() == ([MARY], "stalled", [(0, 2), (0, 3)])


def test_wt_45_a_bonus_card_counts_as_a_draw_and_a_discard_does_not() -> None:
    battle = begun("KS", "KH", ("", "3H"))
    say(battle, "bonus", "pass", "nothing")
    assert battle.quiet == 0
    say(battle, "pass", "nothing")
    assert battle.quiet == 1
    battle = begun("KS", "KH")
    battle.temporary[MIKE] = cards("9D")
    say(battle, "pass", "discard 9D", "nothing")
    assert battle.quiet == 1


def test_wt_46_with_an_empty_deck_the_active_side_must_play_or_attack() -> None:
    battle = begun("KS QS", "KH QH", ("", "3H"), deck="")
    assert "nothing" not in offered(battle)
    assert why_not(battle, "nothing") == "the deck is empty, so it must play a card or attack"
    house = HouseRules(play_and_attack=True)
    battle = say(begun("KS QS", "KH QH", ("", "3H"), deck="", house=house), "post KS")
    assert "nothing" in offered(battle)  # the post was enough


def test_wt_46_who_cannot_does_nothing() -> None:
    battle = begun("", "KH QH", deck="9S")
    say(battle, "draw", "nothing")
    assert battle.battlefields[MIKE] == []
    assert "waited" in kinds(battle)


def test_wt_47_the_turn_limit_ends_it() -> None:
    battle = begun("KS", "KH", ("5S", "3H"), house=HouseRules(turn_limit=2))
    say(battle, "draw", "nothing", "done", "draw", "nothing", "done")
    assert battle.outcome().reason == "turn-limit"
    assert ready().house["turn_limit"] == 120
    assert ready({"decks": 2}).house["turn_limit"] == 240
    lists = {"deck": OWN_DECK}
    assert ready({"decks": "constructed"}, mike=lists, mary=lists).house["turn_limit"] == 240


def test_wt_48_sides_may_be_unequal() -> None:
    setup = ready(
        {"dealer": "mary"},
        mike={"hand": 9, "extra": cards("KS"), "battlefield": cards("QH JH")},
        mary={"hand": 3},
    )
    assert {pile: len(dealt) for pile, dealt in setup.deal.items()} == {"mike": 10, "mary": 3, "stack": 37}
    assert texts(setup.deal["mike"][:1]) == "KS"
    everything = sorted(in_all(setup) + cards("QH JH"))
    assert everything == standard_pack()
    battle = RULES.start(setup, RandomSource())
    assert isinstance(battle, WarfareTactics)
    assert texts(battle.battlefields[MIKE]) == "QH JH"


def test_wt_48_what_is_typed_in_stays_and_the_rest_is_drawn() -> None:
    data = {
        "rules": "warfare-tactics",
        "seed": 5,
        "sides": {"mike": {"extra": ["KS"]}, "mary": {}},
        "deal": {"mike": ["4H", "KS", "10H"], "stack": ["AS", "AH"]},
    }
    plan = read_battle(data)
    setup = deal(plan, streams_of(plan))
    assert texts(setup.deal["mike"][:3]) == "4H KS 10H"
    assert texts(setup.deal["stack"][:2]) == "AS AH"
    assert [len(setup.deal[pile]) for pile in ("mike", "mary", "stack")] == [8, 7, 37]
    assert sorted(in_all(setup)) == standard_pack()


def test_wt_49_losses_are_what_was_committed_and_does_not_stand() -> None:
    battle = attacked("attack 9S 8H", "9S", "KH", ("2S", "8H 3H"))
    say(battle, "decline", "decline")  # Mary loses the 8H of 11, Mike keeps 2S and 9S
    assert battle.losses(MARY) == (8, 11)
    assert battle.losses(MIKE) == (0, 11)
    assert begun("KS", "KH").losses(MIKE) == (0, 1)


def test_wt_49_each_card_is_committed_once_and_growth_is_no_loss() -> None:
    battle = say(begun("KS", "KH", piles=("4S", "")), "return 4S", "post KS")
    assert battle.losses(MIKE) == (0, 17)
    say(battle, "draw", "attack 2S 4S", "counter KS", "surrender")  # Mike wins a card
    assert battle.losses(MIKE) == (0, 17)
    assert battle.losses(MARY) == (2, 2)
    recalled = attacked("attack 5S 9H", "5S", "KH QH", ("8S", "9H"), deck="10C 3C")
    say(recalled, "counter QH", "recall 8S")
    assert sum(VALUES[card] for card in recalled.committed[MIKE]) == 8 + 5 + 10


def test_wt_49_a_drawn_battle_is_level_whatever_ended_it() -> None:
    battle = begun("KS", "KH", ("5S", "5H"))
    for _ in range(QUIET):
        say(battle, "pass", "nothing")
    assert battle.outcome() == ([], "level", [(0, 5), (0, 5)])


# The test vectors and the sample of play


def test_an_attack_with_the_last_card_is_a_rout() -> None:
    battle = attacked("attack 5S 9H", "5S", "KH QH JH", ("", "9H"))
    say(battle, "decline", "decline")
    assert sorted(battle.battlefields[MARY]) == sorted(cards("9H 5S"))
    assert texts(battle.hands[MIKE]) == "2S"


def test_a_retreat_at_once() -> None:
    battle = attacked("attack 5S 9H", "5S", "KH QH JH 2H", ("", "9H"))
    say(battle, "retreat hand")
    assert texts(battle.discards[MARY]) == "9H"
    assert len(battle.options) == 4
    say(battle, "take QH")
    assert texts(battle.battlefields[MIKE]) == "5S"


def test_a_surrender_at_once() -> None:
    battle = begun("5S", "KH QH JH 2H", ("", "9H"), windows=True)
    say(battle, "pass", "none", "attack 5S 9H", "surrender")
    assert texts(battle.battlefields[MIKE]) == "5S 9H"
    assert texts(battle.exhausted) == "9H"


SAMPLE = [
    *("draw", "none", "discard 2S", "discard 4S", "discard 3S", "post AS", "none", "none"),
    *("pass", "none", "post KH", "none", "bonus", "done", "none"),
    *("return 4S", "return 3S", "none", "post AH", "none", "none"),
    *("pass", "none", "nothing", "none", "done", "none"),  # the turn that the sample leaves out
    *("pass", "none", "attack 4S KH", "counter KD", "counter 3S", "counter JD", "counter JS"),
    *("counter 9D", "counter QS", "counter 8D", "counter 3H", "counter 7C", "counter 5S"),
    *("decline", "decline", "seven", "switch"),
]


def test_the_sample_of_play_ends_61_to_42() -> None:
    """Mike holds six cards, Mary has a turn between the two of Mike, and the last exchange is left out."""
    battle = sample().battle
    assert isinstance(battle, WarfareTactics)
    assert battle.is_over()
    assert (battle.score(MIKE), battle.score(MARY)) == (42, 61)
    assert battle.outcome().winners == [MARY]
    assert battle.outcome().reason == "hand-empty"
    assert texts(battle.battlefields[MARY]) == "JD 9D 8D 7C"
    assert sorted(battle.discards[MARY]) == sorted(cards("2S 4S 3S JS QS 3H 5S AS AH"))
    assert texts(battle.discards[MIKE]) == "KH KD"


def test_the_sample_of_play_is_told(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(told(sample(), None, AUDIT)) == snapshot


# Counting


def perft(battle: WarfareTactics, depth: int) -> int:
    """Return the number of sequences of `depth` choices, with shorter ones that end the battle."""
    if depth == 0 or battle.is_over():
        return 1
    return sum(perft(after(battle, index), depth - 1) for index in range(len(battle.options)))


def after(battle: WarfareTactics, index: int) -> WarfareTactics:
    other = battle.copy()
    other.choose(index)
    return other


@pytest.mark.parametrize(
    ("battle", "counts"),
    [
        (lambda: begun("5S 9C", "8H KD", deck="2S 3S"), [2, 7, 20, 67, 260]),
        (lambda: begun("5S 9C", "8H KD", ("", "6H"), deck="2S 3S"), [3, 16, 70, 216, 824]),
        (lambda: begun("5S 9C", "8H", ("4C", "6H"), deck="2S", windows=True), [2, 5, 20, 52, 137]),
        (lambda: begun("5S", "8H KD", ("4C 4D", "6H 6D"), ("3D", "3H 3C"), "2S 2C"), [3, 31, 180, 958, 5235]),
    ],
    ids=["empty field", "one monster", "windows", "piles"],
)
def test_perft(battle: Callable[[], WarfareTactics], counts: list[int]) -> None:
    """The number of ways to go on pins the rules as a whole."""
    assert [perft(battle(), depth) for depth in range(1, len(counts) + 1)] == counts


# What is hidden


def unseen_and_low(battle: WarfareTactics, side: int) -> list[tuple[int, int]]:
    """Return for each part of a hand how many unseen cards are low, and how many must be."""
    found = []
    for part, hidden in enumerate(battle.hidden_parts(side)):
        low = len([card for card in hidden if VALUES[card] <= battle.ceiling[side]])
        found.append((low, battle.low[3 * side + part]))
    return found


def test_what_is_left_of_a_hand_is_no_higher_than_the_lower_card_paid() -> None:
    battle = begun("AS AH AD AC", "KH 9H 8H 5C 2C", windows=True, deck="JS JH JD JC QS QH QD QC 3S")
    say(battle, "pass", "seven", "none")
    view = battle.view(MIKE)
    assert (view.ceiling, view.low) == (9, [3, 0, 0])
    for n in range(100):
        again = battle.redeal(MIKE, stream(n, "redeal"))
        hand = again.hands[MARY]
        assert len(hand) == 10
        assert len([card for card in hand if VALUES[card] <= 9]) >= 3
    say(battle, "nothing", "none", "none", "draw", "none", "post 5C")  # perhaps one of the three
    assert battle.view(MIKE).low == [2, 0, 0]


def test_a_redeal_for_the_public_deals_all_hidden_cards_again() -> None:
    battle = begun("KS QS", "KH QH", deck="2S 3S 4S 5S")
    battle.seen[MARY] = cards("QH")
    every = sorted([*battle.hands[MIKE], *battle.hands[MARY], *battle.decks[0]])
    hands = set()
    for n in range(60):
        again = battle.redeal(NOBODY, stream(n, "public"))
        assert sorted([*again.hands[MIKE], *again.hands[MARY], *again.decks[0]]) == every
        assert [len(hand) for hand in again.hands] == [2, 2]
        assert cards("QH")[0] in again.hands[MARY]
        hands |= {(side, card) for side in (MIKE, MARY) for card in again.hands[side]}
    assert len(hands) == 2 * len(every) - 1  # each hidden card comes to either side


@pytest.mark.slow
def test_low_cards_are_never_fewer_than_a_redeal_needs() -> None:
    chance = stream(7, "low")
    for seed in range(40):
        battle = RULES.start(ready(seed=seed), RandomSource())
        assert isinstance(battle, WarfareTactics)
        battle.run()
        while not battle.is_over():
            battle.choose(chance.below(len(battle.options)))
            for side in (MIKE, MARY):
                assert all(low >= needed for low, needed in unseen_and_low(battle, side))


def test_a_shown_hand_and_a_taken_card_stay_known() -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH 3H 2H", ("", "9H"))
    say(battle, "retreat hand", "take KH", "done")
    for n in range(30):
        seen_by_mike = battle.redeal(MIKE, stream(n, "mike"))
        assert texts(seen_by_mike.hands[MARY]) == "2H 3H QH"
        seen_by_mary = battle.redeal(MARY, stream(n, "mary"))
        assert cards("KH")[0] in seen_by_mary.hands[MIKE]
    others = {tuple(battle.redeal(MARY, stream(n, "mary")).hands[MIKE]) for n in range(30)}
    assert len(others) > 3  # Mike's other card is not known


def test_temporary_and_bonus_cards_are_hidden_and_their_number_is_not() -> None:
    battle = begun("KS", "KH QH", ("", "9H"))
    say(battle, "bonus", "draw")
    view = battle.view(MARY)
    assert (view.sizes, view.temporary_sizes, view.marked_counts) == ([2, 2], [3, 0], [1, 0])
    assert view.temporary == []
    redealt = {tuple(battle.redeal(MARY, stream(n, "mary")).temporary[MIKE]) for n in range(20)}
    assert len(redealt) > 10


def test_a_draw_is_told_to_its_side_alone() -> None:
    battle = say(begun("KS", "KH"), "draw")
    drew = last(battle, "drew")
    shown = drew.seen_by(MARY)
    assert shown is not None
    assert "cards" not in shown.fields
    assert shown.fields["count"] == 3
    own = drew.seen_by(MIKE)
    assert own is not None
    assert own.fields["cards"] == cards("2S 2H 2D")


def test_unknown_cards_are_neither_offered_nor_drawn_to_be_laid_open() -> None:
    battle = WarfareTactics()
    battle.begin(
        [[UNKNOWN, *cards("5S")], cards("KH QH")], [[], cards("9H")], [[UNKNOWN] * 4], RandomSource()
    )
    battle.run()
    assert asked(battle) == (MIKE, SUPPLY)
    assert offered(battle) == ["pass", "bonus"]
    assert why_not(battle, "draw") == "the next cards of the deck are not written down"
    say(battle, "pass", "none")
    assert offered(battle) == ["post 5S", "attack 5S 9H", "nothing", "bonus"]
    assert why_not(battle, "post 6S") == "6S is not in its hand, of which some cards are not written down"


def test_a_hand_of_unknown_cards_pays_for_no_retreat() -> None:
    battle = attacked("attack 5S 9H", "5S 6S", "KH QH 3H 2H", ("", "9H"))
    battle.hands[MARY] = [UNKNOWN] * 4
    battle.side = NOBODY
    battle.ask_fight(MARY)
    assert (asked(battle), offered(battle)) == ((MARY, FIGHT), ["surrender"])


@pytest.mark.slow
def test_a_battle_written_down_at_a_table_fights_again_from_the_cards_drawn() -> None:
    """The rest of the deck is unknown and not needed."""
    for trial in trials(RULES)[:12]:
        fought = trial.fight()
        battle = fought.battle
        assert isinstance(battle, WarfareTactics)
        table = trial.setup.copy()
        for deck, buried, pile in zip(battle.decks, battle.buried, ["stack"], strict=True):
            never_drawn = len(deck) - buried
            table.deal[pile] = table.deal[pile][: len(table.deal[pile]) - never_drawn]
        RULES.deal_unknown(table)
        assert refought(RULES, table, fought.moves).outcome() == fought.outcome()


# Refusals


ACTIONS = "post CARD, attack CARD TARGET, nothing, bonus, exchange CARD"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "draw",
            f"now write {ACTIONS} or discard CARD",
        ),
        ("post KH", "KH is not in its hand"),
        ("post", "write post CARD"),
        ("post XX", 'expected a card such as KS or 10H, got "XX"'),
        ("attack KS", "write attack CARD TARGET"),
        ("attack 2C 9H", "2C is not on its battlefield or in its hand"),
        ("attack KS KH", "KH is not on the enemy's battlefield"),
        ("exchange KS", "KS is not a bonus card in its hand"),
        ("discard KS", "KS is not a temporary card in its hand"),
        ("bonus", "a bonus card needs fewer monsters at the start of its turn, and is drawn once"),
    ],
)
def test_a_refusal_says_why(text: str, why: str) -> None:
    battle = say(begun("KS", "KH", ("4C", "9H")), "pass")
    assert why_not(battle, text) == why


def test_other_questions_refuse_in_their_own_words() -> None:
    battle = begun("KS QS", "KH QH JH", ("4C", "9H 8H"), ("4D", ""))
    assert why_not(battle, "return 5D") == "5D is not in its discard pile"
    say(battle, "pass", "attack KS 9H")
    assert why_not(battle, "counter 2C") == "2C is not on its battlefield or in its hand"
    assert why_not(battle, "recall 8H") == "its hand is not empty"
    say(battle, "retreat hand")
    assert why_not(battle, "take 2C") == "2C is not in the shown hand"
    assert why_not(battle, "nothing") == "now write take CARD"
    windows = say(begun("KS", "KH", windows=True, house=HouseRules(seven_is_free=True)), "pass")
    assert why_not(windows, "switch") == "it needs two cards to pay"
    assert why_not(windows, "seven KH QH") == "there is only one way to pay; write seven alone"


def test_a_refused_move_lists_what_is_open() -> None:
    referee = Referee(RULES, ready({"dealer": "mike"}), RandomSource())
    with pytest.raises(IllegalMove, match="mike cannot post KS: now write draw, return CARD"):
        referee.find("post KS")


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        ({"mike": {"hand": 30}, "mary": {"hand": 30}}, "need 8 cards more than the 52 in the deck"),
        ({"mike": {"extra": cards("KS")}, "mary": {"battlefield": cards("KS")}}, "KS is in two places"),
        ({"mike": {"extra": cards("KS KS")}}, "KS is in two places"),
        ({"mike": {"extra": cards("KS'")}}, "KS' is not in the pack of 52 cards"),
        ({"mike": {"deck": OWN_DECK}}, 'a deck list needs the house rule decks = "constructed"'),
    ],
)
def test_options_that_do_not_add_up_are_refused(wrong: dict[str, Mapping[str, object]], found: str) -> None:
    assert found in errors(None, None, **wrong)[0]


@pytest.mark.parametrize(
    ("deal", "found"),
    [
        ({"stock": "KS"}, "there is no pile stock; the piles are mike, mary and stack"),
        ({"mike": "2S 3S 4S 5S 6S 7S 8S 9S"}, "expected at most 7 cards including its extra cards, got 8"),
        ({"mike": "2S", "stack": "2S"}, "2S is in two places"),
        ({"mike": "2S 2S"}, "2S is in two places"),
        ({"mary": "2S''"}, "2S'' is not in the pack of 52 cards"),
    ],
)
def test_typed_in_cards_that_do_not_add_up_are_refused(deal: dict[str, str], found: str) -> None:
    assert found in errors(deal=deal)[0]


def test_a_constructed_decks_cards_are_its_owners() -> None:
    lists = {"deck": OWN_DECK}
    house: dict[str, object] = {"decks": "constructed"}
    wrong = errors(house, mike=lists | {"extra": cards("KS''")}, mary=lists)
    assert wrong == ["sides.mike.extra: KS'' is not in the deck of mike, whose cards have no prime or one"]
    assert errors(house, {"decks.mary": "KS''"}, mike=lists, mary=lists) == []


# The tale


def sample() -> Referee:
    """Return the referee of the sample of play."""
    setup = plain_setup(RULES, 2)
    setup.house |= {"dealer": "mike"}
    setup.sides[MIKE]["hand"] = 6
    RULES.choose_random_house_rules(setup, stream(1, "lot"))
    setup.deal = {
        "mike": cards("AS AH JS QS 3H 5S"),
        "mary": cards("KH KD JD 9D 8D 7C 4D"),
        "stack": cards("2S 4S 3S 2H 6S 6H 6D 6C 7S 7H 7D"),
    }
    referee = Referee(RULES, setup, RandomSource())
    for move in SAMPLE:
        referee.choose(referee.find(move))
    return referee


def told(referee: Referee, viewer: int | None, detail: int) -> list[str]:
    """Return the tale in plain words."""
    tale = RULES.tale(referee.setup)
    names = ["Mike", "Mary"]
    lines = []
    for _, event in referee.events_for(viewer):
        for block in tale.describe(event):
            if isinstance(block, Heading):
                lines.append(f"# {said(block.parts, names)} | {said(block.remark, names)}")
            elif isinstance(block, Grid) and block.detail <= detail:
                rows = [block.head, *block.rows]
                lines += ["  ".join(said(cell, names).rjust(5) for cell in row) for row in rows]
            elif isinstance(block, Line) and block.detail <= detail <= block.most:
                lines.append(f"{block.rule:6} {said(block.parts, names)}")
    return lines


def test_a_dull_turn_is_one_line() -> None:
    battle = begun("KS QS", "KH")
    say(battle, "draw", "discard 2H", "post KS", "done", "pass", "nothing", "done")
    tale = RULES.tale(ready())
    assert battle.log is not None
    events = [event.seen_by(MARY) for event in battle.log]
    blocks = [block for event in events if event is not None for block in tale.describe(event)]
    shown = [
        block
        for block in blocks
        if isinstance(block, Heading) or (isinstance(block, Line) and block.detail <= TALE)
    ]
    assert [said(block.parts, ["Mike", "Mary"]) for block in shown[4:]] == [
        "Turn 1: Mike",
        "Mike draws 3 cards, discards 2H and posts KS.",
        "Turn 2: Mary",
        "Mary waits.",
        "Turn 3: Mike",
    ]


def test_a_side_that_posts_and_does_not_attack_is_not_said_to_wait() -> None:
    house = HouseRules(play_and_attack=True)
    battle = begun("KS QS", "KH", ("", "9H"), house=house)
    say(battle, "pass", "post KS", "nothing", "done", "pass", "nothing")
    tale = RULES.tale(ready())
    lines = [block for event in battle.log or [] for block in tale.describe(event) if isinstance(block, Line)]
    told = [
        (line.rule, line.detail, said(line.parts, ["Mike", "Mary"]))
        for line in lines
        if line.rule in ("WT-12", "WT-13")
    ]
    assert told == [
        ("WT-12", TALE, "Mike posts KS."),
        ("WT-12", AUDIT, "Mike posts KS."),
        ("WT-12", AUDIT, "Mike does not attack."),
        ("WT-13", TALE, "Mary waits."),
        ("WT-13", AUDIT, "Mary waits."),
    ]


def test_no_turn_of_a_battle_tells_both_a_post_and_a_wait() -> None:
    for seed in range(6):
        referee = Referee(RULES, ready({"play_and_attack": True}, seed), Drawn(stream(seed, "battle")))
        chance = stream(seed, "choices")
        while not referee.battle.is_over():
            referee.choose(RULES.regular(referee.battle.view(referee.battle.side), chance))
        turns = "\n".join(told(referee, None, TALE)).split("# Turn")[1:]
        assert sum("posts" in turn for turn in turns) > 3
        assert not [turn for turn in turns if "posts" in turn and "waits" in turn]


def test_an_attack_is_drawn_as_two_growing_columns() -> None:
    lines = told(sample(), None, TALE)
    at = lines.index("WT-14  Mike attacks KH with 4S from the battlefield.")
    assert lines[at + 1 : at + 9] == [
        "        Mike   Mary  total",
        "    1     4S     KH  4 : 13",
        "    2     3S     KD  7 : 26",
        "    3     JS     JD  18 : 37",
        "    4     QS     9D  30 : 46",
        "    5     3H     8D  33 : 54",
        "    6     5S     7C  38 : 61",
        "WT-29  Mary wins the attack 61 to 38; 4S 3S JS QS 3H 5S to the discard pile of Mike.",
    ]


# The commander


@pytest.mark.slow
def test_the_regular_commander_beats_the_green_one() -> None:
    assert share("warfare-tactics", "regular", "green", 60) >= Fraction(9, 10)


@pytest.mark.heavy
def test_the_regular_commander_beats_the_green_one_almost_always() -> None:
    assert share("warfare-tactics", "regular", "green", 1000) >= Fraction(97, 100)


@pytest.mark.slow
def test_battles_between_regular_commanders_end_with_an_empty_hand() -> None:
    data = {"rules": "warfare-tactics", "sides": {"mike": {}, "mary": {}}}
    reasons = [fight_battle(read_battle({**data, "seed": seed}))[0].reason for seed in range(20)]
    assert reasons.count("hand-empty") >= 18


# Laws in battles that the laws' own setups do not reach


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_laws_hold_under_all_house_rules_together(law: Law) -> None:
    """Two decks and constructed ones, every house rule turned round, monsters from the start."""
    turned: dict[str, object] = {
        "play_and_attack": True,
        "hold_when_ahead": True,
        "target_retreats": False,
        "seven_is_free": True,
        "discard_score": "count",
        "quiet_turns": 2,
    }
    own = {"deck": OWN_DECK, "hand": 12}
    setups = [
        ready({"decks": "constructed", **turned}, mike=own, mary=own | {"battlefield": cards("KS''")}),
        ready({"decks": "constructed"}, mike=own, mary=own | {"extra": cards("KS''")}),
        ready({"decks": 2, **turned}, mike={"hand": 20}, mary={"hand": 20, "battlefield": cards("KS KS'")}),
    ]
    for n, setup in enumerate(setups):
        hold(law, trial_of(RULES, setup, f"warfare/{n}", n))


def test_a_hand_names_each_card_once_the_bonus_card_apart() -> None:
    battle = begun("KS", "KH", ("", "9H"), ("4S", "4C 5C"))
    say(battle, "bonus")
    assert said(RULES.hand(battle.view(MIKE)), ["Mike", "Mary"]) == "KS; bonus 2S"
