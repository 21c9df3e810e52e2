"""The phases for scheduled changes, weather and random events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate
from typing import Final

from cardbattle.campaign.phases.phase import Cause, Outcome, Situation
from cardbattle.campaign.state.apply import half_up
from cardbattle.campaign.state.changes import PENDING, SINGULAR, Change, Key, pending, value_at, with_units
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.conditions import Place, Value, parse_condition
from cardbattle.campaign.state.tables.event_checks import EVERY, additions, key_word
from cardbattle.campaign.state.tables.events import Happening, RandomEvent, Scheduled
from cardbattle.core.names import quoted

SCHEDULE, WEATHER, EVENT = "schedule", "weather", "event"
NEVER_BELOW: Final = {"strength": 0, "experience": 0}


def run_schedule(situation: Situation) -> Outcome:
    """Return the changes that are planned for this turn, with one entry for each plan.

    The phase waits if a plan would add something that already exists.
    """
    causes: list[Cause] = []
    for place, item in enumerate(situation.campaign.schedule, 1):
        if not is_due(situation.campaign, item):
            continue
        existing = already_there(situation.campaign, item)
        if existing:
            return Outcome(waits=[f"schedule {place}: {existing}; change its key, or remove the plan"])
        changes = changes_of(situation, item)
        causes.append(Cause(SCHEDULE, changes, text=item.text, reasons=[f"schedule {place}: {due(item)}"]))
        situation = situation.after(changes)
    return Outcome(causes)


def run_events(situation: Situation) -> Outcome:
    """Return one entry for the weather of this turn, and one for each event that happens in this turn.

    Each event has its own random stream, so that adding an event does not change the other events.
    """
    causes = list(weather_of(situation))
    for cause in causes:
        situation = situation.after(cause.changes)
    notes: list[str] = []
    for place, item in enumerate(situation.campaign.event, 1):
        happens, why = happens_now(situation, item, place)
        event = f"event {place}" + (f" ({item.text.removesuffix('.')})" if item.text else "")
        if happens:
            existing = already_there(situation.campaign, item)
            if existing:
                notes.append(f"{event} does not happen: {existing}")
                continue
            changes = changes_of(situation, item)
            causes.append(Cause(EVENT, changes, text=item.text, reasons=[f"event {place}: {why}"]))
            situation = situation.after(changes)
        elif why:
            notes.append(f"{event} does not happen: {why}")
    return Outcome(causes, notes=notes)


def is_due(campaign: Campaign, item: Scheduled | RandomEvent) -> bool:
    """Return True if an item is planned for this turn, or for a day of this turn."""
    if item.date is None:
        return item.turn == campaign.turn
    assert campaign.calendar is not None
    days = (item.date - campaign.calendar.first_day).days
    return days // campaign.calendar.days + 1 == campaign.turn


def due(item: Scheduled | RandomEvent) -> str:
    """Describe the planned time, such as `turn 5`."""
    return f"turn {item.turn}" if item.date is None else str(item.date)


def weather_of(situation: Situation) -> Iterator[Cause]:
    """Draw this turn's weather, if the campaign has weather, and yield its entry."""
    weather = situation.campaign.weather
    if weather is None or not weather.table:
        return
    edges = list(accumulate(kind.p for kind in weather.table))
    drawn = situation.chance(WEATHER).below(edges[-1])
    kind = next(kind for kind, edge in zip(weather.table, edges, strict=True) if drawn < edge)
    reason = f"{kind.name} has {kind.p} of {edges[-1]} parts; part {drawn + 1} was drawn"
    yield Cause(WEATHER, situation.changed({(WEATHER, "now"): kind.name}), text=kind.name, reasons=[reason])


def happens_now(situation: Situation, item: RandomEvent, place: int) -> tuple[bool, str]:
    """Return a pair (happens, reason) for an event in this turn.

    The reason is empty if the event is planned for another turn.
    """
    if item.each is None and not is_due(situation.campaign, item):
        return False, ""
    if item.once and has_happened(situation, item):
        return False, "it has already happened"
    if item.when is not None and not parse_condition(item.when).holds(Values(situation.campaign)):
        return False, f"the condition is false: {item.when}"
    when = f", for {item.when}" if item.when is not None else ""
    if item.chance == 1:
        planned = due(item) if item.date is None else f"{item.date}"
        return True, f"{'each turn' if item.each else planned}{when}"
    drawn = situation.chance(f"event/{place}").below(item.chance.denominator)
    numbers = (
        f"drawn {drawn + 1} of {item.chance.denominator}; the event happens up to {item.chance.numerator}"
    )
    return drawn < item.chance.numerator, f"{numbers}{when}"


