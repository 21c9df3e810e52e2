"""Import the results of battles from records, results files (TOML or JSON) and spreadsheets.

Nothing is repaired or guessed. Everything that does not fit is an error with its line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
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
from cardbattle.campaign.exchange.result_rows import column_errors, is_blank, is_missing, row_place, row_table
from cardbattle.campaign.ledger.roster import (
    Fighters,
    Roster,
    SideNames,
    anybody,
    is_one_of,
    key_of,
    read_winners,
)
from cardbattle.campaign.state.apply import DECLINED, Result, SideResult, result_of_decline
from cardbattle.campaign.state.battle_result import BattleResult, fought_battle, result_digest
from cardbattle.campaign.state.fields import MOST as MOST_POINTS
from cardbattle.campaign.state.fields import rule_set_key
from cardbattle.campaign.state.losses import read_losses, read_recorded_losses, read_units
from cardbattle.core.errors import MOST, Diagnostic, InvalidInput
from cardbattle.core.names import clean, quoted
from cardbattle.files import reader, toml
from cardbattle.files.errors import PlacedDiagnostic, with_place
from cardbattle.files.json_file import JsonSource
from cardbattle.files.reader import TableReader
from cardbattle.files.spreadsheet import Sheet, read_any, whole_number
from cardbattle.files.toml import MEGABYTE, Source

KEYS = ("id", "rules", "seed", "winners", "declined", "reason", "digest", "record", "sides", "bound", "story")
KIND = "import"


MOST_RESULTS = 10_000
TOO_MANY = f"a file has at most {MOST_RESULTS} results; split it"


class ResultsFile(NamedTuple):
    """The content of a results file: the battles with a result, and the ids of battles without one."""

    battles: list[BattleResult]
    blank: list[str]


def read_results(path: str, fighters: Fighters = anybody) -> ResultsFile:
    """Read a record, a results file or a spreadsheet of at most 1 MB. JSON has the same keys as TOML.

    `fighters` returns the sides of a battle, so that the file can use names instead of keys. Raises
    InvalidInput, which lists every error with its line.
    """
    refuse_folder(path)
    source = read_any(path, MEGABYTE)
    if isinstance(source, Sheet):
        return read_sheet_results(source, os.path.dirname(path), fighters)
    if isinstance(source, JsonSource):
        source.data = without_output_keys(source.data)
    expect_kind(source, "record", "results")
    if "result" in source.data:
        return read_results_file(source, os.path.dirname(path), fighters)
    return ResultsFile([result_of_record(source, os.path.dirname(path))], [])


def without_output_keys(data: Mapping[str, object]) -> dict[str, object]:
    """Return the tables of a JSON file without the keys that only the JSON output of commands has."""
    more = ("schema", "seed") if "result" in data else ("schema", "events")
    return {key: value for key, value in data.items() if key not in more}


def result_of_record(source: Source, folder: str) -> BattleResult:
    """Return the battle of a record after replaying the record.

    Raises InvalidInput if the file is not a record, or if the replay differs from the record.
    """
    try:
        record = read_record(source.data, folder)
    except InvalidInput as error:
        source.refuse(error.errors)
    text = dumps_record(record) if isinstance(source, JsonSource) else source.text.replace("\r\n", "\n")
    try:
        if record.fought == "table" and not {"digest", "checks"} <= record.table.keys():
            record = complete_record(record)
            text = dumps_record(record)
        note = check_record(record)
    except ReplayMismatch as error:
        raise InvalidInput(
            [PlacedDiagnostic(f"the record does not replay: {error}", file=source.name)]
        ) from None
    fought = fought_battle(record, text, KIND)
    notes = [note, *unverifiable_parts(record)]
    return fought._replace(
        notes=[f"battle {fought.id}: {text_of_note}" for text_of_note in notes if text_of_note]
    )


def unverifiable_parts(record: Record) -> list[str]:
    """Return the parts of a record that a replay cannot verify."""
    if record.fought == "table":
        return ["it was fought with real cards; the moves replay, but the cards cannot be verified"]
    if record.fought == "mixed":
        return ["cards were entered by hand; the moves replay, but these cards cannot be verified"]
    return [
        f"the moves of {clean(side.name)} ({side.commander}) cannot be verified"
        for side in record.sides
        if not answers_itself(side.commander)
    ]


def check_record(record: Record) -> str:
    """Replay a record and return a note.

    A record of earlier rules is not replayed, and the note says so. Raises ReplayMismatch at the first
    difference.
    """
    check_digest(record)
    if record.rules_version == record.rules.version:
        return verify_record(record)
    check_spelling(record)
    return (
        f"fought under version {record.rules_version} of {record.rules.name}; its result stands as recorded"
    )


def complete_record(record: Record) -> Record:
    """Add checks and a digest to the record of a battle fought with real cards.

    Raises ReplayMismatch at the first move that is not legal.
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
    """One result in a file, and a function that adds the position of the result to its errors."""

    data: object
    place: Callable[[Diagnostic], Diagnostic]


