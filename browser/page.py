"""The page itself: one file, in which all that it needs stands beside its words."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from browser.app import facts
from browser.bundle import bundle
from browser.parts import FOLDER, BuildError
from cardbattle.show.writers.html import style_sheet
from cardbattle.version import __version__

MOST = 12_000_000  # bytes of the page


def build(folder: Path) -> Path:
    """Write the page into a folder and return its path; the same sources make the same bytes.

    BuildError if a part cannot be fetched, or the page would be larger than it may be.
    """
    with TemporaryDirectory() as work:
        text = page_text(bundle(Path(work)))
    if len(text) > MOST:
        raise BuildError(f"the page would have {len(text)} bytes; it may have {MOST}")
    path = folder / f"cardbattle-{__version__}.html"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def page_text(parts: dict[str, bytes]) -> str:
    """Return the page with these parts in it."""
    script = source("page.js")
    values = {
        "version": __version__,
        "script-hash": f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}",
        "style": style_sheet() + source("page.css"),
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
    """Return a file of this room."""
    return (FOLDER / name).read_text(encoding="utf-8")


def part_element(name: str, content: bytes) -> str:
    """Return a part as an element that no browser runs."""
    return f'<script type="text/plain" data-part="{name}">{b64encode(content).decode()}</script>\n'
