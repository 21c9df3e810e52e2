"""The laws of the conformance suite: what every rule set needs before its cases are complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardbattle.conformance.case_file import built_in_suite, numbered_rules
from cardbattle.conformance.play_case import table_of
from cardbattle.rules import RULE_SETS, find
from tests.conformance.test_events_page import rows_of

FEWEST = 60
PREFIXES = {"wargame": "wg", "field-of-honour": "fh", "warmonger": "wm", "strategy-war": "sw"}
PREFIXES["warfare-tactics"] = "wt"
SUITE = built_in_suite()
ROOT = Path(__file__).parents[2]


def settled_rules(key: str) -> list[str]:
    """Return the numbers of the rules that hold a ruling of this program."""
    parts = re.split(r"^(?=- \*\*|#)", find(key).rules_text(), flags=re.MULTILINE)
    numbers = [re.match(r"- \*\*([A-Z]+-\d+)\*\*", part) for part in parts if "*settled" in part.lower()]
    return [number[1] for number in numbers if number]


def shortfalls(key: str) -> list[str]:
    """Return what the cases of a rule set still lack."""
    suite, chosen = SUITE.of_rules(key), find(key)
    named = {number for case in suite.cases for number in case.numbers}
    issues = {number for issue in suite.issues for number in issue.numbers}
    wanted = numbered_rules(chosen)
    if key == "warmonger":
        wanted += [f"C{number}" for number in range(1, 13)]
    lacks = [f"no case names {number}" for number in wanted if number not in named]
    lacks += [f"no issue names the ruling {number}" for number in settled_rules(key) if number not in issues]
    houses = {word for case in suite.cases for word in table_of(case.table, "house")}
    lacks += [f"no case sets the house rule {word}" for word in chosen.house if word not in houses]
    sides = [side for case in suite.cases for side in table_of(case.table, "sides").values()]
    options = {word for side in sides if isinstance(side, dict) for word in side}
    lacks += [f"no case sets the option {word}" for word in chosen.options if word not in options]
    if len(suite.cases) < FEWEST:
        lacks.append(f"{len(suite.cases)} cases instead of {FEWEST}")
    return lacks


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_rule_and_option_has_a_case_and_every_ruling_an_issue(key: str) -> None:
    assert shortfalls(key) == []


def test_the_id_of_a_case_begins_with_the_code_of_its_rule_set() -> None:
    wrong = [case.id for case in SUITE.cases if not case.id.startswith(f"{PREFIXES[case.rules.key]}-")]
    assert wrong == []
    codes = [issue.id for issue in SUITE.issues if not issue.id.startswith(f"{issue.rules.code}-I")]
    assert codes == []


def test_events_that_must_not_happen_exist() -> None:
    """A misspelt kind could never happen, so such an expectation would prove nothing."""
    kinds = {key: rows_of(key).keys() for key in RULE_SETS}
    for case in SUITE.cases:
        for step in case.steps:
            if isinstance(step, dict):
                assert unwanted_kinds(step) <= kinds[case.rules.key], case.id


def unwanted_kinds(expectation: dict[str, object]) -> set[str]:
    """Return the kinds of the events that an expectation excludes."""
    lists = [expectation.get("no_events", [])]
    unseen = expectation.get("unseen", {})
    lists += list(unseen.values()) if isinstance(unseen, dict) else []
    patterns = [pattern for each in lists if isinstance(each, list) for pattern in each]
    return {str(pattern["event"]) if isinstance(pattern, dict) else str(pattern) for pattern in patterns}


def test_the_model_cases_are_complete_enough_to_learn_from() -> None:
    sources = {case.source for case in SUITE.of_rules("wargame").cases}
    assert sources == {"rules", "example", "ruling", "addition"}


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_rule_set_has_counted_positions_in_the_guide(key: str) -> None:
    positions = SUITE.of_rules(key).positions
    assert len(positions) >= 2
    guide = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    for position in positions:
        numbers = zip(position.lines, position.ended, strict=True)
        cells = [
            f"{at}: {lines:,}" + (f" ({ended:,})" if ended else "")
            for at, (lines, ended) in enumerate(numbers, 1)
        ]
        assert f"| `{position.case.id}` | {' · '.join(cells)} |\n" in guide
