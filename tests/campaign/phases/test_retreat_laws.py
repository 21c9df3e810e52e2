"""Laws of retreats, after the battles of random campaigns that are small and crowded."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from cardbattle.campaign.exchange.order_book import Taken, orders_operation
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, Entry, Ledger, with_hash
from cardbattle.campaign.ledger.operations import plan_import
from cardbattle.campaign.phases.aftermath import battle_causes, run_aftermath
from cardbattle.campaign.phases.movement.marcher import Marcher, Position
from cardbattle.campaign.phases.movement.phase import run_movement, terms_of
from cardbattle.campaign.phases.movement.planning import plan_movement, position_of
from cardbattle.campaign.phases.movement.walk import Walk
from cardbattle.campaign.phases.phase import Situation
from cardbattle.campaign.state.changes import Key
from cardbattle.campaign.state.model import Campaign, Pending, read_campaign
from cardbattle.campaign.storage.store import append_entries
from cardbattle.campaign.turn.retreat_choices import known_ways, open_retreats, places_to_name
from cardbattle.core.names import listed
from tests.support.marches import books, decided
from tests.support.movement import random_data

TURNS = 400
MANY_TURNS = 20_000  # of the heavy test


class Walker(Marcher):
    """A force that keeps all of its positions in a turn."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "at":
            self.__dict__.setdefault("positions", []).append(value)
        super().__setattr__(name, value)


def last_roads(campaign: Campaign) -> dict[str, frozenset[str]]:
    """Return the road that each force uses last in the movement of a turn, by walking it."""
    plan = plan_movement(campaign)
    walkers = [Walker(**vars(marcher)) for marcher in plan.marchers]
    Walk(walkers, terms_of(Situation(campaign, EMPTY_LEDGER))).walk()
    roads: dict[str, frozenset[str]] = {}
    for walker in walkers:
        positions = walker.__dict__["positions"]
        for one, other in pairwise(positions):
            if one != other:
                roads[walker.key] = frozenset({*one.ends, *other.ends})
    assert all(len(road) == 2 for road in roads.values()), listed(map(str, roads.values()))
    return roads


def after_battles(before: Campaign, random: Random) -> tuple[Situation, dict[str, Pending]]:
    """Return the situation after the movement and the battles of a turn, and the battles by id.

    The winner of each battle is drawn.
    """
    entries: list[Entry] = []
    campaign = before
    for cause in run_movement(Situation(campaign, EMPTY_LEDGER)).causes:
        entries.append(cause.entry())
        campaign = campaign.after(cause.changes)
    battles = {}
    for battle in campaign.pending:
        sides = [side[0] for side in battle.sides]
        if any(campaign.forces[key].strength == 0 for side in battle.sides for key in side):
            continue
        lost = decided(battle.id, random.choice(sides), **dict.fromkeys(sides, "0"))
        [operation] = plan_import(books()._replace(campaign=campaign), EMPTY_LEDGER, [lost]).operations
        battles[battle.id] = battle
        entries.append(operation.entry)
        campaign = campaign.after(operation.entry.changes)
    return Situation(campaign, EMPTY_LEDGER, entries), battles


def retreats_of(before: Campaign, random: Random) -> list[tuple[Position, str, list[str], Campaign]]:
    """Return the position, the new place and the enemies of each force that retreats, and the campaign."""
    situation, battles = after_battles(before, random)
    campaign = situation.campaign
    retreats = []
    for cause in run_aftermath(situation).causes:
        for change in cause.changes:
            if change.key[2:] == ("location",) or change.key[2:] == ("towards",):
                force = change.key[1]
                enemies = [key for side in battles[cause.id].sides if force not in side for key in side]
                after = campaign.after(cause.changes).forces[force]
                retreats.append((position_of(campaign.forces[force]), str(after.location), enemies, campaign))
        campaign = campaign.after(cause.changes)
    return retreats


def check_laws(random: Random) -> int:
    """Check the retreats of a random turn, and return their number."""
    data = random_data(random)
    data["aftermath"] = {"retreat": random.choice(("nearest-own", "previous")), "no_retreat": "stays"}
    before = read_campaign(data)
    roads = last_roads(before)
    retreats = retreats_of(before, random)
    for at, place, enemies, campaign in retreats:
        if at.is_on_road:
            for enemy in (campaign.forces[key] for key in enemies if not campaign.forces[key].destroyed):
                there = position_of(enemy)
                assert there != Position(place)
                if {*there.ends} == {*at.ends}:
                    assert steps_to(campaign, there, place) >= steps_to(campaign, at, place)
        else:
            assert all(roads.get(enemy) != frozenset({at.place, place}) for enemy in enemies)
    return len(retreats)


