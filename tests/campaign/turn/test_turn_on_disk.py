"""A turn on a real disk: crashes at any write, undo after any phase, and secrets that stay secret."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomli_w

from cardbattle.campaign import check
from cardbattle.campaign.ledger.operations import plan_import
from cardbattle.campaign.ledger.undo import undo_turn
from cardbattle.campaign.phases.names import BATTLES
from cardbattle.campaign.phases.turn_order import PHASES
from cardbattle.campaign.state.battle_result import BattleResult, result_digest
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.advance import AdvanceOptions, begin_next_turn, run_phase
from cardbattle.files import disk
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.faults import DEATHS, Died, FaultySystem
from tests.support.marches import folder_with
from tests.support.tally import tried
from tests.support.turns import random_result, random_turn

LEAVE = AdvanceOptions(leave_battles=True)
OWN = {"strength": "own", "location": "all", "commander": "own", "pending": "all"}
READINGS = (
    ("show", "--no-odds"), ("report",), ("standings",), ("history",), ("orders", "show"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let fsync only be counted."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


def folder_of(parent: Path, data: dict[str, Any]) -> str:
    """Write a campaign, and return its folder."""
    return folder_with(parent, tomli_w.dumps(data))


def text(folder: str) -> str:
    """Return the campaign's file without the count of its revisions."""
    lines = Path(folder, "campaign.toml").read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("revision"))


def play_turn(folder: str, seed: int) -> None:
    """Run the phases of a turn that are still due, with the same results of battles for the same seed."""
    for phase in PHASES:
        if phase.name == BATTLES:
            record_battles(folder, seed)
        else:
            run_phase(folder, phase, LEAVE)
    begin_next_turn(folder, LEAVE)


def record_battles(folder: str, seed: int) -> None:
    """Record a result for each pending battle, in one group."""
    with store.open_for_writing(folder) as transaction:
        results = {
            battle.id: random_result(Random(f"{seed} {battle.id}"), battle)
            for battle in transaction.campaign.pending
        }
        battles = [
            BattleResult(battle, result, result_digest(battle, result)) for battle, result in results.items()
        ]
        plan = plan_import(transaction.books, transaction.ledger, battles)
        transaction.commit(plan.operations)


