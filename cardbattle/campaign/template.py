"""The text of a new campaign.toml, which explains itself."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from cardbattle import rules
from cardbattle.campaign import schema
from cardbattle.campaign.tomlfile import inline_value
from cardbattle.core.names import key_mistake

TEMPLATE = """\
#:schema ./{schema}
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

# What strength is worth, by rule set: for every full `per` by which a side is stronger than the
# weakest it gets what `give` says, at most `most` times. As it stands here the stronger side wins
# about two battles in three at 3:2, four in five at 2:1, and nine in ten at 3:1. Without a line for
# its rule set strength has no effect on a battle.

[advantage]
{advantages}

# Who is at war. The names in the brackets are keys: a to z, 0 to 9, - and _.

{parties}
[locations.bridge]
name = "The bridge"
owner = {owner}

# One of these for every battle to be fought.

[[pending]]
id = "the-bridge"
sides = {sides}
stakes = "bridge"                 # the winner's faction takes it
note = "dawn"
"""


FACTION = """\
[factions.{key}]
name = {name}
"""
FORCE = """\
[forces.{key}]
faction = {faction}
name = {name}
strength = {strength}
"""


class Party(NamedTuple):
    """A faction by name, with the name and the strength of its first force."""

    faction: str
    force: str
    strength: int


RED_AND_BLUE = [Party("Red", "First of the Red", 12), Party("Blue", "First of the Blue", 8)]


def template(name: str, seed: int | str, by: str, parties: Sequence[Party]) -> str:
    """Return the text of a new campaign.toml."""
    factions, forces = keys_for([one.faction for one in parties]), keys_for([one.force for one in parties])
    tables = [
        FACTION.format(key=key, name=inline_value(one.faction))
        for key, one in zip(factions, parties, strict=True)
    ]
    tables += [
        FORCE.format(
            key=key, faction=inline_value(faction), name=inline_value(one.force), strength=one.strength
        )
        for key, faction, one in zip(forces, factions, parties, strict=True)
    ]
    return TEMPLATE.format(
        schema=schema.NAME,
        name=inline_value(name),
        seed=inline_value(seed),
        rules=inline_value(by),
        advantages="\n".join(advantage_lines(by)),
        parties="\n".join(tables),
        owner=inline_value(factions[1]),
        sides=inline_value(forces[:2]),
    )


def advantage_lines(first: str) -> list[str]:
    """Return what strength is worth in each rule set that says so, a line for each, this one's first."""
    keys = [first, *(key for key in rules.RULE_SETS if key != first)]
    terms = {key: rules.find(key).advantage for key in keys}
    return [
        f"{key} = " + inline_value({"per": str(one.per), "give": dict(one.give), "most": one.most})
        for key, one in terms.items()
        if one is not None
    ]


def keys_for(names: Sequence[str]) -> list[str]:
    """Return a key of its own for each name: its letters and digits, or a number where it has none.

    >>> keys_for(["House York", "Zürich", "織田", "House York"])
    ['house-york', 'zurich', 'no-3', 'no-4']
    """
    found: list[str] = []
    for number, name in enumerate(names, 1):
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        key = re.sub("[^a-z0-9]+", "-", plain)[:40].strip("-")
        found.append(f"no-{number}" if key_mistake(key) or key in found else key)
    return found
