"""The heads (summaries) of a ledger's entries, stored in columns of less than a hundred bytes per entry.

As Python tuples, the heads of a hundred thousand entries would take 50 MB.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload

HASH_BYTES = 32
DIGEST_PREFIX = "sha256:"
NONE, PACKED, TEXT = range(3)  # how a hash is stored


class Head(NamedTuple):
    """The summary of a verified entry. `end` is the offset after the entry."""

    end: int
    kind: str
    id: str
    part: tuple[int, int]
    undoes: list[int]
    record: str
    digest: str
    has_result: bool
    check: str


class Hashes:
    """A column of SHA-256 hashes of 33 bytes each. Other strings are stored unchanged."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.states = bytearray()
        self.packed = bytearray()
        self.texts: dict[int, str] = {}

    def append(self, text: str) -> None:
        """Append a hash, which is a prefix and hexadecimal digits, or any other string."""
        packed = hash_bytes(text.removeprefix(self.prefix)) if text.startswith(self.prefix) else b""
        if text and not packed:
            self.texts[len(self.states)] = text
        self.states.append(PACKED if packed else TEXT if text else NONE)
        self.packed += packed or bytes(HASH_BYTES)

    def __getitem__(self, index: int) -> str:
        state = self.states[index]
        if state == PACKED:
            return self.prefix + self.packed[HASH_BYTES * index : HASH_BYTES * (index + 1)].hex()
        return self.texts[index] if state == TEXT else ""

    def copy(self) -> Hashes:
        duplicate = Hashes(self.prefix)
        duplicate.states, duplicate.packed, duplicate.texts = (
            self.states.copy(),
            self.packed.copy(),
            self.texts.copy(),
        )
        return duplicate


def hash_bytes(digits: str) -> bytes:
    """Convert lower-case hexadecimal digits to bytes. The result is empty if they are not a hash."""
    try:
        packed = bytes.fromhex(digits)
    except ValueError:
        return b""
    return packed if len(packed) == HASH_BYTES and packed.hex() == digits else b""


class Heads(Sequence[Head]):
    """A growing sequence of heads. Parts and undone revisions are stored only where present."""

    def __init__(self, heads: Iterable[Head] = ()) -> None:
        self.ends = array("Q")
        self.kinds: list[str] = []
        self.ids: list[str] = []
        self.parts: dict[int, tuple[int, int]] = {}
        self.undoes: dict[int, list[int]] = {}
        self.records: list[str] = []
        self.results = bytearray()
        self.digests = Hashes(DIGEST_PREFIX)
        self.checks = Hashes()
        for head in heads:
            self.append(head)

    def append(self, head: Head) -> None:
        """Add the head of the next entry."""
        number = len(self.kinds)
        if head.part != (1, 1):
            self.parts[number] = head.part
        if head.undoes:
            self.undoes[number] = head.undoes
        self.ends.append(head.end)
        self.kinds.append(sys.intern(head.kind))
        self.ids.append(head.id)
        self.records.append(head.record)
        self.results.append(head.has_result)
        self.digests.append(head.digest)
        self.checks.append(head.check)

    def __len__(self) -> int:
        return len(self.kinds)

    @overload
    def __getitem__(self, index: int) -> Head: ...
    @overload
    def __getitem__(self, index: slice) -> Heads: ...
    def __getitem__(self, index: int | slice) -> Head | Heads:
        if isinstance(index, slice):
            return Heads(map(self.head, range(*index.indices(len(self)))))
        if not -len(self) <= index < len(self):
            raise IndexError(f"there is no head {index}")
        return self.head(index % len(self))

    def head(self, index: int) -> Head:
        return Head(
            self.ends[index],
            self.kinds[index],
            self.ids[index],
            self.parts.get(index, (1, 1)),
            self.undoes.get(index, []),
            self.records[index],
            self.digests[index],
            bool(self.results[index]),
            self.checks[index],
        )

    def __iter__(self) -> Iterator[Head]:
        return map(self.head, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Heads):
            return NotImplemented
        return len(self) == len(other) and all(
            head == another for head, another in zip(self, other, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> Heads:
        duplicate = Heads()
        duplicate.ends, duplicate.kinds, duplicate.ids = self.ends[:], self.kinds.copy(), self.ids.copy()
        duplicate.parts, duplicate.undoes, duplicate.records = (
            self.parts.copy(),
            self.undoes.copy(),
            self.records.copy(),
        )
        duplicate.results, duplicate.digests, duplicate.checks = (
            self.results.copy(),
            self.digests.copy(),
            self.checks.copy(),
        )
        return duplicate

    def part(self, index: int) -> tuple[int, int]:
        """Return a pair (part number, number of parts) for the entry at an index from 0."""
        return self.parts.get(index, (1, 1))

    def revisions(self, kinds: Sequence[str], last: int) -> list[int]:
        """Return the revisions of the entries of these `kinds` up to the revision `last`, in order."""
        return [number for number, kind in enumerate(self.kinds[:last], 1) if kind in kinds]