def has_happened(situation: Situation, item: RandomEvent) -> bool:
    """Return True if a valid entry has recorded an event with the same text."""
    ledger, gone = situation.ledger, situation.ledger.undone_revisions
    revisions = [n for n in ledger.heads.revisions((EVENT,), ledger.whole_entries) if n not in gone]
    return any(ledger.entry(revision).text == item.text for revision in revisions) or any(
        entry.kind == EVENT and entry.text == item.text for entry in situation.entries
    )


class Values:
    """Looks up the values that a condition reads, by path.

    `thing` is the table and key of a force or place. If it is given, a single word names a value of this
    force or place.
    """

    def __init__(self, campaign: Campaign, thing: tuple[str, str] | None = None) -> None:
        self.campaign = campaign
        self.thing = thing

    def __call__(self, path: str) -> Value:
        """Return the value at a path.

        The result is an empty string if the value is not set, or if its force, faction or place does not
        exist.
        """
        if path == "turn":
            return self.campaign.turn
        if path == WEATHER:
            return (self.campaign.weather and self.campaign.weather.now) or ""
        place = Place.named(path)
        if place is None and self.thing is not None:
            place = Place(*self.thing, path)
        part = getattr(self.campaign, place.table).get(place.key) if place else None
        if place is None or part is None:
            return ""
        if place.word == "name":
            return str(self.campaign.name_of(place.table, place.key))
        value = getattr(part, place.word, None)
        return value if isinstance(value, str | int) else ""


def changes_of(situation: Situation, item: Happening) -> list[Change]:
    """Return an event's changed values, and new forces, places, factions and battles."""
    campaign = situation.campaign
    values: dict[Key, object] = {}
    for path, amount in item.change.items():
        for place in places(campaign, path, item.where):
            before = int(getattr(getattr(campaign, place.table)[place.key], place.word))
            after = before + amount_of(before, amount)
            values[tuple(place)] = max(after, NEVER_BELOW.get(place.word, after))
    for path, value in item.set.items():
        values |= {tuple(place): value for place in places(campaign, path, item.where)}
    values |= destruction(campaign, values)
    return [*situation.changed(values), *added(campaign, item)]


def amount_of(before: int, amount: int | Fraction) -> int:
    """Return the amount to add to a number. A whole number is the amount itself, and a fraction is a share.

    The share of the number is rounded, with halves away from 0.

    >>> amount_of(14, Fraction(-1, 10)), amount_of(15, Fraction(-1, 10)), amount_of(3, 2)
    (-1, -2, 2)
    """
    if isinstance(amount, int):
        return amount
    size = half_up(abs(before * amount))
    return size if amount > 0 else -size


def places(campaign: Campaign, path: str, where: str | None) -> Iterable[Place]:
    """Return the values that a path names.

    A path with `*` names the value of each force, faction or place that meets the condition `where`.
    Destroyed forces are left out.
    """
    place = Place.named(path)
    assert place is not None
    if place.key != EVERY:
        return [place] if place.key in getattr(campaign, place.table) else []
    condition = parse_condition(where) if where is not None else None
    return [
        place._replace(key=key)
        for key, part in getattr(campaign, place.table).items()
        if not getattr(part, "destroyed", False)
        and (condition is None or condition.holds(Values(campaign, (place.table, key))))
    ]


def destruction(campaign: Campaign, values: Mapping[Key, object]) -> dict[Key, object]:
    """Return the changes that destroy the forces whose strength falls below the campaign's limit."""
    limit = campaign.attrition.destroyed_below
    return {
        (*key[:2], "destroyed"): True
        for key, value in values.items()
        if key[0] == "forces" and key[2] == "strength" and isinstance(value, int) and value < limit
        and value < campaign.forces[key[1]].strength
    }  # fmt: skip


def already_there(campaign: Campaign, item: Happening) -> str:
    """Return an error if an event adds something that already exists. Otherwise return ""."""
    for _, table, values in additions(item):
        key = str(values[key_word(table)])
        if value_at(campaign.data, (table, key)) is not None:
            kind = SINGULAR.get(table, "battle")
            return f"there is a {kind} {quoted(key)} already"
    return ""


def added(campaign: Campaign, item: Happening) -> Iterator[Change]:
    """Yield the changes that add new tables. New battles come after the battles that are already pending."""
    place = len(pending(campaign.data))
    for _, table, values in additions(item):
        if table == PENDING:
            yield Change((PENDING, str(values["id"])), None, dict(values), place=place)
            place += 1
        else:
            key = (table, str(values["key"]))
            yield Change(key, None, {})
            new = [Change((*key, word), None, value) for word, value in values.items() if word != "key"]
            yield from with_units(campaign.data, new)