def steps_to(campaign: Campaign, at: Position, place: str) -> int:
    return at.walked if at.place == place else campaign.roads.length(*at.ends) - at.walked


@pytest.mark.slow
def test_no_retreat_goes_along_the_road_that_an_enemy_used_last() -> None:
    assert sum(check_laws(Random(seed)) for seed in range(TURNS)) > TURNS // 10


@pytest.mark.heavy
def test_no_retreat_goes_along_the_road_that_an_enemy_used_last_in_thousands_of_turns() -> None:
    for seed in range(MANY_TURNS):
        check_laws(Random(seed))


def check_choices(random: Random) -> tuple[int, int]:
    """Choose the retreats of a random turn one by one, and return how many are chosen and how many reserved.

    No choice leaves a force without a way out that had only one place before the choice.
    """
    data = random_data(random)
    data["aftermath"] = {"retreat": "choose", "no_retreat": "surrenders"}
    situation, _ = after_battles(read_campaign(data), random)
    choices: dict[str, str] = {}
    reserved: set[str] = set()
    while True:
        situation = situation._replace(choices=choices)
        after = battle_causes(situation)
        for question in (*after.questions, *after.forced):
            assert question.choice or question.places or question.force not in reserved, question
        open_questions = [question for question in after.questions if not question.choice]
        if not open_questions:
            break
        reserved = {each.force for each in open_questions if len(each.places) == 1}
        reserved |= {each.force for each in after.forced if each.choice}
        question = random.choice(open_questions)
        choices[question.force] = random.choice(question.places)
    return len(choices), len(reserved)


@pytest.mark.slow
def test_no_choice_of_a_retreat_takes_the_only_way_out_of_another_force() -> None:
    numbers = [check_choices(Random(seed)) for seed in range(TURNS)]
    assert sum(chosen for chosen, _ in numbers) > TURNS // 40 and any(only for _, only in numbers)


@pytest.mark.heavy
def test_no_choice_of_a_retreat_takes_the_only_way_out_in_thousands_of_turns() -> None:
    for seed in range(MANY_TURNS):
        check_choices(Random(seed))


def longer(ledger: Ledger, entry: Entry) -> Ledger:
    """Return the ledger with one more entry."""
    numbered = entry._replace(revision=ledger.whole_entries + 1, time="2026-11-25T09:46:00Z")
    return append_entries(ledger, [with_hash(numbered, ledger.last_check)])


def check_offers(random: Random) -> tuple[int, int]:
    """Answer the retreat questions of a random turn with places that their messages offer.

    A message offers a place only if the answer is accepted now, or if the player cannot know better: a hidden
    enemy closes the place, or one that marched in a circle, and the place was not refused to this player
    before. Return the numbers of chosen and of refused answers.
    """
    data = random_data(random)
    data["aftermath"] = {"retreat": "choose", "no_retreat": "stays"}
    seen = random.choice(("all", "rough", "own"))
    data["visibility"] = {"location": seen, "pending": seen if seen == "all" else "own"}
    situation, _ = after_battles(read_campaign(data), random)
    campaign, ledger = situation.campaign, EMPTY_LEDGER
    for entry in situation.entries:
        ledger = longer(ledger, entry)
    refused: set[tuple[str, str]] = set()
    chosen = 0
    while questions := open_retreats(campaign, ledger):
        for question in questions:
            offered = places_to_name(known_ways(ledger, question))
            assert {*question.places} <= {*offered}, question
            for place in {*offered} - {*question.places}:
                is_hidden = seen != "all" or question.refused[place] == "is where the enemy came from"
                assert is_hidden and (question.force, place) not in refused, question
        question = random.choice(questions)
        force, place = question.force, random.choice(places_to_name(known_ways(ledger, question)))
        is_possible = place in question.places
        values: dict[Key, object] = {("forces", force, "retreat"): place} if is_possible else {}
        taken = Taken(values, [], [], closed={} if is_possible else {force: [place]})
        entry = orders_operation(campaign, taken).entry
        chosen += is_possible
        refused |= set() if is_possible else {(force, place)}
        campaign = campaign.after(entry.changes)
        ledger = longer(ledger, entry)
    return chosen, len(refused)


@pytest.mark.slow
def test_an_offered_retreat_is_accepted_or_was_never_refused_to_its_player() -> None:
    numbers = [check_offers(Random(seed)) for seed in range(TURNS)]
    assert sum(chosen for chosen, _ in numbers) > TURNS // 10 and any(refused for _, refused in numbers)


@pytest.mark.heavy
def test_an_offered_retreat_is_accepted_or_was_never_refused_in_thousands_of_turns() -> None:
    for seed in range(MANY_TURNS // 4):
        check_offers(Random(seed))
