"""Find, run and rewrite the console examples of the guides: `python -m tests.support.guides FILE...`.

A block that begins with three back quotes and `console` holds commands after `$ ` and what they
print. A line `...` stands for any lines; a command with one is left alone when written anew. One that
begins with `toml FILE` holds what the reader types into that file with an editor: from its own first
line on it takes the place of what stands there; if it ends in `...`, of as many lines as it has.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from cardbattle.campaign.turn import estimate
from cardbattle.cli import output
from cardbattle.cli.app import run

ROOT = Path(__file__).parents[2]
GUIDES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
CLOCK = {"SOURCE_DATE_EPOCH": "1795600000", "TZ": "UTC"}  # 24 November 2026
QUOTED = r"""'[^']*'|"[^"$`\\]*\""""
PART = re.compile(rf"""((?:{QUOTED}|[^'"|&])+)(\||&&|$)""")  # of a pipeline or of a list of commands
SIMPLE = re.compile(  # a command of cardbattle without other syntax of a shell
    rf"""cardbattle((?: +(?:{QUOTED}|[^'"|&;<>()$`\\*?#~\s])+)*)(?: > (\S+))?"""
)
BLOCK = re.compile(r"^(```(console|toml \S+)\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)


def commands(block: str) -> list[tuple[str, str]]:
    """Return the commands of one block with what they print."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def workplace(folder: Path) -> None:
    """Put the examples and campaigns where the commands will run."""
    for name in ("examples", "campaigns"):
        shutil.copytree(ROOT / name, folder / name)


def run_in(folder: Path, command: str) -> str:
    """Return the output of a command and the errors of its last part, at 80 columns without colour.

    The parts that are commands of cardbattle alone run in this process, which is faster; all others, and what
    does not consist of such parts, are left to bash.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    variables = {"PATH": path, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", **CLOCK}
    variables["CARDBATTLE_CACHE"] = os.devnull  # count every analysis again
    parts = PART.findall(command)
    if "".join(part + operator for part, operator in parts) != command:
        parts = [(command, "")]
    output = text = ""
    with patch.dict(os.environ, variables):
        for part, operator in parts:
            if change := re.fullmatch(r"cd (\S+)", part.strip()):
                folder /= change[1]
                continue
            code, text = run_part(folder, part.strip(), text, operator == "")
            if operator != "|":
                output, text = output + text, ""
            if operator == "&&" and code:
                break
    return output


def run_part(folder: Path, command: str, text: str, is_last: bool) -> tuple[int, str]:
    """Run a command with this input, and return its exit code and its output.

    The output of the last part of a command includes its errors.
    """
    if simple := SIMPLE.fullmatch(command):
        with patch.dict(os.environ, {"CARDBATTLE_JOBS": "1"}), chdir(folder):
            return run_here(shlex.split(simple[1]), text, simple[2], is_last)
    done = subprocess.run(
        ["bash", "-c", f"{command} 2>&1" if is_last else command],
        cwd=folder,
        input=text,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def run_here(words: list[str], text: str, file: str, is_last: bool) -> tuple[int, str]:
    """Run cardbattle in this process as `run_part` does; its output goes to a file if that is not empty.

    Progress and estimated times are left out, which it prints only on a slow machine.
    """
    written, hidden = BytesIO(), BytesIO()
    with (
        TextIOWrapper(written, "utf-8", write_through=True) as stream,
        TextIOWrapper(hidden, "utf-8", write_through=True) as other,
        open(file, "w", encoding="utf-8") if file else nullcontext(stream) as target,
        redirect_stdout(target),
        redirect_stderr(target if is_last else other),
        patch.object(sys, "stdin", TextIOWrapper(BytesIO(text.encode()), "utf-8")),
        patch.object(output, "LINE_SECONDS", inf),
        patch.object(estimate, "WORTH_ANNOUNCING", inf),
    ):
        code = run(words)
        return code, written.getvalue().decode()


class Reader:
    """A reader who works through a guide, and stays in the folder of a lone `cd FOLDER`."""

    def __init__(self, folder: Path) -> None:
        """Begin in a folder with the examples and campaigns."""
        workplace(folder)
        self.folder = folder

    def run(self, command: str) -> str:
        """Return what a command prints."""
        if lone := re.fullmatch(r"cd (\S+)", command):
            self.folder /= lone[1]
            return ""
        return run_in(self.folder, command)

    def type_in(self, name: str, block: str) -> None:
        """Save a file with what a block says; ValueError if the block's first line is not in it."""
        path = self.folder / name
        there = path.read_text(encoding="utf-8").splitlines()
        typed = block.splitlines()
        start = there.index(typed[0])
        rest = there[start + len(typed) - 1 :] if typed[-1] == "..." else []
        lines = [*there[:start], *(typed[:-1] if rest else typed), *rest]
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")

    def work_through(self, guide: Path) -> Iterator[tuple[str, str, str]]:
        """Do what the guide says: each command, what it says is printed, and what is."""
        for _, kind, block, _ in BLOCK.findall(guide.read_text(encoding="utf-8")):
            if kind == "console":
                yield from ((command, told, self.run(command)) for command, told in commands(block))
            else:
                self.type_in(kind.removeprefix("toml "), block)


def refill(guide: Path) -> None:
    """Rewrite a guide with the present output of its commands."""
    with TemporaryDirectory() as folder:
        printed = [
            f"$ {command}\n{told if '...' in told.splitlines() else got}"
            for command, told, got in Reader(Path(folder)).work_through(guide)
        ]

    def anew(found: re.Match[str]) -> str:
        if found[2] != "console":
            return found[0]
        count = len(commands(found[3]))
        block = "".join(printed[:count])
        del printed[:count]
        return f"{found[1]}{block}{found[4]}"

    guide.write_text(BLOCK.sub(anew, guide.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        refill(Path(name))
