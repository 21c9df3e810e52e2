"""Three seeded battles of each rule set between regular commanders, move by move, with their rule numbers."""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import cardbattle

SHARP = [f"{rank}{suit}" for rank in (2, 3, 4, 9) for suit in "SHD"] + ["KS", "QS", "JS", "AS"]
BATTLES: dict[str, list[tuple[dict[str, Any], dict[str, Any]]]] = {
    "strategy-war": [
        ({"rounds": 7}, {"a": {}, "b": {}, "c": {}}),
        ({"rounds": 5, "mode": "dark", "tiebreak": "best-pot"}, {key: {} for key in "abcdef"}),
        (
            {"rounds": 9, "tiebreak": "most-rounds", "auto_last": True},
            {
                "a": {"cards": ["2", "2", "9", "A"]},
                "b": {"cards": ["2", "9", "J", "A"]},
                "c": {"cards": ["K"]},
            },
        ),
    ],
    "field-of-honour": [
        ({}, {"a": {}, "b": {}}),
        ({"preset": "literal"}, {"a": {"extra": ["KS", "AS", "AH"]}, "b": {"hand": 12}}),
        ({"answers": "one"}, {"a": {"pick": 3}, "b": {"extra": ["QS", "QH", "JS", "RJ"]}}),
    ],
    "wargame": [
        ({}, {"a": {}, "b": {}}),
        ({"multi_switch": True, "chips": 4}, {"a": {"traitors": [7]}, "b": {}}),
        ({}, {"a": {"army": [1, 2, 2, 7, 7, 8, 8, 9, 9, 9, 11, 12, 13]}, "b": {"chips": 9}}),
    ],
    "warfare-tactics": [
        ({"turn_limit": 16}, {"a": {}, "b": {}}),
        ({"turn_limit": 12, "preset": "literal"}, {"a": {"hand": 4}, "b": {"battlefield": ["8D", "QH"]}}),
        (
            {"turn_limit": 10, "decks": 2, "play_and_attack": True, "windows": 4},
            {"a": {"battlefield": SHARP[:5]}, "b": {"extra": SHARP[5:9]}},
        ),
    ],
    "warmonger": [
        (
            {"armistice": 9},
            {"a": {"warmongers": 4}, "b": {}, "c": {"robot": "bulwark"}, "d": {"robot": "echo"}},
        ),
        (
            {"armistice": 6, "copies": 2, "spoils": "seats"},
            {
                key: {"cards": 7, "warmongers": 3, "extra": extra}
                for key, extra in {"a": ["J7"], "b": ["J8"], "c": ["AS"]}.items()
            },
        ),
        (
            {"armistice": 7},
            {"a": {"warmongers": 6}}
            | {robot: {"robot": robot} for robot in ("onslaught", "ledger", "jackpot", "echo")},
        ),
    ],
}


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("rules", BATTLES)
def test_a_seeded_battle_is_the_same_move_by_move(
    rules: str, number: int, snapshot: SnapshotAssertion
) -> None:
    house, sides = BATTLES[rules][number]
    record = cardbattle.resolve({"rules": rules, "seed": 1066 + number, "house": house, "sides": sides})
    assert {side.commander for side in record.sides} == {"regular"}
    assert [record.table["digest"], record.tale("audit")] == snapshot
