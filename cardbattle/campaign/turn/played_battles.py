"""Begin, store and resume pending battles that people play.

The battles are stored in the campaign's folder. The last answer to a battle by message normally records it. A
battle that a commander has finished for absent players, or whose recording failed, stays in its file until
`plan_endings` finds it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from cardbattle.battles.physical.table_battle import TableBattle, begin_table
from cardbattle.battles.physical.table_battle_file import read_table
from cardbattle.battles.records.battle_file import BattlePlan, read_battle, with_persons
from cardbattle.battles.records.record import dumps_record, table_so_far
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.saved_session import SavedSession, open_saved
from cardbattle.battles.sealed_orders import draw_salt
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import ENDING, WAITING, is_of_table, is_session, read_session
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, is_the_same
from cardbattle.campaign.ledger.roster import key_of, names_of_sides
from cardbattle.campaign.state.battle_result import fought_battle
from cardbattle.campaign.state.battle_setup import battle_table
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.turn.fighting import FoughtBattle, operation_of, select_battles, unrecorded_battles
from cardbattle.campaign.turn.in_progress import (
    AT_TABLE,
    OVER,
    REPORTED,
    UNREADABLE,
    battles_in_progress,
    changes_since,
    stale_battle_text,
)
from cardbattle.commanders import HUMAN
from cardbattle.core.errors import CardbattleError, InvalidInput
from cardbattle.core.names import clean, listed, nearest, quoted
from cardbattle.core.setup import Setup
from cardbattle.core.telling import counted
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import read_toml


class PlayedBattle:
    """A pending battle played by people, with its setup, its session and its file."""

    def __init__(
        self, campaign: Campaign, battle: Pending, persons: Sequence[str], by_message: bool = False
    ) -> None:
        self.setting = battle_table(campaign, battle)
        self.path = os.path.join(campaign.folder, f"{battle.id}{ENDING}")
        self.folder = campaign.folder
        self.pending = campaign, battle
        earlier_persons = persons_in(self.path) if by_message else []
        default = battle.keys if by_message else battle.keys[:1]
        keys = [side_named(campaign, key, battle) for key in persons or earlier_persons or default]
        self.table = with_persons(self.setting, keys, is_asked_all=not by_message)
        self.session = self.resume_battle() if os.path.lexists(self.path) else self.begin()
        if by_message and not os.path.lexists(self.path):
            self.session.give_receipts(draw_salt())

    def begin(self) -> Session:
        """Return the battle at its beginning. Raises InvalidInput if it cannot be fought."""
        return begin_session(read_battle(self.table, self.folder))

    def resume_battle(self) -> Session:
        """Read the stored battle. Raises InvalidInput if its setup in the campaign has changed."""
        source = read_toml(self.path)
        if is_of_table(source.data):
            raise InvalidInput(
                f"{clean(os.path.basename(self.path))} is a battle with real cards; add --table"
            )
        try:
            session = read_session(source.data, self.folder)
        except InvalidInput as error:
            source.refuse(error.errors)
        if as_begun(session) != as_begun(self.begin()):
            name = clean(os.path.basename(self.path))
            refuse_changed(name, *self.pending, session.plan.bound)
            raise InvalidInput(
                f"{name} was begun with other sides, house rules or options than the battle has "
                "now; name the same sides, undo the change, or move the file away to start again"
            )
        return session

    def fought(self) -> FoughtBattle:
        record = self.session.record()
        return FoughtBattle(self.setting, fought_battle(record, dumps_record(record)), record)


class TableBattleFile:
    """A pending battle fought with real cards, with its setup, the reported moves and its file.

    `settle` asks the umpire for decisions that the cards make at the table, such as the dealer.
    """

    def __init__(
        self, campaign: Campaign, battle: Pending, settle: Callable[[BattlePlan], BattlePlan]
    ) -> None:
        self.setting = battle_table(campaign, battle)
        self.path = os.path.join(campaign.folder, f"{battle.id}{ENDING}")
        self.folder = campaign.folder
        self.pending = campaign, battle
        self.plan = read_battle(self.setting, campaign.folder)
        self.table = self.resume_battle() if os.path.lexists(self.path) else begin_table(settle(self.plan))

    def resume_battle(self) -> TableBattle:
        """Read the stored battle. Raises InvalidInput if its setup in the campaign has changed."""
        source = read_toml(self.path)
        name = clean(os.path.basename(self.path))
        if not is_of_table(source.data):
            raise InvalidInput(f"{name} is a battle without real cards; leave out --table")
        try:
            table = read_table(source.data, self.folder)
        except InvalidInput as error:
            source.refuse(error.errors)
        if table.plan.bound != self.plan.bound or not is_set_up_alike(self.plan.setup, table.plan.setup):
            refuse_changed(name, *self.pending, table.plan.bound)
            raise InvalidInput(
                f"the house rules or options of the battle have changed since {name} was begun; "
                "undo the change, or move the file away to start again"
            )
        return table

    def fought(self) -> FoughtBattle:
        """Return the finished battle for the ledger.

        Raises InvalidInput if the battle is not finished or not valid.
        """
        record = self.table.record()
        return FoughtBattle(self.setting, fought_battle(record, dumps_record(record)), record)


def stale_battle_warnings(before: Campaign, after: Campaign) -> list[str]:
    """Return a warning for each battle in progress that cannot go on since the umpire's last change."""
    warnings = []
    for key, progress in battles_in_progress(after).items():
        earlier = before.battle(key)
        if earlier and progress.state not in (REPORTED, UNREADABLE):
            is_at_table = progress.state == AT_TABLE
            reason = reason_to_stop(after, progress.battle, is_at_table=is_at_table)
            if reason and not reason_to_stop(before, earlier, is_at_table=is_at_table):
                warnings.append(f"cardbattle: warning: {reason}")
    return warnings


