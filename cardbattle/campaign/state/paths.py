"""Find the folder of a campaign, and protect its files.

No command writes its output over a campaign's own files, or imports results from them.
"""

from __future__ import annotations

import os

from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import as_typed, clean

NAME = "campaign.toml"
BOOKS = (NAME, "history.toml")
RECORDS = "records"
OURS = (".cardbattle.", "history.toml.torn-", "seals.toml")  # prefixes of its other files


def find_folder(start: str = ".") -> str:
    """Return the campaign's folder, which is `start` or the nearest folder above it with a campaign.toml.

    Raises InvalidInput if no such folder exists.
    """
    folder = folder_above(start)
    if not folder:
        misnamed = file_name_hint(start)
        if misnamed:
            raise InvalidInput(f"there is no {NAME} in this folder{misnamed}")
        raise InvalidInput(
            f"there is no {NAME} in this folder or any above it; name the campaign's folder with -C, "
            "or make one with: cardbattle campaign new"
        )
    return folder


def folder_above(start: str) -> str:
    """Return the nearest folder with a campaign.toml, which is `start` or a folder above it.

    Returns an empty string if no such file exists.
    """
    folder = os.path.abspath(start)
    while not os.path.exists(os.path.join(folder, NAME)):
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    return folder


def open_folder(named: str) -> str:
    """Return the folder of a campaign, which is named by its path or by the path of its campaign.toml.

    Raises InvalidInput if the path does not lead to a campaign.
    """
    folder = folder_of(named)
    if os.path.exists(os.path.join(folder, NAME)):
        return os.path.abspath(folder)
    above = folder_above(os.path.dirname(named) or ".") if os.path.lexists(named) else ""
    hint = f"; the campaign is in {clean(os.path.relpath(above))}" if above else ""
    hint = file_name_hint(folder) or hint
    raise InvalidInput(f"{clean(named)} is not a campaign: it has no {NAME}{hint}")


MISNAMED = (f"{NAME}.txt", f"{NAME}.toml", "campaign.txt")  # names that editors give campaign.toml


def file_name_hint(folder: str) -> str:
    """Return a hint if a file of the folder should be called campaign.toml, otherwise an empty string."""
    names = [name for name in MISNAMED if os.path.isfile(os.path.join(folder, name))]
    if not names:
        return ""
    return f", but a {names[0]}; rename it to {NAME} (some systems hide how a name ends)"


def folder_of(named: str) -> str:
    """Return the folder of a campaign.toml. Any other path is returned unchanged."""
    is_books = os.path.basename(named) == NAME and os.path.isfile(named)
    return os.path.dirname(named) or "." if is_books else named


def campaign_of(path: str) -> str:
    """Return the folder of the campaign to which a file belongs, or "" if it belongs to no campaign."""
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):  # the path does not exist
        return ""
    return next((folder for folder in around(path, real) if is_book(folder, real)), "")


def path_as_typed(folder: str, name: str) -> str:
    """Return the path of a file in a folder, from the working directory, as you type it in a shell."""
    return as_typed(os.path.relpath(os.path.join(folder, name)))


def around(path: str, real: str) -> list[str]:
    """Return the folders that can be the campaign of a file.

    They are the file's folder, the folder above it, and the current folder with all folders above it.
    """
    results = []
    for way in (real, os.path.abspath(path)):
        results += [os.path.dirname(way), os.path.dirname(os.path.dirname(way))]
    here = os.getcwd()
    while here != os.path.dirname(here):
        results.append(here)
        here = os.path.dirname(here)
    return list(dict.fromkeys(results))


def is_book(folder: str, real: str) -> bool:
    """Return True if a file is one of a campaign's own files, assuming that `folder` is a campaign."""
    if not any(os.path.lexists(os.path.join(folder, name)) for name in BOOKS):
        return False
    above, name = os.path.split(real)
    records = os.path.realpath(os.path.join(folder, RECORDS))
    if real == records or real.startswith(os.path.join(records, "")):
        return True
    if any(is_same_file(os.path.join(folder, book), real) for book in BOOKS):
        return True
    return above == os.path.realpath(folder) and (name in BOOKS or name.startswith(OURS))


def is_same_file(text: str, other_path: str) -> bool:
    """Return True if two paths lead to the same file.

    A system that ignores case can spell the same path with other capitals.
    """
    try:
        return os.path.samefile(text, other_path)
    except OSError:
        return False


def record_path(folder: str, name: str) -> str:
    """Return a record's path. Raises NeedsUmpire if it is not among the records."""
    path = os.path.join(folder, *name.split("/"))
    records = os.path.realpath(os.path.join(folder, RECORDS))
    if os.path.dirname(os.path.realpath(path)) != records:
        raise NeedsUmpire(
            f"the ledger names {clean(name)}, which is outside of {RECORDS}/; restore the ledger from a copy"
        )
    return path
