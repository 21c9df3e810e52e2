"""A newcomer's first commands: help, misspelt names, the wrong kind of file, keys."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardbattle.cli.root import command_line
from cardbattle.show.pages.topics import topic_texts
from tests.cli.test_cli import TWO, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.simulation.test_workers import linux_only, read_all, wait_until
from tests.support.reference import commands_in


@pytest.mark.parametrize("group", [[], ["campaign"]])
def test_help_has_every_summary_whole_in_80_columns(sh: Shell, group: list[str]) -> None:
    page = sh(*group, "--help").out
    assert max(map(len, page.splitlines())) <= 80
    lines = page.partition("\nCommands:\n")[2].partition("\n\n")[0].splitlines()
    assert len(lines) == len(commands_in(page)) > 10
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)


@pytest.mark.parametrize("group", ["campaign", "config"])
def test_a_group_alone_prints_its_help_whole(sh: Shell, group: str) -> None:
    said = sh(group)
    assert (said.code, said.err) == (2, "")
    assert said.out == sh(group, "--help").out


def test_the_program_alone_shows_three_commands_that_work(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    said = sh()
    assert (said.code, said.err) == (2, "")
    commands = [line[2:].split("   ")[0] for line in said.out.splitlines() if line.startswith("  ")]
    assert len(commands) == 3
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    for command in commands:
        assert sh(*command.split()[1:]).code == 0, command


def test_the_topics_that_the_program_alone_names_exist(sh: Shell) -> None:
    names = re.search(r"^Topics, such as (\S+) and (\S+):", sh().out, re.MULTILINE)
    assert names and set(names.groups()) <= topic_texts().keys()


@pytest.mark.slow
def test_the_demo_ends_with_commands_that_work(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    ending = sh("demo").out.rpartition("What to do next:\n")[2].splitlines()
    assert ending[0] == "  cd cider-war"
    monkeypatch.chdir("cider-war")
    for line in ending[1:]:
        command = line[2:].partition("  ")[0].split()[1:]
        if "--ask" not in command and "play" not in command:  # they wait for answers
            assert sh(*command).code == 0, line


COMMANDS = {
    "battle": "resolve {0}",
    "record": "replay {0}",
    "batch": "batch {0}",
    "results": "campaign import {0}",
    "campaign": "campaign -C . fight",
    "ledger": "campaign -C . history",
}


@pytest.fixture
def files(sh: Shell) -> dict[str, str]:
    """Give a file of each kind by its name."""
    assert sh("demo", "war").code == 0
    sh.write("battle.toml", TWO)
    assert sh("resolve", "battle.toml", "--series", "1", "-o", "results.toml", "-q").code == 0
    assert sh("resolve", "battle.toml", "-o", "record.toml", "-q").code == 0
    sh.write("batch.toml", 'defaults.rules = "strategy-war"\n[[battle]]\nsides = { a = {}, b = {} }\n')
    for name, kind in (("campaign", "campaign"), ("history", "ledger")):
        (sh.folder / "war" / f"{name}.toml").rename(sh.folder / f"{kind}.toml")
    campaign = sh.folder / "campaign.toml"  # like a campaign without a ledger
    campaign.write_text(campaign.read_text(encoding="utf-8").replace("revision = 1", "revision = 0"), "utf-8")
    return {kind: f"{kind}.toml" for kind in COMMANDS}


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        (["resolve"], ["battle"]),
        (["odds", "-n", "2"], ["battle"]),
        (["replay"], ["record"]),
        (["verify"], ["record"]),
        pytest.param(["analyse", "-n", "10", "--positions", "2"], ["record"], marks=pytest.mark.slow),
        (["batch"], ["batch"]),
        (["campaign", "import", "--dry-run"], ["record", "results"]),
    ],
    ids=lambda words: words[0],
)
def test_another_kind_of_file_is_told_with_its_command(
    sh: Shell, files: dict[str, str], command: list[str], wanted: list[str]
) -> None:
    for kind, name in files.items():
        said = sh(*command, name)
        if kind in wanted:
            assert "this is" not in said.err
            continue
        assert (said.code, said.out) == (3, "")
        assert re.match(rf"cardbattle: {name}:[0-9]+: this is ", said.err)
        assert said.err.endswith(f"with: cardbattle {COMMANDS[kind].format(name)}\n")
        assert said.err.count("\n") == 1


def test_a_battle_that_is_not_over_is_named_with_the_command_that_continues_it(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is played at the prompt, at a table, by message, or in a campaign."""
    remedies = {
        "hand": "continue it with: cardbattle play hand.battle.toml",
        "table": "continue it with: cardbattle play table.battle.toml",
        "mail": "continue it with: cardbattle orders take mail.battle.toml ANSWERS.txt",
        "war/w": "see what it needs with: cardbattle campaign -C war waiting",
    }
    sh.write("mail.toml", f'id = "mail"\n{TWO.replace("green", "human")}')
    played = ["play", "strategy-war", "--side", "a", "--side", "b", "--save"]
    for answers, begin in (
        ("quit", [*played, "hand.battle.toml"]),
        ("7\nquit", [*played, "table.battle.toml", "--table"]),
        ("", ["orders", "ask", "mail.toml"]),
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{answers}\n"))
        assert sh(*begin).code == 0
    (sh.folder / "war").mkdir()
    bound = 'bound = { campaign = "war" }\n'
    sh.write("war/w.battle.toml", bound + (sh.folder / "hand.battle.toml").read_text(encoding="utf-8"))
    for name, remedy in remedies.items():
        for command in ("resolve", "odds", "replay", "verify"):
            said = sh(command, f"{name}.battle.toml")
            line, _, text = said.err.partition(": this is ")
            assert re.fullmatch(rf"cardbattle: {name}.battle.toml:[0-9]+", line) and said.code == 3
            assert text == f"a battle that is not over; {remedy}\n"


def test_a_file_with_a_space_in_its_name_is_named_as_the_shell_reads_it(sh: Shell) -> None:
    sh.write("my battle.toml", TWO)
    assert sh("replay", "my battle.toml").err.endswith("with: cardbattle resolve 'my battle.toml'\n")


def test_another_kind_of_file_on_standard_input_is_told(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TWO.encode())))
    said = sh("replay", "-")
    assert (said.code, said.err) == (
        3,
        "cardbattle: standard input:3: this is a battle file; fight it with: cardbattle resolve -\n",
    )


