"""Fighting pending battles: together those that share no force, the others one after the other.

All that a battle is fought with are its forces, and all that its result changes and another's
setting reads are forces too. So whoever fights, and however many at once, every battle is set up
as if those before it had been fought and recorded first.
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
from cardbattle.campaign.state.battle_setup import battle_table, destroyed, differences, explain, no_effect
from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.commanders import RANKS
from cardbattle.core.errors import CardbattleError, Diagnostic, InvalidInput
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.rules import is_not_installed
from cardbattle.simulation.batch import fight_each
from cardbattle.simulation.journal import Done
from cardbattle.simulation.workers import processes, processors, workforce


class FoughtBattle(NamedTuple):
    """A battle fought for the campaign: as it was set up, and as it is recorded.

    `forced` says in spite of what it was fought, `reason` why.
    """

    setting: dict[str, object]
    battle: BattleResult
    record: Record
    forced: str = ""
    reason: str = ""

    def __repr__(self) -> str:
        return f"<FoughtBattle {self.record!r}>"


class FightOptions(NamedTuple):
    """How battles are to be fought.

    `passing`: one whose forces are destroyed is passed over, not refused; `explaining`: it is said
    what strength gives to whom. `hear` is told that, `tick` how many battles are finished. `open` makes
    sure that a battle has its slot, where dice are sealed, before anything of it is drawn.
    """

    passing: bool = False
    explaining: bool = False
    hear: Callable[[str], None] = lambda line: None
    tick: Callable[[int, int], None] = lambda done, of: None
    open: Callable[[Campaign, Pending], Campaign] = lambda now, battle: now


def waves(battles: Sequence[Pending]) -> list[list[int]]:
    """Return the places of the battles in waves.

    Those of one wave share no force; of those that share one the first comes in an earlier wave. They
    are the levels of a dependency graph: each battle depends on those before it that share a force.
    """
    found: list[list[int]] = []
    fought: dict[str, int] = {}  # how many waves a force has been in
    for place, battle in enumerate(battles):
        forces = [force for side in battle.sides for force in side]
        wave = max(fought.get(force, 0) for force in forces)
        found += [[]] * (wave == len(found))
        found[wave] = [*found[wave], place]
        fought |= dict.fromkeys(forces, wave + 1)
    return found


@contextmanager
def fighters(
    campaign: Campaign, battles: Sequence[Pending], jobs: int | None
) -> Iterator[tuple[Executor, int]]:
    """Open whoever fights these battles, as `workforce` does; if commanders think, processes at once.

    The first of such battles alone would take longer than starting processes. `jobs` is how many there
    may be, from 1; None is one for each processor.
    """
    widest = min(jobs or processors(), max(map(len, waves(battles))))
    if widest > 1 and any(thinks(campaign, battle) for battle in battles):
        with processes(widest) as pool:
            yield pool, widest
    else:
        with workforce(jobs) as hands:
            yield hands


def thinks(campaign: Campaign, battle: Pending) -> bool:
    """Say whether a side's commander looks ahead and takes time."""
    return any(RANKS[campaign.forces[key].commander.split(":")[0]].thinks for key in battle.keys)


