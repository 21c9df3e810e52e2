"""Create a new campaign, which is a folder with a campaign.toml."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardbattle import rules
from cardbattle.battles.records.battle_file import default_name
from cardbattle.battles.seeds import draw_seed
from cardbattle.campaign.ledger.operations import parse_campaign
from cardbattle.campaign.state import schema
from cardbattle.campaign.state.template import RED_AND_BLUE, Outline, template
from cardbattle.campaign.storage import store
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean, has_unfit, name_error
from cardbattle.files import disk

if TYPE_CHECKING:
    from cardbattle.simulation.strength_shares import StrengthShare


def create_campaign(
    folder: str,
    name: str = "",
    seed: int | str | None = None,
    by: str = "field-of-honour",
    outline: Outline = RED_AND_BLUE,
    measured: Sequence[StrengthShare] = (),
) -> str:
    """Create a campaign in a folder and return its path. An existing campaign is never changed.

    `measured` is the value of strength in the campaign's rule set, for a comment in the file. Raises
    InvalidInput if the folder already has a campaign or an argument is invalid, UsageError if the rule set is
    unknown, and SystemFailure if the campaign cannot be written.
    """
    refuse_taken(folder, name)
    text = template(
        name or name_of(folder),
        draw_seed() if seed is None else seed,
        rules.find(by).key,
        outline,
        measured,
    )
    return write_campaign(folder, text.encode("utf-8"))


def refuse_taken(folder: str, name: str) -> None:
    """Raise InvalidInput if a folder is "" or already has a campaign, or if the name is not valid."""
    if not folder:
        raise InvalidInput("the folder has no name; write one, such as my-war, or . for this folder")
    path = os.path.join(folder, store.NAME)
    if os.path.lexists(path):
        raise InvalidInput(f"{clean(path)} exists already; name a new folder")
    if name and name_error(name):
        raise InvalidInput(f"the campaign's name: {name_error(name)}")


def write_campaign(folder: str, content: bytes) -> str:
    """Write a new campaign.toml and its schema, and return the path of the folder.

    Raises InvalidInput if the campaign would be invalid, and SystemFailure if it cannot be written.
    """
    path = os.path.join(folder, store.NAME)
    parse_campaign(folder, store.NAME, content)
    try:
        os.makedirs(folder, exist_ok=True)
        schema.put_into(folder)
        disk.replace(path, content)
    except OSError as error:
        disk.refuse(path, error)
    return os.path.abspath(folder)


def name_of(folder: str) -> str:
    """Return a name for a campaign, made from the name of its folder without invalid characters.

    Capitals are kept. If the name has no capitals, each word begins with one.

    >>> name_of("wars/the-marches"), name_of("caf" + chr(0xDCE9)), name_of(chr(0xDCE9))
    ('The Marches', 'Caf', 'A campaign')
    >>> name_of("Der Krieg der Äpfel"), name_of("War_of-1648")
    ('Der Krieg der Äpfel', 'War of 1648')
    """
    base = os.path.basename(os.path.abspath(folder))
    text = "".join(char for char in unicodedata.normalize("NFC", base) if not has_unfit(char))
    name = default_name(text) if text == text.lower() else " ".join(re.split("[-_ ]+", text))
    name = name[:40].strip()
    return "A campaign" if name_error(name) else name
