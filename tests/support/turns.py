"""Random campaigns that use every table of the turn, and random battles between their phases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, Entry
from cardbattle.campaign.ledger.operations import battle_operation, decline_battle
from cardbattle.campaign.phases.names import AFTERMATH, BATTLES
from cardbattle.campaign.phases.phase import Outcome, Phase, Situation
from cardbattle.campaign.phases.turn_order import PHASES
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.battle_result import BattleResult, result_digest
from cardbattle.campaign.state.model import Campaign, Pending, read_campaign
from tests.support.movement import random_data

SHARES = ("0", "1/10", "1/4", "1/2", "1")
LOSSES = ("0", "1/5", "2/5", "3/5", "4/5", "1")
LEFT, DECLINED = 0.1, 0.15  # chances that a battle stays pending, or is declined


def random_turn(random: Random) -> dict[str, Any]:
    """Return the data of a campaign in which a turn is due: crowded, with orders and all kinds of tables."""
    data: dict[str, Any] = dict(random_data(random))
    turn, optional = data["turn"], random_tables(random)
    data |= {word: table for word, table in optional.items() if random.random() < 0.8}
    for place in data["locations"].values():
        place |= {"value": random.randint(0, 3), "supply": random.random() < 0.4}
        if random.random() < 0.1:
            del place["owner"]
        if "terrain" in data and random.random() < 0.3:
            place["terrain"] = "town"
    for force in data["forces"].values():
        if "experience" in data:
            force["experience"] = random.randint(0, 7)
        if random.random() < 0.5:
            force["full"] = force["strength"] + random.randint(0, 6)
        force["commander"] = random.choice(("green", "regular", "seasoned"))
        if random.random() < 0.5:
            force |= {"leader": "Sir Someone", "deputy": "green"}
    data["schedule"] = [random_plan(random, data, turn + random.choice((0, 0, 1)))]
    data["event"] = [random_event(random), random_event(random)]
    for force in data["forces"].values():
        if random.random() < 0.5:
            give_units(random, force)
    give_hirings(Random(f"hire {data['seed']} {turn}"), data)
    return data


def give_hirings(random: Random, data: dict[str, Any]) -> None:
    """Let soldiers be hired in one of two campaigns: set a price, fill the purses, and add to the orders.

    The numbers are from a stream of their own, so that the rest of a campaign stays as it is.
    """
    if random.random() < 0.5:
        return
    data["recruit"] = {"cost": random.randint(1, 4), "places": random.choice(("supply", "own"))}
    data["recruit"] |= {"most": random.randint(0, 4)} if random.random() < 0.3 else {}
    for faction in data["factions"].values():
        faction["purse"] = random.randint(-2, 15)
    for key in data["forces"]:
        if random.random() < 0.6:
            order = data["orders"].get(key)
            hiring = f"hire {random.randint(0, 6)}"
            data["orders"][key] = f"{order}, {hiring}" if order else hiring


def give_units(random: Random, force: dict[str, Any]) -> None:
    """Give a force one to three units that add up to its strength, which the file can then leave out."""
    cuts = sorted(random.randint(0, force["strength"]) for _ in range(random.randint(0, 2)))
    ends = [0, *cuts, force["strength"]]
    strengths = [high - low for low, high in pairwise(ends)]
    force["units"] = dict(zip(("archers", "spears", "Old Guard"), strengths, strict=False))
    if random.random() < 0.3:
        del force["strength"]


def without_units(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a campaign's data without units, each force with its strength."""
    forces = {}
    for key, force in data["forces"].items():
        units = force.get("units", {})
        plain = {word: value for word, value in force.items() if word != "units"}
        forces[key] = ({"strength": sum(units.values())} if units else {}) | plain
    return {**data, "forces": forces}


def random_tables(random: Random) -> dict[str, object]:
    """Return the tables of a turn that have settings."""
    return {
        "scoring": {"win": 2, "draw": 1, "declined": random.choice((-1, 0, 1))},
        "attrition": {"rate": random.choice(SHARES), "destroyed_below": random.randint(0, 3)},
        "aftermath": {
            "retreat": random.choice(("nearest-own", "previous", "none", "nearest-own")),
            "pursuit": random.choice(SHARES[:4]),
            "no_retreat": random.choice(("destroyed", "stays", "surrenders")),
            "capture": random.random() < 0.7,
            "leader_killed": random.choice(SHARES),
            "leader_captured": random.choice(SHARES),
            "exchange": random.random() < 0.5,
        },
        "experience": {
            "battle": random.randint(0, 2),
            "win": random.randint(0, 2),
            "steps": [
                {"at": 3, "title": "blooded", "commander": "seasoned"},
                {"at": 6, "title": "old guard", "give": {"hand": 1}},
            ],
        },
        "supply": {"range": random.randint(0, 3), "out_of_supply": random.choice(SHARES)},
        "recovery": {"rate": random.choice(SHARES)},
        "income": {"per_value": random.randint(0, 2), "to": random.choice(("points", "purse"))},
        "weather": {
            "table": [
                {"p": 2, "name": "fair"},
                {"p": 1, "name": "snow", "movement": -1, "recovery": 0},
            ]
        },
        "terrain": {"town": {"field-of-honour": {"defender": {"hand": 1}}}},
    }


