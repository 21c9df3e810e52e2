"""Wargame, rule by rule; WG-n are the numbers of its rules.md."""

from __future__ import annotations

from itertools import pairwise

import pytest
from syrupy.assertion import SnapshotAssertion

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.chance import Chance, RandomSource, stream
from cardbattle.core.errors import IllegalMove, InvalidInput
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import Setup
from cardbattle.core.telling import AUDIT, TALE, Block, Grid, Heading, Line, Name, Parts
from cardbattle.rules.wargame import RULES, tactics
from cardbattle.rules.wargame.battle import (
    ADVANCE,
    BEGIN_BATTLE,
    DENOUNCE,
    DEPLOY,
    FULL_ARMY,
    SHOOTERS,
    SWITCH,
    TRAITOR,
    Wargame,
    stronger,
)
from cardbattle.rules.wargame.notation import choice_text
from cardbattle.rules.wargame.options import Army
from cardbattle.rules.wargame.solver import can_solve, solve
from cardbattle.show.battle_text import said
from cardbattle.testing.contents import contents
from tests.support.matches import share

BROWN, GREEN = 0, 1
BROWN_LINE = "7 13 8 10 2 1 9 11 4 3 6 5 12"  # the lines of the source's example
GREEN_LINE = "6 1 7 10 4 8 12 11 2 5 13 3 9"
LOW_LINE = "1 2 3 4 5 6 7 8 9 10 11 12 13"
NOBODYS = "." * 13


def begun(
    armies: list[list[int]] | None = None,
    first: int = BROWN,
    chips: list[int] | None = None,
    traitors: list[list[int]] | None = None,
    multi_switch: bool = False,
    listen: bool = False,
) -> Wargame:
    """Return a battle at its first placement."""
    battle = Wargame()
    battle.begin(armies or [FULL_ARMY, FULL_ARMY], RandomSource(), first, chips, traitors, multi_switch)
    battle.log = [] if listen else None
    battle.run()
    return battle


def drawn_up(
    brown: str = BROWN_LINE,
    green: str = GREEN_LINE,
    held: str = NOBODYS,
    attacker: int = BROWN,
    chips: tuple[int, int] = (5, 5),
    traitor: tuple[int, int] = (0, 0),
    multi_switch: bool = False,
) -> Wargame:
    """Return a battle between two battles: the lines (`-`: gone), and who holds which space (B, G)."""
    battle = Wargame()
    battle.begin([FULL_ARMY, FULL_ARMY], RandomSource(), BROWN, list(chips), None, multi_switch)
    battle.log = []
    battle.hand = [[], []]
    battle.line = [[0 if word == "-" else int(word) for word in line.split()] for line in (brown, green)]
    battle.holder = [{"B": BROWN, "G": GREEN}.get(letter, NOBODY) for letter in held]
    battle.won = [held.count("B"), held.count("G")]
    battle.traitor = list(traitor)
    battle.attacker = attacker
    battle.todo = [BEGIN_BATTLE]
    battle.run()
    return battle


def offered(battle: Wargame) -> list[str]:
    return [choice_text(battle.question, choice) for choice in battle.options]


def say(battle: Wargame, *texts: str) -> Wargame:
    """Let the sides that are asked, in order, make these choices."""
    for text in texts:
        choices = [*battle.options, *battle.unoffered]
        battle.choose([choice_text(battle.question, choice) for choice in choices].index(text))
    return battle


def at_random(battle: Wargame, chance: Chance, moves: int = 1000) -> Wargame:
    """Make random choices."""
    for _ in range(moves):
        if battle.is_over():
            break
        battle.choose(chance.below(len(battle.options)))
    return battle


def deployed(
    brown: str = BROWN_LINE,
    green: str = GREEN_LINE,
    first: int = BROWN,
    listen: bool = False,
    chips: list[int] | None = None,
    multi_switch: bool = False,
) -> Wargame:
    """Return a battle in which the sides have deployed these lines from left to right."""
    lines = [[int(word) for word in line.split()] for line in (brown, green)]
    armies = [sorted(line) for line in lines]
    battle = begun(armies, first, chips, multi_switch=multi_switch, listen=listen)
    while battle.question == DEPLOY:
        place = battle.line[battle.side].index(0)
        say(battle, f"deploy {lines[battle.side][place]} {place + 1}")
    return battle


def events(battle: Wargame, kind: str) -> list[Event]:
    assert battle.log is not None
    return [event for event in battle.log if event.kind == kind]


def seen(battle: Wargame, viewer: int) -> list[dict[str, object]]:
    """Return the events as a side saw them."""
    assert battle.log is not None
    events = [event.seen_by(viewer) for event in battle.log]
    return [RULES.as_json(event, ["brown", "green"]) for event in events if event is not None]


def setup(brown: dict[str, object] | None = None, **house: object) -> Setup:
    """Return a setup with these house rules and these options of Brown's."""
    defaults = {key: option.default for key, option in RULES.options.items()}
    return Setup(
        ["brown", "green"],
        {key: option.default for key, option in RULES.house.items()} | {"first": "brown"} | house,
        [defaults | (brown or {}), defaults],
        {},
    )


def started(setting: Setup) -> Wargame:
    battle = RULES.start(setting, RandomSource())
    assert isinstance(battle, Wargame)
    battle.run()
    return battle


def refusal(**tables: object) -> str:
    """Return what is said about a battle file with these tables."""
    file = {"format": 1, "rules": "wargame", "sides": {"brown": {}, "green": {}}}
    with pytest.raises(InvalidInput) as refused:
        read_battle(file | tables)
    return str(refused.value)


def test_wg_01_two_sides_fight() -> None:
    assert (RULES.fewest, RULES.most) == (2, 2)
    assert list(RULES.default_sides) == ["brown", "green"]
    assert "Wargame is fought by 2 sides, got 3" in refusal(sides={"a": {}, "b": {}, "c": {}})


def test_wg_02_each_has_the_numbers_1_to_13_once() -> None:
    assert list(range(1, 14)) == FULL_ARMY
    assert begun().hand == [FULL_ARMY, FULL_ARMY]


def test_wg_03_some_cards_have_names() -> None:
    found = Referee(RULES, setup(), RandomSource())
    for text in ("deploy 13 1", "deploy 9 1", "deploy 10 2"):
        found.choose(found.find(text))
    assert tale(found, detail=AUDIT).splitlines()[1:] == [
        "WG-11  Brown puts the 13 Bazooka on place 1.",
        "WG-11  Green puts the 9 Shooter on place 1.",
        "WG-11  Green puts the 10 on place 2.",
    ]


def test_wg_04_three_traitor_cards_and_five_chips() -> None:
    battle = deployed()
    assert battle.chips == [5, 5]
    assert offered(battle) == ["traitor 7", "traitor 8", "traitor 9"]
    assert started(setup(chips=4)).chips == [4, 4]
    assert "expected 5 or 4, got 6" in refusal(house={"chips": 6})


def test_wg_05_each_place_faces_the_same_place() -> None:
    battle = say(drawn_up(), "hold", "advance 4", "hold")
    assert battle.zone[BROWN][3] == battle.zone[GREEN][3] == 10
    assert battle.holder == [NOBODY] * 3 + [BROWN] + [NOBODY] * 9


