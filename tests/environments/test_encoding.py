"""Observations of fixed width: what they contain, and what they hide."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import cardbattle
from cardbattle.core.chance import stream
from cardbattle.core.errors import InvalidInput
from cardbattle.core.stepping import SteppedBattle
from cardbattle.environments.encoding import EMPTY, NOTHING, SIZES, WARMONGERS, Layout, rewards
from cardbattle.rules import RULE_SETS, find
from tests.support.guides import ROOT

GUIDE = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([\w-]+)` \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)


def layout_of(battle: SteppedBattle, scale: int = 1) -> Layout:
    """Return the layout of a battle's observations."""
    return Layout(battle.rules, len(battle.seats), scale)


def positions(key: str, seed: int, most: int = 60) -> Iterator[SteppedBattle]:
    """Play a battle, half of the choices at random and half by the regular commander; yield each question."""
    battle, chance = cardbattle.battle(key, seed=seed), stream(seed, "choices")
    for _ in range(most):
        if battle.side is None:
            return
        yield battle
        machine = battle.machine
        if chance.below(2):
            battle.choose(chance.below(len(battle.options)))
        else:
            battle.choose(battle.rules.regular(machine.view(machine.side), chance))


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_position_of_a_usual_battle_has_an_observation_of_the_same_width(key: str) -> None:
    layout = layout_of(cardbattle.battle(key, seed=1))
    for battle in positions(key, 1):
        for side in battle.seats:
            observation = layout.observe(battle, side)
            assert len(observation) == layout.width == len(layout.names())
            assert all(EMPTY <= value < 2**15 for value in observation)
        assert battle.side is not None
        assert sum(layout.mask(battle, battle.side)) == len(battle.options)


@pytest.mark.heavy
@pytest.mark.parametrize("key", RULE_SETS)
def test_no_usual_battle_outgrows_its_width(key: str) -> None:
    layout = layout_of(cardbattle.battle(key, seed=1))
    for seed in range(300):
        for battle in positions(key, seed, layout.decisions):
            assert battle.side is not None
            layout.observe(battle, battle.side)
            layout.mask(battle, battle.side)


@pytest.mark.parametrize("key", RULE_SETS)
def test_an_observation_is_the_same_in_a_redeal(key: str) -> None:
    """So it shows nothing that the side does not know."""
    for battle in positions(key, 2, 25):
        layout = layout_of(battle)
        for side in battle.seats:
            redealt = battle.redeal(side, 7)
            if redealt.side == battle.side:
                assert layout.observe(redealt, side) == layout.observe(battle, side)


@pytest.mark.parametrize("key", RULE_SETS)
def test_other_views_have_other_observations(key: str) -> None:
    """The observation leaves out nothing of the view."""
    seen: dict[tuple[int, ...], str] = {}
    for battle in positions(key, 3, 40):
        for side in battle.seats:
            observation = tuple(layout_of(battle).observe(battle, side))
            view = f"{battle.scores} {side} {battle.side == side} {battle.view_table(side)}"
            assert seen.setdefault(observation, view) == view


def test_values_are_those_of_the_view() -> None:
    battle = cardbattle.battle("wargame", seed=1)
    layout = layout_of(battle)
    side = battle.side
    assert side is not None
    values = dict(zip(layout.names(), layout.observe(battle, side), strict=True))
    seat = battle.seats.index(side)
    table = battle.view_table(side)
    hands = table["hand"]
    assert isinstance(hands, list)
    hand = [int(card) for card in hands[seat]]
    assert values["seat"] == seat
    assert [values[f"hand[{seat}][{at}]"] for at in range(13)] == hand + [EMPTY] * (13 - len(hand))
    assert values["line[0][0]"] == NOTHING
    assert values["places"] == table["places"]


def test_the_side_that_is_not_asked_has_no_actions_and_no_question() -> None:
    battle = cardbattle.battle("wargame", seed=1)
    layout = layout_of(battle)
    other = next(side for side in battle.seats if side != battle.side)
    assert sum(layout.mask(battle, other)) == 0
    assert dict(zip(layout.names(), layout.observe(battle, other), strict=True))["question"] == 0


def test_a_battle_with_more_cards_needs_a_greater_scale() -> None:
    battle = cardbattle.battle("field-of-honour", seed=1, south={"hand": 40})
    with pytest.raises(InvalidInput, match="write a greater scale"):
        layout_of(battle).observe(battle, "south")
    assert len(layout_of(battle, 2).observe(battle, "south")) == layout_of(battle, 2).width


def test_a_question_with_more_options_needs_a_greater_scale() -> None:
    battle = cardbattle.battle("warfare-tactics", seed=1)
    layout = layout_of(battle)
    layout.actions = 1
    assert battle.side is not None
    with pytest.raises(InvalidInput, match=r"\d+ options are more than the actions; write a greater scale"):
        layout.mask(battle, battle.side)


def test_the_names_of_warmonger_cards_are_those_of_the_box() -> None:
    battle = cardbattle.battle("warmonger", seed=1)
    names = {battle.rules.card_text(card) for card in battle.rules.cards_in(battle.machine)}
    assert {name for name in names if len(name) > 3} == set(WARMONGERS)


@pytest.mark.parametrize(
    ("winners", "given"), [([], [0.0, 0.0]), (["a", "b"], [0.0, 0.0]), (["b"], [-1.0, 1.0])]
)
def test_rewards_add_up_to_nothing(winners: list[str], given: list[float]) -> None:
    assert list(rewards(["a", "b"], winners).values()) == given


def test_the_guide_states_the_widths() -> None:
    stated = {row[1]: tuple(map(int, row.group(2, 3, 4))) for row in ROW.finditer(GUIDE)}
    measured = {}
    for key in SIZES:
        sides = len(find(key).default_sides)
        layout = Layout(find(key), sides)
        measured[key] = (sides, layout.actions, layout.width)
    assert stated == measured
