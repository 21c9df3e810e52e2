"""Build the offline page as one file: `python -m browser [FOLDER]` (default: dist/)."""

from __future__ import annotations

import sys
from pathlib import Path

from browser.page import build
from browser.parts import FOLDER, BuildError


def main(arguments: list[str]) -> int:
    """Build the page and print its path and size; return the exit code."""
    folder = Path(arguments[0]) if arguments else FOLDER.parent / "dist"
    try:
        path = build(folder)
    except BuildError as error:
        print(f"browser: {error}", file=sys.stderr)
        return 1
    print(f"{path}: {path.stat().st_size / 1_000_000:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
