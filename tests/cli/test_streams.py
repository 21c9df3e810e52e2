"""Standard streams that are closed, full or left by their reader; the moments of the start."""

from __future__ import annotations

import errno
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from cardbattle.cli.app import run
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import state
from tests.cli.test_cli_campaign import war as war  # the same campaign

ROOT = Path(__file__).parents[2]
BROKEN = (errno.EPIPE, errno.ENOSPC, errno.EBADF, errno.EIO)


class Broken(io.StringIO):
    """A stream that takes nothing."""

    def __init__(self, number: int, buffered: bool) -> None:
        super().__init__()
        self.number = number
        self.buffered = buffered

    def write(self, text: str) -> int:
        """Keep the text, or refuse it at once."""
        if not self.buffered:
            self.refuse()
        return super().write(text)

    def flush(self) -> None:
        """Refuse what was kept."""
        if self.getvalue():
            self.refuse()

    def refuse(self) -> None:
        """Raise what the system would."""
        kind = BrokenPipeError if self.number == errno.EPIPE else OSError
        raise kind(self.number, os.strerror(self.number))


PRINTING = [
    ("campaign", "show", "--no-odds"),
    ("campaign", "show", "--no-odds", "--format", "plain"),
    ("campaign", "show", "--no-odds", "--json"),
    ("campaign", "standings"),
    ("campaign", "forecast", "-n", "2", "-j", "1"),
    ("campaign", "luck", "-n", "2", "-j", "1", "--json"),
    ("campaign", "report"),
    ("campaign", "schema"),
    ("campaign", "export", "mill"),
    ("campaign", "turn", "--dry-run"),
    ("campaign", "history", "--json"),
    ("rules",),
    ("rules", "wargame"),
    ("commanders",),
    ("resolve", "strategy-war"),
    ("resolve", "strategy-war", "--json"),
    ("resolve", "strategy-war", "-o", "-"),
    ("odds", "strategy-war", "-n", "4", "-j", "1", "--json"),
    ("--version",),
    ("--help",),
    (),
    ("campaign",),
]
WRITING = [
    ("campaign", "turn"),
    ("campaign", "fight", "--no-odds", "teme-ford"),
    ("campaign", "fight", "--no-odds", "teme-ford", "--json"),
    ("campaign", "adjust", "forces.birch.strength=11", "--reason", "x"),
    ("campaign", "override", "teme-ford", "--reason", "x"),
]


def with_broken_output(
    sh: Shell, monkeypatch: pytest.MonkeyPatch, number: int, buffered: bool, *arguments: str
) -> tuple[int, str]:
    """Run a command whose output cannot be written. Return its exit code and its messages."""
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Broken(number, buffered))
        code = run(list(arguments))
    return code, sh.capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("number", BROKEN, ids=errno.errorcode.get)
@pytest.mark.parametrize("buffered", [True, False], ids=["buffered", "at once"])
def test_output_that_nobody_takes_is_the_systems_refusal(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch, number: int, buffered: bool
) -> None:
    for arguments in PRINTING:
        code, said = with_broken_output(sh, monkeypatch, number, buffered, *arguments)
        assert code == (2 if arguments in ((), ("campaign",)) and buffered else 6), arguments
        assert "recorded" not in said
        assert "Traceback" not in said
        assert "unexpected" not in said


@pytest.mark.slow
@pytest.mark.parametrize("number", BROKEN, ids=errno.errorcode.get)
@pytest.mark.parametrize("buffered", [True, False], ids=["buffered", "at once"])
@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_what_is_recorded_is_told_though_its_report_is_lost(
    sh: Shell,
    war: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    buffered: bool,
    arguments: tuple[str, ...],
) -> None:
    code, said = with_broken_output(sh, monkeypatch, number, buffered, *arguments)
    assert code == 6
    assert re.search(r"is recorded, but the report could not be written: \S.+\n", said)
    assert state(war)["revision"] == 1


