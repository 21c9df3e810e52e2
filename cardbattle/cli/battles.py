"""resolve, replay, verify: one battle at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.cli import options
from cardbattle.cli.output import as_json, as_table, into, message, show, write
from cardbattle.cli.reading import blame, read_given, read_record_file
from cardbattle.core.errors import Mistake, Refused, UsageError
from cardbattle.core.names import clean, listed
from cardbattle.core.telling import counted

if TYPE_CHECKING:
    from cardbattle.core.referee import Referee
    from cardbattle.fighting.series import SeriesBattle
    from cardbattle.records.battle_file import BattlePlan
    from cardbattle.records.record import Record
    from cardbattle.records.viewer import Report

Analyse = Annotated[
    bool, typer.Option("--analyse", help="Tell also how the chances went, and what turned the battle.")
]


def add_to(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command(
        epilog="Example: cardbattle resolve field-of-honour --side york=regular --side lancaster=green"
    )(resolve)
    app.command(epilog="Example: cardbattle replay records/shrewsbury.toml --detail audit --for percy")(
        replay
    )
    app.command(epilog="Example: cardbattle verify records/*.toml")(verify)


class Way(NamedTuple):
    """How a fought battle is told: in which format, how much, to whom, and which files it goes to.

    `page` is the file for what is told, `record` the one for the whole record, which is nobody's
    view; `-` is standard output, which then has nothing else, an empty name none.
    """

    form: str
    detail: int
    viewer: int | None
    no_color: bool
    quiet: bool
    page: str
    record: str


ViewFormat = Annotated[
    str,
    typer.Option("--format", metavar="FORMAT", help="text, plain, json, md or html.  [default: text]"),
]
RecordTo = Annotated[
    str,
    typer.Option(
        "--record",
        metavar="FILE",
        help="Write the whole record here, whatever --for and --format say; of a series the results.",
        callback=options.checked_output,
    ),
]


def resolve(
    battle: options.Battle,
    side: options.Sides = None,
    seed: options.Seed = "",
    setting: options.Settings = None,
    output: options.Output = "",
    record: RecordTo = "",
    series: Annotated[
        int | None,
        typer.Option("--series", metavar="N", min=1, max=1000, help="Fight a series of N battles."),
    ] = None,
    format: ViewFormat = "",
    json: options.Json = False,
    detail: options.Detail = "",
    side_only: options.For = "",
    analyse: Analyse = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Fight one battle and print it."""
    from cardbattle.fighting.resolve import fight, unread_orders
    from cardbattle.records.battle_file import read_battle
    from cardbattle.records.record import dumps_record
    from cardbattle.records.viewer import report_of, table_for

    level = options.read_detail(detail or ("brief" if series else "tale"))
    form, page, file = read_way(format, json, side_only, output, record)
    if analyse:
        can_analyse(form, side_only, bool(series or page or file == "-"))
    given = read_given(battle, side or [], setting or [], options.read_seed(seed))
    with blame(given):
        plan = read_battle(given.table, given.base)
        viewer = options.read_viewer(side_only, plan.setup.seats)
        way = Way(form, level, viewer, no_color or bool(page), quiet, page, file)
        if viewer is not None and given.is_drawn and not file:
            message("the seed is drawn and kept from the side; --record FILE keeps the whole battle", quiet)
        if series:
            with untold(viewer):
                fight_series(plan, series, way)
            return
        with untold(viewer):
            fought, referee = fight(plan)
    if file:
        write(file, dumps_record(fought), quiet)
    if file != "-":
        with into(page, quiet):
            report = report_of(fought, referee, viewer)
            show(report, form, level, way.no_color, table_for(fought, viewer))
    if analyse:
        tell_chances(fought, form, quiet, no_color)
    if viewer is not None:
        return
    if file == "-" or page:
        message(f"seed {clean(str(fought.seed))}")
    for note in unread_orders(plan, fought):
        message(clean(note), quiet)
    if verbose:
        message(f"battle {fought.id}: {counted(len(fought.moves), 'move')}, fought = {fought.fought}")


def read_way(format: str, json: bool, side: str, output: str, record: str) -> tuple[str, str, str]:
    """Return the format, the file for what is told and the file for the record.

    What -o writes is the record if the file is called .toml, or nothing says otherwise: a format, a
    side, a name as .html. Else it is what would have been printed.
    """
    form = options.read_format(format or "text", json)
    is_asked = bool(format or json)
    if record == "-":
        raise UsageError("--record names a file; -o - prints the record")
    if side and output.lower().endswith(".toml"):
        raise UsageError(
            f"-o {clean(output)}: a record is whole, and --for keeps it from a side; name it with "
            "--record, or write what the side saw to a .html, .md, .json or .txt file"
        )
    named = options.form_of(output, "text", VIEWS)
    if not output or output.lower().endswith(".toml") or not (is_asked or side or named != "plain"):
        if output and record:
            raise UsageError("-o and --record both name the record; give one of them")
        return form, "", output or record
    return form if is_asked or output == "-" else named, output, record


