"""A system that fails at one call, and a disk that loses power: what the store must survive."""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cardbattle.files import disk

CALLS = ("open", "write", "fsync", "close", "replace", "unlink", "ftruncate", "mkdir", "fchmod", "link")
EXCHANGE = disk.exchange
DEATHS = ("die before", "die after", "write half and die")
ERRORS = {name: getattr(errno, name) for name in ("EIO", "ENOSPC", "EACCES", "EROFS")}
FAULTS = (*DEATHS, "short write", *ERRORS)
KINDS = (*DEATHS, "short write", "EIO")  # the store words its errors by their number, and does the same


class Died(BaseException):
    """The process is gone: nothing of it runs any more."""


class FaultySystem:
    """The `os` module, except that the calls of these numbers (from 1) go wrong."""

    def __init__(self, faults: dict[int, str]) -> None:
        self.faults = faults
        self.count = 0
        self.dead = False
        self.files: list[int] = []

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        return (lambda *args, **more: self.call(name, real, *args, **more)) if name in CALLS else real

    def call(self, name: str, real: Any, *args: Any, **more: Any) -> Any:
        if self.dead:
            raise Died
        self.count += 1
        fault = self.faults.get(self.count, "")
        if fault in ERRORS:
            raise OSError(ERRORS[fault], os.strerror(ERRORS[fault]))
        if name == "write" and fault in ("short write", "write half and die"):
            args = (args[0], bytes(args[1])[: len(args[1]) // 2])
        if fault in ("die before", "write half and die") and (name != "write" or fault == "die before"):
            self.die()
        done = real(*args, **more)
        if name == "open":
            self.files.append(done)
        if name == "close":
            self.files.remove(args[0])
        if fault in ("die after", "write half and die"):
            self.die()
        return done

    def exchange(self, one: str, other: str) -> bool:
        return bool(self.call("exchange", EXCHANGE, one, other))

    def die(self) -> None:
        self.dead = True
        raise Died

    def bury(self) -> None:
        """Close what the dead process had open, as the system does."""
        for file in self.files:
            os.close(file)


class WatchedSystem:
    """The `os` module, writing down what the disk is asked to do; `deaf` files are never synced."""

    def __init__(self, deaf: str = "") -> None:
        self.deaf = deaf
        self.log: list[tuple[Any, ...]] = []
        self.names: dict[int, str] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def open(self, path: str, flags: int, mode: int = 0o777) -> int:
        is_new = not os.path.lexists(path)
        file = os.open(path, flags, mode)
        self.names[file] = os.path.realpath(path)
        if is_new:
            self.log.append(("create", self.names[file]))
        return file

    def write(self, file: int, content: Any) -> int:
        self.log.append(("write", self.names[file], bytes(content)))
        return os.write(file, content)

    def ftruncate(self, file: int, size: int) -> None:
        self.log.append(("truncate", self.names[file], size))
        os.ftruncate(file, size)

    def fsync(self, file: int) -> None:
        if not self.deaf or self.deaf not in self.names[file]:
            self.log.append(("sync", self.names[file]))
            os.fsync(file)

    def replace(self, source: str, target: str) -> None:
        self.log.append(("move", os.path.realpath(source), os.path.realpath(target)))
        os.replace(source, target)

    def exchange(self, one: str, other: str) -> bool:
        if done := EXCHANGE(one, other):
            self.log.append(("exchange", os.path.realpath(one), os.path.realpath(other)))
        return done

    def unlink(self, path: str) -> None:
        os.unlink(path)
        self.log.append(("remove", os.path.realpath(path)))

    def mkdir(self, path: str) -> None:
        os.mkdir(path)
        self.log.append(("mkdir", os.path.realpath(path)))


class Disk:
    """The bytes that a disk holds for certain, and the bytes that it can still lose."""

    def __init__(self, folder: Path) -> None:
        paths = [path for path in folder.rglob("*") if path.is_file()]
        self.safe: list[bytes] = [path.read_bytes() for path in paths]
        self.now: list[bytes] = list(self.safe)
        self.safe_names = {str(path): place for place, path in enumerate(paths)}
        self.names = dict(self.safe_names)
        self.pending: list[tuple[str, ...]] = []

    def do(self, step: tuple[Any, ...]) -> None:
        """Carry out one operation of the log."""
        kind, path = step[0], step[1]
        if kind == "create":
            self.safe.append(b"")
            self.now.append(b"")
            self.names[path] = len(self.now) - 1
            self.pending.append(("link", path, str(len(self.now) - 1)))
        elif kind == "write":
            self.now[self.names[path]] += step[2]
        elif kind == "truncate":
            self.now[self.names[path]] = self.now[self.names[path]][: step[2]]
        elif kind == "sync" and path in self.names:
            self.safe[self.names[path]] = self.now[self.names[path]]
        elif kind == "sync":
            self.sync_folder(path)
        elif kind == "move":
            self.pending.append(("move", path, step[2], str(self.names[path])))
            self.names[step[2]] = self.names.pop(path)
        elif kind == "exchange":
            one, other = self.names[path], self.names[step[2]]
            self.pending.append(("exchange", path, step[2], str(one), str(other)))
            self.names |= {path: other, step[2]: one}
        elif kind == "remove":
            self.names.pop(path, None)
            self.pending.append(("remove", path))

    def sync_folder(self, folder: str) -> None:
        """Make certain what was done to the names in a folder."""
        rest = []
        for step in self.pending:
            if os.path.dirname(step[1]) == folder:
                apply_name(self.safe_names, step)
            else:
                rest.append(step)
        self.pending = rest

    def survivors(self) -> Iterator[dict[str, bytes]]:
        """Yield every state in which the disk may be found after the power comes back."""
        dirty = [place for place, content in enumerate(self.now) if content != self.safe[place]]
        for kept in itertools.product((False, True), repeat=len(self.pending)):
            names = dict(self.safe_names)
            for keep, step in zip(kept, self.pending, strict=True):
                if keep:
                    apply_name(names, step)
            for contents in itertools.product(
                *(halves(self.safe[place], self.now[place]) for place in dirty)
            ):
                found = dict(zip(dirty, contents, strict=True))
                yield {path: found.get(place, self.now[place]) for path, place in names.items()}


def apply_name(names: dict[str, int], step: tuple[str, ...]) -> None:
    """Carry out one operation on names."""
    if step[0] == "link":
        names[step[1]] = int(step[2])
    elif step[0] == "move":
        names.pop(step[1], None)
        names[step[2]] = int(step[3])
    elif step[0] == "exchange":
        names |= {step[1]: int(step[4]), step[2]: int(step[3])}
    else:
        names.pop(step[1], None)


def halves(old: bytes, new: bytes) -> list[bytes]:
    """Return what may be left of a write that was not synced: lost, cut, or zeros in its place."""
    if not new.startswith(old):
        return [old, new]
    added = new[len(old) :]
    half = len(added) // 2
    zeros = bytes(half)
    cut = old + added[:half]
    return [old, new, cut, cut + bytes(len(added) - half), old + zeros + added[half:]]
