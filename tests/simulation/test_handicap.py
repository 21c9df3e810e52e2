"""Handicaps: find the value that gives a side a target chance of winning, by sequential tests."""

from __future__ import annotations

import json

import pytest

from cardbattle.battles.records.battle_file import bare_battle
from cardbattle.campaign.turn import estimate
from cardbattle.cli.app import run
from cardbattle.cli.commands.balance import subject_of
from cardbattle.core.errors import UsageError
from cardbattle.core.options import CardList, Switch, Whole
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.pages.balance import handicap_words, next_words
from cardbattle.simulation.handicap import (
    FEWEST,
    FIRST_LOOK,
    Handicap,
    HandicapRequest,
    HandicapStop,
    example,
    find_handicap,
    option_of,
    proposes_values,
    read_values,
)
from cardbattle.simulation.odds import OddsStop, count_odds
from cardbattle.simulation.workers import Serial

ROUGH = HandicapStop(precision=0.08, most=2000)


def battle(rules: str = "field-of-honour") -> dict[str, object]:
    """Return a battle between two regulars, seeded."""
    return bare_battle(rules, list(find(rules).default_sides)[:2]) | {"seed": 3}


def found(
    target: float, stop: HandicapStop = ROUGH, values: tuple[int, ...] = (8, 10, 12), both: bool = False
) -> Handicap:
    """Return the handicap of the north."""
    return find_handicap(
        battle(), "", HandicapRequest("north", "hand", target, values, both), stop, (Serial(), 1)
    )


@pytest.mark.slow
def test_equal_sides_need_equal_hands() -> None:
    assert found(0.5).best.values == (10,)


@pytest.mark.slow
def test_a_higher_target_needs_more_cards() -> None:
    assert [found(target).best.values[0] for target in (0.3, 0.5, 0.7)] == [8, 10, 12]


@pytest.mark.slow
def test_the_value_found_brings_the_chance_it_says() -> None:
    """As the odds, counted with other seeds, agree."""
    best = found(0.7, HandicapStop(precision=0.04)).best
    check = count_odds(
        {**battle(), "sides": {"north": {"hand": best.values[0]}, "south": {}}}, "", OddsStop(1000), Serial()
    )
    assert abs(check.points(0) - best.chance().share) < 0.06


@pytest.mark.slow
def test_values_that_are_surely_farther_are_not_tried_for_long() -> None:
    """Most of the battles go to the few values near the target."""
    told = found(0.5, HandicapStop(precision=0.04), values=(5, 6, 7, 10, 13, 14, 15))
    assert told.stopped == "precision"
    assert told.battles < len(told.trials) * told.best.battles / 2
    assert min(trial.battles for trial in told.trials) <= 2 * FIRST_LOOK
    assert told.best.is_precise(0.04)


def test_the_time_limit_also_ends_the_first_look() -> None:
    """Commanders that think ahead can take minutes for the first hundred battles of each value."""
    handicap = found(0.5, HandicapStop(seconds=0.0))
    assert handicap.stopped == "limit"
    assert [trial.battles for trial in handicap.trials] == [FEWEST] * 3


SHORT = [
    "--side",
    "a",
    "--side",
    "b",
    "--seed",
    "3",
    "--set",
    "a.cards=2,3",
    "--set",
    "b.cards=2,3",
    "-j",
    "1",
]


