"""The umpire's next step with the orders of a turn."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from cardbattle.campaign.exchange.order_book import (
    ADVANCE,
    ASK_PLAYERS,
    TAKE,
    has_substitute,
    next_step,
    statuses,
)
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.state.clock import timestamp
from cardbattle.campaign.state.tables.deadlines import WAIT
from cardbattle.campaign.turn.retreat_choices import open_retreats
from cardbattle.campaign.turn.waiting import order_duties, overdue
from cardbattle.cli.campaign.shared import read_only
from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import clean, listed

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.cli.run import Printer


def step_with_orders(campaign: Campaign, ledger: Ledger, now: str) -> str:
    """Return a sentence: what the umpire should do next about this turn's orders, at the time `now`."""
    if retreats := open_retreats(campaign, ledger):
        asked = [
            each for each in retreats if not has_substitute(campaign, campaign.forces[each.force].faction)
        ]
        if not asked:
            return f"next: {retreats[0].words(campaign)}"
        names = listed(campaign.display_name(question.force) for question in asked)
        return f"next: ask where {names} must retreat with: {ASK_PLAYERS}; then take the answers with: {TAKE}"
    if campaign.movement is None:
        return f"next: run the turn with: {ADVANCE}"
    late = overdue(list(order_duties(campaign, ledger)), now)
    applies = campaign.deadlines is not None and campaign.deadlines.missed != WAIT
    return next_step(
        campaign, statuses(campaign), has_moved=has_moved(ledger), is_late=bool(late) and applies
    )


def print_step_after_undo(campaign: Campaign, at: str, to: Printer) -> None:
    """Print what the umpire should do after a turn was undone, or after something was redone.

    If the campaign has no movement, or its file has been damaged since, nothing is printed.
    """
    if campaign.movement is None:
        return
    with suppress(CardbattleError):
        books, ledger = read_only(at)
        to.message("reports that you wrote before can differ now; write them again")
        to.message(clean(step_with_orders(books.campaign, ledger, timestamp())))
