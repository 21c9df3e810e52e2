"""The command line: what it prints where, its exit codes, its one-line errors."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
import tomli_w

from cardbattle import __version__
from cardbattle.cli import app
from cardbattle.cli.app import run
from cardbattle.rules import RULE_SETS, find

ROOT = Path(__file__).parents[2]
TWO = """\
rules = "strategy-war"
seed = 3
[sides.york]
[sides.lancaster]
commander = "green"
"""


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


class Shell:
    """Runs commands in this process, in a folder of their own."""

    def __init__(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self.capsys = capsys
        self.folder = folder

    def __call__(self, *arguments: str) -> Said:
        """Run one command."""
        code = run(list(arguments))
        return Said(code, *self.capsys.readouterr())

    def write(self, name: str, text: str) -> str:
        """Write a file and return its name."""
        (self.folder / name).write_text(text, encoding="utf-8")
        return name


@pytest.fixture
def sh(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Give a shell in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return Shell(capsys, tmp_path)


def outside(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program as a process of its own."""
    command = [sys.executable, "-m", "cardbattle", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, cwd=ROOT)


def test_the_version_is_one_line() -> None:
    done = outside("--version")
    assert done.returncode == 0
    python = ".".join(map(str, sys.version_info[:3]))
    assert re.fullmatch(
        rf"cardbattle {__version__} \((?:compiled|interpreted)\), Python {python} on {sys.platform}\n",
        done.stdout,
    )


def test_the_version_needs_no_library() -> None:
    """It is answered before typer is imported."""
    code = "import sys; sys.argv=['cardbattle','--version']; from cardbattle.__main__ import main; main(); "
    code += "print([m for m in ('typer', 'rich', 'pydantic') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[1] == "[]"


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_rule_set_resolves_in_every_format(sh: Shell, rules: str) -> None:
    for form in ("text", "plain", "json", "md", "html"):
        said = sh("resolve", rules, "--seed", "1", "--format", form)
        assert said.code == 0, said.err
        assert said.out
        assert "Traceback" not in said.err


@pytest.mark.parametrize("rules", RULE_SETS)
def test_results_go_to_standard_output_and_the_seed_is_printed(sh: Shell, rules: str) -> None:
    said = sh("resolve", rules, "--detail", "brief")
    assert [line for line in said.err.splitlines() if not line.startswith("hint: ")] == []
    assert "seed" in said.out.casefold()


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_same_seed_prints_the_same(sh: Shell, rules: str) -> None:
    assert sh("resolve", rules, "--seed", "9").out == sh("resolve", rules, "--seed", "9").out


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_record_resolves_replays_and_verifies(sh: Shell, rules: str) -> None:
    told = sh("resolve", rules, "--seed", "5", "-o", "record.toml", "-q")
    assert told.code == 0
    assert sh("replay", "record.toml").out == told.out
    verified = sh("verify", "record.toml")
    assert verified.code == 0
    assert verified.out.startswith("record.toml: ")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_json_has_the_records_keys_schema_and_events(sh: Shell, rules: str) -> None:
    sh("resolve", rules, "--seed", "5", "-o", "record.toml", "-q")
    record = tomllib.loads((sh.folder / "record.toml").read_text(encoding="utf-8"))
    told = json.loads(sh("resolve", rules, "--seed", "5", "--json").out)
    assert told.pop("schema") == 1
    events = told.pop("events")
    assert all("event" in event for event in events)
    assert told == record


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_side_is_told_neither_seed_nor_deal(sh: Shell, rules: str) -> None:
    side = find(rules).default_sides[0]
    for form in ("text", "plain", "md", "html"):
        said = sh("resolve", rules, "--seed", "71948236", "--for", side, "--format", form)
        assert "71948236" not in said.out
        assert "71948236" not in said.err
    told = json.loads(sh("resolve", rules, "--seed", "71948236", "--for", side, "--json").out)
    assert not {"seed", "deal", "digest", "checks", "id"} & told.keys()
    assert all(move.startswith(f"{side} ") for move in told["moves"])


