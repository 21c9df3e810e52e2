"""The movement phase, which carries out the orders. Hostile forces that meet get a pending battle."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from cardbattle.campaign.exchange.order_book import missing_factions, statuses
from cardbattle.campaign.ledger.ledger import CONTACT
from cardbattle.campaign.phases.more_sides import command_for_all, place_stays, rules_for, sides_with
from cardbattle.campaign.phases.movement.marcher import Marcher
from cardbattle.campaign.phases.movement.planning import (
    Plan,
    plan_movement,
    position_of,
    unfinished,
    weather_steps,
)
from cardbattle.campaign.phases.movement.walk import Meeting, Terms, Walk, merged
from cardbattle.campaign.phases.phase import Cause, Outcome, Situation
from cardbattle.campaign.state.changes import PENDING, Change, Key, pending, presence
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.march_orders import (
    APART,
    ARROW,
    CROWDED,
    ENGAGED,
    SLOWED,
    STANDS_BY,
    STOPPED,
    UNFIT,
    WITHDREW,
    note_of,
    parse_order,
)
from cardbattle.campaign.state.tables.movement import ROAD_AND_PLACE
from cardbattle.core.chance import Chance
from cardbattle.core.grammar import choose_form, mid_sentence, sentence_start, together, with_verb
from cardbattle.core.names import listed
from cardbattle.core.telling import counted
from cardbattle.rules import find, is_not_installed

MOST_NAMED = 5  # maximum number of forces named in a note
MOVEMENT = "movement"
LONGEST_ID = 40


def run_movement(situation: Situation) -> Outcome:
    """Return an entry for the outcome of all orders, and an entry with a pending battle for each contact.

    The phase waits for factions that have sealed their orders and not opened them.
    """
    campaign = situation.campaign
    waits = [*unopened(campaign)]
    if waits:
        return Outcome(waits=waits)
    plan = plan_movement(campaign)
    terms = terms_of(situation)
    contacts_of_turn = Walk(plan.marchers, terms).walk()
    note_slow_marches(campaign, plan.marchers)
    note_parted_forces(campaign, plan)
    meetings = merged([*without_engaged(campaign, plan, contacts_of_turn)])
    waiting = waiting_forces(campaign, plan, contacts_of_turn, meetings)
    idle = dict.fromkeys(waiting, ENGAGED) | {
        key: STANDS_BY for meeting in meetings for key in sides_of(campaign, plan, meeting, terms)[1]
    }
    changes = with_failures(campaign, situation.changed(values_after(campaign, plan)), plan, idle)
    changes = with_last_roads(changes, plan, {key for meeting in meetings for key in meeting.forces})
    unfit = [marcher for marcher in plan.marchers if marcher.failure in UNFIT]
    fit_marchers = [marcher for marcher in plan.marchers if marcher not in unfit]
    reasons = [reason for marcher in fit_marchers if (reason := account_of(campaign, marcher, plan, terms))]
    notes = [account_of(campaign, marcher, plan, terms) for marcher in unfit]
    return Outcome(
        [Cause(MOVEMENT, changes, reasons=reasons), *contacts(situation, plan, meetings, terms)],
        notes=[*notes, *waiting_notes(campaign, waiting), *without_orders(campaign, plan)],
    )


def note_slow_marches(campaign: Campaign, marchers: Iterable[Marcher]) -> None:
    """Note the weather as the reason why forces that marched did not arrive."""
    lost = -weather_steps(campaign)
    for marcher in marchers:
        has_moved = marcher.at != position_of(campaign.forces[marcher.key])
        if lost > 0 and has_moved and marcher.is_under_way and not marcher.failure:
            marcher.say(f"the weather takes {counted(lost, 'step')}")
            marcher.failure = SLOWED


def note_parted_forces(campaign: Campaign, plan: Plan) -> None:
    """Note which forces went on without the force of their faction that they joined.

    The other force has stopped or withdrawn to avoid battle.
    """
    by_key = {marcher.key: marcher for marcher in plan.marchers}
    for marcher in plan.marchers:
        order = plan.orders.get(marcher.key)
        joined = by_key.get(order.joined) if order else None
        has_parted = joined is not None and joined.at != marcher.at and joined.failure in (STOPPED, WITHDREW)
        if joined and has_parted and joined.faction == marcher.faction and not marcher.failure:
            name = mid_sentence(campaign.display_name(joined.key))
            stops = choose_form("stops|stop", name.is_plural)
            marcher.say(f"goes on without {name}, which {stops} to avoid battle")
            marcher.failure = APART


def without_engaged(campaign: Campaign, plan: Plan, meetings: Iterable[Meeting]) -> Iterator[Meeting]:
    """Yield the meetings without the forces that are in a pending battle (step 8).

    Forces that have then no enemy left are left out too, and so is a meeting without forces.
    """
    free = {marcher.key: marcher.faction for marcher in plan.marchers if not marcher.is_pinned}
    for meeting in meetings:
        hostile = campaign.hostile_among(free[key] for key in meeting.forces.intersection(free))
        forces = frozenset(key for key in meeting.forces if free.get(key) in hostile)
        if forces:
            yield meeting._replace(forces=forces, movers=meeting.movers & forces)


def waiting_forces(
    campaign: Campaign, plan: Plan, met: Iterable[Meeting], meetings: Iterable[Meeting]
) -> dict[str, Pending]:
    """Return the forces that met only enemies in a pending battle, each with the first such battle.

    `met` are all meetings, and `meetings` those that become battles.
    """
    fighting = frozenset().union(*(meeting.forces for meeting in meetings))
    engaged = {marcher.key for marcher in plan.marchers if marcher.is_pinned}
    waiting: dict[str, Pending] = {}
    for meeting in met:
        for key in sorted(meeting.forces - engaged - fighting):
            faction = campaign.forces[key].faction
            enemies = {
                each
                for each in meeting.forces
                if campaign.are_enemies(faction, campaign.forces[each].faction)
            }
            waiting[key] = next(
                battle
                for battle in campaign.pending
                if any(not enemies.isdisjoint(side) for side in battle.sides)
            )
    return waiting


def waiting_notes(campaign: Campaign, waiting: Mapping[str, Pending]) -> Iterator[str]:
    """Yield a note for each pending battle near which forces stand by, with the command that adds them."""
    for battle in campaign.pending:
        forces = [key for key, other in waiting.items() if other is battle]
        if forces:
            names = together(map(campaign.display_name, forces))
            stand = with_verb(names, "stands by|stand by")
            sides = sides_with(campaign, battle.sides, forces)
            key, enough = campaign.rules_key(battle), rules_for(len(sides))
            choice = "" if any(each.key == key for each in enough) or not enough else enough[0].key
            command = command_for_all(battle.id, sides, choice)
            how = f"; to let {names} fight in it too: {command}" if enough else ""
            yield f"{stand}: the enemies there fight in {battle.id}, which is pending{how}"


def with_failures(
    campaign: Campaign, changes: Iterable[Change], plan: Plan, idle: Mapping[str, str]
) -> list[Change]:
    """Return the changes. The change of a failed order says why, for the report of the force's faction.

    A march of an earlier turn has no order now, so the change of the march says why, even if the march goes
    on as before. The `idle` forces stand by while others fight, each for a reason.
    """
    failures = {
        marcher.key: marcher.failure_note
        for marcher in plan.marchers
        if marcher.failure != CROWDED or marcher.path  # it did not arrive later
    } | dict(idle)
    ordered = {key for key, text in campaign.orders.items() if parse_order(text).verb}
    notes: dict[Key, str] = {
        ("orders", key) if key in ordered else ("forces", key, "march"): note
        for key, note in failures.items()
        if note and (key in ordered or campaign.forces[key].march)
    }
    noted = [change._replace(text=notes.pop(change.key, change.text)) for change in changes]
    for key, note in notes.items():
        march = campaign.forces[key[1]].march
        noted.append(Change(key, march, march, note))
    return noted


def with_last_roads(changes: Sequence[Change], plan: Plan, fighting: Collection[str]) -> list[Change]:
    """Return the changes. If needed, one of each `fighting` force says by which road it came to its place.

    A force that came over a single road needs none, because its location before the change is the other end.
    """
    numbers = {change.key: number for number, change in enumerate(changes)}
    noted = list(changes)
    for marcher in plan.marchers:
        if marcher.key not in fighting or marcher.at.is_on_road or not marcher.came_from:
            continue
        keys: list[Key] = [*(("forces", marcher.key, word) for word in NOTED), ("orders", marcher.key)]
        number = next((numbers[key] for key in keys if key in numbers), None)
        if number is not None and not is_from(noted[number], marcher.came_from):
            text = note_of(noted[number].text, marcher.came_from)
            noted[number] = noted[number]._replace(text=text)
    return noted


def is_from(change: Change, place: str) -> bool:
    return change.key[-1] == "location" and change.before == place


NOTED = ("location", "towards", "march")  # a change of one of these values can say by which road a force came


def account_of(campaign: Campaign, marcher: Marcher, plan: Plan, terms: Terms) -> str:
    """Describe how a force carried out its order.

    The text is empty if the force did not move and had no contact. An example: `Harry Percy: march to Wem:
    Chester -> Ludlow; meets Edmund Stafford at Ludlow`.
    """
    order = plan.orders.get(marcher.key)
    at, start = marcher.at, position_of(campaign.forces[marcher.key])
    end = str(campaign.location_name(at.place))
    if at.is_on_road:
        to = campaign.location_name(at.towards)
        end = f"{counted(at.walked, 'step')} on the road from {end} to {to}"
    trail = map(campaign.location_name, marcher.trail)
    places = [*(["the road"] if start.is_on_road else []), *trail, end] if at != start else []
    facts = [*([ARROW.join(places)] if places else []), *marcher.story]
    named = [order.named(terms.place_name, terms.force_name)] if order else []
    return ": ".join([campaign.display_name(marcher.key), *named, "; ".join(facts)]) if facts else ""


def without_orders(campaign: Campaign, plan: Plan) -> Iterator[str]:
    """Yield a note for each faction that has forces without an order."""
    silent: dict[str, list[str]] = {}
    for marcher in plan.marchers:
        if marcher.key not in plan.orders and not marcher.is_pinned:
            silent.setdefault(marcher.faction, []).append(marcher.key)
    for faction in campaign.factions:
        forces = silent.get(faction, [])
        if forces:
            names = mid_sentence(listed(map(campaign.display_name, forces)))
            named = names if len(forces) <= MOST_NAMED else counted(len(forces), "force")
            is_several = len(forces) > 1 or campaign.display_name(forces[0]).is_plural
            holds = choose_form("it holds|they hold", is_several)
            yield f"{campaign.faction_name(faction)}: no order for {named}; {holds}"


def unopened(campaign: Campaign) -> Iterator[str]:
    """Yield a sentence with the umpire's next steps if factions have not yet opened their sealed orders."""
    table = statuses(campaign)
    closed = [status.faction for status in table if status.must_open]
    missing = [status.faction for status in table if not status.is_in]
    sealers = with_verb(together(map(campaign.faction_name, closed)), "has|have")
    if closed and missing:
        yield (
            f"{sealers} sealed orders, which can be opened when the orders of "
            f"{missing_factions(campaign, table)} are in; first take these with: cardbattle campaign orders "
            f"take FILE, or let the forces hold with: cardbattle campaign orders give {missing[0]} hold"
        )
    elif closed:
        yield (
            f"{sealers} sealed orders to open; print the message that asks for them with: cardbattle "
            "campaign orders ask, then take the answer with: cardbattle campaign orders take FILE; or go on "
            f"without them: cardbattle campaign substitute {closed[0]}"
        )


