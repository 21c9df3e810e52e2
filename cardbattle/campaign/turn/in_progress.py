"""Pending battles in progress: which are played or fought by message, and who is waited for.

What is said of one is what all its players may know: it is the same whoever has chosen in secret, and
whoever is asked because of a card that only they know of.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cardbattle.battles.physical.table_battle_file import is_of_table
from cardbattle.battles.session_file import ENDING, is_session, read_session
from cardbattle.campaign.state.battle_setup import differences
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import listed
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import read_toml

WAITING, OVER, AT_TABLE, UNREADABLE = "waiting", "over", "at a table", "unreadable"


class BattleInProgress(NamedTuple):
    """A pending battle that players have begun.

    `waiting` has the keys of the sides that are waited for. With `is_one_of` it is one of them, and which one
    would tell of their cards. `bound` has the forces as they were when the battle was begun.
    """

    battle: Pending
    state: str
    bound: Mapping[str, object] = {}
    waiting: Sequence[str] = ()
    is_one_of: bool = False

    def changes(self, campaign: Campaign) -> str:
        """Return what has changed of its forces since it was begun; empty if nothing has."""
        if not isinstance(self.bound.get("forces"), dict):
            return ""
        return "; ".join(one.words for one in differences(campaign, self.battle, dict(self.bound)))

    def words(self, campaign: Campaign) -> str:
        """Return in a sentence how far the battle is, without a full stop."""
        if self.state == WAITING:
            sides = [side for side in self.battle.sides if side[0] in self.waiting]
            names = [campaign.side_name(side, self.battle) for side in sides]
            return f"in progress, waits for {listed(names, 'or' if self.is_one_of else 'and')}"
        if self.state == OVER:
            return "fought to its end by its players, not recorded yet"
        return (
            f"in progress{' with real cards' if self.state == AT_TABLE else ', and its file cannot be read'}"
        )

    def table(self) -> dict[str, object]:
        """Return it as JSON has it."""
        return {"state": self.state, "waiting": list(self.waiting), "one_of": self.is_one_of}


def battles_in_progress(campaign: Campaign) -> dict[str, BattleInProgress]:
    """Return the pending battles of a campaign that are in progress, by id, in their order."""
    found = {battle.id: in_progress(campaign.folder, battle) for battle in campaign.pending}
    return {key: one for key, one in found.items() if one is not None}


def in_progress(folder: str, battle: Pending) -> BattleInProgress | None:
    """Return how far a battle is, None if it was not begun."""
    path = os.path.join(folder, f"{battle.id}{ENDING}")
    if not folder or not os.path.lexists(path):
        return None
    try:
        data = read_toml(path).data
        if is_of_table(data):
            return BattleInProgress(battle, AT_TABLE, table_or_empty(data.get("bound")))
        if not is_session(data):
            return None
        session = read_session(data, folder)
    except CardbattleError:
        return BattleInProgress(battle, UNREADABLE)
    waiting = [session.keys[seat] for seat in session.waited_for]
    state = OVER if session.is_over else WAITING
    return BattleInProgress(battle, state, session.plan.bound, waiting, session.hides_who_is_asked)


def progress_sentences(campaign: Campaign, found: Mapping[str, BattleInProgress]) -> dict[str, str]:
    """Return battles in progress in words, by id."""
    return {key: one.words(campaign) for key, one in found.items()}


def blocked_battles(battles: Sequence[Pending], begun: Iterable[str]) -> dict[str, str]:
    """Return why battles must wait for those that players have begun, by id, in their order.

    One that shares a force with a begun battle would change it, so that its result could not be recorded. One
    that comes after such a battle and shares a force with it keeps its place in the order.
    """
    begun = set(begun)
    busy = {force: one.id for one in battles if one.id in begun for force in forces_of(one)}
    found: dict[str, str] = {}
    after: dict[str, str] = {}  # by force: the last battle that waits
    for one in battles:
        with_begun = [busy[force] for force in forces_of(one) if force in busy]
        with_waiting = [after[force] for force in forces_of(one) if force in after]
        if one.id not in begun and with_begun:
            found[one.id] = f"it shares a force with battle {with_begun[0]}, which is in progress"
        elif one.id not in begun and with_waiting:
            found[one.id] = f"it shares a force with battle {with_waiting[0]}, which is held back"
        if one.id in begun or one.id in found:
            after |= dict.fromkeys(forces_of(one), one.id)
    return found


def forces_of(battle: Pending) -> list[str]:
    """Return the keys of all forces of a battle."""
    return [force for side in battle.sides for force in side]
