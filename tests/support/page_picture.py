"""Take the picture of the offline page for its guide: `python -m tests.support.page_picture`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from browser.page import build
from browser.parts import node_modules
from tests.browser.test_browser import BATTLE, CHROMIUM, ROOT


def take_picture() -> int:
    """Build the page, play to a question, write docs/without-python.png, and return the exit code."""
    with TemporaryDirectory() as folder:
        page = build(Path(folder))
        script, picture = ROOT / "tests" / "browser" / "picture.mjs", ROOT / "docs" / "without-python.png"
        arguments = [node_modules("trial"), CHROMIUM, page, BATTLE, picture]
        return subprocess.run(["node", str(script), *map(str, arguments)]).returncode


if __name__ == "__main__":
    sys.exit(take_picture())
