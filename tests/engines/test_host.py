"""The host: engines that hang, crash or answer wrongly, deadlines, fallbacks and the environment."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cardbattle import Remark, resolve, verify
from cardbattle.battles.records.record import dumps_record
from cardbattle.commanders import CommanderFailed
from cardbattle.core.chance import stream
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.engines import process
from cardbattle.engines.definitions import Engine, environment_for_engines
from cardbattle.engines.description import Clock
from cardbattle.engines.host import EngineCommander, RunningEngine
from cardbattle.engines.process import EngineProcess
from cardbattle.rules import find
from tests.engines.test_protocol import messages
from tests.support.engines import FIRST, PYTHON, allowed, program, sample, scripted

FIRST_OPTION = "answer(message, message['options'][0]['id'])"
READY = "input(); send(type='ready', protocol=1, name='test')\n"
TOO_LONG = "engine test sent a message of more than 1,000,000 bytes"
QUICK, USUAL = Clock(0.05), Clock()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for engines that a busy machine runs slowly."""
    monkeypatch.setattr(process, "GRACE", 60)
    monkeypatch.setattr(process, "PARTING", 60)


@pytest.fixture
def impatient(patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for an engine that hangs."""
    monkeypatch.setattr(process, "GRACE", 0.1)
    monkeypatch.setattr(process, "PARTING", 0.1)


def failure(engine: Engine, clock: Clock = USUAL) -> str:
    """Return the error of a battle that stops because the engine fails."""
    with allowed(engine, clock=clock), pytest.raises(CommanderFailed) as failed:
        resolve("strategy-war", seed=1, p1="engine:test")
    return str(failed.value)


def test_one_process_serves_many_battles(tmp_path: Path) -> None:
    with allowed(scripted(tmp_path, FIRST_OPTION)) as log:
        for seed in range(3):
            verify(resolve("strategy-war", seed=seed, p1="engine:test"))
    kinds = [str(message["type"]) for _, message in messages(log)]
    assert (kinds.count("hello"), kinds.count("new"), kinds.count("result")) == (1, 3, 3)
    assert [message["battle"] for _, message in messages(log) if message["type"] == "result"] == [
        *("battle-1", "battle-2", "battle-3")
    ]


def test_the_questions_of_a_seat_are_numbered_and_its_events_come_once(tmp_path: Path) -> None:
    with allowed(scripted(tmp_path, FIRST_OPTION)) as log:
        record = resolve("field-of-honour", seed=2, north="engine:test", south="regular")
    asked = [message for _, message in messages(log) if message["type"] == "ask"]
    assert [message["sequence"] for message in asked] == list(range(1, len(asked) + 1))
    events = []
    for _, message in messages(log):
        if message["type"] in ("ask", "event"):
            reported = message["events"]
            assert isinstance(reported, list)
            events += reported
    assert [event["event"] for event in events].count("ended") == 1
    moves = [move for move in record.moves if move.startswith("north ")]
    assert len(moves) == len(asked)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("sys.exit(7)", "engine test ended with exit code 7"),
        ("raise KeyError('queen')", "engine test ended with exit code 1: KeyError: 'queen'"),
        ("sys.exit('Died at line 3.')", "engine test ended with exit code 1: Died at line 3"),
        ("print('x' * 2_000_000, flush=True)", TOO_LONG),
        ("print('x' * 2_000_000, end='', flush=True)\nsys.exit()", TOO_LONG),
        ("print('{}', end='', flush=True)\nsys.exit(7)", "engine test ended with exit code 7"),
        ("print('hello', flush=True)", 'engine test sent "hello"'),
        ("answer(message, 'all of them')\n" * 3, "engine test gave 3 illegal answers to one question"),
        ("answer(message, 3)\n" * 3, "engine test gave 3 illegal answers to one question"),
        (
            "send(type='error', code='unsupported', text='no', battle=message['battle'])",
            'engine test reports "no"',
        ),
    ],
)
def test_a_failing_engine_is_reported(tmp_path: Path, lines: str, reason: str) -> None:
    assert failure(scripted(tmp_path, lines)) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("input()", "engine test ended with exit code 0"),
        ("input(); send(type='answer')", 'engine test answered hello with "answer"'),
        ("input(); send(type='ready', protocol=2)", "engine test speaks protocol 2, not 1"),
        ("input(); send(type='ready', protocol=True)", "engine test speaks protocol true, not 1"),
        (
            "input(); send(type='ready', protocol=1, name='x', rules=['chess']); input()",
            "engine test does not play Strategy WAR",
        ),
    ],
)
def test_an_engine_that_is_not_ready_is_reported(tmp_path: Path, text: str, reason: str) -> None:
    assert failure(program(tmp_path, text)) == reason


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ("", 'expected a text as "name"'),
        (", name=5", 'expected a text as "name"'),
        (", name='x', version=5", 'expected a text as "version"'),
        (", name='x', author=['x']", 'expected a text as "author"'),
        (", name='x', rules='wargame'", 'expected a list of texts as "rules"'),
        (", name='x', rules=['wargame', 1]", 'expected a list of texts as "rules"'),
        (", name='x', wants='position'", 'expected a list of texts as "wants"'),
    ],
)
def test_an_invalid_ready_is_refused(tmp_path: Path, fields: str, reason: str) -> None:
    engine = program(tmp_path, f"input(); send(type='ready', protocol=1{fields}); input()")
    assert failure(engine) == f"engine test sent an invalid message; ready: {reason}"


def test_an_engine_is_refused_in_every_battle_of_a_match(tmp_path: Path) -> None:
    """Otherwise an engine of another protocol loses only the first battle."""
    lines = "send(type='ready', protocol=2)\n" * 2
    with allowed(program(tmp_path, f"input()\n{lines}input()")):
        for seed in range(3):
            with pytest.raises(CommanderFailed, match="speaks protocol 2"):
                resolve("strategy-war", seed=seed, p1="engine:test")


def test_the_battle_after_a_message_that_is_too_long_is_played(tmp_path: Path) -> None:
    """The rest of a long line is not the engine's next message."""
    lines = f"print('x' * 2_500_000, flush=True) if count == 1 else {FIRST_OPTION}"
    with allowed(scripted(tmp_path, lines)) as log:
        with pytest.raises(CommanderFailed, match=TOO_LONG):
            resolve("strategy-war", seed=1, p1="engine:test")
        verify(resolve("strategy-war", seed=2, p1="engine:test"))
    assert sum('"type":"hello"' in line for line in log) == 1


def test_a_message_can_have_a_million_bytes_and_end_with_a_carriage_return(tmp_path: Path) -> None:
    lines = """
text = json.dumps(dict(type="answer", battle=message["battle"], sequence=count,
    option=message["options"][0]["id"], comment=""))
long = text.replace('""', json.dumps("x" * (1_000_000 - len(text)))) if count == 1 else text + "\\r"
print(long, flush=True)"""
    with allowed(scripted(tmp_path, lines)) as log:
        verify(resolve("strategy-war", seed=1, p1="engine:test"))
    assert max(len(line.split(" ", 2)[2]) for line in log) == 1_000_000


@pytest.mark.parametrize(
    "lines",
    [
        "time.sleep(60)",
        "os.close(1); time.sleep(60)",
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)",
    ],
)
@pytest.mark.usefixtures("impatient")
def test_a_hung_engine_is_ended(tmp_path: Path, lines: str) -> None:
    assert failure(scripted(tmp_path, lines), QUICK).startswith("engine test ")


