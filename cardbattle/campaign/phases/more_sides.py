"""Let forces fight that stand by while others fight.

Either the rule set has too few sides for all factions in a contact, or the enemies that a force has met are
engaged in another battle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from cardbattle import rules
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.core.grammar import choose_form, mid_sentence, together
from cardbattle.core.ruleset import RuleSet


def standing_by(campaign: Campaign, battle: Pending) -> list[list[str]]:
    """Return the forces at the place of a pending battle that could fight in it, by faction.

    Their factions are not in the battle. They have an enemy in it, or among the other forces that stand by.
    """
    fighting = {force for each in campaign.pending for side in each.sides for force in side}
    factions = {campaign.forces[force].faction for side in battle.sides for force in side}
    present: dict[str, list[str]] = {}
    for key, force in campaign.forces.items():
        is_there = force.location == battle.place and force.towards is None and not force.destroyed
        if battle.place and is_there and key not in fighting and force.faction not in factions:
            present.setdefault(force.faction, []).append(key)
    for _ in range(2):  # first the enemies of those who fight, then the enemies of these
        factions |= {
            faction for faction in present if any(campaign.are_enemies(faction, other) for other in factions)
        }
    return [forces for faction, forces in present.items() if faction in factions]


def enemies_beside(campaign: Campaign, battle: Pending) -> list[str]:
    """Return the forces at the place at stake that have an enemy in a battle, and do not fight in it."""
    factions = {campaign.forces[key].faction for side in battle.sides for key in side}
    return [
        key
        for key in campaign.bystanders(battle)
        if any(campaign.are_enemies(campaign.forces[key].faction, other) for other in factions)
    ]


def place_stays(campaign: Campaign, forces: Sequence[str], place: str) -> str:
    """Return a clause which says that a place does not fall while these forces stand by in it."""
    is_several = together(map(campaign.display_name, forces)).is_plural
    enemies = choose_form("its enemies while it is|their enemies while they are", is_several)
    return f"{mid_sentence(campaign.location_name(place))} does not fall to {enemies} there"


def sides_with(
    campaign: Campaign, sides: Iterable[Sequence[str]], forces: Collection[str]
) -> list[list[str]]:
    """Return the sides of a battle after these forces have joined the side of their faction.

    A side can have forces of several factions. A faction without forces in the battle joins a side without
    an enemy, or forms a new side, which its strongest force commands.
    """
    joined = [[*side] for side in sides]
    in_file_order = [key for key in campaign.forces if key in forces]
    for force in sorted(in_file_order, key=lambda key: -campaign.forces[key].strength):
        faction = campaign.forces[force].faction
        factions = [{campaign.forces[key].faction for key in side} for side in joined]
        own_sides = (side for side, present in zip(joined, factions, strict=True) if faction in present)
        friendly = (
            side
            for side, present in zip(joined, factions, strict=True)
            if not any(campaign.are_enemies(faction, other) for other in present)
        )
        side = next(chain(own_sides, friendly), None)
        if side is None:
            joined.append([force])
        else:
            side.append(force)
    return joined


def rules_for(sides: int) -> list[RuleSet]:
    """Return the rule sets with this number of sides. Those with the fewest sides come first."""
    return sorted(
        (each for each in rules.every() if each.fewest <= sides <= each.most), key=lambda each: each.most
    )


def command_for_all(battle: str, sides: Sequence[Sequence[str]], choice: str = "") -> str:
    """Return the command with which all of these sides fight a pending battle.

    `choice` is the rule set that the command sets, if the battle's own has too few sides.
    """
    options = "".join(f" --side {'+'.join(side)}" for side in sides)
    return f"cardbattle campaign edit {battle}{f' --set rules={choice}' if choice else ''}{options}"
