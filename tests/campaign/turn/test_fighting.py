"""Bouts: with any number of workers, the results are the same as one battle after the other."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import TypeVar

import pytest

from cardbattle.battles import resolve
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.replay import refight
from cardbattle.campaign.state.apply import apply
from cardbattle.campaign.state.battle_result import BattleResult, fought_battle
from cardbattle.campaign.state.battle_setup import battle_table, destroyed_forces_error
from cardbattle.campaign.state.changes import Change, apply_changes
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.campaign.turn.fighting import FightOptions, FoughtBattle, fight_battles, fighters, waves
from cardbattle.core.errors import CardbattleError, InvalidInput
from cardbattle.rules import find
from cardbattle.simulation.batch import BatchJob
from cardbattle.simulation.journal import FinishedBattle
from cardbattle.simulation.workers import LazyPool, Pool, Serial, processes

Result = TypeVar("Result")
FORCES = "abcdefg"
PASSING = FightOptions(passing=True)


def a_campaign(seed: int) -> Campaign:
    """Return a campaign of small battles drawn at random, in which forces soon are destroyed."""
    drawn = random.Random(seed)
    sides = []
    for _ in range(8):
        fighting = drawn.sample(FORCES, drawn.choice([2, 2, 2, 3, 4]))
        ally = fighting.pop() if len(fighting) > 2 else ""
        sides.append(" ".join([fighting[0] + ally, *fighting[1:]]))
    return campaign_of(*sides, seed=seed)


def campaign_of(*sides: str, seed: int = 0) -> Campaign:
    """Return a campaign of battles between these sides, as `ab c`: two forces against one."""
    drawn = random.Random(seed)
    return read_campaign(
        {
            "format": 1,
            "name": "Many",
            "seed": seed,
            "rules": "strategy-war",
            "scoring": {"win": 3, "draw": 1},
            "attrition": {"rate": "1/1", "winner_rate": "1/2", "destroyed_below": 3},
            "advantage": {"strategy-war": {"per": "1/2", "give": {"cards": ["Q"]}, "most": 2}},
            "factions": {key: {} for key in FORCES},
            "forces": {key: {"faction": key, "strength": drawn.randint(4, 12)} for key in FORCES},
            "pending": [
                {"id": f"b{n}", "sides": [list(side) for side in said.split()]}
                for n, said in enumerate(sides)
            ],
        }
    )


def one_by_one(campaign: Campaign) -> list[FoughtBattle]:
    """Return the pending battles fought in the plainest way there is."""
    now, found = campaign, []
    for battle in campaign.pending:
        if not destroyed_forces_error(now, battle):
            setting = battle_table(now, battle)
            record, _ = resolve.fight_battle(read_battle(setting))
            found.append(FoughtBattle(setting, fought_battle(record, dumps_record(record)), record))
            now = read_campaign(apply_changes(now.data, apply(now, battle.id, found[-1].battle.result)))
    return found


def results_of(bouts: list[FoughtBattle]) -> list[BattleResult]:
    """Return the battles without their parsed records, because records are compared in their file form."""
    return [bout.battle._replace(log=None) for bout in bouts]


def all_of(campaign: Campaign, hands: Executor, way: FightOptions = PASSING) -> list[FoughtBattle]:
    """Return the pending battles fought by an executor."""
    return fight_battles(campaign, campaign.pending, (hands, 2), way)


class Notebook(Executor):
    """An executor that fights at once and keeps which battles it was given."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.broken: dict[str, FinishedBattle] = {}

    def submit(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Note the battle; one that is to be broken breaks."""
        (job,) = args
        assert isinstance(job, BatchJob)
        name = json.loads(job.table)["id"]
        self.given.append(name)
        if name in self.broken:
            future: Future[Result] = Future()
            future.set_result(self.broken[name])  # type: ignore[arg-type]
            return future
        return Serial().submit(fn, *args, **kwargs)


def test_battles_that_share_a_force_come_in_different_waves_in_their_order() -> None:
    assert waves(campaign_of("a b", "c d", "b e", "f g", "e a", "c f").pending) == [[0, 1, 3], [2, 5], [4]]
    assert waves(campaign_of("ab c", "d b", "a e").pending) == [[0], [1, 2]]
    assert waves([]) == []


@pytest.mark.parametrize("seed", range(12))
def test_the_results_are_those_of_one_battle_after_the_other(seed: int) -> None:
    """Settings, records and what became of the forces; destroyed ones are passed over."""
    campaign = a_campaign(seed)
    expected = one_by_one(campaign)
    fought = all_of(campaign, Serial())
    assert [bout.setting for bout in fought] == [bout.setting for bout in expected]
    assert results_of(fought) == results_of(expected)
    assert [bout.record.table for bout in fought] == [bout.record.table for bout in expected]


@pytest.mark.slow
def test_processes_fight_the_same_battles() -> None:
    campaign = a_campaign(3)
    with processes(2) as hands:
        fought = all_of(campaign, hands)
    assert results_of(fought) == results_of(one_by_one(campaign))


def test_a_bout_tells_the_battle_as_it_was_seen() -> None:
    """It is fought again from its record for that, so that no events need to be sent about."""
    campaign = a_campaign(4)
    for bout in all_of(campaign, Serial()):
        record, referee = resolve.fight_battle(read_battle(bout.setting))
        seen, told = report_of(record, referee), report_of(bout.record, refight(bout.record))
        assert [(n, event.kind, event.fields) for n, event in told.events] == [
            (n, event.kind, event.fields) for n, event in seen.events
        ]
        assert told._replace(events=[], setup=seen.setup) == seen._replace(events=[])


def test_every_battle_goes_to_the_executor_wave_by_wave() -> None:
    notebook = Notebook()
    fought = all_of(campaign_of("a b", "b c", "d e", "c d", seed=2), notebook)
    assert notebook.given == ["b0", "b2", "b1", "b3"]
    assert [bout.battle.id for bout in fought] == ["b0", "b1", "b2", "b3"]


def test_what_is_told_comes_in_the_order_of_the_battles() -> None:
    campaign = a_campaign(6)
    heard: list[str] = []
    ticks: list[tuple[int, int]] = []
    fought = all_of(
        campaign, Serial(), FightOptions(True, True, heard.append, lambda done, of: ticks.append((done, of)))
    )
    passed = [line.split()[1] for line in heard if "is skipped: " in line]
    assert passed == [one.id for one in campaign.pending if one.id not in [b.battle.id for b in fought]]
    assert passed
    named = [line.removeprefix("battle ").split(" ")[0].rstrip(":") for line in heard]
    assert list(dict.fromkeys(named)) == [battle.id for battle in campaign.pending]
    assert ticks == [(done, len(campaign.pending)) for done in range(1, len(fought) + 1)]


def test_the_first_battle_that_is_refused_is_reported_whichever_was_found_first() -> None:
    """As if they were fought one after the other: what comes after it does not matter."""
    notebook = Notebook()
    notebook.broken = {name: FinishedBattle({}, "", [(f"no {name}", ("sides",))]) for name in ("b1", "b2")}
    heard: list[str] = []
    with pytest.raises(InvalidInput) as found:
        all_of(
            campaign_of("a b", "b c", "d e", "c d"),
            notebook,
            FightOptions(explaining=True, hear=heard.append),
        )
    assert notebook.given == ["b0", "b2", "b1"]
    assert [(one.text, one.at) for one in found.value.errors] == [("no b1", ("sides",))]
    assert list(dict.fromkeys(line.split(":")[0] for line in heard)) == ["b0", "b1"]


def test_it_is_explained_why_nobody_gets_anything() -> None:
    """That no advantage is set is another reason than that all are equally strong."""
    campaign = campaign_of("a b")
    for strength, words in (
        (9, "strength has no effect, because [advantage.strategy-war] is missing"),
        (4, "all sides are equally strong"),
    ):
        forces = {key: {"faction": key, "strength": strength if key == "a" else 4} for key in FORCES}
        heard: list[str] = []
        data = campaign.data | {"advantage": {}, "forces": forces}
        all_of(read_campaign(data), Notebook(), FightOptions(explaining=True, hear=heard.append))
        assert heard == [f"b0: {words}"]


@pytest.mark.parametrize(
    ("sides", "rank", "jobs", "expected"),
    [
        (["a b", "c d", "e f"], "veteran", 2, (Pool, 2)),
        (["a b", "c d"], "elite:iterations=9", 9, (Pool, 2)),
        (["a b", "b c"], "veteran", 2, (LazyPool, 2)),
        (["a b", "c d"], "regular", 2, (LazyPool, 2)),
        (["a b", "c d"], "veteran", 1, (Serial, 1)),
    ],
)
def test_processes_start_at_once_for_commanders_who_think(
    sides: list[str], rank: str, jobs: int, expected: tuple[type[Executor], int]
) -> None:
    """And only where there is something to be fought together."""
    campaign = campaign_of(*sides)
    campaign = campaign.after([Change(("forces", "a", "commander"), None, rank)])
    with fighters(campaign, campaign.pending, jobs) as (hands, workers):
        assert (type(hands), workers) == expected


def test_a_destroyed_force_refuses_the_battle_that_names_it() -> None:
    campaign = a_campaign(6)
    first = next(b.id for b in campaign.pending if b.id not in [f.battle.id for f in one_by_one(campaign)])
    with pytest.raises(InvalidInput, match=f"battle {first} cannot be fought: .* destroyed"):
        all_of(campaign, Serial(), FightOptions())


def test_a_failure_nobody_expected_is_no_fault_of_the_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise ValueError("boom")

    monkeypatch.setattr(type(find("strategy-war")), "start", fail)
    with pytest.raises(CardbattleError, match="unexpected failure: ValueError: boom") as found:
        all_of(a_campaign(0), Serial())
    assert found.value.exit_code == 1