@pytest.mark.usefixtures("impatient")
def test_an_engine_that_never_reads_is_ended(tmp_path: Path) -> None:
    """Even if the pipe to it is full, so that writing blocks."""
    running = EngineProcess(program(tmp_path, "time.sleep(60)"))
    running.grace = 0.05
    running.allow(0.05)
    with pytest.raises(CommanderFailed, match=r"did not answer in time .* \(flush the output"):
        running.send({"type": "event", "text": "x" * 10_000_000})
    running.close()


def test_an_engine_can_answer_after_stop(tmp_path: Path) -> None:
    """At the deadline the host sends `stop`, and accepts an answer that comes at once."""
    lines = f"sys.stdin.readline() if count == 1 else None\n{FIRST_OPTION}"
    with allowed(scripted(tmp_path, lines), clock=QUICK) as log:
        verify(resolve("strategy-war", seed=1, p1="engine:test"))
    stops = [message for _, message in messages(log) if message["type"] == "stop"]
    assert stops[0] == {"type": "stop", "battle": "battle-1", "sequence": 1}


def asked_again(folder: Path, clock: Clock) -> list[dict[str, object]]:
    """Return the messages of a battle whose first question gets two illegal answers, each after 0.1 s."""
    lines = f"""
time.sleep(0.1 if count <= 3 else 0)
answer(message, "nothing") if count <= 2 else {FIRST_OPTION}"""
    with allowed(scripted(folder, lines), clock=clock) as log:
        resolve("strategy-war", seed=1, p1="engine:test")
    return [message for _, message in messages(log)]


def test_a_question_that_is_asked_again_has_its_full_time(tmp_path: Path) -> None:
    log = asked_again(tmp_path, Clock(60))
    asked = [message for message in log if message["type"] == "ask"]
    assert [(message["sequence"], message["time_left"]) for message in asked[:4]] == [
        *((1, 60_000), (1, 60_000), (1, 60_000), (2, 60_000))
    ]


def test_the_time_for_illegal_answers_counts_for_the_battle(tmp_path: Path) -> None:
    log = asked_again(tmp_path, Clock(60, 60.05))
    left = [int(str(message["time_left"])) for message in log if message["type"] == "ask"]
    assert left[0] == 60_000
    assert left[1] <= 59_950
    assert left[2] <= 59_850
    assert left[3] <= 59_750


def test_the_time_for_a_battle_is_shared_by_its_decisions(tmp_path: Path) -> None:
    lines = f"time.sleep(0.02)\n{FIRST_OPTION}"
    with allowed(scripted(tmp_path, lines), clock=Clock(5, 0.1)) as log:
        resolve("strategy-war", seed=1, p1="engine:test")
    left = [message["time_left"] for _, message in messages(log) if message["type"] == "ask"]
    assert left[0] == 100
    assert left == sorted(left, reverse=True, key=lambda time: int(str(time)))
    assert int(str(left[-1])) < 100


