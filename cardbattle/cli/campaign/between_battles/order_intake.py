"""Take players' messages with orders, retreats and reports: record them, and say what does not count."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from cardbattle.battles.messages.pasted_text import sender_address
from cardbattle.campaign.exchange.confirmation import read_report
from cardbattle.campaign.exchange.mails import take_messages
from cardbattle.campaign.exchange.message_error import is_settled
from cardbattle.campaign.exchange.order_book import (
    ALREADY,
    Taken,
    changes_to,
    closed_retreats,
    is_opening,
    orders_operation,
    sealed_now,
    statuses,
)
from cardbattle.campaign.exchange.orders.addresses import command_for_sender, over_error
from cardbattle.campaign.exchange.orders.parser import RetreatChoice
from cardbattle.campaign.exchange.report_text import faction_of_report
from cardbattle.campaign.exchange.unaddressed_reports import unread_replies
from cardbattle.campaign.ledger.history import changes_of_force
from cardbattle.campaign.ledger.ledger import CONTACT, MOVEMENT
from cardbattle.campaign.ledger.undo import entries_since, entry_label, first_few
from cardbattle.campaign.phases.finished_phases import has_moved, orders_of_last_movement
from cardbattle.campaign.phases.movement.planning import enemies_on_way
from cardbattle.campaign.phases.retreat import CLOSED
from cardbattle.campaign.phases.standoffs import add_battle_command, standoffs
from cardbattle.campaign.turn.hints.order_hints import hiring_warning
from cardbattle.campaign.turn.retreat_choices import (
    forced_retreats,
    known_ways,
    open_retreats,
    places_to_name,
    retreat_questions,
)
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.cli.campaign.between_battles.next_step import step_with_orders
from cardbattle.cli.campaign.between_battles.order_replies import (
    decline_notices,
    late_requests,
    refusals,
    report_refusals,
)
from cardbattle.cli.campaign.between_battles.waiting import (
    correction_of_reports,
    find_reports,
    record_reports,
)
from cardbattle.cli.campaign.record import record_operations
from cardbattle.cli.campaign.shared import print_notes, read_only, reader_named
from cardbattle.cli.output import message
from cardbattle.cli.shell.diagnostics import complain
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import clean, listed
from cardbattle.files.errors import PlacedDiagnostic

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from cardbattle.campaign.exchange.report_text import ReportLine
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile, Operation
    from cardbattle.campaign.phases.retreat import RetreatQuestion
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.cli.campaign.record import RecordingOptions
    from cardbattle.cli.run import Printer
    from cardbattle.core.errors import Diagnostic
    from cardbattle.show.pages.campaign.messages.request import OrderRequest

HIDDEN = "(the player may not know this)"
GIVE = "cardbattle campaign orders give FORCE ORDER"
CHOOSE = "cardbattle campaign advance --retreat FORCE=PLACE"
NAME_SENDER = (
    "if you know who sent the text, name the faction with --for FACTION: more lines can then be read, and "
    "its player gets a message about the others"
)


class OrderIntake:
    """Takes players' messages: records what counts, and prints what does not.

    Attributes:
        campaign: the campaign before the messages.
        reported: the reports of results that are recorded.
        rejected: the reports that are not, and after unread messages the lines that may be reports.
        result: the orders and retreats in the messages.

    """

    def __init__(
        self,
        at: str,
        how: RecordingOptions,
        to: Printer,
        texts: Sequence[tuple[str, str]],
        faction: str,
        time: str,
    ) -> None:
        """`texts` are mails with the names of their files; `faction` and `time` are --for and --now."""
        self.at, self.how, self.to, self.texts, self.time = at, how, to, texts, time
        self.campaign = read_only(at)[0].campaign
        self.faction = faction_named(self.campaign, faction)
        self.reports = find_reports(self.campaign, texts, self.faction)
        self.reported: list[ReportLine] = []
        self.rejected: list[ReportLine] = []
        self.result = Taken({}, [], [])
        self.is_refused = False

    def record(self) -> None:
        """Record the reports, then the orders and retreats. `result` has the errors of the latter."""
        self.rejected = record_reports(self.at, self.how, self.to, self.reports, self.time)
        self.reported = [each for each in self.reports if each not in self.rejected]
        try:
            record_operations(self.at, self.how, self.to, self.choose, time=self.time)
        except InvalidInput as refused:
            if list(refused.errors) != self.result.errors:
                raise
            self.is_refused = True
            print_notes(self.result.notes)

    def choose(self, books: CampaignFile, ledger: Ledger) -> list[Operation]:
        """Return the operation that records the orders and retreats, if there are any or nothing else is."""
        result = self.read(books, ledger)
        is_asking = not (result.values or self.reports) and all(map(is_settled, result.errors))
        if result.is_unread or (result.errors and is_asking):
            self.rejected = [*unread_replies(books.campaign, self.texts, self.faction)]
            result = with_report_errors(books.campaign, ledger, result, self.rejected)
        result = with_late_orders(books.campaign, ledger, with_warnings(books.campaign, ledger, result))
        self.result = result
        is_known = any(note.endswith(ALREADY) for note in result.notes)
        if result.values or result.errors or is_known or not self.reports:
            return [orders_operation(books.campaign, result, self.how.reason)]
        print_notes(result.notes)
        return []

    def read(self, books: CampaignFile, ledger: Ledger) -> Taken:
        """Return the orders and retreats. The errors for players have only what each of them may know."""
        skipped = {
            line: faction_of_report(self.campaign, each) for each in self.reports for line in each.lines
        }
        read = partial(read_orders_in, books, ledger, self.texts, self.faction, skipped)
        result = read()
        if not result.refused:
            return result
        for_players = read(is_for_players=True)
        after = books.campaign.after(changes_to(books.campaign, result.values))
        retreats = retreat_choices(after, ledger, is_for_players=True)
        closed = closed_retreats(for_players.refused, retreats)
        not_offered = merged(closed, closed_since(books.campaign, after, ledger))
        if any(not_offered.values()):  # no correction offers a place that is closed now
            for_players = read(is_for_players=True, closed=not_offered)
        return result._replace(refused=for_players.refused, closed=closed)

    def print_errors(self) -> None:
        """Print the errors, the earlier orders that still count, and what the umpire can do."""
        for error in in_order(self.result.errors, self.texts):
            complain(error)
        for faction in dict.fromkeys(["", *self.result.refused]):
            for order in self.result.earlier.get(faction, ()):
                message(clean(f"the earlier order still counts: {order}"))
        if self.result.errors and not self.result.is_unread:
            step = correction(self.at, self.result, self.time)
            message("; ".join(filter(None, (self.state_of_others(), step))))
        is_known = self.faction or self.rejected or self.result.accepted or self.result.refused
        if self.result.errors and not is_known:
            message(clean("; ".join([NAME_SENDER, *way_to_know_sender(self.campaign, self.texts)])))
        if self.rejected:
            message(clean(correction_of_reports(*read_only(self.at), self.rejected)))

    def state_of_others(self) -> str:
        """Say whether the lines without an error are accepted."""
        if self.result.closed and not self.result.values:
            return "no order is accepted"
        if not self.is_refused:
            return "all other orders are accepted"
        is_changed = read_only(self.at)[0].campaign.revision != self.campaign.revision
        return "all other lines are accepted" if is_changed else "no order is recorded"

    @property
    def is_to_correct(self) -> bool:
        """Whether a player or the umpire can correct an error in the orders."""
        return any(not (is_settled(error) or error in self.result.final) for error in self.result.errors)

    def replies(self) -> list[OrderRequest]:
        """Return the messages to the players about their lines, for the umpire to send."""
        reported = {faction_of_report(self.campaign, each) for each in self.reported}
        requests = refusals(self.at, self.result, reported)
        informed = {request.faction for request in requests}
        requests += report_refusals(self.at, self.rejected)
        requests += decline_notices(self.at, self.reported)
        return [*requests, *late_requests(self.at, self.result, informed)]


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


def correction(at: str, result: Taken, current_time: str) -> str:
    """Say what the umpire can do about the errors in orders. For mere questions, the text is empty.

    Once a faction has opened its orders, no order can be changed or given.
    """
    books, ledger = read_only(at)
    if all(map(is_settled, result.errors)):
        return ""
    if all(error in result.final for error in result.errors):
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

    With `faction`, only orders of this faction are accepted. With `is_for_players`, the errors have only what
    players may know. They do not offer the places in `closed`, by force.
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
        faction,
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
