"""The message that asks a player for orders, its reminder, and the request to open sealed orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.battles.messages.answer_text import YOUR_LINES
from cardbattle.campaign.ledger.history import is_map_known
from cardbattle.campaign.state.tables.battle_effects import battle_title
from cardbattle.core.grammar import capital, mid_sentence
from cardbattle.core.names import listed
from cardbattle.show.pages.campaign.between import substitute_lines
from cardbattle.show.pages.campaign.messages.economy import soldiers_to_hire
from cardbattle.show.pages.campaign.messages.fought_battles import title_of_fought
from cardbattle.show.pages.campaign.messages.news import note_lines
from cardbattle.show.pages.campaign.messages.replies import is_to_move_again, standing_orders
from cardbattle.show.pages.campaign.messages.request import (
    COUNTS,
    DETAILS,
    EARLIER_COUNT,
    NO_ANSWER,
    ORDERS,
    due,
    requests_of,
)
from cardbattle.show.pages.campaign.messages.situation import situation_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterator, Mapping, Sequence

    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.pages.campaign.messages.request import OrderRequest

HOW = "Write an order for each force in the last lines, and send them back. For example:"
SUBSTITUTE = "{}, so no orders are needed."
# examples without a force and its colon, which cannot be read as orders when the message is quoted
FORMS = (
    "hold",
    "march to {place}",
    "{here} -> {place}",
    'Add ", avoid battle" to an order to withdraw from enemies.',
    "A force without an order holds, or goes on with its march.",
)
JOIN = "join {other}"
HIRE = 'Add ", hire {}" to an order to hire soldiers.'
SOLDIERS = 2  # in an example of an order to hire, if the faction can pay them
SEAL = 'To seal your lines until all orders are in: cardbattle orders seal "{}: {}"'
NONE_COUNTS = "Your forces have no orders for this turn yet."
ALL_IN = "The orders of all factions are in."
OPENING = "Send the line that you kept:"
IN_BATTLE = "in {}, which is pending: it can only hold"
BEATEN = "beaten in {}: it must retreat, and can only hold until then"
NO_ORDERS = "No orders have come yet for {}."
SEALED = "Your orders are sealed. Keep the line that opens them until you are asked for it."


def request_to(
    visible: VisibleCampaign,
    faction: str,
    address: str,
    steps: Mapping[str, int],
    until: str = "",
    beaten: Mapping[str, str] = {},
    *,
    whole_map: bool = False,
) -> list[OrderRequest]:
    """Return the parts of the message that asks a faction for its orders.

    The message says what the faction sees, where its forces are, which roads there are, and how to answer.
    `visible` is what the faction may know. `address` is the address of its orders. `steps` maps each of its
    forces that can be given orders to the number of steps that the force can move. `until` is the deadline
    in the ledger's format, or empty. `beaten` maps forces that must retreat to the battles that they lost.
    With `whole_map`, all roads, places, examples and rules of the war are in the message. Otherwise, if
    messages of earlier turns had them, it has only the places that the forces can reach, and one example. The
    message to a faction with a substitute asks for nothing.
    """
    held = forces_to_hold(visible, steps, beaten)
    is_short = not whole_map and is_map_known(visible.ledger, visible.campaign.turn, faction, steps)
    situation = situation_lines(visible, faction, steps, held, whole_map=whole_map, is_short=is_short)
    standing = standing_lines(visible, faction)
    if substitute := [SUBSTITUTE.format(capital(words)) for words in substitute_lines(visible)]:
        end = ("", FORMS[-1], NO_ANSWER)
        return requests_of(visible, faction, [*substitute, "", *standing, *situation, *end])
    answer = [*answer_lines(visible.campaign, address, steps, held, until, is_short=is_short)]
    form = answer.index(f"{address}:")
    examples = "\n".join(answer[: form - 1])  # stay together
    return requests_of(visible, faction, [*standing, *situation, "", examples, "", *answer[form:]])


def standing_lines(visible: VisibleCampaign, faction: str) -> list[str]:
    """Return lines about a faction's orders if the movement of this turn was undone, or []."""
    if not is_to_move_again(visible):
        return []
    orders = [f"- {COUNTS}: {order}" for order in standing_orders(visible.campaign, faction)]
    return [*([EARLIER_COUNT, *orders] if orders else [NONE_COUNTS]), ""]