def terms_of(situation: Situation) -> Terms:
    """Return the rules of movement.

    They include a random order of forces and places, which decides ties in this turn.
    """
    campaign = situation.campaign
    assert campaign.movement is not None
    chance = situation.chance(MOVEMENT)
    return Terms(
        campaign.roads,
        campaign.movement.contact == ROAD_AND_PLACE,
        campaign.movement.stacking or 0,
        ranks(chance, campaign.forces),
        ranks(chance, campaign.locations),
        campaign.are_enemies,
        lambda key: mid_sentence(campaign.display_name(key)),
        lambda key: mid_sentence(campaign.location_name(key)),
    )


def ranks(chance: Chance, keys: Iterable[str]) -> dict[str, int]:
    """Return a dict from keys to their positions in a random order.

    The random order does not depend on the order of `keys`.
    """
    names = sorted(keys)
    order = list(range(len(names)))
    chance.shuffle(order)
    return dict(zip(names, order, strict=True))


def values_after(campaign: Campaign, plan: Plan) -> dict[Key, object]:
    """Return the positions and the unfinished orders after the movement. All new orders are removed.

    The orders to hire are carried out in the upkeep of this turn.
    """
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
        values[*force, "march"] = unfinished(marcher, order, joined, campaign.roads) if order else None
    values |= {("orders", key): None for key in campaign.orders}
    hiring = {key: parse_order(text).hires for key, text in campaign.orders.items() if campaign.recruit}
    values |= {("forces", key, "hires"): count for key, count in hiring.items() if count and key in by_key}
    for faction, sealed in campaign.sealed_orders.items():
        values |= {("sealed_orders", faction, word): None for word in sealed.model_dump(exclude_none=True)}
        values[presence(("sealed_orders", faction))] = None
    return values | {presence(("sealed_orders",)): None}


