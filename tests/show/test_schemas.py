"""The JSON Schemas accept what the program writes, and refuse what it refuses."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import cardbattle
from cardbattle.battles.records.battle_file import KEYS as BATTLE_KEYS
from cardbattle.battles.records.battle_file import SIDE_KEYS, bare_battle, read_battle
from cardbattle.battles.records.battle_schema import battle_schema, side_keys
from cardbattle.battles.records.record_reader import KEYS, read_record
from cardbattle.battles.session_file import WAITING_KEYS, session_text
from cardbattle.campaign.ledger.ledger import KEYS as ENTRY_KEYS
from cardbattle.core.errors import InvalidInput
from cardbattle.rules import RULE_SETS
from cardbattle.show.schemas import FOLDER, read_stored_schema, schema_index
from tests.battles.messages.test_messages import FIELD
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.support.schemas import complaint

ROOT = Path(__file__).parents[2]
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.toml"))
BATTLES = [
    *sorted((ROOT / "tests" / "battles").glob("*.toml")),
    *(ROOT / "examples" / name for name in ("shrewsbury.toml", "five-lords.toml", "from-the-table.toml")),
]
BAD = sorted((ROOT / "tests" / "bad" / "battles").glob("*.toml"))
BATTLE_FILE = battle_schema()
BEYOND_SCHEMAS = {  # errors that depend on more than one value, or on the letters of a text
    "bound-wrong",
    "card-twice-in-the-deal",
    "deal-of-nothing",
    "name-blank",
    "name-control",
    "orders-unread",
    "seed-control",
    "side-key-reserved",
    "two-kinds-of-mistakes",
}


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def why_not(name: str, value: object) -> str:
    """Return why a stored schema refuses a value, or ""."""
    schema = read_stored_schema(name)
    return complaint(value, schema, schema)


def test_the_index_names_every_stored_schema_and_no_other() -> None:
    index = schema_index()
    made = {"battle-file", "campaign-file"}
    stored = {file.name.removesuffix(".json") for file in FOLDER.iterdir()} - {"index"}
    assert {*index.files, *index.outputs.values()} == stored | made
    assert made.isdisjoint(stored)
    assert all(read_stored_schema(name)["title"] for name in stored)


def test_the_schemas_name_exactly_the_keys_that_the_program_reads() -> None:
    for name, keys in (("record", KEYS), ("session", {*KEYS, "waiting"} - {"winners", "reason", "digest"})):
        assert {*read_stored_schema(name)["properties"]} == {*keys}  # type: ignore[misc]
    waiting: Any = read_stored_schema("session")["properties"]
    assert {*waiting["waiting"]["properties"]} == {*WAITING_KEYS}
    entry: Any = read_stored_schema("ledger")["$defs"]
    assert {*entry["entry"]["properties"]} == {*ENTRY_KEYS}
    battle: Any = BATTLE_FILE["properties"]
    assert {*battle} == {*BATTLE_KEYS}
    assert {*side_keys()} == {*SIDE_KEYS}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_schema_of_records_accepts_golden_records(path: Path) -> None:
    assert why_not("record", read(path)) == ""


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"seed": -1},
        {"seed": True},
        {"rules_version": 0},
        {"winners": "york"},
        {"checks": ["0:xyz"]},
        {"fought": "somewhere"},
        {"colour": "red"},
        {"moves": [1]},
        {"deal": {"york": "KS"}},
    ],
    ids=repr,
)
def test_the_schema_of_records_refuses_what_the_program_refuses(change: dict[str, object]) -> None:
    table = {**read(GOLDEN[0]), **change}
    assert why_not("record", table)
    with pytest.raises(InvalidInput):
        read_record(table)


@pytest.mark.parametrize("path", BATTLES, ids=lambda path: path.stem)
def test_the_schema_of_battle_files_accepts_battles(path: Path) -> None:
    assert complaint(read(path), BATTLE_FILE, BATTLE_FILE) == ""


@pytest.mark.parametrize("key", [*RULE_SETS, "brainwar"])
def test_the_schema_of_battle_files_accepts_the_defaults_of_every_rule_set(key: str) -> None:
    assert complaint(bare_battle(key, []), BATTLE_FILE, BATTLE_FILE) == ""


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_the_schema_of_battle_files_refuses_bad_battles(path: Path) -> None:
    table = read(path)
    with pytest.raises(InvalidInput):
        read_battle(table)
    assert bool(complaint(table, BATTLE_FILE, BATTLE_FILE)) != (path.stem in BEYOND_SCHEMAS)


def test_the_schema_of_sessions_accepts_a_battle_in_progress() -> None:
    session = cardbattle.play("field-of-honour", seed=3, north="human", south="regular")
    session.answer("north", session.decision("north").texts[0])
    assert why_not("session", tomllib.loads(session_text(session))) == ""


@pytest.mark.parametrize("name", ["four-noons", "the-marches-1403", "back-room-league"])
def test_the_schema_of_ledgers_accepts_the_ledgers_of_campaigns(name: str) -> None:
    table = read(ROOT / "campaigns" / name / "history.toml")
    assert why_not("ledger", table) == ""
    table["entry"][0]["colour"] = "red"
    assert why_not("ledger", table) == ".entry.0: unknown key colour"


def test_the_schemas_accept_sealed_dice_batches_and_results(sh: Shell) -> None:
    assert why_not("seals", read(ROOT / "examples" / "sealed" / "seals.toml")) == ""
    assert why_not("batch-file", read(ROOT / "examples" / "raids.toml")) == ""
    sh.write("few.toml", '[[battle]]\nid = "a"\nrules = "strategy-war"\nsides.a = {}\nsides.b = {}\n')
    assert sh("batch", "few.toml", "--seed", "3", "-o", "results.toml", "-q").code == 0
    assert why_not("results-file", read(sh.folder / "results.toml")) == ""


def test_a_form_for_results_has_the_schema_of_results(sh: Shell, war: Path) -> None:
    assert sh("campaign", "results", "-o", "form.toml", "-q").code == 0
    assert why_not("results-file", read(Path("form.toml"))) == ""


@pytest.mark.parametrize(
    "line",
    [
        "resolve strategy-war --seed 3 --series 2",
        "resolve strategy-war --seed 3 --for p2",
        "odds strategy-war --side a --side b --set a.cards=2,3 --set b.cards=2,3 --seed 3 --ranks -n 2",
        "odds strategy-war --side a --side b --set a.cards=2,3 --set b.cards=2,4 --seed 3 -n 2",
        "odds wargame --seed 3 --compare presets -n 1",
        "rules",
        "help",
        "help odds",
        "help wargame",
    ],
)
def test_the_other_outputs_of_commands_have_their_schema(sh: Shell, line: str) -> None:
    words = line.split()
    said = sh(*words, "--json")
    assert said.code == 0, said.err
    assert why_not(schema_index().outputs[words[0]], json.loads(said.out)) == ""


@pytest.mark.slow
def test_the_outputs_for_factions_have_their_schemas(sh: Shell, war: Path) -> None:
    assert sh("campaign", "fight", "mill", "--no-odds", "-q").code == 0
    for line in ("show --no-odds", "history", "history mill", "standings", "report", "report --turn 1"):
        for reader in ([], ["--for", "public"], ["--for", "king"]):
            said = sh("campaign", *line.split(), *reader, "--json")
            assert said.code == 0, said.err
            name = schema_index().outputs[f"campaign {line.split()[0]}"]
            assert why_not(name, json.loads(said.out)) == "", line


def test_a_battle_by_message_has_the_schema_of_sessions(sh: Shell) -> None:
    sh.write("mill.toml", FIELD)
    assert sh("orders", "ask", "mill.toml", "-q").code == 0
    assert why_not("session", read(sh.folder / "mill.battle.toml")) == ""


@pytest.mark.slow
def test_the_schema_command_prints_every_schema_and_suggests_the_nearest_name(sh: Shell) -> None:
    listed = sh("schema").out
    index = schema_index()
    for name in (*index.files, *index.outputs, *index.messages):
        assert f"  {name}" in listed
        assert json.loads(sh("schema", *name.split()).out)["title"]
    said = sh("schema", "recrd")
    assert (said.code, said.out) == (2, "")
    assert 'did you mean "record"?' in said.err