def test_wg_06_the_lines_are_open_to_all() -> None:
    battle = say(begun(listen=True), "deploy 13 1")
    assert battle.view(GREEN).line[BROWN][0] == 13
    assert battle.view(GREEN).hand[BROWN] == FULL_ARMY[:12]
    assert seen(battle, GREEN) == [{"event": "deployed", "side": "brown", "card": 13, "place": 1}]


def test_wg_07_a_lot_decides_who_begins() -> None:
    drawn = []
    for seed in range(20):
        setting = setup(first=None)
        RULES.choose_random_house_rules(setting, stream(seed, "lot"))
        drawn.append(setting.house["first"])
        assert started(setting).side == ["brown", "green"].index(str(setting.house["first"]))
    assert {"brown", "green"} == set(drawn)
    named = setup(first="green")
    RULES.choose_random_house_rules(named, stream(1, "lot"))
    assert named.house["first"] == "green"


def test_wg_07_in_a_series_the_loser_begins() -> None:
    assert RULES.next_house(setup(), [BROWN]) == {"first": "green"}
    assert RULES.next_house(setup(), [GREEN]) == {"first": "brown"}


def test_wg_08_the_higher_card_is_stronger_but_for_spies() -> None:
    for spy in (1, 2):
        assert [stronger(spy, card) for card in range(3, 14)] == [-1] * 9 + [1, 1]
        assert [stronger(card, spy) for card in range(3, 14)] == [1] * 9 + [-1, -1]
    for a in range(3, 14):
        assert [stronger(a, b) for b in range(3, 14)] == [(a > b) - (a < b) for b in range(3, 14)]
    assert [stronger(a, a) for a in FULL_ARMY] == [0] * 13


def test_wg_08_the_policy_counts_beaten_and_stronger_cards_as_the_rules_compare_them() -> None:
    chance = stream(1, "counts")
    for size in range(14):
        cards = [1 + chance.below(13) for _ in range(size)]
        below = tactics.counts_below(cards)
        for card in FULL_ARMY:
            results = [stronger(card, other) for other in cards]
            assert tactics.number_beaten(card, below) == results.count(1)
            assert tactics.number_beating(card, below) == results.count(-1)


def test_wg_09_the_higher_spy_is_stronger() -> None:
    assert (stronger(2, 1), stronger(1, 2)) == (1, -1)


@pytest.mark.parametrize("first", [BROWN, GREEN])
def test_wg_10_deployment_is_one_two_two_to_one(first: int) -> None:
    battle = begun(first=first, listen=True)
    while battle.question == DEPLOY:
        battle.choose(0)
    second = 1 - first
    sides = [event.side for event in events(battle, "deployed")]
    assert sides == [first, *[second, second, first, first] * 6, second]


def test_wg_11_any_card_goes_on_any_empty_place() -> None:
    battle = begun()
    assert offered(battle) == [f"deploy {card} {place}" for card in FULL_ARMY for place in range(1, 14)]
    say(battle, "deploy 5 3", "deploy 1 1", "deploy 2 2")
    assert len(battle.options) == 12 * 12
    assert not [text for text in offered(battle) if text.startswith("deploy 5 ") or text.endswith(" 3")]


def test_wg_11_a_card_placed_is_not_moved_again() -> None:
    battle = say(begun(), "deploy 5 3")
    while battle.question == DEPLOY:
        battle.choose(0)
        assert battle.line[BROWN][2] == 5


def test_wg_12_the_two_cards_of_a_turn_go_down_without_reply() -> None:
    battle = say(begun(), "deploy 13 1")
    assert battle.side == GREEN
    say(battle, "deploy 1 1")
    assert battle.side == GREEN
    say(battle, "deploy 4 5")
    assert battle.side == BROWN


def test_wg_13_the_example_of_the_source_is_checked_as_it_says() -> None:
    battle = deployed(listen=True)
    (checked,) = events(battle, "checked")
    letters = "".join("BGt"[int(str(side))] for side in listed(checked.fields["results"]))
    assert letters == "BGBtGGGtBGGBB"
    assert (checked.fields["ahead"], checked.fields["level"]) == ([5, 6], 2)
    assert RULES.as_json(checked, ["brown", "green"])["results"] == [
        {"B": "brown", "G": "green", "t": None}[letter] for letter in letters
    ]