def read_results_file(source: Source, folder: str, fighters: Fighters) -> ResultsFile:
    """Read at most 10,000 results. Raises InvalidInput with every error and its line."""
    errors: list[Diagnostic] = []
    table = TableReader(source.data, (), errors)
    table.only(("format", "result"))
    if table.take("format", reader.expect_whole, FORMAT) != FORMAT:
        table.wrong("this program reads format 1", "format")
    results = table.data["result"]
    if not isinstance(results, list):
        table.wrong("expected results, each under [[result]]", "result")
        results = []
    if len(results) > MOST_RESULTS:
        table.wrong(TOO_MANY, "result", MOST_RESULTS)
    if errors:
        source.refuse(errors)

    def placer(index: int) -> Callable[[Diagnostic], Diagnostic]:
        return lambda error: source.placed(type(error)(error.text, at=("result", index, *error.at)))

    lines = [ResultLine(data, placer(index)) for index, data in enumerate(results)]
    return read_lines(lines, folder, fighters)


def read_sheet_results(sheet: Sheet, folder: str, fighters: Fighters) -> ResultsFile:
    """Read a spreadsheet of at most 10,000 results, with a column for each key or side.

    Raises InvalidInput, which lists every error with its line.
    """
    if len(sheet.rows) > MOST_RESULTS:
        raise InvalidInput([sheet.error(TOO_MANY, sheet.rows[MOST_RESULTS].line)])
    errors = column_errors(sheet, fighters)
    if errors:
        raise InvalidInput(errors)
    lines = []
    for row in sheet.rows:
        try:
            lines.append(ResultLine(row_table(sheet.columns, row.cells), row_place(sheet, row)))
        except ValueError as error:
            errors.append(sheet.error(str(error), row.line))
    if errors:
        raise InvalidInput(errors)
    return read_lines(lines, folder, fighters)


def read_lines(lines: list[ResultLine], folder: str, fighters: Fighters) -> ResultsFile:
    errors: list[Diagnostic] = []
    results: dict[str, BattleResult] = {}
    blank: list[str] = []
    for line in lines:
        line_errors: list[Diagnostic] = []
        if is_blank(line.data):
            blank.append(TableReader(line.data, (), line_errors).need("id", reader.expect_key, ""))
        else:
            battle_result = read_result(TableReader(line.data, (), line_errors), folder, fighters)
            if battle_result.id and battle_result.id in results:
                line_errors.append(
                    Diagnostic(f"battle {quoted(battle_result.id)} has two results in this file", at=("id",))
                )
            results[battle_result.id] = battle_result
        errors += map(line.place, line_errors)
        if len(errors) > MOST:
            break
    if errors:
        raise InvalidInput(
            sorted(
                map(with_place, errors), key=lambda error: (with_place(error).line, with_place(error).column)
            )
        )
    return ResultsFile(list(results.values()), [battle for battle in blank if battle not in results])


