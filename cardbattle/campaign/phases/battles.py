"""The battle phase of a turn, which ends when no battle is pending."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.campaign.phases.phase import Outcome, Situation
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.deadlines import BOTH
from cardbattle.core.names import listed

SHEET = "cardbattle campaign export {0} --sheet"
BY_MESSAGE = "cardbattle campaign fight {0} --by-message"
REMEDY = (
    f"let the computer fight with --fight, ask the players with: {BY_MESSAGE}, or print a sheet for the "
    f"table with: {SHEET}{{1}}; campaign {{2}}import, decline and override also end a battle, and --leave "
    "keeps it for the next turn"
)
NOT_IN_DRY_RUN = "a dry run does not fight, so it ends here; leave out --dry-run"
REPORTS = ", and messages that ask the sides for reports with: cardbattle campaign orders ask"


def run_battles(situation: Situation) -> Outcome:
    """Wait until no battle is pending. Other commands record the results of battles."""
    ids = [battle.id for battle in situation.campaign.pending]
    return Outcome(waits=[pending_sentence(situation.campaign, ids)] if ids else [])


def pending_sentence(campaign: Campaign, ids: Sequence[str], remedy: str = "") -> str:
    """Return a sentence that names the pending battles, and `remedy` or the commands that end them."""
    reports, confirm = (REPORTS, "confirm, ") if campaign.results.confirm == BOTH else ("", "")
    remedy = remedy or REMEDY.format(ids[0], reports, confirm)
    return f"{listed(ids)} {'is' if len(ids) == 1 else 'are'} pending; {remedy}"
