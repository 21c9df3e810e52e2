"""Audit ten kinds of HTML pages with axe and Lighthouse: `python -m tests.browser.audit NODE_MODULES`.

The ten kinds are the eight kinds of pages of a site, the report of a battle, and the report of a turn.
NODE_MODULES is a folder that `npm install lighthouse axe-core puppeteer-core` has filled. The audit is not a
test, because Lighthouse needs several minutes and a quiet machine. See `audit.mjs` for what it checks.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from tests.browser.test_browser import CAMPAIGN, CHROMIUM, ROOT


def run_program(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "cardbattle", *map(str, arguments)], check=True)


def write_pages(campaign: Path, folder: Path) -> list[str]:
    """Write the ten kinds of pages into a folder, and return the paths of the pages within it."""
    war = ("campaign", "-C", campaign)
    run_program(*war, "site", folder, "-q", "--chances", "--address", "https://example.org/war")
    run_program(*war, "report", "--no-chances", "-q", "-o", folder / "report.html")
    run_program("replay", campaign / "records" / "t1-malpas.toml", "-q", "-o", folder / "battle.html")
    largest = [
        max((folder / kind).glob("*.html"), key=lambda page: page.stat().st_size)
        for kind in ("turns", "factions", "forces", "places", "battles")
    ]
    whole = ["index.html", "map.html", "search.html", "report.html", "battle.html"]
    return [*whole, *(page.relative_to(folder).as_posix() for page in largest)]


def main() -> int:
    """Write the pages, audit them, and return the exit code of the audit."""
    with TemporaryDirectory() as name:
        campaign, folder = Path(name) / "war", Path(name) / "site"
        copytree(CAMPAIGN, campaign)  # the command writes a cache beside the campaign file
        pages = write_pages(campaign, folder)
        script = ROOT / "tests" / "browser" / "audit.mjs"
        return subprocess.run(["node", script, sys.argv[1], str(CHROMIUM), folder, *pages]).returncode


if __name__ == "__main__":
    sys.exit(main())
