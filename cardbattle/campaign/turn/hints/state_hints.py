"""Find values of forces, events and battles that contradict each other, or that have no effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from cardbattle.campaign.ledger.roster import reporters
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.conditions import Condition, Term, parse_condition, refers_to
from cardbattle.campaign.state.tables.deadlines import BOTH, FORFEIT, STANDING
from cardbattle.campaign.state.tables.event_checks import additions
from cardbattle.campaign.state.tables.events import RandomEvent, Scheduled
from cardbattle.campaign.turn.hints.peace_hints import peace_hints
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import listed, nearest, quoted

LENGTHS = ("orders", "answer", "result", "confirm")


def state_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield a hint for each value that contradicts another or has no effect. Each hint names the remedy."""
    yield from force_hints(campaign)
    yield from name_hints(campaign)
    yield from movement_hints(campaign)
    yield from weather_hints(campaign)
    yield from event_hints(campaign)
    yield from deadline_hints(campaign)
    yield from battle_hints(campaign)
    yield from peace_hints(campaign)


def force_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield hints about the leader of each force."""
    for key, force in campaign.forces.items():
        at = ("forces", key)
        if force.prisoner_of == force.faction:
            text = "a leader cannot be a prisoner of the own faction; name another, or remove prisoner_of"
            yield Diagnostic(text, at=(*at, "prisoner_of"))
        elif force.prisoner_of is not None and force.fallen:
            text = "the leader has fallen and cannot be a prisoner too; remove fallen or prisoner_of"
            yield Diagnostic(text, at=(*at, "fallen"))
        if force.leader_rank is not None and force.prisoner_of is None:
            text = "it has no effect, because the leader is no prisoner; remove leader_rank"
            yield Diagnostic(text, at=(*at, "leader_rank"))
        for word in ("deputy", "prisoner_of", "fallen") if force.leader is None else ():
            if getattr(force, word):
                text = f"it has no effect, because the force has no leader; write leader, or remove {word}"
                yield Diagnostic(text, at=(*at, word))


def name_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield a hint for each force whose name another force already has."""
    named: dict[str, str] = {}
    for key in campaign.forces:
        name = campaign.display_name(key)
        other = named.setdefault(name.casefold(), key)
        if other != key:
            text = (
                f"{other} is called {quoted(name)} too, so readers cannot tell them apart; write another name"
            )
            yield Diagnostic(text, at=("forces", key, "name"))


def unused_roads(campaign: Campaign) -> str:
    """Return a hint if forces do not move on the roads because [movement] is missing, otherwise ""."""
    if not campaign.road or campaign.movement_settings is not None:
        return ""
    return "forces do not move on the roads; turn movement on: cardbattle campaign set movement.allowance=2"


def movement_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield hints about forces that cannot march, and full places."""
    settings = campaign.movement
    if settings is None:
        if unused := unused_roads(campaign):
            yield Diagnostic(unused, at=("road",))
        return
    if not settings.allowance and not any(force.pace for force in campaign.forces.values()):
        text = "allowance is 0, so no force can march; write a number of steps, such as 2"
        yield Diagnostic(text, at=("movement", "allowance"))
    present = Counter(
        (force.location, force.faction)
        for force in campaign.forces.values()
        if force.location is not None and not force.destroyed and force.towards is None
    )
    for (place, faction), number in present.items():
        if settings.stacking is not None and number > settings.stacking:
            text = f"{number} forces of {faction} are in {place}; raise stacking, or move some of them"
            yield Diagnostic(text, at=("movement", "stacking"))


def weather_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield a hint for each kind of weather whose name another kind already has."""
    seen: set[str] = set()
    for place, kind in enumerate(campaign.weather.table if campaign.weather else ()):
        if kind.name in seen:
            text = f"another kind of weather is called {quoted(kind.name)}; write different names"
            yield Diagnostic(text, at=("weather", "table", place, "name"))
        seen.add(kind.name)


