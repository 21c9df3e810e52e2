"""Messages about lines that a player has sent: refused, read with a warning, or late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.ledger.history import is_moved_again
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.core.names import quoted
from cardbattle.show.pages.campaign.messages.request import (
    COUNTS,
    EARLIER_COUNT,
    FOR_UMPIRE,
    LATE_ORDERS,
    READ,
    REFUSED,
    due,
    requests_of,
)
from cardbattle.show.pages.campaign.messages.retreats import choice_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.campaign.exchange.orders.parser import GivenOrder
    from cardbattle.campaign.phases.retreat import RetreatQuestion
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.pages.campaign.messages.request import OrderRequest

LONGEST_REMARK = 300  # characters of a remark that a message quotes
NOT_TAKEN = "These lines of yours do not count:"
LINES_FOR_UMPIRE = "These lines of yours are for the umpire:"
UNREAD = "The program has read only the order in these lines of yours:"
WARNED = "These orders of yours are recorded, with a warning:"
LATE = "In turn {}, the forces had moved before these orders came, so they count for turn {}."
CHANGE = "To change them, send other orders below this address:"
OTHERS_COUNT = "Your other lines count."
CORRECT = "Send corrected lines below this address:"
MISSING = "You can send the missing orders below this address:"


def is_to_move_again(visible: VisibleCampaign) -> bool:
    """Return True if the movement of this turn was undone, and the forces have not moved again."""
    return is_moved_again(visible.ledger, visible.campaign.turn) and not has_moved(visible.ledger)


def standing_orders(campaign: Campaign, faction: str) -> list[str]:
    """Return the recorded orders of a faction."""
    orders = campaign.orders.items()
    return [f"{force}: {order}" for force, order in orders if campaign.forces[force].faction == faction]


def refusal_request(
    visible: VisibleCampaign,
    faction: str,
    refused: Sequence[str],
    address: str,
    forms: Sequence[str],
    until: str = "",
    *,
    for_umpire: Sequence[str] = (),
    others_count: bool = False,
    earlier: Sequence[str] = (),
    is_to_correct: bool = True,
    read: Sequence[str] = (),
    questions: Sequence[RetreatQuestion] = (),
) -> list[OrderRequest]:
    """Return the parts of the message about lines that a faction has sent and that are not taken.

    `refused` are the reasons, and `for_umpire` those of lines such as questions, which the player cannot
    correct. `forms` are the lines to complete below the address, or without an address the
    last lines. `until` is the deadline in the ledger's format, or "". `others_count` is True if other lines
    of the faction are taken. `earlier` are its earlier orders that still count. `is_to_correct` is False if
    the player could correct none of the lines. `read` are the `read_lines` about accepted orders.
    `questions` are the retreats of which no line names the possible places.
    """
    lines = refused_lines(refused) if refused else []
    if for_umpire:
        lines += [*([""] if lines else []), LINES_FOR_UMPIRE]
        lines += [f"- {FOR_UMPIRE}: {text}" for text in for_umpire]
    lines += read
    for question in questions:
        lines += ["", *choice_lines(visible, question)]
    if not (earlier or others_count) and is_to_move_again(visible):
        earlier = standing_orders(visible.campaign, faction)
    if earlier:
        lines += ["", EARLIER_COUNT, *(f"- {COUNTS}: {order}" for order in earlier)]
    count = OTHERS_COUNT if others_count else ""
    if address:
        correct = CORRECT if is_to_correct else MISSING
        lines += ["", *due(until), f"{count} {correct}".strip(), "", f"{address}:"]
    elif forms:
        lines.append("")
    elif count:
        lines += ["", count]
    lines += forms
    return requests_of(visible, faction, lines, REFUSED if is_to_correct else FOR_UMPIRE)


def read_lines(remarks: Sequence[GivenOrder], warnings: Sequence[str]) -> list[str]:
    """Return the lines about accepted orders that a player may want to change, or nothing without them.

    Behind the orders in `remarks`, text was not read. `warnings` are orders with a reason to change them.
    """
    unread = [
        f"{each.force}: {each.order}; not read: {quoted(each.remark, LONGEST_REMARK)}" for each in remarks
    ]
    return [
        line
        for heading, orders in ((UNREAD, unread), (WARNED, warnings))
        if orders
        for line in ("", heading, *(f"- {READ}: {order}" for order in orders))
    ]


def read_request(
    visible: VisibleCampaign, faction: str, address: str, read: Sequence[str], orders: Mapping[str, str]
) -> list[OrderRequest]:
    """Return the parts of the message about accepted orders that a player may want to change.

    `address` is the address of new orders, and `read` are the `read_lines` about these `orders` by force.
    """
    lines = [*read[1:], "", CHANGE, "", f"{address}:", *(f"{key}: {order}" for key, order in orders.items())]
    return requests_of(visible, faction, lines, READ)


def late_request(
    visible: VisibleCampaign,
    faction: str,
    address: str,
    orders: Mapping[str, str],
    read: Sequence[str] = (),
) -> list[OrderRequest]:
    """Return the parts of the message about orders that came after the movement and count for the next turn.

    `orders` are the orders by force, and `address` is the address of the next turn. `read` are the
    `read_lines` about these orders.
    """
    turn = visible.campaign.turn
    lines = [LATE.format(turn, turn + 1), *read, "", CHANGE, "", f"{address}:"]
    lines += [f"{force}: {order}" for force, order in orders.items()]
    return requests_of(visible, faction, lines, LATE_ORDERS)


def refused_lines(refused: Sequence[str]) -> list[str]:
    """Return the lines that give the reasons why lines of a faction are not taken."""
    return [NOT_TAKEN, *(f"- {REFUSED}: {text}" for text in refused)]
