"""The conformance suite: its cases are sound, this program passes them, and wrong answers are found."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cardbattle.conformance.case_file import Case, built_in_suite, numbered_rules, read_suite
from cardbattle.conformance.case_names import case_names
from cardbattle.conformance.play_case import answer_case, case_table
from cardbattle.conformance.statement import compare, own_results, read_results, results_table
from cardbattle.core.errors import InvalidInput
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.schemas import read_stored_schema
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.schemas import complaint

SUITE = built_in_suite()
FOLDER = Path(__file__).parents[2] / "cardbattle" / "data" / "cases"
HEAD = 'format = 1\nrules = "strategy-war"\n'
SHORT = "seats = ['a', 'b']\nsides.a = { cards = ['2', '9'] }\nsides.b = { cards = ['5', '9'] }\n"
ROUND = (
    HEAD
    + '[[case]]\nid = "one"\ntitle = "A round"\nrules = ["SW-11"]\nsource = "rules"\n'
    + SHORT
    + "play = [\n"
    "'a commit 9; b commit 5',\n"
    "{ asks = 'a', scores = { a = 14, b = 0 }, events = ['revealed', { event = 'won', winner = 'a' }] },\n"
    "'a commit 2; b commit 9',\n"
    "{ winners = ['a'], reason = 'most-points' },\n"
    "{ losses = { a = '2/11', b = '5/14' } },\n]\n"
)


def write(folder: Path, text: str) -> str:
    """Write a file of cases and return its name."""
    file = folder / "cases.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("key", RULE_SETS)
def test_this_program_passes_every_case(key: str) -> None:
    cases = [case for case in SUITE.cases if case.rules.key == key]
    statement = compare(SUITE, own_results(cases, "1"))
    failed = {verdict.case.id: verdict.failures for verdict in statement.verdicts if verdict.failures}
    assert failed == {}


@pytest.mark.slow
def test_every_file_of_cases_has_the_schema() -> None:
    schema = read_stored_schema("cases-file")
    for file in sorted(FOLDER.glob("*/*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        assert complaint(table, schema, schema) == "", file
        assert table["rules"] == file.parent.name


def test_results_have_the_schema_and_pass_after_a_round_trip(tmp_path: Path) -> None:
    schema = read_stored_schema("case-results")
    results = own_results(SUITE.cases[:20], "1")
    table = json.loads(json.dumps(results_table(results)))
    assert complaint(table, schema, schema) == ""
    file = tmp_path / "results.json"
    file.write_text(json.dumps(table), encoding="utf-8")
    again = read_results(str(file))
    answered = SUITE._replace(cases=SUITE.cases[:20])
    assert compare(answered, again).has_passed


def test_the_form_for_other_programs_names_every_card() -> None:
    case = next(case for case in SUITE.cases if case.id == "wg-resign")
    table: Any = case_table(case)
    assert table["house"] == {"first": "brown", "chips": 5, "traitors": True, "multi_switch": False}
    assert table["steps"][0] == {"move": "brown deploy 7 1"}
    assert table["steps"][-1]["expect"]["winners"] == ["brown"]


def test_a_round_of_strategy_war_passes(tmp_path: Path) -> None:
    suite = read_suite(write(tmp_path, ROUND))
    assert compare(suite, own_results(suite.cases, "1")).has_passed


WRONG = {  # a change of the case, and the failure that it causes
    "asks = 'a'": ("asks = 'b'", '1: asks: expected "b", got "a"'),
    "a = 14, b = 0": ("a = 13, b = 0", "1: scores: a: expected 13, got 14"),
    "winner = 'a'": (
        "winner = 'b'",
        '1: events: {"event": "won", "winner": "b"} is missing, or comes in another order; '
        "events: round_begun, committed, committed, revealed, won and round_begun",
    ),
    "winners = ['a']": ("winners = ['b']", '2: winners: expected ["b"], got ["a"]'),
    "reason = 'most-points'": ("reason = 'shared'", '2: reason: expected "shared", got "most-points"'),
    "a = '2/11'": ("a = '1/2'", '2: losses: a: expected "1/2", got "2/11"'),
    "asks = 'a', scores": (
        "options = ['commit 2', 'commit 3'], scores",
        "1: options: missing commit 3",
    ),
    "events = ['revealed',": ("no_events = ['revealed'], events = [", None),
    "asks = 'a',": ("count = 3,", "1: count: expected 3 options, got 1"),
    "{ asks": ("{ illegal = ['timeout'], asks", "1: illegal: timeout must not be legal"),
    "{ asks = ": ("{ legal = ['commit 7'], asks = ", "1: legal: commit 7 must be legal"),
    "{ asks = '": ("{ question = 'other', asks = '", '1: question: expected "other", got "commit"'),
    "{ asks = 'a'": ("{ views.b = { round = 3 }, asks = 'a'", "1: views: b.round: expected 3, got 2"),
    "{ asks = 'a',": (
        "{ unseen.b = ['revealed'], asks = 'a',",
        '1: unseen: b must not see {"event": "revealed", "cards": ["9", "5"], "timed_out": []}',
    ),
    "b commit 5'": ("b commit 6'", None),
    "'a commit 2;": ("'a commit 2; a commit 2;", 'move 4: "a commit 2": it is b\'s turn'),
}


@pytest.mark.parametrize("part", WRONG)
def test_a_wrong_expectation_fails_with_its_reason(tmp_path: Path, part: str) -> None:
    wrong, failure = WRONG[part]
    assert ROUND.count(part) == 1
    suite = read_suite(write(tmp_path, ROUND.replace(part, wrong)))
    verdict = compare(suite, own_results(suite.cases, "1")).verdicts[0]
    assert len(verdict.failures) == 1
    assert failure is None or verdict.failures == [failure]


BAD = {
    "rules = 'x'": 'rule set "x"',
    "title = 3": "expected text in quotes, got 3",
    "source = 'me'": "expected rules, example, ruling or addition",
    "rules = ['SW-99']": '"SW-99" is not a number on the rules page',
    "play = ['c commit 2']": "expected a move of a, b or fate",
    "play = [{ ask = 'a' }]": 'unknown expectation "ask"',
    "play = []": "this case expects nothing",
    "play = [{ asks = 'c' }]": 'unknown side "c"',
    "play = [{ asks = 'a' }, { asks = 'a' }]": "asks is expected twice at this point",
    "play = [{ losses = { a = '0.5' } }]": "expected a fraction in quotes",
    "start = 'nowhere'": 'unknown start "nowhere"',
    "issues = ['I']": 'unknown issue "I"',
}


@pytest.mark.parametrize("line", BAD)
def test_a_wrong_case_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    key = line.split()[0]
    if line == "rules = 'x'":
        text = "format = 1\nrules = 'x'\n"
    else:
        lines = {
            "id": "id = 'one'",
            "title": "title = 'A round'",
            "rules": "rules = ['SW-11']",
            "source": "source = 'rules'",
            "play": "play = [{ asks = 'a' }]",
        } | {key: line}
        text = HEAD + "[[case]]\n" + SHORT + "\n".join(lines.values()) + "\n"
    with pytest.raises(InvalidInput) as refusal:
        read_suite(write(tmp_path, text))
    assert BAD[line] in str(refusal.value)


def test_a_set_up_that_must_be_refused_fails_if_it_is_accepted_or_another_key_is_wrong(
    tmp_path: Path,
) -> None:
    text = (
        HEAD + "[[case]]\nid = 'two'\ntitle = 'x'\nrules = ['SW-21']\nsource = 'rules'\n"
        "seats = ['a', 'b']\nhouse = {ROUNDS}\nrefused = 'house.rounds'\n"
    )
    failures = {}
    for rounds in ("{ rounds = 27 }", "{ rounds = 5 }", "{ mode = 'x' }"):
        suite = read_suite(write(tmp_path, text.replace("{ROUNDS}", rounds)))
        failures[rounds] = compare(suite, own_results(suite.cases, "1")).verdicts[0].failures
    assert failures["{ rounds = 27 }"] == []
    assert failures["{ rounds = 5 }"] == ["the set-up is accepted; it must be refused"]
    assert failures["{ mode = 'x' }"][0].startswith("the set-up is refused for another reason: house.mode")


def test_parts_that_a_program_leaves_out_are_not_compared(tmp_path: Path) -> None:
    suite = read_suite(write(tmp_path, ROUND))
    results = own_results(suite.cases, "1")
    points: list[dict[str, Any]] = [
        {key: value for key, value in point.items() if key not in ("events", "losses")}
        for point in results.answers["one"].points
    ]
    answers = {"one": results.answers["one"]._replace(points=points)}
    failures = compare(suite, results._replace(answers=answers)).verdicts[0].failures
    assert failures == [
        "1: events: no answer; the point needs events",
        "2: losses: no answer; the point needs losses",
    ]
    left_out = results._replace(answers=answers, left_out=["events", "losses"])
    assert compare(suite, left_out).has_passed


def test_the_statement_names_failed_and_missing_cases_and_covered_rules(sh: Shell) -> None:
    answers = own_results(SUITE.of_rules("wargame").cases, "1")
    table: Any = results_table(answers)
    del table["results"]["wg-resign"]
    table["results"]["wg-army-of-twelve"] = {"points": []}
    sh.write("results.json", json.dumps(table))
    said = sh("cases", "check", "results.json", "--json")
    assert said.code == 1
    statement = json.loads(said.out)
    assert {item["id"]: item["failures"] for item in statement["failed"]} == {
        "wg-resign": ["no answer"],
        "wg-army-of-twelve": ["the set-up is accepted; it must be refused"],
    }
    rules = statement["rules"][0]
    assert "WG-9" in rules["covered"]
    assert {"WG-36", "WG-37"} <= {*rules["not_covered"]}
    assert [*rules["covered"], *rules["not_covered"]] != []
    assert len(rules["covered"]) + len(rules["not_covered"]) == len(numbered_rules(find("wargame")))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "expected JSON, as `cardbattle cases run --results FILE` writes it"),
        ('{"format": 2, "implementation": "x", "results": {}}', "this program reads format 1"),
        ('{"format": 1, "implementation": "x"}', "results is missing"),
        ('{"format": 1, "implementation": "x", "results": {"a": {"point": []}}}', 'unknown key "point"'),
        ('{"format": 1, "implementation": "x", "results": {"a": {"points": []}}}', 'there is no case "a"'),
        (
            '{"format": 1, "implementation": "x", "results": {}, "leaves_out": ["x"]}',
            "expected some of events",
        ),
    ],
)
def test_a_wrong_results_file_is_refused(sh: Shell, text: str, problem: str) -> None:
    sh.write("results.json", text)
    said = sh("cases", "check", "results.json")
    assert said.code == 3
    assert problem in said.err


def test_every_issue_has_a_case_and_a_chosen_reading() -> None:
    decided = {issue for case in SUITE.cases for issue in case.issues}
    assert [issue.id for issue in SUITE.issues if issue.id not in decided] == []
    assert all(len(issue.readings) >= 2 for issue in SUITE.issues)


def test_an_answer_stops_at_an_impossible_move() -> None:
    case = next(case for case in SUITE.cases if case.id == "wg-resign")
    wrong: Case = case._replace(steps=["green resign"])
    assert answer_case(wrong).error == 'move 1: "green resign": it is brown\'s turn'


def test_the_names_for_completion_are_those_of_the_cases() -> None:
    """Each case begins with its id and its title, which completion reads without a parser."""
    assert sorted(case_names()) == sorted((case.id, case.title) for case in SUITE.cases)


def test_an_issue_is_shown_with_its_readings_and_its_cases(sh: Shell) -> None:
    said = sh("cases", "show", "WG-I1", "--format", "plain")
    assert said.out == (
        "WG-I1: The published rules say that all other cards beat a Spy. Which Spy wins when Spies meet?\n"
        "Wargame, WG-9.\n"
        "1. The higher number wins, so the 2 beats the 1 (chosen)\n"
        "2. They are equal, so the attacker wins\n"
        "Both Spies cannot lose. The general rule, the higher number wins, then applies.\n"
        "Cases: wg-higher-spy.\n"
    )
    assert "1 of 1" in sh("cases", "run", "WG-I1").out
    unknown = sh("cases", "show", "wg-resing")
    assert unknown.code == 3
    assert 'did you mean "wg-resign"?' in unknown.err