def listed(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


@pytest.mark.parametrize("first", [BROWN, GREEN])
def test_wg_14_who_is_ahead_attacks_else_who_deployed_first(first: int) -> None:
    battle = say(deployed(first=first), "traitor 9", "traitor 9")
    assert (battle.side, battle.question) == (GREEN, SWITCH)
    level = say(deployed(LOW_LINE, LOW_LINE, first), "traitor 9", "traitor 9")
    assert (level.side, level.question) == (first, SWITCH)


def test_wg_15_traitors_are_chosen_in_secret_after_the_check() -> None:
    battle = deployed(listen=True)
    assert events(battle, "checked")
    assert (battle.side, battle.question) == (BROWN, TRAITOR)
    other = battle.copy()
    other.log = []
    say(battle, "traitor 9")
    say(other, "traitor 7")
    assert (battle.side, battle.question) == (GREEN, TRAITOR)
    assert contents(battle.view(GREEN)) == contents(other.view(GREEN))
    assert seen(battle, GREEN)[-1] == seen(other, GREEN)[-1] == {"event": "traitor_chosen", "side": "brown"}
    assert seen(battle, BROWN)[-1] == {"event": "traitor_chosen", "side": "brown", "card": 9}
    assert (battle.view(BROWN).traitor, battle.view(GREEN).traitor) == (9, 0)


def test_wg_15_the_traitors_laid_aside_play_no_part() -> None:
    battle = say(drawn_up(traitor=(9, 0), attacker=GREEN), "hold", "advance 6", "hold")
    assert battle.question != DENOUNCE  # 8 beats 1, and Brown has chosen the 9
    assert battle.holder[5] == GREEN


def test_wg_16_the_winner_attacks_next() -> None:
    battle = say(drawn_up(), "hold", "advance 1", "hold")
    assert (battle.side, battle.attacker) == (BROWN, BROWN)
    say(battle, "hold", "advance 2", "hold")
    assert (battle.side, battle.attacker) == (GREEN, GREEN)


def test_wg_17_the_attacker_may_switch_and_must_advance_straight() -> None:
    battle = drawn_up()
    assert (battle.question, offered(battle)[0]) == (SWITCH, "hold")
    say(battle, "switch 1 2")
    assert (battle.side, battle.question) == (BROWN, ADVANCE)
    assert offered(battle) == [f"advance {place}" for place in range(1, 14)]
    say(battle, "advance 1")
    assert (battle.place, battle.zone[BROWN][0], battle.line[BROWN][0]) == (0, 13, 0)


def test_wg_18_the_card_opposite_meets_the_attack_unasked() -> None:
    battle = say(drawn_up(), "hold", "advance 1")
    assert (battle.side, battle.question) == (GREEN, SWITCH)
    say(battle, "switch 1 2")
    assert (battle.zone[BROWN][0], battle.zone[GREEN][0]) == (7, 1)
    assert battle.line[GREEN][:2] == [0, 6]


@pytest.mark.parametrize("attacker", [BROWN, GREEN])
def test_wg_19_equal_cards_are_the_attackers_and_both_are_gone(attacker: int) -> None:
    battle = say(drawn_up(attacker=attacker), "hold", "advance 8", "hold")
    assert battle.holder[7] == attacker
    assert (battle.line[BROWN][7], battle.line[GREEN][7]) == (0, 0)
    assert "switch 7 8" not in offered(battle)


def test_wg_20_traitors_are_denounced_once_both_cards_are_there() -> None:
    battle = say(drawn_up(traitor=(0, 7)), "hold", "advance 1")
    assert (battle.side, battle.question) == (GREEN, SWITCH)
    say(battle, "hold")
    assert (battle.side, battle.question) == (GREEN, DENOUNCE)
    assert (battle.zone[BROWN][0], battle.zone[GREEN][0]) == (7, 6)


def test_wg_21_a_denounced_card_loses() -> None:
    battle = say(drawn_up(traitor=(0, 7)), "hold", "advance 1", "hold", "denounce")
    assert battle.holder[0] == GREEN
    assert events(battle, "won")[0].fields["how"] == "traitor"


def test_wg_21_the_example_of_the_source() -> None:
    brown, green = "6 1 2 3 4 5 7 8 9 10 11 12 13", "9 1 2 3 4 5 6 7 8 10 11 12 13"
    battle = say(drawn_up(brown, green, attacker=GREEN, traitor=(9, 7)), "hold", "advance 1", "hold")
    assert (battle.side, offered(battle)) == (BROWN, ["denounce", "silent"])
    say(battle, "denounce")
    assert (battle.holder[0], battle.attacker) == (BROWN, BROWN)


def test_wg_21_both_denounced_the_stronger_wins() -> None:
    brown, green = "9 1 2 3 4 5 6 7 8 10 11 12 13", "7 1 2 3 4 5 6 8 9 10 11 12 13"
    battle = say(drawn_up(brown, green, traitor=(7, 9)), "hold", "advance 1", "hold")
    assert (battle.side, battle.question) == (GREEN, DENOUNCE)
    say(battle, "denounce")
    assert (battle.side, battle.question) == (BROWN, DENOUNCE)
    answered = battle.copy()
    say(answered, "denounce")
    assert answered.holder[0] == BROWN
    assert answered.spent == [1, 1]
    say(battle, "silent")
    assert battle.holder[0] == GREEN
    assert battle.spent == [0, 1]


def test_wg_22_the_normal_loser_is_asked_first() -> None:
    brown, green = "9 1 2 3 4 5 6 7 8 10 11 12 13", "7 1 2 3 4 5 6 8 9 10 11 12 13"
    for attacker in (BROWN, GREEN):
        battle = drawn_up(brown, green, attacker=attacker, traitor=(7, 9))
        say(battle, "hold", "advance 1", "hold")
        assert (battle.side, battle.question) == (GREEN, DENOUNCE)
        say(battle, "silent")
        assert battle.holder[0] == BROWN


def test_wg_22_of_equal_cards_the_defender_is_asked_first() -> None:
    line = "8 1 2 3 4 5 6 7 9 10 11 12 13"
    battle = say(drawn_up(line, line, traitor=(8, 8)), "hold", "advance 1", "hold")
    assert (battle.side, battle.question) == (GREEN, DENOUNCE)
    answered = say(battle.copy(), "denounce", "denounce")
    assert answered.holder[0] == BROWN
    assert say(battle.copy(), "denounce", "silent").holder[0] == GREEN
    assert say(battle.copy(), "silent").holder[0] == BROWN


def test_wg_22_the_winner_has_nothing_to_denounce() -> None:
    battle = say(drawn_up(traitor=(7, 0)), "hold", "advance 3", "hold")
    assert battle.question == SWITCH  # 8 beats the 7 that Brown could denounce
    assert battle.holder[2] == BROWN


def test_wg_23_that_a_side_was_asked_shows_to_nobody_else() -> None:
    asked = say(drawn_up(traitor=(0, 7)), "hold", "advance 1", "hold", "silent")
    unasked = say(drawn_up(traitor=(0, 9)), "hold", "advance 1", "hold")
    assert seen(asked, BROWN) == seen(unasked, BROWN)
    assert contents(asked.view(BROWN)) == contents(unasked.view(BROWN))
    assert seen(asked, GREEN) != seen(unasked, GREEN)
    assert {"event": "kept_silent", "side": "green", "card": 7, "place": 1} in seen(asked, GREEN)


def test_wg_23_that_the_winner_could_answer_shows_to_nobody_else() -> None:
    brown, green = "9 1 2 3 4 5 6 7 8 10 11 12 13", "7 1 2 3 4 5 6 8 9 10 11 12 13"
    asked = say(drawn_up(brown, green, traitor=(7, 9)), "hold", "advance 1", "hold", "denounce", "silent")
    unasked = say(drawn_up(brown, green, traitor=(8, 9)), "hold", "advance 1", "hold", "denounce")
    assert seen(asked, GREEN) == seen(unasked, GREEN)
    assert contents(asked.view(GREEN)) == contents(unasked.view(GREEN))


def test_wg_23_a_side_that_may_not_denounce_in_a_redealt_battle_keeps_silent() -> None:
    battle = say(drawn_up(traitor=(0, 7)), "hold", "advance 1", "hold")
    redealt = [battle.redeal(BROWN, stream(n, "redeal")) for n in range(20)]
    for other in redealt:
        choice = other.options[tactics.decide(other.view(GREEN), stream(1, "policy"))]
        assert choice_text(DENOUNCE, choice) == ("denounce" if other.traitor[GREEN] == 7 else "silent")
    assert {other.traitor[GREEN] for other in redealt} == set(SHOOTERS)


def test_wg_23_a_side_is_asked_only_if_it_may_denounce() -> None:
    battle = say(drawn_up(traitor=(8, 9)), "hold", "advance 1", "hold")
    assert (battle.side, battle.question) == (BROWN, SWITCH)
    assert battle.holder[0] == BROWN


def test_wg_24_a_switch_costs_a_chip_that_all_see() -> None:
    battle = say(drawn_up(), "switch 1 13")
    assert battle.line[BROWN][0] == 12
    assert battle.line[BROWN][12] == 7
    assert battle.chips == [4, 5]
    assert seen(battle, GREEN)[-1] == {
        "event": "switched",
        "side": "brown",
        "places": [1, 13],
        "cards": [12, 7],
        "chips": 4,
    }


def test_wg_24_only_own_cards_still_in_the_line_are_switched() -> None:
    battle = say(drawn_up(), "hold", "advance 1", "hold", "hold", "advance 3", "hold")
    pairs = [(p, q) for p in range(1, 14) for q in range(p + 1, 14) if p not in (1, 3) and q not in (1, 3)]
    assert offered(battle) == ["hold", *(f"switch {p} {q}" for p, q in pairs)]


def test_wg_25_one_switch_before_each_advance() -> None:
    battle = say(drawn_up(), "switch 1 2")
    assert battle.question == ADVANCE
    say(battle, "advance 4", "switch 4 5")
    assert battle.holder[3] == BROWN  # 10 against 4: Green was not asked again


def test_wg_25_multi_switch_asks_again_until_hold() -> None:
    battle = say(drawn_up(multi_switch=True), "switch 1 2", "switch 2 3")
    assert (battle.side, battle.question) == (BROWN, SWITCH)
    assert battle.line[BROWN][:3] == [13, 8, 7]
    say(battle, "hold")
    assert battle.question == ADVANCE
    say(battle, "advance 4", "switch 1 2", "switch 1 2", "hold")
    assert battle.chips == [3, 3]


def test_wg_25_multi_switch_ends_with_the_last_chip() -> None:
    battle = say(drawn_up(chips=(2, 0), multi_switch=True), "switch 1 2", "switch 1 2")
    assert battle.question == ADVANCE
    assert not events(battle, "held")


def switch_lines(battle: Wargame) -> list[str]:
    """Return how the audit describes each answer about switches: its first two words, or a whole refusal."""
    teller = RULES.tale(setup())
    told = [block for event in battle.log or [] for block in teller.describe(event.all_seeing())]
    lines = [plain(block.parts) for block in told if isinstance(block, Line) and block.rule in SWITCH_RULES]
    return [line if "switches no" in line else " ".join(line.split()[:2]) for line in lines]


SWITCH_RULES = ["WG-24", "WG-25"]


def test_wg_25_a_side_that_has_switched_is_not_said_to_switch_no_cards() -> None:
    asked = deployed(multi_switch=True, listen=True)
    say(asked, "traitor 7", "traitor 7", "switch 1 2", "hold", "advance 4", "hold")
    assert switch_lines(asked)[:3] == [
        "Green pays",
        "Green switches no more cards.",
        "Brown switches no cards.",
    ]
    for n in range(20):
        chance = stream(n, "switches")
        battle = deployed(chips=[n % 4, n % 3], multi_switch=True, listen=True)
        at_random(battle, chance)
        steps = [event for event in battle.log or [] if event.kind in ("switched", "held", "battle_begun")]
        told = iter(switch_lines(battle))
        for before, event in pairwise(steps):
            if event.kind == "held":
                has_switched = (before.kind, before.side) == ("switched", event.side)
                assert next(told).endswith(
                    "switches no more cards." if has_switched else "switches no cards."
                )
                assert not has_switched or before.fields["chips"]  # a side had to answer
            elif event.kind == "switched":
                assert next(told).endswith(" pays")
        assert list(told) == []


def test_wg_26_the_defender_may_switch_the_attacked_card() -> None:
    battle = say(drawn_up(), "hold", "advance 12")
    assert "switch 1 12" in offered(battle)
    say(battle, "switch 1 12")  # the source's example: 6 for 4 against a 5, here 6 for 3
    assert battle.holder[11] == GREEN
    assert (battle.line[GREEN][0], battle.line[BROWN][0]) == (3, 7)
    assert (battle.side, battle.attacker) == (GREEN, GREEN)


GONE_4_TO_6 = "1 2 3 - - - 7 8 9 10 11 12 13"


def pairs_of(battle: Wargame) -> list[tuple[int, int]]:
    """Return the pairs of places on offer."""
    return [(int(text.split()[1]), int(text.split()[2])) for text in offered(battle)[1:]]


def test_wg_27_three_adjacent_spaces_break_the_other_line() -> None:
    for attacker, broken in ((BROWN, True), (GREEN, False)):
        battle = drawn_up(GONE_4_TO_6, GONE_4_TO_6, "...GGG.......", attacker)
        left, right = [1, 2, 3], [7, 8, 9, 10, 11, 12, 13]
        pairs = pairs_of(battle)
        assert [(p, q) for p, q in pairs if p in left and q in right] == (
            [] if broken else [(p, q) for p in left for q in right]
        )
        assert len(pairs) == (3 + 21 if broken else 45)


def test_wg_27_a_break_is_told() -> None:
    battle = drawn_up(
        "1 2 3 4 - - 7 8 9 10 11 12 13", "1 2 3 4 - - 7 8 9 10 11 12 13", "....GG.......", GREEN
    )
    say(battle, "hold", "advance 4", "hold")
    (broken,) = events(battle, "line_broken")
    assert (broken.side, broken.fields["places"]) == (BROWN, [4, 5, 6])


def test_wg_28_three_at_the_end_of_a_line_break_nothing() -> None:
    line = "- - - 4 5 6 7 8 9 10 11 12 13"
    battle = drawn_up(line, line, "GGG..........")
    assert len(pairs_of(battle)) == 45
    line = "1 - - 4 5 6 7 8 9 10 11 12 13"
    battle = say(drawn_up(line, line, ".GG..........", GREEN), "hold", "advance 1", "hold")
    assert not events(battle, "line_broken")


def test_wg_28_each_of_several_breaks_counts() -> None:
    line = "1 2 - - - 6 7 - - - 11 12 13"
    battle = drawn_up(line, line, "..GGG..GGG...")
    assert pairs_of(battle) == [(1, 2), (6, 7), (11, 12), (11, 13), (12, 13)]


def test_wg_29_other_spaces_are_no_barrier() -> None:
    line = "1 - - - - - - - - - - - 13"
    assert pairs_of(drawn_up(line, line, ".GGBGGBGGBGG.")) == [(1, 13)]
    assert pairs_of(drawn_up(line, line, ".BBBGGBBGBBG.")) == [(1, 13)]
    assert drawn_up(line, line, ".BGGGBBGBGBB.").question == ADVANCE


def test_wg_30_without_chip_or_pair_the_step_is_passed_over() -> None:
    assert drawn_up(chips=(0, 5)).question == ADVANCE
    line = "1 - - - 5 - - - - - - - -"
    battle = drawn_up(line, line, ".GGG.BBGBBGBG")
    assert (battle.question, offered(battle)) == (ADVANCE, ["advance 1", "advance 5"])


def test_wg_30_that_the_step_was_passed_over_is_told_like_holding() -> None:
    asked, unasked = say(drawn_up(), "hold", "advance 1"), say(drawn_up(chips=(0, 5)), "advance 1")
    assert asked.log is not None and unasked.log is not None
    assert [event.kind for event in asked.log] == [event.kind for event in unasked.log]


def test_wg_31_the_lost_picture() -> None:
    line = "1 2 3 - - - 7 8 9 10 - - -"
    battle = drawn_up(line, line, "...GGG....BBG")
    assert len(pairs_of(battle)) == 3 + 6
    assert not [(p, q) for p, q in pairs_of(battle) if p < 4 < q]


def test_wg_32_seven_battles_win_at_once() -> None:
    line = "1 - - - - - - - - - - - 13"
    green = "3 - - - - - - - - - - - 2"
    battle = say(drawn_up(green, line, ".BBGGBBGGBBG."), "hold", "advance 1", "hold")
    assert battle.is_over()
    assert (battle.outcome().winners, battle.outcome().reason) == ([BROWN], "seven-battles")


def test_wg_32_four_adjacent_battles_win_at_once() -> None:
    line = "1 - - - 5 6 7 8 9 10 11 12 13"
    for held, over in ((".BBB.........", True), (".BGB.........", False), (".BB.B........", False)):
        battle = say(drawn_up(line, line, held), "hold", "advance 1", "hold")
        assert battle.is_over() == over
    battle = say(drawn_up(line, line, ".BBB........."), "hold", "advance 1", "hold")
    assert (battle.outcome().winners, battle.outcome().reason) == ([BROWN], "four-adjacent")
    assert battle.won == [4, 0]


def test_wg_32_the_traitor_step_comes_before_the_end() -> None:
    brown, green = "9 - - - 5 6 7 8 1 10 11 12 13", "8 - - - 5 6 7 1 9 10 11 12 13"
    battle = say(drawn_up(brown, green, ".BBB.........", traitor=(0, 9)), "hold", "advance 1", "hold")
    assert (battle.side, battle.question) == (GREEN, DENOUNCE)
    assert not say(battle.copy(), "denounce").is_over()
    assert say(battle, "silent").is_over()


def test_wg_32_there_is_always_a_winner() -> None:
    chance = stream(32, "wargame")
    for _ in range(60):
        battle = at_random(begun(), chance)
        (winner,) = battle.outcome().winners
        assert battle.won[winner] == 7 or battle.outcome().reason == "four-adjacent"
        assert battle.won[1 - winner] < 7


def test_wg_33_both_conditions_in_one_battle() -> None:
    line = "1 - - - - - - - - - - - 13"
    battle = say(drawn_up(line, line, ".BBBGGBGBGBG."), "hold", "advance 1")
    assert battle.outcome().reason == "seven-battles"
    assert events(battle, "ended")[0].fields["conditions"] == ["seven-battles", "four-adjacent"]


def test_wg_34_a_game_takes_four_to_thirteen_battles() -> None:
    chance = stream(34, "wargame")
    lengths = [sum(at_random(begun(), chance).won) for _ in range(150)]
    assert min(lengths) >= 4 and max(lengths) == 13
    high, low = "3 4 5 6 7 8 9 10 11 12 13 1 2", "1 2 3 4 5 6 7 8 9 10 11 12 13"
    battle = drawn_up(high, low, chips=(0, 0))
    say(battle, "advance 1", "advance 2", "advance 3", "advance 4")
    assert (battle.is_over(), battle.won) == (True, [4, 0])


def test_wg_35_without_traitor_cards_nothing_is_hidden() -> None:
    setting = setup({"traitors": [7]}, traitors=False)
    battle = started(setting)
    assert battle.traitors == [[], []]
    battle.log = []
    chance = stream(35, "wargame")
    while not battle.is_over():
        assert battle.question not in (TRAITOR, DENOUNCE)
        battle.choose(chance.below(len(battle.options)))
    assert not [event for event in battle.log if event.hidden]


def test_wg_36_a_side_that_is_asked_may_resign() -> None:
    battle = say(drawn_up(), "hold", "advance 1", "hold")
    assert "resign" not in offered(battle)
    say(battle, "hold", "advance 3", "resign")
    assert battle.is_over()
    ended = battle.outcome()
    assert (ended.winners, ended.reason) == ([BROWN], "resigned")
    assert ended.losses == [(0, 13), (13, 13)]
    assert [battle.score(side) for side in (BROWN, GREEN)] == [1, 0]


def test_wg_36_a_battle_under_way_counts_as_not_fought() -> None:
    held = "BBG.........."
    line = "- - - 4 5 6 7 8 9 10 11 12 13"
    battle = say(drawn_up(line, line, held), "hold", "advance 4", "resign")
    assert battle.outcome().losses == [(1, 13), (12, 13)]
    winner = say(drawn_up(line, line, held), "resign")
    assert winner.outcome().losses == [(11, 13), (2, 13)]
    assert winner.outcome().winners == [GREEN]
    assert winner.won == [2, 1]


@pytest.mark.parametrize("seat", [BROWN, GREEN])
def test_wg_36_resigning_ends_the_choice_of_traitors(seat: int) -> None:
    battle = deployed()
    if seat == GREEN:
        say(battle, "traitor 9")
    say(battle, "resign")
    assert battle.is_over()
    assert battle.outcome().winners == [1 - seat]


def test_wg_36_resigning_from_every_question() -> None:
    for moves in ([], ["deploy 1 1"]):
        assert say(begun(), *moves, "resign").outcome().losses[len(moves)] == (13, 13)
    asked = say(drawn_up(traitor=(0, 7)), "hold", "advance 1", "hold", "resign")
    assert asked.outcome().winners == [BROWN]
    assert asked.score(BROWN) == 0


def test_wg_37_an_added_card_replaces_the_weakest_lower_card_but_no_spy() -> None:
    army = RULES.options["army"]
    assert isinstance(army, Army)
    assert army.plus([1, 2, 3, 4, 9], 7) == [1, 2, 4, 9, 7]
    assert army.plus([1, 2, 7, 9, 13], 7) == [1, 2, 7, 9, 13]
    assert army.plus([1, 2, 6, 6, 13], 7) == [1, 2, 6, 13, 7]


def test_wg_37_an_army_may_repeat_numbers() -> None:
    army = [5] * 12 + [13]
    battle = started(setup({"army": army}))
    assert offered(battle) == [f"deploy {card} {place}" for card in (5, 13) for place in range(1, 14)]
    assert battle.hand[GREEN] == FULL_ARMY


def test_wg_37_switching_equal_cards_costs_a_chip() -> None:
    battle = say(drawn_up("5 " * 13), "switch 1 2")
    assert battle.chips == [4, 5]
    assert battle.line[BROWN] == [5] * 13


def test_wg_37_a_side_has_chips_of_its_own() -> None:
    assert started(setup({"chips": 0})).chips == [0, 5]
    assert started(setup({"chips": 13}, chips=4)).chips == [13, 4]


def test_wg_37_without_traitor_cards_a_side_is_not_asked() -> None:
    battle = started(setup({"traitors": []}))
    while battle.question == DEPLOY:
        battle.choose(0)
    assert (battle.side, battle.question) == (GREEN, TRAITOR)


def test_wg_37_nothing_is_dealt() -> None:
    assert RULES.piles(setup()) == []
    setting = setup()
    RULES.deal(setting, stream(1, "deal"))
    assert setting.deal == {}


def test_wg_37_who_begins_may_be_named() -> None:
    assert started(setup(first="green")).side == GREEN


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"army": [1, 2, 3]}, "sides.green.army: expected a list of 13 cards, got 3 cards"),
        ({"army": list(range(14))}, "sides.green.army: expected a list of 13 cards, got 14 cards"),
        ({"army": list(range(13))}, "expected a card number, a whole number from 1 to 13, got 0"),
        ({"army": ["K"] * 13}, 'from 1 to 13, got "K"'),
        ({"army": [True] * 13}, "from 1 to 13, got true"),
        ({"chips": 14}, "sides.green.chips: expected a whole number from 0 to 13, got 14"),
        ({"traitors": [6]}, "sides.green.traitors: expected a Traitor card, 7, 8 or 9, got 6"),
        ({"traitors": [9, 9]}, "sides.green.traitors: expected each Traitor card at most once, got 9 twice"),
        ({"traitors": [7, 8, 9, 9]}, "expected a list of 0 to 3 cards, got 4 cards"),
        ({"amry": []}, 'did you mean "army"?'),
    ],
)
def test_wg_37_options_that_do_not_fit_are_refused(options: dict[str, object], said: str) -> None:
    assert said in refusal(sides={"brown": {}, "green": options})


