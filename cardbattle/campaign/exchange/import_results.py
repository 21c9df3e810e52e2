"""Results from outside become fought battles: records, results files, spreadsheets.

Nothing is repaired and nothing is guessed: what does not fit is refused with its line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from cardbattle.battles.records.battle_file import FORMAT, read_bound
from cardbattle.battles.records.file_kinds import expect_kind, refuse_folder
from cardbattle.battles.records.record import Record, dumps_record, read_checks, record_digest
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import (
    ReplayMismatch,
    check_digest,
    check_spelling,
    refight,
    verify_record,
)
from cardbattle.battles.rederive import answers_itself
from cardbattle.campaign.exchange.result_rows import column_errors, is_blank, row_place, row_table
from cardbattle.campaign.ledger.roster import Fighters, SideNames, anybody, is_one_of, key_of, read_winners
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.battle_result import BattleResult, fought_battle, result_digest
from cardbattle.campaign.state.fields import rule_set_key
from cardbattle.campaign.state.losses import read_losses, read_recorded_losses
from cardbattle.core.errors import MOST, Diagnostic, InvalidInput
from cardbattle.core.names import clean, quoted
from cardbattle.files import reader, toml
from cardbattle.files.errors import PlacedDiagnostic, with_place
from cardbattle.files.reader import TableReader
from cardbattle.files.spreadsheet import Sheet, read_any
from cardbattle.files.toml import MEGABYTE, Source

KEYS = ("id", "rules", "seed", "winners", "reason", "digest", "record", "sides", "bound")
KIND = "import"


MOST_RESULTS = 10_000
TOO_MANY = f"a file has at most {MOST_RESULTS} results; split it"


class ResultsFile(NamedTuple):
    """What a file tells: the battles that have a result, and the ids of those not filled in yet."""

    battles: list[BattleResult]
    blank: list[str]


def read_results(path: str, fighters: Fighters = anybody) -> list[BattleResult]:
    """Return the battles that a file tells of, as `read_results_and_blanks`, with whose errors."""
    return read_results_and_blanks(path, fighters).battles


def read_results_and_blanks(path: str, fighters: Fighters = anybody) -> ResultsFile:
    """Return what a record, a results file or a spreadsheet of at most 1 MB tells.

    `fighters` knows the sides of each battle, so that names do for keys. Refused lists every
    mistake with its line.
    """
    refuse_folder(path)
    source = read_any(path, MEGABYTE)
    if isinstance(source, Sheet):
        return read_sheet_results(source, os.path.dirname(path), fighters)
    expect_kind(source, "record", "results")
    if "result" in source.data:
        return read_results_file(source, os.path.dirname(path), fighters)
    return ResultsFile([result_of_record(source, os.path.dirname(path))], [])


def result_of_record(source: Source, folder: str) -> BattleResult:
    """Return the battle of one record, after fighting it again.

    Refused if it is no record, or does not fight again as it says.
    """
    try:
        record = read_record(source.data, folder)
    except InvalidInput as error:
        source.refuse(error.mistakes)
    text = source.text.replace("\r\n", "\n")
    try:
        if record.fought == "table" and not {"digest", "checks"} <= record.table.keys():
            record = completed(record)
            text = dumps_record(record)
        note = verified(record)
    except ReplayMismatch as error:
        raise InvalidInput(
            [PlacedDiagnostic(f"the record does not fight again as it says: {error}", file=source.name)]
        ) from None
    fought = fought_battle(record, text, KIND)
    notes = [note, *unverifiable_parts(record)]
    return fought._replace(notes=[f"battle {fought.id}: {told}" for told in notes if told])


def unverifiable_parts(record: Record) -> list[str]:
    """Return what of a record is taken on somebody's word: no fighting again can tell that it was so."""
    if record.fought == "table":
        return ["it was fought at a table and is taken on somebody's word"]
    if record.fought == "mixed":
        return ["cards were typed in, and it is taken on somebody's word"]
    return [
        f"the moves of {clean(side.name)} ({side.commander}) are taken on somebody's word"
        for side in record.sides
        if not answers_itself(side.commander)
    ]


def verified(record: Record) -> str:
    """Hold a record against its rules; one of earlier rules counts as it stands, and this says so.

    Differs at the first difference.
    """
    check_digest(record)
    if record.rules_version == record.rules.version:
        return verify_record(record)
    check_spelling(record)
    return (
        f"fought under version {record.rules_version} of {record.rules.name}; its result stands as recorded"
    )