def event_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield hints about conditions that can never hold, and about planned additions that already exist."""
    items: list[tuple[str, int, Scheduled | RandomEvent]] = [
        *(("schedule", place, item) for place, item in enumerate(campaign.schedule)),
        *(("event", place, item) for place, item in enumerate(campaign.event)),
    ]
    for table, place, item in items:
        for word in ("when", "where"):
            text = getattr(item, word, None)
            for error in impossible(campaign, parse_condition(text)) if text else ():
                yield Diagnostic(error, at=(table, place, word))
        if item.turn is None or item.turn <= campaign.turn:
            continue
        for path, kind, values in additions(item):
            name = values.get("id" if kind == "pending" else "key")
            if kind != "pending" and name in getattr(campaign, kind):
                text = f"{quoted(name)} exists already; choose another key"
                yield Diagnostic(text, at=(table, place, "add", *path, "key"))


def impossible(campaign: Campaign, condition: Condition) -> Iterator[str]:
    """Yield an error for each string in a condition that can never be equal to the compared value."""
    for part in condition.parts:
        if isinstance(part, Condition):
            yield from impossible(campaign, part)
    possible = possible_values(campaign, condition)
    for part in condition.parts if possible is not None else ():
        if isinstance(part, Term) and part.kind == "text" and part.value not in (*(possible or ()), ""):
            remedy = (
                nearest(str(part.value), possible or ()) or f"; write {listed((possible or [])[:8], 'or')}"
            )
            yield f"no value is ever {quoted(part.value)}{remedy}"


def possible_values(campaign: Campaign, condition: Condition) -> list[str] | None:
    """Return the strings that the value in a comparison can be, or None if they are not known.

    A plan or an event can add factions and places, so these are included.
    """
    paths = [str(part.value) for part in condition.parts if isinstance(part, Term) and part.kind == "path"]
    if paths == ["weather"]:
        return [kind.name for kind in campaign.weather.table] if campaign.weather else None
    table = refers_to(condition)
    if len(paths) != 1 or table not in ("factions", "locations"):
        return None
    things: Mapping[str, object] = getattr(campaign, table)
    new = [
        str(values.get("key"))
        for item in (*campaign.schedule, *campaign.event)
        for _, kind, values in additions(item)
        if kind == table
    ]
    return [*things, *new]


def deadline_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield hints about consequences without a deadline, and about a commander that never answers."""
    settings = campaign.deadlines
    if settings is None:
        return
    if not any(getattr(settings, word) for word in LENGTHS):
        text = (
            'there is no deadline; write one of orders, answer, result or confirm, such as orders = "3 days"'
        )
        yield Diagnostic(text, at=("deadlines",))
    elif settings.missed in (STANDING, FORFEIT) and not (
        settings.orders or settings.answer or settings.confirm
    ):
        text = 'only results have a deadline, which you decide yourself; write answer = "36 hours"'
        yield Diagnostic(text, at=("deadlines", "missed"))
    if "commander" in settings.model_fields_set and settings.missed != STANDING:
        text = f'it has no effect with missed = "{settings.missed}"; write missed = "{STANDING}"'
        yield Diagnostic(text, at=("deadlines", "commander"))
    if settings.orders and campaign.movement_settings is None:
        text = "it has no effect without [movement]; write [movement], or remove orders"
        yield Diagnostic(text, at=("deadlines", "orders"))
    if settings.confirm and campaign.results.confirm != BOTH:
        text = f'it has no effect without results.confirm = "{BOTH}"; set that, or remove it'
        yield Diagnostic(text, at=("deadlines", "confirm"))


def battle_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield hints about battles within a faction, missing roads, and forces that are elsewhere."""
    for place, battle in enumerate(campaign.pending):
        yield from civil_war_hints(campaign, battle, ("pending", place, "sides"))
        if battle.road is not None and not campaign.roads.length(*battle.road):
            text = f"no road joins {' and '.join(battle.road)}; name the ends of a road"
            yield Diagnostic(text, at=("pending", place, "road"))
        if battle.place is None or campaign.aftermath is None:
            continue
        for side in battle.sides:
            for force in side:
                at = campaign.forces[force].location
                if at is not None and at != battle.place:
                    text = f"{force} is in {at}, so it will not retreat; move it, or change the place"
                    yield Diagnostic(text, at=("pending", place, "place"))
    yield from second_battle_hints(campaign)
    sides = {battle.id: reporters(campaign, battle) for battle in campaign.pending}
    for place, report in enumerate(campaign.reported):
        if report.battle not in sides:
            text = f"battle {quoted(report.battle)} is not pending; remove this report"
            yield Diagnostic(text, at=("reported", place, "battle"))
        elif report.side not in sides[report.battle]:
            text = f"{report.side} does not fight in battle {report.battle}; remove this report"
            yield Diagnostic(text, at=("reported", place, "side"))


def second_battle_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield a hint for each pending battle with forces of an earlier one, if the campaign has movement."""
    first: dict[str, str] = {}  # the first battle of each force
    for place, battle in enumerate(campaign.pending if campaign.movement else ()):
        forces = [force for side in battle.sides for force in side]
        if shared := [force for force in forces if force in first]:
            text = f"battle {first[shared[0]]} has {listed(shared)} too; a force should fight once per turn"
            remedy = f"cancel one of the two, such as: cardbattle campaign cancel {battle.id}"
            yield Diagnostic(f"{text}; {remedy}", at=("pending", place, "sides"))
        first |= {force: battle.id for force in forces if force not in first}


def civil_war_hints(campaign: Campaign, battle: Pending, at: tuple[str | int, ...]) -> Iterator[Diagnostic]:
    """Yield a hint for each faction that has forces on several sides of a battle."""
    first: dict[str, tuple[int, str]] = {}  # the first side and force of each faction
    for place, side in enumerate(battle.sides):
        for force in side:
            faction = campaign.forces[force].faction
            other_place, other = first.setdefault(faction, (place, force))
            if other_place != place:
                text = f"{other} and {force} are forces of {faction}, but fight each other in {battle.id}"
                remedy = "put them on one side, or set the faction of one to another"
                yield Diagnostic(f"{text}; {remedy}", at=(*at, place))
                break
