"""Write a pending battle to a battle file, so that it can be played elsewhere.

`campaign import` reads the result.
"""

from __future__ import annotations

import tomli_w

from cardbattle.campaign.state.battle_setup import battle_table, explain
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.core.names import listed


def export_text(campaign: Campaign, battle: Pending) -> str:
    """Return a pending battle as a battle file with an explanatory comment.

    The file includes the battle's forces, so that an import can detect later changes to them. Raises
    InvalidInput if a force is destroyed.
    """
    sides = listed([campaign.side_name(side, battle) for side in battle.sides])
    heading = [f"{campaign.name}, turn {campaign.turn}: {sides}, by {campaign.rules_name(battle)}"]
    if battle.stakes:
        heading.append(f"at stake: {campaign.location_name(battle.stakes)}")
    heading += [*battle.note.splitlines(), *explain(campaign, battle)]
    comment = "".join(f"# {line.expandtabs(1)}".rstrip() + "\n" for line in heading)
    return f"{comment}\n{tomli_w.dumps(battle_table(campaign, battle))}"
