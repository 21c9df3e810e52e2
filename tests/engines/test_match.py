"""Matches: the same deals from both seats, figures in order, tests, resuming, engines and ranks."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from cardbattle.battles.records.battle_file import bare_battle
from cardbattle.core.chance import child_seed
from cardbattle.engines import match as match_module
from cardbattle.engines import process
from cardbattle.engines.definitions import Engine
from cardbattle.engines.description import Clock
from cardbattle.engines.elo import Hypotheses
from cardbattle.engines.match import (
    SEATS,
    Match,
    MatchPlan,
    PairResult,
    host_of,
    plan_text,
    play_pair,
    read_plan,
)
from cardbattle.rules import RULE_SETS
from cardbattle.simulation.workers import Serial, workforce
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.engines import PYTHON, SAMPLE, program, scripted
from tests.support.matches import winners_of

COMMAND = f"sample={' '.join(PYTHON)} {SAMPLE}"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for engines that a busy machine runs slowly."""
    monkeypatch.setattr(process, "GRACE", 60)
    monkeypatch.setattr(process, "PARTING", 60)


def plan_of(*commanders: str, rules: str = "strategy-war", engines: tuple[Engine, ...] = ()) -> MatchPlan:
    table = bare_battle(rules, list(SEATS))
    return MatchPlan(table, list(commanders), 7, {engine.name: engine for engine in engines}, Clock(2))


def played(plan: MatchPlan, games: int, test: Hypotheses | None = None) -> Match:
    """Return a match, played in this process."""
    match = Match(plan, games, test)
    match.play(Serial(), 1, lambda result: None, lambda done, of: None)
    return match


def figures(match: Match) -> object:
    return [score.pairs for score in match.scores], match.results, match.battles, match.stopped


def test_a_pair_is_one_deal_from_both_seats() -> None:
    plan, duel = read_plan(plan_text(plan_of("seasoned", "green", rules="wargame")))
    host = host_of(plan_text(plan))
    for number in range(3):
        result = play_pair(plan, duel, host, 0, number)
        seed = child_seed(7, f"match/{number}")
        first = winners_of(duel, seed, ["seasoned", "green"])
        second = winners_of(duel, seed, ["green", "seasoned"])
        assert result.points == [float(first == [0]), float(second == [1])]


def test_all_pairings_play_the_same_deals_and_the_points_add_up() -> None:
    match = played(plan_of("regular", "green", "seasoned"), 12)
    assert match.battles == match.planned == 36
    assert sum(match.score_of(place).points for place in range(3)) == 36
    assert all(sum(results) == 12 for results in match.results)


def test_a_gauntlet_lets_the_first_commander_meet_all_others() -> None:
    plan = plan_of("regular", "green", "seasoned")._replace(is_gauntlet=True)
    assert plan.pairings == [(0, 1), (0, 2)]
    assert played(plan, 4).battles == 8


@pytest.mark.slow
def test_a_match_does_not_depend_on_the_number_of_processes() -> None:
    plan = plan_of("regular", "green", "seasoned", rules="wargame")
    alone = Match(plan, 300)
    together = Match(plan, 300)
    alone.play(Serial(), 1, lambda result: None, lambda done, of: None)
    with workforce(2) as (executor, workers):
        together.play(executor, workers, lambda result: None, lambda done, of: None)
    assert figures(alone) == figures(together)


def test_a_test_ends_the_match_at_the_same_pair_however_jobs_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, test = plan_of("seasoned", "green", rules="wargame"), Hypotheses(0, 50)
    match = played(plan, 1000, test)
    assert match.stopped == "sprt"
    assert match.battles < 100
    monkeypatch.setattr(match_module, "GROWTH", 1)
    assert figures(played(plan, 1000, test)) == figures(match)


