"""Fight all battles in one file, and write the results in the order of the file.

Finished battles are appended to a journal beside the results file, so that an interrupted batch can be
continued, even if battles were added, removed or changed in the input file. Workers fight the battles, and
only the main process writes files.
"""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from concurrent.futures import Executor
from hashlib import sha256
from itertools import chain, islice
from typing import NamedTuple

from cardbattle import rules
from cardbattle.battles.records.battle_file import FORMAT, id_from_content, read_battle, value_of_text
from cardbattle.battles.records.file_kinds import expect_kind, refuse_folder
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.results_file import result
from cardbattle.battles.resolve import fight_battle
from cardbattle.battles.seeds import draw_seed
from cardbattle.core.chance import child_seed
from cardbattle.core.errors import MOST, CardbattleError, Diagnostic, InvalidInput, UsageError, first, note
from cardbattle.core.names import listed, quoted
from cardbattle.core.options import Option
from cardbattle.files import reader, toml, toml_stream
from cardbattle.files.errors import with_place
from cardbattle.files.reader import table_or_empty
from cardbattle.files.spool import Spool
from cardbattle.files.spreadsheet import Sheet, is_sheet, nest_columns, parse_sheet, read_text, whole_number
from cardbattle.files.toml_stream import Chunk
from cardbattle.simulation.batch_columns import columns_not_read, refuse_no_headings, rules_by_key
from cardbattle.simulation.journal import Finished, FinishedBattle
from cardbattle.simulation.workers import in_order

MOST_BYTES = 64 * toml.MEGABYTE
BATTLE = "battle"
KEYS = ("format", "defaults", BATTLE)
DEFAULTS = ("seed", "rules", "house", "sides")


class BatchEntry(NamedTuple):
    """One battle of a batch, with its position in the file.

    `table` has the content of a battle file, including an id and a seed.
    """

    table: dict[str, object]
    at: tuple[str | int, ...]
    line: int  # line number in a spreadsheet; 0 in a TOML file
    piece: Chunk | None = None  # the battle's text in a TOML file, if it has its own table [[battle]]

    @property
    def digest(self) -> str:
        """A hash of the table, including the id and the seed."""
        return sha256(json.dumps(self.table, sort_keys=True, default=str).encode()).hexdigest()


class Batch(NamedTuple):
    """The content of a batch file. `place` adds the file and the line to an error in a battle."""

    entries: Sequence[BatchEntry]  # stored on disk
    seed: int | str
    base: str
    place: Callable[[BatchEntry, Diagnostic], Diagnostic]

    def __repr__(self) -> str:
        return f"<Batch of {len(self.entries)} battles, seed {self.seed}>"

    def digest(self, number: int) -> str:
        """Return a hash of one battle, by which its outcome in a journal is found."""
        return self.entries[number].digest


class BatchJob(NamedTuple):
    """A task for a worker, which is to fight one battle of a batch."""

    table: str  # JSON
    base: str
    wants_record: bool


def read_batch(path: str, seed: int | str | None, last: int | str | None = None) -> Batch:
    """Read a batch from a TOML file or a spreadsheet of up to 64 MB.

    The seed of the batch is `seed`. If `seed` is None, it is the seed in the file, or `last`, or a random
    seed.

    Raises InvalidInput if the structure of the file is wrong. An error in a single battle is found only when
    this battle is fought, so that it does not stop the other battles.
    """
    refuse_folder(path)
    name, text = read_text(path, MOST_BYTES)
    base = os.path.dirname(path)
    if is_sheet(path, text):
        return read_csv_batch(parse_sheet(name, text), base, seed, last)
    return read_toml_batch(name, text, base, seed, last)