def test_wg_37_cards_on_the_command_line_are_numbers() -> None:
    assert [RULES.options[key].words("7, 8") for key in ("army", "traitors")] == [[7, 8], [7, 8]]


def test_wg_37_house_rules_that_do_not_fit_are_refused() -> None:
    said = refusal(house={"first": "red", "traitors": 1, "multi_switch": "no"})
    assert "house.first: expected a side of this battle (brown, green)" in said
    assert "house.traitors: expected true or false, got 1" in said
    assert 'house.multi_switch: expected true or false, got "no"' in said


def test_wg_38_a_traitor_card_meets_every_card_of_its_number() -> None:
    brown, green = "7 7 7 7 7 7 7 7 7 7 7 7 7", "6 6 6 6 6 6 6 6 6 6 6 6 6"
    battle = say(drawn_up(brown, green, traitor=(0, 7), chips=(0, 0)), "advance 1")
    assert battle.question == DENOUNCE
    say(battle, "silent", "advance 3")
    assert (battle.side, battle.question) == (GREEN, DENOUNCE)
    say(battle, "denounce")
    assert battle.holder[:3] == [BROWN, NOBODY, GREEN]
    say(battle, "advance 5")
    assert (battle.side, battle.question) == (BROWN, ADVANCE)  # 7 beats 6: the card is spent
    assert battle.holder[4] == BROWN


