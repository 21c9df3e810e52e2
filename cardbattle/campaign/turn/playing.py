"""A pending battle that a person plays: begun, kept in the campaign's folder, and gone on with."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from cardbattle.battles.physical.table_battle import TableBattle, begin_table
from cardbattle.battles.physical.table_battle_file import is_of_table, read_table
from cardbattle.battles.records.battle_file import BattlePlan, read_battle, with_persons
from cardbattle.battles.records.record import dumps_record, table_so_far
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.sealed_orders import draw_salt
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import ENDING, WAITING, is_session, read_session
from cardbattle.campaign.state.battle_result import fought_battle
from cardbattle.campaign.state.battle_setup import battle_table, differences
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.turn.fighting import FoughtBattle
from cardbattle.commanders import HUMAN
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean, listed, nearest, quoted
from cardbattle.core.setup import Setup
from cardbattle.core.telling import counted
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import read_toml


class PlayedBattle:
    """One pending battle in the hands of persons: how it is set up, its session, the file that keeps it."""

    def __init__(
        self, campaign: Campaign, battle: Pending, persons: Sequence[str], by_message: bool = False
    ) -> None:
        self.setting = battle_table(campaign, battle)
        self.path = os.path.join(campaign.folder, f"{battle.id}{ENDING}")
        self.folder = campaign.folder
        self.pending = campaign, battle
        begun_by = persons_in(self.path) if by_message else []
        keys = [check_side(key, battle) for key in persons or begun_by or battle.keys[:1]]
        self.table = with_persons(self.setting, keys, is_asked_all=not by_message)
        self.session = self.resume_battle() if os.path.lexists(self.path) else self.begun()
        if by_message and not os.path.lexists(self.path):
            self.session.give_receipts(draw_salt())

    def __repr__(self) -> str:
        return f"<PlayedBattle {clean(self.path)}: {self.session!r}>"

    def begun(self) -> Session:
        """Return the battle just begun; Refused if it cannot be fought."""
        return begin_session(read_battle(self.table, self.folder))

    def resume_battle(self) -> Session:
        """Return the battle as it was left; Refused if it would be begun otherwise by now."""
        source = read_toml(self.path)
        if is_of_table(source.data):
            raise InvalidInput(f"{clean(os.path.basename(self.path))} is a battle at a table; add --table")
        try:
            session = read_session(source.data, self.folder)
        except InvalidInput as refused:
            source.refuse(refused.mistakes)
        if as_begun(session) != as_begun(self.begun()):
            name = clean(os.path.basename(self.path))
            refuse_changed(name, *self.pending, session.plan.bound)
            raise InvalidInput(
                f"{name} was begun with other sides or another setting than the battle has now; "
                "name the same sides, or move the file away to begin anew"
            )
        return session

    def fought(self) -> FoughtBattle:
        """Return the battle, which must be over, as the campaign records it."""
        record = self.session.record()
        return FoughtBattle(self.setting, fought_battle(record, dumps_record(record)), record)


class TableBattleFile:
    """One pending battle that people fight with real cards: how it is set up, what they told, its file.

    `settle` is asked to say what else the lot would settle, as who deals.
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

    def __repr__(self) -> str:
        return f"<TableBattleFile {clean(self.path)}: {self.table!r}>"

    def resume_battle(self) -> TableBattle:
        """Return the battle as it was left; Refused if it would be begun otherwise by now."""
        source = read_toml(self.path)
        name = clean(os.path.basename(self.path))
        if not is_of_table(source.data):
            raise InvalidInput(f"{name} is a battle that is played without a table; leave out --table")
        try:
            table = read_table(source.data, self.folder)
        except InvalidInput as refused:
            source.refuse(refused.mistakes)
        if table.plan.bound != self.plan.bound or not is_set_up_alike(self.plan.setup, table.plan.setup):
            refuse_changed(name, *self.pending, table.plan.bound)
            raise InvalidInput(
                f"{name} was begun with another setting than the battle has now; move the file away to "
                "begin anew"
            )
        return table

    def fought(self) -> FoughtBattle:
        """Return the battle, which must be over, as the campaign records it; Refused if it is not sound."""
        record = self.table.record()
        return FoughtBattle(self.setting, fought_battle(record, dumps_record(record)), record)


def refuse_changed(name: str, campaign: Campaign, battle: Pending, bound: Mapping[str, object]) -> None:
    """Refuse a battle from a file of this name if its forces are not those with which it was begun."""
    changed = "; ".join(one.words for one in differences(campaign, battle, dict(bound)))
    if changed:
        raise InvalidInput(
            f"{name} was begun when the campaign stood otherwise: {changed}; "
            "take that back, or move the file away to begin anew"
        )


def players_waiting_sentence(folder: str, battle: Pending) -> str:
    """Say where a battle stands that waits in its file for those who play it; empty if it does not."""
    name = f"{battle.id}{ENDING}"
    path = os.path.join(folder, name)
    data = read_toml(path).data if os.path.lexists(path) else {}
    if is_of_table(data):
        return f"battle {battle.id} is told at a table, and kept in {name}"
    if not is_session(data):
        return ""
    asked, moves = table_or_empty(data[WAITING]).get("asked"), data.get("moves")
    made = counted(len(moves) if isinstance(moves, list) else 0, "move")
    if not isinstance(asked, list) or not asked:
        return f"battle {battle.id} is over in {name}, after {made}, and not recorded yet"
    return (
        f"battle {battle.id} waits in {name}, after {made}, for {listed([clean(str(key)) for key in asked])}"
    )


def is_set_up_alike(asked: Setup, told: Setup) -> bool:
    """Say whether a battle was set up as it is asked for, what the lot settles apart."""
    house = {word: told.house[word] for word, value in asked.house.items() if value is not None}
    known = {word: value for word, value in asked.house.items() if value is not None}
    return asked.seats == told.seats and asked.sides == told.sides and house == known


def persons_in(path: str) -> list[str]:
    """Return the keys of the sides that persons command in a file, none if there is no such file."""
    sides = table_or_empty(read_toml(path).data.get("sides")) if os.path.lexists(path) else {}
    return [key for key, side in sides.items() if table_or_empty(side).get("commander") == HUMAN]


def check_side(key: str, battle: Pending) -> str:
    """Return the key of a side of a battle; Refused names the nearest if it has none such."""
    if key not in battle.keys:
        hint = nearest(key, battle.keys) or f"; its sides are {listed(battle.keys)}"
        raise InvalidInput(f"battle {battle.id} has no side {quoted(key)}{hint}")
    return key


def as_begun(session: Session) -> Mapping[str, object]:
    """Return what of a battle was settled before its first move."""
    referee = session.beginning.referee()
    table = table_so_far(session.plan, referee, session.beginning.fought, referee.setup.deal)
    begun = {word: value for word, value in table.items() if word not in ("moves", "checks")}
    sides = table_or_empty(table["sides"])
    return begun | {"sides": {key: without_changes(table_or_empty(side)) for key, side in sides.items()}}


def without_changes(side: Mapping[str, object]) -> Mapping[str, object]:
    """Return what a file says of a side, without what its person may change in the midst of a battle."""
    is_played = side["commander"] == HUMAN
    return {word: value for word, value in side.items() if not (is_played and word in MIDWAY)}


MIDWAY = ("standing", "substitutes")
