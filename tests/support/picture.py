"""The README's pictures: `python -m tests.support.picture` writes docs/story.svg and docs/battle-page.png."""

from __future__ import annotations

import io
import re
import subprocess
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.terminal_theme import MONOKAI

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.resolve import fight_battle
from cardbattle.cli.app import run
from cardbattle.core.telling import STORY
from cardbattle.show.pages.battle import battle_page
from cardbattle.show.writers.terminal import to_terminal
from tests.browser.test_browser import CHROMIUM

ROOT = Path(__file__).parents[2]
BATTLE = ROOT / "examples" / "shrewsbury.toml"
STORY_PICTURE, PAGE_PICTURE = ROOT / "docs" / "story.svg", ROOT / "docs" / "battle-page.png"
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # they would be fetched from the network
STILL = "<style>body { position: fixed; top: 0; left: 0; right: 0; }</style>"  # the page does not scroll
POLICY = re.compile(r"<meta http-equiv=.*?>")  # it forbids the script below
STEP = 13  # of the replay
SCRIPT = f"""<script>
const slider = document.querySelector("input[type=range]");
slider.value = {STEP};
slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
</script>"""
BROWSER = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--window-size=760,975", "--virtual-time-budget=3000"),
)


def story_picture() -> str:
    """Return the story as `resolve` prints it in a terminal, as SVG."""
    record, referee = fight_battle(read_battle(tomllib.loads(BATTLE.read_text(encoding="utf-8"))))
    screen = Console(
        file=io.StringIO(),
        record=True,
        width=80,
        color_system="truecolor",
        force_terminal=True,
        legacy_windows=False,
    )
    to_terminal(battle_page(report_of(record, referee), STORY, record.table), screen)
    title = f"cardbattle resolve {BATTLE.name} --detail story"
    drawn = screen.export_svg(title=title, theme=MONOKAI, unique_id="story")
    return FONT.sub("", drawn).replace("Fira Code", "DejaVu Sans Mono")


def take_page_picture() -> None:
    """Write a picture of the battle's page, in the middle of its replay."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "battle.html"
        assert run(["resolve", str(BATTLE), "--detail", "story", "-o", str(file), "-q"]) == 0
        page = file.read_text(encoding="utf-8")
        file.write_text(POLICY.sub("", page).replace("</body>", f"{STILL}{SCRIPT}</body>"), encoding="utf-8")
        flags = [*BROWSER, f"--user-data-dir={folder}/profile", f"--screenshot={PAGE_PICTURE}", file.as_uri()]
        subprocess.run([str(CHROMIUM), *flags], check=True, capture_output=True)


if __name__ == "__main__":
    STORY_PICTURE.write_text(story_picture(), encoding="utf-8")
    take_page_picture()