def test_wg_38_a_denouncement_that_was_answered_spends_both_cards() -> None:
    brown, green = "9 9 9 9 9 9 9 9 9 9 9 9 9", "7 7 7 7 7 7 7 7 7 7 7 7 7"
    battle = drawn_up(brown, green, traitor=(7, 9), chips=(0, 0))
    say(battle, "advance 1", "denounce", "denounce")
    assert battle.holder[0] == BROWN
    say(battle, "advance 3", "advance 5")
    assert battle.won == [3, 0]


def test_wg_38_a_single_traitor_card_is_not_asked_for() -> None:
    battle = started(setup({"traitors": [8]}))
    while battle.question == DEPLOY:
        battle.choose(0)
    assert (battle.side, battle.question) == (GREEN, TRAITOR)
    assert battle.traitor == [8, 0]


def test_wg_39_score_and_losses_are_battles_won_and_lost() -> None:
    chance = stream(39, "wargame")
    for _ in range(20):
        battle = at_random(begun(), chance)
        ended = battle.outcome()
        assert ended.losses == [(battle.score(GREEN), 13), (battle.score(BROWN), 13)]
    assert list(RULES.reasons) == ["seven-battles", "four-adjacent", "resigned"]


def test_the_vectors_of_section_8() -> None:
    line = "- - - - - - - - - - - - "
    for mine, theirs, how, winner in (
        (12, 2, "spy", GREEN),
        (2, 2, "attack", BROWN),
        (13, 13, "attack", BROWN),
        (5, 4, "strength", BROWN),
        (5, 6, "strength", GREEN),
        (12, 9, "strength", BROWN),
    ):
        battle = drawn_up(f"{line}{mine}", f"{line}{theirs}", "BGBGBGBGBGBG.")
        assert battle.is_over()
        won = events(battle, "won")[0]
        assert (won.side, won.fields["how"]) == (winner, how)


