"""The commands `campaign forecast` (possible outcomes of pending battles) and `campaign luck`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from cardbattle.campaign.turn.fighting import thinks
from cardbattle.campaign.turn.forecast import NAME, QUICK, forecast_futures
from cardbattle.campaign.turn.luck import count_luck
from cardbattle.cli import options
from cardbattle.cli.campaign.shared import ForReader, Where, discreet, read_known
from cardbattle.cli.parameters import option
from cardbattle.cli.run import ALL, POSTS, WITH_NUMBERS, CommandGroup, Printer
from cardbattle.core.errors import InvalidInput
from cardbattle.files.count_cache import CountCache
from cardbattle.show.pages.campaign.forecast import forecast_page
from cardbattle.show.pages.campaign.luck import luck_page
from cardbattle.simulation.workers import workforce

Number = Annotated[int, option("-n N", "Number of simulations.", min=1, max=100_000)]
Quick = Annotated[
    bool,
    option("--quick", "If a commander searches ahead, which is slow, run at most 20 simulations."),
]


COMMANDS = CommandGroup()
QUICK_HINT = "; --quick runs fewer simulations"


def announcer(to: Printer, quick: bool) -> Callable[[float], None]:
    """Return a function that prints the remaining time of a simulation, with a hint on Ctrl-C and --quick."""
    return to.announcer("; Ctrl-C stops and saves the results so far" + ("" if quick else QUICK_HINT))


@COMMANDS.command("cardbattle campaign forecast\ncardbattle campaign forecast -n 500", (*ALL, *POSTS))
def forecast_command(
    home: Where,
    to: Printer,
    number: Number = 200,
    jobs: options.Jobs = None,
    quick: Quick = False,
    reader: ForReader = "",
) -> None:
    """Print the possible outcomes of the pending battles.

    Each simulation fights the battles in order, and subtracts the losses of one battle before the next. With
    --for, only battles whose strengths and commanders the faction knows are simulated. The results are saved
    for the next run.
    """
    visible = read_known(home.path, reader, checked=False)
    if not visible.is_whole and not visible.countable.pending:
        raise InvalidInput(
            "no forecast: this reader does not know the strengths and commanders of any pending battle"
        )
    campaign = visible.countable
    if quick and any(thinks(campaign, battle) for battle in campaign.pending):
        number = min(number, QUICK)
    count_cache = CountCache(campaign.folder, NAME)
    with workforce(jobs) as hands, to.progress("simulations") as tick:
        result = forecast_futures(
            campaign,
            number,
            *hands,
            report_progress=lambda finished: tick(finished, number),
            announce=announcer(to, quick),
            cache=count_cache,
        )
    to.show(forecast_page(result))


@COMMANDS.command("cardbattle campaign luck\ncardbattle campaign luck --quick", WITH_NUMBERS)
def luck_command(
    home: Where,
    to: Printer,
    number: Number = 200,
    jobs: options.Jobs = None,
    quick: Quick = False,
    reader: ForReader = "",
) -> None:
    """Compare each side's results with its expected results.

    The expected result is the average of simulations of the same battle. A side's luck is the difference,
    added up over the campaign. Battles without a record are left out. With --for, only battles whose
    commanders the faction knows are included. The results are saved for the next run.
    """
    at = home.path
    visible = read_known(at, reader)
    with workforce(jobs) as hands, to.progress("battles") as tick, discreet(reader):
        result = count_luck(
            at, visible, number, *hands, report_progress=tick, is_quick=quick, announce=announcer(to, quick)
        )
    counted = {luck.battle for luck in result}
    recorded = visible.ledger.revision_by_battle if visible.is_whole else ()
    left_out = [battle for battle in recorded if battle not in counted]
    to.show(luck_page(result, left_out))
