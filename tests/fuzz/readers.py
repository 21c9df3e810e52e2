"""The readers, each with sound samples and with what may come of a changed one."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple
from unicodedata import category

import tomli_w

from cardbattle.campaign import importing, store
from cardbattle.campaign.battle_setup import battle_table
from cardbattle.campaign.ledger import hashed
from cardbattle.chances.batch import duplicates, read_batch
from cardbattle.cli.app import run
from cardbattle.core.errors import Mistake, Refused
from cardbattle.core.names import UNFIT
from cardbattle.fighting.resolve import fight_battle
from cardbattle.files import toml
from cardbattle.files.errors import with_place
from cardbattle.records.battle_file import BattlePlan, read_battle
from cardbattle.records.reading import read_record
from cardbattle.records.record import dumps_record, record_digest
from cardbattle.records.refight import verify_record
from tests import marches
from tests.fuzz.changing import Sample, change, sheet_sample, toml_sample
from tests.fuzz.sessions import change_session, sessions

ROOT = Path(__file__).parent.parent.parent
DESK = Path(__file__).parent / "desk"  # what a session of commands finds in its folder
FOUGHT = 20  # one sound battle of so many is fought as well: it costs more than all reading
CODES = (0, 1, 2, 3, 4, 6)  # what a command may end with where the system does its part
NOT_AGAIN = "the record does not fight again as it says"
Make = Callable[[Sample, Random], str]
Read = Callable[[Path, Random], bool]


class Wrong(Exception):
    """A reader broke a law: what it said of a file helps nobody."""


class Reader(NamedTuple):
    """A reader: its samples, how one is changed, in which file it is read; `read` says if it was sound."""

    samples: Sequence[Sample]
    make: Make
    file: str
    read: Read


def placed(mistakes: Sequence[Mistake], name: str) -> bool:
    """Hold mistakes against the law that each says where and what; return False."""
    if not mistakes:
        raise Wrong("refused without a mistake")
    for mistake in map(with_place, mistakes):
        if not mistake.text or mistake.file != name or mistake.line < 1:
            raise Wrong(f"a mistake is not placed: {mistake.file!r}:{mistake.line}: {mistake.text!r}")
    return False


def read_battle_file(path: Path, random: Random) -> bool:
    """Read a battle file; some that are sound are fought."""
    try:
        source = toml.read_toml(str(path))
    except Refused as refused:
        return placed(refused.mistakes, str(path))
    try:
        plan = read_battle(source.data | {"seed": source.data.get("seed", 1)}, str(ROOT))
        fight_some(plan, random)
    except Refused as refused:
        return placed([source.placed(mistake) for mistake in refused.mistakes], str(path))
    return True


def fight_some(plan: BattlePlan, random: Random) -> None:
    """Fight one battle of many, between greens, and hold its record against itself."""
    if random.randrange(FOUGHT):
        return
    quick = [
        side._replace(commander="green") if side.commander != "orders" else side._replace(then="green")
        for side in plan.sides
    ]
    record, _ = fight_battle(plan._replace(sides=quick))
    verify_record(read_record(tomllib.loads(dumps_record(record)), str(ROOT)))


def read_campaign_file(path: Path, random: Random) -> bool:
    """Read a campaign; each pending battle of a sound one is a battle, or refused in words."""
    try:
        books = store.load(str(path.parent))
    except Refused as refused:
        return placed(refused.mistakes, store.NAME)
    for pending in books.campaign.pending:
        with contextlib.suppress(Refused):
            read_battle(battle_table(books.campaign, pending), str(ROOT))
    return True


def read_result_file(path: Path, random: Random) -> bool:
    """Read a record, a results file or a spreadsheet of results, as an import does."""
    try:
        importing.read_results(str(path))
    except Refused as refused:
        alone = refused.mistakes[0] if len(refused.mistakes) == 1 else None
        if alone is not None and alone.text.startswith(NOT_AGAIN):
            return False  # a move is to blame, not a line
        return placed(refused.mistakes, str(path))
    return True


def read_batch_file(path: Path, random: Random) -> bool:
    """Read a batch; each battle in it is a battle, or refused with its place in the file."""
    try:
        batch = read_batch(str(path), 1)
    except Refused as refused:
        return placed(refused.mistakes, str(path))
    sound = not placed_or_none(duplicates(batch), str(path))
    for entry in batch.entries:
        try:
            read_battle(entry.table, str(ROOT))
        except Refused as refused:
            sound = placed([batch.place(entry, mistake) for mistake in refused.mistakes], str(path))
    return sound


def placed_or_none(mistakes: Sequence[Mistake], name: str) -> bool:
    """Say whether there are mistakes, all of them placed."""
    return bool(mistakes) and not placed(mistakes, name)


def read_ledger_file(path: Path, random: Random) -> bool:
    """Read a ledger: what holds good of it can be read again, what does not has a line."""
    try:
        ledger = store.load_ledger(str(path.parent), whole=True)
    except Refused as refused:
        return placed(refused.mistakes, str(path))
    if len(ledger.entries) != len(ledger.heads):
        raise Wrong("not every entry that holds good can be read")
    if ledger.damage is None:
        return True
    if not ledger.damage.why or ledger.damage.line < 1:
        raise Wrong(f"damage is not placed: {ledger.damage}")
    return False


def redigested(sample: Sample, random: Random) -> str:
    """Return a changed record, mostly with its digest made right again."""
    text = change(sample, random)
    if random.random() < 0.25:
        return text
    try:
        digest = record_digest(tomllib.loads(text))
    except (ValueError, RecursionError):
        return text
    return re.sub(r'^digest = ".*"$', f'digest = "{digest}"', text, count=1, flags=re.MULTILINE)


def resealed(sample: Sample, random: Random) -> str:
    """Return a changed ledger, mostly with every hash made right again."""
    text = change(sample, random)
    if random.random() < 0.25:
        return text
    try:
        data = tomllib.loads(text)
        return sealed_anew(data) if isinstance(data.get("entry"), list) else text
    except (ValueError, TypeError, AttributeError, RecursionError):
        return text


def sealed_anew(data: dict[str, object]) -> str:
    """Return a ledger's data as text with every hash made right."""
    entries = data["entry"]
    assert isinstance(entries, list)
    prev = ""
    for entry in entries:
        entry["prev"] = prev
        prev = entry["check"] = hashed(entry)
    return "".join(f"\n[[entry]]\n{tomli_w.dumps(flat(entry))}" for entry in entries)


