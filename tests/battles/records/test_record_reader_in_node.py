"""The format page, its test vectors and the reader in node agree with the program."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

import cardbattle
from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.record import Record, dumps_record, record_digest, record_of
from cardbattle.battles.records.record_reader import KEYS, SIDE_TOLD
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.options import PRESET
from cardbattle.core.referee import Referee
from cardbattle.files.toml import read_toml
from cardbattle.rules import RULE_SETS, find
from tests.support.golden import FOLDER
from tests.support.record_vectors import FILE, ROOT, vectors

PAGE = (ROOT / "docs" / "format-record.md").read_text(encoding="utf-8")
READER = ROOT / "examples" / "record-reader" / "reader.mjs"
RULES = [find(key) for key in RULE_SETS]
DEALT = ("field-of-honour", "warfare-tactics", "warmonger")
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def read_in_node(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the reader."""
    command = [NODE or "", READER, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def lines_for(records: Iterable[str], folder: Path) -> list[str]:
    """Return what the reader says of each of these records."""
    files = []
    for number, text in enumerate(records):
        files.append(folder / f"{number}.toml")
        files[-1].write_text(text, encoding="utf-8")
    lines = read_in_node(*files).stdout.splitlines()
    return [line.removeprefix(f"{file}: ") for line, file in zip(lines, files, strict=True)]


def random_battle(seed: int) -> Record:
    """Return a battle of Strategy WAR with random options, whose sides choose at random or are late."""
    chance = stream(seed, "options")
    sides = {
        f"side{n}": {"cards": [*map(str, chance.sample(1 + chance.below(4), [2, 2, 3, 3, 4, 5, 7]))]}
        for n in range(2 + chance.below(4))
    }
    house = {
        "rounds": 2 + chance.below(4),
        "auto_last": bool(chance.below(2)),
        "mode": ["open", "dark"][chance.below(2)],
        "tiebreak": ["shared", "most-rounds", "best-pot"][chance.below(3)],
    }
    plan = read_battle({"rules": "strategy-war", "seed": seed, "house": house, "sides": sides})
    referee = Referee(plan.rules, plan.setup, Drawn(chance))
    while not referee.battle.is_over():
        late = chance.below(8) == 0
        options = len(referee.battle.options)
        referee.choose(options if late else chance.below(options))
    return record_of(plan, referee, "engine")


def test_the_vectors_are_those_of_this_program() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == json.loads(json.dumps(vectors()))


def test_the_page_names_every_key_of_a_record() -> None:
    tables = dict(re.findall(r"^\| `\[?(?:sides\.)?(\w+)\]?` \| (.*) \|$", PAGE, re.MULTILINE))
    assert {*KEYS, *SIDE_TOLD} - tables.keys() == {"sides"}
    assert "`[sides.KEY]`" in PAGE


def rows_of(header: str) -> dict[str, list[str]]:
    """Return the cells of a table on the page, by rule set, without the first cell."""
    lines = PAGE.partition(f"{header}\n")[2].partition("\n\n")[0].splitlines()[1:]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {name: cells for name, *cells in rows}


def words_of(cell: str) -> list[str]:
    """Return the words in back quotes."""
    return re.findall("`([^`]+)`", cell)


def test_the_page_has_the_sides_and_reasons_of_every_rule_set() -> None:
    assert rows_of("| rule set | sides | `reason` |") == {
        chosen.name: [chosen.number_of_sides, ", ".join(f"`{reason}`" for reason in chosen.reasons)]
        for chosen in RULES
    }


def test_the_page_says_which_house_rules_a_record_has() -> None:
    rows = rows_of("| rule set | in every record | only if set | readings, with their defaults |")
    assert rows.keys() == {chosen.name for chosen in RULES}
    for chosen in RULES:
        always, if_set, readings = rows[chosen.name]
        house = fight_battle(read_battle({**bare_battle(chosen.key, []), "seed": 1}))[0].table["house"]
        assert isinstance(house, dict)
        assert words_of(always) == [*house]
        options = {word: option for word, option in chosen.house.items() if option.is_reading}
        defaults = {word: json.dumps(option.write(option.default)) for word, option in options.items()}
        assert dict(re.findall('`([^`]+)` ("[^"]+"|[0-9a-z]+)', readings)) == defaults
        assert {*words_of(if_set), *house, *options} == {*chosen.house} - {PRESET}


@pytest.mark.slow
@needs_node
def test_the_reader_agrees_with_all_vectors() -> None:
    assert read_in_node("--vectors", FILE).stdout == "all vectors agree\n"


@pytest.mark.slow
@needs_node
def test_the_reader_verifies_the_golden_records_of_all_rule_sets() -> None:
    done = read_in_node(
        *sorted(FOLDER.glob("*.toml")), *sorted((ROOT / "examples" / "sealed").glob("mill.toml"))
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("digest and deal agree") == 13
    assert len(re.findall("digest, deal and all [0-9]+ moves agree", done.stdout)) == 3


@pytest.mark.slow
@needs_node
def test_the_reader_follows_battles_with_every_option_of_strategy_war(tmp_path: Path) -> None:
    records = [random_battle(seed) for seed in range(90, 150)]
    assert {record.reason for record in records} == {"most-points", "tiebreak", "shared"}
    for record in records:
        cardbattle.verify(record)
    lines = lines_for(map(dumps_record, records), tmp_path)
    assert lines == [f"digest, deal and all {len(record.moves)} moves agree" for record in records]


def with_digest(table: dict[str, object]) -> str:
    """Return a changed record with the digest that fits it."""
    record = random_battle(3)
    return dumps_record(record._replace(table={**table, "digest": record_digest(table)}))


@pytest.mark.slow
@needs_node
def test_the_reader_refuses_what_the_program_refuses(tmp_path: Path) -> None:
    golden = (FOLDER / "field-of-honour-1-2.toml").read_text(encoding="utf-8")
    duel = dumps_record(random_battle(3))
    table = random_battle(3).table
    moves, checks = table["moves"], table["checks"]
    assert isinstance(moves, list) and isinstance(checks, list)
    changed = {
        "format has a wrong value": duel.replace("format = 1", "format = 2"),
        "colour is not a key of a record": f'colour = "red"\n{duel}',
        "seats is missing": re.sub("^seats = .*\n", "", duel, flags=re.MULTILINE),
        "id is there twice": duel.replace("format = 1", 'format = 1\nid = "twice"'),
        "the digest does not match": golden.replace("score = 6", "score = 5"),
        "move 1: ": with_digest({**table, "moves": ["side0 commit A", *moves[1:]]}),
        "the moves end before the battle does": with_digest({**table, "moves": [], "checks": checks[:1]}),
        "check 0 differs": with_digest({**table, "checks": [f"0:{'0' * 16}", *checks[1:]]}),
        "the checks are not where they belong": with_digest({**table, "checks": []}),
        "the moves give": with_digest({**table, "winners": []}),
    }
    lines = lines_for(changed.values(), tmp_path)
    for (reason, text), line in zip(changed.items(), lines, strict=True):
        assert reason in line
        with pytest.raises(cardbattle.CardbattleError):
            cardbattle.verify(write(text, tmp_path))


def write(text: str, folder: Path) -> Path:
    """Write a record to a file."""
    file = folder / "changed.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.slow
@needs_node
def test_the_reader_finds_a_deal_that_does_not_follow_from_the_seed(tmp_path: Path) -> None:
    tables = [read_toml(str(FOLDER / f"{key}-1-1.toml")).data for key in DEALT]
    lines = lines_for([with_digest({**table, "seed": 6}) for table in tables], tmp_path)
    assert lines == ["the deal does not follow from the seed"] * len(DEALT)