def test_a_bare_rule_set_takes_sides_and_commanders(sh: Shell) -> None:
    told = json.loads(sh("resolve", "brainwar", "--side", "york=green", "--side", "lancaster", "--json").out)
    assert told["rules"] == "strategy-war"
    assert told["seats"] == ["york", "lancaster"]
    assert [told["sides"][key]["commander"] for key in told["seats"]] == ["green", "regular"]


def test_a_text_seed_stays_text(sh: Shell) -> None:
    told = json.loads(sh("resolve", "brainwar", "--seed", "a stormy night", "--json").out)
    assert told["seed"] == "a stormy night"


def test_settings_change_options_and_house_rules(sh: Shell) -> None:
    arguments = ["--set", "p1.cards=A,K", "--set", "house.rounds=2", "--json"]
    told = json.loads(sh("resolve", "brainwar", *arguments).out)
    assert told["sides"]["p1"]["cards"] == ["K", "A"]
    assert told["house"]["rounds"] == 2


def test_a_battle_file_is_read_from_standard_input(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TWO.encode())))
    assert sh("resolve", "-", "--detail", "brief").code == 0


def test_a_record_goes_to_standard_output(sh: Shell) -> None:
    said = sh("resolve", sh.write("b.toml", TWO), "-o", "-")
    assert tomllib.loads(said.out)["seed"] == 3
    assert "seed 3" in said.err


def test_a_series_writes_results_and_records(sh: Shell) -> None:
    said = sh("resolve", sh.write("b.toml", TWO), "--series", "3", "-o", "out.toml", "--json")
    table = tomllib.loads((sh.folder / "out.toml").read_text(encoding="utf-8"))
    assert len(table["result"]) == 3
    for result in table["result"]:
        assert sh("verify", result["record"]).code == 0
    told = json.loads(said.out)
    scores = [battle["sides"]["york"]["score"] for battle in told["series"]]
    assert told["points"]["york"] == sum(scores)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["resolve", "brainwr"], 2, 'unknown rule set "brainwr"; did you mean "brainwar"?'),
        (["resolve", "brainwar", "--sed", "1"], 2, 'unknown option "--sed"; did you mean "--seed"?'),
        (["resolve"], 2, "RULES|BATTLE.toml is missing: a rule set, a battle file, or - for standard input"),
        (["odd"], 2, 'unknown command "odd"; did you mean "cardbattle odds"?'),
        (
            ["odds", "wargame", "-n", "many"],
            2,
            '-n: expected a whole number from 1 to 1000000000, got "many"',
        ),
        (["resolve", "brainwar", "--seed", "-1"], 2, "--seed: expected a seed"),
        (["resolve", "brainwar", "--set", "p1.cards=1"], 2, "--set p1.cards: expected a rank"),
        (["resolve", "brainwar", "--set", "p1.hand=1"], 2, "--set p1.hand"),
        (
            ["resolve", "wargame", "--set", "brown.chips=20", "--set", "green.chips=x"],
            2,
            "--set brown.chips: expected a whole number from 0 to 13, got 20; --set green.chips: expected a "
            'whole number from 0 to 13, got "x"',
        ),
        (["resolve", "brainwar", "--set", "p9.cards=K"], 2, "there is no side p9"),
        (["resolve", "brainwar", "--set", "rounds=2"], 2, "--set rounds=2: write house.rounds=2"),
        (["resolve", "brainwar", "--set", "cards"], 2, "--set cards: write SIDE.cards=VALUE"),
        (["resolve", "brainwar", "--set", "hand=2"], 2, "write SIDE.OPTION=VALUE or house.OPTION=VALUE"),
        (
            ["resolve", "wargame", "--side", "york"],
            2,
            "--side: Wargame is fought by 2 sides, got 1; give --side once",
        ),
        (
            ["resolve", "wargame", "--side", "york=vetran", "--side", "a"],
            2,
            '--side york: unknown commander "vetran"',
        ),
        (["resolve", "brainwar", "--side", "House York"], 2, 'got "house york", such as "house-york"'),
        (["resolve", "brainwar", "--side", "\u7e54\u7530"], 2, "--side: expected a key of a to z"),
        (["resolve", "brainwar", "--side", "york=vetran", "--side", "a"], 2, 'commander "vetran"'),
        (["resolve", "brainwar", "--for", "p9"], 2, '--for: unknown value "p9"'),
        (["resolve", "brainwar", "--format", "csv"], 2, '--format: unknown value "csv"'),
        (["resolve", "brainwar", "--detail", "full"], 2, '--detail: unknown value "full"'),
        (["resolve", "missing.toml"], 3, "missing.toml: there is no such file"),
        (["resolve", "."], 3, "this is a folder"),
        (["replay", "missing.toml"], 3, "there is no such file"),
        (["verify", "missing.toml"], 3, "there is no such file"),
        (["campaign", "show"], 3, "there is no campaign.toml"),
        (["rules", "chess"], 2, 'unknown rule set "chess"'),
    ],
)
def test_an_error_is_one_line_with_its_code(sh: Shell, arguments: list[str], code: int, words: str) -> None:
    said = sh(*arguments)
    assert said.code == code
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("cardbattle: ")
    assert words in said.err


