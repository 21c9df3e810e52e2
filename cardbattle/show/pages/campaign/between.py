"""The part of a campaign's page about the time between battles.

It shows the weather, plans, experience, money and supply.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from cardbattle.campaign.exchange.order_book import has_substitute, statuses
from cardbattle.campaign.phases.events import SCHEDULE
from cardbattle.campaign.phases.finished_phases import entries_of_turn, has_moved, names_of_finished_phases
from cardbattle.campaign.phases.upkeep import SUPPLY, Network
from cardbattle.campaign.state.clock import zoned_time
from cardbattle.campaign.turn.deadline import deadline, turn_began
from cardbattle.core.grammar import Noun, capital, mid_sentence, together, with_verb
from cardbattle.core.names import clean, listed
from cardbattle.core.telling import counted
from cardbattle.show.document import Item, Items, Section
from cardbattle.show.pages.campaign.history import order_words

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Content


NAMED_SUPPLY = "the supply of *"  # before the names are known


def between_blocks(visible: VisibleCampaign) -> list[Content]:
    """Return what the reader knows about the turn apart from forces and places. The list can be empty."""
    lines = [clean(line) for line in between_lines(visible)]
    if not lines:
        return []
    return [Section("This turn", []), Items([Item("", line) for line in lines], facts=lines)]


def between_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield sentences about the weather, money, peace, titles, forces that are out of supply, and plans."""
    yield from weather_lines(visible)
    yield from peace_lines(visible)
    for key, force in visible.campaign.forces.items():
        if force.experience and not force.destroyed:
            title = f", {force.title}" if force.title else ""
            name = mid_sentence(visible.campaign.display_name(key))
            yield f"experience of {name}: {force.experience}{title}"
    yield from order_lines(visible)


def weather_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield sentences about the weather and money."""
    campaign = visible.campaign
    if campaign.weather is not None and campaign.weather.now:
        yield f"weather: {campaign.weather.now}"
    for key, faction in campaign.factions.items():
        if faction.purse:
            yield f"purse of {mid_sentence(campaign.faction_name(key))}: {faction.purse}"
    if campaign.recruit is not None and not campaign.is_over:
        yield f"a soldier costs {campaign.recruit.cost}"
    for key, force in campaign.forces.items():
        if force.hires:
            name = with_verb(mid_sentence(campaign.display_name(key)), "hires|hire")
            yield f"{name} {counted(force.hires, 'soldier')} at the end of the turn"


def peace_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield a sentence for each two factions that are at peace, as far as the reader knows."""
    campaign = visible.campaign
    for one, other in combinations(campaign.factions, 2):
        if not campaign.are_enemies(one, other):
            yield f"{listed(mid_sentence(campaign.faction_name(key)) for key in (one, other))} are at peace"


def order_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield sentences about supply, the reader's substitute, orders and plans."""
    yield from supply_lines(visible)
    yield from substitute_lines(visible)
    yield from movement_lines(visible)
    yield from plan_lines(visible)


def substitute_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield a sentence about the commander that plays for the reader's faction, if it has one."""
    campaign, key = visible.campaign, visible.reader or ""
    if has_substitute(campaign, key):
        last = campaign.substitutes[key].turn
        until = "" if last is None else f" until the end of turn {last}"
        yield f"{substitute_words(campaign, key, 'plays')}{until}"


def substitute_words(campaign: Campaign, faction: str, plays: str) -> str:
    rank = campaign.substitutes[faction].commander.partition(":")[0]
    return f"a substitute ({rank}) {plays} for {mid_sentence(campaign.faction_name(faction))}"


def substitute_of_past_turn(then: VisibleCampaign, today: VisibleCampaign) -> Iterator[str]:
    """Yield a sentence about the reader's substitute in a past turn, which ended with the campaign `then`."""
    campaign, key = then.campaign, today.reader or ""
    if campaign.turn != today.campaign.turn and has_substitute(campaign, key):
        yield f"{capital(substitute_words(campaign, key, 'played'))}."


