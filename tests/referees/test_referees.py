"""The engine and the second referee agree on random battles, and on changed moves."""

from __future__ import annotations

import copy
import inspect
import random
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import cardbattle
from tests.referees import field_of_honour, strategy_war, warfare_tactics, wargame, warmonger
from tests.referees.battles import random_battle, random_settings
from tests.referees.table import Refused, Ruling, compare, digest

OWN_CARDS = {"robots", "jokers"}  # house rules that name a file of the umpire
GOLDEN = Path(__file__).parents[1] / "golden"
REFEREES: dict[str, Callable[[Mapping[str, Any]], Ruling]] = {
    "strategy-war": strategy_war.judge,
    "field-of-honour": field_of_honour.judge,
    "wargame": wargame.judge,
    "warfare-tactics": warfare_tactics.judge,
    "warmonger": warmonger.judge,
}


def test_the_referees_import_nothing_from_the_package() -> None:
    for judge in REFEREES.values():
        file = Path(inspect.getfile(judge))
        assert "cardbattle" not in file.read_text(encoding="utf-8").replace("cardbattle/1|", "")
    assert len(REFEREES) == len(cardbattle.rule_sets())


@pytest.mark.parametrize("rules", REFEREES)
def test_random_battles_use_every_house_rule_and_option(rules: str) -> None:
    dice = random.Random(rules)
    drawn = [random_settings(rules, dice) for _ in range(100)]
    chosen = cardbattle.find(rules)
    assert {key for house, _ in drawn for key in house} == set(chosen.house) - OWN_CARDS
    assert {key for _, sides in drawn for side in sides.values() for key in side} == set(chosen.options)


@pytest.mark.parametrize("rules", REFEREES)
def test_the_referee_agrees_with_some_random_battles(rules: str) -> None:
    check_battles(rules, range(15))


@pytest.mark.parametrize("rules", REFEREES)
def test_the_referee_agrees_with_the_golden_records(rules: str) -> None:
    files = sorted(GOLDEN.glob(f"{rules}-1-*.toml"))
    assert len(files) == 3
    for file in files:
        record = tomllib.loads(file.read_text(encoding="utf-8"))
        assert digest(record) == record["digest"]
        compare(record, REFEREES[rules](record))


@pytest.mark.parametrize("rules", REFEREES)
def test_the_referee_refuses_another_result(rules: str) -> None:
    record = copy.deepcopy(random_battle(rules, 1).table)
    record["reason"] = "rain"
    with pytest.raises(Refused, match="result"):
        compare(record, REFEREES[rules](record))


@pytest.mark.slow
@pytest.mark.parametrize("rules", REFEREES)
def test_the_referee_agrees_with_every_random_battle(rules: str) -> None:
    check_battles(rules, range(1000))


@pytest.mark.slow
@pytest.mark.parametrize("rules", REFEREES)
def test_the_referee_refuses_the_same_changed_moves_as_the_engine(rules: str) -> None:
    refusals = {number: refusals_of_changed_move(rules, number) for number in range(100)}
    assert {number: moves for number, moves in refusals.items() if moves[0] != moves[1]} == {}
    assert sum(by_referee is not None for by_referee, _ in refusals.values()) > 50


def check_battles(rules: str, numbers: range) -> None:
    for number in numbers:
        record = random_battle(rules, number).table
        try:
            compare(record, REFEREES[rules](record))
        except Refused as refused:
            pytest.fail(f"random_battle({rules!r}, {number}): {refused}")


def refusals_of_changed_move(rules: str, number: int) -> tuple[int | None, int | None]:
    """Return which move of a record with one changed move the referee and the engine refuse, if any."""
    dice = random.Random(number)
    record = copy.deepcopy(random_battle(rules, number).table)
    moves: list[str] = record["moves"]  # type: ignore[assignment]
    change_move(moves, dice)
    record["digest"] = digest(record)
    by_referee = by_engine = None
    try:
        compare(record, REFEREES[rules](record))
    except Refused as refused:
        by_referee = refused.move
        if refused.rule == "deal":  # `replay` keeps the recorded deal; only `verify` deals again
            with pytest.raises(cardbattle.ReplayMismatch):
                cardbattle.verify(record)
            return None, None
    try:
        cardbattle.replay(record)
    except cardbattle.ReplayMismatch as differs:
        by_engine = differs.move
    except cardbattle.Remark:  # a warning: another result
        by_engine = len(moves)
    return by_referee, by_engine


def change_move(moves: list[str], dice: random.Random) -> None:
    """Change one move: drop it, repeat it, exchange it with the next, or take some words of another."""
    if not moves:
        moves.append("fate draw")
        return
    place = dice.randrange(len(moves))
    change = dice.randrange(6)
    if change == 0:
        del moves[place]
    elif change == 1:
        moves.insert(place, moves[place])
    elif change == 2:
        moves[place : place + 2] = moves[place : place + 2][::-1]
    else:
        side, *words = moves[place].split()
        _, *others = dice.choice(moves).split()
        kept = dice.randrange(len(words))
        moves[place] = " ".join([side, *words[:kept], *others[kept:]]) if others[kept:] else f"{side} pass"
