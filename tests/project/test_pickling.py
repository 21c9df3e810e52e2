"""Everything public pickles and deep-copies, interpreted and compiled, in this process and in a fresh one."""

from __future__ import annotations

import copy
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import cardbattle
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.session import Session
from cardbattle.campaign.state.errors import Conflict
from cardbattle.core.battle import Battle, Event
from cardbattle.core.chance import Drawn, RandomSource, stream
from cardbattle.core.referee import Noted, Recorded, Referee
from cardbattle.core.stepping import begin
from cardbattle.rules import RULE_SETS, NotInstalled
from cardbattle.testing.contents import contents
from tests.toy import OUTBID

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
DEMO = Path(cardbattle.__file__).parent / "data" / "demo"

Way = Callable[[Any], Any]
DEEP: dict[str, Way] = {
    "oldest": lambda thing: pickle.loads(pickle.dumps(thing, 2)),
    "newest": lambda thing: pickle.loads(pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)),
    "deepcopy": copy.deepcopy,
}
every_way = pytest.mark.parametrize("way", DEEP.values(), ids=DEEP.keys())
every_rule_set = pytest.mark.parametrize("key", RULE_SETS)


class Counting(cardbattle.Commander):
    """A commander with a field of its own, who keeps its seat."""

    def __init__(self) -> None:
        self.answers = 0
        self.seat: cardbattle.Seat | None = None

    def answer(self, seat: cardbattle.Seat) -> int:
        """Take the first and the last option by turns."""
        self.answers += 1
        self.seat = seat
        return 0 if self.answers % 2 else seat.count - 1


def stepped_on(battle: cardbattle.SteppedBattle, seed: int) -> list[object]:
    """Return what follows when every side chooses at random, to the end."""
    chance, seen = stream(seed, "choices"), list[object]()
    while battle.side is not None:
        seen += [battle.side, battle.options, battle.machine.state()]
        battle.choose(chance.below(len(battle.options)))
    return [*seen, battle.outcome(), battle.machine.random_source.copy().one_of(0, 0, [*range(50)])]


