"""Laws of the turn, in random campaigns that use all of its tables."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.campaign.phases.aftermath import run_aftermath
from cardbattle.campaign.phases.turn_order import PHASES
from cardbattle.campaign.phases.upkeep import Network
from cardbattle.campaign.state.changes import apply_changes, is_battle, is_unit, undone
from cardbattle.campaign.state.model import read_campaign
from cardbattle.campaign.state.tables.march_orders import parse_order
from tests.support.tally import tried
from tests.support.turns import PlayedTurn, forces_that_changed, random_turn, without_units

SEEDS = st.integers(0, 2**32)
TURNS = 10_000  # of the heavy test
MAY_CHANGE_STRENGTH = (
    "schedule",
    "event",
    "battle",
    "declined",
    "aftermath",
    "supply",
    "recovery",
    "recruit",
)
MAY_MOVE = ("schedule", "movement", "aftermath")


def check_turn(seed: int) -> None:
    """Play one random turn, and check every law."""
    random = Random(seed)
    data = random_turn(random)
    played = PlayedTurn(data, random)
    every_phase_comes_out_the_same_again(played)
    strength_and_places_change_by_recorded_causes_alone(played)
    whatever_is_recorded_leaves_a_sound_campaign_that_undo_restores(played)
    a_turn_that_goes_on_after_its_last_phase_changes_nothing(played)
    each_contact_gives_one_battle(played)
    destroyed_forces_do_nothing(played)
    a_retreat_follows_one_road_to_a_place_without_enemies(played)
    a_place_falls_to_the_only_faction_in_it(played)
    nobody_recovers_out_of_supply_or_beyond_full_strength(played)
    soldiers_are_hired_for_money_alone(played)
    units_share_every_loss_and_gain(played)
    if seed % 4 == 0:
        units_change_nothing_else(played, PlayedTurn(without_units(data), after_data(seed)))
    tried("random turns")


def every_phase_comes_out_the_same_again(played: PlayedTurn) -> None:
    for phase in PHASES:
        if phase.name in played.outcomes:
            situation, outcome = played.outcomes[phase.name]
            assert phase.run(situation) == outcome


def a_turn_that_goes_on_after_its_last_phase_changes_nothing(played: PlayedTurn) -> None:
    """Run the aftermath again, as an interrupted turn does: a battle can have been recorded since."""
    if played.campaign.aftermath is not None:
        assert not run_aftermath(played.situation).causes


def strength_and_places_change_by_recorded_causes_alone(played: PlayedTurn) -> None:
    for step in played.steps:
        assert not forces_that_changed(step, "strength") or step.entry.kind in MAY_CHANGE_STRENGTH
        assert not forces_that_changed(step, "location") or step.entry.kind in MAY_MOVE
        for key, force in step.after.forces.items():
            before = step.before.forces.get(key)
            if before is not None:
                assert (before.strength == force.strength) == (
                    key not in forces_that_changed(step, "strength")
                )
                assert force.strength >= 0 and force.experience >= before.experience


def whatever_is_recorded_leaves_a_sound_campaign_that_undo_restores(played: PlayedTurn) -> None:
    for step in played.steps:
        assert read_campaign(step.after.data) == step.after
        assert apply_changes(step.after.data, undone(step.entry.changes)) == step.before.data
    changes = [change for step in played.steps for change in step.entry.changes]
    assert apply_changes(played.campaign.data, undone(changes)) == played.start.data


def each_contact_gives_one_battle(played: PlayedTurn) -> None:
    begun = [battle.id for battle in played.start.pending]
    for step in played.entries("contact"):
        new = [change.key[1] for change in step.entry.changes if is_battle(change.key)]
        assert new == [step.entry.id] and step.entry.id not in begun
        begun += new
    over = [step.entry.id for step in played.entries("battle", "declined")]
    assert sorted([*over, *(battle.id for battle in played.campaign.pending)]) == sorted(begun)


def destroyed_forces_do_nothing(played: PlayedTurn) -> None:
    for step in played.steps:
        for key, force in step.before.forces.items():
            if force.destroyed:
                assert step.after.forces[key].location == force.location
                assert step.after.forces[key].strength <= force.strength


def a_retreat_follows_one_road_to_a_place_without_enemies(played: PlayedTurn) -> None:
    for step in played.entries("aftermath"):
        for key in forces_that_changed(step, "location"):
            before, after = step.before.forces[key], step.after.forces[key]
            assert step.before.roads.length(before.location or "", after.location or "")
            assert after.strength <= before.strength
            enemies = [
                other
                for other in step.before.forces.values()
                if other.location == after.location
                and not (other.destroyed or other.towards)
                and step.before.are_enemies(other.faction, after.faction)
            ]
            assert not enemies


def a_place_falls_to_the_only_faction_in_it(played: PlayedTurn) -> None:
    for step in played.entries("capture"):
        for change in step.entry.changes:
            present = {
                force.faction
                for force in step.after.forces.values()
                if force.location == change.key[1] and not (force.destroyed or force.towards)
            }
            assert present == {change.after}


def nobody_recovers_out_of_supply_or_beyond_full_strength(played: PlayedTurn) -> None:
    hungry = {key for step in played.entries("supply") for key in forces_that_changed(step, "strength")}
    for step in played.entries("recovery"):
        network = Network(step.before)
        for key in forces_that_changed(step, "strength"):
            force = step.after.forces[key]
            assert network.is_supplied(force) and force.strength <= (force.full or 0)
            assert key not in hungry


def soldiers_are_hired_for_money_alone(played: PlayedTurn) -> None:
    """Each faction pays the price of its new soldiers, and gets no more than it ordered or can pay."""
    ordered = {key: parse_order(text).hires or 0 for key, text in played.start.orders.items()}
    for step in played.entries("recruit"):
        recruit = step.before.recruit
        assert recruit is not None
        for faction, part in step.before.factions.items():
            own = [key for key, force in step.before.forces.items() if force.faction == faction]
            gains = {key: step.after.forces[key].strength - step.before.forces[key].strength for key in own}
            after = step.after.factions[faction].purse
            assert part.purse - after == recruit.cost * sum(gains.values())
            assert after == part.purse or after >= 0
            for key, gain in gains.items():
                force = step.before.forces[key]
                assert 0 <= gain <= ordered.get(key, 0) and (recruit.most is None or gain <= recruit.most)
                if gain:
                    assert not (force.destroyed or force.towards)
                    place = step.before.locations[force.location or ""]
                    assert place.owner == faction and (place.supply or recruit.places == "own")
        assert not any(force.hires for force in step.after.forces.values())
    hired = {key for step in played.entries("recruit") for key in forces_that_changed(step, "strength")}
    tried("forces that hire", len(hired))


def units_share_every_loss_and_gain(played: PlayedTurn) -> None:
    for step in played.steps:
        for key, force in step.after.forces.items():
            before = step.before.forces.get(key)
            assert not force.units or sum(force.units.values()) == force.strength
            if before is not None:
                assert list(force.units) == list(before.units)
                sign = 1 if force.strength > before.strength else -1
                assert all(sign * (force.units[name] - n) >= 0 for name, n in before.units.items())


def units_change_nothing_else(played: PlayedTurn, plain: PlayedTurn) -> None:
    """Compare with the same turn without any units: its entries differ only in what they say of units."""
    assert len(played.steps) == len(plain.steps)
    for step, other in zip(played.steps, plain.steps, strict=True):
        changes = [change for change in step.entry.changes if not is_unit(change.key)]
        assert step.entry._replace(changes=changes) == other.entry


def after_data(seed: int) -> Random:
    """Return the random numbers that are left when the data of a turn have been drawn."""
    random = Random(seed)
    random_turn(random)
    return random


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_a_turn_keeps_its_laws(seed: int) -> None:
    check_turn(seed)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_if_all_hold_no_force_marches(seed: int) -> None:
    random = Random(seed)
    data = random_turn(random)
    data["orders"] = dict.fromkeys(data["forces"], "hold")
    played = PlayedTurn(data, random)
    moved = [key for step in played.entries("movement") for key in forces_that_changed(step, "location")]
    assert moved == []


def test_a_turn_that_goes_on_after_the_upkeep_captures_no_place_of_a_starved_force() -> None:
    random = Random(245)
    a_turn_that_goes_on_after_its_last_phase_changes_nothing(PlayedTurn(random_turn(random), random))


@pytest.mark.heavy
@pytest.mark.parametrize("part", range(10))
def test_many_turns_keep_their_laws(part: int) -> None:
    for seed in range(part * TURNS // 10, (part + 1) * TURNS // 10):
        check_turn(seed)
