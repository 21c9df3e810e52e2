"""odds: what many battles come to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.battles import Battle, Settings, Sides, blame, read_given
from cardbattle.cli.output import as_json
from cardbattle.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from cardbattle.chances.counting import Count

Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", metavar="N", min=1, max=256, help="Processes; default: one for each processor."
    ),
]
Scheduler = Annotated[
    str, typer.Option("--scheduler", metavar="ADDRESS", help="A dask scheduler, as tcp://host:8786.")
]
WORTH_A_POOL = 1000  # battles below which processes would start for nothing


def add_to(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command(
        epilog="Example: cardbattle odds field-of-honour --set york.hand=12 --side york --side lancaster"
    )(odds)


def odds(
    battle: Battle,
    side: Sides = None,
    seed: options.Seed = "",
    setting: Settings = None,
    number: Annotated[
        int | None, typer.Option("-n", metavar="N", min=1, max=10**9, help="Fight this many battles.")
    ] = None,
    precision: Annotated[
        str,
        typer.Option(
            "--precision",
            metavar="P%",
            help="Stop when every share is known this well: half the width of its interval.  [default: 1%]",
        ),
    ] = "",
    jobs: Jobs = None,
    scheduler: Scheduler = "",
    format: options.Format = "text",
    json: options.Json = False,
    quiet: options.Quiet = False,
    no_color: options.NoColor = False,
) -> None:
    """Print the chances of a battle, counted by fighting it many times."""
    from cardbattle.chances.odds import Stop
    from cardbattle.chances.odds import odds as counted_odds
    from cardbattle.show import odds as shown

    form = options.read_format(format, json, ("text", "plain", "json", "csv"))
    if number and precision:
        raise UsageError("-n and --precision contradict each other; give one")
    stop = Stop(number, options.read_per_cent(precision, "--precision") if precision else 0.01)
    given = read_given(battle, side or [], setting or [], options.read_seed(seed))
    with (
        blame(given),
        executor(jobs, scheduler, number or WORTH_A_POOL) as (hands, workers),
        progress(quiet) as tell,
    ):
        found = counted_odds(given.table, given.base, stop, hands, workers, tell)
    if form == "text":
        from cardbattle.show.console import console

        shown.text(found, console(sys.stdout, False if no_color else None))
    elif form == "json":
        sys.stdout.write(as_json(shown.json(found)))
    else:
        sys.stdout.write(shown.as_csv(found) if form == "csv" else shown.plain(found))
    if found.stopped == "interrupted":
        raise typer.Exit(130)


@contextmanager
def executor(jobs: int | None, scheduler: str, battles: int) -> Iterator[tuple[Executor, int]]:
    """Open whoever does the counting: a cluster, processes, or this process; and how many they are."""
    from cardbattle.chances import workers

    count = jobs or workers.processors()
    if scheduler:
        with workers.cluster(scheduler) as pool:
            yield pool, 4 * count
    elif count > 1 and battles >= WORTH_A_POOL:
        with workers.processes(count) as pool:
            yield pool, count
    else:
        yield workers.Serial(), 1


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[Count, int], None]]:
    """Open a progress bar on standard error, if that is a terminal and nobody asked for quiet."""
    if quiet or not sys.stderr.isatty():
        yield lambda counted, of: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from cardbattle.show.console import console

    columns = (TextColumn("{task.completed} battles"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda counted, of: bar.update(task, completed=counted.battles, total=of)
