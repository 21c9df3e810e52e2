"""Fight pending battles, in parallel if they share no force.

A battle depends only on its forces, and its result affects other battles only through forces. Each battle is
therefore set up as if all earlier battles had been recorded, and the results are the same for any number of
processes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, plan_import
from cardbattle.campaign.state.apply import apply
from cardbattle.campaign.state.battle_result import BattleResult, fought_battle
from cardbattle.campaign.state.battle_setup import (
    battle_table,
    destroyed_forces_error,
    differences,
    explain,
    no_effect,
)
from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.commanders import thinks_ahead
from cardbattle.core.errors import CardbattleError, Diagnostic, InvalidInput
from cardbattle.core.names import nearest, quoted
from cardbattle.files.reader import table_or_empty
from cardbattle.rules import is_not_installed
from cardbattle.simulation.batch import fight_each
from cardbattle.simulation.journal import FinishedBattle
from cardbattle.simulation.workers import processes, processors, workforce


class FoughtBattle(NamedTuple):
    """A battle fought for the campaign, with its setup and its record.

    `forced` names the problems that the umpire overrode, and `reason` says why.
    """

    setting: dict[str, object]
    battle: BattleResult
    record: Record
    forced: str = ""
    reason: str = ""

    def __repr__(self) -> str:
        return f"<FoughtBattle {self.record!r}>"


class FightOptions(NamedTuple):
    """Options for fighting battles.

    Attributes:
        passing: True to skip battles whose forces are destroyed. Otherwise they are an error.
        explaining: True to report the advantages that strength gives.
        hear: receives the lines to print.
        tick: receives the number of finished battles and their total.
        open: opens a battle's slot of sealed dice before anything is drawn.
        commanders: the commanders, by side, that replace the campaign's commanders.

    """

    passing: bool = False
    explaining: bool = False
    hear: Callable[[str], None] = lambda line: None
    tick: Callable[[int, int], None] = lambda done, of: None
    open: Callable[[Campaign, Pending], Campaign] = lambda now, battle: now
    commanders: Mapping[str, str] = {}


def waves(battles: Sequence[Pending]) -> list[list[int]]:
    """Group the battles into waves, and return the indexes of the battles in each wave.

    Battles in the same wave share no force. The waves are the levels of a dependency graph, in which a battle
    depends on all earlier battles with one of its forces.
    """
    levels: list[list[int]] = []
    wave_of: dict[str, int] = {}  # by force: the next free wave
    for place, battle in enumerate(battles):
        forces = [force for side in battle.sides for force in side]
        wave = max(wave_of.get(force, 0) for force in forces)
        levels += [[]] * (wave == len(levels))
        levels[wave] = [*levels[wave], place]
        wave_of |= dict.fromkeys(forces, wave + 1)
    return levels


@contextmanager
def fighters(
    campaign: Campaign, battles: Sequence[Pending], jobs: int | None
) -> Iterator[tuple[Executor, int]]:
    """Open an executor for these battles, and yield a pair (executor, number of workers).

    If commanders think ahead, processes are started at once, because such a battle takes longer than starting
    a process. `jobs` is the maximum number of processes, at least 1. None means one process per CPU.
    """
    widest = min(jobs or processors(), max(map(len, waves(battles))))
    if widest > 1 and any(thinks(campaign, battle) for battle in battles):
        with processes(widest) as pool:
            yield pool, widest
    else:
        with workforce(jobs) as pool_and_size:
            yield pool_and_size


def thinks(campaign: Campaign, battle: Pending) -> bool:
    return any(thinks_ahead(campaign.forces[key].commander) for key in battle.keys)


def fight_battles(
    campaign: Campaign, battles: Sequence[Pending], hands: tuple[Executor, int], way: FightOptions
) -> list[FoughtBattle]:
    """Fight the battles, each with the forces that earlier battles have left, and return them in order.

    `hands` is an executor and its number of workers. Raises the error of the first battle that fails. Raises
    InvalidInput if no battle can be fought.
    """
    turn = WaveRunner(campaign, battles, hands, way)
    for wave in waves(battles):
        turn.fight(wave)
    for place in range(turn.end + 1):
        for line in turn.said.get(place, []):
            way.hear(line)
    if turn.refusal is not None:
        raise turn.refusal
    if not turn.bouts:
        raise InvalidInput("no pending battle can be fought any more")
    return [turn.bouts[place] for place in sorted(turn.bouts)]


class WaveRunner:
    """Fights the waves of battles, and collects the results, the lines to print, and the first error."""

    def __init__(
        self, campaign: Campaign, battles: Sequence[Pending], hands: tuple[Executor, int], way: FightOptions
    ) -> None:
        self.now = campaign
        self.battles = battles
        self.hands = hands
        self.way = way
        self.bouts: dict[int, FoughtBattle] = {}
        self.said: dict[int, list[str]] = {}
        self.end = len(battles)  # later battles are not fought
        self.refusal: CardbattleError | None = None

    def fight(self, wave: Sequence[int]) -> None:
        settings = self.set_up(wave)
        tables = [with_commanders(table, self.way.commanders) for table in settings.values()]
        fought = fight_each(tables, self.now.folder, *self.hands, wants_records=True)
        for place, result in zip(settings, fought, strict=True):
            if result.errors:
                self.refuse(place, error_of(result))
                return
            bout = bout_of(settings[place], result, self.now.folder)
            self.bouts[place] = bout
            self.now = self.now.after(apply(self.now, bout.battle.id, bout.battle.result))
            self.way.tick(len(self.bouts), len(self.battles))

    def set_up(self, wave: Sequence[int]) -> dict[int, dict[str, object]]:
        """Return a dict from indexes to battle files, for the battles of a wave that can be fought."""
        settings = {}
        for place in wave:
            battle = self.battles[place]
            if place > self.end:
                break
            problem = destroyed_forces_error(self.now, battle)
            if problem and self.way.passing:
                self.said[place] = [f"battle {battle.id} is skipped: {problem}"]
                continue
            self.said[place] = self.explain_advantages(battle)
            try:
                self.now = self.way.open(self.now, battle)
                settings[place] = battle_table(self.now, battle)
            except (InvalidInput, NeedsUmpire) as error:
                self.refuse(place, error)
        return settings

    def explain_advantages(self, battle: Pending) -> list[str]:
        if not self.way.explaining or is_not_installed(self.now.rules_key(battle)):
            return []
        lines = explain(self.now, battle) or [no_effect(self.now, battle) or "all sides are equally strong"]
        return [f"{battle.id}: {line}" for line in lines]

    def refuse(self, place: int, error: CardbattleError) -> None:
        """Record the error of the first battle that fails. Later battles are not fought."""
        if place < self.end:
            self.end, self.refusal = place, error


def with_commanders(table: Mapping[str, object], commanders: Mapping[str, str]) -> dict[str, object]:
    """Return the table of a battle file with other commanders for some sides."""
    sides = {
        key: {**side, "commander": commanders.get(key, side["commander"])}
        for key, side in table_or_empty(table["sides"]).items()
        if isinstance(side, dict)
    }
    return {**table, "sides": sides}


def error_of(result: FinishedBattle) -> CardbattleError:
    if result.is_unexpected:
        return CardbattleError(result.errors[0][0])
    return InvalidInput([Diagnostic(text, at=at) for text, at in result.errors])


def bout_of(setting: Mapping[str, object], result: FinishedBattle, folder: str) -> FoughtBattle:
    record = read_record(tomllib.loads(result.record), folder)
    return FoughtBattle(dict(setting), fought_battle(record, result.record), record)


def unrecorded_battles(campaign: Campaign, ledger: Ledger, names: Sequence[str]) -> list[Pending]:
    """Return pending battles by id. Raises NeedsUmpire if one is already recorded."""
    entries = [(name, ledger.find(name)) for name in names]
    problems = [
        f"battle {name} is already recorded (revision {entry.revision}), and pending again; "
        "give the pending battle another id, or undo the recorded one"
        for name, entry in entries
        if entry is not None
    ]
    if problems:
        raise NeedsUmpire([Conflict(problem) for problem in problems])
    return [battle for name in names if (battle := campaign.battle(name)) is not None]


def plan_recording(books: CampaignFile, ledger: Ledger, fought: Sequence[FoughtBattle]) -> list[Operation]:
    """Return the operations that record these battles, in order.

    Raises NeedsUmpire if a battle was changed in the campaign while it was fought.
    """
    campaign, operations = books.campaign, []
    for battle in fought:
        operations.append(operation_of(books._replace(campaign=campaign), ledger, battle))
        campaign = campaign.after(operations[-1].entry.changes)
    return operations


def operation_of(books: CampaignFile, ledger: Ledger, fought: FoughtBattle) -> Operation:
    """Return the operation that records a battle.

    Raises NeedsUmpire if the battle was changed in the campaign while it was fought.
    """
    pending = books.campaign.battle(fought.battle.id)
    if pending is None:
        why = ["it is no longer pending"]
    elif battle_table(books.campaign, pending) == fought.setting:
        operation = plan_import(books, ledger, [fought.battle]).operations[0]
        entry = operation.entry._replace(
            forced=[fought.forced] if fought.forced else [], reason=fought.reason
        )
        return operation._replace(entry=entry)
    else:
        changed = differences(books.campaign, pending, dict(fought.battle.bound))
        why = [difference.words for difference in changed] or ["it was set up again"]
    raise NeedsUmpire(
        f"the campaign was changed while battle {fought.battle.id} was fought: {'; '.join(why)}; "
        "nothing was recorded; fight it again"
    )


def select_battles(campaign: Campaign, names: list[str], everything: bool) -> list[str]:
    """Return the ids of the battles to fight.

    Without `names`, these are all pending battles if `everything` is True, and otherwise the first one.
    Raises InvalidInput if a battle is not pending.
    """
    pending = [battle.id for battle in campaign.pending]
    if not pending:
        raise InvalidInput(
            "no battle is pending; write the next one under [[pending]] in campaign.toml, or add it with: "
            "cardbattle campaign add battle"
        )
    if not names:
        return pending if everything else pending[:1]
    for name in names:
        if name not in pending:
            hint = nearest(name, pending) or f"; pending: {', '.join(pending)}"
            raise InvalidInput(f"battle {quoted(name)} is not pending{hint}")
    return list(dict.fromkeys(names))
