"""campaign forecast, luck, report: what may come, what was luck, and how it all stands."""

from __future__ import annotations

from typing import Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.campaign.shared import ForReader, Where, discreet, read_known
from cardbattle.cli.run import ALL, POSTS, WITH_NUMBERS, CommandGroup, Printer
from cardbattle.core.errors import Refused

Number = Annotated[int, typer.Option("-n", metavar="N", min=1, max=100_000, help="How many are fought.")]


COMMANDS = CommandGroup()
REPORT = ("md", "html", "text", "plain", "json", *POSTS)


@COMMANDS.command("cardbattle campaign forecast -n 500", (*ALL, *POSTS))
def forecast_command(
    where: Where,
    to: Printer,
    number: Number = 200,
    jobs: options.Jobs = None,
    reader: ForReader = "",
) -> None:
    """Print what may come of the pending battles.

    They are fought in order, with their losses carried on. With --for only those of which that faction
    knows every strength and commander.
    """
    from cardbattle.campaign.forecast import forecast_futures
    from cardbattle.chances.workers import workforce
    from cardbattle.show.pages.forecast import forecast_page

    known = read_known(where.path, reader, checked=False)
    if not known.is_whole and not known.countable.pending:
        raise Refused("no battle is pending of which enough is known for a forecast")
    with workforce(jobs) as hands, to.bar() as tick:
        found = forecast_futures(known.countable, number, *hands, tell=lambda done: tick(done, number))
    to.show(forecast_page(found))


@COMMANDS.command("cardbattle campaign luck", WITH_NUMBERS)
def luck_command(
    where: Where,
    to: Printer,
    number: Number = 200,
    jobs: options.Jobs = None,
    reader: ForReader = "",
) -> None:
    """Print what each side could expect, and what it got.

    And how its luck adds up over the campaign. With --for only of battles all of whose commanders that
    faction knows.
    """
    from cardbattle.campaign.luck import count_luck
    from cardbattle.chances.workers import workforce
    from cardbattle.show.pages.luck import luck_page

    at = where.path
    known = read_known(at, reader, keep=False)
    with workforce(jobs) as hands, to.bar() as tick, discreet(reader):
        found = count_luck(at, known, number, *hands, tell=tick)
    to.show(luck_page(known.campaign, found))


@COMMANDS.command("cardbattle campaign report -o report.md", REPORT)
def report_command(where: Where, to: Printer, reader: ForReader = "") -> None:
    """Write how the campaign stands, for the players.

    Standings, forces, places, battles. Without --for it is what everybody may read.
    """
    from cardbattle.campaign.visibility import PUBLIC
    from cardbattle.show.pages.report import report_page

    at = where.path
    known = read_known(at, reader, PUBLIC)
    to.show(report_page(known, known.logs(at)))
