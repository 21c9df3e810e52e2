"""Plant bugs in correct rule sets, one at a time, and count those that `cardbattle test-rules` finds.

Usage: python -m research.planted_bugs [WORD ...]; with words, only bugs whose names contain one of them.

A bug counts as caught if a law fails, if the package cannot be loaded, or if the report lists an option
without effect. A run that takes longer than ten minutes counts as hung.
As many runs as there are processors go on at the same time.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
BUGS = Path(__file__).with_suffix(".toml")
PATIENCE = 600  # seconds


class Game(NamedTuple):
    """A correct rule set: its folder, and the key and import name of the copy in which a bug is planted."""

    folder: Path
    key: str
    package: str


GAMES = {
    "pike": Game(ROOT / "examples" / "plug-in" / "push_of_pike", "push-of-pike", "push_of_pike"),
    "outbid": Game(ROOT / "tests" / "toy", "outbid", "outbid"),
}
EXPORTS = {"pike": "RULES", "outbid": "OUTBID"}


class Bug(NamedTuple):
    """A bug: its name, its game, and a text of a file that is replaced."""

    name: str
    game: str
    file: str
    old: str
    new: str


class Verdict(NamedTuple):
    """What the kit says of a bug: "caught", "missed" or "hung"; the broken laws; and the seconds it took."""

    state: str
    laws: list[str]
    seconds: float


def bugs() -> list[Bug]:
    """Return all bugs."""
    tables = tomllib.loads(BUGS.read_text(encoding="utf-8"))["bug"]
    return [Bug(**table) for table in tables]


def plant(bug: Bug | None, game_name: str, folder: Path) -> None:
    """Write a game with a bug, or the correct game, into a folder, as an installed package."""
    game = GAMES[game_name]
    package = folder / game.package
    shutil.copytree(game.folder, package, ignore=shutil.ignore_patterns("__pycache__"))
    if game_name == "outbid":
        replace(package / "__init__.py", 'package = "tests.toy"', f'package = "{game.package}"')
    if bug:
        replace(package / bug.file, bug.old, bug.new)
    info = folder / f"{game.package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {game.package}\nVersion: 1.0\n")
    entry_point = f"{game.key} = {game.package}:{EXPORTS[game_name]}"
    (info / "entry_points.txt").write_text(f"[cardbattle.rules]\n{entry_point}\n")


def replace(path: Path, old: str, new: str) -> None:
    """Replace a text that occurs once in a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path.name} has {text.count(old)} times {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def judge(bug: Bug | None, game_name: str) -> Verdict:
    """Run the kit on a game with a bug, or on the correct game."""
    with tempfile.TemporaryDirectory() as folder:
        plant(bug, game_name, Path(folder))
        command = [sys.executable, "-m", "cardbattle", "test-rules", GAMES[game_name].key, "--json"]
        began = monotonic()
        try:
            ran = subprocess.run(
                command,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([folder, str(ROOT)])},
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return Verdict("hung", [], PATIENCE)
        seconds = monotonic() - began
    if ran.returncode not in (0, 1) or not ran.stdout:
        return Verdict("caught", [f"exit code {ran.returncode}: {ran.stderr.strip()[-200:]}"], seconds)
    report = json.loads(ran.stdout)
    laws = [law["name"] for law in report["laws"] if law["result"] == "failed"]
    laws += [f"without effect: {option}" for option in report["without_effect"] or []]
    return Verdict("caught" if laws else "missed", laws, seconds)


def main() -> None:
    """Print the verdict on each bug, and the share of those that were caught."""
    words = sys.argv[1:]
    chosen = [bug for bug in bugs() if not words or any(word in bug.name for word in words)]
    known = {name: set(judge(None, name).laws) for name in GAMES}
    print(f"correct games: { ({name: sorted(laws) for name, laws in known.items()}) }")
    counts = {"caught": 0, "missed": 0, "hung": 0}
    longest = 0.0
    pool = ThreadPoolExecutor(os.cpu_count())
    verdicts = pool.map(lambda bug: judge(bug, bug.game), chosen)
    for bug, verdict in zip(chosen, verdicts, strict=True):
        laws = [law for law in verdict.laws if law not in known[bug.game]]
        state = "missed" if verdict.state == "caught" and not laws else verdict.state
        counts[state] += 1
        longest = max(longest, verdict.seconds)
        more = f" and {len(laws) - 1} more" if len(laws) > 1 else ""
        print(
            f"{state:7} {verdict.seconds:5.1f} s  {bug.name}: {laws[0] + more if laws else '-'}", flush=True
        )
    share = 100 * counts["caught"] / len(chosen)
    print(f"{counts['caught']} of {len(chosen)} caught ({share:.0f} %), {counts['hung']} hung")
    print(f"longest run: {longest:.0f} s")


if __name__ == "__main__":
    main()
