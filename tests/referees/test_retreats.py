"""The program and the second referee of retreats agree after the battles of random turns."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cardbattle.campaign.phases.aftermath import run_aftermath
from cardbattle.campaign.state.model import read_campaign
from tests.campaign.phases.test_retreat_laws import after_battles, last_roads
from tests.referees.retreats import Retreats
from tests.support.movement import random_data

MOST = 4  # beaten forces of a battle, whose orders of retreat are all tried


def put_side_by_side(random: Random, data: dict[str, Any]) -> None:
    """Put forces, which can be enemies, on the same points of long roads."""
    roads = [road for road in data["road"] if road["length"] > 1]
    forces = [force for force in data["forces"].values() if "location" in force]
    for road in random.sample(roads, min(2, len(roads))):
        (one, other), length = road["between"], road["length"]
        walked = random.randint(1, length - 1)
        for force in random.sample(forces, min(3, len(forces))):
            ends = random.choice(((one, other, walked), (other, one, length - walked)))
            force.update(zip(("location", "towards", "walked"), ends, strict=True))


def check_turn(number: int, *, is_side_by_side: bool = False) -> int:
    """Compare the retreats of a random turn, and return how many forces retreat."""
    random = Random(number)
    data = random_data(random)
    if is_side_by_side:
        put_side_by_side(random, data)
    data["aftermath"] = {"retreat": random.choice(("nearest-own", "previous")), "no_retreat": "stays"}
    before = read_campaign(data)
    roads = last_roads(before)
    situation, battles = after_battles(before, random)
    winners = {entry.id: entry.result.winners for entry in situation.entries if entry.result}
    campaign = situation.campaign
    retreats = 0
    for cause in run_aftermath(situation).causes:
        after = campaign.after(cause.changes)
        battle = battles.get(cause.id)
        if battle and (battle.place or battle.road):
            [beaten] = [side for side in battle.sides if side[0] not in winners[cause.id]]
            enemies = [key for side in battle.sides if side is not beaten for key in side]
            places = {
                key: str(after.forces[key].location)
                for key in beaten
                if after.forces[key].location != campaign.forces[key].location
                or after.forces[key].towards != campaign.forces[key].towards
            }
            table = {"place": battle.place, "road": battle.road}
            referee = Retreats(campaign.data, table, roads)
            assert len(beaten) > MOST or places in referee.outcomes(beaten, enemies), f"{number}, {cause.id}"
            retreats += len(places)
        campaign = after
    return retreats


def test_the_referee_agrees_with_some_retreats() -> None:
    assert sum(map(check_turn, (8, 12))) == 2


@pytest.mark.slow
def test_the_referee_agrees_with_every_retreat() -> None:
    assert sum(map(check_turn, range(2000))) > 400


@pytest.mark.slow
def test_the_referee_agrees_with_retreats_of_enemies_at_one_point_of_a_road() -> None:
    assert sum(check_turn(number, is_side_by_side=True) for number in range(1000)) > 150
