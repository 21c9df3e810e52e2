"""Put the page together: one HTML file with the style, the scripts and Python in it."""

from __future__ import annotations

import json
from base64 import b64encode, b85encode
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from browser.app import facts
from browser.bundle import bundle
from browser.parts import FOLDER, BuildError
from cardbattle.show.writers.html import inline_script, site_style_sheet, style_sheet
from cardbattle.version import __version__

MOST = 12_200_000  # maximum size of the page in bytes


def build(folder: Path) -> Path:
    """Write the page to a folder and return its path; the same sources give the same bytes.

    Raises BuildError if a download fails or the page is too large.
    """
    with TemporaryDirectory() as work:
        text = page_text(bundle(Path(work)))
    if len(text) > MOST:
        raise BuildError(f"the page has {len(text)} bytes; the limit is {MOST}")
    path = folder / f"cardbattle-{__version__}.html"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def page_text(parts: dict[str, bytes]) -> str:
    """Return the page with these parts."""
    replay, _ = inline_script("replay.js")
    script = str(replay) + source("page.js")
    values = {
        "version": __version__,
        "script-hash": f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}",
        "style": style_sheet() + site_style_sheet() + source("page.css"),
        "facts": json.dumps(facts(), sort_keys=True).replace("<", "\\u003c"),
        "parts": "".join(part_element(name, content) for name, content in sorted(parts.items())),
        "worker": source("worker.js"),
        "script": script,
    }
    text = source("page.html")
    for name, value in values.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    return text


def source(name: str) -> str:
    """Return the text of a file of this package."""
    return (FOLDER / name).read_text(encoding="utf-8")


def part_element(name: str, content: bytes) -> str:
    """Return a part as a script element that browsers do not run.

    The text is base 85, a fifteenth shorter than base 64, with `,` in place of `<`, which can begin a tag.
    """
    text = b85encode(content).decode().replace("<", ",")
    return f'<script type="text/plain" data-part="{name}">{text}</script>\n'