def contacts(situation: Situation, plan: Plan, meetings: Sequence[Meeting], terms: Terms) -> Iterator[Cause]:
    """Yield a pending battle for each contact (steps 9 and 10).

    The contacts are sorted by the force that comes first in the random order.
    """
    campaign = situation.campaign
    place = len(pending(campaign.data))
    ids_in_use = {battle.id for battle in campaign.pending}
    first = {meeting: min(terms.ranks[key] for key in meeting.forces) for meeting in meetings}
    for meeting in sorted(meetings, key=lambda meeting: first[meeting]):
        sides, others = sides_of(campaign, plan, meeting, terms)
        battle = free_id(
            id_of(campaign, meeting), lambda name: name in ids_in_use or bool(situation.ledger.find(name))
        )
        ids_in_use.add(battle)
        table = battle_table(campaign, meeting, sides, battle)
        reasons = []
        for part in meeting.parts or (meeting,):
            names = sentence_start(listed(map(campaign.display_name, sorted(part.forces))))
            reasons.append(f"{names} meet {terms.where(part)}")
        remarks = []
        if others:
            stand = with_verb(together(map(campaign.display_name, others)), "stands|stand")
            why = f"a battle has at most {len(sides)} sides, and the strongest fight"
            stays = place_stays(campaign, others, meeting.place) if meeting.road is None else ""
            remarks.append(f"{stand} by: {why}{f'; {stays}' if stays else ''}")
        changes = [Change((PENDING, battle), None, table, place=place)]
        yield Cause(CONTACT, changes, battle, reasons=reasons, remarks=remarks)
        place += 1


