"""The phase of the battles: it is over when no battle is pending."""

from __future__ import annotations

from cardbattle.campaign.phases.phase import Outcome, Situation
from cardbattle.core.names import listed

REMEDY = (
    "fight with --fight, or one by one with campaign fight, import, decline or override; "
    "--leave keeps battles for the next turn"
)


def run_battles(situation: Situation) -> Outcome:
    """Wait for the pending battles; other commands record their results."""
    ids = [battle.id for battle in situation.campaign.pending]
    if not ids:
        return Outcome()
    return Outcome(waits=[f"{listed(ids)} {'is' if len(ids) == 1 else 'are'} pending; {REMEDY}"])