def test_a_commander_takes_over_from_a_failed_engine(tmp_path: Path) -> None:
    lines = f"sys.exit(1) if count == 3 else None\n{FIRST_OPTION}"
    side = {"commander": "engine:test", "if_engine_fails": "seasoned"}
    with (
        allowed(scripted(tmp_path, lines)),
        pytest.warns(Remark, match="seasoned commands p1 from question 3"),
    ):
        record = resolve("strategy-war", seed=1, p1=side)
    assert verify(record).startswith(f"{len(record.moves)} moves agree")
    assert 'commander = "engine:test"' in dumps_record(record)
    assert record.sides[0].substitutes == ["3: seasoned"]


def test_a_failed_engine_forfeits_where_the_rules_have_a_resignation(tmp_path: Path) -> None:
    side = {"commander": "engine:test", "if_engine_fails": "forfeit"}
    with allowed(scripted(tmp_path, "sys.exit(1)")), pytest.warns(Remark, match="brown forfeits"):
        record = resolve("wargame", seed=1, brown=side, green="green")
    assert (record.winners, record.reason) == (["green"], "resigned")
    verify(record)


@pytest.mark.parametrize(
    ("rules", "side", "error"),
    [
        ("strategy-war", {"commander": "engine:test", "if_engine_fails": "forfeit"}, "has no resignation"),
        (
            "wargame",
            {"commander": "engine:test", "if_engine_fails": "engine:test"},
            "a commander of the program",
        ),
        ("wargame", {"commander": "engine:test", "if_engine_fails": "vetran"}, 'did you mean "veteran"'),
        (
            "wargame",
            {"commander": "green", "if_engine_fails": "stop"},
            "only an engine reads if_engine_fails",
        ),
    ],
)
def test_a_fallback_that_is_not_possible_is_refused(rules: str, side: dict[str, object], error: str) -> None:
    key = "p1" if rules == "strategy-war" else "brown"
    with allowed(sample()), pytest.raises(InvalidInput, match=error):
        resolve(rules, seed=1, sides={key: side})


def test_a_failed_engine_is_started_again_for_the_next_battle(tmp_path: Path) -> None:
    with allowed(scripted(tmp_path, f"sys.exit(1) if count == 2 else None\n{FIRST_OPTION}")) as log:
        for seed in (1, 2):
            with pytest.raises(CommanderFailed):
                resolve("strategy-war", seed=seed, p1="engine:test")
    assert [message["type"] for _, message in messages(log)].count("hello") == 2


def test_an_engine_gets_a_limited_environment_and_no_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    lines = f"{READY}sys.stderr.write(json.dumps([dict(os.environ), sys.argv[1:]]))"
    engine = program(tmp_path, lines)
    file = tmp_path / "started"
    running = EngineProcess(engine._replace(command=[*engine.command, f"; touch {file} $HOME"]))
    running.send({"type": "hello"})
    running.receive()
    running.child.wait()
    running.errors.seek(0)
    environment, arguments = json.loads(running.errors.read())
    running.close()
    assert arguments == [f"; touch {file} $HOME"]
    assert not file.exists()
    assert environment.keys() <= {*environment_for_engines(), "LC_CTYPE"}
    assert "SECRET_TOKEN" not in environment


def test_a_program_that_is_missing_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="is not a program on the PATH"):
        EngineProcess(Engine("test", ["no-such-program"]))
    with pytest.raises(UsageError, match="name the program that runs this file"):
        EngineProcess(Engine("test", [__file__]))


@pytest.mark.usefixtures("impatient")
def test_closing_leaves_no_process(tmp_path: Path) -> None:
    running = EngineProcess(program(tmp_path, f"{READY}time.sleep(60)"))
    running.send({"type": "hello"})
    running.receive()
    assert running.close() is None
    assert running.child.poll() is not None
    if os.name == "posix":
        with pytest.raises(ProcessLookupError):
            os.killpg(running.child.pid, 0)


def test_the_seed_of_an_engine_does_not_follow_from_the_battle(tmp_path: Path) -> None:
    """Otherwise an engine could try all short seeds, and find the deal."""
    assert FIRST and PYTHON
    with allowed(scripted(tmp_path, FIRST_OPTION)) as log:
        for _ in range(2):
            resolve("strategy-war", seed=1, p1="engine:test")
    seeds = [message["seed"] for _, message in messages(log) if message["type"] == "new"]
    assert len(set(seeds)) == 2
    assert all(0 <= int(str(seed)) < 2**53 for seed in seeds)


def test_an_engine_cannot_repeat_the_draws_of_its_positions(tmp_path: Path) -> None:
    """Its seed starts another stream: with the same one it could undo the shuffle of a pack."""
    running = RunningEngine(program(tmp_path, READY))
    commander = EngineCommander(running, find("field-of-honour"), "battle-1", USUAL)
    assert commander.chance.bits() != stream(commander.seed, "position").bits()
