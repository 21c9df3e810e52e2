"""Laws of copies and replays."""

from __future__ import annotations

from cardbattle.core.battle import Battle
from cardbattle.core.referee import Referee
from cardbattle.testing.contents import as_lists, contents, frozen, raw_contents, unlike
from cardbattle.testing.dealing import through_a_file
from cardbattle.testing.trial import Trial, play_on, refought


def a_copy_is_independent(trial: Trial) -> None:
    """Check that a copy is equal, and that neither battle feels what happens in the other."""
    kept: list[tuple[Battle, dict[str, object]]] = []
    moves: list[str] = []
    for referee in trial.points():
        battle = referee.battle
        before = contents(battle)
        other, left = battle.copy(), battle.copy()
        assert type(other) is type(battle) and other.log is None
        assert other.state() == battle.state()
        assert contents(other) == before, f"the copy differs in {unlike(before, contents(other))}"
        play_on(other, trial.chance("copy"))
        now = contents(battle)
        assert now == before, f"playing on in a copy changed {unlike(before, now)}"
        kept.append((left, before))
        moves = referee.moves
    for left, before in kept:
        now = contents(left)
        assert now == before, f"the battle going on changed a copy's {unlike(before, now)}"
    assert not kept or moves == trial.fight().moves, "copies disturb the battle's chance"


def the_state_shows_every_field(trial: Trial) -> None:
    """Check that `state` tells apart any two values that a field had in the battle."""
    first: dict[str, object] = {}
    unshown: set[str] = set()
    changing: set[str] = set()
    for referee in trial.questions(listen=False):
        battle = referee.battle
        for name, value in raw_contents(battle).items():
            if name in changing:
                continue
            old = first.setdefault(name, frozen(value))
            if old == frozen(value):
                continue
            changing.add(name)
            other = battle.copy()
            setattr(other, name, as_lists(old))
            if other.state() == battle.state():
                unshown.add(name)
    assert not unshown, f"state() does not show {sorted(unshown)}"
    values = [value for part in trial.fight().battle.state() for value in part]
    assert all(isinstance(value, int) for value in values), "state() is made of whole numbers"


def a_replay_is_the_same(trial: Trial) -> None:
    """Check that the moves, written and read, lead to the same battle at every question."""
    hashes = {len(referee.moves): referee.check() for referee in trial.questions()}

    def watch(again: Referee) -> None:
        """Compare the hash of the state with that of the first time."""
        assert again.check() == hashes[len(again.moves)], f"another state after {again.moves[-3:]}"

    fought = trial.fight()
    setup = through_a_file(trial.rules, trial.setup)
    same_battle(fought, refought(trial.rules, setup, fought.moves, watch=watch))


def the_seed_agrees(trial: Trial) -> None:
    """Check that the chance written down in the moves is what the seed decides."""
    fought = trial.fight()
    again = refought(trial.rules, trial.setup, fought.moves, trial.fate())
    same_battle(fought, again)


def listening_changes_nothing(trial: Trial) -> None:
    """Check that a battle nobody listens to goes the same way."""
    for loud, silent in zip(trial.questions(), trial.questions(listen=False), strict=True):
        assert loud.battle.state() == silent.battle.state(), f"otherwise after {loud.moves[-3:]}"
    loud, silent = trial.fight(), trial.fight(listen=False)
    assert loud.outcome() == silent.outcome()
    assert silent.battle.log is None and not silent.events


def same_battle(one: Referee, other: Referee) -> None:
    """Check that two finished battles are the same move by move."""
    assert other.moves == one.moves
    assert other.checks == one.checks
    assert other.outcome() == one.outcome()
    rules, seats = one.rules, one.setup.seats
    for (made, event), (also, twin) in zip(one.events, other.events, strict=True):
        assert made == also
        assert rules.as_json(event.all_seeing(), seats) == rules.as_json(twin.all_seeing(), seats)
