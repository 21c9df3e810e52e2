"""Find orders that cannot be carried out."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.phases.movement.planning import Planner, Unfit, is_placed, orders_that_count
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.march_orders import IN_BATTLE, parse_order
from cardbattle.campaign.state.tables.upkeep import OWN
from cardbattle.core.errors import Diagnostic
from cardbattle.core.grammar import mid_sentence


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
                if hint := hiring_hint(planner, key):
                    yield Diagnostic(hint, at=at)
            except Unfit as unfit:
                if unfit.failure != IN_BATTLE:
                    yield Diagnostic(f"the force will hold: {unfit}; give it another order", at=at)
                elif not is_over:
                    yield Diagnostic(f"the force will hold, and the order is dropped: {unfit}", at=at)


def hiring_hint(planner: Planner, key: str) -> str:
    """Return a hint if a force is to hire soldiers, but can hire them in no place on its way, or "".

    A place that the force can capture counts, because soldiers are hired after places are captured. Raises
    Unfit if the force cannot carry out its order to move.
    """
    campaign = planner.campaign
    settings, force = campaign.recruit, campaign.forces[key]
    places = planner.path(key, []) or [force.location or ""]
    if settings is None or not parse_order(campaign.orders[key]).hires:
        return ""
    for place in places:
        location = campaign.locations[place]
        is_allowed = location.supply or settings.places == OWN
        if is_allowed and (location.owner == force.faction or campaign.can_capture(force.faction, place)):
            return ""
    return f"it hires no soldiers: {mid_sentence(campaign.location_name(places[-1]))} is no place for hiring"


def hiring_warning(campaign: Campaign, key: str) -> str:
    """Return the hint about the soldiers that a force is to hire, as far as the campaign's reader knows."""
    if not is_placed(campaign, key):
        return ""
    try:
        return hiring_hint(Planner(campaign, orders_that_count(campaign)), key)
    except Unfit:
        return ""
