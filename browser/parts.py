"""Download what the page needs in addition to this package, and check the hashes.

npm provides pyodide (CPython for the browser) as `package-lock.json` says, and pip the packages of
`requirements.txt`. Both are cached in an untracked folder until these files change.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from shutil import copy, rmtree

FOLDER = Path(__file__).parent
CACHE = FOLDER.parent / "build" / "browser"
PLATFORMS = ("pyemscripten_2026_0_wasm32", "manylinux2014_x86_64")  # pure-Python parts only from the second
PIP = ("--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:", "--python-version=3.14")
NPM = ("--ignore-scripts", "--no-audit", "--no-fund", "--silent")


class BuildError(Exception):
    """The page cannot be built; the message says why."""


def pyodide() -> Path:
    """Return the folder of pyodide. Raises BuildError if npm cannot download it."""
    return node_modules("npm", ["--omit=dev"]) / "pyodide"


def node_modules(name: str, only: Sequence[str] = ()) -> Path:
    """Return the folder with the packages of npm, cached under this name.

    `only` is passed to `npm ci`, for example to leave out packages for tests. Raises BuildError if npm cannot
    download them.
    """
    wanted = ["package.json", "package-lock.json"]

    def fetch(folder: Path) -> None:
        for file in wanted:
            copy(FOLDER / file, folder)
        run_command(["npm", "ci", *only, *NPM], folder)

    return cached_folder(name, wanted, fetch) / "node_modules"


def wheels() -> list[Path]:
    """Return the downloaded wheels, sorted by name. Raises BuildError if pip cannot download them."""
    wanted = ["requirements.txt"]

    def fetch(folder: Path) -> None:
        places = [f"--platform={platform}" for platform in PLATFORMS]
        named = ["--dest", str(folder), "--requirement", str(FOLDER / wanted[0])]
        run_command([sys.executable, "-m", "pip", "download", *PIP, *places, *named], folder)

    return sorted(cached_folder("wheels", wanted, fetch).glob("*.whl"))


def cached_folder(name: str, wanted: Sequence[str], fetch: Callable[[Path], None]) -> Path:
    """Return the cached folder of this name; fill it again if one of the `wanted` files has changed."""
    folder = CACHE / name
    noted = folder / "fetched"
    if not noted.is_file() or noted.read_text() != digest(wanted):
        rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        fetch(folder)
        noted.write_text(digest(wanted))
    return folder


def digest(names: Sequence[str]) -> str:
    """Return one hash of these files of the package."""
    return sha256(b"".join((FOLDER / name).read_bytes() for name in names)).hexdigest()


def run_command(command: Sequence[str], folder: Path, **variables: str) -> str:
    """Run a command in a folder, with additional environment variables, and return its output.

    Raises BuildError with its output if it fails or is missing.
    """
    environment = {**os.environ, **variables}
    try:
        process = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    except FileNotFoundError:
        raise BuildError(f"{command[0]} is needed; install it") from None
    if process.returncode:
        output = (process.stderr or process.stdout).strip().splitlines()
        raise BuildError(f"{' '.join(command[:3])} failed: {' '.join(output[-3:])[:400]}")
    return process.stdout
