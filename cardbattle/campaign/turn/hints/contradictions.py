"""Find settings of the turn that contradict each other, or that have no effect."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.campaign.phases.recruit import hiring_places
from cardbattle.campaign.state.model import Campaign, Force
from cardbattle.campaign.state.tables.aftermath import CHOOSE, NO_RETREAT, ExperienceSettings
from cardbattle.campaign.state.tables.battle_effects import terrain_of
from cardbattle.campaign.state.tables.events import RandomEvent, Scheduled
from cardbattle.campaign.state.tables.fixtures import KNOCK_OUT, Fixtures, LeaguePoints
from cardbattle.campaign.state.tables.upkeep import PURSE, SUPPLY
from cardbattle.campaign.turn.hints.state_hints import state_hints
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import listed, nearest, quoted

STEPS = "experience.steps.1.at=4 experience.steps.1.title=blooded"


def contradictions(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield a hint for each setting that contradicts another or has no effect. Each hint names the remedy."""
    yield from supply_hints(campaign)
    yield from recruit_hints(campaign)
    yield from aftermath_hints(campaign)
    yield from experience_hints(campaign)
    yield from battle_hints(campaign)
    yield from calendar_hints(campaign)
    yield from state_hints(campaign)
    yield from fixtures_hints(campaign.fixtures)
    if campaign.movement is not None and not campaign.road_ends:
        yield Diagnostic("there are no roads, so no force can march; add some", at=("movement",))
    has_values = any(place.value for place in campaign.locations.values())
    if campaign.income is not None and not has_values:
        text = "no place has a value, so there is no income; write value = ... in places"
        yield Diagnostic(text, at=("income",))
    if campaign.scoring.per_value and not has_values:
        text = "no place has a value, so none brings points; write value = ... in places"
        yield Diagnostic(text, at=("scoring", "per_value"))
    if campaign.scoring.per_value and campaign.last_turn is None:
        text = "places bring points in the last turn; set it with: cardbattle campaign set last_turn=6"
        yield Diagnostic(text, at=("scoring", "per_value"))


def fixtures_hints(fixtures: Fixtures | None) -> Iterator[Diagnostic]:
    """Yield hints about settings of a league that have no effect, or that reward a worse result."""
    if fixtures is None:
        return
    has_knock_out = fixtures.kind == KNOCK_OUT or fixtures.play_offs is not None
    if "drawn" in fixtures.model_fields_set and not has_knock_out:
        text = "drawn is for a knock-out or play-offs, and has no effect here; remove it"
        yield Diagnostic(text, at=("fixtures", "drawn"))
    for place, word in enumerate(fixtures.tie_breaks):
        if word in fixtures.tie_breaks[:place]:
            text = f"tie_breaks names {word} twice; the second has no effect, so remove it"
            yield Diagnostic(text, at=("fixtures", "tie_breaks", place))
    points = fixtures.points or LeaguePoints()
    if not points.win >= points.draw >= points.loss:
        text = f"a win brings {points.win} league points, a draw {points.draw} and a loss {points.loss}"
        yield Diagnostic(f"{text}; a better result should not bring fewer", at=("fixtures", "points"))


def supply_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield hints about factions without a supply place, losses out of supply, and recovery."""
    owners = {place.owner for place in campaign.locations.values() if place.supply}
    if campaign.supply is not None:
        if "out_of_supply" not in campaign.supply.model_fields_set:
            text = 'a force out of supply loses nothing; to change this, write out_of_supply = "1/10"'
            yield Diagnostic(text, at=("supply",))
        if not owners:
            text = "no place has supply = true, so every force is out of supply; mark some places"
            yield Diagnostic(text, at=("supply",))
            return
        for key in campaign.factions:
            has_forces = any(
                force.faction == key and not force.destroyed for force in campaign.forces.values()
            )
            if has_forces and key not in owners:
                text = f"{key} owns no place with supply = true, so its forces are out of supply"
                how = "until it takes one; if that is not meant, mark one of its places"
                yield Diagnostic(f"{text} {how}", at=("supply",))
    if campaign.recovery is not None and not any(place.owner for place in campaign.locations.values()):
        text = "no place has an owner, so no force recovers; write owner = ... in places"
        yield Diagnostic(text, at=("recovery",))


def recruit_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield hints about soldiers that no force can hire."""
    if campaign.recruit is None:
        return
    at = ("recruit",)
    if campaign.movement_settings is None:
        text = "hiring is an order, and movement is off; turn it on with movement.allowance = 2"
        yield Diagnostic(text, at=at)
    has_income = campaign.income is not None and campaign.income.to == PURSE
    if not has_income and not any(faction.purse > 0 for faction in campaign.factions.values()):
        text = 'no faction has money, so none can hire; write purse = ... in factions, or income.to = "purse"'
        yield Diagnostic(text, at=at)
    if not any(hiring_places(campaign, key) for key in campaign.factions):
        is_supply = campaign.recruit.places == SUPPLY
        places = "no place of a faction has supply = true" if is_supply else "no place has an owner"
        remedy = 'mark some places, or write places = "own"' if is_supply else "write owner = ... in places"
        yield Diagnostic(f"{places}, so no force can hire; {remedy}", at=at)


