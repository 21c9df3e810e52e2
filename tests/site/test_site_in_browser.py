"""A site in a real browser: rendered, silent and printable. Skipped without Chromium."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from browser.parts import BuildError, node_modules
from cardbattle.show.writers import replay_html
from tests.show.test_hostile_names_in_output import TAKEN
from tests.show.test_replay import page_with_replay
from tests.site.test_site import MARCHES, hostile, made, pages

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

VIEWS = [(390, "dark"), (1280, "light")]
ALL_VIEWS = [(width, scheme) for width in (390, 1280) for scheme in ("light", "dark")]
SOME = ("index.html", "map.html", "turns/2.html", "forces/hal.html", "battles/t1-malpas.html")

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
    assert 'class="replay live"' in done.stdout
    assert not re.search(r"CONSOLE.*(Refused|violat|error)", done.stderr)
    asked = set(re.findall(r'"url":"((?:file|https?|ws)[^"]*)"', log.read_text(encoding="utf-8")))
    assert {url for url in asked if url.startswith("file")} <= {page.as_uri()}
    assert not [url for url in asked if "site" in url and not url.startswith("file")]


def test_one_turns_map_is_shown_where_scripts_run(site: Path, tmp_path: Path) -> None:
    done = browse(site / "map.html", tmp_path, "--enable-logging=stderr", "--dump-dom")
    assert not re.search(r"CONSOLE.*(Refused|violat|rror)", done.stderr)
    assert '<div class="player screen">' in done.stdout
    assert done.stdout.count('<section class="past">') == 3
    assert done.stdout.count('<section class="past now">') == 1
    assert 'max="4"' in done.stdout and 'aria-valuetext="Turn 4"' in done.stdout


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


def modules_of_trial() -> Path:
    """Return the folder of the node modules; skip if they cannot be installed."""
    try:
        return Path(node_modules("trial"))
    except BuildError as error:
        pytest.skip(str(error))


def test_every_control_of_a_replay_leads_to_its_step(site: Path) -> None:
    """Keys, buttons, scrubber, story, log and address, on a phone; the step is always the same everywhere."""
    script = Path(__file__).parents[1] / "browser" / "replay.mjs"
    page = site / "battles" / "t1-malpas.html"
    command = ["node", str(script), str(modules_of_trial()), str(CHROMIUM), str(page)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout)
    assert report["isInView"]  # the bar stays in view, and the board comes into view when it begins to play
    states, last = report["found"], report["steps"]
    expected = {
        "address": 3, "right": 4, "left": 3, "end": last, "home": 1, "on": 2, "last": last, "back": last - 1,
        "first": 1, "skip": 3, "space": 1, "tick": 2, "pause": 2, "watch": 1,
        "skip on": 3, "story": report["last"], "log": 5, "scrubber": 7, "hash": 2,
    }  # fmt: skip
    assert {name: state["shown"] for name, state in states.items()} == expected
    assert {name: state["address"] for name, state in states.items()} == expected
    assert {name: state["scrubber"] for name, state in states.items()} == expected
    assert all(state["log"] in ([], [state["shown"]]) for state in states.values())
    playing = [name for name, state in states.items() if state["playing"]]
    assert playing == ["space", "tick", "watch", "skip on"]
    assert report["errors"] == []
    assert report["printed"] == 0  # no link to other pages and no control is on paper
    (first, second), words = report["pauses"], report["words"]  # a longer sentence is shown for longer
    assert (first < second) == (words[0] < words[1])
    assert all(1000 < pause <= 6000 for pause in (first, second))


def test_every_control_of_the_map_and_the_search_works_by_mouse_touch_and_keyboard(site: Path) -> None:
    """In one browser: the maps in order, a card over a link, and a search without accents."""
    script = Path(__file__).parents[1] / "browser" / "controls.mjs"
    command = ["node", str(script), str(modules_of_trial()), str(CHROMIUM), str(site), "forces/hal.html"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout)
    found = report["found"]
    expected = {
        "start": 4, "mouse back": 3, "touch back": 2, "enter on": 3, "home": 1, "arrow": 2, "end": 4,
        "space play": 1, "tick": 2, "touch pause": 2,
    }  # fmt: skip
    states = {name: found.pop(name) for name in expected}
    assert {name: state["slider"] for name, state in states.items()} == expected
    assert all(state["turn"] == f"Turn {state['slider']}" for state in states.values())
    assert [name for name, state in states.items() if state["label"] == "Pause"] == ["space play", "tick"]
    assert found == {
        "hover": "Prince Henry",
        "away": "",
        "focus": "Prince Henry",
        "escape": "",
        "status": "2 found",
        "listed": ["forces/hal.html", "battles/t1-malpas.html"],
        "opened": "forces/hal.html",
    }
    assert report["errors"] == []


def test_a_long_battle_shows_whole_fields(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its steps and its log are packed, and the script unpacks them."""
    files = []
    monkeypatch.setattr(replay_html, "MANY_CARDS", 0)
    for rules in ("warmonger", "warfare-tactics"):
        for name, room in (("packed", 0), ("whole", 10**9)):
            monkeypatch.setattr(replay_html, "MOST_BYTES", room)
            files.append(tmp_path / f"{rules}-{name}.html")
            files[-1].write_text(page_with_replay(rules), "utf-8")
    script = Path(__file__).parents[1] / "browser" / "fields.mjs"
    command = ["node", str(script), str(modules_of_trial()), str(CHROMIUM), *map(str, files)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    texts = json.loads(done.stdout)  # the log and the fields of each page
    assert texts[:2] + texts[4:6] == texts[2:4] + texts[6:]
    sizes = [file.stat().st_size for file in files]
    assert sizes[0] < 0.75 * sizes[1] and sizes[2] < 0.6 * sizes[3]


def test_a_long_name_is_not_broken_in_a_word_on_a_phone(tmp_path: Path) -> None:
    """Neither in the fields of the steps nor in the grids of the log."""
    page = tmp_path / "battle.html"
    sides = {"stone": {"name": "The Stonedressers"}, "holt": {"name": "Captain Holt"}}
    page.write_text(page_with_replay("field-of-honour", sides=sides), "utf-8")
    script = Path(__file__).parents[1] / "browser" / "broken_words.mjs"
    command = ["node", str(script), str(modules_of_trial()), str(CHROMIUM), str(page)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == []


def visited(found: Sequence[Path], folder: Path, views: Sequence[tuple[int, str]]) -> Any:
    """Look at pages at these widths, in these colours, and return what was found; skip without axe."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps({"pages": list(map(str, found)), "views": views, "pictures": ""}), "utf-8")
    script = Path(__file__).parents[1] / "browser" / "visit.mjs"
    command = ["node", str(script), str(modules_of_trial()), str(CHROMIUM), str(plan)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def hold_pages(found: Sequence[Path], folder: Path, views: Sequence[tuple[int, str]]) -> None:
    """Hold pages to be fit for everybody at these widths, and quiet."""
    assert visited(found, folder, views) == {
        "violations": [],
        "requests": [],
        "errors": [],
        "dialogs": [],
        "looked": len(found) * len(views),
    }


def test_pages_are_fit_for_everybody(site: Path, tmp_path: Path) -> None:
    hold_pages([site / name for name in SOME], tmp_path, VIEWS)


def test_names_that_would_act_do_nothing_in_a_browser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "' onclick='York()",
             "李世民" * 13 + "軍", "مرحبا بالعالم", "</style></title></td>York"]  # fmt: skip
    bad = hostile(tmp_path / "bad", names)
    kinds = {page.parent: page for page in pages(bad)}.values()  # the last of each kind
    hold_pages([bad / "index.html", *kinds], tmp_path, VIEWS[:1])


@pytest.mark.heavy
@pytest.mark.parametrize("name", sorted(path.name for path in MARCHES.parent.iterdir()))
def test_every_page_of_a_sample_is_fit_for_everybody(name: str, tmp_path: Path) -> None:
    whole = made(MARCHES.parent / name, tmp_path / "site", "--for", "umpire", "--records", "--chances")
    hold_pages(pages(whole), tmp_path, ALL_VIEWS)


@pytest.mark.heavy
@pytest.mark.parametrize("first", range(0, len(TAKEN), 6))
def test_every_name_that_would_act_does_nothing_in_a_browser(
    first: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = hostile(tmp_path / "bad", [TAKEN[(first + place) % len(TAKEN)] for place in range(6)])
    hold_pages(pages(bad), tmp_path, VIEWS)
