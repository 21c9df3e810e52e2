"""Write a pending battle as a battle file to play elsewhere; `campaign import` reads its result."""

from __future__ import annotations

import tomli_w

from cardbattle.campaign.state.battle_setup import battle_table, explain
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.core.names import listed


def export_text(campaign: Campaign, battle: Pending) -> str:
    """Return a pending battle as a battle file, bound to its forces, with an explanatory comment.

    Raises InvalidInput if a force is destroyed.
    """
    sides = listed([campaign.side_name(side, battle) for side in battle.sides])
    heading = [f"{campaign.name}, turn {campaign.turn}: {sides}, by {campaign.rules_name(battle)}"]
    if battle.stakes:
        heading.append(f"at stake: {campaign.location_name(battle.stakes)}")
    heading += [*battle.note.splitlines(), *explain(campaign, battle)]
    comment = "".join(f"# {line.expandtabs(1)}".rstrip() + "\n" for line in heading)
    return f"{comment}\n{tomli_w.dumps(battle_table(campaign, battle))}"
