"""List the names of the built-in cases quickly for shell completion, without validating the files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources

FOLDER = resources.files("cardbattle").joinpath("data", "cases")
NAMED = r'^\[\[{}\]\]\nid = "([^"]+)".*\ntitle = "([^"]+)"'


def case_names(table: str = "case") -> Iterator[tuple[str, str]]:
    """Yield the id and the title of each built-in case.

    If `table` is "perft", yield those of each counted position.
    """
    pattern = re.compile(NAMED.format(table), re.MULTILINE)
    for folder in FOLDER.iterdir():
        for file in folder.iterdir():
            for match in pattern.finditer(file.read_text(encoding="utf-8")):
                yield match[1], match[2]
