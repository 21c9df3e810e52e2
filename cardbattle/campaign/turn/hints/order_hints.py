"""Find orders that cannot be carried out."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.phases.movement.planning import Planner, Unfit, orders_that_count
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.march_orders import IN_BATTLE, parse_order
from cardbattle.core.errors import Diagnostic


def order_hints(campaign: Campaign, ledger: Ledger) -> Iterator[Diagnostic]:
    """Yield a hint for each order that cannot be carried out.

    After the movement, an order of a force in a pending battle gets no hint, because this battle is probably
    over before the next movement.
    """
    if campaign.movement is None or not campaign.orders:
        return
    is_over = has_moved(ledger)
    planner = Planner(campaign, orders_that_count(campaign))
    for key in campaign.orders:
        force = campaign.forces[key]
        at = ("orders", key)
        if campaign.recruit is None and parse_order(campaign.orders[key]).hires:
            yield Diagnostic("no soldiers can be hired; set a price: recruit.cost = 3", at=at)
        if force.location is not None and not force.destroyed:
            try:
                planner.path(key, [])
            except Unfit as unfit:
                if unfit.failure != IN_BATTLE:
                    yield Diagnostic(f"the force will hold: {unfit}; give it another order", at=at)
                elif not is_over:
                    yield Diagnostic(f"the force will hold, and the order is dropped: {unfit}", at=at)
