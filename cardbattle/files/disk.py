"""Bytes to disk so that a reader finds the old file or the new one, never a part of it."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from typing import NoReturn

from cardbattle.core.errors import Remark
from cardbattle.core.names import clean
from cardbattle.files.errors import SystemRefused

BINARY = getattr(os, "O_BINARY", 0)
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
ATTEMPTS = 8
AT_ONCE = 250_000  # characters
Content = bytes | Iterable[bytes]

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
    errno.EPIPE: "nobody reads it any more",
    errno.EBADF: "it is closed",
}


class SelfExplanatoryError(OSError):
    """A refusal that says itself, in our own words, what is to be done."""


def reason(error: OSError) -> str:
    """Say in clear words why the system refused."""
    if isinstance(error, SelfExplanatoryError):
        return str(error.strerror)
    return WORDS.get(error.errno or 0, clean(error.strerror or str(error)).lower())


def refuse(path: str, error: OSError) -> NoReturn:
    """Raise SystemRefused for a file that cannot be written."""
    raise SystemRefused(f"{clean(path)} cannot be written: {reason(error)}") from error


def refuse_write_protected(path: str) -> None:
    """Raise SystemRefused for a file that nobody may write: its owner wants it left as it is."""
    try:
        check_writable(os.stat(path))
    except SelfExplanatoryError as error:
        refuse(os.path.basename(path), error)
    except OSError:  # whoever opens it finds out why
        return


def check_writable(state: os.stat_result) -> None:
    """Refuse a file without any permission to write; the system would not, where a new one replaces it."""
    if not state.st_mode & WRITABLE:
        mode = f"{stat.S_IMODE(state.st_mode):o}"
        raise SelfExplanatoryError(errno.EACCES, f"it is write-protected (mode {mode}); chmod u+w lifts that")


WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def write_all(file: int, content: bytes) -> None:
    """Write every byte; the system may take fewer at a time. OSError if it takes no more."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]


def parts_of(content: Content) -> Iterable[bytes]:
    """Return content as parts."""
    return [content] if isinstance(content, bytes) else content


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


def write_beside(
    path: str, content: Content, like: os.stat_result | None = None, temporary: str = "", mode: int = 0o666
) -> str:
    """Write a temporary file next to `path`, durable, and return its name.

    It gets owner, group and mode of the file that it is `like`, else at most this `mode`. A `temporary`
    name given is used again and again: only one process may write there. OSError says why it cannot be
    written; then nothing of it is left.
    """
    if temporary:
        remove(temporary)
    else:
        temporary = os.path.join(os.path.dirname(path), f".cardbattle-{os.urandom(8).hex()}.tmp")
    file = open_new(temporary, mode)
    try:
        try:
            for part in parts_of(content):
                write_all(file, part)
            if like is not None and os.name != "nt":
                make_like(file, like, os.path.basename(path))
            os.fsync(file)
        finally:
            os.close(file)
    except BaseException:
        remove(temporary)
        raise
    return temporary


def open_new(path: str, mode: int) -> int:
    """Open a file that is not there yet; Explained says what stands in its place."""
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY, mode)
    except FileExistsError as error:
        what = "a folder" if os.path.isdir(path) else "a file that cannot be removed"
        name = clean(os.path.basename(path))
        raise SelfExplanatoryError(errno.EEXIST, f"{name}, {what}, is in the way; move it away") from error


def make_like(file: int, like: os.stat_result, name: str) -> None:
    """Give a new file the owner, group and mode of another; warn of an owner who cannot be kept."""
    mine = os.fstat(file)
    kept = [
        change_owner(file, name, "group", mine.st_gid, like.st_gid),
        change_owner(file, name, "owner", mine.st_uid, like.st_uid),
    ]
    mode = stat.S_IMODE(like.st_mode)
    os.fchmod(file, mode if all(kept) else mode & PLAIN)


PLAIN = 0o777  # permissions without those that lend somebody the owner's or the group's rights


def change_owner(file: int, name: str, what: str, now: int, wished: int) -> bool:
    """Set the owner or the group of a file, if it is another; say whether it is as wished."""
    if now == wished:
        return True
    try:
        os.fchown(file, *((wished, -1) if what == "owner" else (-1, wished)))
    except OSError as error:
        told = f"{clean(name)} was written anew, its {what} ({wished}) is now {now}: {reason(error)}"
        warnings.warn(told, Remark, stacklevel=2)
        return False
    return True


def remove(path: str) -> None:
    """Remove a file if it is there and can be removed."""
    with contextlib.suppress(OSError):
        os.unlink(path)


