"""The console examples of the guides: found, run, and written anew by `python -m tests.guides FILE...`.

A block that begins with three back quotes and `console` holds commands after `$ ` and what they
print. A line `...` stands for any lines; a block with one is left alone when written anew.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
GUIDES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
CONSOLE = re.compile(r"^(```console\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)


def commands(block: str) -> list[tuple[str, str]]:
    """Return the commands of one block with what they print."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def examples(text: str) -> list[tuple[str, str]]:
    """Return the commands of all blocks with what they print."""
    return [example for block in CONSOLE.findall(text) for example in commands(block[1])]


def workplace(folder: Path) -> None:
    """Put the examples and campaigns where the commands will run."""
    for name in ("examples", "campaigns"):
        shutil.copytree(ROOT / name, folder / name)


def run_in(folder: Path, command: str) -> str:
    """Return what a command prints, output and errors, at 80 columns without colour."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        ["bash", "-c", f"{command} 2>&1"],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def refill(guide: Path) -> None:
    """Write a guide anew with what its commands print now."""
    with TemporaryDirectory() as folder:
        workplace(Path(folder))

        def rerun(found: re.Match[str]) -> str:
            told = ""
            for command, expected in commands(found[2]):
                got = run_in(Path(folder), command)
                told += f"$ {command}\n{expected if '...' in expected.splitlines() else got}"
            return f"{found[1]}{told}{found[3]}"

        guide.write_text(CONSOLE.sub(rerun, guide.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        refill(Path(name))
