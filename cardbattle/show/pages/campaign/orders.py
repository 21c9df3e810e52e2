"""Pages about orders to move: the message to a faction, the orders given so far, and the missing orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.messages.answer_text import YOUR_LINES
from cardbattle.campaign.exchange.confirmation import commanding_ally
from cardbattle.campaign.exchange.order_book import has_substitute, missing_factions
from cardbattle.campaign.exchange.orders.parser import OrderParser
from cardbattle.campaign.exchange.orders.words import PRISONERS_BY_AGREEMENT, PRISONERS_EXCHANGED
from cardbattle.campaign.exchange.report_examples import examples_of
from cardbattle.campaign.ledger.history import first_of_turn, is_map_known, is_moved_again, is_played_again
from cardbattle.campaign.ledger.ledger import NOTE
from cardbattle.campaign.ledger.roster import factions_of_side, keys_for
from cardbattle.campaign.phases.events import EVENT, SCHEDULE
from cardbattle.campaign.phases.finished_phases import entries_of_turn, has_moved, names_of_finished_phases
from cardbattle.campaign.phases.more_sides import enemies_beside, place_stays
from cardbattle.campaign.phases.recruit import hiring_places
from cardbattle.campaign.phases.retreat import CLOSED
from cardbattle.campaign.phases.standoffs import standoffs
from cardbattle.campaign.state.apply import DECLINED
from cardbattle.campaign.state.changes import is_stay
from cardbattle.campaign.state.clock import zoned_time
from cardbattle.campaign.state.tables.aftermath import DESTROYED, NO_RETREAT, STAYS
from cardbattle.campaign.state.tables.battle_effects import (
    battle_effect_clauses,
    battle_place_words,
    battle_title,
    effect_clauses,
    terrain_of,
)
from cardbattle.campaign.state.tables.march_orders import RETREAT as RETREAT_TO
from cardbattle.campaign.state.tables.terrain import ALL as ALL_SIDES
from cardbattle.campaign.state.tables.terrain import ATTACKER, DEFENDER
from cardbattle.campaign.state.tables.upkeep import OWN, PURSE
from cardbattle.campaign.turn.retreat_choices import crowded_places, known_ways, places_to_name
from cardbattle.campaign.visibility.reader import ALL, ROUGH, fighting_sides, recorded_result_text, visible_to
from cardbattle.campaign.visibility.redaction import is_peace, is_private
from cardbattle.commanders import DEFAULT, HUMAN
from cardbattle.core.grammar import capital, mid_sentence, together, with_verb
from cardbattle.core.names import clean, listed, one_line, quoted
from cardbattle.core.telling import counted
from cardbattle.rules import find, is_not_installed
from cardbattle.show.battle_text import FRAME, LONGEST_POST, fill_parts, post_length
from cardbattle.show.document import Document, Listing, Paragraph, Section, Table, Title
from cardbattle.show.pages.campaign.between import forces_out_of_supply, plan_lines, substitute_lines
from cardbattle.show.pages.campaign.chronicle import END_UNDONE, event_sentences, note_sentence, turn_title
from cardbattle.show.pages.campaign.forces import position_text, strength_with_units
from cardbattle.show.pages.campaign.history import order_words
from cardbattle.show.pages.campaign.reports.setting_words import rules_of_war
from cardbattle.show.stories.battle_context import battle_table

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

    from cardbattle.campaign.exchange.order_book import FactionStatus
    from cardbattle.campaign.exchange.orders.parser import GivenOrder
    from cardbattle.campaign.ledger.ledger import Entry, Ledger
    from cardbattle.campaign.phases.retreat import RetreatQuestion
    from cardbattle.campaign.state.model import Campaign, Force, Pending
    from cardbattle.campaign.state.tables.events import Weather, WeatherKind
    from cardbattle.campaign.visibility.reader import Estimate, VisibleCampaign
    from cardbattle.show.document import Content

MOST_ROADS = 40  # maximum number of roads in a message; on a larger map only near ones
MOST_PLACES = 30  # maximum number of places in a message; on a larger map only near ones
TWO = 2  # forces of which only one has room in a place
TURNS_NEAR = 2  # number of turns in which a force can reach a near road
HOW = "Write an order for each force in the last lines, and send them back. For example:"
DUE, WAS_DUE = "The deadline is {}.", "The deadline was {}."
SUBSTITUTE = "{}, so no orders are needed."
# examples without a force and its colon, which cannot be read as orders when the message is quoted
FORMS = (
    "hold",
    "march to {place}",
    "{here} -> {place}",
    'Add ", avoid battle" to an order to withdraw from enemies.',
    "A force without an order holds, or goes on with its march.",
)
JOIN = "join {other}"
HIRE = 'Add ", hire {}" to an order to hire soldiers.'
NO_HIRING_PLACE = "You have no place to hire them."
MOST_HIRING_PLACES = 5  # that a message names
SEAL = 'To seal your lines until all orders are in: cardbattle orders seal "{}: {}"'
PLAYED_AGAIN = (
    "Turn {} was undone and is played again. Messages and reports from before the undo no longer count."
)
LONGEST_REMARK = 300  # characters of a remark that a message quotes
ORDERS, RETREAT, RESULT, REFUSED, READ = "orders", "retreat", "result", "not taken", "read as"
FOR_UMPIRE = "read by the umpire"  # a message about lines that need no correction
LATE_ORDERS = "late orders"
REPLIES = (REFUSED, FOR_UMPIRE, READ, LATE_ORDERS)  # topics of messages that ask nothing new
COUNTS = "still counts"
# headings must not read like an order, because mails quote them
HEADINGS = {RETREAT: "where to retreat", LATE_ORDERS: ORDERS}
FOUGHT_BATTLES = ("You have fought a battle:", "You have fought several battles:")
DECLINED_BATTLES = ("A battle was declined:", "Several battles were declined:")
RETREAT_CLOSED = (
    "A place is closed if the enemy came from there, or stands there unseen. The umpire then asks again."
)
CROWDED = "There is room in {} for only {} of {}."  # the names of a place and of forces
NOT_TAKEN = "These lines of yours do not count:"
LINES_FOR_UMPIRE = "These lines of yours are for the umpire:"
UNREAD = "The program has read only the order in these lines of yours:"
WARNED = "These orders of yours are recorded, with a warning:"
LATE = "In turn {}, the forces had moved before these orders came, so they count for turn {}."
CHANGE = "To change them, send other orders below this address:"
OTHERS_COUNT = "Your other lines count."
EARLIER_COUNT = "Your earlier orders still count:"
NONE_COUNTS = "Your forces have no orders for this turn yet."
CORRECT = "Send corrected lines below this address:"
MISSING = "You can send the missing orders below this address:"
RETREAT_HOW = "Write the place behind each force in the last lines, and send them back."
REPORTED = "Another side has reported the result of this battle."
ALLY_DECLINES = "An ally on your side declines this battle. If you do not, the umpire decides what happens."
DECLINE_RECORDED = "Your answer is recorded: you decline battle {}. The umpire asks your allies on this side."
ALLY_REPORTED = (
    "An ally has reported the result of this battle, also for you. You need not answer. If you know another "
    "result, report it too."
)
AT_TABLE = "The battle is fought at the table, and the umpire enters its moves."
TO_FIGHT = (
    "This battle is pending. You can fight it at a table, with the sheet that the umpire prints, or by "
    "message: then the umpire sends you questions."
)
COMMANDS = (
    "The battle is fought by message. {} your side, and answers all questions. The report of the turn says "
    "how the battle ended."
)
NO_ANSWER = "You do not need to answer this message."
FOUGHT = "When it is fought at a table, each side reports the result. A side that declines reports only this."
DIFFER = "In this battle, the reports of the sides differ. Your report:"
REPORT_COUNTS = "Your earlier report still counts:"
RIGHT = "If it is right, you do not need to answer; the umpire decides. Otherwise, correct it."
RESULT_HOW = (
    "Write the result behind the address in the last line, and send the whole line back. For example:"
)
RESULT_NAMES = "You can also write {}. Losses are shares such as 1/4, 40% or 2 of 8."
PART_IS_LASTING = "A force loses only a part of its losses in a battle for good."
RESULT_SCORES = 'If you counted points, add them, such as "{0} scored 5, {1} scored 3".'
ALL_IN = "The orders of all factions are in."
OPENING = "Send the line that you kept:"
IN_BATTLE = "in {}, which is pending: it can only hold"
BEATEN = "beaten in {}: it must retreat, and can only hold until then"
STAYED = "beaten in the last turn without a way to retreat"
STANDOFF = "Your forces and others are at {} without a battle. They fight only if the umpire adds one."
IN_SIGHT = "in your places, where your forces are, and one road from there"
PLACES, PLACES_NEAR = "Places, with their values:", "Places near your forces, with their values:"
SETS_OUT = " (sets out)"
IN_REACH = "Where your forces can march, with the steps:"
MAP_IS_KNOWN = "The map has not changed. The umpire can send you the whole map again."
PEACE = "You are at peace with {}: your forces do not fight each other."
TERRAIN = "Terrain: {}."
ROLES = {ALL_SIDES: "every side", DEFENDER: "the defender", ATTACKER: "each attacker"}
RULES_OF_WAR = "Rules of this war: {}."
STACKING = "At most {} in a place."
EVENTS, PAST_TREATIES = "What has happened in this turn:", "Treaties of the last turn:"
PAST_NEWS = "News of the last turn:"
PLANS = "Plans that you know:"
NOTE_LINE = "From the umpire: {}"
PRISONERS = "Your prisoners: {}."
CAPTURED = "Your captured leaders: {}."
SUPPLY = "Supply reaches {} from your supply places, not past enemies{}."
DECLINING = "Declining gives {} to the other side{}."
DECLINING_AMONG = "If you decline, the umpire decides whether the others fight."
DECLINING_TOGETHER = "Your side declines only if {} too."
DECLINING_RETREATS = "After declining, {}."
REMINDER = "reminder"
NO_ORDERS = "No orders have come yet for {}."
DETAILS = 'The umpire can send you the message "{}" of this turn again. It has all details.'
SEALED = "Your orders are sealed. Keep the line that opens them until you are asked for it."


class OrderRequest(NamedTuple):
    """One part of a message that asks a faction for its orders, for a retreat, or for a result.

    `topic` is "orders", "retreat", "result of" a battle, or one of `REPLIES`. `whole` are the lines of the
    undivided message. `is_reminder` is True for a short message to a late player.
    """

    faction: str
    turn: int
    part: int
    parts: int
    lines: list[str]
    topic: str = ORDERS
    whole: Sequence[str] = ()
    is_reminder: bool = False

    @property
    def label(self) -> str:
        """A heading for the person who sends this part."""
        part = f", part {self.part} of {self.parts}" if self.parts > 1 else ""
        topic = "" if self.topic == ORDERS else f", {self.topic}"
        topic += f", {REMINDER}" if self.is_reminder else ""
        return f"To {self.faction}, turn {self.turn}{topic}{part}: {post_length(self.lines)} characters"


def request_to(
    visible: VisibleCampaign,
    faction: str,
    address: str,
    steps: Mapping[str, int],
    until: str = "",
    beaten: Mapping[str, str] = {},
    *,
    whole_map: bool = False,
) -> list[OrderRequest]:
    """Return the parts of the message that asks a faction for its orders.

    The message says what the faction sees, where its forces are, which roads there are, and how to answer.
    `visible` is what the faction may know. `address` is the address of its orders. `steps` maps each of its
    forces that can be given orders to the number of steps that the force can move. `until` is the deadline
    in the ledger's format, or empty. `beaten` maps forces that must retreat to the battles that they lost.
    With `whole_map`, all roads, places, examples and rules of the war are in the message. Otherwise, if
    messages of earlier turns had them, it has only the places that the forces can reach, and one example.
    """
    held = forces_to_hold(visible, steps, beaten)
    is_short = not whole_map and is_map_known(visible.ledger, visible.campaign.turn, faction, steps)
    answer = [*answer_lines(visible.campaign, address, steps, held, until, is_short=is_short)]
    situation = situation_lines(visible, faction, steps, held, whole_map=whole_map, is_short=is_short)
    form = answer.index(f"{address}:")
    examples = "\n".join(answer[: form - 1])  # stay together
    note = [line for words in substitute_lines(visible) for line in (SUBSTITUTE.format(capital(words)), "")]
    note += standing_lines(visible, faction)
    return requests_of(visible, faction, [*note, *situation, "", examples, "", *answer[form:]])


def standing_lines(visible: VisibleCampaign, faction: str) -> list[str]:
    """Return lines about a faction's orders if the movement of this turn was undone, or []."""
    if not is_to_move_again(visible):
        return []
    orders = [f"- {COUNTS}: {order}" for order in standing_orders(visible.campaign, faction)]
    return [*([EARLIER_COUNT, *orders] if orders else [NONE_COUNTS]), ""]


