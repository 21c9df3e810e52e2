"""Hire the soldiers that players have ordered. Each faction pays from its purse."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.campaign.ledger.ledger import AFTERMATH
from cardbattle.campaign.phases.phase import Cause, Situation
from cardbattle.campaign.state.changes import Key
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables import upkeep
from cardbattle.core.grammar import with_verb
from cardbattle.core.telling import counted

RECRUIT = "recruit"


def recruit(situation: Situation) -> Iterator[Cause]:
    """Yield the entry for the hired soldiers. The forces hire in the order of the file.

    The text of the change of `hires` says how many soldiers a force hired, and why not all.
    """
    campaign = situation.campaign
    wanted = {key: force.hires for key, force in campaign.forces.items() if force.hires}
    if campaign.recruit is None or not wanted:
        return
    cost = campaign.recruit.cost
    purses = {key: faction.purse for key, faction in campaign.factions.items()}
    values: dict[Key, object] = {}
    notes: dict[Key, str] = {}
    reasons = []
    for key, count in wanted.items():
        force = campaign.forces[key]
        limits = {
            upkeep.MOST_HIRED: campaign.recruit.most,
            upkeep.PAID: max(purses[force.faction], 0) // cost,
        }
        if obstacle := obstacle_to_hiring(situation, key):
            limits = {obstacle: 0}
        why, hired = min(
            (("", count), *((why, limit) for why, limit in limits.items() if limit is not None)),
            key=lambda pair: pair[1],
        )
        values["forces", key, "hires"] = None
        notes["forces", key, "hires"] = f"{hired} {why}".strip()
        if hired:
            purses[force.faction] -= hired * cost
            values["forces", key, "strength"] = force.strength + hired
            name = with_verb(campaign.display_name(key), "hires|hire")
            price = f"{hired * cost}, {cost} for each"
            reasons.append(f"{name} {counted(hired, 'soldier')} for {price}")
    paid = {key: purse for key, purse in purses.items() if purse != campaign.factions[key].purse}
    values |= {("factions", key, "purse"): purse for key, purse in paid.items()}
    changes = [
        change._replace(text=notes.get(change.key, change.text)) for change in situation.changed(values)
    ]
    yield Cause(RECRUIT, changes, reasons=reasons)


def obstacle_to_hiring(situation: Situation, key: str) -> str:
    """Return why a force can hire no soldiers at the end of this turn, or ""."""
    campaign = situation.campaign
    force = campaign.forces[key]
    if force.destroyed:
        return upkeep.LOST
    if any(key in side for battle in campaign.pending for side in battle.sides):
        return upkeep.FIGHTING
    aftermath = (entry.changes for entry in situation.entries if entry.kind == AFTERMATH)
    if any(change.key == ("forces", key, "location") for changes in aftermath for change in changes):
        return upkeep.RETREATED
    if force.towards is not None:
        return upkeep.ON_ROAD
    if force.location not in hiring_places(campaign, force.faction):
        return upkeep.NOT_THERE
    is_contested = any(
        campaign.are_enemies(force.faction, each.faction)
        for each in campaign.forces.values()
        if each.location == force.location and each.towards is None and not each.destroyed
    )
    return upkeep.ENEMY_THERE if is_contested else ""


def hiring_places(campaign: Campaign, faction: str) -> list[str]:
    """Return the places in which the forces of a faction can hire soldiers."""
    settings = campaign.recruit
    return [
        key
        for key, place in campaign.locations.items()
        if settings and place.owner == faction and (place.supply or settings.places == upkeep.OWN)
    ]