def read_toml_batch(name: str, text: str, base: str, seed: int | str | None, last: int | str | None) -> Batch:
    """Return the batch in a TOML file, which has a table `[[battle]]` for each battle.

    Raises InvalidInput, which lists all errors in the structure of the file.
    """
    outside = toml_stream.outside(name, text, BATTLE)
    begun = next(toml_stream.items(name, text, BATTLE), None)
    if begun is None:
        expect_kind(outside, "batch")
    errors = first(wrong_head(outside.data, begun is not None))
    if errors:
        outside.refuse(errors)
    defaults = table_or_empty(outside.data.get("defaults"))
    chosen = seed if seed is not None else batch_seed(defaults, outside, last)

    def place(entry: BatchEntry, error: Diagnostic) -> Diagnostic:
        if entry.piece is None:
            return outside.placed(type(error)(error.text, at=(*entry.at, *error.at)))
        source = toml_stream.parse(name, entry.piece)
        placed = source.placed(type(error)(error.text, at=(BATTLE, 0, *error.at)))
        placed.at = (*entry.at, *error.at)
        return toml_stream.place_in_file(placed, entry.piece)

    entries = list_entries(name, text) if begun else inline_entries(outside)
    entries = (entry._replace(table=with_defaults(entry.table, defaults)) for entry in entries)
    ready = Spool(assign_ids(worth_fighting(entries, base, place), chosen))
    return Batch(ready, chosen, base, place)


def wrong_head(data: Mapping[str, object], has_battles: bool) -> Iterator[Diagnostic]:
    """Yield the errors in a batch file outside the tables `[[battle]]`."""
    for key in data:
        if key not in KEYS:
            yield toml.unknown_key((key,), KEYS)
    if data.get("format", FORMAT) != FORMAT:
        yield Diagnostic(f"this program reads format {FORMAT}", at=("format",))
    defaults = data.get("defaults", {})
    if not isinstance(defaults, dict):
        yield Diagnostic("expected a table, [defaults]", at=("defaults",))
    for key in sorted(set(table_or_empty(defaults)) - set(DEFAULTS)):
        yield Diagnostic(f"defaults are {listed(DEFAULTS)}", at=("defaults", key))
    battles = data.get(BATTLE, [])
    is_list = isinstance(battles, list) and all(isinstance(battle, dict) for battle in battles)
    if not is_list or bool(battles) == has_battles:
        yield Diagnostic("expected battles, each under [[battle]]", at=(BATTLE,))


def list_entries(name: str, text: str) -> Iterator[BatchEntry]:
    """Yield the battles of a batch file that has a table `[[battle]]` for each battle."""
    for number, piece in enumerate(toml_stream.items(name, text, BATTLE)):
        battles = toml_stream.parse(name, piece).data[BATTLE]
        assert isinstance(battles, list)
        yield BatchEntry(battles[0], (BATTLE, number), 0, piece)


def inline_entries(source: toml.Source) -> Iterator[BatchEntry]:
    """Yield the battles of a batch file that has one list of battles, `battle = [{ ... }]`."""
    battles = source.data[BATTLE]
    assert isinstance(battles, list)
    for number, battle in enumerate(battles):
        yield BatchEntry(battle, (BATTLE, number), 0)


def worth_fighting(
    entries: Iterator[BatchEntry], base: str, place: Callable[[BatchEntry, Diagnostic], Diagnostic]
) -> Iterator[BatchEntry]:
    """Yield the battles of a file.

    Before this, the function checks the first 51 battles. Raises InvalidInput if all of them have errors.
    """
    begun = list(islice(entries, MOST + 1))
    errors = [first(place(entry, error) for error in battle_errors(entry, base)) for entry in begun]
    if begun and all(errors):
        raise InvalidInput(chain.from_iterable(errors))
    yield from begun
    yield from entries


def battle_errors(entry: BatchEntry, base: str) -> list[Diagnostic]:
    """Return the errors in a battle that can be found without fighting the battle."""
    try:
        read_battle({"id": "any"} | entry.table, base)
    except InvalidInput as refused:
        return refused.errors
    except Exception:  # the same error is reported when the battle is fought
        return []
    return []


def batch_seed(defaults: Mapping[str, object], source: toml.Source, last: int | str | None) -> int | str:
    """Return the seed in the table `[defaults]`.

    If this table has no seed, return `last`. If `last` is None, return a random seed. Raises InvalidInput if
    the seed in the table is not valid.
    """
    if "seed" not in defaults:
        return draw_seed() if last is None else last
    try:
        return reader.expect_seed(defaults["seed"])
    except ValueError as error:
        source.refuse([Diagnostic(str(error), at=("defaults", "seed"))])