def read_result(table: TableReader, folder: str, fighters: Fighters) -> BattleResult:
    table.only(KEYS)
    battle = table.need("id", reader.expect_key, "")
    names_of_sides = sides_of_battle(table, battle, fighters)
    if not is_missing(table.data.get("declined", "")):
        return read_declined(table, battle, names_of_sides)
    needs_scores = isinstance(fighters, Roster) and bool(fighters.campaign.scoring.per_score)
    sides, names, units = read_side_results(table, names_of_sides, needs_scores=needs_scores)
    result = Result(read_all_winners(table, with_file_names(names_of_sides, names)), sides)
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
        story=" ".join(table.take("story", reader.expect_text, "").split()),
        units=units,
    )
    path = table.take("record", reader.expect_text, "")
    return with_record(fought, path, table, folder) if path and not table.errors else fought


def read_declined(table: TableReader, battle: str, names: SideNames) -> BattleResult:
    """Read the result of a battle that a side declines. Such a result has no winners or losses."""
    decliners: list[str] = []
    if names:
        decliners = table.take("declined", lambda text: sides_in(text, names), [])
        if not table.errors and len(decliners) == len(names):
            table.wrong("all sides decline it; cancel it with `campaign cancel` instead", "declined")
    elif not table.errors:
        table.wrong("only a pending battle of a campaign can be declined", "declined")
    for word in ("winners", "record", "seed"):
        if not is_missing(table.data.get(word, "")) and table.data[word] != []:
            table.wrong("a declined battle was not fought; leave this empty, or remove declined", word)
    result = result_of_decline(list(names), decliners)
    bound = read_bound(table.table("bound"))
    table.take("reason", reader.expect_text, "")
    return BattleResult(
        battle,
        result,
        result_digest(battle, result),
        bound,
        rules=table.take("rules", rule_set_key, ""),
        kind=DECLINED,
    )


def sides_in(value: object, names: SideNames) -> list[str]:
    """Return the keys of the sides in a string such as `percy, hal`, or in a list of strings.

    Raises ValueError if a word names no side.
    """
    texts = value if isinstance(value, list) else str(value).split(",")
    return [key_of(str(text).strip(), names) for text in texts]


def sides_of_battle(table: TableReader, battle: str, fighters: Fighters) -> SideNames:
    """Return the sides of the battle that a result names.

    If the battle is unknown, an error is added to `table`.
    """
    try:
        return fighters(battle) if battle else {}
    except ValueError as error:
        table.wrong(str(error), "id")
        return {}


def read_side_results(
    table: TableReader, expected: SideNames, *, needs_scores: bool
) -> tuple[dict[str, SideResult], dict[str, str], dict[str, Mapping[str, int]]]:
    """Return three dicts by side: the results, the names in the file, and the losses of units.

    If the sides are known, the file can use keys or names. Unknown, repeated and missing sides are errors.
    Without `needs_scores`, the scores of all sides can be left empty.
    """
    sides = table.table("sides")
    if not sides.data:
        table.wrong(
            'sides are missing; write each side\'s losses, for example [result.sides.percy] losses = "1/2"'
        )
        return {}, {}, {}
    results: dict[str, SideResult] = {}
    names: dict[str, str] = {}
    units: dict[str, Mapping[str, int]] = {}
    losses = read_recorded_losses if table.data.get("digest") else read_losses
    has_scores = needs_scores or not all(map(is_without_score, sides.data.values()))
    read_score = partial(score_in, if_empty=NEEDS_SCORE if needs_scores else ALL_OR_NO_SCORES)
    for word in sides.data:
        side = sides.table(word)
        try:
            key = key_of(word, expected) if expected else word
        except ValueError as error:
            sides.wrong(str(error), word)
            continue
        if key in results:
            sides.wrong(f"side {key} appears twice", word)
        results[key] = read_side(side, read_score if has_scores else no_score, losses)
        names[key] = side.take("name", reader.expect_text, "")
        lost = side.take("units", read_units, dict[str, int]())
        units |= {key: lost} if lost else {}
    for key in expected:
        if key not in results and not table.errors:
            table.wrong(f"losses of {key} are missing; write 2/5, 40% or none", "sides", key, "losses")
    return results, names, units


