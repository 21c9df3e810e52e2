"""`engine check`: good engines pass, and each planted bug is found by its check."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cardbattle.engines import checks, process
from cardbattle.engines.checks import CHECKS, Check, Checker, run_check
from cardbattle.engines.definitions import Engine
from cardbattle.engines.process import no_log
from cardbattle.rules import RULE_SETS
from cardbattle.show.pages.engine_check import engine_check_page
from cardbattle.show.writers.plain import to_plain
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.engines import NODE_SAMPLE, PYTHON, SAMPLE, sample, scripted

NAMES = [check.name for check in CHECKS]
COMMAND = f"sample={' '.join(PYTHON)} {SAMPLE}"
BUGS = [
    ("protocol", '"protocol": 1', '"protocol": 2'),
    ("name", '"name": "random sample"', '"name": ""'),
    ("ready-fields", '"name": "random sample"', '"name": "x", "wants": "position"'),
    ("name", '"name": "random sample"', '"name": 5'),
    ("ready-fields", '"name": "random sample"', '"name": "x", "rules": "wargame"'),
    ("ready-rules", '"name": "random sample"', '"name": "x", "rules": ["chess"]'),
    ("ready-rules", '"name": "random sample"', '"name": "x", "rules": "wargame"'),
    ("protocol", '"protocol": 1', '"protocol": True'),
    (
        "hello-protocol",
        'if kind == "hello":',
        "if kind == 'hello' and message['protocol'] > 1:\n        sys.exit(1)\n    if kind == 'hello':",
    ),
    (
        "hello-options",
        "import json",
        "import json; sys = __import__('sys'); sys.stdin.reconfigure(encoding='ascii')",
    ),
    ("unknown-message", 'not in ("event", "stop", "error")', "is None"),
    ("unknown-message", '"text": f"unknown message {kind}"', '"text": "?", "battle": battle'),
    ("unknown-message", '"text": f"unknown message {kind}"', '"later": 1'),
    ("not-json", '"code": "invalid-message"', '"code": "sorry"'),
    ("not-an-object", "if answer:", "if answer and answer['type'] != 'error':"),
    ("unknown-battle", "if battle not in battles:", "if False:"),
    ("unknown-battle", '"no such battle", "battle": battle', '"no such battle"'),
    ("unknown-battle", '"no such battle", "battle": battle', '"no such battle", "battle": "x"'),
    ("unknown-result", "battles.pop(battle, None)", "battles.pop(battle)"),
    ("unknown-event", '("event", "stop", "error")', '("stop", "error")'),
    ("host-error", '("event", "stop", "error")', '("event", "stop")'),
    ("plays-wargame", 'option["id"], "comment"', 'option["id"].upper(), "comment"'),
    ("plays-strategy-war", 'message["sequence"]}', 'message["sequence"] + 1}'),
    ("alternating", '"battle": battle, "sequence"', '"battle": "check-1", "sequence"'),
    ("forgets", "battles.pop(battle, None)", "pass"),
    ("last-option", 'choice(message["options"])', 'choice([{"id": "pass"}])'),
    ("answer-fields", '"comment": f"1 of {len(message[\'options\'])}"', '"comment": "x", "evaluation": 2'),
    (
        "stop",
        'elif kind == "result":',
        "elif kind == 'stop':\n        return {'type': 'answer'}\n    elif kind == 'result':",
    ),
    ("late-stop", '("event", "stop", "error")', '("event", "error")'),
    ("abandoned", "battles.pop(battle, None)", "battles.clear()"),
    (
        "known-messages",
        "print(json.dumps(answer), flush=True)",
        'print(json.dumps(answer), flush=True)\n        print(\'{"type": "chat"}\', flush=True)',
    ),
    ("separate-battles", 'random.Random(message["seed"])', "battles.setdefault(0, random.Random(1))"),
    ("quit", "sys.exit()", "sys.exit(3)"),
    ("quit-in-battle", "sys.exit()", "sys.exit(len(battles))"),
    (
        "end-of-input",
        "for line in sys.stdin:",
        "import itertools, time\nfor line in itertools.chain(sys.stdin, iter(lambda: time.sleep(1), 1)):",
    ),
    ("quiet-end", "sys.exit()", "print(json.dumps({'type': 'ready'}), flush=True)"),
]  # check, correct text of the sample, and the text with the bug


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for engines that a busy machine runs slowly."""
    monkeypatch.setattr(process, "GRACE", 60)
    monkeypatch.setattr(process, "PARTING", 60)
    monkeypatch.setattr(checks, "MANY", 3)
    monkeypatch.setattr(checks, "END", 60)
    monkeypatch.setattr(checks, "STOPPED", 60)