def flat(entry: dict[str, object]) -> dict[str, object]:
    """Return an entry whose lists of tables stay where they stand, within the line."""
    return {key: value for key, value in entry.items() if not isinstance(value, dict)} | {
        key: value for key, value in entry.items() if isinstance(value, dict)
    }


def run_commands(path: Path, random: Random) -> bool:
    """Run a session of command lines in a fresh folder; each ends in words, with a code of the contract."""
    folder = path.parent / "session"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DESK, folder)
    is_sound = True
    with contextlib.chdir(folder):
        for line in path.read_text(encoding="utf-8").splitlines():
            is_sound = run_command(json.loads(line)) == 0 and is_sound
    return is_sound


def run_command(arguments: list[str]) -> int:
    """Run one command line, hold what it prints against the contract, and return its code."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), nothing_to_read():
        code = run(arguments)
    said = err.getvalue()
    if code not in CODES or "unexpected failure" in said or "Traceback" in said:
        raise Wrong(f"exit {code}: {said}")
    if code > 1 and not said.startswith("cardbattle: ") and not out.getvalue().startswith("Usage: "):
        raise Wrong(f"exit {code} without a word: {said!r}")
    for text in (out.getvalue(), said):
        acting = {char for char in text if category(char) in UNFIT} - {"\n", "\t"}
        if acting:
            raise Wrong(f"characters that act are printed: {sorted(acting)!r}")
    return code


@contextlib.contextmanager
def nothing_to_read() -> Iterator[None]:
    """Give the commands an empty standard input."""
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(b""))
    try:
        yield
    finally:
        sys.stdin = before


def samples_of(paths: Sequence[Path], most: int = 4000) -> list[Sample]:
    """Return the sound files among these that are small."""
    texts = [(path, path.read_bytes().decode()) for path in sorted(paths)]
    return [toml_sample(path.name, text) for path, text in texts if len(text) <= most]


def batch_of(paths: Sequence[Path]) -> str:
    """Return a batch of small battles with defaults."""
    battles = [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths]
    defaults = {"seed": 5, "sides": {"north": {"commander": "green"}}}
    return tomli_w.dumps({"format": 1, "defaults": defaults, "battle": battles})


BATTLES = [*(ROOT / "tests" / "battles").glob("*.toml"), ROOT / "examples" / "shrewsbury.toml"]
RESULTS = """\
format = 1
[[result]]
id = "bridge"
rules = "strategy-war"
seed = 3
winners = ["percy"]
reason = "more-rounds"
[result.sides.percy]
score = 5
losses = "1/4"
[result.sides.stafford]
score = 3
losses = "2/5"
[result.bound]
campaign = "The Marches"
battle = "bridge"
[result.bound.forces.percy]
strength = 14
digest = "0123"
[[result]]
id = "wood"
winners = []
sides = { percy = { losses = "0" }, stafford = { losses = "1" } }
"""
RESULT_ROWS = """\
id,rules,seed,winners,reason,sides.percy.score,sides.percy.losses,sides.stafford.losses
bridge,strategy-war,3,percy,more-rounds,5,1/4,2/5
wood,,,,,,0,1
ford,wargame,x,percy stafford,,4,"1/3",1/3
"""
BATTLE_ROWS = """\
id,rules,seed,sides.york.hand,sides.york.commander,sides.lancaster.commander,house.dealer,deal.stack
a,field-of-honour,7,12,green,regular,york,KS 10H
b,strategy-war,x,,green,green,,
,field-of-honour,,9,regular,green,,
"""
LEDGERS = [ROOT / "campaigns" / name / "history.toml" for name in ("back-room-league", "the-marches-1403")]


def shorter(path: Path, entries: int) -> str:
    """Return the first entries of a shipped ledger."""
    return "[[entry]]".join(path.read_text(encoding="utf-8").split("[[entry]]")[: entries + 1])


def readers() -> dict[str, Reader]:
    """Return all readers of files by name."""
    golden = samples_of(list((ROOT / "tests" / "golden").glob("*.toml")), 2200)
    campaigns = samples_of(list((ROOT / "campaigns").glob("*/campaign.toml")))
    ledgers = [toml_sample(path.parent.name, shorter(path, 2)) for path in LEDGERS]
    batch = toml_sample("batch", batch_of([path for path in BATTLES if path.stat().st_size < 250]))
    return {
        "battle": Reader(samples_of(BATTLES), change, "battle.toml", read_battle_file),
        "record": Reader(golden, redigested, "record.toml", read_result_file),
        "campaign": Reader(
            [toml_sample("marches", marches.MARCHES), *campaigns], change, store.NAME, read_campaign_file
        ),
        "ledger": Reader(ledgers, resealed, "history.toml", read_ledger_file),
        "results": Reader([toml_sample("results", RESULTS)], change, "results.toml", read_result_file),
        "results-csv": Reader(
            [sheet_sample("results", RESULT_ROWS)], change, "results.csv", read_result_file
        ),
        "batch": Reader([batch], change, "batch.toml", read_batch_file),
        "batch-csv": Reader([sheet_sample("batch", BATTLE_ROWS)], change, "batch.csv", read_batch_file),
        "commands": Reader(sessions(), change_session, "session.jsonl", run_commands),
    }
