"""analyse: how the chances of a fought battle went, and why."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.chances import bar
from cardbattle.cli.output import as_json, write
from cardbattle.cli.reading import read_record_file
from cardbattle.core.errors import Mistake

if TYPE_CHECKING:
    from cardbattle.records.record import Record

Battles = Annotated[
    int,
    typer.Option(
        "-n", metavar="N", min=10, max=100_000, help="Battles fought on from each position, for each side."
    ),
]
AllSeeing = Annotated[
    bool, typer.Option("--all-seeing", help="Count with the cards as they lay, not as each side could know.")
]
Margin = Annotated[
    str, typer.Option("--margin", metavar="P%", help="What a choice must give away, or miss, to be told.")
]
Positions = Annotated[
    int,
    typer.Option("--positions", metavar="N", min=2, max=10_000, help="Look at this many positions at most."),
]

FORMATS = ("text", "plain", "json", "html")


def add_to(app: typer.Typer) -> None:
    """Add this command to the command line."""
    app.command(epilog="Example: cardbattle analyse records/shrewsbury.toml --format html -o chances.html")(
        analyse
    )


def analyse(
    record: options.RecordFile,
    battles: Battles = 100,
    all_seeing: AllSeeing = False,
    margin: Margin = "10%",
    positions: Positions = 40,
    jobs: options.Jobs = None,
    scheduler: options.Scheduler = "",
    output: options.Output = "",
    format: options.Format = "text",
    json: options.Json = False,
    quiet: options.Quiet = False,
    no_color: options.NoColor = False,
) -> None:
    """Print the chance to win after every move of a fought battle, and the turning points."""
    form = options.read_format(format, json, FORMATS)
    if output:
        form = options.form_of(output, form, FORMATS)
    gap = options.read_per_cent(margin, "--margin")
    read, source = read_record_file(record)
    from cardbattle.records.refight import Differs, check_digest

    try:
        check_digest(read)
        show(read, form, gap, battles, all_seeing, positions, jobs, scheduler, output, quiet, no_color)
    except Differs as differs:
        at = ("moves", differs.move - 1) if 0 < differs.move <= len(read.moves) else ()
        source.refuse([Mistake(str(differs), at=at)])


def show(
    record: Record,
    form: str,
    margin: float,
    battles: int,
    all_seeing: bool,
    positions: int,
    jobs: int | None,
    scheduler: str,
    output: str,
    quiet: bool,
    no_color: bool,
) -> None:
    """Analyse a record and print or write what was found."""
    from cardbattle.chances import analysis as analysing
    from cardbattle.chances.workers import workforce
    from cardbattle.records.refight import refight
    from cardbattle.records.viewer import report_of
    from cardbattle.show import analysis as shown

    with workforce(jobs, scheduler) as (hands, workers), bar(quiet) as tell:
        found = analysing.analyse(record, hands, workers, battles, all_seeing, positions, tell)
    report = report_of(record, refight(record))
    if form == "text" and not output:
        from cardbattle.show.console import console

        shown.text(found, report, margin, console(sys.stdout, False if no_color else None))
        return
    if form == "json":
        said = as_json(shown.as_json(found, margin))
    else:
        said = (shown.as_page if form == "html" else shown.plain)(found, report, margin)
    write(output or "-", said, quiet)
