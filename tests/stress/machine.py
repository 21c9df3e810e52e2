"""A simulated computer: processes that die, a lock, a disk that fails. It replaces the module `os`."""

from __future__ import annotations

import errno
import io
import os
import posixpath
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

from filelock import Timeout

from tests.stress.disk import Disk, Inode
from tests.support.faults import ERRORS, Died

POWER = ("power cut before", "power cut after")
FULL = "full disk from here on"
FILE = stat.S_IFREG | 0o644
WRITES = os.O_WRONLY | os.O_RDWR
REAL = ("strerror", "name", "environ", "getpid", "sep", "cpu_count", "sched_getaffinity", "devnull", "fspath")


class Mishap(NamedTuple):
    """What goes wrong, or happens meanwhile, at a process's call of this number, from 1."""

    call: int
    what: str
    number: int = 0  # what else has to be chosen is chosen by it
    step: Any = None  # of the story, for what happens meanwhile


class Process:
    """A running command: the calls it has made, and what is to befall it."""

    def __init__(self, mishaps: tuple[Mishap, ...] = ()) -> None:
        self.mishaps = list(mishaps)
        self.count = 0
        self.dead = False
        self.full = False
        self.befell: list[Mishap] = []

    def due(self) -> Iterator[Mishap]:
        """Yield what happens at this call."""
        for mishap in [mishap for mishap in self.mishaps if mishap.call == self.count]:
            self.befell.append(mishap)
            yield mishap


class Handle(NamedTuple):
    """An open file or folder."""

    path: str
    inode: Inode | None
    writes: bool = False


