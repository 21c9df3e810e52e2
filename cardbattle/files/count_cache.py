"""A file that caches the results of simulations, for the commands that repeat them.

You can delete the file. Each user of the module chooses keys that depend on all inputs, so that an outdated
result is never used.
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

MOST_BYTES = 100 * MEGABYTE


class CountCache:
    """A file of simulation results. Each result has a key and a number of simulated battles."""

    def __init__(self, folder: str, name: str, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.path = os.path.join(folder, name)
        self.table: dict[str, dict[str, Any]] = {}
        self.is_changed = False
        with contextlib.suppress(CardbattleError, OSError, ValueError, AttributeError, RecursionError):
            data = json.loads(read_bytes(self.path, most_bytes)) if os.path.lexists(self.path) else {}
            if isinstance(data.get("counts"), dict) and data.get("program") == __version__:
                self.table = data["counts"]

    def best(self, key: str, wanted: int, *, or_more: bool = False) -> tuple[int, Any]:
        """Return the cached result with the most battles, as a pair (battles, result).

        Results with more than `wanted` battles are ignored unless `or_more` is True. Without a
        result, the pair is (0, None).
        """
        counts = self.table.get(key)
        sizes = [int(number) for number in counts if number.isdecimal()] if isinstance(counts, dict) else []
        number = max((size for size in sizes if or_more or size <= wanted), default=0)
        return (number, counts[str(number)]) if number and counts else (0, None)

    def put(self, key: str, number: int, value: object) -> None:
        self.table.setdefault(key, {})[str(number)] = value
        self.is_changed = True

    def keep_only(self, keys: Mapping[str, object] | set[str]) -> None:
        self.table = {key: counts for key, counts in self.table.items() if key in keys}

    def write(self) -> None:
        """Write the cache. Errors are ignored because the cache can be computed again."""
        content = json.dumps({"program": __version__, "counts": self.table}, separators=(",", ":")).encode()
        if self.is_changed and len(content) <= self.most_bytes:
            with contextlib.suppress(OSError):
                disk.replace(self.path, content)


def key_of(folder: str, *parts: object) -> str:
    """Return a hash of `parts`.

    If a part names a TOML file of the folder, the hash includes the file's content.
    """
    digest = sha256(json.dumps(parts, sort_keys=True, default=str).encode("utf-8", "surrogatepass"))
    for name in sorted(set(texts_in(parts))):
        path = os.path.join(folder, name)
        if name.endswith(".toml") and os.path.isfile(path):
            with contextlib.suppress(CardbattleError):
                digest.update(read_bytes(path, MEGABYTE))
    return digest.hexdigest()


def texts_in(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        value = [*value.values()]
    return [text for item in value for text in texts_in(item)] if isinstance(value, list | tuple) else []
