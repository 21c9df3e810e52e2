"""Store long sequences on disk, so that they need only eight bytes of memory per item."""

from __future__ import annotations

import pickle
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, cast, overload
from weakref import finalize

T = TypeVar("T")
IN_MEMORY = 1_000_000  # number of bytes kept in memory; larger sequences go to a temporary file


class Spool(Sequence[T], Generic[T]):
    """A sequence that is stored in a temporary file of this process. Items can be appended to it."""

    def __init__(self, values: Iterable[T] = ()) -> None:
        self.file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
        finalize(self, self.file.close)  # runs before the file's own finalizer, even in a reference cycle
        self.starts = array("Q")
        for value in values:
            self.append(value)

    def append(self, value: T) -> None:
        self.starts.append(self.file.seek(0, 2))
        pickle.dump(value, self.file, pickle.HIGHEST_PROTOCOL)

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        self.file.seek(self.starts[index])
        return cast(T, pickle.load(self.file))

    def __iter__(self) -> Iterator[T]:
        return (self[number] for number in range(len(self)))
