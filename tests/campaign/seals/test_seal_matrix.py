"""Honest battles are accepted and cheats refused, by the players' script and by `verify --seals` alike."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import tomli_w

from cardbattle import rules
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.receipts import receipts_in
from cardbattle.battles.records.record import record_digest
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import ReplayMismatch
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.seals.proof import verify_drawn
from cardbattle.campaign.seals.seals import export_table, read_seals
from cardbattle.core.errors import InvalidInput
from cardbattle.files.toml import parse_toml
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.seal_cheats import (
    CHEATS,
    Pair,
    Trial,
    begins_again,
    changes_house_rules,
    changes_options,
    dumped,
    has_another_commander,
)
from tests.support.seal_variants import RULES, Case, sealed_campaign
from tests.support.sealed import MASTER, founded
from tests.support.tally import tried

SCRIPT = Path(str(resources.files("cardbattle").joinpath("data", "check_seals.py")))
OLD = Path(__file__).parents[2] / "sealed-by-older-release"
BATTLES = 4  # by each rule set
MANY_BATTLES = 42  # by each rule set, in the heavy test
MESSAGES = 2  # of BATTLES


def load_script() -> ModuleType:
    """Return the players' script as a module."""
    spec = importlib.util.spec_from_file_location("check_seals", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script()


def fought(folder: Path, battles: int, messages: int) -> dict[str, list[Case]]:
    """Return honest battles by rule set."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        patch.setattr("secrets.token_bytes", lambda size: MASTER[:size])
        patch.setattr("secrets.token_hex", lambda size: "5a" * size)
        return {key: sealed_campaign(folder / key, key, battles, messages) for key in RULES}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Case]]:
    """Give honest battles of every rule set."""
    return fought(tmp_path_factory.mktemp("honest"), BATTLES, MESSAGES)


def published(case: Case) -> dict[str, Any]:
    """Return the published seals after the battle."""
    return tomllib.loads((case.folder / "seals.toml").read_text(encoding="utf-8"))


def by_script(case: Case, pair: Pair) -> list[str]:
    """Return what the script finds wrong."""
    errors, remarks = script.check(*pair, case.folder / "records")
    assert not [remark for remark in remarks if remark.startswith("NOT")]
    return list(errors)


def by_program(case: Case, pair: Pair) -> list[str]:
    """Return what `verify --seals` finds wrong."""
    seals, record = pair
    try:
        kept = read_seals(parse_toml("seals.toml", dumped(seals)))
        verify_drawn(kept, read_record(record, str(case.folder / "records")))
    except (InvalidInput, ReplayMismatch) as error:
        return [str(error)]
    return []


def check_honest(case: Case) -> None:
    """Assert that the program and the script accept an honest battle."""
    pair = published(case), case.record
    assert (by_script(case, pair), by_program(case, pair)) == ([], []), case.name


def cheated(case: Case) -> Iterator[tuple[str, Pair]]:
    """Yield what each cheat that applies makes of a battle."""
    seals = published(case)
    for cheat in CHEATS:
        pair = cheat(Trial(case, seals, random.Random(f"{case.name} {cheat.__name__}")))
        if pair:
            yield cheat.__name__, pair


def check_cheats(case: Case, count: Counter[str]) -> None:
    """Assert that both refuse each cheat with a battle."""
    for name, pair in cheated(case):
        count[name] += 1
        if name == begins_again.__name__:  # only a player who kept a receipt notices this
            assert receipts_in(case.record) - receipts_in(pair[1]), case.name
            continue
        assert by_script(case, pair), f"{case.name}: the script accepts {name}"
        assert by_program(case, pair), f"{case.name}: verify --seals accepts {name}"


@pytest.mark.slow
@pytest.mark.parametrize("key", RULES)
def test_honest_battles_are_accepted_by_both(cases: dict[str, list[Case]], key: str) -> None:
    for case in cases[key]:
        check_honest(case)
    assert sum("receipts" in case.record for case in cases[key]) == MESSAGES
    tried("honest sealed battles, which script and program accept", len(cases[key]))


@pytest.mark.heavy
@pytest.mark.parametrize("key", RULES)
def test_cheats_are_refused_by_both(cases: dict[str, list[Case]], key: str) -> None:
    count: Counter[str] = Counter()
    for case in cases[key]:
        check_cheats(case, count)
    assert count.total() >= 80
    tried("cheats with sealed dice, which script and program refuse", count.total())


@pytest.mark.heavy
def test_honest_battles_are_accepted_and_every_cheat_refused(tmp_path: Path) -> None:
    """There are more than 200 honest battles, and each kind of cheat applies to one of them."""
    cases = fought(tmp_path, MANY_BATTLES, MANY_BATTLES // 3)
    whole = [case for each in cases.values() for case in each]
    assert len(whole) >= 5 * MANY_BATTLES
    count: Counter[str] = Counter()
    for case in whole:
        check_honest(case)
    for case in [case for each in cases.values() for case in each[1::2]]:
        check_cheats(case, count)
    assert count.total() >= 700
    assert len(count) == len(CHEATS)
    tried("honest sealed battles, which script and program accept", len(whole))
    tried("cheats with sealed dice, which script and program refuse", count.total())


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the script in a Python that sees only its standard library."""
    command = [sys.executable, "-I", str(SCRIPT), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_script_is_short_and_says_by_its_exit_code_what_it_found(
    cases: dict[str, list[Case]], tmp_path: Path
) -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 400
    case = cases["warmonger"][-1]
    seals, record = case.folder / "seals.toml", case.folder / f"records/{case.battle}.toml"
    before = case.folder / "before.toml"
    orders: list[list[str | Path]] = [
        [seals, record, "--before", before],
        ["--before", before, seals, record],
    ]
    for words in orders:
        done = run(*words)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"{record}: as it was sealed")
        assert re.search(r"was played by a person, with [1-9]\d* receipts", done.stdout)
    assert [run().returncode, run(seals).returncode, run(seals, "nothing.toml").returncode] == [2, 2, 2]
    assert run(before, record).returncode == 1
    for done in (run(record, seals), run(seals, record, "--before", record)):
        assert done.returncode == 2
        assert f"{record} has no seals; name the file of seals first" in done.stderr
    done = run(before, record, "--before", seals)
    assert f"{before}: {seals} says otherwise" in done.stdout
    assert "is not revealed" in done.stdout
    assert "Traceback" not in done.stderr
    (tmp_path / "bad.toml").write_text("seats = 3\n[bound.seal]\nslot = 'x'\n")
    done = run(seals, tmp_path / "bad.toml")
    assert (done.returncode, done.stderr, "it cannot be read" in done.stdout) == (1, "", True)


@pytest.mark.slow
def test_what_the_script_cannot_check_it_says(cases: dict[str, list[Case]], tmp_path: Path) -> None:
    """Without an owner's file it cannot know the Warmonger cards, and says so: exit code 3."""
    own = next(case for case in cases["warmonger"] if "files" in case.record)
    seals, record = tmp_path / "seals.toml", tmp_path / "record.toml"
    seals.write_text(tomli_w.dumps(published(own)), encoding="utf-8")
    record.write_text(tomli_w.dumps(own.record), encoding="utf-8")
    done = run(seals, record)
    assert (done.returncode, done.stderr) == (3, "")
    assert "NOT checked: the Warmonger cards; put box.toml beside the record" in done.stdout


@pytest.mark.slow
def test_a_player_finds_their_receipt_in_the_record(cases: dict[str, list[Case]], tmp_path: Path) -> None:
    for key in RULES:
        case = cases[key][-1]
        again = begins_again(Trial(case, published(case), random.Random(1)))
        if again is None:
            continue
        receipt = min(receipts_in(case.record) - receipts_in(again[1]))
        for name, record in (("first", case.record), ("again", again[1])):
            (tmp_path / f"{name}.toml").write_text(tomli_w.dumps(record), encoding="utf-8")
        seals = case.folder / "seals.toml"
        assert run(seals, tmp_path / "first.toml", "--receipt", receipt).returncode in (0, 3)
        done = run(seals, tmp_path / "again.toml", "--receipt", receipt)
        assert (done.returncode, f"receipt {receipt}: it is in no record" in done.stdout) == (1, True)


@pytest.mark.slow
def test_what_is_sealed_is_canonical(cases: dict[str, list[Case]]) -> None:
    """Every option is explicit, and every card has its one spelling: the script's table says the same."""
    for key in RULES:
        chosen = rules.find(key)
        for case, slot in zip(cases[key], published(cases[key][0])["slot"], strict=True):
            battle = json.loads(slot["exported"])
            for side in battle["sides"].values():
                usual = {word for word, option in chosen.options.items() if option.default is not None}
                assert usual <= side.keys()
            usual = {word for word, option in chosen.house.items() if option.is_recorded(option.default)}
            assert usual <= battle.get("house", {}).keys(), case.name
            assert not {"t", "T", "♠", "♥"} & {card[:-1] for card in cards_in(battle)}
            assert all(card == card.upper() and card.isascii() for card in cards_in(battle))


def cards_in(battle: dict[str, Any]) -> list[str]:
    """Return all cards that are named in an exported battle."""
    tables = [battle.get("house", {}), *battle["sides"].values()]
    lists = [value for table in tables for word, value in table.items() if word != "standing"]
    return [one for value in lists if isinstance(value, list) for one in value if isinstance(one, str)]


def test_the_script_knows_the_usual_options_of_every_rule_set() -> None:
    """What records leave out is what the script fills in."""
    for key in RULES:
        chosen = rules.find(key)
        setup = chosen.usual_setup()
        house = {word: value for word, value in setup.house.items() if chosen.house[word].is_recorded(value)}
        assert script.HOUSE[key] == house, key
        for word, value in script.SIDE[key].items():
            option = chosen.options[word]
            assert option.read(value, setup.seats) == option.default, (key, word)
        defaults = {word for word, option in chosen.options.items() if option.default is not None}
        assert {*script.SIDE[key]} == defaults, key


@pytest.mark.parametrize("key", RULES)
def test_seals_of_an_older_release_stay_verifiable(key: str) -> None:
    """They were exported with options left out, and cards as the umpire had typed them."""
    seals = tomllib.loads((OLD / key / "seals.toml").read_text(encoding="utf-8"))
    kept = read_seals(parse_toml("seals.toml", (OLD / key / "seals.toml").read_bytes()))
    records = sorted((OLD / key / "records").glob("*.toml"))
    assert records
    for path in records:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        assert script.check(seals, table, path.parent)[0] == [], path
        assert "as it was sealed" in verify_drawn(kept, read_record(table, str(path.parent)))


@pytest.mark.slow
def test_a_move_that_a_thinking_commander_would_not_make_is_refused(
    sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only `verify --seals` knows: the umpire let another commander choose, and named the sealed one."""
    monkeypatch.setattr("secrets.token_bytes", lambda size: MASTER[:size])
    desk = founded(sh, tmp_path / "war")
    desk.edit("strength = 14", 'strength = 14\ncommander = "veteran:iterations=20"')
    desk.fight("mill")
    desk.do("reveal", "--all", "-q")
    seals, honest = desk.read("seals.toml"), desk.read("records/mill.toml")
    kept = read_seals(parse_toml("seals.toml", dumped(seals)))
    assert "as it was sealed" in verify_drawn(kept, read_record(honest))
    plan = read_battle({**export_table(seals["slot"][0]["exported"]), "seed": honest["seed"]})
    green = [side._replace(commander="green") for side in plan.sides[:1]]
    record: Any = fight_battle(plan._replace(sides=[*green, *plan.sides[1:]]))[0].table
    record["sides"]["percy"]["commander"] = honest["sides"]["percy"]["commander"]
    assert record["moves"] != honest["moves"]
    record["digest"] = record_digest(record)
    assert script.check(seals, record)[0] == []
    with pytest.raises(ReplayMismatch, match="cannot be reproduced by this version"):
        verify_drawn(kept, read_record(record))


@pytest.mark.slow
def test_of_rules_from_a_plug_in_the_script_says_what_it_cannot_check(
    cases: dict[str, list[Case]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(script.HOUSE, "strategy-war")
    monkeypatch.delitem(script.SIDE, "strategy-war")
    refused = 0
    for case in cases["strategy-war"]:
        errors, remarks = script.check(published(case), case.record)
        assert errors == []
        assert [remark for remark in remarks if remark.startswith("NOT checked: random house rules, deal")]
        for cheat in (changes_options, has_another_commander, changes_house_rules):
            pair = cheat(Trial(case, published(case), random.Random(case.battle)))
            if pair and not pair[1]["sides"].items() <= case.record["sides"].items():
                refused += bool(script.check(*pair)[0])
    assert refused >= len(cases["strategy-war"])


@pytest.mark.slow
def test_a_slot_that_an_older_release_gave_is_fought_as_it_was_then(
    sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is sealed with options left out and cards as they were typed; a change since is still refused."""
    monkeypatch.setattr("secrets.token_bytes", lambda size: MASTER[:size])
    desk = founded(sh, tmp_path / "war")
    desk.edit('note = "at dawn"', 'options.percy.cards = ["a", "k", "T", "9", "2", "J"]')
    with monkeypatch.context() as patch:
        patch.setattr("cardbattle.campaign.seals.sealed_draw.resolve_table", lambda table, plan: dict(table))
        desk.do("seal", "mill")
    desk.edit('["a", "k", "T", "9", "2", "J"]', '["2", "9", "10", "J", "K", "A"]')
    desk.fight("mill")
    desk.do("undo")
    desk.edit('["2", "9", "10", "J", "K", "A"]', '["2", "9", "10", "J", "K", "K"]')
    said = desk("fight", "mill", "--no-odds")
    assert (said.code, "percy.cards is" in said.err) == (4, True)
    desk.edit('"K", "K"]', '"K", "A"]')
    desk.fight("mill")
    desk.do("reveal", "--all", "-q")
    seals, record = desk.read("seals.toml"), desk.read("records/mill.2.toml")
    assert '"cards":["a","k","T","9","2","J"]' in seals["slot"][0]["exported"]
    assert script.check(seals, record)[0] == []
    verify_drawn(read_seals(parse_toml("seals.toml", dumped(seals))), read_record(record))
