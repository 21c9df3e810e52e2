"""The command `campaign check`, which lists the errors in the files of a campaign, and gives hints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.campaign import check
from cardbattle.campaign.exchange.order_book import ASK
from cardbattle.campaign.state.clock import timestamp
from cardbattle.campaign.turn.in_progress import battles_in_progress
from cardbattle.campaign.turn.waiting import ORDERS, duties, duty_names, order_duties, overdue
from cardbattle.cli.campaign.shared import ADD_YOUR_OWN, Where, read_only
from cardbattle.cli.parameters import option
from cardbattle.cli.run import CommandGroup, Printer
from cardbattle.cli.shell.diagnostics import complain
from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import clean, listed
from cardbattle.show.pages.campaign.dashboard import check_page
from cardbattle.show.pages.campaign.waiting import UNLESS
from cardbattle.site.book import badges_of, drawing_of, unplaceable

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign


COMMANDS = CommandGroup()

MESSAGE_TABLES = ("deadlines", "visibility", "results", "aftermath", "experience", "supply", "income")
ADD_TABLE = "its keys are listed by: cardbattle campaign add table deadlines"


def map_hints(campaign: Campaign) -> list[str]:
    """Return a list with a hint if the umpire's own map or a badge is invalid, or the map lacks a place."""
    try:
        badges_of(campaign)
        drawing = drawing_of(campaign)
    except CardbattleError as error:
        return [str(error)]
    return [warning for warning in [unplaceable(campaign, drawing) if drawing else ""] if warning]


def begun_hints(campaign: Campaign) -> list[str]:
    """Return a hint for each pending battle that players have begun.

    If the campaign has changed since the battle was begun, the hint lists the changes, because the result of
    the battle could not be recorded.
    """
    hints = []
    for battle, progress in battles_in_progress(campaign).items():
        since = progress.changes(campaign)
        changed = f"; the campaign has changed since the battle was begun: {since}" if since else ""
        hints.append(f"battle {battle}: {progress.words(campaign)}{changed}")
    return hints


def late_hints(at: str, campaign: Campaign) -> list[str]:
    """Return a hint for each missed deadline. Each hint names the late factions, and what they have to do."""
    if campaign.deadlines is None:
        return []
    open_duties = duties(campaign, read_only(at)[1], battles_in_progress(campaign))
    late = overdue(open_duties, timestamp())
    return [
        f"{duty_names(campaign, duty)}: the deadline has passed for {duty.words}"
        f"{UNLESS if duty.is_secret else ''}; "
        "see cardbattle campaign waiting"
        for duty in late
    ]


def unset_tables(campaign: Campaign) -> str:
    """Return the tables for play by message that a new campaign lacks, or "" after the first turn.

    A campaign with deadlines is set up for play by message.
    """
    if campaign.turn > 1 or campaign.deadlines is not None:
        return ""
    return listed((name for name in MESSAGE_TABLES if name not in campaign.data), "or")


def awaits_first_orders(at: str, campaign: Campaign) -> bool:
    """Return True if no faction has sent orders for this turn, and the turn needs them."""
    is_quiet = campaign.movement is not None and not campaign.orders and not campaign.sealed_orders
    return is_quiet and any(duty.kind == ORDERS for duty in order_duties(campaign, read_only(at)[1]))


@COMMANDS.command("cardbattle campaign check\ncardbattle campaign check --repair", ("text", "plain", "json"))
def check_command(
    home: Where,
    to: Printer,
    repair: Annotated[bool, option("--repair", "Complete an interrupted command before the check.")] = False,
) -> None:
    """Check the campaign and list every error.

    The exit code is 0 if everything is in order, otherwise 1. Manual edits of campaign.toml are not errors.
    Manual edits and hints are printed on standard error. Some hints name pending battles in which strength
    has no effect, in which the first move or a commander's rank is decisive, or in which one side is almost
    sure to win. Other hints name places that your own map does not show.
    """
    at = home.path
    if repair:
        for note in check.repair(at):
            to.message(note)
    findings = check.look_through(at)
    hints = [*findings.hints()]
    if findings.campaign:
        hints += [*map_hints(findings.campaign), *begun_hints(findings.campaign)]
        hints += late_hints(at, findings.campaign)
    to.show(check_page(findings.errors, findings.edits, hints))
    for error in findings.errors if to.form != "json" else []:
        complain(error)
    for change in findings.edits:
        to.message(
            clean(f"changed by hand: {change}; the next command that changes the campaign records this edit")
        )
    for line in hints:
        to.message(clean(f"hint: {line}"))
    for line in check.numbers_of_names(findings.campaign) if findings.campaign else []:
        to.remark(clean(f"name: {line}"))
    if findings.errors:
        raise typer.Exit(1)
    if findings.campaign and not findings.campaign.factions:
        to.message(ADD_YOUR_OWN)
    if findings.campaign and awaits_first_orders(at, findings.campaign):
        if unset := unset_tables(findings.campaign):
            to.message(f"hint: for play by message, you can still add {unset}; {ADD_TABLE}")
        to.message(f"next: {ASK}")
