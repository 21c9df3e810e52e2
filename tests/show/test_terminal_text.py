"""What a person reads at a terminal: text, not the source of a page, wrapped between words."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Never

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.color import Color

from cardbattle.cli.app import run
from cardbattle.cli.streams import wrap_line
from cardbattle.core.errors import Diagnostic
from cardbattle.files.errors import PlacedDiagnostic, complaint
from cardbattle.show.console import RED, SIDES
from tests.cli.test_cli import ROOT

MARCHES = ROOT / "campaigns" / "the-marches-1403"
PLAIN = {"NO_COLOR": "1", "TERM": "xterm-256color"}
MANY_COLORS = {"TERM": "xterm-256color"}
EIGHT_COLORS = {"TERM": "xterm"}
WORDS = st.lists(st.text("abcdeé-/織", min_size=1, max_size=30), min_size=1, max_size=40)


def at_terminal(folder: Path, width: int, *arguments: str, look: Mapping[str, str] = PLAIN) -> str:
    """Return the results and messages that the program prints at a terminal of this width, in columns."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, width))
    child = os.fork()  # a new process would import the program again
    if child == 0:
        run_at(theirs, folder, arguments, look)
    os.close(theirs)
    parts = []
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the program has closed the terminal
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    os.waitpid(child, 0)
    return b"".join(parts).decode().replace("\r\n", "\n")


def run_at(terminal: int, folder: Path, arguments: Sequence[str], look: Mapping[str, str]) -> Never:
    """Run the program at a terminal, and end the process."""
    try:
        for stream in range(3):
            os.dup2(terminal, stream)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.chdir(folder)
        for name in ("COLUMNS", "NO_COLOR"):
            os.environ.pop(name, None)
        os.environ |= look
        run(list(arguments))
    finally:
        os._exit(0)


