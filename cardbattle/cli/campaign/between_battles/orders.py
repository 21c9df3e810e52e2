"""The commands `campaign orders`, which ask for orders to move, accept orders, and show which are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.battles.messages.pasted_text import mails_in
from cardbattle.battles.messages.saved_mail import read_message
from cardbattle.campaign.exchange.mails import refuse_long_texts
from cardbattle.campaign.exchange.order_book import (
    TAKE,
    forces_without_orders,
    is_opening,
    orders_operation,
    refuse_without_movement,
    statuses,
    take_given_orders,
)
from cardbattle.campaign.exchange.orders.parser import OrderParser
from cardbattle.campaign.exchange.typed_orders import given_by_hand
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.phases.retreat import no_retreat_notes
from cardbattle.campaign.state.clock import timestamp
from cardbattle.campaign.turn.in_progress import battles_in_progress
from cardbattle.campaign.turn.retreat_choices import forced_retreats, open_retreats
from cardbattle.campaign.turn.waiting import duties, order_duties
from cardbattle.cli import options
from cardbattle.cli.campaign.between_battles.next_step import step_with_orders
from cardbattle.cli.campaign.between_battles.order_intake import (
    OrderIntake,
    battle_commands,
    faction_named,
    print_next_step,
    retreat_choices,
    with_late_orders,
    with_warnings,
)
from cardbattle.cli.campaign.between_battles.questions import (
    files_of,
    is_old_question,
    messages_to,
    question_messages,
    reminders,
)
from cardbattle.cli.campaign.between_battles.waiting import (
    ASKED,
    Now,
    read_moment,
)
from cardbattle.cli.campaign.record import RecordingOptions, record_operations
from cardbattle.cli.campaign.shared import ForReader, Where, read_known, read_only
from cardbattle.cli.command_table import CAMPAIGN_ORDERS
from cardbattle.cli.lazy_group import Group, LazyGroup, print_help_without_command
from cardbattle.cli.message_files import MessageFolder, write_messages
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, CommandGroup, Printer
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.grammar import capital, mid_sentence, together, with_verb
from cardbattle.core.names import clean, listed
from cardbattle.show.pages.campaign.messages.request import requests_page
from cardbattle.show.pages.campaign.orders import forces_with_known_orders, orders_page, status_page
from cardbattle.show.pages.campaign.waiting import IDLE, orders_deadline

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from cardbattle.campaign.exchange.order_book import FactionStatus
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile, Operation
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.show.pages.campaign.messages.request import OrderRequest

COMMANDS = CommandGroup()
MESSAGES = ("text", "discord", "bbcode", "md", "json")
NO_FORCE = "No force can have orders."
NOTHING_MISSING = "No answer of a player is missing."
IS_OPEN = "The sealed orders are open, so no order can be changed."
OnlyFaction = Annotated[
    str,
    option("--for FACTION", "Only this faction.  [default: all factions]", callback=options.as_key),
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
    "cardbattle campaign orders ask --dir messages\n"
    "cardbattle campaign orders ask --for york --format discord\n"
    "cardbattle campaign orders ask --remind",
    MESSAGES,
)
def ask_command(
    home: Where,
    to: Printer,
    faction: OnlyFaction = "",
    message_folder: MessageFolder = "",
    battle: Annotated[
        str,
        option(
            "--battle BATTLE",
            "Only messages about this battle and the retreats after it, by the id of the battle.",
            callback=options.as_key,
        ),
    ] = "",
    remind: Annotated[
        bool,
        option("--remind", "Only short reminders of missing answers, also of those in battles by message."),
    ] = False,
    whole_map: Annotated[
        bool,
        option("--map", "All roads, places, rules and examples of orders, as in the messages of turn 1."),
    ] = False,
    now: Now = "",
) -> None:
    """Print messages that ask the factions for their orders, retreats and reports of results.

    A message for orders shows what the faction sees, its forces, the roads, and how to answer. After the
    first turn, until the map changes, it has the places that these forces can reach instead of all roads.
    There is also a message if a beaten force's player must choose a retreat, if a faction's forces fight a
    pending battle, and if a side must confirm or check the result of a battle at the table. The program does
    not send the messages: send each one yourself, and only to its faction. Long messages are split into parts
    of at most 1900 characters, for a chat; with --dir, only the formats discord, bbcode and json split them.
    The files have names such as turn-3-york.txt; those of earlier questions are removed.
    When all factions have sent orders, only factions whose orders are sealed get a message, which asks them
    to reveal these orders. A reminder says what is missing, until when, and how to answer.
    """
    books, ledger = read_only(home.path)
    campaign = books.campaign
    wanted = faction_named(campaign, faction)
    refuse_other_battle(campaign, ledger, battle)
    all_questions = question_messages(campaign, ledger)
    questions = question_messages(campaign, ledger, battle) if battle else all_questions
    questions = [request for request in questions if wanted in ("", request.faction)]
    time = read_moment(now)
    short = reminders(campaign, ledger, wanted, battle, to, time) if remind else []
    if not (all_questions or battle or short):
        refuse_without_movement(campaign)
    table, is_over = statuses(campaign), has_moved(ledger)
    is_open = is_opening(table)
    can_move = not (is_over or campaign.movement is None)

    def order_messages(asked: Iterable[FactionStatus]) -> list[OrderRequest]:
        asked = [status for status in asked if can_move and (status.must_open or not is_open)]
        return [
            request
            for status in asked
            for request in messages_to(campaign, ledger, status, table, whole_map=whole_map)
        ]

    asked = [status for status in table if status.faction == wanted] if wanted else to_be_asked(table)
    requests = short if remind else [*([] if battle else order_messages(asked)), *questions]
    if message_folder:
        every_reminder = reminders(campaign, ledger, "", "", to, time)
        asked_now = [*requests, *order_messages(to_be_asked(table)), *all_questions, *every_reminder]
        is_old = is_old_question(campaign, asked_now)
        write_messages(message_folder, files_of(campaign, requests, to), to, is_old)
    elif remind:
        to.show(requests_page(campaign, requests, NOTHING_MISSING))
    elif battle or not is_over or questions:
        about = f"No player is asked about battle {battle}." if battle else ""
        to.show(requests_page(campaign, requests, about or (IS_OPEN if is_open else NO_FORCE)))
    else:
        to.show(requests_page(campaign, [], sentences_after_moving(campaign, ledger, wanted)))
    if step := step_after_asking(campaign, ledger, [request.faction for request in requests], time):
        to.message(clean(step))


def sentences_after_moving(campaign: Campaign, ledger: Ledger, faction: str) -> str:
    """Say to the umpire that the forces have moved, and what happens to beaten forces without a way out.

    If `faction` is given, only its forces are named.
    """
    forced = [
        each
        for each in forced_retreats(campaign, ledger)
        if faction in ("", campaign.forces[each.force].faction)
    ]
    notes = [f"{capital(note)}." for note in no_retreat_notes(campaign, forced)]
    return clean(" ".join([f"The forces have moved in turn {campaign.turn}.", *notes]))


def refuse_other_battle(campaign: Campaign, ledger: Ledger, battle: str) -> None:
    """Raise UsageError if a battle is not pending, and no force must retreat after it. "" is accepted."""
    retreats = [*open_retreats(campaign, ledger), *forced_retreats(campaign, ledger)]
    known = [
        *dict.fromkeys([pending.id for pending in campaign.pending] + [each.battle for each in retreats])
    ]
    if battle and not known:
        raise UsageError(f"--battle {battle}: no battle is pending, and no force must retreat")
    if battle:
        options.one_of(battle, known, "--battle")


def step_after_asking(campaign: Campaign, ledger: Ledger, asked: Collection[str], current_time: str) -> str:
    """Return the umpire's next step after messages to these factions, or "" without a step."""
    open_duties = duties(campaign, ledger, battles_in_progress(campaign))
    if any(duty.kind in ASKED and {*asked}.intersection(duty.factions) for duty in open_duties):
        return f"next: take the answers with: {TAKE}"
    return step_with_orders(campaign, ledger, current_time)


