"""Laws of hidden information: views, events, errors and best play."""

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
    """Check that a view repeats the question, and that spoiling it changes nothing."""
    for referee in trial.points():
        battle = referee.battle
        before = contents(battle)
        view = battle.view(battle.side)
        assert (view.side, view.question) == (battle.side, battle.question)
        assert view.options == battle.options
        for value in raw_contents(view).values():
            spoil(value)
        now = contents(battle)
        assert now == before, f"a view shares {unlike(before, now)} with the battle"


def options_are_for_the_side_that_is_asked(trial: Trial) -> None:
    """Check that no other side's view shows the options, nor which question it is if that is `revealing`."""
    for referee in trial.questions():
        battle = referee.battle
        for view in views_of_others(trial, battle):
            assert not view.options, f"the view of seat {view.side} shows what seat {battle.side} may choose"
            is_secret = battle.question in trial.rules.revealing
            assert not is_secret or view.question != battle.question, (
                f"the view of seat {view.side} shows what seat {battle.side} is asked"
            )
    for view in views_of_others(trial, trial.fight().battle):
        assert not view.options, f"after the end the view of seat {view.side} shows options"


def views_of_others(trial: Trial, battle: Battle) -> list[View]:
    """Return the views of all sides that are not asked, those for policies too."""
    others = [seat for seat in trial.seats if seat != battle.side]
    return [view for seat in others for view in (battle.view(seat), battle.fast_view(seat))]


def who_looks_on_sees_what_all_know(trial: Trial) -> None:
    """Check that what lies where for whoever looks on is the same in a battle redealt for any side."""
    for referee in trial.points():
        battle = referee.battle
        shown = in_public(trial, battle)
        for viewer in trial.seats:
            other = battle.redeal(viewer, trial.chance(f"look/{viewer}"))
            if same_point(other, battle):
                assert in_public(trial, other) == shown, f"side {viewer} could not know it"


def in_public(trial: Trial, battle: Battle) -> list[Block]:
    """Return what lies where for whoever looks on."""
    return trial.rules.public_scene([battle.view(seat) for seat in trial.seats])


def best_play_knows_what_its_side_knows(trial: Trial) -> None:
    """Check that best play has a weight for each option, the same ones in a redealt battle.

    So it is with what was learned: it names an option, or none, by what the side knows.
    """
    for referee in trial.points(4):
        battle = referee.battle
        before = contents(battle)
        weights = trial.rules.solution(battle)
        assert contents(battle) == before, "looking for best play changed the battle"
        if weights:
            assert len(weights) == len(battle.options), f"{weights} are not for {referee.texts()}"
            assert min(weights) >= 0 < max(weights), f"nobody can go by {weights}"
        other = battle.redeal(battle.side, trial.chance("redeal"))
        assert trial.rules.solution(other) == weights, "best play knows what its side cannot know"
        learned = learned_answer(trial, battle)
        assert learned < len(battle.options), f"{learned} is none of {referee.texts()}"
        assert learned_answer(trial, other) == learned, "what was learned knows what its side cannot know"


def learned_answer(trial: Trial, battle: Battle) -> int:
    """Return what one answers who learned it, a negative number if nobody did."""
    learned = trial.rules.learned
    return -1 if learned is None else learned(battle.fast_view(battle.side), trial.chance("learned"))


def an_error_tells_nothing_hidden(trial: Trial) -> None:
    """Check that errors read the same in a redealt battle."""
    texts = [*NASTY, *all_texts(trial)]
    for referee in trial.points(4):
        battle = referee.battle
        before = [refusal_of(referee, text) for text in texts]
        referee.battle = battle.redeal(battle.side, trial.chance("redeal"))
        after = [refusal_of(referee, text) for text in texts]
        referee.battle = battle
        assert after == before


def refusal_of(referee: Referee, text: str) -> str:
    """Return what the referee says to this text."""
    try:
        return str(referee.find(text))
    except IllegalMove as error:
        return str(error)


def a_view_tells_no_more_than_the_events(trial: Trial) -> None:
    """Check that where another side's choices look alike to a viewer, their view is the same."""
    for ways in ways_of_others(trial):
        views: dict[str, dict[str, object]] = {}
        for way in ways:
            before = views.setdefault(repr(way.seen), way.view)
            assert way.view == before, f"a side sees {unlike(before, way.view)} that no event told"


