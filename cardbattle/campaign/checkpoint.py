"""How far the ledger has been verified, so that a long one need not be read from its beginning.

The checkpoint is disposable. It holds the heads of the entries, where they end and what they left
at each key, under a hash of itself and of every byte of the ledger that it vouches for: if either
has changed by a letter, it counts for nothing and the ledger is read as if there were none.
"""

from __future__ import annotations

import contextlib
import json
import os
from hashlib import sha256

from cardbattle.campaign.ledger import EMPTY_LEDGER, MOST_LEDGER_BYTES, Head, Ledger
from cardbattle.core.errors import CardbattleError
from cardbattle.files import disk
from cardbattle.files.toml import read_bytes

NAME = ".cardbattle.checkpoint"
TEMPORARY = ".cardbattle.checkpoint.tmp"
VERSION = b"2\n"
EVERY = 100  # entries after which it is written anew


def read_checkpoint(folder: str, raw: bytes) -> Ledger:
    """Return what the checkpoint vouches for of this ledger; nothing, if anything is wrong with it."""
    path = os.path.join(folder, NAME)
    if not os.path.lexists(path):
        return EMPTY_LEDGER
    try:
        seal, content = read_bytes(path, MOST_LEDGER_BYTES).split(b"\n", 1)
        data = json.loads(content)
        size = data["heads"][-1][0]
        if seal != sealed(raw[:size], content) or size > len(raw):
            return EMPTY_LEDGER
        heads = [read_head(row) for row in data["heads"]]
        left = {tuple(key): value for key, value in data["left"]}
        return Ledger(raw[:size], heads, None, left, data["knows_pending"])
    except (CardbattleError, OSError, ValueError, LookupError, TypeError, RecursionError):
        return EMPTY_LEDGER


def write_checkpoint(folder: str, ledger: Ledger) -> None:
    """Vouch for the entries of a verified ledger; if that cannot be written, the next time."""
    data = {"heads": ledger.heads, "left": [*ledger.left.items()], "knows_pending": ledger.knows_pending}
    content = json.dumps(data, separators=(",", ":")).encode()
    seal = sealed(ledger.raw[: ledger.heads[-1].end], content)
    with contextlib.suppress(OSError):
        disk.replace(os.path.join(folder, NAME), seal + b"\n" + content, TEMPORARY)


def sealed(raw: bytes, content: bytes) -> bytes:
    """Return the hash of a ledger's bytes together with what is known of its entries."""
    return sha256(VERSION + sha256(raw).digest() + content).hexdigest().encode()


def read_head(row: list[object]) -> Head:
    """Return the head of an entry as JSON has it."""
    head = Head._make(row)
    i, n = head.part
    return head._replace(part=(i, n))
