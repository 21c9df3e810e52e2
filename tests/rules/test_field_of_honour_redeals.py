"""Redeals of Field of Honour, compared with all deals that fit what the viewer knows."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from math import sqrt
from pathlib import Path

import pytest

from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import whole_refight
from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.chance import stream
from cardbattle.rules.field_of_honour import RULES
from cardbattle.rules.field_of_honour.battle import SPACES, VALUES, FieldOfHonour
from cardbattle.testing import Trial
from cardbattle.testing.distribution import redeals_have_the_distribution_of_deals
from tests.rules.test_field_of_honour import cards, dealt, field, field_of, referee, setup

REDEALS = 1500
Cell = tuple[tuple[int, ...], ...]


@pytest.mark.parametrize("extra", ["", "RJ AS"])
def test_all_deals_are_equally_likely_before_the_lines(extra: str) -> None:
    """The enemy does not know which cards a side has as extra cards."""
    number = len(cards(extra))
    whole = dealt(setup({"hand": 47}, {"hand": 5 - number, "extra": cards(extra)}, dealer="south"))
    deals_are_equally_likely(field_of(referee(whole)), 0)


@pytest.mark.slow
def test_the_law_of_redeals_deals_hidden_extra_cards_too() -> None:
    """The law compares redeals with deals that look the same to a side. It does not know extra cards."""
    whole = dealt(setup({"hand": 48}, {"hand": 3, "extra": cards("RJ AS")}, dealer="south"))
    redeals_have_the_distribution_of_deals(Trial(RULES, whole, 0))


@pytest.mark.slow
@pytest.mark.parametrize("known", ["", "KS", "3S", "2S 5S", "2S 8S 3S 5S"])
def test_all_deals_are_equally_likely_with_pairs_face_down(known: str) -> None:
    """The viewer can know some cards of the enemy, but not where they lie."""
    battle = field("10S 2S+8S 3S+5S KS 6S", hands=("7S", "QH"), stack="2C")
    battle.begun_openly[0] = cards(known)
    deals_are_equally_likely(battle, 1)


def deals_are_equally_likely(battle: FieldOfHonour, viewer: int) -> None:
    """Compare redeals with all deals that fit, by a chi-square test of a few standard deviations.

    Source of the scale: E. B. Wilson and M. M. Hilferty, The distribution of chi-square, 1931.
    """
    expected = cells_of_all_deals(battle, viewer)
    total = expected.total()
    chance = stream(1, "redeals")
    redeals = Counter(cell_of(battle.redeal(viewer, chance), viewer) for _ in range(REDEALS))
    assert redeals.keys() <= expected.keys()
    chi_square = sum(redeals[cell] ** 2 * total / (n * REDEALS) for cell, n in expected.items()) - REDEALS
    freedom = len(expected) - 1
    spread = 2 / (9 * freedom)
    assert ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread) < 4


def places_face_down(battle: FieldOfHonour, viewer: int) -> list[int]:
    first = SPACES * (1 - viewer)
    return [at for at in range(first, first + SPACES) if battle.spaces[at] and not battle.shown[at]]


def cell_of(battle: FieldOfHonour, viewer: int) -> Cell:
    """Return the enemy's face-down pairs, or its hand if it has none."""
    contents = [battle.spaces[at] for at in places_face_down(battle, viewer)]
    return cell([cards for cards in contents if len(cards) == 2] or [battle.hands[1 - viewer]])


def cell(piles: Sequence[Sequence[int]]) -> Cell:
    return tuple(tuple(sorted(pile)) for pile in piles)


def cells_of_all_deals(battle: FieldOfHonour, viewer: int) -> Counter[Cell]:
    """Count the orders of the hidden cards that fit what the viewer knows (FH-7), by cell."""
    enemy = 1 - viewer
    down = [len(battle.spaces[at]) for at in places_face_down(battle, viewer)]
    pairs = down.count(2)
    hidden = [card for at in places_face_down(battle, viewer) for card in battle.spaces[at]]
    hidden += battle.hands[enemy]
    size = len(hidden)
    counts: Counter[Cell] = Counter()
    for order in permutations(hidden + battle.stack):
        in_pairs = [order[2 * n : 2 * n + 2] for n in range(pairs)]
        fits = all(VALUES[a] + VALUES[b] <= 10 for a, b in in_pairs)
        if fits and not set(battle.begun_openly[enemy]) & set(order[size:]):
            counts[cell(in_pairs or [order[:size]])] += 1
    return counts


@pytest.mark.parametrize("viewer", [0, 1, NOBODY])
def test_a_redeal_of_a_battle_with_real_cards_deals_the_cards_that_nobody_saw(viewer: int) -> None:
    """They are as hidden as the others: no card is known to stay away, and none comes back or comes twice."""
    table = Path("tests/simulation/field-of-honour-at-the-table.toml").read_text(encoding="utf-8")
    boundaries = whole_refight(read_record(tomllib.loads(table)), keeps_boundaries=True).boundaries
    for boundary in boundaries:
        battle = boundary.battle
        assert isinstance(battle, FieldOfHonour)
        gone = {card for pile in battle.dealt for card in pile} - {*cards_of(battle)}
        for n in range(5):
            again = cards_of(battle.redeal(viewer, stream(n, "table")))
            assert UNKNOWN not in again and len(again) == len(set(again)) and gone.isdisjoint(again)


def cards_of(battle: FieldOfHonour) -> list[int]:
    """Return the cards in the hands, in the spaces and in the stack."""
    return [card for pile in [*battle.hands, *battle.spaces, battle.stack] for card in pile]
