"""Pages about orders to move: the message to a faction, the orders so far, and the missing ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.names import clean, listed
from cardbattle.core.telling import counted
from cardbattle.show.battle_text import FRAME, LONGEST_POST, fill_parts, post_length
from cardbattle.show.document import Document, Listing, Paragraph, Section, Table, Title
from cardbattle.show.pages.campaign.chronicle import turn_title
from cardbattle.show.pages.campaign.position import position_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cardbattle.campaign.exchange.order_book import FactionStatus
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Content

MOST_ROADS = 40  # maximum number of roads in a message; on a larger map only near ones
TURNS_NEAR = 2  # number of turns in which a force can reach a near road
HOW = "Answer with a line for each force, and send it back:"
FORMS = (
    "{force}: hold",
    "{force}: march to {place}",
    "{force}: {here} -> {place}",
    'Add ", avoid battle" to an order to withdraw from enemies.',
    "A force without an order holds, or goes on with its march.",
)
JOIN = "{force}: join {other}"
SEAL = 'To seal them until all are in: cardbattle orders seal "{address}: {force}: hold"'
OPENING = "The orders of all factions are in. Send the line that you kept:"


class OrderRequest(NamedTuple):
    """One part of a message that asks a faction for its orders."""

    faction: str
    turn: int
    part: int
    parts: int
    lines: list[str]

    @property
    def label(self) -> str:
        """Heading for the person who sends the part."""
        part = f", part {self.part} of {self.parts}" if self.parts > 1 else ""
        return f"To {self.faction}, turn {self.turn}{part}: {post_length(self.lines)} characters"


def request_to(
    visible: VisibleCampaign, faction: str, address: str, steps: Mapping[str, int], *, is_opening: bool
) -> list[OrderRequest]:
    """Return the message to a faction, in parts: what it sees, its forces, the roads and how to answer.

    `visible` is what the faction may know. `address` is the address of its orders; `steps` are the steps of
    its forces that can have orders. With `is_opening`, the message only asks the faction to open its sealed
    orders.
    """
    campaign = visible.campaign
    head = [
        f"{campaign.faction_name(faction)}: orders",
        f"{campaign.name}, {turn_title(campaign, campaign.turn, campaign.turn_name or '')}",
    ]
    if is_opening:
        lines = [OPENING, "", f"{address}: open ..."]
    else:
        lines = [*situation_lines(visible, faction, steps), "", *answer_lines(campaign, address, steps)]
    parts = fill_parts(
        [clean(line) for line in lines], LONGEST_POST - FRAME - post_length([*head, "", " part 99 of 99"])
    )
    requests = []
    for n, part in enumerate(parts, 1):
        title = f"{head[0]}, part {n} of {len(parts)}" if len(parts) > 1 else head[0]
        requests.append(
            OrderRequest(faction, campaign.turn, n, len(parts), [clean(title), clean(head[1]), "", *part])
        )
    return requests


def situation_lines(visible: VisibleCampaign, faction: str, steps: Mapping[str, int]) -> Iterator[str]:
    """Yield the faction's forces, what it sees of others, pending battles and roads."""
    campaign = visible.campaign
    yield "Your forces:"
    for key, force in campaign.forces.items():
        if force.faction == faction and not force.destroyed:
            yield f"- {named(campaign, 'forces', key)}: {force_words(visible, key, steps)}"
    rivals = [
        key
        for key, force in campaign.forces.items()
        if force.faction != faction and force.location and not force.destroyed
    ]
    if rivals:
        yield from ("", "Others that you see:")
        for key in rivals:
            whose = campaign.faction_name(campaign.forces[key].faction)
            yield f"- {campaign.display_name(key)} ({whose}): {force_words(visible, key, {})}"
    if campaign.pending:
        yield from ("", "Pending battles:")
        for battle in campaign.pending:
            sides = [campaign.side_name(side, battle) for side in battle.sides]
            yield f"- {battle.id}: {' against '.join(map(str, sides))}"
    if campaign.weather and campaign.weather.now:
        yield from ("", f"Weather: {campaign.weather.now}")
    yield from ("", *road_lines(campaign, steps))


def force_words(visible: VisibleCampaign, key: str, steps: Mapping[str, int]) -> str:
    """Describe what is known of a force: strength, position, steps in this turn, order."""
    campaign = visible.campaign
    force = campaign.forces[key]
    strength = visible.strengths[key]
    facts = [f"strength {strength}"] if strength is not None else []
    facts += [f"at {position_text(campaign, force)}" if force.location else "not on the map"]
    facts += [counted(steps[key], "step")] if key in steps else []
    battle = next(
        (battle.id for battle in campaign.pending if any(key in side for side in battle.sides)), None
    )
    if key in steps and battle is not None:
        return ", ".join([*facts, f"in the pending battle {battle}: it can only hold"])
    order = campaign.orders.get(key)
    facts += [f"order: {order}"] if order else [f"goes on: {force.march}"] if force.march else []
    return ", ".join(facts)