def with_defaults(battle: dict[str, object], defaults: Mapping[str, object]) -> dict[str, object]:
    """Return the table of a battle.

    Keys that it does not have get their values from the batch's defaults. Defaults for sides that are not in
    the battle are ignored.
    """
    table: dict[str, object] = {key: value for key, value in defaults.items() if key != "seed"} | battle
    if isinstance(battle.get("house"), dict):
        table["house"] = table_or_empty(defaults.get("house")) | table_or_empty(battle["house"])
    if isinstance(battle.get("sides"), dict):
        common = table_or_empty(defaults.get("sides"))
        table["sides"] = {
            key: table_or_empty(common.get(key)) | side if isinstance(side, dict) else side
            for key, side in table_or_empty(battle["sides"]).items()
        }
    return table


def read_csv_batch(sheet: Sheet, base: str, seed: int | str | None, last: int | str | None) -> Batch:
    """Return the batch in a spreadsheet.

    The names of the columns are dotted keys of a battle file.

    Raises InvalidInput if no battle uses a column, or if the first 51 battles all have errors.
    """
    refuse_no_headings(sheet)
    if not len(sheet.rows):
        raise InvalidInput(
            [sheet.error("the sheet has no battles; write each battle on a line of its own", 1)]
        )
    errors = first(columns_not_read(sheet))
    if errors:
        raise InvalidInput(errors)
    chosen = seed if seed is not None else draw_seed() if last is None else last
    place = sheet_place(sheet)
    ready = Spool(assign_ids(worth_fighting(row_entries(sheet), base, place), chosen))
    return Batch(ready, chosen, base, place)


def row_entries(sheet: Sheet) -> Iterator[BatchEntry]:
    """Yield the battles of a sheet. Raises InvalidInput if a row is not valid."""
    errors: list[Diagnostic] = []
    for row in sheet.rows:
        try:
            yield BatchEntry(with_cells_read(nest_columns(row.cells)), (), row.line)
        except ValueError as error:
            note(errors, sheet.error(str(error), row.line))
        if len(errors) > MOST:
            break
    if errors:
        raise InvalidInput(errors)


def sheet_place(sheet: Sheet) -> Callable[[BatchEntry, Diagnostic], Diagnostic]:
    """Return a function that adds the row of the battle in the sheet to an error in a battle.

    If the sides of a battle are wrong, the error also names the sides whose cells in the row are all empty.
    """

    def place(entry: BatchEntry, error: Diagnostic) -> Diagnostic:
        text = error.text + (empty_sides(sheet, entry) if "sides" in error.text else "")
        placed = with_place(sheet.error(text, entry.line, sheet.column_of(error.at)))
        placed.at = error.at
        return placed

    return place


def empty_sides(sheet: Sheet, entry: BatchEntry) -> str:
    """Return a hint about the sides that have columns, but only empty cells in a row.

    The hint is "" if the row has no such sides, or if the battle has enough sides without them.
    """
    filled = table_or_empty(entry.table.get("sides"))
    columns = [column.split(".")[1] for column in sheet.columns if column.startswith("sides.")]
    empty = [key for key in dict.fromkeys(columns) if key not in filled]
    chosen = rules_by_key(str(entry.table.get("rules", "")))
    if chosen is None or not empty or len(filled) >= chosen.fewest:
        return ""
    cells = listed([f"sides.{key}.commander" for key in empty], "or")
    return f"; empty cells add no side: for an ordinary side, write regular under {cells}"


def with_cells_read(table: dict[str, object]) -> dict[str, object]:
    """Convert the text in the cells of a row to values as in a battle file.

    Options are written in a cell as on the command line. Semicolons separate standing orders, and spaces
    separate cards.
    """
    chosen = None
    if isinstance(table.get("rules"), str):
        try:
            chosen = rules.find(str(table["rules"]))
        except UsageError:
            chosen = None
    read = dict(table)
    if isinstance(read.get("seed"), str):
        read["seed"] = whole_number(str(read["seed"]))
    if isinstance(read.get("format"), str):
        read["format"] = whole_number(str(read["format"]))
    house, sides, dealt = (table_or_empty(read.get(key)) for key in ("house", "sides", "deal"))
    if chosen is not None:
        read["house"] = {word: option_value(chosen.house, word, cell) for word, cell in house.items()}
        read["sides"] = {
            key: {
                word: option_value(chosen.options, word, cell) for word, cell in table_or_empty(side).items()
            }
            if isinstance(side, dict)
            else {"commander": side}
            for key, side in sides.items()
        }
    if dealt:
        read["deal"] = {pile: cell.split() if isinstance(cell, str) else cell for pile, cell in dealt.items()}
    return {key: value for key, value in read.items() if value != {}}


