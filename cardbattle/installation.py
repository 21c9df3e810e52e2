"""How the program was installed, and the command that adds an optional package to it.

cardbattle is not on a package index, so `pip install "cardbattle[tui]"` finds nothing. The commands install
the optional package itself, or the sources again with their extra.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from urllib.parse import urlparse
from urllib.request import url2pathname

NAME = "cardbattle"
EXTRAS: Mapping[str, str] = {
    "tui": "textual>=6",
    "dask": "distributed>=2024.1",
}  # the same as in pyproject.toml


def install_command(extra: str) -> str:
    """Return the command that installs an extra's packages, for the way this program was installed.

    The program can have been installed by pipx, by uv (as a tool or into an environment without pip), from a
    source checkout, or by pip.
    """
    requirement, environment = EXTRAS[extra], Path(sys.prefix)
    if (environment / "pipx_metadata.json").exists():
        return f"pipx inject {in_shell(environment.name)} {in_shell(requirement)}"
    if (environment / "uv-receipt.toml").exists():
        return f"uv pip install --python {in_shell(sys.executable)} {in_shell(requirement)}"
    sources = editable_sources()
    what = f"-e {in_shell(f'{sources}[{extra}]')}" if sources else in_shell(requirement)
    return f"{installer(environment)} {what}"


def installer(environment: Path) -> str:
    """Return the command that installs packages into an environment: pip's, or uv's if it has no pip."""
    if find_spec("pip") is None and (which("uv") or made_by_uv(environment)):
        return f"uv pip install --python {in_shell(sys.executable)}"
    is_first = sys.executable and which("python") == sys.executable
    return f"{'python' if is_first else in_shell(sys.executable)} -m pip install"


def made_by_uv(environment: Path) -> bool:
    """Return True if uv created a virtual environment; its pyvenv.cfg then has a line `uv = VERSION`."""
    try:
        lines = (environment / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return False
    return any(line.partition("=")[0].strip() == "uv" for line in lines)


def editable_sources() -> str:
    """Return the source folder of an editable install (PEP 610), or ""."""
    try:
        origin = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, OSError, ValueError):
        return ""
    url = urlparse(str(origin.get("url", "")))
    is_editable = url.scheme == "file" and origin.get("dir_info", {}).get("editable", False)
    return url2pathname(url.path) if is_editable else ""


def in_shell(word: str) -> str:
    """Quote a word for a shell with double quotes if necessary; every shell accepts them.

    >>> in_shell("textual>=6"), in_shell("/usr/bin/python3")
    ('"textual>=6"', '/usr/bin/python3')
    """
    plain = all(char.isalnum() or char in "@%+=:,./-_\\" for char in word)
    return word if plain and word else f'"{word}"'