def movement_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield sentences about movement.

    The umpire reads which factions have sent their orders. A faction reads which of its forces are marching,
    and until when it can send orders.
    """
    campaign = visible.campaign
    if campaign.movement is None:
        return
    if visible.is_whole and has_moved(visible.ledger):
        yield "orders: the forces have moved; orders that arrive now count for the next turn"
        return
    if visible.is_whole:
        table = statuses(campaign)
        sent, missing = (
            listed(str(campaign.faction_name(status.faction)) for status in table if status.is_in is is_in)
            for is_in in (True, False)
        )
        if not missing:
            yield "orders: all are in"
        else:
            yield f"orders: missing from {missing}" + (f"; in from {sent}" if sent else "")
        return
    for key, force in campaign.forces.items():
        if force.march and not force.destroyed:
            name = with_verb(mid_sentence(campaign.display_name(key)), "goes|go")
            yield f"without a new order, {name} on: {order_words(campaign, force.march)}"
    yield from request_lines(visible)


def request_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield a sentence that asks a faction for its missing orders, or says when orders are due."""
    campaign, turn = visible.campaign, visible.campaign.turn
    if has_moved(visible.ledger):
        return
    length = campaign.deadlines.orders if campaign.deadlines else None
    until = zoned_time(deadline(turn_began(campaign, visible.ledger), length))
    if any(status.faction == visible.reader and not status.is_in for status in statuses(campaign)):
        yield f"send your orders for turn {turn} to the umpire{f', by {until}' if until else ''}"
    elif visible.reader is None and until:
        yield f"orders for turn {turn} are due by {until}"


def supply_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield sentences about the forces that are out of supply, if their places are known."""
    hungry = [mid_sentence(visible.campaign.display_name(key)) for key in forces_out_of_supply(visible)]
    if hungry:
        yield with_verb(together(hungry), "is out of supply|are out of supply")


def forces_out_of_supply(visible: VisibleCampaign) -> list[str]:
    """Return the keys of the forces that are out of supply, as far as the reader knows the map.

    If the positions of other forces are not public, the reader knows only the supply of its own forces.
    """
    campaign = visible.campaign
    if campaign.supply is None:
        return []
    network = Network(campaign)
    return [
        key
        for key, force in campaign.forces.items()
        if not force.destroyed
        and (visible.is_whole or visible.clearance.knows(key, "location"))
        and not network.is_supplied(force)
    ]


def cut_off_sentences(visible: VisibleCampaign, entry: Entry) -> Iterator[str]:
    """Yield why forces lost strength without supplies, to their faction and the umpire.

    `visible` is the campaign at the end of the turn of the entry. It can hide the enemy that is in the way.
    """
    campaign, network = visible.campaign, Network(visible.campaign)
    hungry: dict[str, list[Noun]] = {}
    for change in entry.changes if entry.kind == SUPPLY else ():
        key = change.key[1]
        is_known = visible.is_whole or visible.clearance.is_own(key)
        if change.key[2:] == ("strength",) and key in campaign.forces and is_known:
            why = network.lack(campaign.forces[key], NAMED_SUPPLY)
            hungry.setdefault(why, []).append(mid_sentence(campaign.display_name(key)))
    for why, names in hungry.items():
        if why:
            yield f"{capital(why.replace(NAMED_SUPPLY, f'the supply of {together(names)}'))}."


def plan_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield sentences about the plans that are not yet carried out, as far as the reader knows."""
    campaign = visible.campaign
    first = campaign.turn + (SCHEDULE in names_of_finished_phases(entries_of_turn(visible.ledger)))
    for item in campaign.schedule:
        day = item.date
        turn = item.turn
        if turn is None and day is not None and campaign.calendar is not None:
            turn = (day - campaign.calendar.first_day).days // campaign.calendar.days + 1
        if item.text and turn is not None and turn >= first:
            yield f"planned for turn {turn}: {item.text}"
