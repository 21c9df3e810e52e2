"""What strength, rank, side options and house rules are worth, as measured beforehand."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.battles.records.battle_file import bare_battle
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.pages.balance import scale_words
from cardbattle.simulation.handicap import HandicapRequest, HandicapStop, find_handicap
from cardbattle.simulation.workers import Serial
from cardbattle.simulation.worth import (
    FIRST_MOVE,
    HOUSE,
    OPTION,
    RANK,
    STRENGTH,
    similar_worths,
    worth_of,
    worths_of,
)
from research.worth import guide_table, things_of

GUIDE = Path(__file__).parents[2] / "docs" / "odds.md"


@pytest.mark.parametrize("key", RULE_SETS)
def test_everything_was_measured_once(key: str) -> None:
    measured = [(worth.kind, worth.name) for worth in worths_of(key) if worth.kind != RANK]
    assert measured == [(thing.kind, thing.name) for thing in things_of(find(key))]
    assert all(worth.battles >= 1000 for worth in worths_of(key) if worth.kind != RANK)
    assert [worth.name for worth in worths_of(key, RANK)] == ["green", "seasoned", "veteran", "elite"]


@pytest.mark.parametrize("key", RULE_SETS)
def test_more_strength_is_worth_more(key: str) -> None:
    points = [worth.points for worth in worths_of(key, STRENGTH)]
    assert points == sorted(points) and 15 < points[0] < points[-1] < 50


def test_the_guide_has_the_table() -> None:
    assert "\n".join(guide_table()) in GUIDE.read_text(encoding="utf-8")


def test_what_was_not_measured_has_no_worth() -> None:
    assert worth_of("field-of-honour", OPTION, "hand +1") is not None
    assert worth_of("field-of-honour", OPTION, "hand +9") is None
    assert worths_of("a-plug-in") == similar_worths("a-plug-in", 10) == []
    assert not worths_of("strategy-war", FIRST_MOVE, HOUSE)  # all sides choose at the same time


@pytest.mark.parametrize("key", RULE_SETS)
def test_similar_worths_are_similar(key: str) -> None:
    for points in range(1, 51):
        for worth in similar_worths(key, points):
            assert abs(worth.points - points) <= max(2, points / 4)
            kind = [each.points for each in worths_of(key, worth.kind)]
            assert abs(worth.points - points) == min(abs(each - points) for each in kind)


@pytest.mark.slow
def test_a_handicap_names_what_is_worth_as_much() -> None:
    table = bare_battle("field-of-honour", ["york", "lancaster"]) | {"seed": 3}
    wish = HandicapRequest("york", "hand", 0.75, [13])
    handicap = find_handicap(table, "", wish, HandicapStop(0.2), (Serial(), 1))
    points = 100 * (handicap.best.chance().share - 0.5)
    [sentence] = scale_words(handicap)
    assert sentence.startswith("Between equal sides, each of these changes the chance by about as much (")
    nearest = min(worths_of("field-of-honour", OPTION), key=lambda worth: abs(worth.points - points))
    assert str(nearest) in sentence
    level = find_handicap(table, "", wish._replace(values=[10], target=0.5), HandicapStop(0.2), (Serial(), 1))
    assert abs(level.best.chance().share - 0.5) >= 0.02 or scale_words(level) == []
