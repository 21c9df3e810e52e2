"""The sample correspondences: battles by message, as their letters go to and fro.

A file of examples/letters has a battle file, and the letters of the players in the order in which they came.
Between them stands what the program has written; `python -m tests.support.correspondence` writes that anew.
"""

from __future__ import annotations

import io
import os
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from cardbattle.cli.app import run

FOLDER = Path(__file__).parents[2] / "examples" / "letters"
BLOCK = re.compile(
    r"^### (?P<title>[^\n]+)\n\n```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
SENT = "To "
SALT = "5a" * 16  # of the receipts, so that they stay the same


def said(*arguments: str) -> tuple[str, str]:
    """Return what a command prints, and what it says beside it; AssertionError if it refuses."""
    out, beside = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(beside):
        code = run([*arguments])
    assert code == 0, beside.getvalue()
    return out.getvalue(), beside.getvalue()


def sent(printed: str) -> list[str]:
    """Return the messages that a command prints as blocks of a correspondence."""
    parts = re.split(r"^(To \S+, .*): \d+ characters\n", printed, flags=re.MULTILINE)[1:]
    return [
        f"### {title}\n\n```text\n{text.strip()}\n```" for title, text in zip(*[iter(parts)] * 2, strict=True)
    ]


def written(file: Path) -> tuple[str, str]:
    """Return a correspondence with what the program writes now, and the record that it comes to."""
    text = file.read_text(encoding="utf-8")
    blocks = [block for block in BLOCK.finditer(text) if not block["title"].startswith(SENT)]
    found = [text[: blocks[0].start()].rstrip()]
    with (
        TemporaryDirectory() as folder,
        patch.dict(os.environ, {"NO_COLOR": "1", "COLUMNS": "80"}),
        patch("cardbattle.cli.commands.orders.draw_salt", lambda: SALT),
    ):
        here = Path.cwd()
        os.chdir(folder)
        try:
            for block in blocks:
                found.append(block[0])
                found += sent(taken(block))
            record = next(Path(folder).glob("*.record.toml")).read_text(encoding="utf-8")
        finally:
            os.chdir(here)
    return "\n\n".join(found) + "\n", record


def taken(block: re.Match[str]) -> str:
    """Return what the program prints for the battle file, or for a letter."""
    if block["kind"] == "toml":
        Path("battle.toml").write_text(block["text"], encoding="utf-8")
        return said("orders", "ask", "battle.toml")[0]
    Path("letter.txt").write_text(block["text"], encoding="utf-8")
    return said("orders", "take", str(next(Path().glob("*.battle.toml"))), "letter.txt")[0]


if __name__ == "__main__":
    for name in sorted(FOLDER.glob("*.md")):
        name.write_text(written(name)[0], encoding="utf-8")
