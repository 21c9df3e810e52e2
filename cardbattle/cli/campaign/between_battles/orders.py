"""The commands `campaign orders`, which ask for orders to move, accept orders, and show which are missing."""

from __future__ import annotations

import re
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.battles.messages.pasted_text import mails_in, sender_address
from cardbattle.battles.messages.saved_mail import read_message
from cardbattle.campaign.exchange.confirmation import (
    battle_meant,
    is_reported_by_ally,
    own_declines,
    own_sides,
    read_report,
    reports_of,
    version,
)
from cardbattle.campaign.exchange.mails import refuse_long_texts, take_messages
from cardbattle.campaign.exchange.message_error import is_settled, player_text
from cardbattle.campaign.exchange.order_book import (
    ALREADY,
    TAKE,
    Taken,
    changes_to,
    closed_retreats,
    forces_named,
    forces_without_orders,
    has_substitute,
    is_opening,
    orders_operation,
    refuse_without_movement,
    sealed_now,
    statuses,
    take_given_orders,
)
from cardbattle.campaign.exchange.orders.addresses import address_of, command_for_sender, over_error
from cardbattle.campaign.exchange.orders.parser import OrderParser, RetreatChoice
from cardbattle.campaign.exchange.report_text import faction_of_report, place_of_report
from cardbattle.campaign.exchange.typed_orders import given_by_hand
from cardbattle.campaign.exchange.unaddressed_reports import unread_replies
from cardbattle.campaign.ledger.history import changes_of_force
from cardbattle.campaign.ledger.ledger import CONTACT, MOVEMENT
from cardbattle.campaign.ledger.undo import entries_since, entry_label, first_few
from cardbattle.campaign.phases.finished_phases import has_moved, orders_of_last_movement
from cardbattle.campaign.phases.movement.planning import enemies_on_way
from cardbattle.campaign.phases.retreat import CLOSED, no_retreat_notes
from cardbattle.campaign.phases.standoffs import add_battle_command, standoffs
from cardbattle.campaign.state.clock import timestamp
from cardbattle.campaign.state.tables.march_orders import RETREAT as RETREAT_TO
from cardbattle.campaign.turn.hints.order_hints import hiring_warning
from cardbattle.campaign.turn.in_progress import battles_in_progress
from cardbattle.campaign.turn.retreat_choices import (
    forced_retreats,
    known_ways,
    open_retreats,
    places_to_name,
    retreat_questions,
)
from cardbattle.campaign.turn.waiting import (
    CHECK,
    duties,
    order_duties,
    orders_until,
    retreat_duties,
)
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.cli import options
from cardbattle.cli.campaign.between_battles.next_step import step_with_orders
from cardbattle.cli.campaign.between_battles.questions import (
    RESULTS,
    files_of,
    has_reported_fight,
    is_old_question,
    lines_to_open,
    messages_to,
    question_messages,
    reminders,
)
from cardbattle.cli.campaign.between_battles.waiting import (
    ASKED,
    Now,
    correction_of_reports,
    find_reports,
    read_moment,
    record_reports,
)
from cardbattle.cli.campaign.record import RecordingOptions, record_operations
from cardbattle.cli.campaign.shared import ForReader, Where, read_known, read_only, reader_named
from cardbattle.cli.command_table import CAMPAIGN_ORDERS
from cardbattle.cli.lazy_group import Group, LazyGroup, print_help_without_command
from cardbattle.cli.message_files import MessageFolder, write_messages
from cardbattle.cli.output import message
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, CommandGroup, Printer
from cardbattle.cli.shell.diagnostics import complain
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.grammar import capital, mid_sentence, together, with_verb
from cardbattle.core.names import clean, listed
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.show.pages.campaign.messages.battles import (
    ALLY_REPORTED,
    REPORT_COUNTS,
    decline_notice,
    differing,
    result_request,
)
from cardbattle.show.pages.campaign.messages.replies import (
    late_request,
    read_lines,
    read_request,
    refusal_request,
    refused_lines,
)
from cardbattle.show.pages.campaign.messages.request import requests_page
from cardbattle.show.pages.campaign.messages.retreats import is_lost
from cardbattle.show.pages.campaign.orders import forces_with_known_orders, orders_page, status_page
from cardbattle.show.pages.campaign.waiting import IDLE, orders_deadline

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cardbattle.campaign.exchange.order_book import FactionStatus
    from cardbattle.campaign.exchange.orders.parser import GivenOrder
    from cardbattle.campaign.exchange.report_text import ReportLine
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile, Operation
    from cardbattle.campaign.phases.retreat import RetreatQuestion
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.state.tables.deadlines import ReportedResult
    from cardbattle.campaign.turn.waiting import Duty
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.core.errors import Diagnostic
    from cardbattle.show.pages.campaign.messages.request import OrderRequest

