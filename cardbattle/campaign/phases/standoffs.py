"""Hostile forces that are in the same place and do not fight.

Forces only meet if one of them arrives. If a battle has fewer sides than factions meet, some forces stand by,
and nothing makes them fight afterwards, except a battle that the umpire adds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardbattle.campaign.ledger.ledger import AFTERMATH, Ledger
from cardbattle.campaign.phases.aftermath import FoughtBattle, forces_to_retreat, fought_battle
from cardbattle.campaign.phases.finished_phases import entries_of_turn
from cardbattle.campaign.phases.movement.phase import free_id, most_sides, sides_among
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.aftermath import NO_RETREAT


class Standoff(NamedTuple):
    """A place without a pending battle, and the forces of each side there, in the order of the file.

    Factions that are at peace are one side.
    """

    place: str
    sides: list[list[str]]


def standoffs(campaign: Campaign) -> Iterator[Standoff]:
    """Yield the places in which hostile forces are, and no battle is pending.

    A campaign without movement has no such places: its places then only say where a force belongs.
    """
    if campaign.movement is None:
        return
    fought = {battle.place or battle.stakes for battle in campaign.pending}
    fighting = {key for battle in campaign.pending for side in battle.sides for key in side}
    present: dict[str, dict[str, str]] = {}  # by place and force: the faction
    for key, force in campaign.forces.items():
        is_there = force.location and force.towards is None and not force.destroyed
        if is_there and force.location not in fought and key not in fighting:
            present.setdefault(force.location or "", {})[key] = force.faction
    for place in campaign.locations:
        factions_there = present.get(place, {})
        hostile = campaign.hostile_among(factions_there.values())
        sides = sides_among(campaign, (key for key, faction in factions_there.items() if faction in hostile))
        if sides:
            yield Standoff(place, sides)


def open_battles(campaign: Campaign, ledger: Ledger) -> list[FoughtBattle]:
    """Return the battles of this turn whose aftermath has not been carried out."""
    if campaign.aftermath is None:
        return []
    entries = entries_of_turn(ledger)
    decided = {entry.id for entry in entries if entry.kind == AFTERMATH}
    fought = [entry for entry in entries if entry.result is not None and entry.id not in decided]
    return [fought_battle(campaign, entry) for entry in fought]


def beaten_forces(campaign: Campaign, ledger: Ledger) -> set[str]:
    """Return the forces that have lost a battle in this turn and must still retreat."""
    if campaign.aftermath is None or campaign.aftermath.retreat == NO_RETREAT:
        return set()
    return {each.force for each in forces_to_retreat(campaign, open_battles(campaign, ledger))}


def add_battle_command(campaign: Campaign, ledger: Ledger, standoff: Standoff, turn: int) -> str:
    """Return the command that adds a battle of this turn between the strongest sides in a place.

    The sides keep the order of the file, because players read the order, but need not know the strengths.
    """

    def strength(side: Sequence[str]) -> int:
        return sum(campaign.forces[key].strength for key in side)

    most = most_sides(campaign) if campaign.rules else 2
    strongest = sorted(standoff.sides, key=strength, reverse=True)[:most]
    sides = [side for side in standoff.sides if side in strongest]
    options = " ".join(f"--side {'+'.join(side)}" for side in sides)

    def is_taken(battle: str) -> bool:
        return bool(campaign.battle(battle) or ledger.find(battle))

    battle = free_id(f"t{turn}-{standoff.place}", is_taken)
    return f"cardbattle campaign add battle {battle} {options} --stakes {standoff.place}"