def forces_to_hold(
    visible: VisibleCampaign, forces: Collection[str], beaten: Mapping[str, str]
) -> dict[str, str]:
    """Return the reasons why some of these forces can only hold. `beaten` is that of `request_to`."""
    campaign = visible.campaign
    fighting = {key: battle for battle in campaign.pending for side in battle.sides for key in side}
    held = {
        key: IN_BATTLE.format(battle_title(campaign, battle))
        for key, battle in fighting.items()
        if key in forces
    }
    return held | {
        key: BEATEN.format(title_of_fought(visible, battle))
        for key, battle in beaten.items()
        if key in forces
    }


def order_reminder(
    visible: VisibleCampaign,
    faction: str,
    address: str,
    forces: Sequence[str],
    due_line: Sequence[str],
    beaten: Mapping[str, str] = {},
) -> list[OrderRequest]:
    """Return the message that reminds a faction of the orders of these forces.

    `address` is the address of its orders, and `due_line` the line about the deadline, if there is one.
    `beaten` is that of `request_to`.
    """
    campaign = visible.campaign
    [example] = example_orders(campaign, forces, forces_to_hold(visible, forces, beaten), is_short=True)
    lines = [
        *note_lines(visible, reader=faction),
        NO_ORDERS.format(listed(mid_sentence(campaign.display_name(force)) for force in forces)),
        *due_line,
        DETAILS.format(ORDERS),
        HOW,
        f"- {example}",
        "",
        f"{address}:",
        *(f"{force}:" for force in forces),
    ]
    return requests_of(visible, faction, lines, is_reminder=True)


def opening_request(
    visible: VisibleCampaign, faction: str, lines: Sequence[str], *, is_reminder: bool = False
) -> list[OrderRequest]:
    """Return the message to a faction with sealed orders, which has the `opening_lines`."""
    return requests_of(visible, faction, lines, is_reminder=is_reminder)


def opening_lines(address: str, *, is_waiting: bool, until: str = "") -> list[str]:
    """Return the lines that ask a faction to open its sealed orders, or to wait for other orders."""
    return [SEALED] if is_waiting else [ALL_IN, *due(until), OPENING, "", f"{address}: open ..."]


def answer_lines(
    campaign: Campaign,
    address: str,
    steps: Mapping[str, int],
    held: Container[str],
    until: str,
    *,
    is_short: bool = False,
) -> Iterator[str]:
    """Yield lines that explain how to answer, with examples for the faction's own forces, and a form.

    The examples are for a force that is not `held`. If all forces are held, the only example is to hold. With
    `is_short`, there is one example, and no line about seals.
    """
    examples = example_orders(campaign, [*steps], held, is_short=is_short)
    yield from due(until)
    yield HOW
    yield from (f"- {example}" for example in examples)
    for key in [*steps][:1]:
        number = min(SOLDIERS, soldiers_to_hire(campaign, campaign.forces[key].faction))
        yield from [HIRE.format(number)] if number else []
    yield from FORMS[3:]
    yield from [] if is_short else [SEAL.format(address, YOUR_LINES)]
    yield from ("", f"{address}:", *(f"{key}:" for key in steps))


def example_orders(
    campaign: Campaign, forces: Sequence[str], held: Container[str], *, is_short: bool = False
) -> list[str]:
    """Return examples of orders for those of these forces that are not `held`, or only to hold.

    With `is_short`, there is one example, which does not send a force to an enemy.
    """
    free = [key for key in forces if key not in held]
    here, place, is_hostile = example_march(campaign, free)
    if is_short:
        return [FORMS[0] if is_hostile or not place else FORMS[1].format(place=place)]
    examples = [form.format(place=place, here=here) for form in FORMS[: 3 if place else 1]]
    friends = [key for key in forces if free and key != free[0]]
    return [*examples, *(JOIN.format(other=key) for key in friends[:1])]


def example_march(campaign: Campaign, forces: Sequence[str]) -> tuple[str, str, bool]:
    """Return the place of a force, a place next to it, and whether an enemy owns that place or is there.

    A place of the faction comes first, then a place without enemies. The places are "" without a road.
    """
    marches = []
    for key in forces:
        here, faction = campaign.forces[key].location or "", campaign.forces[key].faction
        for place in campaign.roads.neighbours.get(here, {}):
            owner = campaign.locations[place].owner
            present = [each.faction for each in campaign.forces.values() if each.location == place]
            rivals = [*present, *([owner] if owner else [])]
            is_hostile = any(campaign.are_enemies(faction, rival) for rival in rivals)
            marches.append((is_hostile, owner != faction, here, place))
    is_hostile, _, here, place = min(marches, key=lambda march: march[:2], default=(False, False, "", ""))
    return here, place, is_hostile
