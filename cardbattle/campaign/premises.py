"""Which files are the books' own: no result is written over them, none from outside is read as theirs."""

from __future__ import annotations

import os

from cardbattle.campaign.errors import NeedsUmpire
from cardbattle.core.names import clean

BOOKS = ("campaign.toml", "history.toml")
RECORDS = "records"
OURS = (".cardbattle.", "history.toml.torn-")  # how the names of the program's other files begin


def campaign_of(path: str) -> str:
    """Return the folder of the campaign into whose books a path leads, the empty string if into none."""
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):  # it leads nowhere
        return ""
    return next((folder for folder in around(path, real) if is_book(folder, real)), "")


def around(path: str, real: str) -> list[str]:
    """Return the folders that may be the campaign of a file: one or two above it, or above this one."""
    found = []
    for way in (real, os.path.abspath(path)):
        found += [os.path.dirname(way), os.path.dirname(os.path.dirname(way))]
    here = os.getcwd()
    while here != os.path.dirname(here):
        found.append(here)
        here = os.path.dirname(here)
    return list(dict.fromkeys(found))


def is_book(folder: str, real: str) -> bool:
    """Say whether a file is one of a campaign's own, if this folder is a campaign."""
    if not any(os.path.lexists(os.path.join(folder, name)) for name in BOOKS):
        return False
    above, name = os.path.split(real)
    records = os.path.realpath(os.path.join(folder, RECORDS))
    if real == records or real.startswith(os.path.join(records, "")):
        return True
    if any(is_same_file(os.path.join(folder, book), real) for book in BOOKS):
        return True
    return above == os.path.realpath(folder) and (name in BOOKS or name.startswith(OURS))


def is_same_file(one: str, other: str) -> bool:
    """Say whether two paths lead to one file, as letters of another case do on some systems."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def record_path(folder: str, name: str) -> str:
    """Return the path of a record that the ledger names; NeedsUmpire if it is not among the records."""
    path = os.path.join(folder, *name.split("/"))
    records = os.path.realpath(os.path.join(folder, RECORDS))
    if os.path.dirname(os.path.realpath(path)) != records:
        raise NeedsUmpire(
            f"the ledger names {clean(name)}, which is outside of {RECORDS}/; restore the ledger from a copy"
        )
    return path