def test_what_is_written_down() -> None:
    found = Referee(RULES, setup(), RandomSource())
    chance = stream(10, "wargame")
    while not found.battle.is_over():
        found.choose(chance.below(found.seat.count))
    words = [move.split(" ") for move in found.moves]
    assert [word[0] for word in words[:3]] == ["brown", "green", "green"]
    assert sum(word[1] == "deploy" for word in words) == 24  # the last of each side is forced
    assert [word[:2] for word in words[24:26]] == [["brown", "traitor"], ["green", "traitor"]]
    battles = found.battle.score(BROWN) + found.battle.score(GREEN)
    assert sum(word[1] == "advance" for word in words) == battles - (battles == 13)
    assert {word[1] for word in words} <= {
        *("deploy", "traitor", "switch", "hold", "advance", "denounce", "silent")
    }


@pytest.mark.parametrize(
    ("moves", "text", "said"),
    [
        ([], "deploy 5 14", "places go from 1 to 13"),
        ([], "deploy 14 5", "there is no 14 left to deploy"),
        ([], "deploy 5", "write deploy CARD PLACE"),
        ([], "advance 5", "the question now needs the answer deploy CARD PLACE"),
        (["deploy 5 3", "deploy 1 1", "deploy 1 1"], "deploy 5 4", "there is no 5 left to deploy"),
        (["deploy 5 3", "deploy 1 1", "deploy 2 2"], "deploy 6 3", "place 3 has the 5"),
    ],
)
def test_a_refused_placement_says_why(moves: list[str], text: str, said: str) -> None:
    found = Referee(RULES, setup(), RandomSource())
    for move in moves:
        found.choose(found.find(move) if move in found.texts() else 0)
    with pytest.raises(IllegalMove, match=said):
        found.find(text)


@pytest.mark.parametrize(
    ("moves", "text", "said"),
    [
        ([], "switch 3 7", "its line is broken between 3 and 7"),
        ([], "switch 4 7", "it has no card on place 4"),
        ([], "switch 0 7", "places go from 1 to 13"),
        ([], "switch 7 7", "a switch needs two places"),
        ([], "switch 8 7", "the lower place comes first: switch 7 8"),
        ([], "switch 8", "write switch PLACE PLACE or hold"),
        ([], "switch eight nine", "write switch PLACE PLACE or hold"),
        (["hold"], "advance 4", "it has no card on place 4"),
        (["hold"], "hold", "the question now needs the answer advance PLACE"),
        (["hold", "advance 7", "hold"], "maybe", "the question now needs the answer denounce or silent"),
    ],
)
def test_a_refused_move_says_why(moves: list[str], text: str, said: str) -> None:
    found = Referee(RULES, setup(), RandomSource())
    battle = drawn_up(GONE_4_TO_6, "1 2 3 - - - 5 8 9 10 11 12 13", "...GGG.......", traitor=(0, 7))
    found.battle = battle
    say(battle, *moves)
    with pytest.raises(IllegalMove, match=said):
        found.find(text)


def test_a_traitor_card_one_does_not_have_is_refused() -> None:
    found = Referee(RULES, setup({"traitors": [7, 8]}), RandomSource())
    while found.battle.question == DEPLOY:
        found.choose(0)
    with pytest.raises(IllegalMove, match="brown cannot traitor 9: 9 is not one of its Traitor cards"):
        found.find("traitor 9")


def perft(battle: Wargame, depth: int) -> int:
    """Count the sequences of `depth` choices. A battle that ends earlier counts once."""
    if depth == 0 or battle.is_over():
        return 1
    if depth == 1:
        return len(battle.options)
    ways = 0
    for index in range(len(battle.options)):
        after = battle.copy()
        after.choose(index)
        ways += perft(after, depth - 1)
    return ways


@pytest.mark.parametrize(
    ("army", "chips", "traitors", "multi_switch", "moves", "counts"),
    [
        ([1, 9, 12], 1, [], False, "", {2: 81, 4: 1296, 5: 5184, 6: 15552}),
        ([1, 9, 12], 1, [9], False, "1 1,9 1,12 2,9 2", {1: 4, 2: 12, 3: 48, 4: 96, 5: 174, 99: 302}),
        ([1, 9, 12], 2, [9], True, "1 1,9 1,12 2,9 2", {1: 4, 2: 15, 3: 48, 4: 186, 5: 588, 99: 3964}),
        (
            [2, 7, 9, 13],
            1,
            [7, 9],
            False,
            "2 1,7 1,13 2,9 2,7 3,2 3",
            {1: 2, 2: 4, 3: 28, 4: 112, 5: 784, 6: 2240, 7: 5092},
        ),
        ([1, 2, 8, 9, 12], 1, [], False, "", {1: 25, 2: 625, 3: 10000}),
        (
            [1, 2, 8, 9, 12],
            0,
            [8, 9],
            False,
            "1 1,9 1,12 2,9 2,8 3,2 3,8 4,2 4",
            {2: 4, 3: 20, 4: 68, 5: 196, 6: 448, 7: 744, 99: 924},
        ),
        ([1, 2, 8, 9, 12], 1, [8, 9], False, "1 1,9 1,12 2,9 2,8 3,2 3,8 4,2 4", {3: 44, 4: 220, 5: 2420}),
        (FULL_ARMY, 5, SHOOTERS, False, "", {1: 169, 2: 28561}),
    ],
)
def test_perft(
    army: list[int], chips: int, traitors: list[int], multi_switch: bool, moves: str, counts: dict[int, int]
) -> None:
    """The number of ways a battle can go, counted before by a referee written apart from this one."""
    battle = begun([army, army], BROWN, [chips, chips], [traitors, traitors], multi_switch)
    say(battle, *(f"deploy {move}" for move in moves.split(",") if move))
    assert {depth: perft(battle, depth) for depth in counts} == counts


