"""What the page gets of the package: all that its app imports."""

from __future__ import annotations

import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from browser import bundle

ROOT = Path(__file__).parents[2]
BUNDLED = "site/cardbattle/"
PATTERNS = [pattern for pattern in bundle.EXCLUDED if pattern.startswith(BUNDLED)]
# The app as the page runs it: what the page does not get cannot be imported.
ASK_APP = """
import json, sys
from itertools import product
from pathlib import Path
from fnmatch import fnmatchcase
from importlib.abc import MetaPathFinder
from browser.bundle import EXCLUDED

class Unbundled(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        stem = "site/" + name.replace(".", "/")
        files = (stem + ".py", stem + "/__init__.py")
        if name.startswith("cardbattle.") and any(fnmatchcase(*pair) for pair in product(files, EXCLUDED)):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Unbundled())
from browser.app import PageApp

root, app = Path(sys.argv[1]), PageApp()

def ask(request, **given):
    answer = json.loads(app.call(request, json.dumps(given)))
    assert "failure" not in answer and "errors" not in answer, answer
    return answer

for folder in sorted((root / "campaigns").iterdir()):
    files = {path.relative_to(folder.parent).as_posix(): path.read_text("utf-8")
             for ending in ("toml", "svg") for path in folder.rglob("*." + ending)}
    opened = ask("open", files=files)
    for battle, text, why in opened["pending"][:1]:
        record = ask("resolve", text=text)
        ask("verify", text=record["text"], name=record["file"])
        ask("count", text=text, battles=2)
        ask("play", text=text)
    print(opened["title"])
"""


def test_each_pattern_excludes_a_file() -> None:
    """A pattern without a file is the old name of a file that the page now has."""
    files = [f"site/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "cardbattle").rglob("*.*")]
    assert [pattern for pattern in PATTERNS if not any(fnmatchcase(file, pattern) for file in files)] == []


@pytest.mark.slow
def test_python_starts_without_the_files_that_are_unpacked_later() -> None:
    """The worker unpacks them with these modules, and pyodide itself needs asyncio."""
    worker = (ROOT / "browser" / "worker.js").read_text("utf-8")
    (imported,) = re.findall("^import (lzma.*)$", worker, re.MULTILINE)
    code = f"import asyncio, sys, zipfile, {imported}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-ISc", code], capture_output=True, text=True, encoding="utf-8")
    files = [f"stdlib/{name.replace('.', '/')}{end}" for name in run.stdout.split() for end in (".py", "/")]
    assert "stdlib/zipfile.py" in files
    assert [name for name in files if bundle.matches(name, bundle.LATER)] == []


@pytest.mark.slow
def test_the_app_imports_nothing_that_the_page_does_not_get(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK_APP, str(ROOT)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.splitlines()) == len(list((ROOT / "campaigns").iterdir()))