def is_to_move_again(visible: VisibleCampaign) -> bool:
    """Return True if the movement of this turn was undone, and the forces have not moved again."""
    return is_moved_again(visible.ledger, visible.campaign.turn) and not has_moved(visible.ledger)


def standing_orders(campaign: Campaign, faction: str) -> list[str]:
    """Return the recorded orders of a faction."""
    orders = campaign.orders.items()
    return [f"{force}: {order}" for force, order in orders if campaign.forces[force].faction == faction]


def forces_to_hold(
    visible: VisibleCampaign, forces: Collection[str], beaten: Mapping[str, str]
) -> dict[str, str]:
    """Return the reasons why some of these forces can only hold. `beaten` is that of `request_to`."""
    campaign = visible.campaign
    fighting = {key: battle for battle in campaign.pending for side in battle.sides for key in side}
    held = {
        key: IN_BATTLE.format(battle_title(campaign, battle))
        for key, battle in fighting.items()
        if key in forces
    }
    return held | {
        key: BEATEN.format(title_of_fought(visible, battle))
        for key, battle in beaten.items()
        if key in forces
    }


def order_reminder(
    visible: VisibleCampaign,
    faction: str,
    address: str,
    forces: Sequence[str],
    due_line: Sequence[str],
    beaten: Mapping[str, str] = {},
) -> list[OrderRequest]:
    """Return the message that reminds a faction of the orders of these forces.

    `address` is the address of its orders, and `due_line` the line about the deadline, if there is one.
    `beaten` is that of `request_to`.
    """
    campaign = visible.campaign
    *_, example = example_orders(campaign, forces, forces_to_hold(visible, forces, beaten))[:2]
    lines = [
        *note_lines(visible, reader=faction),
        NO_ORDERS.format(listed(mid_sentence(campaign.display_name(force)) for force in forces)),
        *due_line,
        DETAILS.format(ORDERS),
        HOW,
        f"- {example}",
        "",
        f"{address}:",
        *(f"{force}:" for force in forces),
    ]
    return requests_of(visible, faction, lines, is_reminder=True)


def opening_request(
    visible: VisibleCampaign, faction: str, lines: Sequence[str], *, is_reminder: bool = False
) -> list[OrderRequest]:
    """Return the message to a faction with sealed orders, which has the `opening_lines`."""
    return requests_of(visible, faction, lines, is_reminder=is_reminder)


def opening_lines(address: str, *, is_waiting: bool, until: str = "") -> list[str]:
    """Return the lines that ask a faction to open its sealed orders, or to wait for other orders."""
    return [SEALED] if is_waiting else [ALL_IN, *due(until), OPENING, "", f"{address}: open ..."]


def refusal_request(
    visible: VisibleCampaign,
    faction: str,
    refused: Sequence[str],
    address: str,
    forms: Sequence[str],
    until: str = "",
    *,
    for_umpire: Sequence[str] = (),
    others_count: bool = False,
    earlier: Sequence[str] = (),
    is_to_correct: bool = True,
    read: Sequence[str] = (),
    questions: Sequence[RetreatQuestion] = (),
) -> list[OrderRequest]:
    """Return the parts of the message about lines that a faction has sent and that are not taken.

    `refused` are the reasons, and `for_umpire` those of lines such as questions, which the player cannot
    correct. `forms` are the lines to complete below the address, or without an address the
    last lines. `until` is the deadline in the ledger's format, or "". `others_count` is True if other lines
    of the faction are taken. `earlier` are its earlier orders that still count. `is_to_correct` is False if
    the player could correct none of the lines. `read` are the `read_lines` about accepted orders.
    `questions` are the retreats of which no line names the possible places.
    """
    lines = refused_lines(refused) if refused else []
    if for_umpire:
        lines += [*([""] if lines else []), LINES_FOR_UMPIRE]
        lines += [f"- {FOR_UMPIRE}: {text}" for text in for_umpire]
    lines += read
    for question in questions:
        lines += ["", *choice_lines(visible, question)]
    if not (earlier or others_count) and is_to_move_again(visible):
        earlier = standing_orders(visible.campaign, faction)
    if earlier:
        lines += ["", EARLIER_COUNT, *(f"- {COUNTS}: {order}" for order in earlier)]
    count = OTHERS_COUNT if others_count else ""
    if address:
        correct = CORRECT if is_to_correct else MISSING
        lines += ["", *due(until), f"{count} {correct}".strip(), "", f"{address}:"]
    elif forms:
        lines.append("")
    elif count:
        lines += ["", count]
    lines += forms
    return requests_of(visible, faction, lines, REFUSED if is_to_correct else FOR_UMPIRE)


