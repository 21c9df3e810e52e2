"""Tales speak of several as of several."""

from __future__ import annotations

import re

import pytest

from cardbattle.core.telling import AUDIT, Line
from cardbattle.fighting.resolve import fight_battle
from cardbattle.records.battle_file import read_battle
from cardbattle.records.viewer import report_of
from cardbattle.rules import RULE_SETS
from cardbattle.show.grammar import is_plural, said_of
from cardbattle.show.words import blocks_for, said

PLURAL = ["The Scots", "The Cheshire archers", "Massie's Dragoons", "The King's men", "Percy and Douglas",
          "The Men with Clubs", "The Lords of the North", "Birch's Firelocks"]  # fmt: skip
SINGULAR = ["York", "Archibald Douglas", "Prince Henry", "The garrison of Chester", "Vaughan's Horse",
            "Wales", "Thomas of Lancaster", "The Duchess", "James", "The House of Percy", "織田"]  # fmt: skip


@pytest.mark.parametrize("name", PLURAL)
def test_a_name_of_several_is_known_by_its_form(name: str) -> None:
    assert is_plural(name)
    assert said_of(name, "is destroyed") == f"{name} are destroyed"


@pytest.mark.parametrize("name", SINGULAR)
def test_a_name_of_one_is_left_alone(name: str) -> None:
    assert not is_plural(name)
    assert said_of(name, "is destroyed") == f"{name} is destroyed"


NOT_VERBS = {"as", "his", "its", "points", "cards", "losses", "spaces", "this", "was"}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_tale_of_several_has_no_verb_of_one(rules: str) -> None:
    """Read every line of some battles aloud: behind the name of several no verb ends in s."""
    names = ["The Scots", "Massie's Dragoons"]
    for seed in range(12):
        sides = {key: {"name": name} for key, name in zip("ab", names, strict=True)}
        record, referee = fight_battle(
            read_battle({"format": 1, "rules": rules, "seed": seed, "sides": sides})
        )
        for block in blocks_for(report_of(record, referee), AUDIT):
            if isinstance(block, Line):
                words = said(block.parts, names)
                found = re.findall(r"(?:Scots|Dragoons)((?: [^.;:]*?)? and)? ([a-z]+s)\b", words)
                wrong = {verb for _, verb in found if verb not in NOT_VERBS and not verb.endswith("ss")}
                assert not wrong, words
