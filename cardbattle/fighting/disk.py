"""Bytes to disk so that a reader finds the old file or the new one, never a part of it."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from typing import NoReturn

from cardbattle.core.errors import SystemRefused
from cardbattle.core.names import clean

BINARY = getattr(os, "O_BINARY", 0)
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
ATTEMPTS = 8

WORDS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be too large",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.EROFS: "the file system is read-only",
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "a part of the path is no folder",
    errno.EISDIR: "it is a folder",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "its links lead in a circle",
    errno.EIO: "the disk reports an error",
    errno.EMFILE: "too many files are open",
}


def reason(error: OSError) -> str:
    """Say in clear words why the system refused."""
    return WORDS.get(error.errno or 0, clean(error.strerror or str(error)).lower())


def refuse(path: str, error: OSError) -> NoReturn:
    """Raise SystemRefused for a file that cannot be written."""
    raise SystemRefused(f"{clean(path)} cannot be written: {reason(error)}") from error


def write_all(file: int, content: bytes) -> None:
    """Write every byte; the system may take fewer at a time."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]


def sync_folder(folder: str) -> None:
    """Make the names in a folder durable, where the system can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync(path: str) -> None:
    """Make a file and its name durable, whoever wrote it."""
    file = os.open(path, os.O_RDWR | BINARY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
    sync_folder(os.path.dirname(os.path.realpath(path)))


def write_beside(path: str, content: bytes, mode: int | None = None, temporary: str = "") -> str:
    """Write a temporary file next to `path`, durable, and return its name.

    A `temporary` name given is used again and again: only one process may write there.
    """
    if temporary:
        remove(temporary)
    else:
        temporary = os.path.join(os.path.dirname(path), f".cardbattle-{os.urandom(8).hex()}.tmp")
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY, 0o666)
    try:
        try:
            write_all(file, content)
            if mode is not None and os.name != "nt":
                os.fchmod(file, mode)
            os.fsync(file)
        finally:
            os.close(file)
    except BaseException:
        remove(temporary)
        raise
    return temporary


def remove(path: str) -> None:
    """Remove a file if it is there and can be removed."""
    with contextlib.suppress(OSError):
        os.unlink(path)


def move(source: str, target: str) -> None:
    """Move a file onto another; on Windows wait a while for an editor that holds it."""
    for attempt in range(ATTEMPTS):
        try:
            os.replace(source, target)
            return
        except PermissionError:
            if os.name != "nt" or attempt == ATTEMPTS - 1:
                raise
            time.sleep(0.01 * 2**attempt)


def replace(path: str, content: bytes, temporary: str = "") -> None:
    """Put new content in the place of a file, keeping its mode and the links that lead to it."""
    target = os.path.realpath(path)
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        mode = None
    if temporary:
        temporary = os.path.join(os.path.dirname(target), temporary)
    temporary = write_beside(target, content, mode, temporary)
    try:
        move(temporary, target)
    except BaseException:
        remove(temporary)
        raise
    sync_folder(os.path.dirname(target))


class Changed(Exception):
    """A file does not hold any more what it held when it was read; it is left alone."""


def replace_unchanged(path: str, content: bytes, expected: bytes, temporary: str) -> str:
    """Put new content in the place of a file as `replace` does, if it holds what is `expected`.

    Raise Changed if it does not, right before. What another program saved in the very moment of
    the replacement is kept: return the name of the file with it, or the empty string.
    """
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    mode = stat.S_IMODE(os.stat(target).st_mode)
    new = write_beside(target, content, mode, os.path.join(folder, temporary))
    try:
        if not holds(target, expected):
            raise Changed
        old = put_in_place(new, target)
    except BaseException:
        remove(new)
        raise
    sync_folder(folder)
    if old and holds(old, expected):
        remove(old)
        old = ""
    return old


def holds(path: str, content: bytes) -> bool:
    """Say whether a file has this content."""
    with open(path, "rb") as file:
        return file.read(len(content) + 1) == content


def put_in_place(new: str, target: str) -> str:
    """Move a file onto another; return where the other stands now, the empty string if nowhere."""
    if exchange(new, target):
        return new
    old = f"{new}.old"
    remove(old)
    try:
        os.link(target, old)
    except OSError:  # a file system without links
        old = ""
    move(new, target)
    return old


EXCHANGE = 2  # flag of Linux's renameat2
HERE = -100  # names relative to the working folder


def exchange(one: str, other: str) -> bool:
    """Let two files change places in one step; say whether the system could."""
    if sys.platform != "linux":
        return False
    import ctypes

    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    names = os.fsencode(one), os.fsencode(other)
    return rename is not None and rename(HERE, names[0], HERE, names[1], EXCHANGE) == 0


class Unsettled(OSError):
    """What was appended could neither be made durable nor taken back."""


def append(path: str, content: bytes) -> None:
    """Append to a file with one write and make it durable, or leave the file as it was.

    A failed fsync is never tried again: the system may have thrown the data away.
    """
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | BINARY, 0o666)
    try:
        size = os.fstat(file).st_size
        try:
            if os.write(file, content) != len(content):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file)
            if size == 0:
                sync_folder(os.path.dirname(os.path.realpath(path)))
        except OSError as error:
            cut_back(file, size, error)
            raise
    finally:
        with contextlib.suppress(OSError):
            os.close(file)


def cut_back(file: int, size: int, cause: OSError) -> None:
    """Take back what was appended; Unsettled if that fails too."""
    try:
        os.ftruncate(file, size)
        os.fsync(file)
    except OSError:
        raise Unsettled(cause.errno, cause.strerror) from cause


def truncate(path: str, size: int) -> None:
    """Cut a file down to a size, durable."""
    file = os.open(path, os.O_WRONLY | BINARY)
    try:
        os.ftruncate(file, size)
        os.fsync(file)
    finally:
        os.close(file)
