"""Recognise the kind of a file by its keys, and suggest the right command for it."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import NamedTuple, NoReturn

from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import as_typed, clean
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.files.toml import STANDARD_INPUT, Source, read_toml


class FileKind(NamedTuple):
    """A kind of file: its name, its typical keys, how many of them it must have, and its command."""

    words: str
    keys: Collection[str]
    fewest: int
    remedy: str


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
    """Return the kind of file that has these keys, or "".

    >>> kind_of({"rules": "wargame", "sides": {}}), kind_of({"battle": []}), kind_of({"name": "cardbattle"})
    ('battle', 'batch', '')
    """
    return next((name for name, kind in KINDS.items() if has_enough(kind, data)), "")


def has_enough(kind: FileKind, data: Mapping[str, object]) -> bool:
    """Return True if the data have the minimum number of this kind's keys."""
    return sum(key in data for key in kind.keys) >= kind.fewest


def read_kind(path: str, wanted: str) -> Source:
    """Read a TOML file that must be of one kind; errors as `read_toml`.

    Raises InvalidInput if it is clearly another kind, with the command for that kind.
    """
    refuse_folder(path)
    if path.lower().endswith(".csv"):
        refuse_other(clean(path), SHEET)
    source = read_toml(path)
    expect_kind(source, wanted)
    return source


def expect_kind(source: Source, *wanted: str) -> None:
    """Raise InvalidInput if a file is clearly of a kind that is not accepted here."""
    kind = kind_of(source.data)
    if kind and kind not in wanted:
        telling = next(key for key in source.data if key in KINDS[kind].keys)
        refuse_other(source.name, KINDS[kind], source.locate((telling,))[0])


def refuse_other(name: str, kind: FileKind, line: int = 0) -> NoReturn:
    """Raise InvalidInput with the kind of the file, judged by this line, and its command."""
    file = "-" if name == STANDARD_INPUT else as_typed(name)
    folder = as_typed(os.path.dirname(name) or ".")
    text = f"this is {kind.words}; {kind.remedy.format(file=file, folder=folder)}"
    raise InvalidInput([PlacedDiagnostic(text, file=name, line=line)])


def refuse_folder(path: str) -> None:
    """Raise InvalidInput if a path is a folder; suggest the command for a campaign folder."""
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
