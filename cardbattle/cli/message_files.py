"""Write messages to players into files, and remove the files of questions that are no longer asked.

A hidden file in the folder lists the hashes of the files that the program has written there. Only a file with
the hash in this list is removed, so that a file of the umpire is never lost.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cardbattle.cli import options
from cardbattle.cli.parameters import option
from cardbattle.core.names import clean
from cardbattle.files import disk

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from cardbattle.cli.run import Printer
    from cardbattle.show.document import Document

LIST = ".cardbattle.messages"
LISTED = re.compile(r"([0-9a-f]{64})  ([\w.-]+?)((?:-part-\d+)?)\.(\w+)")  # in the form of `sha256sum`
POST_FORMATS = ("discord", "bbcode", "json")  # formats of messages whose length is limited
ENDINGS = {"md": "md", "obsidian": "md", "html": "html", "json": "json"}  # of other formats: txt

MessageFolder = Annotated[
    str,
    option(
        "--dir DIR",
        "Write each message, undivided, to a file of its own in this folder, and print for whom it is.",
        callback=options.validate_folder,
    ),
]


class FileMessage(NamedTuple):
    """A message, or a part of it, for a file of its own.

    `question` begins the name of the file and says what the message asks. `reader` is the name of the player.
    `page` has the message for formats other than text.
    """

    question: str
    reader: str
    part: int
    parts: int
    lines: Sequence[str]
    page: Document


class WrittenFile(NamedTuple):
    """A file that the program has written: its hash, the question in it, and the end of its name."""

    digest: str
    question: str
    part: str
    ending: str

    @property
    def name(self) -> str:
        return f"{self.question}{self.part}.{self.ending}"


def is_divided(to: Printer) -> bool:
    """Return True if each part of a long message has its own file in the output format."""
    return to.form in POST_FORMATS


def write_messages(
    folder: str,
    messages: Sequence[FileMessage],
    to: Printer,
    is_old: Callable[[str], bool] = lambda question: False,
    *,
    keep: bool = False,
) -> None:
    """Write each message to a file of its own. The folder is created if necessary.

    The files of questions for which `is_old` is True are removed. With `keep`, a message never replaces a
    file with another text, which may not be sent yet: its name gets a number. Raises SystemFailure if a file
    cannot be written.
    """
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        disk.refuse(folder, error)
    before = {file.name: file for file in files_written_before(folder)}
    files = [(message, *file_of(message, to)) for message in messages]
    if keep:
        names = free_questions(folder, before.values(), [file for _, file, _ in files])
        files = [(each, file._replace(question=names[file.question]), text) for each, file, text in files]
    written = {file.name: file for _, file, _ in files}
    for message, file, text in files:
        disk.write_text(os.path.join(folder, file.name), text)
        to.message(clean(f"wrote {os.path.join(folder, file.name)}, for {message.reader}"))
    old = [*old_files(before, written, is_old)]
    for file in old:
        path = os.path.join(folder, file.name)
        if digest_of_file(path) == file.digest:
            disk.remove(path)
            to.message(f"removed {clean(path)}, because its question is no longer asked")
    kept = {name: file for name, file in before.items() if file not in old} | written
    if kept or before:
        lines = "".join(f"{file.digest}  {file.name}\n" for file in kept.values())
        disk.write_text(os.path.join(folder, LIST), lines)


def file_of(message: FileMessage, to: Printer) -> tuple[WrittenFile, str]:
    """Return the file for a message, and its text."""
    part = f"-part-{message.part}" if message.parts > 1 else ""
    in_text = to.form in ("text", "plain")
    text = "\n".join([*message.lines, ""]) if in_text else to.as_text(message.page)
    digest = sha256(text.encode("utf-8")).hexdigest()
    return WrittenFile(digest, message.question, part, ENDINGS.get(to.form, "txt")), text


def free_questions(
    folder: str, before: Collection[WrittenFile], files: Sequence[WrittenFile]
) -> dict[str, str]:
    """Return for the question of each file a name for its files that replaces and mixes no other message.

    The name has a number if files with the name of the question have another text or other parts.
    """

    def is_free(question: str, parts: Sequence[WrittenFile]) -> bool:
        named = [file._replace(question=question) for file in parts]
        known = {
            file
            for file in before
            if (file.question, file.ending) == (question, parts[0].ending)
            and os.path.lexists(os.path.join(folder, file.name))
        }
        paths = [os.path.join(folder, file.name) for file in named]
        is_same = all(
            not os.path.lexists(path) or digest_of_file(path) == file.digest
            for path, file in zip(paths, named, strict=True)
        )
        return is_same and known <= {*named}

    names = {}
    for question in dict.fromkeys(file.question for file in files):
        parts = [file for file in files if file.question == question]
        numbered = (f"{question}-{number}" if number > 1 else question for number in count(1))
        names[question] = next(name for name in numbered if is_free(name, parts))
    return names


def old_files(
    before: Mapping[str, WrittenFile], written: Mapping[str, WrittenFile], is_old: Callable[[str], bool]
) -> Iterator[WrittenFile]:
    """Yield the files written before whose question is no longer asked, or is now divided differently."""
    forms = {(file.question, file.ending) for file in written.values()}
    for name, file in before.items():
        is_replaced = (file.question, file.ending) in forms
        if name not in written and (is_replaced or is_old(file.question)):
            yield file


def files_written_before(folder: str) -> Iterator[WrittenFile]:
    """Yield the files that the program has written into a folder, as far as its list can be read."""
    with suppress(OSError, ValueError), open(os.path.join(folder, LIST), encoding="utf-8") as file:
        for line in file:
            if match := LISTED.fullmatch(line.rstrip("\n")):
                yield WrittenFile(*match.groups())


def digest_of_file(path: str) -> str:
    """Return the hash of a file, or "" if it cannot be read."""
    with suppress(OSError), open(path, "rb") as file:
        return sha256(file.read()).hexdigest()
    return ""
