"""The upkeep of a turn, which consists of supply, recovery, hiring and income."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import chain

from cardbattle.campaign.ledger.history import entry_today, forces_in
from cardbattle.campaign.ledger.ledger import BATTLES, TURNS, Entry
from cardbattle.campaign.phases.phase import Cause, Outcome, Situation
from cardbattle.campaign.phases.recruit import RECRUIT, recruit
from cardbattle.campaign.state.apply import half_up
from cardbattle.campaign.state.changes import Key, is_unit
from cardbattle.campaign.state.model import Campaign, Force
from cardbattle.campaign.state.tables.units import UNITS, units_after_rest
from cardbattle.campaign.state.tables.upkeep import POINTS
from cardbattle.core.grammar import choose_form, mid_sentence, together, with_verb
from cardbattle.core.telling import counted

SUPPLY, RECOVERY, INCOME = "supply", "recovery", "income"
UPKEEP_KINDS = (SUPPLY, RECOVERY, RECRUIT, INCOME)


def run_upkeep(situation: Situation) -> Outcome:
    """Return one entry each for the losses by supply, the recovery, the hired soldiers, and the income."""
    causes: list[Cause] = []
    for compute in (supply, recovery, recruit, income):
        for cause in compute(situation):
            causes.append(cause)
            situation = situation.after(cause.changes)._replace(entries=[*situation.entries, cause.entry()])
    return Outcome(causes)


class Network:
    """Decides which forces are in supply.

    A force is in supply if it is near a supply place of its faction and no enemy is in between.
    """

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign

    @cached_property
    def factions_at(self) -> Mapping[str, set[str]]:
        table: dict[str, set[str]] = {}
        for force in self.campaign.forces.values():
            if force.location is not None and not force.destroyed and force.towards is None:
                table.setdefault(force.location, set()).add(force.faction)
        return table

    @cached_property
    def distances(self) -> Mapping[str, Mapping[str, int]]:
        """The distance of each place from the faction's nearest supply place, by faction and place."""
        return {faction: self.distances_of(faction) for faction in self.campaign.factions}

    def distances_of(self, faction: str) -> dict[str, int]:
        """Return the distance of each reachable place from the faction's nearest supply place.

        A place with an enemy in it can be reached but not passed. Source: E. W. Dijkstra, A Note on Two
        Problems in Connexion with Graphs, 1959.
        """
        sources = self.sources(faction)
        best = dict.fromkeys(sources, 0)
        queue = [(0, key) for key in sources]
        heapq.heapify(queue)
        while queue:
            steps, place = heapq.heappop(queue)
            if steps > best[place] or self.is_closed(place, faction):
                continue
            for end, length in self.campaign.roads.neighbours.get(place, {}).items():
                if steps + length < best.get(end, steps + length + 1):
                    best[end] = steps + length
                    heapq.heappush(queue, (steps + length, end))
        return best

    def sources(self, faction: str) -> list[str]:
        places = self.campaign.locations.items()
        return [key for key, place in places if place.supply and place.owner == faction]

    def is_closed(self, place: str, faction: str) -> bool:
        """Return True if no supply passes through a place, because an enemy of the faction is there."""
        present = self.factions_at.get(place, ())
        return any(self.campaign.are_enemies(faction, other) for other in present)

    def nearest_places(self, force: Force) -> dict[str, int]:
        """Return the place of a force, or both ends of its road, with the steps to each."""
        if force.towards is None:
            return {force.location or "": 0}
        length = self.campaign.roads.length(force.location or "", force.towards)
        walked = force.walked or 0
        return {force.location or "": walked, force.towards: length - walked}

    def distance(self, force: Force) -> int | None:
        """Return the distance of a force from its supply, or None if the force is cut off."""
        distances = self.distances[force.faction]
        ends = self.nearest_places(force).items()
        return min((distances[end] + steps for end, steps in ends if end in distances), default=None)

    def open_ways(self, force: Force) -> Iterator[tuple[int, list[str]]]:
        """Yield the length of each way from a force to a supply place, and its places, as if none was closed.

        The place of the force is left out.
        """
        roads = self.campaign.roads
        for source in self.sources(force.faction):
            for end, steps in self.nearest_places(force).items():
                way = roads.way(end, source)
                if way is not None:
                    yield steps + (roads.distance(end, source) or 0), way

    def is_supplied(self, force: Force) -> bool:
        """Return True if a force is in supply. A force outside the map needs no supply."""
        if self.campaign.supply is None or force.location is None:
            return True
        distance = self.distance(force)
        return distance is not None and distance <= self.campaign.supply.range

    def lack(self, force: Force, supply: str) -> str:
        """Return a clause that says why a force is out of supply, or "" if it is in supply.

        `supply` is the name of the supply in this clause, such as `its supply`.
        """
        campaign, faction = self.campaign, force.faction
        if campaign.supply is None or self.is_supplied(force):
            return ""
        if not self.sources(faction):
            return f"{with_verb(mid_sentence(campaign.faction_name(faction)), 'has|have')} no supply place"
        steps, way = min(self.open_ways(force), default=(None, []))
        if steps is None:
            return f"no road leads to {supply}"
        if steps > campaign.supply.range:
            return f"{supply} is {counted(steps, 'step')} away, the range is {campaign.supply.range}"
        closed = next(place for place in way if self.is_closed(place, faction))
        enemies = together(
            mid_sentence(campaign.display_name(key))
            for key, other in campaign.forces.items()
            if other.location == closed and not other.destroyed and other.towards is None
            if campaign.are_enemies(faction, other.faction)
        )
        return (
            f"{with_verb(enemies, 'cuts|cut')} off {supply} at {mid_sentence(campaign.location_name(closed))}"
        )