def to_be_asked(table: Sequence[FactionStatus]) -> list[FactionStatus]:
    """Return the status of each faction that must get a message.

    While orders are missing, a message goes to every faction that has forces and has not sealed its orders.
    When all orders are in, a message goes to the factions that must open their sealed orders.
    """
    if all(status.is_in for status in table) and (closed := [status for status in table if status.must_open]):
        return closed
    return [status for status in table if status.forces and not (status.is_closed or status.is_replaced)]


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
        argument("FILE", "Text with orders, or - for standard input.  [default: standard input]"),
    ] = None,
    faction: OnlyFaction = "",
    message_folder: MessageFolder = "",
    now: Now = "",
) -> None:
    """Read the factions' orders, retreats and reports of results from pasted messages.

    An order is a line such as "percy: march to shrewsbury, avoid battle". Greetings, signatures and quoted
    text are ignored. An order replaces the order that an earlier message gave the same force. A line such as
    "percy: retreat to chester" chooses where a beaten force retreats, and a line such as "mill/percy: percy
    won, ..." reports a result, as for `campaign confirm`.

    Valid orders are accepted. Orders that cannot be read, further different orders for a force in the same
    text, and questions to you are reported with file and line, and make the exit code 3. Below the result,
    there is a message to each player whose lines were rejected; with --dir, in a file that replaces no other
    message. Players open their sealed orders when all factions have sent orders.
    """
    whole = [read_message(file) for file in files or ["-"]]
    refuse_long_texts(whole)
    texts = [(name, mail) for name, text in whole for mail in mails_in(text)]
    time = read_moment(now)
    intake = OrderIntake(home.path, how, to, texts, faction, time)
    intake.record()
    intake.print_errors()
    if not how.dry_run and (message_folder or to.form == "text"):
        requests = intake.replies()
        if message_folder:
            write_messages(message_folder, files_of(intake.campaign, requests, to), to, keep=True)
        elif requests:
            to.show(requests_page(intake.campaign, requests))
    if not intake.rejected:
        print_next_step(home.path, how, to, time, is_to_correct=intake.is_to_correct)
    if intake.result.errors or intake.rejected:
        raise typer.Exit(InvalidInput.exit_code)


