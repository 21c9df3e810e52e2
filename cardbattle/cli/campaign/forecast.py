"""campaign forecast, luck, report: what may come, what was luck, and how it all stands."""

from __future__ import annotations

from typing import Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.campaign.shared import Where, read_only
from cardbattle.cli.run import ALL, WITH_NUMBERS, CommandGroup, Printer

Number = Annotated[int, typer.Option("-n", metavar="N", min=1, max=100_000, help="How many are fought.")]


COMMANDS = CommandGroup()
REPORT = ("md", "html", "text", "plain", "json")


@COMMANDS.command("cardbattle campaign forecast -n 500", ALL)
def forecast_command(where: Where, to: Printer, number: Number = 200, jobs: options.Jobs = None) -> None:
    """Print what may come of the pending battles.

    They are fought in order, with their losses carried on.
    """
    from cardbattle.campaign import store
    from cardbattle.campaign.forecast import forecast_futures
    from cardbattle.chances.workers import workforce
    from cardbattle.show.pages.forecast import forecast_page

    books = store.load(where.path)
    with workforce(jobs) as hands, to.bar() as tick:
        found = forecast_futures(books.campaign, number, *hands, tell=lambda done: tick(done, number))
    to.show(forecast_page(found))


@COMMANDS.command("cardbattle campaign luck", WITH_NUMBERS)
def luck_command(where: Where, to: Printer, number: Number = 200, jobs: options.Jobs = None) -> None:
    """Print what each side could expect, and what it got.

    And how its luck adds up over the campaign.
    """
    from cardbattle.campaign.luck import count_luck, with_records
    from cardbattle.chances.workers import workforce
    from cardbattle.show.pages.luck import luck_page

    at = where.path
    books, ledger = read_only(at)
    count = len(with_records(ledger))
    with workforce(jobs) as hands, to.bar() as tick:
        found = count_luck(at, ledger, number, *hands, tell=lambda done: tick(done, count))
    to.show(luck_page(books.campaign, found))


@COMMANDS.command("cardbattle campaign report -o report.md", REPORT)
def report_command(where: Where, to: Printer) -> None:
    """Write how the campaign stands, for the players.

    Standings, forces, places, battles.
    """
    from cardbattle.show.pages.report import report_page

    to.show(report_page(*read_only(where.path, keep=True)))
