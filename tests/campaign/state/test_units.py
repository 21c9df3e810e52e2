"""Units share what their force loses and gains: never more or less, and where the losses fell."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign.state.tables.units import Casualties, hits, share_out, units_after_rest, units_at
from tests.support.marches import MARCHES, books

STRENGTHS = st.lists(st.integers(0, 30), min_size=1, max_size=6)
PLACES = st.lists(st.integers(0, 9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), max_size=8)
UNITS = st.dictionaries(st.text("abc", min_size=1, max_size=3), st.integers(0, 30), min_size=1, max_size=6)


@given(st.data(), STRENGTHS, st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_shares_add_up_and_fit(data: st.DataObject, room: list[int], weights: list[int]) -> None:
    amount = data.draw(st.integers(0, sum(room)))
    exact = list(map(Fraction, weights[: len(room)]))
    shares = share_out(amount, exact, room)
    assert sum(shares) == amount
    assert all(0 <= share <= most for share, most in zip(shares, room, strict=True))
    total = sum(exact)
    quotas = [amount * weight / total for weight in exact] if total else []
    if all(quota <= most for quota, most in zip(quotas, room, strict=False)):
        assert all(abs(share - quota) < 1 for share, quota in zip(shares, quotas, strict=False))


@pytest.mark.slow
@given(STRENGTHS, PLACES)
def test_what_was_hit_adds_up_to_what_was_lost(strengths: list[int], places: list[tuple[int, int]]) -> None:
    hit = hits(strengths, places)
    assert all(0 <= each <= strength for each, strength in zip(hit, strengths, strict=True))
    lost, whole = sum(lost for lost, _ in places), sum(stood for _, stood in places)
    assert sum(hit) == (Fraction(sum(strengths) * lost, whole) if lost else sum(strengths))


@pytest.mark.slow
@given(UNITS, st.integers(0, 200), PLACES)
def test_units_add_up_to_any_strength(
    units: dict[str, int], strength: int, places: list[tuple[int, int]]
) -> None:
    after = units_at(units, strength, Casualties(places))
    assert list(after) == list(units)
    assert sum(after.values()) == strength
    grows = strength >= sum(units.values())
    assert all(after[name] >= 0 and (after[name] >= units[name]) == (grows or after[name] == units[name])
               for name in units)  # fmt: skip


@given(UNITS, UNITS, st.integers(0, 60))
def test_a_rest_fills_units_in_order(units: dict[str, int], full: dict[str, int], gain: int) -> None:
    after = units_after_rest(units, full, gain)
    assert sum(after.values()) == sum(units.values()) + gain
    short = [name for name in units if after[name] < full.get(name, 0)]
    standing = sorted(units, key=lambda name: units[name] == 0)
    for name in short:  # nobody behind it was filled, and nobody got more than is full
        assert all(after[other] == units[other] for other in standing[standing.index(name) + 1 :])
        assert all(after[other] <= max(units[other], full.get(other, 0)) for other in units)


def test_reported_losses_come_before_places() -> None:
    units = {"archers": 4, "spears": 4}
    places = [(1, 1), (0, 1)]
    assert units_at(units, 5, Casualties(places)) == {"archers": 1, "spears": 4}
    assert units_at(units, 5, Casualties(places, {"spears": 3})) == {"archers": 4, "spears": 1}


def test_the_units_give_the_strength() -> None:
    text = MARCHES.replace(
        "strength = 14   # men-at-arms", 'units = { "St. Albans bows" = 9, Spears = 5 }  # men-at-arms'
    )
    assert books(text).campaign.forces["percy"].strength == 14
