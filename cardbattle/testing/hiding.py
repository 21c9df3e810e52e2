"""Laws about hidden information, which views, events, errors and best play must not reveal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from cardbattle.core.battle import NOBODY, Battle, Event, View
from cardbattle.core.errors import IllegalMove
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.telling import Block
from cardbattle.testing.asking import NASTY, all_texts
from cardbattle.testing.contents import contents, raw_contents, spoil, unlike
from cardbattle.testing.trial import Trial


def a_view_is_a_copy(trial: Trial) -> None:
    """Check that a view shows the question, and that a change to the view does not change the battle."""
    for referee in trial.points():
        battle = referee.battle
        before = contents(battle)
        view = battle.view(battle.side)
        assert (view.side, view.question) == (battle.side, battle.question)
        assert view.options == battle.options
        for value in raw_contents(view).values():
            spoil(value)
        after = contents(battle)
        assert after == before, f"a view shares {unlike(before, after)} with the battle"


def options_are_for_the_side_that_is_asked(trial: Trial) -> None:
    """Check that only the view of the side that must choose shows the options.

    If the question is in `RuleSet.revealing`, the views of other sides must not show the question either.
    """
    for referee in trial.questions():
        battle = referee.battle
        for view in views_of_others(trial, battle):
            assert not view.options, f"the view of seat {view.side} shows the options of seat {battle.side}"
            is_secret = battle.question in trial.rules.revealing
            assert not is_secret or view.question != battle.question, (
                f"the view of seat {view.side} shows the question of seat {battle.side}"
            )
    for view in views_of_others(trial, trial.fight().battle):
        assert not view.options, f"after the end the view of seat {view.side} shows options"


def views_of_others(trial: Trial, battle: Battle) -> list[View]:
    """Return the views and fast views of all sides except the side to move."""
    seats = [seat for seat in trial.seats if seat != battle.side]
    return [view for seat in seats for view in (battle.view(seat), battle.fast_view(seat))]


def who_looks_on_sees_what_all_know(trial: Trial) -> None:
    """Check that `public_scene` stays the same if the cards that a side does not know are dealt again."""
    for referee in trial.points():
        battle = referee.battle
        scene = in_public(trial, battle)
        for viewer in trial.seats:
            redealt = battle.redeal(viewer, trial.chance(f"look/{viewer}"))
            if same_point(redealt, battle):
                assert in_public(trial, redealt) == scene, (
                    f"public_scene shows cards that side {viewer} cannot know"
                )


def in_public(trial: Trial, battle: Battle) -> list[Block]:
    """Return the battlefield as a bystander sees it."""
    return trial.rules.public_scene([battle.view(seat) for seat in trial.seats])


def best_play_knows_what_its_side_knows(trial: Trial) -> None:
    """Check that best play and the learned policy use only information that their side has.

    After the cards that are hidden from the side are dealt again, `solution` must return the same weights for
    the options, and `learned` must return the same answer.
    """
    for referee in trial.points(4):
        battle = referee.battle
        before = contents(battle)
        weights = trial.rules.solution(battle)
        assert contents(battle) == before, "solution() changed the battle"
        if weights:
            assert len(weights) == len(battle.options), (
                f"solution() gives {len(weights)} weights for the options {referee.texts()}"
            )
            assert min(weights) >= 0 < max(weights), f"the weights {weights} are negative or all zero"
        redealt = battle.redeal(battle.side, trial.chance("redeal"))
        assert trial.rules.solution(redealt) == weights, "best play uses hidden information"
        learned = answer_of_policy(trial, battle)
        assert learned < len(battle.options), (
            f"the learned answer {learned} is not an index into the options {referee.texts()}"
        )
        assert answer_of_policy(trial, redealt) == learned, "the learned policy uses hidden information"


def answer_of_policy(trial: Trial, battle: Battle) -> int:
    """Return the answer of the learned policy, or -1 if the rule set has no learned policy."""
    learned = trial.rules.learned
    return -1 if learned is None else learned(battle.fast_view(battle.side), trial.chance("learned"))


def an_error_tells_nothing_hidden(trial: Trial) -> None:
    """Check that error messages do not change if the hidden cards are dealt again."""
    texts = [*NASTY, *all_texts(trial)]
    for referee in trial.points(4):
        battle = referee.battle
        before = [refusal_of(referee, text) for text in texts]
        referee.battle = battle.redeal(battle.side, trial.chance("redeal"))
        after = [refusal_of(referee, text) for text in texts]
        referee.battle = battle
        assert after == before


def refusal_of(referee: Referee, text: str) -> str:
    """Return the error message for the text of a choice.

    If the text is legal, return the index of the option that it names.
    """
    try:
        return str(referee.find(text))
    except IllegalMove as error:
        return str(error)


def a_view_tells_no_more_than_the_events(trial: Trial) -> None:
    """Check that a viewer who sees the same events after different choices also has the same view.

    The choices are choices of another side.
    """
    for ways in ways_of_others(trial):
        views: dict[str, dict[str, object]] = {}
        for way in ways:
            before = views.setdefault(repr(way.seen), way.view)
            assert way.view == before, f"a view changes without an event: {unlike(before, way.view)}"


def events_tell_no_more_than_a_view(trial: Trial) -> None:
    """Check that a viewer who has the same view after different choices also sees the same events.

    The choices are choices of another side.

    The law does not apply to two choices with different texts that lead to the same state, because a view
    does not show past moves.
    """
    for ways in ways_of_others(trial):
        for first, second in combinations(ways, 2):
            if first.view == second.view and first.seen != second.seen:
                difference = f"the events {first.seen} and {second.seen} lead to the same view"
                assert first.choice != second.choice, difference
                secret = first.world == second.world and first.state != second.state
                assert not secret, difference


class Way(NamedTuple):
    """The information that one viewer gets about a choice of another side.

    Attributes:
        world: 0 for the real battle, or the number of a copy in which hidden cards were dealt again, counted
            from 1.
        choice: the text of the choice.
        seen: the events that the viewer sees, as text.
        view: the fields of the viewer's view after the choice.
        state: the full state of the battle after the choice.

    """

    world: int
    choice: str
    seen: list[str]
    view: dict[str, object]
    state: list[list[int]]


def ways_of_others(trial: Trial) -> Iterator[list[Way]]:
    """Yield groups of choices of another side, with the information that a viewer gets about each of them.

    For a sample of questions, the function tries the first 12 choices in the battle, and in up to two copies
    with other hidden cards that look the same to the viewer. A group has all choices that lead to the same
    question. Choices that end the battle are left out.
    """
    for referee in trial.points(5):
        battle = referee.battle
        for viewer in trial.seats:
            if viewer != battle.side:
                worlds = [battle, *(battle.redeal(viewer, trial.chance(f"world/{n}")) for n in range(2))]
                yield from ways_in(trial, [world for world in worlds if same_point(world, battle)], viewer)


def ways_in(trial: Trial, worlds: list[Battle], viewer: int) -> Iterator[list[Way]]:
    """Yield groups of choices in the battle and in copies of it with other hidden cards.

    All choices in a group lead to the same question.
    """
    ways: dict[tuple[int, int], list[Way]] = {}
    for world, battle in enumerate(worlds):
        for choice in battle.options[:12]:
            text = trial.rules.choice_text(battle, choice)
            events, after = chosen(battle, battle.options.index(choice))
            seen = as_seen(trial.rules, trial.setup.seats, events, viewer)
            if not after.is_over():
                way = Way(world, text, seen, visible_facts(after, viewer), after.state())
                ways.setdefault((after.side, after.question), []).append(way)
    yield from ways.values()


def a_question_not_asked_does_not_show(trial: Trial) -> None:
    """Check that a viewer cannot see whether another side was asked and declined.

    The viewer makes the same choice in several copies of the battle with other hidden cards. Then the other
    sides choose their first or their last option until the viewer is asked again. If the view and the
    question are then the same in two copies, the viewer must have seen the same events in both.
    """
    for referee in trial.points(4):
        battle, viewer = referee.battle, referee.battle.side
        worlds = [battle.redeal(viewer, trial.chance(f"asked/{n}")) for n in range(5)]
        for index in range(min(len(battle.options), 4)):
            for end in (0, -1):
                seen_by_view: dict[str, list[str]] = {}
                for world in worlds:
                    events, after = until_asked_again(world, index, end)
                    if after.side == viewer and same_point(world, worlds[0]):
                        of_others = [event for event in events if event.side != viewer]
                        seen = as_seen(trial.rules, trial.setup.seats, of_others, viewer)
                        view = repr((after.question, after.options, visible_facts(after, viewer)))
                        first_seen = seen_by_view.setdefault(view, seen)
                        assert seen == first_seen, (
                            f"the events {seen} and {first_seen} show side {viewer} whether others were asked"
                        )


def who_is_asked_is_no_secret(trial: Trial) -> None:
    """Check that the fact that a side is asked a question does not reveal its hidden cards.

    If a side would have only one option with different hidden cards, the program would not ask it. In this
    case, asking the side reveals something about its cards. Questions in `RuleSet.revealing` are allowed to
    do this.
    """
    for referee in trial.points():
        battle = referee.battle
        if battle.question in trial.rules.revealing or len(battle.options) == 1:
            continue
        for viewer in trial.seats:
            redealt = battle.redeal(viewer, trial.chance(f"known/{viewer}"))
            is_asked = not same_point(redealt, battle) or len(redealt.options) > 1
            assert is_asked, f"the question itself reveals hidden cards to side {viewer}"


def until_asked_again(battle: Battle, index: int, end: int) -> tuple[list[Event], Battle]:
    """Make a choice, and then answer for the other sides until the same side must choose again.

    The other sides choose their first option if `end` is 0, and their last option if `end` is -1. Returns the
    events since the choice, and the resulting battle.
    """
    events, after = chosen(battle, index)
    while after.side not in (NOBODY, battle.side):
        more, after = chosen(after, end % len(after.options))
        events += more
    return events, after


def same_point(first: Battle, second: Battle) -> bool:
    """Return True if two battles have the same question and the same steps on their agendas."""
    return (first.side, first.question, first.todo) == (second.side, second.question, second.todo)


def chosen(battle: Battle, index: int) -> tuple[list[Event], Battle]:
    """Make a choice in a copy of the battle. Return the events that follow the choice, and the copy."""
    copy = battle.copy()
    events: list[Event] = []
    copy.log = events
    copy.choose(index)
    copy.log = None
    return events, copy


def as_seen(rules: RuleSet, seats: list[str], events: list[Event], viewer: int) -> list[str]:
    """Return the events that a seat sees. Each event is returned as text."""
    seen = [event.seen_by(viewer) for event in events]
    return [repr(rules.as_json(event, seats)) for event in seen if event is not None]


def visible_facts(battle: Battle, viewer: int) -> dict[str, object]:
    """Return the fields of a seat's view except the question, which may be for another side."""
    facts = contents(battle.view(viewer))
    return {name: value for name, value in facts.items() if name not in ("side", "question", "options")}
