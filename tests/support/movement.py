"""Random campaigns whose forces have orders to move, for the laws of movement."""

from __future__ import annotations

from random import Random
from typing import Any

from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.phases.movement.phase import run_movement
from cardbattle.campaign.phases.phase import Outcome, Situation
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign, read_campaign

FACTIONS = ("york", "lancaster", "wales")


def random_data(random: Random) -> dict[str, object]:
    """Return the data of a small crowded campaign: many forces on few places, with orders of every kind."""
    places = [f"p{n}" for n in range(random.randint(2, 7))]
    roads: list[dict[str, Any]] = [
        {"between": [one, places[random.randrange(n)]], "length": random.choice((1, 1, 1, 2, 3))}
        for n, one in enumerate(places)
        if n
    ]
    known = {frozenset(road["between"]) for road in roads}
    for _ in range(random.randint(0, 4)):
        ends = random.sample(places, 2)
        if frozenset(ends) not in known:
            known.add(frozenset(ends))
            roads.append({"between": ends, "length": random.choice((1, 1, 2))})
    factions = FACTIONS[: random.choice((2, 2, 2, 3))]
    forces: dict[str, dict[str, object]] = {}
    for n in range(random.randint(2, 10)):
        force: dict[str, object] = {"faction": random.choice(factions), "strength": random.randint(0, 20)}
        if random.random() < 0.95:
            force["location"] = random.choice(places)
        if random.random() < 0.2:
            force["pace"] = random.randint(0, 4)
        if random.random() < 0.05:
            force["destroyed"] = True
        on_long = [road for road in roads if force.get("location") in road["between"] and road["length"] > 1]
        if on_long and random.random() < 0.3:
            road = random.choice(on_long)
            [other] = [end for end in road["between"] if end != force["location"]]
            force |= {"towards": other, "walked": random.randint(1, road["length"] - 1)}
        forces[f"f{n}"] = force
    movement: dict[str, object] = {"allowance": random.randint(1, 3)}
    if random.random() < 0.4:
        movement["stacking"] = random.randint(1, 3)
    if random.random() < 0.2:
        movement["contact"] = "place"
    orders = {
        key: random_order(random, places, list(forces), key, str(force.get("location", places[0])), roads)
        for key, force in forces.items()
        if random.random() < 0.9
    }
    table: dict[str, object] = {
        "format": 1,
        "name": "The March",
        "turn": random.randint(1, 9),
        "seed": random.randint(0, 10**6),
        "rules": "field-of-honour",
        "factions": {key: peace_of(random, key) for key in FACTIONS},
        "forces": forces,
        "locations": {place: {"owner": random.choice(factions)} for place in places},
        "road": roads,
        "movement": movement,
        "orders": orders,
    }
    pinned = [key for key, force in forces.items() if force.get("location") and not force.get("destroyed")]
    foes = [(a, b) for a in pinned for b in pinned if forces[a]["faction"] != forces[b]["faction"]]
    if foes and random.random() < 0.1:
        table["pending"] = [{"id": "old", "sides": list(random.choice(foes))}]
    return table


def peace_of(random: Random, key: str) -> dict[str, object]:
    """Return the table of a faction, which can be at peace with another."""
    others = [other for other in FACTIONS if other != key]
    return {"peace": [random.choice(others)]} if random.random() < 0.1 else {}


def random_order(
    random: Random, places: list[str], forces: list[str], key: str, start: str, roads: list[dict[str, Any]]
) -> str:
    """Return an order that a force may or may not be able to carry out."""
    others = [force for force in forces if force != key]
    kind = random.choice(("hold", "march", "march", "path", "path", "join"))
    avoid = ", avoid battle" * (random.random() < 0.4)
    if kind == "join":
        return f"join {random.choice(others)}{avoid}"
    if kind == "march":
        return f"march to {random.choice(places)}{avoid}"
    if kind == "hold":
        return f"hold{avoid}"
    path = [start]
    for _ in range(random.randint(1, 4)):
        ends = [end for road in roads for end in road["between"] if path[-1] in road["between"]]
        path.append(random.choice([end for end in ends if end != path[-1]] or places))
    return f"{' -> '.join(path if len(path) > 1 else [*path, places[-1]])}{avoid}"


def campaign_of(random: Random) -> Campaign:
    """Return a random campaign with orders."""
    return read_campaign(random_data(random))


def moved(campaign: Campaign) -> tuple[Outcome, Campaign]:
    """Return what the phase of movement comes to, and the campaign after it."""
    outcome = run_movement(Situation(campaign, Ledger()))
    after = campaign
    for cause in outcome.causes:
        after = after.after(cause.changes)
    return outcome, after


def changes_in(outcome: Outcome) -> list[Change]:
    """Return all changes of a phase."""
    return [change for cause in outcome.causes for change in cause.changes]
