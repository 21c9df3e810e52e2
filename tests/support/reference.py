"""The reference of all commands, made from their own help: `python -m tests.support.reference`."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from unittest.mock import patch

HEAD = """# Commands

Every command with its options, as `--help` prints them. This page is generated; `make docs`
writes it again. Options that mean the same everywhere are listed only here:

| option | meaning |
|---|---|
| `--json` | same as `--format json` |
| `-q`, `--quiet` | print results only, no messages |
| `-v`, `--verbose` | print additional messages, such as the run time |
| `--no-color` | print without colours |
| `-h`, `--help` | print the help of the command |
"""
COMMON = re.compile(
    r"^  (?:--json +Same as --format json\.|-q, --quiet +Print results only, no messages\."
    r"|-v, --verbose +Print additional messages, such as the run time\.|--no-color +Print without colours\."
    r"|-h, --help +Show this message and exit\.)\n",
    re.MULTILINE,
)
EMPTY_GROUP = re.compile(r"^(?:Options|Output):\n\n", re.MULTILINE)


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
    sections = [f"\n## {title}\n\n```text\n{without_common_options(page)}\n```\n"]
    for name in commands_in(page):
        sections += pages(*path, name)
    return sections


def without_common_options(page: str) -> str:
    """Return a help page without the options that the head of the reference explains."""
    return EMPTY_GROUP.sub("", COMMON.sub("", f"{page}\n\n")).rstrip()


def reference() -> str:
    """Return the whole page."""
    return HEAD + "".join(pages())


if __name__ == "__main__":
    sys.stdout.write(reference())
