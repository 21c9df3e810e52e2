"""The messages that ask players for orders, retreats and reports of results, and short reminders."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cardbattle.battles.saved_session import open_saved
from cardbattle.battles.session_file import ENDING
from cardbattle.campaign.exchange.confirmation import (
    commanding_ally,
    is_reported_by_ally,
    leading_force,
    own_declines,
    own_sides,
    reports_of,
    version,
)
from cardbattle.campaign.exchange.order_book import has_substitute, is_opening, statuses
from cardbattle.campaign.exchange.orders.addresses import address_of
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.phases.movement.planning import steps_of
from cardbattle.campaign.state.tables.deadlines import BOTH
from cardbattle.campaign.turn.in_progress import AT_TABLE as WITH_CARDS
from cardbattle.campaign.turn.in_progress import WAITING, battles_in_progress
from cardbattle.campaign.turn.retreat_choices import forced_retreats, open_retreats, retreat_questions
from cardbattle.campaign.turn.waiting import (
    ANSWER,
    CHECK,
    CONFIRM,
    OPEN,
    ORDERS,
    RETREAT,
    duties,
    order_duties,
    orders_until,
)
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.cli.commands.orders import reminders_to
from cardbattle.cli.message_files import FileMessage, is_divided
from cardbattle.core.names import key_from
from cardbattle.show.pages.campaign.messages.battles import (
    ALLY_DECLINES,
    ALLY_REPORTED,
    AT_TABLE,
    FOUGHT,
    REPORTED,
    TO_FIGHT,
    ally_notice,
    battle_notice,
    bystander_notice,
    differing,
    result_reminder,
    result_request,
)
from cardbattle.show.pages.campaign.messages.fought_battles import battles_of_turn
from cardbattle.show.pages.campaign.messages.orders import (
    opening_lines,
    opening_request,
    order_reminder,
    request_to,
)
from cardbattle.show.pages.campaign.messages.request import ORDERS as ORDER_MESSAGE
from cardbattle.show.pages.campaign.messages.request import (
    REMINDER,
    REPLIES,
    OrderRequest,
    due,
    requests_page,
)
from cardbattle.show.pages.campaign.messages.retreats import is_lost, retreat_reminder, retreat_request

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from cardbattle.campaign.exchange.order_book import FactionStatus
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.turn.in_progress import BattleInProgress
    from cardbattle.campaign.turn.waiting import Duty
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.cli.run import Printer

RESULTS = (CONFIRM, CHECK)  # duties to send the result of a battle at the table


def files_of(campaign: Campaign, requests: Sequence[OrderRequest], to: Printer) -> list[FileMessage]:
    """Return the messages in the form in which they are written to files."""
    if not is_divided(to):
        requests = [each._replace(parts=1, lines=[*each.whole]) for each in requests if each.part == 1]
    return [
        FileMessage(
            question_of(request),
            campaign.faction_name(request.faction),
            request.part,
            request.parts,
            request.lines,
            requests_page(campaign, [request]),
        )
        for request in requests
    ]


def question_of(request: OrderRequest) -> str:
    """Return the beginning of the name of a message's file, which says what the message asks."""
    topic = "" if request.topic == ORDER_MESSAGE else f"-{key_from(request.topic)}"
    return f"turn-{request.turn}-{request.faction}{topic}{f'-{REMINDER}' if request.is_reminder else ''}"


def is_old_question(campaign: Campaign, asked: Iterable[OrderRequest]) -> Callable[[str], bool]:
    """Return a function that returns True for the names of files whose question is no longer asked.

    `asked` are the messages with all current questions. Replies of this turn and the questions of battles by
    message are not old.
    """
    current = {question_of(request) for request in asked}
    topics = [key_from(topic) for topic in REPLIES]
    replies = tuple(f"turn-{campaign.turn}-{key}-{topic}" for key in campaign.factions for topic in topics)
    return lambda question: not (question in current or "." in question or question.startswith(replies))


def messages_to(
    campaign: Campaign,
    ledger: Ledger,
    status: FactionStatus,
    table: Sequence[FactionStatus],
    *,
    whole_map: bool = False,
) -> list[OrderRequest]:
    """Return the parts of the message to one faction. `table` contains the status of all factions.

    With `whole_map`, all places and roads are shown, even if the faction knows them or they are far away.
    """
    visible = visible_to(campaign, ledger, status.faction)
    address = address_of(campaign, status.faction)
    if status.is_closed:
        return opening_request(visible, status.faction, lines_to_open(campaign, ledger, status, table))
    mine = [duty for duty in order_duties(campaign, ledger) if status.faction in duty.factions]
    until = mine[0].until if mine else orders_until(campaign, ledger)
    steps = {key: steps_of(campaign, campaign.forces[key]) for key in status.forces}
    lost = battles_lost(campaign, ledger)
    return request_to(visible, status.faction, address, steps, until, lost, whole_map=whole_map)