def die_in_turn(folder: str, seed: int, call: int, how: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Play a turn on a system that dies at one call; return how many calls were made."""
    system = FaultySystem({call: how} if call else {})
    with monkeypatch.context() as patch:
        patch.setattr(disk, "os", system)
        patch.setattr(disk, "exchange", system.exchange)
        with contextlib.suppress(Died):
            play_turn(folder, seed)
    system.bury()
    return system.count


def check_crashes(seed: int, parent: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Play a turn, then again with deaths at some of its calls: each goes on to the same end."""
    data = random_turn(Random(seed))
    whole = folder_of(parent / "whole", data)
    calls = die_in_turn(whole, seed, 0, "", monkeypatch)
    chance = Random(f"crash {seed}")
    for number in range(most):
        cut = folder_of(parent / str(number), data)
        die_in_turn(cut, seed, chance.randint(1, calls), chance.choice(DEATHS), monkeypatch)
        with store.open_for_writing(cut) as transaction:  # completes what was begun
            turn = transaction.campaign.turn
        if turn == data["turn"]:
            play_turn(cut, seed)
        assert text(cut) == text(whole), seed
        assert store.load_ledger(cut).heads.kinds == store.load_ledger(whole).heads.kinds
        assert check.check(cut) == []
        tried("deaths within a turn")


def check_undo(seed: int, parent: Path) -> None:
    """Undo a turn after each of its phases: every byte is as before."""
    data = random_turn(Random(seed))
    for count in range(1, len(PHASES) + 1):
        folder = folder_of(parent / str(count), data)
        before = text(folder)
        for phase in PHASES[:count]:
            if phase.name == BATTLES:
                record_battles(folder, seed)
            else:
                run_phase(folder, phase, LEAVE)
        if store.load_ledger(folder).heads:
            with store.open_for_writing(folder) as transaction:
                transaction.commit([undo_turn(transaction.books, transaction.ledger)])
        assert text(folder) == before, (seed, count)
        tried("turns undone after a phase")


def test_a_turn_that_was_interrupted_at_its_very_end_is_not_followed_by_another(
    sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ledger has the beginning of the next turn, the campaign file does not."""
    folder = folder_of(tmp_path / "war", random_turn(Random(1)) | {"orders": {}, "pending": []})
    monkeypatch.chdir(folder)
    before = Path(folder, "campaign.toml").read_bytes()
    begin_next_turn(folder, LEAVE)
    begun = store.load(folder).campaign.turn
    Path(folder, "campaign.toml").write_bytes(before)
    said = sh("campaign", "advance", "--format", "plain")
    assert (said.code, store.load(folder).campaign.turn) == (0, begun)
    assert f"turn {begun} begins" in said.out
    assert store.load_ledger(folder).heads.kinds == ["turn"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_turn_survives_a_crash_at_any_write(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_crashes(seed, tmp_path, monkeypatch, 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 103))
def test_undo_after_any_phase_restores_every_byte(seed: int, tmp_path: Path) -> None:
    check_undo(seed, tmp_path)


@pytest.mark.heavy
@pytest.mark.parametrize("part", range(10))
def test_many_turns_survive_crashes_and_undo(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(1000 * part, 1000 * part + 20):
        check_crashes(seed, tmp_path / f"crash{seed}", monkeypatch, 5)
        check_undo(seed, tmp_path / f"undo{seed}")


def twins(seed: int) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Return two campaigns that differ only in what a reader may not know, and the reader."""
    random = Random(seed)
    pair = [random_turn(Random(seed)), random_turn(Random(seed))]
    reader = random.choice([*pair[0]["factions"], "public"])
    for number, data in enumerate(pair):
        secret = Random(f"{seed} {number}")
        data["visibility"] = {**OWN, "strength": random_extent(seed)}
        hides_hirings = data["visibility"]["strength"] == "own"
        for key, faction in data["factions"].items():
            if key != reader and (hides_hirings or "recruit" not in data):
                faction["purse"] = secret.randint(0, 500)
        for force in data["forces"].values():
            if force["faction"] != reader:
                force["commander"] = secret.choice(("green", "regular", "seasoned", "veteran"))
                force["experience"] = secret.randint(0, 9)
                force["standing"] = [f"else {secret.choice(('green', 'regular'))}"]
                if "leader" in force:
                    force |= {
                        "leader": f"secret{secret.random()}",
                        "deputy": secret.choice(("green", "regular")),
                    }
                force["x_note"] = f"secret{secret.random()}"
        for key, order in data["orders"].items() if hides_hirings else ():
            if data["forces"][key]["faction"] != reader:
                data["orders"][key] = re.sub(r"hire \d+", f"hire {secret.randint(0, 9)}", order)
        later = {"turn": data["turn"] + 1, "text": f"secret{secret.random()}"}
        data["schedule"] += [later] * secret.randint(0, 2)
        data["event"] += [{"turn": data["turn"], "text": f"private secret{secret.random()}"}]
        data["event"] += [{"each": "turn", "when": "turn == 99", "text": f"secret{secret.random()}"}]
    return pair[0], pair[1], reader


def random_extent(seed: int) -> str:
    return Random(f"extent {seed}").choice(("own", "rough", "all"))


def check_secrets(sh: Shell, seed: int, parent: Path) -> None:
    """Play the same turn in twins, and hold what a reader reads against each other."""
    one, other, reader = twins(seed)
    folders = [folder_of(parent / "one", one), folder_of(parent / "other", other)]
    for folder in folders:
        play_turn(folder, seed)
    for words in READINGS:
        for form in ("text", "json"):
            line = [*words, "--for", reader, "--format", form]
            said = []
            for folder in folders:
                os.chdir(folder)
                said.append(sh("campaign", *line))
            assert said[0] == said[1], (seed, line)
            assert "secret" not in said[0].out + said[0].err, (seed, line)
            tried("texts after a turn, read by a player in twin campaigns")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_turn_gives_away_nothing(
    sh: Shell, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    check_secrets(sh, seed, tmp_path)


@pytest.mark.heavy
@pytest.mark.parametrize("part", range(10))
def test_many_turns_give_away_nothing(
    sh: Shell, part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for seed in range(1000 * part, 1000 * part + 10):
        check_secrets(sh, seed, tmp_path / str(seed))
