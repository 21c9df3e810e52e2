"""A cache of simulations in the campaign's folder: of `luck`, `forecast` and recorded battles; disposable.

Keys are hashes of all inputs, so that a stale result is never used.
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
    """Simulation results by key and number of battles, in one file of a campaign."""

    def __init__(self, folder: str, name: str, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.path = os.path.join(folder, name)
        self.table: dict[str, dict[str, Any]] = {}
        self.is_changed = False
        with contextlib.suppress(CardbattleError, OSError, ValueError, AttributeError):
            data = json.loads(read_bytes(self.path, most_bytes)) if os.path.lexists(self.path) else {}
            if isinstance(data.get("counts"), dict) and data.get("program") == __version__:
                self.table = data["counts"]

    def __repr__(self) -> str:
        return f"<CountCache of {len(self.table)} keys>"

    def best(self, key: str, wanted: int, *, or_more: bool = False) -> tuple[int, Any]:
        """Return (battles, result) of the largest result of at most `wanted` battles, or (0, None).

        With `or_more`, a larger one is accepted.
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
        """Write the cache; errors are ignored because it can be computed again."""
        content = json.dumps({"program": __version__, "counts": self.table}, separators=(",", ":")).encode()
        if self.is_changed and len(content) <= self.most_bytes:
            with contextlib.suppress(OSError):
                disk.replace(self.path, content)


def key_of(folder: str, *parts: object) -> str:
    """Return a hash of these parts, and of the TOML files of the folder that they name."""
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
