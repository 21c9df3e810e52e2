"""The phases of a turn, in the order in which they run."""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.campaign.ledger.ledger import CONTACT
from cardbattle.campaign.phases import aftermath, events, upkeep
from cardbattle.campaign.phases.battles import run_battles
from cardbattle.campaign.phases.movement import phase as movement
from cardbattle.campaign.phases.names import AFTERMATH, BATTLES
from cardbattle.campaign.phases.phase import Phase

PHASES: tuple[Phase, ...] = (
    Phase(
        "schedule",
        (events.SCHEDULE,),
        lambda campaign: bool(campaign.schedule),
        events.run_schedule,
    ),
    Phase(
        "events",
        (events.WEATHER, events.EVENT),
        lambda campaign: bool(campaign.weather or campaign.event),
        events.run_events,
    ),
    Phase(
        "movement",
        (movement.MOVEMENT, CONTACT),
        lambda campaign: campaign.movement is not None,
        movement.run_movement,
    ),
    Phase(BATTLES, (), lambda campaign: bool(campaign.pending), run_battles),
    Phase(
        AFTERMATH,
        (AFTERMATH, aftermath.CAPTURE),
        lambda campaign: bool(campaign.aftermath or campaign.experience),
        aftermath.run_aftermath,
    ),
    Phase(
        "upkeep",
        upkeep.UPKEEP_KINDS,
        upkeep.has_upkeep,
        upkeep.run_upkeep,
    ),
)
KINDS: Mapping[str, Phase] = {kind: phase for phase in PHASES for kind in phase.kinds}
