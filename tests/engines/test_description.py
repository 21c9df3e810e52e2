"""What an engine receives: complete for its seat, and nothing that is hidden from it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.resolve import deal, streams_of
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.spelling import is_card, option_parts
from cardbattle.engines.description import (
    Clock,
    Question,
    ask_line,
    new_message,
    view_table,
)
from cardbattle.engines.position import numbers_of, position_of, restore_position
from cardbattle.rules import RULE_SETS, find
from cardbattle.rules.warmonger.battle import Warmonger
from cardbattle.testing import Trial, hold, some_trials


def place_of(referee: Referee) -> Question:
    """Return the place of the current question, as the first one of its seat."""
    return Question("battle-1", tuple(referee.setup.seats), 1, 10.0, referee.texts())


def referee_of_battle(rules: str, seed: int) -> Referee:
    """Return a battle at its first question."""
    plan = read_battle({**bare_battle(rules, []), "seed": seed})
    streams = streams_of(plan)
    return Referee(plan.rules, deal(plan, streams), Drawn(streams.battle))


def questions(rules: str, seed: int, every: int = 1) -> Iterator[Referee]:
    """Yield a battle of random choices at every question, or at some of them."""
    referee, chance, number = referee_of_battle(rules, seed), stream(seed, "choices"), 0
    while not referee.battle.is_over():
        if number % every == 0:
            yield referee
        referee.choose(chance.below(len(referee.battle.options)))
        number += 1


def ask_of(rules: RuleSet, referee: Referee) -> dict[str, object]:
    """Return the message `ask` for the current question."""
    line = ask_line(rules, referee.seat, place_of(referee), referee.seat.events_since(0))
    message = json.loads(line)
    assert isinstance(message, dict)
    return message


@pytest.mark.parametrize("rules", RULE_SETS)
def test_options_are_those_of_the_question_with_all_their_words(rules: str) -> None:
    for referee in questions(rules, 3, every=15):
        message = ask_of(find(rules), referee)
        options = message["options"]
        assert isinstance(options, list)
        assert [option["id"] for option in options] == referee.texts()
        for option in options:
            parts = [option["verb"]]
            for kind in ("cards", "numbers", "sides", "words"):
                parts += map(str, option.get(kind, []))
            assert sorted(" ".join(parts).split()) == sorted(str(option["id"]).replace("+", " ").split())


@pytest.mark.parametrize("rules", RULE_SETS)
@settings(max_examples=2)
@given(seed=st.integers(0, 10**6))
def test_no_card_number_or_side_of_an_option_is_among_its_words(rules: str, seed: int) -> None:
    chosen = find(rules)
    for referee in questions(rules, seed, every=9):
        seats = referee.setup.seats
        for text in referee.texts():
            words = option_parts(chosen, text, seats).get("words", [])
            assert isinstance(words, list)
            assert not any(word in seats or word.isdigit() or is_card(word, chosen) for word in words)
            assert not (words and text.startswith("play ") and rules == "warmonger")


def test_the_name_of_each_warmonger_card_is_one_item() -> None:
    rules, battle = find("warmonger"), referee_of_battle("warmonger", 1).battle
    assert isinstance(battle, Warmonger)
    names = [design.name for design in battle.box.designs]
    assert {"Raid", "Forced March", "Field Promotion"} <= {*names}
    for name in names:
        parts: dict[str, object] = {"verb": "play", "cards": [name]}
        assert option_parts(rules, f"play {name}", ["raid"]) == parts
        parts = {"verb": "play", "cards": [name, "4S", "10H"], "sides": ["raid"]}
        assert option_parts(rules, f"play {name} raid 4S 10H", ["raid"]) == parts
        parts = {"verb": "play", "cards": [name, "J1"], "numbers": [9]}
        assert option_parts(rules, f"play {name} J1 9", ["raid"]) == parts


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_view_describes_each_field_with_cards_as_text(rules: str) -> None:
    chosen = find(rules)
    for referee in questions(rules, 3, every=7):
        view = view_table(chosen, referee.seat.view, referee.setup.seats)
        assert list(view) == list(chosen.view_fields)
        hands = view.get("hand", view.get("warmongers"))
        assert isinstance(hands, list)
        cards = [card for pile in hands for card in (pile if isinstance(pile, list) else [pile])]
        assert all(isinstance(card, str) for card in cards)


def test_parts_of_an_option_follow_the_form_of_the_move() -> None:
    wargame, field, tactics = find("wargame"), find("field-of-honour"), find("warfare-tactics")
    assert option_parts(wargame, "deploy 13 4", []) == {"verb": "deploy", "cards": ["13"], "numbers": [4]}
    assert option_parts(wargame, "switch 2 11", []) == {"verb": "switch", "numbers": [2, 11]}
    assert option_parts(field, "place 4D+10S", []) == {"verb": "place", "cards": ["4D", "10S"]}
    assert option_parts(field, "play KH rally", []) == {"verb": "play", "cards": ["KH"], "words": ["rally"]}
    assert option_parts(tactics, "retreat hand", []) == {"verb": "retreat", "words": ["hand"]}
    assert option_parts(find("warmonger"), "turn", []) == {"verb": "turn"}


@pytest.mark.parametrize("rules", RULE_SETS)
@settings(max_examples=2)
@given(seed=st.integers(0, 10**6))
def test_messages_are_the_same_in_a_battle_with_other_hidden_cards(rules: str, seed: int) -> None:
    """Deal the hidden cards again from the view: the seat's messages do not change by a byte."""
    chosen = find(rules)
    for referee in questions(rules, seed, every=9):
        battle, seat = referee.battle, referee.battle.side
        before = ask_of(chosen, referee)
        position = position_of(chosen, referee.seat, referee.setup, stream(seed, "position"))
        referee.battle = battle.redeal(seat, stream(seed, "redeal"))
        if referee.battle.side == seat:
            assert ask_of(chosen, referee) == before
            again = position_of(chosen, referee.seat, referee.setup, stream(seed, "position"))
            assert again == position
        referee.battle = battle