def read_lines(remarks: Sequence[GivenOrder], warnings: Sequence[str]) -> list[str]:
    """Return the lines about accepted orders that a player may want to change, or nothing without them.

    Behind the orders in `remarks`, text was not read. `warnings` are orders with a reason to change them.
    """
    unread = [
        f"{each.force}: {each.order}; not read: {quoted(each.remark, LONGEST_REMARK)}" for each in remarks
    ]
    return [
        line
        for heading, orders in ((UNREAD, unread), (WARNED, warnings))
        if orders
        for line in ("", heading, *(f"- {READ}: {order}" for order in orders))
    ]


def read_request(
    visible: VisibleCampaign, faction: str, address: str, read: Sequence[str], orders: Mapping[str, str]
) -> list[OrderRequest]:
    """Return the parts of the message about accepted orders that a player may want to change.

    `address` is the address of new orders, and `read` are the `read_lines` about these `orders` by force.
    """
    lines = [*read[1:], "", CHANGE, "", f"{address}:", *(f"{key}: {order}" for key, order in orders.items())]
    return requests_of(visible, faction, lines, READ)


def late_request(
    visible: VisibleCampaign,
    faction: str,
    address: str,
    orders: Mapping[str, str],
    read: Sequence[str] = (),
) -> list[OrderRequest]:
    """Return the parts of the message about orders that came after the movement and count for the next turn.

    `orders` are the orders by force, and `address` is the address of the next turn. `read` are the
    `read_lines` about these orders.
    """
    turn = visible.campaign.turn
    lines = [LATE.format(turn, turn + 1), *read, "", CHANGE, "", f"{address}:"]
    lines += [f"{force}: {order}" for force, order in orders.items()]
    return requests_of(visible, faction, lines, LATE_ORDERS)


def refused_lines(refused: Sequence[str]) -> list[str]:
    """Return the lines that give the reasons why lines of a faction are not taken."""
    return [NOT_TAKEN, *(f"- {REFUSED}: {text}" for text in refused)]


def due(until: str, *, is_over: bool = False) -> list[str]:
    """Return the line about a deadline, or nothing without a deadline."""
    return [(WAS_DUE if is_over else DUE).format(zoned_time(until))] if until else []


def retreat_request(
    visible: VisibleCampaign,
    faction: str,
    address: str,
    questions: Sequence[RetreatQuestion],
    forced: Sequence[RetreatQuestion],
    until: str = "",
    others: Sequence[str] = (),
) -> list[OrderRequest]:
    """Return the parts of the message that asks a faction where its beaten forces retreat.

    The message has only places that seem possible to the faction. `forced` are its forces without a choice.
    Without `questions`, it asks for nothing. `until` is the deadline in the ledger's format, or "". `others`
    are further battles whose results the message has.
    """
    campaign = visible.campaign
    lines: list[str] = []
    battles = dict.fromkeys([*(question.battle for question in (*questions, *forced)), *others])
    declined = [battle for battle in battles if fought_battle(visible, battle).kind == DECLINED]
    fought = [battle for battle in battles if battle not in declined]
    kinds = ((fought, FOUGHT_BATTLES), (declined, DECLINED_BATTLES))
    headings = {each[0]: words[len(each) > 1] for each, words in kinds if each}
    for battle in (*fought, *declined):
        lines += [*([headings[battle]] if battle in headings else []), fought_line(visible, battle)]
        lines += [forced_line(visible, question) for question in forced if question.battle == battle]
        for question in (question for question in questions if question.battle == battle):
            lines += choice_lines(visible, question)
            ways = known_ways(visible.ledger, question)
            closed_places = dict.fromkeys([question.wrong] if question.wrong else [])
            closed_places |= {place: ways.refused[place] for place in ways.refused if place in ways.closed}
            lines += [
                f"You cannot choose {campaign.location_name(place)}, which {why or CLOSED}."
                for place, why in closed_places.items()
            ]
        lines.append("")
    lines += crowded_lines(visible, questions)
    lines += lasting_part(campaign) if fought else []
    chosen = [
        f"- {COUNTS}: {key}: {RETREAT_TO} {force.retreat}"
        for key, force in campaign.forces.items()
        if force.faction == faction and force.retreat and key not in [each.force for each in questions]
    ]
    lines += [EARLIER_COUNT, *chosen, ""] if chosen and questions else []
    if not questions:
        return requests_of(visible, faction, [*lines, NO_ANSWER], RETREAT)
    closed = [] if campaign.visibility.location == ALL else [RETREAT_CLOSED]
    lines += [*due(until), *closed, RETREAT_HOW, "", f"{address}:"]
    lines += [f"{question.force}: {RETREAT_TO}" for question in questions]
    return requests_of(visible, faction, lines, RETREAT)


def retreat_reminder(
    visible: VisibleCampaign,
    faction: str,
    address: str,
    questions: Sequence[RetreatQuestion],
    due_line: Sequence[str],
) -> list[OrderRequest]:
    """Return the message that reminds a faction of the retreats of its beaten forces.

    The arguments are those of `order_reminder`.
    """
    choices = [line for question in questions for line in choice_lines(visible, question)]
    form = [RETREAT_HOW, "", f"{address}:", *(f"{question.force}: {RETREAT_TO}" for question in questions)]
    lines = [*choices, *due_line, DETAILS.format(HEADINGS[RETREAT]), *form]
    return requests_of(visible, faction, lines, RETREAT, is_reminder=True)


def crowded_lines(visible: VisibleCampaign, questions: Sequence[RetreatQuestion]) -> Iterator[str]:
    """Yield a line about each place that is open to several forces but does not have room for all."""
    campaign = visible.campaign
    for place, forces in crowded_places(visible.ledger, questions):
        name = mid_sentence(campaign.location_name(place))
        count = "one" if len(forces) == TWO else "some"
        yield CROWDED.format(name, count, listed(map(campaign.display_name, forces)))


def choice_lines(visible: VisibleCampaign, question: RetreatQuestion) -> list[str]:
    """Return the lines with the places to which a beaten force can retreat, as its player may know them."""
    campaign = visible.campaign
    faction = campaign.forces[question.force].faction
    return [
        f"{retreat_sentence(visible, question)} You can choose:",
        *(
            f"- {RETREAT_TO} {place} ({place_words(campaign, faction, place)})"
            for place in places_to_name(known_ways(visible.ledger, question))
            if place != question.wrong
        ),
    ]


def retreat_sentence(visible: VisibleCampaign, question: RetreatQuestion) -> str:
    """Return a sentence that a beaten force must retreat from its place."""
    campaign = visible.campaign
    force = campaign.forces[question.force]
    at = position_text(campaign, force)
    at = at if force.towards else str(mid_sentence(campaign.location_name(force.location or "")))
    name = capital(str(campaign.display_name(question.force)))
    return f"{name} (strength {visible.strengths[question.force]}) must retreat from {at}."


def forced_line(visible: VisibleCampaign, question: RetreatQuestion) -> str:
    """Return a line about a beaten force whose player has no choice.

    An unseen enemy can close the only way out, so the line has only what the player knows. A player who
    knows several ways is asked unless all of them are closed.
    """
    ways = places_to_name(known_ways(visible.ledger, question))
    names = [mid_sentence(visible.campaign.location_name(place)) for place in ways]
    end = end_of(visible)
    if not names:
        way = f"there is no way out, and the force {end}"
    elif len(names) > 1:
        way = f"the ways out to {listed(names)} are closed, and the force {end}"
    elif visible.campaign.visibility.location == ALL:
        way = f"the only way out is to {names[0]}"
    else:
        way = f"the only way out that you know is to {names[0]}; if it is closed, the force {end}"
    return f"{retreat_sentence(visible, question)} You need not choose: {way}."


