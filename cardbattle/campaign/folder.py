"""A campaign in its folder, for a person at a Python prompt: read, asked for odds, and fought for."""

from __future__ import annotations

from collections.abc import Mapping
from warnings import warn

from cardbattle.battles.records.record import Record
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.seals.sealed_draw import with_draw
from cardbattle.campaign.state.battle_setup import rehearsal_table
from cardbattle.campaign.state.model import Campaign, Faction, Force, Location, Pending
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.seal_slots import opener
from cardbattle.campaign.turn.fighting import (
    FightOptions,
    fight_battles,
    fighters,
    plan_recording,
    select_battles,
    unrecorded_battles,
)
from cardbattle.core.errors import Remark
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.telling import counted
from cardbattle.simulation.odds import PRECISION, Odds, OddsStop, count_odds
from cardbattle.simulation.workers import workforce


class CampaignFolder:
    """A campaign as it was read last: `campaign` is its state, `ledger` what led to it.

    `reload` reads both anew; `fight` records what it fights, as the command line does, and reloads.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.reload()

    def __repr__(self) -> str:
        state = self.campaign
        pending = f"{counted(len(state.pending), 'battle')} pending"
        return f"<CampaignFolder {state.name}: turn {state.turn}, revision {state.revision}, {pending}>"

    def reload(self) -> None:
        """Read the campaign's files; Refused lists all that is wrong with them."""
        self.ledger: Ledger = store.read_ledger(self.folder)
        self.campaign: Campaign = with_draw(store.load(self.folder), self.ledger).campaign

    @property
    def name(self) -> str:
        """The campaign's name."""
        return self.campaign.name

    @property
    def turn(self) -> int:
        """Which turn it is, from 0."""
        return self.campaign.turn

    @property
    def revision(self) -> int:
        """How many entries of the ledger the state has."""
        return self.campaign.revision

    @property
    def factions(self) -> Mapping[str, Faction]:
        """The factions by key."""
        return self.campaign.factions

    @property
    def forces(self) -> Mapping[str, Force]:
        """The forces by key."""
        return self.campaign.forces

    @property
    def locations(self) -> Mapping[str, Location]:
        """The places by key."""
        return self.campaign.locations

    @property
    def pending(self) -> list[PendingBattle]:
        """The battles that are still to be fought, in the order of the file."""
        return [PendingBattle(self, battle) for battle in self.campaign.pending]

    def fight(self, *battles: str, jobs: int | None = 1) -> list[Record]:
        """Fight pending battles, named by their ids, record them, and return their records.

        Without a name the first is fought. `jobs` is as for `cardbattle.odds`. What the umpire
        should know is a warning. Refused if a battle is not pending or cannot be fought; NeedsUmpire
        if the campaign was changed meanwhile or its ledger is damaged; InUse, SystemRefused: then
        nothing is recorded, unless the words say so.
        """
        with store.open_for_writing(self.folder) as transaction:
            file, ledger = transaction.books, transaction.ledger
            hear(transaction.take_notes())
        wanted = unrecorded_battles(file.campaign, ledger, select_battles(file.campaign, [*battles], False))
        with fighters(file.campaign, wanted, jobs) as hands:
            how = FightOptions(open=opener(self.folder, lambda note: hear([note])))
            fought = fight_battles(file.campaign, wanted, hands, how)
        with store.open_for_writing(self.folder) as transaction:
            done = plan_recording(transaction.books, transaction.ledger, fought)
            transaction.commit(done)
            hear([*(note for operation in done for note in operation.notes), *transaction.take_notes()])
        self.reload()
        return [one.record for one in fought]


class PendingBattle:
    """A battle of a campaign that is still to be fought."""

    def __init__(self, of: CampaignFolder, battle: Pending) -> None:
        self.of = of
        self.battle = battle

    def __repr__(self) -> str:
        return f"<PendingBattle {self.id} of {self.rules.name}: {', '.join(self.sides)}>"

    @property
    def id(self) -> str:
        """The battle's id."""
        return self.battle.id

    @property
    def sides(self) -> list[str]:
        """The keys of its sides, in seat order: each goes by its first force."""
        return self.battle.keys

    @property
    def rules(self) -> RuleSet:
        """The rule set it is fought under."""
        return self.of.campaign.rules_of(self.battle)

    def table(self) -> dict[str, object]:
        """Return it as a battle file has it, strength counted in; Refused if it cannot be fought.

        Where dice are sealed the seed is not the one that it will be fought with.
        """
        return rehearsal_table(self.of.campaign, self.battle)

    def odds(self, *, battles: int | None = None, precision: float = PRECISION, jobs: int | None = 1) -> Odds:
        """Count how it ends with the commanders it has, fought many times; nothing is recorded.

        The arguments are those of `cardbattle.odds`. Refused if it cannot be fought.
        """
        with workforce(jobs) as hands:
            return count_odds(self.table(), self.of.folder, OddsStop(battles, precision), *hands)

    def fight(self) -> Record:
        """Fight it, record it, and return its record; see `CampaignFolder.fight`."""
        return self.of.fight(self.id)[0]


def hear(notes: list[str]) -> None:
    """Warn of what had to be repaired, and of what else the umpire should know."""
    for note in notes:
        warn(note, Remark, stacklevel=3)
