"""Mark generated files with a stamp, so that the program knows later which files it can overwrite.

The stamp is a comment in the last line of a file. It contains two hashes: one of the sources from which the
file was generated, and one of the lines above the stamp. If the second hash is right, the program wrote the
file, and the file has not been edited. Then the program can replace or remove it. The program never changes a
file without such a stamp. Because of the stamps, it does not need a list of the files that it has written.
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
STAMP_BYTES = 100  # longer than any stamp
MARK = ".cardbattle.site"


class Stand(NamedTuple):
    is_ours: bool
    source: str


def add_stamp(path: str, text: str, source: str) -> bytes:
    """Append a stamp to a text, and encode both.

    `path` is the name of the file, which determines how comments are written. `source` is the hash of the
    sources, which `digest_of` returns.
    """
    content = text.encode("utf-8")
    stamp = f"cardbattle made this of {source} as {sha256(content).hexdigest()[:32]}"
    return content + (f"# {stamp}\n" if path.endswith(".toml") else f"<!-- {stamp} -->\n").encode()


def digest_of(*parts: str) -> str:
    """Return a hash of the sources of a generated file. The hash has 16 hexadecimal digits."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def source_at(path: str) -> str | None:
    """Return the hash of the sources in the stamp of a file.

    The result is "" if the file has no stamp, and None if the file does not exist.

    The function reads only the end of the file.
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
    """Write a file with a stamp. Return True if this changes the file, and False if it does not.

    Raises InvalidInput if an old file has no stamp or was edited, and OSError if the new file cannot be
    written.
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
    """Reserve a folder for generated files.

    For this, the function writes a mark file with the text `whose` into the folder.

    If the folder does not exist, it is created. Raises InvalidInput if the folder contains other files, or a
    mark file with another text. Raises SystemFailure if the mark file cannot be written.
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
    """Yield all files in a folder that have a stamp and are not in `wanted`.

    The paths are relative to `folder` and use forward slashes.
    """
    for parent, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(parent, name), folder).replace(os.sep, "/")
            if path not in wanted and name != MARK and source_at(os.path.join(parent, name)):
                yield path


def remove_stamped(path: str) -> bool:
    """Remove a generated file, and return True. If it was edited, keep it, and return False."""
    with open(path, "rb") as file:
        if not is_unedited(file.read()):
            return False
    with contextlib.suppress(OSError):
        os.unlink(path)
    return True