VIEWS = ("plain", "json", "md", "html")


UNTOLD = "a move cannot be made; run it without --for to see which, and what would be right"


@contextmanager
def untold(viewer: int | None) -> Iterator[None]:
    """Keep from a side what an illegal order of another would tell: the choices it had."""
    try:
        yield
    except Refused:
        if viewer is None:
            raise
        raise Refused(UNTOLD) from None


def fight_series(plan: BattlePlan, count: int, way: Way) -> None:
    """Fight a series, tell each battle and the points, and write results with their records."""
    from cardbattle.fighting import series
    from cardbattle.records import results

    if way.form == "html":
        raise UsageError("--format html shows one battle; give text, plain, md or json for a series")
    if way.record == "-":
        raise UsageError("--series writes a results file with its records in a folder beside it; name a file")
    if way.record:
        results.folder_of(way.record)
    fought = series.fight_series(plan, count)
    if way.record:
        folder = series.write(fought, way.record)
        message(f"wrote {clean(way.record)}, {counted(count, 'record')} in {clean(folder)}", way.quiet)
    with into(way.page, way.quiet):
        show_series(plan, fought, way)


def show_series(plan: BattlePlan, fought: list[SeriesBattle], way: Way) -> None:
    """Print each battle of a series, and the points."""
    from cardbattle.fighting import series
    from cardbattle.records.viewer import report_of, table_for

    reports = [report_of(one.record, one.referee, way.viewer) for one in fought]
    tables = [table_for(one.record, way.viewer) for one in fought]
    points, best = series.totals(fought), series.winners(fought)
    keys = plan.setup.seats
    if way.form == "json":
        battles = [as_table(report, table) for report, table in zip(reports, tables, strict=True)]
        total = {"points": dict(zip(keys, points, strict=True)), "winners": [keys[seat] for seat in best]}
        seed = {"seed": plan.seed} if way.viewer is None else {}
        sys.stdout.write(as_json({"schema": 1, **seed, "series": battles, **total}))
        return
    for report, table in zip(reports, tables, strict=True):
        show(report, way.form, way.detail, way.no_color, table)
    names = [side.name for side in plan.sides]
    score = ", ".join(f"{clean(name)} {total}" for name, total in zip(names, points, strict=True))
    won = f"{listed(names[seat] for seat in best)} won" if best else "drawn"
    seed_told = f" Seed {plan.seed}." if way.viewer is None else ""
    print(f"Series of {len(fought)}: {score}; {won}.{seed_told}")


def replay(
    record: options.RecordFile,
    step: Annotated[bool, typer.Option("--step", help="Move by move; on a terminal Enter goes on.")] = False,
    first: Annotated[
        int | None, typer.Option("--from", metavar="N", min=1, help="Begin with move N.")
    ] = None,
    last: Annotated[int | None, typer.Option("--to", metavar="N", min=1, help="End with move N.")] = None,
    format: options.Format = "text",
    json: options.Json = False,
    detail: options.Detail = "tale",
    side_only: options.For = "",
    analyse: Analyse = False,
    no_color: options.NoColor = False,
) -> None:
    """Print a recorded battle again."""
    from cardbattle.records.refight import Differs, check_digest, refight
    from cardbattle.records.viewer import report_of, table_for

    form = options.read_format(format, json)
    level = options.read_detail(detail)
    if analyse:
        can_analyse(form, side_only, bool(step or first or last))
    read, source = read_record_file(record)
    viewer = options.read_viewer(side_only, read.setup.seats)
    try:
        check_digest(read)
        referee = refight(read)
    except Differs as differs:
        if viewer is not None:
            raise Refused([Mistake(UNTOLD, file=source.name)]) from None
        at = ("moves", differs.move - 1) if 0 < differs.move <= len(read.moves) else ()
        source.refuse([Mistake(str(differs), at=at)])
    warn_of_contradiction(read, referee, viewer, source.name)
    report = report_of(read, referee, viewer)
    table = table_for(read, viewer)
    moves = [str(move) for move in as_list(table["moves"])]
    if step:
        step_through(report, moves, level, part_of(moves, first, last), form, no_color)
    elif first or last:
        show_part(report, level, part_of(moves, first, last), form, no_color, table)
    else:
        show(report, form, level, no_color, table)
    if analyse:
        tell_chances(read, form, False, no_color)