def test_a_file_with_several_mistakes_gets_all_of_them_with_carets(sh: Shell) -> None:
    text = 'rules = "strategy-war"\n[sides.york]\nhand = 3\n[sides.lancaster]\ncommander = "vetran"\n'
    said = sh("resolve", sh.write("b.toml", text))
    assert said.code == 3
    lines = said.err.splitlines()
    assert lines[0].startswith("cardbattle: b.toml:3: sides.york.hand: ")
    assert lines[1:3] == ["    hand = 3", "    ^"]
    assert lines[3].startswith('cardbattle: b.toml:5: sides.lancaster.commander: unknown commander "vetran"')


def test_an_illegal_order_names_its_line_and_the_options(sh: Shell) -> None:
    text = TWO.replace("[sides.york]\n", '[sides.york]\norders = ["commit K",\n  "commit K"]\n')
    said = sh("resolve", sh.write("b.toml", text))
    assert said.code == 3
    assert said.err.startswith("cardbattle: b.toml:5: sides.york.orders.2: york cannot commit K: ")
    assert "choose one of commit 2, commit 3" in said.err


def test_orders_that_nobody_asked_for_are_told(sh: Shell) -> None:
    text = TWO.replace("seed = 3", "seed = 3\n[house]\nrounds = 1")
    text = text.replace("[sides.york]\n", '[sides.york]\norders = ["commit K", "commit A", "fly"]\n')
    said = sh("resolve", sh.write("b.toml", text))
    assert said.code == 0
    assert said.err == "york was never asked for 2 orders: commit A, fly\n"


def test_a_refused_battle_writes_nothing(sh: Shell) -> None:
    sh.write("b.toml", TWO.replace("seed = 3", "seed = -3"))
    before = sorted(os.listdir(sh.folder))
    assert sh("resolve", "b.toml", "-o", "record.toml").code == 3
    assert sorted(os.listdir(sh.folder)) == before


def test_a_changed_record_does_not_verify_nor_replay(sh: Shell) -> None:
    sh("resolve", sh.write("b.toml", TWO), "-o", "r.toml", "-q")
    path = sh.folder / "r.toml"
    record = path.read_text(encoding="utf-8")
    path.write_text(record.replace('"york commit', '"york comit', 1), encoding="utf-8")
    said = sh("verify", "r.toml")
    assert said.code == 1
    assert 'move 1: york cannot choose "comit 6" now' in said.err
    said = sh("replay", "r.toml")
    assert said.code == 3
    assert "r.toml:10: moves.1" in said.err


