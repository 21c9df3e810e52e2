"""Write the text of a new campaign.toml, with comments that explain each setting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from cardbattle import rules
from cardbattle.campaign.state import schema
from cardbattle.campaign.state.battle_setup import advantage_value, default_advantage, default_edge
from cardbattle.campaign.state.editing.layout import inline_value
from cardbattle.core.names import keys_for, listed
from cardbattle.simulation.worth import WORTH_A_WORD

if TYPE_CHECKING:
    from cardbattle.simulation.strength_shares import StrengthShare

TEMPLATE = """\
#:schema ./{schema}
# The state of the campaign. You can edit everything here, and write comments of your own.
# Commands rewrite only the values that they change; history.toml records every change.
#
# Look at it:       cardbattle campaign show
# Fight a battle:   cardbattle campaign fight
# Undo it:          cardbattle campaign undo
# Find errors:      cardbattle campaign check
# Learn more:       cardbattle help campaigns

format = 1
name = {name}
turn = 1
revision = 0                      # written by the program
seed = {seed}
rules = {rules}

[scoring]                         # campaign points for a battle
win = 2
draw = 1
loss = 0

[attrition]                       # share of its battle losses that a force loses for good
rate = "1/2"
winner_rate = "1/4"
destroyed_below = 1

{worth}

[advantage]
{advantages}

{level}# What factions can see of each other: "all", "rough" (approximate strength; nearby places) or "own".
# `cardbattle campaign report --for FACTION` shows it; without --for, the report is for everyone.

[visibility]
strength = "rough"
location = "all"
commander = "own"
pending = "all"

# Who is at war. The names in the brackets are keys: a to z, 0 to 9, - and _.

{factions}
# Who can fight. `cardbattle commanders` lists the commanders and how strong they are.

{forces}
# The places to fight for. Leave out `owner` if a place belongs to no faction.

{places}
# The battles to fight, one table each. A side is a force, or a list of forces.

{battles}"""


FACTION = """\
[factions.{key}]
name = {name}
points = 0
"""
FORCE = """\
[forces.{key}]
faction = {faction}
name = {name}
strength = {strength}
commander = {commander}
"""
PLACE = """\
[locations.{key}]
name = {name}
"""
BATTLE = """\
[[pending]]
id = {key}
sides = {sides}
"""
LEVEL = """\
{head:<34}# the house rules of all its battles
{rule:<34}# without it, the first side to move takes {share:.0%} of the points

