"""The movement phase: orders are carried out, and hostile forces that meet get a pending battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from cardbattle.campaign.phases.movement.marcher import Marcher, Position
from cardbattle.campaign.phases.movement.planning import Plan, plan_movement, position_of, unfinished
from cardbattle.campaign.phases.movement.walk import Meeting, Terms, Walk, merged
from cardbattle.campaign.phases.phase import Cause, Outcome, Situation
from cardbattle.campaign.state.changes import PENDING, Change, Key, pending, presence
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.march_orders import ARROW
from cardbattle.campaign.state.tables.movement import ROAD_AND_PLACE
from cardbattle.core.chance import Chance
from cardbattle.core.names import listed
from cardbattle.core.telling import counted
from cardbattle.rules import find, is_not_installed

MOST_NAMED = 5  # maximum number of forces named in a note
MOVEMENT, CONTACT = "movement", "contact"
LONGEST_ID = 40


def run_movement(situation: Situation) -> Outcome:
    """Return the outcome of all orders, and a battle for each contact, each as its own entry.

    The phase waits for factions that have sealed their orders and not opened them.
    """
    campaign = situation.campaign
    waits = [*unopened(campaign)]
    if waits:
        return Outcome(waits=waits)
    plan = plan_movement(campaign)
    terms = terms_of(situation)
    meetings = merged(Walk(plan.marchers, terms).walk())
    changes = situation.changed(values_after(campaign, plan))
    reasons = [
        reason
        for marcher in plan.marchers
        if (reason := account_of(marcher, plan, position_of(campaign.forces[marcher.key])))
    ]
    causes = [Cause(MOVEMENT, changes, reasons=reasons)] if changes else []
    return Outcome(
        [*causes, *contacts(situation, plan, meetings, terms)], notes=list(without_orders(campaign, plan))
    )


def account_of(marcher: Marcher, plan: Plan, start: Position) -> str:
    """Describe how a force has carried out its order; empty if it did not move and had no contact.

    An example: `percy: march to wem: chester -> ludlow; meets stafford in ludlow`.
    """
    order = plan.orders.get(marcher.key)
    at = marcher.at
    on_road = f"{counted(at.walked, 'step')} on the road from {at.place} to {at.towards}"
    end = on_road if at.is_on_road else at.place
    has_moved = at != start
    places = [*(["the road"] if start.is_on_road else []), *marcher.trail, end] if has_moved else []
    facts = [*([ARROW.join(places)] if places else []), *marcher.story]
    return ": ".join([marcher.key, *([str(order)] if order else []), "; ".join(facts)]) if facts else ""


def without_orders(campaign: Campaign, plan: Plan) -> Iterator[str]:
    """Yield a note for each faction that has forces without an order."""
    silent: dict[str, list[str]] = {}
    for marcher in plan.marchers:
        if marcher.key not in plan.orders and not marcher.is_pinned:
            silent.setdefault(marcher.faction, []).append(marcher.key)
    for faction in campaign.factions:
        forces = silent.get(faction, [])
        if forces:
            named = listed(forces) if len(forces) <= MOST_NAMED else counted(len(forces), "force")
            holds = "it holds" if len(forces) == 1 else "they hold"
            yield f"{campaign.faction_name(faction)}: no order for {named}; {holds}"


def unopened(campaign: Campaign) -> Iterator[str]:
    """Yield the factions that must first open their sealed orders."""
    for faction, sealed in campaign.sealed_orders.items():
        if sealed.salt is None and sealed.is_for(campaign.turn):
            yield (
                f"{campaign.faction_name(faction)} must open the orders that it has sealed: "
                f"cardbattle campaign orders ask --for {faction}"
            )


def terms_of(situation: Situation) -> Terms:
    """Return the rules of movement, with random ranks of forces and places for ties in this turn."""
    campaign = situation.campaign
    assert campaign.movement is not None
    chance = situation.chance(MOVEMENT)
    return Terms(
        campaign.roads,
        campaign.movement.contact == ROAD_AND_PLACE,
        campaign.movement.stacking or 0,
        ranks(chance, campaign.forces),
        ranks(chance, campaign.locations),
    )


def ranks(chance: Chance, keys: Iterable[str]) -> dict[str, int]:
    """Return the rank of each key in a random order, which does not depend on the order of the keys."""
    names = sorted(keys)
    order = list(range(len(names)))
    chance.shuffle(order)
    return dict(zip(names, order, strict=True))


def values_after(campaign: Campaign, plan: Plan) -> dict[Key, object]:
    """Return the positions after the movement and the unfinished orders; all new orders are used up."""
    by_key = {marcher.key: marcher for marcher in plan.marchers}
    values: dict[Key, object] = {}
    for marcher in plan.marchers:
        force: Key = ("forces", marcher.key)
        at = marcher.at
        values[*force, "location"] = at.place
        values[*force, "towards"] = at.towards or None
        values[*force, "walked"] = at.walked or None
        order = plan.orders.get(marcher.key)
        joined = by_key.get(order.joined) if order else None
        values[*force, "march"] = unfinished(marcher, order, joined) if order else None
    values |= {("orders", key): None for key in campaign.orders}
    for faction, sealed in campaign.sealed_orders.items():
        values |= {("sealed_orders", faction, word): None for word in sealed.model_dump(exclude_none=True)}
        values[presence(("sealed_orders", faction))] = None
    return values | {presence(("sealed_orders",)): None}


def contacts(situation: Situation, plan: Plan, meetings: Sequence[Meeting], terms: Terms) -> Iterator[Cause]:
    """Yield a pending battle for each contact (9 and 10), by rank of its first force."""
    campaign = situation.campaign
    place = len(pending(campaign.data))
    taken = {battle.id for battle in campaign.pending}
    first = {meeting: min(terms.ranks[key] for key in meeting.forces) for meeting in meetings}
    for meeting in sorted(meetings, key=lambda meeting: first[meeting]):
        sides, others = sides_of(campaign, plan, meeting, terms)
        battle = free_id(campaign, meeting, lambda name: name in taken or bool(situation.ledger.find(name)))
        taken.add(battle)
        table = battle_table(campaign, meeting, sides, battle)
        reasons = [f"{listed(sorted(meeting.forces))} meet {where_met(meeting)}"]
        if others:
            reasons.append(f"{listed(others)} stand by: a battle has {len(sides)} sides at most")
        yield Cause(CONTACT, [Change((PENDING, battle), None, table, place=place)], battle, reasons=reasons)
        place += 1


def where_met(meeting: Meeting) -> str:
    """Describe the place of a meeting, with keys."""
    return f"in {meeting.place}" if meeting.road is None else f"on the road {' - '.join(meeting.road)}"


def sides_of(
    campaign: Campaign, plan: Plan, meeting: Meeting, terms: Terms
) -> tuple[list[list[str]], list[str]]:
    """Return the sides of a contact, and the forces that cannot take part in the battle (9).

    The forces of a faction are one side, the strongest first. Sides that moved come before sides that did
    not. If the rule set allows fewer sides, the strongest fight.
    """
    by_faction: dict[str, list[str]] = {}
    for key in sorted(meeting.forces, key=lambda key: (-campaign.forces[key].strength, terms.ranks[key])):
        by_faction.setdefault(campaign.forces[key].faction, []).append(key)
    sides = list(by_faction.values())
    sides.sort(key=lambda side: (-sum(campaign.forces[key].strength for key in side), terms.ranks[side[0]]))
    fighting, others = sides[: most_sides(campaign)], sides[most_sides(campaign) :]
    fighting.sort(key=lambda side: (has_stood(side, meeting), terms.ranks[side[0]]))
    return fighting, [key for side in others for key in side]


def has_stood(side: Sequence[str], meeting: Meeting) -> bool:
    """Say whether a force of a side was there before the others came."""
    return not {*side} <= meeting.movers


def most_sides(campaign: Campaign) -> int:
    """Return the maximum number of sides in the campaign's rule set; two if it is not installed."""
    assert campaign.rules is not None
    return 2 if is_not_installed(campaign.rules) else find(campaign.rules).most


