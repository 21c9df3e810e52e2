"""Find enemies in one place without a battle."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.phases.standoffs import add_battle_command, open_battles, standoffs
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import listed


def standoff_hints(campaign: Campaign, ledger: Ledger) -> Iterator[Diagnostic]:
    """Yield a hint for each place with hostile forces and no battle, with the command that adds one.

    Forces that fought in this turn are left out as long as their retreats are open.
    """
    fought = {
        force for battle in open_battles(campaign, ledger) for side in battle.sides.values() for force in side
    }
    for standoff in standoffs(campaign):
        if not fought.isdisjoint(force for side in standoff.sides for force in side):
            continue
        names = listed(side[0] for side in standoff.sides)
        text = f"{names} are in {standoff.place} without a battle; add one with"
        command = add_battle_command(campaign, ledger, standoff, campaign.turn)
        where = ("forces", standoff.sides[0][0], "location")
        yield Diagnostic(f"{text}: {command}", at=where)
