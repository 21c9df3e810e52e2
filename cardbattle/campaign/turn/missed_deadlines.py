"""Apply the consequences of missed deadlines, and let substitutes command in battles in progress.

`consequences` is a pure function of the list of duties and a time. The other functions record the
consequences, and write the answers of commanders to the files of battles in progress.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from cardbattle.battles.records.battle_file import SidePlan
from cardbattle.battles.saved_session import open_saved
from cardbattle.battles.session_file import ENDING, is_session
from cardbattle.campaign.exchange.confirmation import confirmed, do_agree, leading_force, reports_of
from cardbattle.campaign.exchange.order_book import changes_to, statuses
from cardbattle.campaign.ledger import undo
from cardbattle.campaign.ledger.ledger import MISSED, NOTE, Entry, Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, after
from cardbattle.campaign.ledger.roster import factions_of_side
from cardbattle.campaign.phases.finished_phases import entries_of_turn
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.changes import Key, presence
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.battle_effects import battle_title
from cardbattle.campaign.state.tables.deadlines import FORFEIT, STANDING, WAIT, Substitute
from cardbattle.campaign.state.tables.march_orders import HOLD
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.in_progress import ask_again, battles_in_progress
from cardbattle.campaign.turn.retreat_choices import open_retreats
from cardbattle.campaign.turn.waiting import (
    ANSWER,
    CONFIRM,
    OPEN,
    ORDERS,
    RETREAT,
    Duty,
    duties,
    idle_factions,
    overdue,
)
from cardbattle.commanders import HUMAN
from cardbattle.core.errors import InvalidInput
from cardbattle.core.grammar import Noun, mid_sentence, sentence_start, with_verb
from cardbattle.core.names import listed
from cardbattle.files.toml import read_toml

UNORDERED = "forces without orders hold or go on with their march"
DECIDE = "decide it with: cardbattle campaign override {} --winner SIDE --reason TEXT"
OMISSIONS = {
    ORDERS: f"sent no orders in time; {UNORDERED}",
    OPEN: f"not opened its sealed orders in time; {UNORDERED}",
}
PRIVATE = "private: "
ONE_REPORT = "The time to confirm {} is over, so the reported result counts."
HOLDS, ANSWERS, FORFEITS, COUNTS, LEFT = "holds", "answers", "forfeits", "counts", "left"
RETREATS = "retreats"


class Consequence(NamedTuple):
    """The consequence of a missed deadline.

    Attributes:
        action: `holds` if forces without orders hold, `answers` if a commander answers for the player,
            `forfeits` if the battle is lost, `counts` if the reported result counts, `retreats` if a beaten
            force goes to the nearest place, or `left` if the umpire must decide.
        battle: the id of the battle, if the consequence concerns one.
        sides: the keys of the sides that missed the deadline, or the forces that retreat.
        words: the sentence for the ledger and the report.
        factions: the keys of the factions whose orders are missing or stay sealed. Only `holds` has factions.
        since: the time of the question that a commander answers. Only `answers` has it.

    """

    action: str
    battle: str
    sides: Sequence[str]
    words: str
    factions: Sequence[str] = ()
    since: str = ""

    def is_noted(self, missed: Sequence[Entry]) -> bool:
        """Return True if one of the entries in `missed` already has the note about this consequence.

        A commander can answer in the same battle several times in a turn, with a note for each question.
        """
        texts = {entry.text.removeprefix(PRIVATE) for entry in missed if entry.time >= self.since}
        return self.action in (HOLDS, ANSWERS) and self.words in texts


def late_consequences(
    campaign: Campaign, ledger: Ledger, current_time: str, choices: Mapping[str, str] = {}
) -> list[Consequence]:
    """Return the consequences of the deadlines that have passed at the time `current_time`.

    `choices` are the retreats that the umpire has chosen, from forces to places. They come before a deadline.
    """
    open_duties = [
        duty
        for duty in duties(campaign, ledger, battles_in_progress(campaign))
        if duty.kind != RETREAT or not choices.keys() & {*duty.sides}
    ]
    return consequences(campaign, open_duties, current_time, idle_factions(campaign, ledger))


def consequences(
    campaign: Campaign, open_duties: Sequence[Duty], current_time: str, idle: Sequence[str] = ()
) -> list[Consequence]:
    """Return the consequences of the deadlines that have passed at the time `current_time`.

    The list is empty if the campaign's setting `missed` is to wait. If a faction has sent no orders in time,
    the `idle` factions, which have no forces to order, are named too, because they missed nothing. A battle
    that several sides forfeit has no winner. All other cases are left to the umpire.
    """
    if campaign.deadlines is None or campaign.deadlines.missed == WAIT:
        return []
    late = overdue(open_duties, current_time)
    results = [
        Consequence(HOLDS, "", (), f"{late_factions(campaign, duty)} {OMISSIONS[duty.kind]}", duty.factions)
        for duty in late
        if duty.kind in OMISSIONS
    ]
    if any(duty.kind == ORDERS for duty in late) and idle:
        names = [campaign.faction_name(faction) for faction in idle]
        results.append(Consequence(HOLDS, "", (), f"{together(names)} no forces to order"))
    for duty in late:
        if duty.kind == RETREAT:
            name = with_verb(mid_sentence(campaign.display_name(duty.sides[0])), "retreats|retreat")
            sentence = (
                f"{late_factions(campaign, duty)} not chosen in time where {name}; the nearest place counts"
            )
            results.append(Consequence(RETREATS, "", duty.sides, sentence))
    for battle in campaign.pending:
        of_battle = [duty for duty in late if duty.battle == battle.id]
        results += battle_consequences(campaign, battle, of_battle)
    return results


def battle_consequences(campaign: Campaign, battle: Pending, late: Sequence[Duty]) -> list[Consequence]:
    assert campaign.deadlines is not None
    rule, title = campaign.deadlines.missed, battle_title(campaign, battle)
    sides = [side for duty in late if duty.kind == ANSWER for side in duty.sides]
    if sides and rule == FORFEIT:
        names = [campaign.display_name(side) for side in sides]
        sentence = f"{together(names)} not answered in time; {title} is forfeited"
        return [Consequence(FORFEITS, battle.id, sides, sentence)]
    if sides and rule == STANDING:
        sentence = f"in {title} a {campaign.deadlines.commander} commander answers for the late players"
        since = max(duty.since for duty in late if duty.kind == ANSWER)
        return [Consequence(ANSWERS, battle.id, sides, sentence, since=since)]
    reports = reports_of(campaign, battle.id)
    unconfirmed = [side for duty in late if duty.kind == CONFIRM for side in duty.sides]
    if not unconfirmed:
        return []
    names = [campaign.display_name(side) for side in unconfirmed]
    sentence = f"{together(names)} not confirmed {title} in time"
    if do_agree([*reports.values()]):
        return [Consequence(COUNTS, battle.id, unconfirmed, f"{sentence}; the reported result counts")]
    return [
        Consequence(LEFT, battle.id, unconfirmed, leave_to_umpire(sentence, battle.id, "the reports differ"))
    ]


def leave_to_umpire(sentence: str, battle: str, why: str) -> str:
    """Return the sentence that leaves a battle to the umpire, with the reason and the command."""
    return f"{sentence}; it is left to you, because {why}; {DECIDE.format(battle)}"


def settle(
    books: CampaignFile, ledger: Ledger, consequence: Consequence, choices: Mapping[str, str]
) -> tuple[Consequence, list[Operation]]:
    """Return a consequence with the operations that record it.

    If the result of a battle cannot be recorded, the returned consequence leaves the battle to the umpire and
    has no operations. An example is a report that no longer fits the battle.
    """
    try:
        operations = operations_of(books, ledger, consequence, choices)
        after(books, operations)
    except (InvalidInput, NeedsUmpire) as error:
        if not consequence.battle:
            raise
        sentence, why = consequence.words.rpartition("; ")[0], str(error).partition("\n")[0]
        left = leave_to_umpire(sentence, consequence.battle, f"the result cannot be recorded ({why})")
        return consequence._replace(action=LEFT, words=left), []
    return consequence, operations


class Rehearsal(NamedTuple):
    """The consequences as they would be recorded one after the other.

    Attributes:
        settled: the consequences. A result that cannot be recorded is left to the umpire.
        books: the campaign afterwards.
        entries: the unrecorded ledger entries.

    """

    settled: Sequence[Consequence]
    books: CampaignFile
    entries: Sequence[Entry]


def rehearse_missed(
    books: CampaignFile, ledger: Ledger, current_time: str, choices: Mapping[str, str] = {}
) -> Rehearsal:
    """Apply the consequences of the deadlines that have passed at `current_time` without recording them.

    A battle in which a commander would answer for late players keeps its state.
    """
    settled: list[Consequence] = []
    entries: list[Entry] = []
    for consequence in late_consequences(books.campaign, ledger, current_time, choices):
        done, operations = settle(books, ledger, consequence, choices)
        settled.append(done)
        entries += [operation.entry for operation in operations]
        books = after(books, operations)
    return Rehearsal(settled, books, entries)


def late_factions(campaign: Campaign, duty: Duty) -> str:
    """Return the names of the late factions, followed by the verb `has` or `have`."""
    return together([campaign.faction_name(faction) for faction in duty.factions])


def together(names: Sequence[Noun]) -> str:
    """Return the names joined into a subject, followed by the verb, such as `Harry Percy has`."""
    return with_verb(names[0], "has|have") if len(names) == 1 else f"{sentence_start(listed(names))} have"


def operations_of(
    books: CampaignFile, ledger: Ledger, consequence: Consequence, choices: Mapping[str, str]
) -> list[Operation]:
    """Return the operations that record a consequence as a sentence, and the result that it gives a battle.

    A sentence about a pending battle or about forces that are hidden from players is for the umpire only.
    Everyone may read that a battle is forfeited, because everyone knows the results of battles. If a result
    counts without the second confirmation, only the sides read it, without the name of the late one. If
    orders are sealed, the late factions' forces get orders, so that the seals can be opened.
    """
    campaign = books.campaign
    if consequence.action == HOLDS:
        changes = changes_to(campaign, dict(orders_after_deadline(campaign, consequence.factions)))
        is_open = bool(consequence.factions) or campaign.visibility.shows_forces
        entry = Entry(0, MISSED, changes, text=ledger_text(consequence, is_open=is_open))
        return [Operation(entry, notes=[consequence.words], keeps_lines=bool(changes))]
    if consequence.action == RETREATS:
        changes = changes_to(campaign, nearest_retreats(campaign, ledger, consequence.sides, choices))
        text = ledger_text(consequence, is_open=campaign.visibility.shows_forces)
        return [Operation(Entry(0, MISSED, changes, text=text), notes=[consequence.words], keeps_lines=True)]
    is_open = consequence.action != COUNTS and (
        consequence.action == FORFEITS or not consequence.battle or campaign.visibility.pending == "all"
    )
    text = ledger_text(consequence, is_open=is_open)
    noted = Operation(Entry(0, MISSED, [], id=consequence.battle, text=text), notes=[consequence.words])
    if consequence.action == FORFEITS:
        battle = campaign.battle(consequence.battle)
        assert battle is not None
        result = forfeit(battle, consequence.sides)
        return [noted, *undo.override(books, ledger, battle.id, result, "a deadline was missed")]
    if consequence.action == COUNTS:
        report = next(iter(reports_of(campaign, consequence.battle).values()))
        notes = notes_to_sides(campaign, consequence.battle)
        return [noted, *notes, *confirmed(books, ledger, consequence.battle, report, "not confirmed in time")]
    return [noted] if consequence.action == ANSWERS else []


def notes_to_sides(campaign: Campaign, battle_id: str) -> list[Operation]:
    """Return notes that tell each faction of a battle that the reported result counts."""
    battle = campaign.battle(battle_id)
    assert battle is not None
    text = ONE_REPORT.format(battle_title(campaign, battle))
    factions = dict.fromkeys(faction for side in battle.sides for faction in factions_of_side(campaign, side))
    return [Operation(Entry(0, NOTE, [], id=faction, text=text)) for faction in factions]


def ledger_text(consequence: Consequence, *, is_open: bool) -> str:
    return consequence.words if is_open else f"{PRIVATE}{consequence.words}"


def orders_after_deadline(campaign: Campaign, late: Sequence[str]) -> Iterator[tuple[Key, object]]:
    """Yield pairs (key, value) that replace the missing orders of late factions, if orders are sealed.

    The value None removes a key. Orders that a late faction has sealed are removed. The faction's forces
    without orders continue their march or hold. If no orders are sealed, nothing is yielded, because the
    movement does not wait for orders.
    """
    table = statuses(campaign)
    if not any(status.must_open for status in table):
        return
    for status in table:
        if status.faction not in late:
            continue
        if status.is_sealed:
            sealed = campaign.sealed_orders[status.faction].model_dump(exclude_none=True)
            yield from ((("sealed_orders", status.faction, word), None) for word in sealed)
            yield presence(("sealed_orders", status.faction)), None
            if len(campaign.sealed_orders) == 1:
                yield presence(("sealed_orders",)), None
        for force in status.forces:
            if force not in campaign.orders:
                yield ("orders", force), campaign.forces[force].march or HOLD


def nearest_retreats(
    campaign: Campaign, ledger: Ledger, forces: Sequence[str], choices: Mapping[str, str]
) -> dict[Key, object]:
    """Return the values that let these beaten forces retreat to the best place.

    `choices` are the retreats of other forces that the umpire has chosen.
    """
    return {
        ("forces", question.force, "retreat"): question.places[0]
        for question in open_retreats(campaign, ledger, choices)
        if question.force in forces
    }


def forfeit(battle: Pending, sides: Sequence[str]) -> Result:
    """Return the result of a battle that these sides forfeit. The other sides win, and no side has losses."""
    winners = [key for key in battle.keys if key not in sides]
    return Result(winners, {key: SideResult(0, Fraction(0)) for key in battle.keys})


class AppliedDeadlines(NamedTuple):
    """What follows from missed deadlines.

    `notes` are sentences about the consequences, and about the battles that are left to the umpire. `asked`
    has the battles in which a commander has answered, and which now have new questions for a player.
    """

    notes: Sequence[str]
    asked: Sequence[str]


def apply_missed(folder: str, current_time: str, choices: Mapping[str, str] = {}) -> AppliedDeadlines:
    """Record the consequences of missed deadlines and let commanders answer for late players.

    `choices` are the retreats that the umpire has chosen, from forces to places.
    Raises the errors of `open_for_writing` and `Transaction.commit`.
    """
    asked: list[str] = []
    with store.open_for_writing(folder) as transaction:
        notes = list(transaction.take_notes())
        campaign = transaction.campaign
        late = late_consequences(campaign, transaction.ledger, current_time, choices)
        missed = [entry for entry in entries_of_turn(transaction.ledger) if entry.kind == MISSED]
        for consequence in late:
            settled, operations = settle(transaction.books, transaction.ledger, consequence, choices)
            if consequence.is_noted(missed) and not any(operation.entry.changes for operation in operations):
                continue
            transaction.commit(operations)
            notes.append(settled.words)
    for consequence in late:
        if consequence.action == ANSWERS and campaign.deadlines is not None:
            rank = campaign.deadlines.commander
            is_over = answer_once(folder, consequence.battle, consequence.sides, rank, current_time)
            ask = f"print the new questions of battle {consequence.battle} with: "
            notes += [] if is_over else [f"{ask}{ask_again(campaign, consequence.battle)}"]
            asked += [] if is_over else [consequence.battle]
    return AppliedDeadlines(notes, asked)


def answer_once(folder: str, battle: str, sides: Sequence[str], rank: str, current_time: str) -> bool:
    """Let a commander answer for the late sides of a battle in progress, until another player must answer.

    If all players are late, the commanders fight the battle to its end. Returns True if the battle is over.
    """
    saved = open_saved(os.path.join(folder, f"{battle}{ENDING}"))
    seats = [saved.session.keys.index(side) for side in sides]
    for seat in seats:
        if not saved.session.is_over and saved.session.plan.sides[seat].acting == HUMAN:
            saved.session.substitute(seat, rank)
    for seat in seats if not saved.session.is_over else []:
        saved.session.substitute(seat, HUMAN)
    saved.session.since = current_time
    saved.keep()
    return saved.session.is_over


def follow_substitutes(campaign: Campaign, ended: Mapping[str, Substitute] | None = None) -> list[str]:
    """Let substitutes command their sides in battles in progress, or give the sides back to the players.

    `ended` maps factions to the substitutes that the umpire has just ended. Returns a sentence for each
    changed side.
    """
    changed: list[str] = []
    for battle in campaign.pending:
        path = os.path.join(campaign.folder, f"{battle.id}{ENDING}")
        if not os.path.lexists(path) or not is_session(read_toml(path).data):
            continue
        saved = open_saved(path)
        before = len(changed)
        for seat, key in enumerate(saved.session.keys):
            side = saved.session.plan.sides[seat]
            rank = commander_wanted(campaign, battle, key, side, ended or {}) if key in battle.keys else ""
            if rank and side.commander == HUMAN and not saved.session.is_over:
                saved.session.substitute(seat, rank)
                name = campaign.display_name(key)
                changed.append(f"battle {battle.id}: the commander of {name} is now {rank}")
        if len(changed) > before:
            saved.keep()
    return changed


def commander_wanted(
    campaign: Campaign, battle: Pending, key: str, side: SidePlan, ended: Mapping[str, Substitute]
) -> str:
    """Return the commander that must replace the current one: a rank, or `human` after a substitute's turn.

    Returns "" if the commander stays. The player's own order `else COMMANDER` is not a substitute, and a
    substitute with another rank is the umpire's choice for this battle alone. The substitute of one ally does
    not answer while another ally has a player.
    """
    leader = campaign.forces[leading_force(campaign, battle, key)].faction
    substitute = campaign.substitutes.get(leader)
    if substitute is not None and substitute.acts_in(campaign.turn):
        return substitute.commander if side.acting != substitute.commander else ""
    allies = factions_of_side(campaign, next(forces for forces in battle.sides if forces[0] == key))
    former = [campaign.substitutes.get(faction) or ended.get(faction) for faction in allies]
    ranks = [each.commander for each in former if each is not None]
    return HUMAN if side.substitute in ranks else ""