def battle_table(
    campaign: Campaign, meeting: Meeting, sides: Sequence[Sequence[str]], battle: str
) -> dict[str, object]:
    """Return the pending battle of a contact, in the form of the file (10)."""
    table: dict[str, object] = {
        "id": battle,
        "sides": [side[0] if len(side) == 1 else list(side) for side in sides],
    }
    if meeting.road is not None:
        table["road"] = list(meeting.road)
    else:
        table |= {"stakes": meeting.place, "place": meeting.place}
        terrain = campaign.locations[meeting.place].terrain
        table |= {"terrain": terrain} if terrain else {}
    weather = campaign.weather.kind(None) if campaign.weather else None
    table |= {"weather": weather.name} if weather else {}
    standing = [side[0] for side in sides if has_stood(side, meeting)]
    return table | ({"defender": standing[0]} if len(standing) == 1 else {})


def free_id(campaign: Campaign, meeting: Meeting, is_taken: Callable[[str], bool]) -> str:
    """Return an unused id for a contact's battle, such as t4-shrewsbury, or t4-shrewsbury-wem on a road."""
    name = "-".join([f"t{campaign.turn}", *([meeting.place] if meeting.road is None else meeting.road)])
    candidate, number = name[:LONGEST_ID].rstrip("-_"), 1
    while is_taken(candidate):
        number += 1
        candidate = f"{name[: LONGEST_ID - 1 - len(str(number))].rstrip('-_')}-{number}"
    return candidate
