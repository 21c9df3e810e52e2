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
from unittest import mock

import tomli_w

from cardbattle.battles.records.battle_file import BattlePlan, read_battle
from cardbattle.battles.records.record import dumps_record, record_digest
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import verify_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.exchange import import_results
from cardbattle.campaign.ledger.ledger import entry_hash
from cardbattle.campaign.ledger.roster import SideNames
from cardbattle.campaign.state.battle_setup import battle_table
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import advice
from cardbattle.cli.app import run
from cardbattle.core.errors import MOST, Diagnostic, InvalidInput
from cardbattle.core.names import UNFIT
from cardbattle.files import toml
from cardbattle.files.errors import with_place
from cardbattle.simulation.batch import duplicates, read_batch
from tests.fuzz import samples
from tests.fuzz.changing import Sample, change
from tests.fuzz.samples import ROOT
from tests.fuzz.sessions import change_session, sessions

DESK = Path(__file__).parent / "desk"  # what a session of commands finds in its folder
FOUGHT = 20  # one sound battle of so many is fought as well: it costs more than all reading
ODDS = 10  # battles from which a command tells odds; else they are 200, and take longer than all the rest
CODES = (0, 1, 2, 3, 4, 6)  # what a command may end with where the system does its part
NOT_AGAIN = "the record does not replay"
Make = Callable[[Sample, Random], str]
Read = Callable[[Path, Random], bool]


class Wrong(Exception):
    """A reader broke a law: its message about a file does not help the user."""


class Reader(NamedTuple):
    """A reader: its samples, how one is changed, in which file it is read; `read` says if it was sound."""

    samples: Sequence[Sample]
    make: Make
    file: str
    read: Read


def placed(errors: Sequence[Diagnostic], name: str) -> bool:
    """Hold mistakes against the law that each says where and what; return False."""
    if not errors:
        raise Wrong("refused without a mistake")
    for error in map(with_place, errors[:MOST]):  # the one after them says that there are more
        if not error.text or error.file != name or error.line < 1:
            raise Wrong(f"a mistake is not placed: {error.file!r}:{error.line}: {error.text!r}")
    return False


def read_battle_file(path: Path, random: Random) -> bool:
    """Read a battle file; some that are sound are fought."""
    try:
        source = toml.read_toml(str(path))
    except InvalidInput as refused:
        return placed(refused.errors, str(path))
    try:
        plan = read_battle(source.data | {"seed": source.data.get("seed", 1)}, str(ROOT))
        fight_some(plan, random)
    except InvalidInput as refused:
        return placed([source.placed(error) for error in refused.errors], str(path))
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
    """Read a campaign. Each pending battle of a valid one must be valid, or rejected with a message."""
    try:
        books = store.load(str(path.parent))
    except InvalidInput as refused:
        return placed(refused.errors, store.NAME)
    for pending in books.campaign.pending:
        with contextlib.suppress(InvalidInput):
            read_battle(battle_table(books.campaign, pending), str(ROOT))
    return True


def read_result_file(path: Path, random: Random) -> bool:
    """Read a record, a results file or a spreadsheet of results, as an import does."""
    try:
        import_results.read_results(str(path))
    except InvalidInput as refused:
        alone = refused.errors[0] if len(refused.errors) == 1 else None
        if alone is not None and alone.text.startswith(NOT_AGAIN):
            return False  # a move is to blame, not a line
        return placed(refused.errors, str(path))
    return True


def read_form_file(path: Path, random: Random) -> bool:
    """Read a form for results as an import does, which knows who fights."""
    try:
        import_results.read_results(str(path), fighters)
    except InvalidInput as refused:
        return placed(refused.errors, str(path))
    return True


def fighters(battle: str) -> SideNames:
    """Return the sides of the battles that are pending."""
    if battle not in ("bridge", "wood"):
        raise ValueError(f"no battle {battle} is pending")
    return {"percy": ["Harry Percy"], "stafford": ["Stafford"]}


def read_batch_file(path: Path, random: Random) -> bool:
    """Read a batch; each battle in it is a battle, or refused with its place in the file."""
    try:
        batch = read_batch(str(path), 1)
    except InvalidInput as refused:
        return placed(refused.errors, str(path))
    sound = not placed_or_none(duplicates(batch), str(path))
    for entry in batch.entries:
        try:
            read_battle(entry.table, str(ROOT))
        except InvalidInput as refused:
            sound = placed([batch.place(entry, error) for error in refused.errors], str(path))
    return sound


def placed_or_none(errors: Sequence[Diagnostic], name: str) -> bool:
    """Say whether there are mistakes, all of them placed."""
    return bool(errors) and not placed(errors, name)


def read_ledger_file(path: Path, random: Random) -> bool:
    """Read a ledger: what holds good of it can be read again, what does not has a line."""
    try:
        ledger = store.load_ledger(str(path.parent), whole=True)
    except InvalidInput as refused:
        return placed(refused.errors, str(path))
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
        prev = entry["check"] = entry_hash(entry)
    return "".join(f"\n[[entry]]\n{tomli_w.dumps(flat(entry))}" for entry in entries)


def flat(entry: dict[str, object]) -> dict[str, object]:
    """Return an entry whose lists of tables stay where they stand, within the line."""
    return {key: value for key, value in entry.items() if not isinstance(value, dict)} | {
        key: value for key, value in entry.items() if isinstance(value, dict)
    }


def run_commands(path: Path, random: Random) -> bool:
    """Run command lines in an empty folder. Each must end with a message and a documented exit code."""
    folder = path.parent / "session"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DESK, folder)
    is_sound = True
    with contextlib.chdir(folder), mock.patch.object(advice, "BATTLES", ODDS):
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


def readers() -> dict[str, Reader]:
    """Return all readers of files by name."""
    return {
        "battle": Reader(samples.battles(), change, "battle.toml", read_battle_file),
        "record": Reader(samples.all_records(), redigested, "record.toml", read_result_file),
        "campaign": Reader(samples.campaigns(), change, store.NAME, read_campaign_file),
        "ledger": Reader(samples.ledgers(), resealed, "history.toml", read_ledger_file),
        "results": Reader(
            samples.named("results", samples.RESULTS), change, "results.toml", read_result_file
        ),
        "results-csv": Reader(samples.result_rows(), change, "results.csv", read_result_file),
        "results-form": Reader(samples.forms(), change, "form.csv", read_form_file),
        "batch": Reader(samples.batches(), change, "batch.toml", read_batch_file),
        "batch-csv": Reader(samples.battle_rows(), change, "batch.csv", read_batch_file),
        "commands": Reader(sessions(), change_session, "session.jsonl", run_commands),
    }
