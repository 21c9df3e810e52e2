"""A new campaign: a folder with a campaign.toml that explains itself."""

from __future__ import annotations

import os

from cardbattle import rules
from cardbattle.campaign import store
from cardbattle.campaign.deeds import books_of
from cardbattle.campaign.tomlfile import inline
from cardbattle.core.errors import Refused
from cardbattle.core.names import clean
from cardbattle.fighting import disk
from cardbattle.fighting.battlefile import default_name
from cardbattle.fighting.resolve import draw_seed

TEMPLATE = """\
# The whole state of the campaign. It is yours: edit it as you like, comments and all.
# Only the values that a battle changes are rewritten; history.toml keeps every change.

format = 1
name = {name}
turn = 1
revision = 0                      # counted by the tool, leave it alone
seed = {seed}
rules = {rules}

[scoring]                         # campaign points for a battle
win = 2
draw = 1
loss = 0

[attrition]                       # what a force loses for good of what it lost in battle
rate = "1/2"
winner_rate = "1/4"
destroyed_below = 1

# Who is at war. The names in the brackets are keys: a to z, 0 to 9, - and _.

[factions.red]
name = "Red"

[factions.blue]
name = "Blue"

[forces.first]
faction = "red"
name = "First of the Red"
strength = 10

[forces.second]
faction = "blue"
name = "First of the Blue"
strength = 8

[locations.bridge]
name = "The bridge"
owner = "blue"

# One of these for every battle to be fought.

[[pending]]
id = "the-bridge"
sides = ["first", "second"]
stakes = "bridge"                 # the winner's faction takes it
note = "dawn"
"""


def found(folder: str, name: str = "", seed: int | str | None = None, by: str = "field-of-honour") -> str:
    """Make a new campaign in a folder and return its path; one that is there is never touched."""
    path = os.path.join(folder, store.NAME)
    if os.path.lexists(path):
        raise Refused(f"{clean(path)} exists already; name a new folder")
    base = os.path.basename(os.path.abspath(folder))
    text = TEMPLATE.format(
        name=inline(name or default_name(base.lower())[:40] or "A campaign"),
        seed=inline(draw_seed() if seed is None else seed),
        rules=inline(rules.find(by).key),
    )
    books_of(folder, store.NAME, text.encode("utf-8"))
    try:
        os.makedirs(folder, exist_ok=True)
        disk.replace(path, text.encode("utf-8"))
    except OSError as error:
        disk.refuse(path, error)
    return os.path.abspath(folder)