@COMMANDS.command(
    'cardbattle campaign orders give percy "march to shrewsbury, avoid battle"\n'
    'cardbattle campaign orders give percy "whitchurch -> wem -> shrewsbury"',
    ALL,
)
def give_command(
    home: Where,
    force: Annotated[
        str, argument("FORCE", "Force, by key or name. A faction means its forces without an order.")
    ],
    order: Annotated[
        list[str],
        argument(
            "ORDER",
            "Order: hold, march to PLACE, a route such as PLACE -> PLACE, join FORCE, or after a lost "
            "battle retreat to PLACE.",
        ),
    ],
    how: RecordingOptions,
    to: Printer,
) -> None:
    """Order one force, or each force of a faction that has no order yet."""

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        refuse_without_movement(books.campaign)
        retreats = retreat_choices(books.campaign, ledger)
        parser = OrderParser(
            books.campaign,
            has_moved=has_moved(ledger),
            retreats=retreats,
            forced=[question.force for question in forced_retreats(books.campaign, ledger)],
            battle_commands=battle_commands(books.campaign, ledger),
        )
        orders_taken = take_given_orders(parser, given_by_hand(parser, force, " ".join(order)))
        result = with_warnings(books.campaign, ledger, orders_taken)
        result = with_late_orders(books.campaign, ledger, result)
        return [orders_operation(books.campaign, result, how.reason)]

    record_operations(home.path, how, to, choose)
    print_next_step(home.path, how, to, timestamp())


@COMMANDS.command(
    "cardbattle campaign orders show\ncardbattle campaign orders show --for york --format md", ALL
)
def show_command(home: Where, to: Printer, reader: ForReader = "") -> None:
    """Print the orders for this turn that are recorded so far.

    With --for, only the orders that the named reader may know are printed.
    """
    visible = read_known(home.path, reader)
    if not any(force.retreat for force in forces_with_known_orders(visible).values()):
        refuse_without_movement(visible.campaign)
    to.show(orders_page(visible))


@COMMANDS.command(
    "cardbattle campaign orders status\ncardbattle campaign orders status --format discord",
    (*ALL, "discord"),
)
def status_command(home: Where, to: Printer, now: Now = "") -> None:
    """Print whose orders are in and whose are missing.

    The list does not show the orders themselves, so you can post the list for everyone. If [visibility] hides
    forces, the list does not show which factions have nothing to order: only a line on standard error does.
    Another such line names forces without an order in a faction whose orders are in, for example because an
    order was rejected.
    If [deadlines] sets a deadline for orders, the list also shows which factions have missed it.
    """
    books, ledger = read_only(home.path)
    refuse_without_movement(books.campaign)
    time = read_moment(now)
    deadline = orders_deadline(books.campaign, list(order_duties(books.campaign, ledger)), time)
    table, moved = statuses(books.campaign), has_moved(ledger)
    to.show(status_page(books.campaign, table, deadline, has_moved=moved))
    if (idle := idle_words(books.campaign, table)) and not books.campaign.visibility.shows_forces:
        to.message(clean(f"for you alone: {idle}"))
    if forces := forces_without_orders(books.campaign, table):
        names = mid_sentence(listed(map(books.campaign.display_name, forces)))
        to.message(clean(f"for you alone: no order for {names}, in a faction whose orders are in"))
    to.message(clean(step_with_orders(books.campaign, ledger, time)))


def idle_words(campaign: Campaign, table: Sequence[FactionStatus]) -> str:
    """Say which factions have no forces to order, or return "" if all factions have some."""
    idle = [campaign.faction_name(status.faction) for status in table if status.is_idle]
    return with_verb(together(idle), IDLE) if idle else ""


ORDERS_GROUP = Group(orders, CAMPAIGN_ORDERS)
