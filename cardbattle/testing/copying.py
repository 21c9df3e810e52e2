"""Laws about copies and replays of battles."""

from __future__ import annotations

from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance
from cardbattle.core.referee import Referee
from cardbattle.testing.contents import as_lists, contents, frozen, raw_contents, unlike
from cardbattle.testing.dealing import through_a_file
from cardbattle.testing.trial import Trial, play_on, refought


def a_copy_is_independent(trial: Trial) -> None:
    """Check that a copy equals the battle, and that changes to one of them do not affect the other."""
    unused_copies: list[tuple[Battle, dict[str, object]]] = []
    moves: list[str] = []
    ended = trial.fight().battle
    same_contents(ended, ended.copy())
    for referee in trial.points():
        battle = referee.battle
        before = contents(battle)
        copy, unused_copy = battle.copy(), battle.copy()
        same_contents(battle, copy)
        draw_on(battle.copy(), trial.chance("draws"))
        play_on(copy, trial.chance("copy"))
        after = contents(battle)
        assert after == before, f"playing on in a copy changed the battle: {unlike(before, after)}"
        unused_copies.append((unused_copy, before))
        moves = referee.moves
    for unused_copy, before in unused_copies:
        after = contents(unused_copy)
        assert after == before, f"playing on in the battle changed a copy: {unlike(before, after)}"
    assert not unused_copies or moves == trial.fight().moves, "copies affect the battle's random events"


def same_contents(battle: Battle, copy: Battle) -> None:
    """Check that a copy equals the battle, and that the copy does not log events."""
    assert type(copy) is type(battle), f"the copy is a {type(copy).__name__}"
    assert copy.log is None, "the copy has a log"
    before, after = contents(battle), contents(copy)
    assert after == before, f"the copy differs in {unlike(before, after)}"
    assert copy.state() == battle.state(), "state() differs between copy and battle"


def draw_on(battle: Battle, chance: Chance) -> None:
    """Make up to ten random choices in a battle.

    Random events come from the source that the battle already has.
    """
    for _ in range(10):
        if battle.side != NOBODY:
            battle.choose(chance.below(len(battle.options)))


def the_state_shows_every_field(trial: Trial) -> None:
    """Check that `state` changes whenever a field of the battle changes."""
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
    """Check that a replay of the recorded moves has the same state at every question."""
    hashes = {len(referee.moves): referee.check() for referee in trial.questions()}

    def watch(again: Referee) -> None:
        assert again.check() == hashes[len(again.moves)], (
            f"the replay has a different state after the moves {again.moves[-3:]}"
        )

    fought = trial.fight()
    setup = through_a_file(trial.rules, trial.setup)
    same_battle(fought, refought(trial.rules, setup, fought.moves, watch=watch))


def the_seed_agrees(trial: Trial) -> None:
    """Check that the seed gives the recorded random events."""
    fought = trial.fight()
    again = refought(trial.rules, trial.setup, fought.moves, trial.random_source())
    same_battle(fought, again)


def listening_changes_nothing(trial: Trial) -> None:
    """Check that a battle does not change if the referee does not record its events."""
    for loud, silent in zip(trial.questions(), trial.questions(listen=False), strict=True):
        assert loud.battle.state() == silent.battle.state(), (
            f"without a record the state is different after the moves {loud.moves[-3:]}"
        )
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