COMMANDS = CommandGroup()
MESSAGES = ("text", "discord", "bbcode", "md", "json")
HIDDEN = "(the player may not know this)"
GIVE = "cardbattle campaign orders give FORCE ORDER"
CHOOSE = "cardbattle campaign advance --retreat FORCE=PLACE"
NAME_SENDER = (
    "if you know who sent the text, name the faction with --for FACTION: more lines can then be read, and "
    "its player gets a message about the others"
)
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


def faction_named(campaign: Campaign, word: str) -> str:
    """Return the key of the faction with this key or name, or "" for an empty word.

    Raises UsageError for an unknown faction.
    """
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
    time = read_moment(now)
    whole = [read_message(file) for file in files or ["-"]]
    refuse_long_texts(whole)
    texts = [(name, mail) for name, text in whole for mail in mails_in(text)]
    campaign = read_only(home.path)[0].campaign
    reports = find_reports(campaign, texts, faction_named(campaign, faction))
    skipped = {line: faction_of_report(campaign, each) for each in reports for line in each.lines}
    rejected = record_reports(home.path, how, to, reports, time)
    reported = {faction_of_report(campaign, each) for each in reports if each not in rejected}
    results: list[Taken] = []

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        result = read_orders_in(books, ledger, texts, faction, skipped)
        if result.refused:
            known = read_orders_in(books, ledger, texts, faction, skipped, is_for_players=True)
            after = books.campaign.after(changes_to(books.campaign, result.values))
            retreats = retreat_choices(after, ledger, is_for_players=True)
            closed = closed_retreats(known.refused, retreats)
            not_offered = merged(closed, closed_since(books.campaign, after, ledger))
            if any(not_offered.values()):  # no correction offers a place that is closed now
                known = read_orders_in(
                    books, ledger, texts, faction, skipped, is_for_players=True, closed=not_offered
                )
            result = result._replace(refused=known.refused, closed=closed)
        is_asking = not (result.values or reports) and all(map(is_settled, result.errors))
        if result.is_unread or (result.errors and is_asking):
            rejected[:] = unread_replies(books.campaign, texts, faction_named(books.campaign, faction))
            result = with_report_errors(books.campaign, ledger, result, rejected)
        result = with_late_orders(books.campaign, ledger, with_warnings(books.campaign, ledger, result))
        results.append(result)
        is_known = any(note.endswith(ALREADY) for note in result.notes)
        if result.values or result.errors or is_known or not reports:
            return [orders_operation(books.campaign, result, how.reason)]
        for note in result.notes:
            message(clean(note))
        return []

    others = "all other orders are accepted"
    try:
        record_operations(home.path, how, to, choose, time=time)
    except InvalidInput as refused:
        if not results or list(refused.errors) != results[0].errors:
            raise
        for note in results[0].notes:
            message(clean(note))
        is_recorded = read_only(home.path)[0].campaign.revision != campaign.revision
        others = "all other lines are accepted" if is_recorded else "no order is recorded"
    order_errors = in_order([error for result in results for error in result.errors], texts)
    for error in order_errors:
        complain(error)
    is_unread = any(result.is_unread for result in results)
    if any(result.closed and not result.values for result in results):
        others = "no order is accepted"
    for refused_faction in dict.fromkeys(["", *chain.from_iterable(result.refused for result in results)]):
        for order in earlier_of(refused_faction, results):
            message(clean(f"the earlier order still counts: {order}"))
    if order_errors and not is_unread:
        step = correction(home.path, results, time)
        message(f"{others}; {step}" if step else others)
    is_known = faction or rejected or any(result.accepted or result.refused for result in results)
    if order_errors and not is_known:
        message(clean("; ".join([NAME_SENDER, *way_to_know_sender(campaign, texts)])))
    if rejected:
        message(clean(correction_of_reports(*read_only(home.path), rejected)))
    if not how.dry_run and (message_folder or to.form == "text"):
        requests = refusals(home.path, results, reported)
        informed = {request.faction for request in requests}
        requests += report_refusals(home.path, rejected)
        requests += decline_notices(home.path, [each for each in reports if each not in rejected])
        requests += [*late_requests(home.path, results, informed)]
        if message_folder:
            write_messages(message_folder, files_of(campaign, requests, to), to, keep=True)
        elif requests:
            to.show(requests_page(campaign, requests))
    if not rejected:
        is_to_correct = any(
            not (is_settled(error) or error in result.final) for result in results for error in result.errors
        )
        print_next_step(home.path, how, to, time, is_to_correct=is_to_correct)
    if order_errors or rejected:
        raise typer.Exit(InvalidInput.exit_code)