def test_a_result_that_the_moves_do_not_come_to_is_said(sh: Shell) -> None:
    """A record that was typed in at a table has no digest that would reveal this."""
    sh.write("two.toml", TWO)
    sh("resolve", "two.toml", "-o", "r.toml", "-q")
    table = tomllib.loads((sh.folder / "r.toml").read_text(encoding="utf-8"))
    right, wrong = table["winners"], [key for key in table["seats"] if key not in table["winners"]]
    forged = {key: value for key, value in table.items() if key not in ("checks", "digest")}
    for fought, winners, warned in (("table", right, ""), ("table", wrong, "contradicts itself")):
        sh.write("t.toml", tomli_w.dumps(forged | {"fought": fought, "winners": winners}))
        said = sh("replay", "t.toml")
        assert said.code == 0
        assert warned in said.err
        assert bool(said.err) == bool(warned)
    words = f"winners: the record says {wrong[0]}, the moves give {right[0]}"
    assert said.err.startswith("cardbattle: warning: t.toml: the record contradicts itself: after the last ")
    assert words in said.err
    assert right[0] not in sh("replay", "t.toml", "--for", wrong[0], "--format", "json").err
    verified = sh("verify", "t.toml")
    assert (verified.code, words in verified.err) == (1, True)


def test_a_part_of_a_battle_is_replayed(sh: Shell) -> None:
    sh("resolve", sh.write("b.toml", TWO), "-o", "r.toml", "-q")
    whole = sh("replay", "r.toml", "--format", "plain").out
    part = sh("replay", "r.toml", "--format", "plain", "--from", "3", "--to", "4").out
    assert 0 < part.count("\n") < whole.count("\n")
    assert all(line in whole for line in part.splitlines())


def test_a_part_that_is_not_there_is_refused(sh: Shell) -> None:
    sh("resolve", sh.write("b.toml", TWO), "-o", "r.toml", "-q")
    assert "--from 999: the battle has 26 moves" in sh("replay", "r.toml", "--from", "999").err
    assert "--to 3 is before --from 9" in sh("replay", "r.toml", "--from", "9", "--to", "3").err
    assert "--to 14: the battle has 13 moves" in sh("replay", "r.toml", "--for", "york", "--to", "14").err


def test_a_side_gets_no_whole_record_and_no_outcome_before_the_end(sh: Shell) -> None:
    assert sh("resolve", sh.write("b.toml", TWO), "--for", "york", "-o", "b2.toml").code == 2
    assert "moves =" not in sh("resolve", "b.toml", "--for", "york", "-o", "-").out
    sh("resolve", "b.toml", "-o", "r.toml", "-q")
    told = json.loads(sh("replay", "r.toml", "--for", "york", "--to", "2", "--json").out)
    assert not {"winners", "reason"} & told.keys()
    assert "score" not in told["sides"]["lancaster"]
    assert len(told["moves"]) == 2


def test_no_error_shows_a_side_the_choices_of_another(sh: Shell) -> None:
    text = TWO.replace("[sides.york]\n", '[sides.york]\norders = ["commit 1"]\n')
    sh.write("b.toml", text)
    for more in ([], ["--series", "2"]):
        said = sh("resolve", "b.toml", "--for", "lancaster", *more)
        assert said.code == 3
        assert "commit" not in said.err
    sh("resolve", sh.write("c.toml", TWO), "-o", "r.toml", "-q")
    path = sh.folder / "r.toml"
    record = path.read_text(encoding="utf-8")
    path.write_text(record.replace('"york commit', '"york comit', 1), encoding="utf-8")
    said = sh("replay", "r.toml", "--for", "lancaster")
    assert said.code == 3
    assert "commit" not in said.err


def test_stepping_shows_every_move(sh: Shell) -> None:
    sh("resolve", sh.write("b.toml", TWO), "-o", "r.toml", "-q")
    moves = tomllib.loads((sh.folder / "r.toml").read_text(encoding="utf-8"))["moves"]
    out = sh("replay", "r.toml", "--step").out
    assert all(f"{n}. {move}\n" in out for n, move in enumerate(moves, 1))
    hidden = sh("replay", "r.toml", "--step", "--for", "york").out
    shown = [line.partition(". ")[2] for line in hidden.splitlines()]
    assert all((move in shown) == move.startswith("york ") for move in moves)