def option_value(known_values: Mapping[str, Option], word: str, cell: object) -> object:
    """Convert the text in a cell to a value of the option `word`."""
    return value_of_text(known_values, word, cell) if isinstance(cell, str) else cell


def assign_ids(entries: Iterable[BatchEntry], seed: int | str) -> Iterator[BatchEntry]:
    """Add an id and a seed to each battle that does not have them.

    If several battles have the same content, the ids of the second, third and later ones end in `-2`, `-3`
    and so on.

    The seed of a battle depends only on the seed of the batch and on the id of the battle. Changes to other
    battles therefore do not affect it.
    """
    seen: dict[str, int] = {}
    for entry in entries:
        table = entry.table
        stem = table["id"] if isinstance(table.get("id"), str) else content_id(table)
        seen[str(stem)] = seen.get(str(stem), 0) + 1
        again = seen[str(stem)]
        identity = stem if again == 1 or "id" in table else f"{stem}-{again}"
        completed = (
            {"id": identity} | table | {"seed": table.get("seed", child_seed(seed, f"batch/{identity}"))}
        )
        yield entry._replace(table=completed)


def content_id(table: dict[str, object]) -> str:
    """Return an id from the content of a battle, or "battle" if the rule set is unknown."""
    try:
        return id_from_content(rules.find(str(table.get("rules"))), table)
    except UsageError:
        return "battle"


def duplicates(batch: Batch) -> list[Diagnostic]:
    """Return an error for each battle whose id an earlier battle has."""
    seen: set[str] = set()
    errors = []
    for entry in batch.entries:
        identity = str(entry.table["id"])
        if identity in seen:
            errors.append(
                batch.place(entry, Diagnostic(f"the id {quoted(identity)} appears twice", at=("id",)))
            )
        seen.add(identity)
    return errors


def run_batch_job(job: BatchJob) -> FinishedBattle:
    """Fight one battle of a batch. If the battle has errors, the result contains the errors."""
    try:
        record, _ = fight_battle(read_battle(json.loads(job.table), job.base))
    except InvalidInput as refused:
        return FinishedBattle({}, "", [(error.text, error.at) for error in refused.errors])
    except CardbattleError as error:
        return FinishedBattle({}, "", [(str(error), ())])
    except Exception as error:  # a bug in a plug-in or in this program must not stop the other battles
        return FinishedBattle(
            {}, "", [(f"unexpected failure: {type(error).__name__}: {error}"[:300], ())], True
        )
    return FinishedBattle(result(record), dumps_record(record) if job.wants_record else "", [])


def fight_each(
    tables: Iterable[Mapping[str, object]], base: str, executor: Executor, workers: int, wants_records: bool
) -> Iterator[FinishedBattle]:
    """Fight battles, and yield their results in order. Raises SystemFailure if a worker died."""
    jobs = (BatchJob(json.dumps(table, default=str), base, wants_records) for table in tables)
    return in_order(executor, run_batch_job, jobs, workers)


def fight_all(
    batch: Batch,
    executor: Executor,
    workers: int,
    wants_records: bool,
    mutable_mapping: MutableMapping[int, FinishedBattle],
    report_progress: Callable[[int, FinishedBattle], None],
) -> None:
    """Fight all battles of a batch that have no result yet, and store the results.

    The function `report_progress` is called for each battle, in the order of the file. Raises SystemFailure
    if a worker died.
    """
    missing = array("Q", (number for number in range(len(batch.entries)) if number not in mutable_mapping))
    tables = (batch.entries[number].table for number in missing)
    fought = fight_each(tables, batch.base, executor, workers, wants_records)
    for number, outcome in zip(missing, fought, strict=True):
        mutable_mapping[number] = outcome
        report_progress(number, outcome)


def failures(batch: Batch, finished: Mapping[int, FinishedBattle]) -> Iterator[Diagnostic]:
    """Yield the errors of all rejected battles, with their positions in the file."""
    refused = finished.refused_numbers if isinstance(finished, Finished) else sorted(finished)
    for number in refused:
        for text, at in finished[number].errors:
            yield batch.place(batch.entries[number], Diagnostic(text, at=at))
