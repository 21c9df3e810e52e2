"""Find out how the program was installed, and which command adds an optional package.

cardbattle is not on a package index, so `pip install "cardbattle[tui]"` does not work. Therefore the commands
install the optional package itself, or install the sources again with an extra.
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
    """Return the command that installs the packages of an extra for this program.

    The command depends on whether the program was installed by pipx, by uv, by pip, or from a source
    checkout.
    """
    requirement, environment = EXTRAS[extra], Path(sys.prefix)
    if is_from_pipx(environment):
        return f"pipx inject {in_shell(environment.name)} {in_shell(requirement)}"
    if is_uv_tool(environment):
        return f"uv pip install --python {in_shell(sys.executable)} {in_shell(requirement)}"
    sources = editable_sources()
    what = f"-e {in_shell(f'{sources}[{extra}]')}" if sources else in_shell(requirement)
    return f"{installer(environment)} {what}"


def install_method() -> str:
    """Return how the program was installed, as text such as "pipx" or "editable sources"."""
    environment = Path(sys.prefix)
    if is_from_pipx(environment):
        return "pipx"
    if is_uv_tool(environment):
        return "uv tool"
    return "editable sources" if editable_sources() else "pip or another installer"


def is_from_pipx(environment: Path) -> bool:
    return (environment / "pipx_metadata.json").exists()


def is_uv_tool(environment: Path) -> bool:
    return (environment / "uv-receipt.toml").exists()


def installer(environment: Path) -> str:
    """Return the command that installs packages: pip, or uv in an environment without pip."""
    if find_spec("pip") is None and (which("uv") or is_made_by_uv(environment)):
        return f"uv pip install --python {in_shell(sys.executable)}"
    is_first = sys.executable and which("python") == sys.executable
    return f"{'python' if is_first else in_shell(sys.executable)} -m pip install"


def is_made_by_uv(environment: Path) -> bool:
    """Return True if the file pyvenv.cfg of a virtual environment says that uv created the environment."""
    try:
        lines = (environment / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return False
    return any(line.partition("=")[0].strip() == "uv" for line in lines)


def editable_sources() -> str:
    """Return the source folder of an editable install (PEP 610), or "" if the install is not editable."""
    try:
        origin = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, OSError, ValueError):
        return ""
    url = urlparse(str(origin.get("url", "")))
    is_editable = url.scheme == "file" and origin.get("dir_info", {}).get("editable", False)
    return url2pathname(url.path) if is_editable else ""


def in_shell(word: str) -> str:
    """Return a word as you type it in a shell, in double quotes if it needs quotes.

    >>> in_shell("textual>=6"), in_shell("/usr/bin/python3")
    ('"textual>=6"', '/usr/bin/python3')
    """
    plain = all(char.isalnum() or char in "@%+=:,./-_\\" for char in word)
    return word if plain and word else f'"{word}"'