def completed(record: Record) -> Record:
    """Return the record of a battle fought at a table with the checks and digest it lacks.

    Differs names the first move that does not fit.
    """
    referee = refight(record)
    table = {key: value for key, value in record.table.items() if key not in ("checks", "digest")}
    table["checks"] = referee.checks
    files = record.rules.files(record.setup)
    if files:
        table["files"] = files
    table["digest"] = record_digest(table)
    deep = {key: value for key, value in table.items() if isinstance(value, dict)}
    plain = {key: value for key, value in table.items() if key not in deep}
    return record._replace(table={**plain, **deep}, checks=read_checks(referee.checks))


class ResultLine(NamedTuple):
    """One result as read: its table, and where a mistake in it stands."""

    data: object
    place: Callable[[Diagnostic], Diagnostic]


def read_results_file(source: Source, folder: str, fighters: Fighters) -> ResultsFile:
    """Return what a results file of at most 10 000 tells; Refused lists every mistake with its line."""
    mistakes: list[Diagnostic] = []
    table = TableReader(source.data, (), mistakes)
    table.only(("format", "result"))
    if table.take("format", reader.expect_whole, FORMAT) != FORMAT:
        table.wrong("this program reads format 1", "format")
    results = table.data["result"]
    if not isinstance(results, list):
        table.wrong("expected results, each under [[result]]", "result")
        results = []
    if len(results) > MOST_RESULTS:
        table.wrong(TOO_MANY, "result", MOST_RESULTS)
    if mistakes:
        source.refuse(mistakes)

    def placed(index: int) -> Callable[[Diagnostic], Diagnostic]:
        return lambda mistake: source.placed(type(mistake)(mistake.text, at=("result", index, *mistake.at)))

    lines = [ResultLine(data, placed(index)) for index, data in enumerate(results)]
    return read_lines(lines, folder, fighters)


def read_sheet_results(sheet: Sheet, folder: str, fighters: Fighters) -> ResultsFile:
    """Return what a spreadsheet of results tells: at most 10 000, a column for each key or side.

    Refused lists every mistake with its line.
    """
    if len(sheet.rows) > MOST_RESULTS:
        raise InvalidInput([sheet.mistake(TOO_MANY, sheet.rows[MOST_RESULTS].line)])
    mistakes = column_errors(sheet, fighters)
    if mistakes:
        raise InvalidInput(mistakes)
    lines = []
    for row in sheet.rows:
        try:
            lines.append(ResultLine(row_table(sheet.columns, row.cells), row_place(sheet, row)))
        except ValueError as error:
            mistakes.append(sheet.mistake(str(error), row.line))
    if mistakes:
        raise InvalidInput(mistakes)
    return read_lines(lines, folder, fighters)


def read_lines(lines: list[ResultLine], folder: str, fighters: Fighters) -> ResultsFile:
    """Return what these results tell; Refused lists every mistake with its line."""
    mistakes: list[Diagnostic] = []
    found: dict[str, BattleResult] = {}
    blank: list[str] = []
    for line in lines:
        here: list[Diagnostic] = []
        if is_blank(line.data):
            blank.append(TableReader(line.data, (), here).need("id", reader.expect_key, ""))
        else:
            fought = read_result(TableReader(line.data, (), here), folder, fighters)
            if fought.id and fought.id in found:
                here.append(
                    Diagnostic(f"battle {quoted(fought.id)} has two results in this file", at=("id",))
                )
            found[fought.id] = fought
        mistakes += map(line.place, here)
        if len(mistakes) > MOST:
            break
    if mistakes:
        raise InvalidInput(
            sorted(map(with_place, mistakes), key=lambda one: (with_place(one).line, with_place(one).column))
        )
    return ResultsFile(list(found.values()), [battle for battle in blank if battle not in found])


