"""Write files atomically. Other programs see the old content or the new content, but never a mixture."""

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
from cardbattle.files.errors import SystemFailure

BINARY = getattr(os, "O_BINARY", 0)
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
ATTEMPTS = 8
AT_ONCE = 250_000  # maximum number of characters that are encoded in one piece
Content = bytes | Iterable[bytes]

REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be too large",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.EROFS: "the file system is read-only",
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "part of the path is not a folder",
    errno.EISDIR: "it is a folder",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "its symbolic links form a loop",
    errno.EIO: "the disk reports an error",
    errno.EMFILE: "too many files are open",
    errno.EPIPE: "the reader has closed it",
    errno.EBADF: "it is closed",
}


class SelfExplanatoryError(OSError):
    """An OSError whose message already says what to do."""


def reason(error: OSError) -> str:
    """Return the reason of a system error as a plain sentence for users."""
    if isinstance(error, SelfExplanatoryError):
        return str(error.strerror)
    return REASONS.get(error.errno or 0, clean(error.strerror or str(error)).lower())


def refuse(path: str, error: OSError) -> NoReturn:
    """Raise SystemFailure for a file that cannot be written.

    If the reason is a missing folder, or a folder without write permission, the message names the folder.
    """
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        refuse_missing_folder(path)
    folder = os.path.dirname(path)
    cause = reason(error)
    if error.errno in (errno.EACCES, errno.EPERM) and not os.access(folder or ".", os.W_OK):
        name = clean(folder) or "the current folder"
        cause = f"you have no permission to write in {name}; choose another folder"
    raise SystemFailure(f"{clean(path)} cannot be written: {cause}") from error


def refuse_missing_folder(path: str) -> None:
    """Raise SystemFailure if the folder of a file does not exist."""
    folder = os.path.dirname(path)
    if folder and not os.path.exists(folder):
        name = clean(folder)
        raise SystemFailure(f"{clean(path)} cannot be written: the folder {name} does not exist; create it")


def refuse_write_protected(path: str) -> None:
    """Raise SystemFailure if a file is write-protected."""
    try:
        check_writable(os.stat(path))
    except SelfExplanatoryError as error:
        refuse(os.path.basename(path), error)
    except OSError:  # opening the file will raise an error with the reason
        return


def check_writable(state: os.stat_result) -> None:
    """Raise an OSError if a file is write-protected.

    This check is needed because the operating system does not prevent a program from replacing a
    write-protected file.
    """
    if not state.st_mode & WRITABLE:
        mode = f"{stat.S_IMODE(state.st_mode):o}"
        raise SelfExplanatoryError(
            errno.EACCES, f"it is write-protected (mode {mode}); use chmod u+w to allow writing"
        )


WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def write_all(file: int, content: bytes) -> None:
    remaining = memoryview(content)
    while remaining:
        remaining = remaining[os.write(file, remaining) :]


def parts_of(content: Content) -> Iterable[bytes]:
    return [content] if isinstance(content, bytes) else content