def messages_hide_what_a_redeal_changes(trial: Trial) -> None:
    """Check that a question and its position are the same in a redealt battle."""
    for referee in trial.questions():
        battle, chance = referee.battle, stream(1, "position")
        before = ask_of(trial.rules, referee)
        position = position_of(trial.rules, referee.seat, referee.setup, chance.copy())
        referee.battle = battle.redeal(battle.side, trial.chance("redeal"))
        if referee.battle.side == battle.side:
            assert ask_of(trial.rules, referee) == before
            again = position_of(trial.rules, referee.seat, referee.setup, chance)
            assert without_order(again) == without_order(position)
        referee.battle = battle


def without_order(position: dict[str, object] | None) -> dict[str, object]:
    """Return a position with its pack sorted.

    While cards are picked in Field of Honour, a redeal shuffles the pack: its order is always random.
    """
    pack = (position or {}).get("pack")
    return {**(position or {}), "pack": sorted(pack) if isinstance(pack, list) else []}


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_messages_hide_the_same_with_other_options(rules: str) -> None:
    law = messages_hide_what_a_redeal_changes
    for trial in some_trials(find(rules), law, 5):
        hold(law, trial)


def test_a_new_battle_shows_no_seed_no_deal_and_no_lists_of_other_sides() -> None:
    table = bare_battle("strategy-war", ["york", "lancaster"])
    sides = {"york": {"cards": ["2", "A"]}, "lancaster": {"cards": ["K", "Q"]}}
    plan = read_battle({**table, "sides": sides, "seed": 9_182_736_455})
    streams = streams_of(plan)
    referee = Referee(plan.rules, deal(plan, streams), Drawn(streams.battle))
    message = new_message(plan.rules, referee.seat, "battle-1", Clock(5, 60), 7)
    assert message["sides"] == {"york": {"cards": ["2", "A"]}, "lancaster": {}}
    assert message["clock"] == {"decision": 5000, "battle": 60_000}
    assert "9182736455" not in json.dumps(message)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_position_restores_a_battle_that_the_seat_could_be_in(rules: str) -> None:
    chosen = find(rules)
    for referee in questions(rules, 4, every=11):
        numbers = position_of(chosen, referee.seat, referee.setup, stream(4, "position"))
        assert numbers is not None
        battle = chosen.start(referee.setup, Drawn(stream(4, "restored")))
        restore_position(battle, json.loads(json.dumps(numbers)), stream(4, "restored"))
        assert numbers_of(battle) == numbers
        seat = referee.battle.side
        shown = view_table(chosen, battle.view(seat), referee.setup.seats)
        assert shown == view_table(chosen, referee.seat.view, referee.setup.seats)
        assert battle.options == referee.battle.options


def test_a_dark_battle_has_no_positions() -> None:
    """Its redeals depend on more than the view (SW-19)."""
    plan = read_battle({**bare_battle("strategy-war", []), "seed": 1, "house": {"mode": "dark"}})
    streams = streams_of(plan)
    referee = Referee(plan.rules, deal(plan, streams), Drawn(streams.battle))
    assert position_of(plan.rules, referee.seat, referee.setup, stream(1, "position")) is None


def test_a_position_of_another_battle_is_refused() -> None:
    wargame, field = referee_of_battle("wargame", 1), referee_of_battle("field-of-honour", 1)
    numbers = numbers_of(wargame.battle)
    with pytest.raises(ValueError, match="not a position"):
        restore_position(field.battle, numbers, stream(1, "x"))
    with pytest.raises(ValueError, match="multi_switch"):
        restore_position(wargame.battle, {**numbers, "multi_switch": 1}, stream(1, "x"))
