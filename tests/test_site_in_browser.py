"""A site in a real browser: drawn, quiet, fit for paper. Skipped where there is no Chromium."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.test_site import MARCHES, made

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the site of a sample campaign."""
    return made(MARCHES, tmp_path_factory.mktemp("browser") / "site")


def browse(page: Path, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Open a page in the browser, with an empty profile."""
    command = [str(CHROMIUM), *QUIET, f"--user-data-dir={folder / 'profile'}", *more, page.as_uri()]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=True)


def test_a_page_asks_for_nothing_but_itself(site: Path, tmp_path: Path) -> None:
    log = tmp_path / "net.json"
    page = site / "battles" / "t1-malpas.html"
    done = browse(page, tmp_path, f"--log-net-log={log}", "--enable-logging=stderr", "--dump-dom")
    assert "The field, step by step" in done.stdout
    assert not re.search(r"CONSOLE.*(Refused|violat|error)", done.stderr)
    asked = set(re.findall(r'"url":"((?:file|https?|ws)[^"]*)"', log.read_text(encoding="utf-8")))
    assert {url for url in asked if url.startswith("file")} <= {page.as_uri()}
    assert not [url for url in asked if "site" in url and not url.startswith("file")]


def test_a_slider_shows_one_turns_map_where_scripts_run(site: Path, tmp_path: Path) -> None:
    done = browse(site / "map.html", tmp_path, "--enable-logging=stderr", "--dump-dom")
    assert not re.search(r"CONSOLE.*(Refused|violat|rror)", done.stderr)
    assert '<p class="slide screen">' in done.stdout
    assert done.stdout.count('<section class="past" hidden="">') == 3
    assert 'max="3"' in done.stdout and 'aria-valuetext="Turn 4"' in done.stdout


def test_a_page_goes_on_paper(site: Path, tmp_path: Path) -> None:
    """With its cards, and without what is only for a screen."""
    paper = tmp_path / "page.pdf"
    browse(site / "battles" / "t1-malpas.html", tmp_path, "--no-pdf-header-footer", f"--print-to-pdf={paper}")
    content = paper.read_bytes()
    assert content.startswith(b"%PDF")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 4


def test_the_front_page_is_drawn_on_a_phone(site: Path, tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    browse(site / "index.html", tmp_path, "--window-size=390,1600", f"--screenshot={picture}")
    content = picture.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert len(content) > 30_000  # an empty page has a tenth of that