def fight_battles(
    campaign: Campaign, battles: Sequence[Pending], hands: tuple[Executor, int], way: FightOptions
) -> list[FoughtBattle]:
    """Fight the battles, each with the forces that those before it have left; return them in order.

    Raise what refuses the first of them that is refused; Refused if none can be fought any more.
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
    """Battles being fought: what became of each, by its place, and which was refused first."""

    def __init__(
        self, now: Campaign, battles: Sequence[Pending], hands: tuple[Executor, int], way: FightOptions
    ) -> None:
        self.now = now
        self.battles = battles
        self.hands = hands
        self.way = way
        self.bouts: dict[int, FoughtBattle] = {}
        self.said: dict[int, list[str]] = {}
        self.end = len(battles)  # what comes after is not fought
        self.refusal: CardbattleError | None = None

    def fight(self, wave: Sequence[int]) -> None:
        """Fight battles that share no force, and carry their losses on."""
        settings = self.set_up(wave)
        fought = fight_each(settings.values(), self.now.folder, *self.hands, wants_records=True)
        for place, done in zip(settings, fought, strict=True):
            if done.mistakes:
                self.refuse(place, error_of(done))
                return
            bout = bout_of(settings[place], done, self.now.folder)
            self.bouts[place] = bout
            self.now = self.now.after(apply(self.now, bout.battle.id, bout.battle.result))
            self.way.tick(len(self.bouts), len(self.battles))

    def set_up(self, wave: Sequence[int]) -> dict[int, dict[str, object]]:
        """Return the battles of a wave that can be fought, as battle files have them."""
        settings = {}
        for place in wave:
            battle = self.battles[place]
            if place > self.end:
                break
            gone = destroyed(self.now, battle)
            if gone and self.way.passing:
                self.said[place] = [f"battle {battle.id} is passed over: {gone}"]
                continue
            self.said[place] = self.explained(battle)
            try:
                self.now = self.way.open(self.now, battle)
                settings[place] = battle_table(self.now, battle)
            except (InvalidInput, NeedsUmpire) as error:
                self.refuse(place, error)
        return settings

    def explained(self, battle: Pending) -> list[str]:
        """Return what strength gives to whom, if that is to be told."""
        if not self.way.explaining or is_not_installed(self.now.rules_key(battle)):
            return []
        lines = explain(self.now, battle) or [no_effect(self.now, battle) or "all sides are equally strong"]
        return [f"{battle.id}: {line}" for line in lines]

    def refuse(self, place: int, error: CardbattleError) -> None:
        """Note that a battle is refused: those after it are not fought any more."""
        if place < self.end:
            self.end, self.refusal = place, error


def error_of(done: Done) -> CardbattleError:
    """Return the error that says why a battle was not fought."""
    if done.is_unexpected:
        return CardbattleError(done.mistakes[0][0])
    return InvalidInput([Diagnostic(text, at=at) for text, at in done.mistakes])


def bout_of(setting: Mapping[str, object], done: Done, folder: str) -> FoughtBattle:
    """Return a battle fought somewhere from what was sent back."""
    record = read_record(tomllib.loads(done.record), folder)
    return FoughtBattle(dict(setting), fought_battle(record, done.record), record)


def unrecorded_battles(campaign: Campaign, ledger: Ledger, names: Sequence[str]) -> list[Pending]:
    """Return the pending battles of these ids; NeedsUmpire if one was recorded before."""
    told = [(name, ledger.find(name)) for name in names]
    known = [
        f"battle {name} is recorded already (revision {entry.revision}), and pending again; "
        "give the pending one another id, or undo the other"
        for name, entry in told
        if entry is not None
    ]
    if known:
        raise NeedsUmpire([Conflict(words) for words in known])
    return [battle for name in names if (battle := campaign.battle(name)) is not None]


def planned(books: CampaignFile, ledger: Ledger, fought: Sequence[FoughtBattle]) -> list[Operation]:
    """Return what recording these battles changes, one after the other; NeedsUmpire as `operation_of`."""
    now, found = books.campaign, []
    for one in fought:
        found.append(operation_of(books._replace(campaign=now), ledger, one))
        now = now.after(found[-1].entry.changes)
    return found


def operation_of(books: CampaignFile, ledger: Ledger, fought: FoughtBattle) -> Operation:
    """Return the operation of recording a battle; NeedsUmpire if by now it would be another one."""
    pending = books.campaign.battle(fought.battle.id)
    if pending is None:
        why = ["it is pending no more"]
    elif battle_table(books.campaign, pending) == fought.setting:
        operation = plan_import(books, ledger, [fought.battle]).operations[0]
        entry = operation.entry._replace(
            forced=[fought.forced] if fought.forced else [], reason=fought.reason
        )
        return operation._replace(entry=entry)
    else:
        changed = differences(books.campaign, pending, dict(fought.battle.bound))
        why = [one.words for one in changed] or ["it was set up anew"]
    raise NeedsUmpire(
        f"the campaign was changed while battle {fought.battle.id} was fought: {'; '.join(why)}; "
        "this command has recorded nothing; fight again"
    )


def chosen(campaign: Campaign, names: list[str], everything: bool) -> list[str]:
    """Return the ids of the battles to be fought; Refused if one is not pending."""
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
            hint = nearest(name, pending) or f"; {listed(pending)} {'is' if len(pending) == 1 else 'are'}"
            raise InvalidInput(f"battle {quoted(name)} is not pending{hint}")
    return list(dict.fromkeys(names))