@pytest.fixture
def impatient(patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for an engine that hangs."""
    monkeypatch.setattr(process, "GRACE", 0.05)
    monkeypatch.setattr(process, "PARTING", 0.3)
    monkeypatch.setattr(checks, "END", 0.2)
    monkeypatch.setattr(checks, "STOPPED", 0.5)


def results(engine: Engine, seconds: float = 60.0, chosen: Sequence[Check] = CHECKS) -> dict[str, str]:
    """Return what each check says about an engine, if it does not pass, within `seconds` for each answer."""
    checker = Checker(engine, seconds, no_log)
    try:
        found = [run_check(check, checker) for check in chosen]
    finally:
        checker.close()
    return {result.check.name: result.reason for result in found if result.state != "passed"}


def test_there_are_at_least_thirty_checks_with_names_of_their_own() -> None:
    assert len(NAMES) == len(set(NAMES)) >= 30
    assert {f"plays-{rules}" for rules in RULE_SETS} <= set(NAMES)


@pytest.mark.slow
def test_the_sample_passes_every_check() -> None:
    assert results(sample()) == {}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_the_sample_for_node_passes_every_check() -> None:
    assert results(Engine("node", ["node", str(NODE_SAMPLE)])) == {}


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(CHECKS[::3], id="some", marks=pytest.mark.slow),
        pytest.param(CHECKS, id="all", marks=pytest.mark.heavy),
    ],
)
def test_the_commanders_of_the_program_pass_every_check(chosen: Sequence[Check]) -> None:
    """Most checks start the program again, which takes much longer than a check."""
    command = [sys.executable, "-m", "cardbattle", "engine", "--commander", "veteran:iterations=2"]
    assert results(Engine("own", command), chosen=chosen) == {}


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("name", "old", "new"), BUGS, ids=[f"{bug[0]}-{number}" for number, bug in enumerate(BUGS)]
)
def test_a_planted_bug_is_found(tmp_path: Path, name: str, old: str, new: str) -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "buggy.py"
    file.write_text(text.replace(old, new), encoding="utf-8")
    checker = Checker(Engine("buggy", [*PYTHON, str(file)]), 0.3, no_log)
    result = run_check(CHECKS[NAMES.index(name)], checker)
    checker.close()
    assert result.state == "failed", result


@pytest.mark.usefixtures("impatient")
def test_an_engine_that_is_never_ready_fails_once(tmp_path: Path) -> None:
    """Otherwise the report takes ten seconds for each check."""
    file = tmp_path / "silent.py"
    file.write_text("import sys\nsys.stdin.read()", encoding="utf-8")
    checker = Checker(Engine("silent", [*PYTHON, str(file)]), 0.2, no_log)
    results = [run_check(check, checker) for check in CHECKS]
    checker.close()
    assert [result.state for result in results] == ["failed"] + ["skipped"] * (len(CHECKS) - 1)
    report = to_plain(engine_check_page("silent", results))
    assert report.count("skip") == report.count("does not answer hello with ready") + 1 == 2
    assert "(flush the output after each message)" in report


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_an_error_in_place_of_an_answer_is_reported(tmp_path: Path) -> None:
    engine = scripted(tmp_path, "send(type='error', code='unsupported', text='no', battle=message['battle'])")
    reasons = results(engine, 5.0)
    assert reasons["open-questions"] == reasons["answer-fields"] == 'reports the error "no"'


@pytest.mark.slow
def test_an_engine_that_cannot_be_compared_is_not_blamed(tmp_path: Path) -> None:
    text = SAMPLE.read_text(encoding="utf-8").replace('random.Random(message["seed"])', "random.Random()")
    file = tmp_path / "free.py"
    file.write_text(text, encoding="utf-8")
    checker = Checker(Engine("free", [*PYTHON, str(file)]), 60, no_log)
    result = run_check(CHECKS[NAMES.index("nothing-hidden")], checker)
    checker.close()
    assert result.state == "skipped"


@pytest.mark.slow
def test_the_report_counts_the_checks_and_the_exit_code_says_if_one_failed(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [CHECKS[NAMES.index(name)] for name in ("protocol", "plays-strategy-war", "quit")]
    monkeypatch.setattr("cardbattle.cli.commands.engine.CHECKS", some)
    good = sh("engine", "check", "sample", "--engine", COMMAND, "--format", "plain")
    assert good.code == 0
    assert "pass protocol: answers hello with ready, protocol 1\n" in good.out
    assert good.out.endswith("3 of 3 checks passed.\n")
    text = SAMPLE.read_text(encoding="utf-8").replace("sys.exit()", "sys.exit(3)")
    file = sh.write("buggy.py", text)
    bad = sh("engine", "check", "buggy", "--engine", f"buggy={' '.join(PYTHON)} {file}", "--json")
    assert bad.code == 1
    report = json.loads(bad.out)
    assert (report["passed"], report["failed"]) == (2, 1)
    assert report["checks"][2]["reason"] == "ended with exit code 3"
    assert "--engine-log FILE" in bad.err


def test_an_engine_that_is_not_defined_cannot_be_checked(sh: Shell) -> None:
    assert sh("engine", "check", "nobodys").code == 2


def test_a_question_that_is_asked_again_has_no_events() -> None:
    """As in a battle with the host, where an event is sent once."""
    lines: list[str] = []
    checker = Checker(sample(), 60.0, lines.append)
    check = next(check for check in CHECKS if check.name == "illegal-twice")
    try:
        assert run_check(check, checker).state == "passed"
    finally:
        checker.close()
    sent = [json.loads(line.partition(" > ")[2]) for line in lines if " > " in line]
    questions: dict[tuple[str, int], list[object]] = {}
    for message in sent:
        if message["type"] == "ask":
            questions.setdefault((message["battle"], message["sequence"]), []).append(message["events"])
    again = [events for asked in questions.values() for events in asked[1:]]
    assert again == [[], []]