def test_redeal_draws_the_enemys_traitor_again() -> None:
    battle = drawn_up(traitor=(9, 8))
    chance = stream(1, "redeal")
    drawn = {battle.redeal(BROWN, chance).traitor[GREEN] for _ in range(40)}
    assert drawn == {7, 8, 9}
    assert all(battle.redeal(BROWN, chance).traitor[BROWN] == 9 for _ in range(10))


def test_redeal_keeps_a_traitor_that_was_shown() -> None:
    battle = say(drawn_up(traitor=(0, 7)), "hold", "advance 1", "hold", "denounce")
    chance = stream(1, "redeal")
    assert {battle.redeal(BROWN, chance).traitor[GREEN] for _ in range(20)} == {7}


def test_redeal_learns_nothing_from_silence() -> None:
    battle = say(drawn_up(traitor=(0, 7)), "hold", "advance 1", "hold", "silent")
    chance = stream(1, "redeal")
    assert {battle.redeal(BROWN, chance).traitor[GREEN] for _ in range(40)} == {7, 8, 9}


def test_redeal_takes_back_a_sealed_choice() -> None:
    battle = say(deployed(), "traitor 9")
    other = battle.redeal(GREEN, stream(1, "redeal"))
    assert (other.side, other.question, other.traitor) == (GREEN, TRAITOR, [0, 0])
    say(other, "traitor 8")
    assert (other.side, other.question) == (BROWN, TRAITOR)
    say(other, "traitor 7")
    assert other.traitor == [7, 8]
    assert (other.side, other.question) == (GREEN, SWITCH)


def test_redeal_does_not_let_on_that_the_enemy_is_asked() -> None:
    battle = say(drawn_up(traitor=(0, 7)), "hold", "advance 1", "hold")
    chance = stream(1, "redeal")
    answers = set()
    for _ in range(40):
        other = battle.redeal(BROWN, chance)
        assert contents(other.view(BROWN)) == contents(battle.view(BROWN))
        assert (offered(other) == ["denounce", "silent"]) == (other.traitor[GREEN] == 7)
        answers.add(tuple(offered(other)))
        assert not say(other, "silent").is_over()
    assert answers == {("denounce", "silent"), ("silent",)}


def test_the_regular_does_not_know_the_enemys_traitor() -> None:
    chance = stream(2, "wargame")
    for n in range(30):
        battle = at_random(begun(), chance, 24 + n)
        if battle.is_over():
            continue
        answer = tactics.decide(battle.view(battle.side), stream(n, "regular"))
        for _ in range(6):
            other = battle.redeal(battle.side, chance)
            assert tactics.decide(other.view(battle.side), stream(n, "regular")) == answer


def advised(battle: Wargame) -> str:
    """Return what the regular commander would do."""
    return offered(battle)[tactics.decide(battle.view(battle.side), stream(1, "regular"))]


def test_the_regular_answers_mortar_and_bazooka_with_spies() -> None:
    for strong in (12, 13):
        battle = say(begun(), f"deploy {strong} 4")
        assert advised(battle) in ("deploy 1 4", "deploy 2 4")


def test_the_regular_answers_with_a_card_that_just_beats() -> None:
    assert advised(say(begun(), "deploy 6 2")) == "deploy 7 2"


def test_the_regular_keeps_strong_cards_for_later() -> None:
    assert advised(drawn_up(chips=(0, 0))) == "advance 9"  # 4 against 2, the weakest that wins


def test_the_regular_pays_a_chip_in_defence() -> None:
    battle = say(drawn_up(), "hold", "advance 12")
    assert advised(battle).startswith("switch ")
    assert advised(battle).endswith(" 12")


def test_the_regular_wins_the_game_when_he_can() -> None:
    line = "1 - - - 5 6 7 8 9 10 11 12 13"
    battle = say(drawn_up(line, line, ".BBB.........", chips=(0, 0)))
    assert advised(battle) == "advance 1"
    battle = drawn_up(
        "5 - - - 6 13 1 2 3 4 7 8 9", "6 - - - 5 13 12 2 4 3 7 8 9", ".BBB.........", chips=(1, 5)
    )
    assert advised(battle).startswith("switch 1 ")


def test_the_regular_denounces_where_it_matters() -> None:
    brown = "7 7 - - 5 6 1 8 9 10 11 12 13"
    green = "6 1 - - 5 2 7 8 9 10 11 12 13"
    battle = drawn_up(brown, green, "..BB.........", traitor=(0, 7), chips=(0, 0))
    assert advised(say(battle, "advance 2")) == "denounce"
    far = drawn_up(
        "7 1 2 3 4 5 6 8 9 10 11 12 7", "1 2 3 4 5 6 7 8 9 10 11 12 2", traitor=(0, 7), chips=(0, 0)
    )
    assert advised(say(far, "advance 1")) == "silent"


@pytest.mark.slow
def test_the_regular_is_better_than_the_green() -> None:
    assert share("wargame", "regular", "green", 200) >= 0.97


@pytest.mark.heavy
def test_the_regular_is_better_than_the_green_in_many_battles() -> None:
    assert share("wargame", "regular", "green", 1000) >= 0.97


def brute(battle: Wargame, known: dict[str, int]) -> int:
    """Return who wins, by trying everything."""
    if battle.is_over():
        return battle.outcome().winners[0]
    key = repr(battle.state())
    if key not in known:
        side = battle.side
        known[key] = 1 - side
        for index in range(len(battle.options)):
            after = battle.copy()
            after.choose(index)
            if brute(after, known) == side:
                known[key] = side
                break
    return known[key]


def near_the_end(chance: Chance, left: int, chips: int, multi_switch: bool) -> Wargame:
    """Return a random open position with `left` cards in each line."""
    while True:
        battle = begun(chips=[0, 0], traitors=[[], []], multi_switch=multi_switch)
        while not battle.is_over() and (battle.question == DEPLOY or sum(battle.won) < 13 - left):
            battle.choose(chance.below(len(battle.options)))
        if battle.is_over():
            continue
        battle.chips = [chance.below(chips + 1), chance.below(chips + 1)]
        battle.side = NOBODY
        battle.todo = [BEGIN_BATTLE]
        battle.run()
        return at_random(battle, chance, chance.below(2))


