"""Pages about orders to move: the orders of all factions, and which are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.exchange.order_book import missing_factions
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.state.tables.march_orders import RETREAT as RETREAT_TO
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import clean, listed
from cardbattle.show.document import Document, Paragraph, Table, Title
from cardbattle.show.pages.campaign.forces import position_text
from cardbattle.show.pages.campaign.history import order_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardbattle.campaign.exchange.order_book import FactionStatus
    from cardbattle.campaign.state.model import Campaign, Force
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Content


def forces_with_known_orders(visible: VisibleCampaign) -> dict[str, Force]:
    """Return the forces whose orders this reader may know: all for the umpire, its own for a faction."""
    forces = visible.campaign.forces
    return {
        key: force for key, force in forces.items() if visible.is_whole or force.faction == visible.reader
    }


def orders_page(visible: VisibleCampaign) -> Document:
    """Show the orders that have been given.

    The umpire sees all orders, and a faction sees only its own orders.
    """
    campaign = visible.campaign
    rows = []
    for key, force in forces_with_known_orders(visible).items():
        if force.location and not force.destroyed:
            sealed = campaign.sealed_orders.get(force.faction)
            is_hidden = sealed is not None and sealed.is_for(campaign.turn) and sealed.text is None
            goes_on = f"goes on: {order_words(campaign, force.march)}" if force.march else "none: holds"
            order = "sealed" if is_hidden else goes_on
            if key in campaign.orders:
                order = order_words(campaign, campaign.orders[key])
            if force.retreat:
                retreat = f"{RETREAT_TO} {mid_sentence(campaign.location_name(force.retreat))}"
                order = f"{retreat}; then {order}" if key in campaign.orders else retreat
            rows.append([str(campaign.display_name(key)), position_text(campaign, force), order])
    title = f"{campaign.name}: orders for turn {campaign.turn + has_moved(visible.ledger)}"
    blocks: list[Content] = [Title(clean(title))]
    facts = [clean(f"order {name}: {order}; at {at}") for name, at, order in rows]
    cells = [[clean(cell) for cell in row] for row in rows]
    blocks.append(
        Table(["force", "where", "order"], cells, facts=facts)
        if rows
        else Paragraph("No forces whose orders this reader may know.")
    )
    json = {
        "schema": 1,
        "turn": campaign.turn,
        "orders": dict(campaign.orders),
        "marches": {key: force.march for key, force in campaign.forces.items() if force.march},
        "retreats": {key: force.retreat for key, force in campaign.forces.items() if force.retreat},
        "sealed": {
            key: sealed.model_dump(exclude_none=True) for key, sealed in campaign.sealed_orders.items()
        },
    }
    return Document("orders", blocks, json)


def status_page(
    campaign: Campaign, statuses: Iterable[FactionStatus], deadline: str = "", *, has_moved: bool = False
) -> Document:
    """Show which factions have sent orders. The page does not show the orders, so that everyone may read it.

    `deadline` is a sentence about the time when the orders are due. If `has_moved` is true, the forces have
    already moved in this turn, and the orders are for the next turn.
    """
    table = list(statuses)
    shows_forces = campaign.visibility.shows_forces
    rows = [
        [
            str(campaign.faction_name(status.faction)),
            status_words(status, has_moved, shows_forces=shows_forces),
        ]
        for status in table
    ]
    last = f"{last_sentence(campaign, table, has_moved)} {deadline}".rstrip()
    turn = campaign.turn + 1 if has_moved else campaign.turn
    json = {
        "schema": 1,
        "turn": campaign.turn,
        "moved": has_moved,
        "factions": [
            {
                "faction": status.faction,
                "in": status.is_in,
                "sealed": status.is_sealed,
                "open": status.is_open,
            }
            for status in table
        ],
    }
    blocks: list[Content] = [
        Title(clean(f"{campaign.name}: orders for turn {turn}")),
        Table(["faction", "orders"], [[clean(cell) for cell in row] for row in rows]),
        Paragraph(clean(last)),
    ]
    return Document("orders status", blocks, json)


def last_sentence(campaign: Campaign, table: Sequence[FactionStatus], has_moved: bool) -> str:
    """Name the factions whose orders are missing, and the factions that can open sealed orders."""
    if has_moved:
        return f"The forces have moved in turn {campaign.turn}, which is not over yet."
    if missing := missing_factions(campaign, table):
        return f"Waiting for {missing}."
    closed = listed(campaign.faction_name(status.faction) for status in table if status.must_open)
    opening = f" {closed} can open the sealed orders." if closed else ""
    return f"The orders of all factions are in.{opening}"


def status_words(status: FactionStatus, has_moved: bool = False, *, shows_forces: bool = True) -> str:
    """Describe whether a faction has sent its orders, or has no forces to order.

    Unless everyone knows where the forces are (`shows_forces`), both have the same words.
    """
    if status.is_sealed:
        return "opened" if status.is_open else "sealed"
    if status.has_sent:
        if not shows_forces:
            return "done"
        return "nothing to order" if status.is_idle else "in"
    return "substitute" if status.is_replaced else "none yet" if has_moved else "missing"