def random_plan(random: Random, data: dict[str, Any], turn: int) -> dict[str, object]:
    """Return a plan for a turn: a new force, or values that change."""
    place = random.choice([*data["locations"]])
    if random.random() < 0.5:
        force = {"key": "late", "faction": "york", "strength": random.randint(1, 9), "location": place}
        return {"turn": turn, "text": "A late arrival", "add": {"force": force}}
    return {"turn": turn, "text": "Levies", "change": {"forces.*.strength": random.randint(1, 3)}}


def random_event(random: Random) -> dict[str, object]:
    """Return something that can happen, with a chance or a condition."""
    event: dict[str, object] = {"each": "turn", "text": "Fever", "change": {"forces.*.strength": "-1/5"}}
    if random.random() < 0.5:
        event["chance"] = random.choice(("1/2", "1/6", "1/1"))
    if random.random() < 0.5:
        event["where"] = "strength > 6"
    if "where" not in event and random.random() < 0.3:
        event |= {"text": "A gift", "change": {"factions.york.points": 1}}
    return event


class Step(NamedTuple):
    """One thing that a turn records: the phase, the entry, and the campaign before and after it."""

    phase: str
    entry: Entry
    before: Campaign
    after: Campaign


class PlayedTurn:
    """A turn played in memory: each phase in order, with a random result for each battle.

    Attributes:
        steps: everything that was recorded, in order.
        campaign: as the last phase has left it.

    """

    def __init__(self, data: dict[str, object], random: Random) -> None:
        self.random = random
        self.situation = Situation(read_campaign(data), EMPTY_LEDGER)
        self.start = self.situation.campaign
        self.steps: list[Step] = []
        self.outcomes: dict[str, tuple[Situation, Outcome]] = {}
        for phase in PHASES:
            if phase.name == BATTLES:
                self.fight()
            elif phase.is_on(self.campaign):
                self.run(phase)

    @property
    def campaign(self) -> Campaign:
        return self.situation.campaign

    def run(self, phase: Phase) -> None:
        """Run a phase and record what it comes to."""
        outcome = phase.run(self.situation)
        self.outcomes[phase.name] = (self.situation, outcome)
        if phase.name == AFTERMATH:
            assert not outcome.waits
        for cause in outcome.causes if not outcome.waits else ():
            self.record(phase.name, cause.entry())

    def record(self, phase: str, entry: Entry) -> None:
        before = self.campaign
        after = self.situation.after(entry.changes)
        self.situation = after._replace(entries=[*after.entries, entry])
        self.steps.append(Step(phase, entry, before, self.campaign))

    def fight(self) -> None:
        """Record a random result for each pending battle; some are declined, some stay pending."""
        for battle in list(self.campaign.pending):
            chance = self.random.random()
            if chance < LEFT:
                continue
            if chance < DECLINED:
                decliner = self.random.choice(battle.keys)
                operation = decline_battle(self.campaign, battle.id, [decliner])
            else:
                result = random_result(self.random, battle)
                fought = BattleResult(battle.id, result, result_digest(battle.id, result))
                operation = battle_operation(self.campaign, EMPTY_LEDGER, fought, [], "")
            self.record(BATTLES, operation.entry)

    def entries(self, *kinds: str) -> Iterator[Step]:
        """Yield the steps of these kinds."""
        return (step for step in self.steps if step.entry.kind in kinds)


def random_result(random: Random, battle: Pending) -> Result:
    """Return a result of a battle: a winner, or a draw, with any losses."""
    winners = [] if random.random() < 0.15 else [random.choice(battle.keys)]
    return Result(
        winners,
        {key: SideResult(random.randint(0, 5), Fraction(random.choice(LOSSES))) for key in battle.keys},
    )


def forces_that_changed(step: Step, word: str) -> Sequence[str]:
    """Return the forces for which a step changes this value."""
    return [
        change.key[1]
        for change in step.entry.changes
        if change.key[0] == "forces" and change.key[2:] == (word,)
    ]
