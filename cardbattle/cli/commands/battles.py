"""resolve, replay, verify: one battle at a time."""

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
from cardbattle.cli.output import message, write_file
from cardbattle.cli.reading import blame, read_battle_input, read_record_file
from cardbattle.cli.run import ALL, POSTS, BattleOptions, CommandGroup, Printer, WorkOptions, option_group
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError
from cardbattle.core.grammar import number_words
from cardbattle.core.names import clean, quoted
from cardbattle.core.telling import counted
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.show.pages.battle import battle_page, part_page, series_page, verify_page
from cardbattle.simulation.first_move import first_move_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardbattle.battles.records.battle_file import BattlePlan
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.records.record import Record
    from cardbattle.campaign.seals.seals import Seals
    from cardbattle.core.referee import Referee
    from cardbattle.files.toml import Source
    from cardbattle.show.document import Document

Analyse = Annotated[
    bool,
    typer.Option(
        "--analyse",
        help="Also show how the chances moved, and which moves turned the battle.",
        rich_help_panel=options.REPORT,
    ),
]


COMMANDS = CommandGroup()


@option_group
class ReportOptions(NamedTuple):
    """How much of a battle is told, and to whom."""

    detail: options.Detail = ""
    side_only: options.For = ""
    analyse: Analyse = False


@option_group
class ResolveOptions(NamedTuple):
    """What else is wanted of a battle to be fought: its record in a file, or a series."""

    record: Annotated[
        str,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Also write the full record to FILE (with --series: the results).",
            callback=options.validate_output,
            rich_help_panel=options.OUTPUT,
        ),
    ] = ""
    series: Annotated[
        int | None,
        typer.Option(
            "--series",
            metavar="N",
            min=1,
            max=1000,
            help="Fight N battles in a row and add up the points; --detail is then brief by default.",
            rich_help_panel=options.BATTLE,
        ),
    ] = None


@COMMANDS.command(
    "cardbattle resolve field-of-honour --side york=veteran --side lancaster\n"
    "cardbattle resolve examples/shrewsbury.toml -o record.toml",
    ALL,
)
def resolve_command(
    battle: BattleOptions, wanted: ResolveOptions, telling: ReportOptions, to: Printer
) -> None:
    """Fight one battle and print it.

    -o writes the record (TOML), unless --format, --for or the file's extension asks for a report. The
    same seed always gives the same battle.
    """
    level = options.read_detail(telling.detail or ("brief" if wanted.series else "tale"))
    file = record_file(wanted.record, telling.side_only, to)
    check_analyse(telling, "--series" if wanted.series else "")
    given = read_battle_input(battle)
    with blame(given):
        plan = read_battle(given.table, given.base)
        viewer = options.read_viewer(telling.side_only, plan.setup.seats)
        if viewer is not None and given.is_drawn and not file:
            to.message("the seed is drawn and kept from the side; --record FILE keeps the whole battle")
        with untold(viewer):
            if wanted.series:
                resolve_series(plan, wanted.series, level, viewer, (file, to))
                to.hint(first_move_words(plan.rules, plan.setup.house))
                return
            fought, referee = fight_battle(plan)
    if file:
        write_file(file, dumps_record(fought), to.quiet)
    if file != "-":
        report = report_of(fought, referee, viewer)
        show_battle(report, level, table_for(fought, viewer), fought if telling.analyse else None, to)
    to.hint(first_move_words(plan.rules, plan.setup.house))
    if viewer is not None:
        return
    if file == "-" or to.path not in ("", "-"):
        message(f"seed {clean(str(fought.seed))}")
    for note in unread_orders(plan, fought):
        to.message(clean(note))
    for side in plan.sides:
        to.remark(clean(f"name: {number_words(side.noun, side.plural)}"))
    to.remark(f"battle {fought.id}: {counted(len(fought.moves), 'move')}, fought = {fought.fought}")


def record_file(record: str, side: str, to: Printer) -> str:
    """Return the file for the record, empty if there is none; what is told then goes to the screen.

    UsageError if a side would be given a record, or two files are named for one.
    """
    if record == "-":
        raise UsageError("--record names a file; -o - prints the record")
    is_toml = to.path.lower().endswith(".toml")
    if side and is_toml:
        raise UsageError(
            f"-o {clean(to.path)}: a record is whole, and --for keeps it from a side; name it with "
            "--record, or write what the side saw to a .html, .md, .json or .txt file"
        )
    is_view = to.is_asked or side or options.ending_of(to.path)
    if not to.path or (is_view and not is_toml):
        return record
    if record:
        raise UsageError("-o and --record both name the record; give one of them")
    named, to.path = to.path, ""
    return named


def show_battle(
    report: Report, detail: int, table: Mapping[str, object], analysed: Record | None, to: Printer
) -> None:
    """Show a fought battle, with the analysis of its record if that is given."""
    page = battle_page(report, detail, table)
    to.show(page if analysed is None else with_analysis(page, analysed, to))