@pytest.mark.parametrize(
    "command",
    [
        ["handicap", "strategy-war", *SHORT, "--values", "2 3; 2 4", "--precision", "20%"],
        ["match", "green", "regular", "--rules", "strategy-war", "--games", "2", "-j", "1"],
    ],
    ids=lambda command: command[0],
)
def test_a_long_search_or_match_announces_its_time(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(estimate, "MEASURING", 0.0)
    monkeypatch.setattr(estimate, "WORTH_ANNOUNCING", -1.0)
    assert run(command) == 0
    assert "left; Ctrl-C stops and prints the results so far" in capsys.readouterr().err


@pytest.mark.slow
def test_it_says_when_no_value_can() -> None:
    told = found(0.9, values=(9, 10))
    assert not told.is_reached
    assert told.best.values == (10,)
    assert handicap_words(told).startswith(
        "No value tried gives North a chance as high as 90.0%; the nearest is"
    )
    low = found(0.05, values=(9, 10))
    assert not low.is_reached
    assert "as low as 5.0%" in handicap_words(low)


@pytest.mark.parametrize(
    ("values", "option", "hint"),
    [
        ((5, 6), "hand", "--values 7..30; --option extra or pick; or another commander (--side north=RANK)."),
        ((5,), "hand", "--option extra or pick; or another commander (--side north=RANK)."),
        ((["KS"],), "extra", "--option hand or pick; or another commander (--side north=RANK)."),
    ],
)
def test_it_says_what_else_to_try(values: tuple[object, ...], option: str, hint: str) -> None:
    """A hand of 5 is the smallest, so no lower value can be tried."""
    target = 0.005 if values == (5,) else 0.995
    wish = HandicapRequest("north", option, target, values)
    told = find_handicap(battle(), "", wish, HandicapStop(0.9, 1), (Serial(), 1))
    assert not told.is_reached
    assert next_words(told) == [f"To come nearer, try {hint}"]
    assert next_words(told._replace(target=told.best.chance().share)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "option", "first", "last"),
    [
        ("strategy-war", "cards", "2 3 4 5 6 7 8 9 10 J Q K A", "2 3 4 5 6 7 8 9 10 J Q K A J J J J J J"),
        ("field-of-honour", "extra", "", "10S 10H 10D 10C"),
        ("wargame", "army", "1 2 3 4 5 6 7 8 9 10 11 12 13", "1 2 9 10 11 12 13 13 13 13 13 13 13"),
    ],
)
def test_cards_that_strength_gives_are_tried_by_default(
    rules: str, option: str, first: str, last: str
) -> None:
    """They are added to the present cards; in Wargame they replace the weakest."""
    wish = HandicapRequest(find(rules).default_sides[0], option, 0.5)
    told = find_handicap(battle(rules), "", wish, HandicapStop(0.9, 1), (Serial(), 1))
    tried = [" ".join(map(str, trial.values[0])) for trial in told.trials]  # type: ignore[call-overload]
    assert first in tried and last in tried and len(tried) == find(rules).advantage.most + 1  # type: ignore[union-attr]


@pytest.mark.slow
def test_both_sides_do_not_get_the_same_card_by_default() -> None:
    wish = HandicapRequest("north", "extra", 0.5, both=True)
    told = find_handicap(battle(), "", wish, HandicapStop(0.9, 1), (Serial(), 1))
    tried = [trial.values for trial in told.trials]
    assert (["10S", "10H", "10D"], []) in tried and ([], ["10C"]) in tried and len(tried) == 8


def test_a_rank_is_read_as_a_free_card() -> None:
    table = battle() | {"sides": {"north": {"extra": ["10S"]}, "south": {"extra": ["10H"]}}}
    wish = HandicapRequest("south", "extra", 0.5, (["10"], ["10", "10", "KD"]))
    told = find_handicap(table, "", wish, HandicapStop(0.9, 1), (Serial(), 1))
    assert {" ".join(trial.values[0]) for trial in told.trials} == {"10D", "10D 10C KD"}  # type: ignore[arg-type]


def test_complete_lists_of_cards_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["handicap", "warfare-tactics", "--option", "deck"]) == 2
    hint = 'give the values of deck to try: --values "LIST; LIST", where each list is 45 to 104 cards'
    assert hint in " ".join(capsys.readouterr().err.split())


@pytest.mark.slow
def test_both_sides_options_can_be_varied() -> None:
    told = found(0.5, values=(8, 12), both=True)
    assert told.options == ["north.hand", "south.hand"]
    assert {trial.values for trial in told.trials} == {(8, 8), (8, 12), (12, 8), (12, 12)}
    assert told.best.values[0] == told.best.values[1]


@pytest.mark.slow
def test_a_house_rule_s_chips_are_where_wargame_begins() -> None:
    wish = HandicapRequest(
        "north" if "north" in find("wargame").default_sides else find("wargame").default_sides[0],
        "chips",
        0.5,
    )
    told = find_handicap(battle("wargame"), "", wish, HandicapStop(0.9, 1), (Serial(), 1))
    assert {trial.values[0] for trial in told.trials} == set(range(14))


@pytest.mark.slow
def test_values_that_do_not_fit_the_battle_are_left_out() -> None:
    """All cards and the other's hand must come out of one pack."""
    wish = HandicapRequest("north", "hand", 0.5)
    table = battle()
    table["sides"] = {
        "north": {"commander": "green", "hand": 40},
        "south": {"commander": "green", "hand": 10},
    }
    told = find_handicap(table, "", wish, HandicapStop(0.3, 100), (Serial(), 1))
    assert {trial.values[0] for trial in told.trials} == set(range(28, 45))


