"""Write messages to players into files, and remove the files of questions that are no longer asked.

A hidden file in the folder lists the hashes of the files that the program has written there. Only a file with
the hash in this list is removed, so that a file of the umpire is never lost.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple

from cardbattle.campaign.state.model import Campaign
from cardbattle.cli.run import Printer
from cardbattle.core.names import clean, key_from
from cardbattle.files import disk
from cardbattle.show.pages.campaign.orders import ORDERS, REMINDER, OrderRequest, requests_page

LIST = ".cardbattle.messages"
LISTED = re.compile(r"([0-9a-f]{64})  ([\w-]+?)((?:-part-\d+)?)\.(\w+)")  # in the form of `sha256sum`
POST_FORMATS = ("discord", "bbcode", "json")  # formats of messages whose length is limited


class WrittenFile(NamedTuple):
    """A file that the program has written: its hash, the question in it, and the end of its name."""

    digest: str
    question: str
    part: str
    ending: str

    @property
    def name(self) -> str:
        return f"{self.question}{self.part}.{self.ending}"


def write_requests(
    folder: str,
    campaign: Campaign,
    requests: Sequence[OrderRequest],
    asked: Iterable[OrderRequest],
    to: Printer,
) -> None:
    """Write each message to a file of its own. The folder is created if necessary.

    In the formats for posts and in JSON, each part of a message has its own file. `asked` are the messages
    with all current questions: the files of other questions are removed. Raises SystemFailure if a file
    cannot be written.
    """
    if to.form not in POST_FORMATS:
        whole = (each._replace(parts=1, lines=[*each.whole]) for each in requests if each.part == 1)
        requests = list(whole)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        disk.refuse(folder, error)
    before = {file.name: file for file in files_written_before(folder)}
    written: dict[str, WrittenFile] = {}
    for request in requests:
        part = f"-part-{request.part}" if request.parts > 1 else ""
        ending = to.form if to.form in ("md", "json") else "txt"
        lines = "\n".join([*request.lines, ""])
        text = lines if to.form == "text" else to.as_text(requests_page(campaign, [request]))
        file = WrittenFile(sha256(text.encode("utf-8")).hexdigest(), question_of(request), part, ending)
        disk.write_text(os.path.join(folder, file.name), text)
        written[file.name] = file
        to.message(f"wrote {clean(os.path.join(folder, file.name))}")
    old = [*old_files(before, written, {question_of(request) for request in asked})]
    for file in old:
        if digest_of_file(os.path.join(folder, file.name)) == file.digest:
            disk.remove(os.path.join(folder, file.name))
            to.message(
                f"removed {clean(os.path.join(folder, file.name))}, because its question is no longer asked"
            )
    kept = {name: file for name, file in before.items() if file not in old} | written
    if kept or before:
        lines = "".join(f"{file.digest}  {file.name}\n" for file in kept.values())
        disk.write_text(os.path.join(folder, LIST), lines)


def question_of(request: OrderRequest) -> str:
    """Return the beginning of the name of a message's file, which says what the message asks."""
    topic = "" if request.topic == ORDERS else f"-{key_from(request.topic)}"
    return f"turn-{request.turn}-{request.faction}{topic}{f'-{REMINDER}' if request.is_reminder else ''}"


def old_files(
    before: Mapping[str, WrittenFile], written: Mapping[str, WrittenFile], asked: Iterable[str]
) -> Iterator[WrittenFile]:
    """Yield the files written before whose question is no longer asked, or is now divided differently."""
    forms = {(file.question, file.ending) for file in written.values()}
    current = {*asked}
    for name, file in before.items():
        is_replaced = (file.question, file.ending) in forms
        if name not in written and (is_replaced or file.question not in current):
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