def with_analysis(page: Document, record: Record, to: Printer) -> Document:
    """Return the page of a battle with the analysis of it below."""
    from cardbattle.cli.commands.analysis import AnalysisOptions, analysed

    found = analysed(record, AnalysisOptions(), WorkOptions(), to)
    return page._replace(blocks=[*page.blocks, *found.blocks], json={**page.json, "analysis": found.json})


def check_analyse(telling: ReportOptions, part: str) -> None:
    """Refuse --analyse where the chances of a whole battle have no place.

    UsageError says what to leave out.
    """
    if telling.analyse and telling.side_only:
        raise UsageError("--analyse looks at the chances of all sides; leave out --for")
    if telling.analyse and part:
        raise UsageError(f"--analyse goes with one whole battle; leave out {part}")


UNTOLD = "a move cannot be made; run it without --for to see which, and what would be right"


@contextmanager
def untold(viewer: int | None) -> Iterator[None]:
    """Keep from a side what an illegal order of another would tell: the choices it had.

    Refused then says only that a move cannot be made.
    """
    try:
        yield
    except InvalidInput:
        if viewer is None:
            raise
        raise InvalidInput(UNTOLD) from None


def resolve_series(
    plan: BattlePlan, count: int, detail: int, viewer: int | None, where: tuple[str, Printer]
) -> None:
    """Fight a series, tell each battle and the points, and write results with their records.

    UsageError if the results would go to standard output; SystemRefused if they cannot be written.
    """
    file, to = where
    if file == "-":
        raise UsageError("--series writes a results file with its records in a folder beside it; name a file")
    if file:
        results_file.folder_of(file)
    fought = series.fight_series(plan, count)
    if file:
        folder = series.write_series(fought, file)
        to.message(f"wrote {clean(file)}, {counted(count, 'record')} in {clean(folder)}")
    battles = [(report_of(one.record, one.referee, viewer), table_for(one.record, viewer)) for one in fought]
    seed = plan.seed if viewer is None else None
    to.show(series_page(battles, detail, series.totals(fought), series.winners(fought), seed))


@option_group
class PartOptions(NamedTuple):
    """Which part of a battle is shown, and how fast."""

    step: Annotated[
        bool,
        typer.Option(
            "--step",
            help="Show one move at a time. At a terminal, press Enter to go on and q to stop.",
            rich_help_panel=options.REPORT,
        ),
    ] = False
    first: Annotated[
        int | None,
        typer.Option(
            "--from",
            metavar="N",
            min=1,
            help="Start with move N.  [default: the deal]",
            rich_help_panel=options.REPORT,
        ),
    ] = None
    last: Annotated[
        int | None,
        typer.Option(
            "--to",
            metavar="N",
            min=1,
            help="Stop after move N.  [default: the last]",
            rich_help_panel=options.REPORT,
        ),
    ] = None


@COMMANDS.command(
    "cardbattle replay record.toml --detail audit\ncardbattle replay record.toml --for percy -o percy.html",
    (*ALL, *POSTS),
)
def replay_command(
    record: options.RecordFile, part: PartOptions, telling: ReportOptions, to: Printer
) -> None:
    """Print a recorded battle again."""
    level = options.read_detail(telling.detail or "tale")
    check_analyse(telling, "--step, --from and --to" if part.step or part.first or part.last else "")
    read, source = read_record_file(record)
    viewer = options.read_viewer(telling.side_only, read.setup.seats)
    referee = fought_again(read, source, viewer)
    show_replay(read, referee, viewer, level, (part, telling.analyse, to))


def fought_again(record: Record, source: Source, viewer: int | None) -> Referee:
    """Return the referee of a battle fought again; Refused if it differs from its record."""
    try:
        check_digest(record)
        referee = refight(record)
    except ReplayMismatch as differs:
        if viewer is not None:
            raise InvalidInput([PlacedDiagnostic(UNTOLD, file=source.name)]) from None
        at = ("moves", differs.move - 1) if 0 < differs.move <= len(record.moves) else ()
        source.refuse([Diagnostic(str(differs), at=at)])
    warn_of_contradiction(record, referee, viewer, source.name)
    return referee


def show_replay(
    record: Record, referee: Referee, viewer: int | None, detail: int, how: tuple[PartOptions, bool, Printer]
) -> None:
    """Show a battle fought again: whole, in part, or move by move."""
    part, analyse, to = how
    report, table = report_of(record, referee, viewer), table_for(record, viewer)
    moves = [str(move) for move in as_list(table["moves"])]
    if part.step:
        step_through(report, moves, detail, part_of(moves, part.first, part.last), to)
    elif part.first or part.last:
        to.show(part_page(report, detail, table, part_of(moves, part.first, part.last)))
    else:
        show_battle(report, detail, table, record if analyse else None, to)