def aftermath_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield hints about `[aftermath]`.

    The hints concern settings that need retreats, retreats without roads, and forces that cannot retreat.
    """
    settings = campaign.aftermath
    if settings is None:
        return
    if settings.retreat == NO_RETREAT:
        for word in ("pursuit", "no_retreat"):
            if word in settings.model_fields_set:
                text = 'it has no effect, because no force retreats; write retreat = "nearest-own"'
                yield Diagnostic(text, at=("aftermath", word))
    elif not campaign.road_ends:
        text = "there are no roads, so no force can retreat; add roads"
        yield Diagnostic(text, at=("aftermath", "retreat"))
    if settings.retreat == CHOOSE and "no_retreat" not in settings.model_fields_set:
        text = "a force that cannot retreat stays; to change this, write no_retreat"
        yield Diagnostic(text, at=("aftermath", "retreat"))


def experience_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield hints about steps that no force can reach, steps at the same experience, and titles."""
    settings = campaign.experience
    if settings is None:
        for key, force in campaign.forces.items():
            if force.experience:
                text = "it has no effect, because there is no [experience]; add one, or remove this"
                yield Diagnostic(text, at=("forces", key, "experience"))
        return
    if not settings.battle and not settings.win:
        text = "battle and win are 0, so no force gains experience; write one of them"
        yield Diagnostic(text, at=("experience",))
    if not settings.steps:
        text = "there are no steps, so it has no effect; add one with: cardbattle campaign set " + STEPS
        yield Diagnostic(text, at=("experience",))
    seen: set[int] = set()
    for place, step in enumerate(settings.steps):
        if step.at in seen:
            text = f"another step is at {step.at} too, and only one of them counts; change one"
            yield Diagnostic(text, at=("experience", "steps", place, "at"))
        seen.add(step.at)
    for key, force in campaign.forces.items():
        text = "" if force.destroyed else title_error(settings, force)
        if text:
            word = "experience" if force.title is None else "title"
            yield Diagnostic(text, at=("forces", key, word))


def title_error(settings: ExperienceSettings, force: Force) -> str:
    """Return an error if the title of a force does not match its experience, or ""."""
    needed = {step.title: step.at for step in reversed(settings.steps) if step.title is not None}
    reached = [title for title, at in needed.items() if at <= force.experience]
    due = max(reached, key=lambda title: needed[title], default=None)
    if not needed or force.title == due:
        return ""
    if force.title is None:
        return f"{force.experience} reaches the title {quoted(due)}; write title = {quoted(due)}"
    if force.title not in needed:
        remedy = (
            nearest(force.title, needed)
            or f"; write {listed(sorted(needed, key=needed.__getitem__)[:8], 'or')}"
        )
        return f"no step of [experience] has the title {quoted(force.title)}{remedy}"
    if needed[force.title] > force.experience:
        least = needed[force.title]
        return f"this title needs experience {least}; write experience = {least}, or another title"
    return f"experience {force.experience} reaches the title {quoted(due)}; write title = {quoted(due)}"


def battle_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield a hint for each place or pending battle whose terrain has no effect in battle.

    For a place, an effect in any rule set that the campaign uses is enough.
    """
    used = rule_sets_in_use(campaign)
    for key, place in campaign.locations.items():
        terrain_effects = campaign.terrain.get(place.terrain or "", {})
        if place.terrain and campaign.rules and used.isdisjoint(terrain_effects):
            text = f"terrain {quoted(place.terrain)} has no {campaign.rules} effect; add one"
            yield Diagnostic(text, at=("locations", key, "terrain"))
    for number, battle in enumerate(campaign.pending):
        key, terrain = campaign.rules_key(battle), terrain_of(campaign, battle)
        is_named_above = terrain != battle.terrain and key == campaign.rules
        if terrain and key not in campaign.terrain[terrain] and not is_named_above:
            text = f"battle {battle.id}: terrain {quoted(terrain)} has no {key} effect; add one"
            yield Diagnostic(text, at=("pending", number))


def rule_sets_in_use(campaign: Campaign) -> set[str]:
    """Return the default rule set, those with settings of their own, and those of pending battles."""
    fixtures = campaign.fixtures.rules if campaign.fixtures else None
    named = (campaign.rules, fixtures, *(battle.rules for battle in campaign.pending))
    return {*campaign.advantage, *campaign.house, *(rules for rules in named if rules)}


def calendar_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield a hint for each plan or event on a day before the calendar begins."""
    items: list[tuple[str, int, Scheduled | RandomEvent]] = [
        *(("schedule", place, item) for place, item in enumerate(campaign.schedule)),
        *(("event", place, item) for place, item in enumerate(campaign.event)),
    ]
    for table, place, item in items:
        if (
            item.date is not None
            and campaign.calendar is not None
            and item.date < campaign.calendar.first_day
        ):
            text = "this day is before the first day of the calendar; it will not happen"
            yield Diagnostic(f"{text}; change it", at=(table, place, "date"))