def road_lines(campaign: Campaign, steps: Mapping[str, int]) -> Iterator[str]:
    """Yield the roads with their lengths; on a large map only those that the forces can reach soon."""
    ends = campaign.road_ends
    if not ends:
        yield "There are no roads on the map yet: every force holds."
        return
    shown = [road for road in ends if len(ends) <= MOST_ROADS or is_near(campaign, road, steps)]
    yield "Roads, with their steps:"
    for start, end in shown:
        between = f"{named(campaign, 'locations', start)} - {named(campaign, 'locations', end)}"
        yield f"- {between}: {campaign.roads.length(start, end)}"
    if len(shown) < len(ends):
        yield f"- and {counted(len(ends) - len(shown), 'road')} further away"


def is_near(campaign: Campaign, road: tuple[str, str], steps: Mapping[str, int]) -> bool:
    """Return True if a force can be at an end of a road within some turns."""
    for key, count in steps.items():
        far = campaign.roads.distances(campaign.forces[key].location or "")
        if any(end in far and far[end][0] <= TURNS_NEAR * count for end in road):
            return True
    return False


def named(campaign: Campaign, table: str, key: str) -> str:
    """Return the key of a force or place, with its name if it differs."""
    name = str(campaign.name_of(table, key))
    return key if name.casefold() == key else f"{key} ({name})"


def answer_lines(campaign: Campaign, address: str, steps: Mapping[str, int]) -> Iterator[str]:
    """Yield how to answer, with the faction's own forces in the examples, and the form to fill in."""
    force = next(iter(steps), "percy")
    here = campaign.forces[force].location or "" if force in campaign.forces else ""
    place = next(iter(campaign.roads.neighbours.get(here, {})), "")
    yield HOW
    for form in FORMS[: 3 if place else 1]:
        yield f"- {form.format(force=force, place=place, here=here)}"
    rivals = [key for key in steps if key != force]
    if rivals:
        yield f"- {JOIN.format(force=force, other=rivals[0])}"
    yield from FORMS[3:]
    yield SEAL.format(address=address, force=force)
    yield from ("", f"{address}:", *(f"{key}:" for key in steps))


def requests_page(campaign: Campaign, requests: Sequence[OrderRequest]) -> Document:
    """Show messages, each below a heading for the umpire who sends it."""
    blocks: list[Content] = []
    if not requests:
        blocks = [Paragraph("No force can have orders.")]
    for request in requests:
        blocks += [Section(request.label, [request.label]), Listing(request.lines, "text")]
    messages = [
        {"faction": faction, "turn": turn, "part": part, "parts": parts, "text": "\n".join(lines)}
        for faction, turn, part, parts, lines in requests
    ]
    json = {"schema": 1, "campaign": campaign.name, "turn": campaign.turn, "messages": messages}
    return Document("orders", blocks, json, is_sent=True)


def orders_page(visible: VisibleCampaign) -> Document:
    """Show the orders given so far: all for the umpire, and only their own for a faction."""
    campaign = visible.campaign
    rows = []
    for key, force in campaign.forces.items():
        is_own = visible.is_whole or force.faction == visible.reader
        if is_own and force.location and not force.destroyed:
            sealed = campaign.sealed_orders.get(force.faction)
            is_hidden = sealed is not None and sealed.is_for(campaign.turn) and sealed.text is None
            order = campaign.orders.get(key) or ("sealed" if is_hidden else "")
            order = order or (f"goes on: {force.march}" if force.march else "none: holds")
            rows.append([str(campaign.display_name(key)), position_text(campaign, force), order])
    title = f"{campaign.name}: orders for turn {campaign.turn}"
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
        "sealed": {
            key: sealed.model_dump(exclude_none=True) for key, sealed in campaign.sealed_orders.items()
        },
    }
    return Document("orders", blocks, json)


def status_page(campaign: Campaign, statuses: Iterable[FactionStatus], deadline: str = "") -> Document:
    """Show which factions have sent orders, but not the orders: everyone may read it.

    `deadline` is a sentence about the time when the orders are due.
    """
    table = list(statuses)
    rows = [[str(campaign.faction_name(status.faction)), status_words(status)] for status in table]
    missing = [str(campaign.faction_name(status.faction)) for status in table if not status.is_in]
    last = f"Waiting for {listed(missing)}." if missing else "The orders of all factions are in."
    to_open = [
        str(campaign.faction_name(status.faction))
        for status in table
        if status.is_sealed and not status.is_open
    ]
    if not missing and to_open:
        last = f"{last} {listed(to_open)} can open the sealed orders."
    json = {
        "schema": 1,
        "turn": campaign.turn,
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
        Title(clean(f"{campaign.name}: orders for turn {campaign.turn}")),
        Table(["faction", "orders"], [[clean(cell) for cell in row] for row in rows]),
        Paragraph(clean(f"{last} {deadline}".rstrip())),
    ]
    return Document("orders status", blocks, json)


def status_words(status: FactionStatus) -> str:
    """Describe the state of a faction's orders."""
    if status.is_sealed:
        return "opened" if status.is_open else "sealed"
    return "in" if status.is_in else "missing"