def supply(situation: Situation) -> Iterator[Cause]:
    """Yield the losses of the forces that are out of supply."""
    campaign = situation.campaign
    if campaign.supply is None:
        return
    network = Network(campaign)
    values: dict[Key, object] = {}
    reasons = []
    for key, force in campaign.forces.items():
        if force.destroyed or not force.strength or network.is_supplied(force):
            continue
        lost = at_least_one(force.strength * campaign.supply.out_of_supply, force.strength)
        if not lost:
            continue
        left = force.strength - lost
        values["forces", key, "strength"] = left
        if left < max(1, campaign.attrition.destroyed_below):
            values["forces", key, "destroyed"] = True
        name = campaign.display_name(key)
        its = choose_form("its|their", name.is_plural)
        why = network.lack(force, f"{its} supply")
        sources = together(
            mid_sentence(campaign.location_name(place)) for place in network.sources(force.faction)
        )
        places = f" ({with_verb(sources, 'is|are')} {its} supply)" if sources else ""
        reasons.append(f"{with_verb(name, 'loses|lose')} {lost}: {why}{places}")
    if values:
        yield Cause(SUPPLY, situation.changed(values), reasons=reasons)


def at_least_one(exact: Fraction, most: int) -> int:
    """Round a share to the nearest whole number from 1 to `most`. A share of 0 stays 0."""
    return min(most, max(1, half_up(exact))) if exact else 0


def recovery(situation: Situation) -> Iterator[Cause]:
    """Yield the strength that forces regain by resting in a place of their faction.

    No force regains more than its full strength.
    """
    campaign = situation.campaign
    if campaign.recovery is None:
        return
    rate = rate_in_weather(campaign, campaign.recovery.rate)
    if not rate:
        return
    network, busy = Network(campaign), busy_forces(situation)
    resting = [
        key
        for key, force in campaign.forces.items()
        if not force.destroyed
        and key not in busy
        and force.location is not None
        and campaign.locations[force.location].owner == force.faction
        and network.is_supplied(force)
    ]
    values: dict[Key, object] = {}
    reasons = []
    full = full_strengths(situation, resting)
    for key in resting:
        strength, limit = campaign.forces[key].strength, full[key]
        if strength < limit:
            gain = at_least_one(limit * rate, limit - strength)
            values |= {("forces", key, "strength"): strength + gain, ("forces", key, "full"): limit}
            values |= refill_units(situation, key, gain)
            name = with_verb(campaign.display_name(key), "regains|regain")
            reasons.append(f"{name} {gain}: {rate} of {limit}, its full strength")
    if values:
        yield Cause(RECOVERY, situation.changed(values), reasons=reasons)


