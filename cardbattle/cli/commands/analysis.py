"""The command `analyse`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.replay import ReplayMismatch, check_digest, refight
from cardbattle.cli import options
from cardbattle.cli.reading import read_record_file
from cardbattle.cli.run import ALL, CommandGroup, Printer, WorkOptions, option_group
from cardbattle.core.errors import Diagnostic
from cardbattle.show.pages.analysis import analysis_page
from cardbattle.simulation.analysis import Depth, analyse_record
from cardbattle.simulation.turning_points import turning_points

if TYPE_CHECKING:
    from cardbattle.battles.records.record import Record
    from cardbattle.show.document import Document


COMMANDS = CommandGroup()


@option_group
class AnalysisOptions(NamedTuple):
    """How thoroughly to analyse a battle."""

    battles: Annotated[
        int,
        typer.Option(
            "-n",
            metavar="N",
            min=10,
            max=100_000,
            help="Battles to fight from each position, for each side.",
        ),
    ] = 100
    all_seeing: Annotated[
        bool,
        typer.Option("--all-seeing", help="Use the actual cards instead of what each side could know."),
    ] = False
    margin: Annotated[
        str,
        typer.Option(
            "--margin", metavar="P%", help="Report mistakes and missed chances that cost at least P%."
        ),
    ] = "10%"
    positions: Annotated[
        int,
        typer.Option("--positions", metavar="N", min=2, max=10_000, help="Analyse at most N positions."),
    ] = 40


@COMMANDS.command(
    "cardbattle analyse record.toml\ncardbattle analyse record.toml -n 1000 --margin 5% -o analysis.html", ALL
)
def analyse_command(record: options.RecordFile, how: AnalysisOptions, work: WorkOptions, to: Printer) -> None:
    """Show how the chances moved during a recorded battle, and why."""
    options.read_per_cent(how.margin, "--margin")
    read, source = read_record_file(record)
    try:
        check_digest(read)
        to.show(analysis_of(read, how, work, to))
    except ReplayMismatch as mismatch:
        at = ("moves", mismatch.move - 1) if 0 < mismatch.move <= len(read.moves) else ()
        source.refuse([Diagnostic(str(mismatch), at=at)])


def analysis_of(record: Record, how: AnalysisOptions, work: WorkOptions, to: Printer) -> Document:
    """Return the analysis page of a record. Raises the errors of `analyse_record`."""
    depth = Depth(how.battles, how.all_seeing, how.positions)
    with work.workforce() as (hands, workers), to.bar() as tick:
        analysis = analyse_record(record, hands, workers, depth, tick)
    with to.bar("battles for turning points") as tick:
        analysis = analysis._replace(turning_points=turning_points(record, progress=tick))
    margin = options.read_per_cent(how.margin, "--margin")
    return analysis_page(analysis, report_of(record, refight(record)), margin)
