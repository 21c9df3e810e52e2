"""The one definition of turning points: laws of the curve of a battle's chances."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import cache
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.record import Record
from cardbattle.battles.records.replay import refight
from cardbattle.battles.records.visible_steps import VisibleStep, boundaries, ordinal, steps_seen
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import stream
from cardbattle.rules import RULE_SETS, find
from cardbattle.simulation import turning_points as counting
from cardbattle.simulation.counting import WHOLE, points_from
from cardbattle.simulation.turning_points import (
    DECIDED,
    LEAST_CHANGE,
    MOST_TURNING_POINTS,
    Curve,
    CurveCount,
    change_of,
    curve,
    unheard,
)

BY_COST = [
    pytest.param(rules, marks=pytest.mark.heavy if rules == "warmonger" else pytest.mark.slow)
    for rules in RULE_SETS
]
WIDEST_OF_TEST = 0.2  # takes a sixteenth of the battles
MARGIN = 0.04  # of an estimate from the planted random numbers


def fought(rules: str, seed: int, **options: object) -> Record:
    """Return a battle of the usual sides between regular commanders."""
    keys = list(find(rules).default_sides)
    return fight_battle(read_battle(bare_battle(rules, keys) | options | {"seed": seed}))[0]


@cache
def draw(run: int) -> int:
    """Return the random number of a run, below 1000, the same for every position."""
    return stream("planted", f"{run}").below(1000)


class Planted(CurveCount):
    """A count in which the chance of seat 0 after each step is given, and independent of the battle."""

    chances_given: list[float]

    def count(self, at: int, battles: int) -> None:
        points = self.points.setdefault(at, [])
        for run in range(len(points), battles):
            is_won = draw(run) < 1000 * self.chances_given[at]
            points.append([WHOLE, 0] if is_won else [0, WHOLE])
            self.fought += 1
            self.choices[at] = self.choices.get(at, 0) + 1
        self.progress(self.spent, max(self.spent, round(self.expected)))


@cache
def planted_record() -> tuple[Record, VisibleStep]:
    """Return a battle, and its first step."""
    record = fought("field-of-honour", 1403)
    return record, next(iter(steps_seen(record, NOBODY)))


def planted(chances: list[float], most_choices: float = inf) -> Planted:
    """Return the count of a battle that the winner wins with these chances after its steps.

    Each battle from a step has one choice.
    """
    record, first = planted_record()
    steps = [first._replace(number=at + 1, words=f"place {at + 1}") for at in range(len(chances))]
    count = Planted(record, steps, NOBODY, unheard, most_choices)
    is_first = record.winning_seats == [0]
    count.chances_given = [chance if is_first else 1 - chance for chance in chances]
    return count


def found(chances: list[float]) -> list[int]:
    """Return the steps of the turning points in a battle with these chances of the winner."""
    return [turn.step for turn in planted(chances).curve().turning_points]


def test_a_planted_decisive_move_is_found_among_steps_that_change_nothing() -> None:
    for decisive in (2, 7, 20):
        assert found([0.4] * decisive + [0.7] * (21 - decisive)) == [decisive + 1]
    assert found([0.4] * 150 + [0.7] * 50) == [151]  # between positions that are examined at first


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 100), min_size=2, max_size=12))
def test_turning_points_are_the_largest_changes_of_ten_points_that_are_not_forced(percent: list[int]) -> None:
    """True for any course of the chances; within 4 points of a limit, the estimate decides."""
    chances = [each / 100 for each in [*percent, 100]]
    steps = found(chances)
    assert len(steps) <= MOST_TURNING_POINTS and steps == sorted(steps)
    changes = {step: chances[step - 1] - chances[step - 2] for step in range(2, len(chances) + 1)}

    def is_forced(step: int, margin: float) -> bool:
        return changes[step] > 0 and chances[step - 2] > DECIDED + margin

    for step in steps:
        assert abs(changes[step]) > LEAST_CHANGE - MARGIN
        assert not is_forced(step, MARGIN)
    smallest = min((abs(changes[step]) for step in steps), default=0.0)
    for step, change in changes.items():
        if step not in steps and not is_forced(step, -MARGIN):
            limit = smallest if len(steps) == MOST_TURNING_POINTS else LEAST_CHANGE
            assert abs(change) < limit + 2 * MARGIN


def test_at_most_three_turning_points_are_kept_in_order() -> None:
    assert found([0.5, 0.62, 0.3, 0.8, 0.2, 0.2, 1.0]) == [4, 5, 7]


def test_a_forced_end_is_no_turning_point_but_a_fall_from_certainty_is() -> None:
    assert found([0.3, 0.3, 0.95, 1.0]) == [3]
    assert found([0.89, 0.89, 1.0]) == [3]
    assert found([0.905, 0.905, 1.0]) == []
    assert found([0.97, 0.6, 0.6]) == [2]


def test_a_change_below_ten_points_is_no_turning_point() -> None:
    assert found([0.5, 0.57, 0.5, 0.57]) == []


def test_a_limit_keeps_only_the_turning_points_that_its_few_battles_support() -> None:
    """The larger change of the two has the wider interval. Without it, the smaller one is left out too."""
    chances = [0.4] * 3 + [0.7] * 3 + [0.58] * 3
    for most_choices, steps in ((1800, []), (2200, [4, 7]), (100_000, [4, 7])):
        count = planted(chances, most_choices)
        curve = count.curve()
        assert [turn.step for turn in curve.turning_points] == steps
        assert curve.is_partial == (most_choices < 100_000)
        assert count.spent < most_choices + 10


def test_the_limit_leaves_steps_of_a_long_battle_out() -> None:
    chances = [0.4] * 20 + [0.9] * 20
    curve = planted(chances, 1000).curve()
    assert [point.step for point in curve.points] == [1, 10, 20, 30, 40]
    assert (curve.turning_points, curve.battles, curve.is_partial) == ([], counting.FIRST, True)
    assert planted(chances, 100).curve() == counting.NO_CURVE._replace(is_partial=True)


@pytest.mark.slow
def test_without_a_limit_a_battle_has_the_curve_of_a_limit_that_it_does_not_reach() -> None:
    record = fought("field-of-honour", 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "WIDEST", 0.6)
        assert curve(record, 0, most_choices=counting.MOST_CHOICES) == curve(record, 0)


@pytest.mark.parametrize("rules", BY_COST)
def test_every_turning_point_is_known_well_and_large_and_not_forced(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("WIDEST", WIDEST_OF_TEST), ("FIRST", 24), ("CLOSER", 24)):
        monkeypatch.setattr(counting, name, value)
    record = fought(rules, 7)
    count = CurveCount(record, list(steps_seen(record, NOBODY)), NOBODY, unheard)
    for turn in count.curve().turning_points:
        at = turn.step - 1
        change = change_of(turn.side, count.points[at - 1], count.points[at])
        assert 2 * change.half_width < WIDEST_OF_TEST
        assert abs(change.mean) >= LEAST_CHANGE
        assert change.mean < 0 or turn.before <= 1000 * DECIDED
        assert turn.side in record.winning_seats or len(record.winning_seats) != 1


def test_a_step_that_decides_nothing_is_no_turning_point() -> None:
    """From a position with one option, every run ends as from the position after it."""
    steps = nulls = 0
    for seed in range(6):
        record = fought("wargame", seed)
        before: VisibleStep | None = None
        for step in steps_seen(record, None):
            if before is not None and before.battle.side != NOBODY and len(before.battle.options) == 1:
                runs = [points_from(at.battle, record.rules, None, "null", 0, 0, 8) for at in (before, step)]
                assert runs[0] == runs[1]
                nulls += 1
            before, steps = step, steps + 1
    assert steps > 100


@pytest.mark.parametrize("rules", BY_COST)
def test_the_same_record_has_the_same_curve_in_every_process(rules: str) -> None:
    record = fought(rules, 11)
    with ProcessPoolExecutor(1) as workers:
        for reader in (NOBODY, 0):
            assert workers.submit(quick_curve, record, reader).result() == quick_curve(record, reader)


def quick_curve(record: Record, reader: int | None) -> Curve:
    """Return a curve that takes a small part of the usual battles."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "WIDEST", 0.6)
        patch.setattr(counting, "FIRST", 4)
        patch.setattr(counting, "CLOSER", 8)
        return curve(record, reader)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_chances_follow_from_what_the_reader_sees(rules: str) -> None:
    """After any step, hidden cards can be exchanged for others: not one run ends otherwise.

    While a redeal takes back hidden choices, the exchanged battle stands at an earlier point: not compared.
    """
    compared = 0
    for seed in range(3):
        record = fought(rules, seed)
        stride = max(3, sum(1 for _ in boundaries(record)) // 20)
        for n, (battle, events, _) in enumerate(boundaries(record)):
            for viewer in range(NOBODY, len(record.sides)) if events and n % stride == 0 else ():
                twin = battle.redeal(viewer, stream(seed, f"twin/{n}/{viewer}"))
                if (twin.todo, twin.side) != (battle.todo, battle.side):
                    continue
                runs = [points_from(each, record.rules, viewer, "twin", 0, 0, 2) for each in (battle, twin)]
                assert runs[0] == runs[1]
                compared += 1
    assert compared > 20


def test_a_reader_has_no_curve_where_the_rules_cannot_redeal_for_them() -> None:
    record = fought("strategy-war", 3, house={"mode": "dark"})
    assert curve(record, NOBODY) == curve(record, 0) == counting.NO_CURVE
    assert quick_curve(record, None).points


@pytest.mark.slow
def test_steps_are_named_in_the_words_of_the_rule_set() -> None:
    """Each rule set has words of its own. The steps of the umpire, and of the public's log, are the same."""
    words = {rules: [step.words for step in steps_seen(fought(rules, 5), NOBODY)] for rules in RULE_SETS}
    assert "space 1, the reveal" in words["field-of-honour"]
    assert "fight 1, first attack" in words["wargame"]
    assert "round 3, the reveal" in words["strategy-war"]
    assert any(word.startswith("turn 2, ") for word in words["warfare-tactics"])
    assert any(word.startswith("skirmish 2") for word in words["warmonger"])
    for rules in RULE_SETS:
        record = fought(rules, 5)
        assert [step.number for step in steps_seen(record, None)] == [*range(1, len(words[rules]) + 1)]
        assert all(words[rules])
        tale = record.rules.tale(record.setup)
        logged = [tale.describe(event) for _, event in refight(record).events_for(NOBODY)]
        assert [step.words for step in steps_seen(record, NOBODY, logged=logged)] == words[rules]


def test_the_progress_ends_with_as_many_battles_as_expected() -> None:
    heard: list[tuple[int, int]] = []
    count = planted([0.5, 0.8, 1.0])
    count.progress = lambda done, of: heard.append((done, of))
    count.curve()
    assert heard[-1][0] == heard[-1][1] > 0
    assert all(done <= of for done, of in heard)
    assert heard == sorted(heard, key=lambda each: each[0])


def test_ordinals_are_words_up_to_ten() -> None:
    assert [ordinal(number) for number in (1, 10, 11, 13, 21, 103)] == [
        "first", "tenth", "11th", "13th", "21st", "103rd"
    ]  # fmt: skip
