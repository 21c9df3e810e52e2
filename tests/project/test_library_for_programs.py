"""The library for programs: views, events and redeals, many battles, executors, asyncio, tables."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import cardbattle
import cardbattle.aio
from cardbattle.battles.records.record import dumps_record
from cardbattle.core.chance import stream
from cardbattle.rules import RULE_SETS
from cardbattle.simulation.workers import Serial, results_in_order
from cardbattle.testing.contents import contents

ROOT = Path(__file__).parents[2]
DEMO = Path(cardbattle.__file__).parent / "data" / "demo"
SIDES = {"a": {"cards": ["2", "3", "4", "5"]}, "b": {"cards": ["2", "3", "4", "6"]}}
DUEL: dict[str, object] = {"rules": "strategy-war", "sides": SIDES}
every_rule_set = pytest.mark.parametrize("key", RULE_SETS)


def stepped(key: str, moves: int) -> cardbattle.SteppedBattle:
    """Return a battle after some random moves."""
    battle, chance = cardbattle.battle(key, seed=7), stream(7, "moves")
    for _ in range(moves):
        if battle.side is not None:
            battle.choose(chance.below(len(battle.options)))
    return battle


def seeds(count: int) -> Iterator[dict[str, object]]:
    """Yield a small battle with this many seeds."""
    return ({**DUEL, "seed": seed} for seed in range(count))


# Battles step by step


@every_rule_set
def test_a_stepped_battle_has_views_scores_and_events_by_key(key: str) -> None:
    battle = stepped(key, 12)
    for seat, side in enumerate(battle.seats):
        assert contents(battle.view(side)) == contents(battle.machine.view(seat))
        assert battle.scores[side] == battle.machine.score(seat)
        assert {*battle.view_table(side)} == {*battle.rules.view_fields}
        json.dumps(battle.view_table(side))
        seen, everything = battle.events_since(side=side), battle.events_since()
        assert len(seen) <= len(everything)
        assert battle.events_since(3, side) == seen[3:]
        json.dumps(seen)


@every_rule_set
def test_the_events_of_a_stepped_battle_are_those_of_its_record(key: str) -> None:
    record = cardbattle.resolve(key, seed=3, sides=dict.fromkeys(cardbattle.find(key).default_sides, "green"))
    battle = cardbattle.battle(key, seed=3)
    for move in record.moves:
        side, _, text = move.partition(" ")
        if side != "fate":
            assert battle.side == side
            battle.choose(text)
    session = cardbattle.replay(record.table)
    assert battle.outcome() == session.outcome
    assert battle.events_since()[-1]["event"] == battle.copy().events_since()[-1]["event"]
    assert battle.scores == dict(zip(record.seats, record.scores, strict=True))


@every_rule_set
def test_a_copy_has_the_same_past_and_an_own_future(key: str) -> None:
    battle = stepped(key, 5)
    before, copy = battle.events_since(), battle.copy()
    assert copy.events_since() == before
    if copy.side is not None:
        copy.choose(0)
    assert battle.events_since() == before


@every_rule_set
def test_a_redeal_looks_the_same_to_its_side_and_depends_on_the_seed_alone(key: str) -> None:
    battle = stepped(key, 4)
    side = battle.side
    assert side is not None
    state, events = battle.machine.state(), battle.events_since(side=side)
    again = [battle.redeal(side, seed) for seed in (1, 1, 2, 3, 4)]
    assert battle.machine.state() == state
    for redealt in again:
        assert contents(redealt.view(side)) == contents(battle.view(side))
        assert redealt.options == battle.options
        assert redealt.events_since() == events
        assert {*redealt.setup.deal} <= {side, f"warmongers.{side}"}
    assert again[0].machine.state() == again[1].machine.state()
    if key not in ("wargame", "strategy-war"):  # in these, nothing is hidden so early
        assert any(redealt.machine.state() != state for redealt in again)


@every_rule_set
def test_the_text_of_an_option_is_its_id_in_every_copy_and_redeal(key: str) -> None:
    battle = stepped(key, 4)
    assert battle.side is not None
    assert len(set(battle.options)) == len(battle.options)
    for option in battle.options[:5]:
        index = battle.options.index(option)
        ends = []
        for choice in (index, option):
            copy = battle.copy()
            copy.choose(choice)
            ends.append(copy.machine.state())
        assert ends[0] == ends[1]
        assert battle.redeal(battle.side, 1).options[index] == option


def test_an_option_beyond_the_list_is_a_cardbattle_error_and_an_index_error() -> None:
    for error in (cardbattle.NoSuchOption, cardbattle.UsageError, IndexError):
        with pytest.raises(error, match="expected an option from 0 to 3, got 4"):
            cardbattle.battle(DUEL, seed=1).choose(4)


def test_a_session_has_keys_views_scores_and_events() -> None:
    session = cardbattle.play(DUEL, seed=1, a="human", b="human")
    assert session.sides_to_answer == ["a", "b"]
    assert session.scores == {"a": 0, "b": 0}
    assert contents(session.view("a")) == contents(session.decision("a").view)
    session.answer("a", "commit 5")
    assert session.sides_to_answer == ["b"]
    assert session.view("a").options == []
    assert session.view("a").hand == [2, 3, 4, 5]  # type: ignore[attr-defined]
    assert [event["event"] for event in session.events_since(1, "a")] == ["committed"]
    assert session.events_since(1, "b") == []
    assert session.view_table("b")["hand"] == ["2", "3", "4", "6"]
    other = cardbattle.play(DUEL, seed=1, a="human", b="human")
    other.answer("b", "commit 6")
    assert other.view("b").options == [] and other.view("b").history == []  # type: ignore[attr-defined]
    session.answer("b", "commit 6")
    assert session.scores == {"a": 0, "b": 11}
    assert [event["event"] for event in session.events_since(3)] == ["revealed", "won", "round_begun"]


# Many battles


def test_many_battles_are_those_of_resolve_in_order() -> None:
    records = [*cardbattle.resolve_many(seeds(30))]
    assert [dumps_record(record) for record in records] == [
        dumps_record(cardbattle.resolve(table)) for table in seeds(30)
    ]


def test_sides_and_house_rules_apply_to_many_battles() -> None:
    records = [*cardbattle.resolve_many(["strategy-war"] * 3, house={"rounds": 2}, a="green", b="green")]
    assert [record.setup.house["rounds"] for record in records] == [2, 2, 2]
    assert len({record.seed for record in records}) == 3


def test_many_battles_are_read_as_they_are_needed_and_cancelled_with_their_iterator() -> None:
    read: list[int] = []

    def endless() -> Iterator[dict[str, object]]:
        while True:
            read.append(len(read))
            yield {**DUEL, "seed": len(read)}

    records = cardbattle.resolve_many(endless())
    next(records)
    assert len(read) == 1
    records.close()  # type: ignore[attr-defined]


def test_an_error_comes_after_the_records_of_all_earlier_battles(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text('rules = "strategy-war"\nsides.a = {}\nsides.b.cards = ["1"]\n', encoding="utf-8")
    records = cardbattle.resolve_many([*seeds(9), file, *seeds(9)])
    assert len([next(records) for _ in range(9)]) == 9
    with pytest.raises(cardbattle.InvalidInput, match=r"wrong.toml:3: sides.b.cards"):
        next(records)
    records = cardbattle.resolve_many([*seeds(2), "wargme"])
    assert len([next(records) for _ in range(2)]) == 2
    with pytest.raises(cardbattle.UsageError, match='did you mean "wargame"'):
        next(records)


def test_an_executor_of_the_caller_is_used_and_stays_open() -> None:
    with ThreadPoolExecutor(2) as pool:
        records = [*cardbattle.resolve_many(seeds(20), executor=pool)]
        odds = cardbattle.odds(DUEL, seed=1, battles=50, executor=pool)
        assert pool.submit(len, "open").result() == 4
    assert [record.seed for record in records] == [*range(20)]
    assert odds.table() == cardbattle.odds(DUEL, seed=1, battles=50).table()


@pytest.mark.slow
def test_processes_fight_the_same_battles_also_with_an_own_commander() -> None:
    records = [*cardbattle.resolve_many(seeds(400), jobs=2, a=Highest())]
    assert len(records) == 400
    assert dumps_record(records[-1]) == dumps_record(cardbattle.resolve({**DUEL, "seed": 399}, a=Highest()))


class Highest(cardbattle.Commander):
    """Commits the highest card."""

    def answer(self, seat: cardbattle.Seat) -> int:
        return seat.count - 1


def test_the_jobs_of_many_calls_grow_with_their_speed() -> None:
    sizes = []

    class Watched(Serial):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: object) -> Future[Any]:
            sizes.append(len(args[0].arguments))
            return super().submit(fn, *args, **kwargs)

    assert [*results_in_order(abs, range(-100, 0), Watched(), 1)] == [*range(100, 0, -1)]
    assert sizes == [1, 4, 16, 64, 15]


def test_progress_is_reported_and_can_stop_the_count() -> None:
    heard: list[tuple[int, int]] = []
    cardbattle.odds("strategy-war", seed=1, battles=30, progress=lambda *counts: heard.append(counts))
    assert heard[-1] == (30, 30)
    assert [battles for battles, _ in heard] == sorted(battles for battles, _ in heard)

    def stop(battles: int, end: int) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError):
        cardbattle.odds("strategy-war", seed=1, battles=30, progress=stop)


# asyncio


def test_the_functions_of_asyncio_give_the_same_results() -> None:
    async def everything() -> None:
        record = await cardbattle.aio.resolve(DUEL, seed=3)
        assert record.table == cardbattle.resolve(DUEL, seed=3).table
        odds = await cardbattle.aio.odds("strategy-war", seed=3, battles=20)
        assert odds.table() == cardbattle.odds("strategy-war", seed=3, battles=20).table()
        records = [record async for record in cardbattle.aio.resolve_many(seeds(5))]
        assert [record.seed for record in records] == [0, 1, 2, 3, 4]
        *_, last = [odds async for odds in cardbattle.aio.growing_odds("strategy-war", seed=3, battles=20)]
        assert last.battles == 20
        with pytest.raises(cardbattle.UsageError):
            await cardbattle.aio.odds("wargme")

    asyncio.run(everything())


@pytest.mark.slow
def test_cancelling_a_task_stops_the_battles() -> None:
    read: list[int] = []

    def endless() -> Iterator[dict[str, object]]:
        while True:
            read.append(len(read))
            yield {**DUEL, "seed": len(read)}

    async def all_records() -> None:
        async for _ in cardbattle.aio.resolve_many(endless()):
            pass

    async def cancel() -> None:
        tasks = [
            asyncio.create_task(all_records()),
            asyncio.create_task(cardbattle.aio.odds("strategy-war", seed=1, battles=10**9)),
        ]
        while len(read) < 3:
            await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        assert all(
            isinstance(result, asyncio.CancelledError)
            for result in await asyncio.gather(*tasks, return_exceptions=True)
        )

    asyncio.run(cancel())  # waits for the threads
    assert threading.active_count() == 1


# Tables and notebooks


def test_a_table_of_records_has_a_row_for_each_side_with_numbers_as_floats() -> None:
    records = [*cardbattle.resolve_many(seeds(10))]
    rows = cardbattle.table(records)
    assert [row["side"] for row in rows] == ["a", "b"] * 10
    assert cardbattle.table(records[0]) == rows[:2]
    for row in rows:
        assert {type(row[name]) for name in ("points", "score", "losses", "moves")} == {float}
        assert all(type(value) in (float, str) for value in row.values())
    for record, first, second in zip(records, rows[::2], rows[1::2], strict=True):
        assert first["points"] + second["points"] == 1  # type: ignore[operator]
        assert (first["score"], second["losses"]) == (record.score("a"), float(record.lost("b")))
    with pytest.raises(cardbattle.UsageError, match='expected records, got "x"'):
        cardbattle.table(["x"])  # type: ignore[list-item]


def test_a_record_has_scores_and_losses_by_key() -> None:
    record = cardbattle.resolve("field-of-honour", seed=1455, york="green", lancaster={"hand": 12})
    assert (record.score("york"), record.score(1)) == (0, 5)
    assert (record.lost("york"), record.lost("lancaster")) == (Fraction(3, 5), Fraction(0))
    with pytest.raises(cardbattle.UsageError, match='did you mean "york"'):
        record.score("yrk")


def test_a_campaign_and_its_ledger_are_tables() -> None:
    campaign = cardbattle.load_campaign(ROOT / "campaigns" / "the-marches-1403")
    forces = campaign.table()
    assert {row["force"] for row in forces} == {*campaign.forces}
    assert all(type(row["strength"]) is type(row["points"]) is float for row in forces)
    changes = campaign.ledger.table()
    points = sum(float(str(row["change"])) for row in changes if row["key"] == "factions.crown.points")
    first = next(row for row in changes if row["key"] == "factions.crown.points")
    assert float(str(first["before"])) + points == campaign.factions["crown"].points


def test_a_notebook_shows_records_and_campaigns() -> None:
    record = cardbattle.resolve("field-of-honour", seed=1455)
    html = record._repr_html_()
    assert html is not None
    assert html.startswith("<pre") and "North" in html and "<script" not in html
    assert record._replace(moves=record.moves[:3])._repr_html_() is None
    html = cardbattle.load_campaign(DEMO)._repr_html_()
    assert html.startswith("<pre") and "The Cider War" in html