def read_result(table: TableReader, folder: str, fighters: Fighters) -> BattleResult:
    """Return the battle of one result; what is wrong is noted in the table."""
    table.only(KEYS)
    battle = table.need("id", reader.expect_key, "")
    known = sides_of_battle(table, battle, fighters)
    sides, names = read_side_results(table, known)
    result = Result(all_winners(table, with_own_names(known, names)), sides)
    table.take("reason", reader.expect_text, "")
    fought = BattleResult(
        battle,
        result,
        table.take("digest", reader.expect_text, "") or result_digest(battle, result),
        read_bound(table.table("bound")),
        rules=table.take("rules", rule_set_key, ""),
        kind=KIND,
        seed=table.take("seed", reader.expect_seed, None),
        names=names,
    )
    path = table.take("record", reader.expect_text, "")
    return checked_by_record(fought, path, table, folder) if path and not table.mistakes else fought


def sides_of_battle(table: TableReader, battle: str, fighters: Fighters) -> SideNames:
    """Return the sides of the battle that a result names; a battle that there is not is noted."""
    try:
        return fighters(battle) if battle else {}
    except ValueError as error:
        table.wrong(str(error), "id")
        return {}


def read_side_results(table: TableReader, known: SideNames) -> tuple[dict[str, SideResult], dict[str, str]]:
    """Return the result of each side by its key, and the name that it has in the file, if any.

    A side may be written by key or name where it is known who fights; one that is none of these, is there
    twice or is missing, is noted.
    """
    sides = table.table("sides")
    if not sides.data:
        table.wrong('sides are missing; write each side\'s losses, as [result.sides.percy] losses = "1/2"')
        return {}, {}
    found: dict[str, SideResult] = {}
    names: dict[str, str] = {}
    losses = read_recorded_losses if table.data.get("digest") else read_losses
    for word in sides.data:
        one = sides.table(word)
        try:
            key = key_of(word, known) if known else word
        except ValueError as error:
            sides.wrong(str(error), word)
            continue
        if key in found:
            sides.wrong(f"the side {key} is told twice", word)
        found[key] = imported_side(one, losses)
        names[key] = one.take("name", reader.expect_text, "")
    for key in known:
        if key not in found and not table.mistakes:
            table.wrong(f"it is not said what {key} lost", "sides", key, "losses")
    return found, names


def with_own_names(known: SideNames, names: Mapping[str, str]) -> SideNames:
    """Return the names of each side with the one that the file gives it, unless another side has that."""
    found = {key: list(known.get(key, ())) for key in dict.fromkeys([*known, *names])}
    for key, name in names.items():
        if name and not any(other != key and is_one_of(name, other, known[other]) for other in known):
            found[key].append(name)
    return found


def all_winners(table: TableReader, sides: SideNames) -> list[str]:
    """Return the keys of the winners, which a result has as a list or as one text."""
    if isinstance(table.data.get("winners"), str):
        return table.take("winners", lambda text: read_winners(str(text), sides), [])
    winners = []
    for place, word in enumerate(table.need("winners", reader.expect_texts, list[str]())):
        try:
            winners += read_winners(word, sides)
        except ValueError as error:
            table.wrong(f"winner {error}", "winners", place)
    return winners


def imported_side(table: TableReader, losses: Callable[[object], Fraction]) -> SideResult:
    """Return one side's result; `losses` reads what it lost."""
    table.only(("name", "score", "losses"))
    return SideResult(table.take("score", reader.expect_whole, 0), table.need("losses", losses, Fraction(0)))


def checked_by_record(fought: BattleResult, path: str, table: TableReader, folder: str) -> BattleResult:
    """Return the battle with the record that its result names; without it the result stands alone.

    What is wrong with the record is noted in the table.
    """
    file = os.path.join(folder, path)
    if not os.path.exists(file):
        return fought._replace(
            notes=[f"battle {fought.id}: its record {path} is not there; its result stands"]
        )
    try:
        kept = result_of_record(toml.read_toml(file, MEGABYTE), os.path.dirname(file))
    except InvalidInput as error:
        table.wrong(f"its record does not hold good: {error.mistakes[0]}", "record")
        return fought
    if not is_record_of(kept, fought):
        table.wrong("its record tells of another battle or another result", "record")
        return fought
    return kept


def is_record_of(kept: BattleResult, fought: BattleResult) -> bool:
    """Say whether a record is the one of which a result tells, in all that the result says."""
    told = (fought.rules or kept.rules, kept.seed if fought.seed is None else fought.seed)
    bound = fought.bound or kept.bound
    return (kept.id, kept.result, kept.digest, (kept.rules, kept.seed), kept.bound) == (
        fought.id, fought.result, fought.digest, told, bound,
    )  # fmt: skip
