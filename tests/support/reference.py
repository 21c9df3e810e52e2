"""The reference of all commands, made from their own help: `python -m tests.support.reference`."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from unittest.mock import patch

HEAD = """# Commands

Every command with its options, as `--help` prints them. This page is generated; `make docs`
writes it again.
"""


def help_of(*path: str) -> str:
    """Return what `cardbattle PATH --help` prints at 96 columns."""
    from cardbattle.cli.app import run

    printed = io.StringIO()
    with patch.dict(os.environ, COLUMNS="96", NO_COLOR="1"), contextlib.redirect_stdout(printed):
        assert run([*path, "--help"]) == 0
    return printed.getvalue().rstrip()


def commands_in(page: str) -> list[str]:
    """Return the commands that a help page lists."""
    _, _, listed = page.partition("\nCommands:\n")
    names = []
    for line in listed.splitlines():
        if not line.strip():
            break
        if line[2:3].strip():
            names.append(line.split()[0])
    return names


def pages(*path: str) -> list[str]:
    """Return the help of a command and of all below it, each under its own heading."""
    page = help_of(*path)
    title = " ".join(["cardbattle", *path])
    found = [f"\n## {title}\n\n```text\n{page}\n```\n"]
    for name in commands_in(page):
        found += pages(*path, name)
    return found


def reference() -> str:
    """Return the whole page."""
    return HEAD + "".join(pages())


if __name__ == "__main__":
    sys.stdout.write(reference())