def is_lost(ledger: Ledger, question: RetreatQuestion) -> bool:
    """Return True if the player of a beaten force without a choice knows that it has no way out.

    If the player knows one way, only the report says whether it was closed.
    """
    return len(known_ways(ledger, question).candidates) != 1


def end_of(visible: VisibleCampaign) -> str:
    """Return what happens to a force without a way out, by the setting `no_retreat`."""
    settings = visible.campaign.aftermath
    rule = settings.no_retreat if settings else STAYS
    return "is destroyed" if rule == DESTROYED else rule


def fought_line(visible: VisibleCampaign, battle: str) -> str:
    """Return a line about the result of a recorded battle, as the reader may know it.

    It begins like the program's own lines that are never read as a report when a mail quotes them.
    """
    entry = fought_battle(visible, battle)
    title = title_of_fought(visible, battle).removeprefix("the ")
    return f"- {title}: {recorded_result_text(visible.campaign_after(entry), entry)}."


def battles_of_turn(visible: VisibleCampaign) -> list[str]:
    """Return the recorded battles of this turn in which the reader's forces fought."""
    return [
        entry.id
        for entry in entries_of_turn(visible.ledger)
        if entry.result is not None and visible.clearance.fights([*fighting_sides(entry).values()])
    ]


def fought_battle(visible: VisibleCampaign, battle: str) -> Entry:
    return next(
        entry for entry in reversed(visible.entries) if entry.id == battle and entry.result is not None
    )


def title_of_fought(visible: VisibleCampaign, battle: str) -> str:
    """Name a recorded battle by the place or road where it was fought, as `battle_title` does."""
    table = battle_table(fought_battle(visible, battle))
    road, place = table.get("road"), str(table.get("place") or table.get("stakes") or "")
    at = battle_place_words(visible.campaign, road if isinstance(road, list | tuple) else (), place)
    return f"the battle {at}" if at else f"battle {battle}"


def place_words(campaign: Campaign, faction: str, place: str) -> str:
    """Return the name and owner of a place to which a force can retreat, and the player's forces there."""
    owner = campaign.locations[place].owner or ""
    words = owner_words(campaign, faction, owner)
    if owner not in ("", faction) and not campaign.are_enemies(faction, owner):
        words += ", not your enemy"
    present = [
        mid_sentence(campaign.display_name(key))
        for key, force in campaign.forces.items()
        if (force.faction, force.location) == (faction, place) and not (force.destroyed or force.towards)
    ]
    words += f", where {with_verb(together(present), 'is|are')}" if present else ""
    return f"{campaign.location_name(place)}, {words}"


def owner_words(campaign: Campaign, faction: str, owner: str) -> str:
    """Say to a faction who owns a place, given the owner's key or ""."""
    if owner == faction:
        return "yours"
    return f"held by {campaign.faction_name(owner)}" if owner else "free"


def result_request(
    visible: VisibleCampaign,
    faction: str,
    side: str,
    battle: Pending,
    state: Sequence[str],
    until: str = "",
    *,
    can_decline: bool = True,
) -> list[OrderRequest]:
    """Return the parts of the message that asks a faction to report the result of a battle at the table.

    `side` is the faction's side of the battle. `state` are sentences about the battle, which contain no
    report of another side. `until` is the deadline in the ledger's format, or "". With `can_decline`, the
    message says how to decline, and what this costs.
    """
    campaign = visible.campaign
    known = campaign.battle(battle.id) or battle
    address = f"{battle.id}/{side}:"
    first, second, *others = keys_for(known, side)
    lines = [
        battle_line(campaign, known),
        *bystander_lines(campaign, known),
        *note_of_battle(known),
        *state,
        RESULT_HOW,
        *(f"- {example}" for example in examples_of(campaign, known, side, can_decline=can_decline)),
        *(cost_of_declining(visible, known, faction) if can_decline else []),
        RESULT_NAMES.format('"we"' if others else '"we" and "they"'),
        *lasting_part(campaign),
        *([RESULT_SCORES.format(first, second)] if campaign.uses_scores else []),
        *due(until),
        "",
        address,
    ]
    return requests_of(visible, faction, lines, f"{RESULT} of {battle.id}")


def result_reminder(
    visible: VisibleCampaign,
    faction: str,
    side: str,
    battle: Pending,
    state: Sequence[str],
    due_line: Sequence[str],
    *,
    can_decline: bool,
) -> list[OrderRequest]:
    """Return the message that reminds a faction to report, confirm or check the result of a battle.

    The arguments are those of `result_request` and `order_reminder`.
    """
    campaign, topic = visible.campaign, f"{RESULT} of {battle.id}"
    known = campaign.battle(battle.id) or battle
    lines = [
        battle_line(campaign, known),
        *state,
        *due_line,
        DETAILS.format(topic),
        RESULT_HOW,
        *(f"- {example}" for example in examples_of(campaign, known, side, can_decline=can_decline)),
        "",
        f"{battle.id}/{side}:",
    ]
    return requests_of(visible, faction, lines, topic, is_reminder=True)


def lasting_part(campaign: Campaign) -> list[str]:
    """Return a line which says that losses are partly made good, or nothing if all or none are for good."""
    attrition = campaign.attrition
    rates = {attrition.rate, attrition.rate if attrition.winner_rate is None else attrition.winner_rate}
    return [PART_IS_LASTING] if rates not in ({0}, {1}) else []


def cost_of_declining(visible: VisibleCampaign, battle: Pending, faction: str) -> list[str]:
    """Return a line about what happens if a faction declines a battle, or nothing if it gives up nothing."""
    campaign = visible.campaign
    forces = [force for side in battle.sides for key in side if (force := campaign.forces.get(key))]
    retreats = campaign.aftermath is not None and campaign.aftermath.retreat != NO_RETREAT
    retreats = retreats and any(is_at(force, battle) for force in forces if force.faction == faction)
    must_retreat = f"your forces must retreat{end_after_declining(visible)}"
    after = [DECLINING_RETREATS.format(must_retreat)] if retreats else []
    if len(battle.sides) > 2:
        return [DECLINING_AMONG, *after]
    jointly = declining_together(campaign, battle, faction)
    others = [side[0] for side in battle.sides if faction not in factions_of_side(campaign, side)]
    takers = [campaign.forces[key].faction for key in others]
    if not battle.stakes or not any(campaign.can_win_place(taker, battle) for taker in takers):
        return [*jointly, *after]
    place = campaign.location_name(battle.stakes)
    return [*jointly, DECLINING.format(place, f", and {must_retreat}" if retreats else "")]


def end_after_declining(visible: VisibleCampaign) -> str:
    """Return a warning about forces that cannot retreat, or "" if they stay."""
    end = end_of(visible)
    return "" if end == STAYS else f"; a force without a way out {end}"


def declining_together(campaign: Campaign, battle: Pending, faction: str) -> list[str]:
    """Return a line about the allies without whom a faction cannot decline a battle, or nothing."""
    factions = next(
        (own for side in battle.sides if faction in (own := factions_of_side(campaign, side))), []
    )
    allies = [campaign.faction_name(key) for key in factions if key != faction]
    return [DECLINING_TOGETHER.format(with_verb(together(allies), "declines|decline"))] if allies else []


def decline_notice(visible: VisibleCampaign, faction: str, battle: Pending) -> list[OrderRequest]:
    """Return the message to a faction that declines a battle while its allies on this side do not yet."""
    known = visible.campaign.battle(battle.id) or battle
    jointly = declining_together(visible.campaign, known, faction)
    return requests_of(visible, faction, [DECLINE_RECORDED.format(battle.id), *jointly, NO_ANSWER], READ)


def is_at(force: Force, battle: Pending) -> bool:
    """Return True if a force is where its battle is, so that it retreats after a defeat.

    Forces that meet on a road from two places stay in these places.
    """
    is_on_road = force.towards is not None
    is_there = force.location == (battle.place or battle.stakes)
    return is_on_road if battle.road else is_there and not is_on_road


def battle_notice(
    visible: VisibleCampaign, faction: str, battle: Pending, state: str = TO_FIGHT
) -> list[OrderRequest]:
    """Return the message to a faction about a pending battle that asks for nothing. `state` is a sentence."""
    campaign = visible.campaign
    known = campaign.battle(battle.id) or battle
    lines = [battle_line(campaign, known), *bystander_lines(campaign, known), *note_of_battle(known)]
    return requests_of(
        visible, faction, [*lines, *([state] if state else []), NO_ANSWER], f"battle {battle.id}"
    )