def warn_of_contradiction(record: Record, referee: Referee, viewer: int | None, name: str) -> None:
    """Say if a record's result is not what its moves come to; a side is not told what they do."""
    try:
        check_outcome(record, referee)
    except ReplayMismatch as differs:
        why = str(differs) if viewer is None else "its result is not what its moves come to"
        message(f"cardbattle: warning: {clean(name)}: the record contradicts itself: {clean(why)}")


def as_list(value: object) -> list[object]:
    """Return a list, empty if the value is none."""
    return value if isinstance(value, list) else []


def part_of(moves: list[str], first: int | None, last: int | None) -> tuple[int, int]:
    """Return the moves between which events are shown; the beginning is before move 1.

    With --for these are the side's own moves: to count all would tell when another was asked.
    UsageError if there are no such moves, or the last is before the first.
    """
    for option, number in (("--from", first), ("--to", last)):
        if number is not None and number > len(moves):
            raise UsageError(f"{option} {number}: there are {counted(len(moves), 'move')}")
    if first and last and last < first:
        raise UsageError(f"--to {last} is before --from {first}")
    return (first if first and first > 1 else 0, last or len(moves))


def step_through(report: Report, moves: list[str], detail: int, part: tuple[int, int], to: Printer) -> None:
    """Print every move and what came of it; on a terminal wait for a key in between.

    UsageError for another format, or a file.
    """
    if to.form not in ("text", "plain") or to.path not in ("", "-"):
        raise UsageError("--step prints text or plain, move by move; leave out -o and other formats")
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
            key = pressed()
            if key in STOP:
                return
            waits = key not in REST


KEYS = "Enter or space: the next move; a: all the rest; q: stop"
STOP = ("q", "Q", "\x1b", "")
REST = ("a", "A")


def pressed() -> str:
    """Wait for a key and return it, the empty string at the end of input; Ctrl-C is KeyboardInterrupt."""
    try:
        typed: str = typer.getchar()
        return typed if typed.startswith("\x1b") else typed[:1]
    except EOFError:
        return ""


@COMMANDS.command(
    "cardbattle verify record.toml\ncardbattle verify records/*.toml --seals seals.toml",
    ("plain", "text", "json", "md", "html"),
)
def verify_command(
    record: Annotated[
        list[str], typer.Argument(metavar="RECORD.toml", help="Records, or - for standard input.")
    ],
    to: Printer,
    seals: Annotated[
        list[str] | None,
        typer.Option(
            "--seals",
            metavar="SEALS.toml",
            help="Also check the records against this file of sealed dice. Repeatable: older copies first.",
            rich_help_panel="Checks",
        ),
    ] = None,
    receipt: Annotated[
        list[str] | None,
        typer.Option(
            "--receipt",
            metavar="RECEIPT",
            help="Also check that a record has this receipt, from a message to a player. Repeatable.",
            callback=options.validate_texts,
            rich_help_panel="Checks",
        ),
    ] = None,
) -> None:
    """Check records by fighting them again.

    The first move that differs is reported. The exit code is 1 if a record differs, if it does not match
    its slot of the sealed dice, or if no record has a receipt that you name.
    """
    kept, check = seal_checker(seals) if seals else (None, verify_record)
    records = [read_record_file(path) for path in record]
    found = [verify_by(source.name, read, check) for read, source in records]
    for one in found:
        if not one.is_sound:
            message(f"cardbattle: {one.file}: {one.words}")
    to.show(verify_page(found))
    if kept:
        report_unproven(kept, [read for read, _ in records], to)
    missing = missing_receipts([read for read, _ in records], receipt or [])
    for text in missing:
        message(f"cardbattle: receipt {quoted(text)}: none of these records has it")
    if missing or not all(one.is_sound for one in found):
        raise typer.Exit(1)


def missing_receipts(records: Sequence[Record], wanted: Sequence[str]) -> list[str]:
    """Return the receipts that none of these records has."""
    known = {receipt for record in records for receipt in receipts_in(record.table)}
    return [one for one in wanted if one.strip().lower() not in known]


def seal_checker(paths: Sequence[str]) -> tuple[Seals, Callable[[Record], str]]:
    """Return the sealed dice in the last of these files, and what holds a record against them.

    Refused if one is no such file; Differs if one says otherwise than the copy before it.
    """
    from cardbattle.campaign.seals.proof import read_copies, verify_drawn

    kept = read_copies(paths)
    return kept, partial(verify_drawn, kept)


def report_unproven(seals: Seals, records: Sequence[Record], to: Printer) -> None:
    """Say which slots were spent without one of these records to show for it."""
    from cardbattle.campaign.seals.proof import unproven

    for words in unproven(seals, records):
        to.message(words)
