"""The source distribution holds what its own tests need."""

from __future__ import annotations

import re
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

from cardbattle.version import __version__

ROOT = Path(__file__).parents[2]
ALWAYS = ("cardbattle/*", "pyproject.toml", "setup.py", "MANIFEST.in")  # setuptools takes these by itself
LEFT_OUT = (".gitignore", "research/*")  # measurements and training belong to the repository only


def patterns() -> list[str]:
    """Return what MANIFEST.in takes, as patterns of paths."""
    found = list(ALWAYS)
    for line in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "include":
            found += rest.split()
        elif word == "graft":
            found.append(f"{rest}/*")
        else:
            assert word == "global-exclude", line
    return found


def test_every_file_of_the_repository_is_in_the_source_distribution() -> None:
    """So that the tests run where it is unpacked: helpers, guides, examples and all."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    done = subprocess.run(
        ["git", "ls-files", "--cached"], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    )
    taken = patterns()
    files = [
        path for path in done.stdout.splitlines() if not any(fnmatch(path, pattern) for pattern in LEFT_OUT)
    ]
    assert len(files) > 100
    assert not [path for path in files if not any(fnmatch(path, pattern) for pattern in taken)]


def test_the_changelog_has_a_section_for_this_version_that_can_be_read_whole() -> None:
    sections = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1:]
    assert [section for section in sections if section.startswith(f"[{__version__}] - 20")]
    assert max(len(section.splitlines()) for section in sections) < 100


def test_the_citation_names_this_version_and_the_figures_of_the_solved_game() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^ *version: (.*)$", citation, re.MULTILINE) == [__version__, __version__]
    page = ROOT / "research" / "commanders.md"
    if page.exists():  # it is not in the source distribution
        result = page.read_text(encoding="utf-8").partition("## The whole duel of Strategy WAR")[2]
        figures = re.findall(r"\d[\d,.]*\d{2}(?= positions)|15\.19", citation)
        assert len(figures) == 3
        assert all(figure in result for figure in figures)


def test_the_version_is_written_in_one_file_only() -> None:
    """The docs quote it in examples, which a test compares."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    done = subprocess.run(
        ["git", "grep", "-l", "--fixed-strings", f'"{__version__}"', "--", "*.py", "*.toml", "*.cfg"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout.split() == ["cardbattle/version.py"]