"""
STAKES = "stakes = {stakes}                 # the winner's faction takes it\n"


class NewForce(NamedTuple):
    """A force of a new campaign. Its faction and its place are given as indices into the outline."""

    name: str
    faction: int
    strength: int
    commander: str = "regular"
    place: int | None = None


class NewPlace(NamedTuple):
    """A place of a new campaign. Its owner is given as the index of a faction in the outline."""

    name: str
    value: int = 1
    owner: int | None = None


class NewBattle(NamedTuple):
    """A pending battle of a new campaign. Its forces and stakes are given as indices into the outline."""

    name: str
    forces: Sequence[int]
    stakes: int | None = None


class Outline(NamedTuple):
    """The content of a new campaign, by display names. Keys are derived from the names."""

    factions: Sequence[str]
    places: Sequence[NewPlace]
    forces: Sequence[NewForce]
    battles: Sequence[NewBattle]


RED_AND_BLUE = Outline(
    ["Red", "Blue"],
    [
        NewPlace("The bridge", 3, 1),
        NewPlace("The mill", 2, 0),
        NewPlace("The old fort", 2, 1),
        NewPlace("The ford"),
    ],
    [
        NewForce("Red vanguard", 0, 12, place=1),
        NewForce("Red militia", 0, 6, place=1),
        NewForce("Blue guard", 1, 8, place=0),
        NewForce("Blue garrison", 1, 7, place=2),
    ],
    [NewBattle("The bridge", [0, 2], 0)],
)
EMPTY = Outline([], [], [], [])


def template(
    name: str, seed: int | str, by: str, outline: Outline, measured: Sequence[StrengthShare] = ()
) -> str:
    """Return the text of a new campaign.toml.

    `measured` are the measured values of strength in the campaign's rule set.
    """
    sample = RED_AND_BLUE  # the source of the examples in comments
    factions = keys_for(outline.factions or sample.factions)
    forces = keys_for([force.name for force in outline.forces or sample.forces])
    places = keys_for([place.name for place in outline.places or sample.places])
    example = NewBattle("", [0, 1] if outline.forces else sample.battles[0].forces)
    battles = keys_for([battle.name for battle in outline.battles])
    return TEMPLATE.format(
        schema=schema.NAME,
        name=inline_value(name),
        seed=inline_value(seed),
        rules=inline_value(by),
        worth="\n".join(worth_lines(by, measured)),
        advantages="\n".join(advantage_lines(by)),
        level=level_text(by),
        factions=join_tables(
            FACTION.format(key=key, name=inline_value(faction))
            for key, faction in zip(factions, outline.factions, strict=bool(outline.factions))
        )
        or as_comment(FACTION.format(key=factions[0], name=inline_value(sample.factions[0]))),
        forces=join_tables(
            force_text(key, force, factions, places)
            for key, force in zip(forces, outline.forces, strict=bool(outline.forces))
        )
        or as_comment(force_text(forces[0], sample.forces[0], factions, places)),
        places=join_tables(
            place_text(key, place, factions)
            for key, place in zip(places, outline.places, strict=bool(outline.places))
        )
        or as_comment(place_text("bridge", NewPlace("The bridge", 1, 0), factions)),
        battles=join_tables(
            battle_text(key, battle, forces, places)
            for key, battle in zip(battles, outline.battles, strict=True)
        )
        or as_comment(battle_text("the-bridge", example, forces, places)),
    )


WORTH = (
    "The value of strength, by rule set: a side gets `give` for every full step `per` by which it is "
    "stronger than the weakest side, at most `most` times. In a rule set without a line here, strength has "
    "no effect."
)
BUILT_IN = "With the default lines of the rule sets that come with cardbattle,"
MEASURED = (
    "the stronger of two sides wins about two battles in three at 3:2, four in five at 2:1, and "
    "nine in ten at 3:1 (in Warfare Tactics with house rule quiet_turns = 5)."
)  # docs/odds.md has the figures


def worth_lines(by: str, measured: Sequence[StrengthShare]) -> list[str]:
    """Return a comment on how strength changes the chances. It contains only measured values."""
    if by in rules.RULE_SETS and not measured:
        return as_comments(f"{WORTH} With this line, {MEASURED}")
    comment = shares_comment(rules.find(by).name, measured) if measured else not_measured_comment(by)
    general = [] if by in rules.RULE_SETS else [f"{BUILT_IN} {MEASURED}"]
    return as_comments(WORTH, comment, *general)


def not_measured_comment(by: str) -> str:
    """Return a comment which says that the value of strength was not measured for this rule set.

    The comment is empty if the rule set is not a plug-in.
    """
    if by in rules.RULE_SETS:
        return ""
    name = rules.find(by).name
    if rules.find(by).advantage is None:
        return f"In {name}, strength has no effect on a battle."
    return (
        f"How often the stronger side wins in {name} was not measured; "
        f"`cardbattle table {by} --ratios 3:2,2:1,3:1` measures it."
    )


def shares_comment(name: str, measured: Sequence[StrengthShare]) -> str:
    """Return a comment on the measured shares of the stronger side.

    It includes the number of battles and the precision.
    """
    shares = listed(f"{100 * share.share:.0f} % at {share.ratio}" for share in measured)
    within = ceil(100 * max(max(share.high - share.share, share.share - share.low) for share in measured))
    return (
        f"In {name} the stronger side won {shares}. Measured over {measured[0].battles:,} battles at each "
        f"ratio between regular commanders, a draw counts half; each share is accurate to {within} points "
        "(95 %)."
    )


def as_comments(*paragraphs: str) -> list[str]:
    return [
        f"# {line}"
        for text in paragraphs
        for line in wrap(text, 98, break_on_hyphens=False, break_long_words=False)
    ]


def join_tables(tables: Iterable[str]) -> str:
    """Join tables with an empty line between them, and add an empty line after the last."""
    return "".join(f"{table}\n" for table in tables)


def as_comment(table: str) -> str:
    """Return a table as a comment, which is an example that the umpire can copy."""
    return join_tables(["".join(f"# {line}\n" for line in table.splitlines())])


def force_text(key: str, force: NewForce, factions: Sequence[str], places: Sequence[str]) -> str:
    text = FORCE.format(
        key=key,
        faction=inline_value(factions[force.faction]),
        name=inline_value(force.name),
        strength=force.strength,
        commander=inline_value(force.commander),
    )
    return text if force.place is None else f"{text}location = {inline_value(places[force.place])}\n"


def place_text(key: str, place: NewPlace, factions: Sequence[str]) -> str:
    text = PLACE.format(key=key, name=inline_value(place.name))
    text += "" if place.owner is None else f"owner = {inline_value(factions[place.owner])}\n"
    return f"{text}value = {place.value}\n"


def battle_text(key: str, battle: NewBattle, forces: Sequence[str], places: Sequence[str]) -> str:
    text = BATTLE.format(
        key=inline_value(key), sides=inline_value([forces[number] for number in battle.forces])
    )
    return text if battle.stakes is None else text + STAKES.format(stakes=inline_value(places[battle.stakes]))


def level_text(by: str) -> str:
    """Return the table with the house rule that makes the first move fair, or "" if there is no such rule."""
    edge = default_edge(rules.find(by))
    if edge is None or abs(edge.share - 0.5) < WORTH_A_WORD:
        return ""
    rule = f"{edge.level_rule} = {edge.level_value}"
    return LEVEL.format(head=f"[house.{by}]", rule=rule, share=edge.share)


def advantage_lines(first: str) -> list[str]:
    """Return the advantage line of each rule set that has one.

    The line of the rule set `first` comes first. Each line works with and without the house rule that
    `level_text` writes.
    """
    keys = [first, *(key for key in rules.RULE_SETS if key != first)]
    terms = {key: default_advantage(rules.find(key)) for key in keys}
    return [
        f"{key} = {advantage_value(advantage)}" for key, advantage in terms.items() if advantage is not None
    ]