@pytest.mark.parametrize(
    ("left", "chips", "multi_switch", "positions"),
    [(2, 5, False, 40), (3, 2, False, 40), (3, 2, True, 30), (4, 1, False, 15)],
)
def test_the_solver_agrees_with_brute_force(
    left: int, chips: int, multi_switch: bool, positions: int
) -> None:
    chance = stream(left, f"solver/{chips}/{multi_switch}")
    for _ in range(positions):
        battle = near_the_end(chance, left, chips, multi_switch)
        if battle.is_over():
            continue
        assert can_solve(battle)
        found = solve(battle)
        best = []
        for index in range(len(battle.options)):
            after = battle.copy()
            after.choose(index)
            if brute(after, {}) == battle.side:
                best.append(index)
        assert found.winner == (battle.side if best else 1 - battle.side)
        assert found.best == (best or list(range(len(battle.options))))


def test_the_solver_respects_a_break() -> None:
    brown, green = "13 - - - 5 - - - - - - - -", "1 - - - 12 - - - - - - - -"
    whole = drawn_up(brown, green, ".GGB.GBGBBGBB", chips=(1, 0))
    found = solve(whole)
    assert (found.winner, [offered(whole)[index] for index in found.best]) == (BROWN, ["switch 1 5"])
    broken = drawn_up(brown, green, ".GGG.BBGBBGBB", chips=(1, 0))
    assert broken.question == ADVANCE
    assert (solve(broken).winner, solve(broken).best) == (GREEN, [0, 1])


def test_best_play_is_worth_all_to_the_side_that_wins() -> None:
    """Out of a million, where the solver looks; nothing is said where it does not."""
    brown, green = "13 - - - 5 - - - - - - - -", "1 - - - 12 - - - - - - - -"
    whole = drawn_up(brown, green, ".GGB.GBGBBGBB", chips=(1, 0))
    assert (RULES.best_play(whole), sum(RULES.solution(whole))) == ([10**6, 0], 1)
    assert sorted(RULES.option_values(whole)) == [0, 10**6]
    broken = drawn_up(brown, green, ".GGG.BBGBBGBB", chips=(1, 0))
    assert (RULES.best_play(broken), RULES.solution(broken)) == ([0, 10**6], [1, 1])
    assert RULES.option_values(broken) == [0, 0]
    assert (RULES.best_play(begun()), RULES.solution(begun()), RULES.option_values(begun())) == ([], [], [])


def test_a_card_is_a_number_from_1_to_13() -> None:
    assert [RULES.read_card(number, "brown") for number in (1, 13)] == [1, 13]
    for wrong in (0, 14, True, "7", None):
        with pytest.raises(ValueError, match="expected"):
            RULES.read_card(wrong, "brown")


def test_the_solver_wants_nothing_hidden_and_few_cards() -> None:
    chance = stream(7, "solver")
    assert not can_solve(begun())
    assert not can_solve(near_the_end(chance, 7, 5, False))
    assert can_solve(near_the_end(chance, 6, 5, False))
    assert not can_solve(near_the_end(chance, 6, 5, True))
    brown, green = "3 - - - 7 - - - - - - - -", "4 - - - 12 - - - - - - - -"
    held = ".GGB.BBGGBGGB"
    assert not can_solve(drawn_up(brown, green, held, traitor=(0, 9)))  # it may be the 7
    assert can_solve(drawn_up(brown, green, held, traitor=(7, 0)))  # no Shooter to denounce
    spent = drawn_up(brown, green, held, traitor=(0, 9))
    spent.spent[GREEN] = 1
    assert can_solve(spent)


@pytest.mark.slow
def test_random_battles_with_all_options_end_in_order() -> None:
    chance = stream(3, "fuzz")
    for n in range(150):
        armies = [sorted([1 + chance.below(13) for _ in range(13)]) for _ in range(2)]
        traitors = [sorted(chance.sample(chance.below(4), SHOOTERS)) for _ in range(2)]
        chips = [chance.below(14), chance.below(14)]
        battle = at_random(begun(armies, n & 1, chips, traitors, bool(n & 2)), chance)
        assert battle.is_over()
        assert sorted(card for cards in (*battle.line, *battle.zone) for card in cards if card) == sorted(
            armies[0] + armies[1]
        )


def plain(parts: Parts) -> str:
    return said(parts, ["Brown", "Green"])


def shown(block: Block) -> str:
    """Return a block in plain letters."""
    if isinstance(block, Heading):
        return f"== {plain(block.parts)}" + (f" -- {plain(block.remark)}" if block.remark else "")
    if isinstance(block, Line):
        return f"{block.rule:6} {plain(block.parts)}"
    rows = [[plain(cell) for cell in row] for row in [block.head, *block.rows]]
    return "\n".join(f"{row[0]:12}" + "".join(f"{cell:>3}" for cell in row[1:]).rstrip() for row in rows)


def tale(found: Referee, viewer: int | None = None, detail: int = TALE) -> str:
    """Return the tale of a battle for one reader."""
    teller = RULES.tale(found.setup)
    blocks = [block for _, event in found.events_for(viewer) for block in teller.describe(event)]
    return "\n".join(shown(block) for block in blocks if isinstance(block, Heading) or block.detail <= detail)


def regulars(seed: int) -> Referee:
    """Return the referee of a battle between two regular commanders."""
    found = Referee(RULES, setup(), RandomSource())
    chances = [stream(seed, "side/brown"), stream(seed, "side/green")]
    while not found.battle.is_over():
        found.choose(RULES.regular(found.seat.view, chances[found.battle.side]))
    return found


def test_the_tale_of_a_battle(snapshot: SnapshotAssertion) -> None:
    told = tale(regulars(6))
    assert "== Battle 1 -- Brown 0, Green 0" in told
    assert told == snapshot


def test_the_audit_of_a_battle(snapshot: SnapshotAssertion) -> None:
    told = tale(regulars(6), detail=AUDIT)
    assert told.count("WG-11") == 26
    assert told == snapshot


def test_the_tale_as_a_side_knows_it(snapshot: SnapshotAssertion) -> None:
    told = tale(regulars(6), viewer=GREEN)
    assert "Brown lays a Traitor card face down." in told
    assert told == snapshot


def test_a_side_that_looks_on_has_its_own_line_below_in_the_tale_as_in_the_scene() -> None:
    battle = deployed(listen=True)
    for viewer in (0, 1):
        teller = RULES.tale(setup())
        teller.viewer = viewer
        told = next(block for event in events(battle, "checked") for block in teller.describe(event))
        seen = RULES.scene(battle.view(viewer))[0]
        assert isinstance(told, Grid) and isinstance(seen, Grid)
        assert told.head == seen.head
        assert [told.rows[0], told.rows[2][1:]] == [seen.rows[0], seen.rows[2][1:]]
        assert told.rows[2][0] == [Name(viewer)]
        assert told.rows[1][1] == ["V" if viewer == 0 else "^"]  # the 7 of the first against a 6


def test_the_tale_of_the_worked_example() -> None:
    battle = deployed(listen=True)
    teller = RULES.tale(setup())
    blocks = [block for event in events(battle, "checked") for block in teller.describe(event)]
    assert "\n".join(map(shown, blocks)).splitlines() == [
        "place         1  2  3  4  5  6  7  8  9 10 11 12 13",
        "Brown         7 13  8 10  2  1  9 11  4  3  6  5 12",
        "stronger      ^  V  ^  =  V  V  V  =  ^  V  V  ^  ^",
        "Green         6  1  7 10  4  8 12 11  2  5 13  3  9",
        "WG-13  Match-ups: Brown 5, level 2, Green 6.",
        "WG-14  Green is ahead and attacks first.",
    ]