@pytest.mark.parametrize("number", BROKEN, ids=errno.errorcode.get)
def test_a_new_campaign_is_told_of_though_its_report_is_lost(
    sh: Shell, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    for command, folder in (("campaign new marches", "marches"), ("demo cider", "cider")):
        code, said = with_broken_output(sh, monkeypatch, number, True, *command.split())
        assert code == 6
        assert f"{folder}, but the report could not be written: " in said
        assert (sh.folder / folder / "campaign.toml").exists()


@pytest.mark.parametrize("number", BROKEN, ids=errno.errorcode.get)
def test_messages_that_nobody_takes_change_nothing(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    told = sh("batch", "--seed", "3", str(ROOT / "examples" / "skirmishes.csv"), "--jobs", "1")
    for arguments, expected in (
        (("batch", "--seed", "3", str(ROOT / "examples" / "skirmishes.csv"), "--jobs", "1"), 0),
        (("campaign", "turn"), 0),
        (("campaign", "turn", "--fast"), 2),
        (("campaign", "undo", "nothing"), 3),
        (("resolve", "nothing.toml"), 3),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", Broken(number, False))
            assert run(list(arguments)) == expected
        printed = sh.capsys.readouterr().out
        assert arguments[0] != "batch" or printed == told.out
    assert state(war)["revision"] == 1


def redirected(redirection: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the program with its streams redirected by a shell."""
    command = [sys.executable, "-m", "cardbattle", *arguments]
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *command],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_closed_streams_are_told_by_code_and_never_by_a_traceback(sh: Shell, war: Path) -> None:
    """A file that is opened later must not take the place of a closed stream."""
    for redirection, arguments, code in (
        (">&-", ("--version",), 6),
        (">&-", ("campaign", "turn"), 6),
        (">&- 2>&-", ("campaign", "turn"), 6),
        ("2>&-", ("campaign", "turn"), 0),
        ("<&- >&- 2>&-", ("campaign", "fight", "--no-odds"), 6),
        ("<&-", ("resolve", "-"), 3),
        ("2>&-", ("campaign", "turn", "--fast"), 2),
        (">&-", ("resolve", "wargame", "-q", "-o", "record.toml"), 6),
    ):
        done = redirected(redirection, *arguments, cwd=war)
        assert done.returncode == code, (redirection, arguments, done.stderr)
        assert "Traceback" not in done.stderr
        assert "Exception" not in done.stderr
        if arguments == ("campaign", "turn") and redirection == ">&-":
            assert "cardbattle: turn is recorded, but the report could not be written" in done.stderr
    assert state(war)["revision"] == 4
    assert sh("campaign", "check").code == 0
    assert sh("verify", "record.toml").code == 0


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_device_is_the_systems_refusal(war: Path) -> None:
    for arguments in (("--version",), ("campaign", "standings"), ("campaign", "turn"), ("--help",)):
        done = redirected(">/dev/full", *arguments, cwd=war)
        assert done.returncode == 6
        assert "Exception" not in done.stderr
    assert redirected("2>/dev/full", "campaign", "turn", "--fast", cwd=war).returncode == 2


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_output_and_messages_keep_their_order_in_one_file(tmp_path: Path) -> None:
    done = redirected("2>&1", "orders", "ask", "wargame", "--as", "brown", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("the battle is saved in") and lines[-2] == "wargame/brown@1:"
    assert lines[-1].startswith("next: enter answers with:")


def test_without_a_command_of_a_group_the_help_is_printed_whole(sh: Shell) -> None:
    bare, asked = sh("campaign"), sh("campaign", "--help")
    assert bare == (2, asked.out, "")
    assert len(asked.out.splitlines()) > 20


AT_IMPORT = """\
import importlib.abc, os, runpy, signal, sys

class Interrupting(importlib.abc.MetaPathFinder):
    count = 0
    def find_spec(self, name, path, target=None):
        if Interrupting.count or name == "cardbattle.cli":
            Interrupting.count += 1
            if Interrupting.count == {moment}:
                os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
sys.argv = ["cardbattle", "rules"]
try:
    runpy.run_module("cardbattle", run_name="__main__")
finally:
    print("imports", Interrupting.count, file=sys.stderr)
"""


def interrupted_at(moment: int) -> subprocess.CompletedProcess[str]:
    """Interrupt the program at one of its imports."""
    code = AT_IMPORT.format(moment=moment)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False, cwd=ROOT
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="an interrupt cannot be sent to one process alone")
def test_an_interrupt_during_the_start_is_told_by_the_code_alone() -> None:
    """Whichever import it meets, there is nothing to be read but exit 130."""
    whole = interrupted_at(0)
    assert whole.returncode == 0
    count = int(whole.stderr.split()[-1])
    assert count > 100
    for moment in {1, 2, count, *range(3, count, count // 6)}:
        done = interrupted_at(moment)
        assert done.returncode == 130, moment
        assert "Traceback" not in done.stderr, moment


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="an interrupt cannot be sent to one process alone")
def test_who_ignores_interrupts_goes_on_ignoring_them() -> None:
    """As a shell does for what it starts in the background."""
    script = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    script += "os.execv(sys.executable, [sys.executable, '-c', sys.argv[1]])"
    code = AT_IMPORT.format(moment=1)
    done = subprocess.run([sys.executable, "-c", script, code], capture_output=True, check=False, cwd=ROOT)
    assert done.returncode == 0


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_an_interrupt_between_two_steps_of_a_replay_is_an_interrupt(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    sh("resolve", "strategy-war", "--seed", "2", "-q", "-o", "record.toml")
    screen = Terminal()
    keys = ["\r"]

    def pressed() -> str:
        if not keys:
            raise KeyboardInterrupt
        return keys.pop()

    monkeypatch.setattr(typer, "getchar", pressed)
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", screen)
    assert run(["replay", "record.toml", "--step", "--no-color"]) == 130
    assert "\n2. " in screen.getvalue()
    assert "\n3. " not in screen.getvalue()