def battles_lost(campaign: Campaign, ledger: Ledger) -> dict[str, str]:
    """Return the battle after which each force must retreat."""
    return {question.force: question.battle for question in retreat_questions(campaign, ledger)}


def lines_to_open(
    campaign: Campaign, ledger: Ledger, status: FactionStatus, table: Collection[FactionStatus]
) -> list[str]:
    """Return the lines to a faction whose orders are sealed. `table` contains the status of all factions."""
    mine = [duty for duty in order_duties(campaign, ledger) if status.faction in duty.factions]
    is_waiting = not all(each.is_in for each in table)
    until = mine[0].until if mine else ""
    return opening_lines(address_of(campaign, status.faction), is_waiting=is_waiting, until=until)


def question_messages(campaign: Campaign, ledger: Ledger, battle_id: str = "") -> list[OrderRequest]:
    """Return the messages that ask for retreats, and for reports of battles at the table.

    If `battle_id` is given, only those about this battle are returned.
    """
    requests: list[OrderRequest] = []
    begun = battles_in_progress(campaign)
    open_duties = [duty for duty in duties(campaign, ledger, begun) if battle_id in ("", duty.battle)]
    battles = [battle for battle in campaign.pending if battle_id in ("", battle.id)]
    retreats = [each for each in open_retreats(campaign, ledger) if battle_id in ("", each.battle)]
    without = [each for each in forced_retreats(campaign, ledger) if battle_id in ("", each.battle)]
    for faction in campaign.factions:
        visible = visible_to(campaign, ledger, faction)
        mine = [duty for duty in open_duties if faction in duty.factions]
        own = [question for question in retreats if campaign.forces[question.force].faction == faction]
        forced = [question for question in without if campaign.forces[question.force].faction == faction]
        is_asked = any(duty.kind == RETREAT for duty in mine)
        if is_asked or (retreats and any(is_lost(ledger, question) for question in forced)):
            own = own if is_asked else []
            until = next((duty.until for duty in mine if duty.kind == RETREAT), "")
            others = [] if battle_id else battles_of_turn(visible)
            address = address_of(campaign, faction)
            requests += retreat_request(visible, faction, address, own, forced, until, others)
        for duty in mine:
            battle = campaign.battle(duty.battle) if duty.kind in RESULTS else None
            for side in duty.sides if battle else ():
                if battle and campaign.forces[side].faction == faction:
                    state = report_state(campaign, visible, duty, side)
                    can_decline = not has_reported_fight(campaign, battle.id, side)
                    requests += result_request(
                        visible, faction, side, battle, state, duty.until, can_decline=can_decline
                    )
        for battle in battles:
            requests += battle_messages(campaign, ledger, visible, faction, battle, begun.get(battle.id))
    return requests


def report_state(campaign: Campaign, visible: VisibleCampaign, duty: Duty, side: str) -> list[str]:
    """Return sentences about a battle for a side that must report, confirm or check its result."""
    if duty.kind == CONFIRM:
        battle = campaign.battle(duty.battle)
        is_declined = battle and own_declines(campaign, battle, reports_of(campaign, duty.battle))
        return [ALLY_DECLINES if is_declined else REPORTED]
    reported = reports_of(campaign, duty.battle).get(side) if duty.kind == CHECK else None
    return differing(version(visible.campaign, reported)) if reported else []


def has_reported_fight(campaign: Campaign, battle: str, side: str) -> bool:
    """Return True if a side has reported the result of a battle, and not that a side declined."""
    reported = reports_of(campaign, battle).get(side)
    return reported is not None and not reported.declined


def battle_messages(
    campaign: Campaign,
    ledger: Ledger,
    visible: VisibleCampaign,
    faction: str,
    battle: Pending,
    begun: BattleInProgress | None,
) -> list[OrderRequest]:
    """Return the messages to a faction about a pending battle in which its forces fight or stand by.

    The battle asks the faction for nothing. `begun` is the progress of the battle, or None if it is not
    begun. Then the message has the lines for a report if both sides confirm results. Otherwise it only names
    the battle, after the movement. A faction whose ally has reported can report too. A faction with a
    substitute gets no message.
    """
    sides = own_sides(campaign, battle, faction)
    if has_substitute(campaign, faction):
        return []
    if not sides:
        return bystander_notice(visible, faction, battle) if has_moved(ledger) else []
    if begun is not None and begun.state == WAITING:
        ally = commanding_ally(campaign, battle, faction)
        return ally_notice(visible, faction, battle, ally) if ally else []
    if begun is not None and begun.state == WITH_CARDS:
        return battle_notice(visible, faction, battle, AT_TABLE)
    state = [TO_FIGHT, FOUGHT]
    if begun is not None:
        sides = [side for side in sides if is_reported_by_ally(campaign, battle, side)]
        state = [ALLY_REPORTED]
    if campaign.results.confirm == BOTH:
        return [part for side in sides for part in result_request(visible, faction, side, battle, state)]
    is_told = begun is None and campaign.movement is not None and has_moved(ledger)
    return battle_notice(visible, faction, battle) if is_told else []