def with_file_names(expected: SideNames, names: Mapping[str, str]) -> SideNames:
    """Return each side's names and its name in the file. A name that another side has is left out."""
    all_names = {key: list(expected.get(key, ())) for key in dict.fromkeys([*expected, *names])}
    for key, name in names.items():
        if name and not any(rival != key and is_one_of(name, rival, expected[rival]) for rival in expected):
            all_names[key].append(name)
    return all_names


def read_all_winners(table: TableReader, sides: SideNames) -> list[str]:
    if isinstance(table.data.get("winners"), str):
        return table.take("winners", lambda text: read_winners(str(text), sides), [])
    winners = []
    for place, word in enumerate(table.need("winners", reader.expect_texts, list[str]())):
        try:
            winners += read_winners(word, sides)
        except ValueError as error:
            table.wrong(f"winner {error}", "winners", place)
    return winners


def is_without_score(side: object) -> bool:
    """Return True if the score in the table of a side is missing or left empty."""
    return isinstance(side, dict) and is_missing(side.get("score", ""))


NEEDS_SCORE = "scoring.per_score needs a score for each side; write 0 for none"
ALL_OR_NO_SCORES = "the score is missing; write one for each side, 0 for none, or leave all scores empty"


def score_in(value: object, if_empty: str) -> int:
    """Return a score, which can also be written between quotes.

    Raises ValueError if the value is not a valid score. If it is empty, the message is `if_empty`.
    """
    if is_missing(value):
        raise ValueError(if_empty)
    return read_score(value)


def read_score(value: object) -> int:
    """Return a score, which can also be written between quotes. Raises ValueError if it is not valid."""
    return EXPECT_SCORE(whole_number(value) if isinstance(value, str) else value)


EXPECT_SCORE = reader.whole_between(0, MOST_POINTS)


def no_score(value: object) -> int:
    """Return 0, the recorded score of a side whose score was left empty."""
    return 0


def read_side(
    table: TableReader, score: Callable[[object], int], losses: Callable[[object], Fraction]
) -> SideResult:
    table.only(("name", "score", "losses", "units"))
    return SideResult(table.take("score", score, 0), table.need("losses", losses, Fraction(0)))


def with_record(fought: BattleResult, path: str, table: TableReader, folder: str) -> BattleResult:
    """Return the battle of a result's record, after checking that result and record agree.

    If the record file is missing, the result is imported without a record.
    """
    file = os.path.join(folder, path)
    if not os.path.exists(file):
        return fought._replace(
            notes=[f"battle {fought.id}: record {path} not found; the result is accepted without it"]
        )
    try:
        battle = result_of_record(toml.read_toml(file, MEGABYTE), os.path.dirname(file))
    except InvalidInput as error:
        table.wrong(f"its record is invalid: {error.errors[0]}", "record")
        return fought
    if not is_record_of(battle, fought):
        table.wrong("its record belongs to a different battle, or has a different result", "record")
        return fought
    return battle._replace(units=fought.units)


def is_record_of(recorded: BattleResult, fought: BattleResult) -> bool:
    origin = (fought.rules or recorded.rules, recorded.seed if fought.seed is None else fought.seed)
    bound = fought.bound or recorded.bound
    expected = (fought.id, fought.result, fought.digest, origin, bound)
    return expected == (
        recorded.id, recorded.result, recorded.digest, (recorded.rules, recorded.seed), recorded.bound,
    )  # fmt: skip
