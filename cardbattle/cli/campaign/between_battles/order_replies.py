"""Messages to players about lines of theirs that do not count, count later, or may not do what they want."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.exchange.confirmation import (
    battle_meant,
    is_reported_by_ally,
    own_declines,
    own_sides,
    read_report,
    reports_of,
    version,
)
from cardbattle.campaign.exchange.message_error import is_settled, player_text
from cardbattle.campaign.exchange.order_book import (
    FactionStatus,
    forces_named,
    has_substitute,
    is_opening,
    statuses,
)
from cardbattle.campaign.exchange.orders.addresses import address_of
from cardbattle.campaign.exchange.report_text import faction_of_report, place_of_report
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.state.tables.march_orders import RETREAT as RETREAT_TO
from cardbattle.campaign.turn.in_progress import battles_in_progress
from cardbattle.campaign.turn.retreat_choices import forced_retreats, open_retreats, retreat_questions
from cardbattle.campaign.turn.waiting import CHECK, duties, orders_until, retreat_duties
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.cli.campaign.between_battles.questions import RESULTS, has_reported_fight, lines_to_open
from cardbattle.cli.campaign.shared import read_only
from cardbattle.core.errors import InvalidInput
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
from cardbattle.show.pages.campaign.messages.retreats import is_lost

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cardbattle.campaign.exchange.order_book import Taken
    from cardbattle.campaign.exchange.report_text import ReportLine
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.state.tables.deadlines import ReportedResult
    from cardbattle.campaign.turn.waiting import Duty
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.core.errors import Diagnostic
    from cardbattle.show.pages.campaign.messages.request import OrderRequest


def refusals(at: str, result: Taken, reported: Collection[str]) -> list[OrderRequest]:
    """Return the messages to the factions whose lines were not taken, for the umpire to send.

    `reported` are the factions whose reports of results are taken.
    """
    books, ledger = read_only(at)
    writer = RefusalWriter(books.campaign, ledger, result, {*reported, *result.accepted})
    messages = (writer.message_to(faction, errors) for faction, errors in result.refused.items())
    return [*chain.from_iterable(messages)]


class CorrectionForm(NamedTuple):
    """The last lines of a message about wrong lines: an address, lines to complete, and their deadline."""

    address: str = ""
    lines: Sequence[str] = ()
    until: str = ""


class RefusalWriter:
    """Writes messages to factions about lines that were not taken, with a form to correct them.

    `accepted` are the factions with a line that counts.
    """

    def __init__(self, campaign: Campaign, ledger: Ledger, result: Taken, accepted: Collection[str]) -> None:
        self.campaign, self.ledger, self.result, self.accepted = campaign, ledger, result, accepted
        self.is_over = has_moved(ledger)
        self.table = {status.faction: status for status in statuses(campaign)}

    def message_to(self, faction: str, errors: Sequence[Diagnostic]) -> list[OrderRequest]:
        """Return the parts of the message to a faction about its errors, or [] if it must not know them."""
        texts = [text for error in errors if (text := player_text(error))]
        status = self.table[faction]
        if not texts or status.is_replaced:
            return []
        for_umpire = [text for error in errors if is_settled(error) and (text := player_text(error))]
        is_to_correct = not all(map(is_settled, errors))
        beaten = self.beaten_forces(status, errors, texts)
        form = self.form(status, errors, beaten)
        return refusal_request(
            visible_to(self.campaign, self.ledger, faction),
            faction,
            [text for text in texts if text not in for_umpire],
            form.address if form.lines or is_to_correct else "",
            form.lines,
            form.until,
            for_umpire=for_umpire,
            others_count=faction in self.accepted,
            earlier=self.result.earlier.get(faction, ()),
            is_to_correct=is_to_correct,
            read=read_lines(self.result.remarks.get(faction, ()), self.result.warnings.get(faction, ())),
            questions=[
                question
                for question in open_retreats(self.campaign, self.ledger)
                if question.force in beaten and not is_retreat_of(question.force, texts)
            ],
        )

    def duties_to_retreat(self, faction: str) -> list[Duty]:
        return [duty for duty in retreat_duties(self.campaign, self.ledger) if faction in duty.factions]

    def beaten_forces(
        self, status: FactionStatus, errors: Sequence[Diagnostic], texts: Sequence[str]
    ) -> list[str]:
        """Return the forces whose retreat the player can choose again: those that must still retreat.

        Also those of which a wrong line is about the retreat, and those whose retreat is taken from the same
        mail as a wrong line without a name.
        """
        beaten = [force for duty in self.duties_to_retreat(status.faction) for force in duty.sides]
        is_nameless = not forces_named(self.campaign, status.faction, errors)
        can_be_retreat = is_nameless and not all(map(is_settled, errors))
        taken = retreats_taken(self.result) if can_be_retreat else []
        changeable = {question.force for question in retreat_questions(self.campaign, self.ledger)}
        beaten += [
            force
            for force in status.forces
            if force in changeable and (force in taken or is_retreat_of(force, texts))
        ]
        return [*dict.fromkeys(beaten)]

    def form(
        self, status: FactionStatus, errors: Sequence[Diagnostic], beaten: Sequence[str]
    ) -> CorrectionForm:
        """Return the form for retreats, for orders of this or the next turn, or for opening sealed orders.

        It is empty if nothing can be corrected.
        """
        address = address_of(self.campaign, status.faction)
        until = orders_until(self.campaign, self.ledger)
        is_to_correct = not all(map(is_settled, errors))
        if beaten:
            duties_left = self.duties_to_retreat(status.faction)
            until = duties_left[0].until if duties_left else ""
            return CorrectionForm(address, [f"{force}: {RETREAT_TO}" for force in beaten], until)
        if self.campaign.movement is None or (self.is_over and not is_to_correct):
            return CorrectionForm(until=until)  # nothing is missing in this turn
        forces = self.forces_to_order(status, errors)
        if self.is_over:
            forced = forced_retreats(self.campaign, self.ledger)
            lost = {each.force for each in forced if is_lost(self.ledger, each)}
            next_turn = f"{address.rpartition('@')[0]}@{self.campaign.turn + 1}"
            return CorrectionForm(next_turn, [f"{force}:" for force in forces if force not in lost])
        if status.is_closed:
            lines = lines_to_open(self.campaign, self.ledger, status, self.table.values())
            return CorrectionForm("", lines, until)
        if is_opening(self.table.values()):
            return CorrectionForm(until=until)
        return CorrectionForm(address, [f"{force}:" for force in forces], until)

    def forces_to_order(self, status: FactionStatus, errors: Sequence[Diagnostic]) -> list[str]:
        """Return the forces without an order, and those of wrong lines whose earlier order counts.

        If there are none, and no other line counts, return all forces.
        """
        earlier = {order.partition(":")[0] for order in self.result.earlier.get(status.faction, ())}
        wrong = forces_named(self.campaign, status.faction, errors) & earlier
        forces = [force for force in status.forces if force in wrong or force not in self.campaign.orders]
        is_empty = not (forces or all(map(is_settled, errors)) or status.faction in self.accepted)
        return [*status.forces] if is_empty else forces


def late_requests(at: str, result: Taken, informed: Collection[str]) -> Iterator[OrderRequest]:
    """Yield messages about accepted orders that count for the next turn, or that players may want to change.

    The factions in `informed` have a message about the latter already.
    """
    factions = dict.fromkeys([*result.late, *result.remarks, *result.warnings])
    if not factions:
        return
    books, ledger = read_only(at)
    campaign = books.campaign
    for faction in factions:
        visible = visible_to(campaign, ledger, faction)
        remarks, warnings = result.remarks.get(faction, ()), result.warnings.get(faction, ())
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


def retreats_taken(result: Taken) -> list[str]:
    """Return the forces whose retreats the accepted lines choose or change."""
    return [key[1] for key in result.values if key[0] == "forces" and key[2:] == ("retreat",)]


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