@pytest.mark.slow
def test_an_engine_plays_as_a_rank_does_and_its_failures_lose(tmp_path: Path) -> None:
    lines = "if count == 3: sys.exit(5)\nanswer(message, message['options'][0]['id'])"
    plan = plan_of("engine:test", "green", engines=(scripted(tmp_path, lines),))
    match = played(plan, 6)
    assert match.battles == 6
    assert len(match.failures["engine:test"]) == 6
    assert match.scores[0].points == 0
    assert match.failures["engine:test"][0] == "engine test ended with exit code 5"
    assert match_module.HOSTS == {}


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize(
    ("lines", "reason"),
    [("sys.exit(5)", "exit code 5"), ("answer(message, 'no')", "3 illegal answers")],
)
def test_a_failing_engine_loses_the_battle_in_every_rule_set(
    tmp_path: Path, rules: str, lines: str, reason: str
) -> None:
    engine = scripted(tmp_path, f"if count < 3: answer(message, message['options'][0]['id'])\nelse: {lines}")
    match = played(plan_of("green", "engine:test", rules=rules, engines=(engine,)), 2)
    assert match.scores[0].points == 2
    assert [reason in text for text in match.failures["engine:test"]] == [True, True]


def test_an_engine_without_an_answer_in_time_loses_the_battle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "GRACE", 0.1)
    engine = scripted(tmp_path, "time.sleep(9)")
    plan = plan_of("engine:test", "green", rules="warmonger", engines=(engine,))._replace(clock=Clock(0.05))
    match = played(plan, 2)
    assert (match.scores[0].points, len(match.failures["engine:test"])) == (0, 2)


def test_a_lost_battle_is_abandoned_at_once_after_three_questions(tmp_path: Path) -> None:
    """Its `result` comes before the next battle, and the engine is not asked a fourth time."""
    log = tmp_path / "log"
    engine = scripted(tmp_path, "answer(message, 'all of them')")
    match = played(plan_of("engine:test", "green", engines=(engine,))._replace(log=str(log)), 2)
    assert len(match.failures["engine:test"]) == 2
    lines = log.read_text(encoding="utf-8").splitlines()
    sent = [json.loads(line.partition(" > ")[2]) for line in lines if " > " in line]
    battle = ["new", "ask", "error", "ask", "error", "ask", "error", "result"]
    assert [message["type"] for message in sent] == ["hello", *battle, *battle, "quit"]
    assert {message["reason"] for message in sent if message["type"] == "result"} == {"abandoned"}
    assert all(re.match(r" *\d+\.\d{3} test [<>] ", line) for line in lines)


def test_two_engines_meet(tmp_path: Path) -> None:
    first = scripted(tmp_path, "answer(message, message['options'][0]['id'])", "low")
    second = scripted(tmp_path, "answer(message, message['options'][-1]['id'])", "high")
    match = played(plan_of("engine:low", "engine:high", engines=(first, second)), 4)
    assert match.battles == 4
    assert not any(match.failures.values())
    assert match.scores[0].pairs in ([2, 0, 0, 0, 0], [0, 0, 2, 0, 0], [0, 0, 0, 0, 2])


def test_an_engine_that_never_gets_ready_loses_all_its_battles(tmp_path: Path) -> None:
    match = played(plan_of("green", "engine:test", engines=(program(tmp_path, "sys.exit(1)"),)), 2)
    assert match.scores[0].points == 2


def test_the_command_prints_standings_and_pairings(sh: Shell) -> None:
    done = sh("match", "regular", "green", "--rules", "wargame", "-n", "8", "--seed", "1", "-j", "1")
    assert done.code == 0
    assert done.out.splitlines()[0] == "Match, Wargame, seed 1: 8 battles, all battles played"
    assert (
        "regular - green: +8 =0 -0, 100.0% of the points, Elo above +196"
        in sh(
            *("match", "regular", "green", "--rules", "wargame", "-n", "8", "--seed", "1", "-j", "1"),
            *("--format", "plain"),
        ).out
    )