@pytest.mark.slow
def test_what_was_counted_stands_when_it_is_interrupted() -> None:
    heard: list[int] = []

    def report_progress(finished: int, of: int) -> None:
        heard.append(finished)
        if len(heard) == 5:
            raise KeyboardInterrupt

    told = find_handicap(
        battle(),
        "",
        HandicapRequest("north", "hand", 0.5, (9, 10)),
        HandicapStop(0.001),
        (Serial(), 1),
        report_progress,
    )
    assert told.stopped == "interrupted"
    assert told.battles == heard[-1]


@pytest.mark.slow
def test_the_limit_of_battles_stops_it() -> None:
    told = found(0.5, HandicapStop(precision=0.001, most=600))
    assert told.stopped == "limit"


def test_the_option_is_the_first_number_or_what_strength_gives() -> None:
    assert option_of(find("field-of-honour"), "") == "hand"
    assert option_of(find("wargame"), "") == "chips"
    assert option_of(find("warmonger"), "") == "warmongers"
    assert option_of(find("strategy-war"), "") == "cards"
    with pytest.raises(UsageError, match="--option hnad: Field of Honour has hand, extra and pick"):
        option_of(find("field-of-honour"), "hnad")


@pytest.mark.parametrize(
    ("text", "values"),
    [("8..11", [8, 9, 10, 11]), ("8", [8]), ("5, 9;", ["5, 9"]), ("5,9", [5, 9]), ("", [])],
)
def test_values_are_read(text: str, values: list[object]) -> None:
    assert read_values(Whole(10, "cards"), text) == values
    assert read_values(Switch(False, "on"), "true; false") == [True, False]


@pytest.mark.parametrize("text", ["9..8", "a..b", "0..999999"])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"write the first and the last, such as 8\.\.14"):
        read_values(Whole(10, "cards"), text)


@pytest.mark.parametrize(
    ("name", "sides", "expected"),
    [
        ("field-of-honour", [], ("", [])),
        ("field-of-honour", ["south"], ("south", [])),
        ("field-of-honour", ["a", "b"], ("a", ["a", "b"])),
        ("field-of-honour", ["a=green", "b"], ("b", ["a=green", "b"])),
        ("b.toml", ["percy"], ("percy", [])),
        ("b.toml", ["percy", "stafford=green"], ("percy", ["stafford=green"])),
    ],
)
def test_the_side_it_is_about_is_the_one_named_alone(
    name: str, sides: list[str], expected: tuple[str, list[str]]
) -> None:
    assert subject_of(name, sides) == expected


def test_two_sides_of_a_file_cannot_both_be_it() -> None:
    with pytest.raises(UsageError, match="--side percy already names this side"):
        subject_of("b.toml", ["percy", "stafford"])


@pytest.mark.slow
def test_the_command_tells_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["handicap", "field-of-honour", "--side", "south", "--seed", "1", "--values", "9..11"]
    assert run([*command, "--precision", "5%", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["side"] == "south"
    assert told["reached"]
    assert told["values"] == {"south.hand": 10}
    assert told["tried"][0]["values"] == {"south.hand": 10}
    assert run([*command, "--precision", "5%"]) == 0
    assert "south.hand = 10 gives South a chance of" in capsys.readouterr().out
    assert run([*command, "--precision", "5%", "--format", "plain"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("south.hand = 10 gives South a chance of")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--side", "east"], '--side: unknown value "east"; write one of north, south'),
        (["--values", "x"], "--values: expected a whole number from 5 to 49"),
        (["--option", "extra", "--values", "10 10 10 10 10"], "--values: "),
        (["--target", "0"], "--target"),
        (["--values", "1..100", "--both"], "10000 values are too many (at most 400)"),
    ],
)
def test_a_wrong_command_line_says_what_would_be_right(
    capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert run(["handicap", "field-of-honour", *arguments]) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("key", RULE_SETS)
def test_each_suggestion_to_name_values_can_be_followed(key: str) -> None:
    rules = find(key)
    for word, option in rules.options.items():
        if isinstance(option, CardList) and not option.least and not proposes_values(rules, word):
            for cards in read_values(option, example(option).strip('"')):
                assert isinstance(cards, list)
                assert all(map(option.card_named, cards))
                assert not option.numbers or option.read(cards, [])
