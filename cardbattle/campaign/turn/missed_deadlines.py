"""Apply the consequences of missed deadlines, and let substitutes command in battles in progress.

`consequences` is a pure function of the list of duties and a time. The other functions record its result, and
let commanders answer in the files of battles in progress.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from cardbattle.battles.saved_session import open_saved
from cardbattle.battles.session_file import ENDING, is_session
from cardbattle.campaign.exchange.confirmation import confirmed, do_agree, reports_of
from cardbattle.campaign.ledger import undo
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.deadlines import FORFEIT, STANDING, WAIT
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.advance import entries_of_turn
from cardbattle.campaign.turn.in_progress import battles_in_progress
from cardbattle.campaign.turn.waiting import ANSWER, CONFIRM, ORDERS, Duty, duties, overdue
from cardbattle.commanders import HUMAN
from cardbattle.core.grammar import Noun, with_verb
from cardbattle.core.names import listed
from cardbattle.files.toml import read_toml

KIND = "missed"  # kind of the ledger entries
UNORDERED = "forces without orders hold or go on with their march"
HOLDS, ANSWERS, FORFEITS, COUNTS = "holds", "answers", "forfeits", "counts"


class Consequence(NamedTuple):
    """The consequence of a missed deadline.

    Attributes:
        action: `holds` (forces without orders), `answers` (a commander in place of the player), `forfeits`
            (the battle is lost), or `counts` (the reports that are in are the result).
        battle: the id of the battle, if it is about one.
        sides: the keys of the sides that missed it.
        words: the sentence for ledger and report.

    """

    action: str
    battle: str
    sides: Sequence[str]
    words: str


def consequences(campaign: Campaign, found: Sequence[Duty], now: str) -> list[Consequence]:
    """Return the consequences of missed deadlines at a time; nothing if `missed` is to wait.

    A battle that several sides forfeit has no winner. All other cases are left to the umpire.
    """
    if campaign.deadlines is None or campaign.deadlines.missed == WAIT:
        return []
    late = overdue(found, now)
    results = [
        Consequence(HOLDS, "", (), f"{late_factions(campaign, duty)} sent no orders in time; {UNORDERED}")
        for duty in late
        if duty.kind == ORDERS
    ]
    for battle in campaign.pending:
        of_battle = [duty for duty in late if duty.battle == battle.id]
        results += battle_consequences(campaign, battle, of_battle)
    return results


def battle_consequences(campaign: Campaign, battle: Pending, late: Sequence[Duty]) -> list[Consequence]:
    """Return the consequences for one battle."""
    assert campaign.deadlines is not None
    rule = campaign.deadlines.missed
    sides = [side for duty in late if duty.kind == ANSWER for side in duty.sides]
    if sides and rule == FORFEIT:
        names = [campaign.display_name(side) for side in sides]
        words = f"{together(names)} not answered in battle {battle.id} in time; it is forfeited"
        return [Consequence(FORFEITS, battle.id, sides, words)]
    if sides and rule == STANDING:
        words = (
            f"in battle {battle.id} a {campaign.deadlines.commander} commander answers for the late players"
        )
        return [Consequence(ANSWERS, battle.id, sides, words)]
    reports = reports_of(campaign, battle.id)
    if any(duty.kind == CONFIRM for duty in late) and do_agree([*reports.values()]):
        names = [campaign.display_name(side) for duty in late for side in duty.sides]
        words = f"{together(names)} not confirmed battle {battle.id} in time; the reported result counts"
        return [Consequence(COUNTS, battle.id, [side for duty in late for side in duty.sides], words)]
    return []


def late_factions(campaign: Campaign, duty: Duty) -> str:
    """Return the names of the late factions, with the verb."""
    return together([campaign.faction_name(faction) for faction in duty.factions])


def together(names: Sequence[Noun]) -> str:
    """Return names with the verb, such as `Harry Percy has`."""
    return with_verb(names[0], "has|have") if len(names) == 1 else f"{listed(names)} have"


def operations_of(books: CampaignFile, ledger: Ledger, consequence: Consequence) -> list[Operation]:
    """Return the operations of a consequence: its sentence, and the result of the battle if it has one.

    A sentence about a battle that is hidden from players is for the umpire only.
    """
    campaign = books.campaign
    is_open = not consequence.battle or campaign.visibility.pending == "all"
    text = consequence.words if is_open else f"private: {consequence.words}"
    noted = Operation(Entry(0, KIND, [], id=consequence.battle, text=text), notes=[consequence.words])
    if consequence.action == FORFEITS:
        battle = campaign.battle(consequence.battle)
        assert battle is not None
        result = forfeit(battle, consequence.sides)
        return [noted, *undo.override(books, ledger, battle.id, result, "a deadline was missed")]
    if consequence.action == COUNTS:
        report = next(iter(reports_of(campaign, consequence.battle).values()))
        return [noted, *confirmed(books, ledger, consequence.battle, report, "not confirmed in time")]
    return [noted]


def forfeit(battle: Pending, sides: Sequence[str]) -> Result:
    """Return the result of a battle that these sides forfeit: the others win, without losses."""
    winners = [key for key in battle.keys if key not in sides]
    return Result(winners, {key: SideResult(0, Fraction(0)) for key in battle.keys})


def apply_missed(folder: str, now: str) -> list[str]:
    """Record the consequences of missed deadlines, let commanders answer, and return sentences about them.

    Raises the errors of `open_for_writing` and `Transaction.commit`.
    """
    with store.open_for_writing(folder) as transaction:
        done = list(transaction.take_notes())
        campaign = transaction.campaign
        found = duties(campaign, transaction.ledger, battles_in_progress(campaign))
        late = consequences(campaign, found, now)
        noted = {entry.text for entry in entries_of_turn(transaction.ledger) if entry.kind == KIND}
        for consequence in late:
            if consequence.action == HOLDS and consequence.words in noted:
                continue
            books, ledger = transaction.books, transaction.ledger
            transaction.commit(operations_of(books, ledger, consequence))
            done.append(consequence.words)
    for consequence in late:
        if consequence.action == ANSWERS and campaign.deadlines is not None:
            answer_once(folder, consequence.battle, consequence.sides, campaign.deadlines.commander, now)
    return done


def answer_once(folder: str, battle: str, sides: Sequence[str], rank: str, now: str) -> None:
    """Let a commander answer for late sides of a battle in progress, until another player must answer.

    If all players are late, the commanders fight the battle to its end.
    """
    saved = open_saved(os.path.join(folder, f"{battle}{ENDING}"))
    seats = [saved.session.keys.index(side) for side in sides]
    for seat in seats:
        if not saved.session.is_over and saved.session.plan.sides[seat].acting == HUMAN:
            saved.session.substitute(seat, rank)
    for seat in seats if not saved.session.is_over else []:
        saved.session.substitute(seat, HUMAN)
    saved.session.since = now
    saved.keep()


def follow_substitutes(campaign: Campaign) -> list[str]:
    """Let substitutes take over their sides in the battles in progress, and return sides to their players.

    Returns a sentence for each changed side.
    """
    changed: list[str] = []
    for battle in campaign.pending:
        path = os.path.join(campaign.folder, f"{battle.id}{ENDING}")
        if not os.path.lexists(path) or not is_session(read_toml(path).data):
            continue
        saved = open_saved(path)
        before = len(changed)
        for seat, key in enumerate(saved.session.keys):
            rank = commander_wanted(campaign, key) if key in battle.keys else ""
            side = saved.session.plan.sides[seat]
            if rank and side.commander == HUMAN and side.acting != rank and not saved.session.is_over:
                saved.session.substitute(seat, rank)
                changed.append(f"battle {battle.id}: the commander of {key} is now {rank}")
        if len(changed) > before:
            saved.keep()
    return changed


def commander_wanted(campaign: Campaign, force: str) -> str:
    """Return the commander of a player's side: a rank, `human`, or "" if it never had a substitute."""
    substitute = campaign.substitutes.get(campaign.forces[force].faction)
    if substitute is None:
        return ""
    return substitute.commander if substitute.acts_in(campaign.turn) else HUMAN