def test_a_folder_where_a_file_is_wanted_is_told_what_to_name(sh: Shell) -> None:
    (sh.folder / "empty").mkdir()
    (sh.folder / "some").mkdir()
    sh.write("some/b.toml", TWO)
    assert sh("demo", "war").code == 0
    for command in (["resolve"], ["replay"], ["verify"], ["batch"], ["campaign", "-C", "war", "import"]):
        said = sh(*command, "empty")
        assert (said.code, said.err) == (3, "cardbattle: empty: this is a folder; name a file in it\n")
        assert sh(*command, "some").err.endswith("name a file in it, such as some/b.toml\n")
        assert sh(*command, "war").err.endswith("with: cardbattle campaign -C war fight\n")


def test_a_spreadsheet_where_a_battle_is_wanted_is_told(sh: Shell) -> None:
    sh.write("b.csv", "id,rules\nx,strategy-war\n")
    assert "this is a spreadsheet; fight its battles with: cardbattle batch b.csv" in sh("odds", "b.csv").err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (
            ["resolve", "Strategy War", "--side", "York=Green", "--side", "Lancaster", "--seed", "1"],
            ["resolve", "strategy-war", "--side", "york=green", "--side", "lancaster", "--seed", "1"],
        ),
        (
            ["resolve", "two.toml", "--side", "York=GREEN", "--set", "York.Cards=K", "--for", "York"],
            ["resolve", "two.toml", "--side", "york=green", "--set", "york.cards=K", "--for", "york"],
        ),
        (["resolve", "two.toml", "--detail", "Brief", "--format", "JSON"], ["resolve", "two.toml", "--json"]),
        (["rules", "Field_of_Honour"], ["rules", "field-of-honour"]),
        (["campaign", "-C", "war/campaign.toml", "show"], ["campaign", "-C", "war", "show"]),
        (
            ["campaign", "-C", "war", "fight", "Mill", "--dry-run"],
            ["campaign", "-C", "war", "fight", "mill", "--dry-run"],
        ),
        (
            ["campaign", "-C", "war", "override", "Mill", "--winner", "Birch", "--reason", "x", "--dry-run"],
            ["campaign", "-C", "war", "override", "mill", "--winner", "birch", "--reason", "x", "--dry-run"],
        ),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_what_is_typed_otherwise_is_understood(sh: Shell, typed: list[str], meant: list[str]) -> None:
    sh.write("two.toml", TWO)
    assert sh("demo", "war").code == 0
    said, expected = sh(*typed), sh(*meant)
    assert said == expected
    assert said.code == 0


