"""Laws about redeals.

A redeal is a copy of a battle in which all cards that one side, the viewer, does not know are dealt again. It
must look the same to the viewer, and must depend only on information that the viewer has.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from cardbattle.core.battle import NOBODY, Battle, Event
from cardbattle.core.chance import Chance
from cardbattle.core.ruleset import Setup
from cardbattle.testing.contents import contents, count_cards, differ, unlike
from cardbattle.testing.ending import moves_of
from cardbattle.testing.hiding import as_seen, chosen, same_point, until_asked_again, visible_facts
from cardbattle.testing.trial import POINTS, Trial, play_on

REDEALS = 100  # number of redeals in a comparison
KEPT = [0, 1, 2, 4, 8, 12]  # possible numbers of cards per pile that twins share
HIDDEN_FROM = 4  # index of the first part of a state after the question and the agenda


def redeal_keeps_what_the_viewer_knows(trial: Trial) -> None:
    """Check that a redeal looks the same to the viewer and can be fought to its end."""
    for referee in trial.points():
        battle = referee.battle
        before, cards = contents(battle), count_cards(trial.rules, battle)
        for viewer in trial.seats:
            redealt = battle.redeal(viewer, trial.chance("redeal"))
            assert contents(battle) == before, "redeal changed the battle itself"
            assert redealt.log is None
            assert count_cards(trial.rules, redealt) == cards, differ(
                cards, count_cards(trial.rules, redealt)
            )
            same_view(battle, redealt, viewer)
            again = battle.redeal(viewer, trial.chance("redeal"))
            assert again.state() == redealt.state(), "the same random stream gives different redeals"
            play_on(redealt, trial.chance("redealt"))
            redealt.outcome()
            assert count_cards(trial.rules, redealt) == cards, differ(
                cards, count_cards(trial.rules, redealt)
            )
            rival = (viewer + 1) % len(trial.seats)
            twice = again.redeal(rival, trial.chance("twice"))
            same_view(again, twice, rival)
            play_on(twice, trial.chance("redealt"))


def same_view(battle: Battle, redealt: Battle, viewer: int) -> None:
    """Check that the viewer sees the same facts and has the same question in two battles."""
    before, after = visible_facts(battle, viewer), visible_facts(redealt, viewer)
    assert after == before, f"after a redeal side {viewer} sees changes: {unlike(before, after)}"
    if battle.side == viewer:
        assert (redealt.side, redealt.question) == (viewer, battle.question)
        assert redealt.options == battle.options
        assert redealt.unoffered == battle.unoffered


def options_follow_from_the_view(trial: Trial) -> None:
    """Check that the view of a side determines the side's options and their order.

    The law compares twins, which are battles with the same view and different hidden cards. It also compares
    redeals in which a side makes the same choice and is then asked again.
    """
    for viewer in trial.seats:
        for battle, twin in twins(trial, viewer, trial.chance(f"options/{viewer}")):
            same_options(battle, twin)
    for referee in trial.points(4):
        battle, viewer = referee.battle, referee.battle.side
        worlds = [battle, *(battle.redeal(viewer, trial.chance(f"world/{n}")) for n in range(5))]
        for index in range(min(len(battle.options), 3)):
            by_view: dict[str, Battle] = {}
            for world, end in product(worlds, (0, -1)):
                _, after = until_asked_again(world, index, end)
                if after.side == viewer:
                    view = repr((after.question, visible_facts(after, viewer)))
                    same_options(by_view.setdefault(view, after), after)


def same_options(first: Battle, second: Battle) -> None:
    """Check that two battles that look the same offer the same choices."""
    assert second.options == first.options, (
        f"two battles with the same view offer different options: {first.options} and {second.options}"
    )
    assert second.unoffered == first.unoffered, (
        f"two battles with the same view also accept {first.unoffered} and {second.unoffered}"
    )


def redeal_deals_anew(trial: Trial) -> None:
    """Check that redeals change hidden cards if the rule set has hidden cards."""
    fought = trial.fight()
    all_choose = all(moves_of(fought, key) for key in trial.setup.seats)
    if not all_choose or not any(event.hidden for _, event in fought.events):
        return
    tries = 0
    for referee in trial.questions(listen=False):
        for viewer in trial.seats:
            tries += 1
            redealt = referee.battle.redeal(viewer, trial.chance(f"anew/{tries}"))
            if redealt.state() != referee.battle.state():
                return
    assert tries < POINTS, f"none of {tries} redeals changed anything"


def redeal_does_not_know_the_truth(trial: Trial) -> None:
    """Check that a redeal depends only on information that the viewer has.

    A battle and a redeal of it look the same to the viewer. The law deals the cards of both many times again.
    In the results, each card must be at its true position equally often.
    """
    for referee in trial.points(2):
        battle, viewer = referee.battle, referee.battle.side
        dealt_alike(battle, battle.redeal(viewer, trial.chance("redealt")), viewer, trial.chance("redeals"))


def redeal_forgets_the_truth(trial: Trial) -> None:
    """Check that redeals of twins have the same distribution.

    Twins are battles that look the same to the viewer, but have different hidden cards and choices.
    """
    viewer = trial.chance("viewer").below(len(trial.seats))
    for battle, twin in twins(trial, viewer, trial.chance("twins")):
        dealt_alike(battle, twin, viewer, trial.chance("redeals"))
        redeals = [battle.redeal(viewer, trial.chance(f"redeal/{n}")) for n in range(20)]
        # the only effect of a redeal can be that it takes back secret answers
        if same_point(battle, redeals[0]):
            assert any(contents(redealt) != contents(redeals[0]) for redealt in redeals), (
                "every redeal is the same"
            )


def dealt_alike(battle: Battle, twin: Battle, viewer: int, chance: Chance) -> None:
    """Check that each value is equally often at each position of the state in redeals of two battles.

    The law fails if the two counts of a value differ by more than 6 standard deviations.
    """
    states = [battle.redeal(viewer, chance).state() for _ in range(REDEALS)]
    twin_states = [twin.redeal(viewer, chance).state() for _ in range(REDEALS)]
    for truth in (battle.state(), twin.state()):
        for part, values in enumerate(truth[HIDDEN_FROM:], HIDDEN_FROM):
            for place, value in enumerate(values):
                counts = [as_often(sample, part, place, value) for sample in (states, twin_states)]
                assert not far_apart(*counts), (
                    f"{counts} of {REDEALS} redeals of two battles that look the same "
                    f"have the value {value} at position {place} of part {part} of the state"
                )


def as_often(states: list[list[list[int]]], part: int, place: int, value: int) -> int:
    """Return the number of states with this value at this position."""
    return sum(1 for state in states if state[part][place : place + 1] == [value])


def far_apart(first: int, second: int) -> bool:
    """Return True if two counts out of `REDEALS` differ by more than 6 standard deviations."""
    total = first + second
    return (first - second) ** 2 * 2 * REDEALS > 36 * total * (2 * REDEALS - total)


def twins(trial: Trial, viewer: int, chance: Chance) -> Iterator[tuple[Battle, Battle]]:
    """Yield up to three pairs of twins at questions to the viewer.

    Twins are different battles that look the same to the viewer.
    """
    events, battle = beginning(trial, trial.setup)
    begun = [beginning(trial, dealt_otherwise(trial, viewer, kept, chance)) for kept in KEPT]
    alike = [twin for twin in begun if look_alike(trial, (events, battle), twin, viewer)]
    if not alike:
        return
    _, first_twin = alike[0]
    pairs = 0
    while battle.side != NOBODY and pairs < 3:
        if (
            battle.side == viewer
            and battle.state() != first_twin.state()
            and (pairs == 0 or chance.below(4) == 0)
        ):
            pairs += 1
            yield battle, first_twin
        index = chance.below(len(battle.options))
        events, after = chosen(battle, index)
        text = trial.rules.choice_text(battle, battle.options[index])
        for choice in otherwise_first(trial, first_twin, viewer, text, chance):
            more, twin = chosen(first_twin, choice)
            if look_alike(trial, (events, after), (more, twin), viewer):
                break
        else:
            return
        battle, first_twin = after, twin


def beginning(trial: Trial, setup: Setup) -> tuple[list[Event], Battle]:
    """Return the battle at its first question, and the events before it."""
    battle = trial.rules.start(setup.copy(), trial.random_source())
    events: list[Event] = []
    battle.log = events
    battle.run()
    battle.log = None
    return events, battle


def dealt_otherwise(trial: Trial, viewer: int, shared: int, chance: Chance) -> Setup:
    """Deal the cards of the setup again, and return the new setup.

    The viewer's piles do not change, and the first `shared` cards of all other piles do not change.

    Options that the viewer does not know, such as fixed cards of another side, are removed.
    """
    key = trial.setup.seats[viewer]
    setup = trial.setup.copy()
    visible = trial.rules.without_secrets(trial.setup.copy(), viewer)
    setup.house, setup.sides = visible.house, visible.sides
    for pile in setup.deal:
        if pile.split(".")[-1] != key:
            setup.deal[pile] = setup.deal[pile][:shared]
    if trial.rules.check(setup):
        return trial.setup
    trial.rules.deal(setup, chance)
    return setup


def otherwise_first(trial: Trial, battle: Battle, viewer: int, text: str, chance: Chance) -> list[int]:
    """Return the indices of up to ten other options, followed by the index of the option with this text.

    If the viewer must choose, return only the index of the option with this text.
    """
    texts = [trial.rules.choice_text(battle, choice) for choice in battle.options]
    same = [index for index, option in enumerate(texts) if option == text]
    if battle.side == viewer:
        return same
    return chance.sample(10, [index for index, option in enumerate(texts) if option != text]) + same


def look_alike(
    trial: Trial, this: tuple[list[Event], Battle], that: tuple[list[Event], Battle], viewer: int
) -> bool:
    """Return True if two battles look the same to a viewer, including the latest events."""
    (events, first), (more, second) = this, that
    seats = trial.setup.seats
    return (
        same_point(first, second)
        and visible_facts(first, viewer) == visible_facts(second, viewer)
        and as_seen(trial.rules, seats, events, viewer) == as_seen(trial.rules, seats, more, viewer)
    )