def bystander_notice(visible: VisibleCampaign, faction: str, battle: Pending) -> list[OrderRequest]:
    """Return the message to a faction whose forces stand by in a battle, or nothing if there are none.

    If the faction cannot know the battle, there is no message.
    """
    campaign = visible.campaign
    known = campaign.battle(battle.id)
    idle = enemies_beside(campaign, known) if known else ()
    is_there = any(campaign.forces[force].faction == faction for force in idle)
    return battle_notice(visible, faction, battle, "") if is_there else []


def bystander_lines(campaign: Campaign, battle: Pending) -> list[str]:
    """Return a line about the forces that stand by in a battle, and keep its winner from taking the place."""
    forces = enemies_beside(campaign, battle)
    if not forces:
        return []
    stand = with_verb(capital(together(map(campaign.display_name, forces))), "stands by|stand by")
    return [f"{stand}, and {place_stays(campaign, forces, battle.stakes or '')}."]


def ally_notices(campaign: Campaign, ledger: Ledger, battle: Pending) -> list[OrderRequest]:
    """Return the messages about a battle by message to the allies of those who command its sides."""
    players = (faction for faction in campaign.factions if not has_substitute(campaign, faction))
    return [
        part
        for faction in players
        if (ally := commanding_ally(campaign, battle, faction))
        for part in ally_notice(visible_to(campaign, ledger, faction), faction, battle, ally)
    ]


def ally_notice(visible: VisibleCampaign, faction: str, battle: Pending, ally: str) -> list[OrderRequest]:
    """Return the message to a faction about a battle by message in which an ally commands its forces."""
    state = COMMANDS.format(with_verb(visible.campaign.faction_name(ally), "commands|command"))
    return battle_notice(visible, faction, battle, state)


def differing(own: str) -> list[str]:
    """Return the sentences for a side whose report, `own`, differs from the report of another side."""
    return [DIFFER, f"- {own}", RIGHT]


def battle_line(campaign: Campaign, battle: Pending) -> str:
    """Return a line with the id, place, sides, rule set, terrain and weather of a battle, and their effects.

    `campaign` is what the reader of the line knows.
    """
    names = [campaign.side_with_forces(forces, battle) for forces in battle.sides]
    place = battle.place or battle.stakes
    at = f" at {campaign.location_name(place)}" if place else ""
    if battle.road:
        at = f" between {listed(campaign.location_name(end) for end in battle.road)}"
    kind = campaign.weather.kind(battle.weather) if campaign.weather else None
    weather = f"weather: {kind.name}" if kind else ""
    terms = [term for term in (campaign.rules_name(battle), terrain_of(campaign, battle), weather) if term]
    effects = "; ".join(battle_effect_clauses(campaign, battle))
    told = f" {capital(effects)}." if effects else ""
    return f"Battle {battle.id}{at}: {' against '.join(names)}; {', '.join(terms)}.{told}"


def note_of_battle(battle: Pending) -> list[str]:
    """Return the umpire's note about a battle, unless it is for the umpire alone."""
    return [] if is_private(battle.note) else [NOTE_LINE.format(line) for line in battle.note.splitlines()]


def requests_of(
    visible: VisibleCampaign,
    faction: str,
    lines: Sequence[str],
    topic: str = ORDERS,
    *,
    is_reminder: bool = False,
) -> list[OrderRequest]:
    """Return the parts of a message to a faction that has these lines.

    A line with line breaks stays in one part, unless it is too long. So does the form for the answer.
    """
    campaign, ledger = visible.campaign, visible.ledger
    reminder = f", {REMINDER}" if is_reminder else ""
    head = [
        f"{campaign.faction_name(faction)}: {HEADINGS.get(topic, topic)}{reminder}",
        f"{campaign.name}, {turn_title(campaign, campaign.turn, campaign.turn_name or '')}",
    ]
    if is_moved_again(ledger, campaign.turn):
        head.append(PLAYED_AGAIN.format(campaign.turn))
    elif is_played_again(ledger, campaign.turn):
        head.append(END_UNDONE.format(campaign.turn))
    room = LONGEST_POST - FRAME - post_length([*head, "", " part 99 of 99"])
    lines = ["\n".join(map(clean, line.split("\n"))) for line in lines]
    parts = fill_parts(with_whole_form(lines, room), room)
    requests = []
    for n, part in enumerate(parts, 1):
        title = f"{head[0]}, part {n} of {len(parts)}" if len(parts) > 1 else head[0]
        body = "\n".join(part).split("\n")
        requests.append(
            OrderRequest(
                faction,
                campaign.turn,
                n,
                len(parts),
                [clean(title), *map(clean, head[1:]), "", *body],
                topic,
                [*map(clean, head), "", *"\n".join(lines).split("\n")],
                is_reminder,
            )
        )
    return requests


def with_whole_form(lines: Sequence[str], room: int) -> list[str]:
    """Return the lines with the last paragraph, which is the form for the answer, joined to one line.

    A form that is longer than `room` becomes several, which all begin with its address.
    """
    if "" not in lines:
        return [*lines]
    start = len(lines) - [*reversed(lines)].index("")
    address, *rest = lines[start:]
    forms = fill_parts(rest, room - post_length([address, ""]))
    return [*lines[:start], *("\n".join([address, *form]) for form in forms)]


def situation_lines(
    visible: VisibleCampaign,
    faction: str,
    steps: Mapping[str, int],
    held: Mapping[str, str],
    *,
    whole_map: bool = False,
    is_short: bool = False,
) -> Iterator[str]:
    """Yield lines about the faction's forces, other forces that it can see, pending battles, and roads.

    `held` has the reasons why forces of the faction can only hold. `whole_map` is that of `request_to`. With
    `is_short`, the places that the forces can reach replace the roads.
    """
    campaign = visible.campaign
    parser = OrderParser(campaign)
    yield from note_lines(visible)
    yield "Your forces:"
    for key, force in campaign.forces.items():
        if force.faction == faction and not force.destroyed:
            name = named(campaign, "forces", key, is_plain=parser.is_plain_force(key))
            yield f"- {name}: {force_words(visible, key, steps, held)}"
    rivals = [
        key
        for key, force in campaign.forces.items()
        if force.faction != faction and force.location and not force.destroyed
    ]
    if rivals or campaign.visibility.location == ROUGH:
        sight = f" {IN_SIGHT}" if campaign.visibility.location == ROUGH else ""
        yield from ("", f"Others that you see{sight}:" if rivals else f"You see no others{sight}.")
        for key in rivals:
            whose = campaign.faction_name(campaign.forces[key].faction)
            yield f"- {campaign.display_name(key)} ({whose}): {force_words(visible, key, {}, {})}"
    for standoff in standoffs(campaign):
        if any(campaign.forces[key].faction == faction for side in standoff.sides for key in side):
            yield STANDOFF.format(campaign.location_name(standoff.place))
    if campaign.pending:
        yield from ("", "Pending battles:")
        for battle in campaign.pending:
            sides = [campaign.side_with_forces(side, battle) for side in battle.sides]
            title = battle_title(campaign, battle).removeprefix("the ")
            yield f"- {title}: {' against '.join(sides)}"
    yield from prisoner_lines(campaign, faction, steps)
    yield from event_lines(visible)
    yield from lines_about_plans(visible)
    if friends := campaign.friends_of(faction):
        yield from ("", PEACE.format(listed(map(str, map(campaign.faction_name, friends)))))
    if campaign.weather is not None:
        yield from ("", f"Weather: {weather_words(campaign, campaign.weather)}")
    yield from owner_lines(campaign, faction, steps, whole_map=whole_map)
    yield from limit_lines(campaign, faction)
    if not is_short and (rules := rules_of_war(campaign)):
        yield from ("", RULES_OF_WAR.format("; ".join(rules)))
    yield ""
    if is_short:
        yield from reach_lines(campaign, parser, steps, held)
    else:
        yield from road_lines(campaign, parser, steps, whole_map=whole_map)


