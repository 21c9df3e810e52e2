"""Field of Honour: what elite commanders learned, what it knows, and how it came about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cardbattle.commanders.search import SearchCommander
from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.chance import stream
from cardbattle.core.numeric.lanes import HALF, unshrunk
from cardbattle.rules.field_of_honour import RULES, evaluation, learned
from cardbattle.rules.field_of_honour.battle import (
    OPEN,
    PICK,
    PLACE,
    SPACES,
    FieldOfHonour,
    FieldView,
)
from research import learned_field_of_honour as learning
from research.learned_field_of_honour import (
    LESSONS,
    ONE,
    Decisions,
    Lesson,
    Network,
    Trial,
    facts_of_specials,
)
from tests.rules.test_field_of_honour import dealt, field, fresh, offered, referee, say, setup

SPACE, HELD, HANDS = [1] * 18, [4, 4, 4, 4, 2], [44, 34, 20]
SEEN = [5, 75, *[1] * 4, *[15] * 4, 4, 4, 1, 1, 1, 4, *[32] * 4, 16]
AFTER = [*[1] * 30, 40, 40, 20, 1, 1, 1, *HELD, 20, 1, 1, 1, *[40] * 4, 1, 40, 1, *[9] * 4]
MOST = {"specials": [*SPACE, *HELD, *HANDS, *SEEN, *AFTER], "lines": [*[1] * 60, *HELD, *HELD, 5, 1]}
CHANCE = stream(1, "learned")


def answered(battle: FieldOfHonour) -> str:
    """Return in words what was learned to be best."""
    return offered(battle)[learned.choose(battle.fast_view(battle.side), CHANCE)]


def special_questions(battles: int, numbers: tuple[int, int] = (10, 10)) -> Iterator[FieldOfHonour]:
    """Yield battles that ask for a special, fought by any choices."""
    chance = stream(2, "any")
    for seed in range(battles):
        battle = fresh(numbers, seed)
        while battle.side != NOBODY:
            if battle.question >= OPEN:
                yield battle
            battle.choose(chance.below(len(battle.options)))


def view_of(battle: FieldOfHonour) -> FieldView:
    """Return what the side knows that is asked."""
    view = battle.fast_view(battle.side)
    assert isinstance(view, FieldView)
    return view


def test_the_facts_are_as_many_as_the_networks_have_rows_for() -> None:
    found = 0
    for battle in special_questions(60):
        view = view_of(battle)
        assert len(evaluation.common_facts(view)) == evaluation.SHARED
        for facts in facts_of_specials(view):
            found += 1
            assert len(facts) == evaluation.SPECIAL_FACTS
            limits = zip(facts, MOST["specials"], strict=True)
            assert all(-evaluation.FAR <= fact <= most for fact, most in limits)
    assert found > 1000
    trial = Trial(1, RULES.learned)
    for line in trial.lines():
        facts = trial.facts_of_line(line)
        assert len(facts) == evaluation.LINE_FACTS
        assert sum(facts[: evaluation.PAIRS]) == SPACES
        cards = sum(facts[evaluation.PAIRS : evaluation.LAID]) + SPACES + facts[evaluation.IN_HAND]
        assert cards == len(trial.view.hand)


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda lesson: lesson.name)
def test_no_sum_leaves_its_lane(lesson: Lesson) -> None:
    """With facts as large as any battle with hands of ten has them, all that speak for a number together."""
    facts, bias, second, below, _ = parts_of(lesson)
    most = np.array(MOST[lesson.name])[:, None]
    least = -np.minimum(most, evaluation.FAR)
    up, down = (np.maximum(facts * most * sign, facts * least * sign).sum(axis=0) for sign in (1, -1))
    assert max((up + bias).max(), (down - bias).max()) < HALF
    first = np.maximum(up + bias, 0)
    later = [first @ np.maximum(sign * second, 0) + sign * below * ONE for sign in (1, -1)]
    assert max(each.max() for each in later) < HALF


def parts_of(lesson: Lesson) -> list[np.typing.NDArray[np.int64]]:
    """Return the whole numbers that the package reads: of facts, biases, second, biases, last."""
    left = np.frombuffer(unshrunk(lesson.file.read_bytes()), "<i2").astype(np.int64)
    facts, first, second, _ = lesson.widths
    found = []
    for shape in ((facts, first), (first,), (first, second), (second,), (second,)):
        found.append(left[: np.prod(shape)].reshape(shape))
        left = left[np.prod(shape) :]
    assert not len(left)
    return found


def network_and_reckoner(lesson: Lesson) -> tuple[Network, evaluation.Network]:
    """Return a network that learned nothing yet, and what the package makes of its numbers."""
    network = Network(lesson.widths, np.linspace(1, 5, lesson.widths[0]).astype(np.float32))
    numbers = np.frombuffer(network.rounded(), "<i2")
    return network, evaluation.Network(lesson.widths[:3], [int(number) for number in numbers])


def test_what_was_learned_is_what_the_package_reckons() -> None:
    """Rounded as the files have it, choices differ as they do for the network that learned."""
    network, reckoner = network_and_reckoner(LESSONS["specials"])
    for battle in special_questions(5):
        view = view_of(battle)
        wanted = network.worths(np.array(facts_of_specials(view), np.int8))
        assert np.array(reckoner.worths_of_specials(view)) / ONE**3 == pytest.approx(wanted, abs=0.1)
    network, reckoner = network_and_reckoner(LESSONS["lines"])
    trial = Trial(1, RULES.learned)
    hand, is_first = trial.view.hand, trial.view.first == trial.view.side
    for line in trial.lines():
        wanted = network.worths(np.array([trial.facts_of_line(line)], np.int8))[0]
        worth = reckoner.worth_of_line(line, learned.remaining_hand(hand, line), is_first)
        assert worth / ONE**3 == pytest.approx(wanted, abs=0.05)


def test_it_learns_what_wins() -> None:
    """Where the option with one fact always wins, and luck decides beside that."""
    lots = np.random.default_rng(3)
    facts = (lots.random((9000, 84)) < 0.3).astype(np.int8)
    firsts = np.arange(0, 9000, 3)
    worths = (facts[:, 7] + np.repeat(lots.random(3000), 3)).astype(np.float32)
    decisions = Decisions(facts, worths, np.arange(9000) % 3 == 0, firsts)
    network = Network([84, 64, 32, 1], np.ones(84, np.float32))
    assert decisions.gain(worths)[0] == pytest.approx(35.7, abs=3)  # 1 - 0.7**3 of them less 0.3
    for step in range(60):
        begin = step % 10 * 300
        network.learn(decisions.some(begin, begin + 300), step, 0.01)
    assert decisions.gain(network.worths(facts))[0] > 33


def test_what_is_tried_is_kept_and_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choices of a decision stand together, one of them is the usual one, and learning writes the files."""
    for name, value in {"BATTLES": 4, "ITERATIONS": 20, "LINE_BATTLES": 2, "FURTHER": 20}.items():
        monkeypatch.setattr(learning, name, value)
    for doing in LESSONS:
        learning.main(doing, tmp_path, ["1", "3"], None)
        learning.main(doing, tmp_path, ["9", "3"], RULES.learned)
        decisions = learning.decisions_in(sorted(tmp_path.glob(f"{doing}-*.npz")))
        assert set(decisions.worths) <= {0, 0.25, 0.5, 0.75, 1}
        assert list(np.add.reduceat(decisions.usual * 1, decisions.firsts)) == [1] * len(decisions.firsts)
        assert decisions.counts.min() >= 2
        lesson = LESSONS[doing]._replace(rounds=1, batch=2)
        monkeypatch.setitem(LESSONS, doing, lesson)
    monkeypatch.setattr(Lesson, "file", property(lambda lesson: tmp_path / f"{lesson.name}.bin"))
    learning.main("learn", tmp_path, [], None)
    assert all(
        lesson.file.parent == tmp_path and lesson.file.stat().st_size > 1000 for lesson in LESSONS.values()
    )


