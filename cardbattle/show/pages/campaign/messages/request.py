"""A message that asks a player for lines, with its parts and its deadline."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.ledger.history import is_moved_again, is_played_again
from cardbattle.campaign.state.clock import zoned_time
from cardbattle.core.names import clean
from cardbattle.show.battle_text import FRAME, LONGEST_POST, fill_parts, post_length
from cardbattle.show.document import Document, Listing, Paragraph, Section
from cardbattle.show.pages.campaign.reports.chronicle import END_UNDONE, turn_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Content

DUE, WAS_DUE = "The deadline is {}.", "The deadline was {}."
PLAYED_AGAIN = (
    "Turn {} was undone and is played again. Messages and reports from before the undo no longer count."
)
ORDERS, RETREAT, RESULT, REFUSED, READ = "orders", "retreat", "result", "not taken", "read as"
FOR_UMPIRE = "read by the umpire"  # a message about lines that need no correction
LATE_ORDERS = "late orders"
REPLIES = (REFUSED, FOR_UMPIRE, READ, LATE_ORDERS)  # topics of messages that ask nothing new
COUNTS = "still counts"
# headings must not read like an order, because mails quote them
HEADINGS = {RETREAT: "where to retreat", LATE_ORDERS: ORDERS}
EARLIER_COUNT = "Your earlier orders still count:"
NO_ANSWER = "You do not need to answer this message."
REMINDER = "reminder"
DETAILS = 'The umpire can send you the message "{}" of this turn again. It has all details.'


class OrderRequest(NamedTuple):
    """One part of a message that asks a faction for its orders, for a retreat, or for a result.

    `topic` is "orders", "retreat", "result of" a battle, or one of `REPLIES`. `whole` are the lines of the
    undivided message. `is_reminder` is True for a short message to a late player.
    """

    faction: str
    turn: int
    part: int
    parts: int
    lines: list[str]
    topic: str = ORDERS
    whole: Sequence[str] = ()
    is_reminder: bool = False

    @property
    def label(self) -> str:
        """A heading for the person who sends this part."""
        part = f", part {self.part} of {self.parts}" if self.parts > 1 else ""
        topic = "" if self.topic == ORDERS else f", {self.topic}"
        topic += f", {REMINDER}" if self.is_reminder else ""
        return f"To {self.faction}, turn {self.turn}{topic}{part}: {post_length(self.lines)} characters"


def due(until: str, *, is_over: bool = False) -> list[str]:
    """Return the line about a deadline, or nothing without a deadline."""
    return [(WAS_DUE if is_over else DUE).format(zoned_time(until))] if until else []


def requests_of(
    visible: VisibleCampaign,
    faction: str,
    lines: Sequence[str],
    topic: str = ORDERS,
    *,
    is_reminder: bool = False,
) -> list[OrderRequest]:
    """Return the parts of a message to a faction that has these lines.

    A line with line breaks stays in one part, unless it is too long. So does the form for the answer.
    """
    campaign, ledger = visible.campaign, visible.ledger
    reminder = f", {REMINDER}" if is_reminder else ""
    head = [
        f"{campaign.faction_name(faction)}: {HEADINGS.get(topic, topic)}{reminder}",
        f"{campaign.name}, {turn_title(campaign, campaign.turn, campaign.turn_name or '')}",
    ]
    if is_moved_again(ledger, campaign.turn):
        head.append(PLAYED_AGAIN.format(campaign.turn))
    elif is_played_again(ledger, campaign.turn):
        head.append(END_UNDONE.format(campaign.turn))
    room = LONGEST_POST - FRAME - post_length([*head, "", " part 99 of 99"])
    lines = ["\n".join(map(clean, line.split("\n"))) for line in lines]
    parts = fill_parts(with_whole_form(lines, room), room)
    requests = []
    for n, part in enumerate(parts, 1):
        title = f"{head[0]}, part {n} of {len(parts)}" if len(parts) > 1 else head[0]
        body = "\n".join(part).split("\n")
        requests.append(
            OrderRequest(
                faction,
                campaign.turn,
                n,
                len(parts),
                [clean(title), *map(clean, head[1:]), "", *body],
                topic,
                [*map(clean, head), "", *"\n".join(lines).split("\n")],
                is_reminder,
            )
        )
    return requests


def with_whole_form(lines: Sequence[str], room: int) -> list[str]:
    """Return the lines with the last paragraph, which is the form for the answer, joined to one line.

    A form that is longer than `room` becomes several, which all begin with its address.
    """
    if "" not in lines:
        return [*lines]
    start = len(lines) - [*reversed(lines)].index("")
    address, *rest = lines[start:]
    forms = fill_parts(rest, room - post_length([address, ""]))
    return [*lines[:start], *("\n".join([address, *form]) for form in forms)]


def requests_page(campaign: Campaign, requests: Sequence[OrderRequest], reason: str = "") -> Document:
    """Show messages, each below a heading for the umpire who sends it.

    If `requests` is empty, show the text `reason`.
    """
    blocks: list[Content] = []
    if not requests:
        blocks = [Paragraph(reason)]
    for request in requests:
        blocks += [Section(request.label, [request.label]), Listing(request.lines, "text")]
    messages = [
        {
            "faction": request.faction,
            "turn": request.turn,
            "topic": request.topic,
            "reminder": request.is_reminder,
            "part": request.part,
            "parts": request.parts,
            "text": "\n".join(request.lines),
        }
        for request in requests
    ]
    json = {"schema": 1, "campaign": campaign.name, "turn": campaign.turn, "messages": messages}
    return Document("orders", blocks, json, is_sent=True)