def note_lines(visible: VisibleCampaign, reader: str = "") -> Iterator[str]:
    """Yield the umpire's notice, and the notes that came before the movement of this turn.

    With `reader`, yield only the notes that this faction alone may read.
    """
    turn = visible.campaign.turn
    if has_moved(visible.ledger):
        return
    notes = [
        one_line(note_sentence(visible.campaign, entry))
        for entry in visible.entries_since(turn=turn)
        if entry.kind == NOTE
        and entry.turn in (None, turn)
        and reader in ("", entry.id)
        and entry.revision not in visible.ledger.undone_revisions
    ]
    notice = [] if reader else visible.campaign.notice_lines
    if notice or notes:
        yield from (*(NOTE_LINE.format(note) for note in (*notice, *notes)), "")


def event_lines(visible: VisibleCampaign) -> Iterator[str]:
    """Yield lines about the schedule, events and treaties of this turn that came before its movement.

    They follow the treaties of the last turn, which can be later than the messages of that turn. A faction
    that has no part in a treaty reads only its public reason. It reads the public reason of any other hidden
    change in the same way, so that the message does not reveal which of them are treaties.
    """
    ledger, turn = visible.ledger, visible.campaign.turn
    if has_moved(ledger):
        return
    start = first_of_turn(ledger, turn)
    happened: dict[str, list[str]] = {PAST_TREATIES: [], PAST_NEWS: [], EVENTS: []}
    for entry in visible.entries_since(turn=turn - 1):
        treaties = [change for change in entry.changes if is_peace(change.key)]
        is_bare = is_bare_reason(entry)
        if entry.revision in ledger.undone_revisions:
            continue
        if entry.revision < start and (treaties or is_bare):
            heading = PAST_TREATIES if treaties else PAST_NEWS
            happened[heading] += event_sentences(visible, entry._replace(changes=treaties, text=""))
        elif entry.revision >= start and (treaties or is_bare or entry.kind in (SCHEDULE, EVENT)):
            happened[EVENTS] += event_sentences(visible, entry)
    for heading, sentences in happened.items():
        if sentences:
            yield from ("", heading, *(f"- {sentence}" for sentence in sentences))


def lines_about_plans(visible: VisibleCampaign) -> Iterator[str]:
    """Yield lines about the plans that the reader knows and that are not yet carried out."""
    is_over = SCHEDULE in names_of_finished_phases(entries_of_turn(visible.ledger))
    if plans := [*plan_lines(visible.campaign, visible.campaign.turn + is_over)]:
        yield from ("", PLANS, *(f"- {plan}" for plan in plans))


def is_bare_reason(entry: Entry) -> bool:
    """Return True if the reader knows nothing of an entry but its public reason."""
    return entry.public and not (entry.changes or entry.text or entry.result)


def prisoner_lines(campaign: Campaign, faction: str, steps: Mapping[str, int]) -> Iterator[str]:
    """Yield lines about the leaders whom a faction holds prisoner, and what it can do with them.

    Its own captured leaders have a line if their forces are destroyed, or cannot move for another reason. The
    forces in `steps` have a line of their own that says so.
    """
    prisoners, captured = [], []
    for key, force in campaign.forces.items():
        is_own = force.faction == faction and key not in steps
        if force.prisoner_of == faction:
            prisoners.append(captive_words(campaign, key, str(campaign.faction_name(force.faction))))
        elif force.prisoner_of is not None and is_own:
            captured.append(
                captive_words(campaign, key, f"held by {campaign.faction_name(force.prisoner_of)}")
            )
    if prisoners or captured:
        is_exchanged = campaign.aftermath is not None and campaign.aftermath.exchange
        how = PRISONERS_EXCHANGED if is_exchanged else PRISONERS_BY_AGREEMENT
        yield ""
        yield from [PRISONERS.format(listed(prisoners))] if prisoners else []
        yield from [CAPTURED.format(listed(captured))] if captured else []
        yield f"{how}."


def captive_words(campaign: Campaign, key: str, remark: str) -> str:
    """Return the name of a captured leader, and in brackets the force and a remark."""
    leader, led = campaign.forces[key].leader, campaign.display_name(key)
    return f"{leader} (the leader of {led}, {remark})" if leader else f"the leader of {led} ({remark})"


def owner_lines(
    campaign: Campaign, faction: str, steps: Mapping[str, int], *, whole_map: bool
) -> Iterator[str]:
    """Yield a line for each owner of places near the forces, or of all places if there are few.

    With `whole_map`, all places are shown. A campaign in which no place has an owner has no such lines.
    """
    near = [key for key in campaign.locations if is_place_near(campaign, key, steps)]
    few = whole_map or len(campaign.locations) <= MOST_PLACES
    shown = [*campaign.locations] if few else near[:MOST_PLACES]
    by_owner: dict[str, list[str]] = {}
    for key in shown:
        by_owner.setdefault(campaign.locations[key].owner or "", []).append(place_facts(campaign, key))
    if not any(by_owner):
        return
    heading = PLACES if few else PLACES_NEAR
    has_values = any(campaign.locations[key].value for key in shown)
    yield from ("", heading if has_values else heading.replace("values", "owners"))
    for owner in (faction, *(key for key in campaign.factions if key != faction), ""):
        if owner in by_owner:
            yield f"- {owner_words(campaign, faction, owner)}: {', '.join(by_owner[owner])}"


def place_facts(campaign: Campaign, key: str) -> str:
    """Return the name of a place, with its value and whether it gives supply."""
    place = campaign.locations[key]
    is_for_hiring = campaign.recruit is not None and campaign.recruit.places != OWN
    gives_supply = place.supply and (campaign.supply is not None or is_for_hiring)
    value = f" {place.value}" if place.value else ""
    return f"{campaign.location_name(key)}{value}{' (supply)' if gives_supply else ''}"


def limit_lines(campaign: Campaign, faction: str) -> Iterator[str]:
    """Yield a line about the limit of forces in a place, supply and money, if the campaign has them."""
    facts = []
    if campaign.movement is not None and campaign.movement.stacking:
        facts.append(STACKING.format(counted(campaign.movement.stacking, "friendly force")))
    if campaign.supply is not None:
        loss = campaign.supply.out_of_supply
        cost = f"; a force without supply loses {loss} in a turn, at least 1" if loss else ""
        facts.append(SUPPLY.format(counted(campaign.supply.range, "step"), cost))
    facts += [*purse_facts(campaign, faction), *hiring_facts(campaign, faction)]
    if facts:
        yield from ("", " ".join(facts))


def purse_facts(campaign: Campaign, faction: str) -> list[str]:
    """Return what a faction has in its purse, and what places bring at the end of a turn and of the war."""
    purse, settings, rate = campaign.factions[faction].purse, campaign.income, campaign.scoring.per_value
    values = [place.value for place in campaign.locations.values() if place.owner == faction]
    facts = [f"Your purse: {purse}."] if purse else []
    if settings is not None and settings.to == PURSE:
        facts = [f"Your purse: {purse}; {income_text(values, settings.per_value)}."]
    if rate and campaign.last_turn is not None:
        end, points = f"At the end of turn {campaign.last_turn}", counted(rate, "point")
        facts.append(f"{end}, places bring {points} for each point of value.")
    return facts


def income_text(values: Sequence[int], per_value: int) -> str:
    """Return what the places of a faction, which have these values, bring at the end of a turn.

    >>> income_text([2, 1], 3)
    'at the end of a turn, your places bring 9, 3 for each point of value'
    >>> income_text([], 3)
    'you own no place; at the end of a turn, a place brings 3 for each point of its value'
    """
    if sum(values):
        gain = per_value * sum(values) or "nothing"
        return f"at the end of a turn, your places bring {gain}, {per_value} for each point of value"
    lack = "your places have no value" if values else "you own no place"
    return f"{lack}; at the end of a turn, a place brings {per_value} for each point of its value"


def hiring_facts(campaign: Campaign, faction: str) -> list[str]:
    """Return the price of soldiers, how many the purse pays for, and where forces hire them.

    The list is empty if the faction has neither a place for it nor the money for one soldier.
    """
    settings, places = campaign.recruit, hiring_places(campaign, faction)
    number = max(campaign.factions[faction].purse, 0) // settings.cost if settings else 0
    if settings is None or not (number or places):
        return []
    names = listed(map(campaign.location_name, places))
    if len(places) > MOST_HIRING_PLACES:
        names = "your places" if settings.places == OWN else "your supply places"
    limit = f", each at most {settings.most}" if settings.most is not None else ""
    how = f"Forces hire at the end of the turn{limit}, in {names}." if places else NO_HIRING_PLACE
    return [f"A soldier costs {settings.cost}: your purse pays for {number or 'none'}.", how]