def played_on(session: Session, answers: int) -> list[str]:
    """Return the moves after `answers` answers. Human players choose the middle option."""
    for _ in range(answers):
        for seat in session.seats_to_answer[:1]:
            texts = session.decision(seat).texts
            session.answer(seat, texts[len(texts) // 2])
    return [*session.referee.moves, *session.referee.checks]


# Values


@every_way
@every_rule_set
def test_a_record_is_the_same_record(key: str, way: Way) -> None:
    record = cardbattle.resolve(key, seed=7)
    again = way(record)
    assert type(again) is cardbattle.Record
    assert (repr(again), again.table, again.rules) == (repr(record), record.table, record.rules)
    assert again == record
    again.setup.seats.reverse()
    assert again != record
    again.setup.seats.reverse()
    assert dumps_record(again) == dumps_record(record)
    assert cardbattle.verify(again) == cardbattle.verify(record)
    assert again.tale() == record.tale()


@pytest.mark.slow
@every_way
@every_rule_set
def test_odds_are_the_same_odds(key: str, way: Way) -> None:
    odds = cardbattle.odds(key, seed=7, battles=20)
    again = way(odds)
    assert type(again) is cardbattle.Odds
    assert (again.table(), repr(again.plan)) == (odds.table(), repr(odds.plan))
    assert contents(again.counted) == contents(odds.counted)
    assert again.won(odds.seats[0]) == odds.won(odds.seats[0])


@every_way
def test_a_rule_set_is_the_one_that_there_is(way: Way) -> None:
    for rules in [*cardbattle.rule_sets(), OUTBID]:
        assert way(rules) is rules


@every_way
def test_an_event_keeps_who_saw_it(way: Way) -> None:
    event = Event("drawn", 0, {"n": 1}, {"card": 5}, [0], True)
    assert contents(way(event)) == contents(event)


@every_way
def test_chance_goes_on_from_the_same_number(way: Way) -> None:
    chance = stream(7, "deal")
    chance.bits()
    assert [way(chance).bits() for _ in range(3)] == [chance.copy().bits()] * 3


@every_way
@pytest.mark.parametrize(
    "error",
    [
        cardbattle.CardbattleError("a"),
        cardbattle.UsageError("a"),
        cardbattle.InvalidInput([cardbattle.Diagnostic("a", ("b", 0)), cardbattle.Diagnostic("c\nd")]),
        cardbattle.IllegalMove("a"),
        cardbattle.ReplayMismatch("a", 3),
        cardbattle.NeedsUmpire([Conflict("a", [["b", "c"]]), Conflict("d")]),
        cardbattle.InUse("a"),
        cardbattle.SystemFailure("a"),
        cardbattle.Remark("a"),
        NotInstalled("a-plug-in"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_says_the_same(error: Exception, way: Way) -> None:
    again = way(error)
    assert (type(again), str(again), repr(again.__dict__)) == (type(error), str(error), repr(error.__dict__))


@every_way
def test_a_mistake_keeps_its_place(way: Way) -> None:
    error = cardbattle.PlacedDiagnostic("a", at=("b",), file="c.toml", line=3, column=4, source="d")
    assert vars(way(error)) == vars(error)


# Battles in progress


@pytest.mark.slow
@every_way
@pytest.mark.parametrize("key", [*RULE_SETS, "toy"])
def test_a_stepped_battle_goes_on_alike_from_every_question(key: str, way: Way) -> None:
    """And what happens in the copy changes nothing in the battle."""
    rules = OUTBID if key == "toy" else cardbattle.find(key)
    battle = begin(rules, rules.usual_setup(), 7)
    chance = stream(7, "test")
    for number in range(40):
        if battle.side is None:
            break
        if number % 8 == 0:
            before = battle.machine.state()
            ended = stepped_on(way(battle), number)
            assert battle.machine.state() == before
            assert stepped_on(battle.copy(), number) == ended
            assert contents(way(battle.machine)) == contents(battle.machine)
        battle.choose(chance.below(len(battle.options)))


@every_way
@pytest.mark.parametrize("key", [*RULE_SETS, "toy"])
def test_a_view_is_the_same_view(key: str, way: Way) -> None:
    rules = OUTBID if key == "toy" else cardbattle.find(key)
    battle = begin(rules, rules.usual_setup(), 7)
    for _ in range(8):
        view = battle.machine.view(battle.machine.side)
        again = way(view)
        assert type(again) is type(view)
        assert contents(again) == contents(view)
        chance = [stream(1, "view"), stream(1, "view")]
        assert rules.seasoned(again, chance[0]) == rules.seasoned(view, chance[1])
        battle.choose(0)


@pytest.mark.slow
@every_way
@every_rule_set
@pytest.mark.parametrize(
    "rank", ["green", "regular", "seasoned", "veteran:iterations=5", "elite:iterations=5"]
)
def test_a_session_goes_on_alike(key: str, rank: str, way: Way) -> None:
    """Its commanders draw the same lots."""
    first, *others = cardbattle.find(key).default_sides
    sides: dict[str, cardbattle.library.SideValue] = {first: "human", **dict.fromkeys(others, rank)}
    session = cardbattle.play(key, seed=3, sides=sides)
    for _ in range(2):
        seat = session.seats_to_answer[0]
        session.answer(seat, session.decision(seat).texts[0])
    again = way(session)
    assert type(again) is cardbattle.Session
    moves = [*session.referee.moves]
    answers = 2 if ":" in rank else 50
    ended = played_on(again, answers)
    assert session.referee.moves == moves
    assert played_on(session, answers) == ended


@every_way
def test_a_seat_and_the_commander_who_keeps_it(way: Way) -> None:
    own = Counting()
    session = cardbattle.play("field-of-honour", seed=4, north=own, south="human")
    assert own.seat is not None and own.answers > 0
    again = way(own)
    assert (again.answers, type(again)) == (own.answers, Counting)
    assert again.seat.texts == own.seat.texts
    assert again.seat is not own.seat
    assert session.seats_to_answer == [1]


@every_way
def test_a_copy_of_a_referee_notes_what_chance_decides_for_itself(way: Way) -> None:
    rules = OUTBID
    referee = Referee(rules, begin(rules, rules.usual_setup(), 7).setup, Drawn(stream(7, "battle")))
    again = way(referee)
    while not again.battle.is_over():
        again.choose(0)
    assert not [move for move in referee.moves if move.startswith("fate")]
    assert [move for move in again.moves if move.startswith("fate")]
    while not referee.battle.is_over():
        referee.choose(0)
    assert (again.moves, again.checks) == (referee.moves, referee.checks)


@every_way
def test_what_reads_a_record_or_writes_one_leaves_its_reader_behind(way: Way) -> None:
    """As a copy does."""
    assert type(way(Recorded(OUTBID, ["ann"], str))) is RandomSource
    assert type(way(Noted(Drawn(stream(7, "battle")), print))) is Drawn


def test_a_shallow_copy_shares_what_it_holds() -> None:
    battle = cardbattle.battle("wargame", seed=7)
    for thing in (battle.machine, battle.setup, battle.machine.view(0)):
        names = contents(thing).keys()
        again = copy.copy(thing)
        assert all(getattr(again, name) is getattr(thing, name) for name in names)


# Campaigns and sealed dice


@every_way
def test_a_campaign_and_its_battles(way: Way, tmp_path: Path) -> None:
    campaign = cardbattle.load_campaign(shutil.copytree(DEMO, tmp_path / "war"))
    again = way(campaign)
    assert (repr(again), repr(again.ledger)) == (repr(campaign), repr(campaign.ledger))
    battle = way(campaign.pending[0])
    assert (repr(battle), battle.table()) == (repr(campaign.pending[0]), campaign.pending[0].table())
    assert battle.odds(battles=10).table() == campaign.pending[0].odds(battles=10).table()


@every_way
def test_sealed_dice_prove_the_same(way: Way) -> None:
    sealed = EXAMPLES / "sealed"
    seals = cardbattle.load_seals(sealed / "seals.toml")
    record = sealed / "mill.toml"
    assert cardbattle.verify(record, seals=way(seals)) == cardbattle.verify(record, seals=seals)


# Other processes


@pytest.mark.slow
def test_battles_are_fought_by_a_pool_of_fresh_processes() -> None:
    """As `concurrent.futures`, `joblib` or dask send them there and back."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        records = [*pool.map(resolve, RULE_SETS)]
    assert [record.table for record in records] == [resolve(key).table for key in RULE_SETS]


def resolve(key: str) -> cardbattle.Record:
    """Fight one battle; a process gets this by its name."""
    return cardbattle.resolve(key, seed=11)


@pytest.mark.slow
def test_a_process_that_has_loaded_nothing_reads_them_all(tmp_path: Path) -> None:
    """A record with cards from an owner's file can be read there, too, and told as a story."""
    own_cards = EXAMPLES / "warmonger-own-cards"
    record = cardbattle.resolve(own_cards / "battle.toml", seed=3)
    machine: Battle = cardbattle.battle(own_cards / "battle.toml", seed=3).machine
    session = cardbattle.play("strategy-war", seed=3)
    odds = cardbattle.odds("wargame", seed=3, battles=10)
    file = tmp_path / "all.pickle"
    file.write_bytes(pickle.dumps([record, machine, session, odds]))
    code = (
        "import pickle, sys; record, machine, session, odds = pickle.load(open(sys.argv[1], 'rb')); "
        "print(record.tale()); print(machine.state()); "
        "print(session.decision(session.seats_to_answer[0]).texts); "
        "print(odds.table()); print(record.rules.dealt(machine, record.setup))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True, cwd=own_cards
    )
    told = [
        record.tale(),
        machine.state(),
        session.decision(session.seats_to_answer[0]).texts,
        odds.table(),
        record.rules.dealt(machine, record.setup),
    ]
    assert done.stdout == "".join(f"{value}\n" for value in told)
