"""Store how much of the ledger was verified, so that later commands verify only newer entries.

The checkpoint contains the heads (summaries) of the entries, the offsets at which the entries end, and the
last value of each key. It also has a hash of its own content and of every verified byte of the ledger. If
either has changed, the checkpoint is ignored. You can delete it.

The file consists of the hash, a line of JSON, and columns of equal width. The columns are the end of each
entry, whether it has a result, and the hashes of records and entries.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from array import array
from datetime import date
from hashlib import sha256
from typing import Any

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, MOST_LEDGER_BYTES, Ledger
from cardbattle.campaign.ledger.ledger_file import LedgerBytes, hash_of
from cardbattle.campaign.ledger.ledger_heads import HASH_BYTES, Hashes, Heads
from cardbattle.core.errors import CardbattleError
from cardbattle.files import disk
from cardbattle.files.toml import read_bytes

NAME = ".cardbattle.checkpoint"
TEMPORARY = ".cardbattle.checkpoint.tmp"
VERSION = b"4\n"
EVERY = 100  # entries after which it is written again
END_BYTES = 8


def read_checkpoint(folder: str, raw: LedgerBytes) -> Ledger:
    """Return the ledger that a checkpoint covers, or an empty one if it is not valid."""
    path = os.path.join(folder, NAME)
    if not os.path.lexists(path):
        return EMPTY_LEDGER
    try:
        kept = read_bytes(path, MOST_LEDGER_BYTES)
        start = kept.index(b"\n") + 1
        columns = kept.index(b"\n", start) + 1
        table, view = json.loads(kept[start:columns], object_hook=restore_day), memoryview(kept)
        size = table["size"]
        if size > len(raw) or kept[: start - 1] != prefix_hash(raw, size, view[start:]):
            return EMPTY_LEDGER
        left = {tuple(key): value for key, value in table["left"]}
        heads = read_heads(table, view[columns:])
        return Ledger(raw, heads, None, left, table["knows_pending"], knows_values=table["knows_values"])
    except (CardbattleError, OSError, ValueError, LookupError, TypeError, RecursionError):
        return EMPTY_LEDGER


def write_checkpoint(folder: str, ledger: Ledger) -> None:
    """Write the checkpoint of a verified ledger.

    A failure to write is ignored, because the next command tries again.
    """
    try:
        content = checkpoint_content(ledger)
    except TypeError:  # a time of the umpire's own, which JSON lacks
        return
    seal = prefix_hash(ledger.raw, ledger.heads.ends[-1], content)
    with contextlib.suppress(OSError):
        disk.replace(os.path.join(folder, NAME), seal + b"\n" + content, TEMPORARY)


def checkpoint_content(ledger: Ledger) -> bytes:
    heads = ledger.heads
    table = {
        "size": heads.ends[-1],
        "left": [*ledger.left.items()],
        "knows_pending": ledger.knows_pending,
        "knows_values": ledger.knows_values,
        "kinds": heads.kinds,
        "ids": heads.ids,
        "records": heads.records,
        "parts": [*heads.parts.items()],
        "undoes": [*heads.undoes.items()],
        "digests": [*heads.digests.texts.items()],
        "checks": [*heads.checks.texts.items()],
    }
    hashes = [
        bytes(part) for column in (heads.digests, heads.checks) for part in (column.states, column.packed)
    ]
    line = json.dumps(table, separators=(",", ":"), default=day_table).encode()
    return b"".join([line, b"\n", little_endian(heads.ends).tobytes(), bytes(heads.results), *hashes])


DAY = "$day"  # the key of a date, which JSON lacks


def day_table(value: object) -> dict[str, str]:
    """Convert a date to a table for JSON. Raises TypeError for other values."""
    if type(value) is not date:
        raise TypeError(f"{type(value).__name__} cannot be in a checkpoint")
    return {DAY: value.isoformat()}


def restore_day(table: dict[str, Any]) -> object:
    """Convert a table made by `day_table` back to a date. Any other table is returned unchanged."""
    return date.fromisoformat(table[DAY]) if table.keys() == {DAY} else table


def read_heads(table: dict[str, Any], columns: memoryview) -> Heads:
    heads, count = Heads(), len(table["kinds"])
    widths = (END_BYTES, 1, 1, HASH_BYTES, 1, HASH_BYTES)
    parts, start = [], 0
    for width in widths:
        parts.append(columns[start : start + width * count])
        start += width * count
    ends = array("Q")
    ends.frombytes(parts[0])
    heads.ends = little_endian(ends)
    heads.results = bytearray(parts[1])
    heads.digests = read_hashes(heads.digests, parts[2:4], table["digests"])
    heads.checks = read_hashes(heads.checks, parts[4:6], table["checks"])
    heads.kinds = [sys.intern(kind) for kind in table["kinds"]]
    heads.ids, heads.records = table["ids"], table["records"]
    heads.parts = {number: (i, n) for number, (i, n) in table["parts"]}
    heads.undoes = dict(table["undoes"])
    return heads


def read_hashes(column: Hashes, parts: list[memoryview], texts: list[tuple[int, str]]) -> Hashes:
    """Return a column of hashes with the content that a checkpoint has stored."""
    column.states, column.packed = map(bytearray, parts)
    column.texts = dict(texts)
    return column


def little_endian(numbers: array[int]) -> array[int]:
    """Swap the bytes of the numbers if this machine is big-endian. Checkpoints are little-endian."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers


def prefix_hash(raw: LedgerBytes, size: int, content: bytes | memoryview) -> bytes:
    """Return a hash of the first `size` bytes of a ledger and of the checkpoint's `content`."""
    digest = sha256(VERSION + hash_of(raw, size))
    digest.update(content)
    return digest.hexdigest().encode()