def reason_to_stop(campaign: Campaign, battle: Pending, *, is_at_table: bool) -> str:
    """Return the reason why a battle in progress cannot go on, or "" if it can."""
    try:
        if is_at_table:
            TableBattleFile(campaign, battle, settle=lambda plan: plan)
        else:
            PlayedBattle(campaign, battle, (), by_message=True)
    except InvalidInput as error:
        return str(error)
    return ""


def refuse_changed(name: str, campaign: Campaign, battle: Pending, bound: Mapping[str, object]) -> None:
    """Raise InvalidInput if the forces of a battle in progress have changed since the battle was begun."""
    if changes := changes_since(campaign, battle, bound):
        raise InvalidInput(stale_battle_text(name, changes))


def players_waiting_sentence(folder: str, battle: Pending) -> str:
    """Describe a battle that people have begun. The sentence is empty if they have not begun it."""
    name = f"{battle.id}{ENDING}"
    path = os.path.join(folder, name)
    data = read_toml(path).data if os.path.lexists(path) else {}
    if is_of_table(data):
        return f"battle {battle.id} is being played with real cards, in {name}"
    if not is_session(data):
        return ""
    waiting, moves = table_or_empty(data[WAITING]).get("asked"), data.get("moves")
    move_count = counted(len(moves) if isinstance(moves, list) else 0, "move")
    if not isinstance(waiting, list) or not waiting:
        return f"battle {battle.id} is over in {name}, after {move_count}, but not recorded yet"
    sides = listed([clean(str(key)) for key in waiting])
    return f"battle {battle.id} waits in {name}, after {move_count}, for {sides}"


def is_set_up_alike(wanted: Setup, actual: Setup) -> bool:
    house = {word: actual.house[word] for word, value in wanted.house.items() if value is not None}
    house_wanted = {word: value for word, value in wanted.house.items() if value is not None}
    return wanted.seats == actual.seats and wanted.sides == actual.sides and house == house_wanted


def persons_in(path: str) -> list[str]:
    """Return the keys of the sides that people command, according to a battle file.

    The list is empty if the file does not exist.
    """
    sides = table_or_empty(read_toml(path).data.get("sides")) if os.path.lexists(path) else {}
    return [key for key, side in sides.items() if table_or_empty(side).get("commander") == HUMAN]


def side_named(campaign: Campaign, word: str, battle: Pending) -> str:
    """Return the key of a side of the battle, given by its key, its name, a force or its faction.

    Raises InvalidInput, with the nearest key as a suggestion, if the battle has no such side.
    """
    if word in battle.keys:
        return word
    with suppress(ValueError):
        return key_of(word, names_of_sides(campaign, battle.sides, battle))
    hint = nearest(word, battle.keys) or f"; its sides are {listed(battle.keys)}"
    raise InvalidInput(f"battle {battle.id} has no side {quoted(word)}{hint}")


def as_begun(session: Session) -> Mapping[str, object]:
    """Return the setup of a battle, without the names of the sides, which can be changed at any time."""
    referee = session.beginning.referee()
    table = table_so_far(session.plan, referee, session.beginning.fought, referee.setup.deal)
    settled = {word: value for word, value in table.items() if word not in ("moves", "checks")}
    sides = table_or_empty(table["sides"])
    return settled | {"sides": {key: without_changes(table_or_empty(side)) for key, side in sides.items()}}


def without_changes(side: Mapping[str, object]) -> Mapping[str, object]:
    """Return a side without its name and the fields that its player may change during a battle."""
    changing = (*NAMES, *(MIDWAY if side["commander"] == HUMAN else ()))
    return {word: value for word, value in side.items() if word not in changing}


NAMES = ("name", "plural")
MIDWAY = ("standing", "substitutes")


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
    return os.path.join(campaign.folder, f"{battle}{ENDING}")
