"""A story describes the greatest turning point in detail, and calls no other event decisive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from cardbattle.battles.records.reader_view import Report
from cardbattle.core.telling import Episode, Fact, Name, Points, conditions
from cardbattle.rules import RULE_SETS
from cardbattle.simulation.turning_points import Curve, CurvePoint, TurningPoint
from cardbattle.story.language import phrases_of
from cardbattle.story.rotation import Ordinals
from cardbattle.story.stakes import Stakes
from cardbattle.story.story import FEWEST, MOST, Story, compared, sentences_in, tell_story
from cardbattle.story.turning import CLAIMS, Turn, after_fact, end_of_episode, episode_at, turns_of
from tests.story.test_story import report

EFFECTS = (
    "turn_regained", "turn_further", "turn_briefly", "turn_turned", "turn_open", "turn_ahead", "turn_sealed",
    "turn_tied", "turn_shaken", "turn_slipped",
)  # fmt: skip
CHANCES = ((300, 700), (100, 400), (500, 950), (600, 200), (500, 650))


def curve_with(event: int, side: int, before: int, after: int) -> Curve:
    """Return a curve of a battle of two sides with one turning point, at an event."""

    def point(step: int, events: int, chance: int) -> CurvePoint:
        return CurvePoint(step, step, events, [1000 - chance, chance] if side else [chance, 1000 - chance])

    turn = TurningPoint(2, 2, event + 1, side, before, after, "")
    return Curve([point(1, event, before), point(2, event + 1, after)], [turn], 100)


def told(rules: str, seed: int, step: int) -> Iterator[tuple[Report, Turn, Story]]:
    """Yield the story of a battle for a turning point in every `step`th of its episodes."""
    seen = report(rules, seed)
    plot = seen.rules.plot(seen.setup, [event for _, event in seen.events])
    assert plot is not None
    side = seen.winners[0]
    for at, episode in [*enumerate(plot.episodes)][::step]:
        for event in {episode.first, *episode.moments, episode.last}:
            before, after = CHANCES[(at + event) % len(CHANCES)]
            curve = curve_with(event, side, before, after)
            (turn,) = turns_of(curve, plot.episodes, seen.winners)
            yield seen, turn, tell_story(seen, curve=curve)


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_a_story_describes_the_turning_point_once_and_calls_nothing_else_decisive(step: int) -> None:
    for rules in RULE_SETS:
        lines = phrases_of("en", rules)
        effects = {line for kind in EFFECTS for line in lines[kind]}
        claims = {line for kind in CLAIMS for line in lines.get(kind, ())}
        for seed in (1,) if step > 1 else (1, 2):
            for seen, turn, story in told(rules, seed, step):
                last = [*story.events][-1]
                named = [at for at, phrase in enumerate(story.phrases) if phrase in effects]
                plot = seen.rules.plot(seen.setup, [event for _, event in seen.events])
                assert plot is not None
                end = end_of_episode(plot.episodes, turn.at)
                first = plot.episodes[turn.at].first
                described = [event for event in story.events if first <= event < end]
                assert described, (rules, seed, turn, story.text)
                assert len(named) <= 1 and last == len(seen.events) - 1
                assert FEWEST <= sum(map(sentences_in, story.sentences)) <= MOST + 1, story.text
                if named:
                    assert first <= story.events[named[0]] < end
                    assert not claims & {*story.phrases[: named[0]]}


@pytest.mark.slow
def test_a_story_in_a_campaign_announces_no_turning_point() -> None:
    """Players read its stories one after the other, and tire of battles that turn each time."""
    named = Counter[tuple[int, bool]]()
    for rules in RULE_SETS:
        effects = {line for kind in EFFECTS for line in phrases_of("en", rules)[kind]}
        seen = report(rules, 1)
        plot = seen.rules.plot(seen.setup, [event for _, event in seen.events])
        assert plot is not None
        for episode, after, number in product(plot.episodes[1:-1:3], (650, 950), (None, Ordinals(5, 5))):
            curve = curve_with(episode.last, seen.winners[0], 400, after)
            phrases = tell_story(seen, Stakes(ordinals=number), curve=curve).phrases
            named[after, number is not None] += bool(effects & {*phrases})
    assert named[650, True] == named[950, True] == 0 < min(named[650, False], named[950, False])


@pytest.mark.parametrize("event", [0, 3])
def test_an_event_between_two_episodes_is_in_neither(event: int) -> None:
    episodes = [Episode([], None, [0], [1, 0], 1, 2, 0), Episode([], None, [0], [2, 0], 4, 5, 0)]  # type: ignore[arg-type]
    assert episode_at(episodes, event) is None
    assert [episode_at(episodes, at) for at in (1, 2, 4, 5)] == [0, 0, 1, 1]


def test_two_battles_in_a_row_have_another_plot_if_there_are_two_turning_points() -> None:
    """A tie that leaves the points on the table is the turning point of every second story at most."""
    nothing = Fact("", {})
    episodes = [
        Episode([nothing], nothing, [], [0, 0], 0, 1, 0),
        Episode([nothing], nothing, [0], [5, 0], 2, 3, 0),
    ]
    tie, win = curve_with(1, 0, 300, 600), curve_with(3, 0, 600, 850)
    both = Curve([*tie.points, *win.points], [*tie.turning_points, *win.turning_points], 100)
    turns = [turns_of(both, episodes, [0], number) for number in range(4)]
    assert [[turn.at for turn in each] for each in turns] == [[0, 1], [1, 0], [0, 1], [1, 0]]


def test_no_sentence_says_that_a_success_made_the_chances_of_its_side_worse() -> None:
    """Readers take that for a contradiction, because the story cannot show why the success was a mistake."""
    nothing = Fact("", {})
    episodes = [
        Episode([nothing], nothing, [winner], [at, at], 2 * at, 2 * at + 1, 0)
        for at, winner in enumerate((0, 1, 1, 0))
    ]
    for before in (400, 650):
        (turn,) = turns_of(curve_with(5, 0, before, 790), episodes, [0])
        assert after_fact(turn, episodes, 2) == []
        assert after_fact(turn._replace(winners=[0]), episodes, 2)


def test_the_side_in_the_lead_is_never_called_the_likelier_to_lose() -> None:
    """Its cards can be worse, but the story has mentioned only the score."""
    nothing = Fact("", {})
    episodes = [Episode([nothing], nothing, [0], [at + 1, 0], 2 * at, 2 * at + 1, 0) for at in range(4)]
    for before, after, behind in (
        (300, 700, "turn_turned"),
        (300, 500, "turn_open"),
        (500, 700, "turn_ahead"),
    ):
        (turn,) = turns_of(curve_with(3, 0, before, after), episodes, [0])
        assert turn.is_ahead
        assert after_fact(turn, episodes, 2) == []
        is_behind = turn._replace(is_ahead=False)
        assert [fact.kind for fact in after_fact(is_behind, episodes, 2)] == [behind]
        assert after_fact(is_behind._replace(is_quiet=True), episodes, 2) == []


def test_the_score_before_a_turning_point_continues_the_last_one_of_the_story() -> None:
    def score(kind: str, side: int, lead: int, behind: int) -> Fact:
        return Fact(kind, {"side": Name(side), "rival": Name(1 - side), "lead": lead, "behind": behind})

    told = [score("now_ahead", 0, 68, 31), Fact("spent", {"side": Name(1)})]
    for before, kind in (
        (score("turn_before", 0, 68, 63), "turn_before_closer"),
        (score("turn_before", 0, 80, 45), "turn_before"),
        (score("turn_before", 1, 70, 68), "turn_before_passed"),
        (Fact("turn_before", {"even": 68}), "turn_before"),
    ):
        assert compared(before, told).kind == kind
        assert compared(before, []).kind == compared(before, told[1:]).kind == "turn_before"
    promise = Fact("lines_ahead", {"side": Name(0), "rival": Name(1), "mine": 9, "other": 4})
    assert compared(score("turn_before", 0, 2, 1), [promise]).kind == "turn_before"
    led = Fact("had_led", {"side": Name(0), "rival": Name(1), "mine": 132, "other": 20})
    assert compared(score("turn_before", 0, 101, 100), [led]).kind == "turn_before_closer"
    lead = Fact("taken", {"side": Name(1), **conditions(back=True)})  # who leads has just been said
    assert compared(score("turn_before", 1, 70, 68), [*told, lead]).kind == "turn_before"
    gain = Fact("took", {"side": Name(1), "pot": Points(32)})  # so it was this that made up ground
    assert compared(score("turn_before", 0, 68, 63), [*told, gain]).kind == "turn_before"


def test_a_story_says_only_near_the_end_that_a_battle_is_as_good_as_won() -> None:
    """Said in the first half, it would give the end away."""
    nothing = Fact("", {})
    episodes = [Episode([nothing], nothing, [0], [at + 1, 0], 2 * at, 2 * at + 1, 0) for at in range(9)]
    for at, kinds in ((2, []), (5, []), (7, ["turn_sealed"])):
        (turn,) = turns_of(curve_with(2 * at + 1, 0, 400, 900), episodes, [0])
        sealed = turn._replace(before=600)
        assert [fact.kind for fact in after_fact(sealed, episodes, 2)] == kinds