def reminders(
    campaign: Campaign, ledger: Ledger, faction: str, battle: str, to: Printer, current_time: str
) -> list[OrderRequest]:
    """Return a short message to each player about each thing for which the campaign waits.

    If `faction` is given, only messages to this faction are returned, also about single forces without an
    order. If `battle` is given, only messages about this battle. A message says if a deadline has passed at
    `current_time`.
    """
    open_duties = duties(campaign, ledger, battles_in_progress(campaign))
    requests: list[OrderRequest] = []
    for key in [faction] if faction else campaign.factions:
        mine = [duty for duty in open_duties if key in duty.factions and battle in ("", duty.battle)]
        is_waited_for = any(duty.kind in (ORDERS, OPEN) for duty in mine)
        if is_waited_for or (faction and not battle):
            requests += order_reminders(campaign, ledger, key, current_time)
        requests += retreat_reminders(campaign, ledger, key, mine, current_time)
        for duty in mine:
            if duty.kind in RESULTS:
                requests += result_reminders(campaign, ledger, key, duty, current_time)
            elif duty.kind == ANSWER:
                requests += answer_reminders(campaign, key, duty, to, current_time)
    return requests


def order_reminders(
    campaign: Campaign, ledger: Ledger, faction: str, current_time: str
) -> list[OrderRequest]:
    """Return the reminder of a faction's forces without an order, or of its sealed orders."""
    if campaign.movement is None or has_moved(ledger):
        return []
    table = statuses(campaign)
    status = next(each for each in table if each.faction == faction)
    visible = visible_to(campaign, ledger, faction)
    if status.must_open and all(each.is_in for each in table):
        return opening_request(
            visible, faction, lines_to_open(campaign, ledger, status, table), is_reminder=True
        )
    forces = [force for force in status.forces if force not in campaign.orders]
    if not forces or status.is_sealed or status.is_replaced or is_opening(table):
        return []
    until = line_of_deadline(orders_until(campaign, ledger), current_time)
    lost = battles_lost(campaign, ledger)
    return order_reminder(visible, faction, address_of(campaign, faction), forces, until, lost)


def retreat_reminders(
    campaign: Campaign, ledger: Ledger, faction: str, mine: Collection[Duty], current_time: str
) -> list[OrderRequest]:
    """Return the reminder of the retreats that a faction must choose. `mine` are its duties."""
    retreats = [duty for duty in mine if duty.kind == RETREAT]
    beaten = [force for duty in retreats for force in duty.sides]
    questions = [question for question in open_retreats(campaign, ledger) if question.force in beaten]
    if not questions:
        return []
    visible = visible_to(campaign, ledger, faction)
    until = line_of_deadline(retreats[0].until, current_time)
    return retreat_reminder(visible, faction, address_of(campaign, faction), questions, until)


def result_reminders(
    campaign: Campaign, ledger: Ledger, faction: str, duty: Duty, current_time: str
) -> list[OrderRequest]:
    """Return the reminders to report, confirm or check the result of a battle at the table."""
    visible = visible_to(campaign, ledger, faction)
    battle = campaign.battle(duty.battle)
    return [
        part
        for side in duty.sides
        if battle and campaign.forces[side].faction == faction
        for part in result_reminder(
            visible,
            faction,
            side,
            battle,
            report_state(campaign, visible, duty, side),
            line_of_deadline(duty.until, current_time),
            can_decline=not has_reported_fight(campaign, duty.battle, side),
        )
    ]


def answer_reminders(
    campaign: Campaign, faction: str, duty: Duty, to: Printer, current_time: str
) -> Iterator[OrderRequest]:
    """Yield the reminders to answer in a battle by message.

    Only the sides whose answers are missing get one, so that the umpire can send all of them.
    """
    battle = campaign.battle(duty.battle)
    if battle is None:
        return
    kept_battle = open_saved(os.path.join(campaign.folder, f"{battle.id}{ENDING}"))
    for message in reminders_to(kept_battle, duty.sides, to, current_time):
        if campaign.forces[leading_force(campaign, battle, message.side)].faction == faction:
            yield OrderRequest(
                faction,
                campaign.turn,
                message.part,
                message.parts,
                message.lines,
                f"battle {battle.id}",
                message.lines,
                is_reminder=True,
            )


def line_of_deadline(until: str, current_time: str) -> list[str]:
    """Return the line about a deadline, which can be over, or nothing without a deadline."""
    return due(until, is_over=until < current_time)
