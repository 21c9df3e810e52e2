"""campaign forecast, luck, report: what may come, what was luck, and how it all stands."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.campaign.books import LIST_FORMATS, Folder, folder_of, read_books
from cardbattle.cli.chances import bar
from cardbattle.cli.output import as_json, write

if TYPE_CHECKING:
    from cardbattle.campaign.ledger import Ledger
    from cardbattle.campaign.operations import CampaignFile

Number = Annotated[int, typer.Option("-n", metavar="N", min=1, max=100_000, help="How many are fought.")]


def add_to(campaign: typer.Typer) -> None:
    """Add these commands to the campaign's."""
    campaign.command("forecast", epilog="Example: cardbattle campaign forecast -n 500")(forecast)
    campaign.command("luck", epilog="Example: cardbattle campaign luck")(luck)
    campaign.command("report", epilog="Example: cardbattle campaign report -o report.md")(report)


def forecast(
    context: typer.Context,
    number: Number = 200,
    jobs: options.Jobs = None,
    folder: Folder = "",
    format: options.Format = "text",
    json: options.Json = False,
    quiet: options.Quiet = False,
    no_color: options.NoColor = False,
) -> None:
    """Print what may come of the pending battles, fought in order with their losses carried on."""
    from cardbattle.campaign import store
    from cardbattle.campaign.forecast import forecast as futures_of
    from cardbattle.chances.workers import workforce
    from cardbattle.show import prospects

    form = options.read_format(format, json, LIST_FORMATS)
    books = store.load(folder_of(context, folder))
    with workforce(jobs) as hands, bar(quiet) as tick:
        found = futures_of(books.campaign, number, *hands, tell=lambda done: tick(done, number))
    if form == "json":
        sys.stdout.write(as_json(prospects.json(found)))
    elif form == "plain":
        sys.stdout.writelines(f"{line}\n" for line in prospects.plain(found))
    else:
        from cardbattle.show.console import console

        prospects.text(found, console(sys.stdout, False if no_color else None))


def luck(
    context: typer.Context,
    number: Number = 200,
    jobs: options.Jobs = None,
    folder: Folder = "",
    format: options.Format = "text",
    json: options.Json = False,
    quiet: options.Quiet = False,
    no_color: options.NoColor = False,
) -> None:
    """Print what each side could expect of its battles, what it got, and how its luck adds up."""
    from cardbattle.campaign.luck import luck as luck_of
    from cardbattle.campaign.luck import with_records
    from cardbattle.chances.workers import workforce
    from cardbattle.show import prospects

    form = options.read_format(format, json, (*LIST_FORMATS, "csv"))
    at = folder_of(context, folder)
    _, ledger = read_books(at)
    count = len(with_records(ledger))
    with workforce(jobs) as hands, bar(quiet) as tick:
        found = luck_of(at, ledger, number, *hands, tell=lambda done: tick(done, count))
    rows = prospects.luck_rows(found)
    tables = prospects.luck_tables(found)
    if form == "json":
        sys.stdout.write(as_json({"schema": 1, "luck": tables}))
    elif form == "csv":
        from cardbattle.files.spreadsheet import as_csv

        sys.stdout.write(as_csv(prospects.LUCK, tables))
    elif form == "plain":
        for row in rows:
            print(f"{row[0]}: {row[1]} expected {row[2]}, got {row[3]}, luck so far {row[6]}")
    else:
        from cardbattle.show import lists
        from cardbattle.show.console import console

        screen = console(sys.stdout, False if no_color else None)
        lists.columns(prospects.LUCK, rows, screen, (2, 3, 4, 5, 6))


def report(
    context: typer.Context,
    output: options.Output = "-",
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="md or html.")] = "",
    folder: Folder = "",
    quiet: options.Quiet = False,
) -> None:
    """Write how the campaign stands, for the players: standings, forces, places, battles."""
    by_name = "html" if output.lower().endswith((".html", ".htm")) else "md"
    form = options.read_format(format or by_name, False, ("md", "html"))
    books, ledger = read_books(folder_of(context, folder), keep=True)
    write(output, report_text(books, ledger, form), quiet)


def report_text(books: CampaignFile, ledger: Ledger, form: str) -> str:
    """Return the report as Markdown or as a page of its own."""
    from cardbattle.show import report
    from cardbattle.show.campaign import title

    write_as = report.page if form == "html" else report.markdown
    return write_as(title(books.campaign), report.sections(books, ledger))