def sync_folder(folder: str) -> None:
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync(path: str) -> None:
    """Wait until a file and its entry in the folder are on the disk (fsync)."""
    file = os.open(path, os.O_RDWR | BINARY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
    sync_folder(os.path.dirname(os.path.realpath(path)))


def write_beside(
    path: str, content: Content, like: os.stat_result | None = None, temporary: str = "", mode: int = 0o666
) -> str:
    """Write a temporary file beside `path`, flush the file to the disk, and return its path.

    The new file gets the owner, the group and the mode of the file `like`. If `like` is None, the new file
    gets the permissions `mode`, as far as the system allows them. If `temporary` is set, it is the name of
    the temporary file, so that only one process at a time can write. Raises OSError if the file cannot be
    written. In this case, the temporary file is removed.
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
    """Create a file. If the name already exists, the error says whether it is a folder or a file."""
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY, mode)
    except FileExistsError as error:
        obstacle = "a folder" if os.path.isdir(path) else "a file that cannot be removed"
        name = clean(os.path.basename(path))
        raise SelfExplanatoryError(
            errno.EEXIST, f"{name}, {obstacle}, is in the way; move it away"
        ) from error


def make_like(file: int, like: os.stat_result, name: str) -> None:
    """Set the owner, the group and the mode of a new file to those of another file.

    If the owner or the group cannot be set, the function issues a warning.
    """
    mine = os.fstat(file)
    unchanged = [
        change_owner(file, name, "group", mine.st_gid, like.st_gid),
        change_owner(file, name, "owner", mine.st_uid, like.st_uid),
    ]
    mode = stat.S_IMODE(like.st_mode)
    os.fchmod(file, mode if all(unchanged) else mode & PLAIN)


PLAIN = 0o777  # the permission bits, without set-user-id and set-group-id


def change_owner(file: int, name: str, kind: str, current: int, wanted: int) -> bool:
    """Set the owner or the group of an open file. `kind` is "owner" or "group".

    `wanted` is the id of the new owner or group. Returns True if the file then has this owner or group. If
    the system does not allow this, the function warns with a Remark and returns False. It does not work on
    Windows.
    """
    if current == wanted:
        return True
    try:
        os.fchown(file, *((wanted, -1) if kind == "owner" else (-1, wanted)))
    except OSError as error:
        warning = (
            f"{clean(name)} was rewritten, and its {kind} changed from {wanted} to {current}: {reason(error)}"
        )
        warnings.warn(warning, Remark, stacklevel=2)
        return False
    return True


def remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def move(source: str, target: str) -> None:
    """Move the file `source` to the path `target`, and replace a file at this path.

    On Windows, an editor can have the file open. The function then waits up to 1.3 seconds until it is
    closed.

    Raises OSError if the file cannot be moved.
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
    """Replace a file atomically. The file keeps its owner, its group and its mode.

    If `path` is a symbolic link, the function replaces the file to which it points.

    Raises OSError if the file is write-protected or cannot be replaced.
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
    """Replace a file atomically. Only the owner can read and write the new file."""
    temporary = write_beside(path, content, mode=PRIVATE)
    try:
        move(temporary, path)
    except BaseException:
        remove(temporary)
        raise
    sync_folder(os.path.dirname(path))


PRIVATE = 0o600


def free_name(path: str) -> str:
    """Return the first of the names `path`, `path-2`, `path-3` and so on that does not exist."""
    candidate, number = path, 1
    while os.path.lexists(candidate):
        number += 1
        candidate = f"{path}-{number}"
    return candidate


class Changed(Exception):
    """The error that is raised if a file was changed since the program read it, and so was not replaced."""


def replace_unchanged(path: str, content: bytes, expected: bytes, temporary: str) -> str:
    """Replace a file, as `replace` does, but only if it still has the content `expected`.

    If another program saves the file at the moment of the replacement, its version is kept under another
    name. Returns this name, or "" if no other version was kept.

    Raises Changed if the file has another content. Also raises OSError in the same cases as `replace`.
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
    with open(path, "rb") as file:
        return file.read(len(content) + 1) == content


def put_in_place(new: str, target: str) -> str:
    """Move the file `new` to the name `target`, and return the name under which the old file is kept.

    The name is empty if the file system cannot keep the old file.
    """
    if exchange(new, target):
        return new
    old = f"{new}.old"
    remove(old)
    try:
        os.link(target, old)
    except OSError:  # the file system has no links
        old = ""
    move(new, target)
    return old


EXCHANGE = 2  # a flag of the Linux system call renameat2
HERE = -100  # names are relative to the working folder


def exchange(first: str, second: str) -> bool:
    """Swap two files atomically. Return True if this succeeds, and False if the system cannot do it."""
    if sys.platform != "linux":
        return False
    import ctypes  # slow to import, and needed only for this system call

    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    names = os.fsencode(first), os.fsencode(second)
    return rename is not None and rename(HERE, names[0], HERE, names[1], EXCHANGE) == 0


class AppendNotUndone(OSError):
    """Appending to a file failed and was not undone, so a part may remain at the end."""


def append(path: str, content: bytes) -> None:
    """Append content to a file, and wait until it is on the disk.

    If this fails, the function restores the earlier size of the file.

    The content is written with a single system call. If fsync fails, the function does not try it again,
    because the system may have lost the data. Raises OSError if the content cannot be written.
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
    try:
        os.ftruncate(file, size)
        os.fsync(file)
    except OSError:
        raise AppendNotUndone(cause.errno, cause.strerror) from cause


def truncate(path: str, size: int) -> None:
    file = os.open(path, os.O_WRONLY | BINARY)
    try:
        os.ftruncate(file, size)
        os.fsync(file)
    finally:
        os.close(file)


def write_text(path: str, text: str | Iterable[str]) -> None:
    """Write text to a file atomically.

    `text` is a string, or an iterable of strings that are the parts of the text. If the path is a device or a
    pipe, the function writes to it directly. Raises SystemFailure if the text cannot be written.
    """
    content = [text.encode("utf-8")] if isinstance(text, str) else encode_parts(text)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            write_directly(path, content)
        else:
            replace(path, content)
    except (OSError, ValueError) as error:
        refuse(
            path, error if isinstance(error, OSError) else OSError(errno.EINVAL, "the file name is not valid")
        )


def encode_parts(text: Iterable[str]) -> Iterator[bytes]:
    """Encode the parts of a text, and yield bytes in pieces of a few hundred kilobytes."""
    waiting: list[str] = []
    size = 0
    for part in text:
        waiting.append(part)
        size += len(part)
        if size > AT_ONCE:
            yield "".join(waiting).encode("utf-8")
            waiting, size = [], 0
    yield "".join(waiting).encode("utf-8")


def write_directly(path: str, content: Content) -> None:
    """Write to something that is not a regular file, such as /dev/stdout."""
    file = os.open(path, os.O_WRONLY | BINARY)
    try:
        for part in parts_of(content):
            write_all(file, part)
    finally:
        os.close(file)
