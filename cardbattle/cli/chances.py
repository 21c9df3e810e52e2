"""odds, batch: what many battles come to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.output import as_json, message
from cardbattle.cli.reading import blame, read_given
from cardbattle.core.errors import Refused, UsageError
from cardbattle.core.names import clean
from cardbattle.core.telling import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardbattle.chances.batch import Batch, Done, Journal
    from cardbattle.chances.counting import Count


def add_to(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command(
        epilog="Example: cardbattle odds field-of-honour --set york.hand=12 --side york --side lancaster"
    )(odds)
    app.command(epilog="Example: cardbattle batch examples/skirmishes.csv -o results.toml")(batch)


def odds(
    battle: options.Battle,
    side: options.Sides = None,
    seed: options.Seed = "",
    setting: options.Settings = None,
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
    jobs: options.Jobs = None,
    scheduler: options.Scheduler = "",
    format: options.Format = "text",
    json: options.Json = False,
    quiet: options.Quiet = False,
    no_color: options.NoColor = False,
) -> None:
    """Print the chances of a battle, counted by fighting it many times."""
    from cardbattle.chances.odds import Stop
    from cardbattle.chances.odds import odds as counted_odds
    from cardbattle.chances.workers import workforce
    from cardbattle.show import odds as shown

    form = options.read_format(format, json, ("text", "plain", "json", "csv"))
    if number and precision:
        raise UsageError("-n and --precision contradict each other; give one")
    stop = Stop(number, options.read_per_cent(precision, "--precision") if precision else 0.01)
    given = read_given(battle, side or [], setting or [], options.read_seed(seed))
    with (
        blame(given),
        workforce(jobs, scheduler) as (hands, workers),
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


def batch(
    file: Annotated[str, typer.Argument(metavar="FILE.toml|FILE.csv", help="[[battle]] tables, or a sheet.")],
    seed: options.Seed = "",
    output: options.Output = "",
    records: Annotated[
        bool, typer.Option("--records", help="Keep every record, in a folder beside the results.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted batch.")] = False,
    jobs: options.Jobs = None,
    scheduler: options.Scheduler = "",
    format: options.Format = "text",
    json: options.Json = False,
    quiet: options.Quiet = False,
    no_color: options.NoColor = False,
) -> None:
    """Fight many different battles and write their results."""
    from cardbattle.chances import batch as batches
    from cardbattle.records import results

    form = options.read_format(format, json, ("text", "plain", "json", "csv"))
    if (records or resume) and output in ("", "-"):
        raise UsageError(f"{'--records' if records else '--resume'} needs a results file; name it with -o")
    if records:
        results.folder_of(output)
    part = f"{output}.part"
    read = batches.read_batch(file, options.read_seed(seed), batches.last_seed(part) if resume else None)
    double = batches.duplicates(read)
    if double:
        raise Refused(double)
    journal = batches.Journal(part, read, records) if output not in ("", "-") else None
    done = journal.read() if journal is not None and resume else {}
    try:
        fight_batch(read, journal, done, (jobs, scheduler), records, quiet)
    except BaseException:
        tell_the_rest(read, journal, done)
        raise
    finish(read, done, output, form, no_color)
    message(f"seed {clean(str(read.seed))}")
    if journal is not None:
        message(
            f"wrote {clean(output)}: {counted(sum(bool(one.result) for one in done.values()), 'result')}",
            quiet,
        )
        journal.end()
    failed = list(batches.failures(read, done))
    if failed:
        raise Refused(failed)


def fight_batch(
    read: Batch,
    journal: Journal | None,
    done: dict[int, Done],
    hands: tuple[int | None, str],
    records: bool,
    quiet: bool,
) -> None:
    """Fight what is missing, noting each battle in the journal as it is finished."""
    from cardbattle.chances import batch as batches
    from cardbattle.chances.workers import workforce

    if journal is not None:
        journal.begin(done)
    with workforce(*hands) as (pool, workers), bar(quiet) as tick:
        tick(len(done), len(read.entries))

        def tell(number: int, one: Done) -> None:
            if journal is not None:
                journal.add(number, one)
            tick(len(done), len(read.entries))

        batches.fight_all(read, pool, workers, records, done, tell)


def tell_the_rest(read: Batch, journal: Journal | None, done: dict[int, Done]) -> None:
    """Say what is left of a batch that was not finished, and how to go on."""
    if journal is not None:
        message(
            f"{len(done)} of {counted(len(read.entries), 'battle')} are finished, in {clean(journal.path)}; "
            "the same command with --resume fights the rest"
        )


def finish(read: Batch, done: dict[int, Done], output: str, form: str, no_color: bool) -> None:
    """Write or print the results in the order of the file, the records before what names them."""
    import os

    from cardbattle.files import toml
    from cardbattle.records import results

    fought = [done[number] for number in range(len(read.entries)) if done[number].result]
    tables = [one.result for one in fought]
    if any(one.record for one in fought):
        folder = results.make_folder(output)
        for one in fought:
            toml.write_new(os.path.join(folder, f"{one.result['id']}.toml"), one.record)
        tables = [results.with_record(table, os.path.basename(folder)) for table in tables]
    if output not in ("", "-"):
        is_sheet = output.lower().endswith(".csv")
        toml.write_new(output, results.as_sheet(tables) if is_sheet else results.dumps(tables))
    elif output == "-":
        sys.stdout.write(results.dumps(tables))
    elif form == "json":
        sys.stdout.write(
            as_json({"schema": 1, "format": results.FORMAT, "seed": read.seed, "result": tables})
        )
    elif form == "csv":
        sys.stdout.write(results.as_sheet(tables))
    else:
        show_results(tables, form, no_color)


def show_results(tables: list[dict[str, object]], form: str, no_color: bool) -> None:
    """Print results, a line for each battle, and the credit that authors ask for."""
    from cardbattle.rules import find
    from cardbattle.show import lists
    from cardbattle.show.console import console
    from cardbattle.show.words import credits_of

    rows = [result_cells(table) for table in tables]
    if form == "plain":
        sys.stdout.writelines(" | ".join(row) + "\n" for row in rows)
    else:
        head = ["battle", "won by", "score", "losses"]
        lists.columns(head, rows, console(sys.stdout, False if no_color else None))
    for line in credits_of(find(str(table["rules"])) for table in tables):
        print(line)


def result_cells(table: dict[str, object]) -> list[str]:
    """Return a result as the cells of a line: battle, winners, scores, losses."""
    sides = table["sides"]
    winners = table["winners"]
    assert isinstance(sides, dict) and isinstance(winners, list)
    scores = ", ".join(f"{key} {side['score']}" for key, side in sides.items())
    losses = ", ".join(f"{key} {side['losses']}" for key, side in sides.items())
    return [str(table["id"]), " ".join(winners) or "nobody", scores, losses]


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[Count, int], None]]:
    """Open a progress bar for a count."""
    with bar(quiet) as tick:
        yield lambda counted, of: tick(counted.battles, of)


@contextmanager
def bar(quiet: bool, what: str = "battles") -> Iterator[Callable[[int, int], None]]:
    """Open a progress bar on standard error, if that is a terminal and nobody asked for quiet.

    It is told how many battles, or whatever else, are finished, out of how many.
    """
    from cardbattle.show.console import console, is_dumb

    if quiet or is_dumb() or not sys.stderr.isatty():
        yield lambda completed, of: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(f"{{task.completed}} {what}"),
        BarColumn(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=console(sys.stderr), transient=True) as shown:
        task = shown.add_task("")
        yield lambda completed, of: shown.update(task, completed=completed, total=of)
