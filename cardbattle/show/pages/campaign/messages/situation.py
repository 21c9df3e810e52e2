"""What a player must know before giving orders: forces, places, roads, weather, news and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.exchange.orders.parser import OrderParser
from cardbattle.campaign.exchange.orders.words import PRISONERS_BY_AGREEMENT, PRISONERS_EXCHANGED
from cardbattle.campaign.phases.standoffs import standoffs
from cardbattle.campaign.state.changes import is_stay
from cardbattle.campaign.state.tables.battle_effects import battle_title
from cardbattle.campaign.state.tables.upkeep import OWN
from cardbattle.campaign.visibility.reader import ROUGH
from cardbattle.commanders import DEFAULT, HUMAN
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import listed
from cardbattle.core.telling import counted
from cardbattle.show.pages.campaign.between import forces_out_of_supply
from cardbattle.show.pages.campaign.forces import position_text, strength_with_units
from cardbattle.show.pages.campaign.history import order_words
from cardbattle.show.pages.campaign.messages.battles import opponents
from cardbattle.show.pages.campaign.messages.economy import limit_lines
from cardbattle.show.pages.campaign.messages.news import event_lines, lines_about_plans, note_lines
from cardbattle.show.pages.campaign.messages.roads import (
    is_place_near,
    named,
    owner_words,
    reach_lines,
    road_lines,
)
from cardbattle.show.pages.campaign.reports.setting_words import rules_of_war

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from cardbattle.campaign.state.model import Campaign, Force
    from cardbattle.campaign.state.tables.events import Weather, WeatherKind
    from cardbattle.campaign.visibility.reader import Estimate, VisibleCampaign

MOST_PLACES = 30  # maximum number of places in a message; on a larger map only near ones
STAYED = "beaten in the last turn without a way to retreat"
STANDOFF = "Your forces and others are at {} without a battle. They fight only if the umpire adds one."
IN_SIGHT = "in your places, where your forces are, and one road from there"
PLACES, PLACES_NEAR = "Places, with their values:", "Places near your forces, with their values:"
PEACE = "You are at peace with {}: your forces do not fight each other."
RULES_OF_WAR = "Rules of this war: {}."
PRISONERS = "Your prisoners: {}."
CAPTURED = "Your captured leaders: {}."


def situation_lines(
    visible: VisibleCampaign,
    faction: str,
    steps: Mapping[str, int],
    held: Mapping[str, str],
    *,
    whole_map: bool = False,
    is_short: bool = False,
) -> Iterator[str]:
    """Yield lines about the faction's forces, other forces that it can see, pending battles, and roads.

    `held` has the reasons why forces of the faction can only hold. `whole_map` is that of `request_to`. With
    `is_short`, the places that the forces can reach replace the roads.
    """
    campaign = visible.campaign
    parser = OrderParser(campaign)
    yield from note_lines(visible)
    yield "Your forces:"
    for key, force in campaign.forces.items():
        if force.faction == faction and not force.destroyed:
            name = named(campaign, "forces", key, is_plain=parser.is_plain_force(key))
            yield f"- {name}: {force_words(visible, key, steps, held)}"
    rivals = [
        key
        for key, force in campaign.forces.items()
        if force.faction != faction and force.location and not force.destroyed
    ]
    if rivals or campaign.visibility.location == ROUGH:
        sight = f" {IN_SIGHT}" if campaign.visibility.location == ROUGH else ""
        yield from ("", f"Others that you see{sight}:" if rivals else f"You see no others{sight}.")
        for key in rivals:
            whose = campaign.faction_name(campaign.forces[key].faction)
            yield f"- {campaign.display_name(key)} ({whose}): {force_words(visible, key, {}, {})}"
    for standoff in standoffs(campaign):
        if any(campaign.forces[key].faction == faction for side in standoff.sides for key in side):
            yield STANDOFF.format(mid_sentence(campaign.location_name(standoff.place)))
    if campaign.pending:
        yield from ("", "Pending battles:")
        for battle in campaign.pending:
            title = battle_title(campaign, battle).removeprefix("the ")
            yield f"- {title}: {opponents(campaign, battle)}"
    yield from prisoner_lines(campaign, faction, steps)
    yield from event_lines(visible)
    yield from lines_about_plans(visible)
    if friends := campaign.friends_of(faction):
        yield from ("", PEACE.format(mid_sentence(listed(map(campaign.faction_name, friends)))))
    if campaign.weather is not None:
        yield from ("", f"Weather: {weather_words(campaign, campaign.weather)}")
    yield from owner_lines(campaign, faction, steps, whole_map=whole_map)
    yield from limit_lines(campaign, faction)
    if not is_short and (rules := rules_of_war(campaign)):
        yield from ("", RULES_OF_WAR.format("; ".join(rules)))
    yield ""
    if is_short:
        yield from reach_lines(campaign, parser, steps, held)
    else:
        yield from road_lines(campaign, parser, steps, whole_map=whole_map)


def prisoner_lines(campaign: Campaign, faction: str, steps: Mapping[str, int]) -> Iterator[str]:
    """Yield lines about the leaders whom a faction holds prisoner, and what it can do with them.

    Its own captured leaders have a line if their forces are destroyed, or cannot move for another reason. The
    forces in `steps` have a line of their own that says so.
    """
    prisoners, captured = [], []
    for key, force in campaign.forces.items():
        is_own = force.faction == faction and key not in steps
        if force.prisoner_of == faction:
            prisoners.append(captive_words(campaign, key, mid_sentence(campaign.faction_name(force.faction))))
        elif force.prisoner_of is not None and is_own:
            captured.append(captive_words(campaign, key, owner_words(campaign, faction, force.prisoner_of)))
    if prisoners or captured:
        is_exchanged = campaign.aftermath is not None and campaign.aftermath.exchange
        how = PRISONERS_EXCHANGED if is_exchanged else PRISONERS_BY_AGREEMENT
        yield ""
        yield from [PRISONERS.format(listed(prisoners))] if prisoners else []
        yield from [CAPTURED.format(listed(captured))] if captured else []
        yield f"{how}."


def captive_words(campaign: Campaign, key: str, remark: str) -> str:
    """Return the name of a captured leader, and in brackets the force and a remark."""
    leader, led = map(mid_sentence, (campaign.forces[key].leader or "", campaign.display_name(key)))
    return f"{leader} (the leader of {led}, {remark})" if leader else f"the leader of {led} ({remark})"


def owner_lines(
    campaign: Campaign, faction: str, steps: Mapping[str, int], *, whole_map: bool
) -> Iterator[str]:
    """Yield a line for each owner of places near the forces, or of all places if there are few.

    With `whole_map`, all places are shown. A campaign in which no place has an owner has no such lines.
    """
    near = [key for key in campaign.locations if is_place_near(campaign, key, steps)]
    few = whole_map or len(campaign.locations) <= MOST_PLACES
    shown = [*campaign.locations] if few else near[:MOST_PLACES]
    by_owner: dict[str, list[str]] = {}
    for key in shown:
        by_owner.setdefault(campaign.locations[key].owner or "", []).append(place_facts(campaign, key))
    if not any(by_owner):
        return
    heading = PLACES if few else PLACES_NEAR
    has_values = any(campaign.locations[key].value for key in shown)
    yield from ("", heading if has_values else heading.replace("values", "owners"))
    for owner in (faction, *(key for key in campaign.factions if key != faction), ""):
        if owner in by_owner:
            yield f"- {owner_words(campaign, faction, owner)}: {', '.join(by_owner[owner])}"


def place_facts(campaign: Campaign, key: str) -> str:
    """Return the name of a place, with its value and whether it gives supply."""
    place = campaign.locations[key]
    is_for_hiring = campaign.recruit is not None and campaign.recruit.places != OWN
    gives_supply = place.supply and (campaign.supply is not None or is_for_hiring)
    value = f" {place.value}" if place.value else ""
    return f"{campaign.location_name(key)}{value}{' (supply)' if gives_supply else ''}"


def weather_words(campaign: Campaign, weather: Weather) -> str:
    """Describe the weather of this turn and its effects. Before the draw, name each kind with an effect."""
    kinds = [kind for kind in weather.table if weather.now in (None, kind.name)]
    possible = [
        f"{kind.name} ({', '.join(facts)})" for kind in kinds if (facts := weather_facts(campaign, kind))
    ]
    if weather.now:
        return possible[0] if possible else weather.now
    kinds_to_come = f"; it can be {listed(possible, 'or')}" if possible else ""
    return f"drawn when the turn runs{kinds_to_come}"


def weather_facts(campaign: Campaign, kind: WeatherKind) -> list[str]:
    """Return what a kind of weather changes in this campaign."""
    steps = f"{kind.movement:+} {'step' if abs(kind.movement) == 1 else 'steps'}"
    rate = None if campaign.recovery is None else kind.recovery
    return [
        *([steps] if kind.movement else []),
        *([] if rate is None else [f"recovery {rate}" if rate else "no recovery"]),
        *(["changes battles"] if kind.battle else []),
    ]


def force_words(visible: VisibleCampaign, key: str, steps: Mapping[str, int], held: Mapping[str, str]) -> str:
    """Describe what is known of a force: its strength, position, steps in this turn, and order."""
    campaign = visible.campaign
    force = campaign.forces[key]
    strength = visible.strengths[key]
    facts = [f"strength {strength_in_list(strength, force)}"] if strength is not None else []
    facts += [f"at {position_text(campaign, force)}" if force.location else "not on the map"]
    facts += [counted(steps[key], "step")] if key in steps else []
    facts += ["out of supply"] if key in steps and key in forces_out_of_supply(visible) else []
    facts += [STAYED] if key in steps and key in forces_that_stayed(visible) else []
    rank = own_rank(visible, key, steps)
    if key in steps and leads(force):
        facts.append(f"led by {mid_sentence(force.leader or '')}{f' ({rank})' if rank else ''}")
    elif rank:
        facts.append(f"commander {rank}")
    if key in steps and force.leader and force.prisoner_of:
        captor = mid_sentence(campaign.faction_name(force.prisoner_of))
        facts.append(f"its leader {mid_sentence(force.leader)} is a prisoner of {captor}")
    if key in held:
        return ", ".join([*facts, held[key]])
    order, march = campaign.orders.get(key), force.march
    if order or march:
        facts.append(f"{'order' if order else 'goes on'}: {order_words(campaign, order or march)}")
    return ", ".join(facts)


def own_rank(visible: VisibleCampaign, key: str, steps: Collection[str]) -> str:
    """Return the rank of the commander of a force in `steps`, or "" if these forces all have regular ones."""
    ranks = {visible.commanders[force] for force in steps}
    rank = visible.commanders[key] if key in steps and ranks != {DEFAULT} else ""
    return "" if rank == HUMAN else rank


def strength_in_list(strength: Estimate, force: Force) -> str:
    """Return a strength, with its units, for use behind the word `strength`."""
    text = strength_with_units(str(strength), force)
    return f"of {text}" if strength.is_few else text


def forces_that_stayed(visible: VisibleCampaign) -> set[str]:
    """Return the beaten forces that stayed in the last turn because they could not retreat."""
    undone = visible.ledger.undone_revisions
    return {
        change.key[1]
        for entry in visible.entries_since(turn=visible.campaign.turn - 1)
        if entry.revision not in undone
        for change in entry.changes
        if is_stay(change)
    }


def leads(force: Force) -> bool:
    """Return True if the leader of a force is present."""
    return bool(force.leader) and not force.fallen and force.prisoner_of is None