def test_no_colour_where_it_is_not_wanted(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in sh("resolve", "brainwar", "--seed", "1").out
    assert "\x1b[" not in sh("resolve", "brainwar", "--seed", "1", "--no-color").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in sh("resolve", "brainwar", "--seed", "1").out


@pytest.mark.slow
def test_a_closed_pipe_ends_quietly() -> None:
    line = f"{sys.executable} -m cardbattle rules wargame | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stderr == ""
    assert done.stdout == "6\n"


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_output_is_refused_by_the_system() -> None:
    command = [sys.executable, "-m", "cardbattle", "resolve", "brainwar", "--seed", "1"]
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT)
    assert done.returncode == 6
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_terminals_without_suit_signs_get_letters() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = [sys.executable, "-m", "cardbattle", "resolve", "field-of-honour", "--seed", "1"]
    done = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, env=environment)
    assert b"?" not in done.stdout
    done.stdout.decode("cp1252")


@pytest.mark.slow
def test_rules_are_listed_with_their_authors_and_printed_with_their_numbers(sh: Shell) -> None:
    listed = sh("rules", "--format", "plain").out
    for key in RULE_SETS:
        assert f"{key}: {find(key).name}. {find(key).credit}" in listed
        assert f"{find(key).code}-1" in sh("rules", key).out


@pytest.mark.slow
def test_the_author_of_strategy_war_is_credited(sh: Shell) -> None:
    for form in ("text", "plain", "md", "html"):
        for detail in ("brief", "tale", "audit"):
            assert "COAN.NET" in sh("resolve", "brainwar", "--format", form, "--detail", detail).out
    for form in ("text", "plain"):
        assert "COAN.NET" in sh("odds", "brainwar", "-n", "5", "--format", form).out
        sh.write("b.csv", "id,rules,sides.a.commander,sides.b.commander\nx,strategy-war,green,green\n")
        assert "COAN.NET" in sh("batch", "b.csv", "--format", form).out
    assert "COAN.NET" in sh("rules", "brainwar").out
    assert "COAN.NET" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_commanders_are_listed(sh: Shell) -> None:
    told = json.loads(sh("commanders", "--json").out)
    assert told["default"] == "regular"
    assert {"green", "regular", "orders"} <= told["commanders"].keys()


def catches(process: int, number: int) -> bool:
    """Return True if a process has a handler for a signal."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    caught = re.search(r"^SigCgt:\s*(\w+)$", status, re.MULTILINE)
    return caught is not None and bool(int(caught[1], 16) >> (number - 1) & 1)


def test_an_interrupted_command_says_so_in_one_line(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(arguments: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "run_command", interrupt)
    assert sh("resolve", "wargame") == (130, "", "cardbattle: interrupted\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_terminated_command_says_so_in_its_code() -> None:
    command = [sys.executable, "-m", "cardbattle", "odds", "field-of-honour", "-n", "100000000", "-j", "1"]
    for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
            while not catches(process.pid, signal.SIGTERM):
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(number)
            process.communicate(timeout=120)
            # If SIGINT meets the creation of a named tuple, Python ends by the signal; a shell shows 130 too.
            assert process.returncode == code or number == signal.SIGINT == -process.returncode


def test_json_and_the_audit_say_where_rules_come_from(sh: Shell) -> None:
    page = json.loads(sh("rules", "field-of-honour", "--json").out)
    sources = {rule["number"]: (rule["source"], rule["ruling"]) for rule in page["rules"]}
    assert sources["FH-1"] == ("author", "")
    assert sources["FH-2"] == ("author", "use two Jokers, even if your pack has more.")
    assert sources["FH-40"] == ("addition", "")
    audit = sh("resolve", "field-of-honour", "--seed", "3", "--detail", "audit", "--format", "plain").out
    assert "\nPublished rules: FH-12.\nPublished rules, completed by a ruling: FH-3, FH-6, " in audit
    assert "\nRulings: FH-9, FH-15 and FH-32.\n" in audit
    assert "Published rules" not in sh("resolve", "field-of-honour", "--seed", "3", "--detail", "log").out


def test_a_number_that_is_no_seed_is_read_as_text_with_a_warning(sh: Shell) -> None:
    for seed in ("1.5", "99999999999999999999"):
        said = sh("resolve", "strategy-war", "--seed", seed, "--detail", "brief", "-q")
        assert said.code == 0 and f'seed "{seed}"' in " ".join(said.out.split())
        assert f"warning: --seed {seed} is read as text; a number is whole, from 0 to" in said.err