@pytest.mark.parametrize(
    ("hand", "last", "best"),
    [("QD", "KH", "play QD swap"), ("KD", "6H", "play KD rally"), ("JD", "9D", "play JD double")],
)
def test_the_last_special_that_wins_the_battle_is_played(hand: str, last: str, best: str) -> None:
    """Both have won as many spaces, and the enemy has no answer."""
    battle = field("9S 10S 9C 6D 6S", f"10H 9H 8H 7H {last}", (hand, ""))
    while battle.space < SPACES:
        say(battle, "pass")
    assert answered(battle) == best


def best_line(view: FieldView) -> list[int]:
    """Return the line that was learned to be best."""
    return learned.best_line(view.hand, [], view.first == view.side)


def test_no_line_near_the_best_one_is_worth_more() -> None:
    for seed in range(5):
        trial = Trial(seed, RULES.learned)
        best = best_line(trial.view)
        near = learned.lines_near(best, 0, trial.view.hand)
        assert trial.worth(best) >= max(trial.worth(line) for line in near)


def test_a_line_is_laid_as_it_was_found_space_by_space() -> None:
    """Also where another content than the best lies in front."""
    for seed in range(5):
        battle = fresh((10, 10), seed)
        side, found = battle.side, best_line(view_of(battle))
        for choice in found:
            assert battle.options[learned.choose(view_of(battle), CHANCE)] == choice
            battle.choose(battle.options.index(choice))
        assert battle.side != side
        other = fresh((10, 10), seed)
        other.choose(other.options.index(found[-1]))
        while other.side == side and other.question == PLACE:
            other.choose(learned.choose(view_of(other), CHANCE))
        assert other.spaces[SPACES * side + SPACES - 1]


def test_a_line_of_more_cards_was_never_learned() -> None:
    battle = fresh((11, 10))
    assert learned.choose(view_of(battle), CHANCE) == learned.NOT_LEARNED


def test_nothing_is_known_of_other_questions_or_of_cards_that_nobody_wrote_down() -> None:
    picking = FieldOfHonour()
    picking.begin(0, [[], []], [1, 0], [10, 10], list(range(8, 60)), fresh().random_source)
    picking.run()
    assert picking.question == PICK
    assert learned.choose(picking.fast_view(0), CHANCE) == learned.NOT_LEARNED
    for battle in (fresh(), next(special_questions(1))):
        view = battle.view(battle.side)
        assert isinstance(view, FieldView)
        assert learned.choose(view, CHANCE) >= 0
        view.hand = [*view.hand, UNKNOWN]
        assert learned.choose(view, CHANCE) == learned.NOT_LEARNED


def test_elite_commanders_go_by_it_and_veterans_think_ahead() -> None:
    judge = referee(dealt(setup()))
    commanders = [SearchCommander(RULES, stream(1, key), 10, is_elite=True) for key in judge.setup.seats]
    while not judge.battle.is_over():
        answer = commanders[judge.battle.side].answer(judge.seat)
        assert answer == judge.seat.answer_by(learned.choose, CHANCE)
        judge.choose(answer)
    assert SearchCommander(RULES, stream(1, "side"), 10).learned is None
