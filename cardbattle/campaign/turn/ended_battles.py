"""Record battles by message that are over.

The last answer to a battle by message normally records it. A battle that a commander has finished for absent
players, or whose recording failed, stays in its file until it is recorded here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.saved_session import SavedSession, open_saved
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import ENDING
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, is_the_same
from cardbattle.campaign.state.battle_result import fought_battle
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.turn.fighting import FoughtBattle, operation_of, select_battles, unrecorded_battles
from cardbattle.campaign.turn.in_progress import OVER, battles_in_progress
from cardbattle.campaign.turn.played_battles import PlayedBattle
from cardbattle.core.errors import CardbattleError, InvalidInput


class EndedBattle(NamedTuple):
    """A battle by message that is over, with its file and the operation that records it."""

    saved: SavedSession
    operation: Operation


class EndedBattles(NamedTuple):
    """The battles by message that are over.

    `problems` are sentences about the battles that cannot be recorded.
    """

    battles: Sequence[EndedBattle]
    problems: Sequence[str] = ()

    @property
    def operations(self) -> list[Operation]:
        """The operations that record the battles, in order."""
        return [battle.operation for battle in self.battles]


NO_BATTLES = EndedBattles([])


def plan_endings(books: CampaignFile, ledger: Ledger) -> EndedBattles:
    """Return the pending battles by message that are over, with the operations that record them in order."""
    battles: list[EndedBattle] = []
    problems: list[str] = []
    for key, progress in battles_in_progress(books.campaign).items():
        if progress.state != OVER:
            continue
        try:
            saved = open_saved(battle_path(books.campaign, key))
            operation = operation_of(books, ledger, battle_of_session(books.campaign, ledger, saved.session))
        except (InvalidInput, NeedsUmpire) as error:
            problems.append(f"battle {key} is over, but cannot be recorded: {error}")
            continue
        battles.append(EndedBattle(saved, operation))
        books = books._replace(campaign=books.campaign.after(operation.entry.changes))
    return EndedBattles(battles, problems)


def battle_of_session(campaign: Campaign, ledger: Ledger, session: Session) -> FoughtBattle:
    """Return a finished battle by message, for the ledger.

    Raises InvalidInput if the battle is not pending or its setup has changed, and NeedsUmpire if it is
    already recorded.
    """
    selected = select_battles(campaign, [session.plan.id], False)
    battle = unrecorded_battles(campaign, ledger, selected)[0]
    persons = [session.keys[seat] for seat in session.players]
    return PlayedBattle(campaign, battle, persons, by_message=True).fought()


def recorded_files(campaign: Campaign, ledger: Ledger) -> list[SavedSession]:
    """Return the files of battles that are recorded, left behind by an interrupted command."""
    pending = {battle.id for battle in campaign.pending}
    names = sorted(name for name in os.listdir(campaign.folder) if name.endswith(ENDING))
    ids = [name.removesuffix(ENDING) for name in names]
    left = []
    for key in ids:
        entry = ledger.find(key) if key not in pending else None
        if entry is None:
            continue
        try:
            saved = open_saved(battle_path(campaign, key))
            record = saved.session.record()
        except CardbattleError:  # another file, or a battle that is not over
            continue
        if is_the_same(entry, fought_battle(record, dumps_record(record))):
            left.append(saved)
    return left


def battle_path(campaign: Campaign, battle: str) -> str:
    """Return the path of the file of a battle in progress."""
    return os.path.join(campaign.folder, f"{battle}{ENDING}")