@pytest.mark.slow
def test_json_and_csv_have_the_figures(sh: Shell) -> None:
    arguments = ("match", "sample", "green", "seasoned", "--engine", COMMAND, "--rules", "strategy-war")
    done = sh(*arguments, "-n", "4", "--seed", "2", "-j", "1", "--json")
    data = json.loads(done.out)
    assert [row["battles"] for row in data["pairings"]] == [4, 4, 4]
    assert {row["commander"] for row in data["standings"]} == {"engine:sample", "green", "seasoned"}
    assert sum(row["points"] for row in data["standings"]) == data["battles"] == 12
    rows = list(csv.DictReader(io.StringIO(sh(*arguments, "-n", "4", "-j", "1", "--format", "csv").out)))
    assert [row["first"] for row in rows] == ["engine:sample", "engine:sample", "green"]


def test_a_match_continues_where_it_was_interrupted(sh: Shell) -> None:
    arguments = ["match", "regular", "green", "--rules", "strategy-war", "-j", "1", "--json"]
    whole = json.loads(sh(*arguments, "--seed", "5", "-n", "12").out)
    part = json.loads(sh(*arguments, "--seed", "5", "-n", "6", "--resume", "match.jsonl").out)
    assert part["battles"] == 6
    file = sh.folder / "match.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 4
    file.write_text("".join(lines) + lines[-1][:20], encoding="utf-8")  # cut off by an interruption
    assert json.loads(sh(*arguments, "-n", "12", "--resume", "match.jsonl").out) == whole
    assert len(file.read_text(encoding="utf-8").splitlines()) == 7


@pytest.mark.parametrize(
    ("more", "error"),
    [
        (["regular"], "at least two different commanders"),
        (["regular", "regular"], "at least two different commanders"),
        (["regular", "vetran"], 'did you mean "veteran"'),
        (["regular", "human"], "unknown commander"),
        (["regular", "deep"], "add --engine deep"),
        (["regular", "mybot"], "if it is an engine, add --engine mybot='COMMAND'"),
        (["regular", "engine:bold"], 'engine "bold" is not defined'),
        (["regular", "green", "-n", "7"], "write an even number"),
        (["regular", "green", "--sprt", "10,0"], "write two Elo differences"),
        (["regular", "green", "--sprt", "1"], "write two Elo differences"),
        (["regular", "green", "seasoned", "--sprt", "0,10"], "--sprt compares two commanders"),
        (["regular", "green", "--set", "house.chips=5"], "house.chips"),
    ],
)
def test_a_match_that_makes_no_sense_is_refused(
    sh: Shell, monkeypatch: pytest.MonkeyPatch, more: list[str], error: str
) -> None:
    config = sh.folder / "config.toml"
    config.write_text('[engines]\ndeep = "deep"\n', encoding="utf-8")
    monkeypatch.setattr("cardbattle.cli.commands.match.config_file", lambda: str(config))
    refused = sh("match", *more, "--rules", "strategy-war", "-j", "1")
    assert refused.code == 2, refused
    assert error in refused.err


def test_a_file_of_another_match_is_refused(sh: Shell) -> None:
    sh.write("other.jsonl", "not a match\n")
    command = ("match", "regular", "green", "--rules", "strategy-war", "-n", "2", "-j", "1")
    assert sh(*command, "--resume", "other.jsonl").code == 3
    assert sh(*command, "--resume", "match.jsonl").code == 0
    refused = sh("match", "green", "regular", *command[3:], "--resume", "match.jsonl")
    assert (refused.code, "other commanders" in refused.err) == (3, True)


def test_results_are_counted_with_their_failures() -> None:
    match = Match(plan_of("engine:x", "green"), 2)
    match.add(PairResult(0, 0, [0.0, 0.5], ["engine x ended with exit code 1"]))
    assert (match.results, match.failures["engine:x"]) == ([[0, 1, 1]], ["engine x ended with exit code 1"])
