"""Pending battles that players have begun, and the sides whose answers are missing.

The description of such a battle contains only what all players may know. It does not depend on secret choices
or hidden cards, even if a hidden card decides which side must answer.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from cardbattle.battles.session_file import ENDING, is_of_table, is_session, read_session
from cardbattle.campaign.exchange.battle_answers import saved_battle, take_answers
from cardbattle.campaign.exchange.confirmation import (
    decision,
    do_agree,
    is_substituted,
    leading_force,
    missing_reports,
    own_declines,
    refusers,
    reports_of,
)
from cardbattle.campaign.phases.battles import pending_sentence
from cardbattle.campaign.state.battle_setup import differences
from cardbattle.campaign.state.clock import FORMAT
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import listed
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import read_toml

WAITING, OVER, AT_TABLE, UNREADABLE, REPORTED = "waiting", "over", "at a table", "unreadable", "reported"


RECORD_IT = "cardbattle campaign fight {} --by-message"  # records a battle that is over


GO_ON_AT_TABLE = "cardbattle campaign fight {} --play --table"  # takes the moves of a battle with real cards


def ask_again(campaign: Campaign, battle: str) -> str:
    """Return the command that prints the open questions of a battle by message."""
    return f"cardbattle orders ask {saved_battle(campaign, battle)}"


def answers_step(campaign: Campaign, battle: str) -> str:
    """Return the commands for a battle by message that waits for answers, for the umpire."""
    path = saved_battle(campaign, battle)
    return (
        f"take the answers with: {take_answers(campaign, battle)}; remind a player with: cardbattle orders "
        f"remind {path} SIDE; print the questions with: {ask_again(campaign, battle)}; or let a commander "
        f"answer with: cardbattle orders substitute {path} SIDE RANK"
    )


def late_answers_step(campaign: Campaign, battle: str) -> str:
    """Return the commands for a battle by message whose deadline for answers has passed, for the umpire."""
    path = saved_battle(campaign, battle)
    return (
        f"remind a late player with: cardbattle orders remind {path} SIDE; or print the questions again "
        f"with: {ask_again(campaign, battle)}; then take the answers with: {take_answers(campaign, battle)}; "
        f"or let a commander answer with: cardbattle orders substitute {path} SIDE RANK"
    )


def new_questions_step(campaign: Campaign, battle: str) -> str:
    """Return the commands for a battle by message in which a commander has just answered, for the umpire."""
    ask = f"print the new questions of battle {battle} with: {ask_again(campaign, battle)}"
    return f"{ask}; then take the answers with: {take_answers(campaign, battle)}"


class BattleInProgress(NamedTuple):
    """A pending battle that players have begun.

    Attributes:
        bound: the forces at the beginning of the battle.
        waiting: the keys of the sides that must answer.
        is_one_of: True if only one of the waiting sides must answer, and its name would reveal cards.
        since: the time when the open questions were asked. If the battle waits for no answer, it is the time
            when its file was written. An unknown time is an empty string.
        owing: the keys of the sides that have not answered. Unlike `waiting`, it must never be shown.

    """

    battle: Pending
    state: str
    bound: Mapping[str, object] = {}
    waiting: Sequence[str] = ()
    is_one_of: bool = False
    since: str = ""
    owing: Sequence[str] = ()

    def changes(self, campaign: Campaign) -> str:
        is_bound = isinstance(self.bound.get("forces"), dict)
        return changes_since(campaign, self.battle, self.bound) if is_bound else ""

    def words(self, campaign: Campaign) -> str:
        """Describe the battle's progress, without a full stop."""
        if self.state == WAITING:
            asked = [side for side in self.battle.sides if side[0] in self.waiting]
            leaders = {side[0]: leading_force(campaign, self.battle, side[0]) for side in asked}
            sides = [side for side in asked if not is_substituted(campaign, leaders[side[0]])] or asked
            names = [campaign.side_name(side, self.battle) for side in sides]
            return f"in progress, waiting for {listed(names, 'or' if self.is_one_of else 'and')}"
        if self.state == OVER:
            return "fought to the end, but not recorded yet"
        if self.state == REPORTED:
            reports = reports_of(campaign, self.battle.id)
            if refusers(self.battle, reports.values()):
                return "declined by a side, and waits for the umpire"
            if own_declines(campaign, self.battle, reports) and do_agree([*reports.values()]):
                return "declined by a faction, but not by the others of its side"
            if not missing_reports(campaign, self.battle, reports):
                return "played at the table, but the reports differ"
            return "played at the table, but not confirmed by all sides"
        return (
            f"in progress{' with real cards' if self.state == AT_TABLE else ', but its file cannot be read'}"
        )

    def next_step(self, campaign: Campaign) -> str:
        """Return the command that continues the battle, for the umpire."""
        battle = self.battle.id
        if self.state == AT_TABLE:
            return f"go on with: {GO_ON_AT_TABLE.format(battle)}"
        if self.state == UNREADABLE:
            return f"repair {saved_battle(campaign, battle)}, or move it away"
        if self.state == OVER:
            return (
                f"record it and print the last messages with: {RECORD_IT.format(battle)}; or campaign advance"
            )
        if self.state == REPORTED:
            reports = reports_of(campaign, battle)
            decide = decision(self.battle, reports.values())
            if refusers(self.battle, reports.values()):
                return decide
            ask = "ask for reports with: cardbattle campaign orders ask"
            return f"{ask}, take reports with: cardbattle campaign orders take FILE; or {decide}"
        return answers_step(campaign, battle)

    def table(self) -> dict[str, object]:
        return {"state": self.state, "waiting": list(self.waiting), "one_of": self.is_one_of}


