"""Generated files carry a stamp that shows whether they can be overwritten.

The last line of such a file is its stamp: a hash of its sources and a hash of the content above. A file with
a matching stamp was written by this program and not edited since, so it can be replaced or removed. All other
files are left alone. This needs no list of written files.
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
STAMP_BYTES = 100  # more bytes than any stamp has
MARK = ".cardbattle.site"


class Stand(NamedTuple):
    is_ours: bool
    source: str


def add_stamp(path: str, text: str, source: str) -> bytes:
    """Return a text with its stamp as a comment; `source` is the digest of its sources (`digest_of`)."""
    content = text.encode("utf-8")
    stamp = f"cardbattle made this of {source} as {sha256(content).hexdigest()[:32]}"
    return content + (f"# {stamp}\n" if path.endswith(".toml") else f"<!-- {stamp} -->\n").encode()


def digest_of(*parts: str) -> str:
    """Return a hash of a file's sources as 16 digits."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def source_at(path: str) -> str | None:
    """Return the source digest in a file's stamp; empty without a stamp, None without a file.

    Reads only the end of the file.
    """
    try:
        with open(path, "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(file.tell() - STAMP_BYTES, 0))
            match = STAMP.search(file.read())
    except FileNotFoundError:
        return None
    return match[1].decode() if match else ""


def is_unedited(content: bytes) -> bool:
    match = STAMP.search(content, max(len(content) - STAMP_BYTES, 0))
    return match is not None and sha256(content[: match.start()]).hexdigest()[:32].encode() == match[2]


def put(path: str, content: bytes) -> bool:
    """Write a stamped file, and return False if it already had this content.

    Raises InvalidInput if another or an edited file is in the way, OSError if it cannot be written.
    """
    try:
        with open(path, "rb") as file:
            before = file.read()
    except FileNotFoundError:
        before = b""
    if before == content:
        return False
    if before and not is_unedited(before):
        raise InvalidInput(
            f"{clean(path)} was not written by this program, or was edited since; move it away, "
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
    try:
        return open(path, "wb")
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return open(path, "wb")


def claim_folder(folder: str, whose: str) -> None:
    """Claim a folder for generated files, marked with the text `whose`; create it if necessary.

    Raises InvalidInput if it holds other files or has another mark, SystemFailure if it cannot be written.
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
        disk.refuse(folder, error if isinstance(error, OSError) else OSError(0, "it is not text"))


def stale_files(folder: str, wanted: set[str]) -> Iterator[str]:
    """Yield the stamped files in a claimed folder that are not `wanted`.

    Paths are relative to the folder, with forward slashes.
    """
    for parent, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(parent, name), folder).replace(os.sep, "/")
            if path not in wanted and name != MARK and source_at(os.path.join(parent, name)):
                yield path


def remove_stamped(path: str) -> bool:
    """Remove a file if its stamp is intact; return True if it was removed."""
    with open(path, "rb") as file:
        if not is_unedited(file.read()):
            return False
    with contextlib.suppress(OSError):
        os.unlink(path)
    return True