def soldiers_to_hire(campaign: Campaign, faction: str) -> int:
    """Return how many soldiers the forces of a faction can hire, or a force if each has a limit."""
    settings, purse = campaign.recruit, campaign.factions[faction].purse
    if settings is None or not hiring_places(campaign, faction):
        return 0
    number = max(purse, 0) // settings.cost
    return number if settings.most is None else min(number, settings.most)


def weather_words(campaign: Campaign, weather: Weather) -> str:
    """Describe the weather of this turn and its effects. Before the draw, name each kind with an effect."""
    kinds = [kind for kind in weather.table if weather.now in (None, kind.name)]
    possible = [
        f"{kind.name} ({', '.join(facts)})" for kind in kinds if (facts := weather_facts(campaign, kind))
    ]
    if weather.now:
        return possible[0] if possible else weather.now
    kinds_to_come = f"; it can be {listed(possible, 'or')}" if possible else ""
    return f"drawn when the turn runs{kinds_to_come}"


def weather_facts(campaign: Campaign, kind: WeatherKind) -> list[str]:
    """Return what a kind of weather changes in this campaign."""
    steps = f"{kind.movement:+} {'step' if abs(kind.movement) == 1 else 'steps'}"
    rate = None if campaign.recovery is None else kind.recovery
    return [
        *([steps] if kind.movement else []),
        *([] if rate is None else [f"recovery {rate}" if rate else "no recovery"]),
        *(["changes battles"] if kind.battle else []),
    ]


def force_words(visible: VisibleCampaign, key: str, steps: Mapping[str, int], held: Mapping[str, str]) -> str:
    """Describe what is known of a force: its strength, position, steps in this turn, and order."""
    campaign = visible.campaign
    force = campaign.forces[key]
    strength = visible.strengths[key]
    facts = [f"strength {strength_in_list(strength, force)}"] if strength is not None else []
    facts += [f"at {position_text(campaign, force)}" if force.location else "not on the map"]
    facts += [counted(steps[key], "step")] if key in steps else []
    facts += ["out of supply"] if key in steps and key in forces_out_of_supply(visible) else []
    facts += [STAYED] if key in steps and key in forces_that_stayed(visible) else []
    rank = own_rank(visible, key, steps)
    if key in steps and leads(force):
        facts.append(f"led by {force.leader}{f' ({rank})' if rank else ''}")
    elif rank:
        facts.append(f"commander {rank}")
    if key in steps and force.leader and force.prisoner_of:
        captor = mid_sentence(campaign.faction_name(force.prisoner_of))
        facts.append(f"its leader {force.leader} is a prisoner of {captor}")
    if key in held:
        return ", ".join([*facts, held[key]])
    order, march = campaign.orders.get(key), force.march
    if order or march:
        facts.append(f"{'order' if order else 'goes on'}: {order_words(campaign, order or march)}")
    return ", ".join(facts)


def own_rank(visible: VisibleCampaign, key: str, steps: Collection[str]) -> str:
    """Return the rank of the commander of a force in `steps`, or "" if these forces all have regular ones."""
    ranks = {visible.commanders[force] for force in steps}
    rank = visible.commanders[key] if key in steps and ranks != {DEFAULT} else ""
    return "" if rank == HUMAN else rank


def strength_in_list(strength: Estimate, force: Force) -> str:
    """Return a strength, with its units, for use behind the word `strength`."""
    text = strength_with_units(str(strength), force)
    return f"of {text}" if strength.is_few else text


def forces_that_stayed(visible: VisibleCampaign) -> set[str]:
    """Return the beaten forces that stayed in the last turn because they could not retreat."""
    undone = visible.ledger.undone_revisions
    return {
        change.key[1]
        for entry in visible.entries_since(turn=visible.campaign.turn - 1)
        if entry.revision not in undone
        for change in entry.changes
        if is_stay(change)
    }


def leads(force: Force) -> bool:
    """Return True if the leader of a force is present."""
    return bool(force.leader) and not force.fallen and force.prisoner_of is None


def road_lines(
    campaign: Campaign, parser: OrderParser, steps: Mapping[str, int], *, whole_map: bool
) -> Iterator[str]:
    """Yield lines about the roads and their lengths, and about the terrain of the places at their ends.

    On a large map, only roads that the forces can reach soon, unless `whole_map` is true.
    """
    ends = campaign.road_ends
    if not ends:
        yield "There are no roads on the map yet: every force holds."
        return
    is_small = len(ends) <= MOST_ROADS
    shown = [road for road in ends if whole_map or is_small or is_near(campaign, road, steps)]
    yield "Roads, with their steps:"
    for road in shown:
        between = " - ".join(place_to_write(parser, end) for end in road)
        yield f"- {between}: {campaign.roads.length(*road)}"
    if len(shown) < len(ends):
        yield f"- and {counted(len(ends) - len(shown), 'road')} further away"
    yield from terrain_lines(campaign, {end for road in shown for end in road})