def way_to_know_sender(campaign: Campaign, texts: Sequence[tuple[str, str]]) -> list[str]:
    """Return the command that lets the program know the only sender of these mails, as a list, or []."""
    known = {address.lower() for faction in campaign.factions.values() for address in faction.mail}
    addresses = {sender_address(text) for _, text in texts}
    is_new = len(addresses) == 1 and addresses.isdisjoint({"", *known})
    command = command_for_sender("FACTION", addresses.pop()) if is_new else ""
    return [f"to know this sender from now on: {command}"] if command else []


def closed_since(before: Campaign, after: Campaign, ledger: Ledger) -> dict[str, list[str]]:
    """Return the places that new retreats close to beaten forces, as far as their players know, by force.

    A force to which no place is left is not in the result.
    """
    offered, left = (
        {
            question.force: places_to_name(known_ways(ledger, question))
            for question in (*retreat_questions(campaign, ledger), *forced_retreats(campaign, ledger))
        }
        for campaign in (before, after)
    )
    return {
        force: [place for place in places if place not in left[force]]
        for force, places in offered.items()
        if left.get(force)
    }


def merged(*tables: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the places of several tables by force."""
    forces = dict.fromkeys(chain.from_iterable(tables))
    return {force: [*chain.from_iterable(table.get(force, ()) for table in tables)] for force in forces}


def in_order(errors: Iterable[Diagnostic], texts: Sequence[tuple[str, str]]) -> list[Diagnostic]:
    """Return the errors in the order of their lines in the files. Those without a line are last."""
    files = [*dict.fromkeys(name for name, _ in texts)]

    def place(error: Diagnostic) -> tuple[int, int]:
        if isinstance(error, PlacedDiagnostic) and error.file in files:
            return files.index(error.file), error.line
        return len(files), 0

    return sorted(errors, key=place)


def with_report_errors(
    campaign: Campaign, ledger: Ledger, result: Taken, replies: Sequence[ReportLine]
) -> Taken:
    """Return unread messages with the errors that these lines have as reports of a battle, if any.

    Questions to the umpire are reported too.
    """
    errors: list[Diagnostic] = []
    for line in replies:
        try:
            read_report(campaign, ledger, line)
        except InvalidInput as refused:
            errors += refused.errors
    asked = [error for error in result.errors if is_settled(error)]
    readable = result.refused if asked else {}
    return result._replace(errors=[*errors, *asked], refused=readable) if errors else result


def refusals(at: str, results: Sequence[Taken], reported: Collection[str]) -> list[OrderRequest]:
    """Return the messages to the factions whose lines were not taken, for the umpire to send.

    A message has a form for the faction's forces that must retreat, whose chosen retreat the player could not
    change, or whose retreat is taken from the same mail as a rejected line without a name. Otherwise, it has
    one for the forces without an order, and for those of rejected lines whose earlier order counts. If there
    are none of these, and no other line counts, it has one for all forces. If there is nothing to correct, it
    has no empty form. `reported` are the factions whose reports of results are taken.
    """
    books, ledger = read_only(at)
    campaign, is_over = books.campaign, has_moved(ledger)
    table = {status.faction: status for status in statuses(campaign)}
    changeable = {question.force for question in retreat_questions(campaign, ledger)}
    lost = {each.force for each in forced_retreats(campaign, ledger) if is_lost(ledger, each)}
    requests: list[OrderRequest] = []
    accepted = {*reported}.union(*(result.accepted for result in results))
    for faction, errors in {
        key: value for result in results for key, value in result.refused.items()
    }.items():
        texts = [text for error in errors if (text := player_text(error))]
        status = table[faction]
        if not texts or status.is_replaced:
            continue
        duties_left = [duty for duty in retreat_duties(campaign, ledger) if faction in duty.factions]
        address, until = address_of(campaign, faction), orders_until(campaign, ledger)
        earlier = earlier_of(faction, results)
        named = forces_named(campaign, faction, errors)
        wrong = named & {order.partition(":")[0] for order in earlier}
        forms = [f"{force}:" for force in status.forces if force in wrong or force not in campaign.orders]
        is_to_correct = not all(map(is_settled, errors))
        for_umpire = [text for error in errors if is_settled(error) and (text := player_text(error))]
        if is_to_correct and not forms and faction not in accepted:
            forms = [f"{force}:" for force in status.forces]
        beaten = [force for duty in duties_left for force in duty.sides]
        taken = [] if named or not is_to_correct else retreats_taken(results)
        beaten += [
            force
            for force in status.forces
            if force in changeable and (force in taken or is_retreat_of(force, texts))
        ]
        if beaten:
            until = duties_left[0].until if duties_left else ""
            forms = [f"{force}: {RETREAT_TO}" for force in dict.fromkeys(beaten)]
        elif campaign.movement is None or (is_over and not is_to_correct):
            address, forms = "", []  # nothing is missing in this turn
        elif is_over:
            address, until = f"{address.rpartition('@')[0]}@{campaign.turn + 1}", ""
            forms = [form for form in forms if form.rstrip(":") not in lost]
        elif status.is_closed:
            address, forms = "", lines_to_open(campaign, ledger, status, table.values())
        elif is_opening(table.values()):
            address, forms = "", []
        address = address if forms or is_to_correct else ""
        visible = visible_to(campaign, ledger, faction)
        requests += refusal_request(
            visible,
            faction,
            [text for text in texts if text not in for_umpire],
            address,
            forms,
            until,
            for_umpire=for_umpire,
            others_count=faction in accepted,
            earlier=earlier,
            is_to_correct=is_to_correct,
            read=read_lines(remarks_of(faction, results), warnings_of(faction, results)),
            questions=[
                question
                for question in open_retreats(campaign, ledger)
                if question.force in beaten and not is_retreat_of(question.force, texts)
            ],
        )
    return requests


def late_requests(at: str, results: Sequence[Taken], informed: Collection[str]) -> Iterator[OrderRequest]:
    """Yield messages about accepted orders that count for the next turn, or that players may want to change.

    The factions in `informed` have a message about the latter already.
    """
    if not any(result.late or result.remarks or result.warnings for result in results):
        return
    books, ledger = read_only(at)
    campaign = books.campaign
    for result in results:
        for faction in dict.fromkeys([*result.late, *result.remarks, *result.warnings]):
            visible = visible_to(campaign, ledger, faction)
            remarks, warnings = remarks_of(faction, [result]), warnings_of(faction, [result])
            is_march = bool(faction in result.late or warnings) or any(
                each.order.verb != RETREAT_TO for each in remarks
            )
            read = [] if faction in informed else read_lines(remarks, warnings)
            turn = campaign.turn + (is_march and has_moved(ledger))
            address = f"{address_of(campaign, faction).rpartition('@')[0]}@{turn}"
            if faction in result.late:
                yield from late_request(visible, faction, address, result.late[faction], read)
            elif read:
                orders = {each.force: str(each.order) for each in remarks}
                warned = (text.partition(":")[0] for text in warnings)
                orders |= {force: str(campaign.orders[force]) for force in warned}
                yield from read_request(visible, faction, address, read, orders)


def remarks_of(faction: str, results: Sequence[Taken]) -> list[GivenOrder]:
    """Return the accepted orders of a faction behind which text was not read."""
    return [order for result in results for order in result.remarks.get(faction, ())]


def warnings_of(faction: str, results: Sequence[Taken]) -> list[str]:
    """Return the accepted orders of a faction that may not do what its player wants, with the reason."""
    return [order for result in results for order in result.warnings.get(faction, ())]


def with_warnings(campaign: Campaign, ledger: Ledger, result: Taken) -> Taken:
    """Return accepted orders with those that may not do what the player wants: by the way, or by the place.

    The shortest way can lead past an enemy, and a force can be sent to a place in which it hires no soldiers.
    What the player cannot see has no effect. Sealed orders, which no one can change, are left out.
    """
    after = campaign.after(changes_to(campaign, result.values))
    orders = [key[1] for key, order in result.values.items() if key[0] == "orders" and order]
    beaten = {each.force for each in (*retreat_questions(after, ledger), *forced_retreats(after, ledger))}
    fighting = {force for battle in after.pending for side in battle.sides for force in side}
    warnings: dict[str, list[str]] = {}
    notes: list[str] = []
    for faction in dict.fromkeys(after.forces[force].faction for force in orders):
        if sealed_now(after, faction):
            continue
        seen = visible_to(after, ledger, faction).campaign
        for force in (each for each in orders if after.forces[each].faction == faction):
            order, own = f"{force}: {after.orders[force]}", warnings.setdefault(faction, [])
            if places := enemies_on_way(seen, force):
                names = listed(mid_sentence(seen.location_name(place)) for place in places)
                own.append(f"{order}; by way of {names}, where you see an enemy")
                notes.append(f"{order}; by way of {names}, where its player sees an enemy")
            if force not in beaten | fighting and (hint := hiring_warning(seen, force)):
                own.append(f"{order}; {hint}")  # the umpire reads it as a hint of the recorded order
    warnings = {faction: own for faction, own in warnings.items() if own}
    return result._replace(warnings=warnings, notes=[*result.notes, *notes])


def with_late_orders(campaign: Campaign, ledger: Ledger, result: Taken) -> Taken:
    """Return orders with advice on how to use them in this turn, if its forces have moved.

    The orders are accepted for the next turn, or not taken because they have the address of this one.
    """
    turn = campaign.turn
    over = [over_error(faction, turn) for faction in campaign.factions]
    is_accepted = any(key[0] != "forces" for key in result.values)
    is_refused = any(each in error.text for error in result.errors for each in over)
    if not has_moved(ledger) or not (is_accepted or is_refused):
        return result
    later = entries_since(ledger, (MOVEMENT, CONTACT))
    others = [entry_label(entry) for entry in later if entry.kind not in (MOVEMENT, CONTACT)]
    also = f"; that also undoes {first_few(others)}, recorded after the movement" if others else ""
    counts = f"these orders count for turn {turn + 1}; " if is_accepted else ""
    note = (
        f"the forces of turn {turn} have moved: {counts}to use {'them' if counts else 'late orders'} in turn "
        f"{turn}, go back to before the movement with: cardbattle campaign undo --phase {MOVEMENT}, and take "
        f"these orders again; all earlier orders stay{also}"
    )
    return result._replace(notes=[*result.notes, note])


def earlier_of(faction: str, results: Sequence[Taken]) -> list[str]:
    """Return the earlier orders of a faction with rejected lines that still count."""
    return [order for result in results for order in result.earlier.get(faction, ())]


def retreats_taken(results: Sequence[Taken]) -> list[str]:
    """Return the forces whose retreats the accepted lines choose or change."""
    keys = chain.from_iterable(result.values for result in results)
    return [key[1] for key in keys if key[0] == "forces" and key[2:] == ("retreat",)]


def is_retreat_of(force: str, errors: Collection[str]) -> bool:
    """Return True if one of these errors is about the retreat of a force.

    >>> is_retreat_of("boyd", ["boyd: the place is missing; write boyd: retreat to hill"])
    True
    >>> is_retreat_of("boyd", ["boyd: write FORCE: ORDER", "lord-boyd: the place is missing; retreat"])
    False
    """
    about = re.compile(rf"(?<![\w-]){re.escape(force)}(?![\w-]).*\bretreat\b")
    return any(map(about.search, errors))


def with_players(visible: Campaign, campaign: Campaign) -> Campaign:
    """Return a campaign as its reader knows it, with the names of players, which lines of reports can use."""
    named = {
        key: faction.model_copy(update={"player": campaign.factions[key].player})
        for key, faction in visible.factions.items()
    }
    return visible.model_copy(update={"factions": named})


def report_refusals(at: str, rejected: Sequence[ReportLine]) -> list[OrderRequest]:
    """Return the messages to the factions whose reports of results were rejected, for the umpire to send.

    A message has the errors that the report has for a reader who knows what the faction may know, the report
    of the side that still counts, and the form for a report.
    """
    books, ledger = read_only(at)
    campaign = books.campaign
    requests: list[OrderRequest] = []
    for line in rejected:
        faction = line.faction or faction_of_report(campaign, line)
        if not faction or has_substitute(campaign, faction):
            continue
        visible = visible_to(campaign, ledger, faction)
        errors: Sequence[Diagnostic] = ()
        try:
            read_report(with_players(visible.campaign, campaign), ledger, line)
        except InvalidInput as refused:
            errors = refused.errors
        battle = battle_meant(visible.campaign, line)
        sides = own_sides(visible.campaign, battle, faction) if battle else []
        if errors and battle and sides:
            duty = report_duty(campaign, ledger, battle.id, sides[0])
            state = refused_lines([player_text(error) for error in errors])
            reported = reports_of(campaign, battle.id).get(sides[0])
            state += counting_report(visible, reported, duty) if reported else []
            state += [ALLY_REPORTED] if is_reported_by_ally(campaign, battle, sides[0]) else []
            until = duty.until if duty else ""
            can_decline = not has_reported_fight(campaign, battle.id, sides[0])
            requests += result_request(
                visible, faction, sides[0], battle, state, until, can_decline=can_decline
            )
        elif errors:
            requests += refusal_request(visible, faction, [error.text for error in errors], "", [])
    return requests


def decline_notices(at: str, accepted: Sequence[ReportLine]) -> Iterator[OrderRequest]:
    """Yield a message to each faction that now declines a battle, but needs its allies on this side."""
    books, ledger = read_only(at)
    campaign = books.campaign
    for line in accepted:
        battle_id, key = place_of_report(campaign, line)
        battle = campaign.battle(battle_id)
        if battle and key in own_declines(campaign, battle, reports_of(campaign, battle_id)):
            faction = campaign.forces[key].faction
            yield from decline_notice(visible_to(campaign, ledger, faction), faction, battle)


def report_duty(campaign: Campaign, ledger: Ledger, battle: str, side: str) -> Duty | None:
    """Return the duty of a side to report, confirm or check the result of a battle, or None."""
    open_duties = duties(campaign, ledger, battles_in_progress(campaign))
    mine = (duty for duty in open_duties if duty.battle == battle and side in duty.sides)
    return next((duty for duty in mine if duty.kind in RESULTS), None)


def counting_report(visible: VisibleCampaign, reported: ReportedResult, duty: Duty | None) -> list[str]:
    """Return the lines about the report of a side that still counts."""
    own = version(visible.campaign, reported)
    return ["", *(differing(own) if duty and duty.kind == CHECK else [REPORT_COUNTS, f"- {own}"]), ""]


def correction(at: str, results: Sequence[Taken], current_time: str) -> str:
    """Say what the umpire can do about the errors in orders. For mere questions, the text is empty.

    Once a faction has opened its orders, no order can be changed or given.
    """
    books, ledger = read_only(at)
    if all(is_settled(error) for result in results for error in result.errors):
        return ""
    if all(error in result.final for result in results for error in result.errors):
        return f"opened orders cannot be corrected; {step_with_orders(books.campaign, ledger, current_time)}"
    again = "correct the rejected ones in the file and repeat the command"
    if is_opening(statuses(books.campaign)):
        return again
    can_retreat = bool(open_retreats(books.campaign, ledger))
    return f"{again}, or write: {GIVE}{f', or for a retreat: {CHOOSE}' if can_retreat else ''}"


def read_orders_in(
    books: CampaignFile,
    ledger: Ledger,
    texts: Sequence[tuple[str, str]],
    faction: str,
    skipped: Mapping[str, str],
    *,
    is_for_players: bool = False,
    closed: Mapping[str, Collection[str]] | None = None,
) -> Taken:
    """Return the orders and retreats in these texts. `skipped` is the argument of `take_messages`.

    `faction` is the value of --for. With `is_for_players`, the errors have only what players may know. They
    do not offer the places in `closed`, by force.
    """

    def retreats_after(changes: Sequence[Change], force: str) -> Mapping[str, RetreatChoice]:
        after = books.campaign.after(changes)
        choices = retreat_choices(after, ledger, force, is_for_players=is_for_players)
        for each in {*choices}.intersection(closed or {}):
            named = [place for place in choices[each].named if place not in (closed or {})[each]]
            choices[each] = choices[each]._replace(named=named)
        return choices

    return take_messages(
        books.campaign,
        texts,
        faction_named(books.campaign, faction),
        has_moved=has_moved(ledger),
        earlier=orders_of_last_movement(ledger),
        retreats_after=retreats_after,
        forced=[question.force for question in forced_retreats(books.campaign, ledger)],
        skipped=skipped,
        past=partial(changes_of_force, ledger),
        battle_commands=battle_commands(books.campaign, ledger),
    )


def battle_commands(campaign: Campaign, ledger: Ledger) -> dict[str, str]:
    """Return the command that adds a battle in each place in which enemies stand without one."""
    return {
        standoff.place: add_battle_command(campaign, ledger, standoff, campaign.turn)
        for standoff in standoffs(campaign)
    }


def print_next_step(
    at: str, how: RecordingOptions, to: Printer, current_time: str, *, is_to_correct: bool = False
) -> None:
    """Print on standard error what the umpire should do next about orders. A dry run prints nothing.

    `is_to_correct` is that of `step_with_orders`.
    """
    if not how.dry_run:
        books, ledger = read_only(at)
        step = step_with_orders(books.campaign, ledger, current_time, is_to_correct=is_to_correct)
        to.message(clean(step))


def retreat_choices(
    campaign: Campaign, ledger: Ledger, force: str = "", *, is_for_players: bool = False
) -> dict[str, RetreatChoice]:
    """Return the retreats that players choose in this turn, by force.

    With `force`, return only its retreat. `is_for_players` is the argument of `retreat_choice`.
    """
    return {
        question.force: retreat_choice(ledger, question, is_for_players=is_for_players)
        for question in retreat_questions(campaign, ledger)
        if force in ("", question.force)
    }


def retreat_choice(
    ledger: Ledger, question: RetreatQuestion, *, is_for_players: bool = False
) -> RetreatChoice:
    """Return the places to which a force can retreat, and the reasons against other places.

    A reason that its player may not know says so. With `is_for_players`, the place is then only closed, and
    errors suggest each place that seems possible to the player.
    """
    ways = known_ways(ledger, question)
    refused = {place: ways.refused.get(place, CLOSED) for place in question.refused}
    if not is_for_players:
        hidden = {place for place, why in refused.items() if why == CLOSED}
        refused |= {place: f"{question.refused[place]} {HIDDEN}" for place in hidden}
    return RetreatChoice(question.places, refused, places_to_name(ways) if is_for_players else ())


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
