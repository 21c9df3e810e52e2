"""Files that are made out of others and may be made again: each says of itself that it is ours.

The last line of such a file is its stamp: what it was made of and what stands above, each as a hash. So
nobody need keep a list of what was written: a file whose stamp fits is ours and as we left it, and may be
replaced or removed; any other is somebody's, and is left alone.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import BinaryIO, NamedTuple

from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean
from cardbattle.files import disk

STAMP = re.compile(rb"(?:<!-- |# )cardbattle made this of ([0-9a-f]{16}) as ([0-9a-f]{32})(?: -->)?\n\Z")
STAMP_BYTES = 100  # more than any stamp has
MARK = ".cardbattle.site"


class Stand(NamedTuple):
    """What there is at a path: whether a file is ours, and what it was made of."""

    is_ours: bool
    source: str


def add_stamp(path: str, text: str, source: str) -> bytes:
    """Return a text with its stamp, as a comment of what its name says it is; `source` is 16 digits."""
    content = text.encode("utf-8")
    words = f"cardbattle made this of {source} as {sha256(content).hexdigest()[:32]}"
    return content + (f"# {words}\n" if path.endswith(".toml") else f"<!-- {words} -->\n").encode()


def digest_of(*parts: str) -> str:
    """Return the hash of what a file is made of, as 16 digits."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def source_at(path: str) -> str | None:
    """Return what the file at a path was made of, by its own word; empty if it does not say.

    None if there is no file. Only its end is read.
    """
    try:
        with open(path, "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(file.tell() - STAMP_BYTES, 0))
            found = STAMP.search(file.read())
    except FileNotFoundError:
        return None
    return found[1].decode() if found else ""


def is_ours(content: bytes) -> bool:
    """Say whether a file's content is as this program left it."""
    found = STAMP.search(content, max(len(content) - STAMP_BYTES, 0))
    return found is not None and sha256(content[: found.start()]).hexdigest()[:32].encode() == found[2]


def put(path: str, content: bytes) -> bool:
    """Write a stamped file where none is or one of ours; say whether it was another before.

    Refused if somebody's file is there, or one of ours that somebody changed; OSError as the system says.
    """
    try:
        with open(path, "rb") as file:
            before = file.read()
    except FileNotFoundError:
        before = b""
    if before == content:
        return False
    if before and not is_ours(before):
        raise InvalidInput(
            f"{clean(path)} was not written by this program, or was changed since; move it away, "
            "or name another folder"
        )
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open_for_writing(temporary) as file:
            file.write(content)
        disk.move(temporary, path)
    except BaseException:
        disk.remove(temporary)
        raise
    return True


def open_for_writing(path: str) -> BinaryIO:
    """Return a new file, in a folder that is made if it is not there; OSError as the system says."""
    try:
        return open(path, "wb")
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return open(path, "wb")


def claim_folder(folder: str, whose: str) -> None:
    """Take a folder for files of ours, made for whom the text says; it is made if it is not there.

    Refused if it holds anything of somebody's, or was made for somebody else; SystemRefused if it cannot
    be written.
    """
    mark = os.path.join(folder, MARK)
    try:
        if os.path.lexists(mark):
            with open(mark, encoding="utf-8") as file:
                before = file.read()
            if before != whose:
                raise InvalidInput(
                    f"{clean(folder)} was made for {clean(before.strip())}; name another folder"
                )
            return
        if os.path.isdir(folder) and os.listdir(folder):
            raise InvalidInput(
                f"{clean(folder)} is not empty and was not made by this command; name another folder"
            )
        os.makedirs(folder, exist_ok=True)
        disk.replace(mark, whose.encode())
    except (OSError, UnicodeDecodeError) as error:
        disk.refuse(folder, error if isinstance(error, OSError) else OSError(0, "it is no text"))


def left_over(folder: str, wanted: set[str]) -> Iterator[str]:
    """Yield the paths of stamped files in a made folder that are not among those wanted.

    Both are relative to the folder, with strokes between their parts.
    """
    for at, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(at, name), folder).replace(os.sep, "/")
            if path not in wanted and name != MARK and source_at(os.path.join(at, name)):
                yield path


def remove_stamped(path: str) -> bool:
    """Remove a file if it is ours and as we left it; say whether it was."""
    with open(path, "rb") as file:
        if not is_ours(file.read()):
            return False
    with contextlib.suppress(OSError):
        os.unlink(path)
    return True
