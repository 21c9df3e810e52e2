"""Laws of hidden information: views, redeals, errors and the regular commander."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.core.battle import NOBODY, Battle, Event
from cardbattle.core.errors import IllegalMove
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import RuleSet
from cardbattle.testing.asking import NASTY, all_texts
from cardbattle.testing.contents import contents, counted, differ, raw_contents, spoil, unlike
from cardbattle.testing.ending import moves_of
from cardbattle.testing.trial import POINTS, Trial, play_on


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


def redeal_keeps_what_the_viewer_knows(trial: Trial) -> None:
    """Check that a viewer sees no difference in a redealt battle, and that it can be fought."""
    for referee in trial.points():
        battle = referee.battle
        before, cards = contents(battle), counted(trial.rules, battle)
        for viewer in trial.seats:
            other = battle.redeal(viewer, trial.chance("redeal"))
            assert contents(battle) == before, "redeal changed the battle itself"
            assert other.log is None
            assert counted(trial.rules, other) == cards, differ(cards, counted(trial.rules, other))
            same_view(battle, other, viewer)
            again = battle.redeal(viewer, trial.chance("redeal"))
            assert again.state() == other.state(), "the same chance deals otherwise"
            play_on(other, trial.chance("redealt"))
            other.outcome()
            another = (viewer + 1) % len(trial.seats)
            twice = again.redeal(another, trial.chance("twice"))
            same_view(again, twice, another)
            play_on(twice, trial.chance("redealt"))


def same_view(battle: Battle, other: Battle, viewer: int) -> None:
    """Check that the viewer has the same facts in both battles, and the same question if asked."""
    before, now = known(battle, viewer), known(other, viewer)
    assert now == before, f"after a redeal side {viewer} sees other {unlike(before, now)}"
    if battle.side == viewer:
        assert (other.side, other.question) == (viewer, battle.question)
        assert other.options == battle.options
        assert other.also == battle.also


def redeal_deals_anew(trial: Trial) -> None:
    """Check that some redeal changes something in a battle in which all choose and events hide."""
    fought = trial.fight()
    everybody = all(moves_of(fought, key) for key in trial.setup.seats)
    if not everybody or not any(event.hidden for _, event in fought.events):
        return
    tries = 0
    for referee in trial.questions(listen=False):
        for viewer in trial.seats:
            tries += 1
            other = referee.battle.redeal(viewer, trial.chance(f"anew/{tries}"))
            if other.state() != referee.battle.state():
                return
    assert tries < POINTS, f"none of {tries} redeals changed anything"


def the_regular_sees_its_view_only(trial: Trial) -> None:
    """Check that the regular commander answers legally and by what he knows.

    In a redealt battle, where only what he cannot know differs, he answers the same.
    """
    for referee in trial.points():
        battle = referee.battle
        before = contents(battle)
        answer = trial.rules.regular(battle.view(battle.side), trial.chance("regular"))
        assert 0 <= answer < len(battle.options), f"{answer} is none of {referee.texts()}"
        assert contents(battle) == before, "the regular commander changed the battle"
        for n in range(3):
            other = battle.redeal(battle.side, trial.chance(f"redeal/{n}"))
            again = trial.rules.regular(other.view(battle.side), trial.chance("regular"))
            assert again == answer, "the regular commander knows what he cannot know"


def an_error_tells_nothing_hidden(trial: Trial) -> None:
    """Check that errors read the same in a redealt battle."""
    texts = [*NASTY, *all_texts(trial)]
    for referee in trial.points(4):
        battle = referee.battle
        before = [answered(referee, text) for text in texts]
        referee.battle = battle.redeal(battle.side, trial.chance("redeal"))
        after = [answered(referee, text) for text in texts]
        referee.battle = battle
        assert after == before


def answered(referee: Referee, text: str) -> str:
    """Return what the referee says to this text."""
    try:
        return str(referee.find(text))
    except IllegalMove as error:
        return str(error)


def a_view_tells_no_more_than_the_events(trial: Trial) -> None:
    """Check that where another side's choices look alike to a viewer, his view is the same."""
    for viewer, ways in choices_of_others(trial):
        views: dict[str, dict[str, object]] = {}
        for seen, now in ways:
            before = views.setdefault(repr(seen), now)
            assert now == before, f"side {viewer} sees {unlike(before, now)} that no event told"


def events_tell_no_more_than_a_view(trial: Trial) -> None:
    """Check that where another side's choices leave a viewer the same view, they look alike.

    A view may forget in which order things happened.
    """
    for viewer, ways in choices_of_others(trial):
        told: dict[str, list[str]] = {}
        for seen, now in ways:
            before = told.setdefault(repr(now), sorted(seen))
            assert sorted(seen) == before, f"side {viewer} is told {seen} or {before}, unlike its view"


def choices_of_others(trial: Trial) -> Iterator[tuple[int, list[tuple[list[str], dict[str, object]]]]]:
    """Yield viewers, each with what he would see of every choice the side that is asked may have.

    What he sees are the events, as text, and the facts of his view. Choices are those of the
    battle and of some redealt ones at the same point, as the viewer cannot tell them apart;
    they are compared where they lead to the same next question.
    """
    for referee in trial.points(5):
        battle = referee.battle
        for viewer in trial.seats:
            if viewer == battle.side:
                continue
            worlds = [battle, *(battle.redeal(viewer, trial.chance(f"world/{n}")) for n in range(2))]
            alike = [other for other in worlds if same_point(other, battle)]
            ways = [way(other, index) for other in alike for index in range(min(len(other.options), 12))]
            for after in dict.fromkeys((other.side, other.question) for _, other in ways):
                yield (
                    viewer,
                    [
                        (as_seen(trial.rules, trial.setup.seats, events, viewer), known(other, viewer))
                        for events, other in ways
                        if (other.side, other.question) == after != (NOBODY, other.question)
                    ],
                )


def same_point(one: Battle, other: Battle) -> bool:
    """Say whether two battles ask the same question with the same steps to come."""
    return (one.side, one.question, one.todo) == (other.side, other.question, other.todo)


def way(battle: Battle, index: int) -> tuple[list[Event], Battle]:
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


def known(battle: Battle, viewer: int) -> dict[str, object]:
    """Return the facts of a seat's view, without the question, which may be another's."""
    facts = contents(battle.view(viewer))
    return {name: value for name, value in facts.items() if name not in ("side", "question", "options")}