def sides_of(
    campaign: Campaign, plan: Plan, meeting: Meeting, terms: Terms
) -> tuple[list[list[str]], list[str]]:
    """Return a pair: the sides of a contact, and the forces that cannot take part in the battle (step 9).

    The forces of a faction are one side, with the strongest force first. The others are in the random order,
    because players read the order, but need not know the strengths. Factions that are at peace are one side
    too. Sides that moved come before sides that did not move. If the rule set allows fewer sides, the
    strongest sides fight, without the forces that are at peace with all others in the battle.
    """
    strongest = sorted(meeting.forces, key=lambda key: (-campaign.forces[key].strength, terms.ranks[key]))
    sides = sides_among(campaign, strongest)
    sides.sort(key=lambda side: (-sum(campaign.forces[key].strength for key in side), terms.ranks[side[0]]))
    strongest_sides = sides[: most_sides(campaign)]
    hostile = campaign.hostile_among(campaign.forces[key].faction for key in chain(*strongest_sides))
    fighting = [[key for key in side if campaign.forces[key].faction in hostile] for side in strongest_sides]
    fighting.sort(key=lambda side: (has_stood(side, meeting), terms.ranks[side[0]]))
    fighting_forces = {*chain(*fighting)}
    in_order = [[first, *sorted(others, key=terms.ranks.__getitem__)] for first, *others in fighting]
    return in_order, [key for key in chain(*sides) if key not in fighting_forces]


def sides_among(campaign: Campaign, forces: Iterable[str]) -> list[list[str]]:
    """Return the sides of a battle between these forces, in the given order.

    A force joins the first side without an enemy. So the forces of a faction are always on one side.
    """
    sides: list[list[str]] = []
    for key in forces:
        own_faction = campaign.forces[key].faction
        for side in sides:
            if not any(campaign.are_enemies(own_faction, campaign.forces[other].faction) for other in side):
                side.append(key)
                break
        else:
            sides.append([key])
    return sides


def has_stood(side: Sequence[str], meeting: Meeting) -> bool:
    """Return True if a force of the side was at the place of the battle before the other sides came."""
    return bool(meeting.standing.intersection(side))


def most_sides(campaign: Campaign) -> int:
    """Return the rule set's maximum number of sides, or 2 if it is not installed."""
    assert campaign.rules is not None
    return 2 if is_not_installed(campaign.rules) else find(campaign.rules).most


def battle_table(
    campaign: Campaign, meeting: Meeting, sides: Sequence[Sequence[str]], battle: str
) -> dict[str, object]:
    """Return the pending battle of a contact in the form of the campaign file (step 10)."""
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


def id_of(campaign: Campaign, meeting: Meeting) -> str:
    """Return the id of the battle of a contact, as long as it is unused.

    The id is made from turn and place, such as `t4-shrewsbury`, or `t4-shrewsbury-wem` on a road.
    """
    return "-".join([f"t{campaign.turn}", *([meeting.place] if meeting.road is None else meeting.road)])


def free_id(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return an unused id for a battle, which is `name` if possible.

    >>> free_id("t4-wem", {"t4-wem", "t4-wem-2"}.__contains__)
    't4-wem-3'
    """
    candidate, number = name[:LONGEST_ID].rstrip("-_"), 1
    while is_taken(candidate):
        number += 1
        candidate = f"{name[: LONGEST_ID - 1 - len(str(number))].rstrip('-_')}-{number}"
    return candidate