@pytest.mark.parametrize(
    ("typed", "code", "told"),
    [
        (
            ["show"],
            2,
            'unknown command "show"; did you mean "cardbattle cases show", "cardbattle campaign show" or '
            '"cardbattle campaign orders show"?',
        ),
        (
            ["-C", "war", "campaign", "show"],
            2,
            "after the word campaign, for example cardbattle campaign -C DIR show",
        ),
        (
            ["campaign", "-C", "war/records", "show"],
            3,
            "war/records is not a campaign: it has no campaign.toml",
        ),
        (["campaign", "-C", "war/records", "show"], 3, "; the campaign is in war\n"),
        (["campaign", "-C", "war/history.toml", "show"], 3, "; the campaign is in war\n"),
        (
            ["campaign", "-C", "nowhere", "show"],
            3,
            "nowhere is not a campaign: it has no campaign.toml\n",
        ),
    ],
)
def test_what_is_not_understood_is_told_with_what_would_be_right(
    sh: Shell, typed: list[str], code: int, told: str
) -> None:
    assert sh("demo", "war").code == 0
    said = sh(*typed)
    assert said.code == code
    assert said.err.count("\n") == 1
    assert told in said.err


def stepped(folder: Path, keys: list[str]) -> tuple[int, str]:
    """Return the exit code and the screen of `replay --step` after these keys, each pressed at a move."""
    import pty
    import termios

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cardbattle", "replay", "r.toml", "--step"]
    with subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs) as program:
        seen = b""
        for move, key in enumerate(keys, 1):
            while f"\n{move}. ".encode() not in seen:
                seen += os.read(ours, 4096)
            assert wait_until(lambda: not termios.tcgetattr(theirs)[3] & termios.ICANON, 20)
            os.write(ours, key.encode())
        os.close(theirs)
        seen += read_all(ours).encode()
    return program.returncode, seen.decode()


@pytest.mark.slow
@linux_only
@pytest.mark.parametrize(
    ("keys", "code", "moves"),
    [(["\r", " ", "q"], 0, 3), (["\r", "\x1b[C", "\x03"], 130, 3), (["a"], 0, 26)],
    ids=["q", "ctrl-c", "a"],
)
def test_a_battle_is_stepped_through_by_keys(
    sh: Shell, tmp_path: Path, keys: list[str], code: int, moves: int
) -> None:
    assert sh("resolve", sh.write("two.toml", TWO), "-o", "r.toml", "-q").code == 0
    left, seen = stepped(tmp_path, keys)
    assert left == code
    assert "Enter or space: next move; a: all remaining moves; q: stop" in seen
    assert "Traceback" not in seen
    numbers = re.findall(r"^([0-9]+)\. ", seen.replace("\r", ""), re.MULTILINE)
    assert numbers == [str(number) for number in range(1, moves + 1)]


def test_a_usage_line_has_no_brackets_in_brackets() -> None:
    for command in every_command(command_line()):
        usage = " ".join(
            command.collect_usage_pieces(
                command.make_context("x", [], resilient_parsing=True, help_option_names=["-h", "--help"])
            )
        )
        assert "[[" not in usage, usage
        assert "......" not in usage.replace("]", "").replace("}", ""), usage


def every_command(command: Any) -> Iterator[Any]:
    """Yield a command and all below it."""
    yield command
    for below in getattr(command, "commands", {}).values():
        yield from every_command(below)


def test_a_rule_set_beside_a_folder_of_its_name_is_the_rule_set(sh: Shell) -> None:
    """`cardbattle new-rules pike-push` writes such a folder, and proposes `cardbattle play pike-push`."""
    Path("wargame").mkdir()
    assert sh("resolve", "wargame", "--seed", "1", "--detail", "brief").code == 0
    Path("other").mkdir()
    assert sh("resolve", "other").err == "cardbattle: other: this is a folder; name a file in it\n"
