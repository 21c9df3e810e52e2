"""Laws of redeals: what the viewer knows stays, and nothing else has a say."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.core.battle import NOBODY, Battle, Event
from cardbattle.core.chance import Chance
from cardbattle.core.ruleset import Setup
from cardbattle.testing.contents import contents, count_cards, differ, unlike
from cardbattle.testing.ending import moves_of
from cardbattle.testing.hiding import as_seen, chosen, same_point, visible_facts
from cardbattle.testing.trial import POINTS, Trial, play_on

REDEALS = 100  # redeals that are counted
KEPT = [0, 1, 2, 4, 8, 12]  # cards of a pile that a twin has too: as few as look alike
HIDDEN_FROM = 4  # the parts of a state before this are the question and the agenda


def redeal_keeps_what_the_viewer_knows(trial: Trial) -> None:
    """Check that a viewer sees no difference in a redealt battle, and that it can be fought."""
    for referee in trial.points():
        battle = referee.battle
        before, cards = contents(battle), count_cards(trial.rules, battle)
        for viewer in trial.seats:
            other = battle.redeal(viewer, trial.chance("redeal"))
            assert contents(battle) == before, "redeal changed the battle itself"
            assert other.log is None
            assert count_cards(trial.rules, other) == cards, differ(cards, count_cards(trial.rules, other))
            same_view(battle, other, viewer)
            again = battle.redeal(viewer, trial.chance("redeal"))
            assert again.state() == other.state(), "the same chance deals otherwise"
            play_on(other, trial.chance("redealt"))
            other.outcome()
            assert count_cards(trial.rules, other) == cards, differ(cards, count_cards(trial.rules, other))
            another = (viewer + 1) % len(trial.seats)
            twice = again.redeal(another, trial.chance("twice"))
            same_view(again, twice, another)
            play_on(twice, trial.chance("redealt"))


def same_view(battle: Battle, other: Battle, viewer: int) -> None:
    """Check that the viewer has the same facts in both battles, and the same question if asked."""
    before, now = visible_facts(battle, viewer), visible_facts(other, viewer)
    assert now == before, f"after a redeal side {viewer} sees other {unlike(before, now)}"
    if battle.side == viewer:
        assert (other.side, other.question) == (viewer, battle.question)
        assert other.options == battle.options
        assert other.unoffered == battle.unoffered


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


def redeal_does_not_know_the_truth(trial: Trial) -> None:
    """Check that a redeal draws on nothing but what the viewer knows.

    From a battle and from a redealt one, which the viewer cannot tell apart, redeals put things
    where they truly are equally often.
    """
    for referee in trial.points(2):
        battle, viewer = referee.battle, referee.battle.side
        dealt_alike(battle, battle.redeal(viewer, trial.chance("redealt")), viewer, trial.chance("redeals"))


def redeal_forgets_the_truth(trial: Trial) -> None:
    """Check that redeals are alike in twins: battles that differ wherever the viewer does not see.

    The twin is dealt other cards, and the others choose otherwise where the viewer cannot tell.
    """
    viewer = trial.chance("viewer").below(len(trial.seats))
    for one, other in twins(trial, viewer, trial.chance("twins")):
        dealt_alike(one, other, viewer, trial.chance("redeals"))
        anew = [one.redeal(viewer, trial.chance(f"redeal/{n}")) for n in range(20)]
        if same_point(one, anew[0]):  # else answers were taken back, and that may be all
            assert any(redealt.state() != anew[0].state() for redealt in anew), "every redeal is the same"


def dealt_alike(one: Battle, other: Battle, viewer: int, chance: Chance) -> None:
    """Check that redeals of both put things where they are in either equally often.

    The counts may not be over 6 standard deviations apart.
    """
    here = [one.redeal(viewer, chance).state() for _ in range(REDEALS)]
    there = [other.redeal(viewer, chance).state() for _ in range(REDEALS)]
    for truth in (one.state(), other.state()):
        for part, values in enumerate(truth[HIDDEN_FROM:], HIDDEN_FROM):
            for place, value in enumerate(values):
                found = [as_often(states, part, place, value) for states in (here, there)]
                assert not far_apart(*found), f"part {part} of the state, place {place}: {found} of {REDEALS}"


def as_often(states: list[list[list[int]]], part: int, place: int, value: int) -> int:
    """Return in how many states this value stands at this place."""
    return sum(1 for state in states if state[part][place : place + 1] == [value])


def far_apart(one: int, other: int) -> bool:
    """Say whether two counts out of as many tries differ by over 6 standard deviations."""
    both = one + other
    return (one - other) ** 2 * 2 * REDEALS > 36 * both * (2 * REDEALS - both)


def twins(trial: Trial, viewer: int, chance: Chance) -> Iterator[tuple[Battle, Battle]]:
    """Yield up to three pairs of battles, unlike each other, that ask a viewer who cannot tell."""
    events, one = beginning(trial, trial.setup)
    begun = [beginning(trial, dealt_otherwise(trial, viewer, kept, chance)) for kept in KEPT]
    alike = [twin for twin in begun if look_alike(trial, (events, one), twin, viewer)]
    if not alike:
        return
    _, other = alike[0]
    found = 0
    while one.side != NOBODY and found < 3:
        if one.side == viewer and one.state() != other.state() and (found == 0 or chance.below(4) == 0):
            found += 1
            yield one, other
        index = chance.below(len(one.options))
        events, after = chosen(one, index)
        text = trial.rules.choice_text(one, one.options[index])
        for choice in otherwise_first(trial, other, viewer, text, chance):
            more, twin = chosen(other, choice)
            if look_alike(trial, (events, after), (more, twin), viewer):
                break
        else:
            return
        one, other = after, twin


def beginning(trial: Trial, setup: Setup) -> tuple[list[Event], Battle]:
    """Return the first events and the battle at its first question."""
    battle = trial.rules.start(setup.copy(), trial.fate())
    events: list[Event] = []
    battle.log = events
    battle.run()
    battle.log = None
    return events, battle


def dealt_otherwise(trial: Trial, viewer: int, kept: int, chance: Chance) -> Setup:
    """Return the setup dealt again but for the viewer's own piles and a few cards of each other."""
    key = trial.setup.seats[viewer]
    other = trial.setup.copy()
    for pile in other.deal:
        if pile.split(".")[-1] != key:
            other.deal[pile] = other.deal[pile][:kept]
    if trial.rules.check(other):
        return trial.setup
    trial.rules.deal(other, chance)
    return other


def otherwise_first(trial: Trial, battle: Battle, viewer: int, text: str, chance: Chance) -> list[int]:
    """Return some choices, that with the same text last; it is the only one if the viewer is asked."""
    texts = [trial.rules.choice_text(battle, choice) for choice in battle.options]
    same = [index for index, other in enumerate(texts) if other == text]
    if battle.side == viewer:
        return same
    return chance.sample(10, [index for index, other in enumerate(texts) if other != text]) + same


def look_alike(
    trial: Trial, this: tuple[list[Event], Battle], that: tuple[list[Event], Battle], viewer: int
) -> bool:
    """Say whether a viewer has seen the same and knows the same in both."""
    (events, one), (more, other) = this, that
    seats = trial.setup.seats
    return (
        same_point(one, other)
        and visible_facts(one, viewer) == visible_facts(other, viewer)
        and as_seen(trial.rules, seats, events, viewer) == as_seen(trial.rules, seats, more, viewer)
    )
