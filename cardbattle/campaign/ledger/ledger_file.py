"""Read the bytes of a long ledger from the disk in parts, on demand.

A `LedgerFile` can be sliced like bytes. A ledger only grows at its end, so its first bytes do not change
while a command reads them.
"""

from __future__ import annotations

import os
import stat
from hashlib import sha256

from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.core.names import clean
from cardbattle.files import disk
from cardbattle.files.toml import read_bytes

IN_MEMORY = 1_000_000  # bytes; a shorter ledger is read in one go
WINDOW = 250_000  # bytes per read


class LedgerFile:
    """The bytes that a ledger had when it was opened, followed by the bytes in `added`."""

    def __init__(self, path: str, handle: int, size: int, added: bytes = b"") -> None:
        self.path = path
        self.handle = handle
        self.size = size
        self.added = added
        self.start = 0  # offset of the bytes that were read last
        self.window = b""

    def __del__(self) -> None:
        os.close(self.handle)

    def __len__(self) -> int:
        return self.size + len(self.added)

    def __getitem__(self, place: slice) -> bytes:
        first, last, _ = place.indices(len(self))
        last = max(first, last)
        if first >= self.size:
            return self.added[first - self.size : last - self.size]
        if last > self.size:
            return self.part(first, self.size) + self.added[: last - self.size]
        return self.part(first, last)

    def part(self, first: int, last: int) -> bytes:
        """Return the bytes of the file from the offset `first` up to, but not including, `last`."""
        if not self.start <= first <= last <= self.start + len(self.window):
            self.window = self.read(first, max(last - first, min(WINDOW, self.size - first)))
            self.start = first
        return self.window[first - self.start : last - self.start]

    def read(self, offset: int, count: int) -> bytes:
        """Read bytes from an offset. Raises NeedsUmpire if the file is shorter or unreadable."""
        try:
            os.lseek(self.handle, offset, os.SEEK_SET)
            parts = []
            while count > 0:
                part = os.read(self.handle, count)
                if not part:
                    raise concurrent_change_error(self.path)
                parts.append(part)
                count -= len(part)
        except OSError as error:
            raise NeedsUmpire(f"{clean(self.path)} cannot be read: {disk.reason(error)}") from error
        return b"".join(parts)

    def __add__(self, more: bytes) -> LedgerFile:
        return LedgerFile(self.path, os.dup(self.handle), self.size, self.added + more)


LedgerBytes = bytes | LedgerFile


def concurrent_change_error(path: str) -> NeedsUmpire:
    """Return the error for a ledger that another program changed while a command read it."""
    name = clean(os.path.basename(path))
    return NeedsUmpire(f"{name} was changed while it was read; run the command again, or: campaign check")


def open_ledger(path: str, most: int) -> LedgerBytes:
    """Return the bytes of a ledger.

    A short ledger is read at once. Raises InvalidInput if the ledger has more than `most` bytes, or cannot be
    read.
    """
    try:
        handle = os.open(path, os.O_RDONLY | disk.BINARY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return read_bytes(path, most)  # raises an error that says why the file cannot be read
    state = os.fstat(handle)
    if not stat.S_ISREG(state.st_mode) or not IN_MEMORY < state.st_size <= most:
        os.close(handle)
        return read_bytes(path, most)
    return LedgerFile(path, handle, state.st_size)


def hash_of(raw: LedgerBytes, size: int) -> bytes:
    """Return the SHA-256 of the first `size` bytes of a ledger."""
    digest = sha256()
    for start in range(0, size, WINDOW):
        digest.update(raw[start : min(start + WINDOW, size)])
    return digest.digest()


def line_number(raw: LedgerBytes, offset: int) -> int:
    """Return the number of the line of the ledger that contains this offset. The first line has number 1."""
    starts = range(0, offset, WINDOW)
    return 1 + sum(raw[start : min(start + WINDOW, offset)].count(b"\n") for start in starts)
