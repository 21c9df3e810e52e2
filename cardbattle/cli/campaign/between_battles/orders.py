"""campaign orders: ask the factions for orders to move, accept them, and show whose are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.campaign.exchange.movement_orders import address_of, given_by_hand
from cardbattle.campaign.exchange.order_book import (
    Taken,
    orders_operation,
    refuse_without_movement,
    statuses,
    take_messages,
    take_order,
)
from cardbattle.campaign.phases.movement.planning import steps_of
from cardbattle.campaign.turn.waiting import duties
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.cli import options
from cardbattle.cli.campaign.between_battles.waiting import Now, read_moment
from cardbattle.cli.campaign.record import RecordingOptions, record_operations
from cardbattle.cli.campaign.shared import ForReader, Where, read_known, read_only, reader_named
from cardbattle.cli.command_table import CAMPAIGN_ORDERS
from cardbattle.cli.lazy_group import Group, LazyGroup, print_help_without_command
from cardbattle.cli.output import message
from cardbattle.cli.run import ALL, CommandGroup, Printer
from cardbattle.cli.shell.diagnostics import complain
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.files.spreadsheet import read_text
from cardbattle.files.toml import MEGABYTE
from cardbattle.show.pages.campaign.orders import orders_page, request_to, requests_page, status_page
from cardbattle.show.pages.campaign.waiting import orders_deadline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.exchange.order_book import FactionStatus
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile, Operation
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.show.pages.campaign.orders import OrderRequest

COMMANDS = CommandGroup()
MESSAGES = ("text", "discord", "bbcode", "md", "json")

OnlyFaction = Annotated[
    str,
    typer.Option(
        "--for", metavar="FACTION", help="Only this faction.  [default: all]", callback=options.as_key
    ),
]

orders = typer.Typer(
    name="orders",
    cls=LazyGroup,
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog="cardbattle campaign orders ask --for york\ncardbattle campaign orders take mail.txt",
)


@orders.callback()
def orders_group(context: typer.Context) -> None:
    """Collect the movement orders of all factions for this turn."""
    print_help_without_command(context)


@COMMANDS.command(
    "cardbattle campaign orders ask\ncardbattle campaign orders ask --for york --format discord", MESSAGES
)
def ask_command(home: Where, to: Printer, faction: OnlyFaction = "") -> None:
    """Print a message to each faction that asks for its orders.

    The message shows what the faction sees, its forces, the roads, and how to answer. Send it to that faction
    alone. Long messages are split into parts of at most 1900 characters. Once the orders of all factions are
    in, only those that must open sealed orders are asked.
    """
    books, ledger = read_only(home.path)
    refuse_without_movement(books.campaign)
    table = statuses(books.campaign)
    wanted = faction_named(books.campaign, faction)
    closed = [status.faction for status in table if is_to_open(status, table)]
    asked = [wanted] if wanted else closed or [status.faction for status in table if status.forces]
    requests: list[OrderRequest] = []
    for status in table:
        if status.faction in asked:
            requests += messages_to(books.campaign, ledger, status, table)
    to.show(requests_page(books.campaign, requests))


def messages_to(
    campaign: Campaign, ledger: Ledger, status: FactionStatus, table: Sequence[FactionStatus]
) -> list[OrderRequest]:
    """Return the message to one faction; `table` has the status of all factions."""
    steps = {key: steps_of(campaign, campaign.forces[key]) for key in status.forces}
    visible = visible_to(campaign, ledger, status.faction)
    address = address_of(campaign, status.faction)
    return request_to(visible, status.faction, address, steps, is_opening=is_to_open(status, table))


def is_to_open(status: FactionStatus, table: Sequence[FactionStatus]) -> bool:
    """Say whether a faction must open its sealed orders now, because the orders of all are in."""
    return status.is_sealed and not status.is_open and all(each.is_in for each in table)


def faction_named(campaign: Campaign, word: str) -> str:
    """Return the key of the named faction; empty without a name. Raises UsageError."""
    if not word:
        return ""
    reader = reader_named(campaign, word, None)
    if reader not in campaign.factions:
        raise UsageError(f"--for: {word} has no orders; name a faction")
    return reader or ""


@COMMANDS.command(
    "cardbattle campaign orders take mail.txt\n"
    "cardbattle campaign orders take monday.txt tuesday.txt --dry-run",
    ALL,
)
def take_command(
    home: Where,
    how: RecordingOptions,
    to: Printer,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE", help="Text with orders, or - for standard input.  [default: standard input]"
        ),
    ] = None,
    faction: OnlyFaction = "",
) -> None:
    """Take orders from pasted messages.

    An order is a line such as "percy: march to shrewsbury, avoid battle". Greetings and signatures are
    ignored. A later order replaces an earlier one.

    Valid orders are accepted; each other order is reported with file and line, and the exit code is then 3.
    Sealed orders are opened once all factions have sent their orders.
    """
    texts = [read_text(file, MEGABYTE, is_letter=True) for file in files or ["-"]]
    found: list[Taken] = []

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        taken = take_messages(books.campaign, texts, faction_named(books.campaign, faction))
        operation = orders_operation(books.campaign, taken, how.reason)
        found.append(taken)
        return [operation]

    record_operations(home.path, how, to, choose)
    errors = [error for taken in found for error in taken.errors]
    for error in errors:
        complain(error)
    if errors:
        message(
            "the other orders count; correct these in the file and take it again, or write them with: "
            "cardbattle campaign orders give FORCE ORDER"
        )
        raise typer.Exit(InvalidInput.exit_code)


@COMMANDS.command(
    'cardbattle campaign orders give percy "march to shrewsbury, avoid battle"\n'
    'cardbattle campaign orders give percy "whitchurch -> wem -> shrewsbury"',
    ALL,
)
def give_command(
    home: Where,
    force: Annotated[str, typer.Argument(metavar="FORCE", help="Force, by key or name.")],
    order: Annotated[
        list[str],
        typer.Argument(metavar="ORDER", help="Order: hold, march to PLACE, PLACE -> PLACE or join FORCE."),
    ],
    how: RecordingOptions,
    to: Printer,
) -> None:
    """Give a force its order for this turn."""

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        refuse_without_movement(books.campaign)
        taken = take_order(books.campaign, given_by_hand(books.campaign, force, " ".join(order)))
        return [orders_operation(books.campaign, taken, how.reason)]

    record_operations(home.path, how, to, choose)


@COMMANDS.command(
    "cardbattle campaign orders show\ncardbattle campaign orders show --for york --format md", ALL
)
def show_command(home: Where, to: Printer, reader: ForReader = "") -> None:
    """Print the orders given so far; with --for only those of one faction."""
    visible = read_known(home.path, reader)
    to.show(orders_page(visible))


@COMMANDS.command(
    "cardbattle campaign orders status\ncardbattle campaign orders status --format discord",
    (*ALL, "discord"),
)
def status_command(home: Where, to: Printer, now: Now = "") -> None:
    """Print whose orders are in and whose are missing.

    It shows no orders, so you can post it for everyone. With a deadline, it also shows who has missed it.
    """
    books, ledger = read_only(home.path)
    refuse_without_movement(books.campaign)
    deadline = orders_deadline(books.campaign, duties(books.campaign, ledger, {}), read_moment(now))
    to.show(status_page(books.campaign, statuses(books.campaign), deadline))


ORDERS_GROUP = Group(orders, CAMPAIGN_ORDERS)