def warn_of_contradiction(record: Record, referee: Referee, viewer: int | None, name: str) -> None:
    """Say if a record's result is not what its moves come to; a side is not told what they do."""
    from cardbattle.records.refight import Differs, check_outcome

    try:
        check_outcome(record, referee)
    except Differs as differs:
        why = str(differs) if viewer is None else "its result is not what its moves come to"
        message(f"cardbattle: warning: {clean(name)}: the record contradicts itself: {clean(why)}")


def can_analyse(form: str, viewer: str, in_part: bool) -> None:
    """Refuse --analyse where the chances of a whole battle have no place."""
    if form not in ("text", "plain"):
        raise UsageError(
            "--analyse goes with text and plain; for a page: cardbattle analyse RECORD.toml --format html"
        )
    if viewer:
        raise UsageError("--analyse looks at the chances of all sides; leave out --for")
    if in_part:
        raise UsageError("--analyse goes with one whole battle, printed")


def tell_chances(record: Record, form: str, quiet: bool, no_color: bool) -> None:
    """Print the analysis of a battle under its tale."""
    from cardbattle.cli.analysis import show as show_chances

    print()
    show_chances(record, form, 0.1, 100, False, 40, None, "", "", quiet, no_color)


def as_list(value: object) -> list[object]:
    """Return a list, empty if the value is none."""
    return value if isinstance(value, list) else []


def part_of(moves: list[str], first: int | None, last: int | None) -> tuple[int, int]:
    """Return the moves between which events are shown; the beginning is before move 1.

    With --for these are the side's own moves: to count all would tell when another was asked.
    """
    for option, number in (("--from", first), ("--to", last)):
        if number is not None and number > len(moves):
            raise UsageError(f"{option} {number}: there are {counted(len(moves), 'move')}")
    if first and last and last < first:
        raise UsageError(f"--to {last} is before --from {first}")
    return (first if first and first > 1 else 0, last or len(moves))


def show_part(
    report: Report, detail: int, part: tuple[int, int], form: str, no_color: bool, table: dict[str, object]
) -> None:
    """Print what happened from one move to another."""
    if form == "json":
        events = [(made, event) for made, event in report.events if part[0] <= made <= part[1]]
        cut = as_list(table["moves"])[max(part[0] - 1, 0) : part[1]]
        begun = {
            word: value
            for word, value in table.items()
            if word not in ("winners", "reason", "checks", "digest")
        }
        show(
            report._replace(events=events),
            form,
            detail,
            no_color,
            begun | {"moves": cut, "sides": unscored(table)},
        )
    elif form == "text":
        from cardbattle.show import text
        from cardbattle.show.console import console

        text.tale(report, detail, console(sys.stdout, False if no_color else None), part)
    elif form == "plain":
        from cardbattle.show import plain

        sys.stdout.writelines(f"{line}\n" for line in plain.tale(report, detail, part))
    else:
        raise UsageError(f"--format {form} shows a whole battle; give text, plain or json for a part of it")


def unscored(table: dict[str, object]) -> dict[str, object]:
    """Return the sides of a record without what only the end decides."""
    sides = table["sides"]
    assert isinstance(sides, dict)
    ends = ("score", "losses")
    return {
        key: {word: value for word, value in side.items() if word not in ends} for key, side in sides.items()
    }


def step_through(
    report: Report, moves: list[str], detail: int, part: tuple[int, int], form: str, no_color: bool
) -> None:
    """Print every move and what came of it; on a terminal wait for Enter in between."""
    if form not in ("text", "plain"):
        raise UsageError(f"--step prints text or plain, not {form}")
    first, last = part
    waits = sys.stdin.isatty() and sys.stdout.isatty()
    if not first:
        show_part(report, detail, (0, 0), form, no_color, {})
    for number in range(max(first, 1), last + 1):
        print(f"\n{number}. {moves[number - 1]}")
        show_part(report, detail, (number, number), form, no_color, {})
        sys.stdout.flush()
        if waits and number < last and not goes_on():
            return


def goes_on() -> bool:
    """Wait for Enter; say whether it came, or the input ended."""
    return bool(sys.stdin.readline())


def verify(
    record: Annotated[
        list[str], typer.Argument(metavar="RECORD.toml...", help="Records; - is standard input.")
    ],
    quiet: options.Quiet = False,
) -> None:
    """Fight records again move by move; exit 1 if one differs, naming the move."""
    from cardbattle.records.refight import Differs, verify_record

    differs = False
    for path in record:
        read, source = read_record_file(path)
        try:
            note = verify_record(read)
        except Differs as error:
            differs = True
            message(f"cardbattle: {source.name}: {error}")
        else:
            if not quiet:
                print(f"{source.name}: {counted(len(read.moves), 'move')} agree{f'; {note}' if note else ''}")
    if differs:
        raise typer.Exit(1)
