"""The guides tell the truth: their console examples are run, the command reference is in date."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest

from tests.reference import reference

ROOT = Path(__file__).parent.parent
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


def examples(guide: Path) -> list[tuple[str, str]]:
    """Return the commands of a guide's console blocks with what they print."""
    found = []
    for block in CONSOLE.findall(guide.read_text(encoding="utf-8")):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_the_examples_of_a_guide_print_what_it_says(guide: Path, tmp_path: Path) -> None:
    """The commands run one after the other in a folder with the examples and campaigns."""
    for folder in ("examples", "campaigns"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    bin_folder = Path(sys.executable).parent
    path = os.pathsep.join([str(bin_folder), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    for command, expected in examples(guide):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        got = done.stdout + done.stderr
        assert OutputChecker().check_output(expected, got, ELLIPSIS), f"$ {command}\n{got}"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_the_links_of_a_guide_lead_somewhere(guide: Path) -> None:
    for target in LINK.findall(guide.read_text(encoding="utf-8")):
        assert (guide.parent / target).exists(), target


def test_the_command_reference_is_in_date() -> None:
    """`make docs` writes it anew."""
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == reference()
