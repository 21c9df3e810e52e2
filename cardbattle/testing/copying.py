"""Laws of copies and replays."""

from __future__ import annotations

from cardbattle.core.battle import Battle
from cardbattle.core.referee import Referee
from cardbattle.testing.contents import as_lists, contents, frozen, raw_contents, unlike
from cardbattle.testing.dealing import through_a_file
from cardbattle.testing.trial import Trial, play_on, refought


def a_copy_is_independent(trial: Trial) -> None:
    """Check that a copy equals the battle, and that changes to either do not affect the other."""
    unused_copies: list[tuple[Battle, dict[str, object]]] = []
    moves: list[str] = []
    for referee in trial.points():
        battle = referee.battle
        before = contents(battle)
        copy, unused_copy = battle.copy(), battle.copy()
        assert type(copy) is type(battle) and copy.log is None
        assert copy.state() == battle.state()
        assert contents(copy) == before, f"the copy differs in {unlike(before, contents(copy))}"
        play_on(copy, trial.chance("copy"))
        after = contents(battle)
        assert after == before, f"playing on in a copy changed {unlike(before, after)}"
        unused_copies.append((unused_copy, before))
        moves = referee.moves
    for unused_copy, before in unused_copies:
        after = contents(unused_copy)
        assert after == before, f"the battle going on changed a copy's {unlike(before, after)}"
    assert not unused_copies or moves == trial.fight().moves, "copies affect the battle's random events"


def the_state_shows_every_field(trial: Trial) -> None:
    """Check that `state` differs whenever a field of the battle differs."""
    first_values: dict[str, object] = {}
    unshown: set[str] = set()
    changing: set[str] = set()
    for referee in trial.questions(listen=False):
        battle = referee.battle
        for name, value in raw_contents(battle).items():
            if name in changing:
                continue
            first_value = first_values.setdefault(name, frozen(value))
            if first_value == frozen(value):
                continue
            changing.add(name)
            copy = battle.copy()
            setattr(copy, name, as_lists(first_value))
            if copy.state() == battle.state():
                unshown.add(name)
    assert not unshown, f"state() does not show {sorted(unshown)}"
    values = [value for part in trial.fight().battle.state() for value in part]
    assert all(isinstance(value, int) for value in values), (
        "state() contains something other than whole numbers"
    )


def a_replay_is_the_same(trial: Trial) -> None:
    """Check that replaying the recorded moves gives the same state at every question."""
    hashes = {len(referee.moves): referee.check() for referee in trial.questions()}

    def watch(again: Referee) -> None:
        assert again.check() == hashes[len(again.moves)], f"a different state after {again.moves[-3:]}"

    fought = trial.fight()
    setup = through_a_file(trial.rules, trial.setup)
    same_battle(fought, refought(trial.rules, setup, fought.moves, watch=watch))


def the_seed_agrees(trial: Trial) -> None:
    """Check that the seed gives the recorded random events."""
    fought = trial.fight()
    again = refought(trial.rules, trial.setup, fought.moves, trial.random_source())
    same_battle(fought, again)


def listening_changes_nothing(trial: Trial) -> None:
    """Check that a battle runs the same with and without a listening referee."""
    for loud, silent in zip(trial.questions(), trial.questions(listen=False), strict=True):
        assert loud.battle.state() == silent.battle.state(), f"a different state after {loud.moves[-3:]}"
    loud, silent = trial.fight(), trial.fight(listen=False)
    assert loud.outcome() == silent.outcome()
    assert silent.battle.log is None and not silent.events


def same_battle(first: Referee, second: Referee) -> None:
    """Check that two finished battles have the same moves, checks, events and outcome."""
    assert second.moves == first.moves
    assert second.checks == first.checks
    assert second.outcome() == first.outcome()
    rules, seats = first.rules, first.setup.seats
    for (first_move, event), (second_move, other_event) in zip(first.events, second.events, strict=True):
        assert first_move == second_move
        assert rules.as_json(event.all_seeing(), seats) == rules.as_json(other_event.all_seeing(), seats)
