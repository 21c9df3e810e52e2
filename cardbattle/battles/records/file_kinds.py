"""Recognise the kind of a file by its keys, and suggest the command that reads such files."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import NamedTuple, NoReturn

from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import as_typed, clean
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import STANDARD_INPUT, Source, read_toml


class FileKind(NamedTuple):
    """A kind of file.

    A file is of this kind if it has at least `fewest` of the typical keys `keys`, which can be dotted.
    `remedy` suggests a command for such files.
    """

    words: str
    keys: Collection[str]
    fewest: int
    remedy: str


UNFINISHED = "a battle that is not over"
KINDS: Mapping[str, FileKind] = {
    "ledger": FileKind(
        "the ledger of a campaign", ["entry"], 1, "read it with: cardbattle campaign -C {folder} history"
    ),
    "campaign": FileKind(
        "a campaign",
        ["turn", "revision", "scoring", "attrition", "factions", "forces", "locations", "pending"],
        2,
        "fight its battles with: cardbattle campaign -C {folder} fight",
    ),
    "campaign battle": FileKind(
        UNFINISHED, ["waiting", "bound"], 2, "see what it needs with: cardbattle campaign -C {folder} waiting"
    ),
    "battle by message": FileKind(
        UNFINISHED, ["waiting.receipts"], 1, "continue it with: cardbattle orders take {file} ANSWERS.txt"
    ),
    "battle in progress": FileKind(UNFINISHED, ["waiting"], 1, "continue it with: cardbattle play {file}"),
    "record": FileKind(
        "the record of a fought battle",
        ["seats", "moves", "winners", "reason", "checks", "digest", "fought"],
        2,
        "show it again with: cardbattle replay {file}",
    ),
    "results": FileKind("a results file", ["result"], 1, "record it with: cardbattle campaign import {file}"),
    "seals": FileKind(
        "the sealed dice of a campaign",
        ["slot", "promises"],
        1,
        "check records against it with: cardbattle verify --seals {file} RECORD.toml",
    ),
    "batch": FileKind(
        "a batch of battles", ["battle", "defaults"], 1, "fight them with: cardbattle batch {file}"
    ),
    "battle": FileKind("a battle file", ["sides"], 1, "fight it with: cardbattle resolve {file}"),
}
SHEET = FileKind(
    "a spreadsheet",
    [],
    0,
    "fight its battles with: cardbattle batch {file}; record results with: cardbattle campaign import {file}",
)


def kind_of(data: Mapping[str, object]) -> str:
    """Return the kind of a file with these keys, or "" if the kind is not clear.

    >>> kind_of({"rules": "wargame", "sides": {}}), kind_of({"battle": []}), kind_of({"name": "cardbattle"})
    ('battle', 'batch', '')
    """
    return next((name for name, kind in KINDS.items() if has_enough(kind, data)), "")


def has_enough(kind: FileKind, data: Mapping[str, object]) -> bool:
    return sum(has_key(data, key) for key in kind.keys) >= kind.fewest


def has_key(data: Mapping[str, object], key: str) -> bool:
    """Return True if a file has a key, which can be dotted."""
    table, _, inside = key.rpartition(".")
    return inside in (table_or_empty(data.get(table)) if table else data)


def read_kind(path: str, wanted: str) -> Source:
    """Read a TOML file that should be of the kind `wanted`.

    Raises InvalidInput, which suggests a command, if the file is clearly of another kind. Also raises the
    errors of `read_toml`.
    """
    refuse_folder(path)
    if path.lower().endswith(".csv"):
        refuse_other(clean(path), SHEET)
    source = read_toml(path)
    expect_kind(source, wanted)
    return source


def expect_kind(source: Source, *wanted: str) -> None:
    """Raise InvalidInput if a file is clearly not of one of the kinds in `wanted`."""
    kind = kind_of(source.data)
    if kind and kind not in wanted:
        telling = {key.partition(".")[0] for key in KINDS[kind].keys}
        first = next(key for key in source.data if key in telling)
        refuse_other(source.name, KINDS[kind], source.locate((first,))[0])


def refuse_other(name: str, kind: FileKind, line: int = 0) -> NoReturn:
    """Raise an InvalidInput that names the kind of a file, and suggests a command for this kind."""
    file = "-" if name == STANDARD_INPUT else as_typed(name)
    folder = as_typed(os.path.dirname(name) or ".")
    text = f"this is {kind.words}; {kind.remedy.format(file=file, folder=folder)}"
    raise InvalidInput([PlacedDiagnostic(text, file=name, line=line)])


def refuse_folder(path: str) -> None:
    """Raise InvalidInput if a path is a folder. For a campaign's folder, it suggests a command."""
    if not os.path.isdir(path):
        return
    if os.path.exists(os.path.join(path, "campaign.toml")):
        refuse_other(clean(os.path.join(path, "campaign.toml")), KINDS["campaign"])
    text = "this is a folder; name a file in it"
    try:
        inside = sorted(name for name in os.listdir(path) if name.endswith((".toml", ".csv")))
    except OSError:
        inside = []
    if inside:
        text += f", such as {as_typed(os.path.join(path, inside[0]))}"
    raise InvalidInput([PlacedDiagnostic(text, file=clean(path))])