def move(source: str, target: str) -> None:
    """Move a file onto another; on Windows wait up to 1.3 seconds for an editor that holds it.

    OSError if it still cannot be moved.
    """
    for attempt in range(ATTEMPTS):
        try:
            os.replace(source, target)
            return
        except PermissionError:
            if os.name != "nt" or attempt == ATTEMPTS - 1:
                raise
            time.sleep(0.01 * 2**attempt)


def replace(path: str, content: Content, temporary: str = "") -> None:
    """Put new content in the place of a file, keeping its owner, group and mode, and the links to it.

    It is an atomic replacement: a reader finds the old content or the new. OSError says why it
    cannot be done; it is Explained of a file that nobody may write, which is left alone.
    """
    target = os.path.realpath(path)
    try:
        like = os.stat(target)
        check_writable(like)
    except FileNotFoundError:
        like = None
    if temporary:
        temporary = os.path.join(os.path.dirname(target), temporary)
    temporary = write_beside(target, content, like, temporary)
    try:
        move(temporary, target)
    except BaseException:
        remove(temporary)
        raise
    sync_folder(os.path.dirname(target))


def replace_private(path: str, content: bytes) -> None:
    """Put content in a file as `replace` does, which nobody but its owner may read or write.

    OSError says why it cannot be done.
    """
    temporary = write_beside(path, content, mode=PRIVATE)
    try:
        move(temporary, path)
    except BaseException:
        remove(temporary)
        raise
    sync_folder(os.path.dirname(path))


PRIVATE = 0o600


def free_name(path: str) -> str:
    """Return the first of path, path-2, path-3, ... at which nothing stands yet."""
    found, number = path, 1
    while os.path.lexists(found):
        number += 1
        found = f"{path}-{number}"
    return found


class Changed(Exception):
    """A file does not hold any more what it held when it was read; it is left alone."""


def replace_unchanged(path: str, content: bytes, expected: bytes, temporary: str) -> str:
    """Put new content in the place of a file as `replace` does, if it holds what is `expected`.

    Raise Changed if it does not, right before, OSError as `replace` does. What another program
    saved in the very moment of the replacement is kept: return the name of the file with it, or
    the empty string.
    """
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    like = os.stat(target)
    check_writable(like)
    new = write_beside(target, content, like, os.path.join(folder, temporary))
    try:
        if not has_content(target, expected):
            raise Changed
        old = put_in_place(new, target)
    except BaseException:
        remove(new)
        raise
    sync_folder(folder)
    if old and has_content(old, expected):
        remove(old)
        old = ""
    return old


def has_content(path: str, content: bytes) -> bool:
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


class AppendNotUndone(OSError):
    """What was appended could neither be made durable nor taken back."""


def append(path: str, content: bytes) -> None:
    """Append to a file with one write and make it durable, or leave the file as it was.

    A failed fsync is never tried again: the system may have thrown the data away.

    OSError says why not.
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
    """Cut a file back to its size in bytes before the appending; Unsettled if that fails too."""
    try:
        os.ftruncate(file, size)
        os.fsync(file)
    except OSError:
        raise AppendNotUndone(cause.errno, cause.strerror) from cause


def truncate(path: str, size: int) -> None:
    """Cut a file down to a size in bytes, durable."""
    file = os.open(path, os.O_WRONLY | BINARY)
    try:
        os.ftruncate(file, size)
        os.fsync(file)
    finally:
        os.close(file)


def write_text(path: str, text: str | Iterable[str]) -> None:
    """Write a result, at once or in parts, whole or not at all; a device or pipe is written straight.

    SystemRefused says why it cannot be written.
    """
    content = [text.encode("utf-8")] if isinstance(text, str) else encode_parts(text)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            straight(path, content)
        else:
            replace(path, content)
    except (OSError, ValueError) as error:
        refuse(path, error if isinstance(error, OSError) else OSError(errno.EINVAL, "no file name"))


def encode_parts(text: Iterable[str]) -> Iterator[bytes]:
    """Yield the bytes of a text that comes in parts, some hundred kilobytes at a time."""
    waiting: list[str] = []
    size = 0
    for part in text:
        waiting.append(part)
        size += len(part)
        if size > AT_ONCE:
            yield "".join(waiting).encode("utf-8")
            waiting, size = [], 0
    yield "".join(waiting).encode("utf-8")


def straight(path: str, content: Content) -> None:
    """Write to something that is no regular file, as /dev/stdout."""
    file = os.open(path, os.O_WRONLY | BINARY)
    try:
        for part in parts_of(content):
            write_all(file, part)
    finally:
        os.close(file)
