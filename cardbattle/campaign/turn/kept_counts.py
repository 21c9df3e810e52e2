"""What `luck` and `forecast` computed before, kept in the campaign's folder; disposable.

An entry goes by a hash of everything that its numbers follow from, so that none is used for anything else.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from cardbattle.core.errors import CardbattleError
from cardbattle.files import disk
from cardbattle.files.toml import MEGABYTE, read_bytes
from cardbattle.version import __version__

MOST_BYTES = 20 * MEGABYTE


class CountCache:
    """Numbers by key and by how many battles they were counted in, in one file of a campaign."""

    def __init__(self, folder: str, name: str) -> None:
        self.path = os.path.join(folder, name)
        self.table: dict[str, dict[str, Any]] = {}
        self.is_changed = False
        with contextlib.suppress(CardbattleError, OSError, ValueError, AttributeError):
            found = json.loads(read_bytes(self.path, MOST_BYTES)) if os.path.lexists(self.path) else {}
            if isinstance(found.get("counts"), dict) and found.get("program") == __version__:
                self.table = found["counts"]

    def __repr__(self) -> str:
        return f"<CountCache of {len(self.table)} keys>"

    def best(self, key: str, wanted: int, *, or_more: bool = False) -> tuple[int, Any]:
        """Return how many battles were counted, at most so many, and the count; 0 and None if there is none.

        With `or_more` there may be more battles than were wanted.
        """
        counts = self.table.get(key)
        known = [int(number) for number in counts if number.isdecimal()] if isinstance(counts, dict) else []
        number = max((one for one in known if or_more or one <= wanted), default=0)
        return (number, counts[str(number)]) if number and counts else (0, None)

    def put(self, key: str, number: int, value: object) -> None:
        """Keep a count of so many battles."""
        self.table.setdefault(key, {})[str(number)] = value
        self.is_changed = True

    def keep_only(self, keys: Mapping[str, object] | set[str]) -> None:
        """Forget all keys but these."""
        self.table = {key: counts for key, counts in self.table.items() if key in keys}

    def write(self) -> None:
        """Write what was counted; if that cannot be written, it is counted again the next time."""
        content = json.dumps({"program": __version__, "counts": self.table}, separators=(",", ":")).encode()
        if self.is_changed and len(content) <= MOST_BYTES:
            with contextlib.suppress(OSError):
                disk.replace(self.path, content)


def key_of(folder: str, *parts: object) -> str:
    """Return the key of what follows from these parts, and from the files of the folder that they name."""
    found = sha256(json.dumps(parts, sort_keys=True, default=str).encode("utf-8", "surrogatepass"))
    for name in sorted(set(texts_in(parts))):
        path = os.path.join(folder, name)
        if name.endswith(".toml") and os.path.isfile(path):
            with contextlib.suppress(CardbattleError):
                found.update(read_bytes(path, MEGABYTE))
    return found.hexdigest()


def texts_in(value: object) -> list[str]:
    """Return all texts in a value of tables and lists."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        value = [*value.values()]
    return [text for one in value for text in texts_in(one)] if isinstance(value, list | tuple) else []
