"""A campaign in which much is hidden, for the tests of what a player may read."""

from __future__ import annotations

from pathlib import Path

from cardbattle.campaign.storage import store
from tests.support.marches import folder_with

FRONTIER = """\
format = 1
name = "The Frontier"
turn = 2
revision = 0
seed = "an umpire's secret, of thirty letters and more"
rules = "strategy-war"

[scoring]
win = 2
draw = 1

[attrition]
rate = "1/2"
destroyed_below = 2

[advantage.strategy-war]
per = "1/4"
give = { cards = ["K"] }
most = 3

[factions.north]
name = "The North"
points = 3

[factions.south]
name = "The South"
points = 3

[factions.east]
name = "The East"

[forces.ash]
faction = "north"
name = "Lord Ash"
strength = 14
commander = "green"
location = "ford"
x_player = "Anna"

[forces.birch]
faction = "north"
strength = 6
location = "keep"

[forces.cedar]
faction = "south"
strength = 9
commander = "green"
location = "mill"

[forces.dogwood]
faction = "south"
strength = 11
location = "tower"

[forces.elder]
faction = "east"
strength = 61
location = "keep"

[locations.ford]
owner = "north"

[locations.keep]
owner = "north"

[locations.mill]
owner = "south"
value = 2

[locations.tower]
owner = "south"

[map]
roads = [["ford", "mill"], ["mill", "tower"]]

[[pending]]
id = "ford"
sides = ["ash", "cedar"]
stakes = "ford"
note = "at dawn"

[[pending]]
id = "tower"
sides = [["dogwood"], ["elder"]]
stakes = "tower"
note = "Private: the East has been lied to"
"""


def frontier(path: Path, visibility: str = "") -> str:
    """Make the campaign's folder, with this `[visibility]`, and return its path."""
    return folder_with(path, f"{FRONTIER}\n[visibility]\n{visibility}" if visibility else FRONTIER)


def extents(strength: str, location: str, commander: str, pending: str) -> str:
    """Return a table of `[visibility]`."""
    words = {"strength": strength, "location": location, "commander": commander, "pending": pending}
    return "".join(f'{word} = "{extent}"\n' for word, extent in words.items())


def edit(folder: str, *changes: tuple[str, str]) -> None:
    """Change a campaign's file by hand: each text, which must be there once, becomes another."""
    path = Path(folder) / store.NAME
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
