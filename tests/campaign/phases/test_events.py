"""Schedule, weather and events of a turn."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.phases.events import amount_of, run_events, run_schedule
from cardbattle.campaign.phases.phase import Outcome, Situation
from cardbattle.campaign.state.changes import Change
from tests.support.marches import MARCHES, books

WEATHER = (
    '[weather]\ntable = [{ p = 3, name = "fair" }, { p = 2, name = "rain" }, { p = 1, name = "snow" }]\n'
)


def situation(text: str, turn: int = 4, seed: int = 1403) -> Situation:
    """Return the situation of the marches with more tables, in a turn."""
    start = MARCHES.replace("turn = 4", f"turn = {turn}").replace("seed = 1403", f"seed = {seed}")
    return Situation(books(f"{start}\n{text}").campaign, Ledger())


def changes_in(outcome: Outcome) -> list[Change]:
    return [change for cause in outcome.causes for change in cause.changes]


def test_a_plan_happens_in_its_turn_alone() -> None:
    plan = '[[schedule]]\nturn = 5\ntext = "Reinforced"\nchange = { "forces.percy.strength" = 3 }\n'
    happened = [len(run_schedule(situation(plan, turn)).causes) for turn in (4, 5, 6)]
    assert happened == [0, 1, 0]
    [cause] = run_schedule(situation(plan, 5)).causes
    assert (cause.kind, cause.text) == ("schedule", "Reinforced")
    assert list(cause.changes) == [Change(("forces", "percy", "strength"), 14, 17)]


def test_a_date_is_in_the_turn_of_the_calendar_that_has_it() -> None:
    calendar = (
        '[calendar]\nfirst_day = 1403-07-01\ndays = 7\n[[schedule]]\ndate = 1403-07-14\ntext = "Lammas"\n'
    )
    happened = [len(run_schedule(situation(calendar, turn)).causes) for turn in (1, 2, 3)]
    assert happened == [0, 1, 0]


def test_what_is_added_is_added_whole() -> None:
    plan = """[[schedule]]
turn = 4
add.force = { key = "gray", faction = "york", strength = 8, location = "shrewsbury" }
add.battle = { id = "ford", sides = ["gray", "stafford"] }
"""
    start = situation(plan)
    [cause] = run_schedule(start).causes
    after = start.after(cause.changes).campaign
    assert after.forces["gray"].strength == 8
    assert [battle.id for battle in after.pending] == ["bridge", "wood", "ford"]


def test_a_plan_that_adds_what_is_there_waits_for_the_umpire() -> None:
    plan = '[[schedule]]\nturn = 4\nadd.force = { key = "percy", faction = "york", strength = 8 }\n'
    outcome = run_schedule(situation(plan))
    assert outcome.waits == [
        'schedule 1: there is a force "percy" already; change its key, or remove the plan'
    ]
    assert not outcome.causes


@pytest.mark.slow
def test_weather_is_drawn_by_its_parts() -> None:
    drawn = [run_events(situation(WEATHER, turn)).causes[0].text for turn in range(200)]
    counts = {name: drawn.count(name) for name in ("fair", "rain", "snow")}
    assert sum(counts.values()) == 200
    assert 80 < counts["fair"] < 120
    assert 45 < counts["rain"] < 88
    assert 18 < counts["snow"] < 50


def test_a_condition_sees_the_weather_of_its_turn() -> None:
    event = WEATHER + '[[event]]\neach = "turn"\nwhen = "weather == \'snow\'"\ntext = "The pass is shut"\n'
    for turn in range(30):
        causes = run_events(situation(event, turn)).causes
        assert (len(causes) == 2) == (causes[0].text == "snow")


@pytest.mark.slow
def test_an_event_happens_as_often_as_its_chance_says() -> None:
    event = '[[event]]\neach = "turn"\nchance = "1/6"\ntext = "Fever"\n'
    happened = sum(len(run_events(situation(event, turn)).causes) for turn in range(300))
    assert 30 < happened < 70


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40))
def test_the_same_seed_gives_the_same_turn_whatever_other_events_there_are(seed: int, turn: int) -> None:
    fever = '[[event]]\neach = "turn"\nchance = "1/3"\ntext = "Fever"\n'
    other = '[[event]]\neach = "turn"\nchance = "1/2"\ntext = "Feast"\n'
    alone = [cause.text for cause in run_events(situation(fever, turn, seed)).causes]
    both = [cause.text for cause in run_events(situation(WEATHER + fever + other, turn, seed)).causes]
    assert alone == [text for text in both if text == "Fever"]
    assert both == [cause.text for cause in run_events(situation(WEATHER + fever + other, turn, seed)).causes]


def test_an_event_of_many_things_reaches_those_of_which_its_condition_holds() -> None:
    event = """[[event]]
turn = 4
where = "faction == 'york' and strength > 3"
change = { "forces.*.strength" = "-1/2" }
"""
    assert changes_in(run_events(situation(event))) == [Change(("forces", "percy", "strength"), 14, 7)]


def test_a_force_that_falls_below_the_limit_is_destroyed() -> None:
    event = '[[event]]\nturn = 4\nchange = { "forces.mortimer.strength" = -9 }\n'
    assert changes_in(run_events(situation(event))) == [
        Change(("forces", "mortimer", "strength"), 3, 0),
        Change(("forces", "mortimer", "destroyed"), None, True),
    ]


@pytest.mark.parametrize(("before", "share", "gain"), [(14, "-1/10", -1), (15, "-1/10", -2), (4, "1/10", 0)])
def test_a_share_is_rounded_to_the_nearest_and_halves_away_from_nothing(
    before: int, share: str, gain: int
) -> None:
    assert amount_of(before, Fraction(share)) == gain