def reach_lines(
    campaign: Campaign, parser: OrderParser, steps: Mapping[str, int], held: Container[str]
) -> Iterator[str]:
    """Yield a line about the places in reach of each force that is not `held`, in place of the whole map.

    Forces with the same places have one line. A place that a force cannot reach in this turn, but to which it
    can set out, is marked.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    ends: set[str] = set()
    for key, count in steps.items():
        most = count + better_weather(campaign)
        if key not in held and (places := places_in_reach(campaign, key, most)):
            facts = (
                f"{place_to_write(parser, place)} {far}{SETS_OUT * (far > most)}"
                for place, far in places.items()
            )
            groups.setdefault(tuple(facts), []).append(key)
            ends |= {*places}
    yield from [IN_REACH] if groups else []
    for reach, forces in groups.items():
        names = listed(campaign.display_name(key) for key in forces)
        yield f"- in reach of {names}: {', '.join(reach)}"
    yield MAP_IS_KNOWN
    here = {campaign.forces[key].location or "" for key in steps}
    yield from terrain_lines(campaign, here | ends)


def better_weather(campaign: Campaign) -> int:
    """Return the number of steps that the weather of this turn, which is not drawn yet, can add at most."""
    weather = campaign.weather
    kinds = weather.table if weather and not weather.now else []
    return max([0, *(kind.movement for kind in kinds)])


def places_in_reach(campaign: Campaign, key: str, steps: int) -> dict[str, int]:
    """Return the number of steps to each end of a road that a force can use in this turn, the nearest first.

    An end that the force cannot reach in this turn can be more steps away than it has.
    """
    force, roads = campaign.forces[key], campaign.roads
    here = force.location or ""
    starts = {here: force.walked}
    if force.towards:
        starts[force.towards] = roads.length(here, force.towards) - force.walked
    far: dict[str, int] = {}
    for start, walked in starts.items():
        for place, (distance, _) in roads.distances(start).items():
            far[place] = min(walked + distance, far.get(place, walked + distance))
    ends = {end for place in far if far[place] < steps for end in (place, *roads.neighbours.get(place, ()))}
    ends |= {*starts} if force.towards and steps else set()
    places = sorted((far[end], str(campaign.location_name(end)), end) for end in ends if far[end])
    return {end: distance for distance, _, end in places}


def place_to_write(parser: OrderParser, place: str) -> str:
    """Return the name of a place if orders can have it, or otherwise its key and name."""
    return named(parser.campaign, "locations", place, is_plain=parser.is_plain_place(place))


def terrain_lines(campaign: Campaign, ends: Collection[str]) -> Iterator[str]:
    """Yield lines about the terrain of these places, and about its effects in battles."""
    places = [key for key in campaign.locations if key in ends]
    terrain = {key: campaign.locations[key].terrain for key in places}
    facts = [f"{campaign.location_name(key)} ({terrain[key]})" for key in places if terrain[key]]
    yield from [TERRAIN.format(", ".join(facts))] if facts else []
    yield from battle_effects(campaign, places)


def battle_effects(campaign: Campaign, places: Iterable[str]) -> Iterator[str]:
    """Yield a line for each rule set about what these places' terrain and the weather do in its battles.

    The umpire can choose the rule set of a battle, so that all rule sets with effects have a line. If the
    weather is not drawn yet, each kind of weather is named.
    """
    terrain = dict.fromkeys(name for key in places if (name := campaign.locations[key].terrain))
    effects = [(name, campaign.terrain[name]) for name in terrain]
    if weather := campaign.weather:
        effects += [(kind.name, kind.battle) for kind in weather.table if weather.now in (None, kind.name)]
    clauses: dict[str, list[str]] = {}
    for name, modifiers in effects:
        for rules, effect in modifiers.items():
            clauses.setdefault(rules, []).extend(effect_clauses(name, effect, ROLES))
    for rules, told in clauses.items():
        if told and not is_not_installed(rules):
            yield f"In {find(rules).name}: {'; '.join(told)}."


def is_near(campaign: Campaign, road: tuple[str, str], steps: Mapping[str, int]) -> bool:
    """Return True if a force can reach an end of a road within a few turns."""
    return any(is_place_near(campaign, end, steps) for end in road)


def is_place_near(campaign: Campaign, place: str, steps: Mapping[str, int]) -> bool:
    """Return True if a force can reach a place within a few turns."""
    for key, count in steps.items():
        far = campaign.roads.distances(campaign.forces[key].location or "")
        if place in far and far[place][0] <= TURNS_NEAR * count:
            return True
    return False


def named(campaign: Campaign, table: str, key: str, *, is_plain: bool) -> str:
    """Return the name of a force or place, behind its key unless the name alone is enough (`is_plain`)."""
    name = str(campaign.name_of(table, key))
    return name if is_plain else key if name.casefold() == key else f"{key} ({name})"


def answer_lines(
    campaign: Campaign,
    address: str,
    steps: Mapping[str, int],
    held: Container[str],
    until: str,
    *,
    is_short: bool = False,
) -> Iterator[str]:
    """Yield lines that explain how to answer, with examples for the faction's own forces, and a form.

    The examples are for a force that is not `held`. If all forces are held, the only example is to hold. With
    `is_short`, there is one example, and no line about seals.
    """
    examples = example_orders(campaign, [*steps], held)
    yield from due(until)
    yield HOW
    yield from (f"- {example}" for example in (examples[:2][-1:] if is_short else examples))
    for key in [*steps][:1]:
        number = min(TWO, soldiers_to_hire(campaign, campaign.forces[key].faction))
        yield from [HIRE.format(number)] if number else []
    yield from FORMS[3:]
    yield from [] if is_short else [SEAL.format(address, YOUR_LINES)]
    yield from ("", f"{address}:", *(f"{key}:" for key in steps))


def example_orders(campaign: Campaign, forces: Sequence[str], held: Container[str]) -> list[str]:
    """Return examples of orders for the first of these forces that is not `held`, or only to hold."""
    force = next((key for key in forces if key not in held), "")
    here = campaign.forces[force].location or "" if force else ""
    place = next(iter(campaign.roads.neighbours.get(here, {})), "")
    examples = [form.format(place=place, here=here) for form in FORMS[: 3 if place else 1]]
    rivals = [key for key in forces if key != force]
    return [*examples, *([JOIN.format(other=rivals[0])] if rivals and force else [])]


def requests_page(campaign: Campaign, requests: Sequence[OrderRequest], reason: str = "") -> Document:
    """Show messages, each below a heading for the umpire who sends it.

    If `requests` is empty, show the text `reason`.
    """
    blocks: list[Content] = []
    if not requests:
        blocks = [Paragraph(reason)]
    for request in requests:
        blocks += [Section(request.label, [request.label]), Listing(request.lines, "text")]
    messages = [
        {
            "faction": request.faction,
            "turn": request.turn,
            "topic": request.topic,
            "reminder": request.is_reminder,
            "part": request.part,
            "parts": request.parts,
            "text": "\n".join(request.lines),
        }
        for request in requests
    ]
    json = {"schema": 1, "campaign": campaign.name, "turn": campaign.turn, "messages": messages}
    return Document("orders", blocks, json, is_sent=True)


def forces_with_known_orders(visible: VisibleCampaign) -> dict[str, Force]:
    """Return the forces whose orders this reader may know: all for the umpire, its own for a faction."""
    forces = visible.campaign.forces
    return {
        key: force for key, force in forces.items() if visible.is_whole or force.faction == visible.reader
    }


def orders_page(visible: VisibleCampaign) -> Document:
    """Show the orders that have been given.

    The umpire sees all orders, and a faction sees only its own orders.
    """
    campaign = visible.campaign
    rows = []
    for key, force in forces_with_known_orders(visible).items():
        if force.location and not force.destroyed:
            sealed = campaign.sealed_orders.get(force.faction)
            is_hidden = sealed is not None and sealed.is_for(campaign.turn) and sealed.text is None
            goes_on = f"goes on: {order_words(campaign, force.march)}" if force.march else "none: holds"
            order = "sealed" if is_hidden else goes_on
            if key in campaign.orders:
                order = order_words(campaign, campaign.orders[key])
            if force.retreat:
                retreat = f"{RETREAT_TO} {mid_sentence(campaign.location_name(force.retreat))}"
                order = f"{retreat}; then {order}" if key in campaign.orders else retreat
            rows.append([str(campaign.display_name(key)), position_text(campaign, force), order])
    title = f"{campaign.name}: orders for turn {campaign.turn + has_moved(visible.ledger)}"
    blocks: list[Content] = [Title(clean(title))]
    facts = [clean(f"order {name}: {order}; at {at}") for name, at, order in rows]
    cells = [[clean(cell) for cell in row] for row in rows]
    blocks.append(
        Table(["force", "where", "order"], cells, facts=facts)
        if rows
        else Paragraph("No forces whose orders this reader may know.")
    )
    json = {
        "schema": 1,
        "turn": campaign.turn,
        "orders": dict(campaign.orders),
        "marches": {key: force.march for key, force in campaign.forces.items() if force.march},
        "retreats": {key: force.retreat for key, force in campaign.forces.items() if force.retreat},
        "sealed": {
            key: sealed.model_dump(exclude_none=True) for key, sealed in campaign.sealed_orders.items()
        },
    }
    return Document("orders", blocks, json)


def status_page(
    campaign: Campaign, statuses: Iterable[FactionStatus], deadline: str = "", *, has_moved: bool = False
) -> Document:
    """Show which factions have sent orders. The page does not show the orders, so that everyone may read it.

    `deadline` is a sentence about the time when the orders are due. If `has_moved` is true, the forces have
    already moved in this turn, and the orders are for the next turn.
    """
    table = list(statuses)
    shows_forces = campaign.visibility.shows_forces
    rows = [
        [
            str(campaign.faction_name(status.faction)),
            status_words(status, has_moved, shows_forces=shows_forces),
        ]
        for status in table
    ]
    last = f"{last_sentence(campaign, table, has_moved)} {deadline}".rstrip()
    turn = campaign.turn + 1 if has_moved else campaign.turn
    json = {
        "schema": 1,
        "turn": campaign.turn,
        "moved": has_moved,
        "factions": [
            {
                "faction": status.faction,
                "in": status.is_in,
                "sealed": status.is_sealed,
                "open": status.is_open,
            }
            for status in table
        ],
    }
    blocks: list[Content] = [
        Title(clean(f"{campaign.name}: orders for turn {turn}")),
        Table(["faction", "orders"], [[clean(cell) for cell in row] for row in rows]),
        Paragraph(clean(last)),
    ]
    return Document("orders status", blocks, json)


def last_sentence(campaign: Campaign, table: Sequence[FactionStatus], has_moved: bool) -> str:
    """Name the factions whose orders are missing, and the factions that can open sealed orders."""
    if has_moved:
        return f"The forces have moved in turn {campaign.turn}, which is not over yet."
    if missing := missing_factions(campaign, table):
        return f"Waiting for {missing}."
    closed = listed(campaign.faction_name(status.faction) for status in table if status.must_open)
    opening = f" {closed} can open the sealed orders." if closed else ""
    return f"The orders of all factions are in.{opening}"


def status_words(status: FactionStatus, has_moved: bool = False, *, shows_forces: bool = True) -> str:
    """Describe whether a faction has sent its orders, or has no forces to order.

    Unless everyone knows where the forces are (`shows_forces`), both have the same words.
    """
    if status.is_sealed:
        return "opened" if status.is_open else "sealed"
    if status.has_sent:
        if not shows_forces:
            return "done"
        return "nothing to order" if status.is_idle else "in"
    return "substitute" if status.is_replaced else "none yet" if has_moved else "missing"