def on_a_pipe(folder: Path, *arguments: str) -> str:
    """Return what the program prints on a pipe, results and messages."""
    done = subprocess.run(
        [sys.executable, "-m", "cardbattle", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, check=False,
        env={**os.environ, "COLUMNS": "400", "NO_COLOR": "1"},
    )  # fmt: skip
    return done.stdout.decode()


@pytest.fixture(scope="module")
def marches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a campaign that is under way."""
    return Path(shutil.copytree(MARCHES, tmp_path_factory.mktemp("c") / "marches"))


@pytest.mark.slow
def test_a_report_is_text_at_a_terminal_and_markdown_elsewhere(marches: Path) -> None:
    shown = at_terminal(marches, 80, "campaign", "report")
    on_a_pipe(marches, "campaign", "report", "--format", "text", "-o", "report.txt")
    assert shown == (marches / "report.txt").read_text(encoding="utf-8")
    assert "**" not in shown
    assert "|" not in shown
    assert not any(line.startswith("#") for line in shown.splitlines())
    markdown = on_a_pipe(marches, "campaign", "report")
    assert markdown.startswith("# The Marches, 1403: turn 4\n")
    assert at_terminal(marches, 80, "campaign", "report", "--format", "md") == markdown
    assert at_terminal(marches, 80, "campaign", "report", "-o", "-") == markdown
    assert at_terminal(marches, 80, "campaign", "report", "--json").startswith("{")


@pytest.mark.heavy
@pytest.mark.parametrize("width", [48, 80])
@pytest.mark.parametrize(
    "arguments",
    [
        ["report"],
        ["show", "--no-odds"],
        ["history"],
        ["standings"],
        ["fight", "no-such-battle-that-anybody-has-ever-heard-of"],
        ["override", "t4-mill", "--winner", "cheshire", "--losses", "cheshire=1", "--reason", "x"],
        ["undo", "t1-malpas", "--dry-run", "--reason", "x"],
    ],
)
def test_no_line_at_a_terminal_splits_a_word(arguments: list[str], width: int, marches: Path) -> None:
    """Every line fits the terminal, so that it breaks none; the words are those of a wide pipe."""
    shown = at_terminal(marches, width, "campaign", *arguments)
    diff = shown.find("--- a/")
    shown = shown[:diff] if diff >= 0 else shown
    known = words_in(on_a_pipe(marches, "campaign", *arguments, *TEXT.get(arguments[0], [])))
    for line in shown.splitlines():
        assert cell_len(line) <= width or " " not in line.strip()
        assert words_in(line) <= known


def words_in(text: str) -> set[str]:
    """Return the words of a text, without what stands between the entries of a list."""
    return {word.strip(",;") for word in text.split() if "─" not in word and "▪" not in word}


@pytest.mark.slow
def test_no_progress_bar_leaves_an_empty_line_where_there_is_no_colour(marches: Path) -> None:
    for look in (PLAIN, {"TERM": "dumb"}):
        shown = at_terminal(marches, 80, "campaign", "forecast", "-n", "5", look=look)
        assert shown.startswith("The Marches, 1403: forecast from 5 simulations")
        assert "\x1b" not in shown


@pytest.mark.slow
def test_a_new_season_is_described_in_lines_that_fit(marches: Path, tmp_path: Path) -> None:
    shown = at_terminal(tmp_path, 50, "campaign", "new", "next", "--from", str(marches))
    sentences = [line for line in shown.splitlines() if "cardbattle campaign -C" not in line]
    assert all(cell_len(line) <= 50 or " " not in line.strip() for line in sentences)
    assert "The season begins at turn 1 with 0 points, a new\n  seed, and no pending" in shown
    assert "cardbattle campaign -C next show\n" in shown


TEXT = {"report": ["--format", "text"]}


@given(WORDS, st.integers(10, 80))
def test_a_message_is_broken_between_words_and_loses_none(words: list[str], width: int) -> None:
    lines = wrap_line(" ".join(words), width).split("\n")
    assert [word for line in lines for word in line.split(" ") if word] == words
    assert all(cell_len(line) <= width or len(line.split()) == 1 for line in lines)
    assert all(line.startswith("  ") for line in lines[1:])


@given(st.integers(1, 300), st.integers(20, 120))
def test_a_source_line_fits_the_terminal_with_its_place_in_view(column: int, width: int) -> None:
    source = "".join(chr(ord("a") + n % 26) for n in range(300))
    _, shown, caret = complaint(
        PlacedDiagnostic("wrong", file="a", line=1, column=column, source=source), width
    )
    assert len(shown) <= width
    assert len(caret) <= width
    assert shown[len(caret) - 1] == source[column - 1]


def test_a_message_keeps_what_it_is_indented_by() -> None:
    assert wrap_line("  a b", 80) == "  a b"
    assert complaint(Diagnostic("no place")) == ["no place"]


def luminance(color: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2), from 0 for black to 1 for white."""
    shares = [part / 255 for part in Color.parse(color).get_truecolor()]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("color", [*SIDES, RED])
def test_a_colour_can_be_read_on_a_dark_and_on_a_light_terminal(color: str) -> None:
    assert 1.05 / (luminance(color) + 0.05) > 3.8
    assert (luminance(color) + 0.05) / 0.05 > 3.8


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [["show", "--no-odds"], ["standings"], ["report"], ["history", "t1-ellesmere"]]
)
def test_names_have_no_colour_that_a_theme_may_make_unreadable(arguments: list[str], marches: Path) -> None:
    """A theme defines the eight old colours. Yellow on white is seldom legible."""
    codes = colors_in(at_terminal(marches, 80, "campaign", *arguments, look=MANY_COLORS))
    known = {Color.parse(color).number for color in SIDES}
    assert all(code.startswith("38;5;") for code in codes)
    assert {int(code[5:]) for code in codes} - known <= {167}  # red suits
    assert colors_in(at_terminal(marches, 80, "campaign", *arguments, look=EIGHT_COLORS)) <= {"31"}
    assert "\x1b" not in at_terminal(marches, 80, "campaign", *arguments)


def colors_in(text: str) -> set[str]:
    """Return the codes of the colours in a text."""
    found = re.findall(r"\x1b\[([0-9;]*)m", text)
    return {code.removeprefix("1;").removeprefix("2;") for code in found} - {"", "0", "1", "2"}