def events_tell_no_more_than_a_view(trial: Trial) -> None:
    """Check that another side's choices which leave a viewer the same view look alike to them.

    Two choices that lead to one state may differ: a view forgets how things came about.
    """
    for ways in ways_of_others(trial):
        for one, other in combinations(ways, 2):
            if one.view == other.view and one.seen != other.seen:
                assert one.choice != other.choice, f"its view does not know {one.seen} from {other.seen}"
                secret = one.world == other.world and one.state != other.state
                assert not secret, f"a side is told {one.seen} or {other.seen}, which its view does not know"


class Way(NamedTuple):
    """What follows a choice of another side, for one viewer: the events as text, and their view."""

    world: int
    choice: str
    seen: list[str]
    view: dict[str, object]
    state: list[list[int]]


def ways_of_others(trial: Trial) -> Iterator[list[Way]]:
    """Yield what a viewer would see of every choice another side may have at one point.

    Choices are those of the battle, world 0, and of redealt ones, as the viewer cannot tell them
    apart; they stand together if they lead to the same next question.
    """
    for referee in trial.points(5):
        battle = referee.battle
        for viewer in trial.seats:
            if viewer != battle.side:
                worlds = [battle, *(battle.redeal(viewer, trial.chance(f"world/{n}")) for n in range(2))]
                yield from ways_in(trial, [world for world in worlds if same_point(world, battle)], viewer)


def ways_in(trial: Trial, worlds: list[Battle], viewer: int) -> Iterator[list[Way]]:
    """Yield the ways in these worlds, those with the same next question together."""
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
    """Check that a viewer cannot tell whether another side was asked and let the chance pass.

    In redealt battles, which they cannot tell apart, they choose the same, and the others take
    their first or last options. If then they have the same view of the same question, they have been
    told the same, whoever was asked meanwhile.
    """
    for referee in trial.points(4):
        battle, viewer = referee.battle, referee.battle.side
        worlds = [battle.redeal(viewer, trial.chance(f"asked/{n}")) for n in range(5)]
        for index in range(min(len(battle.options), 4)):
            for end in (0, -1):
                told: dict[str, list[str]] = {}
                for world in worlds:
                    events, after = until_asked_again(world, index, end)
                    if after.side == viewer and same_point(world, worlds[0]):
                        of_others = [event for event in events if event.side != viewer]
                        seen = as_seen(trial.rules, trial.setup.seats, of_others, viewer)
                        now = repr((after.question, after.options, visible_facts(after, viewer)))
                        before = told.setdefault(now, seen)
                        assert seen == before, f"side {viewer} is told {seen} or {before}"


def who_is_asked_is_no_secret(trial: Trial) -> None:
    """Check that whoever is asked would be asked in redealt battles, too, unless the question is `revealing`.

    Where a redeal leaves one answer nobody would have been asked: so who is waited for tells of their cards.
    """
    for referee in trial.points():
        battle = referee.battle
        if battle.question in trial.rules.revealing or len(battle.options) == 1:
            continue
        for viewer in trial.seats:
            other = battle.redeal(viewer, trial.chance(f"known/{viewer}"))
            is_asked = not same_point(other, battle) or len(other.options) > 1
            assert is_asked, f"that it is asked tells side {viewer} of another's cards"


def until_asked_again(battle: Battle, index: int, end: int) -> tuple[list[Event], Battle]:
    """Return what follows a choice until the same side is asked again; others take one end's option."""
    events, after = chosen(battle, index)
    while after.side not in (NOBODY, battle.side):
        more, after = chosen(after, end % len(after.options))
        events += more
    return events, after


def same_point(one: Battle, other: Battle) -> bool:
    """Say whether two battles ask the same question with the same steps to come."""
    return (one.side, one.question, one.todo) == (other.side, other.question, other.todo)


def chosen(battle: Battle, index: int) -> tuple[list[Event], Battle]:
    """Return the events that follow a choice, and the battle after it."""
    other = battle.copy()
    events: list[Event] = []
    other.log = events
    other.choose(index)
    other.log = None
    return events, other


def as_seen(rules: RuleSet, seats: list[str], events: list[Event], viewer: int) -> list[str]:
    """Return the events as this seat saw them, as JSON has them, each as text."""
    seen = [event.seen_by(viewer) for event in events]
    return [repr(rules.as_json(event, seats)) for event in seen if event is not None]


def visible_facts(battle: Battle, viewer: int) -> dict[str, object]:
    """Return the facts of a seat's view, without the question, which may be another's."""
    facts = contents(battle.view(viewer))
    return {name: value for name, value in facts.items() if name not in ("side", "question", "options")}
