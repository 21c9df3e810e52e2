"""Build a release: `python -m browser.release [FOLDER]` (default: dist/cardbattle-VERSION/).

The folder contains the source distribution, the wheel built from it, the page, and their checksums in
SHA256SUMS.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

from browser.page import build
from browser.parts import FOLDER, BuildError, run_command
from cardbattle.version import __version__

SUMS = "SHA256SUMS"


def release(folder: Path) -> Path:
    """Rebuild the folder and return the path of its checksums. Raises BuildError."""
    rmtree(folder, ignore_errors=True)
    build(folder)
    run_command([sys.executable, "-m", "build", "--outdir", str(folder)], FOLDER.parent)
    return write_sums(folder)


def write_sums(folder: Path) -> Path:
    """Write the checksums of a folder for `sha256sum --check` and return the path of that file."""
    files = sorted(path for path in folder.iterdir() if path.name != SUMS)
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / SUMS).write_text("".join(lines), encoding="ascii", newline="\n")
    return folder / SUMS


def main(arguments: list[str]) -> int:
    """Build the release and print its checksums; return the exit code."""
    folder = Path(arguments[0]) if arguments else FOLDER.parent / "dist" / f"cardbattle-{__version__}"
    try:
        sums = release(folder)
    except BuildError as error:
        print(f"browser.release: {error}", file=sys.stderr)
        return 1
    print(f"{folder}:\n{sums.read_text()}", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
