"""Laws of movement, in random campaigns that are small and crowded."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign.ledger.ledger import CONTACT, MOVEMENT, Ledger
from cardbattle.campaign.phases.movement.marcher import Position
from cardbattle.campaign.phases.movement.phase import run_movement
from cardbattle.campaign.phases.movement.planning import is_placed, position_of, steps_of
from cardbattle.campaign.phases.phase import Situation
from cardbattle.campaign.state.changes import Change, apply_changes, undone
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.campaign.state.tables.march_orders import AVOID, CORNERED, ENGAGED, failure_in
from cardbattle.campaign.state.tables.roads import Roads
from cardbattle.files.reader import table_or_empty
from tests.support.movement import FACTIONS, campaign_of, changes_in, moved, random_data

SEEDS = st.integers(0, 2**32)
TURNS = 12_000  # of the heavy test


def positions(campaign: Campaign) -> dict[str, Position]:
    """Return where each force is that is on the map."""
    return {key: position_of(force) for key, force in campaign.forces.items() if is_placed(campaign, key)}


def distance(roads: Roads, one: Position, other: Position) -> float:
    """Return how many steps lie between two positions."""
    if {*one.ends} == {*other.ends} and one.is_on_road and other.is_on_road:
        length = roads.length(*one.ends)
        walked = other.walked if one.place == other.place else length - other.walked
        return abs(one.walked - walked)
    return min(
        (
            first + last + between
            for start, first in exits(roads, one)
            for end, last in exits(roads, other)
            if (between := roads.distance(start, end)) is not None
        ),
        default=float("inf"),
    )


def exits(roads: Roads, at: Position) -> list[tuple[str, int]]:
    """Return the places next to a position, with the steps to them."""
    if not at.is_on_road:
        return [(at.place, 0)]
    return [(at.place, at.walked), (at.towards, roads.length(*at.ends) - at.walked)]


def check_laws(random: Random) -> None:
    """Move the forces of one random campaign, and check every law."""
    before = campaign_of(random)
    outcome, after = moved(before)
    arrival_order_never_matters(before, random, after)
    only_positions_and_orders_change(before, after)
    every_force_is_in_one_place_that_it_can_reach(before, after)
    each_contact_gives_one_battle(before, after)
    enemies_never_come_together_without_a_battle(before, after)
    no_place_holds_more_than_stacking_allows(before, after)
    changes = changes_in(outcome)
    who_fights_against_its_order_could_not_avoid_it(before, after, changes)
    assert read_campaign(apply_changes(after.data, undone(changes))) == before


def arrival_order_never_matters(before: Campaign, random: Random, after: Campaign) -> None:
    data = dict(before.data)
    for table in ("orders", "forces", "locations"):
        items = list(table_or_empty(data[table]).items())
        random.shuffle(items)
        data[table] = dict(items)
    roads = data["road"]
    assert isinstance(roads, list)
    data["road"] = random.sample(roads, len(roads))
    again = moved(read_campaign(data))[1]
    assert again.forces == after.forces
    assert again.pending == after.pending


def only_positions_and_orders_change(before: Campaign, after: Campaign) -> None:
    moving = ("location", "towards", "walked", "march")
    for key, force in before.forces.items():
        left, right = (part.model_dump(exclude={*moving}) for part in (force, after.forces[key]))
        assert left == right
    assert not after.orders
    assert after.locations == before.locations
    assert after.pending[: len(before.pending)] == before.pending


def every_force_is_in_one_place_that_it_can_reach(before: Campaign, after: Campaign) -> None:
    old, new = positions(before), positions(after)
    assert old.keys() == new.keys()
    for key, at in new.items():
        if at.is_on_road:
            assert 0 < at.walked < before.roads.length(*at.ends)
        assert distance(before.roads, old[key], at) <= steps_of(before, before.forces[key])
    for key, force in before.forces.items():
        if key not in old:
            assert after.forces[key].location == force.location


def each_contact_gives_one_battle(before: Campaign, after: Campaign) -> None:
    seen = in_battles(before)
    for battle in after.pending[len(before.pending) :]:
        forces = [force for side in battle.sides for force in side]
        assert not seen & {*forces}
        seen |= {*forces}
        sides = [{before.forces[force].faction for force in side} for side in battle.sides]
        assert len(sides) == 2
        assert sides[0].isdisjoint(sides[1])
        for side, others in (sides, sides[::-1]):
            assert not any(before.are_enemies(one, other) for one in side for other in side)
            assert all(any(before.are_enemies(one, other) for other in others) for one in side)
        assert (battle.place is None) == (battle.road is not None)
        assert battle.stakes == battle.place


def in_battles(campaign: Campaign) -> set[str]:
    """Return the forces in pending battles."""
    return {force for battle in campaign.pending for side in battle.sides for force in side}


def who_fights_against_its_order_could_not_avoid_it(
    before: Campaign, after: Campaign, changes: list[Change]
) -> None:
    pinned = in_battles(before)
    new = after.pending[len(before.pending) :]
    fighting = {force for battle in new for side in battle.sides for force in side}
    failures = {change.key[1]: failure_in(change.text) for change in changes if change.key[0] == "orders"}
    avoiding = {key for key, order in before.orders.items() if order.endswith(AVOID)}
    assert {key for key, failure in failures.items() if failure == CORNERED} == fighting & avoiding - pinned
    assert not {key for key, failure in failures.items() if failure == ENGAGED} & (fighting | pinned)


def enemies_never_come_together_without_a_battle(before: Campaign, after: Campaign) -> None:
    old, new = positions(before), positions(after)
    fights = [{force for side in battle.sides for force in side} for battle in after.pending]
    factions = {before.forces[key].faction for key in new}
    pinned = in_battles(before)
    for one, at in new.items():
        for other in new:
            hostile = before.are_enemies(before.forces[one].faction, before.forces[other].faction)
            if at.is_on_road or not hostile or new[other] != at:
                continue
            if (old[one] != at or old[other] != at) and pinned.isdisjoint((one, other)):
                together = any({one, other} <= fight for fight in fights)
                # of three factions in contact only the two strongest fight, and the others stand by
                near = any(battle.place == at.place for battle in after.pending)
                near = near or any({one, other} & fight for fight in fights)
                assert together or (len(factions) > 2 and near)


def no_place_holds_more_than_stacking_allows(before: Campaign, after: Campaign) -> None:
    assert before.movement is not None
    if not before.movement.stacking:
        return
    old, new = positions(before), positions(after)
    for faction in before.factions:
        for place in before.locations:
            counts = [
                sum(
                    at == Position(place) and before.forces[key].faction == faction
                    for key, at in where.items()
                )
                for where in (old, new)
            ]
            assert counts[1] <= max(before.movement.stacking, counts[0])


@pytest.mark.slow
@given(SEEDS)
def test_movement_keeps_its_laws(seed: int) -> None:
    check_laws(Random(seed))


@pytest.mark.heavy
def test_movement_keeps_its_laws_in_thousands_of_turns() -> None:
    for seed in range(TURNS):
        check_laws(Random(seed))


@given(SEEDS)
def test_nothing_moves_if_all_hold(seed: int) -> None:
    data = random_data(Random(seed))
    before = read_campaign({**data, "orders": dict.fromkeys(table_or_empty(data["forces"]), "hold")})
    after = moved(before)[1]
    assert after.forces == before.forces
    assert after.pending == before.pending


@given(SEEDS)
def test_at_peace_nobody_meets_and_no_order_fails(seed: int) -> None:
    """Each force then moves as if the others were not there."""
    data = random_data(Random(seed))
    movement = table_or_empty(data["movement"])
    factions = {key: {"peace": [other for other in FACTIONS if other > key]} for key in FACTIONS}
    free = {**data, "factions": factions, "movement": {"allowance": movement["allowance"]}}
    after = moved(read_campaign(free))[1]
    assert after.pending == read_campaign(free).pending
    pinned = in_battles(after)
    for key, at in positions(after).items():
        order = table_or_empty(data["orders"]).get(key, "hold")
        if key not in pinned and not str(order).startswith("join"):
            alone = {"forces": {key: table_or_empty(data["forces"])[key]}, "orders": {key: order}}
            assert position_of(moved(read_campaign({**free, **alone, "pending": []}))[1].forces[key]) == at


@given(SEEDS)
def test_a_movement_without_changes_is_recorded_too(seed: int) -> None:
    """Everyone may know whether the forces have moved, which must not show that a hidden force marched."""
    data = random_data(Random(seed))
    outcome = moved(read_campaign({**data, "orders": {}}))[0]
    assert [cause.kind for cause in outcome.causes if cause.kind != CONTACT] == [MOVEMENT]


@given(SEEDS)
def test_movement_is_a_function_of_campaign_and_seed(seed: int) -> None:
    campaign = campaign_of(Random(seed))
    assert run_movement(Situation(campaign, Ledger())) == run_movement(Situation(campaign, Ledger()))