def changes_since(campaign: Campaign, battle: Pending, bound: Mapping[str, object]) -> str:
    """Describe the changes of a battle's forces since its beginning, or return "" without changes."""
    return "; ".join(difference.words for difference in differences(campaign, battle, dict(bound)))


def stale_battle_text(name: str, changes: str) -> str:
    """Say that a battle cannot go on because its forces have changed. `name` is the name of its file."""
    return (
        f"the campaign has changed since {name} was begun: {changes}; "
        "undo that, or move the file away to start again"
    )


def battles_in_progress(campaign: Campaign) -> dict[str, BattleInProgress]:
    battles = {
        battle.id: BattleInProgress(battle, REPORTED)
        if reports_of(campaign, battle.id)
        else in_progress(campaign.folder, battle)
        for battle in campaign.pending
    }
    return {key: progress for key, progress in battles.items() if progress is not None}


def in_progress(folder: str, battle: Pending) -> BattleInProgress | None:
    """Return the progress of a battle, or None if no player has begun it.

    A file of the battle's name that holds a battle from outside the campaign does not count.
    """
    path = os.path.join(folder, f"{battle.id}{ENDING}")
    if not folder or not os.path.lexists(path):
        return None
    since = time_written(path)
    try:
        data = read_toml(path).data
        if is_of_table(data):
            return BattleInProgress(battle, AT_TABLE, table_or_empty(data.get("bound")), since=since)
        if not is_session(data):
            return None
        session = read_session(data, folder)
    except CardbattleError:
        return BattleInProgress(battle, UNREADABLE, since=since)
    if not session.plan.bound:
        return None
    waiting = [session.keys[seat] for seat in session.pending_seats]
    state = OVER if session.is_over else WAITING
    since = session.since if state == WAITING else since
    owing = [session.keys[seat] for seat in session.seats_to_answer]
    is_one_of = session.hides_pending_seats
    return BattleInProgress(battle, state, session.plan.bound, waiting, is_one_of, since, owing)


def report_refusal(campaign: Campaign, battle: str) -> str:
    """Return the reason why a report from the table is refused, or "" if it can be recorded.

    A report would replace the questions of a battle that players have begun by message.
    """
    pending = campaign.battle(battle)
    begun = in_progress(campaign.folder, pending) if pending else None
    if begun is None or begun.state not in (WAITING, OVER):
        return ""
    go_on = (
        begun.next_step(campaign) if begun.state == OVER else f"go on with: {take_answers(campaign, battle)}"
    )
    return (
        f"battle {battle} is {begun.words(campaign)}, so a report from the table is refused; {go_on}; if the "
        f"players have fought it at the table instead, move {saved_battle(campaign, battle)} away and enter "
        "the report again"
    )


def time_written(path: str) -> str:
    """Return the time of the last change of a file in the ledger's format, or "" if the time is unknown."""
    try:
        return datetime.fromtimestamp(os.stat(path).st_mtime, UTC).strftime(FORMAT)
    except (OSError, OverflowError, ValueError):
        return ""


def battles_to_wait_for(campaign: Campaign, remedy: str = "") -> list[str]:
    """Return a sentence for each battle in progress, and one sentence for all other pending battles.

    The sentence for a battle in progress includes the command that continues it. The other one has `remedy`,
    or the commands that end a battle.
    """
    begun = battles_in_progress(campaign)
    free = [battle.id for battle in campaign.pending if battle.id not in begun]
    in_progress = [
        f"{key} is {battle.words(campaign)}; {battle.next_step(campaign)}" for key, battle in begun.items()
    ]
    return [*in_progress, *([pending_sentence(campaign, free, remedy)] if free else [])]


def states_of_pending(campaign: Campaign) -> list[str]:
    """Return what `battles_to_wait_for` says about the battles, without the commands."""
    begun = battles_in_progress(campaign)
    free = [battle.id for battle in campaign.pending if battle.id not in begun]
    states = [f"{key} is {battle.words(campaign)}" for key, battle in begun.items()]
    return [*states, *([f"{listed(free)} {'is' if len(free) == 1 else 'are'} pending"] if free else [])]


def progress_sentences(campaign: Campaign, battles: Mapping[str, BattleInProgress]) -> dict[str, str]:
    return {key: battle.words(campaign) for key, battle in battles.items()}


def blocked_battles(battles: Sequence[Pending], begun: Iterable[str]) -> dict[str, str]:
    """Return a dict from the ids of the battles that must wait to the reasons.

    A battle that shares a force with a battle in progress would change that force. The result of the battle
    in progress could then not be recorded. A later battle that shares a force with a blocked battle waits
    too, because battles with the same force are fought in order.
    """
    begun = set(begun)
    busy = {force: battle.id for battle in battles if battle.id in begun for force in forces_of(battle)}
    reasons: dict[str, str] = {}
    last_blocked: dict[str, str] = {}  # by force
    for battle in battles:
        in_progress_ids = [busy[force] for force in forces_of(battle) if force in busy]
        blocked_ids = [last_blocked[force] for force in forces_of(battle) if force in last_blocked]
        if battle.id not in begun and in_progress_ids:
            reasons[battle.id] = f"it shares a force with battle {in_progress_ids[0]}, which is in progress"
        elif battle.id not in begun and blocked_ids:
            reasons[battle.id] = f"it shares a force with battle {blocked_ids[0]}, which must wait"
        if battle.id in begun or battle.id in reasons:
            last_blocked |= dict.fromkeys(forces_of(battle), battle.id)
    return reasons


def forces_of(battle: Pending) -> list[str]:
    return [force for side in battle.sides for force in side]
