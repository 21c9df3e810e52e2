"""The program and the second referee of movement agree on random wars, turn after turn."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from cardbattle.campaign.state.model import Campaign, read_campaign
from tests.referees.movement import Battle, Result, TooManyDrawsError, outcomes
from tests.referees.roads import Data, Roads
from tests.support.movement import moved

FACTIONS = ("york", "lancaster", "wales", "scots")


def random_war(dice: random.Random) -> dict[str, Any]:
    """Return the campaign file of a war on a map with few places, with some peace and some long roads."""
    places = [f"p{number}" for number in range(dice.randint(3, 10))]
    ends = [(place, dice.choice(places[:number])) for number, place in enumerate(places) if number]
    ends += [tuple(dice.sample(places, 2)) for _ in range(dice.randint(0, 6))]  # type: ignore[misc]
    roads = {
        frozenset(pair): {"between": list(pair), "length": dice.choice((1, 1, 1, 2, 3))} for pair in ends
    }
    factions = FACTIONS[: dice.randint(2, 4)]
    peace: dict[str, dict[str, list[str]]] = {faction: {"peace": []} for faction in factions}
    for faction in factions:
        if dice.random() < 0.2:
            peace[faction]["peace"] = [dice.choice([other for other in factions if other != faction])]
    return {
        "format": 1,
        "name": "The War",
        "turn": 1,
        "seed": dice.getrandbits(30),
        "rules": "field-of-honour",
        "factions": peace,
        "forces": {
            f"f{number}": {
                "faction": dice.choice(factions),
                "strength": dice.randint(0, 20),
                "location": dice.choice(places),
                **({"pace": dice.randint(0, 5)} if dice.random() < 0.2 else {}),
            }
            for number in range(dice.randint(4, 12))
        },
        "locations": {place: {"owner": dice.choice(factions)} for place in places},
        "road": list(roads.values()),
        "movement": {
            "allowance": dice.randint(1, 3),
            **({"stacking": dice.randint(1, 3)} if dice.random() < 0.5 else {}),
            **({"contact": "place"} if dice.random() < 0.2 else {}),
        },
        "visibility": {"location": dice.choice(("all", "all", "rough", "own"))},
        "weather": {
            "table": [{"p": 1, "name": f"w{steps}", "movement": steps} for steps in (-1, 0, 1)],
            "now": "w0",
        },
    }


def next_turn(data: Data, dice: random.Random) -> dict[str, Any]:
    """Return the campaign with new orders and weather; most battles and some rules are over."""
    forces, places = data["forces"], [*data["locations"]]
    orders = {key: random_order(dice, data, key, places) for key in forces if dice.random() < 0.6}
    movement = dict(data["movement"])
    if dice.random() < 0.1:
        movement["contact"] = dice.choice(("place", "road-and-place"))
    return {
        **data,
        "turn": data["turn"] + 1,
        "forces": {
            key: {**force, **({"destroyed": True} if dice.random() < 0.01 else {})}
            for key, force in forces.items()
        },
        "orders": orders,
        "movement": movement,
        "pending": [battle for battle in data.get("pending") or [] if dice.random() < 0.2],
        "weather": {**data["weather"], "now": dice.choice(("w-1", "w0", "w0", "w1"))},
    }


def random_order(dice: random.Random, data: Data, key: str, places: list[str]) -> str:
    """Return an order, which can be one that the force cannot carry out."""
    force = data["forces"][key]
    avoid = ", avoid battle" * (dice.random() < 0.4)
    is_for_ally = dice.random() < 0.3
    friends = [
        other
        for other, table in data["forces"].items()
        if other != key and (is_for_ally or table["faction"] == force["faction"])
    ]
    kind = dice.choice(("hold", "march", "march", "path", "join"))
    if kind == "join" and friends:
        return f"join {dice.choice(friends)}{avoid}"
    if kind == "path":
        roads = Roads(data)
        path = [dice.choice([force["location"], force.get("towards", force["location"])])]
        for _ in range(dice.randint(1, 4)):
            path.append(dice.choice([*roads.lengths[path[-1]]] if dice.random() < 0.97 else places))
        return f"{' -> '.join(path)}{avoid}"
    return f"hold{avoid}" if kind == "hold" else f"march to {dice.choice(places)}{avoid}"


def result_of(before: Campaign, after: Campaign) -> Result:
    """Return what the program says of a turn, in the form of the referee."""
    data: Data = after.data
    forces = {
        key: force
        for key, force in data["forces"].items()
        if "location" in force and not force.get("destroyed")
    }
    places = {
        key: Roads(data).point(force["location"], force["towards"], force["walked"])
        if force.get("towards")
        else (force["location"], "", 0)
        for key, force in forces.items()
    }
    marches = {
        (key, force["march"].removesuffix(", avoid battle").split()[-1])
        for key, force in forces.items()
        if force.get("march")
    }
    new = (data.get("pending") or [])[len(before.pending) :]
    return frozenset(places.items()), frozenset(map(battle_of, new)), frozenset(marches)


def battle_of(table: Data) -> Battle:
    sides = [frozenset([side] if isinstance(side, str) else side) for side in table["sides"]]
    defender = next((side for side in sides if table.get("defender") in side), None)
    return table.get("place") or "-".join(sorted(table["road"])), frozenset(sides), defender


def check_war(number: int, turns: int, counts: Counter[str]) -> None:
    """Compare some turns of a random war, and count them. Turns with too many draws are left out."""
    dice = random.Random(number)
    data = random_war(dice)
    for _ in range(turns):
        data = next_turn(data, dice)
        before = read_campaign(data)
        after = moved(before)[1]
        result = result_of(before, after)
        try:
            assert result in outcomes(data), f"random war {number}, turn {before.turn}"
        except TooManyDrawsError:
            counts["left out"] += 1
        counts["turns"] += 1
        counts["battles"] += len(result[1])
        data = dict(after.data)


def test_the_referee_agrees_with_some_turns() -> None:
    counts: Counter[str] = Counter()
    for number in range(3):
        check_war(number, 1, counts)
    assert counts["battles"]


@pytest.mark.slow
def test_the_referee_agrees_with_every_war() -> None:
    counts: Counter[str] = Counter()
    for number in range(1000):
        check_war(number, 5, counts)
    assert counts["turns"] == 5000
    assert counts["battles"] > 2000
    assert counts["left out"] < 50
