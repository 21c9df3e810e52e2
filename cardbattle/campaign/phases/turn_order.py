"""The phases of a turn, in order."""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.campaign.phases import happenings
from cardbattle.campaign.phases.battles import run_battles
from cardbattle.campaign.phases.phase import Phase

BATTLES, REPORT = "battles", "report"
PHASES: tuple[Phase, ...] = (
    Phase(
        "schedule",
        "what is planned for this turn",
        (happenings.SCHEDULE,),
        lambda campaign: bool(campaign.schedule),
        happenings.run_schedule,
    ),
    Phase(
        "events",
        "the weather, and events",
        (happenings.WEATHER, happenings.EVENT),
        lambda campaign: bool(campaign.weather or campaign.event),
        happenings.run_events,
    ),
    Phase(BATTLES, "the pending battles", (), lambda campaign: bool(campaign.pending), run_battles),
)
NAMES = (*(phase.name for phase in PHASES), REPORT)
KINDS: Mapping[str, Phase] = {kind: phase for phase in PHASES for kind in phase.kinds}