class Machine:
    """The disk, the lock and the processes. It replaces the module `os`."""

    def __init__(self, meanwhile: Callable[[Mishap], None]) -> None:
        self.disk = Disk()
        self.meanwhile = meanwhile
        self.running: list[Process] = []
        self.holder: Process | None = None
        self.handles: dict[int, Handle] = {}
        self.drawn = 0
        self.exchanges = True  # whether two files can change names in one step
        self.path = SimpleNamespace(
            join=posixpath.join, dirname=posixpath.dirname, basename=posixpath.basename,
            abspath=posixpath.normpath, realpath=posixpath.normpath, exists=self.exists,
            lexists=self.exists, isfile=lambda path: path in self.disk.files,
            isdir=lambda path: path in self.disk.folders, islink=lambda path: False,
            split=posixpath.split, splitext=posixpath.splitext, relpath=posixpath.relpath,
            isabs=posixpath.isabs, getsize=lambda path: self.stat(path).st_size, sep="/",
            samefile=lambda one, other: one == other,
        )  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        if name.startswith("O_") or name in REAL:
            return getattr(os, name)
        raise AttributeError(f"the simulated system has no {name}")

    @contextmanager
    def process(self, mishaps: tuple[Mishap, ...]) -> Iterator[Process]:
        """Run a process. Everything that it held is released when it ends."""
        process = Process(mishaps)
        self.running.append(process)
        try:
            yield process
        finally:
            self.running.pop()
            if self.holder is process:
                self.holder = None

    def call(self, work: Callable[[], Any], write: Callable[[float], Any] | None = None) -> Any:
        """Let the running process make a call, with all that is to happen at it."""
        process = self.running[-1]
        if process.dead:
            raise Died
        process.count += 1
        for mishap in process.due():
            self.before(process, mishap)
            if mishap.what in ("short write", "write half and die") and write is not None:
                work = lambda: write(0.5)  # noqa: E731
        if process.full and write is not None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = work()
        for mishap in process.befell:
            if mishap.call == process.count and mishap.what in ("die after", "write half and die", POWER[1]):
                self.kill(process, mishap)
        return done

    def before(self, process: Process, mishap: Mishap) -> None:
        """Let something happen before a call."""
        if mishap.what in ERRORS:
            raise OSError(ERRORS[mishap.what], os.strerror(ERRORS[mishap.what]))
        if mishap.what == FULL:
            process.full = True
        elif mishap.what in ("die before", POWER[0]):
            self.kill(process, mishap)
        elif mishap.step is not None:
            self.meanwhile(mishap)
            if process.dead:
                raise Died

    def kill(self, process: Process, mishap: Mishap) -> None:
        """End a process, or with the power all of them."""
        process.dead = True
        if mishap.what in POWER:
            self.cut_power(mishap.number)
        raise Died

    def cut_power(self, number: int) -> None:
        """End all processes and leave on the disk what a power cut leaves."""
        for process in self.running:
            process.dead = True
        self.disk.cut_power(Random(number))

    def exists(self, path: str) -> bool:
        """Say whether there is a file or folder of this name."""
        return path in self.disk.files or path in self.disk.folders

    def open(self, path: str, flags: int, mode: int = 0o777) -> int:
        if path == os.devnull:
            return self.opened(path, flags)
        return self.call(lambda: self.opened(path, flags))  # type: ignore[no-any-return]

    def opened(self, path: str, flags: int) -> int:
        """Return a new handle of a file or folder."""
        inode = Inode() if path == os.devnull else self.disk.files.get(path)
        if inode is None and path not in self.disk.folders:
            if not flags & os.O_CREAT or posixpath.dirname(path) not in self.disk.folders:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            inode = Inode()
            self.disk.link(path, inode)
        elif flags & os.O_CREAT and flags & os.O_EXCL:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        elif inode is None and flags & WRITES:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if inode is not None and flags & os.O_TRUNC:
            inode.now = b""
        handle = 1000 + self.next_number()
        self.handles[handle] = Handle(path, inode, bool(flags & WRITES) and path != os.devnull)
        return handle

    def next_number(self) -> int:
        """Return a number never given before."""
        self.drawn += 1
        return self.drawn

    def inode(self, handle: int) -> Inode:
        """Return the file of a handle."""
        inode = self.handles[handle].inode
        assert inode is not None
        return inode

    def write(self, handle: int, content: Any) -> int:
        whole = bytes(content)

        def write(share: float) -> int:
            part = whole[: int(len(whole) * share)]
            self.inode(handle).now += part
            return len(part)

        return self.call(lambda: write(1), write)  # type: ignore[no-any-return]

    def fdopen(self, handle: int, mode: str, closefd: bool = True) -> io.BytesIO:
        return io.BytesIO(self.inode(handle).now)

    def read(self, handle: int, most: int) -> bytes:
        return self.inode(handle).now[:most]

    def fsync(self, handle: int) -> None:
        self.call(lambda: self.synced(self.handles[handle]))

    def synced(self, handle: Handle) -> None:
        """Make a file's content certain, or the names in a folder."""
        if handle.inode is None:
            self.disk.sync_folder(handle.path)
        else:
            handle.inode.safe = handle.inode.now

    def close(self, handle: int) -> None:
        closed = self.handles.pop(handle, None)
        if closed is not None and closed.writes:
            self.call(lambda: None)

    def fstat(self, handle: int) -> SimpleNamespace:
        return self.told(self.handles[handle].inode)

    def stat(self, path: str) -> SimpleNamespace:
        if not self.exists(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return self.told(self.disk.files.get(path))

    lstat = stat

    def told(self, inode: Inode | None) -> SimpleNamespace:
        """Return the result of `stat` for a file, or for a folder if `inode` is None."""
        if inode is None:
            return SimpleNamespace(st_mode=stat.S_IFDIR | 0o755, st_size=0, st_uid=0, st_gid=0)
        return SimpleNamespace(st_mode=FILE, st_size=len(inode.now), st_uid=0, st_gid=0)

    def fchmod(self, handle: int, mode: int) -> None:
        self.call(lambda: None)

    def ftruncate(self, handle: int, size: int) -> None:
        def cut() -> None:
            self.inode(handle).now = self.inode(handle).now[:size]

        self.call(cut)

    def replace(self, source: str, target: str) -> None:
        self.call(lambda: self.moved(source, target))

    rename = replace

    def moved(self, source: str, target: str) -> None:
        """Move a file that is there."""
        if source not in self.disk.files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self.disk.move(source, target)

    def link(self, source: str, target: str, **more: Any) -> None:
        self.call(lambda: self.linked(source, target))

    def linked(self, source: str, target: str) -> None:
        """Give a file a second name, unless that is taken."""
        if self.exists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        if source not in self.disk.files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self.disk.link(target, self.disk.files[source])

    def exchange(self, one: str, other: str) -> bool:
        """Replace the program's exchange of two file names. Return True if the system supports it."""
        if self.exchanges:
            self.call(lambda: self.disk.exchange(one, other))
        return self.exchanges

    def open_file(self, path: str, mode: str) -> io.BytesIO:
        """Replace the builtin `open`, for reading."""
        return self.fdopen(self.open(path, os.O_RDONLY), mode)

    def unlink(self, path: str) -> None:
        self.call(lambda: self.unlinked(path))

    remove = unlink

    def unlinked(self, path: str) -> None:
        """Take a name away that is there."""
        if path not in self.disk.files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self.disk.unlink(path)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        self.call(lambda: self.made(path))

    def made(self, path: str) -> None:
        """Make a folder that is not there."""
        if self.exists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        self.disk.mkdir(path)

    def listdir(self, folder: str) -> list[str]:
        paths = [*self.disk.files, *(self.disk.folders - {"/"})]
        return sorted(posixpath.basename(path) for path in paths if posixpath.dirname(path) == folder)

    def urandom(self, count: int) -> bytes:
        return self.next_number().to_bytes(count, "big")

    def getcwd(self) -> str:
        return "/"

    def dup2(self, one: int, other: int) -> None:
        """Nothing: the streams of simulated processes are in memory."""

    def lock(self, path: str, **more: Any) -> Lock:
        """Replace `filelock.FileLock`."""
        return Lock(self, path)


class Lock:
    """The campaign's lock; who finds it held does not wait, as if the ten seconds were over."""

    def __init__(self, machine: Machine, path: str) -> None:
        self.machine = machine
        self.path = path

    def acquire(self) -> None:
        self.machine.call(self.taken)

    def taken(self) -> None:
        """Take the lock if it is free."""
        if self.machine.holder is not None:
            raise Timeout(self.path)
        self.machine.holder = self.machine.running[-1]

    def release(self) -> None:
        if self.machine.holder is self.machine.running[-1]:
            self.machine.holder = None
