"""The commands `resolve`, `replay` and `verify`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.battles import series
from cardbattle.battles.records import results_file
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import report_of, table_for
from cardbattle.battles.records.receipts import receipts_in
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.replay import (
    ReplayMismatch,
    check_digest,
    check_outcome,
    refight,
    verify_by,
    verify_record,
)
from cardbattle.battles.resolve import fight_battle, unread_orders
from cardbattle.cli import options
from cardbattle.cli.engine_options import EngineOptions
from cardbattle.cli.output import message, write_file
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.reading import blame, read_battle_input, read_record_file
from cardbattle.cli.run import ALL, POSTS, BattleOptions, CommandGroup, Printer, WorkOptions, option_group
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError
from cardbattle.core.grammar import number_words
from cardbattle.core.names import clean, listed, quoted
from cardbattle.core.telling import ENGLISH, counted
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.show.pages.battle import battle_page, part_page, series_page, translate_page, verify_page
from cardbattle.simulation.worth import first_move_words
from cardbattle.story.language import language

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardbattle.battles.records.battle_file import BattlePlan
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.records.record import Record
    from cardbattle.campaign.seals.seals import Seals
    from cardbattle.core.referee import Referee
    from cardbattle.files.toml import Source
    from cardbattle.show.document import Document

Analyse = Annotated[
    bool,
    option(
        "--analyse",
        "Also show how the odds changed, and which moves changed them most.",
        panel=options.REPORT,
    ),
]


COMMANDS = CommandGroup()


@option_group
class ReportOptions(NamedTuple):
    """The options that decide how much of a battle is printed, for whom, and in which language."""

    detail: options.Detail = ""
    side_only: options.For = ""
    analyse: Analyse = False
    lang: options.Lang = ENGLISH


@option_group
class ResolveOptions(NamedTuple):
    """The options that only `resolve` has."""

    record: Annotated[
        str,
        option(
            "--record FILE",
            "Also write the full record to FILE (with --series: a results file).",
            callback=options.validate_output,
            panel=options.OUTPUT,
        ),
    ] = ""
    series: Annotated[
        int | None,
        option(
            "--series N",
            "Fight a series of N battles and add up the points; --detail is then brief by default.",
            min=1,
            max=1000,
            panel=options.BATTLE,
        ),
    ] = None


@COMMANDS.command(
    "cardbattle resolve field-of-honour --side york=veteran --side lancaster\n"
    "cardbattle resolve examples/shrewsbury.toml -o record.toml",
    (*ALL, *POSTS),
    toml_file=".toml (the record), ",
)
def resolve_command(
    battle: BattleOptions, extra: ResolveOptions, report: ReportOptions, engines: EngineOptions, to: Printer
) -> None:
    """Fight one battle and print what happened.

    -o writes the record (TOML), unless --format, --for or the file's extension asks for a report. A file
    whose name ends with .toml always gets the record, and the report is printed. The same seed always gives
    the same battle, unless an engine decides at random.
    """
    with engines.allow(battle.side):
        resolve(battle, extra, report, to)


def resolve(battle: BattleOptions, extra: ResolveOptions, report: ReportOptions, to: Printer) -> None:
    """Fight one battle or a series, print the result, and write the record if the options ask for one."""
    level = options.read_detail(report.detail or ("brief" if extra.series else ""), to.form, report.lang)
    file = record_file(extra.record, report.side_only, to)
    check_analyse(report, "--series" if extra.series else "")
    check_lang(report, "--series" if extra.series else "")
    battle_input = read_battle_input(battle)
    with blame(battle_input):
        plan = read_battle(battle_input.table, battle_input.base)
        viewer = options.read_viewer(report.side_only, plan.setup.seats)
        if viewer is not None and battle_input.is_drawn and not file:
            to.message(
                "the seed is not shown to the side; to keep the seed, write a record with --record FILE"
            )
        with hide_options(viewer):
            if extra.series:
                resolve_series(plan, extra.series, level, viewer, (file, to))
                to.hint(first_move_words(plan.rules, plan.setup.house))
                return
            record, referee = fight_battle(plan)
    if file:
        write_file(file, dumps_record(record), to.quiet)
        if file not in ("-", extra.record) and not file.lower().endswith(".toml"):
            to.hint(
                f"{clean(file)} is a record, in TOML; for a report, add --format, or write to a .txt file"
            )
    if file != "-":
        view = report_of(record, referee, viewer)
        if report.lang != ENGLISH:
            to.show(translate_page(view, level, table_for(record, viewer), report.lang))
            return
        show_battle(view, level, record, file if report.analyse else None, to)
    to.hint(first_move_words(plan.rules, plan.setup.house))
    if viewer is not None:
        return
    if file == "-" or to.path not in ("", "-"):
        message(f"seed {clean(str(record.seed))}")
    for note in unread_orders(plan, record):
        to.message(clean(note))
    for side in plan.sides:
        to.remark(clean(f"name: {number_words(side.noun, side.plural)}"))
    to.remark(f"battle {record.id}: {counted(len(record.moves), 'move')}, fought = {record.fought}")


def record_file(record: str, side: str, to: Printer) -> str:
    """Return the path of the file for the record, or "" if no record is written.

    If -o names this file, the report is printed on standard output. Raises UsageError if --for is given with
    -o FILE.toml, which would show a side the whole record, or if both -o and --record name a file for the
    record.
    """
    if record == "-":
        raise UsageError("--record needs a file name; to print the record, use -o -")
    is_toml = to.path.lower().endswith(".toml")
    if side and is_toml:
        raise UsageError(
            f"-o {clean(to.path)}: a record reveals hidden cards, which --for forbids; use --record, "
            "or write what the side saw to a .html, .md, .json or .txt file"
        )
    is_view = to.is_asked or side or options.ending_of(to.path)
    if not to.path or (is_view and not is_toml):
        return record
    if record:
        raise UsageError("-o and --record both name a file for the record; leave out one")
    path, to.path = to.path, ""
    return path


def show_battle(report: Report, detail: int, record: Record, analysed: str | None, to: Printer) -> None:
    """Print a battle, with its analysis if `analysed` is the path of its record, or "" if it has none."""
    page = battle_page(report, detail, table_for(record, report.viewer), record=record)
    to.show(page if analysed is None else with_analysis(page, record, analysed, to))


def with_analysis(page: Document, record: Record, path: str, to: Printer) -> Document:
    """Return the page of a battle with its analysis at the end. `path` is the path of the record, or ""."""
    from cardbattle.cli.commands.analysis import AnalysisOptions, analysis_of  # only needed with --analyse

    analysis = analysis_of(record, path, AnalysisOptions(), WorkOptions(), to)
    return page._replace(
        blocks=[*page.blocks, *analysis.blocks], json={**page.json, "analysis": analysis.json}
    )


def check_analyse(report: ReportOptions, part: str) -> None:
    """Raise UsageError if --analyse is combined with --for or with `part`.

    `part` names the given options that select a series, or a part of a battle. It can be "".
    """
    if report.analyse and report.side_only:
        raise UsageError("--analyse shows the chances of all sides; leave out --for")
    if report.analyse and part:
        raise UsageError(f"--analyse needs one whole battle; leave out {part}")


def check_lang(report: ReportOptions, part: str) -> None:
    """Raise UsageError if the language is unknown, or not English although the output is only in English.

    `part` names the given options that select a series, or a part of a battle. It can be "".
    """
    language(report.lang)
    other = "--analyse" if report.analyse else part
    if report.lang != ENGLISH and other:
        raise UsageError(f"--lang is for one whole battle without --analyse; leave out {other}")


HIDDEN_MOVE = "a move is not legal; run the command without --for to see the move and the legal moves"


@contextmanager
def hide_options(viewer: int | None) -> Iterator[None]:
    """If `viewer` is not None, replace the text of an InvalidInput from the `with` block with HIDDEN_MOVE.

    The original text can list the options of another side, which the seat must not know.
    """
    try:
        yield
    except InvalidInput:
        if viewer is None:
            raise
        raise InvalidInput(HIDDEN_MOVE) from None


def resolve_series(
    plan: BattlePlan, count: int, detail: int, viewer: int | None, output: tuple[str, Printer]
) -> None:
    """Fight a series of battles, print the battles and the points, and write the results and records.

    Raises UsageError if the results would go to standard output, and SystemFailure if they cannot be written.
    """
    file, to = output
    if file == "-":
        raise UsageError("--series writes a results file and a folder of records; name a file, not -")
    if file:
        results_file.folder_of(file)
    fought = series.fight_series(plan, count)
    if file:
        folder = series.write_series(fought, file)
        to.message(f"wrote {clean(file)}, {counted(count, 'record')} in {clean(folder)}")
    battles = [
        (report_of(battle.record, battle.referee, viewer), table_for(battle.record, viewer))
        for battle in fought
    ]
    seed = plan.seed if viewer is None else None
    to.show(series_page(battles, detail, series.totals(fought), series.winners(fought), seed))


@option_group
class PartOptions(NamedTuple):
    """The options of `replay` that select a part of the battle, or print it move by move."""

    step: Annotated[
        bool,
        option(
            "--step",
            "Show one move at a time. At a terminal, press Enter to go on and q to stop.",
            panel=options.REPORT,
        ),
    ] = False
    first: Annotated[
        int | None,
        option(
            "--from N", "Start with move N.  [default: the deal, before move 1]", min=1, panel=options.REPORT
        ),
    ] = None
    last: Annotated[
        int | None, option("--to N", "Stop after move N.  [default: the last]", min=1, panel=options.REPORT)
    ] = None


@COMMANDS.command(
    "cardbattle replay record.toml --detail audit\ncardbattle replay record.toml --for percy -o percy.html",
    (*ALL, *POSTS),
)
def replay_command(record: options.RecordFile, part: PartOptions, report: ReportOptions, to: Printer) -> None:
    """Print a battle from its record."""
    level = options.read_detail(report.detail, to.form, report.lang)
    parts = "--step, --from and --to" if part.step or part.first or part.last else ""
    check_analyse(report, parts)
    check_lang(report, parts)
    read, source = read_record_file(record)
    viewer = options.read_viewer(report.side_only, read.setup.seats)
    referee = replay(read, source, viewer)
    if report.lang != ENGLISH:
        view = report_of(read, referee, viewer)
        to.show(translate_page(view, level, table_for(read, viewer), report.lang))
        return
    show_replay(read, referee, viewer, level, (part, record if report.analyse else None, to))


def replay(record: Record, source: Source, viewer: int | None) -> Referee:
    """Replay a record, and return the Referee, which has the final state and all events of the battle.

    Raises InvalidInput if the replay differs from the record.
    """
    try:
        check_digest(record)
        referee = refight(record)
    except ReplayMismatch as mismatch:
        if viewer is not None:
            raise InvalidInput([PlacedDiagnostic(HIDDEN_MOVE, file=source.name)]) from None
        at = ("moves", mismatch.move - 1) if 0 < mismatch.move <= len(record.moves) else ()
        source.refuse([Diagnostic(str(mismatch), at=at)])
    warn_of_contradiction(record, referee, viewer, source.name)
    return referee


def show_replay(
    record: Record,
    referee: Referee,
    viewer: int | None,
    detail: int,
    how: tuple[PartOptions, str | None, Printer],
) -> None:
    """Print a replayed battle completely, in part, or move by move.

    `how` contains the path of the record if the battle is analysed, otherwise None.
    """
    part, analysed, to = how
    report, table = report_of(record, referee, viewer), table_for(record, viewer)
    moves = [str(move) for move in list_of(table["moves"])]
    if part.step:
        step_through(report, moves, detail, part_of(moves, part.first, part.last), to)
    elif part.first or part.last:
        to.show(part_page(report, detail, table, part_of(moves, part.first, part.last)))
    else:
        show_battle(report, detail, record, analysed, to)


def warn_of_contradiction(record: Record, referee: Referee, viewer: int | None, name: str) -> None:
    """Print a warning if the moves of a record lead to a different result than the recorded one.

    If `viewer` is a seat, the warning does not say how the results differ.
    """
    try:
        check_outcome(record, referee)
    except ReplayMismatch as mismatch:
        why = str(mismatch) if viewer is None else "its moves lead to another result"
        message(f"cardbattle: warning: {clean(name)}: the record contradicts itself: {clean(why)}")


def list_of(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def part_of(moves: list[str], first: int | None, last: int | None) -> tuple[int, int]:
    """Return a pair: the numbers of the first and the last move to print. The number 0 means the deal.

    `first` and `last` are the values of --from and --to. With --for, `moves` has only the side's own moves,
    because the numbers of all moves would reveal when other sides decided. Raises UsageError if a move does
    not exist, or if the last move is before the first.
    """
    for flag, number in (("--from", first), ("--to", last)):
        if number is not None and number > len(moves):
            raise UsageError(f"{flag} {number}: the battle has {counted(len(moves), 'move')}")
    if first and last and last < first:
        raise UsageError(f"--to {last} is before --from {first}")
    return (first if first and first > 1 else 0, last or len(moves))


def step_through(report: Report, moves: list[str], detail: int, part: tuple[int, int], to: Printer) -> None:
    """Print each move of a part with its consequences. At a terminal, wait for a key after each move.

    Raises UsageError if the output goes to a file, or if its format is not text or plain.
    """
    if to.form not in ("text", "plain") or to.path not in ("", "-"):
        raise UsageError("--step prints only text or plain; leave out -o and other formats")
    first, last = part
    waits = sys.stdin.isatty() and sys.stdout.isatty()
    if waits:
        message(KEYS)
    if not first:
        to.show(part_page(report, detail, {"moves": []}, (0, 0)))
    for number in range(max(first, 1), last + 1):
        print(f"\n{number}. {moves[number - 1]}")
        to.show(part_page(report, detail, {"moves": []}, (number, number)))
        sys.stdout.flush()
        if waits and number < last:
            key = read_key()
            if key in STOP:
                return
            waits = key not in REST


KEYS = "Enter or space: next move; a: all remaining moves; q: stop"
STOP = ("q", "Q", "\x1b", "")
REST = ("a", "A")


def read_key() -> str:
    """Wait for a key and return it. Returns "" at the end of input."""
    try:
        key: str = typer.getchar()
        return key if key.startswith("\x1b") else key[:1]
    except EOFError:
        return ""


@COMMANDS.command(
    "cardbattle verify record.toml\ncardbattle verify records/*.toml --seals seals.toml",
    ("plain", "text", "json", "md", "html"),
)
def verify_command(
    record: Annotated[list[str], argument("RECORD.toml", "Records, or - for standard input.")],
    to: Printer,
    seals: Annotated[
        list[str] | None,
        option(
            "--seals SEALS.toml",
            "Also check the records against this file of sealed dice. Repeatable: old copies first.",
            panel="Checks",
        ),
    ] = None,
    receipt: Annotated[
        list[str] | None,
        option(
            "--receipt RECEIPT",
            "Also check that one of the records has this receipt, a code in a message to a "
            "player. Repeatable.",
            callback=options.validate_texts,
            panel="Checks",
        ),
    ] = None,
) -> None:
    """Check records by fighting their battles again.

    If a battle, fought again, differs from its record, the command prints the first different move. The exit
    code is 1 if a battle differs, if a record does not match its slot of the sealed dice, or if none of the
    records has a receipt that you name.
    """
    sealed, check = seal_checker(seals) if seals else (None, verify_record)
    files = [read_record_file(path) for path in record]
    records = [read for read, _ in files]
    results = [verify_by(source.name, read, check) for read, source in files]
    for result in results:
        if not result.is_sound:
            message(f"cardbattle: {result.file}: {result.words}")
    to.show(verify_page(results))
    if sealed:
        report_unproven(sealed, records, to)
    names = [source.name for _, source in files]
    missing = missing_receipts(records, receipt or [])
    for text in receipt or []:
        if text in missing:
            message(f"cardbattle: receipt {quoted(text)}: not in any of these records")
        else:
            holders = [name for name, read in zip(names, records, strict=True) if has_receipt(read, text)]
            to.message(clean(f"receipt {quoted(text)}: in {listed(holders)}"))
    if missing or not all(result.is_sound for result in results):
        raise typer.Exit(1)


def missing_receipts(records: Sequence[Record], receipts: Sequence[str]) -> list[str]:
    return [receipt for receipt in receipts if not any(has_receipt(record, receipt) for record in records)]


def has_receipt(record: Record, receipt: str) -> bool:
    return receipt.strip().lower() in receipts_in(record.table)


def seal_checker(paths: Sequence[str]) -> tuple[Seals, Callable[[Record], str]]:
    """Return the sealed dice in the last of these files, and the function that checks a record with them.

    Raises InvalidInput if a file does not contain sealed dice, and ReplayMismatch if a file contradicts the
    file before it, which is an older copy.
    """
    from cardbattle.campaign.seals.proof import read_copies, verify_drawn  # imports pydantic

    seals = read_copies(paths)
    return seals, partial(verify_drawn, seals)


def report_unproven(seals: Seals, records: Sequence[Record], to: Printer) -> None:
    """Print a line for each used slot of the sealed dice whose record is not in `records`."""
    from cardbattle.campaign.seals.proof import unproven  # imports pydantic; only needed for sealed dice

    for text in unproven(seals, records):
        to.message(text)