def refill_units(situation: Situation, key: str, gain: int) -> dict[Key, object]:
    """Return the units of a force after a rest.

    The units are filled up one after the other, each at most to its greatest strength so far.
    """
    units = situation.campaign.forces[key].units
    if not units:
        return {}
    full = dict(units)
    for entry in (*situation.entries, *standing_entries(situation)):
        for change in entry.changes if entry.kind not in TURNS else ():
            if is_unit(change.key) and change.key[1] == key and change.key[3] in full:
                values = [value for value in (change.before, change.after) if isinstance(value, int)]
                full[change.key[3]] = max(full[change.key[3]], *values)
    return {("forces", key, UNITS, name): left for name, left in units_after_rest(units, full, gain).items()}


def rate_in_weather(campaign: Campaign, rate: Fraction) -> Fraction:
    """Return the rate of recovery in the current weather.

    Weather without its own rate leaves `rate` unchanged.
    """
    kind = campaign.weather.kind(None) if campaign.weather else None
    return kind.recovery if kind is not None and kind.recovery is not None else rate


def busy_forces(situation: Situation) -> set[str]:
    """Return the forces that did not rest in this turn.

    They marched, fought, were out of supply, or face an enemy.
    """
    busy = {force for battle in situation.campaign.pending for side in battle.sides for force in side}
    busy |= {key for key, force in situation.campaign.forces.items() if force.towards is not None}
    for entry in situation.entries:
        if entry.kind in BATTLES:
            busy.update(forces_in(entry))
        busy |= {
            change.key[1]
            for change in entry.changes
            if change.key[0] == "forces"
            and (change.key[2:] == ("location",) or (entry.kind, *change.key[2:]) == (SUPPLY, "strength"))
        }
    campaign = situation.campaign
    factions_at = Network(campaign).factions_at
    return busy | {
        key
        for key, force in campaign.forces.items()
        if any(
            campaign.are_enemies(force.faction, each) for each in factions_at.get(force.location or "", ())
        )
    }


def full_strengths(situation: Situation, forces: Collection[str]) -> dict[str, int]:
    """Return the full strength of each force: its `full`, or a greater strength since `full` was set.

    Strengths in the middle of this turn count too, but not values that were undone. Without `full`, the
    greatest strength in the ledger counts.
    """
    current = situation.campaign.forces
    full = {key: max(current[key].full or 0, current[key].strength) for key in forces}
    unsettled = set(forces)
    for entry in chain(reversed(situation.entries), standing_entries(situation)):
        if not unsettled:
            break
        if entry.kind not in TURNS:
            has_full = {change.key[1] for change in entry.changes if change.key[2:] == ("full",)}
            unsettled -= {key for key in has_full & unsettled if current[key].full is not None}
            for change in entry.changes:
                if change.key[2:] == ("strength",) and change.key[1] in unsettled:
                    values = [value for value in (change.before, change.after) if isinstance(value, int)]
                    full[change.key[1]] = max(full[change.key[1]], *values)
    return full


def standing_entries(situation: Situation) -> Iterator[Entry]:
    """Yield all valid entries, the latest first. Renamed keys are replaced with their new names."""
    ledger = situation.ledger
    return (
        entry_today(ledger, revision)
        for revision in range(ledger.whole_entries, 0, -1)
        if revision not in ledger.undone_revisions
    )


def has_upkeep(campaign: Campaign) -> bool:
    """Return True if the upkeep of this turn can change something."""
    tables = (campaign.supply, campaign.recovery, campaign.recruit, campaign.income)
    return any(tables) or bool(campaign.scoring.per_value and campaign.is_last(campaign.turn))


def income(situation: Situation) -> Iterator[Cause]:
    """Yield what factions get for the value of their places: income, and points at the end of the war."""
    campaign = situation.campaign
    rates = [] if campaign.income is None else [(campaign.income.to, campaign.income.per_value, "")]
    if campaign.scoring.per_value and campaign.is_last(campaign.turn):
        rates.append((POINTS, campaign.scoring.per_value, " at the end of the war"))
    values: dict[Key, int] = {}
    reasons = []
    for key, faction in campaign.factions.items():
        owned = [place for place in campaign.locations.values() if place.owner == key]
        for account, per_value, when in rates:
            gain = per_value * sum(place.value for place in owned)
            if not gain:
                continue
            address = ("factions", key, account)
            values[address] = values.get(address, int(getattr(faction, account))) + gain
            name, places = with_verb(campaign.faction_name(key), "gets|get"), counted(len(owned), "place")
            reasons.append(f"{name} {gain}: {per_value} for each point of value of {places}{when}")
    if values:
        yield Cause(INCOME, situation.changed(values), reasons=reasons)
