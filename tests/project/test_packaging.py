"""The source distribution holds what its own tests need."""

from __future__ import annotations

import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

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
